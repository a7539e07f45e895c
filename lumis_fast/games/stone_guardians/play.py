"""Playing a move of the Stone Guardians: the stages of a round one after the other.

`advance` goes from stage to stage until somebody has something to decide. Each stage is a function
that does what happens in it, names the next stage, and tells whether it waits for a decision; the
windows in which peoples, runes and spells act have a function each. What happens inside of a fight
is in `fight.py`.
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.bits import popcount, trailing_zeros, without_lowest
from lumis_fast.core.jit import inlined_kernel, kernel
from lumis_fast.core.streams import below, shuffle
from lumis_fast.games.stone_guardians import SPELLS
from lumis_fast.games.stone_guardians.board import map_of
from lumis_fast.games.stone_guardians.fight import hold_back, start_fight
from lumis_fast.games.stone_guardians.moves import (
    bit,
    can_attack,
    can_set,
    golem_places,
    has,
    march_key,
    most_to_buy,
    owner_of,
    setting_key,
    trip_cost,
)
from lumis_fast.games.stone_guardians.state import (
    ACQUISITION,
    AFTER_FIGHT,
    AFTER_FORMATION,
    AFTER_MOVEMENT,
    ARMIES,
    BEFORE_ACTION,
    BEFORE_FIGHT,
    BUYING,
    CHANGE_OF_RANK,
    COUNTING,
    DISCARDING,
    DRAFT,
    END_SETTING,
    FIGHT,
    FIGHT_ORDER,
    FORMATION,
    GOLEM_ATTACK,
    GOLEM_PLACE,
    GOLEMS,
    LAST_LEFT,
    LOAD,
    LUTAO_HELD,
    MARKERS,
    MAX_ACQUIRED,
    MAX_PEOPLES,
    MAX_PROVINCES,
    MOVE_ARMIES,
    MOVEMENT,
    NOBODY,
    PLACE_ARMIES,
    PLACE_MARKER,
    SAIL,
    SAIL_ON,
    SETTING,
    SHIPS,
    STICKS,
    STOPOVER,
    UNFINISHED,
    UNLOAD,
    VICTORY_CHECK,
    place_country,
)
from lumis_fast.games.stone_guardians.state import new_game as deal_game

_ONE, _NONE = np.uint64(1), np.uint64(0)


@kernel
def new_game(rules, work, state, seed, deal):
    """Deal, and go on to the first decision."""
    deal_game(rules, work, state, seed, deal)
    begin_play(rules, work, state)


@kernel
def begin_play(rules, work, state):
    """Go from the first setting phase to the first decision, there or in movement."""
    while not _in_action_phase(rules, work, state):
        pass


@kernel
def play(rules, work, state, move):
    """Play a legal move, and all that comes before the next decision."""
    tables, stage = map_of(rules, work, state), state.stage
    if stage == SETTING:
        if move.action != END_SETTING:
            _place(state, move)
            return  # a setting that has begun is ended by a move, though nothing may be left
        _end_setting(state)
    elif stage == MOVEMENT or stage == FORMATION:
        _play_march(rules, tables, state, move)
    elif stage == STOPOVER:
        _play_stop(tables, state, move)
    elif stage == FIGHT_ORDER:
        _begin_fight(state, np.int64(move.target))
    elif stage == GOLEMS:
        _play_golems(tables, state, move)
    elif stage == DISCARDING:
        _discard_spell(state, np.int64(move.what))
    elif stage == BUYING:
        _buy(rules, state, np.int64(move.count))
    elif stage == DRAFT:
        place_country(rules, work, state, move)
    else:
        hold_back(rules, work, state, move)
    advance(rules, work, state)


@inlined_kernel
def advance(rules, work, state):
    """Go through the stages until there is a decision or the game is over."""
    waits = False
    while not (waits or state.over):
        stage = state.stage
        if stage < VICTORY_CHECK:
            waits = _in_action_phase(rules, work, state)
        elif stage < BEFORE_FIGHT:
            waits = _in_other_phases(rules, work, state, stage)
        else:
            waits = _in_fight(rules, work, state)


@kernel
def _in_action_phase(rules, work, state):
    """Do what happens in a stage from the setting to the golem actions; tell whether it waits."""
    tables, stage = map_of(rules, work, state), state.stage
    state.to_move = state.people
    if stage == SETTING:
        return _setting(rules, tables, state)
    if stage == BEFORE_ACTION:
        return _before_action(state)
    if stage == AFTER_MOVEMENT:
        return _after_movement(state)
    if stage == FIGHT_ORDER:
        return _fight_order(state)
    if stage == AFTER_FORMATION:
        return _after_formation(rules, state)
    if stage == GOLEMS:
        return _golems(tables, state)
    return True  # the draft, movement, formation and stopovers end by a move


@inlined_kernel
def _in_other_phases(rules, work, state, stage):
    """Do what happens in a stage from the victory check to buying; tell whether it waits."""
    tables = map_of(rules, work, state)
    state.to_move = state.people
    if stage == VICTORY_CHECK:
        return _victory_check(rules, state)
    if stage == COUNTING:
        return _counting(rules, work, tables, state)
    if stage == CHANGE_OF_RANK:
        return _change_of_rank(state)
    if stage == ACQUISITION:
        return _acquisition(rules, work, state)
    if stage == DISCARDING:
        return _discarding(rules, state)
    return _buying(rules, state)


@kernel
def _next_stone(state):
    """Pass a phase on to the next placement stone; after the last, False and the first again."""
    state.stone += 1
    goes_on = state.stone < popcount(state.alive)
    if not goes_on:
        state.stone = 0
    state.people = state.order[state.stone]
    return goes_on


# Setting phase --------------------------------------------------------------------------------


@kernel
def begin_round(state):
    """Begin a round with the setting phase of the first placement stone."""
    state.round += 1
    state.stage = SETTING
    state.stone = 0
    state.people = state.order[0]
    state.cursor = 0


@kernel
def _setting(rules, tables, state):
    if can_set(rules, tables, state):
        return True
    _end_setting(state)
    return False


@kernel
def _place(state, move):
    people, province = np.int64(state.people), np.int64(move.target)
    if move.action == PLACE_MARKER:
        state.markers[people] -= 1
        state.cities |= bit(province)
    elif move.action == PLACE_ARMIES:
        state.to_place[people] -= move.count
        state.armies[province] += move.count
    else:
        state.ship_stock[people] -= 1
        _put_ship(state.ships, np.int64(move.edge))
    state.cursor = max(np.int64(state.cursor), setting_key(move))


@kernel
def _end_setting(state):
    """Armies without room return to supply (M2)."""
    people = np.int64(state.people)
    state.supply[people] += state.to_place[people]
    state.to_place[people] = 0
    state.cursor = 0
    if not _next_stone(state):
        state.stage = BEFORE_ACTION


# Movement and formation -----------------------------------------------------------------------


@kernel
def _before_action(state):
    """The assassin's and spells' window; then movement begins."""
    state.owned_before = state.owned[state.people]
    _begin_marches(state)
    state.stage = MOVEMENT
    return False


@kernel
def _begin_marches(state):
    """No army has moved yet."""
    for province in range(MAX_PROVINCES):
        state.unmoved[province] = state.armies[province]


@kernel
def _forget_trips(state):
    """End movement or formation: nothing is remembered of what was done in it."""
    for i in range(len(state.sailed)):
        state.sailed[i] = _NONE
    state.cursor = 0
    state.last_target = NOBODY


@kernel
def _put_ship(ships, edge):
    ships[edge >> 6] |= bit(edge & 63)


@kernel
def _take_ship(ships, edge):
    ships[edge >> 6] &= ~bit(edge & 63)


@kernel
def _play_march(rules, tables, state, move):
    if move.action == MOVE_ARMIES or move.action == SAIL:
        _leave(tables, state, move)
        if state.stage == MOVEMENT:
            _enter(rules, state, np.int64(move.target), np.int64(move.count))
    elif state.stage == MOVEMENT:
        _forget_trips(state)
        state.stage = AFTER_MOVEMENT
    else:
        _forget_trips(state)
        _end_formation(rules, state)


@kernel
def _leave(tables, state, move):
    """Take the armies of a march or a trip from their province; in formation bring them in."""
    origin, target, count = np.int64(move.origin), np.int64(move.target), np.int64(move.count)
    ship, edge = np.int64(move.ship), np.int64(move.edge)
    state.armies[origin] -= count
    state.unmoved[origin] -= count
    is_trip, key = move.action == SAIL, march_key(origin, 0, target, 0)
    if is_trip:
        key = march_key(origin, 1 + ship, target, edge)
        _take_ship(state.ships, ship)
        state.sticks[state.people] -= trip_cost(tables, ship, edge)
    if state.stage == MOVEMENT:
        if is_trip:
            _moor(state, edge)
        state.cursor = max(np.int64(state.cursor), key)
    elif is_trip:
        state.aboard = count
        _stop_at(state, edge)
    else:
        waits = state.armies[target] == state.unmoved[target]
        state.last_target = target if waits else NOBODY
        state.armies[target] += count
        state.cursor = max(np.int64(state.cursor), key)


@kernel
def _moor(state, edge):
    """End a trip: an older ship at the edge returns to supply (rulings, 25)."""
    _put_ship(state.ships, edge)
    _put_ship(state.sailed, edge)


@kernel
def _enter(rules, state, province, count):
    """Have armies enter a province: an empty one is conquered, any other contested."""
    people = np.int64(state.people)
    owner = owner_of(state, province)
    if owner != people and (owner != NOBODY or state.golems[province] > 0):
        state.attackers[province] += count
        state.contested |= bit(province)
        return
    state.armies[province] += count
    if owner == NOBODY:
        conquer(rules, state, people, province)


@kernel
def conquer(rules, state, people, province):
    """Give a people a province that its armies have taken (rulings, 15 and 20; M10)."""
    state.owned[people] |= bit(province)
    if province == 0:
        state.holder, state.hold_since = people, state.round
    if province == rules.artifact[state.artifact_card[people], 0]:
        state.artifacts[people] |= 1


@kernel
def _stop_at(state, edge):
    state.stage = STOPOVER
    state.ship = edge
    state.unloaded = state.loaded = 0


@kernel
def _play_stop(tables, state, move):
    stop, count = np.int64(tables.edge_province[state.ship]), np.int64(move.count)
    if move.action == UNLOAD:
        state.aboard -= count
        state.armies[stop] += count
        state.unloaded = 1
    elif move.action == LOAD:
        state.aboard += count
        state.armies[stop] -= count
        state.unmoved[stop] -= count
        state.loaded = 1
    elif move.action == SAIL_ON:
        edge = np.int64(move.edge)
        state.sticks[state.people] -= trip_cost(tables, np.int64(state.ship), edge)
        _stop_at(state, edge)
    else:
        state.armies[stop] += state.aboard
        _moor(state, np.int64(state.ship))
        state.aboard = state.ship = state.unloaded = state.loaded = 0
        state.cursor, state.last_target = 0, NOBODY
        state.stage = FORMATION


@kernel
def _end_formation(rules, state):
    """Armies above the limit return to supply (M2)."""
    people = np.int64(state.people)
    limit, rest = np.int64(rules.province_limit), state.owned[people]
    while rest:
        province = trailing_zeros(rest)
        rest = without_lowest(rest)
        surplus = np.int64(state.armies[province]) - limit
        if surplus > 0:
            state.armies[province] = limit
            state.supply[people] += surplus
    state.stage = AFTER_FORMATION


# Fights ---------------------------------------------------------------------------------------


@kernel
def _after_movement(state):
    """A window for spells."""
    state.stage = FIGHT_ORDER
    return False


@kernel
def _fight_order(state):
    """A single fight begins by itself; after the last one formation begins."""
    fights = popcount(state.contested)
    if fights == 1:
        _begin_fight(state, trailing_zeros(state.contested))
    elif fights == 0:
        _begin_marches(state)
        state.stage = FORMATION
    return fights > 1


@kernel
def _begin_fight(state, province):
    state.fight = province
    state.stage = BEFORE_FIGHT


@inlined_kernel
def _in_fight(rules, work, state):
    """Begin a fight, or draw the consequences of one that is over; tell whether it waits."""
    if state.stage == BEFORE_FIGHT and not start_fight(rules, work, state):
        return True
    if state.stage == AFTER_FIGHT:
        _after_fight(rules, state)
        return False
    return True


@kernel
def _after_fight(rules, state):
    """Who conquered, who is out, who goes on."""
    province, defender = np.int64(state.fight), np.int64(state.defender)
    owner, by_golems = owner_of(state, province), state.golems_attack
    if owner == state.people and not by_golems:
        conquer(rules, state, owner, province)
    elif province == 0 and owner == NOBODY:
        state.holder, state.hold_since = NOBODY, 0
    if defender < MAX_PEOPLES and state.owned[defender] == _NONE:
        eliminate(state, defender)
    state.fight, state.defender, state.golems_attack = NOBODY, NOBODY, 0
    state.golem_target = NOBODY
    if not state.over:
        state.stage = GOLEMS if by_golems else FIGHT_ORDER


@kernel
def eliminate(state, people):
    """Take a people without a province out of the game; the last one left wins (rulings, 16)."""
    left = 0
    for i in range(popcount(state.alive)):
        state.order[left] = state.order[i]
        if state.order[i] != people:
            left += 1
        elif i < state.stone:
            state.stone -= 1
    state.order[left] = NOBODY
    state.alive &= ~(1 << people)
    state.markers[people] = state.ship_stock[people] = state.sticks[people] = 0
    state.spell_count[people] = 0
    for spell in range(len(SPELLS)):
        state.spell_discards[spell] += state.spells[people, spell]
        state.spells[people, spell] = 0
    if left == 1:
        state.over, state.reason = 1, LAST_LEFT
        state.golem_actions = 0
        state.to_move = state.people


# Golem actions --------------------------------------------------------------------------------


@kernel
def _after_formation(rules, state):
    """A window for spells; then the holder of Lutao's city has golem actions (M13)."""
    state.golem_actions = rules.opponents if state.holder == state.people else 0
    state.golem_target = NOBODY
    state.stage = GOLEMS
    return False


