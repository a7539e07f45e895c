"""The group of commands: lazy loading, and errors as one sentence."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Any

import click

from lumis_fast.errors import InputError, nearest

from ._show import printable

__all__ = ["LazyGroup", "print_version"]

EXIT_FAILED = 1
EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group whose commands are modules beside this one, imported when they are used.

    Parameters
    ----------
    commands_help : dict
        The commands in the order of ``--help``, with their one-line help.
    """

    def __init__(self, *args: Any, commands_help: dict[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.commands_help = commands_help

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands without importing any."""
        return list(self.commands_help)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self.commands_help:
            return None
        return importlib.import_module(f".{cmd_name}", __package__).command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, or tell the nearest one."""
        if not args[0].startswith("-") and args[0] not in self.commands_help:
            known = nearest(args[0], self.commands_help)
            raise click.UsageError(f"there is no command '{args[0]}': {known}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.commands_help.items()))

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line; whatever is wrong with the input ends in one sentence."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            sys.exit(super().main(args, prog_name, complete_var, standalone_mode=False, **extra))
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message(), err=True)
            sys.exit(EXIT_BAD_INPUT)
        except click.ClickException as error:
            _complain(_sentence(error.format_message()))
            sys.exit(error.exit_code)
        except InputError as error:
            _complain(str(error))
            sys.exit(EXIT_BAD_INPUT)
        except (KeyboardInterrupt, click.Abort):
            _complain("stopped")
            sys.exit(EXIT_INTERRUPTED)


def _sentence(text: str) -> str:
    """Put click's message, which may have a line for each suggestion, on one line."""
    return " ".join(text.split()).removesuffix(".")


def _complain(sentence: str) -> None:
    click.echo(f"Error: {printable(sentence)}", err=True)


def print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    """Show the version and exit; a callback for click."""
    if value and not ctx.resilient_parsing:
        from lumis_fast import __version__

        click.echo(f"lumis-fast {__version__}")
        ctx.exit()
