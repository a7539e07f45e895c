"""The plain-Python reference of the Stone Guardians against situations worked out by hand."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import pytest
from naive.stone_guardians import (
    STAGE_ACTIONS,
    NaiveStoneGuardians,
    deal,
    distance,
    neighbours,
    strikes,
    turned,
)

Hex = tuple[int, int]


def hexes(text: str) -> list[Hex]:
    """Read spaces like `(4,-1) (3,0)`."""
    pairs = (word.strip("()").split(",") for word in text.split())
    return [(int(q), int(r)) for q, r in pairs]


# The map of the rulings (D6 to D8), written out here so that nothing but they is its source.
LUTAO = hexes("(0,0) (1,0) (1,-1) (0,-1) (-1,0) (-1,1) (0,1) (2,-1) (1,-2) (-1,-1) (-2,1) (-1,2)")
COUNTRIES = {
    "Rhuam": "(4,-1) (3,0) (3,1) (4,-2) (4,0) (5,-2) (5,-1)",
    "X5": "(4,-3) (3,-3) (4,-4) (5,-4) (5,-3)",
    "X6": "(3,-4) (2,-4) (3,-5) (4,-5) (5,-5)",
    "X7": "(0,-3) (-1,-3) (0,-4) (-1,-4)",
    "X8": "(-2,-2) (-3,-2) (-3,-1) (-2,-3)",
    "Canli": "(-4,0) (-5,-1) (-5,0) (-5,1) (-4,-1) (-4,1) (-3,0)",
    "Ilarnat": "(-5,2) (-6,2) (-6,3) (-5,3) (-4,2)",
    "Sigari": "(-4,4) (-4,3) (-4,5) (-3,3) (-3,4) (-3,5)",
    "X9": "(-1,4) (-2,4) (-2,5) (-1,5)",
    "X10": "(1,3) (0,3) (2,2)",
    "X11": "(1,2) (2,1)",
}
STANDARD: dict[str, Any] = {
    "map": {
        "radius": 7,
        "lutao": [list(space) for space in LUTAO],
        "countries": [
            {"name": name, "provinces": [list(space) for space in hexes(text)]}
            for name, text in COUNTRIES.items()
        ],
        "artifacts": [
            {"people": [0, -1], "rune": [-1, 2]},
            {"people": [1, -1], "rune": [-2, 1]},
            {"people": [-1, 0], "rune": [2, -1]},
            {"people": [-1, 1], "rune": [1, -2]},
        ],
    },
    "strategic_setup": False,
    "spells": "on",
    "combat_deck": {"miss": 7, "hit": 6, "city_hit": 3, "hero_strike": 2, "shield": 5},
    "supply_armies": [75, 50, 38],
    "golems": [3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1],
    "golem_supply": 3,
    "province_limit": 8,
    "card_limit": 4,
    "spell_limit": 4,
    "hold_rounds": 3,
    "points_cap": 60,
    "country_bonus": {"2": 1, "3": 1, "4": 1, "5": 2, "6": 3, "7": 4},
    "costs": {
        "armies": [2, 4, 6, 8, 10, 13, 16, 19, 22, 26, 30, 34, 39, 44, 49],
        "marker": 5,
        "ship": 4,
        "stick": 1,
    },
    "max_rounds": 30,
}

# Neighbours: HOME touches TARGET, and both touch NEAR; all are Rhuam's, whose symbol is SYMBOL.
HOME, TARGET, NEAR, SYMBOL = (3, 0), (3, 1), (4, 0), (4, -1)
# Far from there, so that a people is not out: in Sigari and Canli.
REFUGES = [(-4, 3), (-3, 3), (-5, 0), (-5, 1)]
CITY = (0, 0)


def make_ruleset(**changes: Any) -> dict[str, Any]:
    assert set(changes) <= set(STANDARD)
    return copy.deepcopy(STANDARD) | changes


def fresh(seats: int = 2, seed: int = 1, **changes: Any) -> NaiveStoneGuardians:
    values = make_ruleset(**changes)
    return NaiveStoneGuardians(values, seats, deal(values, seats, random.Random(seed)))


def situation(
    *lands: dict[Hex, int], stage: str = "movement", people: int = 0, **changes: Any
) -> NaiveStoneGuardians:
    """A game in which each people has these armies, beside two in a refuge, and nothing else.

    The golems are as at the start, but where a people is put they are gone.
    """
    seats = max(2, len(lands))
    game = fresh(seats, **changes)
    for province in game.provinces.values():
        province.owner, province.armies = None, 0
    for number, stock in enumerate(game.peoples):
        stock.supply += 52 + stock.to_place
        stock.to_place, stock.markers = 0, 0
        land = {REFUGES[number]: 2, **(lands[number] if number < len(lands) else {})}
        for space, armies in land.items():
            put(game, number, space, armies)
    game.order = list(range(seats))
    game.waiting = [p for p in game.order if p > people]
    enter(game, stage, people)
    return game


def put(game: NaiveStoneGuardians, people: int | None, space: Hex, armies: int = 0) -> None:
    province = game.provinces[space]
    province.owner, province.armies, province.golems = people, armies, 0
    if people is not None:
        game.peoples[people].supply -= armies


def enter(game: NaiveStoneGuardians, stage: str, people: int) -> None:
    """Begin a stage of a people's turn."""
    game.people = game.decider = people
    if stage == "movement":
        game._start_movement(people)
    elif stage == "formation":
        game._start_formation()
    else:
        game.stage = stage


def hold_city(game: NaiveStoneGuardians, people: int, since: int = 1, armies: int = 3) -> None:
    put(game, people, CITY, armies)
    game.holder, game.hold_since = people, since


def step(game: NaiveStoneGuardians, action: str, **arguments: Any) -> dict[str, Any]:
    """A step of who decides; spaces may be tuples, `start` is written `from`."""
    if "start" in arguments:
        arguments["from"] = arguments.pop("start")
    plain = {k: list(v) if isinstance(v, tuple) else v for k, v in arguments.items()}
    return {"seat": game.decider, "people": game.decider, "action": action, **plain}


def play(
    game: NaiveStoneGuardians,
    action: str,
    chance: random.Random | None = None,
    **arguments: Any,
) -> dict[str, Any]:
    return game.play(step(game, action, **arguments), chance)


def refused(game: NaiveStoneGuardians, action: str, reason: str, **arguments: Any) -> None:
    """Assert that a step is refused for this reason, is not listed, and changes nothing."""
    before = game.position()
    wrong = step(game, action, **arguments)
    assert not game.is_legal(wrong)
    assert wrong not in game.legal_steps()
    with pytest.raises(ValueError, match=reason):
        game.play(wrong, random.Random(1))
    assert game.position() == before


def listed(game: NaiveStoneGuardians, action: str) -> list[dict[str, Any]]:
    """The arguments of the legal steps with this action."""
    return [
        {k: v for k, v in s.items() if k not in ("seat", "people", "action")}
        for s in game.legal_steps()
        if s["action"] == action
    ]


def actions(game: NaiveStoneGuardians) -> set[str]:
    return {s["action"] for s in game.legal_steps()}


def drawn(people: int, cards: str, **more: int) -> dict[str, Any]:
    return {"people": people, "cards": cards.split(), **more}


# Set-up ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "share", "supply"), [(2, 42, 75), (3, 28, 50), (4, 21, 38)])
def test_d4_cards_are_dealt_equally_and_armies_come_from_supply(
    seats: int, share: int, supply: int
) -> None:
    setup = deal(STANDARD, seats, random.Random(5))
    game = NaiveStoneGuardians(STANDARD, seats, setup)
    land = [space for text in COUNTRIES.values() for space in hexes(text)]
    assert sorted(tuple(s) for hand in setup["provinces"] for s in hand) == sorted(land)
    assert sum(setup["bonus_armies"]) == 32
    for people in range(seats):
        hand, bonus = setup["provinces"][people], setup["bonus_armies"][people]
        assert len(hand) + bonus == share
        stock = game.peoples[people]
        assert stock.supply == supply - share
        assert stock.to_place == bonus
        assert (stock.markers, stock.ships, stock.sticks, stock.pile()) == (1, 0, 0, 23)
        assert all(game.provinces[tuple(space)].armies == 1 for space in hand)
    assert sorted(setup["artifacts"]) == list(range(1, seats + 1))
    bonuses = [setup["bonus_armies"][people] for people in setup["order"]]
    assert bonuses == sorted(bonuses, reverse=True)
    assert (game.stage, game.people, game.round, game.turn) == ("setting", game.order[0], 1, 0)


def test_d3_golems_and_the_marker_on_lutao() -> None:
    game = fresh()
    there = {space: game.provinces[space].golems for space in LUTAO}
    around = neighbours(CITY)
    assert there[CITY] == 3
    assert all(there[space] == 2 for space in around)
    assert [there[space] for space in LUTAO if space not in [CITY, *around]] == [1] * 5
    assert sum(there.values()) == 20
    assert game.golem_supply == 3
    assert [s for s, province in game.provinces.items() if province.city] == [CITY]


def test_set_ups_of_another_game_are_refused() -> None:
    good = deal(STANDARD, 2, random.Random(1))
    first, second = good["provinces"]
    bonus = good["bonus_armies"]
    bad = [
        {"artifacts": [1, 3]},
        {"provinces": [first[1:], second]},
        {"provinces": [first[1:] + [[0, 0]], second]},
        {"bonus_armies": [bonus[0] + 1, bonus[1]]},
        {"bonus_armies": [bonus[0] + 2, bonus[1] - 2]},
        {"order": [0, 0]},
        {"order": good["order"][::-1], "bonus_armies": bonus},
    ]
    assert bonus[0] != bonus[1]
    for change in bad:
        with pytest.raises(ValueError):
            NaiveStoneGuardians(STANDARD, 2, good | change)
    with pytest.raises(ValueError, match="2 to 4 seats"):
        NaiveStoneGuardians(STANDARD, 5, good)


