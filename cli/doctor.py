"""`lumis-fast doctor`."""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from typing import Any

import click

from ._group import EXIT_FAILED
from ._options import json_option
from ._show import console, print_json, report

__all__ = ["command"]

_PACKAGES = ("numba", "llvmlite", "numpy", "pyarrow", "zstandard", "click", "rich", "filelock")


@click.command("doctor")
@json_option
def command(as_json: bool) -> None:
    """Show versions, compile cache and threads, and test the installation.

    The test plays the same few games in one thread and in two and compares them.
    """
    from lumis_fast.games import GAMES
    from lumis_fast.runs.selftest import self_test

    found: dict[str, Any] = {
        "versions": _versions(),
        "cache": _cache(),
        "cores": _cores(),
        "self_test": {name: self_test(name, report) for name in GAMES},
    }
    healthy = all(test["passed"] for test in found["self_test"].values())
    if as_json:
        print_json(found)
    else:
        _show(found)
    if not healthy:
        sys.exit(EXIT_FAILED)


def _versions() -> dict[str, str]:
    from importlib import metadata

    from lumis_fast import __version__

    versions = {"lumis-fast": __version__, "python": platform.python_version()}
    versions |= {name: metadata.version(name) for name in _PACKAGES}
    return versions


def _cache() -> dict[str, Any]:
    from lumis_fast.core.jit import cache_folder

    folder = cache_folder()
    return {
        "folder": str(folder),
        "megabytes": _size(folder),
        "all_megabytes": _size(folder.parent),
    }


def _size(folder: Path) -> float:
    files = [file for file in folder.rglob("*") if file.is_file()] if folder.is_dir() else []
    return round(sum(file.stat().st_size for file in files) / 1e6, 1)


def _cores() -> dict[str, int]:
    import os

    from lumis_fast.runs.storage import usable_cores

    return {"usable": usable_cores(), "machine": os.cpu_count() or 1}


def _show(found: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    versions, cache, cores = found["versions"], found["cache"], found["cores"]
    table.add_row("versions", ", ".join(f"{name} {number}" for name, number in versions.items()))
    table.add_row("system", f"{platform.system()} {platform.release()} {platform.machine()}")
    table.add_row(
        "compiled code",
        f"{cache['folder']}, {cache['megabytes']} MB; with that of other versions beside it "
        f"{cache['all_megabytes']} MB",
    )
    table.add_row("threads", f"{cores['usable']} usable of {cores['machine']} cores")
    for name, test in found["self_test"].items():
        style = "green" if test["passed"] else "bold red"
        table.add_row(f"test of {name}", Text(test["what"], style=style))
    console().print(table)
