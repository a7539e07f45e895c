"""The map in compiled code: its tables, the sea, and where a country may be placed.

A map is laid by saying on which hex each province lies (`hex_of`); everything else follows:
who is beside whom, where ships can lie, and what each trip costs. In most games this is the
ruleset's map and done once. With the strategic set-up every game has its own map, and what a thread
needs of it is laid anew whenever the thread turns to a game with another one (`map_of`).

Hexes have the numbers of `hexes.py`. Province i is bit i of a mask: Lutao's twelve first, its city
at 0, then the countries in the ruleset's order. An *edge* is a pair of a province and a sea hex
beside it, where a ship can lie; edges are sorted by (province, hex).
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.copying import assign, clear
from lumis_fast.core.jit import entry, kernel
from lumis_fast.games.stone_guardians.hexes import (
    HEX_NUMBER,
    HEXES,
    Hex,
    distance,
    neighbours,
)
from lumis_fast.games.stone_guardians.ruleset import (
    LUTAO,
    MAX_COUNTRIES,
    MAX_EDGES,
    MAX_PROVINCES,
)

MAX_HEXES = len(HEXES)
TURNS = 6
"""A country can be turned by so many times 60 degrees."""

NOBODY = 255
"""As a people, a province, a hex or an edge: none."""

MAP = np.dtype(
    [
        ("key", np.uint64),
        ("provinces", np.uint8),
        ("countries", np.uint8),
        ("radius", np.uint8),
        ("edges", np.int16),
        ("symbols", np.uint64),
        ("coast", np.uint64),
        ("lutao", np.uint64),
        ("adjacent", np.uint64, (MAX_PROVINCES,)),
        ("country", np.uint64, (MAX_COUNTRIES,)),
        ("country_of", np.uint8, (MAX_PROVINCES,)),
        ("first_of", np.uint8, (MAX_COUNTRIES,)),
        ("bonus", np.uint8, (MAX_COUNTRIES,)),
        ("hex_of", np.uint8, (MAX_PROVINCES,)),
        ("province_at", np.uint8, (MAX_HEXES,)),
        ("first_edge", np.int16, (MAX_PROVINCES + 1,)),
        ("edge_hex", np.uint8, (MAX_EDGES,)),
        ("edge_province", np.uint8, (MAX_EDGES,)),
        ("sticks", np.uint8, (MAX_HEXES, MAX_HEXES)),
    ]
)
"""The tables of a map. `sticks` is what a trip from one sea hex to another costs, first and last
included; 255: no way. `country_of` is 255 on Lutao, `first_of` the
first province of a country, the one with the symbol. `province_at` is 255 on the sea and beyond the
map. `symbols` are the provinces with a city symbol, Lutao's city included. The edges of province i
are `first_edge[i]` to `first_edge[i + 1]` - 1. `key` tells maps apart and is not 0."""

_ONE, _NONE = np.uint64(1), np.uint64(0)
_FREE, _TOUCHES = 1, 2
_DISTANCE = np.array([distance(space) for space in HEXES], np.uint8)
_Q = np.array([q for q, _ in HEXES], np.int8)
_R = np.array([r for _, r in HEXES], np.int8)
# Neighbours in ascending order, so that edges come sorted; `NOBODY` for those too far out.
_NEAR = np.array(
    [[HEX_NUMBER.get(near, NOBODY) for near in neighbours(space)] for space in HEXES], np.uint8
)
_REACH = 24
"""No part of a country lies further from the centre, wherever its first province is."""
_NUMBER = np.array(
    [
        [HEX_NUMBER.get((q, r), NOBODY) for r in range(-_REACH, _REACH + 1)]
        for q in range(-_REACH, _REACH + 1)
    ],
    np.uint8,
)


@kernel
def map_of(rules, work, state):
    """Give the tables of the map that a game is played on.

    During the draft that is the ruleset's map; the map of the draft begins with the game.

    Parameters
    ----------
    rules, work, state : records

    Returns
    -------
    MAP record
        In `work`; valid until a game with another map is looked at.
    """
    if work.map.key != state.map_key:
        lay_map(rules, state, work.map, work.queue)
    return work.map


@kernel
def lay_map(rules, state, tables, queue):
    """Make the tables of a game's map.

    Parameters
    ----------
    rules, state : records
    tables : MAP record
        Written.
    queue : uint8 array, length MAX_HEXES
        Scratch.
    """
    assign(tables, rules.map)
    if state.map_key == rules.map.key:
        return
    for province in range(LUTAO, np.int64(tables.provinces)):
        country = np.int64(tables.country_of[province])
        part = province - np.int64(tables.first_of[country])
        tables.hex_of[province] = placed_hex(
            rules, country, part, np.int64(state.draft_turn[country]), state.draft_hex[country]
        )
    fill_tables(tables, queue)
    tables.key = state.map_key


@kernel
def fill_tables(tables, queue):
    """Work out all that follows from `hex_of`: neighbours, edges, costs of trips.

    Parameters
    ----------
    tables : MAP record
        With numbers of provinces and countries, `radius` and `hex_of` set.
    queue : uint8 array, length MAX_HEXES
        Scratch.
    """
    provinces, radius, edges = np.int64(tables.provinces), tables.radius, 0
    tables.province_at[:] = NOBODY
    for province in range(provinces):
        tables.province_at[tables.hex_of[province]] = province
    tables.coast = _NONE
    for province in range(provinces):
        tables.first_edge[province] = edges
        adjacent = _NONE
        for near in _NEAR[tables.hex_of[province]]:
            if near == NOBODY or _DISTANCE[near] > radius:
                continue
            other = tables.province_at[near]
            if other != NOBODY:
                adjacent |= _ONE << np.uint64(other)
            else:
                tables.edge_hex[edges] = near
                tables.edge_province[edges] = province
                tables.coast |= _ONE << np.uint64(province)
                edges += 1
        tables.adjacent[province] = adjacent
    tables.first_edge[provinces:] = edges
    tables.edges = edges
    tables.sticks[:] = NOBODY
    for start in range(MAX_HEXES):
        if tables.province_at[start] == NOBODY and _DISTANCE[start] <= radius:
            _measure_trips(tables, start, queue)


@kernel
def _measure_trips(tables, start, queue):
    """Set what trips from a sea hex cost, by a search in breadth (rulings, D9)."""
    sticks = tables.sticks[start]
    sticks[start], queue[0] = 1, start
    first, last = 0, 1
    while first < last:
        place = queue[first]
        first += 1
        for near in _NEAR[place]:
            if near == NOBODY or _DISTANCE[near] > tables.radius:
                continue
            if tables.province_at[near] == NOBODY and sticks[near] == NOBODY:
                sticks[near] = sticks[place] + 1
                queue[last] = near
                last += 1


# The draft ------------------------------------------------------------------------------------


@kernel
def placed_hex(rules, country, part, turn, anchor):
    """Tell where a province of a country comes to lie.

    Parameters
    ----------
    rules : record
    country, part : int
        The province, by its place in the country; 0 is the one on the anchor.
    turn : int
        The country is turned by so many times 60 degrees.
    anchor : int
        A hex.

    Returns
    -------
    uint8
        A hex, or `NOBODY` beyond all maps.
    """
    q = np.int64(_Q[anchor]) + np.int64(rules.shape_q[turn, country, part])
    r = np.int64(_R[anchor]) + np.int64(rules.shape_r[turn, country, part])
    return _NUMBER[q + _REACH, r + _REACH]


@kernel
def _occupy(ground, place):
    """Take a hex from the free ones; its neighbours touch something now."""
    ground[place] &= _TOUCHES
    for near in _NEAR[place]:
        if near != NOBODY:
            ground[near] |= _TOUCHES


@kernel
def find_ground(rules, state, ground):
    """Tell of each hex whether it is free, and whether it touches the ring or a country.

    The ring of sea around Lutao may not be covered, so it counts as occupied like a country.

    Parameters
    ----------
    rules, state : records
        In the draft.
    ground : uint8 array, length MAX_HEXES
        Written: 1 for a free hex, plus 2 for one with an occupied neighbour.
    """
    for place in range(MAX_HEXES):
        ground[place] = _FREE if _DISTANCE[place] <= rules.map.radius else 0
    for province in range(LUTAO):
        place = rules.map.hex_of[province]
        _occupy(ground, place)
        for near in _NEAR[place]:
            _occupy(ground, near)
    for i in range(np.int64(state.drafted)):
        country = np.int64(state.draft_order[i])
        turn, anchor = np.int64(state.draft_turn[country]), state.draft_hex[country]
        for part in range(np.int64(rules.shape_size[country])):
            _occupy(ground, placed_hex(rules, country, part, turn, anchor))


@kernel
def _fits(rules, ground, country, turn, anchor):
    """Tell whether a country may be placed so: on free hexes, and by an edge beside something."""
    touches = 0
    for part in range(np.int64(rules.shape_size[country])):
        place = placed_hex(rules, country, part, turn, anchor)
        if place == NOBODY or ground[place] & _FREE == 0:
            return False
        touches |= ground[place] & _TOUCHES
    return touches != 0


@kernel
def is_placement(rules, work, state, move):
    """Tell whether a move places the country that is drawn by the contact rules (rulings, 7).

    Parameters
    ----------
    rules, work, state, move : records
        In the draft.

    Returns
    -------
    bool
    """
    country = np.int64(state.draft_order[state.drafted])
    if move.origin != country or move.what >= TURNS or move.target >= MAX_HEXES:
        return False
    find_ground(rules, state, work.ground)
    return _fits(rules, work.ground, country, np.int64(move.what), np.int64(move.target))


@kernel
def list_placements(rules, work, state, moves):
    """List the ways to place the country that is drawn, by (turn, hex of its first province).

    Parameters
    ----------
    rules, work, state : records
        In the draft.
    moves : array of move records
        Written as far as there is room.

    Returns
    -------
    int
        How many there are.
    """
    country, n = np.int64(state.draft_order[state.drafted]), 0
    find_ground(rules, state, work.ground)
    for turn in range(TURNS):
        for anchor in range(MAX_HEXES):
            if _fits(rules, work.ground, country, turn, anchor):
                if n < len(moves):
                    _write_placement(moves[n], country, turn, anchor)
                n += 1
    return n


@kernel
def placement(rules, work, state, number, move):
    """Count the placements that `list_placements` lists, and write one of them.

    Parameters
    ----------
    rules, work, state : records
        In the draft.
    number : int
        Which one, from 0; -1 to count only.
    move : move record
        Written if there is such a one.

    Returns
    -------
    int
        How many there are.
    """
    country, n = np.int64(state.draft_order[state.drafted]), 0
    find_ground(rules, state, work.ground)
    for turn in range(TURNS):
        for anchor in range(MAX_HEXES):
            if _fits(rules, work.ground, country, turn, anchor):
                if n == number:
                    _write_placement(move, country, turn, anchor)
                n += 1
    return n


@kernel
def count_placements(rules, work, state):
    """Count the ways to place the country that is drawn."""
    return placement(rules, work, state, np.int64(-1), work.moves[0])


@kernel
def _write_placement(move, country, turn, anchor):
    clear(move)  # place_country is the first action
    move.origin, move.what, move.target = country, turn, anchor


# What Python asks -----------------------------------------------------------------------------


@entry
def _fill_tables(rules, tables, queue):
    fill_tables(tables, queue)


@entry
def _lay_map(rules, state, tables, queue):
    lay_map(rules, state, tables, queue)


def fill_rules_map(rules: np.void) -> None:
    """Make the tables of the ruleset's map, whose `hex_of` is set.

    Parameters
    ----------
    rules : RULES record
        `rules["map"]` is changed.
    """
    _fill_tables(rules, rules["map"], np.zeros(MAX_HEXES, np.uint8))


def tables_of(rules: np.void, state: np.void) -> np.void:
    """Give the tables of the map that a game is played on, like `map_of`.

    Parameters
    ----------
    rules, state : records

    Returns
    -------
    MAP record
        Not to be changed.
    """
    if state["map_key"] == rules["map"]["key"]:
        return rules["map"]
    tables = np.zeros(1, MAP)[0]
    _lay_map(rules, state, tables, np.zeros(MAX_HEXES, np.uint8))
    return tables


def laid_spaces(rules: np.void, state: np.void) -> list[Hex | None]:
    """Tell where the provinces of a game lie, in the draft those laid so far.

    Parameters
    ----------
    rules, state : records

    Returns
    -------
    list of (q, r) or None
        For each province; None for one whose country is still to be placed.
    """
    fixed = rules["map"]
    spaces: list[Hex | None] = [HEXES[place] for place in fixed["hex_of"][: fixed["provinces"]]]
    if state["stage"] != 0 and state["map_key"] == fixed["key"]:
        return spaces
    laid = {int(country) for country in state["draft_order"][: state["drafted"]]}
    for province in range(LUTAO, len(spaces)):
        country = int(fixed["country_of"][province])
        spaces[province] = None
        if country in laid:
            part = province - int(fixed["first_of"][country])
            spaces[province] = _placed_space(rules, state, country, part)
    return spaces


def _placed_space(rules: np.void, state: np.void, country: int, part: int) -> Hex:
    turn, anchor = int(state["draft_turn"][country]), HEXES[state["draft_hex"][country]]
    dq, dr = rules["shape_q"][turn, country, part], rules["shape_r"][turn, country, part]
    return anchor[0] + int(dq), anchor[1] + int(dr)
