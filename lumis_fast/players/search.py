"""Players in compiled code: uniform, greedy, flat Monte Carlo, information-set tree search.

The search is single-observer information-set Monte Carlo tree search. It is given what the seat to
move can see, never the game itself. Each iteration draws what is hidden anew, walks down one tree
that all these draws share, and backs up a value for each seat.

A node keeps candidate moves whose content lies beside their statistics. Draws that reach a node
agree in all that is public, so a visit only asks which candidates are available; they are listed
anew at visits 1, 4, 16, 64, ... and where none is available. A game with nothing hidden lists them
once. Where the game has priors, the best `width` of a listing are kept and PUCT selects among
them; elsewhere UCB1 does, each unvisited move first, in random order.

Flat Monte Carlo is the same search with a tree of depth 1 and without priors.

References
----------
P. I. Cowling, E. J. Powley, D. Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 4
(2012). P. Auer, N. Cesa-Bianchi, P. Fischer, "Finite-time analysis of the multiarmed bandit
problem", Machine Learning 47 (2002). D. Silver et al., "Mastering the game of Go without human
knowledge", Nature 550 (2017), for PUCT.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from lumis_fast.core.copying import assign
from lumis_fast.core.jit import inlined_kernel, kernel
from lumis_fast.core.protocol import (
    MAX_SEATS,
    GameTypes,
    determinize,
    evaluate,
    greedy_move,
    is_available,
    legal_moves,
    move_key,
    play,
    priors,
    registered_functions,
    returns,
    uniform_move,
)
from lumis_fast.core.streams import below
from lumis_fast.players.spec import OPTIONS, POLICIES

__all__ = ["PLAYER", "Memory", "allocate", "build_players", "choose", "playout", "private_array"]

RANDOM, GREEDY, SEARCH, USER = range(4)
_KINDS = {"random": RANDOM, "greedy": GREEDY, "flat": SEARCH, "mcts": SEARCH}
_UNIFORM, _GREEDY, _NONE = range(3)

MAX_DEPTH = 512
MOVES_ROOM = 4096
"""Moves beyond this number are not searched."""

PLAYER = np.dtype(
    [
        ("iterations", np.int64),
        ("ms", np.float64),
        ("c", np.float32),
        ("fpu", np.float32),
        ("cutoff", np.int32),
        ("width", np.int32),
        ("trees", np.int32),
        ("depth", np.int32),
        ("kind", np.uint8),
        ("policy", np.uint8),
        ("informed", np.uint8),
        ("hidden", np.uint8),
    ]
)
"""A built-in player's options; `hidden` tells whether the game hides anything."""

NODE = np.dtype(
    [
        ("value", np.float64),
        ("first", np.int32),
        ("count", np.int32),
        ("visits", np.int32),
        ("tried", np.int32),
        ("sibling", np.int32),
        ("listings", np.uint16),
        ("mover", np.uint8),
        ("informed", np.uint8),
    ]
)
"""A node: `value` is the sum of its mover's returns; candidates are `first` to `first + count`.

Chance may decide who moves next: the nodes below one move are a list, linked by `sibling`.
"""

_UNLIMITED = 1 << 62
_MOST_NODES = 1 << 18
_EDGES_PER_NODE = 64
_MOST_EDGES = 1 << 23


EDGE = np.dtype(
    [
        ("key", np.uint64),
        ("child", np.int32),
        ("available", np.float32),
        ("prior", np.float32),
        ("pad", np.float32),
    ]
)
"""A candidate: how often it was available; `prior` is the mean over the listings it was in."""

SCRATCH = np.dtype(
    [
        ("nodes", np.int64),
        ("edges", np.int64),
        ("returns", np.float64, (MAX_SEATS,)),
        ("path", np.int32, (MAX_DEPTH, 2)),
        ("weights", np.float64, (MOVES_ROOM,)),
        ("open", np.int32, (2 * MOVES_ROOM,)),
        ("score", np.float32, (2 * MOVES_ROOM,)),
        ("ballot_key", np.uint64, (2 * MOVES_ROOM,)),
        ("ballot_visits", np.float64, (2 * MOVES_ROOM,)),
        ("ballot_value", np.float64, (2 * MOVES_ROOM,)),
    ]
)
"""How much of the tree is used, the way down it as (node, edge), the root moves of all trees."""


