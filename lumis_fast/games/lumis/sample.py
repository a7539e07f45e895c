"""Drawing moves of Lumis uniformly (design of uniform playouts: a kind first, then one of it).

A kind of action is drawn at random among the legal ones, by rejection: kinds are tried in random
order until one gives a move. Within a kind:

- *draw*, *give*: a supply card at random among those that can be used; for a gift, so many cards
  at random out of the hand;
- *tower*: a tower space at random among those where a tower can be built, then a height at random;
- *base*: an empty space of the own base lines at random, then a card at random out of the hand;
- *connect*: own groups are tried in random order (a random piece's, then one of the rest's); of the
  first one that can be linked to another, a link with the fewest stones, along a path read back
  from the search. If several groups are reached with the same cards, one of them at random.
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.bits import popcount, trailing_zeros
from lumis_fast.core.boards import blank, count, load, single, store
from lumis_fast.core.copying import clear
from lumis_fast.core.jit import kernel
from lumis_fast.core.streams import below
from lumis_fast.games.lumis.board import (
    ONE,
    find_free_spaces,
    flood,
    spread,
    trace_back,
)
from lumis_fast.games.lumis.moves import (
    can_build_base,
    can_draw,
    can_give,
    connection_limit,
    find_tower_spaces,
    free_for,
    shortest_link,
    supply_number,
    tower_heights,
    tower_stones_within_reach,
)
from lumis_fast.games.lumis.state import BASE, DRAW, GIVE, SKIP, TOWER


@kernel
def uniform_move(rules, work, state, stream, move):
    """Draw a kind of action at random among the legal ones, then one of that kind."""
    clear(move)
    seat = np.int64(state.to_move)
    untried = 0b11111 if rules.seats == 4 else 0b11101
    while untried:
        kind = _random_bit(stream, np.uint64(untried))
        move.action = kind
        if kind == DRAW or kind == GIVE:
            found = _sample_supply(rules, state, seat, stream, move, kind)
        elif kind == TOWER:
            found = _sample_tower(rules, work, state, seat, stream, move)
        elif kind == BASE:
            found = _sample_base(rules, work, state, seat, stream, move)
        else:
            found = _sample_connection(rules, work, state, seat, stream, move)
        if found:
            return
        untried &= ~(1 << kind)
    move.action = SKIP


@kernel
def _random_bit(stream, word):
    """Draw one of the set bits of a word."""
    for _ in range(below(stream, popcount(word))):
        word &= word - ONE
    return trailing_zeros(word)


@kernel
def _random_space(work, stream, board):
    """Draw one of the spaces of a board that is not empty."""
    k = below(stream, count(board))
    rows = work.a
    store(rows, board)
    row = 0
    while k >= popcount(rows[row]):
        k -= popcount(rows[row])
        row += 1
    word = rows[row]
    for _ in range(k):
        word &= word - ONE
    return 64 * row + trailing_zeros(word)


@kernel
def _random_card(stream, hand, size):
    """Draw a card out of a hand: its colour."""
    k = below(stream, size)
    colour = 0
    while k >= hand[colour]:
        k -= hand[colour]
        colour += 1
    return colour


@kernel
def _sample_supply(rules, state, seat, stream, move, kind):
    team = seat % 2
    usable = 0
    for card in range(np.int64(rules.supply_cards[team])):
        number = supply_number(rules, state, team, card)
        if kind == DRAW:
            allowed = can_draw(rules, state, seat, number)
        else:
            allowed = can_give(rules, state, seat, number)
        if allowed:
            usable |= 1 << card
    if usable == 0:
        return False
    card = _random_bit(stream, np.uint64(usable))
    move.supply = supply_number(rules, state, team, card)
    if kind == GIVE:
        _sample_cards(state.hand[seat], state.hand_size[seat], move, stream)
    return True


@kernel
def _sample_cards(hand, size, move, stream):
    """Draw `move.supply` cards out of a hand without replacement."""
    for taken in range(np.int64(move.supply)):
        k = below(stream, size - taken)
        colour = 0
        while k + move.cards[colour] >= hand[colour]:
            k += move.cards[colour] - np.int64(hand[colour])
            colour += 1
        move.cards[colour] += 1


@kernel
def _sample_tower(rules, work, state, seat, stream, move):
    stones = tower_stones_within_reach(rules, state, seat)
    spaces = find_tower_spaces(rules, work, state, seat, stones)
    if not spaces:
        return False
    move.space = _random_space(work, stream, spaces)
    low, high = tower_heights(rules, state, seat, rules.tower_at[move.space], stones)
    move.height = low + below(stream, high - low + 1)
    return True


@kernel
def _sample_base(rules, work, state, seat, stream, move):
    if not can_build_base(rules, state, seat):
        return False
    team = seat % 2
    empty = load(rules.base_both[team], work.a) & ~load(state.own[team], work.a)
    if not empty:
        return False
    move.space = _random_space(work, stream, empty)
    move.card = _random_card(stream, state.hand[seat], state.hand_size[seat])
    return True


@kernel
def _sample_connection(rules, work, state, seat, stream, move):
    hand, limit = state.hand[seat], connection_limit(state, seat)
    find_free_spaces(rules, work, state)
    own = load(state.own[seat % 2], work.a)
    free = free_for(work, hand, own)
    untried = own & spread(free)  # other pieces cannot be the end of a connection
    while untried:
        origin = flood(single(own, _random_space(work, stream, untried)), own)
        untried &= ~origin  # what cannot reach any other group cannot be reached either
        place = shortest_link(work, hand, limit, free, origin, untried)
        if place:
            touched = load(work.grown[place], own) & untried
            target = flood(single(own, _random_space(work, stream, touched)), own)
            _read_link(work, place, target, hand, move)
            return True
    return False


@kernel
def _read_link(work, place, target, hand, move):
    nothing = blank(target)  # a shortest link leads through no pieces, and no space is preferred
    move.stones = trace_back(work, place, target, hand, nothing, nothing, move.spaces, move.cards)