def test_lots_decide_the_first_order_of_equal_bonus_armies() -> None:
    values = make_ruleset()
    orders = set()
    for seed in range(200):
        setup = deal(values, 2, random.Random(seed))
        if setup["bonus_armies"] == [16, 16]:
            orders.add(tuple(setup["order"]))
    assert orders == {(0, 1), (1, 0)}


# The map --------------------------------------------------------------------------------------


def test_the_map_is_what_the_rulings_say() -> None:
    game = fresh()
    land = set(game.provinces)
    assert len(land) == 64
    assert list(game.provinces)[:12] == LUTAO
    assert len(game.sea) == 105
    ring = {near for space in LUTAO for near in neighbours(space)} - set(LUTAO)
    assert len(ring) == 17
    assert not ring & land
    assert sum(len(game.edges_of(space)) for space in land) == 138
    inland = {space for space in land if not game.edges_of(space)}
    assert inland == {CITY, (4, -4), (-4, 0), (-5, 2)}
    assert all(game.sea_cost((2, 0), space) is not None for space in game.sea)


@pytest.mark.parametrize("name", COUNTRIES)
def test_every_country_is_connected_and_one_stick_from_lutao(name: str) -> None:
    game = fresh()
    spaces = hexes(COUNTRIES[name])
    reached, front = {spaces[0]}, [spaces[0]]
    while front:
        near = {n for space in front for n in neighbours(space) if n in spaces} - reached
        reached |= near
        front = list(near)
    assert reached == set(spaces)
    lutao_seas = {sea for space in LUTAO for _, sea in game.edges_of(space)}
    assert lutao_seas & {sea for space in spaces for _, sea in game.edges_of(space)}
    assert not {near for space in spaces for near in neighbours(space)} & set(LUTAO)


@pytest.mark.parametrize(
    ("start", "end", "cost"),
    [
        ((2, 0), (2, 0), 1),  # one hex of the ring
        ((2, 0), (3, -1), 2),
        ((2, 0), (1, 1), 2),
        ((2, 0), (0, 2), 3),
        ((3, -2), (1, 1), 4),  # along the ring, around Lutao
    ],
)
def test_d9_a_trip_costs_its_sea_hexes_both_ends_counted(start: Hex, end: Hex, cost: int) -> None:
    game = fresh()
    assert game.sea_cost(start, end) == cost
    assert game.sea_cost(end, start) == cost


def test_d9_waters_apart_are_not_reached() -> None:
    game = fresh()
    game.sea = {(2, 0), (1, 1), (7, 0)}
    game._sea_costs = {}
    assert game.sea_cost((2, 0), (1, 1)) == 2
    assert game.sea_cost((2, 0), (7, 0)) is None


# Strategic set-up -----------------------------------------------------------------------------


def draft(first: int = 0, countries: list[str] | None = None, seats: int = 2) -> Any:
    values = make_ruleset(strategic_setup=True)
    names = countries or []
    names = names + [name for name in COUNTRIES if name not in names]
    setup = {"countries": names, "first": first, "artifacts": list(range(1, seats + 1))}
    return NaiveStoneGuardians(values, seats, setup)


def test_turning_by_60_degrees_six_times_is_none() -> None:
    assert [turned((1, 0), n) for n in range(7)] == [
        (1, 0),
        (0, 1),
        (-1, 1),
        (-1, 0),
        (0, -1),
        (1, -1),
        (1, 0),
    ]
    assert turned((2, 1), 1) == (-1, 3)


def test_7_a_country_is_turned_around_its_first_province() -> None:
    game = draft(countries=["X11"])
    # X11 is (1,2) and (2,1): the second lies at (+1,-1), and turned once at (+1,0).
    assert game.placement("X11", 0, (1, 2)) == [(1, 2), (2, 1)]
    assert game.placement("X11", 1, (3, 1)) == [(3, 1), (4, 1)]
    assert game.placement("X11", 3, (3, 1)) == [(3, 1), (2, 2)]


@pytest.mark.parametrize(
    ("turn", "anchor", "reason"),
    [
        (0, (1, 2), None),  # touches the ring at (1, 1)
        (0, (1, 1), "covers Lutao or its ring"),
        (0, (0, 0), "covers Lutao or its ring"),
        (1, (4, 1), "touches neither"),
        (0, (0, 7), None),
        (2, (0, 7), "leaves the distance"),
        (6, (1, 2), "0 to 5"),
    ],
)
def test_7_contact_rules(turn: int, anchor: Hex, reason: str | None) -> None:
    game = draft(countries=["X11"])
    game.placed = {"X9": [(0, 6)]} if anchor == (0, 7) else {}
    if reason is None:
        assert game.is_legal(step(game, "place_country", country="X11", turn=turn, anchor=anchor))
    else:
        refused(game, "place_country", reason, country="X11", turn=turn, anchor=anchor)


def test_7_countries_touch_and_do_not_overlap() -> None:
    game = draft(countries=["X11", "X10"], first=1, seats=3)
    assert (game.stage, game.decider) == ("draft", 1)
    refused(game, "place_country", "country to lay is X11", country="X10", turn=0, anchor=(3, 2))
    play(game, "place_country", country="X11", turn=0, anchor=(1, 2))
    assert (game.stage, game.decider) == ("draft", 2)
    # X10's provinces lie at (0,0), (-1,0) and (+1,-1) of its first.
    refused(game, "place_country", "covers another", country="X10", turn=0, anchor=(2, 2))
    refused(game, "place_country", "touches neither", country="X10", turn=0, anchor=(5, 2))
    play(game, "place_country", country="X10", turn=0, anchor=(3, 2))
    assert game.decider == 0
    told = {tuple(p["space"]): p["country"] for p in game.position()["provinces"]}
    assert {space for space, name in told.items() if name == "X10"} == {(3, 2), (2, 2), (4, 1)}
    assert len(told) == 17


def test_7_the_standard_map_can_be_drafted_and_is_dealt_then() -> None:
    game = draft(countries=list(COUNTRIES), first=1)
    setup = deal(STANDARD, 2, random.Random(4))
    for name, text in list(COUNTRIES.items())[:-1]:
        play(game, "place_country", country=name, turn=0, anchor=hexes(text)[0])
    dealt = {key: setup[key] for key in ("provinces", "bonus_armies", "order")}
    last = step(game, "place_country", country="X11", turn=0, anchor=(1, 2))
    with pytest.raises(ValueError, match="lacks"):
        copy.deepcopy(game).play(last)
    assert game.play({**last, **dealt}) == {**last, **dealt}
    expected = NaiveStoneGuardians(STANDARD, 2, {**setup, "artifacts": [1, 2]})
    assert game.position() == expected.position()


# Setting phase --------------------------------------------------------------------------------


def setting(*lands: dict[Hex, int], **stock: int) -> NaiveStoneGuardians:
    game = situation(*lands, stage="setting")
    for key, value in stock.items():
        setattr(game.peoples[0], key, value)
    return game


def test_12_a_marker_goes_on_an_own_symbol() -> None:
    game = setting({SYMBOL: 1, HOME: 1, CITY: 1}, {TARGET: 1}, markers=1)
    assert listed(game, "place_marker") == [{"space": list(SYMBOL)}]
    refused(game, "place_marker", "12: .* no city symbol", space=HOME)
    refused(game, "place_marker", "12: .* no own", space=TARGET)
    refused(game, "place_marker", "13: Lutao", space=CITY)
    play(game, "place_marker", space=SYMBOL)
    assert game.provinces[SYMBOL].city
    assert game.peoples[0].markers == 0
    refused(game, "place_marker", "13: no marker", space=REFUGES[0])


def test_12_a_marker_goes_anywhere_in_a_whole_country() -> None:
    whole = {space: 1 for space in hexes(COUNTRIES["X11"])}
    game = setting(whole, markers=1)
    assert listed(game, "place_marker") == [{"space": [1, 2]}, {"space": [2, 1]}]
    game.provinces[2, 1].armies = 0
    assert listed(game, "place_marker") == [{"space": [1, 2]}]


def test_13_one_marker_a_country_whoevers() -> None:
    game = setting({SYMBOL: 1}, {HOME: 1}, markers=2)
    game.provinces[HOME].city = True
    refused(game, "place_marker", "13: Rhuam has its marker", space=SYMBOL)
    put(game, None, HOME)
    refused(game, "place_marker", "13: Rhuam has its marker", space=SYMBOL)
    game.provinces[HOME].city = False
    play(game, "place_marker", space=SYMBOL)
    assert game.peoples[0].markers == 1


def test_1_2_armies_go_into_own_provinces_up_to_eight() -> None:
    game = setting({HOME: 6, SYMBOL: 8}, {TARGET: 1}, to_place=4)
    counts = Counter(tuple(a["space"]) for a in listed(game, "place_armies"))
    assert counts == {HOME: 2, REFUGES[0]: 4}
    refused(game, "place_armies", "3 is not 1 to 2", space=HOME, count=3)
    refused(game, "place_armies", "not 1 to 0", space=SYMBOL, count=1)
    refused(game, "place_armies", "no own", space=TARGET, count=1)
    refused(game, "place_armies", "0 is not", space=HOME, count=0)
    refused(game, "end_setting", "armies are left")
    play(game, "place_armies", space=HOME, count=2)
    refused(game, "end_setting", "armies are left")
    play(game, "place_armies", space=REFUGES[0], count=2)
    assert game.provinces[HOME].armies == 8
    assert actions(game) == {"end_setting"}


def test_m2_armies_without_room_return_to_supply() -> None:
    game = setting({HOME: 7, REFUGES[0]: 8}, to_place=3)
    supply = game.peoples[0].supply
    play(game, "place_armies", space=HOME, count=1)
    assert actions(game) == {"end_setting"}
    play(game, "end_setting")
    assert (game.peoples[0].to_place, game.peoples[0].supply) == (0, supply + 2)
    # People 1 has nothing to set and is passed over.
    assert (game.stage, game.people) == ("movement", 0)