class Memory(NamedTuple):
    """What one thread writes while it searches; reused from move to move without clearing.

    An edge has the same place in `edges`, `visits`, `value` and `moves`; a node's edges lie
    together. Visits and values have their own arrays so that scores are computed in vectors.
    """

    work: np.ndarray
    state: np.ndarray
    spare: np.ndarray
    scratch: np.ndarray
    nodes: np.ndarray
    edges: np.ndarray
    visits: np.ndarray
    value: np.ndarray
    moves: np.ndarray
    ballot_moves: np.ndarray


def private_array(shape: int | tuple[int, ...], dtype: Any) -> np.ndarray:
    """Allocate an array of zeros that shares no cache line with another.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype

    Returns
    -------
    numpy.ndarray
        Begins at a multiple of 128 bytes, and the 128 bytes after it are its own.
    """
    line = 128
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    buffer = np.zeros(size + 3 * line, np.uint8)
    start = -buffer.ctypes.data % line
    return buffer[start : start + size].view(dtype).reshape(shape)


def allocate(game: GameTypes, players: np.ndarray) -> Memory:
    """Allocate a thread's memory for players.

    Parameters
    ----------
    game : GameTypes
    players : array of PLAYER
        The largest of them decides the size.

    Returns
    -------
    Memory
    """
    nodes = 1
    for player in players[players["kind"] == SEARCH]:
        nodes = max(nodes, int(min(player["iterations"], _MOST_NODES)) + 1)
    edges = min(nodes * _EDGES_PER_NODE, _MOST_EDGES) + 2 * MOVES_ROOM
    if not (players["kind"] == SEARCH).any():
        edges = 0
    return Memory(
        work=private_array(1, game.work),
        state=private_array(1, game.state),
        spare=private_array(1, game.move),
        scratch=private_array(1, SCRATCH),
        nodes=private_array(nodes, NODE),
        edges=private_array(edges, EDGE),
        visits=private_array(edges, np.float32),
        value=private_array(edges, np.float32),
        moves=private_array(edges, game.move),
        ballot_moves=private_array(2 * MOVES_ROOM, game.move),
    )


def build_players(game: GameTypes, specs: Sequence[tuple[str, Mapping[str, Any]]]) -> np.ndarray:
    """Turn players' names and options into what compiled code reads.

    Parameters
    ----------
    game : GameTypes
    specs : sequence of (name, options)
        Names are ``random``, ``greedy``, ``flat``, ``mcts``; others are users' players.

    Returns
    -------
    array of PLAYER
    """
    players = private_array(len(specs), PLAYER)
    for player, (name, options) in zip(players, specs, strict=True):
        player["kind"] = _KINDS.get(name, USER)
        if player["kind"] == USER:
            continue
        functions = registered_functions(game)
        given = {key: option.default for key, option in OPTIONS["mcts"].items()}
        given |= {key: value for key, value in options.items() if value is not None}
        if given["ms"] and options.get("iterations") is None:
            given["iterations"] = _UNLIMITED
        if given["policy"] is None:
            given["policy"] = "none" if "evaluate" in functions else "uniform"
        player["hidden"] = "determinize" in functions
        player["informed"] = name == "mcts"
        player["depth"] = 1 if name == "flat" else MAX_DEPTH
        player["policy"] = POLICIES.index(given["policy"])
        player["ms"] = given["ms"] or 0
        player["cutoff"] = -1 if given["cutoff"] is None else given["cutoff"]
        for key in ("iterations", "c", "fpu", "width", "trees"):
            player[key] = given[key]
    return players


