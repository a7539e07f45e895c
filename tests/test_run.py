"""Runs: chunks, resuming after a kill at any moment, the directory's protection, the summary."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import scipy.stats
from coin import COIN, CoinMatch, CoinRules, coin_plan, data_files, install
from filelock import FileLock

from lumis_fast.core.record import read_records
from lumis_fast.errors import InputError
from lumis_fast.players.spec import parse_spec
from lumis_fast.runs import storage
from lumis_fast.runs.plan import RunPlan
from lumis_fast.runs.run import RunFailed, RunStopped, in_chunks, simulate
from lumis_fast.runs.summary import summarize

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def only_the_coin(monkeypatch):
    install(monkeypatch.setattr, monkeypatch.setitem)


def play(plan: RunPlan, directory: Path, **options) -> Path:
    return simulate(plan, directory, make_match=CoinMatch, **options)


# -- plans ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("games, players, swap", [(1, 2, False), (10, 2, True), (1000, 4, True)])
def test_chunks_cover_all_games_once_in_whole_deals(games, players, swap):
    plan = coin_plan(games, players, swap_seats=swap)
    covered = [
        index
        for number in range(plan.chunks)
        for index in range(plan.chunk(number)[0], sum(plan.chunk(number)))
    ]
    assert covered == list(range(games))
    assert all(plan.chunk(number)[0] % plan.rotations == 0 for number in range(plan.chunks))


def test_fast_games_come_in_large_chunks_and_slow_ones_in_small():
    def chunk_games(player: str, games: int, records: bool = False) -> int:
        specs = (parse_spec(player), parse_spec(player))
        return RunPlan(COIN, CoinRules({}), specs, games, 0, False, records).chunk_games

    assert chunk_games("random", 10) >= 10
    assert chunk_games("random", 1_000_000) > 1000
    assert chunk_games("random", 1_000_000, records=True) <= 256
    assert chunk_games("mcts:4000", 1000) == 1
    assert chunk_games("mcts:ms=50", 1000) == 1


@pytest.mark.parametrize(
    "change", [{"seed": 4}, {"swap_seats": True}, {"records": False}, {"games": 12}]
)
def test_whatever_changes_the_data_changes_the_default_directory(change):
    games = change.get("games", 10)
    others = {key: value for key, value in change.items() if key != "games"}
    changed = coin_plan(games, **others)
    assert changed.default_directory != coin_plan(10).default_directory
    assert coin_plan(10).default_directory == coin_plan(10).default_directory
    assert coin_plan(10).default_directory.parent == Path("results/runs")


# -- data ----------------------------------------------------------------------------------------


def test_one_row_a_game_with_the_players_on_their_seats(tmp_path):
    table = pq.read_table(play(coin_plan(20, swap_seats=True), tmp_path / "run") / "games.parquet")
    rows = table.to_pylist()
    assert [row["index"] for row in rows] == list(range(20))
    assert [row["deal"] for row in rows[:4]] == [0, 0, 1, 1]
    assert [row["player_seat0"] for row in rows[:2]] == ["greedy", "mcts:2000"]
    assert [row["player_seat1"] for row in rows[:2]] == ["mcts:2000", "greedy"]
    # Deal 1: seat 1 wins in both rotations, in 4 turns; deal 7 is drawn.
    assert [(row["return_seat0"], row["return_seat1"]) for row in rows[2:4]] == [(0, 1), (0, 1)]
    assert rows[2]["turns"] == 4 and rows[2]["moves_toss"] == 3 and rows[2]["moves_catch"] == 1
    assert rows[14]["return_seat0"] == 0.5 and rows[14]["reason"] == "drawn"
    assert [row["iterations_seat0"] for row in rows[2:4]] == [4, 8]


def test_one_record_a_game_in_order(tmp_path):
    directory = play(coin_plan(30), tmp_path / "run", jobs=2)
    records = [record for _, record in read_records(directory / "records.jsonl.zst")]
    assert [record["index"] for record in records] == list(range(30))
    assert records[8]["outcome"]["returns"] == [1, 0]


def test_without_records_there_is_no_record_file(tmp_path):
    directory = play(coin_plan(5, records=False), tmp_path / "run")
    assert {path.name for path in directory.iterdir()} == {
        ".lock",
        "games.parquet",
        "manifest.json",
        "timing.json",
    }


def test_the_manifest_says_what_was_played(tmp_path):
    directory = play(coin_plan(5), tmp_path / "run", command=["lumis-fast", "simulate", "coin"])
    manifest = json.loads((directory / "manifest.json").read_text())
    assert manifest["finished"] is True
    assert manifest["identity"]["players"] == ["greedy", "mcts:2000"]
    assert manifest["identity"]["seed"] == 3
    assert manifest["ruleset"] == {
        "name": "standard",
        "digest": "0" * 63 + "2",
        "changes": {},
        "values": {"sides": 2},
    }
    assert manifest["command"] == ["lumis-fast", "simulate", "coin"]
    assert manifest["reproducible"] is True
    assert manifest["machine"]["cores"] >= 1
    assert {"lumis-fast", "python", "numpy", "numba"} <= set(manifest["versions"])


def test_row_groups_are_filled_across_chunks(tmp_path, monkeypatch):
    monkeypatch.setattr(storage, "ROW_GROUP", 12)
    directory = play(coin_plan(30, swap_seats=True), tmp_path / "run")
    with pq.ParquetFile(directory / "games.parquet") as file:
        sizes = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]
        assert file.read().column("index").to_pylist() == list(range(30))
    assert sizes == [12, 12, 6]
    assert summarize(directory)["players"][0]["games"] == 30


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_the_number_of_jobs_changes_nothing(tmp_path, jobs):
    one = play(coin_plan(40, 4, swap_seats=True), tmp_path / "one", jobs=1)
    many = play(coin_plan(40, 4, swap_seats=True), tmp_path / "many", jobs=jobs)
    assert data_files(one) == data_files(many)
    assert set(data_files(one)) == {"games.parquet", "records.jsonl.zst"}


# -- stopping and going on -----------------------------------------------------------------------

KILLED_RUN = """
import itertools, os, shutil, signal, sys
sys.path.insert(0, {here!r})
from coin import CoinMatch, coin_plan, install
from lumis_fast.runs.run import simulate

