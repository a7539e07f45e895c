"""The Lumis board in the terminal and as SVG shows every space and piece where it is."""

from __future__ import annotations

import io
import math
import random
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from rich.console import Console

from lumis_fast.errors import InputError
from lumis_fast.games.lumis import GAME
from lumis_fast.games.lumis.draw import draw_svg, draw_terminal

COLOURS = {"b": "light_blue", "c": "cream", "v": "violet", "g": "green"}
SIX_BY_SEVEN = ["cVcbbCb", "ccbbgcc", "ggc*cgG", "gGg.ccV", "bvgBccc", "bbvv*gg"]


def tower(row: int, column: int, height: int, safe: bool = False) -> dict[str, Any]:
    return {"space": [row, column], "height": height, "safe": safe}


def team(stones: list[list[int]], towers: list[dict[str, Any]], pile: Any = 40) -> dict[str, Any]:
    return {
        "stones": sorted(stones),
        "towers": sorted(towers, key=lambda entry: entry["space"]),
        "fire_stones": 50 - len(stones) - len(towers),
        "supply_cards": [[1, 4], [3, 2]],
        "discards": {"light_blue": 1, "cream": 0, "violet": 2, "green": 3},
        "pile": pile,
    }


def bare(board: list[str], seats: int = 2) -> dict[str, Any]:
    hands = [{"size": 5, "cards": dict.fromkeys(COLOURS.values(), 0) | {"cream": 5}}] * seats
    return {
        "game": "lumis",
        "seats": seats,
        "turn": 16,
        "to_move": 0,
        "over": False,
        "board": board,
        "tower_stones": 31,
        "teams": {"yellow": team([], []), "red": team([], [])},
        "hands": hands,
        "outcome": None,
    }


def middle() -> dict[str, Any]:
    """A game under way: open and safe towers, a takeover, base towers on all four lines."""
    position = bare(SIX_BY_SEVEN)
    position["teams"] = {
        "yellow": team(
            [[0, 0], [1, 0], [1, 1]], [tower(-1, 0, 1), tower(6, 3, 1), tower(0, 1, 2, True)]
        ),
        "red": team(
            [[2, 4], [2, 5]],
            [
                tower(3, -1, 1),
                tower(2, 7, 1),
                tower(2, 6, 3, True),
                tower(3, 1, 12),
                tower(4, 3, 4),
            ],
            ["violet", "green", "cream"],
        ),
    }
    position["hands"] = [
        {"size": 9, "cards": {"light_blue": 2, "cream": 0, "violet": 6, "green": 1}},
        {"size": 7, "cards": None},
    ]
    return position


def finished() -> dict[str, Any]:
    """Yellow joins row -1 to row 3 down column 0; its fourth tower stands apart."""
    position = bare(["bcG", "vcb", "gbv"], seats=4)
    position["teams"]["yellow"] = team(
        [[0, 0], [1, 0], [2, 0]], [tower(-1, 0, 1), tower(3, 0, 1), tower(0, 2, 1)]
    )
    position |= {
        "over": True,
        "outcome": {
            "returns": [1, 0, 1, 0],
            "scores": [1, 0, 1, 0],
            "reason": "connected",
            "turns": 16,
        },
    }
    return position


def random_board(rows: int, columns: int) -> list[str]:
    dice = random.Random(rows * 100 + columns)
    return ["".join(dice.choices("bcvgBCVG.*", k=columns)) for _ in range(rows)]


BOARDS = [SIX_BY_SEVEN, ["g"], random_board(40, 40), random_board(3, 11), random_board(11, 3)]
BOARD_NAMES = ["6x7", "1x1", "40x40", "3x11", "11x3"]
boards = pytest.mark.parametrize("board", BOARDS, ids=BOARD_NAMES)


# The terminal.


