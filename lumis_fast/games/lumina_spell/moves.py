"""Legal moves of Lumina Spell: the list of them, and the verdict on a move that somebody names.

A claim turn may be played in parts: claims of one card each with ``more`` set, then a claim of no
card, which takes a tile from the edge or none and ends the turn. `legal_moves` lists these parts,
with every payment once. `is_legal` and `play` take a whole claim turn in one move, too, and any
mixture: what a record has as one step.
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.bits import trailing_zeros
from lumis_fast.core.copying import clear
from lumis_fast.core.jit import kernel
from lumis_fast.games.lumina_spell.board import (
    TILE,
    WIDTH,
    first_tile,
    longest_combo,
    matches,
    tiles_of,
)
from lumis_fast.games.lumina_spell.payment import (
    can_pay,
    change_by,
    colours_in,
    count_of,
    find_payments,
    is_payment,
    look_at,
)
from lumis_fast.games.lumina_spell.state import (
    CLAIM,
    COUNT,
    FACE_UP,
    MAX_PAYMENTS,
    NUMBERS,
    PASS,
    PUSH,
    RAINBOW,
    coloured_tiles,
    tiles_in,
)

COLOURED = np.uint32((1 << 4 * RAINBOW) - 1)
"""The counts of tiles that are not rainbow tiles."""


@kernel
def card_at(state, place):
    """The number of a face-up card; 0 for none."""
    at = np.int64(state.face_up[place])
    return np.int64(state.deck[at - 1] & 31) if at > 0 else 0


@kernel
def place_of(state, card):
    """The first place where a card lies face up; -1 for none."""
    for place in range(FACE_UP):
        if card_at(state, place) == card:
            return place
    return -1


@kernel
def may_push(state, seat, tile):
    """Tell whether a seat holds a tile that may push (rulings, 9 and 10)."""
    if tile >> 4 == RAINBOW:
        return state.start[seat] == tile
    return count_of(state.hand[seat], tile) > 0


@kernel
def tile_at(rules, state, r, c):
    """The tile of a cell; 0 for a gap."""
    return np.int64((state.rows[r] >> (WIDTH * np.uint64(c))) & TILE)


@kernel
def is_edge(rules, r, c):
    """Tell whether a cell is on the outermost ring."""
    last = np.int64(rules.side) - 1
    return r == 0 or c == 0 or r == last or c == last


@kernel
def _write(moves, n, action):
    """Begin the n-th move of a list; where there is no room the last one is written over."""
    move = moves[min(n, len(moves) - 1)]
    clear(move)
    move.action = action
    return move


@kernel
def _list_pushes(rules, state, seat, moves):
    """Begin a list with all pushes; tell how many they are."""
    n, side = 0, np.int64(rules.side)
    hand = state.hand[seat]
    for line in range(2 * side):
        dense, tiles = tiles_of(side, state.rows, line)
        if tiles == 0:
            continue
        for end in range(2):
            first = first_of(dense, tiles, end)
            longest = longest_combo(dense, tiles, end)
            for number in range(1, np.int64(rules.highest) + 1):
                colours = colours_in(hand[number])
                while colours:
                    tile = (trailing_zeros(colours) << 2) | number
                    colours &= colours - np.uint32(1)
                    if not (matches(tile, first) and may_push(state, seat, tile)):
                        continue
                    for take in range(1, longest + 1):
                        move = _write(moves, n, PUSH)
                        move.side = 2 * (line >= side) + end
                        move.line = line % side
                        move.tile = tile
                        move.take = take
                        n += 1
    return n


@kernel
def _list_claims(rules, work, state, seat, moves, n):
    """Append claims of one card to a list of n moves."""
    hand, payments = state.hand[seat], work.payment[:]
    look_at(rules, work, hand)
    for place in range(FACE_UP):
        card = card_at(state, place)
        if card == 0 or place_of(state, card) != place:
            continue
        count = find_payments(rules, work, hand, card, payments, np.int64(MAX_PAYMENTS))
        for i in range(count):
            move = _write(moves, n, CLAIM)
            move.cards = move.more = 1
            move.card[0] = card
            move.paid[0] = payments[i]
            n += 1
    return n


@kernel
def _list_ends(rules, state, moves, n):
    """Append the ends of a claim turn to a list of n moves."""
    _write(moves, n, CLAIM)
    n += 1
    side = np.int64(rules.side)
    for r in range(side):
        for c in range(side):
            if is_edge(rules, r, c) and tile_at(rules, state, r, c):
                _write(moves, n, CLAIM).edge = side * r + c + 1
                n += 1
    return n


@kernel
def legal_moves(rules, work, state, moves):
    """List pushes and claims, or how a claim turn may go on; or a pass alone (rulings, 11, 18)."""
    seat = np.int64(state.to_move)
    if state.claims > 0:
        n = _list_ends(rules, state, moves, 0)
        return _list_claims(rules, work, state, seat, moves, n)
    n = _list_claims(rules, work, state, seat, moves, _list_pushes(rules, state, seat, moves))
    if n == 0:
        _write(moves, 0, PASS)
        return 1
    return n


@kernel
def matching_tiles(rules, state, seat, first):
    """Count the tiles with which a seat can push, where `first` is the tile they meet."""
    total = np.int64(state.start[seat] > 0)
    if first >> 4 == RAINBOW:
        return total + coloured_tiles(state, seat)
    total += np.int64(state.held[seat] >> np.uint64(8 * (first >> 4))) & 255
    others = COLOURED & ~(COUNT << np.uint32(4 * (first >> 4)))
    return total + tiles_in(state.hand[seat, first & 15] & others)


@kernel
def is_open(rules, state, seat, line, end):
    """Tell whether a seat can push a line from this end."""
    side = np.int64(rules.side)
    dense, tiles = tiles_of(side, state.rows, line)
    return tiles > 0 and matching_tiles(rules, state, seat, first_of(dense, tiles, end)) > 0


@kernel
def first_of(dense, tiles, end):
    """`first_tile` as a signed number."""
    return np.int64(first_tile(dense, tiles, end))


@kernel
def must_pass(rules, work, state, seat):
    """Tell whether a seat has no legal push and no payable card (rulings, 18)."""
    for line in range(2 * np.int64(rules.side)):
        if is_open(rules, state, seat, line, 0) or is_open(rules, state, seat, line, 1):
            return False
    look_at(rules, work, state.hand[seat])
    for place in range(FACE_UP):
        card = card_at(state, place)
        if card > 0 and can_pay(rules, work, state.hand[seat], card):
            return False
    return True


@kernel
def _is_legal_push(rules, state, seat, move):
    """Tell whether a push names a line, a tile that matches, and a combo (rulings, 1 to 10)."""
    side, line, end = np.int64(rules.side), np.int64(move.line), move.side & 1
    if move.side > 3 or line >= side or move.take == 0 or move.tile > 127 or state.claims > 0:
        return False
    tile = np.int64(move.tile)
    if tile & 15 >= NUMBERS or tile & 15 == 0 or not may_push(state, seat, tile):
        return False
    dense, tiles = tiles_of(side, state.rows, line + side * (move.side >> 1))
    if tiles == 0 or not matches(tile, first_of(dense, tiles, end)):
        return False
    return move.take <= longest_combo(dense, tiles, end)


@kernel
def _is_legal_claim(rules, work, state, seat, move):
    """Tell whether the cards lie there and are paid, and a tile of the edge (rulings, 11 to 16)."""
    cards = np.int64(move.cards)
    if cards > FACE_UP or cards + state.claims == 0 or (move.more and (move.edge or cards == 0)):
        return False
    rest = state.hand[seat].copy()
    for i in range(cards):
        card, wanted = np.int64(move.card[i]), 0
        for j in range(i + 1):
            wanted += move.card[j] == card
        for place in range(FACE_UP):
            wanted -= card_at(state, place) == card
        if card == 0 or wanted > 0 or not is_payment(rules, work, rest, card, move.paid[i]):
            return False
        change_by(rest, move.paid[i], -1)
    side, cell = np.int64(rules.side), np.int64(move.edge) - 1
    if cell < 0:
        return True
    r, c = cell // side, cell % side
    return r < side and is_edge(rules, r, c) and tile_at(rules, state, r, c) > 0


@kernel
def is_legal(rules, work, state, move):
    """Tell whether a move is legal, a whole claim turn in one move included."""
    seat = np.int64(state.to_move)
    if move.action == PUSH:
        return _is_legal_push(rules, state, seat, move)
    if move.action == CLAIM:
        return _is_legal_claim(rules, work, state, seat, move)
    return move.action == PASS and state.claims == 0 and must_pass(rules, work, state, seat)


@kernel
def is_available(rules, work, state, move):
    """Tell whether the cards that happen to lie face up allow a move: those it claims are there."""
    if move.action == CLAIM:
        return move.cards == 0 or place_of(state, np.int64(move.card[0])) >= 0
    return move.action == PUSH or must_pass(rules, work, state, np.int64(state.to_move))