install()

directory, jobs, kill_at, when = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
replace, rmtree, calls = os.replace, shutil.rmtree, itertools.count(1)

def dying_replace(*arguments):
    call = next(calls)  # one number a call, whichever thread it comes from
    if call == kill_at and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    replace(*arguments)
    if call == kill_at and when == "after":
        os.kill(os.getpid(), signal.SIGKILL)

def dying_rmtree(path):
    if when == "clearing":
        os.remove(sorted(os.scandir(path), key=lambda entry: entry.name)[0])
        os.kill(os.getpid(), signal.SIGKILL)
    rmtree(path)

os.replace, shutil.rmtree = dying_replace, dying_rmtree
simulate(coin_plan(24, swap_seats=True), directory, jobs=jobs, make_match=CoinMatch)
"""


def killed_run(directory: Path, jobs: int, kill_at: int, when: str) -> int:
    script = KILLED_RUN.format(here=str(HERE))
    return subprocess.run(
        [sys.executable, "-c", script, str(directory), str(jobs), str(kill_at), when], timeout=60
    ).returncode


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> dict[str, bytes]:
    return data_files(
        play(coin_plan(24, swap_seats=True), tmp_path_factory.mktemp("whole") / "run", jobs=1)
    )


@pytest.mark.parametrize("when, kill_at", [("before", 4), ("after", 5)])
def test_killed_again_and_again_it_ends_with_the_same_bytes(tmp_path, undisturbed, when, kill_at):
    """Each time the process dies at its fourth or fifth file, in the parts as in the final files.

    Of the 12 chunks a life finishes at least one.
    """
    codes = []
    while not codes or codes[-1] == -signal.SIGKILL:
        codes.append(killed_run(tmp_path / "run", 1 + len(codes) % 3, kill_at, when))
        assert len(codes) < 40
    assert codes[-1] == 0 and len(codes) > 3
    assert data_files(tmp_path / "run") == undisturbed
    assert not (tmp_path / "run" / "parts").exists()


@pytest.mark.parametrize("from_the_end", [1, 2, 3, 4])
def test_killed_while_the_final_files_are_made(tmp_path, undisturbed, from_the_end):
    """The last files are timing, records, games and the manifest that says finished."""
    plan = coin_plan(24, swap_seats=True)
    files = 1 + 2 * plan.chunks + 4
    assert killed_run(tmp_path / "run", 1, files + 1 - from_the_end, "before") == -signal.SIGKILL
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["finished"] is False
    assert data_files(play(plan, tmp_path / "run", jobs=2)) == undisturbed


def test_killed_while_the_parts_are_removed(tmp_path, undisturbed):
    assert killed_run(tmp_path / "run", 2, 0, "clearing") == -signal.SIGKILL
    assert (tmp_path / "run" / "parts").exists()
    assert data_files(play(coin_plan(24, swap_seats=True), tmp_path / "run")) == undisturbed
    assert not (tmp_path / "run" / "parts").exists()


def test_a_damaged_part_is_played_again(tmp_path, undisturbed):
    plan = coin_plan(24, swap_seats=True)
    killed_run(tmp_path / "run", 1, 12, "before")
    part = sorted((tmp_path / "run" / "parts").glob("*.parquet"))[0]
    part.write_bytes(part.read_bytes()[:-40])
    assert data_files(play(plan, tmp_path / "run")) == undisturbed


def test_a_finished_run_is_not_played_again(tmp_path):
    directory = play(coin_plan(10), tmp_path / "run")
    before = {path.name: path.stat().st_mtime_ns for path in directory.iterdir()}

    def no_match(*_):
        raise AssertionError("made a match for a finished run")

    assert simulate(coin_plan(10), directory, make_match=no_match) == directory
    assert {path.name: path.stat().st_mtime_ns for path in directory.iterdir()} == before


def test_an_interruption_keeps_whole_chunks_and_says_how_to_go_on(tmp_path, undisturbed):
    plan = coin_plan(24, swap_seats=True)

    def interrupt(done: int, games: int) -> None:
        if done >= 6:
            raise KeyboardInterrupt

    with pytest.raises(RunStopped, match="same command goes on") as stopped:
        play(plan, tmp_path / "run", jobs=2, progress=interrupt)
    assert 6 <= stopped.value.done < 24
    assert data_files(tmp_path / "run") == {}
    sentences: list[str] = []
    play(plan, tmp_path / "run", report=sentences.append)
    assert f"{stopped.value.done} of 24" in sentences[0]
    assert data_files(tmp_path / "run") == undisturbed


def test_a_full_disk_loses_nothing(tmp_path, undisturbed, monkeypatch):
    plan = coin_plan(24, swap_seats=True)
    write, written = storage._write, []

    def filling_write(path: Path, content: bytes) -> None:
        written.append(path)
        if len(written) > 9:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        write(path, content)

    with (
        monkeypatch.context() as patch,
        pytest.raises(RunFailed, match="No space left on device.*same command goes on"),
    ):
        patch.setattr(storage, "_write", filling_write)
        play(plan, tmp_path / "run", jobs=2)
    assert len(list((tmp_path / "run" / "parts").glob("*.parquet"))) >= 3
    assert data_files(play(plan, tmp_path / "run")) == undisturbed


def test_an_error_in_a_game_ends_the_run(tmp_path):
    class Failing(CoinMatch):
        def play(self, first, count, records, stop):
            if first >= 4:
                raise InputError("player on seat 1 named a move that is not legal")
            return super().play(first, count, records, stop)

    with pytest.raises(InputError, match="not legal"):
        simulate(coin_plan(24), tmp_path / "run", jobs=2, make_match=Failing)


def test_few_chunks_wait_and_the_stop_flag_reaches_those_that_run():
    begun: list[int] = []
    seen: list[int] = []
    waiting = threading.Event()

    def work(number: int, stop: np.ndarray) -> int:
        begun.append(number)
        if number:
            while not stop[0]:
                waiting.wait(0.001)
            seen.append(number)
        return number

    chunks = in_chunks(work, range(1000), 2)
    assert next(chunks) == 0
    chunks.close()
    assert sorted(seen) == sorted(begun)[1:]
    assert len(begun) <= 5


# -- protection of the directory -----------------------------------------------------------------


def test_another_run_is_not_touched(tmp_path):
    directory = play(coin_plan(10), tmp_path / "run")
    before = {path: path.read_bytes() for path in directory.iterdir()}
    with pytest.raises(InputError, match="holds another run: it has seed 3, asked for is 4"):
        play(coin_plan(10, seed=4), directory)
    assert {path: path.read_bytes() for path in directory.iterdir()} == before


def test_foreign_files_are_not_touched(tmp_path):
    (tmp_path / "thesis.tex").write_text("...")
    with pytest.raises(InputError, match=r"holds files but no run \(thesis.tex\)"):
        play(coin_plan(10), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize(
    "content, said",
    [("{", "not JSON"), ('{"format": "other"}', "another program"), ("[]", "another program")],
)
def test_a_foreign_manifest_is_refused(tmp_path, content, said):
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(InputError, match=said):
        play(coin_plan(10), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


def test_a_file_is_no_directory(tmp_path):
    (tmp_path / "run").write_text("")
    with pytest.raises(InputError, match="is a file, expected a directory"):
        play(coin_plan(10), tmp_path / "run")


def test_a_place_below_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="expected a directory that can be written"):
        play(coin_plan(10), tmp_path / "file" / "run")


def test_a_directory_in_use_is_refused(tmp_path):
    (tmp_path / "run").mkdir()
    with (
        FileLock(tmp_path / "run" / ".lock"),
        pytest.raises(InputError, match="in use by another process"),
    ):
        play(coin_plan(10), tmp_path / "run")
    assert [path.name for path in (tmp_path / "run").iterdir()] == [".lock"]


def test_an_unfinished_run_is_not_continued_by_other_code(tmp_path, monkeypatch):
    killed_run(tmp_path / "run", 1, 6, "before")
    monkeypatch.setattr(storage, "source_digest", lambda: "0" * 12)
    with pytest.raises(InputError, match="games would be of two kinds"):
        play(coin_plan(24, swap_seats=True), tmp_path / "run")


def test_a_finished_run_without_its_data_is_said_to_be_so(tmp_path):
    directory = play(coin_plan(10), tmp_path / "run")
    (directory / "games.parquet").unlink()
    with pytest.raises(InputError, match="games.parquet is gone"):
        play(coin_plan(10), directory)


@pytest.mark.parametrize("jobs", [0, -1, 1025])
def test_impossible_numbers_of_jobs_are_refused(tmp_path, jobs):
    with pytest.raises(InputError, match="expected 1 to 1024"):
        play(coin_plan(10), tmp_path / "run", jobs=jobs)
    assert not (tmp_path / "run").exists()


# -- summary -------------------------------------------------------------------------------------


def test_the_summary_counts_by_player_and_by_seat(tmp_path):
    """Of deals 0 to 13, two are drawn (0, 7), six won by seat 0 and six by seat 1."""
    summary = summarize(play(coin_plan(28, swap_seats=True), tmp_path / "run"))
    for player in summary["players"]:
        assert player["games"] == 28
        assert player["score"]["mean"] == pytest.approx(0.5)
        assert (player["wins"]["count"], player["draws"], player["losses"]) == (12, 4, 12)
        assert [seat["wins"]["count"] for seat in player["seats"]] == [6, 6]
    assert [seat["wins"]["count"] for seat in summary["seats"]] == [12, 12]
    assert summary["reasons"] == {
        "won": {"games": 24, "share": 24 / 28},
        "drawn": {"games": 4, "share": 4 / 28},
    }


def test_intervals_come_from_games_or_from_deals(tmp_path):
    """Independent games: Wilson. Shared deals: a seat's blocks are 1 (6), 0 (6), 1/2 (2)."""
    single = summarize(play(coin_plan(14), tmp_path / "single"))
    wilson = scipy.stats.binomtest(6, 14).proportion_ci(method="wilson")
    wins = single["seats"][0]["wins"]
    assert (wins["low"], wins["high"]) == pytest.approx((wilson.low, wilson.high), abs=1e-9)
    shared = summarize(play(coin_plan(28, swap_seats=True), tmp_path / "shared"))
    # Values 1 six times, 0 six times, 0.5 twice: so their variance is 3 / 13.
    half = scipy.stats.t.ppf(0.975, 13) * (3 / 13 / 14) ** 0.5
    score = shared["seats"][0]["score"]
    assert (score["low"], score["high"]) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-9)


