"""Legal moves of the Stone Guardians: the list of them, and the verdict on a move that is named.

Placing, marching and sailing may be done in any order, and most orders come to the same. `is_legal`
accepts all of them; `legal_moves` lists only moves whose key is above that of the moves made before
in this step (`state.cursor`), so that a set of moves is met in one order. What must not be lost:

- *setting*: armies must be placed, so once none could be placed above the cursor, all places with
  room are listed again;
- *formation*: a province whose armies all wait for one that comes in may lie below the cursor. When
  it comes (`state.last_target`), moves of all that waited are listed, whatever their key. Net flows
  of armies between provinces can always be made free of circles, and so every end of a formation is
  reached: each province sends its last armies when the first one has come;
- *ships* in formation: trips are always listed, and a trip that has ended resets the cursor.

With the cursor at 0 and no last target the list is the complete one.
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.bits import trailing_zeros, without_lowest
from lumis_fast.core.copying import clear
from lumis_fast.core.jit import kernel
from lumis_fast.games.stone_guardians import SPELLS, SYMBOLS
from lumis_fast.games.stone_guardians.board import (
    is_placement,
    list_placements,
    map_of,
)
from lumis_fast.games.stone_guardians.cards import cards_of
from lumis_fast.games.stone_guardians.state import (
    ARMIES,
    ATTACKER_HOLDS_BACK,
    BUY,
    BUYING,
    DEFENDER_HOLDS_BACK,
    DISCARD_SPELL,
    DISCARDING,
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
    LUTAO,
    MARKERS,
    MAX_PROVINCES,
    MOVE_ARMIES,
    MOVEMENT,
    NOBODY,
    PLACE_ARMIES,
    PLACE_COUNTRY,
    PLACE_MARKER,
    PLACE_SHIP,
    SAIL,
    SAIL_ON,
    SETTING,
    SHIPS,
    STOPOVER,
    UNLOAD,
)

_ONE, _NONE = np.uint64(1), np.uint64(0)

FAR = 1 << 16
"""More sticks than anybody has: what a trip costs that is not possible."""


@kernel
def bit(place):
    """The mask of a province."""
    return _ONE << np.uint64(place)


@kernel
def has(mask, place):
    """Tell whether a province is in a mask."""
    return (mask >> np.uint64(place)) & _ONE != _NONE


@kernel
def has_ship(ships, edge):
    """Tell whether an edge is in a mask of edges."""
    return has(ships[edge >> 6], edge & 63)


@kernel
def owner_of(state, province):
    """The people that has armies in a province; `NOBODY` for none. Attackers do not count."""
    for people in range(len(state.owned)):
        if has(state.owned[people], province):
            return people
    return NOBODY


@kernel
def trip_cost(tables, edge, other):
    """What a trip from one edge to another costs in sticks."""
    cost = np.int64(tables.sticks[tables.edge_hex[edge], tables.edge_hex[other]])
    return FAR if cost == 255 else cost


# Setting --------------------------------------------------------------------------------------


@kernel
def rooms(rules, state):
    """The provinces of the active people where armies may be placed."""
    found, rest = _NONE, state.owned[state.people]
    while rest:
        province = trailing_zeros(rest)
        rest = without_lowest(rest)
        if state.armies[province] < rules.province_limit:
            found |= bit(province)
    return found


@kernel
def must_place(rules, state):
    """Tell whether an army is left that has room: the setting phase cannot end."""
    return state.to_place[state.people] > 0 and rooms(rules, state) != _NONE


@kernel
def most_to_place(rules, state, province):
    """How many armies the active people may place in one of its provinces."""
    room = np.int64(rules.province_limit) - np.int64(state.armies[province])
    return min(room, np.int64(state.to_place[state.people]))


@kernel
def sites(tables, state):
    """The provinces where the active people may build a city (rulings, 12 and 13)."""
    owned, found = state.owned[state.people], _NONE
    if state.markers[state.people] == 0:
        return found
    for i in range(np.int64(tables.countries)):
        country = tables.country[i]
        if state.cities & country == _NONE:
            whole = owned & country == country
            found |= country if whole else owned & country & tables.symbols
    return found


@kernel
def may_set_ship(tables, state, edge):
    """Tell whether the active people, if it has a ship, may set it on an edge."""
    province = np.int64(tables.edge_province[edge])
    return has(state.owned[state.people], province) and not has_ship(state.ships, edge)


@kernel
def setting_key(move):
    """Order markers, then armies, then ships, each by their place."""
    if move.action == PLACE_SHIP:
        return 129 + np.int64(move.edge)
    return np.int64(move.target) + (1 if move.action == PLACE_MARKER else 65)


@kernel
def can_set(rules, tables, state):
    """Tell whether the active people can place anything."""
    if must_place(rules, state) or sites(tables, state) != _NONE:
        return True
    if state.ship_stock[state.people] > 0:
        for edge in range(np.int64(tables.edges)):
            if may_set_ship(tables, state, edge):
                return True
    return False


@kernel
def _write(moves, n, action):
    """Begin the n-th move of a list; where there is no room the last one is written over."""
    move = moves[min(n, len(moves) - 1)]
    clear(move)
    move.action = action
    return move


@kernel
def _above(room, cursor):
    """The provinces whose key as a place for armies is above the cursor; all if there is none."""
    if cursor < 65 or cursor >= 128:
        return room
    low = np.uint64(cursor - 64)
    ahead = (room >> low) << low
    return room if ahead == _NONE else ahead


@kernel
def _list_setting(rules, tables, state, moves):
    n, cursor, people = 0, np.int64(state.cursor), np.int64(state.people)
    rest = sites(tables, state)
    while rest:
        province = trailing_zeros(rest)
        rest = without_lowest(rest)
        if 1 + province > cursor:
            _write(moves, n, PLACE_MARKER).target = province
            n += 1
    room = rooms(rules, state) if state.to_place[people] > 0 else _NONE
    ahead = _above(room, cursor)
    while ahead:
        province = trailing_zeros(ahead)
        ahead = without_lowest(ahead)
        for count in range(1, most_to_place(rules, state, province) + 1):
            move = _write(moves, n, PLACE_ARMIES)
            move.target, move.count = province, count
            n += 1
    if state.ship_stock[people] > 0:
        first = cursor - 128 if cursor > 128 else 0
        for edge in range(first, np.int64(tables.edges)):
            if may_set_ship(tables, state, edge):
                move = _write(moves, n, PLACE_SHIP)
                move.target, move.edge = tables.edge_province[edge], edge
                n += 1
    if room == _NONE:
        _write(moves, n, END_SETTING)
        n += 1
    return n


@kernel
def _is_legal_setting(rules, tables, state, move):
    people = np.int64(state.people)
    province, edge = np.int64(move.target), np.int64(move.edge)
    if move.action == END_SETTING:
        return not must_place(rules, state)
    if province >= tables.provinces:
        return False
    if move.action == PLACE_ARMIES:
        most = most_to_place(rules, state, province)
        return has(state.owned[people], province) and 1 <= move.count <= most
    if move.action == PLACE_MARKER:
        return has(sites(tables, state), province)
    if move.action != PLACE_SHIP or state.ship_stock[people] == 0 or edge >= tables.edges:
        return False
    return tables.edge_province[edge] == province and may_set_ship(tables, state, edge)


# Movement and formation -----------------------------------------------------------------------


@kernel
def origins(state):
    """The provinces from where armies may go in movement or formation."""
    return state.owned_before if state.stage == MOVEMENT else state.owned[state.people]


@kernel
def targets(state):
    """The provinces where armies may go: into foreign or empty ones, or into own ones (M1)."""
    return ~state.owned_before if state.stage == MOVEMENT else state.owned[state.people]


@kernel
def spare(state, province):
    """How many armies may leave a province at once: unmoved ones, and one stays."""
    return min(np.int64(state.unmoved[province]), np.int64(state.armies[province]) - 1)


@kernel
def march_key(origin, ship, target, edge):
    """Order marches and trips by their origin, the way and the target; `ship` is one more."""
    return (((((origin << 9) | ship) << 6) | target) << 8) | edge


@kernel
def may_sail(state, tables, ship):
    """Tell whether a ship lies ready at a province that can send armies."""
    if not has_ship(state.ships, ship) or has_ship(state.sailed, ship):
        return False
    origin = np.int64(tables.edge_province[ship])
    return has(origins(state), origin) and spare(state, origin) > 0


@kernel
def may_land(state, tables, ship, edge):
    """Tell whether a ship may go from its edge to another one; in formation, any leg of a trip."""
    if edge == ship or not has(targets(state), np.int64(tables.edge_province[edge])):
        return False
    return trip_cost(tables, ship, edge) <= state.sticks[state.people]


@kernel
def _list_marches(tables, state, moves):
    n, cursor = 0, np.int64(state.cursor)
    rest, allowed = origins(state), targets(state)
    while rest:
        origin = trailing_zeros(rest)
        rest = without_lowest(rest)
        most = spare(state, origin)
        ways = tables.adjacent[origin] & allowed if most > 0 else _NONE
        while ways:
            target = trailing_zeros(ways)
            ways = without_lowest(ways)
            least = 1
            if march_key(origin, 0, target, 0) <= cursor:
                # Only armies that could not all leave before one came in.
                waited = origin == state.last_target and most == state.unmoved[origin]
                least = most if waited else most + 1
            for count in range(least, most + 1):
                move = _write(moves, n, MOVE_ARMIES)
                move.origin, move.target, move.count = origin, target, count
                n += 1
    return n


@kernel
def _list_trips(tables, state, moves, n):
    """Append trips by ship, or first legs, to a list of n moves."""
    cursor = np.int64(state.cursor) if state.stage == MOVEMENT else 0
    if state.sticks[state.people] == 0:
        return n
    for ship in range(np.int64(tables.edges)):
        if not may_sail(state, tables, ship):
            continue
        origin = np.int64(tables.edge_province[ship])
        for edge in range(np.int64(tables.edges)):
            target = np.int64(tables.edge_province[edge])
            is_done = march_key(origin, 1 + ship, target, edge) <= cursor
            if is_done or not may_land(state, tables, ship, edge):
                continue
            for count in range(1, spare(state, origin) + 1):
                move = _write(moves, n, SAIL)
                move.origin, move.ship, move.count = origin, ship, count
                move.target, move.edge = target, edge
                n += 1
    return n


@kernel
def _is_legal_march(tables, state, move):
    origin, target, count = np.int64(move.origin), np.int64(move.target), np.int64(move.count)
    if origin >= tables.provinces or target >= tables.provinces:
        return False
    if not (has(origins(state), origin) and has(targets(state), target)):
        return False
    if count == 0 or count > spare(state, origin):
        return False
    if move.action == MOVE_ARMIES:
        return has(tables.adjacent[origin], target)
    ship, edge = np.int64(move.ship), np.int64(move.edge)
    if move.action != SAIL or ship >= tables.edges or edge >= tables.edges:
        return False
    if tables.edge_province[ship] != origin or tables.edge_province[edge] != target:
        return False
    return may_sail(state, tables, ship) and may_land(state, tables, ship, edge)


# Stops of a trip in formation -----------------------------------------------------------------


@kernel
def most_to_unload(tables, state):
    """How many armies may go ashore while the trip goes on; all of them if others can come."""
    if state.unloaded or state.loaded:
        return 0
    stop = np.int64(tables.edge_province[state.ship])
    return np.int64(state.aboard) - (state.unmoved[stop] == 0)


@kernel
def most_to_load(tables, state):
    """How many armies may come aboard at this stop."""
    return 0 if state.loaded else max(0, spare(state, np.int64(tables.edge_province[state.ship])))


@kernel
def _list_stop(tables, state, moves):
    n = 0
    for count in range(1, most_to_unload(tables, state) + 1):
        _write(moves, n, UNLOAD).count = count
        n += 1
    for count in range(1, most_to_load(tables, state) + 1):
        _write(moves, n, LOAD).count = count
        n += 1
    if state.aboard == 0:
        return n
    for edge in range(np.int64(tables.edges)):
        if may_land(state, tables, np.int64(state.ship), edge):
            move = _write(moves, n, SAIL_ON)
            move.target, move.edge = tables.edge_province[edge], edge
            n += 1
    _write(moves, n, LAND)
    return n + 1


@kernel
def _is_legal_stop(tables, state, move):
    count, edge = np.int64(move.count), np.int64(move.edge)
    if move.action == UNLOAD:
        return 1 <= count <= most_to_unload(tables, state)
    if move.action == LOAD:
        return 1 <= count <= most_to_load(tables, state)
    if move.action == SAIL_ON and edge < tables.edges and state.aboard > 0:
        ship = np.int64(state.ship)
        return tables.edge_province[edge] == move.target and may_land(state, tables, ship, edge)
    return move.action == LAND and state.aboard > 0


# Golem actions --------------------------------------------------------------------------------


@kernel
def golem_provinces(state):
    """The provinces where golems are."""
    found = _NONE
    for province in range(LUTAO):
        if state.golems[province] > 0:
            found |= bit(province)
    return found


@kernel
def golem_targets(tables, state):
    """The provinces that golems may attack: other seats' on Lutao; the one under attack alone."""
    if state.golem_target != NOBODY:
        return bit(np.int64(state.golem_target))
    found = _NONE
    for people in range(len(state.owned)):
        if people != state.people:
            found |= state.owned[people]
    return found & tables.lutao


