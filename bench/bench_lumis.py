"""Lumis: uniform playouts, listing moves, determinizing, copying.

As a script, this prints moves per CPU-second of whole uniform games with two and four seats, what
the plain-Python reference of the tests reaches, how two threads compare with one, and a probe of
the machine beside each figure (medians of interleaved runs). Where others use the machine, only
CPU time tells how threads go together: a core that is taken away does not count as slow::

    python bench/bench_lumis.py --rounds 9

Under pytest it is a pytest-benchmark suite, in CPU time::

    pytest bench/bench_lumis.py
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from lumis_fast.core import protocol
from lumis_fast.core.copying import assign
from lumis_fast.core.jit import entry
from lumis_fast.core.streams import STREAM, open_stream
from lumis_fast.games.lumis import GAME
from lumis_fast.players.search import private_array

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "tests")]
from naive.lumis import NaiveLumis, deal  # noqa: E402 - the reference of the tests
from playing import Playing, per_second, print_medians, probed  # noqa: E402, F401 - beside this file

POSITIONS = 256
FIRST_TURN, LAST_TURN = 20, 90


@entry
def collect(rules, work, state, move, seed, positions):
    """Fill an array with positions from the middle of uniform games."""
    n = game = 0
    while n < len(positions):
        protocol.new_game(rules, work, state, seed, game)
        wanted = FIRST_TURN + game % (LAST_TURN - FIRST_TURN)
        while not state.over and state.turn < wanted:
            protocol.uniform_move(rules, work, state, state.chance, move)
            protocol.play(rules, work, state, move)
        if not state.over:
            assign(positions[n], state)
            n += 1
        game += 1


@entry
def list_moves(rules, work, positions, moves):
    """List the legal moves of all positions; tell how many there are."""
    total = 0
    for i in range(len(positions)):
        total += protocol.legal_moves(rules, work, positions[i], moves)
    return total


@entry
def determinize(rules, work, positions, view, stream):
    """Copy each position and draw anew what the seat to move does not see."""
    for i in range(len(positions)):
        assign(view, positions[i])
        protocol.determinize(rules, work, view, np.int64(view.to_move), stream)


@entry
def copy(positions, view):
    """Copy each position."""
    for i in range(len(positions)):
        assign(view, positions[i])


@entry
def _open(stream):
    open_stream(stream, 1, 0, 2)


def _play_naively(values, seats, rng):
    return len(NaiveLumis(values, seats, deal(values, seats, rng)).play_out(rng))


class Bench(Playing):
    """The standard ruleset with memory to play on and positions from the middle of games."""

    def __init__(self, seats: int) -> None:
        super().__init__(GAME, seats, naive=_play_naively)
        types = GAME.types(self.ruleset)
        self.rules = GAME.build_rules(self.ruleset, seats)[0]
        self.work, self.view, self.move, self.stream = (
            private_array(1, dtype)[0] for dtype in (types.work, types.state, types.move, STREAM)
        )
        self.positions = private_array(POSITIONS, types.state)
        self.moves = private_array(4096, types.move)
        _open(self.stream)
        collect(self.rules, self.work, self.view, self.move, np.uint64(1), self.positions)


def main() -> None:
    """Run everything in turn, several times, and print the medians."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    two, four = Bench(2), Bench(4)

    def measure(k: int) -> dict[str, float]:
        first = 100_000 * k
        one, one_cpu = two.play_out_on(1, 10_000)
        both, both_cpu = two.play_out_on(2, 10_000)
        row = {
            "moves/s, 2 seats": per_second(two.play_out, first, 4000),
            "moves/s, 4 seats": per_second(four.play_out, first, 4000),
            "moves/s, reference, 2 seats": per_second(two.play_out_naively, k, 1),
            "two threads to one, by the clock": both / one,
            "two threads to one, by CPU time": 2 * both_cpu / one_cpu,
        }
        row["ratio to the reference"] = row["moves/s, 2 seats"] / row["moves/s, reference, 2 seats"]
        return row

    print_medians(parser.parse_args().rounds, measure)


@pytest.fixture(scope="module", params=[2, 4], ids=["2 seats", "4 seats"])
def bench(request) -> Bench:
    """Memory and positions for a number of seats."""
    return Bench(request.param)


pytestmark = pytest.mark.benchmark(timer=time.process_time)


def test_playouts(benchmark, bench: Bench) -> None:
    """A thousand whole uniform games."""
    moves = benchmark(bench.play_out, 0, 1000)
    benchmark.extra_info["moves per second"] = moves / benchmark.stats["median"]
    assert moves > 50_000


def test_legal_moves(benchmark, bench: Bench) -> None:
    """The legal moves of 256 positions."""
    assert benchmark(list_moves, bench.rules, bench.work, bench.positions, bench.moves) > POSITIONS


def test_determinize(benchmark, bench: Bench) -> None:
    """256 copies with the hidden cards drawn anew."""
    benchmark(determinize, bench.rules, bench.work, bench.positions, bench.view, bench.stream)
    last = bench.positions[-1]
    assert np.array_equal(bench.view["hand_size"], last["hand_size"])


def test_copy(benchmark, bench: Bench) -> None:
    """256 copies."""
    benchmark(copy, bench.positions, bench.view)
    assert bench.view.tobytes() == bench.positions[-1].tobytes()


if __name__ == "__main__":
    main()
