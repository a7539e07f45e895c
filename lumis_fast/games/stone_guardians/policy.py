"""Choosing moves of the Stone Guardians with an aim: scores of moves, greedy play, evaluation.

Everything is measured in points a round. A province is worth what it brings each round, and what it
brings to hold it as a step to more: Lutao, a country nearly complete. A fight is worth what it wins
times the chance to win it, less the armies it costs; armies are worth most where there is something
to win or to lose. A seat's own cards count, and what everybody sees; nothing else is looked at, but
by `evaluate`, which search calls with positions whose hidden cards it has drawn itself.
"""

from __future__ import annotations

import math

import numpy as np

from lumis_fast.core.bits import popcount, trailing_zeros
from lumis_fast.core.copying import assign
from lumis_fast.core.jit import kernel
from lumis_fast.core.streams import below
from lumis_fast.games.stone_guardians.board import map_of
from lumis_fast.games.stone_guardians.chances import (
    FIELD,
    GOLEMS,
    GOLEMS_IN_CITY,
    IN_CITY,
    MOST,
)
from lumis_fast.games.stone_guardians.moves import legal_moves
from lumis_fast.games.stone_guardians.state import (
    ARMIES,
    BUY,
    CITY_HIT,
    END_SETTING,
    FIGHT,
    GOLEM_ATTACK,
    GOLEM_PLACE,
    HIT,
    HOLD_BACK,
    LAND,
    LUTAO,
    MARKERS,
    MISS,
    MOVE_ARMIES,
    MOVEMENT,
    NOBODY,
    PLACE_ARMIES,
    PLACE_MARKER,
    PLACE_SHIP,
    SAIL,
    SHIELD,
    SHIPS,
    VICTORY_CHECK,
)

ROUNDS_AHEAD = 3.0
"""What a province brings is counted for so many rounds."""

ARMY = 1.6
"""What an army is worth."""

LUTAO_CITY, LUTAO_INNER, LUTAO_OUTER = 14.0, 3.0, 1.2
"""What Lutao's provinces are worth a round beyond their points: the way to victory."""

HELD_BY_ANOTHER = 10.0
"""How much more Lutao's city is worth while somebody else holds it."""

COUNTRY_STEP = 1.0
"""The share of a country's bonus that the last missing province brings at once."""

DENY = 0.4
"""The share of a province's worth that is won by taking it from somebody."""

REACH = 4.0
"""So many armies make most of what armies in one place can do."""

INWARD = 0.55
"""How much of the need of armies is felt one province further from where they are needed."""

STICK = 0.4
"""What a movement stick is worth."""

SEA_STICKS = 4
"""So many sticks are kept for the way to Lutao."""

TEMPERATURE = 1.0

FEATURES = 17
(
    _POINTS,
    _ARMIES,
    _EXPOSED,
    _OUTER,
    _INNER,
    _AT_THE_GATES,
    _ARTIFACTS,
    _CITY,
    _CITY_HELD,
    _CITY_GUARD,
    _CITY_IN_DANGER,
    _CITY_WITHIN_REACH,
    _TO_PLACE,
    _STICKS,
    _SHIPS,
    _EMBARKING,
    _TO_COME,
) = range(FEATURES)
WEIGHTS = (
    *(0.01, 0.01, -0.03, 0.16, 0.3, 0.13, 0.02, 1.18, 1.5, 0.51, -1.06, 0.16),
    *(0.01, 0.01, 0.23, 0.14, 0.02),
)
"""How much each of them adds to the logarithm of the odds to win (`bench/fit_stone.py`)."""

_ONE = np.uint64(1)


@kernel
def _bit(province):
    return _ONE << np.uint64(province)


@kernel
def _has(mask, province):
    return (mask >> np.uint64(province)) & _ONE != np.uint64(0)


@kernel
def _owner(rules, state, province):
    """The people that has armies in a province, or -1."""
    for people in range(rules.peoples):
        if _has(state.owned[people], province):
            return people
    return -1


