"""Bitboard kernels of Lumis: dilation, floods, linked groups, and the exact connection search.

The search answers, for one group of linked pieces, which spaces a hand can reach with which
cards: one board for each card vector (how many cards of each colour), made from the boards of the
four vectors with one card less. Whatever it finds newly reached by a vector is reached by no
smaller one, so every Pareto-minimal way of linking two groups is found without enumerating paths,
and none of its stones can be left out (rulings, R4).
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.boards import (
    blank,
    first_space,
    load,
    rows_from_above,
    rows_from_below,
    single,
    store,
)
from lumis_fast.core.jit import kernel

ONE = np.uint64(1)
NONE = np.uint64(0)


@kernel
def dilate(board, out):
    """Add all neighbours: `out` becomes the spaces of `board` and those that touch them."""
    for i in range(1, len(board) - 1):
        above, here, below = board[i - 1], board[i], board[i + 1]
        out[i] = (
            here | (here << ONE) | (here >> ONE) | above | (above >> ONE) | below | (below << ONE)
        )


@kernel
def meet(a, b):
    """Tell whether two boards share a space."""
    bits = NONE
    for i in range(len(a)):
        bits |= a[i] & b[i]
    return bits != NONE


@kernel
def holds(board, space):
    """Tell whether a space is set."""
    return (board[space >> 6] >> np.uint64(space & 63)) & ONE != NONE


@kernel
def put(board, space):
    """Set a space."""
    board[space >> 6] |= ONE << np.uint64(space & 63)


@kernel
def take(board, space):
    """Clear a space."""
    board[space >> 6] &= ~(ONE << np.uint64(space & 63))


@kernel
def spread(board):
    """All spaces of a board value and those that touch them."""
    above, below = rows_from_above(board), rows_from_below(board)
    up, down = board | above, board | below
    return up | (up >> 1) | below | (down << 1)


@kernel
def flood(region, within):
    """Grow a part of `within` to all that is linked to it (rulings, R2)."""
    grown = spread(region) & within
    while grown != region:
        region = grown
        grown = spread(region) & within
    return region


@kernel
def find_groups(work, own):
    """Split own pieces into linked groups.

    Parameters
    ----------
    work : record
        `group` is written: a board for each group.
    own : array

    Returns
    -------
    int
        How many groups there are.
    """
    pieces = load(own, work.a)
    left = pieces
    n = 0
    while left:
        group = flood(single(left, first_space(left)), pieces)
        store(work.group[n], group)
        left &= ~group
        n += 1
    return n


@kernel
def find_free_spaces(rules, work, state):
    """Write the empty ordinary spaces of each colour to `work.free`."""
    taken = load(state.own[0], work.a) | load(state.own[1], work.a)
    for colour in range(4):
        store(work.free[colour], load(rules.ordinary[colour], work.a) & ~taken)


@kernel
def strides_of(hand):
    """Places of card vectors in `work.reach`: vector v has place 1 + sum(v * strides).

    Place 0 is an empty board that stands for vectors with a negative count.
    """
    d = 1
    c = d * (np.int64(hand[3]) + 1)
    b = c * (np.int64(hand[2]) + 1)
    a = b * (np.int64(hand[1]) + 1)
    return a, b, c, d


@kernel
def begin_reach(work, group):
    """Start a search from a group: with no card, the group itself is reached."""
    set_reach(work, 0, blank(group), blank(group))
    set_reach(work, 1, group, group)


@kernel
def set_reach(work, place, reached, new):
    """Write what a vector reaches, and the neighbours of what no smaller one reaches."""
    store(work.reach[place], reached)
    store(work.grown[place], spread(new))


@kernel
def extend_reach(work, place, a, b, c, d, own):
    """Find what is reached with one vector from what is reached with one card less.

    Parameters
    ----------
    work : record
    place : int
        The vector's place in `work.reach`.
    a, b, c, d : int
        Places of the vectors with one card less of each colour (0 where there is none).
    own : board

    Returns
    -------
    board
        The own pieces touched that no smaller vector reaches.
    """
    reach, grown, free = work.reach, work.grown, work.free
    before = load(reach[a], own) | load(reach[b], own) | load(reach[c], own) | load(reach[d], own)
    new = (
        load(grown[a], own) & load(free[0], own)
        | load(grown[b], own) & load(free[1], own)
        | load(grown[c], own) & load(free[2], own)
        | load(grown[d], own) & load(free[3], own)
    ) & ~before
    set_reach(work, place, before | new, new)
    return load(grown[place], own) & own & ~before


@kernel
def join_reach(work, place, group):
    """Count a group that is touched as reached, with all its neighbours."""
    store(work.reach[place], load(work.reach[place], group) | group)
    store(work.grown[place], load(work.grown[place], group) | spread(group))


@kernel
def trace_back(work, place, target, hand, own, prefer, spaces, cards):
    """Read one set of spaces that links a group to the search's origin with a minimal vector.

    Parameters
    ----------
    work : record
        After a search that reached `target` first at `place`.
    place : int
        The vector's place.
    target : board
        The group.
    hand : four counts
        As in the search.
    own : board
    prefer : board
        Spaces to take where there is a choice.
    spaces : integer array
        Written in ascending order.
    cards : four counts
        Written: the vector.

    Returns
    -------
    int
        How many spaces.
    """
    n = 0
    cards[:] = 0
    linked = target
    while place > 1:
        space, colour, place = _last_stone(work, place, linked, hand, prefer)
        cards[colour] += 1
        insert_sorted(spaces, n, space)
        n += 1
        stone = single(own, space)
        linked = flood(stone, stone | (own & load(work.reach[place], own)))
    return n


@kernel
def _last_stone(work, place, linked, hand, prefer):
    """Find a stone that a vector can end with where it has to touch what is linked so far.

    Returns
    -------
    tuple of int
        Its space, its colour, and the place of the vector without it.
    """
    near = spread(linked)
    rest = place - 1
    strides = strides_of(hand)
    for colour in range(4):
        count = rest // strides[colour]
        rest -= count * strides[colour]
        if count == 0:
            continue
        before = place - strides[colour]
        choice = near & load(work.free[colour], near) & load(work.grown[before], near)
        if choice & prefer:
            choice &= prefer
        if choice:
            return first_space(choice), colour, before
    return -1, 0, 0


@kernel
def insert_sorted(items, n, item):
    """Insert into the first n items, which ascend; there is room for one more."""
    i = n
    while i > 0 and items[i - 1] > item:
        items[i] = items[i - 1]
        i -= 1
    items[i] = item