@pytest.mark.parametrize(
    ("stock", "asked"),
    [
        ({}, False),
        ({"to_place": 1}, True),
        ({"ships": 1}, True),
        ({"markers": 1}, False),  # no own symbol
    ],
)
def test_setting_is_skipped_where_nothing_can_be_set(stock: dict[str, int], asked: bool) -> None:
    game = situation({HOME: 1}, stage="setting")
    for key, value in stock.items():
        setattr(game.peoples[0], key, value)
    game.waiting = [0]
    game._next_setting()
    assert game.stage == ("setting" if asked else "movement")


def test_a_skipped_setting_returns_armies_without_room() -> None:
    game = situation({REFUGES[0]: 8})
    game.peoples[0].to_place, supply = 2, game.peoples[0].supply
    game.waiting = [0]
    game._next_setting()
    assert game.stage == "movement"
    assert game.peoples[0].supply == supply + 2


def test_14_ships_go_to_free_sea_edges_of_own_provinces() -> None:
    game = setting({(4, -4): 1, (1, 2): 1}, {(2, 1): 1}, ships=2)
    game.ships = {((1, 2), (1, 1)), ((2, 1), (2, 0))}
    refused(game, "place_ship", "a ship lies there", space=(1, 2), edge=(1, 1))
    refused(game, "place_ship", "no own", space=(2, 1), edge=(3, 1))
    refused(game, "place_ship", "no sea", space=(4, -4), edge=(4, -5))
    refused(game, "place_ship", "no sea", space=(1, 2), edge=(6, 0))
    # Of the hexes around (1,2) only (1,1) and (0,2) are sea; (4,-4) is inland.
    edges = [a for a in listed(game, "place_ship") if tuple(a["space"]) != REFUGES[0]]
    assert edges == [{"space": [1, 2], "edge": [0, 2]}]
    play(game, "place_ship", space=(1, 2), edge=(0, 2))
    assert ((1, 2), (0, 2)) in game.ships
    assert game.peoples[0].ships == 1


def test_ships_and_markers_may_be_kept_back() -> None:
    game = setting({SYMBOL: 1}, markers=1, ships=1)
    play(game, "end_setting")
    assert (game.peoples[0].markers, game.peoples[0].ships) == (1, 1)


def test_11_each_people_sets_everything_in_the_order_of_the_stones() -> None:
    game = fresh(3, seed=2)
    setters = []
    rng = random.Random(1)
    while game.stage == "setting":
        if game.people not in setters:
            setters.append(game.people)
        assert game.people == setters[-1]
        game.play(game.random_step(rng), rng)
    assert setters == game.order
    assert (game.stage, game.people) == ("movement", game.order[0])


# Movement -------------------------------------------------------------------------------------


def test_2_1_one_army_stays_and_the_target_is_next() -> None:
    game = situation({HOME: 3}, {TARGET: 1})
    to_target = [a["count"] for a in listed(game, "move") if a["to"] == list(TARGET)]
    assert to_target == [1, 2]
    refused(game, "move", "3 is not 1 to 2", start=HOME, to=TARGET, count=3)
    refused(game, "move", "0 is not", start=HOME, to=TARGET, count=0)
    refused(game, "move", "not next to", start=HOME, to=(5, 0 - 1), count=1)
    refused(game, "move", "no own", start=TARGET, to=NEAR, count=1)
    assert game.is_legal(step(game, "end_movement"))


def test_m1_own_provinces_are_no_targets_of_movement() -> None:
    game = situation({HOME: 3, NEAR: 1})
    refused(game, "move", "M1", start=HOME, to=NEAR, count=1)
    play(game, "end_movement")
    assert game.stage == "formation"
    play(game, "move", start=HOME, to=NEAR, count=1)
    refused(game, "move", "M1", start=HOME, to=TARGET, count=1)


def test_20_an_empty_province_is_conquered_at_once() -> None:
    game = situation({HOME: 5})
    game.provinces[TARGET].city = True
    game.ships = {(TARGET, (2, 2))}
    play(game, "move", start=HOME, to=TARGET, count=2)
    province = game.provinces[TARGET]
    assert (province.owner, province.armies, province.attackers) == (0, 2, 0)
    # 19: a second group may follow; 18: those who came may not go on.
    play(game, "move", start=HOME, to=TARGET, count=1)
    assert (province.armies, game.provinces[HOME].armies) == (3, 2)
    refused(game, "move", "no own", start=TARGET, to=NEAR, count=1)
    assert game.points_of(0) == 1 + 1 + 1 + 1  # refuge, home, target and its marker


def test_18_each_army_moves_once() -> None:
    game = situation({HOME: 4})
    play(game, "move", start=HOME, to=TARGET, count=2)
    play(game, "move", start=HOME, to=NEAR, count=1)
    # The last one stays, and those who came to an empty province are no origin.
    refused(game, "move", "not 1 to 0", start=HOME, to=NEAR, count=1)
    refused(game, "move", "no own", start=TARGET, to=NEAR, count=1)
    assert listed(game, "move") and all(
        tuple(a["from"]) == REFUGES[0] for a in listed(game, "move")
    )


def test_21_attackers_gather_without_limit() -> None:
    game = situation({HOME: 8, NEAR: 8}, {TARGET: 2})
    play(game, "move", start=HOME, to=TARGET, count=7)
    play(game, "move", start=NEAR, to=TARGET, count=7)
    province = game.provinces[TARGET]
    assert (province.owner, province.armies, province.attackers) == (1, 2, 14)
    told = play(game, "end_movement", random.Random(3))
    # G10: one fight, and the only one begins without a step.
    assert [entry["people"] for entry in told["draws"]] == [0, 1]
    assert game.stage == "attacker_holds_back"


def test_m5_artifacts_are_taken_by_their_own_people_only() -> None:
    game = situation({(1, -1): 3}, {(-1, 0): 3})
    game.peoples[0].artifact, game.peoples[1].artifact = (0, -1), (-1, -1)
    put(game, None, (0, -1))
    put(game, None, (-1, -1))
    play(game, "move", start=(1, -1), to=(0, -1), count=1)
    assert game.position()["peoples"][0]["artifacts"] == ["people"]
    game._start_movement(1)
    game.peoples[1].artifact = (-2, 1)
    play(game, "move", start=(-1, 0), to=(-1, -1), count=1)
    assert game.position()["peoples"][1]["artifacts"] == []


def test_15_entering_lutaos_empty_city_begins_the_hold() -> None:
    game = situation({(1, 0): 3})
    put(game, None, CITY)
    game.round = 4
    play(game, "move", start=(1, 0), to=CITY, count=2)
    assert (game.holder, game.hold_since) == (0, 4)


# The sea --------------------------------------------------------------------------------------

PLACE = {"start": (2, 1), "ship": (2, 0)}
LANDED = {"to": (1, 0), "edge": (2, 0)}  # across one hex of the ring


def harbour(sticks: int = 1, **more: Any) -> NaiveStoneGuardians:
    """People 0 has a ship at X11, one stick from Lutao's (1,0)."""
    game = situation({(2, 1): 4}, {(1, 2): 2}, **more)
    game.ships = {((2, 1), (2, 0))}
    game.peoples[0].sticks = sticks
    return game


def test_m3_a_ship_sails_and_stays_where_it_landed() -> None:
    game = harbour()
    put(game, None, (1, 0))
    play(game, "sail", **PLACE, **LANDED, count=3)
    assert game.ships == {((1, 0), (2, 0))}
    assert game.position()["sailed"] == [[[1, 0], [2, 0]]]
    assert (game.provinces[1, 0].owner, game.provinces[1, 0].armies) == (0, 3)
    assert (game.provinces[2, 1].armies, game.peoples[0].sticks) == (1, 0)


def test_sailing_takes_a_ship_sticks_and_an_army_that_stays() -> None:
    game = harbour()
    refused(game, "sail", "4 is not 1 to 3", **PLACE, **LANDED, count=4)
    refused(game, "sail", "0 is not", **PLACE, **LANDED, count=0)
    refused(game, "sail", "23", start=(2, 1), ship=(3, 1), **LANDED, count=1)
    refused(game, "sail", "sticks", **PLACE, to=(1, 0), edge=(1, 1), count=1)
    refused(game, "sail", "no sea", **PLACE, to=(1, 0), edge=(2, 1), count=1)
    game.peoples[0].sticks = 2
    assert game.is_legal(step(game, "sail", **PLACE, to=(1, 0), edge=(1, 1), count=1))
    game.peoples[0].sticks = 0
    assert listed(game, "sail") == []


def test_a_ship_at_anothers_province_cannot_be_used() -> None:
    game = harbour(sticks=9)
    game.ships = {((1, 2), (1, 1))}
    refused(game, "sail", "no own", start=(1, 2), ship=(1, 1), **LANDED, count=1)
    assert listed(game, "sail") == []


def test_a_ship_lands_at_foreign_or_empty_provinces_in_movement() -> None:
    game = situation({(2, 1): 4, (1, 0): 2, (3, 0): 1})
    game.ships = {((2, 1), (2, 0))}
    game.peoples[0].sticks = 1
    refused(game, "sail", "M1", **PLACE, **LANDED, count=1)
    enter(game, "formation", 0)
    assert game.is_legal(step(game, "sail", **PLACE, **LANDED, count=1))
    refused(game, "sail", "M1", **PLACE, to=(1, 2), edge=(1, 1), count=1)


def test_24_a_ship_makes_one_trip_in_movement_and_one_in_formation() -> None:
    game = harbour(sticks=5)
    put(game, None, (1, 0))
    play(game, "sail", **PLACE, **LANDED, count=2)
    assert listed(game, "sail") == []
    play(game, "end_movement")
    assert game.stage == "formation"
    play(game, "sail", start=(1, 0), ship=(2, 0), to=(2, 1), edge=(2, 0), count=1)
    play(game, "land")
    refused(game, "sail", "24", start=(2, 1), ship=(2, 0), to=(1, 0), edge=(2, 0), count=1)