@kernel
def golem_places(tables, state):
    """The empty provinces of Lutao where golems may be placed."""
    if state.golem_supply == 0 or state.golem_target != NOBODY:
        return _NONE
    taken = golem_provinces(state)
    for people in range(len(state.owned)):
        taken |= state.owned[people]
    return tables.lutao & ~taken


@kernel
def can_attack(tables, state):
    """Tell whether golems may make an attack, or join one."""
    rest, sources = golem_targets(tables, state), golem_provinces(state)
    while rest:
        if tables.adjacent[trailing_zeros(rest)] & sources:
            return True
        rest = without_lowest(rest)
    return False


@kernel
def _list_golems(tables, state, moves):
    n = 0
    sources, allowed = golem_provinces(state), golem_targets(tables, state)
    while sources:
        origin = trailing_zeros(sources)
        sources = without_lowest(sources)
        ways = tables.adjacent[origin] & allowed
        while ways:
            move = _write(moves, n, GOLEM_ATTACK)
            move.origin, move.target = origin, trailing_zeros(ways)
            ways = without_lowest(ways)
            n += 1
    places = golem_places(tables, state)
    while places:
        _write(moves, n, GOLEM_PLACE).target = trailing_zeros(places)
        places = without_lowest(places)
        n += 1
    if state.golem_target == NOBODY:
        _write(moves, n, END_GOLEMS)
    else:
        _write(moves, n, FIGHT).target = state.golem_target
    return n + 1


