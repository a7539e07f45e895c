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
from lumis_fast.games.lumina_spell.board import TILE, WIDTH, leaving, tiles_of
from lumis_fast.games.lumina_spell.moves import (
    card_at,
    legal_moves,
    place_of,
    tile_at,
)
from lumis_fast.games.lumina_spell.payment import (
    COLOURS,
    TILES,
    add_tile,
    change_by,
    find_payments,
    look_at,
)
from lumis_fast.games.lumina_spell.state import (
    CLAIM,
    COUNT,
    FACE_UP,
    MAX_TILES,
    NUMBERS,
    ONE,
    PUSH,
    THREE,
    next_seat,
    tiles_in,
)

POINTS_A_TURN = 1.1
"""So many points the leader makes in a turn of his."""

RAREST_A_TURN, RAREST_IN_SEARCH = 0.35, 0.25
"""So many tiles the rarest colour loses in a turn."""

TILE_EARLY, TILE_IN_SEARCH = 0.85, 1.1
"""A tile's worth far from the end. A search spends its tiles better than greedy play."""

TILE_TURNS = 2.5
"""In how many turns before the end a tile's worth falls, to -1."""

CROWD, CROWDED = 8, -0.3
"""A tile's worth, at most, from so many left over on: hands must be spent in time."""

SAFE, CONTESTED = 0.8, 0.65
"""The share of a payable card's points: where nobody else can pay it, and where somebody can."""

LACKING_ONE, LACKING_TWO, LACKING_TURNS = 0.22, 0.1, 2.5
"""The share of the points of cards that lack one or two tiles, less in the last turns."""

DENY = 0.35
"""The share of a card's points that is won by taking it from somebody who could pay it."""

TEMPERATURE, LEAST_WEIGHT = 0.35, 1e-6
"""Of priors: a move that is so many points better weighs e times as much; none weighs nothing."""

SPREAD_NOW, SPREAD_A_TURN = 2.0, 0.6
"""How far off estimated scores are at the end of the game, and more for each turn before it."""

DRAGGING_TURNS, DRAGGING_SHARE = 15.0, 0.2
"""After so many turns of each seat the end is thought to be further off, by a share of the rest."""

SAME_SCORE = 1e-9
"""Moves whose scores differ by less are equally good."""

LOWEST = -1e9
"""Below every score."""

ALL_PLACES = (1 << FACE_UP) - 1
"""A bit for each face-up card."""


@kernel
def turns_left(rules, state, rarest_a_turn):
    """Estimate how many turns each seat has before the end."""
    if state.triggered > 0:
        return 0.0
    lead, rarest = 0, 255
    for seat in range(rules.seats):
        lead = max(lead, np.int64(state.points[seat]))
    for colour in range(rules.colours):
        rarest = min(rarest, np.int64(state.on_board[colour]))
    by_points = (rules.threshold - lead) / POINTS_A_TURN
    turns = max(1.0, min(by_points, rarest / (rarest_a_turn * rules.seats)))
    return max(turns, DRAGGING_SHARE * (state.turn / rules.seats - DRAGGING_TURNS))


@kernel
def tile_worth(turns, early):
    """What a tile in hand is worth, so many turns before the end."""
    return -1.0 + (1.0 + early) * (1.0 - math.exp(-turns / TILE_TURNS))


@kernel
def lacking(rules, work, card):
    """Tell how many tiles the hand that was looked at lacks for a card, about."""
    needed, colours = np.int64(rules.card_tiles[card]), rules.card_colours[card]
    kind = COLOURS if colours == THREE else TILES
    most = 0
    for pattern in range(rules.card_first[card], rules.card_last[card]):
        if colours == ONE:
            # A count for each colour; where a pattern has no place, any tile is one.
            counts, has = np.uint32(0), 0
            for i in range(MAX_TILES):
                counts += work.held[rules.pattern_at[pattern, i]]
            while counts:
                has = max(has, np.int64(counts & COUNT))
                counts >>= np.uint32(4)
            has += needed - MAX_TILES
        else:
            has = popcount(rules.pattern_needs[pattern] & work.numbers[kind])
            has += np.int64(rules.pattern_rainbows[pattern])
        most = max(most, has)
    return needed - most


@kernel
def find_shares(rules, work, state, seat):
    """Set `work.share`: how likely a face-up card is still there at the seat's next turn."""
    for place in range(FACE_UP):
        work.share[place] = SAFE if state.face_up[place] > 0 else 0.0
    for other in range(rules.seats):
        if other == seat:
            continue
        look_at(rules, work, state.hand[other])
        for place in range(FACE_UP):
            if work.share[place] == SAFE and lacking(rules, work, card_at(state, place)) == 0:
                work.share[place] = CONTESTED