def terminal_cells(position: dict[str, Any]) -> dict[tuple[int, int], str]:
    """Read the two characters of each space back from the plain text.

    The line of row r starts r + 4 characters in, and a space is two characters wide.
    """
    lines = draw_terminal(position).plain.split("\n")
    rows, columns = len(position["board"]), len(position["board"][0])
    cells = {}
    for row in range(-1, rows + 1):
        line = lines[row + 2].ljust(row + 4 + 2 * (columns + 2))
        for column in range(-1, columns + 1):
            start = row + 4 + 2 * (column + 1)
            cells[row, column] = line[start : start + 2]
    return cells


def expected_cell(letter: str) -> str:
    if letter == ".":
        return "  "
    if letter == "*":
        return "##"
    return letter * 2 if letter.isupper() else " " + letter


@boards
def test_terminal_has_one_cell_per_space_in_order(board):
    cells = terminal_cells(bare(board))
    rows, columns = len(board), len(board[0])
    shown = [[cells[row, column] for column in range(columns)] for row in range(rows)]
    assert shown == [[expected_cell(letter) for letter in row] for row in board]


@boards
def test_terminal_shows_base_lines_without_corners(board):
    cells = terminal_cells(bare(board))
    rows, columns = len(board), len(board[0])
    for row in (-1, rows):
        assert [cells[row, column] for column in range(columns)] == ["=="] * columns
        assert cells[row, -1] == "  "
        assert cells[row, columns] == "  "
    for column in (-1, columns):
        assert [cells[row, column] for row in range(rows)] == ["\\\\"] * rows


def test_terminal_shows_pieces_with_owner_height_and_safety():
    cells = terminal_cells(middle())
    assert {space: cells[space] for space in [(0, 0), (1, 0), (1, 1), (2, 4), (2, 5)]} == {
        (0, 0): " ●",
        (1, 0): " ●",
        (1, 1): "━●",
        (2, 4): " ◆",
        (2, 5): "━◆",
    }
    assert cells[0, 1] == "Y2"
    assert cells[2, 6] == "R3"
    assert cells[4, 3] == "r4"
    assert cells[3, 1] == "rC"
    base_towers = [cells[space] for space in [(-1, 0), (6, 3), (3, -1), (2, 7)]]
    assert base_towers == ["Y1", "Y1", "R1", "R1"]
    assert cells[2, 3] == "##"
    assert cells[3, 3] == "  "


def test_terminal_names_the_colour_under_towers_that_can_be_built_over():
    text = draw_terminal(middle()).plain
    assert "can be built over: rC on green (3,1), r4 on light blue (4,3)" in text
    assert "A = 10" in text


def test_terminal_panel_tells_supplies_piles_and_turn():
    text = draw_terminal(middle(), highlight=[[2, 4], [2, 5]]).plain
    assert "Yellow to move (seat 0)" in text
    assert "16 turns played, 31 tower stones left" in text
    assert "44 fire stones left" in text
    assert "43 fire stones left" in text
    assert text.count("[1] (back 4)  [3] (back 2)") == 2
    assert "draw pile 40" in text
    assert "draw pile 3, next  v  g  c" in text
    assert "marked (2,4) (2,5)" in text


def test_terminal_hides_a_hidden_hand_but_not_its_size():
    text = draw_terminal(middle()).plain
    own, hidden = (line for line in text.split("\n") if " seat " in line and "cards" in line)
    assert re.findall(r"\b[bcvg]\d+\b", own) == ["b2", "c0", "v6", "g1"]
    assert "7 cards, hidden" in hidden
    assert re.findall(r"\b[bcvg]\d+\b", hidden) == []
    assert "> seat 0" in own
    assert ">" not in hidden


def test_terminal_without_hands():
    assert "hidden" not in draw_terminal(middle(), hands=False).plain


