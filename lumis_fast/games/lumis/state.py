"""Record types of Lumis, the rules record made from a ruleset, and dealing.

Bitboards
---------
A board is an array of `uint64` rows. Space (r, c) is bit c + 1 of row r + 2, so base-line spaces
(rows -1 and R, columns -1 and C) have places too, and rows 0 and R + 3 stay empty: a dilation
needs no special case at the edge. A space's number is ``64 * row + bit``.

Boards of up to 28 rows use arrays of 32 rows, larger ones of 48: two sets of record types, for
which the same functions are compiled.

Cards
-----
Colours are numbered as in `COLOURS`. A hand is four counts. A draw pile is a list of colours, the
next card last.
"""

from __future__ import annotations

import hashlib

import numpy as np

from lumis_fast.core.copying import clear
from lumis_fast.core.jit import kernel
from lumis_fast.core.streams import (
    PURPOSE_CHANCE,
    PURPOSE_SETUP,
    STREAM,
    open_stream,
    shuffle,
)
from lumis_fast.games.lumis import ACTIONS, REASONS
from lumis_fast.games.lumis.ruleset import (
    MAX_CARDS_PER_COLOUR,
    MAX_HAND,
    MAX_SIDE,
    MAX_SUPPLY_CARDS,
    MAX_TOWER_SPACES,
    TEAMS,
)

DRAW, GIVE, TOWER, BASE, CONNECT, SKIP = range(len(ACTIONS))
CONNECTED, OUT_OF_FIRE_STONES, STUCK, UNFINISHED = range(len(REASONS))
COLOURS = ("light_blue", "cream", "violet", "green")
NOBODY = 2

MAX_DECK = 4 * MAX_CARDS_PER_COLOUR
MAX_LISTED = 2048
"""A policy looks at no more moves of a list."""

CACHED_ROUTES = 4096
"""So many boards are remembered with their routes: a power of two."""

MAX_VECTORS = 7**4
"""So many card vectors fit into a hand of `MAX_HAND` cards: (24 / 4 + 1) ** 4."""

_ROWS = (32, 48)
_TOWERS = (128, MAX_TOWER_SPACES)


MOVE = np.dtype(
    [
        ("action", np.uint8),
        ("supply", np.uint8),
        ("height", np.uint8),
        ("card", np.uint8),
        ("stones", np.uint8),
        ("cards", np.uint8, (4,)),
        ("unused", np.uint8),
        ("space", np.uint16),
        ("spaces", np.uint16, (MAX_HAND,)),
    ]
)
"""One decision.

`supply` is the face-up number used (draw, give); `cards` the cards given or paid, by colour;
`space` and `height` the tower; `card` the colour paid for a base-line tower; the first `stones`
of `spaces`, in ascending order, the new fire stones. What a kind does not use is zero.
"""


def _rules_dtype(rows: int, towers: int) -> np.dtype:
    board = (rows,)
    return np.dtype(
        [
            ("ordinary", np.uint64, (4, *board)),
            ("tower_spaces", np.uint64, (4, *board)),
            ("base_lines", np.uint64, (2, 2, *board)),
            ("base_both", np.uint64, (2, *board)),
            ("seats", np.uint8),
            ("first_seat", np.uint8),
            ("hand_limit", np.uint8),
            ("opening_hand", np.uint8),
            ("cards_per_colour", np.uint8),
            ("base_towers", np.uint8),
            ("rows", np.uint8),
            ("columns", np.uint8),
            ("stamp", np.uint64),
            ("max_turns", np.int32),
            ("fire_stones", np.int16),
            ("tower_stones", np.int16),
            ("towers", np.int16),
            ("supply_cards", np.uint8, (2,)),
            ("supply_numbers", np.uint8, (2, MAX_SUPPLY_CARDS, 2)),
            ("tower_space", np.uint16, (towers,)),
            ("tower_colour", np.uint8, (towers,)),
            ("tower_at", np.int16, (rows * 64,)),
            ("colour_at", np.uint8, (rows * 64,)),
        ]
    )


