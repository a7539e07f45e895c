"""`lumis-fast players`."""

from __future__ import annotations

from typing import Any

import click

from ._options import json_option
from ._show import console, print_json

__all__ = ["command"]


@click.command("players")
@json_option
def command(as_json: bool) -> None:
    """List the players, their options and defaults."""
    from lumis_fast.players.spec import OPTIONS, PLAYERS

    if as_json:
        print_json({name: _plain(name, PLAYERS[name], OPTIONS[name]) for name in OPTIONS})
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("player", "option", "default", "may be", "meaning"):
        table.add_column(column, no_wrap=column in ("player", "option"))
    for name, options in OPTIONS.items():
        table.add_row(Text(name, style="bold"), "", "", "", Text(PLAYERS[name]))
        for key, option in options.items():
            default = "off" if option.default is None else str(option.default)
            table.add_row("", key, default, option.expected, Text(option.meaning))
        table.add_section()
    out = console()
    out.print(table)
    out.print(
        Text(
            "A spec is a player, a colon and options: mcts:1000 (iterations), mcts:ms=50, "
            "mcts:iterations=1000,c=0.9. A class of your own: module:Class or "
            "module:Class:depth=3. With a time budget or a class of your own, a run cannot be "
            "reproduced."
        )
    )


def _plain(name: str, meaning: str, options: dict[str, Any]) -> dict[str, Any]:
    return {
        "meaning": meaning,
        "options": {
            key: {
                "type": option.kind.__name__,
                "default": option.default,
                "expected": option.expected,
                "meaning": option.meaning,
            }
            for key, option in options.items()
        },
    }
