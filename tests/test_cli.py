"""The command line: what it prints where, exit codes, and one sentence for whatever is wrong."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
import tomllib
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from coin import CoinMatch, coin_plan, data_files, install

import lumis_fast_cli
from lumis_fast import __version__
from lumis_fast.core.record import read_records, write_records
from lumis_fast.games import GAMES, load_game

HERE = Path(__file__).parent
ROOT = HERE.parent


@pytest.fixture
def coin(monkeypatch, tmp_path):
    """Only the coin is a game, and the current directory is empty."""
    install(monkeypatch.setattr, monkeypatch.setitem)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(lumis_fast_cli.main, list(arguments))


def files(directory: Path) -> list[str]:
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*"))


# -- the command itself --------------------------------------------------------------------------


def test_help_imports_click_and_nothing_heavier():
    script = (
        "import sys; from lumis_fast_cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit as end: assert end.code == 0\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "Commands:" in out.stdout and "simulate" in out.stdout
    imported = out.stdout.splitlines()[-1]
    for heavy in ("numpy", "numba", "pyarrow", "scipy", "rich", "zstandard", "filelock", "asyncio"):
        assert f"'{heavy}'" not in imported
    assert "'click'" in imported


def test_the_one_line_help_is_that_of_the_command():
    for name, line in lumis_fast_cli.COMMANDS.items():
        command = import_module(f"lumis_fast_cli.{name}").command
        assert command.name == name
        assert command.help.splitlines()[0] == line


def test_version():
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"lumis-fast {__version__}\n")


def test_every_package_is_in_the_distribution():
    """Setuptools takes the list as it stands: a folder that is not in it is not installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed = set(project["tool"]["setuptools"]["packages"])
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in (ROOT / "lumis_fast").rglob("__init__.py")
    }
    assert listed == found | {"lumis_fast_cli"}
    data = project["tool"]["setuptools"]["package-data"]
    with_rules = {path.parent.name for path in (ROOT / "lumis_fast/games").glob("*/rulesets")}
    assert {name for name in data if "games" in name} == {
        f"lumis_fast.games.{game}" for game in with_rules
    }


# -- bad input -----------------------------------------------------------------------------------

TWO = ("-p", "greedy", "-p", "random")


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("simulat",), "there is no command 'simulat': did you mean 'simulate'?"),
        (("simulate",), "Missing argument 'GAME'"),
        (("simulate", "coin"), "Missing option '-p'"),
        (("simulate", "con", *TWO), "no game is called 'con'; did you mean 'coin'?"),
        (("simulate", "coin", *TWO, "--gmes", "4"), "No such option '--gmes'"),
        (("simulate", "coin", *TWO, "--games", "many"), "'many' is not a valid integer"),
        (("simulate", "coin", *TWO, "--games", "0"), "0 games are not possible, expected 1 to"),
        (("simulate", "coin", *TWO, "--games", "-3"), "expected 1 to 1000000000"),
        (("simulate", "coin", *TWO, "--seed", "-1"), "seed -1 is not possible, expected 0 to"),
        (("simulate", "coin", *TWO, "--jobs", "0"), "0 jobs are not possible, expected 1 to"),
        (("simulate", "coin", "-p", "random"), "coin is for 2 or 4 players, 1 given"),
        (("simulate", "coin", "-p", "gredy", "-p", "random"), "did you mean 'greedy'?"),
        (("simulate", "coin", "-p", "mcts:d=3", "-p", "random"), "has no option 'd'"),
        (("simulate", "coin", "-p", "nobots:X", "-p", "random"), "no module 'nobots'"),
        (("simulate", "coin", *TWO, "--set", "side=3"), "did you mean 'sides'?"),
        (("simulate", "coin", *TWO, "--set", "sides"), "expected name=value"),
        (("simulate", "coin", *TWO, "--swap-seats", "--games", "5"), "a multiple of 2, such as 4"),
        (("playouts", "coin", "--count", "0"), "0 playouts are not possible"),
        (("playouts", "coin", "--policy", "gredy"), "did you mean 'greedy'?"),
        (("playouts", "coin", "--seats", "3"), "coin is for 2 or 4 players, 3 asked for"),
        (("replay", "none.jsonl"), "none.jsonl cannot be read (No such file or directory)"),
        (("rules", "coi"), "did you mean 'coin'?"),
        (("warm", "coi"), "did you mean 'coin'?"),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(coin, arguments, said):
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr
    assert result.stderr.startswith("Error: ") and result.stderr.count("\n") == 1
    assert files(coin) == []


