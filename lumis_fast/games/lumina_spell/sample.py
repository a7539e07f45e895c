"""Drawing moves of Lumina Spell uniformly: a kind of action first, then one of that kind.

Between turns the kind is a push or a claim, at random; where the one that was drawn is not
possible, the other; where neither is, a pass. Within a kind:

- *push*: a line and one of its ends at random, drawn again until the hand can push there (after
  `TRIES` failures at random among those where it can); then a tile at random among those of the
  hand that match, equal ones counted; then a number of tiles, from 1 to the longest combo;
- *claim*: the face-up cards in random order; of the first that can be paid a payment at random
  among all sets of tiles that pay it.

In the midst of a claim turn it is the end of the turn or a further claim, at random, the end where
no card can be paid. It ends with no tile or with one of the edge's tiles, all with equal chances.
"""

from __future__ import annotations

import math

import numpy as np

from lumis_fast.core.bits import popcount, trailing_zeros
from lumis_fast.core.copying import clear
from lumis_fast.core.jit import kernel
from lumis_fast.core.streams import below
from lumis_fast.games.lumina_spell.board import (
    longest_combo,
    tiles_of,
)
from lumis_fast.games.lumina_spell.moves import (
    COLOURED,
    card_at,
    first_of,
    is_open,
    matching_tiles,
    tile_at,
)
from lumis_fast.games.lumina_spell.payment import colours_in, find_payments, look_at
from lumis_fast.games.lumina_spell.state import (
    CLAIM,
    COUNT,
    FACE_UP,
    MAX_PAYMENTS,
    NUMBERS,
    PASS,
    PUSH,
    RAINBOW,
)

TRIES = 16
"""So often a push is drawn before all of them are looked at."""

ORDERS = math.factorial(FACE_UP)
"""So many orders the face-up cards have; those of fewer cards are drawn with it, too."""


@kernel
def uniform_move(rules, work, state, stream, move):
    """Draw a kind of action at random among the legal ones, then one of that kind."""
    clear(move)
    seat = np.int64(state.to_move)
    claim = below(stream, 2) == 0
    move.action = CLAIM
    if state.claims > 0:
        if not (claim and sample_claim(rules, work, state, seat, stream, move)):
            _sample_edge(rules, state, stream, move)
        return
    for attempt in range(2):
        if claim == (attempt == 0):
            if sample_claim(rules, work, state, seat, stream, move):
                return
        elif sample_push(rules, state, seat, stream, move):
            return
    move.action = PASS


@kernel
def sample_push(rules, state, seat, stream, move):
    """Draw a push; False where there is none."""
    side = np.int64(rules.side)
    entries = 4 * side
    for _ in range(TRIES):
        entry = below(stream, entries)
        if _sample_push_at(side, rules, state, seat, entry, stream, move):
            return True
    usable = np.uint64(0)
    for entry in range(entries):
        if is_open(rules, state, seat, entry >> 1, entry & 1):
            usable |= np.uint64(1) << np.uint64(entry)
    if usable == np.uint64(0):
        return False
    for _ in range(below(stream, popcount(usable))):
        usable &= usable - np.uint64(1)
    return _sample_push_at(side, rules, state, seat, trailing_zeros(usable), stream, move)


@kernel
def _sample_push_at(side, rules, state, seat, entry, stream, move):
    """Draw the tile and how many to take, for a line and an end of it."""
    line, end = entry >> 1, entry & 1
    dense, tiles = tiles_of(side, state.rows, line)
    if tiles == 0:
        return False
    first = first_of(dense, tiles, end)
    matching = matching_tiles(rules, state, seat, first)
    if matching == 0:
        return False
    k = below(stream, matching)
    move.action = PUSH
    move.tile = _matching_tile(state, seat, first, k)
    move.line = line - side if line >= side else line
    move.side = 2 * (line >= side) + end
    move.take = 1 + below(stream, longest_combo(dense, tiles, end))
    return True


@kernel
def _matching_tile(state, seat, first, k):
    """The k-th of the tiles that `matching_tiles` counts."""
    if state.start[seat] > 0:
        if k == 0:
            return np.int64(state.start[seat])
        k -= 1
    for number in range(1, NUMBERS):
        counts = state.hand[seat, number] & COLOURED
        if not (first >> 4 == RAINBOW or number == first & 15):
            counts &= COUNT << np.uint32(4 * (first >> 4))
        while counts:
            at = trailing_zeros(colours_in(counts))
            held = np.int64((counts >> np.uint32(at)) & COUNT)
            if k < held:
                return (at << 2) | number
            k -= held
            counts &= ~(COUNT << np.uint32(at))
    return 0


@kernel
def sample_claim(rules, work, state, seat, stream, move):
    """Draw a claim of one card; False where none can be paid."""
    hand, payments = state.hand[seat], work.payment[:]
    look_at(rules, work, hand)
    untried = 0
    for place in range(FACE_UP):
        untried |= (state.face_up[place] > 0) << place
    order = below(stream, ORDERS)
    while untried:
        rest, left = untried, popcount(untried)
        for _ in range(order % left):
            rest &= rest - 1
        order //= left
        place = trailing_zeros(rest)
        untried &= ~(1 << place)
        card = card_at(state, place)
        n = find_payments(rules, work, hand, card, payments, np.int64(MAX_PAYMENTS))
        if n > 0:
            move.cards = move.more = 1
            move.card[0] = card
            move.paid[0] = payments[below(stream, n)]
            return True
    return False


@kernel
def _sample_edge(rules, state, stream, move):
    """Draw the tile to take from the edge, or none: again until the cell is no gap."""
    last = np.int64(rules.side) - 1
    while True:
        at = below(stream, 4 * last + 1)
        if at == 4 * last:
            return
        side, along = at // last, at % last
        r = 0 if side == 0 else along if side == 1 else last if side == 2 else along + 1
        c = along if side == 0 else last if side == 1 else along + 1 if side == 2 else 0
        if tile_at(rules, state, r, c) > 0:
            move.edge = (last + 1) * r + c + 1
            return