@pytest.mark.parametrize(
    ("reason", "returns", "said"),
    [
        ("connected", [1, 0, 1, 0], "Yellow wins: its sides are connected"),
        ("connected", [0, 1, 0, 1], "Red wins: its sides are connected"),
        ("out_of_fire_stones", [0, 1, 0, 1], "Red wins: Yellow is out of fire stones"),
        ("stuck", [0.5] * 4, "Draw: no seat can move"),
        ("unfinished", [0.5] * 4, "Draw: the limit of turns is reached"),
    ],
)
def test_both_pictures_tell_the_outcome(reason, returns, said):
    position = finished()
    position["outcome"] |= {"reason": reason, "returns": returns}
    assert said in draw_terminal(position).plain
    assert said in "".join(ElementTree.fromstring(draw_svg(position)).itertext())
    assert "to move" not in draw_terminal(position).plain


def printed(position: dict[str, Any], **options: Any) -> str:
    file = io.StringIO()
    console = Console(file=file, width=80, **options)
    console.print(draw_terminal(position, highlight=[[0, 0]]), soft_wrap=True)
    return file.getvalue()


def test_no_colour_codes_where_the_console_has_no_colour():
    plain = draw_terminal(middle(), highlight=[[0, 0]]).plain
    assert printed(middle(), force_terminal=False) == plain + "\n"
    no_colour = printed(middle(), force_terminal=True, color_system="truecolor", no_color=True)
    assert re.search(r"\x1b\[[\d;]*[34]8;", no_colour) is None
    coloured = printed(middle(), force_terminal=True, color_system="truecolor", no_color=False)
    assert re.search(r"\x1b\[[\d;]*48;2;", coloured) is not None


def test_terminal_picture_of_the_usual_size_fits():
    board = ["b" * 25] * 25
    assert max(map(len, draw_terminal(bare(board, 4)).plain.split("\n"))) <= 122


# SVG.


def elements(root: ElementTree.Element, *classes: str) -> list[ElementTree.Element]:
    return [found for found in root.iter() if set(classes) <= set(found.get("class", "").split())]


def places(root: ElementTree.Element, *classes: str) -> list[tuple[int, int]]:
    found = [element.get("data-space", "").split(",") for element in elements(root, *classes)]
    return sorted((int(row), int(column)) for row, column in found)


def spaces_of(board: list[str], letters: str) -> list[tuple[int, int]]:
    return [
        (row, column)
        for row, letter_row in enumerate(board)
        for column, letter in enumerate(letter_row)
        if letter in letters
    ]


@boards
def test_svg_has_one_element_per_space_of_each_kind(board):
    root = ElementTree.fromstring(draw_svg(bare(board)))
    rows, columns = len(board), len(board[0])
    for letter, name in COLOURS.items():
        assert places(root, "space", "ordinary", name) == spaces_of(board, letter)
        assert places(root, "space", "tower-space", name) == spaces_of(board, letter.upper())
    assert places(root, "space", "obstacle") == spaces_of(board, "*")
    assert places(root, "space", "base-line", "yellow") == sorted(
        (row, column) for row in (-1, rows) for column in range(columns)
    )
    assert places(root, "space", "base-line", "red") == sorted(
        (row, column) for row in range(rows) for column in (-1, columns)
    )
    holes = len(spaces_of(board, "."))
    assert len(elements(root, "space")) == rows * columns - holes + 2 * (rows + columns)


def test_svg_stands_alone_with_a_view_box():
    picture = draw_svg(middle(), highlight=[[2, 4]])
    root = ElementTree.fromstring(picture)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    left, top, width, height = map(float, root.get("viewBox", "").split())
    assert width > 0
    assert height > 0
    for polygon in root.iter("{http://www.w3.org/2000/svg}polygon"):
        for corner in polygon.get("points", "").split():
            x, y = map(float, corner.split(","))
            assert left <= x <= left + width
            assert top <= y <= top + height
    for attribute in (value for element in root.iter() for value in element.attrib.values()):
        assert "://" not in attribute
        for name in re.findall(r"url\(#([^)]*)\)", attribute):
            assert root.find(f".//*[@id='{name}']") is not None


