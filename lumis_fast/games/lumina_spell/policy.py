"""Choosing moves of Lumina Spell with an aim: the worth of hands, greedy play, priors, evaluation.

Everything is measured in points of the final score. A hand is worth the face-up cards that it can
pay now, less for cards that others may take first; a share of the points of those that lack one or
two tiles; and so much for each tile left over, which is useful early in the game and a lost point
at its end. How far off the end is, is estimated from the points of the leader and from the rarest
colour on the board.

Only what everybody sees is looked at; the order of the deck is not used.
"""

from __future__ import annotations

import math

import numpy as np

from lumis_fast.core.bits import popcount
from lumis_fast.core.copying import assign
from lumis_fast.core.jit import kernel
from lumis_fast.core.streams import below
from lumis_fast.games.lumina_spell.board import TILE, leaving, line_of, without_gaps
from lumis_fast.games.lumina_spell.moves import COLOURED, card_at, legal_moves
from lumis_fast.games.lumina_spell.payment import (
    add_tile,
    change_by,
    colours_in,
    find_payments,
)
from lumis_fast.games.lumina_spell.state import (
    CLAIM,
    FACE_UP,
    NUMBERS,
    ONE,
    PUSH,
    RAINBOW,
    THREE,
    tiles_in,
)

ANY_COLOUR, EACH_COLOUR = 7, 6
"""Places in `work.has` beside those of the colours: all tiles, and one of each colour."""

POINTS_A_TURN = 1.1
RAREST_A_TURN = 0.45
"""So many points the leader makes in a turn of his; so many tiles the rarest colour loses."""

TILE_EARLY, TILE_TURNS = 0.6, 3.0
"""A tile's worth far from the end, and in how many turns it falls to -1."""

SAFE, CONTESTED = 0.9, 0.6
"""The share of a payable card's points: where nobody else can pay it, and where somebody can."""

LACKING_ONE, LACKING_TWO = 0.35, 0.1
"""The share of the points of cards that cannot be paid yet."""

DENY = 0.35
TEMPERATURE = 0.6
SPREAD_NOW, SPREAD_A_TURN = 1.2, 0.35
"""How far off estimated scores are at the end of the game, and more for each turn before it."""


@kernel
def turns_left(rules, state):
    """Estimate how many turns each seat has before the end."""
    if state.triggered > 0:
        return 0.0
    lead, rarest = 0, 255
    for seat in range(rules.seats):
        lead = max(lead, np.int64(state.points[seat]))
    for colour in range(rules.colours):
        rarest = min(rarest, np.int64(state.on_board[colour]))
    by_points = (rules.threshold - lead) / POINTS_A_TURN
    turns = max(1.0, min(by_points, rarest / (RAREST_A_TURN * rules.seats)))
    return max(turns, 0.2 * (state.turn / rules.seats - 15.0))


@kernel
def tile_worth(turns):
    """What a tile in hand is worth, so many turns before the end."""
    return -1.0 + (1.0 + TILE_EARLY) * (1.0 - math.exp(-turns / TILE_TURNS))


@kernel
def _note(has, place, number, count):
    """Note that there are so many tiles of a number."""
    bit = np.uint16(1 << number)
    for least in range(3):
        if count > least:
            has[place, least] |= bit


@kernel
def look_at_hand(rules, work, hand):
    """Set `work.has`: for each colour with the rainbow tiles, and so on, the numbers held."""
    has = work.has
    has[:] = 0
    for number in range(1, NUMBERS):
        word = np.int64(hand[number])
        if word == 0:
            continue
        rainbows = word >> 4 * RAINBOW
        for colour in range(rules.colours):
            _note(has, colour, number, ((word >> 4 * colour) & 15) + rainbows)
        kinds = tiles_in(colours_in(hand[number] & COLOURED))
        _note(has, EACH_COLOUR, number, kinds + rainbows)
        _note(has, ANY_COLOUR, number, tiles_in(hand[number]))


@kernel
def lacking(rules, work, card):
    """Tell how many tiles the hand that was looked at lacks for a card, about."""
    needed, colours = np.int64(rules.card_tiles[card]), rules.card_colours[card]
    low = 0 if colours == ONE else EACH_COLOUR if colours == THREE else ANY_COLOUR
    high = np.int64(rules.colours) if colours == ONE else low + 1
    most = 0
    for pattern in range(rules.card_first[card], rules.card_last[card]):
        needs = rules.pattern_counts[pattern]
        for place in range(low, high):
            held = popcount(needs[0] & work.has[place, 0])
            held += popcount(needs[1] & work.has[place, 1])
            held += popcount(needs[2] & work.has[place, 2])
            most = max(most, held + np.int64(rules.pattern_rainbows[pattern]))
    return needed - most


@kernel
def find_contested(rules, work, state, seat):
    """Set `work.contested`: which face-up cards seats other than this one can pay, about."""
    work.contested[:] = 0
    for other in range(rules.seats):
        if other == seat:
            continue
        look_at_hand(rules, work, state.hand[other])
        for place in range(FACE_UP):
            card = card_at(state, place)
            if card > 0 and lacking(rules, work, card) == 0:
                work.contested[place] = 1


