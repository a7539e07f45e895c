"""Record types of the Stone Guardians, the rules record made from a ruleset, and set-up.

Provinces
---------
Province i is bit i of a mask; provinces, hexes, edges and the tables of a map are told of in
`board.py`.

Cards
-----
Combat cards are packed counts: eight bits for each of `SYMBOLS`, the first lowest. A people's draw
pile is the multiset of the cards whose order nobody knows, on top (`pile`), and the cards that were
held back, below it, in order (`under`: three bits each, one more than the symbol, the one that
comes next lowest). Drawing at random from the multiset is the same as having shuffled it.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from lumis_fast.core.bits import popcount, trailing_zeros, without_lowest
from lumis_fast.core.copying import clear
from lumis_fast.core.jit import kernel
from lumis_fast.core.streams import (
    PURPOSE_CHANCE,
    PURPOSE_SETUP,
    STREAM,
    below,
    open_stream,
    shuffle,
)
from lumis_fast.games.stone_guardians import ACTIONS, ITEMS, REASONS, SPELLS, STAGES, SYMBOLS
from lumis_fast.games.stone_guardians.board import (
    MAP,
    MAX_HEXES,
    NOBODY,
    TURNS,
    count_placements,
    fill_rules_map,
)
from lumis_fast.games.stone_guardians.chances import KINDS, MOST, fight_tables
from lumis_fast.games.stone_guardians.hexes import HEX_NUMBER, turned
from lumis_fast.games.stone_guardians.ruleset import (
    BONUS_CARDS,
    LUTAO,
    MAX_COUNTRIES,
    MAX_COUNTRY,
    MAX_EDGES,
    MAX_PROVINCES,
)

MAX_PEOPLES = 4
MAX_NAME = 30
"""So many letters has the longest name of a country."""

(
    PLACE_COUNTRY,
    PLACE_MARKER,
    PLACE_ARMIES,
    PLACE_SHIP,
    END_SETTING,
    MOVE_ARMIES,
    SAIL,
    UNLOAD,
    LOAD,
    SAIL_ON,
    LAND,
    END_MOVEMENT,
    FIGHT,
    HOLD_BACK,
    END_FORMATION,
    GOLEM_ATTACK,
    GOLEM_PLACE,
    END_GOLEMS,
    DISCARD_SPELL,
    BUY,
) = range(len(ACTIONS))
LUTAO_HELD, LAST_LEFT, UNFINISHED = range(len(REASONS))
MISS, HIT, CITY_HIT, HERO_STRIKE, SHIELD = range(len(SYMBOLS))
ARMIES, MARKERS, SHIPS, STICKS = range(len(ITEMS))
(
    DRAFT,
    SETTING,
    BEFORE_ACTION,
    MOVEMENT,
    AFTER_MOVEMENT,
    FIGHT_ORDER,
    FORMATION,
    STOPOVER,
    AFTER_FORMATION,
    GOLEMS,
    VICTORY_CHECK,
    COUNTING,
    CHANGE_OF_RANK,
    ACQUISITION,
    DISCARDING,
    BUYING,
    BEFORE_FIGHT,
    FIRST_STRIKE,
    BEFORE_DRAWING,
    DRAWING,
    ATTACKER_HOLDS_BACK,
    DEFENDER_HOLDS_BACK,
    DISCARDING_UNPLAYED,
    REVEALING,
    CHOOSING,
    REDRAWING,
    AFTER_REVEAL,
    EVALUATING,
    AFTER_ROUND,
    AFTER_FIGHT,
) = range(len(STAGES))

MAX_LISTED = 4096
"""A policy looks at no more moves of a list."""

_EACH_BYTE = np.uint64(0x0101010101010101)

MOVE = np.dtype(
    [
        ("action", np.uint8),
        ("origin", np.uint8),
        ("ship", np.uint8),
        ("target", np.uint8),
        ("edge", np.uint8),
        ("count", np.uint8),
        ("what", np.uint8),
    ]
)
"""One decision; what a kind does not use is zero.