def test_a_directory_with_other_files_is_left_alone(coin):
    (coin / "notes").mkdir()
    (coin / "notes" / "a.txt").write_text("mine")
    result = run("simulate", "coin", *TWO, "--out", "notes")
    assert result.exit_code == 2 and "holds files but no run (a.txt)" in result.stderr
    assert files(coin) == ["notes", "notes/a.txt"]


@pytest.mark.parametrize(
    "command, words, said",
    [
        ("simulate", "-p greedy", "lumina-spell is for 2, 3 or 4 players, 1 given"),
        ("simulate", "-p greedy " * 5, "lumina-spell is for 2, 3 or 4 players, 5 given"),
        ("simulate", "-p greedy " * 3 + "--swap-seats -n 20", "a multiple of 3, such as 21"),
        ("simulate", "--ruleset three-colors", "did you mean 'three-colours'?"),
        ("simulate", "--ruleset areas-25", "choices: standard, three-colours, or a path"),
        ("simulate", "--ruleset mine.toml", "mine.toml: cannot be read (No such file"),
        ("simulate", "--set side=6", "an even side 6 has no centre cell; expected 5, 7 or 9"),
        ("simulate", "--set side=9", "expected 80 tiles, for example with side 7"),
        ("simulate", "--set colours=3", "expected 48 tiles, for example with numbers 8"),
        ("rules", "--set colours=7", "from 2 to 6, not 7; the nearest is 6"),
        ("rules", "--set copies=many", "from 1 to 8, not the text 'many'"),
        ("rules", "--set thresholds=15", "expected a list of 3 numbers"),
        ("rules", "--set thresholds=[15,12]", "expected 3 numbers, for 2, 3 and 4 players, not 2"),
        ("rules", "--set points=[1,2]", "expected 18 points, one for each card, not 2"),
        ("rules", "--set deck=[1,2,3]", "expected 5 to 54 cards, not 3; the nearest length is 5"),
        ("rules", "--set deck=[1,2,3,4,19]", "entry 5: expected a whole number from 1 to 18"),
        ("rules", "--set rainbow_numbers=[1,2]", "expected 5 to 8 numbers, not 2"),
        ("rules", "--set card18_sum=35", "card 18 (3 that sum to 35, three colours) can never"),
        ("rules", "--set rainbow_number_wild=maybe", "expected true or false, not the text"),
        ("rules", "--set rainbow_wild=true", "did you mean 'rainbow_number_wild'?"),
        ("rules", "--set hand_limit=3", "unknown value 'hand_limit', choices: card18_sum"),
        ("playouts", "--seats 5", "lumina-spell is for 2, 3 or 4 players, 5 asked for"),
        ("playouts", "--policy mcts", "there is no policy 'mcts'"),
        ("playouts", "--set max_turns=0", "expected a whole number from 1 to 10000, not 0"),
    ],
)
def test_bad_input_for_lumina_spell_is_one_sentence(tmp_path, monkeypatch, command, words, said):
    monkeypatch.chdir(tmp_path)
    players = () if command != "simulate" or "-p" in words else TWO
    result = run(command, "lumina-spell", *players, *words.split())
    assert result.exit_code == 2 and result.stdout == ""
    assert said in result.stderr
    assert result.stderr.startswith("Error: ") and result.stderr.count("\n") == 1
    assert files(tmp_path) == []


@pytest.mark.parametrize("name", ["lumina", "lumina_spell", "Lumina-Spell", "lumnia-spell"])
def test_a_game_that_is_nearly_named_is_found(name):
    result = run("warm", name)
    assert result.exit_code == 2 and "did you mean 'lumina-spell'?" in result.stderr


