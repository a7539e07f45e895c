"""The README and the pages of docs/: examples run, commands and tables are true, links resolve.

A page is read as a script. A block after ``<!-- file: NAME -->`` is written to a folder, ``python``
blocks run there, and so do the ``lumis-fast`` lines of ``sh`` blocks after ``<!-- run -->``. The
lines of other ``sh`` blocks are parsed by the command line, not run.
"""

from __future__ import annotations

import importlib.util
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

import lumis_fast_cli
from lumis_fast.games import GAMES, load_game
from lumis_fast.games.lumina_spell.ruleset import FIELDS as LUMINA_FIELDS
from lumis_fast.games.lumis.ruleset import FIELDS as LUMIS_FIELDS
from lumis_fast.games.stone_guardians.ruleset import FIELDS as STONE_FIELDS
from lumis_fast.players.spec import OPTIONS, PLAYERS, parse_spec
from lumis_fast.runs.plan import plan_run
from lumis_fast.runs.run import simulate

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
NAMES = [page.name for page in PAGES]
EXAMPLES = ("README.md", "adding-a-game.md", "players.md", "records.md", "rulesets.md")
RUN = ("run", "command: run", "command: test")

_BLOCK = re.compile(
    r"^(?:<!-- (?P<mark>[^\n]*?) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.M | re.S
)


class Block(NamedTuple):
    mark: str
    kind: str
    text: str


def page(name: str) -> str:
    return next(path for path in PAGES if path.name == name).read_text(encoding="utf-8")


def blocks(name: str) -> list[Block]:
    found = _BLOCK.finditer(page(name))
    return [Block(one["mark"] or "", one["kind"], one["text"]) for one in found]


def commands(text: str) -> Iterator[list[str]]:
    """The lumis-fast command lines in the text of a block."""
    for line in text.splitlines():
        for part in line.split("&&"):
            words = shlex.split(part, comments=True)
            if words and words[0].endswith("lumis-fast"):
                yield words[1:]


ALL_COMMANDS = [
    pytest.param(words, id=f"{name}: {' '.join(words)}"[:90])
    for name in NAMES
    for block in blocks(name)
    if block.kind == "sh"
    for words in commands(block.text)
]


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(ROOT / "bench"), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return tmp_path


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_a_page_run(folder, name):
    names: dict = {"__name__": "example"}
    ran = 0
    for mark, kind, text in blocks(name):
        if mark.startswith("file: "):
            (folder / mark.removeprefix("file: ")).write_text(text, encoding="utf-8")
        elif kind == "python":
            exec(compile(text, f"<{name}>", "exec"), names)
            ran += 1
        elif mark == "run":
            for words in commands(text):
                result = CliRunner().invoke(lumis_fast_cli.main, words)
                assert result.exit_code == 0, (words, result.stderr)
                ran += 1
    assert ran > 0


def test_pages_with_code_are_among_those_that_run():
    assert set(EXAMPLES) == {
        name for name in NAMES if any(b.kind == "python" or b.mark == "run" for b in blocks(name))
    }


@pytest.mark.parametrize("words", ALL_COMMANDS)
def test_a_command_and_its_options_exist(words):
    command = lumis_fast_cli.main.get_command(click.Context(lumis_fast_cli.main), words[0])
    assert command is not None, words[0]
    given = command.make_context(words[0], words[1:]).params
    assert given.get("game") in (None, *GAMES)
    for spec in given.get("players") or ():
        assert str(parse_spec(spec))


def test_both_set_up_commands_stand_in_the_readme_once_each():
    marked = {b.mark: b.text.strip() for b in blocks("README.md") if b.mark in RUN[1:]}
    assert list(marked) == ["command: run", "command: test"]
    assert all(len(text.splitlines()) == 1 for text in marked.values())
    assert "venv" in marked["command: run"] and "pip install ." in marked["command: run"]
    assert "'.[test]'" in marked["command: test"] and "pytest" in marked["command: test"]


def test_every_command_stands_in_the_readmes_table():
    listed = re.findall(r"^\| `lumis-fast (\w+)` \|", page("README.md"), re.M)
    assert listed == list(lumis_fast_cli.COMMANDS)


def rows(name: str, mark: str) -> list[list[str]]:
    table = page(name).partition(f"<!-- {mark} -->\n")[2].partition("\n\n")[0]
    lines = table.splitlines()[2:]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]


def test_the_table_of_players_is_that_of_the_program():
    expected = []
    for name, options in OPTIONS.items():
        expected.append([name, "", "", PLAYERS[name]])
        for key, option in options.items():
            default = "off" if option.default is None else str(option.default)
            expected.append(["", key, default, option.meaning])
    assert rows("README.md", "players") == expected


@pytest.mark.parametrize(
    ("game", "fields"),
    [("lumis", LUMIS_FIELDS), ("lumina-spell", LUMINA_FIELDS), ("stone-guardians", STONE_FIELDS)],
)
def test_the_table_of_values_is_that_of_the_program(game, fields):
    expected = [[f.name, f.cap, f.meaning] for f in fields]
    assert rows("rulesets.md", f"values of {game}") == expected


def test_every_shipped_ruleset_is_named():
    for game in GAMES:
        for name in load_game(game).shipped_rulesets():
            assert f"`{name}`" in page("README.md")


@pytest.mark.parametrize("name", NAMES)
def test_options_in_the_text_exist(name):
    known = {"--help"}
    for command in lumis_fast_cli.COMMANDS:
        found = lumis_fast_cli.main.get_command(click.Context(lumis_fast_cli.main), command)
        known |= {option for parameter in found.params for option in parameter.opts}
    named = set(re.findall(r"`(?:lumis-fast \w+ )?(--?[a-z][a-z-]*)[^`]*`", page(name)))
    assert named - known - {"-m", "-s"} == set()  # these two are pytest's


@pytest.mark.parametrize("name", NAMES)
def test_links_resolve(name):
    folder = ROOT if name == "README.md" else ROOT / "docs"
    text = _BLOCK.sub("", page(name))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not target.startswith("https://"):
            assert (folder / target.partition("#")[0]).is_file(), target
    named = re.findall(r"`((?:bench|cli|docs|lumis_fast|tests|\.ci)/[\w/.-]+)`", text)
    assert all((ROOT / path).exists() for path in named), named


def test_the_map_of_files_is_complete():
    """docs/architecture.md names every module of the library, and none that is not there."""
    layers = page("architecture.md").partition("## Layers\n\n")[2].partition("\n\n")[0]
    games = {ROOT / "lumis_fast/games" / game.replace("-", "_") for game in GAMES}
    modules = {
        path.name
        for path in (ROOT / "lumis_fast").rglob("*.py")
        if path.parent.parent.name != "games" or path.parent in games
    }
    assert set(re.findall(r"\w+\.py", layers)) == modules


def test_the_pictures_are_made_from_a_run(folder):
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "docs" / "pictures.py")
    pictures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pictures)
    plan = plan_run("lumis", ["greedy", "random"], 2, records=True)
    run = simulate(plan, "run", command=["lumis-fast", "simulate", "lumis"])
    pictures.main(["run", "--game", "1", "--to", "."])
    board, table = (Path(name).read_text() for name in ("lumis.svg", "table.svg"))
    assert run == Path("run")
    assert 'class="space' in board
    assert "greedy" in table and "@font-face" not in table and "https://" not in board
    for name in ("lumis.svg", "table.svg"):
        assert (ROOT / "docs" / name).read_text().startswith("<svg")