def test_25_a_ship_at_the_landing_edge_leaves_the_game_before_the_fight() -> None:
    game = situation({(2, 1): 4}, {(1, 0): 2})
    game.ships = {((2, 1), (2, 0)), ((1, 0), (2, 0)), ((1, 0), (1, 1))}
    game.peoples[0].sticks = 1
    play(game, "sail", **PLACE, **LANDED, count=2)
    assert game.ships == {((1, 0), (2, 0)), ((1, 0), (1, 1))}
    assert game.met["displaced ship"] == 1
    assert game.provinces[1, 0].attackers == 2
    play(game, "end_movement", random.Random(1))
    assert game.met["ship fight"] == 1


# Fights ---------------------------------------------------------------------------------------


def combat(
    attackers: int,
    defenders: int,
    attack: str,
    defence: str,
    city: bool = False,
    golems: bool = False,
) -> tuple[int, int]:
    """Fight one combat round with the cards played; what is left on both sides."""
    game = situation({HOME: attackers + 1}, {} if golems else {TARGET: defenders})
    province = game.provinces[TARGET]
    province.city = city
    if golems:
        province.golems = defenders
    play(game, "move", start=HOME, to=TARGET, count=attackers)
    draws = [drawn(0, "miss " + attack)] + ([] if golems else [drawn(1, "miss " + defence)])
    play(game, "end_movement", draws=draws)
    chance = random.Random(1)
    play(game, "hold_back", chance, card="miss")
    if not golems:
        play(game, "hold_back", chance, card="miss")
    if province.attackers > 0:
        assert game.fight is not None
        return (province.attackers, province.armies + province.golems)
    assert game.stage == "formation"
    if province.owner == 0:
        return (province.armies, 0)
    return (0, province.armies + province.golems)


@pytest.mark.parametrize(
    ("attack", "defence", "city", "left"),
    [
        ("miss miss miss", "miss miss miss", False, (3, 3)),
        ("hit miss miss", "miss miss miss", False, (3, 2)),
        ("hit miss miss", "miss miss miss", True, (3, 3)),
        ("city_hit miss miss", "miss miss miss", False, (3, 2)),
        ("city_hit miss miss", "miss miss miss", True, (3, 2)),
        # A hero strike is two hits, or one city hit.
        ("hero_strike miss miss", "miss miss miss", False, (3, 1)),
        ("hero_strike miss miss", "miss miss miss", True, (3, 2)),
        # G4: a shield stops one strike of any kind.
        ("hit miss miss", "shield miss miss", False, (3, 3)),
        ("city_hit miss miss", "shield miss miss", True, (3, 3)),
        ("hero_strike miss miss", "shield miss miss", False, (3, 2)),
        ("hero_strike miss miss", "shield shield miss", False, (3, 3)),
        ("hit miss miss", "shield shield shield", False, (3, 3)),
        # G5: hits on a city are void first and use up no shield.
        ("hit hit city_hit", "shield miss miss", True, (3, 3)),
        ("hit hit city_hit", "shield miss miss", False, (3, 1)),
        ("hero_strike hero_strike city_hit", "shield miss miss", True, (3, 1)),
        # G3: surplus is lost, losses are simultaneous.
        ("hero_strike hero_strike miss", "miss miss miss", False, (3, 0)),
        ("hit hit hit", "hit hit miss", False, (1, 0)),
        ("hit hit hit", "hit hit hit", False, (0, 0)),
        ("miss miss miss", "hero_strike hit hit", False, (0, 3)),
        # G6: attackers are never in a city.
        ("miss miss miss", "hit hit miss", True, (1, 3)),
        ("shield miss miss", "hit hero_strike miss", True, (1, 3)),
    ],
)
def test_32_losses_of_a_combat_round(
    attack: str, defence: str, city: bool, left: tuple[int, int]
) -> None:
    assert combat(3, 3, attack, defence, city) == left


@pytest.mark.parametrize(
    ("golems", "attack", "city", "left"),
    [
        (1, "hit miss miss", False, (2, 0)),  # struck in the same instant
        (1, "hit shield miss", False, (3, 0)),
        (1, "miss miss miss", False, (2, 1)),
        (2, "shield miss miss", False, (2, 2)),
        (3, "hit hit hit", False, (0, 0)),
        (3, "hit hit hit", True, (0, 3)),  # G8: golems in a city are in a city
        (3, "city_hit hero_strike shield", True, (1, 1)),
        (5, "shield shield shield", False, (1, 5)),
    ],
)
def test_g8_golems_strike_without_cards(
    golems: int, attack: str, city: bool, left: tuple[int, int]
) -> None:
    assert combat(3, golems, attack, "", city, golems=True) == left


@pytest.mark.parametrize(("armies", "cards"), [(1, 2), (2, 3), (3, 4), (4, 4), (9, 4)])
def test_31_cards_drawn(armies: int, cards: int) -> None:
    game = situation({HOME: armies + 1}, {TARGET: 1})
    play(game, "move", start=HOME, to=TARGET, count=armies)
    play(game, "end_movement", random.Random(1))
    hands = game.position()["fight"]["hands"]
    assert [hand["size"] for hand in hands] == [cards, 2]
    assert [people.pile() for people in game.peoples] == [23 - cards, 21]


def test_a_card_limit_caps_the_cards_drawn() -> None:
    game = situation({HOME: 4}, {TARGET: 1}, card_limit=3)
    play(game, "move", start=HOME, to=TARGET, count=3)
    play(game, "end_movement", random.Random(1))
    assert [hand["size"] for hand in game.position()["fight"]["hands"]] == [3, 2]


def duel(attackers: int = 1, defenders: int = 1, **changes: Any) -> NaiveStoneGuardians:
    game = situation({HOME: attackers + 1}, {TARGET: defenders}, **changes)
    play(game, "move", start=HOME, to=TARGET, count=attackers)
    return game


def test_33_both_hold_back_the_attacker_first() -> None:
    game = duel(2, 1)
    play(game, "end_movement", draws=[drawn(0, "hit miss hit"), drawn(1, "shield miss")])
    assert (game.stage, game.decider, game.people) == ("attacker_holds_back", 0, 0)
    assert listed(game, "hold_back") == [{"card": "miss"}, {"card": "hit"}]
    refused(game, "hold_back", "none of the choices", card="shield")
    assert not game.is_legal({"seat": 1, "people": 1, "action": "hold_back", "card": "miss"})
    play(game, "hold_back", card="hit")
    assert (game.stage, game.decider, game.people) == ("defender_holds_back", 1, 0)
    fight = game.position()["fight"]
    assert fight["hands"][0] == {"size": 2, "cards": {"hit": 1, "miss": 1}, "held_back": "hit"}
    assert fight["hands"][1] == {
        "size": 2,
        "cards": {"miss": 1, "shield": 1},
        "held_back": None,
    }
    assert game.peoples[0].pile() == 23 - 3 + 1
    play(game, "hold_back", card="shield")
    # One hit, no shield: the attacker has won with both armies.
    assert (game.provinces[TARGET].owner, game.provinces[TARGET].armies) == (0, 2)
    assert game.peoples[0].discards == {"hit": 1, "miss": 1}
    assert game.peoples[1].discards == {"miss": 1}
    assert game.peoples[0].under == ["hit"]


def test_equal_cards_are_still_held_back_by_a_step() -> None:
    game = duel()
    play(game, "end_movement", draws=[drawn(0, "hit hit"), drawn(1, "miss miss")])
    assert listed(game, "hold_back") == [{"card": "hit"}]


def test_g2_cards_are_counted_anew_each_combat_round() -> None:
    game = duel(3, 3)
    first = [drawn(0, "miss miss miss miss"), drawn(1, "miss hit hit miss")]
    play(game, "end_movement", draws=first)
    play(game, "hold_back", card="miss")
    second = [drawn(0, "shield shield"), drawn(1, "hit hit hit hit")]
    play(game, "hold_back", card="miss", draws=second)
    assert game.provinces[TARGET].attackers == 1
    assert [hand["size"] for hand in game.position()["fight"]["hands"]] == [2, 4]


def test_g1_cards_held_back_come_last_in_their_order() -> None:
    game = duel()
    game.peoples[0].top = Counter({"miss": 1})
    game.peoples[0].under = ["hit", "shield"]
    wrong = copy.deepcopy(game)
    with pytest.raises(ValueError, match="held back before"):
        play(wrong, "end_movement", draws=[drawn(0, "miss shield"), drawn(1, "miss miss")])
    play(game, "end_movement", draws=[drawn(0, "miss hit"), drawn(1, "miss miss")])
    assert game.peoples[0].under == ["shield"]


def test_g1_a_short_pile_is_reshuffled_from_the_discards() -> None:
    game = duel(3, 1)
    game.peoples[0].top = Counter({"hit": 1})
    game.peoples[0].under = ["shield"]
    game.peoples[0].discards = Counter({"miss": 3})
    draws = [drawn(0, "hit shield miss miss", reshuffled=2), drawn(1, "miss miss")]
    wrong = copy.deepcopy(game)
    with pytest.raises(ValueError, match="should be"):
        bad = [drawn(0, "hit shield miss miss", reshuffled=1), drawn(1, "miss miss")]
        play(wrong, "end_movement", draws=bad)
    play(game, "end_movement", draws=draws)
    assert game.peoples[0].top.total() == 1
    play(game, "hold_back", card="hit")
    # The card held back lies under the new pile.
    assert (game.peoples[0].top, game.peoples[0].under) == (Counter({"miss": 1}), ["hit"])
    assert game.met["reshuffle in a fight"] == 1


