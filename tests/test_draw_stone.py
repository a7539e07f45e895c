"""The island in the terminal and as SVG shows every army, golem, city, ship and artifact."""

from __future__ import annotations

import copy
import io
import random
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from naive.stone_guardians import NaiveStoneGuardians, deal
from rich.console import Console

from lumis_fast.errors import InputError
from lumis_fast.games.stone_guardians.draw import (
    describe,
    draw_svg,
    draw_terminal,
    highlight_of,
)
from lumis_fast.games.stone_guardians.ruleset import load

JSON = dict[str, Any]

SVG = "{http://www.w3.org/2000/svg}"
LETTERS = "ABCD"
# Where an arrow stands in its sea hex: line and column, by the way to the province.
ARROWS = {
    (0, -1): (0, 1, "↖"), (1, -1): (0, 2, "↗"), (-1, 0): (1, 0, "←"),
    (-1, 1): (1, 1, "↙"), (0, 1): (1, 2, "↘"), (1, 0): (1, 3, "→"),
}  # fmt: skip
VALUES = load("standard").values
STRATEGIC = VALUES | {"strategic_setup": True}
FEW = {"X9", "X10", "X11"}
SMALL = VALUES | {
    "map": VALUES["map"]
    | {"countries": [c for c in VALUES["map"]["countries"] if c["name"] in FEW]}
}
ARTIFACTS = [tuple(card["people"]) for card in VALUES["map"]["artifacts"]]


def played(values: JSON, seats: int, steps: int, seed: int = 5) -> NaiveStoneGuardians:
    rng = random.Random(seed)
    game = NaiveStoneGuardians(values, seats, deal(values, seats, rng))
    for _ in range(steps):
        if game.outcome is None:
            game.play(game.random_step(rng, 0.6), rng)
    return game


def met(seats: int, seed: int, wanted: Any, **changes: Any) -> JSON:
    """The first position of a random game that shows what is wanted."""
    rng, values = random.Random(seed), VALUES | changes
    game = NaiveStoneGuardians(values, seats, deal(values, seats, rng))
    while game.outcome is None:
        game.play(game.random_step(rng, 0.6), rng)
        position = game.position()
        if wanted(position):
            return position
    raise AssertionError("not met")


def by_hand() -> JSON:
    """A fight by golems in a city, one by a people, ships, a trip, a people that is out."""

    def land(space: list[int], country: str, owner: int | None, armies: int, **more: Any) -> JSON:
        plain = {"golems": 0, "city": False, "attackers": 0}
        return {"space": space, "country": country, "owner": owner, "armies": armies} | plain | more

    def people(**more: Any) -> JSON:
        return {
            "alive": True, "supply": 20, "to_place": 0, "markers": 1, "ships": 0, "sticks": 0,
            "points": 7, "budget": 0, "artifacts": [], "artifact_card": 1, "pile": 9,
            "discards": {}, "spells": {"count": 0, "cards": {}},
        } | more  # fmt: skip

    return {
        "game": "stone-guardians", "seats": 3, "turn": 4, "round": 2,
        "stage": "defender_holds_back", "to_move": 0, "people": 1, "over": False, "order": [1, 0],
        "provinces": [
            land([0, 0], "Lutao", 1, 12, city=True),
            land([0, -1], "Lutao", 0, 6, attackers=3),
            land([-1, 0], "Lutao", None, 0, golems=11),
            land([-1, 1], "Lutao", None, 0),
            land([2, 0], "Rhuam", 0, 10, city=True, attackers=14),
            land([3, 0], "Rhuam", 1, 1),
            land([2, 1], "Canli", None, 0),
        ],
        "ships": [[[0, 0], [1, 0]], [[2, 0], [1, 0]], [[2, 1], [1, 1]], [[3, 0], [3, 1]]],
        "sailed": [[[3, 0], [3, 1]]],
        "peoples": [
            people(to_place=3, discards={"miss": 2, "shield": 1}),
            people(artifact_card=2, artifacts=["people"], sticks=5,
                   spells={"count": 3, "cards": {"guard": 2, "fair_wind": 1}}),
            people(alive=False, artifact_card=3, points=0),
        ],
        "artifact_spaces": ARTIFACTS, "golem_supply": 4, "holder": 1, "hold_since": 2,
        "fight": {
            "space": [0, -1], "attacker": "golems", "defender": 0,
            "hands": [
                {"size": 0, "cards": {}, "held_back": None},
                {"size": 3, "cards": {"hit": 2, "hero_strike": 1}, "held_back": "miss"},
            ],
        },
        "trip": {"ship": [[3, 0], [4, -1]], "aboard": 2},
        "golem_actions": 1, "outcome": None,
    }  # fmt: skip


