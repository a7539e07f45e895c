"""Game records: the envelope that all games share, and files of records.

A record is one game as plain data, one JSON object a line in a ``.jsonl`` file, or in a
``.jsonl.zst`` file, which is the same compressed by Zstandard, in one or more frames. What the
steps and the set-up of a game hold is the game's own matter (`lumis_fast.games`); this module
reads, checks and writes what stands around them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from lumis_fast import __version__
from lumis_fast.errors import InputError

__all__ = [
    "ENGINE",
    "FORMAT",
    "MAX_LINE",
    "VERSION",
    "check_envelope",
    "compress_records",
    "envelope",
    "read_records",
    "record_line",
    "write_records",
]

FORMAT = "lumis-fast/record"
VERSION = 1
ENGINE = f"lumis-fast {__version__}"

MAX_LINE = 1 << 26
"""Longest line that is read, in bytes: a foreign file cannot fill the memory."""

_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_PIECE = 1 << 18
# A few bytes can hold megabytes of one repeated byte, so compressed files are read in small pieces.
_COMPRESSED_PIECE = 1 << 11


def envelope(
    *,
    game: str,
    ruleset: dict[str, Any],
    seats: Sequence[str],
    seed: int,
    index: int,
    setup: dict[str, Any],
    steps: list[dict[str, Any]],
    outcome: dict[str, Any],
) -> dict[str, Any]:
    """Put a record together, its keys in the order of the format's description.

    Parameters
    ----------
    game : str
        The game's name.
    ruleset : dict
        With `name`, `digest` and `changes`.
    seats : sequence of str
        The player spec of each seat, in seat order.
    seed, index : int
        The run's seed and the game's number in it.
    setup, steps, outcome : dict, list, dict
        As the game writes them.

    Returns
    -------
    dict
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": game,
        "engine": ENGINE,
        "ruleset": ruleset,
        "seats": list(seats),
        "seed": seed,
        "index": index,
        "setup": setup,
        "steps": steps,
        "outcome": outcome,
    }


def record_line(record: dict[str, Any]) -> bytes:
    """Write a record as one line of JSON.

    Parameters
    ----------
    record : dict
        Plain data.

    Returns
    -------
    bytes
        UTF-8 with the line's end.
    """
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode() + b"\n"


def compress_records(records: Iterable[dict[str, Any]]) -> bytes:
    """Write records as one Zstandard frame; frames one after the other are a valid file.

    Parameters
    ----------
    records : iterable of dict
        Plain data.

    Returns
    -------
    bytes
        The same for the same records.
    """
    import zstandard

    lines = b"".join(record_line(record) for record in records)
    return zstandard.ZstdCompressor(level=9, write_checksum=True, threads=0).compress(lines)


def write_records(path: str | Path, records: Iterable[dict[str, Any]]) -> None:
    """Write records to a file, compressed if its name ends in ``.zst``.

    The file appears under its name when it is complete.

    Parameters
    ----------
    path : str or Path
        The file.
    records : iterable of dict
        Plain data.
    """
    path = Path(path)
    if path.suffix == ".zst":
        content = compress_records(records)
    else:
        content = b"".join(record_line(record) for record in records)
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_bytes(content)
    os.replace(temporary, path)


