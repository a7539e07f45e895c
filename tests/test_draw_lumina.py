"""The Lumina Spell table in the terminal and as SVG shows every tile and card where it is."""

from __future__ import annotations

import io
import random
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from lumina_rulesets import ruleset
from naive.lumina_spell import NaiveLuminaSpell, deal
from rich.console import Console

from lumis_fast.errors import InputError
from lumis_fast.games.lumina_spell.draw import describe, draw_svg, draw_terminal, highlight_of

SHAPES = {
    "red": "◆ r",
    "yellow": "● y",
    "green": "▲ g",
    "blue": "■ b",
    "violet": "▼ v",
    "orange": "★ o",
    "rainbow": "✦ *",
}
SVG = "{http://www.w3.org/2000/svg}"


def middle() -> dict[str, Any]:
    """A game under way, with gaps, a two-figure number, a claim turn, and an inactive seat."""
    return {
        "game": "lumina-spell",
        "seats": 3,
        "turn": 21,
        "to_move": 1,
        "over": False,
        "first": 2,
        "board": [
            [["red", 1], None, ["yellow", 12], None, ["green", 3]],
            [None] * 5,
            [None, ["blue", 4], ["rainbow", 5], ["violet", 6], None],
            [None] * 5,
            [["orange", 2], None, None, None, None],
        ],
        "hands": [
            {"tiles": [["red", 3], ["red", 3], ["rainbow", 2]], "starting_tile": None},
            {"tiles": [["blue", 9]], "starting_tile": None},
            {"tiles": [["rainbow", 7]], "starting_tile": ["rainbow", 7]},
        ],
        "face_up": [18, 5, 13],
        "deck": [4, 16],
        "claimed": [[], [2, 11], [6]],
        "points": [0, 3, 4],
        "scores": [-3, 2, 3],
        "inactive": [True, False, False],
        "passes": 0,
        "trigger": "colour_gone",
        "claims_this_turn": [{"card": 2, "tiles": [["green", 8], ["green", 8]]}],
        "outcome": None,
    }


def finished() -> dict[str, Any]:
    return middle() | {
        "over": True,
        "claims_this_turn": [],
        "outcome": {
            "returns": [0.0, 0.5, 0.5],
            "scores": [-3, 2, 2],
            "reason": "colour_gone",
            "turns": 21,
        },
    }


def dealt(name: str, seats: int) -> dict[str, Any]:
    values = ruleset(name).values
    rng = random.Random(name)
    game = NaiveLuminaSpell(values, seats, deal(values, seats, rng))
    for _ in range(7):
        game.apply(game.random_step(rng))
    return game.position()


POSITIONS = {
    "middle": middle(),
    "standard": dealt("standard", 4),
    "largest": dealt("largest", 2),
    "six_colours": dealt("six_colours", 3),
}
positions = pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS)


def tiles_of(position: dict[str, Any]) -> dict[tuple[int, int], list[Any]]:
    return {
        (r, c): tile
        for r, row in enumerate(position["board"])
        for c, tile in enumerate(row)
        if tile is not None
    }


# The terminal.


def terminal_cells(position: dict[str, Any], **options: Any) -> dict[tuple[int, int], str]:
    """Read both lines of each cell back: five characters from column 4 + 5c, lines 2 + 2r."""
    lines = draw_terminal(position, **options).plain.split("\n")
    side = len(position["board"])
    return {
        (r, c): "".join(lines[2 + 2 * r + k].ljust(60)[4 + 5 * c : 9 + 5 * c] for k in (0, 1))
        for r in range(side)
        for c in range(side)
    }


@positions
def test_terminal_shows_every_tile_in_its_place(position):
    tiles = tiles_of(position)
    for cell, shown in terminal_cells(position).items():
        if cell in tiles:
            colour, number = tiles[cell]
            assert shown[1:4] == SHAPES[colour]
            assert shown[5:].strip() == str(number)
        else:
            assert shown.split() == ["·"]


def test_terminal_marks_cells():
    cells = terminal_cells(middle(), highlight=[[0, 0], (1, 1)])
    assert cells[0, 0] == "[◆ r][ 1 ]"
    assert cells[1, 1] == "[ · ][   ]"
    assert [cell for cell, shown in cells.items() if "[" in shown] == [(0, 0), (1, 1)]
    assert "marked (0,0) (1,1)" in draw_terminal(middle(), highlight=[[0, 0], (1, 1)]).plain


