"""What benches of whole games have in common: playing them, timing them, medians of rounds."""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lumis_fast.core.game import Game
from lumis_fast.players.match import Match, Playouts
from lumis_fast.players.spec import parse_spec

sys.path[:0] = [str(Path(__file__).parent)]
from probe import run_probe  # noqa: E402 - it stands beside this file

SEED = 1
Naive = Callable[[dict[str, Any], int, random.Random], int]
"""Plays a game out with a reference: ruleset values, seats, chance; gives the number of moves."""


class Playing:
    """Whole games of one policy with the standard ruleset, by the engine and by its reference.

    Parameters
    ----------
    game : Game
    seats : int
    policy : str
        ``uniform`` or ``greedy``.
    naive : callable, optional
        The reference's way to play a uniform game out.
    """

    def __init__(
        self, game: Game, seats: int, policy: str = "uniform", naive: Naive | None = None
    ) -> None:
        self.ruleset, self.seats, self.naive = game.load_ruleset(), seats, naive
        self.playouts = Playouts(game, self.ruleset, seats, policy, SEED)
        self.stop = np.zeros(1, np.uint8)
        self.playouts.play(0, 1, self.stop)

    def play_out(self, first: int, count: int) -> int:
        """Play whole games; give the number of moves."""
        return self.playouts.play(first, count, self.stop)["moves"]

    def play_out_naively(self, first: int, count: int) -> int:
        """Play whole uniform games with the plain-Python reference; give the number of moves."""
        assert self.naive is not None
        values = self.ruleset.values
        return sum(
            self.naive(values, self.seats, random.Random(index))
            for index in range(first, first + count)
        )

    def play_out_on(self, threads: int, games: int) -> tuple[float, float]:
        """Play so many games on each of some threads; give games per second of clock and CPU."""
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda k: self.play_out(k, 1), range(threads)))  # makes their memory
            clock, cpu = time.perf_counter(), time.process_time()
            list(pool.map(lambda k: self.play_out(k * games, games), range(threads)))
            clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
        return threads * games / clock, threads * games / cpu


class Searching:
    """Whole games between equal players that search.

    Parameters
    ----------
    game : Game
    seats : int
    spec : str
        The players' spec.
    """

    def __init__(self, game: Game, seats: int, spec: str) -> None:
        self.match = Match(game, game.load_ruleset(), [parse_spec(spec)] * seats, SEED, False)
        self.stop = np.zeros(1, np.uint8)
        self.match.prepare(lambda _: None)

    def search(self, first: int, count: int) -> int:
        """Play whole games; give the number of iterations."""
        results = self.match.play(first, count, False, self.stop).results
        return int(results["iterations"].sum())


def per_second(run: Callable[[int, int], int], first: int, count: int) -> float:
    """What a run does per CPU-second."""
    before = time.process_time()
    done = run(first, count)
    return done / (time.process_time() - before)


def print_medians(rounds: int, measure: Callable[[int], dict[str, float]]) -> None:
    """Measure so many times; print the first figure and a probe each time, then all medians.

    Parameters
    ----------
    rounds : int
    measure : callable
        Given the number of the round; gives the figures of that round by their names.
    """
    table: dict[str, list[float]] = {}
    for k in range(rounds):
        row = measure(k)
        for name, value in row.items():
            table.setdefault(name, []).append(value)
        name, value = next(iter(row.items()))
        print(f"round {k}: {value:.0f} {name}  ({run_probe()})", flush=True)
    for name, values in table.items():
        print(
            f"{name:33} {statistics.median(values):12.2f}  {min(values):.2f} to {max(values):.2f}"
        )


@pytest.fixture(autouse=True)
def probed(benchmark):
    """Print a probe of the machine beside each figure."""
    yield
    benchmark.extra_info["probe"] = str(run_probe())
    print(benchmark.extra_info["probe"])
