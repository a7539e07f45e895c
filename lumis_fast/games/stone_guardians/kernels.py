"""Binds the Stone Guardians' record types and compiled functions to the game protocol."""

from __future__ import annotations

from pathlib import Path

from lumis_fast.core.protocol import register
from lumis_fast.games.stone_guardians import (
    ACTIONS,
    REASONS,
    hidden,
    moves,
    play,
    policy,
    sample,
    state,
)

__all__ = ["TYPES"]

TYPES = register(
    "stone-guardians",
    rules=state.RULES,
    work=state.WORK,
    state=state.STATE,
    move=state.MOVE,
    actions=ACTIONS,
    reasons=REASONS,
    files=sorted(Path(__file__).parent.glob("*.py")),
    new_game=play.new_game,
    legal_moves=moves.legal_moves,
    is_legal=moves.is_legal,
    is_available=moves.is_legal,
    play=play.play,
    returns=state.returns,
    scores=state.scores,
    observe=hidden.observe,
    determinize=hidden.determinize,
    uniform_move=sample.uniform_move,
    greedy_move=policy.greedy_move,
    priors=policy.priors,
    evaluate=policy.evaluate,
)
"""The registered types."""
