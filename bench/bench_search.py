"""What a tree costs: simulations of Lumis's mcts against bare playouts from the same position.

Both play uniform games to the end from the same draws of the hidden cards. Run as a script, it
prints interleaved ratios of time a simulation to time a playout, from the first turn and from the
middle of a uniform game; with pytest it is a pytest-benchmark suite.
"""

from __future__ import annotations

import statistics
import time

import numpy as np
import pytest

from lumis_fast.core import protocol, steps
from lumis_fast.core.copying import assign
from lumis_fast.core.jit import entry
from lumis_fast.core.streams import STREAM, open_stream
from lumis_fast.games import load_game
from lumis_fast.players import search
from lumis_fast.players.spec import parse_spec

SPEC = "mcts:iterations=2000,policy=uniform"
TURNS = (0, 25, 50)
SEED = 1


@entry
def _advance(rules, work, state, stream, move, turns):
    open_stream(stream, np.uint64(SEED), 0, 7)
    protocol.new_game(rules, work, state, np.uint64(SEED), 0)
    while state.turn < turns:
        protocol.uniform_move(rules, work, state, stream, move)
        protocol.play(rules, work, state, move)


@entry
def _playouts(rules, work, states, stream, move, count):
    for _ in range(count):
        assign(states[1], states[0])
        protocol.determinize(rules, work, states[1], np.int64(states[0].to_move), stream)
        while not states[1].over:
            protocol.uniform_move(rules, work, states[1], stream, move)
            protocol.play(rules, work, states[1], move)


@entry
def _choose(rules, memory, players, seen, stream, stop, move, effort):
    search.choose(rules[0], memory, players[0], seen[0], stream, stop, move, effort)


class Position:
    """A position some turns into a uniform two-player game, and the memory to search it."""

    def __init__(self, turns: int) -> None:
        game = load_game("lumis")
        ruleset = game.load_ruleset()
        types, spec = game.types(ruleset), parse_spec(SPEC)
        self.rules = game.build_rules(ruleset, 2)
        self.players = search.build_players(types, [(spec.name, spec.options)])
        self.memory = search.allocate(types, self.players)
        self.states, self.seen, self.move = (
            np.zeros(n, t) for n, t in ((2, types.state), (1, types.state), (1, types.move))
        )
        self.stream, self.effort = np.zeros(1, STREAM), np.zeros(2, np.uint64)
        one = self.rules[0], self.memory.work[0]
        _advance(*one, self.states[0], self.stream[0], self.move[0], turns)
        to_move = int(self.states[0]["to_move"])
        steps.observe(self.rules[0], self.states[0], to_move, self.seen[0])

    def playouts(self, count: int) -> None:
        """Play the position out."""
        work, stream, move = self.memory.work[0], self.stream[0], self.move[0]
        _playouts(self.rules[0], work, self.states, stream, move, count)

    def simulations(self) -> None:
        """Search the position once."""
        stream, move, stop = self.stream[0], self.move[0], np.zeros(1, np.uint8)
        arguments = self.rules, self.memory, self.players, self.seen
        _choose(*arguments, stream, stop, move, self.effort)


@pytest.fixture(params=TURNS)
def position(request) -> Position:
    return Position(request.param)


def test_playouts(benchmark, position):
    benchmark(position.playouts, 500)


def test_simulations(benchmark, position):
    benchmark(position.simulations)


def _seconds(work, *arguments) -> float:
    started = time.process_time()
    work(*arguments)
    return time.process_time() - started


def main(pairs: int = 9) -> None:
    """Print the time of a simulation, of a playout, and their ratio, pair by pair."""
    for turns in TURNS:
        position = Position(turns)
        position.playouts(1)
        position.simulations()
        ratios = []
        for _ in range(pairs):
            playout = _seconds(position.playouts, 1000) / 1000
            simulation = _seconds(position.simulations) / 2000
            ratios.append(simulation / playout)
        print(
            f"turn {turns:2}: a playout {playout * 1e6:6.1f} us, a simulation "
            f"{simulation * 1e6:6.1f} us, median ratio of {pairs} pairs "
            f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        )


if __name__ == "__main__":
    main()