POSITIONS = {
    "by_hand": by_hand(),
    "first": played(VALUES, 2, 0).position(),
    "middle": played(VALUES, 3, 500).position(),
    "four": played(VALUES, 4, 1500).position(),
    "over": played(VALUES, 2, 5000).position(),
    "draft": played(STRATEGIC, 3, 6).position(),
    "drafted": played(STRATEGIC, 4, 400).position(),
    "small": played(SMALL, 2, 150).position(),
    "contested": met(4, 1, lambda p: sum(x["attackers"] > 0 for x in p["provinces"]) > 2),
    "fight": met(3, 2, lambda p: p["fight"] and p["stage"] == "defender_holds_back"),
    "trip": met(2, 3, lambda p: p["trip"]),
    "golems": met(4, 1, lambda p: p["stage"] == "golems", golems=[1] + [0] * 11, hold_rounds=30),
}
positions = pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS)


def attacker_of(position: JSON, space: list[int]) -> int | str:
    fight = position["fight"]
    if fight is not None and fight["space"] == space:
        return fight["attacker"]
    return "golems" if position["stage"] == "golems" else position["people"]


def artifacts_of(position: JSON) -> dict[tuple[int, ...], list[int]]:
    found: dict[tuple[int, ...], list[int]] = {}
    for people, stock in enumerate(position["peoples"]):
        if not stock["artifacts"]:
            found.setdefault(ARTIFACTS[stock["artifact_card"] - 1], []).append(people)
    return found


# The terminal.


class Board:
    """The hexes of a picture read back: two lines of four characters each."""

    def __init__(self, position: JSON, **options: Any) -> None:
        self.lines = draw_terminal(position, **options).plain.split("\n")
        last = next(n for n, line in enumerate(self.lines) if line.startswith("     a  "))
        rows = [n for n, line in enumerate(self.lines[:last]) if re.match(r" {0,2}-?\d+ ", line)]
        self.radius = len(rows) // 2

    def cell(self, q: int, r: int) -> tuple[str, str]:
        line = 1 + 2 * (r + self.radius)
        column = 4 + 2 * (2 * q + r + 2 * self.radius)
        upper, lower = (self.lines[line + k].ljust(120)[column : column + 4] for k in (0, 1))
        return upper, lower


@positions
def test_terminal_shows_what_stands_in_each_province(position):
    board = Board(position)
    firsts: dict[str, list[int]] = {}
    for province in position["provinces"]:
        first = firsts.setdefault(province["country"], province["space"])
        upper, lower = board.cell(*province["space"])
        if province["golems"]:
            assert upper[:3] == f"g{province['golems']}".ljust(3)
        elif province["owner"] is None:
            assert upper[:3] == " · "
        else:
            assert upper[:3] == f"{LETTERS[province['owner']]}{province['armies']}".ljust(3)
        is_first = first == province["space"]
        assert upper[3] == ("■" if province["city"] else "□" if is_first else " ")
        if province["attackers"]:
            assert lower[1:].rstrip() == f"x{province['attackers']}"
        else:
            mine = artifacts_of(position).get(tuple(province["space"]), [])
            assert lower[1:].rstrip() == (f"*{LETTERS[mine[0]]}" if mine else "")


