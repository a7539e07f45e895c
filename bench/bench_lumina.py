"""Lumina Spell: uniform and greedy playouts, search, listing moves.

As a script, this prints moves per CPU-second of whole uniform games with two, three and four
seats, of greedy games, what the plain-Python reference of the tests reaches, iterations of `mcts`
per CPU-second, and a probe of the machine beside each round (medians of interleaved runs)::

    python bench/bench_lumina.py --rounds 9

Under pytest it is a pytest-benchmark suite, in CPU time::

    pytest bench/bench_lumina.py
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import pytest

from lumis_fast.games.lumina_spell import GAME

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "tests")]
from naive.lumina_spell import NaiveLuminaSpell, deal  # noqa: E402 - the reference of the tests
from playing import (  # noqa: E402 - it stands beside this file
    Playing,
    Searching,
    per_second,
    print_medians,
    probed,  # noqa: F401 - a fixture
)

UNIFORM_GAMES, GREEDY_GAMES, NAIVE_GAMES, SEARCHED_GAMES = 5000, 300, 5, 2
"""So many games of a kind are played in each round."""

SPEC = "mcts:1000"


def _play_naively(values, seats, rng):
    """Count as the engine does: a claim turn is a move for each card and one for its end."""
    steps = NaiveLuminaSpell(values, seats, deal(values, seats, rng)).play_out(rng)
    return sum(1 + len(step.get("cards", [])) for step in steps)


def main() -> None:
    """Run everything in turn, several times, and print the medians."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    tables = {seats: Playing(GAME, seats, naive=_play_naively) for seats in GAME.seats}
    greedy = {seats: Playing(GAME, seats, "greedy") for seats in GAME.seats}
    searching = Searching(GAME, 2, SPEC)

    def measure(k: int) -> dict[str, float]:
        row = {}
        for seats, table in tables.items():
            played = per_second(table.play_out, UNIFORM_GAMES * k, UNIFORM_GAMES)
            row[f"moves/s, {seats} seats"] = played
        for seats, table in greedy.items():
            played = per_second(table.play_out, GREEDY_GAMES * k, GREEDY_GAMES)
            row[f"moves/s, greedy, {seats} seats"] = played
        reference = per_second(tables[2].play_out_naively, NAIVE_GAMES * k, NAIVE_GAMES)
        row["moves/s, reference, 2 seats"] = reference
        row["ratio to the reference"] = row["moves/s, 2 seats"] / reference
        row[f"iterations/s, {SPEC}"] = per_second(
            searching.search, SEARCHED_GAMES * k, SEARCHED_GAMES
        )
        return row

    print_medians(rounds, measure)


@pytest.fixture(scope="module", params=GAME.seats, ids=lambda seats: f"{seats} seats")
def seats(request) -> int:
    """A number of seats."""
    return request.param


pytestmark = pytest.mark.benchmark(timer=time.process_time)


def test_uniform_playouts(benchmark, seats: int) -> None:
    """A thousand whole uniform games."""
    moves = benchmark(Playing(GAME, seats).play_out, 0, 1000)
    benchmark.extra_info["moves per second"] = moves / benchmark.stats["median"]
    assert moves > 20_000


def test_greedy_playouts(benchmark, seats: int) -> None:
    """A hundred whole greedy games."""
    moves = benchmark(Playing(GAME, seats, "greedy").play_out, 0, 100)
    benchmark.extra_info["moves per second"] = moves / benchmark.stats["median"]
    assert moves > 1_000


def test_search(benchmark) -> None:
    """A whole game of two searching players."""
    iterations = benchmark(Searching(GAME, 2, SPEC).search, 0, 1)
    benchmark.extra_info["iterations per second"] = iterations / benchmark.stats["median"]
    assert iterations > 5_000


if __name__ == "__main__":
    main()