@intrinsic
def _nanoseconds(typingctx):
    """The monotonic clock, by libc's clock_gettime."""
    clock = 6 if sys.platform == "darwin" else 1

    def codegen(context, builder, signature, args):
        word, number = ir.IntType(64), ir.IntType(32)
        pair = cgutils.alloca_once(builder, ir.ArrayType(word, 2))
        kind = ir.FunctionType(number, [number, pair.type])
        function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(function, [ir.Constant(number, clock), pair])
        seconds, rest = (builder.extract_value(builder.load(pair), i) for i in range(2))
        return builder.add(builder.mul(seconds, ir.Constant(word, 10**9)), rest)

    return types.int64(), codegen


@inlined_kernel
def playout(rules, work, state, policy, cutoff, stream, move, values):
    """Play a game on and tell each seat's return, or an estimate of it.

    Parameters
    ----------
    rules, work, state : records
        The state is played on.
    policy : int
        A place in `POLICIES`.
    cutoff : int
        The number of moves after which the position is evaluated; -1: never.
    stream : STREAM record
    move : move record
        Scratch.
    values : float array, length MAX_SEATS
        Written.
    """
    if policy == _NONE:
        cutoff = 0
    while not state.over:
        if cutoff == 0:
            evaluate(rules, work, state, values)
            return
        if policy == _UNIFORM:
            uniform_move(rules, work, state, stream, move)
        else:
            greedy_move(rules, work, state, stream, move)
        play(rules, work, state, move)
        cutoff -= 1
    returns(rules, state, values)


@kernel
def _new_node(memory, mover, sibling):
    at = memory.scratch[0].nodes
    if at == len(memory.nodes):
        return -1
    memory.scratch[0].nodes = at + 1
    node = memory.nodes[at]
    node.value = 0.0
    node.count = node.visits = node.tried = node.listings = 0
    node.mover = mover
    node.sibling = sibling
    return at


@kernel
def _child(memory, edge, mover):
    """The node below an edge where this seat moves, made when missing; -1: memory is full."""
    child = edge.child
    while child >= 0 and memory.nodes[child].mover != mover:
        child = memory.nodes[child].sibling
    if child < 0:
        child = _new_node(memory, mover, edge.child)
        if child >= 0:
            edge.child = child
    return child


@kernel
def _prune(moves, at, weights, n, width):
    """Move the `width` heaviest of n moves to the front, order kept; tell how many are there."""
    if n <= width:
        return n
    low, high = 0.0, 1.0
    for _ in range(40):
        middle, heavier = 0.5 * (low + high), 0
        for i in range(n):
            heavier += weights[i] > middle
        if heavier > width:
            low = middle
        else:
            high = middle
    kept, spare = 0, width
    for i in range(n):
        spare -= weights[i] > high
    for i in range(n):
        light = weights[i] <= high
        if not light or (spare > 0 and weights[i] > low):
            spare -= light
            assign(moves[at + kept], moves[at + i])
            weights[kept] = weights[i]
            kept += 1
    return kept


@kernel
def _drop_known(memory, node, at, n):
    """Drop the listed moves that are candidates already; bring their priors up to date."""
    weights, kept = memory.scratch[0].weights, 0
    for i in range(n):
        key, known = move_key(memory.moves[at + i]), False
        for e in range(node.first, node.first + node.count):
            edge = memory.edges[e]
            if edge.key == key:
                edge.prior += (weights[i] - edge.prior) / node.listings
                known = True
                break
        if not known:
            assign(memory.moves[at + kept], memory.moves[at + i])
            weights[kept] = weights[i]
            kept += 1
    return kept


