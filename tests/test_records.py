"""Files of game records: what is written is read, what is no record is refused."""

from __future__ import annotations

import json
import re

import pytest
import zstandard

from lumis_fast import __version__
from lumis_fast.core import record as record_module
from lumis_fast.core.record import (
    compress_records,
    envelope,
    read_records,
    record_line,
    write_records,
)
from lumis_fast.errors import InputError


def some_record(index: int = 0) -> dict:
    return envelope(
        game="lumis",
        ruleset={"name": "standard", "digest": "ab" * 32, "changes": {}},
        seats=["mcts:1000", "greedy"],
        seed=(1 << 64) - 1,
        index=index,
        setup={"hands": [["cream"], ["green"]]},
        steps=[{"seat": 0, "action": "draw", "supply": 1, "cards": ["cream"], "x_note": "Über"}],
        outcome={"returns": [1, 0], "scores": [1, 0], "reason": "connected", "turns": 1},
    )


def test_the_envelope_has_the_keys_of_the_format():
    record = some_record()
    assert list(record) == [
        "format",
        "version",
        "game",
        "engine",
        "ruleset",
        "seats",
        "seed",
        "index",
        "setup",
        "steps",
        "outcome",
    ]
    assert record["format"] == "lumis-fast/record" and record["version"] == 1
    assert record["engine"] == f"lumis-fast {__version__}"


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.zst"])
def test_what_is_written_is_read(tmp_path, name):
    records = [some_record(index) for index in range(5)]
    write_records(tmp_path / name, records)
    assert list(read_records(tmp_path / name)) == list(enumerate(records, 1))
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_record_is_one_line_of_utf_8():
    line = record_line(some_record())
    assert line.endswith(b"}\n") and line.count(b"\n") == 1
    assert "Über".encode() in line
    assert json.loads(line) == some_record()


def test_a_record_with_a_number_that_json_has_not_is_not_written():
    record = some_record() | {"x_evaluation": float("nan")}
    with pytest.raises(ValueError):
        record_line(record)


def test_frames_one_after_the_other_are_read_as_one_file(tmp_path):
    path = tmp_path / "games.jsonl.zst"
    path.write_bytes(b"".join(compress_records([some_record(index)]) for index in range(4)))
    assert [record["index"] for _, record in read_records(path)] == [0, 1, 2, 3]


def test_a_line_may_cross_frames_and_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(record_module, "_COMPRESSED_PIECE", 7)
    text = record_line(some_record(0)) + record_line(some_record(1))
    half = len(text) // 3
    path = tmp_path / "games.jsonl.zst"
    path.write_bytes(zstandard.compress(text[:half]) + zstandard.compress(text[half:]))
    assert [record["index"] for _, record in read_records(path)] == [0, 1]


def test_the_content_decides_not_the_name(tmp_path):
    path = tmp_path / "games.txt"
    path.write_bytes(compress_records([some_record(7)]))
    assert [record["index"] for _, record in read_records(path)] == [7]


def test_blank_lines_unknown_keys_and_a_missing_last_line_end_are_allowed(tmp_path):
    path = tmp_path / "games.jsonl"
    record = some_record() | {"x_time": 3, "later": {}}
    path.write_bytes(b"\n" + record_line(record) + b"\n" + record_line(record).rstrip())
    assert list(read_records(path)) == [(2, record), (4, record)]


def changed(**changes) -> dict:
    return some_record() | changes


OUTCOME = some_record()["outcome"]

BAD_RECORDS = [
    ([], "not a game record"),
    ({"format": "other"}, "not a game record"),
    (changed(version=2), "record version 2 is not known, expected 1"),
    (changed(version=True), "record version True is not known"),
    ({k: v for k, v in some_record().items() if k != "setup"}, "'setup' is missing"),
    (changed(game=3), "'game' is 3, expected a word"),
    (changed(seed=-1), "'seed' is -1, expected a whole number from 0 up"),
    (changed(seed=1 << 64), "expected a whole number from 0 up"),
    (changed(index=True), "'index' is true, expected a whole number"),
    (changed(index=1.5), "'index' is 1.5"),
    (changed(seats=[]), "'seats' is [], expected a list with the player of each seat"),
    (changed(ruleset={"name": "a", "digest": "AB" * 32, "changes": {}}), "'ruleset.digest'"),
    (changed(ruleset={"name": "a", "digest": "ab" * 32}), "'ruleset.changes' is missing"),
    (changed(outcome=OUTCOME | {"returns": [1]}), "outcome.returns has 1 values"),
    (changed(outcome=OUTCOME | {"scores": ["1", 0]}), "'outcome.scores'"),
    (changed(outcome=OUTCOME | {"turns": None}), "'outcome.turns' is null"),
    (changed(steps=[3]), "step 1: expected an object"),
    (changed(steps=[{"seat": 0}]), "step 1: 'action' is missing"),
    (changed(steps=[{"seat": 2, "action": "skip"}]), "step 1: seat 2 does not exist, expected 0"),
]


@pytest.mark.parametrize("bad, said", BAD_RECORDS)
def test_what_is_no_record_is_refused_with_its_line(tmp_path, bad, said):
    path = tmp_path / "games.jsonl"
    path.write_bytes(record_line(some_record()) + json.dumps(bad).encode() + b"\n")
    found = read_records(path)
    assert next(found) == (1, some_record())
    with pytest.raises(InputError, match=re.escape(said)) as error:
        next(found)
    assert str(error.value).startswith(f"{path}, line 2") and "\n" not in str(error.value)


@pytest.mark.parametrize(
    "content, said",
    [
        (b"", "holds no game record"),
        (b"\n\n", "holds no game record"),
        (b"{", "line 1: not JSON at column 2"),
        (b"\xff\xfe{}", "line 1: not UTF-8"),
        (b"[" * 100_000, "line 1: nested too deeply"),
        (b'{"x": NaN}', "line 1: not JSON"),
        (b'{"x": ' + b"1" * 10_000 + b"}", "line 1: not JSON"),
        (compress_records([some_record()])[:-9], "is cut short"),
        (compress_records([some_record()])[:-1] + b"x", "is damaged"),
        (compress_records([some_record()]) + b"more", "is damaged"),
    ],
    ids=range(10),
)
def test_damaged_files_are_refused(tmp_path, content, said):
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(said)):
        list(read_records(path))


def test_endless_lines_do_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(record_module, "MAX_LINE", 1 << 20)
    path = tmp_path / "games.jsonl.zst"
    path.write_bytes(zstandard.compress(b" " * (1 << 23)))
    with pytest.raises(InputError, match="line 1: longer than 1 MiB"):
        list(read_records(path))


def test_a_file_that_is_not_there_is_bad_input(tmp_path):
    with pytest.raises(InputError, match="cannot be read .No such file"):
        list(read_records(tmp_path / "none.jsonl"))
    with pytest.raises(InputError, match="cannot be read .Is a directory"):
        list(read_records(tmp_path))