@kernel
def _golems(tables, state):
    """Golem actions end when none is left or possible; an attack nobody can join begins."""
    gathers = state.golem_target != NOBODY
    if (
        state.golem_actions > 0
        and state.holder == state.people
        and (can_attack(tables, state) or golem_places(tables, state) != _NONE)
    ):
        return True
    if gathers:
        _begin_golem_fight(state)
    else:
        end_action_phase(state)
    return False


@kernel
def _begin_golem_fight(state):
    state.golems_attack = 1
    _begin_fight(state, np.int64(state.golem_target))


@kernel
def _play_golems(tables, state, move):
    origin, target = np.int64(move.origin), np.int64(move.target)
    if move.action == GOLEM_ATTACK:
        state.golem_actions -= 1
        state.golem_target = target
        state.contested |= bit(target)
        state.attackers[target] += state.golems[origin]
        state.golems[origin] = 0
    elif move.action == GOLEM_PLACE:
        state.golem_actions -= 1
        placed = min(2, np.int64(state.golem_supply))
        state.golem_supply -= placed
        state.golems[target] = placed
    elif move.action == FIGHT:
        _begin_golem_fight(state)
    else:
        state.golem_actions = 0


@kernel
def end_action_phase(state):
    """The turn passes to the next placement stone, or all have had theirs."""
    people = state.people
    state.golem_actions = 0
    state.turn += 1
    if _next_stone(state):
        state.stage = BEFORE_ACTION
    else:
        state.stage = VICTORY_CHECK
        state.people = people  # a game that ends now shows who came last