`origin` and `target` are provinces, `ship` and `edge` edges: where the ship lies and where it goes.
`what` is a symbol (hold_back), an item (buy), a spell (discard_spell), or, for place_country, the
turn by so many times 60 degrees, with `target` the hex of the country's first province and `origin`
the country.
"""

RULES = np.dtype(
    [
        ("seats", np.uint8),
        ("peoples", np.uint8),
        ("opponents", np.uint8),
        ("strategic_setup", np.uint8),
        ("province_limit", np.uint8),
        ("card_limit", np.uint8),
        ("spell_limit", np.uint8),
        ("hold_rounds", np.uint8),
        ("points_cap", np.uint8),
        ("max_rounds", np.uint8),
        ("golem_supply", np.uint8),
        ("bonus_cards", np.uint8),
        ("supply_armies", np.uint8),
        ("markers", np.uint8),
        ("spells", np.uint8),
        ("marker_cost", np.uint8),
        ("ship_cost", np.uint8),
        ("stick_cost", np.uint8),
        ("most_armies", np.uint8),
        ("army_cost", np.uint16, (32,)),
        ("golems", np.uint8, (MAX_PROVINCES,)),
        ("artifact", np.uint8, (MAX_PEOPLES, 2)),
        ("spell_copies", np.uint8, (len(SPELLS),)),
        ("combat_deck", np.uint64),
        ("shape_q", np.int8, (TURNS, MAX_COUNTRIES, MAX_COUNTRY)),
        ("shape_r", np.int8, (TURNS, MAX_COUNTRIES, MAX_COUNTRY)),
        ("shape_size", np.uint8, (MAX_COUNTRIES,)),
        ("country_names", np.uint32, (MAX_COUNTRIES, MAX_NAME)),
        ("win", np.float32, (KINDS, MOST + 1, MOST + 1)),
        ("left", np.float32, (KINDS, MOST + 1, MOST + 1)),
        ("map", MAP),
    ]
)
"""`artifact[card]` are the provinces of the people's and the rune's artifact. `army_cost[n]` is
what n armies cost, up to `most_armies`. `opponents` are the players at the start less one.
`shape_q` and `shape_r` tell for each turn where a country's provinces lie from the first one.
`country_names` have the number of each letter, 0 after the last one; records need them. `win` and
`left` are the chances of fights (`chances.py`)."""

DRAW = np.dtype(
    [
        ("cards", np.uint64),
        ("people", np.uint8),
        ("size", np.uint8),
        ("reshuffled", np.uint8),
    ]
)
"""Cards drawn by a people at once, in order (three bits each, one more than the symbol, the first
lowest), and after how many of them the discards became the new pile (`NOBODY`: they did not)."""

MAX_DRAWS = 16
DRAWS = [
    ("draws", DRAW, (MAX_DRAWS,)),
    ("draws_made", np.uint8),
    ("draws_told", np.uint8),
    ("draws_wrong", np.uint8),
]
"""Fields of `WORK`: the draws of combat cards since `draws_made` was set to 0, as far as there is
room. The first `draws_told` of them were filled in before and are drawn so instead of by chance;
`draws_wrong` is set where that cannot be. Who wants this sets all three to 0 before a step."""

MAX_ACQUIRED = 24
ACQUIRED = np.dtype(
    [
        ("people", np.uint8),
        ("size", np.uint8),
        ("reshuffled", np.uint8),
        ("spells", np.uint8, (MAX_ACQUIRED,)),
    ]
)
"""Spells acquired by a people at once, in order, and after how many of them the discards became the
new deck (`NOBODY`: they did not)."""

LOTS = [
    ("acquired", ACQUIRED, (MAX_PEOPLES,)),
    ("acquired_made", np.uint8),
    ("acquired_told", np.uint8),
    ("lots", np.uint8, (MAX_PEOPLES,)),
    ("lots_told", np.uint8),
]
"""Fields of `WORK`, used like `DRAWS`: acquisitions of spells, and, with `lots_told`, the new order
of peoples, of which lots decide what the points leave open. What cannot be sets `draws_wrong`."""

STATE = np.dtype(
    [
        ("chance", STREAM),
        ("turn", np.int32),
        ("to_move", np.uint8),
        ("over", np.uint8),
        ("reason", np.uint8),
        ("stage", np.uint8),
        ("round", np.uint8),
        ("stone", np.uint8),
        ("people", np.uint8),
        ("alive", np.uint8),
        ("order", np.uint8, (MAX_PEOPLES,)),
        ("cursor", np.uint32),
        ("last_target", np.uint8),
        ("holder", np.uint8),
        ("hold_since", np.uint8),
        ("golem_supply", np.uint8),
        ("golem_actions", np.uint8),
        ("golem_target", np.uint8),
        ("aboard", np.uint8),
        ("ship", np.uint8),
        ("unloaded", np.uint8),
        ("loaded", np.uint8),
        ("buying", np.uint8),
        ("fight", np.uint8),
        ("defender", np.uint8),
        ("golems_attack", np.uint8),
        ("held_back", np.uint8, (2,)),
        ("hand_size", np.uint8, (2,)),
        ("hand", np.uint64, (2,)),
        ("owned", np.uint64, (MAX_PEOPLES,)),
        ("owned_before", np.uint64),
        ("contested", np.uint64),
        ("cities", np.uint64),
        ("ships", np.uint64, (MAX_EDGES // 64,)),
        ("sailed", np.uint64, (MAX_EDGES // 64,)),
        ("pile", np.uint64, (MAX_PEOPLES,)),
        ("under", np.uint64, (MAX_PEOPLES,)),
        ("discards", np.uint64, (MAX_PEOPLES,)),
        ("under_size", np.uint8, (MAX_PEOPLES,)),
        ("pile_size", np.uint8, (MAX_PEOPLES,)),
        ("supply", np.uint8, (MAX_PEOPLES,)),
        ("to_place", np.uint8, (MAX_PEOPLES,)),
        ("markers", np.uint16, (MAX_PEOPLES,)),
        ("ship_stock", np.uint16, (MAX_PEOPLES,)),
        ("sticks", np.uint16, (MAX_PEOPLES,)),
        ("points", np.uint8, (MAX_PEOPLES,)),
        ("budget", np.uint8, (MAX_PEOPLES,)),
        ("artifact_card", np.uint8, (MAX_PEOPLES,)),
        ("artifacts", np.uint8, (MAX_PEOPLES,)),
        ("spell_count", np.uint8, (MAX_PEOPLES,)),
        ("spells", np.uint8, (MAX_PEOPLES, len(SPELLS))),
        ("spell_deck", np.uint8, (len(SPELLS),)),
        ("spell_discards", np.uint8, (len(SPELLS),)),
        ("armies", np.uint8, (MAX_PROVINCES,)),
        ("unmoved", np.uint8, (MAX_PROVINCES,)),
        ("attackers", np.uint8, (MAX_PROVINCES,)),
        ("golems", np.uint8, (MAX_PROVINCES,)),
        ("draft_order", np.uint8, (MAX_COUNTRIES,)),
        ("draft_turn", np.uint8, (MAX_COUNTRIES,)),
        ("draft_hex", np.uint8, (MAX_COUNTRIES,)),
        ("drafted", np.uint8),
        ("map_key", np.uint64),
    ]
)
"""One game.