def test_the_summary_describes_length_and_moves(tmp_path):
    """Turns are 3, 4, 5, 6, 7 in turn; all but one of a game's moves are tosses."""
    summary = summarize(play(coin_plan(10), tmp_path / "run"))
    turns = summary["turns"]
    assert (turns["mean"], turns["median"], turns["min"], turns["max"]) == (5, 5, 3, 7)
    assert (turns["p05"], turns["p25"], turns["p75"], turns["p95"]) == (3, 4, 6, 7)
    assert summary["moves"]["toss"] == {"count": 40, "per_game": 4, "share": 0.8}
    assert summary["moves"]["catch"]["count"] == 10
    assert [player["iterations"] for player in summary["players"]] == [50, 100]
    assert summary["speed"]["timed_games"] == 10


def test_four_players_sit_in_turn_on_every_seat(tmp_path):
    summary = summarize(play(coin_plan(16, 4, swap_seats=True), tmp_path / "run"))
    for number, player in enumerate(summary["players"]):
        assert player["games"] == 16
        assert [seat["seat"] for seat in player["seats"]] == [0, 1, 2, 3], number
        assert [seat["games"] for seat in player["seats"]] == [4, 4, 4, 4]
    # Deal 0 is drawn, so seat 0 wins nothing; deals 1 to 3 are won by seats 1 to 3, four times.
    assert [seat["wins"]["count"] for seat in summary["seats"]] == [0, 4, 4, 4]


def test_time_of_all_sessions_is_added_up(tmp_path):
    directory = play(coin_plan(10), tmp_path / "run")
    sessions = [
        {"jobs": 1, "games": 4, "moves": 20, "wall_seconds": 2.0, "cpu_seconds": 1.5},
        {"jobs": 2, "games": 6, "moves": 30, "wall_seconds": 3.0, "cpu_seconds": 4.5},
    ]
    (directory / "timing.json").write_text(json.dumps({"sessions": sessions}))
    speed = summarize(directory)["speed"]
    assert (speed["games_per_second"], speed["moves_per_second"]) == (2, 10)
    assert (speed["cpu_seconds"], speed["wall_seconds"], speed["jobs"]) == (6, 5, 2)