@kernel
def find_worth(rules, work, state, people):
    """Set `work.worth`: what each province is worth a round to a people that has or wins it."""
    tables = map_of(rules, work, state)
    opponents = np.float64(rules.opponents)
    own = state.owned[people]
    for province in range(tables.provinces):
        city = 1.0 if _has(state.cities, province) else 0.0
        if province < LUTAO:
            worth = opponents * rules.golems[province] + city
            if province == 0:
                worth += LUTAO_CITY
                if state.holder < rules.peoples and state.holder != people:
                    worth += HELD_BY_ANOTHER
            else:
                worth += LUTAO_INNER if rules.golems[province] > 1 else LUTAO_OUTER
        else:
            country = np.int64(tables.country_of[province])
            provinces = tables.country[country]
            missing = popcount(provinces & ~own & ~_bit(province))
            full = tables.bonus[country] + (1.0 if provinces & state.cities else 0.0)
            worth = 1.0 + 2.0 * city + COUNTRY_STEP * full / (1 + missing)
            worth += 0.5 if _has(tables.symbols, province) and city == 0.0 else 0.0
        other = _owner(rules, state, province)
        if other >= 0 and other != people:
            worth *= 1.0 + DENY
        work.worth[province] = worth


@kernel
def _clip(n):
    return min(np.int64(n), MOST)


@kernel
def _kind_of(state, province):
    """What kind of fight an attack on a province is."""
    city = _has(state.cities, province)
    if state.golems[province] > 0:
        return GOLEMS_IN_CITY if city else GOLEMS
    return IN_CITY if city else FIELD


@kernel
def _defenders(state, province):
    return np.int64(state.golems[province]) + np.int64(state.armies[province])


@kernel
def chance_to_win(rules, state, province, attackers):
    """The chance that so many attackers win a province."""
    defenders = _clip(_defenders(state, province))
    return np.float64(rules.win[_kind_of(state, province), _clip(attackers), defenders])


@kernel
def armies_left(rules, state, province, attackers):
    """How many attackers a fight leaves, on average."""
    defenders, kind = _clip(_defenders(state, province)), _kind_of(state, province)
    beyond = np.int64(attackers) - _clip(attackers)
    return np.float64(beyond) + np.float64(rules.left[kind, _clip(attackers), defenders])


@kernel
def _force_beside(tables, state, people, province):
    """The armies with which a people could attack a province by land."""
    force, near = np.int64(0), tables.adjacent[province] & state.owned[people]
    while near:
        force += np.int64(state.armies[trailing_zeros(near)]) - 1
        near &= near - _ONE
    return force


@kernel
def _threat(rules, tables, state, people, province):
    """The armies with which the strongest other people could attack a province by land."""
    most = np.int64(0)
    for other in range(np.int64(rules.peoples)):
        if other != people:
            most = max(most, _force_beside(tables, state, other, province))
    return most


@kernel
def find_threats(rules, work, state, people):
    """Set `work.threat`: the armies that could attack each of a people's provinces by land."""
    tables = map_of(rules, work, state)
    for province in range(np.int64(tables.provinces)):
        work.threat[province] = 0
        if _has(state.owned[people], province):
            work.threat[province] = _threat(rules, tables, state, people, province)


@kernel
def _risk(rules, work, state, province, armies):
    """The chance that a people loses a province with so many armies to its neighbours."""
    force = np.int64(work.threat[province])
    if force == 0:
        return 0.0
    kind = IN_CITY if _has(state.cities, province) else FIELD
    return np.float64(rules.win[kind, _clip(force), _clip(armies)])


