"""The cheapest route across the board for a team: a chain of towers and the stones between them.

Whoever wants to join his base lines needs towers on the way (an *anchor* is an own group, a tower
space where he may build, or one of his base lines) and a connection between each two of them.
A route costs cards and turns: a connection a card for each stone and a turn, a tower its cards and
a turn. `find_route` looks at the board alone; hands come in afterwards (`turns_needed`).

The distances between all pairs of anchors are found at once: each space holds a word with a bit
for each anchor that reaches it, and a step is an OR of the six neighbours' words.
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.bits import trailing_zeros
from lumis_fast.core.jit import kernel
from lumis_fast.games.lumis.board import NONE, ONE, find_groups, meet
from lumis_fast.games.lumis.moves import is_safe, owner_of

CARD = 2
TURN = 5
"""What a card and a turn cost: a turn of drawing gives two and a half cards."""

MAX_ANCHORS = 64
MAX_STONES = 10
"""Longer connections are not planned."""

LONG = 7
"""From this length on, a connection costs one more for each stone: its colours are hard to get."""

FAR = 10_000

FIRST_LINE = 0
LAST_LINE = 1


@kernel
def find_route(rules, work, state, team):
    """Find a team's cheapest route.

    Parameters
    ----------
    rules, work, state : records
        In `work` are written: the anchors, their distances, `cost_from[side, anchor]` (the
        cheapest way from a base line to each anchor, both ends included) and `towards`.
    team : int

    Returns
    -------
    tuple of int
        (cards, turns, stones, cost) of the route; cost is `FAR` where there is none.
    """
    list_anchors(rules, work, state, team)
    measure_distances(rules, work)
    spread_costs(work, FIRST_LINE)
    return _add_up(work)


@kernel
def list_anchors(rules, work, state, team):
    """Number the anchors of a team and lay out the words of the distance search."""
    rows = rules.rows + 4
    for i in range(rows):
        for j in range(rules.columns + 4):
            work.reached[i, j] = NONE
            work.passable[i, j] = NONE
        free = NONE
        for colour in range(4):
            free |= rules.ordinary[colour, i]
        free &= ~(state.own[0, i] | state.own[1, i])
        while free:
            work.passable[i, trailing_zeros(free) + 1] = ~NONE
            free &= free - ONE
    work.cells = 0
    line_cost = CARD + TURN if rules.base_towers else 0
    for side in range(2):
        _add_anchor(work, side, line_cost, line_cost // (CARD + TURN))
        _add_cells(work, side, rules.base_lines[team, side], state.own[team])
    n = _add_groups(rules, work, state, team, 2)
    work.anchors = _add_tower_spaces(rules, work, state, team, n)


@kernel
def _add_anchor(work, anchor, cost, cards):
    work.anchor_cost[anchor] = cost
    work.anchor_cards[anchor] = cards
    work.anchor_ends[anchor] = 0


@kernel
def _add_cell(work, anchor, space):
    work.cell[work.cells] = space
    work.cell_anchor[work.cells] = anchor
    work.cells += 1
    work.reached[space >> 6, (space & 63) + 1] |= ONE << np.uint64(anchor)


@kernel
def _add_cells(work, anchor, board, without):
    for i in range(len(board)):
        word = board[i] & ~without[i]
        while word:
            _add_cell(work, anchor, 64 * i + trailing_zeros(word))
            word &= word - ONE


@kernel
def _add_groups(rules, work, state, team, n):
    groups = min(find_groups(work, state.own[team]), MAX_ANCHORS - n)
    for g in range(groups):
        _add_anchor(work, n, 0, 0)
        for side in range(2):
            if meet(work.group[g], rules.base_lines[team, side]):
                work.anchor_ends[n] |= 1 << side
        for i in range(len(work.a)):
            word = work.group[g, i]
            while word:
                _add_cell(work, n, 64 * i + trailing_zeros(word))
                word &= word - ONE
        n += 1
    return n


@kernel
def _add_tower_spaces(rules, work, state, team, n):
    """Add the tower spaces where the team may build; evenly chosen ones, if there are too many."""
    step = 1 + (rules.towers - 1) // max(1, MAX_ANCHORS - n)
    for tower in range(0, rules.towers, step):
        space = np.int64(rules.tower_space[tower])
        owner = owner_of(state, space)
        if owner == team or (owner != 2 and is_safe(state, space, owner)) or n == MAX_ANCHORS:
            continue
        cards = np.int64(state.height[tower]) + 1
        _add_anchor(work, n, CARD * cards + TURN, cards)
        work.anchor_tower[n] = tower
        _add_cell(work, n, space)
        n += 1
    return n


@kernel
def measure_distances(rules, work):
    """Find how many stones each two anchors are apart; `MAX_STONES + 1` stands for farther."""
    n = work.anchors
    for a in range(n):
        work.seen[a] = ONE << np.uint64(a)
        for b in range(n):
            work.distance[a, b] = MAX_STONES + 1
            work.link[a, b] = FAR
    for stones in range(MAX_STONES + 1):
        _look_around(rules, work)
        for k in range(work.cells):
            anchor = work.cell_anchor[k]
            space = np.int64(work.cell[k])
            new = work.around[space >> 6, (space & 63) + 1] & ~work.seen[anchor]
            work.seen[anchor] |= new
            while new:
                other = trailing_zeros(new)
                work.distance[other, anchor] = stones
                work.link[other, anchor] = link_cost(stones) + work.anchor_cost[anchor]
                new &= new - ONE
        _step(rules, work)


@kernel
def _look_around(rules, work):
    """`around` becomes the OR of the six neighbours' words."""
    rows, columns = np.uint64(rules.rows + 3), np.uint64(rules.columns + 3)
    for i in range(ONE, rows):  # unsigned: no check for negative places, so that it vectorises
        above, here, below = work.reached[i - ONE], work.reached[i], work.reached[i + ONE]
        around = work.around[i]
        for j in range(ONE, columns):
            around[j] = (
                here[j - ONE]
                | here[j + ONE]
                | above[j]
                | above[j + ONE]
                | below[j]
                | below[j - ONE]
            )


