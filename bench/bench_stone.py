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
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from lumis_fast.games.stone_guardians import GAME, odds
from lumis_fast.games.stone_guardians.exact import NODE
from lumis_fast.players.search import private_array

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "tests")]
from naive.stone_guardians import NaiveStoneGuardians, deal  # noqa: E402 - the tests' reference
from playing import (  # noqa: E402 - it stands beside this file
    Playing,
    per_second,
    print_medians,
    probed,  # noqa: F401 - a fixture
)

UNIFORM_GAMES = 300
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


def _play_naively(values, seats, rng):
    game, moves = NaiveStoneGuardians(values, seats, deal(values, seats, rng)), 0
    while game.outcome is None:
        game.play(game.random_step(rng, by_action=1.0), rng)
        moves += 1
    return moves


def main() -> None:
    """Run everything in turn, several times, and print the medians."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    fights, tables = Fights(), {n: Playing(GAME, n, naive=_play_naively) for n in GAME.seats}

    def measure(k: int) -> dict[str, float]:
        row = {}
        for seats, table in tables.items():
            played = per_second(table.play_out, UNIFORM_GAMES * k, UNIFORM_GAMES)
            row[f"moves/s, {seats} seats"] = played
        reference = per_second(tables[2].play_out_naively, k, 1)
        row["moves/s, reference, 2 seats"] = reference
        row["ratio to the reference"] = row["moves/s, 2 seats"] / reference
        for name, question in FIGHTS.items():
            row[f"rounds/s, {name}"] = per_second(
                lambda _, games, question=question: fights.play(games, *question), 0, 200_000
            )
        return row

    print_medians(parser.parse_args().rounds, measure)


@pytest.fixture(scope="module")
def fights() -> Fights:
    """Memory to fight in."""
    return Fights()


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
    moves = benchmark(Playing(GAME, seats).play_out, 0, 100)
    benchmark.extra_info["moves per second"] = moves / benchmark.stats["median"]
    assert moves > 100_000


if __name__ == "__main__":
    main()