@positions
def test_terminal_names_countries_by_letters(position):
    board = Board(position)
    legend = "\n".join(board.lines[-4:])
    names = dict(re.findall(r"\s([a-k])  (\S+)", legend))
    for province in position["provinces"]:
        letter = board.cell(*province["space"])[1][0]
        assert province["country"] == (names[letter] if letter != " " else "Lutao")


@positions
def test_terminal_shows_every_ship_in_its_sea_hex(position):
    board = Board(position)
    ships = position["ships"] + ([position["trip"]["ship"]] if position["trip"] else [])
    expected: dict[tuple[int, int], dict[tuple[int, int], str]] = {}
    for (pq, pr), (q, r) in ships:
        line, column, sign = ARROWS[pq - q, pr - r]
        expected.setdefault((q, r), {})[line, column] = sign
    for (q, r), signs in expected.items():
        cell = board.cell(q, r)
        drawn = {(i, k): cell[i][k] for i in (0, 1) for k in range(4) if cell[i][k] != " "}
        assert drawn == signs
    text = "\n".join(line.ljust(66)[:66] for line in board.lines[:-3])
    assert sum(text.count(sign) for *_, sign in ARROWS.values()) == len(ships)


def test_terminal_styles_tell_owners():
    text = draw_terminal(by_hand())
    styles = {text.plain[s.start : s.end]: str(s.style) for s in text.spans}
    assert styles["A10"] == styles["A6 "] == "bold #ffffff on #b3202c"
    assert styles["B12"] == styles["x14"] == "bold #ffffff on #2257a8"
    assert styles["g11"] == styles["x3 "] == "bold #ffffff on #54514b"
    arrows = [(s.style, text.plain[s.start]) for s in text.spans if text.plain[s.start] in "←→↖"]
    assert ("bold #ffffff on #2257a8", "←") in arrows  # the ship at the city's edge is B's
    assert ("bold #ffffff on #123a5c", "→") in arrows  # that of the contested province nobody's


def test_terminal_panel_tells_the_state():
    text = draw_terminal(by_hand()).plain
    for said in (
        "Seat 0 to move: defender holds",
        "round 2, 4 turns played",
        "B people 1 holds Lutao's city",
        "4 golems in supply",
        "1 golem action left",
        "ship at 3,0 (4,-1), 2 armies",
        "fight at 0,-1",
        "attacker 3 golems",
        "defender A people 0, 6 armies",
        "2 hit, 1 hero; miss held back",
        ">A people 0, 7 points, stone 2",
        " B people 1, 7 points, stone 1",
        "supply 20, to place 3",
        "spells 0, pile 9, artifact 0,-1",
        "markers 1, ships 0, sticks 5",
        "spells 3, pile 9, artifact taken",
        "fair wind, guard x2",
        "discards 2 miss, 1 shield",
        "C people 2, 0 points",
        "out of the game",
    ):
        assert said in text


def hidden() -> JSON:
    """The same for seat 1, which sees no hand and no spells of people 0."""
    position = copy.deepcopy(by_hand())
    position["fight"]["hands"][1] |= {"cards": None, "held_back": True}
    position["peoples"][1]["spells"]["cards"] = None
    return position


def test_hidden_things_do_not_appear():
    text = draw_terminal(hidden()).plain
    assert "3 cards; one held back" in text
    assert "spells 3" in text
    root = ElementTree.fromstring(draw_svg(hidden()))
    hand = one(root, "hand", "side-1")
    assert len(elements(hand, "card")) == 3
    assert len(elements(hand, "held-back")) == 1
    assert [e for e in hand.iter() if e.get("data-card")] == []
    both = text + "".join(root.itertext())
    for word in ("hero", "guard", "fair wind", "miss held"):
        assert word not in both


@positions
def test_terminal_picture_fits(position):
    assert max(map(len, draw_terminal(position).plain.split("\n"))) <= 101


