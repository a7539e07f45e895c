"""Make the pictures of the README from finished runs that kept their records.

    python docs/pictures.py results/runs/lumis-77f4786fd455 --game 29
    python docs/pictures.py results/runs/lumina-spell-74740bcef4a5 --game 4 --step 13 --board
    python docs/pictures.py RUN --game 0 --step 420 --board

The first writes `docs/lumis.svg`, the board at the end of that game, and `docs/table.svg`, the
run's table. The other one writes `docs/lumina-spell.svg` alone; its run is that of
`lumis-fast simulate lumina-spell -p greedy -p greedy -p greedy --games 6 --seed 3 --records`.
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


def draw_board(run: Path, index: int, number: int | None) -> tuple[str, str]:
    """Draw a game after so many steps or at its end, the move marked; give its name, too."""
    records = read_records(run / "records.jsonl.zst")
    record = next(record for _, record in records if record["index"] == index)
    game = load_game(record["game"])
    positions = list(game.replay(record))
    step, position = positions[-1 if number is None else number]
    return game.name, game.draw_svg(
        position, highlight=game.highlight(step, position) if step else []
    )


def draw_table(run: Path) -> str:
    """Draw the command and the table that it prints."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print("$ " + " ".join(read_manifest(run)["command"]), style="bold", highlight=False)
    console.print(render(summarize(run)), highlight=False)
    return console.export_svg(title="lumis-fast", code_format=SVG_FORMAT, unique_id="table")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--game", type=int, default=0)
    parser.add_argument("--step", type=int)
    parser.add_argument("--to", type=Path, default=HERE)
    parser.add_argument("--board", action="store_true", help="no table")
    given = parser.parse_args(arguments)
    name, board = draw_board(given.run, given.game, given.step)
    (given.to / f"{name}.svg").write_text(board, encoding="utf-8")
    if not given.board:
        (given.to / "table.svg").write_text(draw_table(given.run), encoding="utf-8")


if __name__ == "__main__":
    main()
