"""Raw throughput: whole games by one policy, counted and timed, nothing written."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lumis_fast.errors import InputError, nearest, one_of
from lumis_fast.runs.plan import MAX_GAMES, MAX_SEED
from lumis_fast.runs.run import check_jobs, in_chunks

__all__ = ["PlayoutPlan", "measure", "plan_playouts"]

_CHUNK_BY_POLICY = {"uniform": 2_000, "greedy": 50}


@dataclass(frozen=True)
class PlayoutPlan:
    """What is to be measured; made by `plan_playouts`."""

    game: Any
    ruleset: Any
    seats: int
    policy: str
    seed: int
    count: int


def plan_playouts(
    game: str,
    count: int,
    *,
    policy: str = "uniform",
    seats: int | None = None,
    seed: int = 0,
    ruleset: str | None = None,
    changes: Mapping[str, Any] | None = None,
) -> PlayoutPlan:
    """Check what is to be measured.

    Parameters
    ----------
    game : str
        Name of a game.
    count : int
        Number of whole games.
    policy : str
        Who plays them: ``uniform`` or ``greedy``.
    seats : int, optional
        Number of players; the smallest the game allows if not given.
    seed : int
        From 0 to 2**64 - 1.
    ruleset : str, optional
        Name of a shipped ruleset, or a file.
    changes : mapping, optional
        Ruleset values to change.

    Returns
    -------
    PlayoutPlan

    Raises
    ------
    InputError
        If anything of it is not possible.
    """
    from lumis_fast.games import load_game

    loaded = load_game(game)
    if not 1 <= count <= MAX_GAMES:
        raise InputError(f"{count} playouts are not possible, expected 1 to {MAX_GAMES}")
    if policy not in _CHUNK_BY_POLICY:
        raise InputError(f"there is no policy '{policy}': {nearest(policy, _CHUNK_BY_POLICY)}")
    seats = min(loaded.seats) if seats is None else seats
    if seats not in loaded.seats:
        raise InputError(f"{game} is for {one_of(loaded.seats)} players, {seats} asked for")
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"seed {seed} is not possible, expected 0 to {MAX_SEED}")
    rules = loaded.load_ruleset(ruleset, dict(changes) if changes else None)
    return PlayoutPlan(loaded, rules, seats, policy, seed, count)


def measure(
    plan: PlayoutPlan,
    *,
    jobs: int | None = None,
    report: Callable[[str], None] = lambda _: None,
    progress: Callable[[int, int], None] = lambda _, __: None,
    make_playouts: Callable[..., Any] | None = None,
) -> dict[str, Any]:
    """Play the games and time them.

    Parameters
    ----------
    plan : PlayoutPlan
        What to play.
    jobs : int, optional
        Threads; one on each usable core if not given.
    report, progress : callable
        As for `lumis_fast.runs.run.simulate`.
    make_playouts : callable, optional
        Replaces `lumis_fast.players.match.Playouts`.

    Returns
    -------
    dict
        Plain data: totals, and rates per CPU-second and per second.
    """
    jobs = check_jobs(jobs)
    if make_playouts is None:
        from lumis_fast.players.match import Playouts

        make_playouts = Playouts
    playouts = make_playouts(plan.game, plan.ruleset, plan.seats, plan.policy, plan.seed)
    playouts.prepare(report)
    size = _CHUNK_BY_POLICY[plan.policy]
    chunks = range(0, plan.count, size)
    totals: Counter[str] = Counter()
    reasons: Counter[str] = Counter(dict.fromkeys(plan.game.reasons, 0))

    def play(first: int, stop: Any) -> dict[str, Any]:
        return playouts.play(first, min(size, plan.count - first), stop)

    started, cpu_started = time.perf_counter(), time.process_time()
    progress(0, plan.count)
    with contextlib.closing(in_chunks(play, chunks, jobs)) as played:
        for chunk in played:
            totals.update({key: int(chunk[key]) for key in ("playouts", "moves", "turns")})
            reasons.update(chunk["reasons"])
            progress(totals["playouts"], plan.count)
    wall, cpu = time.perf_counter() - started, time.process_time() - cpu_started
    return {
        "game": plan.game.name,
        "ruleset": plan.ruleset.plain(),
        "seats": plan.seats,
        "policy": plan.policy,
        "seed": plan.seed,
        "jobs": jobs,
        **totals,
        "reasons": dict(reasons),
        "wall_seconds": wall,
        "cpu_seconds": cpu,
        "per_core": _rates(totals, cpu),
        "total": _rates(totals, wall),
    }


def _rates(totals: Mapping[str, int], seconds: float) -> dict[str, float]:
    seconds = max(seconds, 1e-9)
    return {
        "playouts_per_second": totals["playouts"] / seconds,
        "moves_per_second": totals["moves"] / seconds,
    }