def test_terminal_marks_spaces():
    text = draw_terminal(by_hand(), highlight=[[2, 0], (1, 0)])
    assert "marked (1,0), (2,0)" in text.plain
    marked = [text.plain[s.start : s.end] for s in text.spans if "on #ffffff" in str(s.style)]
    assert "■" in marked
    assert "a" in marked


def test_no_colour_codes_where_the_console_has_no_colour():
    def printed(**options: Any) -> str:
        file = io.StringIO()
        console = Console(file=file, width=80, **options)
        console.print(draw_terminal(by_hand()), soft_wrap=True)
        return file.getvalue()

    assert printed(force_terminal=False) == draw_terminal(by_hand()).plain + "\n"
    no_colour = printed(force_terminal=True, color_system="truecolor", no_color=True)
    assert re.search(r"\x1b\[[\d;]*[34]8;", no_colour) is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"returns": [0.0, 1.0, 0.0], "reason": "lutao_held"},
         "Seat 1 wins: the city on Lutao was held long enough"),
        ({"returns": [1.0, 0.0, 0.0], "reason": "last_left"},
         "Seat 0 wins: no other people is left"),
        ({"returns": [0.5, 0.5, 0.0], "reason": "unfinished"},
         "Seat 0 and seat 1 share the victory: the limit of rounds is reached"),
    ],
)  # fmt: skip
def test_both_pictures_tell_the_outcome(changes, said):
    outcome = {"scores": [7, 7, 0], "turns": 4} | changes
    position = by_hand() | {"over": True, "fight": None, "trip": None, "outcome": outcome}
    panel = " ".join(line[30:].strip() for line in draw_terminal(position).plain.split("\n"))
    assert said in re.sub(r" +", " ", panel).replace("q7 ", "")
    head = one(ElementTree.fromstring(draw_svg(position)), "head")
    assert said in " ".join(text.strip() for text in head.itertext() if text.strip())


# SVG.


def elements(root: ElementTree.Element, *classes: str) -> list[ElementTree.Element]:
    return [found for found in root.iter() if set(classes) <= set(found.get("class", "").split())]


def one(root: ElementTree.Element, *classes: str) -> ElementTree.Element:
    (found,) = elements(root, *classes)
    return found


def space_of(element: ElementTree.Element, key: str = "data-space") -> list[int]:
    q, r = element.get(key, "").split(",")
    return [int(q), int(r)]


@positions
def test_svg_shows_what_stands_in_each_province(position):
    drawn = elements(ElementTree.fromstring(draw_svg(position)), "province")
    assert [space_of(e) for e in drawn] == [p["space"] for p in position["provinces"]]
    firsts: dict[str, list[int]] = {}
    for element, province in zip(drawn, position["provinces"], strict=True):
        assert element.get("data-country") == province["country"]
        for name, people in (("armies", province["owner"]), ("golems", None)):
            counts = [(e.get("data-count"), "".join(e.itertext())) for e in elements(element, name)]
            n = province[name]
            assert counts == ([(str(n), str(n))] if n else [])
            owners = {e.get("data-people") for e in elements(element, name)}
            assert owners <= {None if people is None else str(people)}
        attackers = elements(element, "attackers")
        assert [int(e.get("data-count", "")) for e in attackers] == [province["attackers"]] * bool(
            province["attackers"]
        )
        for found in attackers:
            who = attacker_of(position, province["space"])
            assert found.get("data-people") == (None if who == "golems" else str(who))
        first = firsts.setdefault(province["country"], province["space"])
        assert len(elements(element, "city")) == province["city"]
        bare = first == province["space"] and not province["city"]
        assert len(elements(element, "symbol")) == bare
        jewels = [int(e.get("data-people", "")) for e in elements(element, "artifact")]
        assert jewels == artifacts_of(position).get(tuple(province["space"]), [])


