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
from lumis_fast.games.lumina_spell.state import (
    COUNT,
    MAX_TILES,
    NUMBERS,
    ONE,
    RAINBOW,
    THREE,
    tiles_in,
)

TILES, COLOURS = range(2)

_LOW_BITS = np.uint32(0x11111111)
_RAINBOW_BIT = np.uint32(1 << 4 * RAINBOW)
_ABOVE_LOW_BITS = np.uint32(0x77777777)
_NONE = np.uint32(0)
_ONE = np.uint32(1)


@kernel
def colours_in(word):
    """The low bit of each colour that a word of a hand has a tile of."""
    return (word | (word >> _ONE) | (word >> np.uint32(2)) | (word >> np.uint32(3))) & _LOW_BITS


@kernel
def count_of(hand, tile):
    """Tell how many of a tile are in a hand."""
    return (hand[tile & 15] >> np.uint32((tile >> 4) * 4)) & COUNT


@kernel
def add_tile(hand, tile, change):
    """Put a tile into a hand (change 1), or take it out (-1)."""
    hand[tile & 15] += np.uint32(change << ((tile >> 4) * 4))


@kernel
def look_at(rules, work, hand):
    """Note what a hand has, for `find_payments` and for policies.

    `work.numbers` has bits for the numbers of which there are one, two and three tiles, sixteen
    bits for each of these, of any colours (`TILES`) and of different ones (`COLOURS`).
    `work.held` has the low bit of each colour of which there is one tile, and then, from
    `NUMBERS` on, of which there are two. Rainbow tiles count as any colour. Without branches, so
    that it is done for several numbers at once.
    """
    held = work.held
    one = two = three = kinds_two = kinds_three = _NONE
    for number in range(1, np.int64(rules.highest) + 1):
        word, at = hand[number], np.uint32(number)
        colours, twice = colours_in(word), colours_in((word >> _ONE) & _ABOVE_LOW_BITS)
        rainbows = word >> np.uint32(28)
        is_rainbow, is_pair = np.uint32(rainbows > 0), np.uint32(rainbows > 1)
        held[number] = colours | np.uint32(_LOW_BITS * is_rainbow)
        held[NUMBERS + number] = (
            twice | np.uint32(colours * is_rainbow) | np.uint32(_LOW_BITS * is_pair)
        )
        tiles = tiles_in(word)
        kinds = tiles_in(colours & ~_RAINBOW_BIT) + rainbows
        one |= np.uint32(tiles > 0) << at
        two |= np.uint32(tiles > 1) << at
        three |= np.uint32(tiles > 2) << at
        kinds_two |= np.uint32(kinds > 1) << at
        kinds_three |= np.uint32(kinds > 2) << at
    held[0] = _LOW_BITS
    first, second, third = np.uint64(one), np.uint64(16), np.uint64(32)
    work.numbers[TILES] = first | (np.uint64(two) << second) | (np.uint64(three) << third)
    work.numbers[COLOURS] = (
        first | (np.uint64(kinds_two) << second) | (np.uint64(kinds_three) << third)
    )


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
        for n in range(1, np.int64(rules.highest) + 1):
            if hand[n] & (COUNT << np.uint32(4 * RAINBOW)):
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
        A hand as in a state; `look_at` has looked at it.
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
    n, needed, colours = np.int64(0), np.int64(rules.card_tiles[card]), rules.card_colours[card]
    kind = COLOURS if colours == THREE else TILES
    for pattern in range(rules.card_first[card], rules.card_last[card]):
        work.allowed[0] = _LOW_BITS
        if colours == ONE:
            # Only colours of which all places can be filled.
            usable, at = _LOW_BITS, rules.pattern_at[pattern]
            for i in range(MAX_TILES):
                usable &= work.held[at[i]]
            if usable == _NONE:
                continue
            work.allowed[0] = usable | _RAINBOW_BIT
        elif rules.pattern_needs[pattern] & ~work.numbers[kind]:
            continue
        d = 0
        _open_place(rules, work, hand, pattern, 0)
        while d >= 0:
            options = work.options[d]
            if options == _NONE:
                d -= 1
                continue
            at = trailing_zeros(options)
            work.options[d] = options & (options - _ONE)
            _choose(rules, work, pattern, d, at, colours)
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
    """Tell whether a hand that was looked at can pay a card."""
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
    look_at(rules, work, paid)
    return find_payments(rules, work, paid, card, found, np.int64(1)) > 0 and found[0] == payment
