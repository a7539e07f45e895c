"""The Stone Guardians: combat rounds of whole fights, with everything that belongs to them.

A round is drawing, holding back on both sides, strikes, losses and discarding; laying out the fight
and settling the province count as well. As a script, this prints rounds per CPU-second for fights
between peoples and against golems (medians of interleaved runs), and a probe of the machine::

    python bench/bench_stone.py --rounds 5

Under pytest it is a pytest-benchmark suite, in CPU time::

    pytest bench/bench_stone.py
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from lumis_fast.games.stone_guardians import GAME, odds
from lumis_fast.games.stone_guardians.exact import NODE
from lumis_fast.players.search import private_array

sys.path[:0] = [str(Path(__file__).parent)]
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


def main() -> None:
    """Run everything in turn, several times, and print the medians."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    fights, table = Fights(), {name: [] for name in FIGHTS}
    for _ in range(parser.parse_args().rounds):
        for name, question in FIGHTS.items():
            before = time.process_time()
            rounds = fights.play(200_000, *question)
            table[name].append(rounds / (time.process_time() - before))
        print(run_probe())
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


if __name__ == "__main__":
    main()