@pytest.mark.parametrize(
    "content, spec, said",
    [
        ("1 / 0\n", "bots_of_mine:A", "cannot be imported: ZeroDivisionError"),
        ("class A:\n  pass\n", "bots_of_mine:A", "has no method 'choose'"),
        ("class A:\n  choose = print\n", "bots_of_mine:A:depth=2", "does not fit its __init__"),
    ],
)
def test_a_class_that_cannot_play_is_refused_before_anything_is_written(
    coin, monkeypatch, content, spec, said
):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "bots_of_mine", raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (coin / "bots_of_mine.py").write_text(content)
    result = run("simulate", "coin", "-p", spec, "-p", "random")
    monkeypatch.delitem(sys.modules, "bots_of_mine", raising=False)
    assert result.exit_code == 2 and said in result.stderr
    assert result.stderr.startswith("Error: ") and result.stderr.count("\n") == 1
    assert files(coin) == ["bots_of_mine.py"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", "lumis", "-p", "random", "-p", "random", "--games", "1"),
        ("simulate", "lumina-spell", "-p", "random", "-p", "random", "--games", "1"),
        ("playouts", "lumis", "--count", "1"),
        ("warm", "lumis"),
        ("doctor",),
    ],
)
def test_a_place_for_compiled_code_that_cannot_be_written_is_bad_input(tmp_path, arguments):
    (tmp_path / "file").write_text("")
    out = subprocess.run(
        [sys.executable, "-m", "lumis_fast_cli", *arguments],
        cwd=tmp_path,
        env={**os.environ, "LUMIS_FAST_CACHE_DIR": str(tmp_path / "file")},
        capture_output=True,
        text=True,
    )
    assert out.returncode == 2 and out.stdout == ""
    assert "cannot be written (Not a directory); set LUMIS_FAST_CACHE_DIR" in out.stderr
    assert "Traceback" not in out.stderr
    assert files(tmp_path) == ["file"]


def test_text_from_a_foreign_file_cannot_steer_the_terminal(coin):
    (coin / "\x1b[31mred.jsonl").write_text("no record")
    result = run("replay", "\x1b[31mred.jsonl")
    assert result.exit_code == 2 and "\x1b" not in result.stderr


# -- simulate ------------------------------------------------------------------------------------


def test_simulate_shows_the_table_and_finds_its_own_run_again(coin):
    arguments = ("simulate", "coin", *TWO, "--games", "14", "--set", "sides=3", "--records")
    first = run(*arguments)
    assert first.exit_code == 0, first.stderr
    for part in ("14 games", "greedy", "random", "won 85.7 % (12)", "drawn 14.3 % (2)", "6 (42.9"):
        assert part in first.stdout
    (directory,) = (coin / "results" / "runs").iterdir()
    assert directory.name.startswith("coin-") and len(directory.name) == len("coin-") + 12
    before = {path: path.stat().st_mtime_ns for path in directory.iterdir()}
    assert run(*arguments).stdout == first.stdout
    assert {path: path.stat().st_mtime_ns for path in directory.iterdir()} == before
    manifest = json.loads((directory / "manifest.json").read_text())
    assert manifest["ruleset"]["changes"] == {"sides": 3}


def test_json_is_all_that_stands_on_stdout(coin):
    result = run("simulate", "coin", *TWO, "--games", "14", "--out", "here", "--json")
    summary = json.loads(result.stdout)
    assert summary["directory"] == "here"
    assert summary["players"][0]["player"] == "greedy"
    # Of deals 0 to 13, 2, 4, 6, 8, 10 and 12 are won by seat 0; 0 and 7 are drawn.
    assert summary["players"][0]["wins"]["count"] == 6
    assert summary["players"][0]["score"]["mean"] == 0.5
    assert summary["reasons"]["drawn"]["games"] == 2


def test_a_pipe_gets_no_colours(coin):
    script = f"import sys; sys.path.insert(0, {str(HERE)!r})\nimport coin; coin.install()\n"
    script += "from lumis_fast_cli import main; main()"
    command = [sys.executable, "-c", script, "simulate", "coin", *TWO, "--games", "4"]
    out = subprocess.run(command, capture_output=True, check=True, cwd=coin)
    assert b"4 games" in out.stdout and b"\x1b" not in out.stdout
    assert out.stderr == b""


