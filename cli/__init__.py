"""The command `lumis-fast`: parse, call the library, show.

Commands are loaded when they are used, and what they need when they run, so that
``lumis-fast --help`` imports click and nothing heavier.
"""

from __future__ import annotations

import click

from ._group import LazyGroup, print_version

__all__ = ["main"]

COMMANDS = {
    "simulate": "Play a batch of games between players and show who wins.",
    "playouts": "Measure raw throughput: whole games by one policy, no search.",
    "replay": "Check game records against the rules and show the board.",
    "odds": "Tell the odds of a fight of the Stone Guardians, with fresh decks.",
    "rules": "Show a game's ruleset, and what of it is rule and what assumed.",
    "players": "List the players, their options and defaults.",
    "warm": "Compile what a game needs, so that later runs start at once.",
    "doctor": "Show versions, compile cache and threads, and test the installation.",
}


@click.group(cls=LazyGroup, commands_help=COMMANDS)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=print_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Simulate and play modern board games at compiled speed."""