def test_terminal_panel_tells_turn_deck_and_final_round():
    text = draw_terminal(middle()).plain
    assert "Seat 1 to move, 1 card claimed in this turn" in text
    assert "21 turns played, seat 2 began" in text
    assert "2 cards in the deck, next 4 16" in text
    assert "final round: a colour is gone from the board" in text
    hidden = draw_terminal(middle() | {"deck": 12}).plain
    assert "12 cards in the deck" in hidden
    assert "next" not in hidden


def lines_with(text: str, *words: str) -> list[str]:
    return [line for line in text.split("\n") if all(word in line for word in words)]


def test_terminal_lists_face_up_cards_with_what_they_cost_and_give():
    worth = {"card_points": {"18": 1, "5": 3, "13": 5}, "card18_sum": 15}
    text = draw_terminal(middle() | worth).plain
    assert len(lines_with(text, " 18 ", "3 that sum to 15, three colours", "1 point")) == 1
    assert len(lines_with(text, "  5 ", "3 of one number, three colours", "3 points")) == 1
    assert len(lines_with(text, " 13 ", "4 consecutive, one colour", "5 points")) == 1
    bare = draw_terminal(middle()).plain
    # Without the ruleset's values nothing is claimed about them.
    assert len(lines_with(bare, "3 that sum to the card's number, three colours")) == 1
    assert lines_with(bare, "4 consecutive", "5 points") == []


def test_terminal_shows_seats_with_scores_cards_and_tiles():
    lines = draw_terminal(middle()).plain.split("\n")
    starts = [next(n for n, line in enumerate(lines) if f" seat {s}  " in line) for s in range(3)]
    first, second, third = (lines[start : start + 4] for start in starts)
    assert "0 points, score -3, 3 tiles, inactive" in first[0]
    assert re.findall(r"\S[ryg*bvo]\d+", first[1]) == ["◆r3", "◆r3", "✦*2"]
    assert "> seat 1  3 points, score 2, 1 tile" in second[0]
    assert second[1].strip().endswith("cards 2 11")
    assert "■b9" in second[2]
    assert "claimed  2 with  ▲g8  ▲g8" in second[3]
    assert "starting tile" not in first[1]
    assert "✦*7  starting tile" in "\n".join(third)


def test_terminal_without_hands():
    text = draw_terminal(middle(), hands=False).plain
    assert "■b9" not in text
    assert "score 2" in text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "Seat 1 and seat 2 share the victory: a colour is gone from the board"),
        ({"returns": [1.0, 0.0, 0.0], "reason": "points"},
         "Seat 0 wins: a seat reached the points"),
        ({"reason": "few_tiles"}, "few tiles are left on the board"),
        ({"reason": "last_card"}, "the last card was revealed"),
        ({"reason": "stalled"}, "no one can move"),
        ({"reason": "unfinished"}, "the limit of turns is reached"),
    ],
)  # fmt: skip
def test_both_pictures_tell_the_outcome(changes, said):
    position = finished()
    position["outcome"] |= changes
    assert said in draw_terminal(position).plain
    assert said in "".join(ElementTree.fromstring(draw_svg(position)).itertext())
    assert "to move" not in draw_terminal(position).plain


def test_no_colour_codes_where_the_console_has_no_colour():
    def printed(**options: Any) -> str:
        file = io.StringIO()
        console = Console(file=file, width=80, **options)
        console.print(draw_terminal(middle(), highlight=[[0, 0]]), soft_wrap=True)
        return file.getvalue()

    plain = draw_terminal(middle(), highlight=[[0, 0]]).plain
    assert printed(force_terminal=False) == plain + "\n"
    no_colour = printed(force_terminal=True, color_system="truecolor", no_color=True)
    assert re.search(r"\x1b\[[\d;]*[34]8;", no_colour) is None
    coloured = printed(force_terminal=True, color_system="truecolor", no_color=False)
    assert re.search(r"\x1b\[[\d;]*48;2;", coloured) is not None


