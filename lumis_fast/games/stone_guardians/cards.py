"""Combat cards: packed counts, sequences, and drawing from a pile (rulings, G1).

Counts of cards are a word with eight bits for each symbol, the first lowest. A sequence of cards is
a word with three bits for each card, one more than its symbol, the first card lowest. Decks have at
most `MAX_DECK` cards, so that all that can get under a pile is one sequence, and so that four
cards can be drawn by one random number below 2**22.
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.bits import popcount
from lumis_fast.core.jit import kernel
from lumis_fast.core.streams import below
from lumis_fast.games.stone_guardians import SYMBOLS

MAX_DECK = 40
KINDS = len(SYMBOLS)
NOT_RESHUFFLED = 255

_ONE, _NONE = np.uint64(1), np.uint64(0)
_EACH = np.uint64(sum(1 << 8 * symbol for symbol in range(KINDS)))
_HIGH = np.uint64(sum(128 << 8 * symbol for symbol in range(KINDS)))
_ALL = np.uint64((1 << 8 * KINDS) - 1)
_INVERSE = np.array([0] + [(1 << 40) // n + 1 for n in range(1, MAX_DECK + 1)], np.int64)
"""What multiplies a number below 2**22 so that, shifted by 40 bits, it is divided by n."""

_LAST = np.uint64(8 * (KINDS - 1))


@kernel
def cards_of(counts, symbol):
    """Tell how many cards of a symbol there are in packed counts."""
    return np.int64(counts >> np.uint64(8 * symbol)) & 255


@kernel
def cards_in(counts):
    """Count all cards of packed counts."""
    return np.int64((counts * _EACH) >> _LAST) & 255


@kernel
def card(symbol):
    """One card, as packed counts."""
    return _ONE << np.uint64(8 * symbol)


@kernel
def counts_of(sequence):
    """The cards of a sequence as packed counts."""
    counts = _NONE
    while sequence:
        counts += card(np.int64(sequence & np.uint64(7)) - 1)
        sequence >>= np.uint64(3)
    return counts


@kernel
def appended(sequence, n, more):
    """A sequence of n cards, and then the cards of another."""
    return sequence | (more << np.uint64(3 * n))


@kernel
def _shuffle_out(stream, counts, n):
    """Draw n of these cards, at most four, one after the other; give them and what is left.

    All come from one number below T (T - 1) ... (T - n + 1), for T cards, whose digits say which of
    the cards left is drawn each time.
    """
    upto = counts * _EACH  # in each place the cards of the symbols up to this one
    left = np.int64(upto >> _LAST) & 255
    ways = left
    for i in range(1, n):
        ways *= left - i
    number, sequence = below(stream, ways), _NONE
    for i in range(n):
        rest = (number * _INVERSE[left]) >> 40
        which = np.uint64(number - rest * left) + _ONE
        number = rest
        left -= 1
        beyond = ((upto | _HIGH) - which * _EACH) & _HIGH
        upto -= beyond >> np.uint64(7)
        sequence |= np.uint64(KINDS + 1 - popcount(beyond)) << np.uint64(3 * i)
    return sequence, (upto - (upto << np.uint64(8))) & _ALL


@kernel
def shuffled(stream, counts, n):
    """Draw n of these cards at random, one after the other.

    Parameters
    ----------
    stream : STREAM record
    counts : uint64
        At least n cards, at most `MAX_DECK`.
    n : int

    Returns
    -------
    sequence : uint64
        The cards drawn.
    left : uint64
        Packed counts of the others.
    """
    first = min(n, np.int64(4))
    sequence, left = _shuffle_out(stream, counts, first)
    if first < n:
        more, left = _shuffle_out(stream, left, n - first)
        sequence = appended(sequence, first, more)
    return sequence, left


@kernel
def draw(work, state, people, wanted):
    """Draw cards: from the pile, then from what lies under it, then from the shuffled discards.

    Where too few are left after that, all of them are drawn. What was drawn is noted in
    `work.draws` as long as there is room; draws that are told there (`work.draws_told`) are not
    left to chance.

    Parameters
    ----------
    work : WORK record
    state : record
        Its `pile`, `under`, `discards` and their sizes change, and its `chance` where needed.
    people : int
    wanted : int
        How many cards.

    Returns
    -------
    uint64
        The cards as packed counts.
    """
    wanted, pile = np.int64(wanted), state.pile[people]
    if wanted > np.int64(state.pile_size[people]) - np.int64(state.under_size[people]):
        return _draw_on(work, state, people, wanted)
    drawn = _from_pile(work, state, people, wanted, _NONE, np.int64(0))
    state.pile_size[people] -= wanted
    if work.draws_made < len(work.draws):
        _note(work, people, drawn, wanted, -1)
    return pile - state.pile[people]


@kernel
def _draw_on(work, state, people, wanted):
    """Draw more cards than the pile has; see `draw`."""
    face_down = np.int64(state.pile_size[people])
    wanted = min(wanted, face_down + cards_in(state.discards[people]))
    first = face_down - np.int64(state.under_size[people])
    drawn, n, reshuffled = (
        _from_pile(work, state, people, first, _NONE, np.int64(0)),
        first,
        np.int64(-1),
    )
    if n < wanted and state.under_size[people] > 0:
        drawn, n = _from_under(state, people, wanted, drawn, n)
    if n < wanted:
        reshuffled = n
        face_down += cards_in(state.discards[people])
        state.pile[people] = state.discards[people]
        state.discards[people] = _NONE
        drawn, n = _from_pile(work, state, people, wanted - n, drawn, n), wanted
    state.pile_size[people] = face_down - wanted
    if work.draws_made < len(work.draws):
        _note(work, people, drawn, n, reshuffled)
    return counts_of(drawn)


@kernel
def _from_pile(work, state, people, many, drawn, n):
    """Draw so many of the cards whose order nobody knows, and append them."""
    if many == 0:
        return drawn
    if work.draws_made < work.draws_told:
        more = _told(work, state.pile[people], many, n)
        state.pile[people] -= counts_of(more)
    else:
        more, state.pile[people] = shuffled(state.chance, state.pile[people], many)
    return appended(drawn, n, more)


@kernel
def _from_under(state, people, wanted, drawn, n):
    """Draw the cards held back earlier, the first one first, and append them."""
    many = min(wanted - n, np.int64(state.under_size[people]))
    bits = np.uint64(3 * many)
    drawn = appended(drawn, n, state.under[people] & ((_ONE << bits) - _ONE))
    state.under[people] >>= bits
    state.under_size[people] -= many
    return drawn, n + many


@kernel
def _told(work, counts, many, n):
    """The cards that `work.draws` tells from the n-th on; what cannot be is noted, and replaced."""
    told = work.draws[work.draws_made].cards >> np.uint64(3 * n)
    told &= (_ONE << np.uint64(3 * many)) - _ONE
    cards = counts_of(told)
    possible = cards_in(cards) == many
    for symbol in range(KINDS):
        possible = possible and cards_of(cards, symbol) <= cards_of(counts, symbol)
    if possible:
        return told
    work.draws_wrong = 1
    sequence = _NONE
    for i in range(many):
        symbol = 0
        while cards_of(counts, symbol) == 0:
            symbol += 1
        counts -= card(symbol)
        sequence |= np.uint64(symbol + 1) << np.uint64(3 * i)
    return sequence


@kernel
def _note(work, people, drawn, n, reshuffled):
    """Write down a draw; one that was told must be the same."""
    entry = work.draws[work.draws_made]
    if work.draws_made < work.draws_told and (
        entry.cards != drawn or entry.people != people or entry.size != n
    ):
        work.draws_wrong = 1
    entry.people = people
    entry.size = n
    entry.reshuffled = reshuffled if reshuffled >= 0 else NOT_RESHUFFLED
    entry.cards = drawn
    work.draws_made += 1


@kernel
def put_under(state, people, symbol):
    """Slide a card under a people's pile; it is face down already (`pile_size`)."""
    at = np.uint64(3 * np.int64(state.under_size[people]))
    state.under[people] |= np.uint64(symbol + 1) << at
    state.under_size[people] += 1
