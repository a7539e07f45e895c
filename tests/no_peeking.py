"""What no player of any game may do: let what its seat cannot see decide what it plays.

The hidden part of a position is drawn anew, which leaves the seat's view as it was; with the same
search stream each player must choose the same move. The real position, its cards swapped against
it, goes through the compiled loop that plays whole games.
"""

from __future__ import annotations

import numpy as np
from engine import Engine, _open_stream

from lumis_fast.core import steps
from lumis_fast.players import match
from lumis_fast.players.match import Match
from lumis_fast.players.spec import parse_spec

PLAYERS = [
    "random",
    "greedy",
    "flat:60",
    "flat:40,policy=uniform",
    "mcts:200",
    "mcts:60,policy=uniform",
    "mcts:60,policy=greedy,cutoff=3",
    "mcts:60,trees=3",
]
"""Every built-in player, in the ways it can search."""


def decision(engine: Engine, state: np.void, spec: str) -> np.ndarray:
    """The next move that the compiled loop plays from a state, as bytes."""
    seats = int(engine.rules["seats"])
    players = [parse_spec(spec)] * seats
    game = Match(engine.game, engine.ruleset, players, seed=5, swap_seats=False)
    log = np.zeros(1, engine.types.move)  # room for one move: the loop stops at the second
    arguments = game._arguments(np.zeros(1, match.RESULT), log)
    table = arguments[3]
    table.progress[:] = 0
    table.state[0] = state
    for seat in range(seats):
        _open_stream(table.streams[seat], np.uint64(77), 1, 60 + seat)
    status = match._play_chunk(*arguments, True, np.uint64(5), np.zeros(1, np.uint8))
    assert status in (match._LOG_FULL, match._DONE)
    return log.view(np.uint8).copy()


def redrawn(engine: Engine, number: int) -> np.void:
    """The position with everything drawn anew that the seat to move cannot see."""
    state = engine.state.copy()
    _open_stream(engine.stream, np.uint64(123), number, 3)
    steps.determinize(engine.rules, engine.work, state, int(state["to_move"]), engine.stream)
    return state


def check_decisions(positions: list[Engine], spec: str) -> None:
    """Ask a player in each position, and again with what is hidden drawn anew."""
    for engine in positions:
        expected = decision(engine, engine.state, spec)
        assert expected.any() or spec == "random"
        for number in range(3):
            other = redrawn(engine, number)
            assert (decision(engine, other, spec) == expected).all()
