"""Options and arguments that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

__all__ = [
    "changes_of",
    "game_argument",
    "jobs_option",
    "json_option",
    "ruleset_options",
    "seed_option",
]

game_argument = click.argument("game")
seed_option = click.option(
    "--seed", type=int, default=0, show_default=True, help="Key of all random streams."
)
jobs_option = click.option(
    "-j", "--jobs", type=int, help="Threads; one on each usable core if not given."
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
)


def ruleset_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--ruleset`` and ``--set`` to a command."""
    function = click.option(
        "--set",
        "changes",
        multiple=True,
        metavar="NAME=VALUE",
        help="Change a value of the ruleset; the value as in TOML. May be repeated.",
    )(function)
    return click.option(
        "--ruleset",
        metavar="NAME|FILE",
        help="A shipped ruleset or a ruleset file; the game's standard one if not given.",
    )(function)


def changes_of(texts: tuple[str, ...]) -> dict[str, Any]:
    """Read the values of ``--set``."""
    if not texts:
        return {}
    from lumis_fast.core.ruleset import parse_changes

    return parse_changes(texts)
