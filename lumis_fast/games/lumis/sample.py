"""Drawing moves of Lumis uniformly (design of uniform playouts: a kind first, then one of it).

A kind of action is drawn at random among the legal ones, by rejection: kinds are tried in random
order until one gives a move. Within a kind:

- *draw*, *give*: a supply card at random among those that can be used; for a gift, so many cards
  at random out of the hand;
- *tower*: a tower space at random among those where a tower can be built, then a height at random;
- *base*: an empty space of the own base lines at random, then a card at random out of the hand;
- *connect*: own groups are tried in random order; of the first one that can be linked to another,
  the link with the first card vector in lexicographic order (light blue, cream, violet, green),
  along a path read back from the search. If several groups are reached, one at random.
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.bits import popcount, trailing_zeros
from lumis_fast.core.jit import kernel
from lumis_fast.core.copying import clear
from lumis_fast.core.streams import below
from lumis_fast.games.lumis.board import (
    NONE,
    ONE,
    find_free_spaces,
    is_empty,
    linked_to,
    put,
    trace_back,
)
from lumis_fast.games.lumis.moves import (
    can_build_base,
    can_draw,
    can_give,
    first_link,
    supply_number,
    tower_heights,
)
from lumis_fast.games.lumis.state import BASE, CONNECT, DRAW, GIVE, SKIP, TOWER


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
            found = _sample_tower(rules, state, seat, stream, move)
        elif kind == BASE:
            found = _sample_base(rules, state, seat, stream, move)
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
def _random_space(stream, board):
    """Draw one of the spaces of a board; -1 for an empty one."""
    total = 0
    for i in range(len(board)):
        total += popcount(board[i])
    if total == 0:
        return -1
    k = below(stream, total)
    row = 0
    while k >= popcount(board[row]):
        k -= popcount(board[row])
        row += 1
    word = board[row]
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
def _sample_tower(rules, state, seat, stream, move):
    if rules.towers == 0 or state.hand_size[seat] == 0:
        return False
    for _ in range(rules.towers):  # most often a few tries do
        tower = below(stream, rules.towers)
        if _sample_height(rules, state, seat, tower, stream, move):
            return True
    usable = 0
    for tower in range(rules.towers):
        low, high = tower_heights(rules, state, seat, tower)
        usable += low <= high
    if usable == 0:
        return False
    k = below(stream, usable)
    for tower in range(rules.towers):
        low, high = tower_heights(rules, state, seat, tower)
        if low <= high:
            if k == 0:
                return _sample_height(rules, state, seat, tower, stream, move)
            k -= 1
    return False


@kernel
def _sample_height(rules, state, seat, tower, stream, move):
    low, high = tower_heights(rules, state, seat, tower)
    if low > high:
        return False
    move.space = rules.tower_space[tower]
    move.height = low + below(stream, high - low + 1)
    return True


@kernel
def _sample_base(rules, state, seat, stream, move):
    if not can_build_base(rules, state, seat):
        return False
    team = seat % 2
    rows = rules.rows + 4
    total = 0
    for i in range(rows):
        total += popcount(rules.base_both[team, i] & ~state.own[team, i])
    if total == 0:
        return False
    k = below(stream, total)
    row = 0
    while True:
        word = rules.base_both[team, row] & ~state.own[team, row]
        if k < popcount(word):
            break
        k -= popcount(word)
        row += 1
    for _ in range(k):
        word &= word - ONE
    move.space = 64 * row + trailing_zeros(word)
    move.card = _random_card(stream, state.hand[seat], state.hand_size[seat])
    return True


@kernel
def _sample_connection(rules, work, state, seat, stream, move):
    team = seat % 2
    own, hand = state.own[team], state.hand[seat]
    limit = min(np.int64(state.fire_stones[team]), np.int64(state.hand_size[seat]))
    if limit < 1:
        return False
    find_free_spaces(rules, work, state)
    untried = work.touched
    untried[:] = own
    origin = work.group[0]
    while True:
        space = _random_space(stream, untried)
        if space < 0:
            return False
        linked_to(work, own, space, origin)
        for i in range(len(own)):
            untried[i] &= ~origin[i]
        place = first_link(work, own, hand, limit, origin)
        if place:
            break
    target = work.group[1]
    work.within[:] = work.b
    linked_to(work, own, _random_space(stream, work.within), target)
    work.prefer[:] = NONE
    move.stones = trace_back(work, place, target, hand, own, work.prefer, move.spaces, move.cards)
    return True
