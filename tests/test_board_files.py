"""Board files: what is read, what is refused and where, and the two shipped boards."""

from __future__ import annotations

import importlib.resources
import re
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumis_fast.errors import InputError
from lumis_fast.games.lumis.ruleset import MAX_SIDE, load, parse_board

NEIGHBOURS = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1))
HALF_TURN = dict(zip("bgcvBGCV*.", "gbvcGBVC*.", strict=True))
SWAP = dict(zip("bgcvBGCV*.", "gbcvGBCV*.", strict=True))


def shipped(name: str):
    folder = importlib.resources.files("lumis_fast.games.lumis") / "rulesets"
    return parse_board((folder / name).read_text(encoding="utf-8"), name)


def refused(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parse_board(text, "mine.txt")
    message = str(caught.value)
    assert message.startswith("mine.txt: ")
    assert "\n" not in message
    return message


def place(message: str) -> tuple[int, int]:
    found = re.search(r"line (\d+), column (\d+)", message)
    assert found is not None, message
    return int(found[1]), int(found[2])


# --- what is read -----------------------------------------------------------------------------


def test_rows_lose_blanks_and_comments():
    text = "# a board\n\n\tc b *\n  . G v\r\n#\n   c b g\n# the end"
    board = parse_board(text, "x")
    assert board.rows == ["cb*", ".Gv", "cbg"]
    assert board.areas is None


def test_areas_are_read_and_change_no_row():
    rows = "c b\n v g"
    with_areas = parse_board(rows + "\n\n# areas\nA A\nB1\n\n", "x")
    assert with_areas.areas == ["AA", "B1"]
    assert with_areas.rows == parse_board(rows, "x").rows == ["cb", "vg"]


@pytest.mark.parametrize("text", ["b", "G", "bb\nbb", "b" * 40, "\n".join("b" * 40)])
def test_smallest_and_long_boards(text):
    assert parse_board(text, "x").rows == text.split("\n")


def test_largest_board():
    assert len(parse_board("\n".join(["c" * 40] * 40), "x").rows) == MAX_SIDE == 40


def test_rectangular_board_with_several_obstacles_and_gaps():
    rows = ["bb*bb", "b...b", "bbbbb"]
    assert parse_board("\n".join(rows), "x").rows == rows


# --- what is refused, and where ---------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "\n\n", "# only\n# comments\n"])
def test_no_rows(text):
    assert place(refused(text)) == (1, 1)


def test_unknown_letter():
    message = refused("# comment\nc b g\n c x g\n  c b g")
    assert place(message) == (3, 4)
    assert "'x'" in message and "b c v g" in message


def test_comment_without_blank_is_an_unknown_letter():
    message = refused("#comment\ncb\nvg")
    assert place(message) == (1, 1)
    assert "'# '" in message


def test_row_too_short():
    message = refused("c b g\n c b\n  c b g")
    assert place(message) == (2, 5)
    assert "expected 3" in message


def test_first_row_wrong_is_blamed_itself():
    assert place(refused("c b g v\n c b g\n  c b g")) == (1, 7)


def test_row_too_long():
    message = refused("c b g\n c b g v\n  c b g")
    assert place(message) == (2, 8)
    assert "one space too many" in message


def test_tower_space_beyond_the_outline():
    message = refused("c b g\n c b g G\n  c b g")
    assert place(message) == (2, 8)
    assert "tower space outside" in message


def test_tower_space_that_no_way_leads_to():
    rows = ["ccccc", "c...c", "c.B.c", "c...c", "ccccc"]
    message = refused("\n".join(rows))
    assert place(message) == (3, 3)
    assert "tower space outside" in message
    # An ordinary space in the same place harms nobody.
    rows[2] = "c.b.c"
    assert parse_board("\n".join(rows), "x").rows == rows


def test_too_many_rows():
    message = refused("\n".join(["cc"] * 41))
    assert place(message) == (41, 1)
    assert "at most 40" in message


def test_too_many_columns():
    message = refused("\n".join([" ".join("c" * 41)] * 2))
    assert place(message) == (1, 81)
    assert "at most 40" in message


def test_yellow_has_no_way_across():
    message = refused("# x\nccc\n**.\nccc")
    assert place(message) == (2, 1)
    assert "yellow has no way across from row -1 to row 3" in message


def test_red_has_no_way_across_and_the_place_is_the_farthest():
    # Column 2 is closed; row 1 leads farthest, to column 1.
    message = refused("c . * c\n c c * c\n  c . . c")
    assert place(message) == (2, 4)
    assert "red has no way across from column -1 to column 4" in message


def test_no_space_touches_the_first_base_line():
    message = refused("# x\n* .\nc c")
    assert place(message) == (2, 1)
    assert "yellow" in message and "first base line" in message


@pytest.mark.parametrize(
    ("rows", "team"),
    [
        # (0,1) touches (1,0) and (1,1) but (0,0) does not touch (1,1).
        (["c*", "*c"], "yellow"),
        (["*c", "c*"], None),
        # A column closed for red only.
        (["c*c", "c*c", "c*c"], "red"),
        # Tower spaces are part of a way.
        (["C*", "B*", "Cc"], None),
    ],
)
def test_ways_follow_the_six_neighbours(rows, team):
    if team is None:
        assert parse_board("\n".join(rows), "x").rows == rows
    else:
        assert f"{team} has no way across" in refused("\n".join(rows))


@pytest.mark.parametrize(
    ("areas", "at"),
    [
        ("AAA\nAAA", (6, 1)),
        ("AAA\nAAA\nAAA\nAAA", (8, 1)),
        ("AAA\nAA\nAAA", (6, 3)),
        ("AAA\nAA A A\nAAA", (6, 6)),
        ("AAA\nA.A\nAAA", (6, 2)),
        ("*AA\nAAA\nAAA", (5, 1)),
    ],
)
def test_area_list_of_another_shape(areas, at):
    # The board has lines 1 to 3, line 4 is empty, and line 5 is the first of the list.
    assert place(refused("ccc\ncBc\nccc\n\n" + areas)) == at


def test_area_list_without_a_tower_space():
    assert "tower space outside all areas" in refused("ccc\ncBc\nccc\n\nAAA\nA.A\nAAA")


def test_third_part():
    assert place(refused("c\n\nA\n\n A")) == (5, 2)


@given(st.text(st.sampled_from("bcvgBCVG*. \t\r\n#xA\u2028é"), max_size=200) | st.text())
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_refused_in_one_sentence(text):
    try:
        board = parse_board(text, "mine.txt")
    except InputError as error:
        assert re.search(r"^mine\.txt: line \d+, column \d+: ", str(error))
        assert "\n" not in str(error)
    else:
        assert len({len(row) for row in board.rows}) == 1
        assert set("".join(board.rows)) <= set("bcvgBCVG*.")


@given(st.lists(st.text(st.sampled_from("bcB*."), min_size=4, max_size=4), min_size=1, max_size=5))
@settings(max_examples=150, deadline=None)
def test_ways_agree_with_repeated_relaxation(rows):
    """The same question by another method: matrix-like relaxation until nothing changes."""
    size = {(r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x not in "*."}

    def closure(reached):
        for _ in size:
            reached = reached | {
                (r, c)
                for r, c in size
                if any((r + down, c + right) in reached for down, right in NEIGHBOURS)
            }
        return reached

    down = closure({space for space in size if space[0] == 0})
    right = closure({space for space in size if space[1] == 0})
    ways = any(r == len(rows) - 1 for r, _ in down) and any(c == 3 for _, c in right)
    border = closure(
        {(r, c) for r, c in size if r in (0, len(rows) - 1) or c in (0, len(rows[0]) - 1)}
    )
    towers = {(r, c) for r, c in size if rows[r][c].isupper()}
    try:
        accepted = bool(parse_board("\n".join(rows), "x").rows)
    except InputError:
        accepted = False
    assert accepted == (ways and towers <= border)


# --- the shipped boards -----------------------------------------------------------------------


def areas_of(board) -> dict[str, list[tuple[int, int]]]:
    areas = defaultdict(list)
    for row, line in enumerate(board.areas):
        for column, area in enumerate(line):
            if area != "*":
                areas[area].append((row, column))
    return areas


def colours_in(board, spaces) -> Counter:
    return Counter(board.rows[r][c] for r, c in spaces if board.rows[r][c].islower())


@pytest.mark.parametrize(("name", "side"), [("standard.txt", 25), ("areas-25.txt", 21)])
def test_both_teams_face_equal_boards(name, side):
    rows = shipped(name).rows
    last = side - 1
    assert [len(row) for row in rows] == [side] * side
    for r in range(side):
        for c in range(side):
            assert rows[last - r][last - c] == HALF_TURN[rows[r][c]]
            assert rows[c][r] == SWAP[rows[r][c]]


@pytest.mark.parametrize("name", ["standard.txt", "areas-25.txt"])
def test_areas_follow_the_symmetries(name):
    board = shipped(name)
    last = len(board.rows) - 1
    areas = {frozenset(spaces) for spaces in areas_of(board).values()}
    assert {frozenset((last - r, last - c) for r, c in area) for area in areas} == areas
    assert {frozenset((c, r) for r, c in area) for area in areas} == areas


@pytest.mark.parametrize(
    ("name", "count", "smallest", "largest", "towers"),
    [("standard.txt", 36, 12, 36, 44), ("areas-25.txt", 25, 12, 25, 32)],
)
def test_numbers_of_areas_and_tower_spaces(name, count, smallest, largest, towers):
    board = shipped(name)
    sizes = [len(spaces) for spaces in areas_of(board).values()]
    assert len(sizes) == count
    assert smallest <= min(sizes) and max(sizes) <= largest
    assert sum(letter.isupper() for letter in "".join(board.rows)) == towers


@pytest.mark.parametrize("name", ["standard.txt", "areas-25.txt"])
def test_each_area_is_connected(name):
    for area, spaces in areas_of(shipped(name)).items():
        reached, frontier = {spaces[0]}, [spaces[0]]
        while frontier:
            r, c = frontier.pop()
            for down, right in NEIGHBOURS:
                space = (r + down, c + right)
                if space in spaces and space not in reached:
                    reached.add(space)
                    frontier.append(space)
        assert reached == set(spaces), area


@pytest.mark.parametrize("name", ["standard.txt", "areas-25.txt"])
def test_each_area_has_one_colour_and_tower_spaces_of_another(name):
    board = shipped(name)
    middle = "M" if name == "areas-25.txt" else None
    for area, spaces in areas_of(board).items():
        towers = [board.rows[r][c] for r, c in spaces if board.rows[r][c].isupper()]
        assert 1 <= len(towers) <= 2
        if area != middle:
            colours = colours_in(board, spaces)
            assert len(colours) == 1, area
            assert not {tower.lower() for tower in towers} & set(colours), area


@pytest.mark.parametrize("name", ["standard.txt", "areas-25.txt"])
def test_tower_spaces_stand_near_the_middle_of_their_area(name):
    """No tower space is among the outer half of its area's spaces, by sum of hex distances."""
    board = shipped(name)
    for area, spaces in areas_of(board).items():

        def far(space, spaces=spaces):
            return sum(
                max(abs(space[0] - r), abs(space[1] - c), abs(space[0] + space[1] - r - c))
                for r, c in spaces
            )

        order = sorted(far(space) for space in spaces)
        for r, c in spaces:
            if board.rows[r][c].isupper():
                assert far((r, c)) <= order[len(order) // 2], (area, r, c)


def test_middle_area_of_25_has_partner_colours_equally_often():
    board = shipped("areas-25.txt")
    spaces = areas_of(board)["M"]
    assert {(20 - r, 20 - c) for r, c in spaces} == set(spaces)
    colours = colours_in(board, spaces)
    assert colours["b"] == colours["g"] and colours["c"] == colours["v"]
    assert all(colours[letter] for letter in "bcvg")


@pytest.mark.parametrize(("name", "middle"), [("standard.txt", 12), ("areas-25.txt", 10)])
def test_the_only_obstacle_is_in_the_exact_middle(name, middle):
    board = shipped(name)
    text = "".join(board.rows)
    assert text.count("*") == 1 and "." not in text
    assert board.rows[middle][middle] == board.areas[middle][middle] == "*"


@pytest.mark.parametrize("name", ["standard.txt", "areas-25.txt"])
def test_colours_are_balanced_as_the_half_turn_implies(name):
    counts = Counter("".join(shipped(name).rows))
    for one, other in ("bg", "cv", "BG", "CV"):
        assert counts[one] == counts[other] > 0


def test_the_25_areas_have_each_colour_equally_often():
    counts = Counter("".join(shipped("areas-25.txt").rows))
    assert {counts[letter] for letter in "bcvg"} == {(21 * 21 - 1 - 32) // 4}
    assert {counts[letter] for letter in "BCVG"} == {32 // 4}


def test_standard_rows_spot_checks():
    """Four places read off the reconstruction by eye."""
    rows = load("standard").values["board"]
    assert rows[0] == "cccbbbbbcccccbbbbcccccbbb"
    assert (rows[1][1], rows[6][10], rows[23][23]) == ("V", "C", "C")
    assert rows[24] == "gggvvvvvggggvvvvvgggggvvv"


def test_a_board_has_at_most_512_tower_spaces() -> None:
    rows = ["B" * 32] * 16
    assert parse_board("\n".join(rows), "board").rows == rows
    with pytest.raises(InputError, match="line 17, column 1: one tower space too many, 513"):
        parse_board("\n".join([*rows, "B" + "b" * 31]), "board")
