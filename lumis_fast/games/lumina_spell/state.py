"""Record types of Lumina Spell, the rules record made from a ruleset, and dealing.

Tiles
-----
A tile is seven bits: its number, from 1, in the low four, its colour in the high three. Rainbow
tiles have the colour `RAINBOW`. Zero is no tile.

Board
-----
A row is a word of seven-bit cells, the leftmost lowest; columns are gathered from the rows when
they are looked at. Lines are numbered rows first, then columns. A line is pushed from one of its
two ends, its low or its high cell: ``side`` is ``2 * is_column + end``.

Hands
-----
For each number a word of four-bit counts, one for each colour: ``(word >> 4 * colour) & 15``. The
starting tile is in the hand as a rainbow tile, and in ``start`` as long as it may push. ``held``
counts a hand's tiles by colour, eight bits for each.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

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
from lumis_fast.games.lumina_spell import ACTIONS, REASONS
from lumis_fast.games.lumina_spell.ruleset import (
    CARDS,
    FACE_UP,
    MAX_DECK,
    MAX_NUMBER,
    MAX_SIDE,
    Card,
)

_EACH_BYTE = np.uint64(0x0101010101010101)

PUSH, CLAIM, PASS = range(len(ACTIONS))
LAST_CARD, POINTS, COLOUR_GONE, FEW_TILES, STALLED, UNFINISHED = range(len(REASONS))
ANY, ONE, THREE = range(3)
"""What colours a payment must have: any, a single one, three different ones."""

RAINBOW = 7
NOBODY = 7
"""In the high bits of a deck's card: nobody has claimed it."""

COUNT = np.uint32(15)
"""The bits of a count in a word of a hand, that of colour 0."""

MAX_TILES = 4
"""No card asks for more."""

MAX_SEATS = 4
NUMBERS = MAX_NUMBER + 1
MAX_PATTERNS = 2048
MAX_PAYMENTS = 1 << 15
"""No card can be paid in more ways, with six colours, numbers to 8 and any rainbow tiles."""

MAX_LISTED = 4096
"""A policy looks at no more moves of a list."""

MOVE = np.dtype(
    [
        ("action", np.uint8),
        ("side", np.uint8),
        ("line", np.uint8),
        ("tile", np.uint8),
        ("take", np.uint8),
        ("cards", np.uint8),
        ("more", np.uint8),
        ("edge", np.uint8),
        ("card", np.uint8, (FACE_UP,)),
        ("paid", np.uint32, (FACE_UP,)),
    ]
)
"""One decision.

A push has `side`, `line` (a row or column by its own number), `tile` and `take`. A claim has the
numbers of `cards` cards and what is paid for each, four tiles of eight bits, the first lowest, in
the order of `payment.py`. With `more` the turn goes on, and only claims and its end may follow;
otherwise `edge` is the cell of the tile taken, one more than side * row + column, or 0. What a
kind does not use is zero.
"""

RULES = np.dtype(
    [
        ("seats", np.uint8),
        ("side", np.uint8),
        ("colours", np.uint8),
        ("numbers", np.uint8),
        ("highest", np.uint8),
        ("copies", np.uint8),
        ("rainbows", np.uint8),
        ("deck_size", np.uint8),
        ("rainbow_number_wild", np.uint8),
        ("threshold", np.int32),
        ("max_turns", np.int32),
        ("rainbow_numbers", np.uint8, (8,)),
        ("deck", np.uint8, (MAX_DECK,)),
        ("points", np.int16, (len(CARDS) + 1,)),
        ("card_tiles", np.uint8, (len(CARDS) + 1,)),
        ("card_colours", np.uint8, (len(CARDS) + 1,)),
        ("card_first", np.int32, (len(CARDS) + 1,)),
        ("card_last", np.int32, (len(CARDS) + 1,)),
        ("pattern_rainbows", np.uint8, (MAX_PATTERNS,)),
        ("pattern", np.uint8, (MAX_PATTERNS, MAX_TILES)),
        ("pattern_at", np.uint8, (MAX_PATTERNS, MAX_TILES)),
        ("pattern_needs", np.uint64, (MAX_PATTERNS,)),
    ]
)
"""Patterns `card_first` to `card_last` - 1 are a card's: numbers in ascending order; 0 stands for
a rainbow tile of any number. `pattern_needs` has bits for the numbers that are there once, twice
and three times, sixteen bits for each, and `pattern_at` places in `work.held`, 0 for any tile."""

