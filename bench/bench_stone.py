"""The Stone Guardians: uniform playouts, and combat rounds with everything that belongs to them.

A round is drawing, holding back on both sides, strikes, losses and discarding; laying out the fight
and settling the province count as well. As a script, this prints moves per CPU-second of whole
uniform games, what the plain-Python reference of the tests reaches, rounds per CPU-second for
fights between peoples (medians of interleaved runs), and a probe of the machine::

    python bench/bench_stone.py --rounds 5

Under pytest it is a pytest-benchmark suite, in CPU time::

    pytest bench/bench_stone.py
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lumis_fast.games.stone_guardians import GAME, odds
from lumis_fast.games.stone_guardians.exact import NODE
from lumis_fast.players.match import Playouts
from lumis_fast.players.search import private_array

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "tests")]
from naive.stone_guardians import NaiveStoneGuardians, deal  # noqa: E402 - the tests' reference
from probe import run_probe  # noqa: E402 - it stands beside this file

FIGHTS = {
    "8 against 8": (8, 8, False),
    "8 against 4 in a city": (8, 4, True),
    "3 against 2": (3, 2, False),
}


class Fights:
    """Memory to fight in, with the standard ruleset."""

    def __init__(self) -> None:
        ruleset = GAME.load_ruleset()
        types = GAME.types(ruleset)
        self.rules = GAME.build_rules(ruleset, 2)[0]
        self.records = [
            private_array(1, dtype)[0] for dtype in (types.work, types.state, types.move)
        ]
        self.play(1, *FIGHTS["3 against 2"])

    def play(self, games: int, attackers: int, defenders: int, city: bool) -> int:
        """Play so many fights; give the number of combat rounds."""
        ends = np.zeros((attackers + 1, defenders + 1), np.int64)
        numbers = (np.int64(n) for n in (games, attackers, defenders))
        nowhere = np.zeros(0, NODE), np.full(1, -1, np.int32)
        rounds = odds.play_fights(
            self.rules, *self.records, np.uint64(1), *numbers, False, city, *nowhere, ends
        )
        assert ends.sum() == games
        return rounds


class Games:
    """Uniform playouts by the standard ruleset."""

    def __init__(self, seats: int) -> None:
        self.playouts = Playouts(GAME, GAME.load_ruleset(), seats, "uniform", 1)
        self.playouts.prepare(lambda line: None)
        self.stop = np.zeros(1, np.uint8)

    def moves(self, games: int) -> int:
        """Play so many games; give the number of moves."""
        return int(self.playouts.play(0, games, self.stop)["moves"])


def reference_moves(games: int) -> int:
    """Play random games of two seats with the reference; give the number of moves."""
    values, rng, moves = GAME.load_ruleset().values, random.Random(1), 0
    for _ in range(games):
        game = NaiveStoneGuardians(values, 2, deal(values, 2, rng))
        while game.outcome is None:
            game.play(game.random_step(rng, by_action=1.0), rng)
            moves += 1
    return moves


def rate(work: Callable[[], int]) -> float:
    """Tell how much is done in a CPU-second."""
    before = time.process_time()
    return work() / (time.process_time() - before)


def main() -> None:
    """Run everything in turn, several times, and print the medians."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    fights, table = Fights(), {name: [] for name in FIGHTS}
    games = {seats: Games(seats) for seats in GAME.seats}
    moves: dict[int, list[float]] = {seats: [] for seats in games}
    slow = rate(lambda: reference_moves(2))
    for _ in range(parser.parse_args().rounds):
        for seats, those in games.items():
            moves[seats].append(rate(lambda those=those: those.moves(300)))
        for name, question in FIGHTS.items():
            table[name].append(rate(lambda question=question: fights.play(200_000, *question)))
        print(run_probe())
    for seats, values in moves.items():
        print(f"moves/s, {seats} seats {statistics.median(values):34.0f}")
    print(f"moves/s, reference, 2 seats {slow:26.0f}")
    print(f"ratio to the reference {statistics.median(moves[2]) / slow:31.0f}")
    for name, values in table.items():
        print(f"combat rounds/s, {name:22} {statistics.median(values):12.0f}")


@pytest.fixture(scope="module")
def fights() -> Fights:
    """Memory to fight in."""
    return Fights()


@pytest.fixture(autouse=True)
def _probed(benchmark):
    """Print a probe of the machine beside each figure."""
    yield
    benchmark.extra_info["probe"] = str(run_probe())
    print(benchmark.extra_info["probe"])


pytestmark = pytest.mark.benchmark(timer=time.process_time)


@pytest.mark.parametrize("name", FIGHTS)
def test_combat_rounds(benchmark, fights: Fights, name: str) -> None:
    """Twenty thousand fights between peoples."""
    rounds = benchmark(fights.play, 20_000, *FIGHTS[name])
    benchmark.extra_info["rounds per second"] = rounds / benchmark.stats["median"]
    assert rounds > 20_000


@pytest.mark.parametrize("seats", GAME.seats)
def test_uniform_playouts(benchmark, seats: int) -> None:
    """A hundred games."""
    moves = benchmark(Games(seats).moves, 100)
    benchmark.extra_info["moves per second"] = moves / benchmark.stats["median"]
    assert moves > 100_000


if __name__ == "__main__":
    main()