@kernel
def _is_legal_golems(tables, state, move):
    origin, target = np.int64(move.origin), np.int64(move.target)
    if move.action == END_GOLEMS:
        return state.golem_target == NOBODY
    if target >= tables.provinces or origin >= tables.provinces:
        return False
    if move.action == GOLEM_PLACE:
        return has(golem_places(tables, state), target)
    if move.action == FIGHT:
        return state.golem_target == target
    return (
        move.action == GOLEM_ATTACK
        and has(golem_targets(tables, state), target)
        and has(tables.adjacent[target] & golem_provinces(state), origin)
    )


# Cards and buying -----------------------------------------------------------------------------


@kernel
def holding_hand(state):
    """The cards of the side that holds one back, as counts."""
    return state.hand[1 if state.stage == DEFENDER_HOLDS_BACK else 0]


@kernel
def most_to_buy(rules, state, item):
    """How many pieces of a kind the active people can pay; of armies, no more than it has left."""
    budget = np.int64(state.budget[state.people])
    if item == ARMIES:
        n, most = 0, min(np.int64(rules.most_armies), np.int64(state.supply[state.people]))
        while n < most and rules.army_cost[n + 1] <= budget:
            n += 1
        return n
    if item == MARKERS:
        return budget // np.int64(rules.marker_cost)
    return budget // np.int64(rules.ship_cost if item == SHIPS else rules.stick_cost)


