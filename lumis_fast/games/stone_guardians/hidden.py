"""What a seat sees, and drawing anew what it does not see (rulings, "Hidden information").

Hidden are other peoples' spells, what is left in their draw piles, what they hold in hand and have
held back, the cards under their piles, the order of the spell deck, and in a draft the order of the
countries that are not drawn yet. All else lies open, so each
people's hidden combat cards are its deck without its discards, and the hidden spells are those that
are neither in the own hand nor discarded. They are dealt anew uniformly, the numbers being known.
What could be told besides from when a pile was reshuffled is not used.
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.copying import assign, clear
from lumis_fast.core.jit import kernel
from lumis_fast.core.streams import below, fork, shuffle
from lumis_fast.games.stone_guardians import SPELLS
from lumis_fast.games.stone_guardians.cards import appended, counts_of, shuffled
from lumis_fast.games.stone_guardians.state import DRAFT, NOBODY

_NONE = np.uint64(0)


@kernel
def side_of(state, people):
    """Tell whether a people is the attacker (0) or the defender (1) of the fight; -1: neither."""
    if state.fight == NOBODY:
        return -1
    if people == state.defender:
        return 1
    return 0 if people == state.people and not state.golems_attack else -1


@kernel
def observe(rules, state, seat, view):
    """Copy a state without what a seat cannot see; a card held back is `NOBODY`."""
    assign(view, state)
    clear(view.chance)
    for spell in range(len(SPELLS)):
        view.spell_deck[spell] = 0
    if view.stage == DRAFT:
        for i in range(view.drafted + 1, np.int64(rules.map.countries)):
            view.draft_order[i] = 0
    for people in range(rules.peoples):
        if people == seat:
            continue
        view.pile[people] = view.under[people] = _NONE
        for spell in range(len(SPELLS)):
            view.spells[people, spell] = 0
        side = side_of(state, people)
        if side >= 0:
            view.hand[side] = _NONE
            if state.held_back[side] > 0:
                view.held_back[side] = NOBODY


@kernel
def determinize(rules, work, state, seat, stream):
    """Deal the hidden cards anew and start another chance stream."""
    for people in range(rules.peoples):
        if people != seat:
            _redeal(rules, state, people, stream)
    _redeal_spells(rules, state, seat, stream)
    if state.stage == DRAFT:
        _redraw_countries(rules, work, state, stream)
    fork(stream, state.chance)


@kernel
def _redraw_countries(rules, work, state, stream):
    """Shuffle the countries that are not drawn yet."""
    seen, n = np.int64(state.drafted) + 1, np.int64(0)
    for country in range(np.int64(rules.map.countries)):
        is_seen = False
        for i in range(seen):
            is_seen |= state.draft_order[i] == country
        if not is_seen:
            work.cards[n] = country
            n += 1
    shuffle(stream, work.cards, n)
    for i in range(n):
        state.draft_order[seen + i] = work.cards[i]


@kernel
def _redeal(rules, state, people, stream):
    """Deal a people's combat cards: its hand, what is held back and what lies under the pile."""
    left, side = rules.combat_deck - state.discards[people], side_of(state, people)
    if side >= 0:
        hand, left = shuffled(stream, left, np.int64(state.hand_size[side]))
        state.hand[side] = counts_of(hand)
        if state.held_back[side] > 0:
            held_back, left = shuffled(stream, left, 1)
            state.held_back[side] = held_back
    under, n, size = _NONE, 0, np.int64(state.under_size[people])
    while n < size:
        more, left = shuffled(stream, left, min(4, size - n))
        under = appended(under, n, more)
        n += 4
    state.under[people], state.pile[people] = under, left


@kernel
def _redeal_spells(rules, state, seat, stream):
    """Deal the spells that the seat does not see to the other peoples; the rest is the deck."""
    size = np.int64(0)
    for spell in range(len(SPELLS)):
        left = np.int64(rules.spell_copies[spell]) - np.int64(state.spell_discards[spell])
        left -= np.int64(state.spells[seat, spell])
        state.spell_deck[spell] = left
        size += left
    for people in range(rules.peoples):
        if people == seat:
            continue
        for spell in range(len(SPELLS)):
            state.spells[people, spell] = 0
        for _ in range(state.spell_count[people]):
            rest, spell = below(stream, size), 0
            while rest >= state.spell_deck[spell]:
                rest -= np.int64(state.spell_deck[spell])
                spell += 1
            state.spell_deck[spell] -= 1
            state.spells[people, spell] += 1
            size -= 1