# Counting, spells, buying ---------------------------------------------------------------------


@kernel
def _victory_check(rules, state):
    """Tell whether Lutao's city was held long enough (M8)."""
    if state.holder != NOBODY:
        held = np.int64(state.round) - np.int64(state.hold_since) + 1
        wanted = np.int64(rules.hold_rounds) - popcount(state.artifacts[state.holder])
        if held >= max(1, wanted):
            state.over, state.reason = 1, LUTAO_HELD
            return False
    state.stage = COUNTING
    return False


@kernel
def count_points(rules, tables, state, people):
    """Count what a people's provinces, cities and countries bring (M7)."""
    owned = state.owned[people]
    points = popcount(owned & ~tables.lutao) + popcount(owned & state.cities)
    on_lutao = owned & tables.lutao
    while on_lutao:
        points += np.int64(rules.golems[trailing_zeros(on_lutao)]) * np.int64(rules.opponents)
        on_lutao = without_lowest(on_lutao)
    for i in range(np.int64(tables.countries)):
        country = tables.country[i]
        if owned & country == country:
            points += np.int64(tables.bonus[i]) + (state.cities & country != _NONE)
    return min(points, np.int64(rules.points_cap))


@kernel
def _counting(rules, work, tables, state):
    """Count points; give the placement stones by them, lots deciding ties (rulings, 10 and 17)."""
    for people in range(np.int64(rules.peoples)):
        state.points[people] = count_points(rules, tables, state, people)
    if state.round >= rules.max_rounds:
        state.over, state.reason = 1, UNFINISHED
        return False
    peoples = popcount(state.alive)
    shuffle(state.chance, state.order, peoples)
    if work.lots_told:
        for i in range(peoples):
            state.order[i] = work.lots[i]
    for i in range(1, peoples):
        people, j = state.order[i], i
        while j > 0 and state.points[state.order[j - 1]] < state.points[people]:
            state.order[j] = state.order[j - 1]
            j -= 1
        state.order[j] = people
    state.stage = CHANGE_OF_RANK
    return False