@positions
def test_svg_shows_every_ship(position):
    root = ElementTree.fromstring(draw_svg(position))
    drawn = elements(one(root, "ships"), "ship")
    assert [[space_of(e), space_of(e, "data-edge")] for e in drawn] == position["ships"]
    owners = {tuple(p["space"]): p for p in position["provinces"]}
    for element in drawn:
        province = owners[tuple(space_of(element))]
        owner = None if province["attackers"] else province["owner"]
        assert element.get("data-people") == (None if owner is None else str(owner))
        edge = [space_of(element), space_of(element, "data-edge")]
        assert ("sailed" in element.get("class", "").split()) == (edge in position["sailed"])
    trip = elements(one(root, "trip"), "ship")
    assert [[space_of(e), space_of(e, "data-edge")] for e in trip] == (
        [position["trip"]["ship"]] if position["trip"] else []
    )


def middle_of(element: ElementTree.Element) -> tuple[float, float]:
    points = [tuple(map(float, p.split(","))) for p in element.get("points", "").split()]
    return sum(x for x, _ in points) / 6, sum(y for _, y in points) / 6


def test_svg_land_stands_where_its_coordinates_say():
    root = ElementTree.fromstring(draw_svg(POSITIONS["first"]))
    middles = [middle_of(e) for e in elements(root, "water")]
    assert len(middles) == 169  # 1 + 6 (1 + 2 + ... + 7) hexes within distance 7
    grounds = [g for g in one(root, "land").iter(f"{SVG}polygon") if "fill-opacity" not in g.attrib]
    for element, province in zip(grounds, POSITIONS["first"]["provinces"], strict=True):
        q, r = province["space"]
        x, y = middle_of(element)
        # Corner up, 36 units from the middle to a corner.
        assert x == pytest.approx(36 * 3**0.5 * (q + r / 2), abs=0.02)
        assert y == pytest.approx(54 * r, abs=0.02)


@positions
def test_svg_names_every_country_once(position):
    names = [
        "".join(e.itertext()) for e in one(ElementTree.fromstring(draw_svg(position)), "names")
    ]
    assert names == list(dict.fromkeys(p["country"] for p in position["provinces"]))


def test_svg_borders_lie_between_countries_and_at_the_coast():
    root = ElementTree.fromstring(draw_svg(by_hand()))
    paths = [e.get("d", "") for e in one(root, "borders")]
    # Of 7 hexes with 42 sides, Lutao's four have 5 common borders, (2,0) (3,0) one, and (2,1) one
    # with each of these two.
    assert [path.count("M") for path in paths] == [42 - 2 * (5 + 1 + 2)] * 2 + [2]


@positions
def test_svg_panel_tells_of_each_people(position):
    root = ElementTree.fromstring(draw_svg(position))
    for people, stock in enumerate(position["peoples"]):
        said = "".join(one(root, "people", f"people-{people}").itertext())
        assert f"People {people}" in said
        assert f"{stock['points']} point" in said
        if stock["alive"]:
            for key in ("supply", "markers", "ships", "sticks", "pile"):
                assert f"{key} {stock[key]}" in said
            assert f"spells {stock['spells']['count']}" in said
            assert ("artifact taken" in said) == bool(stock["artifacts"])
        else:
            assert "out of the game" in said
        if people in position["order"]:
            assert f"stone {position['order'].index(people) + 1}" in said


@positions
def test_svg_shows_the_hands_of_a_fight(position):
    root = ElementTree.fromstring(draw_svg(position))
    fight = position["fight"]
    if fight is None:
        assert elements(root, "fight") == []
        return
    for side, hand in enumerate(fight["hands"]):
        if (fight["attacker"], fight["defender"])[side] == "golems":
            assert elements(root, "hand", f"side-{side}") == []
            continue
        group = one(root, "hand", f"side-{side}")
        drawn = [e.get("data-card") for e in elements(group, "card")]
        assert {card: drawn.count(card) for card in drawn} == hand["cards"]
        held = [e.get("data-card") for e in elements(group, "held-back")]
        assert held == ([hand["held_back"]] if hand["held_back"] else [])