@inlined_kernel
def _list_moves(rules, memory, player, node, state):
    """Add the moves that are legal in this draw to a node's candidates."""
    scratch, work = memory.scratch[0], memory.work[0]
    at, old, weights = scratch.edges, np.int64(node.count), scratch.weights[:]
    if at + old + MOVES_ROOM > len(memory.moves) or old >= MOVES_ROOM:
        return
    moves = memory.moves[at : at + MOVES_ROOM]
    n = legal_moves(rules, work, state, moves)
    if n > MOVES_ROOM:
        n = MOVES_ROOM
    node.listings += 1
    node.informed = False
    if player.informed:
        node.informed = priors(rules, work, state, moves, n, weights)
    if node.informed:
        n = _prune(memory.moves, at, weights, n, player.width)
    if old > 0:
        n = _drop_known(memory, node, at, n)
    keyed = player.hidden or node.informed
    for i in range(n):
        edge = memory.edges[at + i]
        memory.visits[at + i] = memory.value[at + i] = 0.0
        edge.child = -1
        if keyed:
            edge.available = 0.0
            edge.prior = weights[i]
            edge.key = move_key(memory.moves[at + i])
    if node.first + old == at:
        at = np.int64(node.first)
    else:
        for i in range(node.first, node.first + old):
            to = at + n + i - node.first
            memory.visits[to], memory.value[to] = memory.visits[i], memory.value[i]
            assign(memory.edges[to], memory.edges[i])
            assign(memory.moves[to], memory.moves[i])
    node.first, node.count = at, old + n
    scratch.edges = at + old + n


@kernel
def _select_open(memory, node, c, stream):
    """UCB1 where every candidate is available always: untried ones first, in random order."""
    first, n, tried = np.int64(node.first), np.int64(node.count), np.int64(node.tried)
    if tried < n:
        edge = first + tried
        other = edge + below(stream, n - tried)
        node.tried += 1
        assign(memory.spare[0], memory.moves[edge])
        assign(memory.moves[edge], memory.moves[other])
        assign(memory.moves[other], memory.spare[0])
        return edge
    visits, value = memory.visits[first : first + n], memory.value[first : first + n]
    score = memory.scratch[0].score
    scale = np.float32(c * math.sqrt(math.log(node.visits)))
    for i in range(n):
        score[i] = value[i] / visits[i] + scale / math.sqrt(visits[i])
    best = 0
    for i in range(1, n):
        if score[i] > score[best]:
            best = i
    return first + best


@inlined_kernel
def _select(rules, memory, player, node, state, stream):
    """PUCT or UCB1 among the available candidates; -1 where none is."""
    n, untried, mass, choice = 0, 0, 0.0, np.int64(-1)
    available = memory.scratch[0].open
    for e in range(node.first, node.first + node.count):
        if is_available(rules, memory.work[0], state, memory.moves[e]):
            memory.edges[e].available += 1
            available[n] = e
            n += 1
            mass += memory.edges[e].prior
            if memory.visits[e] == 0 and not node.informed:
                untried += 1
                if below(stream, untried) == 0:
                    choice = e
    if choice >= 0:
        return choice
    best, urgency = -1.0e30, node.value / node.visits - player.fpu
    for i in range(n):
        e = np.int64(available[i])
        visits, times = memory.visits[e], memory.edges[e].available
        worth = memory.value[e] / visits if visits > 0 else urgency
        if node.informed:
            share = memory.edges[e].prior / mass
            worth += player.c * share * math.sqrt(times) / (1.0 + visits)
        else:
            worth += player.c * math.sqrt(math.log(times) / visits)
        if worth > best:
            best, choice = worth, e
    return choice


@inlined_kernel
def _next_edge(rules, memory, player, node, state, stream):
    """List candidates when it is time or none is available; select one; -1: memory is full."""
    if player.hidden:
        due = node.visits >= 4**node.listings
    else:
        due = node.count == 0
    edge = np.int64(-1)
    for attempt in range(2):
        if due or attempt == 1:
            _list_moves(rules, memory, player, node, state)
        if not player.hidden and not node.informed and node.count > 0:
            edge = _select_open(memory, node, player.c, stream)
        else:
            edge = _select(rules, memory, player, node, state, stream)
        if edge >= 0:
            break
    return edge


