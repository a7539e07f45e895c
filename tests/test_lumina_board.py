"""Board kernels of Lumina Spell against pushes worked out by hand (rulings, 1 to 8)."""

from __future__ import annotations

import numpy as np
import pytest

from lumis_fast.core.jit import entry
from lumis_fast.games.lumina_spell import GAME, board

COLOURS = {"r": 0, "y": 1, "g": 2, "b": 3, "*": 7}
LOW, HIGH = 0, 1


@entry
def _without_gaps(word):
    return board.without_gaps(word)


@entry
def _longest_combo(dense, n, end):
    return board.longest_combo(dense, n, end)


@entry
def _push(word, end, take, tile, side):
    dense, n = board.without_gaps(word)
    return board.pushed(dense, n, end, take, tile, side), board.leaving(dense, n, end, take)


@entry
def _first_tile(word, end):
    dense, n = board.without_gaps(word)
    return board.first_tile(dense, n, end)


@entry
def _matches(tile, other):
    return board.matches(tile, other)


@entry
def _put_and_get(side, rows, line, word):
    board.put_line(side, rows, line, word)
    return board.tiles_of(side, rows, line)


def tile(name: str) -> int:
    """`r3` is red 3, `*2` a rainbow tile numbered 2, `.` no tile."""
    return 0 if name == "." else COLOURS[name[0]] << 4 | int(name[1:])


def word(names: str) -> np.uint64:
    return np.uint64(sum(tile(name) << 7 * i for i, name in enumerate(names.split())))


def names(bits: int, n: int) -> str:
    letters = {colour: letter for letter, colour in COLOURS.items()}
    cells = [int(bits) >> 7 * i & 127 for i in range(n)]
    assert int(bits) >> 7 * n == 0
    return " ".join(f"{letters[c >> 4]}{c & 15}" if c else "." for c in cells)


@pytest.mark.parametrize(
    ("line", "dense"),
    [
        (". . . . .", ""),
        (". r1 . . y2", "r1 y2"),
        ("r1 y2 g3 b4 *5", "r1 y2 g3 b4 *5"),
        (". . . . . . . . b12", "b12"),
        ("r1 . r2 . r3 . r4 . r5", "r1 r2 r3 r4 r5"),
        ("r1 r2 r3 r4 r5 r6 r7 r8 *9", "r1 r2 r3 r4 r5 r6 r7 r8 *9"),
    ],
)
def test_gaps_are_closed(line, dense):
    found, n = _without_gaps(word(line))
    assert (n, names(found, n)) == (len(dense.split()), dense)


# Read from the end that leaves first: the high end where tiles enter at the low one.
@pytest.mark.parametrize(
    ("leaving_first", "longest"),
    [
        ("2 3 4 3", 4),  # the rulebook's examples
        ("2 3 3 2", 4),
        ("2 3 4 4", 4),
        ("4 4 6", 2),
        ("1 3", 1),
        ("6 1", 1),  # no wrap
        ("5", 1),
        ("3 4 6 5 4", 2),
        ("1 2 3 4 5 6 7 8 9", 9),
        ("9 8 8 9 10 11 12 10 9", 7),
        ("12 1 2", 1),
        ("1 12 11", 1),
        ("7 7 7 7 7 7 7 7 5", 8),
    ],
)
def test_a_combo_goes_on_while_numbers_differ_by_one_at_most(leaving_first, longest):
    numbers = leaving_first.split()
    tiles = [f"{'rygb*'[i % 5]}{number}" for i, number in enumerate(numbers)]
    assert _longest_combo(word(" ".join(tiles)), len(tiles), HIGH) == longest
    assert _longest_combo(word(" ".join(tiles[::-1])), len(tiles), LOW) == longest


@pytest.mark.parametrize(
    ("line", "end", "take", "after", "taken"),
    [
        # A full line moves on by one.
        ("r1 y2 g3 b4 r5", LOW, 1, "*9 r1 y2 g3 b4", "r5"),
        ("r1 y2 g3 b4 r5", HIGH, 1, "y2 g3 b4 r5 *9", "r1"),
        # A combo leaves cells empty behind the tile that was pushed in.
        ("r1 y2 g3 b4 r5", LOW, 3, ". . *9 r1 y2", "g3 b4 r5"),
        ("r1 y2 g3 b4 r5", HIGH, 3, "b4 r5 *9 . .", "r1 y2 g3"),
        # Gaps are filled, and at least one tile leaves.
        (". r1 . . y2", LOW, 1, ". . . *9 r1", "y2"),
        (". r1 . . y2", HIGH, 1, "y2 *9 . . .", "r1"),
        (". . r6 . .", LOW, 1, ". . . . *9", "r6"),
        (". . r6 . .", HIGH, 1, "*9 . . . .", "r6"),
        # All that lay in the line leaves; the pushed tile itself stays.
        ("r1 r2 . r3 .", LOW, 3, ". . . . *9", "r1 r2 r3"),
        ("r1 r2 . r3 .", HIGH, 3, "*9 . . . .", "r1 r2 r3"),
        # The longest line there is.
        ("r1 r2 r3 r4 r5 r6 r7 r8 r9", LOW, 1, "*9 r1 r2 r3 r4 r5 r6 r7 r8", "r9"),
        ("r1 r2 r3 r4 r5 r6 r7 r8 r9", HIGH, 9, "*9 . . . . . . . .", "r1 r2 r3 r4 r5 r6 r7 r8 r9"),
        ("r1 r2 r3 r4 r5 r6 r7 r8 r9", LOW, 9, ". . . . . . . . *9", "r1 r2 r3 r4 r5 r6 r7 r8 r9"),
    ],
)
def test_a_push_packs_the_line_against_the_far_end(line, end, take, after, taken):
    side = len(line.split())
    found, left = _push(word(line), end, take, tile("*9"), side)
    assert (names(found, side), names(left, take)) == (after, taken)


@pytest.mark.parametrize(
    ("line", "low", "high"),
    [("r1 y2 g3 b4 r5", "r1", "r5"), (". r1 . y2 .", "r1", "y2"), (". . g7 . .", "g7", "g7")],
)
def test_the_first_tile_met_lies_behind_the_gaps(line, low, high):
    assert _first_tile(word(line), LOW) == tile(low)
    assert _first_tile(word(line), HIGH) == tile(high)


@pytest.mark.parametrize(
    ("one", "other", "match"),
    [
        ("r3", "r5", True),
        ("r3", "b3", True),
        ("r3", "b5", False),
        ("*3", "b5", True),
        ("r3", "*5", True),
        ("r8", "y8", True),
        ("r8", "y9", False),
    ],
)
def test_tiles_match_by_colour_or_number_and_rainbows_always(one, other, match):
    assert _matches(tile(one), tile(other)) == match
    assert _matches(tile(other), tile(one)) == match


def test_lines_are_read_as_they_were_written_and_cross():
    side = 5
    rows = np.zeros(9, np.uint64)
    assert _put_and_get(side, rows, 1, word("r1 r2 r3 . r5")) == (word("r1 r2 r3 r5"), 4)
    assert _put_and_get(side, rows, side + 2, word("b1 b2 . b4 b5")) == (word("b1 b2 b4 b5"), 4)
    assert [names(row, side) for row in rows[:side]] == [
        ". . b1 . .",
        "r1 r2 b2 . r5",
        ". . . . .",
        ". . b4 . .",
        ". . b5 . .",
    ]


def test_a_state_with_its_deck_and_hands_takes_less_than_512_bytes():
    """A search copies it in each iteration; the registered type has the digest's field, too."""
    assert GAME.types(GAME.load_ruleset()).state.itemsize < 512
