"""`lumis-fast warm`."""

from __future__ import annotations

import time

import click

from ._show import report

__all__ = ["command"]


@click.command("warm")
@click.argument("games", nargs=-1, metavar="[GAME]...")
def command(games: tuple[str, ...]) -> None:
    """Compile what a game needs, so that later runs start at once.

    All games if none is named.
    """
    from lumis_fast.games import GAMES, load_game

    loaded = [load_game(name) for name in games or GAMES]
    from lumis_fast.core.jit import cache_folder
    from lumis_fast.players.match import warm

    for game in loaded:
        started = time.perf_counter()
        warm(game, report)
        click.echo(f"{game.name} is ready after {time.perf_counter() - started:.1f} s")
    click.echo(f"compiled code: {cache_folder()}")