def test_a_pile_that_just_suffices_is_not_reshuffled() -> None:
    game = duel()
    game.peoples[0].top, game.peoples[0].discards = Counter({"hit": 2}), Counter({"miss": 3})
    play(game, "end_movement", draws=[drawn(0, "hit hit"), drawn(1, "miss miss")])
    assert game.peoples[0].pile() == 0
    assert game.peoples[0].discards == {"miss": 3}


def test_g1_a_single_card_is_not_held_back() -> None:
    game = duel(3, 3)
    game.peoples[0].top = Counter({"hit": 1})
    play(game, "end_movement", draws=[drawn(0, "hit"), drawn(1, "miss hit miss hit")])
    assert game.stage == "defender_holds_back"
    # In the next round the discard becomes the pile.
    again = [drawn(0, "hit", reshuffled=0), drawn(1, "miss miss miss")]
    play(game, "hold_back", card="miss", draws=again)
    assert (game.provinces[TARGET].attackers, game.provinces[TARGET].armies) == (1, 2)


def test_who_has_no_card_at_all_draws_none() -> None:
    game = duel(1, 3)
    game.peoples[0].top = Counter()
    play(game, "end_movement", draws=[drawn(1, "miss hit miss hit")])
    assert game.stage == "defender_holds_back"
    assert game.position()["fight"]["hands"][0] == {"size": 0, "cards": {}, "held_back": None}
    play(game, "hold_back", card="miss")
    assert (game.provinces[TARGET].owner, game.provinces[TARGET].armies) == (1, 3)


@pytest.mark.parametrize(
    "draws",
    [
        [drawn(0, "hit hit")],
        [drawn(1, "miss miss"), drawn(0, "hit hit")],
        [drawn(0, "hit"), drawn(1, "miss miss")],
        [drawn(0, "hit hit hit"), drawn(1, "miss miss")],
        [drawn(0, "hit dragon"), drawn(1, "miss miss")],
        [drawn(0, "hit hit"), drawn(1, "hero_strike hero_strike hero_strike")],
        [drawn(0, "hit hit", reshuffled=2), drawn(1, "miss miss")],
        [drawn(0, "hit hit"), drawn(1, "miss miss"), drawn(0, "miss miss")],
    ],
)
def test_draws_that_cannot_be_are_refused(draws: list[dict[str, Any]]) -> None:
    with pytest.raises(ValueError):
        play(duel(), "end_movement", draws=draws)


def test_a_third_hero_strike_is_not_in_the_deck() -> None:
    game = duel(3, 1)
    three = "hero_strike hero_strike hero_strike miss"
    with pytest.raises(ValueError, match="no hero_strike"):
        play(game, "end_movement", draws=[drawn(0, three), drawn(1, "miss miss")])


def hold_back_misses(game: NaiveStoneGuardians) -> None:
    """Both sides hold a miss back, and that ends the fight."""
    play(game, "hold_back", card="miss")
    play(game, "hold_back", card="miss")


def test_g3_a_province_emptied_is_nobodys_and_keeps_marker_and_ship() -> None:
    game = duel()
    game.provinces[TARGET].city = True
    game.ships = {(TARGET, (2, 2))}
    supplies = [people.supply for people in game.peoples]
    play(game, "end_movement", draws=[drawn(0, "city_hit miss"), drawn(1, "hit miss")])
    hold_back_misses(game)
    province = game.provinces[TARGET]
    assert (province.owner, province.armies, province.attackers, province.city) == (
        None,
        0,
        0,
        True,
    )
    assert game.ships == {(TARGET, (2, 2))}
    # 9: the destroyed return to their own supply.
    assert [people.supply for people in game.peoples] == [s + 1 for s in supplies]
    assert game.met["annihilation"] == 1


def test_the_defender_who_wins_stays() -> None:
    game = duel()
    play(game, "end_movement", draws=[drawn(0, "miss miss"), drawn(1, "hit miss")])
    hold_back_misses(game)
    province = game.provinces[TARGET]
    assert (province.owner, province.armies, province.attackers) == (1, 1, 0)
    assert game.stage == "formation"


def test_g10_the_attacker_orders_several_fights() -> None:
    game = situation({HOME: 5}, {TARGET: 1, NEAR: 1, SYMBOL: 1})
    for target in (TARGET, NEAR, SYMBOL):
        play(game, "move", start=HOME, to=target, count=1)
    play(game, "end_movement")
    assert (game.stage, game.decider) == ("fight_order", 0)
    spaces = {tuple(a["space"]) for a in listed(game, "fight")}
    assert spaces == {TARGET, NEAR, SYMBOL}
    refused(game, "fight", "none of the choices", space=HOME)
    win = [drawn(0, "hit miss"), drawn(1, "miss miss")]
    play(game, "fight", space=NEAR, draws=win)
    hold_back_misses(game)
    assert {tuple(a["space"]) for a in listed(game, "fight")} == {TARGET, SYMBOL}
    play(game, "fight", space=TARGET, draws=win)
    # The last one begins by itself, with the step that ended the fight before.
    play(game, "hold_back", card="miss")
    play(game, "hold_back", card="miss", draws=win)
    assert game.position()["fight"]["space"] == list(SYMBOL)
    assert game.stage == "attacker_holds_back"


def test_a_held_city_taken_by_fight_changes_the_holder() -> None:
    game = situation({(1, 0): 3})
    hold_city(game, 1, since=2, armies=1)
    game.round = 5
    play(game, "move", start=(1, 0), to=CITY, count=1)
    assert game.holder == 1
    play(game, "end_movement", draws=[drawn(0, "city_hit miss"), drawn(1, "shield miss")])
    play(game, "hold_back", card="miss")
    play(game, "hold_back", card="shield")
    assert (game.holder, game.hold_since) == (0, 5)


@pytest.mark.parametrize(
    ("attack", "holder", "since"), [("hit miss", 1, 2), ("city_hit miss", None, None)]
)
def test_15_a_city_defended_is_held_on_and_an_emptied_one_by_nobody(
    attack: str, holder: int | None, since: int | None
) -> None:
    game = situation({(1, 0): 3})
    hold_city(game, 1, since=2, armies=1)
    game.round = 5
    play(game, "move", start=(1, 0), to=CITY, count=1)
    play(game, "end_movement", draws=[drawn(0, attack), drawn(1, "hit miss")])
    hold_back_misses(game)
    assert game.stage == "formation"
    assert (game.holder, game.hold_since) == (holder, since)


# Formation ------------------------------------------------------------------------------------


def test_22_armies_that_moved_may_move_again_and_arrivals_stay() -> None:
    game = situation({HOME: 3})
    play(game, "move", start=HOME, to=TARGET, count=2)
    play(game, "end_movement")
    # One moves back; the other one stays.
    play(game, "move", start=TARGET, to=HOME, count=1)
    refused(game, "move", "not 1 to 0", start=TARGET, to=HOME, count=1)
    # Chains: one army comes to HOME, and HOME's own may leave for TARGET.
    play(game, "move", start=HOME, to=TARGET, count=1)
    assert (game.provinces[HOME].armies, game.provinces[TARGET].armies) == (1, 2)
    # The newcomer is the one left behind at TARGET, so that the first one there may leave.
    play(game, "move", start=TARGET, to=HOME, count=1)
    refused(game, "move", "not 1 to 0", start=TARGET, to=HOME, count=1)
    refused(game, "move", "not 1 to 0", start=HOME, to=TARGET, count=1)


def test_m2_the_limit_holds_again_at_the_end_of_formation() -> None:
    game = situation({HOME: 8, TARGET: 8, NEAR: 2}, stage="formation")
    supply = game.peoples[0].supply
    play(game, "move", start=TARGET, to=HOME, count=3)
    play(game, "move", start=HOME, to=NEAR, count=1)
    assert game.provinces[HOME].armies == 10
    play(game, "end_formation")
    assert [game.provinces[space].armies for space in (HOME, TARGET, NEAR)] == [8, 5, 3]
    assert game.peoples[0].supply == supply + 2
    assert (game.met["surplus"], game.turn, game.people) == (1, 1, 1)


def trip(aboard: int = 2, **armies: int) -> NaiveStoneGuardians:
    """A ship from X11 under way at X11's other province, in formation; four sticks are left."""
    land = {(2, 1): 4, (1, 2): armies.get("stop", 3), (1, 0): 1}
    game = situation(land, stage="formation")
    game.ships = {((2, 1), (2, 0)), ((1, 2), (1, 1)), ((1, 0), (2, 0))}
    game.peoples[0].sticks = 6
    play(game, "sail", **PLACE, to=(1, 2), edge=(1, 1), count=aboard)
    return game


def test_26_a_stop_unloads_once_then_loads_once() -> None:
    game = trip()
    assert game.position()["trip"] == {"ship": [[1, 2], [1, 1]], "aboard": 2}
    assert (game.stage, game.peoples[0].sticks) == ("stopover", 4)
    # The ship has left its edge, and the one at the stop is not displaced.
    assert game.ships == {((1, 2), (1, 1)), ((1, 0), (2, 0))}
    assert listed(game, "unload") == [{"count": 1}, {"count": 2}]
    assert listed(game, "load") == [{"count": 1}, {"count": 2}]
    play(game, "unload", count=1)
    refused(game, "unload", "26", count=1)
    assert game.provinces[1, 2].armies == 4
    assert listed(game, "load") == [{"count": 1}, {"count": 2}, {"count": 3}]
    play(game, "load", count=3)
    refused(game, "load", "26", count=1)
    assert (game.trip.aboard, game.provinces[1, 2].armies) == (4, 1)
    play(game, "land")
    assert game.provinces[1, 2].armies == 5
    assert game.ships == {((1, 2), (1, 1)), ((1, 0), (2, 0))}
    assert (game.met["displaced ship"], game.stage) == (1, "formation")
    assert game.position()["sailed"] == [[[1, 2], [1, 1]]]


