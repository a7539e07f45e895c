"""`lumis-fast playouts`."""

from __future__ import annotations

from typing import Any

import click

from ._options import (
    changes_of,
    game_argument,
    jobs_option,
    json_option,
    ruleset_options,
    seed_option,
)
from ._show import ProgressBar, console, print_json, report

__all__ = ["command"]


@click.command("playouts")
@game_argument
@click.option("-n", "--count", type=int, default=10_000, show_default=True, help="Whole games.")
@click.option("--policy", default="uniform", show_default=True, help="uniform or greedy.")
@click.option("--seats", type=int, help="Number of players; the game's smallest if not given.")
@seed_option
@jobs_option
@ruleset_options
@json_option
def command(
    game: str,
    count: int,
    policy: str,
    seats: int | None,
    seed: int,
    jobs: int | None,
    ruleset: str | None,
    changes: tuple[str, ...],
    as_json: bool,
) -> None:
    """Measure raw throughput: whole games by one policy, no search.

    Nothing is written. Per core means for each second of CPU time.
    """
    from lumis_fast.runs.throughput import measure, plan_playouts

    plan = plan_playouts(
        game,
        count,
        policy=policy,
        seats=seats,
        seed=seed,
        ruleset=ruleset,
        changes=changes_of(changes),
    )
    with ProgressBar("playouts") as progress:
        measured = measure(plan, jobs=jobs, report=report, progress=progress)
    if as_json:
        print_json(measured)
    else:
        console().print(_table(measured))


def _table(measured: dict[str, Any]) -> Any:
    from rich.table import Table

    def whole(value: float) -> str:
        return f"{value:,.0f}".replace(",", " ")

    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    ruleset = measured["ruleset"]
    table.add_row(
        "playouts",
        f"{measured['game']}, {measured['seats']} players, {measured['policy']}, "
        f"{whole(measured['playouts'])} games, {whole(measured['moves'])} moves, "
        f"seed {measured['seed']}, ruleset {ruleset['name']} {ruleset['digest'][:12]}",
    )
    for name, key in (("per core", "per_core"), (f"{measured['jobs']} jobs", "total")):
        rates = measured[key]
        table.add_row(
            name,
            f"{whole(rates['playouts_per_second'])} playouts/s, "
            f"{whole(rates['moves_per_second'])} moves/s",
        )
    table.add_row("turns a game", f"{measured['turns'] / measured['playouts']:.1f}")
    reasons = measured["reasons"].items()
    table.add_row(
        "ended by",
        ", ".join(f"{word} {100 * n / measured['playouts']:.1f} %" for word, n in reasons if n),
    )
    table.add_row(
        "time", f"{measured['cpu_seconds']:.2f} s of CPU time, {measured['wall_seconds']:.2f} s"
    )
    return table