@pytest.mark.parametrize("no_colour", [False, True])
def test_a_terminal_gets_colours_unless_they_are_not_wanted(coin, no_colour):
    script = f"import sys; sys.path.insert(0, {str(HERE)!r})\nimport coin; coin.install()\n"
    script += "from lumis_fast_cli import main; main()"
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    environment.pop("NO_COLOR", None)
    if no_colour:
        environment["NO_COLOR"] = "1"
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", script, "rules", "coin"]
    process = subprocess.Popen(command, stdout=theirs, cwd=coin, env=environment)
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # how a terminal ends on Linux
            piece = b""
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert process.wait(30) == 0
    assert b"sides" in shown
    assert (b"\x1b[1;32m" in shown) is not no_colour


SLOW = """
import signal
import sys
# A process begun in the background of a shell script has Ctrl-C switched off.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {here!r})
import coin
coin.install()
coin.CoinMatch.delay = 0.1
from lumis_fast_cli import main
main()
"""


def test_ctrl_c_keeps_what_is_finished_and_the_same_command_goes_on(coin):
    arguments = ["simulate", "coin", "-p", "mcts:2000", "-p", "mcts:2000", "--games", "60"]
    arguments += ["--records", "--out", "run"]
    slow = [sys.executable, "-c", SLOW.format(here=str(HERE)), *arguments]
    process = subprocess.Popen(slow, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while len(list((coin / "run").glob("parts/*.parquet"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == ""
    kept = len(list((coin / "run" / "parts").glob("*.parquet")))
    assert 3 <= kept < 60
    assert f"Stopped; {kept} of 60 games are kept in run" in errors
    assert "same command goes on" in errors and "Traceback" not in errors
    resumed = run(*arguments)
    assert resumed.exit_code == 0 and f"{kept} of 60 games" in resumed.stderr
    assert run(*arguments[:-1], "whole").exit_code == 0
    assert data_files(coin / "run") == data_files(coin / "whole")
    assert set(data_files(coin / "run")) == {"games.parquet", "records.jsonl.zst"}


# -- the others ----------------------------------------------------------------------------------


def test_playouts_counts_whole_games(coin):
    measured = json.loads(
        run("playouts", "coin", "--count", "4500", "--jobs", "2", "--json").stdout
    )
    assert (measured["playouts"], measured["moves"]) == (4500, 18_000)
    assert measured["reasons"] == {"won": 4500, "drawn": 0}
    assert measured["total"]["moves_per_second"] == pytest.approx(
        4 * measured["total"]["playouts_per_second"]
    )
    shown = run("playouts", "coin", "--count", "10").stdout
    assert "per core" in shown and "playouts/s" in shown and "won 100.0 %" in shown
    assert files(coin) == []


def test_rules_shows_values_by_source(coin):
    shown = run("rules", "coin").stdout
    assert "rule: stands in the rulebook" in shown and "sides of a coin" in shown
    plain = json.loads(run("rules", "coin", "--set", "sides=4", "--json").stdout)
    assert plain["values"]["sides"]["value"] == 4
    assert plain["changes"] == {"sides": 4}
    assert plain["digest"] == "0" * 63 + "4"


def test_players_lists_every_option():
    shown = run("players").stdout
    for word in ("random", "greedy", "flat", "mcts", "iterations", "policy", "module:Class"):
        assert word in shown
    plain = json.loads(run("players", "--json").stdout)
    assert plain["mcts"]["options"]["iterations"]["default"] == 1000


def test_warm_says_what_it_does_and_where(coin):
    result = run("warm")
    assert "compiling coin" in result.stderr and "coin is ready" in result.stdout


def test_doctor_compares_one_thread_with_two(coin):
    result = run("doctor", "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 0
    assert found["self_test"]["coin"]["passed"] is True
    assert found["versions"]["lumis-fast"] == __version__
    assert found["cores"]["usable"] >= 1
    assert "one thread and in two" in run("doctor").stdout


def test_doctor_fails_where_threads_make_a_difference(coin, monkeypatch):
    play, calls = CoinMatch.play, []

    def play_by_turn(self, first, count, records, stop):
        calls.append(first)
        chunk = play(self, first, count, records, stop)
        chunk.results["turns"] = len(calls)
        return chunk

    monkeypatch.setattr(CoinMatch, "play", play_by_turn)
    result = run("doctor")
    assert result.exit_code == 1 and "differ between one thread and two" in result.stdout


# -- every game ----------------------------------------------------------------------------------

EVERY_GAME = [(name, seats) for name in GAMES for seats in load_game(name).seats]


@pytest.fixture(scope="module", params=EVERY_GAME, ids=lambda param: f"{param[0]}-{param[1]}")
def played(request, tmp_path_factory) -> tuple[str, int, Path]:
    """A game's name, its seats, and a finished run of it with records."""
    name, seats = request.param
    directory = tmp_path_factory.mktemp("played") / "run"
    players = ["-p", "greedy"] + ["-p", "random"] * (seats - 1)
    arguments = ["--games", str(2 * seats), "--swap-seats", "--records", "--out", str(directory)]
    result = run("simulate", name, *players, *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert summary["games"] == 2 * seats
    assert sum(reason["games"] for reason in summary["reasons"].values()) == 2 * seats
    return name, seats, directory


def test_records_of_every_game_replay(played):
    name, seats, directory = played
    result = run("replay", str(directory / "records.jsonl.zst"))
    assert result.exit_code == 0, result.stderr
    assert f"{2 * seats} games keep to the rules" in result.stdout
    records = [record for _, record in read_records(directory / "records.jsonl.zst")]
    assert [len(record["seats"]) for record in records] == [seats] * 2 * seats
    # A turn is a step, also where it is played in parts.
    assert not any("more" in step for record in records for step in record["steps"])


def test_replay_of_every_game_tells_and_marks_a_step(played):
    name, seats, directory = played
    file, game = str(directory / "records.jsonl.zst"), load_game(name)
    (record, *_) = [record for _, record in read_records(file)]
    positions = [position for _, position in game.replay(record)]
    marked = 0
    for number in (0, 1, len(record["steps"]) // 2, len(record["steps"])):
        svg = str(directory / "board.svg")
        options = ("--game", "0", "--step", str(number))
        result = run("replay", file, *options, "--svg", svg)
        assert result.exit_code == 0, result.stderr
        told = [line for line in result.stdout.splitlines() if line.startswith("seat ")]
        step = record["steps"][number - 1] if number else None
        spaces = game.highlight(step, positions[number]) if step else []
        assert bool(told) == bool(step)
        if step:
            assert f"seat {step['seat']}: {step['action'].split('_')[0]}" in told[0]
        assert Path(svg).read_text().count('class="highlight"') == len(spaces)
        assert json.loads(run("replay", file, *options, "--json").stdout)["position"]
        marked += len(spaces)
    assert marked > 0


@pytest.mark.parametrize(
    "name, ruleset",
    [(name, ruleset) for name in GAMES for ruleset in load_game(name).shipped_rulesets()],
)
def test_rules_of_every_game_show_every_value(name, ruleset):
    shown = run("rules", name, "--ruleset", ruleset)
    values = load_game(name).load_ruleset(ruleset).values
    assert shown.exit_code == 0 and f"{name}, ruleset {ruleset} " in shown.stdout
    named = [line.split()[0] for line in shown.stdout.splitlines() if line[:2] == "  "]
    assert set(values) <= set(named)
    plain = json.loads(run("rules", name, "--ruleset", ruleset, "--json").stdout)
    assert {key: value["value"] for key, value in plain["values"].items()} == values


@pytest.mark.parametrize(("name", "seats"), EVERY_GAME)
def test_playouts_of_every_game(name, seats):
    options = ("--count", "12", "--seats", str(seats), "--jobs", "1", "--json")
    measured = json.loads(run("playouts", name, *options).stdout)
    assert measured["playouts"] == 12 and measured["seats"] == seats
    assert sum(measured["reasons"].values()) == 12
    assert measured["turns"] <= measured["moves"]


def test_lumina_spell_by_a_ruleset_of_ones_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.toml").write_text(
        'game = "lumina-spell"\nbase = "standard"\n'
        '[side]\nvalue = 5\nsource = "assumed"\n[copies]\nvalue = 1\nsource = "assumed"\n'
    )
    options = ("--ruleset", "tiny.toml", "--set", "rainbow_number_wild=true")
    result = run("simulate", "lumina-spell", *TWO, "-n", "4", *options, "--records", "--out", "r")
    assert result.exit_code == 0 and "4 games" in result.stdout
    assert run("replay", "r/records.jsonl.zst", "--ruleset", "tiny.toml").exit_code == 0
    wrong = run("replay", "r/records.jsonl.zst", "--ruleset", "standard")
    assert (
        wrong.exit_code == 2 and "expected the ruleset file that it was made with" in wrong.stderr
    )


def test_a_step_of_lumina_spell_that_breaks_a_rule_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert (
        run("simulate", "lumina-spell", *TWO, "-n", "1", "--records", "--out", "r").exit_code == 0
    )
    ((_, record),) = read_records("r/records.jsonl.zst")
    record["steps"][2]["take"] = 7
    write_records(tmp_path / "bad.jsonl", [record])
    result = run("replay", "bad.jsonl")
    assert result.exit_code == 2 and result.stdout == ""
    assert "bad.jsonl, line 1: step 3: 'push side " in result.stderr
    assert "take 7' is not legal here; expected a legal move" in result.stderr


# -- replay --------------------------------------------------------------------------------------


@pytest.fixture
def records(coin) -> list[dict]:
    plan = coin_plan(6)
    match = CoinMatch(plan.game, plan.ruleset, list(plan.players), 3, False)
    made = match.play(0, 6, True, np.zeros(1, np.uint8)).records
    write_records(coin / "games.jsonl.zst", made)
    return made


def test_replay_checks_every_game_and_shows_the_last(records):
    result = run("replay", "games.jsonl.zst")
    assert result.exit_code == 0
    assert "6 games keep to the rules; ended by won 5, drawn 1" in result.stdout
    # Deal 5 takes three turns.
    assert "after 3 of 3 steps" in result.stdout and "\nooo\n" in result.stdout


def test_replay_shows_a_game_at_a_step(records):
    shown = run("replay", "games.jsonl.zst", "--game", "4", "--step", "2").stdout
    assert "game 4 of seed 3, greedy against mcts:2000, after 2 of 7 steps" in shown
    assert "seat 1: toss" in shown and "\noo\n" in shown
    plain = json.loads(run("replay", "games.jsonl.zst", "--game", "4", "--json").stdout)
    assert plain["position"] == {"game": "coin", "tosses": 7} and plain["checked"] == 1


def test_replay_draws_to_a_file(records, coin):
    assert run("replay", "games.jsonl.zst", "--step", "0", "--svg", "b.svg").exit_code == 0
    assert (coin / "b.svg").read_text() == "<svg><!-- 0 tosses, none marked --></svg>"
    result = run("replay", "games.jsonl.zst", "--svg", "none/b.svg")
    assert result.exit_code == 2 and "cannot be written (No such file" in result.stderr
    (coin / "folder").mkdir()
    result = run("replay", "games.jsonl.zst", "--svg", "folder")
    assert result.exit_code == 2 and "cannot be written (Is a directory)" in result.stderr
    assert files(coin) == ["b.svg", "folder", "games.jsonl.zst"]


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("--game", "6"), "holds no game with index 6, expected one of the 6 from 0 to 5"),
        (("--game", "0", "--step", "4"), "line 1: there is no step 4, expected 0 to 3"),
        (("--game", "0", "--step", "-1"), "there is no step -1, expected 0 to 3"),
    ],
)
def test_replay_of_what_is_not_there_is_bad_input(records, arguments, said):
    result = run("replay", "games.jsonl.zst", *arguments)
    assert result.exit_code == 2 and said in result.stderr and result.stdout == ""


def test_replay_names_the_only_game_there_is(records, coin):
    write_records(coin / "one.jsonl", records[3:4])
    result = run("replay", "one.jsonl", "--game", "0")
    assert result.exit_code == 2 and "no game with index 0, expected 3, the only" in result.stderr


def test_replay_names_the_step_that_breaks_a_rule(records, coin):
    records[3]["steps"][1]["action"] = "swallow"
    write_records(coin / "bad.jsonl", records)
    result = run("replay", "bad.jsonl")
    assert result.exit_code == 2
    assert "bad.jsonl, line 4: step 2: nobody can swallow here, expected toss" in result.stderr
