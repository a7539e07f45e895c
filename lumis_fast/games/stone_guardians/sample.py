"""Drawing moves of the Stone Guardians uniformly: a kind of action first, then one of that kind.

A kind is drawn from all of the stage; where no move of it is possible, another one. Within a kind:

- *place_marker*, *place_armies*, *move*, *golem_place*, *fight*: a province (a march's origin) at
  random among those where something is possible, then the target, then the number of armies;
- *place_ship*, *sail*, *sail_on*: a ship at random among those that lie ready, then an edge at
  random among those it may go to (if that one can go nowhere, another kind), then the armies;
- *golem_attack*, *hold_back*, *discard_spell*: all such moves alike, equal cards once;
- *unload*, *load*, *buy*: the number at random;
- *place_country*: all places and turns alike.
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.bits import popcount, trailing_zeros, without_lowest
from lumis_fast.core.copying import clear
from lumis_fast.core.jit import kernel
from lumis_fast.core.streams import below
from lumis_fast.games.stone_guardians import SPELLS, SYMBOLS
from lumis_fast.games.stone_guardians.board import map_of, placement
from lumis_fast.games.stone_guardians.cards import cards_of
from lumis_fast.games.stone_guardians.moves import (
    golem_places,
    golem_provinces,
    golem_targets,
    holding_hand,
    may_land,
    may_sail,
    may_set_ship,
    most_to_buy,
    most_to_load,
    most_to_place,
    most_to_unload,
    origins,
    rooms,
    sites,
    spare,
    targets,
)
from lumis_fast.games.stone_guardians.state import (
    BUY,
    BUYING,
    DISCARD_SPELL,
    DISCARDING,
    DRAFT,
    END_FORMATION,
    END_GOLEMS,
    END_MOVEMENT,
    END_SETTING,
    FIGHT,
    FIGHT_ORDER,
    FORMATION,
    GOLEM_ATTACK,
    GOLEM_PLACE,
    GOLEMS,
    HOLD_BACK,
    LAND,
    LOAD,
    MOVE_ARMIES,
    MOVEMENT,
    NOBODY,
    PLACE_ARMIES,
    PLACE_MARKER,
    PLACE_SHIP,
    SAIL,
    SAIL_ON,
    SETTING,
    STOPOVER,
    UNLOAD,
)

_ONE, _NONE = np.uint64(1), np.uint64(0)

TRIES = 12
"""So often an edge is drawn from all before those that fit are counted."""


@kernel
def _pick(stream, mask):
    """Draw one of the bits of a mask that is not empty."""
    for _ in range(below(stream, popcount(mask))):
        mask = without_lowest(mask)
    return trailing_zeros(mask)


@kernel
def uniform_move(rules, work, state, stream, move):
    """Draw a kind of action at random among the legal ones, then one of that kind."""
    clear(move)
    tables, stage = map_of(rules, work, state), state.stage
    if stage == MOVEMENT or stage == FORMATION:
        _sample_march(tables, state, stream, move)
    elif stage == SETTING:
        _sample_setting(rules, tables, state, stream, move)
    elif stage == BUYING:
        move.action = BUY
        move.what = state.buying
        move.count = below(stream, most_to_buy(rules, state, np.int64(state.buying)) + 1)
    elif stage == FIGHT_ORDER:
        move.action = FIGHT
        move.target = _pick(stream, state.contested)
    elif stage == STOPOVER:
        _sample_stop(tables, state, stream, move)
    elif stage == GOLEMS:
        _sample_golems(tables, state, stream, move)
    elif stage == DRAFT:
        choices = placement(rules, work, state, np.int64(-1), move)
        placement(rules, work, state, below(stream, choices), move)
    else:
        _sample_card(state, stream, move)


@kernel
def _sample_card(state, stream, move):
    """Draw what to hold back, or the spell to discard."""
    found = _NONE
    if state.stage == DISCARDING:
        move.action = DISCARD_SPELL
        for spell in range(len(SPELLS)):
            found |= np.uint64(state.spells[state.people, spell] > 0) << np.uint64(spell)
    else:
        move.action, hand = HOLD_BACK, holding_hand(state)
        for symbol in range(len(SYMBOLS)):
            found |= np.uint64(cards_of(hand, symbol) > 0) << np.uint64(symbol)
    move.what = _pick(stream, found)


@kernel
def _edge_fits(tables, state, ship, edge):
    if state.stage == SETTING:
        return may_set_ship(tables, state, edge)
    return may_land(state, tables, ship, edge)


@kernel
def _sample_edge(tables, state, stream, ship):
    """Draw an edge where a ship may be set, or go from its edge; -1 for none."""
    edges, fitting = np.int64(tables.edges), 0
    for _ in range(TRIES):
        edge = below(stream, edges)
        if _edge_fits(tables, state, ship, edge):
            return edge
    for edge in range(edges):
        fitting += _edge_fits(tables, state, ship, edge)
    rest = below(stream, fitting) if fitting > 0 else -1
    for edge in range(edges):
        if rest >= 0 and _edge_fits(tables, state, ship, edge):
            if rest == 0:
                return edge
            rest -= 1
    return -1


@kernel
def _sample_setting(rules, tables, state, stream, move):
    people = np.int64(state.people)
    room = rooms(rules, state) if state.to_place[people] > 0 else _NONE
    places = sites(tables, state)
    untried = np.uint64(4 if state.ship_stock[people] > 0 else 0)
    untried |= np.uint64(places != _NONE) | np.uint64(2 if room != _NONE else 8)
    while untried:
        kind = _pick(stream, untried)
        untried &= ~(_ONE << np.uint64(kind))
        if kind == 0:
            move.action, move.target = PLACE_MARKER, _pick(stream, places)
            return
        if kind == 1:
            province = _pick(stream, room)
            move.action, move.target = PLACE_ARMIES, province
            move.count = 1 + below(stream, most_to_place(rules, state, province))
            return
        if kind == 3:
            break
        edge = _sample_edge(tables, state, stream, np.int64(-1))
        if edge >= 0:
            move.action, move.edge = PLACE_SHIP, edge
            move.target = tables.edge_province[edge]
            return
    move.action = END_SETTING


@kernel
def _can_march(tables, state):
    """The provinces from where armies may march."""
    found, rest, allowed = _NONE, origins(state), targets(state)
    while rest:
        origin = trailing_zeros(rest)
        if spare(state, origin) > 0 and tables.adjacent[origin] & allowed:
            found |= rest & ~without_lowest(rest)
        rest = without_lowest(rest)
    return found


@kernel
def _sample_march(tables, state, stream, move):
    """Draw a march, a trip by ship, or the end of the stage."""
    untried = np.uint64(7 if state.sticks[state.people] > 0 else 5)
    while untried:
        kind = _pick(stream, untried)
        untried &= ~(_ONE << np.uint64(kind))
        if kind == 2:
            break
        if kind == 1:
            if _sample_trip(tables, state, stream, move):
                return
            continue
        found = _can_march(tables, state)
        if found:
            origin = _pick(stream, found)
            move.action, move.origin = MOVE_ARMIES, origin
            move.target = _pick(stream, tables.adjacent[origin] & targets(state))
            move.count = 1 + below(stream, spare(state, origin))
            return
    move.action = END_MOVEMENT if state.stage == MOVEMENT else END_FORMATION


@kernel
def _sample_trip(tables, state, stream, move):
    """Draw a trip by ship; False where the ship that is drawn can go nowhere."""
    ship, ready = -1, 0
    for i in range(len(state.ships)):
        rest = state.ships[i] & ~state.sailed[i]
        while rest:
            found = 64 * i + trailing_zeros(rest)
            rest = without_lowest(rest)
            if may_sail(state, tables, found):
                ready += 1
                if below(stream, ready) == 0:
                    ship = found
    edge = _sample_edge(tables, state, stream, ship) if ready > 0 else -1
    if edge < 0:
        return False
    origin = np.int64(tables.edge_province[ship])
    move.action, move.origin, move.ship = SAIL, origin, ship
    move.target, move.edge = tables.edge_province[edge], edge
    move.count = 1 + below(stream, spare(state, origin))
    return True


@kernel
def _sample_stop(tables, state, stream, move):
    """Draw what a ship does at a stop."""
    ashore, aboard = most_to_unload(tables, state), most_to_load(tables, state)
    untried = np.uint64(ashore > 0) | np.uint64(2 if aboard > 0 else 0)
    untried |= np.uint64(12 if state.aboard > 0 else 0)
    while untried:
        kind = _pick(stream, untried)
        untried &= ~(_ONE << np.uint64(kind))
        if kind <= 1:
            move.action = UNLOAD if kind == 0 else LOAD
            move.count = 1 + below(stream, ashore if kind == 0 else aboard)
            return
        if kind == 3:
            break
        edge = _sample_edge(tables, state, stream, np.int64(state.ship))
        if edge >= 0:
            move.action, move.edge = SAIL_ON, edge
            move.target = tables.edge_province[edge]
            return
    move.action = LAND


@kernel
def _sample_golems(tables, state, stream, move):
    """Draw a golem action, or the end of them."""
    attacks, sources, allowed = 0, golem_provinces(state), golem_targets(tables, state)
    while sources:
        origin = trailing_zeros(sources)
        sources = without_lowest(sources)
        ways = tables.adjacent[origin] & allowed
        while ways:
            attacks += 1
            if below(stream, attacks) == 0:
                move.origin, move.target = origin, trailing_zeros(ways)
            ways = without_lowest(ways)
    places = golem_places(tables, state)
    untried = np.uint64(4 + (attacks > 0)) | np.uint64(2 if places != _NONE else 0)
    kind = _pick(stream, untried)
    if kind == 0:
        move.action = GOLEM_ATTACK
        return
    move.origin = move.target = 0
    if kind == 1:
        move.action, move.target = GOLEM_PLACE, _pick(stream, places)
    elif state.golem_target == NOBODY:
        move.action = END_GOLEMS
    else:
        move.action, move.target = FIGHT, state.golem_target