@kernel
def find_need(rules, work, state, people):
    """Set `work.need`: how useful armies are in each of a people's provinces.

    That is what can be won from there and what can be lost there, and less of what is needed next
    to it.
    """
    tables = map_of(rules, work, state)
    own = state.owned[people]
    for province in range(tables.provinces):
        work.need[province] = 0.0
        if not _has(own, province):
            continue
        near, most = tables.adjacent[province] & ~own, 0.0
        while near:
            target = trailing_zeros(near)
            near &= near - _ONE
            strength = np.float64(_defenders(state, target))
            most = max(most, work.worth[target] / (1.0 + 0.15 * strength))
        exposed = work.worth[province] * min(1.0, 0.2 * work.threat[province])
        passage = _need_of_passage(rules, work, state, people, province)
        work.need[province] = max(most + exposed, passage)
    for _ in range(4):
        for province in range(tables.provinces):
            near = tables.adjacent[province] & own if _has(own, province) else np.uint64(0)
            while near:
                other = trailing_zeros(near)
                near &= near - _ONE
                work.need[province] = max(work.need[province], INWARD * work.need[other])


@kernel
def _need_of_passage(rules, work, state, people, province):
    """How useful armies are at a coast with a ship that can reach Lutao."""
    tables, most = map_of(rules, work, state), 0.0
    if province < LUTAO:
        return 0.0
    for edge in range(tables.first_edge[province], tables.first_edge[province + 1]):
        if _has(state.ships[edge >> 6], edge & 63):
            cost = _sticks_to_lutao(tables, edge)
            if cost <= state.sticks[people]:
                most = max(most, 2.0 + LUTAO_INNER)
    return most


@kernel
def _sticks_to_lutao(tables, edge):
    """The sticks that a trip from an edge to the nearest coast of Lutao costs."""
    least, here = np.int64(255), tables.edge_hex[edge]
    for other in range(tables.first_edge[LUTAO]):
        least = min(least, np.int64(tables.sticks[here, tables.edge_hex[other]]))
    return least


@kernel
def _use_of(work, province, armies):
    """What so many armies are worth in a province, beyond those that hold it."""
    return work.need[province] * (1.0 - math.exp(-np.float64(armies) / REACH))


@kernel
def look(rules, work, state):
    """Prepare `work` for scores of the active people's moves."""
    people = np.int64(state.people)
    find_worth(rules, work, state, people)
    find_threats(rules, work, state, people)
    find_need(rules, work, state, people)


@kernel
def _placing(work, state, province, count):
    armies = np.int64(state.armies[province])
    more = _use_of(work, province, armies + count) - _use_of(work, province, armies)
    return more / count + 0.002 * count


@kernel
def _attack(rules, work, state, move):
    """What it brings to move armies into a province of others or an empty one."""
    origin, target, count = np.int64(move.origin), np.int64(move.target), np.int64(move.count)
    before, here = np.int64(state.attackers[target]), np.int64(state.armies[origin])
    if _defenders(state, target) == 0 or _has(state.owned[state.people], target):
        gain = ROUNDS_AHEAD * work.worth[target] if state.armies[target] == 0 else 0.0
        after = np.int64(state.armies[target]) + count
        gain += 0.3 * work.worth[target] * (1.0 - math.exp(-after / REACH))
    else:
        more, less = before + count, before
        gain = chance_to_win(rules, state, target, more) - chance_to_win(rules, state, target, less)
        gain *= ROUNDS_AHEAD * work.worth[target]
        left = armies_left(rules, state, target, more) - armies_left(rules, state, target, less)
        gain -= ARMY * (count - left)
        gain += 0.5 * ARMY * min(_defenders(state, target), 3)
    kept = ROUNDS_AHEAD * work.worth[origin]
    risk = _risk(rules, work, state, origin, here - count)
    gain -= kept * (risk - _risk(rules, work, state, origin, here))
    return gain - 0.05 * count


