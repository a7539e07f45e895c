"""Legal moves of Lumis: the list of them, and the verdict on a move that somebody names.

`legal_moves` lists every legal move of every kind but connections, of which there are too many
(rulings, R4, allows detours). Of those it lists, for each pair of own groups that the hand can
link and each Pareto-minimal card vector that does it, one set of spaces. `is_legal` accepts every
legal set.
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.bits import trailing_zeros
from lumis_fast.core.boards import blank, first_space, load, single, store
from lumis_fast.core.copying import clear
from lumis_fast.core.jit import kernel
from lumis_fast.games.lumis.board import (
    NONE,
    ONE,
    begin_reach,
    extend_reach,
    find_free_spaces,
    find_groups,
    flood,
    holds,
    join_reach,
    set_reach,
    spread,
    strides_of,
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
def touches(board, space):
    """Tell whether any of a space's neighbours is set."""
    row, bit = space >> 6, np.uint64(space & 63)
    above, here, below = board[row - 1] >> bit, board[row], board[row + 1] << ONE
    beside = (here >> (bit + ONE)) | (here >> (bit - ONE))
    up = above | (above >> ONE)
    down = (below >> bit) | (below >> (bit + ONE))
    return (beside | up | down) & ONE != NONE


@kernel
def is_safe(state, space, team):
    """Tell whether a fire stone of its team touches a tower (R9)."""
    return touches(state.stones[team], space)


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
def tower_stones_within_reach(rules, state, seat):
    """The most tower stones that a tower on an empty space can be given, all cuts included (R11).

    Cuts are looked at only where the hand could pay for more than the supply has.
    """
    hand = state.hand[seat]
    if state.tower_stones > max(max(hand[0], hand[1]), max(hand[2], hand[3])):
        return np.int64(state.tower_stones)
    return stones_after_cut(rules, state, -1, True)


