"""Choosing moves of Lumis with an aim: scores of moves, the greedy choice, priors, evaluation.

Everything is measured in the units of `route.py` (a turn is `TURN`, a card is `CARD`), by what a
move does to the turns that both teams still need. A score is about how many units a move gains.

A seat's own hand counts, and what everybody sees; nothing else is looked at, but by `evaluate`,
which search calls with positions whose hidden cards it has drawn itself.
"""

from __future__ import annotations

import math

import numpy as np

from lumis_fast.core.copying import assign
from lumis_fast.core.jit import kernel
from lumis_fast.core.streams import below
from lumis_fast.games.lumis.board import NONE, dilate, holds, put, take
from lumis_fast.games.lumis.moves import legal_moves
from lumis_fast.games.lumis.route import (
    CARD,
    FAR,
    FIRST_LINE,
    LAST_LINE,
    MAX_STONES,
    TURN,
    find_route,
    spread_costs,
    turns_needed,
)
from lumis_fast.games.lumis.state import BASE, CACHED_ROUTES, CONNECT, DRAW, GIVE, SKIP, TOWER

HOPELESS = 30.0
"""Turns needed by a team that cannot get across any more."""

WIN = 1000.0

CONNECT_BONUS = 2.0
DENY = 0.7
DENIALS = 6
"""So many connections of a list are looked at for what they do to the enemies."""

NO_WAY = 150
TEMPERATURE = 2.5
SPREAD = 3.0
"""So many turns of lead make a score of 73 in 100."""


@kernel
def team_hand(rules, state, team):
    """Cards that a team can use: those of both seats, the second hand counting for less."""
    if rules.seats == 2:
        return np.float64(state.hand_size[team])
    a, b = np.float64(state.hand_size[team]), np.float64(state.hand_size[team + 2])
    return max(a, b) + 0.5 * min(a, b)


@kernel
def _board_hash(rules, state):
    h = rules.stamp
    for team in range(2):
        for i in range(2, rules.rows + 3):
            h = _mix(_mix(h, state.own[team, i]), state.stones[team, i])
    for tower in range(rules.towers):
        h = _mix(h, np.uint64(state.height[tower]))
    return h


@kernel
def _mix(h, word):
    h = (h ^ word) * np.uint64(0xBF58476D1CE4E5B9)
    return h ^ (h >> np.uint64(29))


@kernel
def routes(rules, work, state):
    """Find both teams' routes, and remember them by the board: cards and draws do not change it.

    Returns
    -------
    int
        The place in `work.route_known`: for each team cards, turns, stones and cost.
    """
    h = _board_hash(rules, state)
    place = np.int64(h & np.uint64(CACHED_ROUTES - 1))
    if work.route_key[place] != h:
        work.route_key[place] = h
        for team in range(2):
            cards, turns, stones, cost = find_route(rules, work, state, team)
            known = work.route_known[place, team]
            known[0], known[1], known[2], known[3] = cards, turns, stones, cost
    return place


@kernel
def _turns_of(rules, work, state, team, place, hand):
    known = work.route_known[place, team]
    if known[3] >= FAR or known[2] > state.fire_stones[team]:
        return HOPELESS
    return turns_needed(np.int64(known[0]), np.int64(known[1]), hand)


@kernel
def evaluate(rules, work, state, values):
    """Estimate the returns from the turns that both teams still need."""
    place = routes(rules, work, state)
    mover = np.int64(state.to_move) % 2
    lead = 0.5 * (1 if mover == 0 else -1)
    lead += _turns_of(rules, work, state, 1, place, team_hand(rules, state, 1))
    lead -= _turns_of(rules, work, state, 0, place, team_hand(rules, state, 0))
    yellow = 1.0 / (1.0 + math.exp(-lead / SPREAD))
    for seat in range(rules.seats):
        values[seat] = yellow if seat % 2 == 0 else 1.0 - yellow


@kernel
def score_moves(rules, work, state, moves, n, scores):
    """Score moves for the seat to move.

    Parameters
    ----------
    rules, work, state : records
        The state is changed and changed back.
    moves : array of move records
    n : int
    scores : float array
        Written: about the units gained.
    """
    seat = np.int64(state.to_move)
    team = seat % 2
    cards, turns, stones, cost = find_route(rules, work, state, team)
    spread_costs(work, LAST_LINE)
    _score_supply_moves(rules, state, seat, cards, turns, moves, n, scores)
    _score_towers(rules, work, state, seat, min(cost, FAR), moves, n, scores)
    _score_bases(rules, work, state, seat, moves, n, scores)
    _score_connections(rules, work, state, seat, min(cost, FAR), moves, n, scores)
    _score_denials(rules, work, state, seat, moves, n, scores)


@kernel
def _score_supply_moves(rules, state, seat, cards, turns, moves, n, scores):
    hand = team_hand(rules, state, seat % 2)
    now = turns_needed(cards, turns, hand)
    for k in range(n):
        action = moves[k].action
        if action == DRAW:
            scores[k] = TURN * (now - turns_needed(cards, turns, hand + moves[k].supply))
        elif action == GIVE:
            scores[k] = -3.0
        elif action == SKIP:
            scores[k] = 0.0


@kernel
def _cost_through(work, a):
    """The cheapest route's cost among those that use an anchor."""
    return work.cost_from[FIRST_LINE, a] + work.cost_from[LAST_LINE, a] - work.anchor_cost[a]


