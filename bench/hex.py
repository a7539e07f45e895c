"""Hex on the public game protocol: a yardstick, and the documentation's example of a game.

Two players take turns to put a stone on an N x N rhombus of hexagons; seat 0 joins the top row to
the bottom row, seat 1 the left column to the right column. There are no draws.

Each cell has the number of a union-find set; a set's root remembers which sides it touches, so a
move costs a few look-ups and the win is noticed at once.
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.jit import kernel
from lumis_fast.core.protocol import register
from lumis_fast.core.streams import PURPOSE_CHANCE, STREAM, below, open_stream

SIZE = 11
CELLS = SIZE * SIZE
FREE = 2

RULES = np.dtype([("neighbours", np.int16, (CELLS, 6)), ("sides", np.uint8, (2, CELLS))])
WORK = np.dtype([("nothing", np.uint8)])
STATE = np.dtype(
    [
        ("chance", STREAM),
        ("turn", np.int32),
        ("to_move", np.uint8),
        ("over", np.uint8),
        ("reason", np.uint8),
        ("owner", np.uint8, (CELLS,)),
        ("parent", np.uint8, (CELLS,)),
        ("touches", np.uint8, (CELLS,)),
        ("free", np.uint8, (CELLS,)),
        ("place", np.uint8, (CELLS,)),
    ]
)
MOVE = np.dtype([("action", np.uint8), ("cell", np.uint8)])


def build_rules(dtype: np.dtype) -> np.ndarray:
    """Neighbours of each cell (-1: none), and the sides (bits 1 and 2) it touches for each seat."""
    rules = np.zeros(1, dtype)
    rules["neighbours"] = -1
    for cell in range(CELLS):
        r, c = divmod(cell, SIZE)
        around = [(r, c - 1), (r, c + 1), (r - 1, c), (r - 1, c + 1), (r + 1, c), (r + 1, c - 1)]
        for k, (y, x) in enumerate(around):
            if 0 <= y < SIZE and 0 <= x < SIZE:
                rules["neighbours"][0, cell, k] = y * SIZE + x
        for seat, at in ((0, r), (1, c)):
            rules["sides"][0, seat, cell] = (at == 0) + 2 * (at == SIZE - 1)
    return rules


@kernel
def new_game(rules, work, state, seed, deal):
    open_stream(state.chance, seed, deal, PURPOSE_CHANCE)
    state.turn, state.to_move, state.over, state.reason = 0, 0, 0, 0
    for cell in range(CELLS):
        state.owner[cell] = FREE
        state.free[cell] = state.place[cell] = cell


@kernel
def legal_moves(rules, work, state, moves):
    n = CELLS - state.turn
    for i in range(min(n, len(moves))):
        moves[i].action = 0
        moves[i].cell = state.free[i]
    return n


@kernel
def is_legal(rules, work, state, move):
    return move.cell < CELLS and state.owner[move.cell] == FREE


@kernel
def root_of(parent, cell):
    while parent[cell] != cell:
        parent[cell] = parent[parent[cell]]
        cell = parent[cell]
    return cell


@kernel
def play(rules, work, state, move):
    cell, seat = np.int64(move.cell), state.to_move
    last, place = state.free[CELLS - 1 - state.turn], state.place[cell]
    state.free[place] = last
    state.place[last] = place
    state.owner[cell] = seat
    root, touches = cell, rules.sides[seat, cell]
    state.parent[cell] = cell
    for k in range(6):
        near = rules.neighbours[cell, k]
        if near >= 0 and state.owner[near] == seat:
            other = np.int64(root_of(state.parent, near))
            if other != root:
                touches |= state.touches[other]
                state.parent[root] = other
                root = other
    state.touches[root] = touches
    state.turn += 1
    state.to_move = 1 - seat
    if touches == 3:
        state.over = 1


@kernel
def returns(rules, state, values):
    winner = 1 - state.to_move
    values[winner] = 1.0
    values[1 - winner] = 0.0


@kernel
def uniform_move(rules, work, state, stream, move):
    move.action = 0
    move.cell = state.free[below(stream, CELLS - state.turn)]


@kernel
def move_key(move):
    return np.uint64(move.cell)


HEX = register(
    "hex",
    rules=RULES,
    work=WORK,
    state=STATE,
    move=MOVE,
    actions=("stone",),
    reasons=("connected",),
    files=[__file__],
    new_game=new_game,
    legal_moves=legal_moves,
    is_legal=is_legal,
    play=play,
    returns=returns,
    uniform_move=uniform_move,
    move_key=move_key,
)
