"""What a seat of Lumina Spell sees: everything but the order of the deck (rulings, 25)."""

from __future__ import annotations

import numpy as np

from lumis_fast.core.copying import assign, clear
from lumis_fast.core.jit import kernel
from lumis_fast.core.streams import fork, shuffle
from lumis_fast.games.lumina_spell.state import NOBODY


@kernel
def observe(rules, state, seat, view):
    """Copy a state without the cards that lie face down."""
    assign(view, state)
    clear(view.chance)
    for i in range(state.revealed, rules.deck_size):
        view.deck[i] = NOBODY << 5


@kernel
def determinize(rules, work, state, seat, stream):
    """Shuffle the cards that lie face down: those that have not been seen."""
    left = np.zeros(32, np.int64)
    for i in range(rules.deck_size):
        left[rules.deck[i]] += 1
    for i in range(state.revealed):
        left[state.deck[i] & 31] -= 1
    hidden, n = work.cards[:], 0
    for card in range(32):
        for _ in range(left[card]):
            hidden[n] = (NOBODY << 5) | card
            n += 1
    shuffle(stream, hidden, n)
    for i in range(n):
        state.deck[state.revealed + i] = hidden[i]
    fork(stream, state.chance)
