"""The map of the Stone Guardians: tables, set-up and the draft, against plain reckoning."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from stone_map import (
    ARTIFACTS,
    COUNTRIES,
    LUTAO,
    around,
    as_value,
    disc,
    moved,
    placements,
    ring_of,
    sticks_from,
)

from lumis_fast.core.jit import entry
from lumis_fast.games.stone_guardians import GAME, SPELLS, STAGES, board, state
from lumis_fast.games.stone_guardians.hexes import HEX_NUMBER, HEXES, neighbours, turned

NOBODY = 255
LAND = LUTAO + [space for spaces in COUNTRIES.values() for space in spaces]
SEA = set(disc(7)) - set(LAND)
FIRST_OF_COUNTRIES = 12


@entry
def _new_game(rules, work, game, seed, deal):
    state.new_game(rules, work, game, seed, deal)


@entry
def _list_placements(rules, work, game, moves):
    return board.list_placements(rules, work, game, moves)


@entry
def _placement(rules, work, game, number, move):
    return board.placement(rules, work, game, number, move)


@entry
def _is_placement(rules, work, game, move):
    return board.is_placement(rules, work, game, move)


@entry
def _place_country(rules, work, game, move):
    state.place_country(rules, work, game, move)


@entry
def _begin(rules, game):
    state.begin(rules, game)


@entry
def _sticks_of_map(rules, work, game, sticks):
    tables = board.map_of(rules, work, game)
    sticks[:] = tables.sticks
    return tables.edges


@entry
def _returns(rules, game, values):
    state.returns(rules, game, values)


class Setup:
    """Rules, scratch memory and a state to set games up with."""

    def __init__(self, seats: int, **changes: Any) -> None:
        self.ruleset = GAME.load_ruleset("standard", changes)
        self.rules = GAME.build_rules(self.ruleset, seats)[0]
        types = GAME.types(self.ruleset)
        self.work = np.zeros(1, types.work)[0]
        self.state = np.zeros(1, types.state)[0]
        self.moves = np.zeros(2000, types.move)

    def new(self, deal: int, seed: int = 7) -> np.void:
        _new_game(self.rules, self.work, self.state, np.uint64(seed), deal)
        return self.state

    def listed(self) -> list[tuple[int, tuple[int, int]]]:
        n = _list_placements(self.rules, self.work, self.state, self.moves)
        assert n <= len(self.moves)
        return [(int(move["what"]), HEXES[move["target"]]) for move in self.moves[:n]]

    def place(self, turn: int, anchor: tuple[int, int]) -> None:
        move = self.moves[0]
        move["action"] = 0
        move["origin"] = self.state["draft_order"][self.state["drafted"]]
        move["what"], move["target"] = turn, HEX_NUMBER[anchor]
        _place_country(self.rules, self.work, self.state, move)


def in_mask(mask: int) -> list[int]:
    return [place for place in range(64) if int(mask) >> place & 1]


@pytest.fixture(scope="module")
def tables() -> np.void:
    return Setup(2).rules["map"]


# --- hexes ------------------------------------------------------------------------------------


def test_hexes_are_those_within_seven():
    # 1 + 6 * (1 + 2 + ... + 7) hexes.
    assert list(HEXES) == disc(7) and len(HEXES) == 1 + 6 * 28
    assert [HEX_NUMBER[space] for space in disc(7)] == list(range(169))
    assert all(sorted(around(space)) == neighbours(space) for space in HEXES)


def test_a_turn_takes_each_direction_to_the_next():
    for turns, space in itertools.product(range(6), [(1, 0), (3, -1), (0, 2)]):
        assert turned(space, turns) == moved([(0, 0), space], turns, (0, 0))[1]


# --- the tables of the standard map, by the rulings' own count --------------------------------


def test_numbers_of_the_rulings(tables):
    assert (tables["provinces"], tables["countries"], tables["edges"]) == (64, 11, 138)
    assert len(set(LAND)) == 64 and len(SEA) == 105
    assert len(ring_of(LUTAO)) == 17 and ring_of(LUTAO) <= SEA


def test_provinces_lie_where_the_rulings_say(tables):
    assert [HEXES[place] for place in tables["hex_of"]] == LAND
    for place, space in enumerate(HEXES):
        at = LAND.index(space) if space in LAND else NOBODY
        assert tables["province_at"][place] == at


def test_adjacency(tables):
    for province, space in enumerate(LAND):
        near = {LAND.index(other) for other in around(space) if other in LAND}
        assert set(in_mask(tables["adjacent"][province])) == near


def test_coasts(tables):
    coast = in_mask(tables["coast"])
    assert sum(province >= FIRST_OF_COUNTRIES for province in coast) == 49
    inland = [LAND[province] for province in range(64) if province not in coast]
    assert inland == [(0, 0), (4, -4), (-4, 0), (-5, 2)]


def test_edges_are_sorted_pairs_of_province_and_sea(tables):
    edges = list(zip(tables["edge_province"][:138], tables["edge_hex"][:138], strict=True))
    expected = sorted(
        (province, HEX_NUMBER[near])
        for province, space in enumerate(LAND)
        for near in around(space)
        if near in SEA
    )
    assert [(int(a), int(b)) for a, b in edges] == expected
    for province in range(64):
        first, last = tables["first_edge"][province : province + 2]
        assert {int(a) for a, _ in edges[first:last]} <= {province}
    assert tables["first_edge"][0] == 0 and tables["first_edge"][64] == 138


def test_sticks(tables):
    for start, first in enumerate(HEXES):
        cost = sticks_from(first, SEA) if first in SEA else {}
        assert [int(n) for n in tables["sticks"][start]] == [
            cost.get(space, 255) for space in HEXES
        ]


def test_sea_is_one_water_with_one_strait_between_x6_and_x7():
    assert len(sticks_from((0, -7), SEA)) == 105
    strait = (1, -3)
    assert {name for name in COUNTRIES if set(COUNTRIES[name]) & set(around(strait))} == {
        "X6",
        "X7",
    }
    inside = sticks_from((2, 0), SEA - {strait})
    assert set(inside) == ring_of(LUTAO) - {strait}


def test_countries(tables):
    # D7 by size: 7, 5, 5, 4, 4, 7, 5, 6, 4, 3, 2 provinces.
    assert list(tables["bonus"][:11]) == [4, 2, 2, 1, 1, 4, 2, 3, 1, 1, 1]
    symbols = [0]
    for number, spaces in enumerate(COUNTRIES.values()):
        provinces = in_mask(tables["country"][number])
        assert [LAND[province] for province in provinces] == spaces
        assert {int(tables["country_of"][province]) for province in provinces} == {number}
        assert tables["first_of"][number] == provinces[0]
        symbols.append(provinces[0])
    assert in_mask(tables["symbols"]) == symbols
    assert in_mask(tables["lutao"]) == list(range(12))
    assert set(tables["country_of"][:12]) == {NOBODY}


def test_every_country_reaches_lutao_by_one_stick(tables):
    def seas(province: int) -> set[int]:
        first, last = tables["first_edge"][province : province + 2]
        return {int(place) for place in tables["edge_hex"][first:last]}

    lutao = set().union(*(seas(province) for province in range(12)))
    for number in range(11):
        own = set().union(*(seas(province) for province in in_mask(tables["country"][number])))
        assert min(tables["sticks"][a, b] for a in own for b in lutao) == 1


def test_artifacts():
    rules = Setup(4).rules
    for card, (people, rune) in enumerate(ARTIFACTS):
        assert [LAND[province] for province in rules["artifact"][card]] == [people, rune]


# Free land of radius 4 is a narrow band, so a long country soon finds no place any more.
BAND: dict[str, list[tuple[int, int]]] = {
    "Long": [(4, -4), (4, -3), (4, -2), (4, -1), (4, 0), (3, 1), (2, 2), (1, 3)],
    **{
        f"S{n}": [space]
        for n, space in enumerate(
            [(0, 4), (-1, 4), (-2, 4), (-3, 4), (-4, 4), (-4, 3), (-4, 2), (-4, 1)]
        )
    },
}


def test_a_smaller_radius_takes_sea_away():
    setup = Setup(2, map=as_value(BAND, radius=4), country_bonus={"1": 0, "8": 1})
    land = LUTAO + [space for spaces in BAND.values() for space in spaces]
    sea = set(disc(4)) - set(land)
    tables = setup.rules["map"]
    assert tables["edges"] == sum(near in sea for space in land for near in around(space))
    for start, first in enumerate(HEXES):
        cost = sticks_from(first, sea) if first in sea else {}
        assert {HEXES[i]: int(n) for i, n in enumerate(tables["sticks"][start]) if n < 255} == cost


# --- set-up -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "cards", "supply"), [(2, 42, 75), (3, 28, 50), (4, 21, 38)])
def test_set_up(seats, cards, supply):
    setup = Setup(seats)
    for deal in range(20):
        game = setup.new(deal)
        owned = [in_mask(mask) for mask in game["owned"]]
        bonus = [int(n) for n in game["to_place"]]
        assert sorted(itertools.chain(*owned)) == list(range(12, 64))
        assert sum(bonus) == 32
        for people in range(seats):
            # 84 cards; each brings one army from the supply (D4; ruling 6).
            assert len(owned[people]) + bonus[people] == cards
            assert game["supply"][people] == supply - cards
            assert (game["markers"][people], game["ship_stock"][people]) == (1, 0)
            assert (game["sticks"][people], game["points"][people]) == (0, 0)
            assert game["pile_size"][people] == 23
            assert (game["under_size"][people], game["discards"][people]) == (0, 0)
            # D5: miss 7, hit 6, city hit 3, hero strike 2, shield 5.
            assert int(game["pile"][people]).to_bytes(8, "little")[:5] == bytes([7, 6, 3, 2, 5])
        assert list(game["armies"]) == [0] * 12 + [1] * 52
        assert list(game["golems"]) == [3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1] + [0] * 52
        assert game["golems"].sum() == 20 and game["golem_supply"] == 3
        assert in_mask(game["cities"]) == [0]
        assert game["spell_deck"].sum() == 60 and len(SPELLS) == 20
        assert game["spells"].sum() == game["spell_discards"].sum() == 0
        assert sorted(game["artifact_card"][:seats]) == list(range(seats))
        order = [int(people) for people in game["order"]]
        assert sorted(order[:seats]) == list(range(seats)) and set(order[seats:]) <= {NOBODY}
        ranked = [bonus[people] for people in order[:seats]]
        assert ranked == sorted(ranked, reverse=True)
        assert game["people"] == game["to_move"] == order[0]
        assert (game["round"], game["turn"], game["stone"], game["over"]) == (1, 0, 0, 0)
        assert STAGES[game["stage"]] == "setting"
        assert game["alive"] == 2**seats - 1
        assert game["holder"] == game["fight"] == NOBODY


def test_equal_deals_are_equal_and_others_differ():
    one, other = Setup(3), Setup(3)
    assert one.new(5).tobytes() == other.new(5).tobytes()
    assert one.new(5)["owned"].tobytes() != other.new(6)["owned"].tobytes()


def test_beginning_again_with_other_cards():
    setup = Setup(2)
    game = setup.new(1)
    game["owned"][0] = (1 << 40) - (1 << 12)  # 28 provinces
    game["owned"][1] = (1 << 64) - (1 << 40)  # 24 provinces
    game["to_place"][:2], game["order"][:2] = [14, 18], [1, 0]
    _begin(setup.rules, game)
    assert list(game["supply"][:2]) == [75 - 28 - 14, 75 - 24 - 18]
    assert list(game["armies"][12:]) == [1] * 52
    assert game["people"] == 1


def test_bonus_armies_beyond_the_supply_are_not_there():
    # 28 cards each; whoever has n provinces finds 35 - n armies left for bonus cards.
    setup = Setup(3, supply_armies=[75, 28, 38])
    game = setup.new(2)
    assert list(game["supply"][:3]) == [0, 0, 0]
    short = Setup(4, supply_armies=[75, 50, 21])
    game = short.new(2)
    game["to_place"][:4] = [30, 30, 30, 30]
    _begin(short.rules, game)
    for people in range(4):
        assert game["to_place"][people] == 21 - len(in_mask(game["owned"][people]))
        assert game["supply"][people] == 0


@pytest.fixture(scope="module")
def deals() -> list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    setup = Setup(4)
    found = []
    for deal in range(4000):
        game = setup.new(deal, seed=11)
        found.append(
            tuple(game[name].copy() for name in ("owned", "to_place", "order", "artifact_card"))
        )
    return found


def near_share(count: int, of: int, share: float) -> bool:
    """Whether a count is within five standard deviations of what a share leads to expect."""
    return abs(count - of * share) < 5 * math.sqrt(of * share * (1 - share))


def test_each_card_goes_to_each_seat_alike(deals):
    for province, people in itertools.product((12, 37, 63), range(4)):
        count = sum(int(owned[people]) >> province & 1 for owned, *_ in deals)
        assert near_share(count, len(deals), 1 / 4)


def test_numbers_of_bonus_cards_are_hypergeometric(deals):
    counts = Counter(int(bonus[2]) for _, bonus, *_ in deals)
    for n in range(3, 14):
        share = math.comb(32, n) * math.comb(52, 21 - n) / math.comb(84, 21)
        assert near_share(counts[n], len(deals), share)


def test_hardly_anybody_lacks_a_city_symbol(deals):
    # The rulings' simulation says 3.3 % with four players; 73 of 84 cards have no symbol.
    share = math.comb(73, 21) / math.comb(84, 21)
    assert 0.032 < share < 0.035
    symbols = sum(1 << LAND.index(spaces[0]) for spaces in COUNTRIES.values())
    for people in range(4):
        without = sum(int(owned[people]) & symbols == 0 for owned, *_ in deals)
        assert near_share(without, len(deals), share)


def test_lots_decide_ties_for_the_stones(deals):
    pairs = [
        (int(order[0]) < int(order[1]))
        for _, bonus, order, _ in deals
        if bonus[order[0]] == bonus[order[1]] != bonus[order[2]]
    ]
    assert len(pairs) > 200 and near_share(sum(pairs), len(pairs), 1 / 2)


def test_artifact_cards_by_lot(deals):
    counts = Counter(tuple(int(card) for card in cards) for *_, cards in deals)
    assert len(counts) == math.factorial(4)
    assert all(near_share(count, len(deals), 1 / 24) for count in counts.values())


SEVENTEEN = {name: COUNTRIES[name] for name in ("Rhuam", "Canli", "X10")}


def test_cards_that_do_not_go_round():
    # 17 provinces and 32 bonus cards: 49 cards, 13 for one of four, 12 for the others.
    setup = Setup(4, map=as_value(SEVENTEEN), supply_armies=[75, 50, 38])
    extra = Counter()
    for deal in range(400):
        game = setup.new(deal)
        sizes = [len(in_mask(game["owned"][p])) + int(game["to_place"][p]) for p in range(4)]
        assert sorted(sizes) == [12, 12, 12, 13]
        extra[sizes.index(13)] += 1
        assert all(game["owned"] > 0)
    assert all(near_share(extra[people], 400, 1 / 4) for people in range(4))


# --- the draft --------------------------------------------------------------------------------

NAMES = list(COUNTRIES)


def test_draft_begins():
    setup = Setup(3, strategic_setup=True)
    firsts, orders = Counter(), Counter()
    for deal in range(600):
        game = setup.new(deal)
        assert STAGES[game["stage"]] == "draft" and game["drafted"] == 0
        assert sorted(game["draft_order"][:11]) == list(range(11))
        assert sorted(game["artifact_card"][:3]) == [0, 1, 2]
        assert game["to_move"] == game["people"]
        assert game["owned"].sum() == 0 and list(game["supply"][:3]) == [50, 50, 50]
        assert set(game["order"]) == {NOBODY}
        firsts[int(game["people"])] += 1
        orders[int(game["draft_order"][0])] += 1
    assert all(near_share(firsts[people], 600, 1 / 3) for people in range(3))
    assert all(near_share(orders[country], 600, 1 / 11) for country in range(11))


@pytest.mark.parametrize("deal", [0, 1])
def test_draft_against_brute_force(deal):
    setup, rng = Setup(2, strategic_setup=True), np.random.default_rng(deal)
    game = setup.new(deal)
    first, laid, move = int(game["people"]), {}, setup.moves[1999]
    for number in range(11):
        assert game["to_move"] == (first + number) % 2
        country = int(game["draft_order"][number])
        provinces = COUNTRIES[NAMES[country]]
        expected = placements(provinces, itertools.chain(*laid.values()))
        listed = setup.listed()
        assert len(listed) == len(expected) and set(listed) == expected
        assert listed == sorted(listed)
        for k in rng.choice(len(listed), 3):
            n = _placement(setup.rules, setup.work, setup.state, int(k), move)
            assert n == len(listed)
            assert (int(move["what"]), HEXES[move["target"]]) == listed[k]
            assert move["origin"] == country and move["action"] == 0
        for turn, anchor in zip(rng.integers(6, size=40), rng.integers(169, size=40), strict=True):
            move["what"], move["target"] = turn, anchor
            legal = (int(turn), HEXES[anchor]) in expected
            assert _is_placement(setup.rules, setup.work, setup.state, move) == legal
        turn, anchor = listed[rng.integers(len(listed))]
        laid[country] = moved(provinces, turn, anchor)
        setup.place(turn, anchor)
        spaces = board.laid_spaces(setup.rules, game)
        assert spaces[:12] == LUTAO
        for other, name in enumerate(NAMES):
            mask = in_mask(setup.rules["map"]["country"][other])
            assert [spaces[p] for p in mask] == laid.get(other, [None] * len(COUNTRIES[name]))
    _check_drafted_map(setup, [space for c in range(11) for space in laid[c]])


def _check_drafted_map(setup: Setup, countries: list[tuple[int, int]]) -> None:
    game, land = setup.state, LUTAO + countries
    sea = set(disc(7)) - set(land)
    assert STAGES[game["stage"]] == "setting"
    assert sorted(itertools.chain(*(in_mask(m) for m in game["owned"]))) == list(range(12, 64))
    tables = board.tables_of(setup.rules, game)
    assert [HEXES[place] for place in tables["hex_of"]] == land
    for province, space in enumerate(land):
        near = {land.index(other) for other in around(space) if other in land}
        assert set(in_mask(tables["adjacent"][province])) == near
    sticks = np.zeros((169, 169), np.uint8)
    edges = _sticks_of_map(setup.rules, setup.work, game, sticks)
    assert edges == sum(near in sea for space in land for near in around(space))
    assert (sticks == tables["sticks"]).all()
    for start, first in enumerate(HEXES):
        cost = sticks_from(first, sea) if first in sea else {}
        assert {HEXES[i]: int(n) for i, n in enumerate(sticks[start]) if n < 255} == cost


def test_one_thread_looks_at_games_with_different_maps():
    setup = Setup(2, strategic_setup=True)
    fixed = np.zeros((169, 169), np.uint8)
    found = []
    for deal in (3, 4):
        setup.new(deal)
        _sticks_of_map(setup.rules, setup.work, setup.state, fixed)
        assert (fixed == setup.rules["map"]["sticks"]).all()  # in the draft: the ruleset's map
        while STAGES[setup.state["stage"]] == "draft":
            setup.place(*setup.listed()[-1 - deal])
        found.append(setup.state.copy())
    assert found[0]["map_key"] != found[1]["map_key"]
    for game in (found[0], found[1], found[0]):
        sticks = np.zeros((169, 169), np.uint8)
        _sticks_of_map(setup.rules, setup.work, game, sticks)
        assert (sticks == board.tables_of(setup.rules, game)["sticks"]).all()


def test_moves_that_name_another_country_are_refused():
    setup = Setup(2, strategic_setup=True)
    game = setup.new(0)
    turn, anchor = setup.listed()[0]
    move = setup.moves[0]
    assert _is_placement(setup.rules, setup.work, game, move)
    for name, value in (
        ("origin", game["draft_order"][1]),
        ("what", 6),
        ("target", 169),
        ("target", NOBODY),
    ):
        other = move.copy()
        other[name] = value
        assert not _is_placement(setup.rules, setup.work, game, other)


def test_a_draft_that_cannot_go_on_is_void():
    setup = Setup(
        2,
        strategic_setup=True,
        map=as_value(BAND, radius=4),
        country_bonus={"1": 0, "8": 1},
    )
    rng, void = np.random.default_rng(2), 0
    for deal in range(60):
        game = setup.new(deal)
        laid: list[tuple[int, int]] = []
        for number in range(9):
            country = list(BAND)[game["draft_order"][number]]
            expected = placements(BAND[country], laid, LUTAO, 4)
            if not expected:
                break
            assert STAGES[game["stage"]] == "draft" and set(setup.listed()) == expected
            turn, anchor = setup.listed()[rng.integers(len(expected))]
            laid += moved(BAND[country], turn, anchor)
            setup.place(turn, anchor)
        else:
            assert sorted(s for s in board.laid_spaces(setup.rules, game)[12:]) == sorted(laid)
            continue
        void += 1
        assert STAGES[game["stage"]] == "setting"
        own = [space for spaces in BAND.values() for space in spaces]
        assert board.laid_spaces(setup.rules, game) == LUTAO + own
        assert game["map_key"] == setup.rules["map"]["key"]
    assert 5 < void < 55


# --- the end ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "alive", "holder", "points", "expected"),
    [
        (0, 0b111, 1, [20, 5, 30], [0, 1, 0]),
        (1, 0b100, NOBODY, [20, 5, 3], [0, 0, 1]),
        (2, 0b111, NOBODY, [20, 5, 30], [0, 0, 1]),
        (2, 0b111, 0, [30, 5, 30], [0.5, 0, 0.5]),
        (2, 0b111, 0, [7, 7, 7], [1 / 3, 1 / 3, 1 / 3]),
        (2, 0b011, 0, [7, 7, 7], [0.5, 0.5, 0]),
        (2, 0b011, 0, [0, 0, 0], [0.5, 0.5, 0]),
    ],
)
def test_returns(reason, alive, holder, points, expected):
    setup = Setup(3)
    game, values = setup.new(0), np.zeros(4)
    game["over"], game["reason"], game["alive"], game["holder"] = 1, reason, alive, holder
    game["points"][:3] = points
    _returns(setup.rules, game, values)
    assert list(values[:3]) == pytest.approx(expected)
