"""`lumis-fast replay`."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from pathlib import Path
from typing import Any

import click

from lumis_fast.errors import InputError

from ._options import json_option
from ._show import console, print_json, printable, report

__all__ = ["command"]


@click.command("replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", "index", type=int, help="Only the game with this index; shows its board.")
@click.option("--step", type=int, help="The board after so many steps; at the end if not given.")
@click.option(
    "--svg", type=click.Path(path_type=Path), metavar="FILE", help="Draw the board to a file."
)
@click.option(
    "--ruleset", metavar="FILE", help="The ruleset file, for games by a ruleset of your own."
)
@json_option
def command(
    file: Path,
    index: int | None,
    step: int | None,
    svg: Path | None,
    ruleset: str | None,
    as_json: bool,
) -> None:
    """Check game records against the rules and show the board.

    Without --game every game of FILE is checked; the board is that of the last one.
    """
    from lumis_fast.core.record import read_records

    checked: list[Any] = []
    reasons: Counter[str] = Counter()
    count = 0
    for line, record in read_records(file):
        if index is not None and record["index"] != index:
            continue
        if not count:
            # The rules are compiled at the first step if they have not been before.
            report(printable(f"checking the games of {file}"))
        # Only the last one is kept: a file may hold a million games.
        checked = [record, *_check(file, line, record, step, ruleset)]
        reasons[record["outcome"]["reason"]] += 1
        count += 1
        if index is not None:
            break
    if not checked:
        raise InputError(f"{file} holds no game with index {index}, {_indices(file)}")
    record, last_step, position, number = checked
    if svg is not None:
        _draw(svg, record, last_step, position)
    if as_json:
        print_json({"file": str(file), "checked": count, "reasons": reasons, "position": position})
    else:
        _show(count, reasons, record, last_step, position, number)


def _indices(file: Path) -> str:
    from lumis_fast.core.record import read_records

    indices = [record["index"] for _, record in read_records(file)]
    if len(indices) == 1:
        return f"expected {indices[0]}, the only one"
    return f"expected one of the {len(indices)} from {min(indices)} to {max(indices)}"


def _check(
    file: Path, line: int, record: dict[str, Any], step: int | None, ruleset: str | None
) -> tuple[Any, Any, int]:
    """Check all steps of a game; give the step and position asked for, and its number."""
    from lumis_fast.games import load_game

    where = f"{file}, line {line}"
    try:
        game = load_game(record["game"])
        rules = game.restore_ruleset(record["ruleset"], ruleset) if ruleset else None
        shown: tuple[Any, Any, int] | None = None
        last = 0
        for last, (played, position) in enumerate(game.replay(record, rules)):
            if step is None or last == step:
                shown = played, position, last
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    if shown is None:
        raise InputError(f"{where}: there is no step {step}, expected 0 to {last}")
    return shown


def _draw(svg: Path, record: dict[str, Any], step: Any, position: Any) -> None:
    from lumis_fast.games import load_game

    game = load_game(record["game"])
    text = game.draw_svg(position, highlight=game.highlight(step, position) if step else [])
    temporary = svg.with_name(svg.name + ".tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, svg)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise InputError(
            f"{svg} cannot be written ({error.strerror}), expected a file name in a directory "
            "that exists"
        ) from None


def _show(
    count: int,
    reasons: Counter[str],
    record: dict[str, Any],
    step: Any,
    position: Any,
    number: int,
) -> None:
    from rich.text import Text

    from lumis_fast.games import load_game

    out = console()
    ended = ", ".join(f"{word} {games}" for word, games in reasons.most_common())
    games = "1 game keeps" if count == 1 else f"{count} games keep"
    out.print(Text(printable(f"{games} to the rules; ended by {ended}")))
    seats = " against ".join(record["seats"])
    named = f"game {record['index']} of seed {record['seed']}, {seats}"
    out.print(Text(printable(f"{named}, after {number} of {len(record['steps'])} steps")))
    game = load_game(record["game"])
    if step is not None:
        out.print(Text(printable(f"seat {step['seat']}: {game.describe(step)}")))
    marked = game.highlight(step, position) if step else []
    out.print(game.draw_terminal(position, highlight=marked))