STATE = np.dtype(
    [
        ("chance", STREAM),
        ("turn", np.int32),
        ("points", np.int16, (MAX_SEATS,)),
        ("to_move", np.uint8),
        ("over", np.uint8),
        ("reason", np.uint8),
        ("triggered", np.uint8),
        ("first", np.uint8),
        ("inactive", np.uint8),
        ("passes", np.uint8),
        ("tiles", np.uint8),
        ("on_board", np.uint8, (8,)),
        ("start", np.uint8, (MAX_SEATS,)),
        ("face_up", np.uint8, (FACE_UP,)),
        ("revealed", np.uint8),
        ("claims", np.uint8),
        ("claimed", np.uint8, (FACE_UP,)),
        ("paid", np.uint32, (FACE_UP,)),
        ("held", np.uint64, (MAX_SEATS,)),
        ("hand", np.uint32, (MAX_SEATS, NUMBERS)),
        ("rows", np.uint64, (MAX_SIDE,)),
        ("deck", np.uint8, (MAX_DECK,)),
    ]
)
"""`tiles` and `on_board` count the board's tiles, all and by colour. `face_up` holds places in the
deck, one more than the index, or 0. A card of `deck` is its number in the low five bits and, once
claimed, the seat in the others, else `NOBODY`. `claims`, `claimed` and `paid` are the cards that
were claimed in a turn that goes on."""

WORK = np.dtype(
    [
        ("cards", np.uint8, (MAX_SIDE * MAX_SIDE,)),
        ("hand", np.uint32, (NUMBERS,)),
        ("tried", np.uint32, (NUMBERS,)),
        ("rest", np.uint32, (NUMBERS,)),
        ("share", np.float64, (FACE_UP,)),
        ("numbers", np.uint64, (2,)),
        ("held", np.uint32, (2 * NUMBERS,)),
        ("options", np.uint32, (MAX_TILES + 1,)),
        ("allowed", np.uint32, (MAX_TILES + 1,)),
        ("chosen", np.uint32, (MAX_TILES + 1,)),
        ("run", np.uint32, (MAX_TILES + 1,)),
        ("payment", np.uint32, (MAX_PAYMENTS,)),
        ("scores", np.float64, (MAX_LISTED,)),
        ("moves", MOVE, (MAX_LISTED,)),
    ]
)


def build_rules(values: dict, seats: int, dtype: np.dtype) -> np.ndarray:
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
    rules["seats"] = seats
    for name in ("side", "colours", "numbers", "copies", "rainbow_number_wild", "max_turns"):
        rules[name] = values[name]
    rules["threshold"] = values["thresholds"][seats - 2]
    rainbows, deck = values["rainbow_numbers"], values["deck"]
    rules["rainbows"], rules["deck_size"] = len(rainbows), len(deck)
    rules["rainbow_numbers"][: len(rainbows)] = rainbows
    rules["deck"][: len(deck)] = deck
    rules["highest"] = max(values["numbers"], *rainbows)
    rules["points"][1:] = values["points"]
    _list_patterns(rules, values)
    return array


def _list_patterns(rules: np.void, values: dict) -> None:
    """Write the patterns of all cards; cards that ask for the same share them."""
    known: dict[Any, tuple[int, int]] = {}
    end = 0
    for number, card in CARDS.items():
        rules["card_tiles"][number] = card.tiles
        rules["card_colours"][number] = ("any", "one", "three").index(card.colours)
        kind = (card.tiles, card.pattern, _total(number, values))
        if kind not in known:
            first = end
            for pattern in _patterns(card, _total(number, values), values):
                rules["pattern"][end, : len(pattern)] = pattern
                rules["pattern_rainbows"][end] = pattern.count(0)
                for i, n in enumerate(pattern):
                    before = pattern[:i].count(n) if n else 0
                    rules["pattern_at"][end, i] = n + NUMBERS * min(before, 1)
                    rules["pattern_needs"][end] |= np.uint64((n > 0) << 16 * before + n)
                end += 1
            known[kind] = first, end
        rules["card_first"][number], rules["card_last"][number] = known[kind]


def _total(number: int, values: dict) -> int:
    """The sum that a card asks for, if it does."""
    return values["card18_sum"] if number == 18 else CARDS[number].total