`people` is whose turn of a phase it is, at `order[stone]`; `to_move` the seat that decides now.
`owned` are the provinces where a people has armies; a contested one stays its defender's there and
is in `contested`, with the `attackers` beside the `armies`. `owned_before` are the active people's
provinces when its movement began, `unmoved` the armies there, or in formation, that have not moved.
`ships` and `sailed` are masks of edges. `holder` has Lutao's city since round `hold_since`. `fight`
is the province of the fight that goes on, `hand` the attacker's and the defender's cards,
`held_back` one more than the symbol, or 0. `pile_size` counts a people's cards face down: those of
`pile`, those `under` it, and one just held back, which gets under the pile when both sides have
chosen. `points` are those of the last counting, `budget` what is left of them, `artifacts` bits for
the people's and the rune's. `cursor` and `last_target` order the moves of a step (`moves.py`)."""

WORK = np.dtype(
    [
        ("map", MAP),
        ("queue", np.uint8, (MAX_HEXES,)),
        ("ground", np.uint8, (MAX_HEXES,)),
        ("cards", np.uint8, (MAX_PROVINCES + BONUS_CARDS,)),
        *DRAWS,
        *LOTS,
        ("worth", np.float64, (MAX_PROVINCES,)),
        ("threat", np.int16, (MAX_PROVINCES,)),
        ("need", np.float64, (MAX_PROVINCES,)),
        ("features", np.float64, (32,)),
        ("scores", np.float64, (MAX_LISTED,)),
        ("moves", MOVE, (MAX_LISTED,)),
    ]
)
"""Scratch memory of a thread. `map` has the tables of the game looked at last (`board.map_of`),
`cards` are dealt; `worth`, `threat`, `need`, `scores` and `moves` are the policies'."""