def test_terminal_legend_names_the_colours_in_sight():
    last = draw_terminal(middle()).plain.split("\n")[-1]
    assert re.findall(r"(\S \S)  (\w+)", last) == [(SHAPES[name], name) for name in SHAPES]
    two = draw_terminal(dealt("two_colours", 2)).plain.split("\n")[-1]
    assert re.findall(r"\w{3,}", two) == ["red", "yellow", "rainbow", "gap"]


@pytest.mark.parametrize(("name", "widest"), [("standard", 115), ("largest", 125)])
def test_terminal_picture_fits(name, widest):
    position = dealt(name, 4)
    position["hands"][0]["tiles"] = [["blue", 12]] * 40
    assert max(map(len, draw_terminal(position).plain.split("\n"))) <= widest
    assert draw_terminal(position).plain.count("■b12") == 40


# SVG.


def elements(root: ElementTree.Element, *classes: str) -> list[ElementTree.Element]:
    return [found for found in root.iter() if set(classes) <= set(found.get("class", "").split())]


def one(root: ElementTree.Element, *classes: str) -> ElementTree.Element:
    (found,) = elements(root, *classes)
    return found


def cell_of(element: ElementTree.Element) -> tuple[int, int]:
    row, column = element.get("data-cell", "").split(",")
    return int(row), int(column)


@positions
def test_svg_shows_every_tile_in_its_place(position):
    root = ElementTree.fromstring(draw_svg(position))
    board = one(root, "board")
    drawn = {cell_of(e): e for e in elements(board, "tile")}
    tiles = tiles_of(position)
    assert set(drawn) == set(tiles)
    for cell, (colour, number) in tiles.items():
        assert drawn[cell].get("data-tile") == f"{colour} {number}"
        assert colour in drawn[cell].get("class", "").split()
        assert "".join(drawn[cell].itertext()) == str(number)
    gaps = {cell_of(e) for e in elements(board, "gap")}
    side = len(position["board"])
    assert gaps == {(r, c) for r in range(side) for c in range(side)} - set(tiles)


