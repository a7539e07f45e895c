"""Runs of the real game: the same bytes whatever happens, and records that replay."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from coin import data_files

import lumis_fast_cli
from lumis_fast.core.record import read_records
from lumis_fast.runs.plan import plan_run
from lumis_fast.runs.run import simulate
from lumis_fast.runs.summary import summarize

PLAYERS = ("mcts:20", "greedy")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(lumis_fast_cli.main, list(arguments))


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """Eight games, four deals with both seat rotations, played without a break by one thread."""
    plan = plan_run("lumis", PLAYERS, 8, seed=5, swap_seats=True, records=True)
    return simulate(plan, tmp_path_factory.mktemp("whole") / "run", jobs=1)


def test_three_threads_make_the_same_files(whole, tmp_path):
    plan = plan_run("lumis", PLAYERS, 8, seed=5, swap_seats=True, records=True)
    assert data_files(simulate(plan, tmp_path / "run", jobs=3)) == data_files(whole)
    assert set(data_files(whole)) == {"games.parquet", "records.jsonl.zst"}


@pytest.mark.parametrize("parts", [1, 3])
def test_killed_and_begun_again_it_makes_the_same_files(whole, tmp_path, parts):
    command = [sys.executable, "-m", "lumis_fast_cli", "simulate", "lumis"]
    command += ["-p", PLAYERS[0], "-p", PLAYERS[1], "--games", "8", "--seed", "5"]
    command += ["--swap-seats", "--records", "--out", str(tmp_path / "run"), "--jobs"]
    # From another directory, or Python would take the library from the checkout, compiled anew.
    there = {"cwd": tmp_path, "stdout": subprocess.PIPE}
    process = subprocess.Popen([*command, "2"], stderr=subprocess.PIPE, **there)
    deadline = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < deadline:
        if len(list((tmp_path / "run").glob("parts/*.parquet"))) >= parts:
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.002)
    process.communicate(timeout=60)
    subprocess.run([*command, "1"], check=True, timeout=300, **there)
    assert data_files(tmp_path / "run") == data_files(whole)


@pytest.mark.bounds
def test_rows_and_records_tell_the_same_games(whole):
    rows = pq.read_table(whole / "games.parquet").to_pylist()
    records = [record for _, record in read_records(whole / "records.jsonl.zst")]
    assert [row["index"] for row in rows] == list(range(8))
    for row, record in zip(rows, records, strict=True):
        assert record["index"] == row["index"]
        assert record["seats"] == [row["player_seat0"], row["player_seat1"]]
        assert record["outcome"]["reason"] == row["reason"]
        assert record["outcome"]["returns"] == [row["return_seat0"], row["return_seat1"]]
        played = [step["action"] for step in record["steps"]]
        for action in ("draw", "tower", "base", "connect", "skip"):
            assert row[f"moves_{action}"] == played.count(action)
        searcher = record["seats"].index("mcts:20")
        assert row[f"iterations_seat{searcher}"] > 0
        assert row[f"iterations_seat{1 - searcher}"] == 0


def test_both_rotations_of_a_deal_have_the_same_cards(whole):
    records = [record for _, record in read_records(whole / "records.jsonl.zst")]
    for first, second in zip(records[::2], records[1::2], strict=True):
        assert first["setup"] == second["setup"]
        assert first["seats"] == second["seats"][::-1]
    assert records[0]["setup"] != records[2]["setup"]


def test_the_summary_adds_up(whole):
    summary = summarize(whole)
    assert sum(player["score"]["mean"] for player in summary["players"]) == pytest.approx(1)
    assert sum(one["games"] for one in summary["reasons"].values()) == 8
    rows = pq.read_table(whole / "games.parquet").to_pylist()
    assert summary["turns"]["mean"] == sum(row["turns"] for row in rows) / 8


def test_records_of_a_run_replay_on_the_command_line(whole, tmp_path):
    file = str(whole / "records.jsonl.zst")
    everything = run("replay", file)
    assert everything.exit_code == 0, everything.stderr
    assert "8 games keep to the rules" in everything.stdout
    first = next(record for _, record in read_records(file))
    shown = run("replay", file, "--game", "0", "--step", "1", "--svg", str(tmp_path / "b.svg"))
    assert shown.exit_code == 0, shown.stderr
    assert f"after 1 of {len(first['steps'])} steps" in shown.stdout
    assert (tmp_path / "b.svg").read_text().lstrip().startswith(("<svg", "<?xml"))


def test_a_record_that_breaks_a_rule_is_found(whole, tmp_path):
    record = next(record for _, record in read_records(whole / "records.jsonl.zst"))
    record["steps"][2]["seat"] = 1 - record["steps"][2]["seat"]
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps(record) + "\n")
    result = run("replay", str(bad))
    assert result.exit_code == 2 and "line 1" in result.stderr and "step 3" in result.stderr


def test_playouts_count_their_moves_and_ends():
    result = run("playouts", "lumis", "--count", "300", "--jobs", "2", "--json")
    assert result.exit_code == 0, result.stderr
    measured = json.loads(result.stdout)
    assert measured["playouts"] == sum(measured["reasons"].values()) == 300
    assert measured["moves"] == measured["turns"] > 300


def test_doctor_finds_the_installation_healthy():
    result = run("doctor", "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["self_test"]["lumis"]["passed"] is True
