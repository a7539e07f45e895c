"""Payments: all sets of tiles of a hand that pay a card exactly (rulings, 12 to 15).

Each pattern of a card's numbers (`state.py`) is filled place by place with tiles of the hand,
equal tiles in one order only, so that each set of tiles is found once. A payment is a word of four
tiles of eight bits, the first lowest: rainbow tiles that stand for any number, if the ruleset has
such, then the others by number and colour, the rainbow tiles of a number last.
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.bits import trailing_zeros
from lumis_fast.core.jit import kernel
from lumis_fast.games.lumina_spell.state import MAX_TILES, NUMBERS, ONE, RAINBOW, THREE

_LOW_BITS = np.uint32(0x11111111)
_RAINBOW_BIT = np.uint32(1 << 4 * RAINBOW)
_NONE = np.uint32(0)
_ONE = np.uint32(1)


@kernel
def colours_in(word):
    """The low bit of each colour that a word of a hand has a tile of."""
    return (word | (word >> _ONE) | (word >> np.uint32(2)) | (word >> np.uint32(3))) & _LOW_BITS


@kernel
def count_of(hand, tile):
    """Tell how many of a tile are in a hand."""
    return (hand[tile & 15] >> np.uint32((tile >> 4) * 4)) & np.uint32(15)


@kernel
def add_tile(hand, tile, change):
    """Put a tile into a hand (change 1), or take it out (-1)."""
    hand[tile & 15] += np.uint32(change << ((tile >> 4) * 4))


@kernel
def _open_place(rules, work, hand, pattern, d):
    """Set the choices for place d of a pattern."""
    number = np.int64(rules.pattern[pattern, d])
    if number > 0:
        options = colours_in(hand[number]) & work.allowed[d]
        if rules.rainbow_number_wild:
            options &= ~_RAINBOW_BIT
    else:
        options = _NONE
        for n in range(NUMBERS):
            if hand[n] & (np.uint32(15) << np.uint32(4 * RAINBOW)):
                options |= _ONE << np.uint32(n)
    if d > 0 and number == rules.pattern[pattern, d - 1]:
        # An equal place goes on from the choice before, and takes it again while there are more.
        tile = np.int64(work.chosen[d - 1])
        at = 4 * (tile >> 4) if number > 0 else tile & 15
        options &= ~((_ONE << np.uint32(at)) - _ONE)
        if work.run[d - 1] >= count_of(hand, tile):
            options &= ~(_ONE << np.uint32(at))
    work.options[d] = options


@kernel
def _choose(rules, work, pattern, d, at, colours):
    """Fill place d, and tell the next place what colours are left."""
    number = np.int64(rules.pattern[pattern, d])
    tile = np.uint32(at << 2 | number) if number > 0 else np.uint32(RAINBOW << 4 | at)
    work.chosen[d] = tile
    repeated = d > 0 and work.chosen[d - 1] == tile
    work.run[d] = work.run[d - 1] + _ONE if repeated else _ONE
    allowed = work.allowed[d]
    if tile >> 4 != RAINBOW:
        if colours == ONE:
            allowed = (_ONE << np.uint32(at)) | _RAINBOW_BIT
        elif colours == THREE:
            allowed &= ~(_ONE << np.uint32(at))
    work.allowed[d + 1] = allowed


@kernel
def find_payments(rules, work, hand, card, found, most):
    """Find what pays a card.

    Parameters
    ----------
    rules, work : records
    hand : uint32 array
        A hand as in a state.
    card : int
        The card's number.
    found : uint32 array
        Payments are written as far as there is room.
    most : int
        The search ends when it has so many.

    Returns
    -------
    int
        How many there are.
    """
    n, needed = np.int64(0), np.int64(rules.card_tiles[card])
    has = 0
    for number in range(NUMBERS):
        if hand[number]:
            has |= 1 << number
    for pattern in range(rules.card_first[card], rules.card_last[card]):
        if rules.pattern_needs[pattern] & ~has:
            continue
        d = 0
        work.allowed[0] = _LOW_BITS
        _open_place(rules, work, hand, pattern, 0)
        while d >= 0:
            options = work.options[d]
            if options == _NONE:
                d -= 1
                continue
            at = trailing_zeros(options)
            work.options[d] = options & (options - _ONE)
            _choose(rules, work, pattern, d, at, rules.card_colours[card])
            d += 1
            if d < needed:
                _open_place(rules, work, hand, pattern, d)
                continue
            d -= 1
            if n < len(found):
                payment = _NONE
                for i in range(needed):
                    payment |= work.chosen[i] << np.uint32(8 * i)
                found[n] = payment
            n += 1
            if n >= most:
                return n
    return n


@kernel
def can_pay(rules, work, hand, card):
    """Tell whether a hand can pay a card."""
    return find_payments(rules, work, hand, card, work.payment[:], np.int64(1)) > 0


@kernel
def change_by(hand, payment, change):
    """Put the tiles of a payment into a hand (change 1), or take them out (-1)."""
    for i in range(MAX_TILES):
        tile = np.int64(payment >> np.uint32(8 * i)) & 127
        if tile:
            add_tile(hand, tile, change)


@kernel
def is_payment(rules, work, hand, card, payment):
    """Tell whether these tiles are in a hand and pay a card, and are written in order.

    `work.hand` is overwritten.
    """
    tiles = 0
    paid = work.hand[:]
    paid[:] = _NONE
    for i in range(MAX_TILES):
        tile = np.int64(payment >> np.uint32(8 * i)) & 255
        if tile == 0:
            continue
        if tile > 127 or tile & 15 >= NUMBERS or tile & 15 == 0:
            return False
        tiles += 1
        add_tile(paid, tile, 1)
        if count_of(paid, tile) > count_of(hand, tile):
            return False
    if tiles != rules.card_tiles[card]:
        return False
    found = work.payment[:]
    return find_payments(rules, work, paid, card, found, np.int64(1)) > 0 and found[0] == payment
