"""Legal moves of Lumis: the list of them, and the verdict on a move that somebody names.

`legal_moves` lists every legal move of every kind but connections, of which there are too many
(rulings, R4, allows detours). Of those it lists, for each pair of own groups that the hand can
link and each Pareto-minimal card vector that does it, one set of spaces. `is_legal` accepts every
legal set.
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.jit import kernel
from lumis_fast.core.copying import clear
from lumis_fast.games.lumis.board import (
    NONE,
    begin_reach,
    dilate,
    extend_reach,
    find_free_spaces,
    find_groups,
    flood,
    holds,
    is_empty,
    join_reach,
    meet,
    put,
    strides_of,
    take,
    trace_back,
)
from lumis_fast.games.lumis.state import BASE, CONNECT, DRAW, GIVE, SKIP, TOWER


@kernel
def partner_of(seat):
    """The other seat of a team of two."""
    return seat ^ 2


@kernel
def supply_number(rules, state, team, card):
    """The face-up number of one of a team's supply cards."""
    return np.int64(rules.supply_numbers[team, card, (state.flipped[team] >> card) & 1])


@kernel
def supply_card_of(rules, state, team, number):
    """Which supply card of a team has this number face up; -1 for none."""
    for card in range(np.int64(rules.supply_cards[team])):
        if supply_number(rules, state, team, card) == number:
            return card
    return -1


@kernel
def can_draw(rules, state, seat, number):
    """Tell whether so many cards may be drawn (R13, R14)."""
    team = seat % 2
    left = np.int64(state.pile_size[team])
    for colour in range(4):
        left += state.discards[team, colour]
    return number <= left and state.hand_size[seat] + number <= rules.hand_limit


@kernel
def can_give(rules, state, seat, number):
    """Tell whether so many cards may be passed to the partner (R14, R15)."""
    if rules.seats != 4 or number > state.hand_size[seat]:
        return False
    return state.hand_size[partner_of(seat)] + number <= rules.hand_limit


@kernel
def owner_of(state, space):
    """The team whose piece stands on a space; 2 for none."""
    if holds(state.own[0], space):
        return 0
    return 1 if holds(state.own[1], space) else 2


@kernel
def is_safe(state, space, team):
    """Tell whether a fire stone of its team touches a tower (R9)."""
    row, bit = space >> 6, np.uint64(space & 63)
    stones = state.stones[team]
    above, here, below = stones[row - 1] >> bit, stones[row], stones[row + 1] << np.uint64(1)
    beside = (here >> (bit + np.uint64(1))) | (here >> (bit - np.uint64(1)))
    up = above | (above >> np.uint64(1))
    down = (below >> bit) | (below >> (bit + np.uint64(1)))
    return ((beside | up | down) & np.uint64(1)) != NONE


@kernel
def stones_after_cut(rules, state, target, both):
    """Count the tower stones in the supply after towers were cut (R11).

    Parameters
    ----------
    rules, state : records
    target : int
        The tower that is being built over, which gives nothing; -1 for none.
    both : bool
        False: safe towers are cut to one stone. True: other towers give one stone as well.

    Returns
    -------
    int
    """
    stones = np.int64(state.tower_stones)
    for tower in range(rules.towers):
        if state.height[tower] < 2 or tower == target:
            continue
        space = rules.tower_space[tower]
        if is_safe(state, space, owner_of(state, space)):
            stones += state.height[tower] - 1
        elif both:
            stones += 1
    return stones


@kernel
def tower_stones_within_reach(rules, state, target):
    """The most tower stones that one tower can be given, all cuts included (R11)."""
    if state.tower_stones >= rules.hand_limit:
        return np.int64(state.tower_stones)
    return stones_after_cut(rules, state, target, True)


@kernel
def tower_heights(rules, state, seat, tower):
    """Tell the lowest and the highest legal height on a tower space (R6, R7, R8, R9, R11, R12).

    Returns
    -------
    tuple of int
        No height is legal where the second is less than the first.
    """
    team = seat % 2
    space = np.int64(rules.tower_space[tower])
    cards = np.int64(state.hand[seat, rules.tower_colour[tower]])
    low = np.int64(state.height[tower]) + 1
    if cards < low or state.fire_stones[team] < 1:
        return 1, 0
    owner = owner_of(state, space)
    if owner == team or (owner != 2 and is_safe(state, space, owner)):
        return 1, 0
    target = tower if owner != 2 else -1
    stones = tower_stones_within_reach(rules, state, target)
    return low, min(cards, low - 1 + stones)