def _patterns(card: Card, total: int, values: dict) -> Iterator[tuple[int, ...]]:
    """Give the numbers that pay a card, in ascending order, rainbows of any number first."""
    found: set[tuple[int, ...]] = set()
    highest = max(values["numbers"], *values["rainbow_numbers"])
    for numbers in itertools.combinations_with_replacement(range(1, highest + 1), card.tiles):
        if _fits(card, total, numbers):
            found.add(numbers)
    if values["rainbow_number_wild"]:
        most = min(card.tiles, len(values["rainbow_numbers"]))
        found = {
            (0,) * (card.tiles - n) + kept
            for numbers in found
            for n in range(card.tiles - most, card.tiles + 1)
            for kept in itertools.combinations(numbers, n)
        }
    yield from sorted(found)


def _fits(card: Card, total: int, numbers: tuple[int, ...]) -> bool:
    """Tell whether numbers in ascending order are what a card asks for (rulings, 13)."""
    if card.pattern == "sum":
        return sum(numbers) == total
    if card.pattern == "consecutive":
        return all(b == a + 1 for a, b in itertools.pairwise(numbers))
    return numbers[0] == numbers[-1] and (card.pattern == "same" or numbers[0] == 1)


@kernel
def next_seat(rules, seat):
    """The seat to the left."""
    return 0 if seat + 1 == rules.seats else seat + 1


@kernel
def new_game(rules, work, state, seed, deal):
    """Lay out the tiles, deal the starting tiles, shuffle the cards, draw who begins."""
    clear(state)
    stream = state.chance
    open_stream(stream, seed, deal, PURPOSE_SETUP)
    cells, rainbows = work.cards[:], np.int64(rules.rainbows)
    for i in range(rainbows):
        cells[i] = (RAINBOW << 4) | rules.rainbow_numbers[i]
    shuffle(stream, cells, rainbows)
    seats, side = np.int64(rules.seats), np.int64(rules.side)
    for seat in range(seats):
        state.start[seat] = cells[seat]
    centre = cells[seats]
    n = 0
    for colour in range(rules.colours):
        for number in range(1, np.int64(rules.numbers) + 1):
            for _ in range(rules.copies):
                cells[n] = (colour << 4) | number
                n += 1
    shuffle(stream, cells, n)
    cells[n] = cells[n // 2]
    cells[n // 2] = centre
    for r in range(side):
        for c in range(side):
            state.rows[r] |= np.uint64(cells[side * r + c]) << np.uint64(7 * c)
    for i in range(rules.deck_size):
        state.deck[i] = (NOBODY << 5) | rules.deck[i]
    shuffle(stream, state.deck, np.int64(rules.deck_size))
    state.first = below(stream, seats)
    begin(rules, state)
    open_stream(stream, seed, deal, PURPOSE_CHANCE)


@kernel
def begin(rules, state):
    """Set out everything of a new game that the board, the starting tiles and the deck decide."""
    state.to_move = state.first
    for colour in range(rules.colours):
        state.on_board[colour] = rules.numbers * rules.copies
    state.on_board[RAINBOW] = 1
    state.tiles = rules.side * rules.side
    for seat in range(rules.seats):
        state.hand[seat, state.start[seat] & 15] += 1 << (4 * RAINBOW)
        state.held[seat] += np.uint64(1 << (8 * RAINBOW))
    for i in range(FACE_UP):
        state.face_up[i] = i + 1
    state.revealed = FACE_UP


@kernel
def tiles_in(word):
    """Count the tiles of a word of a hand."""
    pairs = (word & np.uint32(0x0F0F0F0F)) + ((word >> np.uint32(4)) & np.uint32(0x0F0F0F0F))
    return np.int64((np.uint64(pairs) * np.uint64(0x01010101)) >> np.uint64(24)) & 255


@kernel
def hand_size(state, seat):
    """Count the tiles of a hand."""
    return np.int64((state.held[seat] * _EACH_BYTE) >> np.uint64(56))


@kernel
def coloured_tiles(state, seat):
    """Count the tiles of a hand that are not rainbow tiles."""
    return np.int64(((state.held[seat] << np.uint64(8)) * _EACH_BYTE) >> np.uint64(56))


@kernel
def scores(rules, state, values):
    """Card points less one for each tile in hand (rulings, 23)."""
    for seat in range(rules.seats):
        values[seat] = state.points[seat] - hand_size(state, seat)


@kernel
def returns(rules, state, values):
    """The victory shared by all who have the best score."""
    scores(rules, state, values)
    best, winners = values[0], 0
    for seat in range(rules.seats):
        best = max(best, values[seat])
    for seat in range(rules.seats):
        winners += values[seat] == best
    for seat in range(rules.seats):
        values[seat] = 1.0 / winners if values[seat] == best else 0.0