@kernel
def _score_towers(rules, work, state, seat, cost, moves, n, scores):
    for tower in range(rules.towers):
        work.tower_anchor[tower] = -1
    for a in range(2, work.anchors):
        if work.anchor_cost[a] > 0:
            work.tower_anchor[work.anchor_tower[a]] = a
    for k in range(n):
        if moves[k].action != TOWER:
            continue
        a = np.int64(work.tower_anchor[rules.tower_at[moves[k].space]])
        gain = 0.0
        if a >= 0:
            after = _cost_through(work, a) - work.anchor_cost[a]
            gain = np.float64(max(0, cost - after)) if cost < FAR else 0.0
        if gain == 0.0:
            gain = -2.0
        scores[k] = gain - CARD * np.float64(moves[k].height)


@kernel
def _score_bases(rules, work, state, seat, moves, n, scores):
    team = seat % 2
    for side in range(2):
        end = _first_anchor_after(work, side)
        _find_best_base_spaces(rules, work, state, team, side, end)
        for k in range(n):
            if moves[k].action != BASE or not holds(rules.base_lines[team, side], moves[k].space):
                continue
            scores[k] = -10.0
            if end >= 0 and holds(work.a, moves[k].space):
                spare = np.float64(state.hand[seat, moves[k].card])
                scores[k] = TURN - 1.0 + 0.2 * spare


@kernel
def _first_anchor_after(work, side):
    """The anchor that the cheapest route visits next after an unbuilt base line; -1 for none."""
    other = work.cost_from[1 - side]
    for a in range(2, work.anchors):
        if work.anchor_ends[a] & (1 << side) and other[a] <= other[side] - work.anchor_cost[side]:
            return -1
    if other[side] >= FAR:
        return -1
    return np.int64(work.towards[1 - side, side])


@kernel
def _find_best_base_spaces(rules, work, state, team, side, anchor):
    """Set `work.a` to the base-line spaces nearest to an anchor."""
    own = state.own
    work.a[:] = NONE
    if anchor < 2:
        return
    work.b[:] = NONE
    for k in range(work.cells):
        if work.cell_anchor[k] == anchor:
            put(work.b, np.int64(work.cell[k]))
    for _ in range(MAX_STONES + 2):
        dilate(work.b, work.c)
        found = NONE
        for i in range(len(work.a)):
            work.a[i] = work.c[i] & rules.base_lines[team, side, i] & ~own[team, i]
            found |= work.a[i]
        if found:
            return
        for i in range(len(work.a)):
            free = NONE
            for colour in range(4):
                free |= rules.ordinary[colour, i]
            work.b[i] |= work.c[i] & free & ~(own[0, i] | own[1, i])


@kernel
def _anchor_at(work, space):
    for k in range(work.cells):
        if work.cell[k] == space:
            return np.int64(work.cell_anchor[k])
    return -1


@kernel
def _touched_anchors(work, own, move):
    """The first and the last anchor in number among own groups that new stones touch."""
    work.a[:] = NONE
    for i in range(np.int64(move.stones)):
        put(work.a, np.int64(move.spaces[i]))
    dilate(work.a, work.b)
    for i in range(len(own)):
        work.b[i] &= own[i]
    low, high = MAX_STONES * 100, -1
    for k in range(work.cells):
        if holds(work.b, np.int64(work.cell[k])):
            low = min(low, np.int64(work.cell_anchor[k]))
            high = max(high, np.int64(work.cell_anchor[k]))
    return low, high


@kernel
def _score_connections(rules, work, state, seat, cost, moves, n, scores):
    own = state.own[seat % 2]
    first, last = work.cost_from[FIRST_LINE], work.cost_from[LAST_LINE]
    for k in range(n):
        if moves[k].action != CONNECT:
            continue
        a, b = _touched_anchors(work, own, moves[k])
        stones = np.float64(moves[k].stones)
        scores[k] = -CARD * stones
        if b < 0:
            continue
        if (work.anchor_ends[a] | work.anchor_ends[b]) == 3:
            scores[k] = WIN
            continue
        after = min(first[a] + last[b], first[b] + last[a])
        if after < cost < FAR:
            scores[k] += np.float64(cost - after) + CONNECT_BONUS


@kernel
def _score_denials(rules, work, state, seat, moves, n, scores):
    """Add what promising connections and takeovers cost the enemies' route."""
    team = seat % 2
    place = routes(rules, work, state)
    before = min(np.int64(work.route_known[place, 1 - team, 3]), NO_WAY)
    least = _best_connection(moves, n, scores) - CARD
    looks = DENIALS
    for k in range(n):
        move = moves[k]
        if move.action == CONNECT and max(0.0, least) <= scores[k] < WIN and looks > 0:
            looks -= 1
            _place(state, team, move)
            after = find_route(rules, work, state, 1 - team)[3]
            _take_back(state, team, move)
        elif move.action == TOWER and state.height[rules.tower_at[move.space]] > 0:
            take(state.own[1 - team], np.int64(move.space))
            put(state.own[team], np.int64(move.space))
            after = find_route(rules, work, state, 1 - team)[3]
            take(state.own[team], np.int64(move.space))
            put(state.own[1 - team], np.int64(move.space))
        else:
            continue
        scores[k] += DENY * (min(after, NO_WAY) - before)


@kernel
def _best_connection(moves, n, scores):
    best = 0.0
    for k in range(n):
        if moves[k].action == CONNECT and scores[k] < WIN:
            best = max(best, scores[k])
    return best


@kernel
def _place(state, team, move):
    for i in range(np.int64(move.stones)):
        put(state.own[team], np.int64(move.spaces[i]))
        put(state.stones[team], np.int64(move.spaces[i]))


@kernel
def _take_back(state, team, move):
    for i in range(np.int64(move.stones)):
        take(state.own[team], np.int64(move.spaces[i]))
        take(state.stones[team], np.int64(move.spaces[i]))


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
    """Choose the move with the best score; one of the best at random."""
    moves, scores = work.moves[:], work.scores[:]  # slices have the type that search has, too
    n = min(legal_moves(rules, work, state, moves), len(moves))
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
