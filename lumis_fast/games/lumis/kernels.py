"""Binds Lumis's record types and compiled functions to the game protocol."""

from __future__ import annotations

from pathlib import Path

from lumis_fast.core.protocol import GameTypes, register
from lumis_fast.games.lumis import ACTIONS, REASONS, hidden, moves, play, policy, sample, state

__all__ = ["TYPES"]

_FILES = sorted(Path(__file__).parent.glob("*.py"))


def _register(size: dict) -> GameTypes:
    return register(
        "lumis",
        **size,
        actions=ACTIONS,
        reasons=REASONS,
        files=_FILES,
        new_game=state.new_game,
        legal_moves=moves.legal_moves,
        is_legal=moves.is_legal,
        is_available=moves.is_available,
        play=play.play,
        returns=state.returns,
        observe=hidden.observe,
        determinize=hidden.determinize,
        uniform_move=sample.uniform_move,
        greedy_move=policy.greedy_move,
        priors=policy.priors,
        evaluate=policy.evaluate,
    )


TYPES = tuple(_register(size) for size in state.SIZES)
"""The registered types for small and for large boards, in the order of `state.SIZES`."""
