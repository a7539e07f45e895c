"""Board kernels: lines as packed words, pushing by shift and compare.

A line is a word of seven-bit cells, cell 0 lowest (see `state.py`). Without its gaps it is *dense*:
m tiles in the lowest m places. All kernels compare the places of a word at once; two tiles match
where the exclusive or of their bits is zero in the number or in the colour, so that tables would
not pay.

Examples
--------
Pushing from the low end, the tile of the highest place leaves first::

    dense   t1 t2 t3 t4         t1 nearest to the entry
    take 2  leaves t4, then t3
    after   .  .  p  t1 t2      packed against the far end of a line of five
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.bits import popcount, trailing_zeros, without_lowest
from lumis_fast.core.jit import kernel
from lumis_fast.games.lumina_spell.state import RAINBOW

_PLACES = 9
TILE = np.uint64(127)
WIDTH = np.uint64(7)
_ONE = np.uint64(1)
_TOP = np.uint64(sum(0x40 << 7 * i for i in range(_PLACES)))
_BELOW_TOP = np.uint64(sum(0x3F << 7 * i for i in range(_PLACES)))
_NUMBER = np.uint64(sum(0x0F << 7 * i for i in range(_PLACES)))
_UNIT = np.uint64(sum(1 << 7 * i for i in range(_PLACES)))
_NO_MORE_THAN_TWO = np.uint64(sum(0x3D << 7 * i for i in range(_PLACES)))


@kernel
def places(n):
    """A word with all bits of the lowest n places set."""
    return (_ONE << (WIDTH * np.uint64(n))) - _ONE


@kernel
def filled(word):
    """The highest bit of each place that holds a tile."""
    return (((word & _BELOW_TOP) + _BELOW_TOP) | word) & _TOP


@kernel
def without_gaps(word):
    """Close the gaps of a line.

    Returns
    -------
    tuple
        The dense word, and the number of its tiles.
    """
    held = filled(word)
    n = popcount(held)
    if held == _TOP & places(n):
        return word, n
    dense, at = np.uint64(0), np.uint64(0)
    while held:
        from_ = np.uint64(trailing_zeros(held) - 6)
        dense |= ((word >> from_) & TILE) << at
        at += WIDTH
        held = without_lowest(held)
    return dense, n


@kernel
def tiles_of(side, rows, line):
    """Give the tiles of a row (line < side) or a column without its gaps, and their number."""
    if line < side:
        return without_gaps(rows[line])
    at = WIDTH * np.uint64(line - side)
    dense, to = np.uint64(0), np.uint64(0)
    for r in range(side):
        tile = (rows[r] >> at) & TILE
        dense |= tile << to
        to += WIDTH * np.uint64(tile > 0)
    return dense, np.int64(to) // 7


@kernel
def put_line(side, rows, line, word):
    """Write a row or a column."""
    if line < side:
        rows[line] = word
        return
    at = WIDTH * np.uint64(line - side)
    from_ = np.uint64(0)
    for r in range(side):
        rows[r] = (rows[r] & ~(TILE << at)) | (((word >> from_) & TILE) << at)
        from_ += WIDTH


@kernel
def first_tile(dense, n, end):
    """The tile that one pushed in from this end (0 low, 1 high) meets; 0 for an empty line."""
    if end == 0 or n == 0:
        return dense & TILE
    return dense >> (WIDTH * np.uint64(n - 1))


@kernel
def matches(tile, other):
    """Tell whether tiles match in colour or number, or one is a rainbow tile (rulings, 1, 8, 9)."""
    both = np.int64(tile) ^ np.int64(other)
    return (both & 15) == 0 or (both >> 4) == 0 or tile >> 4 == RAINBOW or other >> 4 == RAINBOW


@kernel
def longest_combo(dense, n, end):
    """Tell how many tiles may leave when a line is pushed from this end (rulings, 4 to 7)."""
    number = dense & _NUMBER
    # In each place the difference to the next place's number, plus one: 0, 1 or 2 in a combo.
    apart = ((((number | _TOP) - (number >> WIDTH)) & (_TOP | _BELOW_TOP)) + _UNIT) ^ _TOP
    broken = (((apart & _BELOW_TOP) + _NO_MORE_THAN_TWO) | apart) & _TOP & places(n - 1)
    if broken == np.uint64(0):
        return n
    if end == 1:
        return (trailing_zeros(broken) + 1) // 7
    # Fill everything below the highest break, and count.
    broken |= broken >> WIDTH
    broken |= broken >> np.uint64(14)
    broken |= broken >> np.uint64(28)
    broken |= broken >> np.uint64(56)
    return n - popcount(broken)


@kernel
def leaving(dense, n, end, take):
    """The tiles that leave, as a dense word."""
    if end == 1:
        return dense & places(take)
    return dense >> (WIDTH * np.uint64(n - take))


@kernel
def pushed(dense, n, end, take, tile, side):
    """The line after a push (rulings, 3)."""
    keep = n - take
    if end == 1:
        return (dense >> (WIDTH * np.uint64(take))) | (np.uint64(tile) << (WIDTH * np.uint64(keep)))
    block = np.uint64(tile) | ((dense & places(keep)) << WIDTH)
    return block << (WIDTH * np.uint64(side - keep - 1))