def test_26_no_unloading_after_loading() -> None:
    game = trip()
    play(game, "load", count=1)
    refused(game, "unload", "26", count=1)
    assert actions(game) == {"sail_on", "land"}


def test_24_all_go_ashore_only_where_others_come_aboard() -> None:
    game = trip()
    play(game, "unload", count=2)
    assert actions(game) == {"load"}
    refused(game, "land", "24")
    refused(game, "sail_on", "24", to=(1, 0), edge=(2, 0))
    play(game, "load", count=1)
    assert actions(game) == {"sail_on", "land"}
    # Nobody unmoved is there: the stop's armies have moved before.
    game = trip()
    game.unmoved[1, 2] = 0
    assert listed(game, "unload") == [{"count": 1}]
    refused(game, "unload", "2 is not 1 to 1", count=2)
    game = trip(aboard=1)
    game.unmoved[1, 2] = 0
    assert actions(game) == {"sail_on", "land"}


def test_26_legs_go_between_own_edges_at_their_cost() -> None:
    game = trip()
    refused(game, "sail_on", "at this edge", to=(1, 2), edge=(1, 1))
    refused(game, "sail_on", "M1", to=(0, 1), edge=(0, 2))
    assert {tuple(a["to"]) for a in listed(game, "sail_on")} >= {(1, 2), (1, 0), (2, 1)}
    play(game, "sail_on", to=(1, 0), edge=(1, 1))
    assert game.peoples[0].sticks == 3
    play(game, "unload", count=1)
    play(game, "sail_on", to=(2, 1), edge=(2, 0))
    assert game.peoples[0].sticks == 1
    # At a new stop both may be done anew; two unmoved armies are there, and one must stay.
    assert listed(game, "unload") == [{"count": 1}]
    assert listed(game, "load") == [{"count": 1}]
    play(game, "land")
    # Both ends of the trip are the same edge; nothing was displaced on the way.
    assert game.ships == {((2, 1), (2, 0)), ((1, 2), (1, 1)), ((1, 0), (2, 0))}
    assert (game.provinces[1, 0].armies, game.provinces[2, 1].armies) == (2, 3)
    assert game.met["displaced ship"] == 0
    refused(game, "sail", "24", **PLACE, to=(1, 2), edge=(1, 1), count=1)


def test_26_passengers_have_moved_and_count_as_left_behind() -> None:
    game = trip(stop=1)
    assert listed(game, "load") == []
    play(game, "unload", count=1)
    assert listed(game, "load") == [{"count": 1}]
    play(game, "land")
    assert game.provinces[1, 2].armies == 3
    # The one that was there may leave, those who came may not.
    moves = [a["count"] for a in listed(game, "move") if a["from"] == [1, 2]]
    assert set(moves) == {1}


# Golem actions --------------------------------------------------------------------------------


def golem_stage(*lands: dict[Hex, int], seats: int = 3, **more: Any) -> NaiveStoneGuardians:
    """People 0 holds Lutao's city at the end of its formation."""
    filled = [dict(land) for land in lands] + [{} for _ in range(seats - len(lands))]
    game = situation(*filled, stage="formation", **more)
    hold_city(game, 0)
    play(game, "end_formation")
    return game


def test_m13_targets_are_lutao_provinces_of_others_next_to_golems() -> None:
    game = golem_stage({(0, 1): 2}, {(1, 0): 2, HOME: 1})
    assert (game.stage, game.decider, game.golem_actions) == ("golems", 0, 2)
    pairs = {(tuple(a["from"]), tuple(a["to"])) for a in listed(game, "golem_attack")}
    assert pairs == {((1, -1), (1, 0)), ((2, -1), (1, 0))}
    refused(game, "golem_attack", "29", start=(-1, 1), to=(0, 1))
    refused(game, "golem_attack", "no golems", start=(0, 1), to=(1, 0))
    refused(game, "golem_attack", "not next", start=(0, -1), to=(1, 0))
    refused(game, "golem_attack", "29", start=(1, -1), to=(0, -1))
    refused(game, "golem_place", "not empty", space=(0, 1))
    refused(game, "golem_place", "no province of Lutao", space=TARGET)
    play(game, "end_golems")
    assert (game.people, game.golem_actions, game.turn) == (1, 0, 1)


@pytest.mark.parametrize(("seats", "count"), [(2, 1), (3, 2), (4, 3)])
def test_as_many_golem_actions_as_opponents(seats: int, count: int) -> None:
    game = golem_stage({}, {(1, 0): 2}, seats=seats)
    assert game.position()["golem_actions"] == count


def test_golem_stage_only_for_the_holder_and_if_something_can_be_done() -> None:
    game = golem_stage({})
    assert (game.people, game.stage) == (1, "movement")
    game = situation({}, {(1, 0): 2}, stage="formation")
    hold_city(game, 1)
    play(game, "end_formation")
    assert (game.people, game.stage) == (1, "movement")
    # An empty province is enough, while golems are in supply.
    for supply, stage in ((1, "golems"), (0, "movement")):
        game = situation({}, stage="formation")
        hold_city(game, 0)
        put(game, None, (1, 0))
        game.golem_supply = supply
        play(game, "end_formation")
        assert game.stage == stage


@pytest.mark.parametrize(("supply", "placed"), [(3, 2), (2, 2), (1, 1)])
def test_m13_two_golems_are_placed_or_what_there_is(supply: int, placed: int) -> None:
    game = situation({}, {}, {}, stage="formation")
    hold_city(game, 0)
    put(game, None, (1, 0))
    put(game, None, (2, -1))
    game.golem_supply = supply
    play(game, "end_formation")
    assert listed(game, "golem_place") == [{"space": [1, 0]}, {"space": [2, -1]}]
    play(game, "golem_place", space=(1, 0))
    assert (game.provinces[1, 0].golems, game.golem_supply) == (placed, supply - placed)
    assert game.stage == ("golems" if supply > placed else "movement")


def test_golems_that_win_stay_and_own_nothing() -> None:
    game = golem_stage({}, {(1, 0): 1}, seats=2)
    told = play(game, "golem_attack", start=(1, -1), to=(1, 0), draws=[drawn(1, "hit miss")])
    assert told["draws"] == [drawn(1, "hit miss")]
    # The only action is used up, so the fight has begun at once.
    fight = game.position()["fight"]
    assert (fight["attacker"], fight["defender"]) == ("golems", 1)
    assert (game.stage, game.decider, game.people) == ("defender_holds_back", 1, 0)
    play(game, "hold_back", card="miss")
    province = game.provinces[1, 0]
    assert (province.owner, province.armies, province.golems, province.attackers) == (
        None,
        0,
        1,
        0,
    )
    assert game.provinces[1, -1].golems == 0
    assert (game.golem_supply, game.met["golem attack won"]) == (4, 1)
    assert (game.people, game.stage) == (1, "movement")


def test_golems_that_lose_return_to_supply() -> None:
    game = golem_stage({}, {(1, 0): 2}, seats=2)
    draws = [drawn(1, "hero_strike shield miss")]
    play(game, "golem_attack", start=(1, -1), to=(1, 0), draws=draws)
    play(game, "hold_back", card="miss")
    province = game.provinces[1, 0]
    assert (province.owner, province.armies, province.golems) == (1, 1, 0)
    assert (game.golem_supply, game.met["golem attack lost"]) == (5, 1)


def test_29_golems_of_several_provinces_join_at_an_action_each() -> None:
    game = golem_stage({}, {(1, 0): 5, (0, -1): 1}, seats=4)
    play(game, "golem_attack", start=(1, -1), to=(1, 0))
    assert game.golem_actions == 2
    assert actions(game) == {"golem_attack", "fight"}
    attacks = listed(game, "golem_attack")
    assert {tuple(a["to"]) for a in attacks} == {(1, 0)}
    assert {tuple(a["from"]) for a in attacks} == {(0, 1), (2, -1)}
    refused(game, "golem_attack", "gather for another", start=(1, -2), to=(0, -1))
    refused(game, "fight", "none of the choices", space=(0, -1))
    assert game.provinces[1, 0].attackers == 2
    play(game, "golem_attack", start=(0, 1), to=(1, 0))
    play(game, "fight", space=(1, 0), draws=[drawn(1, "hit hit hit hero_strike")])
    assert (game.golem_actions, game.provinces[1, 0].attackers) == (1, 4)
    play(game, "hold_back", card="hero_strike", draws=[drawn(1, "miss hit")])
    assert (game.provinces[1, 0].attackers, game.provinces[1, 0].armies) == (1, 1)
    play(game, "hold_back", card="miss")
    # Both are destroyed; one action is left for something else.
    assert (game.provinces[1, 0].owner, game.provinces[1, 0].golems) == (None, 0)
    assert game.golem_supply == 7
    assert game.stage == "golems"
    assert {(1, 0), (1, -1), (0, 1)} == {tuple(a["space"]) for a in listed(game, "golem_place")}


def test_golems_fight_at_once_where_no_others_can_join() -> None:
    game = golem_stage({}, {(2, -1): 1}, seats=4)
    for space in ((1, -1), (1, -2)):
        game.provinces[space].golems = 0
    play(game, "golem_attack", start=(1, 0), to=(2, -1), draws=[drawn(1, "miss miss")])
    assert (game.stage, game.golem_actions) == ("defender_holds_back", 2)


# Victory, counting, order ---------------------------------------------------------------------


def end_of_round(*lands: dict[Hex, int], seats: int = 2, **more: Any) -> NaiveStoneGuardians:
    """The last people of the order is in its formation."""
    filled = [dict(land) for land in lands] + [{} for _ in range(seats - len(lands))]
    return situation(*filled, stage="formation", people=len(filled) - 1, **more)