@kernel
def _forming(rules, work, state, origin, target, count):
    """What it brings to move armies between own provinces."""
    here, there = np.int64(state.armies[origin]), np.int64(state.armies[target])
    gain = _use_within_limit(rules, work, target, there + count)
    gain += _use_within_limit(rules, work, origin, here - count)
    gain -= _use_within_limit(rules, work, target, there)
    return gain - _use_within_limit(rules, work, origin, here) - 0.02


@kernel
def _use_within_limit(rules, work, province, armies):
    """What armies are worth in a province, less those that have to leave the board."""
    kept = min(armies, np.int64(rules.province_limit))
    return _use_of(work, province, kept) - ARMY * (armies - kept)


@kernel
def _spared(state, seat_cards, card):
    """How well a card of a fight can be done without: the least useful has the highest score."""
    province = np.int64(state.fight)
    attacks = seat_cards == 0
    in_city = attacks and _has(state.cities, province)
    golems = state.defender >= 4 if attacks else state.golems_attack > 0
    if card == MISS:
        return 3.0
    if card == HIT:
        return 2.5 if in_city else 1.0
    if card == SHIELD:
        return 0.5 if golems else 1.5
    if card == CITY_HIT:
        return 0.0 if in_city else 0.9
    return 0.0 if not in_city else 0.1