def build_rules(values: dict[str, Any], seats: int, dtype: np.dtype) -> np.ndarray:
    """Make the rules record of a ruleset.

    Parameters
    ----------
    values : dict
        Effective values by the names of the rulings, checked before.
    seats : int
        2, 3 or 4.
    dtype : numpy.dtype
        The registered rules type.

    Returns
    -------
    array of one record
    """
    array = np.zeros(1, dtype)
    rules = array[0]
    rules["seats"] = rules["peoples"] = seats
    rules["opponents"] = seats - 1
    rules["bonus_cards"] = BONUS_CARDS
    rules["markers"] = 1
    rules["supply_armies"] = values["supply_armies"][seats - 2]
    for name in (
        "strategic_setup",
        "province_limit",
        "card_limit",
        "spell_limit",
        "hold_rounds",
        "points_cap",
        "max_rounds",
        "golem_supply",
    ):
        rules[name] = values[name]
    rules["golems"][:LUTAO] = values["golems"]
    rules["spell_copies"] = [values["spells"][spell] for spell in SPELLS]
    rules["spells"] = rules["spell_copies"].sum()
    deck = values["combat_deck"]
    rules["combat_deck"] = sum(deck[symbol] << 8 * i for i, symbol in enumerate(SYMBOLS))
    rules["win"], rules["left"] = fight_tables(deck, values["card_limit"])
    _price(rules, values["costs"])
    _describe_map(rules, values["map"], values["country_bonus"])
    fill_rules_map(rules)
    return array


def _price(rules: np.void, costs: dict[str, Any]) -> None:
    for item in ("marker", "ship", "stick"):
        rules[f"{item}_cost"] = costs[item]
    rules["most_armies"] = len(costs["armies"])
    rules["army_cost"][1 : 1 + len(costs["armies"])] = costs["armies"]


def _describe_map(rules: np.void, map_: dict[str, Any], bonus: dict[str, int]) -> None:
    """Set what a map is given by; the rest of its tables follows from that."""
    tables = rules["map"]
    text = json.dumps([map_, bonus], sort_keys=True)
    # Never 0: that is the key of tables that were not made yet.
    tables["key"] = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") | 1
    tables["radius"], tables["countries"] = map_["radius"], len(map_["countries"])
    tables["country_of"][:] = NOBODY
    tables["lutao"] = (1 << LUTAO) - 1
    spaces = [tuple(space) for space in map_["lutao"]]
    symbols = 1
    for number, country in enumerate(map_["countries"]):
        provinces = [tuple(space) for space in country["provinces"]]
        first, size = len(spaces), len(provinces)
        tables["country"][number] = ((1 << size) - 1) << first
        tables["country_of"][first : first + size] = number
        tables["first_of"][number] = first
        tables["bonus"][number] = bonus[str(size)]
        symbols |= 1 << first
        spaces += provinces
        _describe_shape(rules, number, provinces)
        rules["country_names"][number, : len(country["name"])] = [ord(c) for c in country["name"]]
    tables["symbols"], tables["provinces"] = symbols, len(spaces)
    tables["hex_of"][: len(spaces)] = [HEX_NUMBER[space] for space in spaces]
    for number, card in enumerate(map_["artifacts"]):
        places = [spaces.index(tuple(card[whose])) for whose in ("people", "rune")]
        rules["artifact"][number] = places