def read_records(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the records of a file, one at a time, and check their envelopes.

    Parameters
    ----------
    path : str or Path
        A file of records, compressed or not; its content tells which.

    Yields
    ------
    line : int
        The number of the line, from 1.
    record : dict
        The record.

    Raises
    ------
    InputError
        If the file cannot be read, is damaged or holds anything else than records.
    """
    path = Path(path)
    count = 0
    try:
        with path.open("rb") as file:
            for line, text in enumerate(_lines(file, path), 1):
                if text.strip():
                    count += 1
                    yield line, _parse(text, f"{path}, line {line}")
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror}), expected a file of game records"
        ) from None
    if not count:
        raise InputError(f"{path} holds no game record")


def _parse(text: bytes, where: str) -> dict[str, Any]:
    try:
        # What `parse_constant` is called for (NaN, Infinity) is not JSON.
        record = json.loads(text.decode("utf-8"), parse_constant=_refuse)
    except UnicodeDecodeError:
        raise InputError(f"{where}: not UTF-8 text, expected a game record as JSON") from None
    except RecursionError:
        raise InputError(f"{where}: nested too deeply for a game record") from None
    except ValueError as error:
        place = f" at column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(f"{where}: not JSON{place}, expected a game record") from None
    check_envelope(record, where)
    return record


def _refuse(word: str) -> None:
    raise ValueError(word)


def _lines(file: BinaryIO, path: Path) -> Iterator[bytes]:
    magic = file.read(len(_ZSTD_MAGIC))
    file.seek(0)
    pieces = (
        _decompressed(file, path) if magic == _ZSTD_MAGIC else iter(lambda: file.read(_PIECE), b"")
    )
    number, rest = 1, b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line
            number += 1
        if len(rest) > MAX_LINE:
            raise InputError(
                f"{path}, line {number}: longer than {MAX_LINE >> 20} MiB, which no game record is"
            )
    if rest:
        yield rest


def _decompressed(file: BinaryIO, path: Path) -> Iterator[bytes]:
    """Decompress frame after frame; a file cut short is an error, not an end."""
    import zstandard

    context = zstandard.ZstdDecompressor(max_window_size=1 << 27)
    frame = None
    try:
        while data := file.read(_COMPRESSED_PIECE):
            while data:
                frame = frame or context.decompressobj()
                yield frame.decompress(data)
                data = frame.unused_data if frame.eof else b""
                frame = None if frame.eof else frame
    except zstandard.ZstdError:
        raise InputError(f"{path} is damaged: its Zstandard data cannot be decompressed") from None
    if frame is not None:
        raise InputError(f"{path} is cut short: its last Zstandard frame is not complete")


def check_envelope(record: Any, where: str) -> None:
    """Check what stands around the steps of a record.

    Parameters
    ----------
    record : object
        A parsed line.
    where : str
        File and line, for the message.

    Raises
    ------
    InputError
        If a key is missing or has a value that no record can have.
    """
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise InputError(
            f'{where}: not a game record, expected an object with "format": "{FORMAT}"'
        )
    if record.get("version") != VERSION or isinstance(record["version"], bool):
        raise InputError(
            f"{where}: record version {record.get('version')!r} is not known, expected {VERSION}"
        )
    _check_types(record, _ENVELOPE, where, "")
    _check_types(record["ruleset"], _RULESET, where, "ruleset.")
    _check_types(record["outcome"], _OUTCOME, where, "outcome.")
    seats = len(record["seats"])
    for key in ("returns", "scores"):
        if len(record["outcome"][key]) != seats:
            raise InputError(
                f"{where}: outcome.{key} has {len(record['outcome'][key])} values, "
                f"expected one for each of the {seats} seats"
            )
    for number, step in enumerate(record["steps"], 1):
        _check_step(step, seats, f"{where}, step {number}")


def _check_step(step: Any, seats: int, where: str) -> None:
    if not isinstance(step, dict):
        raise InputError(f"{where}: expected an object with seat and action")
    _check_types(step, _STEP, where, "")
    if step["seat"] >= seats:
        raise InputError(f"{where}: seat {step['seat']} does not exist, expected 0 to {seats - 1}")


def _check_types(data: dict[str, Any], table: dict[str, Any], where: str, prefix: str) -> None:
    for key, (test, expected) in table.items():
        if key not in data:
            raise InputError(f"{where}: '{prefix}{key}' is missing, expected {expected}")
        if not test(data[key]):
            shown = json.dumps(data[key], ensure_ascii=False)
            shown = shown if len(shown) <= 60 else shown[:57] + "..."
            raise InputError(f"{where}: '{prefix}{key}' is {shown}, expected {expected}")


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 64


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and 0 < len(value) <= 64 and all(map(_is_word, value))


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(number, int | float) and not isinstance(number, bool) for number in value
    )


_WORD = (_is_word, "a word")
_COUNT = (_is_count, "a whole number from 0 up")
_ENVELOPE = {
    "game": _WORD,
    "engine": (_is_word, "the program's name and version"),
    "ruleset": (_is_object, "an object"),
    "seats": (_is_words, "a list with the player of each seat"),
    "seed": _COUNT,
    "index": _COUNT,
    "setup": (_is_object, "an object"),
    "steps": (_is_list, "a list"),
    "outcome": (_is_object, "an object"),
}
_RULESET = {
    "name": _WORD,
    "digest": (_is_digest, "64 hexadecimal digits"),
    "changes": (_is_object, "an object"),
}
_OUTCOME = {
    "returns": (_is_numbers, "a list of numbers"),
    "scores": (_is_numbers, "a list of numbers"),
    "reason": _WORD,
    "turns": _COUNT,
}
_STEP = {"seat": _COUNT, "action": _WORD}