def _state_dtype(rows: int, towers: int) -> np.dtype:
    return np.dtype(
        [
            ("own", np.uint64, (2, rows)),
            ("stones", np.uint64, (2, rows)),
            ("chance", STREAM),
            ("turn", np.int32),
            ("to_move", np.uint8),
            ("over", np.uint8),
            ("reason", np.uint8),
            ("winner", np.uint8),
            ("skips", np.uint8),
            ("flipped", np.uint8, (2,)),
            ("pile_size", np.uint8, (2,)),
            ("tower_stones", np.int16),
            ("fire_stones", np.int16, (2,)),
            ("hand_size", np.uint8, (4,)),
            ("hand", np.uint8, (4, 4)),
            ("known", np.uint8, (4, 4)),
            ("team_known", np.uint8, (2, 4)),
            ("unknown", np.uint8, (4,)),
            ("discards", np.uint8, (2, 4)),
            ("pile", np.uint8, (2, MAX_DECK)),
            ("height", np.uint8, (towers,)),
        ]
    )


def _work_dtype(rows: int, towers: int, move: np.dtype) -> np.dtype:
    board = (rows,)
    groups = towers + 2 * MAX_SIDE
    return np.dtype(
        [
            # Boards first, so that they begin on a cache line where the record does.
            ("free", np.uint64, (4, *board)),
            ("group", np.uint64, (groups, *board)),
            ("reach", np.uint64, (MAX_VECTORS + 1, *board)),
            ("grown", np.uint64, (MAX_VECTORS + 1, *board)),
            ("near", np.uint64, (MAX_HAND, *board)),
            ("prefer", np.uint64, board),
            ("a", np.uint64, board),
            ("b", np.uint64, board),
            ("c", np.uint64, board),
            ("forced_size", np.int64),
            ("forced", np.uint8, (MAX_DECK,)),
            ("vectors", np.uint32, (MAX_VECTORS,)),
            ("places", np.int16, (MAX_VECTORS,)),
            ("listed", np.uint8, (MAX_VECTORS + 1,)),
            ("paid", np.uint8, (4,)),
            ("cards", np.uint8, (MAX_DECK,)),
            # The cheapest route across (route.py); words of a space, not of a row.
            ("reached", np.uint64, (rows, 64)),
            ("around", np.uint64, (rows, 64)),
            ("passable", np.uint64, (rows, 64)),
            ("cells", np.int64),
            ("cell", np.uint16, (rows * 64,)),
            ("cell_anchor", np.uint8, (rows * 64,)),
            ("anchors", np.int64),
            ("anchor_cost", np.int32, (64,)),
            ("anchor_cards", np.uint8, (64,)),
            ("anchor_ends", np.uint8, (64,)),
            ("anchor_tower", np.int16, (64,)),
            ("seen", np.uint64, (64,)),
            ("waiting", np.int32, (64,)),
            ("link", np.int32, (64, 64)),
            ("distance", np.uint8, (64, 64)),
            ("cost_from", np.int32, (2, 64)),
            ("towards", np.int32, (2, 64)),
            ("tower_anchor", np.int16, (towers,)),
            ("route_key", np.uint64, (CACHED_ROUTES,)),
            ("route_known", np.int16, (CACHED_ROUTES, 2, 4)),
            ("scores", np.float64, (MAX_LISTED,)),
            ("moves", move, (MAX_LISTED,)),
        ]
    )


def _move_dtype(rows: int) -> np.dtype:
    return np.dtype([*MOVE.descr, (f"rows_{rows}", np.uint8)])


SIZES = tuple(
    {
        "rules": _rules_dtype(rows, towers),
        "work": _work_dtype(rows, towers, _move_dtype(rows)),
        "state": _state_dtype(rows, towers),
        "move": _move_dtype(rows),
    }
    for rows, towers in zip(_ROWS, _TOWERS, strict=True)
)
"""The record types for small and for large boards."""


def size_of(board: list[str]) -> int:
    """Tell which of `SIZES` a board needs.

    Parameters
    ----------
    board : list of str
        Rows without blanks.

    Returns
    -------
    int
        0 or 1.
    """
    towers = sum(letter.isupper() for row in board for letter in row)
    return int(len(board) + 4 > _ROWS[0] or towers > _TOWERS[0])


def number_of(r: int, c: int) -> int:
    """Tell the number of space (r, c).

    Parameters
    ----------
    r, c : int
        -1 and R, -1 and C are the base lines.

    Returns
    -------
    int
    """
    return 64 * (r + 2) + c + 1