@kernel
def can_build_base(rules, state, seat):
    """Tell whether a base-line tower may be built, but for a space and a card (R10 to R12)."""
    if not rules.base_towers or state.fire_stones[seat % 2] < 1 or state.hand_size[seat] < 1:
        return False
    return state.tower_stones > 0 or stones_after_cut(rules, state, -1, True) > 0


@kernel
def legal_moves(rules, work, state, moves):
    """List the legal moves, connections as the module's documentation says."""
    seat = np.int64(state.to_move)
    n = _list_supply_moves(rules, state, seat, moves, 0)
    n = _list_towers(rules, state, seat, moves, n)
    n = _list_bases(rules, state, seat, moves, n)
    work.prefer[:] = NONE
    n = list_connections(rules, work, state, seat, moves, n)
    if n == 0:
        _begin(moves, 0, SKIP)
        n = 1
    return n


@kernel
def _begin(moves, n, action):
    """Start the n-th move of a list; tell whether there is room for it."""
    if n >= len(moves):
        return False
    clear(moves[n])
    moves[n].action = action
    return True


@kernel
def _list_supply_moves(rules, state, seat, moves, n):
    team = seat % 2
    for card in range(np.int64(rules.supply_cards[team])):
        number = supply_number(rules, state, team, card)
        if can_draw(rules, state, seat, number):
            if _begin(moves, n, DRAW):
                moves[n].supply = number
            n += 1
    for card in range(np.int64(rules.supply_cards[team])):
        number = supply_number(rules, state, team, card)
        if can_give(rules, state, seat, number):
            n = _list_gifts(state, seat, number, moves, n)
    return n


@kernel
def _list_gifts(state, seat, number, moves, n):
    hand = state.hand[seat]
    for a in range(min(number, hand[0]) + 1):
        for b in range(min(number - a, hand[1]) + 1):
            for c in range(min(number - a - b, hand[2]) + 1):
                d = number - a - b - c
                if d > hand[3]:
                    continue
                if _begin(moves, n, GIVE):
                    moves[n].supply = number
                    cards = moves[n].cards
                    cards[0], cards[1], cards[2], cards[3] = a, b, c, d
                n += 1
    return n


@kernel
def _list_towers(rules, state, seat, moves, n):
    for tower in range(rules.towers):
        low, high = tower_heights(rules, state, seat, tower)
        for height in range(low, high + 1):
            if _begin(moves, n, TOWER):
                moves[n].space = rules.tower_space[tower]
                moves[n].height = height
            n += 1
    return n


@kernel
def _list_bases(rules, state, seat, moves, n):
    if not can_build_base(rules, state, seat):
        return n
    team = seat % 2
    for row in range(len(state.own[0])):
        for bit in range(64):
            space = 64 * row + bit
            if not holds(rules.base_both[team], space) or holds(state.own[team], space):
                continue
            for colour in range(4):
                if state.hand[seat, colour]:
                    if _begin(moves, n, BASE):
                        moves[n].space = space
                        moves[n].card = colour
                    n += 1
    return n


@kernel
def list_connections(rules, work, state, seat, moves, n):
    """List connections, preferring the spaces of `work.prefer` where there is a choice.

    Returns
    -------
    int
        n and the number of connections.
    """
    team = seat % 2
    own, hand = state.own[team], state.hand[seat]
    if state.fire_stones[team] < 1 or state.hand_size[seat] < 1:
        return n
    groups = find_groups(work, own)
    find_free_spaces(rules, work, state)
    for origin in range(groups - 1):
        n = _list_links(work, own, hand, state.fire_stones[team], origin, groups, moves, n)
    return n


@kernel
def _list_links(work, own, hand, limit, origin, groups, moves, n):
    """List connections from one group to those after it in the list of groups."""
    sa, sb, sc, sd = strides_of(hand)
    begin_reach(work, work.group[origin])
    place = np.int64(1)
    for a in range(hand[0] + 1):
        for b in range(hand[1] + 1):
            for c in range(hand[2] + 1):
                for d in range(hand[3] + 1):
                    if a + b + c + d > limit:
                        work.reach[place, :] = NONE
                        work.grown[place, :] = NONE
                    elif place > 1 and extend_reach(
                        work,
                        place,
                        place - sa if a else 0,
                        place - sb if b else 0,
                        place - sc if c else 0,
                        place - sd if d else 0,
                        own,
                    ):
                        n = _list_newly_reached(work, own, hand, place, origin, groups, moves, n)
                    place += 1
    return n