@pytest.mark.parametrize(
    ("since", "now", "artifacts", "won"),
    [
        (4, 6, 0, True),
        (5, 6, 0, False),
        (5, 6, 1, True),
        (6, 6, 1, False),
        (6, 6, 2, True),
        (6, 6, 3, True),  # at least one round
    ],
)
def test_m8_victory(since: int, now: int, artifacts: int, won: bool) -> None:
    game = end_of_round({HOME: 1})
    hold_city(game, 0, since=since)
    game.round = now
    game.peoples[0].points = 17
    game.peoples[0].artifacts = {"people", "rune", "third"} if artifacts > 2 else set()
    game.peoples[0].artifacts |= set(["people", "rune"][:artifacts])
    play(game, "end_formation", random.Random(1))
    assert (game.outcome is not None) == won
    if won:
        assert game.outcome == {
            "returns": [1.0, 0.0],
            "scores": [17, 0],  # the check comes before counting
            "reason": "lutao_held",
            "turns": 1,
        }
        assert game.legal_steps() == []
        assert not game.is_legal(step(game, "end_formation"))


def test_m8_is_not_looked_at_before_all_have_had_their_action_phase() -> None:
    game = situation({}, stage="formation")
    hold_city(game, 0, since=1)
    game.round = 3
    play(game, "end_formation")
    assert (game.outcome, game.people) == (None, 1)


def test_3_points() -> None:
    x11, x10 = hexes(COUNTRIES["X11"]), hexes(COUNTRIES["X10"])
    game = situation({space: 1 for space in [*x11, *x10[1:]]}, {x10[0]: 1})
    assert game.points_of(0) == 1 + 2 + 1 + 2
    assert game.points_of(1) == 1 + 1
    game.provinces[x10[0]].city = True
    assert game.points_of(1) == 1 + 1 + 1
    game.provinces[x11[1]].city = True
    # One more for the marker, and one for the whole country with a city.
    assert game.points_of(0) == 1 + 2 + 1 + 2 + 2


@pytest.mark.parametrize(
    ("name", "points"),
    [("X11", 2 + 1), ("X10", 3 + 1), ("X7", 4 + 1), ("X5", 5 + 2), ("Sigari", 6 + 3)]
    + [("Rhuam", 7 + 4)],
)
def test_d7_whole_countries(name: str, points: int) -> None:
    spaces = hexes(COUNTRIES[name])
    game = situation()
    put(game, None, REFUGES[0])
    for space in spaces:
        put(game, 0, space, 1)
    assert game.points_of(0) == points
    put(game, None, spaces[-1])
    assert game.points_of(0) == len(spaces) - 1


@pytest.mark.parametrize(("seats", "factor"), [(2, 1), (3, 2), (4, 3)])
def test_m7_lutao_counts_its_starting_golems_times_the_opponents(seats: int, factor: int) -> None:
    game = situation({(1, 0): 1, (2, -1): 1}, *[{}] * (seats - 1))
    assert game.points_of(0) == 1 + 2 * factor + 1 * factor
    hold_city(game, 0)
    assert game.points_of(0) == 1 + 2 * factor + 1 * factor + 3 * factor + 1


def test_m7_at_most_60_points() -> None:
    game = situation({space: 1 for space in LUTAO}, {}, {}, {})
    # 20 golems x 3 opponents, the refuge and the city.
    assert game.points_of(0) == 60
    game = situation({space: 1 for space in LUTAO}, {}, {})
    assert game.points_of(0) == 20 * 2 + 1 + 1


def test_m14_emptied_provinces_score_for_nobody() -> None:
    game = situation({HOME: 1})
    game.provinces[NEAR].city = True
    assert [game.points_of(people) for people in (0, 1)] == [2, 1]


def test_17_the_new_order_is_by_points() -> None:
    game = end_of_round({}, {HOME: 1}, {HOME: 1, NEAR: 1})
    put(game, 1, HOME, 1)
    put(game, 2, TARGET, 1)
    told = play(game, "end_formation", random.Random(1))
    assert [people.points for people in game.peoples] == [1, 2, 3]
    assert told["order"] == [2, 1, 0] == game.position()["order"]
    # Buying is in the new order, and with a point each nobody but people 2 can afford armies.
    assert (game.stage, game.people, game.peoples[2].budget) == ("buying", 2, 3)


def test_10_lots_are_only_among_the_tied() -> None:
    game = end_of_round({HOME: 1}, {TARGET: 1}, {})
    for order in ([0, 1, 2], [1, 0, 2]):
        told = play(copy.deepcopy(game), "end_formation", order=order)
        assert told["order"] == order
    for order in ([2, 0, 1], [0, 2, 1], [0, 1], [0, 0, 1]):
        with pytest.raises(ValueError, match="10"):
            play(copy.deepcopy(game), "end_formation", order=order)
    lots = {
        tuple(play(copy.deepcopy(game), "end_formation", random.Random(n))["order"])
        for n in range(20)
    }
    assert lots == {(0, 1, 2), (1, 0, 2)}


def test_d11_the_long_games_end_shares_ties() -> None:
    game = end_of_round({HOME: 1}, {TARGET: 1}, {}, max_rounds=7)
    game.round = 6
    play(copy.deepcopy(game), "end_formation", random.Random(1))
    game.round = 7
    told = play(game, "end_formation", random.Random(1))
    assert "order" not in told
    assert game.outcome == {
        "returns": [0.5, 0.5, 0.0],
        "scores": [2, 2, 1],
        "reason": "unfinished",
        "turns": 1,
    }


def test_15_the_check_of_the_last_round_comes_before_its_end() -> None:
    game = end_of_round({}, {HOME: 1}, max_rounds=7)
    hold_city(game, 0, since=5)
    game.round = 7
    play(game, "end_formation", random.Random(1))
    assert game.outcome["reason"] == "lutao_held"


# Spells ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "lutao"), [(2, 1), (3, 2), (4, 3)])
def test_4_a_spell_for_each_city_and_opponents_for_lutaos(seats: int, lutao: int) -> None:
    game = situation({SYMBOL: 1, HOME: 1}, *[{}] * (seats - 1))
    assert game.spells_due(0) == 0
    game.provinces[SYMBOL].city = True
    assert [game.spells_due(people) for people in (0, 1)] == [1, 0]
    hold_city(game, 0)
    assert game.spells_due(0) == 1 + lutao


def test_m12_the_limit_and_its_lifting() -> None:
    game = end_of_round({SYMBOL: 1})
    game.provinces[SYMBOL].city = True
    game.peoples[0].spells = Counter({"guard": 2, "strength": 2})
    game.spell_deck = Counter({"tribute": 1, "weakness": 3})
    spells = [{"people": 0, "spells": ["tribute"]}]
    held = copy.deepcopy(game)
    told = play(game, "end_formation", order=[0, 1], spells=spells)
    assert told["spells"] == spells
    assert (game.stage, game.decider) == ("discarding", 0)
    assert [a["spell"] for a in listed(game, "discard_spell")] == ["guard", "strength", "tribute"]
    refused(game, "discard_spell", "none of the choices", spell="weakness")
    play(game, "discard_spell", spell="guard")
    assert game.position()["peoples"][0]["spells"] == {
        "count": 4,
        "cards": {"guard": 1, "strength": 2, "tribute": 1},
    }
    assert game.spell_discards == {"guard": 1}
    assert game.stage == "buying"
    hold_city(held, 0, since=1)
    spells = [{"people": 0, "spells": ["tribute", "weakness"]}]
    play(held, "end_formation", order=[0, 1], spells=spells)
    assert (held.stage, held.peoples[0].spells.total()) == ("buying", 6)


def test_m12_the_limit_holds_again_without_lutaos_city() -> None:
    game = end_of_round({HOME: 1})
    game.peoples[0].spells = Counter({"guard": 6})
    told = play(game, "end_formation", random.Random(1))
    assert "spells" not in told
    assert game.stage == "discarding"
    play(game, "discard_spell", spell="guard")
    assert game.stage == "discarding"
    play(game, "discard_spell", spell="guard")
    assert game.peoples[0].spells == {"guard": 4}
    assert game.stage == "buying"


def test_m12_an_empty_spell_deck_is_reshuffled() -> None:
    game = end_of_round({SYMBOL: 1, (0, -3): 1})
    game.provinces[SYMBOL].city = game.provinces[0, -3].city = True
    game.spell_deck, game.spell_discards = Counter({"guard": 1}), Counter({"stumble": 2})
    fewer = copy.deepcopy(game)
    spells = [{"people": 0, "spells": ["guard", "stumble"], "reshuffled": 1}]
    play(game, "end_formation", order=[0, 1], spells=spells)
    assert game.spell_deck.total() == 1
    # 48: fewer are drawn if there are no more.
    fewer.spell_discards = Counter()
    told = play(fewer, "end_formation", random.Random(1))
    assert told["spells"] == [{"people": 0, "spells": ["guard"]}]


@pytest.mark.parametrize(("spells", "cards"), [("on", 60), ("off", 0), ({"guard": 3}, 3)])
def test_d10_the_spell_deck(spells: Any, cards: int) -> None:
    assert fresh(spells=spells).spell_deck.total() == cards


def test_without_spells_none_are_drawn() -> None:
    game = end_of_round({SYMBOL: 1}, spells="off")
    game.provinces[SYMBOL].city = True
    assert "spells" not in play(game, "end_formation", random.Random(1))
    assert game.stage == "buying"


# Buying ---------------------------------------------------------------------------------------


def buyer(points: int, **stock: int) -> NaiveStoneGuardians:
    game = situation({HOME: 1}, stage="counting")
    game.peoples[0].points = points
    game.peoples[1].points = 0
    for key, value in stock.items():
        setattr(game.peoples[0], key, value)
    game.waiting = [0, 1]
    game._next_buyer()
    return game


