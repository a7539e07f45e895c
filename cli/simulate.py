"""`lumis-fast simulate`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ._group import EXIT_FAILED, EXIT_INTERRUPTED
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


@click.command("simulate")
@game_argument
@click.option(
    "-p",
    "--player",
    "players",
    multiple=True,
    required=True,
    metavar="SPEC",
    help="A player, once for each seat: random, greedy, mcts:1000, mcts:ms=50, "
    "mcts:iterations=1000,c=0.7, module:Class; see `lumis-fast players`.",
)
@click.option("-n", "--games", type=int, default=100, show_default=True, help="Number of games.")
@seed_option
@jobs_option
@click.option("--swap-seats", is_flag=True, help="Play each deal once in every seat rotation.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Directory of the run's files; results/runs/ and a name made from all that decides the "
    "games if not given.",
)
@click.option("--records", is_flag=True, help="Keep a record of every game.")
@ruleset_options
@json_option
def command(
    game: str,
    players: tuple[str, ...],
    games: int,
    seed: int,
    jobs: int | None,
    swap_seats: bool,
    out: Path | None,
    records: bool,
    ruleset: str | None,
    changes: tuple[str, ...],
    as_json: bool,
) -> None:
    """Play a batch of games between players and show who wins.

    The run's files go to a directory. Stopped at any moment, the same command goes on where it
    was; when the run is finished, it shows the result again.
    """
    from lumis_fast.runs.plan import plan_run
    from lumis_fast.runs.run import RunFailed, RunStopped, simulate

    plan = plan_run(
        game,
        players,
        games,
        seed=seed,
        ruleset=ruleset,
        changes=changes_of(changes),
        swap_seats=swap_seats,
        records=records,
    )
    try:
        with ProgressBar("games") as progress:
            directory = simulate(
                plan,
                out,
                jobs=jobs,
                report=report,
                progress=progress,
                command=["lumis-fast", *sys.argv[1:]],
            )
    except RunStopped as stopped:
        click.echo(str(stopped).capitalize(), err=True)
        sys.exit(EXIT_INTERRUPTED)
    except RunFailed as failed:
        click.echo(f"Error: {failed}", err=True)
        sys.exit(EXIT_FAILED)
    _show(directory, as_json)


def _show(directory: Path, as_json: bool) -> None:
    from lumis_fast.runs.summary import render, summarize

    summary = summarize(directory)
    if as_json:
        print_json(summary)
    else:
        console().print(render(summary))