@kernel
def hand_worth(rules, work, state, hand, turns, tile):
    """Estimate what a hand adds to its seat's score.

    Parameters
    ----------
    rules, work, state : records
        `work.share` tells how likely each face-up card can be had.
    hand : uint32 array
    turns : float
        Before the end.
    tile : float
        What a tile left over is worth.

    Returns
    -------
    tuple
        The worth, and bits for the places of the cards that the hand can pay together.
    """
    rest, worth = work.rest[:], 0.0
    for number in range(NUMBERS):
        rest[number] = hand[number]
    look_at(rules, work, rest)
    later = min(1.0, turns / LACKING_TURNS)
    untried, paid = ALL_PLACES, 0
    while untried:
        place, most = 0, -1
        for i in range(FACE_UP):
            points = np.int64(rules.points[card_at(state, i)])
            if untried >> i & 1 and points > most:
                place, most = i, points
        untried &= ~(1 << place)
        card, share = card_at(state, place), work.share[place]
        if share == 0.0:
            continue
        short = lacking(rules, work, card)
        if short == 0 and find_payments(rules, work, rest, card, work.payment[:], np.int64(1)):
            worth += share * most + (1.0 - share) * tile * np.int64(rules.card_tiles[card])
            paid |= 1 << place
            change_by(rest, work.payment[0], -1)
            look_at(rules, work, rest)
        elif short <= 1:
            worth += LACKING_ONE * most * later
        elif short == 2:
            worth += LACKING_TWO * most * later
    left = 0
    for number in range(NUMBERS):
        left += tiles_in(rest[number])
    crowd = max(0, left - CROWD)
    return worth + tile * (left - crowd) + min(tile, CROWDED) * crowd, paid


@kernel
def evaluate(rules, work, state, values):
    """Estimate the returns from the scores that the seats can hope for.

    Each seat, in turn, is credited with the cards it can pay of those that are left, as long as
    it has a turn before the end.
    """
    turns = turns_left(rules, state, RAREST_IN_SEARCH)
    scale = 1.0 / (SPREAD_NOW + SPREAD_A_TURN * turns)
    ending = state.triggered > 0
    for place in range(FACE_UP):
        work.share[place] = 1.0 if state.face_up[place] > 0 else 0.0
    seat = np.int64(state.to_move)
    for k in range(rules.seats):
        if ending:
            turns = 0.0
            if k > 0 and seat == state.first:
                work.share[:] = 0.0
        tile = tile_worth(turns, TILE_IN_SEARCH)
        worth, paid = hand_worth(rules, work, state, state.hand[seat], turns, tile)
        values[seat] = state.points[seat] + worth
        points = np.int64(state.points[seat])
        for place in range(FACE_UP):
            if paid >> place & 1:
                work.share[place] = 0.0
                points += rules.points[card_at(state, place)]
        ending = ending or points >= rules.threshold
        seat = next_seat(rules, seat)
    _to_returns(rules, values, scale)


@kernel
def _to_returns(rules, values, scale):
    """Make shares of the victory of estimated scores."""
    best, total = values[0], 0.0
    for seat in range(rules.seats):
        best = max(best, values[seat])
    for seat in range(rules.seats):
        values[seat] = math.exp(scale * (values[seat] - best))
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
    seat = np.int64(state.to_move)
    turns = turns_left(rules, state, RAREST_A_TURN)
    tile = tile_worth(turns, TILE_EARLY)
    find_shares(rules, work, state, seat)
    hand, shares = work.tried[:], work.share
    for k in range(n):
        move = moves[k]
        for number in range(NUMBERS):
            hand[number] = state.hand[seat, number]
        _change_hand(rules, state, hand, move)
        place, share, gain = 0, shares[0], 0.0
        if move.action == CLAIM and move.cards > 0:
            place = place_of(state, np.int64(move.card[0]))
            share = shares[place]
            gain = np.float64(rules.points[move.card[0]])
            gain += DENY * gain if share == CONTESTED else 0.0
            shares[place] = 0.0
        scores[k] = gain + hand_worth(rules, work, state, hand, turns, tile)[0]
        shares[place] = share


@kernel
def _change_hand(rules, state, hand, move):
    """Do to a hand what a listed move does to it."""
    side = np.int64(rules.side)
    if move.action == PUSH:
        dense, tiles = tiles_of(side, state.rows, move.line + side * np.int64(move.side >> 1))
        taken = leaving(dense, tiles, np.int64(move.side & 1), np.int64(move.take))
        add_tile(hand, np.int64(move.tile), -1)
        while taken:
            add_tile(hand, np.int64(taken & TILE), 1)
            taken >>= WIDTH
    elif move.action == CLAIM and move.cards > 0:
        change_by(hand, move.paid[0], -1)
    elif move.action == CLAIM and move.edge > 0:
        cell = np.int64(move.edge) - 1
        add_tile(hand, tile_at(rules, state, cell // side, cell % side), 1)


@kernel
def priors(rules, work, state, moves, n, weights):
    """Weigh moves by their scores: a soft maximum."""
    score_moves(rules, work, state, moves, n, weights)
    best = LOWEST
    for k in range(n):
        best = max(best, weights[k])
    total = 0.0
    for k in range(n):
        weights[k] = math.exp((weights[k] - best) / TEMPERATURE) + LEAST_WEIGHT
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
        if scores[k] > scores[best] + SAME_SCORE:
            best, ties = k, 1
        elif scores[k] > scores[best] - SAME_SCORE:
            ties += 1
            if below(stream, ties) == 0:
                best = k
    assign(move, moves[best])