@kernel
def _list_newly_reached(work, own, hand, place, origin, groups, moves, n):
    work.touched[:] = work.b
    for target in range(groups):
        if not meet(work.group[target], work.touched):
            continue
        if target > origin:
            if _begin(moves, n, CONNECT):
                move = moves[n]
                move.stones = trace_back(
                    work, place, work.group[target], hand, own, work.prefer, move.spaces, move.cards
                )
            n += 1
    for target in range(groups):
        if meet(work.group[target], work.touched):
            join_reach(work, place, work.group[target])
    return n


@kernel
def can_connect(rules, work, state, seat):
    """Tell whether any connection is legal."""
    team = seat % 2
    own, hand = state.own[team], state.hand[seat]
    limit = min(np.int64(state.fire_stones[team]), np.int64(state.hand_size[seat]))
    if limit < 1:
        return False
    groups = find_groups(work, own)
    find_free_spaces(rules, work, state)
    for origin in range(groups - 1):
        if first_link(work, own, hand, limit, work.group[origin]) > 0:
            return True
    return False


@kernel
def within_reach(work, own, hand, limit, group):
    """Tell whether any other group is so near that the number of cards would do.

    A quick look that never says no wrongly: colours in hand count as any number of cards.
    """
    for i in range(len(own)):
        bits = NONE
        for colour in range(4):
            if hand[colour]:
                bits |= work.free[colour, i]
        work.c[i] = bits
        work.a[i] = group[i]
    for _ in range(limit):
        dilate(work.a, work.d)
        for i in range(len(own)):
            work.a[i] |= work.d[i] & work.c[i]
        dilate(work.a, work.d)
        bits = NONE
        for i in range(len(own)):
            bits |= work.d[i] & own[i] & ~group[i]
        if bits != NONE:
            return True
    return False


@kernel
def first_link(work, own, hand, limit, group):
    """Search until a group reaches another one.

    Returns
    -------
    int
        The place of the vector in `work.reach`, the pieces touched in `work.b`; 0 for none.
    """
    if not within_reach(work, own, hand, limit, group):
        return 0
    sa, sb, sc, sd = strides_of(hand)
    begin_reach(work, group)
    place = np.int64(1)
    for a in range(hand[0] + 1):
        for b in range(hand[1] + 1):
            for c in range(hand[2] + 1):
                for d in range(hand[3] + 1):
                    if a + b + c + d > limit:
                        work.reach[place, :] = NONE
                        work.grown[place, :] = NONE
                    elif place > 1 and extend_reach(
                        work,
                        place,
                        place - sa if a else 0,
                        place - sb if b else 0,
                        place - sc if c else 0,
                        place - sd if d else 0,
                        own,
                    ):
                        return place
                    place += 1
    return 0


@kernel
def can_act(rules, work, state):
    """Tell whether the seat to move has any action (R16)."""
    seat = np.int64(state.to_move)
    team = seat % 2
    for card in range(np.int64(rules.supply_cards[team])):
        number = supply_number(rules, state, team, card)
        if can_draw(rules, state, seat, number) or can_give(rules, state, seat, number):
            return True
    for tower in range(rules.towers):
        low, high = tower_heights(rules, state, seat, tower)
        if low <= high:
            return True
    if can_build_base(rules, state, seat):
        for i in range(len(work.a)):
            if rules.base_both[team, i] & ~state.own[team, i]:
                return True
    return can_connect(rules, work, state, seat)


@kernel
def is_legal(rules, work, state, move):
    """Tell whether the seat to move may play this move."""
    seat = np.int64(state.to_move)
    if move.action == DRAW:
        card = supply_card_of(rules, state, seat % 2, move.supply)
        return card >= 0 and can_draw(rules, state, seat, move.supply)
    if move.action == GIVE:
        return _is_legal_gift(rules, state, seat, move)
    if move.action == TOWER:
        return _is_legal_tower(rules, state, seat, move)
    if move.action == BASE:
        return _is_legal_base(rules, state, seat, move)
    if move.action == CONNECT:
        return is_legal_connection(rules, work, state, seat, move)
    return move.action == SKIP and not can_act(rules, work, state)