def _describe_shape(rules: np.void, country: int, provinces: list[tuple[int, ...]]) -> None:
    rules["shape_size"][country] = len(provinces)
    (first_q, first_r), *_ = provinces
    for part, (q, r) in enumerate(provinces):
        for turn in range(TURNS):
            dq, dr = turned((q - first_q, r - first_r), turn)
            rules["shape_q"][turn, country, part] = dq
            rules["shape_r"][turn, country, part] = dr


# Set-up ---------------------------------------------------------------------------------------


@kernel
def new_game(rules, work, state, seed, deal):
    """Deal the cards and begin, or begin the draft of the strategic set-up.

    Nothing that passes by itself has passed: the first stone may have nothing to set.
    """
    clear(state)
    stream = state.chance
    open_stream(stream, seed, deal, PURPOSE_SETUP)
    state.map_key = rules.map.key
    peoples = np.int64(rules.peoples)
    for people in range(peoples):
        state.artifact_card[people] = people
    shuffle(stream, state.artifact_card, peoples)
    if rules.strategic_setup:
        countries = np.int64(rules.map.countries)
        for i in range(countries):
            state.draft_order[i] = i
        shuffle(stream, state.draft_order, countries)
        state.people = below(stream, peoples)
        begin_draft(rules, state)
    else:
        deal_provinces(rules, work, state)
        begin(rules, state)
    open_stream(stream, seed, deal, PURPOSE_CHANCE)


@kernel
def deal_provinces(rules, work, state):
    """Deal province and bonus cards, and the placement stones by bonus armies (rulings, D4, 10).

    Cards that do not go round are dealt from a seat on that is drawn by lot. Where somebody has no
    province at all, all cards are dealt anew.
    """
    stream, cards, peoples = state.chance, work.cards[:], np.int64(rules.peoples)
    first, last = LUTAO, np.int64(rules.map.provinces)
    n = last - first + np.int64(rules.bonus_cards)
    for i in range(n):
        cards[i] = first + i if first + i < last else NOBODY
    someone_has_none = True
    while someone_has_none:
        state.owned[:] = np.uint64(0)
        state.to_place[:] = 0
        shuffle(stream, cards, n)
        dealer = below(stream, peoples) if n % peoples else 0
        for i in range(n):
            people = (dealer + i) % peoples
            if cards[i] == NOBODY:
                state.to_place[people] += 1
            else:
                state.owned[people] |= np.uint64(1) << np.uint64(cards[i])
        someone_has_none = False
        for people in range(peoples):
            someone_has_none |= state.owned[people] == np.uint64(0)
    _give_stones(state, peoples)


@kernel
def _give_stones(state, peoples):
    """Most bonus armies first; lots decide ties."""
    order, bonus = state.order, state.to_place
    order[:] = NOBODY
    for people in range(peoples):
        order[people] = people
    shuffle(state.chance, order, peoples)
    for i in range(1, peoples):
        people, j = order[i], i
        while j > 0 and bonus[order[j - 1]] < bonus[people]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = people