@kernel
def _step(rules, work):
    """Put a stone on every passable space that is reached.

    Anchors keep their bit but pass nothing on: who stands there is an end of a connection.
    """
    rows, columns = np.uint64(rules.rows + 3), np.uint64(rules.columns + 3)
    for i in range(ONE, rows):
        reached, around, passable = work.reached[i], work.around[i], work.passable[i]
        for j in range(ONE, columns):
            reached[j] |= around[j] & passable[j]


@kernel
def link_cost(stones):
    """What a connection of so many stones costs; none for neighbours."""
    if stones == 0:
        return 0
    if stones > MAX_STONES:
        return FAR
    return CARD * stones + TURN + max(0, stones - LONG)


@kernel
def spread_costs(work, side):
    """Find the cheapest way from one base line to every anchor (Dijkstra's algorithm)."""
    n = work.anchors
    cost, towards, waiting = work.cost_from[side], work.towards[side], work.waiting
    for a in range(n):
        begins = work.anchor_ends[a] & (1 << side)
        cost[a] = waiting[a] = 0 if begins else FAR
        towards[a] = side
    cost[side] = waiting[side] = work.anchor_cost[side]
    for _ in range(n):
        a = _cheapest(waiting, n)
        if waiting[a] >= FAR:
            return
        waiting[a] = FAR + 1
        if a != 1 - side:
            _relax(work.link[a], cost[a], a, cost, towards, waiting, n)


@kernel
def _cheapest(waiting, n):
    least = waiting[0]
    for a in range(n):
        least = min(least, waiting[a])
    a = 0
    while waiting[a] != least:
        a += 1
    return a


@kernel
def _relax(link, base, a, cost, towards, waiting, n):
    """Go on from a settled anchor; no settled one gets cheaper, since no cost is negative."""
    for b in range(n):
        through = base + link[b]
        better = through < cost[b]
        cost[b] = through if better else cost[b]
        waiting[b] = through if better else waiting[b]
        towards[b] = a if better else towards[b]


@kernel
def _route_end(work):
    """The last anchor of the cheapest route: the last base line, or a group that stands on it."""
    end = LAST_LINE
    cost = work.cost_from[FIRST_LINE]
    for a in range(2, work.anchors):
        if work.anchor_ends[a] & 2 and cost[a] <= cost[end]:
            end = a
    return end


@kernel
def _add_up(work):
    """Count cards, turns and stones along the cheapest route."""
    a = _route_end(work)
    total = np.int64(work.cost_from[FIRST_LINE, a])
    if total >= FAR:
        return 0, 0, 0, FAR
    cards = turns = stones = 0
    while True:
        cards += np.int64(work.anchor_cards[a])
        if work.anchor_cards[a]:
            turns += 1
            stones += 1
        before = np.int64(work.towards[FIRST_LINE, a])
        if a == FIRST_LINE or work.anchor_ends[a] & 1:
            return cards, turns, stones, total
        gap = np.int64(work.distance[before, a])
        if gap:
            cards += gap
            stones += gap
            turns += 1
        a = before
    return cards, turns, stones, total


@kernel
def turns_needed(cards, turns, hand):
    """Estimate the turns a team needs for a route.

    Of a hand of h random cards, about ``1.4 h c / (h + c)`` fit into c places of random colours.

    Parameters
    ----------
    cards, turns : int
        What the route costs.
    hand : int
        Cards in hand.

    Returns
    -------
    float
    """
    if cards == 0:
        return np.float64(turns)
    fitting = min(1.4 * hand * cards / (hand + cards), min(np.float64(hand), np.float64(cards)))
    return turns + (cards - fitting) / 2.4