@kernel
def holds_cards(hand, cards):
    """Tell whether a hand has these cards."""
    for colour in range(4):
        if cards[colour] > hand[colour]:
            return False
    return True


@kernel
def _is_legal_gift(rules, state, seat, move):
    total = 0
    for colour in range(4):
        total += move.cards[colour]
    if total != move.supply or supply_card_of(rules, state, seat % 2, move.supply) < 0:
        return False
    return can_give(rules, state, seat, total) and holds_cards(state.hand[seat], move.cards)


@kernel
def _is_legal_tower(rules, state, seat, move):
    if move.space >= len(rules.tower_at):
        return False
    tower = rules.tower_at[move.space]
    if tower < 0:
        return False
    low, high = tower_heights(rules, state, seat, tower)
    return low <= move.height <= high


@kernel
def _is_legal_base(rules, state, seat, move):
    team = seat % 2
    if move.space >= len(rules.tower_at) or move.card > 3 or not state.hand[seat, move.card]:
        return False
    if not holds(rules.base_both[team], move.space) or holds(state.own[team], move.space):
        return False
    return can_build_base(rules, state, seat)


@kernel
def is_legal_connection(rules, work, state, seat, move):
    """Tell whether a set of spaces is a legal connection (R4, R5, R12)."""
    team = seat % 2
    n = np.int64(move.stones)
    if n < 1 or n > len(move.spaces) or n > state.fire_stones[team]:
        return False
    if not _can_place_stones(rules, work, state, seat, move, n):
        return False
    own = state.own[team]
    for i in range(n):
        put(work.stones, move.spaces[i])
    dilate(work.stones, work.c)
    for i in range(len(own)):
        work.prefer[i] = own[i] | work.stones[i]
        work.touched[i] = work.c[i] & own[i]
    while not is_empty(work.touched):
        if _closes_from(work, own, move, n):
            return True
    return False


@kernel
def _can_place_stones(rules, work, state, seat, move, n):
    """Check the spaces one by one and the cards; `work.stones` is left empty."""
    find_free_spaces(rules, work, state)
    work.stones[:] = NONE
    paid = work.paid
    paid[:] = 0
    for i in range(n):
        space = np.int64(move.spaces[i])
        if space >= len(rules.colour_at) or holds(work.stones, space):
            return False
        colour = rules.colour_at[space]
        if not holds(work.free[colour], space):
            return False
        put(work.stones, space)
        paid[colour] += 1
    work.stones[:] = NONE
    return holds_cards(state.hand[seat], paid)


@kernel
def _closes_from(work, own, move, n):
    """Tell whether the stones link one group that touches them to another, all being needed.

    The group is taken out of `work.touched`. `work.prefer` is own pieces and the stones. A group
    that is linked with all of them, and without any one of them is not, makes the set legal.
    """
    origin = work.group[0]
    origin[:] = NONE
    row = 0
    while work.touched[row] == NONE:
        row += 1
    origin[row] = work.touched[row] & (~work.touched[row] + np.uint64(1))
    flood(origin, own, work.d)
    for i in range(len(own)):
        work.touched[i] &= ~origin[i]
        work.a[i] = origin[i]
    flood(work.a, work.prefer, work.d)
    for i in range(len(own)):
        work.b[i] = work.a[i] & own[i] & ~origin[i]
    for k in range(n):
        if is_empty(work.b):
            return False
        work.a[:] = origin
        take(work.prefer, move.spaces[k])
        flood(work.a, work.prefer, work.d)
        put(work.prefer, move.spaces[k])
        for i in range(len(own)):
            work.b[i] &= ~work.a[i]
    return not is_empty(work.b)


@kernel
def is_available(rules, work, state, move):
    """Tell whether a move that is legal with other hidden cards is legal with these."""
    hand = state.hand[state.to_move]
    if move.action == DRAW:
        return True
    if move.action == TOWER:
        return hand[rules.tower_colour[rules.tower_at[move.space]]] >= move.height
    if move.action == BASE:
        return hand[move.card] > 0
    if move.action == SKIP:
        return not can_act(rules, work, state)
    return holds_cards(hand, move.cards)
