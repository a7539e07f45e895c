"""No player of Lumis peeks: what a seat cannot see has no influence on what it plays.

The hidden part of a position is drawn anew, which leaves the seat's view as it was; with the same
search stream each player must choose the same move. The real position, its cards swapped against
it, goes through the compiled loop that plays whole games.
"""

from __future__ import annotations

import numpy as np
import pytest
from engine import Engine, _open_stream

from lumis_fast.core import steps
from lumis_fast.games.lumis import GAME
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


@pytest.fixture(scope="module", params=[2, 4])
def positions(request) -> list[Engine]:
    """Positions from greedy games, at several points, with a few reshuffles behind them."""
    changes = {"cards_per_colour": 7}
    found = []
    for deal, turns in ((0, 1), (1, 12), (2, 25), (3, 34)):
        engine = Engine(GAME, GAME.load_ruleset("standard", changes), request.param, 9, deal)
        while engine.state["turn"] < turns and not engine.state["over"]:
            engine.play(engine.greedy_move())
        if not engine.state["over"]:
            found.append(engine)
    assert len(found) >= 3
    return found


def decision(engine: Engine, state: np.void, spec: str) -> np.ndarray:
    """The next move that the compiled loop plays from a state, as bytes."""
    seats = int(engine.rules["seats"])
    players = [parse_spec(spec)] * seats
    game = Match(GAME, engine.ruleset, players, seed=5, swap_seats=False)
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


@pytest.mark.parametrize("spec", PLAYERS)
def test_what_is_hidden_has_no_influence(positions, spec):
    for engine in positions:
        expected = decision(engine, engine.state, spec)
        assert expected.any() or spec == "random"
        for number in range(3):
            other = redrawn(engine, number)
            assert (decision(engine, other, spec) == expected).all()


def test_redrawing_does_change_what_is_hidden(positions):
    for engine in positions:
        seat = int(engine.state["to_move"])
        enemies = [s for s in range(int(engine.rules["seats"])) if s % 2 != seat % 2]
        states = [redrawn(engine, number) for number in range(8)]
        hands = {states[k]["hand"][enemies].tobytes() for k in range(8)}
        piles = {states[k]["pile"].tobytes() for k in range(8)}
        assert len(hands) > 1 and len(piles) > 1
