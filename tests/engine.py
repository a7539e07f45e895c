"""Playing a game of the engine from Python, step by step."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from lumis_fast.core import protocol, steps
from lumis_fast.core.game import Game
from lumis_fast.core.jit import entry
from lumis_fast.core.ruleset import Ruleset
from lumis_fast.core.streams import STREAM, open_stream

STREAM_OF_TESTS = 40


@entry
def _uniform_move(rules, work, state, stream, move):
    protocol.uniform_move(rules, work, state, stream, move)


@entry
def _greedy_move(rules, work, state, stream, move):
    protocol.greedy_move(rules, work, state, stream, move)


@entry
def _open_stream(stream, seed, deal, purpose):
    open_stream(stream, seed, deal, purpose)


class Engine:
    """One game in progress, with everything a test may ask of it."""

    def __init__(self, game: Game, ruleset: Ruleset, seats: int, seed: int, deal: int) -> None:
        self.game, self.ruleset, self.types = game, ruleset, game.types(ruleset)
        self.rules = game.build_rules(ruleset, seats)[0]
        self.work = np.zeros(1, self.types.work)[0]
        self.state = np.zeros(1, self.types.state)[0]
        self.move = np.zeros(1, self.types.move)[0]
        self.moves = np.zeros(4096, self.types.move)
        self.stream = np.zeros(1, STREAM)[0]
        _open_stream(self.stream, np.uint64(seed), deal, STREAM_OF_TESTS)
        steps.new_game(self.rules, self.work, self.state, np.uint64(seed), deal)

    def setup(self) -> dict[str, Any]:
        return self.game.setup(self.rules, self.state)

    def position(self, seat: int | None = None) -> dict[str, Any]:
        return self.game.position(self.ruleset, self.rules, self.state, seat)

    def legal_moves(self) -> np.ndarray:
        n = steps.legal_moves(self.rules, self.work, self.state, self.moves)
        while n > len(self.moves):
            self.moves = np.zeros(2 * n, self.types.move)
            n = steps.legal_moves(self.rules, self.work, self.state, self.moves)
        return self.moves[:n].copy()

    def as_step(self, move: np.void) -> dict[str, Any]:
        return self.game.step(self.rules, self.state, move)

    def is_legal(self, step: dict[str, Any]) -> bool:
        self.game.load_step(self.rules, self.state, step, self.move)
        return bool(steps.is_legal(self.rules, self.work, self.state, self.move))

    def uniform_move(self) -> np.void:
        _uniform_move(self.rules, self.work, self.state, self.stream, self.move)
        return self.move.copy()

    def greedy_move(self) -> np.void:
        _greedy_move(self.rules, self.work, self.state, self.stream, self.move)
        return self.move.copy()

    def play(self, move: np.void) -> dict[str, Any]:
        """Play a move and give the whole step, what chance answered included."""
        before = self.state.copy()
        steps.play(self.rules, self.work, self.state, move)
        step = self.game.step(self.rules, before, move)
        return {**step, **self.game.chance(self.rules, before, move, self.state)}


def print_met(game: str, met: Counter[str]) -> None:
    """Print how often each thing was met in a long run, as a table for results/agreement.md."""
    print(f"\n| {game} | met |\n|---|---|")
    for what, times in sorted(met.items()):
        print(f"| {what} | {times} |")
