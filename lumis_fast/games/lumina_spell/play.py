"""Playing a move of Lumina Spell: tiles, cards, refills, inactive seats, the ends of the game."""

from __future__ import annotations

import numpy as np

from lumis_fast.core.bits import popcount
from lumis_fast.core.jit import kernel
from lumis_fast.games.lumina_spell.board import (
    TILE,
    WIDTH,
    leaving,
    pushed,
    put_line,
    tiles_of,
)
from lumis_fast.games.lumina_spell.moves import place_of, tile_at
from lumis_fast.games.lumina_spell.payment import add_tile, change_by, count_of
from lumis_fast.games.lumina_spell.state import (
    CLAIM,
    COLOUR_GONE,
    FACE_UP,
    FEW_TILES,
    LAST_CARD,
    PASS,
    POINTS,
    PUSH,
    STALLED,
    UNFINISHED,
    coloured_tiles,
    next_seat,
)

_ONE = np.uint64(1)


@kernel
def play(rules, work, state, move):
    """Play a legal move with all its consequences; a claim that goes on has no more of them."""
    seat = np.int64(state.to_move)
    if move.action == PUSH:
        _push(rules, state, seat, move)
    elif move.action == CLAIM:
        for i in range(np.int64(move.cards)):
            _claim(rules, state, seat, np.int64(move.card[i]), move.paid[i])
        if move.more:
            return
        if move.edge:
            _take_from_edge(rules, state, seat, np.int64(move.edge) - 1)
        for i in range(FACE_UP):
            state.claimed[i] = 0
            state.paid[i] = 0
        state.claims = 0
    _end_turn(rules, state, seat, move.action == PASS)


@kernel
def _take(state, seat, tile):
    """Move a tile from the board to a hand."""
    add_tile(state.hand[seat], tile, 1)
    state.held[seat] += _ONE << np.uint64(8 * (tile >> 4))
    state.on_board[tile >> 4] -= 1
    state.tiles -= 1


@kernel
def _push(rules, state, seat, move):
    """Push a tile into a line and take what leaves it (rulings, 3 to 10)."""
    side, take, tile = np.int64(rules.side), np.int64(move.take), np.int64(move.tile)
    end, line = np.int64(move.side & 1), np.int64(move.line) + side * np.int64(move.side >> 1)
    dense, tiles = tiles_of(side, state.rows, line)
    add_tile(state.hand[seat], tile, -1)
    state.held[seat] -= _ONE << np.uint64(8 * (tile >> 4))
    state.on_board[tile >> 4] += 1
    state.tiles += 1
    if state.start[seat] == tile:
        state.start[seat] = 0
    taken = leaving(dense, tiles, end, take)
    for _ in range(take):
        _take(state, seat, np.int64(taken & TILE))
        taken >>= WIDTH
    put_line(side, state.rows, line, pushed(dense, tiles, end, take, tile, side))


@kernel
def _claim(rules, state, seat, card, payment):
    """Pay for a card; a collected rainbow tile goes before an equal starting tile."""
    place = place_of(state, card)
    at = np.int64(state.face_up[place]) - 1
    state.deck[at] = (seat << 5) | card
    for i in range(place, FACE_UP - 1):
        state.face_up[i] = state.face_up[i + 1]
    state.face_up[FACE_UP - 1] = 0
    change_by(state.hand[seat], payment, -1)
    for i in range(np.int64(rules.card_tiles[card])):
        colour = (payment >> np.uint32(8 * i + 4)) & np.uint32(7)
        state.held[seat] -= _ONE << np.uint64(8 * colour)
    if state.start[seat] > 0 and count_of(state.hand[seat], np.int64(state.start[seat])) == 0:
        state.start[seat] = 0
    state.points[seat] += rules.points[card]
    state.claimed[state.claims] = card
    state.paid[state.claims] = payment
    state.claims += 1


@kernel
def _take_from_edge(rules, state, seat, cell):
    """Take the tile of a cell; nothing slides (rulings, 16)."""
    side = np.int64(rules.side)
    r, c = cell // side, cell % side
    _take(state, seat, tile_at(rules, state, r, c))
    state.rows[r] &= ~(TILE << (WIDTH * np.uint64(c)))


@kernel
def _end_turn(rules, state, seat, passed):
    """Test the ends of the game (rulings, 20 to 22, 26 to 28), and pass the turn on."""
    state.turn += 1
    state.passes = state.passes + 1 if passed else 0
    if state.points[seat] >= rules.threshold:
        _trigger(state, POINTS)
    for colour in range(np.int64(rules.colours)):
        if state.on_board[colour] == 0:
            _trigger(state, COLOUR_GONE)
    if state.tiles <= rules.seats:
        _trigger(state, FEW_TILES)
    if passed and _all_passed(rules, state):
        _end(state, STALLED)
    elif state.turn >= rules.max_turns:
        _end(state, UNFINISHED)
    else:
        _begin_turn(rules, state, seat)


@kernel
def _begin_turn(rules, state, seat):
    """Find the seat whose turn is next, and refill the row."""
    while True:
        seat = next_seat(rules, seat)
        if seat == state.first and state.triggered > 0:
            _end(state, LAST_CARD)
            return
        if state.inactive >> seat & 1:
            continue
        if not _has_run_out(state, seat):
            break
        state.inactive |= 1 << seat
        if _all_passed(rules, state):
            _end(state, STALLED)
            return
    state.to_move = seat
    for place in range(FACE_UP):
        if state.face_up[place] == 0 and state.revealed < rules.deck_size:
            state.revealed += 1
            state.face_up[place] = state.revealed
            if state.revealed == rules.deck_size:
                _trigger(state, LAST_CARD)


@kernel
def _has_run_out(state, seat):
    """Tell whether a hand has nothing but collected rainbow tiles (rulings, 19).

    No need to look whether it is the seat's first turn: it has its starting tile then.
    """
    return state.start[seat] == 0 and coloured_tiles(state, seat) == 0


@kernel
def _all_passed(rules, state):
    """Tell whether all seats that are active have passed in a row."""
    return state.passes >= rules.seats - popcount(state.inactive)


@kernel
def _trigger(state, reason):
    """Start the final round, unless it has begun."""
    if state.triggered == 0:
        state.triggered = reason + 1


@kernel
def _end(state, reason):
    """End the game; a trigger that came before is the reason."""
    state.over = 1
    state.reason = state.triggered - 1 if state.triggered > 0 else reason
