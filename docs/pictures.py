"""Make the pictures of the README from a finished run that kept its records.

    python docs/pictures.py results/runs/lumis-77f4786fd455 --game 29

writes `docs/lumis.svg`, the board at the end of that game, and `docs/table.svg`, the run's table.
"""

from __future__ import annotations

import argparse
import io
import re
from collections.abc import Sequence
from pathlib import Path

from rich.console import CONSOLE_SVG_FORMAT, Console

from lumis_fast.core.record import read_records
from lumis_fast.games import load_game
from lumis_fast.runs.storage import read_manifest
from lumis_fast.runs.summary import render, summarize

HERE = Path(__file__).parent
WIDTH = 104
# Rich names a web font; the picture shall need nothing from outside.
SVG_FORMAT = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)


def draw_board(run: Path, index: int) -> str:
    """Draw the last position of a game, its last move marked."""
    records = read_records(run / "records.jsonl.zst")
    record = next(record for _, record in records if record["index"] == index)
    game = load_game(record["game"])
    *_, (step, position) = game.replay(record)
    return game.draw_svg(position, highlight=step.get("spaces", []))


def draw_table(run: Path) -> str:
    """Draw the command and the table that it prints."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print("$ " + " ".join(read_manifest(run)["command"]), style="bold", highlight=False)
    console.print(render(summarize(run)), highlight=False)
    return console.export_svg(title="lumis-fast", code_format=SVG_FORMAT, unique_id="table")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write both pictures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--game", type=int, default=0)
    parser.add_argument("--to", type=Path, default=HERE)
    given = parser.parse_args(arguments)
    (given.to / "lumis.svg").write_text(draw_board(given.run, given.game), encoding="utf-8")
    (given.to / "table.svg").write_text(draw_table(given.run), encoding="utf-8")


if __name__ == "__main__":
    main()