def centre_of_space(element: ElementTree.Element) -> tuple[float, float]:
    polygon = element.find("{http://www.w3.org/2000/svg}polygon")
    assert polygon is not None
    corners = [tuple(map(float, pair.split(","))) for pair in polygon.get("points", "").split()]
    assert len(corners) == 6
    return sum(x for x, _ in corners) / 6, sum(y for _, y in corners) / 6


def test_svg_spaces_touch_their_six_neighbours_and_no_others():
    root = ElementTree.fromstring(draw_svg(bare(["b" * 5] * 4)))
    centres = {
        tuple(map(int, element.get("data-space", "").split(","))): centre_of_space(element)
        for element in elements(root, "space")
    }
    steps = {(0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1)}
    near = math.dist(centres[1, 1], centres[1, 2])
    for space, centre in centres.items():
        for other, place in centres.items():
            step = (other[0] - space[0], other[1] - space[1])
            distance = math.dist(centre, place)
            if step in steps:
                assert distance == pytest.approx(near, abs=0.05)
            elif step != (0, 0):
                assert distance > 1.5 * near


def test_svg_shows_every_piece_in_its_place():
    position = middle()
    root = ElementTree.fromstring(draw_svg(position))
    for name, side in position["teams"].items():
        assert places(root, "fire-stone", name) == [tuple(space) for space in side["stones"]]
        drawn = {
            element.get("data-space"): (element.get("data-height"), "".join(element.itertext()))
            for element in elements(root, "tower", name)
        }
        assert len(drawn) == len(side["towers"])
        for entry in side["towers"]:
            row, column = entry["space"]
            height, said = drawn[f"{row},{column}"]
            assert height == str(entry["height"])
            assert re.match(r"\d+", said).group() == str(entry["height"])
    assert len(elements(root, "tower")) == 8
    assert len(elements(root, "fire-stone")) == 5


def test_svg_pieces_stand_on_the_centres_of_their_spaces():
    root = ElementTree.fromstring(draw_svg(middle()))
    centres = {
        element.get("data-space"): centre_of_space(element) for element in elements(root, "space")
    }
    pieces = elements(root, "tower") + elements(root, "fire-stone")
    for piece in pieces:
        place = re.fullmatch(r"translate\((\S+) (\S+)\)", piece.get("transform", ""))
        assert place is not None
        stands = float(place[1]), float(place[2])
        assert stands == pytest.approx(centres[piece.get("data-space")], abs=0.02)


def test_svg_marks_towers_that_cannot_be_built_over():
    root = ElementTree.fromstring(draw_svg(middle()))
    fixed = [(-1, 0), (0, 1), (2, 6), (2, 7), (3, -1), (6, 3)]
    assert places(root, "tower", "safe") == fixed


def test_svg_links_neighbouring_pieces_of_one_team():
    root = ElementTree.fromstring(draw_svg(middle()))
    # Yellow: (-1,0) touches (0,0), (0,0) touches (0,1) and (1,0), (0,1) touches (1,0) and (1,1),
    # (1,0) touches (1,1). Red: (2,4) touches (2,5), (2,5) touches (2,6), (2,6) touches (2,7).
    assert len(elements(root, "link", "yellow")) == 6
    assert len(elements(root, "link", "red")) == 3


def test_svg_lights_the_winning_path_alone():
    (path,) = elements(ElementTree.fromstring(draw_svg(finished())), "winning-path")
    # Five pieces in one column: four links; the tower that stands apart has none.
    assert len(path) == 4
    (path,) = elements(ElementTree.fromstring(draw_svg(middle())), "winning-path")
    assert len(path) == 0


def test_svg_lights_the_path_of_red_from_side_to_side():
    position = finished()
    position["teams"]["yellow"] = team([], [])
    position["teams"]["red"] = team([[1, 0], [1, 1], [1, 2]], [tower(1, -1, 1), tower(1, 3, 1)])
    position["outcome"] |= {"returns": [0, 1, 0, 1]}
    (path,) = elements(ElementTree.fromstring(draw_svg(position)), "winning-path")
    assert len(path) == 4