@kernel
def _lay_out(rules, state):
    """Set out what every game begins with: Lutao, and what each people has."""
    state.round = 1
    state.golem_supply = rules.golem_supply
    state.holder = state.fight = state.defender = NOBODY
    state.golem_target = state.last_target = NOBODY
    state.cities = np.uint64(1)
    for province in range(LUTAO):
        state.golems[province] = rules.golems[province]
    for spell in range(len(SPELLS)):
        state.spell_deck[spell] = rules.spell_copies[spell]
    peoples = np.int64(rules.peoples)
    state.alive = (1 << peoples) - 1
    for people in range(peoples):
        state.supply[people] = rules.supply_armies
        state.markers[people] = rules.markers
        state.pile[people] = rules.combat_deck
        state.pile_size[people] = (rules.combat_deck * _EACH_BYTE) >> np.uint64(56)


@kernel
def begin(rules, state):
    """Set out a new game whose cards are dealt: the setting phase of the first stone.

    Parameters
    ----------
    rules : record
    state : record
        With `artifact_card`, `owned`, `to_place` (the bonus armies) and `order` set, and after a
        draft what that left. To begin once more with other cards does no harm.
    """
    _lay_out(rules, state)
    state.armies[:] = 0
    for people in range(np.int64(rules.peoples)):
        rest = state.owned[people]
        state.supply[people] -= popcount(rest)
        while rest:
            state.armies[trailing_zeros(rest)] = 1
            rest = without_lowest(rest)
        # As many as there are (rulings, 9).
        state.to_place[people] = min(state.to_place[people], state.supply[people])
        state.supply[people] -= state.to_place[people]
    state.stage = SETTING
    state.stone = 0
    state.people = state.to_move = state.order[0]


# The draft ------------------------------------------------------------------------------------


@kernel
def begin_draft(rules, state):
    """Set out a game whose map the players make (rulings, 7).

    Parameters
    ----------
    rules : record
    state : record
        With `artifact_card`, `draft_order`, `map_key` (the ruleset's) and `people`, who begins,
        set.
    """
    _lay_out(rules, state)
    state.order[:] = NOBODY
    state.stage = DRAFT
    state.to_move = state.people


@kernel
def place_country(rules, work, state, move):
    """Place the country that is drawn; after the last one deal the cards.

    Where the next country has no place at all, the draft is void and the ruleset's map is played.
    """
    country = np.int64(move.origin)
    state.draft_turn[country], state.draft_hex[country] = move.what, move.target
    state.drafted += 1
    people = np.int64(state.people) + 1
    state.people = state.to_move = people if people < rules.peoples else 0
    is_complete = state.drafted == rules.map.countries
    if is_complete:
        state.map_key = _key_of_draft(rules, state)
    if is_complete or count_placements(rules, work, state) == 0:
        finish_draft(rules, work, state)


@kernel
def _key_of_draft(rules, state):
    """Mix all placements into one number."""
    key = rules.map.key
    for i in range(np.int64(rules.map.countries)):
        place = (np.uint64(state.draft_turn[i]) << np.uint64(8)) | np.uint64(state.draft_hex[i])
        key = (key ^ place) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    return key | np.uint64(1)


@kernel
def finish_draft(rules, work, state):
    """Deal the cards of a map that is complete, and begin."""
    deal_provinces(rules, work, state)
    begin(rules, state)


# The end --------------------------------------------------------------------------------------


@kernel
def scores(rules, state, values):
    """Points of the last counting."""
    for seat in range(np.int64(rules.seats)):
        values[seat] = state.points[seat]


@kernel
def returns(rules, state, values):
    """1 for the winner; an unfinished game is shared by those with the most points (rulings, 8)."""
    seats, winners, best = np.int64(rules.seats), 0, 0
    for seat in range(seats):
        if (state.alive >> seat) & 1 and state.points[seat] > best:
            best = state.points[seat]
    for seat in range(seats):
        wins = (state.alive >> seat) & 1 == 1
        if state.reason == LUTAO_HELD:
            wins = seat == state.holder
        elif state.reason == UNFINISHED:
            wins = wins and state.points[seat] == best
        values[seat] = 1.0 if wins else 0.0
        winners += wins
    for seat in range(seats):
        values[seat] /= winners