def space_of(number: int) -> list[int]:
    """Tell [r, c] of a space's number, the inverse of `number_of`.

    Parameters
    ----------
    number : int

    Returns
    -------
    list of int
    """
    return [int(number) // 64 - 2, int(number) % 64 - 1]


def build_rules(values: dict, seats: int, dtype: np.dtype) -> np.ndarray:
    """Make the rules record of a ruleset.

    Parameters
    ----------
    values : dict
        Effective values by the names of the rulings, checked before.
    seats : int
        2 or 4.
    dtype : numpy.dtype
        The registered rules type for the board's size.

    Returns
    -------
    array of one record
    """
    array = np.zeros(1, dtype)
    rules = array[0]
    board = values["board"]
    rules["seats"] = seats
    rules["first_seat"] = TEAMS.index(values["first_team"])
    rules["rows"], rules["columns"] = len(board), len(board[0])
    for name in (
        "hand_limit",
        "opening_hand",
        "cards_per_colour",
        "base_towers",
        "max_turns",
        "fire_stones",
        "tower_stones",
    ):
        rules[name] = values[name]
    for team, name in enumerate(TEAMS):
        cards = values["supply_cards"][name]
        rules["supply_cards"][team] = len(cards)
        rules["supply_numbers"][team, : len(cards)] = cards
    rules["stamp"] = int.from_bytes(
        hashlib.sha256(repr(sorted(values.items())).encode()).digest()[:8]
    )
    _lay_out_board(rules, board)
    _lay_out_base_lines(rules, len(board), len(board[0]))
    return array


def _set(board: np.ndarray, number: int) -> None:
    board[number // 64] |= np.uint64(1) << np.uint64(number % 64)


def _lay_out_board(rules: np.ndarray, board: list[str]) -> None:
    rules["tower_at"] = -1
    towers = 0
    for r, row in enumerate(board):
        for c, letter in enumerate(row):
            if letter in ".*":
                continue
            number, colour = number_of(r, c), "bcvg".index(letter.lower())
            rules["colour_at"][number] = colour
            if letter.islower():
                _set(rules["ordinary"][colour], number)
                continue
            _set(rules["tower_spaces"][colour], number)
            rules["tower_space"][towers] = number
            rules["tower_colour"][towers] = colour
            rules["tower_at"][number] = towers
            towers += 1
    rules["towers"] = towers


def _lay_out_base_lines(rules: np.ndarray, rows: int, columns: int) -> None:
    lines = rules["base_lines"]
    for c in range(columns):
        _set(lines[0, 0], number_of(-1, c))
        _set(lines[0, 1], number_of(rows, c))
    for r in range(rows):
        _set(lines[1, 0], number_of(r, -1))
        _set(lines[1, 1], number_of(r, columns))
    rules["base_both"][:] = lines[:, 0] | lines[:, 1]


@kernel
def next_seat(rules, seat):
    """The seat whose turn follows."""
    return 0 if seat + 1 == rules.seats else seat + 1


@kernel
def new_game(rules, work, state, seed, deal):
    """Deal: shuffle each team's deck and give each of its seats the opening hand."""
    clear(state)
    open_stream(state.chance, seed, deal, PURPOSE_SETUP)
    for team in range(2):
        size = 0
        for colour in range(4):
            for _ in range(rules.cards_per_colour):
                state.pile[team, size] = colour
                size += 1
        shuffle(state.chance, state.pile[team], size)
        for seat in range(team, rules.seats, 2):
            for _ in range(rules.opening_hand):
                size -= 1
                state.hand[seat, state.pile[team, size]] += 1
            state.hand_size[seat] = rules.opening_hand
        state.pile_size[team] = size
    begin(rules, state)
    open_stream(state.chance, seed, deal, PURPOSE_CHANCE)


@kernel
def begin(rules, state):
    """Lay out everything of a new game but the cards."""
    state.to_move = rules.first_seat
    state.winner = NOBODY
    state.tower_stones = rules.tower_stones
    for seat in range(rules.seats):
        state.unknown[seat] = state.hand_size[seat]
    for team in range(2):
        state.fire_stones[team] = rules.fire_stones
        if not rules.base_towers:
            state.own[team] = rules.base_both[team]


@kernel
def returns(rules, state, values):
    """1 for the winning team's seats, 0 for the losers', 0.5 in a draw."""
    for seat in range(rules.seats):
        if state.winner == NOBODY:
            values[seat] = 0.5
        else:
            values[seat] = 1.0 if state.winner == seat % 2 else 0.0
