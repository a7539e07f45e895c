"""What a seat of Lumis sees, and drawing anew what it does not see (rulings, R15 and R18).

A seat knows its own hand, all discards, how many cards every hand and pile has, and some cards
of others:

- of its partner's hand (``known``): what it gave and what a reshuffle revealed, until the partner
  plays as many of that colour;
- of the enemies' hands together (``team_known``): what was in them when their draw pile was last
  used up, until they play as many of that colour. With one enemy that is his hand. Of two, each
  holds at most ``unknown`` other cards: those drawn since, and gifts that may be among them.

Everything else is drawn uniformly from the team's other cards. For two seats and for a partner that
is all that can be known. For two enemies it leaves out one thing that perfect memory could tell:
when one of them plays a card that both may have held, who of them had it.
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.copying import assign, clear
from lumis_fast.core.jit import kernel
from lumis_fast.core.streams import fork, shuffle, uniform
from lumis_fast.games.lumis.moves import partner_of


@kernel
def observe(rules, state, seat, view):
    """Copy a state without what a seat cannot see."""
    assign(view, state)
    clear(view.chance)
    view.pile[:] = 0
    for other in range(rules.seats):
        if other != seat:
            view.hand[other, :] = 0
            if other != partner_of(seat):
                view.known[other, :] = 0


@kernel
def determinize(rules, work, state, seat, stream):
    """Draw the hidden cards and the chance stream anew."""
    team = seat % 2
    _redraw_own_team(rules, work, state, seat, team, stream)
    _redraw_enemies(rules, work, state, 1 - team, stream)
    for side in range(2):  # cards drawn before must not shine through
        state.pile[side, state.pile_size[side] :] = 0
    fork(stream, state.chance)


@kernel
def _gather(rules, work, state, team, colour, seen, n):
    """Append the cards of a colour that are neither discarded nor seen to `work.cards`."""
    for _ in range(rules.cards_per_colour - state.discards[team, colour] - seen):
        work.cards[n] = colour
        n += 1
    return n


@kernel
def _redraw_own_team(rules, work, state, seat, team, stream):
    partner = partner_of(seat)
    n = 0
    for colour in range(4):
        seen = state.hand[seat, colour]
        if rules.seats == 4:
            state.hand[partner, colour] = state.known[partner, colour]
            seen += state.known[partner, colour]
        n = _gather(rules, work, state, team, colour, seen, n)
    shuffle(stream, work.cards, n)
    for i in range(state.pile_size[team]):
        state.pile[team, i] = work.cards[i]
    for i in range(state.pile_size[team], n):
        state.hand[partner, work.cards[i]] += 1


@kernel
def _redraw_enemies(rules, work, state, team, stream):
    n = 0
    for colour in range(4):
        n = _gather(rules, work, state, team, colour, state.team_known[team, colour], n)
    shuffle(stream, work.cards, n)
    pile = np.int64(state.pile_size[team])
    for i in range(pile):
        state.pile[team, i] = work.cards[i]
    for seat in range(team, rules.seats, 2):
        state.hand[seat, :] = 0
        state.known[seat, :] = 0
    unknown = n - pile
    if rules.seats == 2:
        _deal(state, team, work.cards, pile, unknown)
        state.hand[team] += state.team_known[team]
        return
    first = _share_of_unknown(state, team, unknown, stream)
    _deal(state, team, work.cards, pile, first)
    _deal(state, team + 2, work.cards, pile + first, unknown - first)
    n = 0
    for colour in range(4):
        for _ in range(state.team_known[team, colour]):
            work.cards[n] = colour
            n += 1
    shuffle(stream, work.cards, n)
    held = state.hand_size[team] - first
    _deal(state, team, work.cards, 0, held)
    _deal(state, team + 2, work.cards, held, n - held)


@kernel
def _deal(state, seat, cards, first, count):
    for i in range(first, first + count):
        state.hand[seat, cards[i]] += 1


@kernel
def _share_of_unknown(state, team, total, stream):
    """Draw how many of the two enemies' unknown cards the first one holds.

    A number weighs as much as there are ways to choose the places of these cards in both hands.
    """
    one, two = np.int64(state.hand_size[team]), np.int64(state.hand_size[team + 2])
    low = max(0, total - min(two, np.int64(state.unknown[team + 2])))
    high = min(total, one, np.int64(state.unknown[team]))
    if low >= high:
        return low
    weight, total_weight = 1.0, 1.0
    for k in range(low, high):
        weight *= (one - k) * (total - k) / ((k + 1.0) * (two - total + k + 1.0))
        total_weight += weight
    rest, weight = uniform(stream) * total_weight, 1.0
    for k in range(low, high):
        if rest < weight:
            return k
        rest -= weight
        weight *= (one - k) * (total - k) / ((k + 1.0) * (two - total + k + 1.0))
    return high