def test_5_items_are_bought_one_after_the_other_and_the_rest_lapses() -> None:
    game = buyer(20)
    assert (game.stage, game.peoples[0].budget) == ("buying", 20)
    assert [a["count"] for a in listed(game, "buy")] == list(range(9))  # 8 armies cost 19
    refused(game, "buy", "armies are bought now", item="ships", count=1)
    refused(game, "buy", "cannot be bought", item="armies", count=9)
    supply = game.peoples[0].supply
    play(game, "buy", item="armies", count=1)
    assert (game.peoples[0].to_place, game.peoples[0].supply) == (1, supply - 1)
    assert listed(game, "buy") == [{"item": "markers", "count": n} for n in range(4)]
    play(game, "buy", item="markers", count=1)
    assert listed(game, "buy") == [{"item": "ships", "count": n} for n in range(4)]
    play(game, "buy", item="ships", count=2)
    assert listed(game, "buy") == [{"item": "sticks", "count": n} for n in range(6)]
    play(game, "buy", item="sticks", count=3)
    stock = game.peoples[0]
    assert (stock.markers, stock.ships, stock.sticks, stock.budget) == (1, 2, 3, 0)
    # People 1 has no points: the next round has begun.
    assert (game.round, game.stage, game.people) == (2, "setting", 0)


@pytest.mark.parametrize(
    ("points", "most"), [(1, 0), (2, 1), (12, 5), (13, 6), (48, 14), (49, 15), (60, 15)]
)
def test_m6_armies_by_the_table(points: int, most: int) -> None:
    game = buyer(points)
    counts = [a["count"] for a in listed(game, "buy") if a["item"] == "armies"]
    assert counts == (list(range(most + 1)) if most else [])


def test_items_of_which_none_can_be_had_are_not_asked() -> None:
    game = buyer(3)
    play(game, "buy", item="armies", count=0)
    assert {a["item"] for a in listed(game, "buy")} == {"sticks"}
    game = buyer(4, supply=0)
    assert {a["item"] for a in listed(game, "buy")} == {"ships"}
    game = buyer(6, supply=2)
    assert [a["count"] for a in listed(game, "buy")] == [0, 1, 2]
    game = buyer(2)
    play(game, "buy", item="armies", count=1)
    assert game.round == 2


def test_m4_unused_sticks_are_kept() -> None:
    game = buyer(3, sticks=5)
    play(game, "buy", item="armies", count=0)
    play(game, "buy", item="sticks", count=3)
    assert game.peoples[0].sticks == 8


def test_m5_ships_sticks_and_markers_are_borrowed_but_not_armies() -> None:
    game = buyer(60, ships=39, sticks=29, markers=11, supply=1)
    assert [a["count"] for a in listed(game, "buy")] == [0, 1]
    play(game, "buy", item="armies", count=0)
    play(game, "buy", item="markers", count=1)  # with Lutao's the 13th
    play(game, "buy", item="ships", count=2)
    play(game, "buy", item="sticks", count=2)
    assert {k for k in game.met if k.startswith("borrowed")} == {
        "borrowed markers",
        "borrowed ships",
        "borrowed sticks",
    }


# Ends -----------------------------------------------------------------------------------------


def last_stand(seats: int) -> NaiveStoneGuardians:
    """People 1 has one province, and people 0 is about to take it."""
    game = situation({HOME: 3}, {TARGET: 1}, *[{}] * (seats - 2))
    put(game, None, REFUGES[1])
    game.peoples[1].spells = Counter({"guard": 2})
    game.peoples[1].sticks = 3
    play(game, "move", start=HOME, to=TARGET, count=1)
    assert game.peoples[1].alive
    play(game, "end_movement", draws=[drawn(0, "hit miss"), drawn(1, "miss miss")])
    hold_back_misses(game)
    return game


def test_16_a_people_without_a_province_is_out() -> None:
    game = last_stand(3)
    told = game.position()
    assert told["peoples"][1]["alive"] is False
    assert told["order"] == [0, 2]
    assert (told["peoples"][1]["sticks"], told["peoples"][1]["spells"]["count"]) == (0, 0)
    assert game.spell_discards == {"guard": 2}
    assert (game.met["elimination"], game.stage) == (1, "formation")
    play(game, "end_formation")
    assert game.people == 2


def test_m9_the_last_one_left_wins_at_once() -> None:
    game = last_stand(2)
    assert game.outcome == {
        "returns": [1.0, 0.0],
        "scores": [0, 0],
        "reason": "last_left",
        "turns": 0,
    }
    assert game.position()["over"] is True


def test_opponents_stay_those_of_the_start() -> None:
    game = last_stand(3)
    put(game, 0, (1, 0), 1)
    assert game.points_of(0) == 3 + 2 * 2


# Whole games ----------------------------------------------------------------------------------


def weak_golems(**more: Any) -> dict[str, Any]:
    """One golem a province, few rounds of holding: Lutao changes hands in random games."""
    return {"golems": [1] * 12, "golem_supply": 11, **more}


EAGER = {"miss": 2, "hit": 8, "city_hit": 6, "hero_strike": 4, "shield": 3}
GAMES: dict[str, dict[str, Any]] = {
    "standard": {},
    "draft": {"strategic_setup": True, "max_rounds": 8},
    "weak_golems": weak_golems(hold_rounds=5, combat_deck=EAGER),
    "short_hold": weak_golems(hold_rounds=2, combat_deck=EAGER),
    "small_deck": {"combat_deck": {"miss": 1, "hit": 2, "shield": 1}, "max_rounds": 10},
    "few_spells": {"spells": {"guard": 3, "tribute": 2}, "spell_limit": 1, "max_rounds": 12},
}
# Two countries, so that a people is soon out and golem actions are frequent.
TWO = {
    **STANDARD["map"],
    "countries": [c for c in STANDARD["map"]["countries"] if c["name"] in ("X9", "X11")],
}
GAMES["two_countries"] = {"map": TWO, "combat_deck": EAGER, "points_cap": 12}
GAMES["open_city"] = {
    "map": TWO,
    "golems": [0] + [1] * 11,
    "golem_supply": 12,
    "hold_rounds": 25,
}
WANTED = [
    *["ship fight", "annihilation", "reshuffle in a fight", "surplus", "displaced ship"],
    *["golem action", "golems joined", "golem attack won", "golem attack lost"],
    *["artifact taken", "artifact victory", "points cap", "elimination", "stopover"],
    *["borrowed ships", "borrowed sticks", "borrowed markers", "lots", "spells reshuffled"],
    *["lutao_held", "last_left", "unfinished"],
]


def played(name: str, seats: int, seed: int, met: Counter[str]) -> None:
    """Play a random game, and once more by its record, comparing the positions."""
    values = make_ruleset(**GAMES[name])
    rng = random.Random(f"{name} {seats} {seed}")
    setup = deal(values, seats, rng)
    game = NaiveStoneGuardians(values, seats, setup)
    again = NaiveStoneGuardians(values, seats, copy.deepcopy(setup))
    number = 0
    while game.outcome is None:
        told = game.play(game.random_step(rng, by_action=0.2), rng)
        assert again.play(json.loads(json.dumps(told))) == told
        number += 1
        if number % 20 == 0:
            assert again.position() == game.position()
            check_totals(game)
    assert again.position() == game.position()
    assert sum(game.outcome["returns"]) == pytest.approx(1)
    met.update({key: count for key, count in game.met.items() if count})


def check_totals(game: NaiveStoneGuardians) -> None:
    """Nothing is lost: armies, cards, golems and spells."""
    ruleset, provinces = game.ruleset, game.provinces.values()
    deck = sum(ruleset["combat_deck"].values())
    for number, people in enumerate(game.peoples):
        armies = sum(p.armies for p in provinces if p.owner == number)
        if game.trip is not None and game.people == number:
            armies += game.trip.aboard
        in_hand = 0
        if game.fight is not None and number in game.fight.sides:
            in_hand = game.fight.hands[game.fight.sides.index(number)].total()
        if game.people == number and game.stage != "golems" and not golems_fight(game):
            armies += sum(p.attackers for p in provinces)
        assert armies + people.supply + people.to_place == ruleset["supply_armies"][game.seats - 2]
        assert people.pile() + people.discards.total() + in_hand == deck
    golems = sum(p.golems for p in provinces) + game.golem_supply
    if game.stage == "golems" or golems_fight(game):
        golems += sum(p.attackers for p in provinces)
    assert golems == sum(ruleset["golems"]) + ruleset["golem_supply"]


def golems_fight(game: NaiveStoneGuardians) -> bool:
    return game.fight is not None and game.fight.sides[0] == "golems"


@pytest.fixture(scope="module")
def games() -> Counter[str]:
    met: Counter[str] = Counter()
    for name in GAMES:
        for seats in (2, 3) if "map" in GAMES[name] else (2, 3, 4):
            # 38 cards are not shared by 4, but small maps take little time.
            for seed in range(12 if "map" in GAMES[name] else 1):
                played(name, seats, seed, met)
    return met


@pytest.mark.parametrize("what", WANTED)
def test_random_games_meet_every_rule(games: Counter[str], what: str) -> None:
    assert games[what] > 0


def test_every_listed_step_is_legal_and_every_action_is_met(games: Counter[str]) -> None:
    rng = random.Random(8)
    game = fresh(3, seed=8)
    for _ in range(600):
        steps = game.legal_steps()
        assert steps
        texts = [json.dumps(one, sort_keys=True) for one in steps]
        assert len(set(texts)) == len(texts)
        assert all(game.is_legal(one) for one in rng.sample(steps, min(9, len(steps))))
        game.play(rng.choice(steps), rng)
    known = {action for some in STAGE_ACTIONS.values() for action in some}
    assert {action for action in known if games[action] == 0} == set()


def test_strikes_of_no_cards_are_none() -> None:
    assert strikes(Counter(), True) == strikes(Counter({"shield": 3, "miss": 1}), False) == 0


def test_distance_of_the_mats_corners() -> None:
    assert [distance(space) for space in ((0, 0), (7, 0), (-7, 7), (4, 4), (3, -5))] == [
        0,
        7,
        7,
        8,
        5,
    ]
