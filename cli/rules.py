"""`lumis-fast rules`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ._options import changes_of, game_argument, json_option, ruleset_options
from ._show import console, print_json

__all__ = ["command"]

_STYLES = {"rule": "green", "reported": "cyan", "ruled": "yellow", "assumed": "red"}
_MEANINGS = {
    "changed": "changed by you",
    "rule": "stands in the rulebook",
    "reported": "stands in published reviews",
    "ruled": "our reading of an unclear text",
    "assumed": "no source gives it",
}


@click.command("rules")
@game_argument
@ruleset_options
@json_option
def command(game: str, ruleset: str | None, changes: tuple[str, ...], as_json: bool) -> None:
    """Show a game's ruleset, and what of it is rule and what assumed."""
    from lumis_fast.games import load_game

    loaded = load_game(game)
    rules = loaded.load_ruleset(ruleset, changes_of(changes))
    rows = loaded.ruleset_table(rules)
    if as_json:
        print_json(_plain(rules, rows))
    else:
        _show(rules, rows)


def _plain(rules: Any, rows: Sequence[tuple[str, ...]]) -> dict[str, Any]:
    values = {
        name: {
            "value": rules.values[name],
            "source": source,
            "cap": cap,
            "meaning": meaning,
            "note": note,
        }
        for name, _, source, cap, meaning, note in rows
    }
    return {
        "game": rules.game,
        "name": rules.name,
        "description": rules.description,
        "digest": rules.digest,
        "changes": rules.changes,
        "values": values,
    }


def _show(rules: Any, rows: Sequence[tuple[str, ...]]) -> None:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    out = console()
    out.print(Text.assemble((f"{rules.game}, ruleset {rules.name}", "bold"), f" {rules.digest}"))
    if rules.description:
        out.print(Text(rules.description))
    for source, explanation in _MEANINGS.items():
        rows_here = [row for row in rows if row[2] == source]
        if not rows_here:
            continue
        style = _STYLES.get(source, "magenta")
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True, style=style, width=max(len(row[0]) for row in rows))
        table.add_column(width=28)
        table.add_column()
        for name, value, _, cap, meaning, note in rows_here:
            text = Text.assemble(meaning, (f"; may be {cap}", "dim"))
            if note:
                text.append(f"\n{note}", "dim italic")
            table.add_row(Text(name), Text(value), text)
        out.print(Text(f"\n{source}: {explanation}", style=f"bold {style}"))
        out.print(Padding(table, (0, 0, 0, 2)))
