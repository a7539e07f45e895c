"""A quick test of an installation: the same games in one thread and in two must be the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lumis_fast.runs.plan import RunPlan, plan_run
from lumis_fast.runs.run import in_chunks

__all__ = ["self_test"]

_GAMES = 8


def self_test(
    game: str,
    report: Callable[[str], None],
    make_match: Callable[..., Any] | None = None,
) -> dict[str, Any]:
    """Play a few games with a fixed seed in one thread and in two, and compare.

    Parameters
    ----------
    game : str
        Name of a game.
    report : callable
        Called with a sentence when something takes time.
    make_match : callable, optional
        Replaces `lumis_fast.players.match.Match`.

    Returns
    -------
    dict
        `passed`, and `what` was found, in words.
    """
    if make_match is None:
        from lumis_fast.players.match import Match

        make_match = Match
    plan = plan_run(game, ["greedy", "random"], _GAMES, swap_seats=True)
    match = make_match(plan.game, plan.ruleset, list(plan.players), plan.seed, True)
    match.prepare(report)
    one, two = _play(plan, match, 1), _play(plan, match, 2)
    if one.tobytes() == two.tobytes():
        return {"passed": True, "what": f"{_GAMES} games are the same in one thread and in two"}
    differ = [index for index in range(_GAMES) if one[index] != two[index]]
    return {"passed": False, "what": f"games {differ} differ between one thread and two"}


def _play(plan: RunPlan, match: Any, jobs: int) -> np.ndarray:
    def play(first: int, stop: np.ndarray) -> np.ndarray:
        return match.play(first, plan.rotations, False, stop).results

    chunks = in_chunks(play, range(0, _GAMES, plan.rotations), jobs)
    return np.sort(np.concatenate(list(chunks)), order="index")