@kernel
def _change_of_rank(state):
    """A window for spells."""
    state.people = state.order[0]
    state.stage = ACQUISITION
    return False


@kernel
def _acquisition(rules, work, state):
    """A spell for each city; for Lutao's, as many as there are opponents."""
    people = np.int64(state.people)
    cities = state.owned[people] & state.cities
    wanted = popcount(cities)
    if has(cities, 0):
        wanted += np.int64(rules.opponents) - 1
    acquire(work, state, people, wanted)
    state.stage = DISCARDING
    return False


@kernel
def acquire(work, state, people, wanted):
    """Draw spells; the discards become a new deck where it is empty (M12; rulings, 48).

    They are noted in `work.acquired` as long as there is room, and those that are told there are
    not left to chance.
    """
    i = np.int64(work.acquired_made)
    entry = work.acquired[min(i, MAX_PEOPLES - 1)]
    told, drawn, reshuffled = i < work.acquired_told, 0, NOBODY
    while drawn < wanted:
        left = _spells_left(state)
        if left == 0:
            left = _reshuffle_spells(state)
            if left == 0:
                break
            reshuffled = drawn
        spell = np.int64(entry.spells[min(drawn, MAX_ACQUIRED - 1)]) if told else -1
        if not (0 <= spell < len(SPELLS) and state.spell_deck[spell] > 0):
            spell = _any_spell(state, below(state.chance, left))
            work.draws_wrong |= told
        state.spell_deck[spell] -= 1
        state.spells[people, spell] += 1
        if i < MAX_PEOPLES and drawn < MAX_ACQUIRED:
            entry.spells[drawn] = spell
        drawn += 1
    state.spell_count[people] += drawn
    if drawn > 0 and i < MAX_PEOPLES:
        if told and (entry.people != people or entry.size != drawn):
            work.draws_wrong = 1
        entry.people, entry.size, entry.reshuffled = people, drawn, reshuffled
        work.acquired_made += 1