@kernel
def hand_worth(rules, work, state, hand, turns, skipped):
    """Estimate what a hand adds to its seat's score.

    Parameters
    ----------
    rules, work, state : records
        `work.contested` tells which cards others can pay.
    hand : uint32 array
    turns : float
        Before the end.
    skipped : int
        A card that is about to be gone; 0 for none.

    Returns
    -------
    float
    """
    rest, worth, tile = work.rest[:], 0.0, tile_worth(turns)
    for number in range(NUMBERS):
        rest[number] = hand[number]
    look_at_hand(rules, work, rest)
    later = min(1.0, turns / 2.0)
    untried = 15
    while untried:
        place, most = 0, -1
        for i in range(FACE_UP):
            points = np.int64(rules.points[card_at(state, i)])
            if untried >> i & 1 and points > most:
                place, most = i, points
        untried &= ~(1 << place)
        card = card_at(state, place)
        if card == 0 or card == skipped:
            continue
        short = lacking(rules, work, card)
        if short == 0 and find_payments(rules, work, rest, card, work.payment[:], np.int64(1)):
            share = CONTESTED if work.contested[place] else SAFE
            worth += share * most + (1.0 - share) * tile * np.int64(rules.card_tiles[card])
            change_by(rest, work.payment[0], -1)
            look_at_hand(rules, work, rest)
        elif short <= 1:
            worth += LACKING_ONE * most * later
        elif short == 2:
            worth += LACKING_TWO * most * later
    left = 0
    for number in range(NUMBERS):
        left += tiles_in(rest[number])
    return worth + tile * left


@kernel
def evaluate(rules, work, state, values):
    """Estimate the returns from the scores that the seats can hope for."""
    turns = turns_left(rules, state)
    scale = 1.0 / (SPREAD_NOW + SPREAD_A_TURN * turns)
    best = -1e9
    for seat in range(rules.seats):
        find_contested(rules, work, state, seat)
        worth = hand_worth(rules, work, state, state.hand[seat], turns, 0)
        values[seat] = scale * (state.points[seat] + worth)
        best = max(best, values[seat])
    total = 0.0
    for seat in range(rules.seats):
        values[seat] = math.exp(values[seat] - best)
        total += values[seat]
    for seat in range(rules.seats):
        values[seat] /= total


@kernel
def score_moves(rules, work, state, moves, n, scores):
    """Score moves for the seat to move: its score after each, about.

    Parameters
    ----------
    rules, work, state : records
    moves : array of move records
    n : int
    scores : float array
        Written.
    """
    seat, side = np.int64(state.to_move), np.int64(rules.side)
    turns = turns_left(rules, state)
    find_contested(rules, work, state, seat)
    hand = work.tried[:]
    for k in range(n):
        move = moves[k]
        for number in range(NUMBERS):
            hand[number] = state.hand[seat, number]
        card, bonus = 0, 0.0
        if move.action == PUSH:
            end, line = np.int64(move.side & 1), move.line + side * np.int64(move.side >> 1)
            dense, tiles = without_gaps(line_of(side, state.rows, line))
            taken = leaving(dense, tiles, end, np.int64(move.take))
            add_tile(hand, np.int64(move.tile), -1)
            while taken:
                add_tile(hand, np.int64(taken & TILE), 1)
                taken >>= np.uint64(7)
        elif move.action == CLAIM and move.cards > 0:
            card = np.int64(move.card[0])
            change_by(hand, move.paid[0], -1)
            bonus = np.float64(rules.points[card])
            for place in range(FACE_UP):
                if card_at(state, place) == card and work.contested[place]:
                    bonus += DENY * np.float64(rules.points[card])
        elif move.action == CLAIM and move.edge > 0:
            cell = np.int64(move.edge) - 1
            add_tile(
                hand, np.int64((state.rows[cell // side] >> np.uint64(7 * (cell % side))) & TILE), 1
            )
        scores[k] = bonus + hand_worth(rules, work, state, hand, turns, card)


@kernel
def priors(rules, work, state, moves, n, weights):
    """Weigh moves by their scores: a soft maximum."""
    score_moves(rules, work, state, moves, n, weights)
    best = -1e9
    for k in range(n):
        best = max(best, weights[k])
    total = 0.0
    for k in range(n):
        weights[k] = math.exp(max(-30.0, (weights[k] - best) / TEMPERATURE)) + 1e-6
        total += weights[k]
    for k in range(n):
        weights[k] /= total
    return True


@kernel
def greedy_move(rules, work, state, stream, move):
    """Choose the move with the best score; one of the best at random."""
    moves, scores = work.moves[:], work.scores[:]  # slices have the type that search has, too
    n = min(legal_moves(rules, work, state, moves), len(moves))
    score_moves(rules, work, state, moves, n, scores)
    best, ties = 0, 1
    for k in range(1, n):
        if scores[k] > scores[best] + 1e-9:
            best, ties = k, 1
        elif scores[k] > scores[best] - 1e-9:
            ties += 1
            if below(stream, ties) == 0:
                best = k
    assign(move, moves[best])
