"""Bitboard kernels of Lumis: dilation, floods, linked groups, and the exact connection search.

The search answers, for one group of linked pieces, which spaces a hand can reach with which
cards: one board for each card vector (how many cards of each colour), made from the boards of the
four vectors with one card less. Whatever it finds newly reached by a vector is reached by no
smaller one, so every Pareto-minimal way of linking two groups is found without enumerating paths,
and none of its stones can be left out (rulings, R4).
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.bits import trailing_zeros
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
def is_empty(board):
    """Tell whether no space is set."""
    bits = NONE
    for i in range(len(board)):
        bits |= board[i]
    return bits == NONE


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
def first_space(board):
    """Tell the lowest space of a board that is not empty."""
    row = 0
    while board[row] == NONE:
        row += 1
    return 64 * row + trailing_zeros(board[row])


@kernel
def flood(region, within, grown):
    """Grow `region` through neighbouring spaces of `within`; `grown` is scratch."""
    added = ONE
    while added != NONE:
        dilate(region, grown)
        added = NONE
        for i in range(len(region)):
            new = grown[i] & within[i] & ~region[i]
            region[i] |= new
            added |= new


@kernel
def linked_to(work, within, space, region):
    """Set `region` to all of `within` that is linked to one of its spaces (rulings, R2)."""
    region[:] = NONE
    put(region, space)
    flood(region, within, work.d)


@kernel
def find_groups(work, own):
    """Split own pieces into linked groups.

    Parameters
    ----------
    work : record
        `group` is written: a board for each group.
    own : board

    Returns
    -------
    int
        How many groups there are.
    """
    work.a[:] = own
    n = 0
    while not is_empty(work.a):
        linked_to(work, own, first_space(work.a), work.group[n])
        for i in range(len(own)):
            work.a[i] &= ~work.group[n, i]
        n += 1
    return n


@kernel
def find_free_spaces(rules, work, state):
    """Write the empty ordinary spaces of each colour to `work.free`."""
    for colour in range(4):
        for i in range(len(work.a)):
            work.free[colour, i] = rules.ordinary[colour, i] & ~(state.own[0, i] | state.own[1, i])


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
    work.reach[0, :] = NONE
    work.grown[0, :] = NONE
    work.reach[1] = group
    work.grown[1, 0] = work.grown[1, -1] = NONE
    dilate(work.reach[1], work.grown[1])


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
    bool
        Whether own pieces are touched that no smaller vector reaches: `work.b` has them.
    """
    reach, grown = work.reach, work.grown
    free = work.free
    for i in range(len(own)):
        reach[place, i] = (
            reach[a, i]
            | reach[b, i]
            | reach[c, i]
            | reach[d, i]
            | (grown[a, i] & free[0, i])
            | (grown[b, i] & free[1, i])
            | (grown[c, i] & free[2, i])
            | (grown[d, i] & free[3, i])
        )
    dilate(reach[place], grown[place])
    bits = NONE
    for i in range(len(own)):
        new = grown[place, i] & own[i] & ~reach[place, i]
        work.b[i] = new
        bits |= new
    return bits != NONE


@kernel
def join_reach(work, place, group):
    """Count a group that is touched as reached, with all its neighbours."""
    for i in range(len(group)):
        work.reach[place, i] |= group[i]
    dilate(work.reach[place], work.grown[place])


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
    strides = strides_of(hand)
    work.a[:] = target
    while place > 1:
        dilate(work.a, work.c)
        rest = place - 1
        space = -1
        for colour in range(4):
            count = rest // strides[colour]
            rest -= count * strides[colour]
            if count == 0 or space >= 0:
                continue
            before = place - strides[colour]
            for i in range(len(own)):
                work.b[i] = work.c[i] & work.free[colour, i] & work.grown[before, i]
            if is_empty(work.b):
                continue
            if meet(work.b, prefer):
                for i in range(len(own)):
                    work.b[i] &= prefer[i]
            space = first_space(work.b)
            cards[colour] += 1
            after = before
        place = after
        insert_sorted(spaces, n, space)
        n += 1
        work.a[:] = NONE
        put(work.a, space)
        dilate(work.a, work.c)
        for i in range(len(own)):
            work.a[i] |= work.c[i] & own[i] & work.reach[place, i]
        for i in range(len(own)):
            work.within[i] = own[i] & work.reach[place, i]
        flood(work.a, work.within, work.c)
    return n


@kernel
def insert_sorted(items, n, item):
    """Insert into the first n items, which ascend; there is room for one more."""
    i = n
    while i > 0 and items[i - 1] > item:
        items[i] = items[i - 1]
        i -= 1
    items[i] = item