@inlined_kernel
def _iterate(rules, memory, player, view, seat, stream):
    state, work, scratch = memory.state[0], memory.work[0], memory.scratch[0]
    values, path, depth, at = scratch.returns, scratch.path, 0, np.int64(0)
    assign(state, view)
    determinize(rules, work, state, seat, stream)
    while memory.nodes[at].visits > 0 and depth < player.depth:
        edge = _next_edge(rules, memory, player, memory.nodes[at], state, stream)
        if edge < 0:
            break
        path[depth, 0], path[depth, 1] = at, edge
        depth += 1
        play(rules, work, state, memory.moves[edge])
        at = np.int64(-1)
        if not state.over and depth < player.depth:
            at = np.int64(_child(memory, memory.edges[edge], state.to_move))
        if at < 0:
            break
    playout(rules, work, state, player.policy, player.cutoff, stream, memory.spare[0], values)
    if at >= 0:
        leaf = memory.nodes[at]
        leaf.visits += 1
        leaf.value += values[leaf.mover]
    for d in range(depth):
        node, edge = memory.nodes[path[d, 0]], path[d, 1]
        node.visits += 1
        node.value += values[node.mover]
        memory.visits[edge] += 1
        memory.value[edge] += values[node.mover]


@kernel
def _collect(memory, n):
    """Add the root's candidates to the n moves of the ballot; tell how many it holds then."""
    root, before, scratch = memory.nodes[0], n, memory.scratch[0]
    for edge in range(root.first, root.first + root.count):
        key, at = move_key(memory.moves[edge]), n
        for i in range(before):
            if scratch.ballot_key[i] == key:
                at = i
        if at == len(memory.ballot_moves):
            continue
        if at == n:
            n += 1
            assign(memory.ballot_moves[at], memory.moves[edge])
            scratch.ballot_key[at] = key
            scratch.ballot_visits[at] = scratch.ballot_value[at] = 0.0
        scratch.ballot_visits[at] += memory.visits[edge]
        scratch.ballot_value[at] += memory.value[edge]
    return n


@kernel
def _elect(visits, value, key, n):
    """Most visits; among equals the better value, then the smaller key."""
    best = 0
    for i in range(1, n):
        more, better = visits[i] - visits[best], value[i] - value[best]
        if more > 0 or (more == 0 and (better > 0 or (better == 0 and key[i] < key[best]))):
            best = i
    return best


@inlined_kernel
def _search(rules, memory, player, view, stream, stop, move, effort):
    work, scratch = memory.work[0], memory.scratch[0]
    if legal_moves(rules, work, view, memory.ballot_moves) == 1:
        assign(move, memory.ballot_moves[0])
        return
    seat, n, limited = np.int64(view.to_move), 0, player.ms > 0
    budget, until = np.int64(player.ms * 1.0e6) // player.trees, np.int64(0)
    for _ in range(player.trees):
        if limited:
            until = _nanoseconds() + budget
        scratch.nodes = scratch.edges = 0
        _new_node(memory, seat, -1)
        done = 0
        while done < player.iterations and stop[0] == 0:
            _iterate(rules, memory, player, view, seat, stream)
            done += 1
            if limited and _nanoseconds() >= until:
                break
        n = _collect(memory, n)
        effort[0] += np.uint64(done)
        effort[1] += np.uint64(scratch.nodes)
    if n == 0:
        uniform_move(rules, work, view, stream, move)
    else:
        best = _elect(scratch.ballot_visits, scratch.ballot_value, scratch.ballot_key, n)
        assign(move, memory.ballot_moves[best])


@inlined_kernel
def choose(rules, memory, player, view, stream, stop, move, effort):
    """Choose a move for the seat to move.

    Parameters
    ----------
    rules : record
    memory : Memory
    player : PLAYER record
    view : state record
        What the seat can see: `lumis_fast.core.protocol.observe` made it. It may be changed.
    stream : STREAM record
        The seat's own stream.
    stop : uint8 array
        The search ends early where its first item is not 0.
    move : move record
        Written.
    effort : uint64 array
        Iterations and nodes are added to its two items.
    """
    if player.kind == RANDOM:
        uniform_move(rules, memory.work[0], view, stream, move)
    elif player.kind == GREEDY:
        greedy_move(rules, memory.work[0], view, stream, move)
    else:
        _search(rules, memory, player, view, stream, stop, move, effort)