@kernel
def tower_heights(rules, state, seat, tower, stones):
    """Tell the lowest and the highest legal height on a tower space (R6, R7, R8, R9, R11, R12).

    Parameters
    ----------
    rules, state : records
    seat, tower : int
    stones : int
        As `tower_stones_within_reach` tells.

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
    if low > 2:  # the tower that is built over gives no stone
        stones -= 1
    return low, min(cards, low - 1 + stones)


@kernel
def find_tower_spaces(rules, work, state, seat, stones):
    """Find the tower spaces where a tower of some height is legal.

    Parameters
    ----------
    rules, work, state : records
    seat : int
    stones : int
        As `tower_stones_within_reach` tells.

    Returns
    -------
    board
    """
    team = seat % 2
    payable = blank(work.a)
    if stones < 1 or state.fire_stones[team] < 1:
        return payable
    for colour in range(4):
        if state.hand[seat, colour]:
            payable |= load(rules.tower_spaces[colour], payable)
    enemies = load(state.own[1 - team], payable)
    found = payable & ~load(state.own[team], payable) & ~enemies
    takeovers = payable & enemies & ~spread(load(state.stones[1 - team], payable))
    while takeovers:
        space = first_space(takeovers)
        tower = single(payable, space)
        low, high = tower_heights(rules, state, seat, rules.tower_at[space], stones)
        if low <= high:
            found |= tower
        takeovers &= ~tower
    return found


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
    n = _list_towers(rules, work, state, seat, moves, n)
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
def _list_towers(rules, work, state, seat, moves, n):
    stones = tower_stones_within_reach(rules, state, seat)
    spaces = find_tower_spaces(rules, work, state, seat, stones)
    while spaces:
        space = first_space(spaces)
        spaces &= ~single(spaces, space)
        low, high = tower_heights(rules, state, seat, rules.tower_at[space], stones)
        for height in range(low, high + 1):
            if _begin(moves, n, TOWER):
                moves[n].space = space
                moves[n].height = height
            n += 1
    return n


@kernel
def _list_bases(rules, state, seat, moves, n):
    if not can_build_base(rules, state, seat):
        return n
    team = seat % 2
    for row in range(len(state.own[0])):
        free = rules.base_both[team, row] & ~state.own[team, row]
        while free:
            n = _list_bases_on(state, seat, 64 * row + trailing_zeros(free), moves, n)
            free &= free - ONE
    return n


@kernel
def _list_bases_on(state, seat, space, moves, n):
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
    limit = connection_limit(state, seat)
    if limit < 1:
        return n
    groups = find_groups(work, state.own[team])
    find_free_spaces(rules, work, state)
    own = load(state.own[team], work.a)
    free = free_for(work, state.hand[seat], own)
    for origin in range(groups - 1):
        group = load(work.group[origin], own)
        if look_ahead(work, limit, free, group, own & ~group):
            n = _list_links(work, own, state.hand[seat], limit, origin, groups, moves, n)
    return n


@kernel
def connection_limit(state, seat):
    """The most stones that one connection can have: cards in hand and fire stones (R5, R12)."""
    return min(np.int64(state.fire_stones[seat % 2]), np.int64(state.hand_size[seat]))


@kernel
def _list_links(work, own, hand, limit, origin, groups, moves, n):
    """List connections from one group to those after it in the list of groups."""
    sa, sb, sc, sd = strides_of(hand)
    begin_reach(work, load(work.group[origin], own))
    place = 0
    for a in range(hand[0] + 1):
        for b in range(hand[1] + 1):
            for c in range(hand[2] + 1):
                for d in range(hand[3] + 1):
                    place += 1
                    if a + b + c + d > limit:
                        set_reach(work, place, blank(own), blank(own))
                    elif place > 1:
                        touched = extend_reach(
                            work,
                            place,
                            place - sa if a else 0,
                            place - sb if b else 0,
                            place - sc if c else 0,
                            place - sd if d else 0,
                            own,
                        )
                        if touched:
                            n = _list_newly_reached(
                                work, own, hand, place, touched, origin, groups, moves, n
                            )
    return n


@kernel
def _list_newly_reached(work, own, hand, place, touched, origin, groups, moves, n):
    prefer = load(work.prefer, own)
    for target in range(origin + 1, groups):
        group = load(work.group[target], own)
        if group & touched:
            if _begin(moves, n, CONNECT):
                move = moves[n]
                move.stones = trace_back(
                    work, place, group, hand, own, prefer, move.spaces, move.cards
                )
            n += 1
    for target in range(groups):
        group = load(work.group[target], own)
        if group & touched:
            join_reach(work, place, group)
    return n


@kernel
def can_connect(rules, work, state, seat):
    """Tell whether any connection is legal."""
    hand, limit = state.hand[seat], connection_limit(state, seat)
    find_free_spaces(rules, work, state)
    own = load(state.own[seat % 2], work.a)
    free = free_for(work, hand, own)
    untried = own & spread(free)
    while untried:
        group = flood(single(own, first_space(untried)), own)
        untried &= ~group
        if shortest_link(work, hand, limit, free, group, untried):
            return True
    return False


@kernel
def free_for(work, hand, like):
    """The empty ordinary spaces of all colours in hand."""
    free = blank(like)
    for colour in range(4):
        if hand[colour]:
            free |= load(work.free[colour], like)
    return free


@kernel
def look_ahead(work, limit, free, group, targets):
    """Find the spaces from which a target is near, if colours in hand were any number of cards.

    Parameters
    ----------
    work : record
        `near[k]` is written: spaces where a stone can stand with at most k more behind it.
    limit : int
        So many stones can be placed.
    free : board
        Where a stone can be placed.
    group, targets : board

    Returns
    -------
    bool
        False if the group is so far away that no search is needed.
    """
    if not targets:
        return False
    grown = spread(targets)
    for k in range(limit):
        near = grown & free
        store(work.near[k], near)
        grown = spread(near)
    return bool(grown & group)


@kernel
def shortest_link(work, hand, limit, free, group, targets):
    """Search for a link of a group to target pieces with as few stones as can be.

    Vectors are tried by their size. For each one that some row of stones can have, `work.reach`
    has the spaces of the last stone, `work.grown` these and their neighbours.

    Returns
    -------
    int
        The place of the link's vector; 0 for none.
    """
    if not look_ahead(work, limit, free, group, targets):
        return 0
    _list_no_vector(work, hand, group)
    first, last = 0, 1
    for left in range(limit - 1, -1, -1):
        end = last
        for k in range(first, end):
            last = _list_vectors_after(work, hand, k, last, load(work.near[left], group))
        for k in range(end, last):
            place = work.places[k]
            grown = spread(load(work.reach[place], group))
            store(work.grown[place], grown)
            if grown & targets:
                _blank_unlisted(work, hand, group)
                return np.int64(place)
        first = end
    return 0


@kernel
def _last_place(hand):
    return (np.int64(hand[0]) + 1) * strides_of(hand)[0]


@kernel
def _list_no_vector(work, hand, group):
    """Start the list of vectors with the one of no cards."""
    for place in range(_last_place(hand) + 1):
        work.listed[place] = 0
    work.vectors[0], work.places[0] = 0, 1
    work.listed[1] = 1
    store(work.grown[1], spread(group))


@kernel
def _list_vectors_after(work, hand, k, last, near):
    """List the vectors with a card more than the k-th; tell where the list ends then.

    A vector is packed: eight bits for each colour. Only stones on spaces of `near` can be of use.
    """
    vector, place = np.int64(work.vectors[k]), np.int64(work.places[k])
    grown = load(work.grown[place], near) & near
    strides = strides_of(hand)
    for colour in range(4):
        stones = grown & load(work.free[colour], near)
        if (vector >> (8 * colour)) & 255 == hand[colour] or not stones:
            continue
        longer = place + strides[colour]
        if work.listed[longer]:
            store(work.reach[longer], load(work.reach[longer], near) | stones)
        else:
            store(work.reach[longer], stones)
            work.listed[longer] = 1
            work.vectors[last], work.places[last] = vector + (1 << (8 * colour)), longer
            last += 1
    return last


@kernel
def _blank_unlisted(work, hand, like):
    """Make `work.grown` fit for `trace_back`."""
    for place in range(_last_place(hand) + 1):
        if not work.listed[place]:
            store(work.grown[place], blank(like))


@kernel
def can_act(rules, work, state):
    """Tell whether the seat to move has any action (R16)."""
    seat = np.int64(state.to_move)
    team = seat % 2
    for card in range(np.int64(rules.supply_cards[team])):
        number = supply_number(rules, state, team, card)
        if can_draw(rules, state, seat, number) or can_give(rules, state, seat, number):
            return True
    stones = tower_stones_within_reach(rules, state, seat)
    if find_tower_spaces(rules, work, state, seat, stones):
        return True
    if can_build_base(rules, state, seat):
        lines, own = load(rules.base_both[team], work.a), load(state.own[team], work.a)
        if lines & ~own:
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
    stones = tower_stones_within_reach(rules, state, seat)
    low, high = tower_heights(rules, state, seat, tower, stones)
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
    n = np.int64(move.stones)
    if n < 1 or n > len(move.spaces) or n > state.fire_stones[seat % 2]:
        return False
    if not _can_place_stones(rules, work, state, seat, move, n):
        return False
    own = load(state.own[seat % 2], work.a)
    stones = blank(own)
    for i in range(n):
        stones |= single(own, np.int64(move.spaces[i]))
    touched = spread(stones) & own
    while touched:
        origin = flood(single(own, first_space(touched)), own)
        if _closes_from(origin, own, stones, move, n):
            return True
        touched &= ~origin
    return False


@kernel
def _can_place_stones(rules, work, state, seat, move, n):
    """Check the spaces one by one, and the cards."""
    find_free_spaces(rules, work, state)
    paid = work.paid
    paid[:] = 0
    for i in range(n):
        space = np.int64(move.spaces[i])
        if space >= len(rules.colour_at):
            return False
        colour = rules.colour_at[space]
        if not holds(work.free[colour], space):
            return False
        for k in range(i):
            if move.spaces[k] == space:
                return False
        paid[colour] += 1
    return holds_cards(state.hand[seat], paid)


@kernel
def _closes_from(origin, own, stones, move, n):
    """Tell whether the stones link one group that touches them to another, all being needed.

    A group that is linked with all of them, and without any one of them is not, makes the set
    legal.
    """
    pieces = own | stones
    joined = flood(origin, pieces) & own & ~origin
    for k in range(n):
        if not joined:
            return False
        stone = single(own, np.int64(move.spaces[k]))
        joined &= ~flood(origin, pieces & ~stone)
    return bool(joined)


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