@kernel
def _spells_left(state):
    left = np.int64(0)
    for spell in range(len(SPELLS)):
        left += np.int64(state.spell_deck[spell])
    return left


@kernel
def _reshuffle_spells(state):
    for spell in range(len(SPELLS)):
        state.spell_deck[spell] = state.spell_discards[spell]
        state.spell_discards[spell] = 0
    return _spells_left(state)


@kernel
def _any_spell(state, rest):
    """The spell of the deck that has so many before it."""
    spell = 0
    while rest >= state.spell_deck[spell]:
        rest -= np.int64(state.spell_deck[spell])
        spell += 1
    return spell


@kernel
def _discarding(rules, state):
    """Spells above the limit go, unless Lutao's city is held."""
    people = np.int64(state.people)
    if state.holder != people and state.spell_count[people] > rules.spell_limit:
        return True
    if _next_stone(state):
        state.stage = ACQUISITION
    else:
        _begin_buying(state)
    return False


@kernel
def _discard_spell(state, spell):
    state.spells[state.people, spell] -= 1
    state.spell_count[state.people] -= 1
    state.spell_discards[spell] += 1


@kernel
def _begin_buying(state):
    state.stage = BUYING
    state.buying = ARMIES
    state.budget[state.people] = state.points[state.people]


@kernel
def _buying(rules, state):
    """Ask for one kind of piece after the other, as far as one can be paid; the rest lapses."""
    while state.buying <= STICKS:
        if most_to_buy(rules, state, np.int64(state.buying)) > 0:
            return True
        state.buying += 1
    state.budget[state.people] = 0
    if _next_stone(state):
        _begin_buying(state)
    else:
        begin_round(state)
    return False


@kernel
def _buy(rules, state, count):
    people, item = np.int64(state.people), np.int64(state.buying)
    state.buying += 1
    if item == ARMIES:
        state.supply[people] -= count
        state.to_place[people] += count
        state.budget[people] -= rules.army_cost[count]
    elif item == MARKERS:
        state.markers[people] += count
        state.budget[people] -= count * rules.marker_cost
    elif item == SHIPS:
        state.ship_stock[people] += count
        state.budget[people] -= count * rules.ship_cost
    else:
        state.sticks[people] += count
        state.budget[people] -= count * rules.stick_cost