@kernel
def _buying(rules, work, state, move):
    """How close a purchase is to the plan: a ship and sticks for Lutao, a marker, else armies."""
    people, count = np.int64(state.people), np.int64(move.count)
    budget = np.int64(state.budget[people])
    wanted, item = 0, move.what
    if item == ARMIES:
        spared = _for_the_sea(rules, state, people)
        for n in range(np.int64(rules.most_armies) + 1):
            if rules.army_cost[n] + spared <= budget:
                wanted = n
    elif item == MARKERS:
        wanted = min(1, _sites(rules, work, state, people) - np.int64(state.markers[people]))
    elif item == SHIPS:
        wanted = 0 if state.ship_stock[people] > 0 or _has_a_ship(rules, work, state, people) else 1
    else:
        wanted = int(budget) if rules.stick_cost == 0 else int(budget // rules.stick_cost)
    return -np.float64(abs(count - wanted))


@kernel
def _for_the_sea(rules, state, people):
    """The points to keep for a ship and for sticks."""
    ship = np.int64(rules.ship_cost) if state.ship_stock[people] == 0 else 0
    missing = max(np.int64(0), SEA_STICKS - np.int64(state.sticks[people]))
    return min(ship + missing * np.int64(rules.stick_cost), np.int64(state.budget[people]) // 2)


@kernel
def _has_a_ship(rules, work, state, people):
    """Tell whether a people has a ship at a coast outside Lutao."""
    tables, own = map_of(rules, work, state), state.owned[people]
    for edge in range(tables.first_edge[LUTAO], tables.edges):
        if _has(state.ships[edge >> 6], edge & 63) and _has(own, tables.edge_province[edge]):
            return True
    return False


@kernel
def _sites(rules, work, state, people):
    """Count the places where a people could build a city on its symbols."""
    tables, n = map_of(rules, work, state), 0
    for country in range(tables.countries):
        provinces = tables.country[country]
        if not provinces & state.cities and provinces & tables.symbols & state.owned[people]:
            n += 1
    return n


@kernel
def score_moves(rules, work, state, moves, n, scores):
    """Score moves for the seat to move: about the points gained.

    Parameters
    ----------
    rules, work, state : records
    moves : array of move records
    n : int
    scores : float array
        Written.
    """
    look(rules, work, state)
    for k in range(n):
        scores[k] = _score(rules, work, state, moves[k])


@kernel
def _score(rules, work, state, move):
    action = move.action
    if action == HOLD_BACK:
        own = 0 if state.to_move == state.people and state.golems_attack == 0 else 1
        return _spared(state, own, np.int64(move.what))
    if action == MOVE_ARMIES or action == SAIL:
        sticks = 0.0
        if action == SAIL:
            tables = map_of(rules, work, state)
            sticks = STICK * tables.sticks[tables.edge_hex[move.ship], tables.edge_hex[move.edge]]
        if state.stage == MOVEMENT:
            return _attack(rules, work, state, move) - sticks
        origin, target = np.int64(move.origin), np.int64(move.target)
        return _forming(rules, work, state, origin, target, np.int64(move.count)) - sticks
    if action == PLACE_ARMIES:
        return _placing(work, state, np.int64(move.target), np.int64(move.count))
    if action == BUY:
        return _buying(rules, work, state, move)
    if action == FIGHT:
        return chance_to_win(rules, state, np.int64(move.target), state.attackers[move.target])
    return _score_rest(rules, work, state, move)


@kernel
def _score_rest(rules, work, state, move):
    action = move.action
    if action == PLACE_MARKER:
        return 20.0 + work.worth[move.target] - 0.3 * work.threat[move.target]
    if action == PLACE_SHIP:
        tables = map_of(rules, work, state)
        cost = _sticks_to_lutao(tables, np.int64(move.edge))
        return 10.0 - cost + 0.3 * state.armies[move.target] if move.target >= LUTAO else 0.0
    if action == GOLEM_ATTACK:
        force = np.float64(state.golems[move.origin])
        return 0.5 + 0.1 * force - 0.3 * state.armies[move.target]
    if action == GOLEM_PLACE:
        return 0.2
    if action == LAND:
        return 1.0
    if action == END_SETTING:
        return -1.0
    return 0.0


@kernel
def priors(rules, work, state, moves, n, weights):
    """Weigh moves by their scores: a soft maximum."""
    score_moves(rules, work, state, moves, n, weights)
    best = -1e9
    for k in range(n):
        best = max(best, weights[k])
    total = 0.0
    for k in range(n):
        weights[k] = math.exp(max(-30.0, (weights[k] - best) / TEMPERATURE)) + 1e-6
        total += weights[k]
    for k in range(n):
        weights[k] /= total
    return True


@kernel
def greedy_move(rules, work, state, stream, move):
    """Choose the move with the best score, in whatever order; one of the best at random."""
    moves, scores = work.moves[:], work.scores[:]
    cursor = state.cursor
    state.cursor = 0
    n = min(legal_moves(rules, work, state, moves), len(moves))
    state.cursor = cursor
    score_moves(rules, work, state, moves, n, scores)
    best, ties = 0, 1
    for k in range(1, n):
        if scores[k] > scores[best] + 1e-9:
            best, ties = k, 1
        elif scores[k] > scores[best] - 1e-9:
            ties += 1
            if below(stream, ties) == 0:
                best = k
    assign(move, moves[best])


@kernel
def _share_of(rules, state, people, province):
    """The chance that a people has a province once the fights that are to come are fought.

    Returns
    -------
    tuple
        The chance, and the armies it then has there, times the chance.
    """
    attackers = np.int64(state.attackers[province])
    if _has(state.owned[people], province):
        armies = np.float64(state.armies[province])
        if attackers == 0:
            return 1.0, armies
        kept = 1.0 - chance_to_win(rules, state, province, attackers)
        return kept, kept * armies
    if attackers == 0 or people != state.people or state.golem_target != NOBODY:
        return 0.0, 0.0
    won = chance_to_win(rules, state, province, attackers)
    return won, np.float64(armies_left(rules, state, province, attackers))


@kernel
def describe(rules, work, state, people, features):
    """Describe how a people stands by the numbers that `WEIGHTS` weigh.

    Parameters
    ----------
    rules, work, state : records
    people : int
    features : float array, length FEATURES
        Written.
    """
    features[:] = 0.0
    tables, opponents = map_of(rules, work, state), np.float64(rules.opponents)
    for province in range(np.int64(tables.provinces)):
        share, armies = _share_of(rules, state, people, province)
        if share == 0.0:
            continue
        features[_ARMIES] += armies
        if province >= LUTAO:
            features[_POINTS] += share
            features[_EXPOSED] += share * _danger(rules, tables, state, people, province, armies)
        else:
            features[_POINTS] += share * opponents * rules.golems[province]
            features[_OUTER if rules.golems[province] < 2 else _INNER] += share
            if province > 0 and _has(tables.adjacent[0], province):
                features[_AT_THE_GATES] += max(0.0, armies - share)
        if _has(state.cities, province):
            features[_POINTS] += share
    for country in range(np.int64(tables.countries)):
        provinces = tables.country[country]
        if provinces & ~state.owned[people] == np.uint64(0):
            features[_POINTS] += tables.bonus[country] + (1.0 if provinces & state.cities else 0.0)
    features[_POINTS] = min(features[_POINTS], np.float64(rules.points_cap))
    _describe_city(rules, tables, state, people, features)
    _describe_stock(rules, tables, state, people, features)


@kernel
def _danger(rules, tables, state, people, province, armies):
    """The chance to lose a province to the strongest of its neighbours."""
    force = _threat(rules, tables, state, people, province)
    kind = IN_CITY if _has(state.cities, province) else FIELD
    return np.float64(rules.win[kind, _clip(force), _clip(max(1.0, armies))])


@kernel
def _describe_city(rules, tables, state, people, features):
    """Who has Lutao's city, for how long, and who could take it."""
    share, armies = _share_of(rules, state, people, 0)
    wanted = rules.hold_rounds - popcount(state.artifacts[people])
    features[_ARTIFACTS] = popcount(state.artifacts[people])
    if share > 0.0:
        held = 1.0
        if state.holder == people:
            held += state.round - state.hold_since
        features[_CITY] = share
        features[_CITY_HELD] = share * held / max(1, wanted)
        features[_CITY_GUARD] = min(armies, 12.0)
        features[_CITY_IN_DANGER] = share * _danger(rules, tables, state, people, 0, armies)
    if share < 1.0:
        force = _force_beside(tables, state, people, 0)
        features[_CITY_WITHIN_REACH] = (1.0 - share) * chance_to_win(rules, state, 0, force)


@kernel
def _describe_stock(rules, tables, state, people, features):
    """What a people has beside the board, and what it can bring to Lutao."""
    features[_TO_PLACE] = state.to_place[people] + 0.35 * state.budget[people]
    features[_STICKS] = min(np.int64(state.sticks[people]), 8)
    features[_SHIPS] = min(np.int64(state.ship_stock[people]), 2)
    most = np.int64(0)
    for edge in range(np.int64(tables.first_edge[LUTAO]), np.int64(tables.edges)):
        province = np.int64(tables.edge_province[edge])
        if _has(state.ships[edge >> 6], edge & 63) and _has(state.owned[people], province):
            most = max(most, np.int64(state.armies[province]) - 1)
    features[_EMBARKING] = min(most, 8)
    for stone in range(np.int64(state.stone), np.int64(rules.peoples)):
        if state.order[stone] == people and state.stage < VICTORY_CHECK:
            features[_TO_COME] = 1.0


@kernel
def strength(rules, work, state, people):
    """Tell how strong a people stands: the logarithm of its odds to win, but for a constant."""
    if not (state.alive >> people) & 1:
        return -12.0
    features, total = work.features[:], 0.0
    describe(rules, work, state, people, features)
    for i in range(FEATURES):
        total += WEIGHTS[i] * features[i]
    return total


@kernel
def evaluate(rules, work, state, values):
    """Estimate the returns from how strong each people stands."""
    best, total = -1e9, 0.0
    for seat in range(rules.seats):
        values[seat] = strength(rules, work, state, seat)
        best = max(best, values[seat])
    for seat in range(rules.seats):
        values[seat] = math.exp(values[seat] - best)
        total += values[seat]
    for seat in range(rules.seats):
        values[seat] /= total
