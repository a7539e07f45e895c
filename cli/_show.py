"""Output: results on stdout, what happens meanwhile on stderr."""

from __future__ import annotations

import json
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["ProgressBar", "console", "print_json", "printable", "report"]

_PIPE_WIDTH = 120
_BAR_AFTER = 2.0


def console() -> Any:
    """Make a console for stdout: as wide as the terminal, of fixed width in a pipe."""
    from rich.console import Console

    made = Console(highlight=False)
    if not made.is_terminal:
        made = Console(highlight=False, width=_PIPE_WIDTH)
    return made


def printable(text: str) -> str:
    """Replace what could steer a terminal: text may come from a foreign file."""
    return "".join(char if char.isprintable() else "?" for char in text)


def print_json(data: Any) -> None:
    """Print one JSON object on stdout."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def report(sentence: str) -> None:
    """Tell on stderr what takes time."""
    click.echo(sentence, err=True)


class ProgressBar:
    """A bar on stderr for what lasts over two seconds, on a terminal only.

    Parameters
    ----------
    what : str
        What is counted, in the plural.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self._bar: Progress | None = None
        self._wanted = sys.stderr.isatty()
        self._started: float | None = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """Show how far it is."""
        if self._started is None:
            self._started, self._first = time.perf_counter(), done
        elapsed = time.perf_counter() - self._started
        if not self._wanted or elapsed < _BAR_AFTER:
            return
        if self._bar is None:
            self._bar = self._make(done, total)
        rate = (done - self._first) / elapsed
        left = (total - done) / rate if rate else None
        self._bar.update(
            self._bar.task_ids[0], completed=done, rate=f"{rate:,.3g}", left=_clock(left)
        )

    def _make(self, done: int, total: int) -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        bar = Progress(
            TextColumn(self.what),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}/s"),
            TextColumn("{task.fields[left]} left"),
            console=Console(stderr=True),
            transient=True,
        )
        bar.add_task(self.what, total=total, completed=done, rate="", left="")
        bar.start()
        return bar


def _clock(seconds: float | None) -> str:
    if seconds is None:
        return "?"
    minutes, second = divmod(round(seconds), 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour}:{minute:02}:{second:02}" if hour else f"{minute}:{second:02}"
