"""Hex 11 x 11: simulations per CPU-second beside OpenSpiel's C++ MCTSBot, and raw playouts.

As a script, this runs both searches in turn and prints each pair's ratio and the median::

    python bench/bench_hex.py --pairs 9

Both do 10,000 simulations from the empty board on one thread, with UCB1, one uniform playout each
that stops at the win, and no solver. OpenSpiel's returns run from -1 to 1, ours from 0 to 1, so its
exploration constant is twice ours. Under pytest it is a pytest-benchmark suite::

    pytest bench/bench_hex.py
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import numpy as np
import pyspiel

from lumis_fast.core.jit import entry
from lumis_fast.core.protocol import new_game
from lumis_fast.core.streams import PURPOSE_SEARCH, STREAM, open_stream
from lumis_fast.players.search import allocate, build_players, choose, playout, private_array

sys.path.insert(0, str(Path(__file__).parent))
from hex import HEX, build_rules  # noqa: E402 - the game stands beside this file

SIMULATIONS, C = 10_000, 0.7


@entry
def search_hex(rules, memory, players, view, stream, seed, stop, move, effort):
    """Search from the empty board."""
    new_game(rules[0], memory.work[0], view[0], seed, 0)
    open_stream(stream[0], seed, 0, PURPOSE_SEARCH)
    choose(rules[0], memory, players[0], view[0], stream[0], stop, move[0], effort)


@entry
def play_out_hex(rules, work, state, stream, move, values, seed, count):
    """Play uniform games."""
    open_stream(stream[0], seed, 0, PURPOSE_SEARCH)
    for deal in range(count):
        new_game(rules[0], work[0], state[0], seed, deal)
        playout(rules[0], work[0], state[0], 0, -1, stream[0], move[0], values)


class Bench:
    """Our search and OpenSpiel's, ready to run."""

    def __init__(self) -> None:
        self.rules = build_rules(HEX.rules)
        options = {"iterations": SIMULATIONS, "c": C}
        self.players = build_players(HEX, [("mcts", options)])
        self.memory = allocate(HEX, self.players)
        self.view, self.move = private_array(1, HEX.state), private_array(1, HEX.move)
        self.stream, self.stop = private_array(1, STREAM), np.zeros(1, np.uint8)
        self.effort, self.values = np.zeros(2, np.uint64), np.zeros(4)
        self.peer = pyspiel.load_game("hex(board_size=11)")
        self.ours(0)
        self.playouts(0, 1)

    def ours(self, seed: int) -> int:
        """Search with this project's player; give the simulations done."""
        self.effort[:] = 0
        search_hex(
            self.rules,
            self.memory,
            self.players,
            self.view,
            self.stream,
            seed,
            self.stop,
            self.move,
            self.effort,
        )
        return int(self.effort[0])

    def theirs(self, seed: int) -> int:
        """Search with OpenSpiel's player; give the simulations done."""
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(self.peer, evaluator, 2 * C, SIMULATIONS, 1000, False, seed, False)
        return bot.mcts_search(self.peer.new_initial_state()).explore_count

    def playouts(self, seed: int, count: int = SIMULATIONS) -> int:
        """Play uniform games without a search; give how many."""
        m = self.memory
        play_out_hex(
            self.rules, m.work, self.view, self.stream, self.move, self.values, seed, count
        )
        return count


def per_second(run, seed: int) -> float:
    """Simulations per CPU-second of one run."""
    before = time.process_time()
    count = run(seed)
    return count / (time.process_time() - before)


def main() -> None:
    """Run interleaved pairs and print them."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--pairs", type=int, default=9)
    bench, rows = Bench(), []
    print("pair  ours/s  OpenSpiel/s  ratio  raw playouts/s")
    for pair in range(parser.parse_args().pairs):
        row = [per_second(run, pair) for run in (bench.ours, bench.theirs, bench.playouts)]
        rows.append(row[0] / row[1])
        print(f"{pair:4}  {row[0]:6.0f}  {row[1]:11.0f}  {rows[-1]:5.1f}  {row[2]:14.0f}")
    print(f"median ratio {statistics.median(rows):.1f}")


def test_ours(benchmark) -> None:
    """Our search."""
    assert benchmark(Bench().ours, 1) == SIMULATIONS


def test_openspiel(benchmark) -> None:
    """OpenSpiel's search."""
    assert benchmark.pedantic(Bench().theirs, (1,), rounds=3) == SIMULATIONS


def test_playouts(benchmark) -> None:
    """Uniform games without a search."""
    assert benchmark(Bench().playouts, 1) == SIMULATIONS


if __name__ == "__main__":
    main()