# All stages -----------------------------------------------------------------------------------


@kernel
def legal_moves(rules, work, state, moves):
    """List the moves of this stage, each set of them in one order only; see above."""
    tables, stage, n = map_of(rules, work, state), state.stage, 0
    if stage == SETTING:
        return _list_setting(rules, tables, state, moves)
    if stage == MOVEMENT or stage == FORMATION:
        n = _list_trips(tables, state, moves, _list_marches(tables, state, moves))
        _write(moves, n, END_MOVEMENT if stage == MOVEMENT else END_FORMATION)
        return n + 1
    if stage == STOPOVER:
        return _list_stop(tables, state, moves)
    if stage == GOLEMS:
        return _list_golems(tables, state, moves)
    if stage == FIGHT_ORDER:
        rest = state.contested
        while rest:
            _write(moves, n, FIGHT).target = trailing_zeros(rest)
            rest = without_lowest(rest)
            n += 1
    elif stage == ATTACKER_HOLDS_BACK or stage == DEFENDER_HOLDS_BACK:
        for symbol in range(len(SYMBOLS)):
            if cards_of(holding_hand(state), symbol) > 0:
                _write(moves, n, HOLD_BACK).what = symbol
                n += 1
    elif stage == DISCARDING:
        for spell in range(len(SPELLS)):
            if state.spells[state.people, spell] > 0:
                _write(moves, n, DISCARD_SPELL).what = spell
                n += 1
    elif stage == BUYING:
        for count in range(most_to_buy(rules, state, np.int64(state.buying)) + 1):
            move = _write(moves, n, BUY)
            move.what, move.count = state.buying, count
            n += 1
    else:
        n = list_placements(rules, work, state, moves)
    return n


