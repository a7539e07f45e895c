"""Playing a run: chunks of games on a thread pool, kept as they come, continued when stopped."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lumis_fast.errors import InputError
from lumis_fast.runs.plan import RunPlan
from lumis_fast.runs.storage import RunFolder, usable_cores

if TYPE_CHECKING:
    import numpy as np

__all__ = ["RunFailed", "RunStopped", "check_jobs", "in_chunks", "simulate"]

Report = Callable[[str], None]
Progress = Callable[[int, int], None]

MAX_JOBS = 1024
_TIMING_EVERY = 5.0


class RunStopped(Exception):
    """A run was interrupted; what is finished is kept and the same command goes on.

    Parameters
    ----------
    directory : Path
        The run's directory.
    done, games : int
        Finished games, and all games of the run.
    """

    def __init__(self, directory: Path, done: int, games: int) -> None:
        super().__init__(
            f"stopped; {done} of {games} games are kept in {directory} and the same command goes on"
        )
        self.directory, self.done, self.games = directory, done, games


class RunFailed(Exception):
    """A run's files could not be written; what is finished is kept."""


def _silent(*_: Any) -> None:
    pass


def check_jobs(jobs: int | None) -> int:
    """Tell how many threads to use.

    Parameters
    ----------
    jobs : int or None
        None for one on each usable core.

    Returns
    -------
    int

    Raises
    ------
    InputError
        If the number is not possible.
    """
    if jobs is None:
        return usable_cores()
    if not 1 <= jobs <= MAX_JOBS:
        raise InputError(f"{jobs} jobs are not possible, expected 1 to {MAX_JOBS}")
    return jobs


def simulate(
    plan: RunPlan,
    directory: str | Path | None = None,
    *,
    jobs: int | None = None,
    report: Report = _silent,
    progress: Progress = _silent,
    command: Sequence[str] | None = None,
    make_match: Callable[..., Any] | None = None,
) -> Path:
    """Play a run, or what is left of it.

    Killed at any moment, the same call goes on where it was, and the data files end with the same
    bytes as those of an undisturbed run, whatever the number of jobs. A finished run is left as
    it is.

    Parameters
    ----------
    plan : RunPlan
        What to play, from `lumis_fast.runs.plan.plan_run`.
    directory : str or Path, optional
        Where the run's files go; ``results/runs/`` and a name made from the plan if not given.
    jobs : int, optional
        Threads; one on each usable core if not given.
    report : callable
        Called with a sentence when something takes time.
    progress : callable
        Called with the number of finished games and of all games.
    command : sequence of str, optional
        The command line, for the manifest.
    make_match : callable, optional
        Replaces `lumis_fast.players.match.Match`.

    Returns
    -------
    Path
        The run's directory.

    Raises
    ------
    InputError
        If the directory holds anything else, or the plan cannot be played. Nothing is written.
    RunStopped
        On Ctrl-C.
    RunFailed
        If the files cannot be written.
    """
    jobs = check_jobs(jobs)
    folder = RunFolder(Path(directory) if directory is not None else plan.default_directory, plan)
    try:
        if folder.finished:
            folder.clear()
            return folder.directory
        match = _new_match(plan, make_match)
        with folder.locked():
            if not folder.finished:
                _Session(plan, folder, match, jobs, progress).play(report, command)
            folder.clear()
    except OSError as error:
        raise RunFailed(
            f"cannot write {error.filename or folder.directory}: {error.strerror or error}; the "
            "finished games are kept and the same command goes on"
        ) from error
    return folder.directory


def _new_match(plan: RunPlan, make_match: Callable[..., Any] | None) -> Any:
    if make_match is None:
        from lumis_fast.core.jit import usable_cache_folder
        from lumis_fast.players.match import Match

        usable_cache_folder()  # before anything is written
        make_match = Match
    return make_match(plan.game, plan.ruleset, list(plan.players), plan.seed, plan.swap_seats)


class _Session:
    """One process's work on a run."""

    def __init__(
        self, plan: RunPlan, folder: RunFolder, match: Any, jobs: int, progress: Progress
    ) -> None:
        self.plan, self.folder, self.match = plan, folder, match
        self.jobs, self.progress = jobs, progress
        self.done = 0
        self.earlier: list[dict[str, Any]] = []
        self.games = self.moves = 0

    def play(self, report: Report, command: Sequence[str] | None) -> None:
        try:
            self.folder.begin(command)
            missing = self.folder.missing_chunks()
            left = sum(self.plan.chunk(number)[1] for number in missing)
            self.done = self.plan.games - left
            if self.done > 0:
                report(f"going on with a run that has {self.done} of {self.plan.games} games")
            if missing:
                self.match.prepare(report)
                if self.plan.records:
                    self.match.prepare_records(report)
                self._play_chunks(missing)
            self.folder.finish()
        except KeyboardInterrupt:
            # Chunks that ended while the threads were stopping are kept too, so count again.
            left = sum(self.plan.chunk(number)[1] for number in self.folder.missing_chunks())
            done = self.plan.games - left
            raise RunStopped(self.folder.directory, done, self.plan.games) from None

    def _play_chunks(self, missing: list[int]) -> None:
        self.earlier = self.folder.read_timing()
        self.started, self.cpu_started = time.perf_counter(), time.process_time()
        written = self.started
        self.progress(self.done, self.plan.games)
        try:
            # Closed at once on an interruption, not when the last reference goes.
            with contextlib.closing(in_chunks(self._play_chunk, missing, self.jobs)) as played:
                for games, moves in filter(None, played):
                    self.done += games
                    self.games += games
                    self.moves += moves
                    self.progress(self.done, self.plan.games)
                    if time.perf_counter() - written > _TIMING_EVERY:
                        self._write_timing()
                        written = time.perf_counter()
        finally:
            self._write_timing()

    def _play_chunk(self, number: int, stop: np.ndarray) -> tuple[int, int] | None:
        first, count = self.plan.chunk(number)
        chunk = self.match.play(first, count, self.plan.records, stop)
        if chunk.stopped:
            return None
        self.folder.keep(number, chunk.results, chunk.records)
        return count, int(chunk.results["moves"].sum())

    def _write_timing(self) -> None:
        if not self.games:
            return
        session = {
            "jobs": self.jobs,
            "games": self.games,
            "moves": self.moves,
            "wall_seconds": round(time.perf_counter() - self.started, 4),
            "cpu_seconds": round(time.process_time() - self.cpu_started, 4),
        }
        self.folder.write_timing([*self.earlier, session])


def in_chunks(
    work: Callable[[Any, np.ndarray], Any], chunks: Sequence[Any], jobs: int
) -> Generator[Any, None, None]:
    """Work on chunks in threads, with few of them waiting, and give the results as they come.

    When the caller fails, stops or is interrupted, the stop flag is set, what has not begun is
    dropped, what runs is awaited, and results that were still finished are lost to the caller,
    though not their effects.

    Parameters
    ----------
    work : callable
        Called with a chunk and the stop flag, an array with one number that `work` looks at.
    chunks : sequence
        What to work on.
    jobs : int
        Number of threads.

    Yields
    ------
    object
        What `work` returned, in the order in which it was ready.
    """
    import numpy as np

    stop = np.zeros(1, np.uint8)
    todo = iter(chunks)
    pending: set[Future] = set()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while True:
                while len(pending) < 2 * jobs and (chunk := next(todo, stop)) is not stop:
                    pending.add(pool.submit(work, chunk, stop))
                if not pending:
                    return
                ready, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in ready:
                    yield future.result()
        finally:
            stop[0] = 1
            for future in pending:
                future.cancel()