def test_svg_highlights():
    root = ElementTree.fromstring(draw_svg(by_hand(), highlight=[[2, 0], (-1, 0), (1, 0)]))
    assert [space_of(e) for e in elements(root, "highlight")] == [[-1, 0], [1, 0], [2, 0]]


@positions
def test_svg_stands_alone(position):
    root = ElementTree.fromstring(draw_svg(position))
    assert root.tag == f"{SVG}svg"
    left, top, width, height = map(float, root.get("viewBox", "").split())
    assert all("://" not in v for e in root.iter() for v in e.attrib.values())
    for x, y in (middle_of(e) for e in elements(root, "water")):
        assert left + 36 <= x <= left + width - 36
        assert top + 36 <= y <= top + height - 36
    panel = one(root, "panel")
    for block in panel:
        place = re.fullmatch(r"translate\((\S+) (\S+)\)", block.get("transform", ""))
        assert place is not None
        for box in block.iter(f"{SVG}rect"):
            bottom = float(place[2]) + float(box.get("y", 0)) + float(box.get("height", 0))
            right = float(place[1]) + float(box.get("x", 0)) + float(box.get("width", 0))
            assert right <= left + width
            assert bottom <= top + height


# What to mark after a step.


@pytest.mark.parametrize(
    ("step", "marked"),
    [
        ({"action": "move", "from": [3, 0], "to": [3, 1], "count": 2}, [[3, 0], [3, 1]]),
        ({"action": "sail", "from": [3, 0], "ship": [2, 0], "to": [1, 0], "edge": [2, 0]},
         [[3, 0], [2, 0], [1, 0]]),
        ({"action": "place_ship", "space": [3, 0], "edge": [2, 0]}, [[3, 0], [2, 0]]),
        ({"action": "end_setting"}, []),
        ({"action": "place_country", "country": "Rhuam", "turn": 0, "anchor": [2, 0]},
         [[2, 0], [3, 0]]),
    ],
)  # fmt: skip
def test_the_spaces_of_a_step_are_marked(step, marked):
    assert highlight_of(step, by_hand()) == marked


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"action": "place_armies", "space": [3, 0], "count": 1}, "place 1 army at (3,0)"),
        ({"action": "place_ship", "space": [3, 0], "edge": [2, 0]},
         "place ship at (3,0) by the sea at (2,0)"),
        ({"action": "sail", "from": [3, 0], "ship": [2, 0], "to": [1, 0], "edge": [2, 0],
          "count": 3}, "sail 3 armies from (3,0) to (1,0) by the sea at (2,0)"),
        ({"action": "end_golems", "order": [1, 0],
          "spells": [{"people": 1, "spells": ["guard", "guard"]}]},
         "end golems; new order people 1, people 0; people 1 gets 2 spells"),
        ({"action": "buy", "item": "ships", "count": 0}, "buy 0 ships"),
        ({"action": "discard_spell", "spell": "fair_wind"}, "discard spell fair wind"),
        ({"action": "place_country", "country": "X5", "turn": 2, "anchor": [4, -3]},
         "place X5 at (4,-3), turned 2 x 60°"),
        ({"action": "unload", "count": 2}, "unload 2 armies"),
        ({"action": "land"}, "land"),
    ],
)  # fmt: skip
def test_a_step_is_said_in_a_line(step, said):
    assert describe(step) == said


# Bad input.


@pytest.mark.parametrize("draw", [draw_terminal, draw_svg])
def test_a_highlight_outside_the_map_is_refused(draw):
    with pytest.raises(InputError, match=re.escape("no space [9, -2] to highlight")) as refused:
        draw(POSITIONS["first"], highlight=[[9, -2]])
    assert str(refused.value).endswith("the nearest space is [7, -2]")


@pytest.mark.parametrize("draw", [draw_terminal, draw_svg])
def test_a_position_of_another_game_is_refused(draw):
    with pytest.raises(InputError, match="'lumis', expected 'stone-guardians'"):
        draw(by_hand() | {"game": "lumis"})