@kernel
def is_legal(rules, work, state, move):
    """Tell whether a move is legal, in whatever order moves of this step are made."""
    tables, stage = map_of(rules, work, state), state.stage
    what = np.int64(move.what)
    if stage == SETTING:
        return _is_legal_setting(rules, tables, state, move)
    if stage == MOVEMENT or stage == FORMATION:
        end = END_MOVEMENT if stage == MOVEMENT else END_FORMATION
        return move.action == end or _is_legal_march(tables, state, move)
    if stage == STOPOVER:
        return _is_legal_stop(tables, state, move)
    if stage == GOLEMS:
        return _is_legal_golems(tables, state, move)
    if stage == FIGHT_ORDER:
        province = np.int64(move.target)
        is_place = province < MAX_PROVINCES and has(state.contested, province)
        return move.action == FIGHT and is_place
    if stage == ATTACKER_HOLDS_BACK or stage == DEFENDER_HOLDS_BACK:
        held = what < len(SYMBOLS) and cards_of(holding_hand(state), what) > 0
        return move.action == HOLD_BACK and held
    if stage == DISCARDING:
        held = what < len(SPELLS) and state.spells[state.people, what] > 0
        return move.action == DISCARD_SPELL and held
    if stage == BUYING:
        is_asked = move.action == BUY and what == state.buying
        return is_asked and move.count <= most_to_buy(rules, state, what)
    return move.action == PLACE_COUNTRY and is_placement(rules, work, state, move)