def test_svg_lights_the_path_where_base_lines_stand_as_towers():
    position = finished()
    position["teams"]["yellow"] = team([[0, 0], [1, 0], [2, 0]], [tower(0, 2, 1)])
    (path,) = elements(ElementTree.fromstring(draw_svg(position)), "winning-path")
    assert len(path) == 2


def test_svg_highlights():
    root = ElementTree.fromstring(draw_svg(middle(), highlight=[[2, 4], (6, 3)]))
    assert places(root, "highlight") == [(2, 4), (6, 3)]


def test_svg_hides_a_hidden_hand_but_not_its_size():
    root = ElementTree.fromstring(draw_svg(middle()))
    (own,) = elements(root, "hand", "seat-0")
    (hidden,) = elements(root, "hand", "seat-1")
    assert re.findall(r"[bcvg]\d+", "".join(own.itertext())) == ["b2", "c0", "v6", "g1"]
    assert "7 cards" in "".join(hidden.itertext())
    assert re.search(r"[bcvg]\d", "".join(hidden.itertext())) is None


def test_svg_panel_tells_supplies():
    root = ElementTree.fromstring(draw_svg(middle()))
    (yellow,) = elements(root, "supplies", "yellow")
    (red,) = elements(root, "supplies", "red")
    assert "44 fire stones" in "".join(yellow.itertext())
    assert "draw pile 40" in "".join(yellow.itertext())
    assert "43 fire stones" in "".join(red.itertext())
    assert re.search(r"draw pile 3\s+v\s+g\s+c\s+discards", "".join(red.itertext()))
    (panel,) = elements(root, "panel")
    assert "31 tower stones left" in "".join(panel.itertext())


def test_counts_of_one_are_singular():
    position = bare(SIX_BY_SEVEN)
    position |= {"turn": 1, "tower_stones": 1}
    assert "1 turn played, 1 tower stone left" in draw_terminal(position).plain


# What to mark and to say after a step.


@pytest.mark.parametrize(
    ("step", "marked", "said"),
    [
        ({"action": "tower", "space": [3, 1], "height": 2}, [[3, 1]],
         "tower space [3, 1], height 2"),
        ({"action": "base", "space": [-1, 0], "card": "cream"}, [[-1, 0]],
         "base space [-1, 0], card cream"),
        ({"action": "connect", "spaces": [[1, 1], [1, 2]]}, [[1, 1], [1, 2]],
         "connect spaces [[1, 1], [1, 2]]"),
        ({"action": "draw", "supply": 1, "cards": ["cream"],
          "reshuffled": {"after": 0, "pile": ["cream"]}}, [], "draw supply 1, cards ['cream']"),
        ({"action": "skip", "x_time": 3}, [], "skip"),
    ],
)  # fmt: skip
def test_what_a_step_built_is_marked_and_said(step, marked, said):
    step = {"seat": 1, **step}
    assert GAME.highlight(step, {}) == marked
    assert GAME.describe(step) == said


# Bad input.


@pytest.mark.parametrize("draw", [draw_terminal, draw_svg])
@pytest.mark.parametrize(
    ("space", "nearest"), [([6, 9], [5, 7]), ([-1, -1], [-1, 0]), ([0, 40], [0, 7])]
)
def test_a_highlight_outside_the_board_is_refused(draw, space, nearest):
    with pytest.raises(InputError, match=re.escape(f"no space {space}")) as refused:
        draw(middle(), highlight=[space])
    assert str(refused.value).endswith(f"nearest space is {nearest}")


def test_a_highlight_on_a_hole_is_refused():
    with pytest.raises(InputError, match=re.escape("no space [3, 3]")):
        draw_svg(middle(), highlight=[[3, 3]])


@pytest.mark.parametrize("draw", [draw_terminal, draw_svg])
def test_a_position_of_another_game_is_refused(draw):
    with pytest.raises(InputError, match="'chess', expected 'lumis'"):
        draw(middle() | {"game": "chess"})