def test_svg_tiles_stand_in_rows_and_columns():
    root = ElementTree.fromstring(draw_svg(dealt("standard", 2)))
    places = {}
    for element in elements(one(root, "board"), "tile"):
        place = re.fullmatch(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
        assert place is not None
        places[cell_of(element)] = float(place[1]), float(place[2])
    (r0, c0), (x0, y0) = next(iter(places.items()))
    for (row, column), (x, y) in places.items():
        assert x - x0 == pytest.approx(76 * (column - c0))
        assert y - y0 == pytest.approx(76 * (row - r0))


@positions
def test_svg_shows_hands_and_cards(position):
    root = ElementTree.fromstring(draw_svg(position))
    for seat, hand in enumerate(position["hands"]):
        group = one(root, "hand", f"seat-{seat}")
        drawn = [e.get("data-tile") for e in elements(group, "tile")]
        assert drawn == [f"{colour} {number}" for colour, number in hand["tiles"]]
        cards = [int(e.get("data-card", "")) for e in elements(group, "claimed")]
        assert cards == position["claimed"][seat]
        said = "".join(group.itertext())
        assert f"score {position['scores'][seat]}" in said
        assert ("starting tile" in said) == (hand["starting_tile"] is not None)
        assert ("inactive" in said) == position["inactive"][seat]
    assert [int(e.get("data-card", "")) for e in elements(root, "card")] == position["face_up"]


def test_svg_cards_show_what_they_cost_and_give():
    worth = {"card_points": {"18": 1, "5": 3, "13": 5}, "card18_sum": 15}
    cards = elements(ElementTree.fromstring(draw_svg(middle() | worth)), "card")
    assert ["".join(one(card, "worth").itertext()) for card in cards] == ["1", "3", "5"]
    assert [len(elements(card, "wanted")) for card in cards] == [3, 3, 4]
    tints = [len({e.get("fill") for e in elements(card, "wanted")}) for card in cards]
    assert tints == [3, 3, 1]
    said = ["".join(card.itertext()) for card in cards]
    assert "sum = 15" in said[0]
    assert "three colours" in said[1]
    assert "one colour" in said[2]
    bare = elements(ElementTree.fromstring(draw_svg(middle())), "card")
    assert [elements(card, "worth") for card in bare] == [[], [], []]
    assert "sum = ?" in "".join(bare[0].itertext())


def test_svg_highlights():
    root = ElementTree.fromstring(draw_svg(middle(), highlight=[[2, 4], (0, 0)]))
    assert [cell_of(e) for e in elements(root, "highlight")] == [(0, 0), (2, 4)]


@positions
def test_svg_stands_alone_with_everything_in_its_view(position):
    position = position | {
        "hands": [hand | {"tiles": hand["tiles"] * 9} for hand in position["hands"]]
    }
    root = ElementTree.fromstring(draw_svg(position, highlight=[[2, 2]]))
    assert root.tag == f"{SVG}svg"
    left, top, width, height = map(float, root.get("viewBox", "").split())
    for name in re.findall(r"url\(#([^)]*)\)", draw_svg(position)):
        assert root.find(f".//*[@id='{name}']") is not None
    assert all("://" not in v for e in root.iter() for v in e.attrib.values())
    for place, element in placed(root, 0.0, 0.0):
        if element.tag == f"{SVG}rect":
            x, y = place[0] + float(element.get("x", 0)), place[1] + float(element.get("y", 0))
            assert left <= x <= x + float(element.get("width", 0)) <= left + width
            assert top <= y <= y + float(element.get("height", 0)) <= top + height


def placed(element: ElementTree.Element, x: float, y: float) -> Any:
    """Yield each element with where its group has been moved to."""
    shift = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
    if shift:
        x, y = x + float(shift[1]), y + float(shift[2])
    yield (x, y), element
    for child in element:
        yield from placed(child, x, y)


# What to mark and to say after a step.


@pytest.mark.parametrize(
    ("side", "line", "marked"),
    [
        ("left", 2, [[2, 1]]),
        ("right", 2, [[2, 3]]),
        ("top", 4, [[0, 4]]),
        ("bottom", 0, [[4, 0]]),
        ("bottom", 2, [[2, 2]]),
        ("left", 1, []),
    ],
)
def test_the_pusher_is_marked_after_a_push(side, line, marked):
    assert highlight_of({"action": "push", "side": side, "line": line}, middle()) == marked


def test_the_edge_cell_is_marked_after_a_claim():
    assert highlight_of({"action": "claim", "edge": [4, 1]}, middle()) == [[4, 1]]
    assert highlight_of({"action": "claim", "edge": None}, middle()) == []
    assert highlight_of({"action": "pass"}, middle()) == []


def test_steps_are_said_in_words():
    push = {"seat": 1, "action": "push", "side": "left", "line": 3, "tile": ["blue", 5], "take": 1}
    assert describe(push) == "push blue 5 into row 3 from the left, take 1 tile"
    assert describe(push | {"side": "bottom", "take": 2}) == (
        "push blue 5 into column 3 from the bottom, take 2 tiles"
    )
    cards = [
        {"card": 16, "tiles": [["red", 4], ["red", 6]]},
        {"card": 6, "tiles": [["red", 1], ["blue", 1], ["rainbow", 1]]},
    ]
    claim = {"seat": 0, "action": "claim", "cards": cards, "edge": None}
    said = "claim card 16 for red 4 and red 6; card 6 for red 1, blue 1 and rainbow 1"
    assert describe(claim) == said
    assert describe(claim | {"edge": [0, 4]}) == said + "; take the edge tile at (0,4)"
    assert describe({"seat": 2, "action": "pass"}) == "pass"


# Bad input.


@pytest.mark.parametrize("draw", [draw_terminal, draw_svg])
@pytest.mark.parametrize(
    ("cell", "nearest"), [([5, 0], [4, 0]), ([-1, -1], [0, 0]), ([2, 99], [2, 4])]
)
def test_a_highlight_outside_the_board_is_refused(draw, cell, nearest):
    with pytest.raises(InputError, match=re.escape(f"no cell {cell}")) as refused:
        draw(middle(), highlight=[cell])
    assert str(refused.value).endswith(f"nearest cell is {nearest}")


@pytest.mark.parametrize("draw", [draw_terminal, draw_svg])
def test_a_position_of_another_game_is_refused(draw):
    with pytest.raises(InputError, match="'lumis', expected 'lumina-spell'"):
        draw(middle() | {"game": "lumis"})
