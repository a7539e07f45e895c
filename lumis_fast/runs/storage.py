"""A run's directory: its manifest, its parts while it is played, its files when it is done.

::

    manifest.json         what the run is, written first; "finished" turns true last
    parts/00017.parquet   the games of chunk 17, one row a game
    parts/00017.zst       its records, one Zstandard frame, there before the games
    games.parquet         all games, made from the parts at the end
    records.jsonl.zst     all records, the frames one after the other
    timing.json           what it took; no data, so it may differ
    .lock                 held by the process that works here

A file appears under its name only when it is complete and on disk, so a chunk is done when its
games are there, whatever happened to the process. The parts are removed only after the manifest
says that the run is finished; killed before that, the same command makes the final files again
from the parts.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lumis_fast import __version__
from lumis_fast.core.record import compress_records
from lumis_fast.errors import InputError
from lumis_fast.runs.plan import RunPlan, source_digest

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

__all__ = ["ROW_GROUP", "RunFolder", "read_manifest", "usable_cores"]

FORMAT = "lumis-fast/run"
VERSION = 1

ROW_GROUP = 65_520
"""Rows of a row group of games.parquet: a multiple of every number of seat rotations to 10."""

_OWN_NAMES = {".lock", "manifest.json.tmp"}
_PIECE = 1 << 20


def usable_cores() -> int:
    """Count the cores that this process may use.

    Returns
    -------
    int
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _sync_folder(folder: Path) -> None:
    """Make renames in a folder last; not every system can open a folder."""
    with contextlib.suppress(PermissionError, IsADirectoryError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def _appears_complete(path: Path) -> Iterator[Any]:
    """Open a file for writing that gets its name when all of it is on disk."""
    temporary = path.with_name(path.name + ".tmp")
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _write(path: Path, content: bytes | memoryview) -> None:
    with _appears_complete(path) as file:
        file.write(content)


def _write_json(path: Path, data: Any) -> None:
    _write(path, json.dumps(data, indent=2, ensure_ascii=False).encode() + b"\n")


def read_manifest(directory: Path) -> dict[str, Any]:
    """Read the manifest of a run.

    Parameters
    ----------
    directory : Path
        A run's directory.

    Returns
    -------
    dict

    Raises
    ------
    InputError
        If there is none, or it is no manifest of this program.
    """
    path = directory / "manifest.json"
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None
    except ValueError:
        raise InputError(f"{path} is not JSON, so {directory} is no run's directory") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f"{path} is of another program, choose another directory")
    if data.get("version") != VERSION:
        raise InputError(
            f"{path} has version {data.get('version')!r} of the format, expected {VERSION}"
        )
    return data


class RunFolder:
    """The directory of one run.

    Parameters
    ----------
    directory : Path
        Where it is or will be.
    plan : RunPlan
        The run.

    Raises
    ------
    InputError
        If the directory holds anything else than this run. Nothing is written.
    """

    def __init__(self, directory: Path, plan: RunPlan) -> None:
        self.directory = directory
        self.plan = plan
        self.finished = False
        self.check()

    @property
    def games_file(self) -> Path:
        """All games as Parquet, when the run is finished."""
        return self.directory / "games.parquet"

    @property
    def records_file(self) -> Path:
        """All records, when the run is finished and keeps them."""
        return self.directory / "records.jsonl.zst"

    def _games_part(self, chunk: int) -> Path:
        return self.directory / "parts" / f"{chunk:05}.parquet"

    def _records_part(self, chunk: int) -> Path:
        return self.directory / "parts" / f"{chunk:05}.zst"

    # -- what is there -------------------------------------------------------------------------

    def check(self) -> None:
        """See whether the directory is free or holds this run, and whether it is finished.

        Raises
        ------
        InputError
            If it holds anything else.
        """
        directory = self.directory
        if not directory.exists():
            return
        if not directory.is_dir():
            raise InputError(f"{directory} is a file, expected a directory for the run")
        try:
            names = {entry.name for entry in directory.iterdir()} - _OWN_NAMES
        except OSError as error:
            raise InputError(f"{directory} cannot be read ({error.strerror})") from None
        if not names:
            return
        if "manifest.json" not in names:
            raise InputError(
                f"{directory} holds files but no run ({min(names)}), expected an empty or new "
                "directory, or the run's own"
            )
        manifest = read_manifest(directory)
        self._check_same_run(manifest)
        self.finished = manifest.get("finished") is True
        if self.finished:
            self._check_complete()
        else:
            self._check_same_code(manifest)

    def _check_same_run(self, manifest: dict[str, Any]) -> None:
        there = dict(manifest.get("identity") or {})
        for key, wanted in self.plan.identity.items():
            if there.get(key) != wanted:
                raise InputError(
                    f"{self.directory} holds another run: it has {key} {_brief(there.get(key))}, "
                    f"asked for is {_brief(wanted)}; choose another directory"
                )

    def _check_same_code(self, manifest: dict[str, Any]) -> None:
        there = manifest.get("versions", {})
        for name, here in _versions_that_matter().items():
            if there.get(name) != here:
                raise InputError(
                    f"{self.directory} holds this run unfinished, begun with {name} "
                    f"{there.get(name)} and not {here}, so its games would be of two kinds; "
                    "remove it or choose another directory"
                )

    def _check_complete(self) -> None:
        files = [self.games_file, *([self.records_file] if self.plan.records else [])]
        for file in files:
            if not file.is_file():
                raise InputError(
                    f"{self.directory} holds this run, but its {file.name} is gone; remove the "
                    "directory to play it again or choose another one"
                )

    def missing_chunks(self) -> list[int]:
        """List the chunks that have to be played.

        Returns
        -------
        list of int
            A part that cannot be read counts as missing.
        """
        return [number for number in range(self.plan.chunks) if not self._is_done(number)]

    def _is_done(self, chunk: int) -> bool:
        part = self._games_part(chunk)
        if not part.is_file() or (self.plan.records and not self._records_part(chunk).is_file()):
            return False
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            return pq.read_metadata(part).num_rows == self.plan.chunk(chunk)[1]
        except (pa.ArrowInvalid, OSError):
            return False

    # -- working here --------------------------------------------------------------------------

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Work in the directory, made if need be; other processes are refused meanwhile.

        Raises
        ------
        InputError
            If another process works here.
        """
        from filelock import FileLock, Timeout

        lock = FileLock(self.directory / ".lock", timeout=0)
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        except Timeout:
            raise InputError(
                f"{self.directory} is in use by another process that plays this run; wait for it "
                "or choose another directory"
            ) from None
        except OSError as error:
            raise InputError(
                f"{self.directory} cannot be used for a run ({error.strerror}), expected a "
                "directory that can be written"
            ) from None
        try:
            # What was seen before the lock was held may have changed.
            self.check()
            yield
        finally:
            lock.release()

    def begin(self, command: Sequence[str] | None) -> None:
        """Write the manifest, unless the run has been begun before.

        Parameters
        ----------
        command : sequence of str, optional
            The command line, for the manifest.
        """
        if not (self.directory / "manifest.json").exists():
            _write_json(self.directory / "manifest.json", _manifest(self.plan, command))
        (self.directory / "parts").mkdir(exist_ok=True)

    def keep(self, chunk: int, results: np.ndarray, records: list[dict[str, Any]]) -> None:
        """Write a chunk that has been played. Safe to call from several threads.

        Parameters
        ----------
        chunk : int
            Its number.
        results : structured array
            One row a game.
        records : list of dict
            One record a game, if the run keeps them.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self.plan.records:
            _write(self._records_part(chunk), compress_records(records))
        sink = pa.BufferOutputStream()
        pq.write_table(games_table(self.plan, results), sink, compression="zstd")
        _write(self._games_part(chunk), memoryview(sink.getvalue()))

    def finish(self) -> None:
        """Make the final files from the parts, in constant memory, and remove the parts."""
        if self.plan.records:
            with _appears_complete(self.records_file) as file:
                for chunk in range(self.plan.chunks):
                    with self._records_part(chunk).open("rb") as part:
                        shutil.copyfileobj(part, file, _PIECE)
        with _appears_complete(self.games_file) as file:
            self._merge_games(file)
        manifest = read_manifest(self.directory)
        manifest["finished"] = True
        _write_json(self.directory / "manifest.json", manifest)
        self.finished = True
        self.clear()

    def clear(self) -> None:
        """Remove the parts of a finished run."""
        parts = self.directory / "parts"
        if self.finished and parts.is_dir():
            shutil.rmtree(parts)

    def _merge_games(self, file: Any) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        waiting: list[pa.Table] = []
        rows = 0
        schema = games_schema(self.plan)
        with pq.ParquetWriter(file, schema, compression="zstd") as writer:
            for chunk in range(self.plan.chunks):
                with pq.ParquetFile(self._games_part(chunk)) as file_part:
                    part = file_part.read()
                waiting.append(part)
                rows += part.num_rows
                while rows >= ROW_GROUP:
                    table = pa.concat_tables(waiting).combine_chunks()
                    writer.write_table(table.slice(0, ROW_GROUP), row_group_size=ROW_GROUP)
                    waiting = [table.slice(ROW_GROUP)]
                    rows -= ROW_GROUP
            if rows:
                table = pa.concat_tables(waiting).combine_chunks()
                writer.write_table(table, row_group_size=ROW_GROUP)

    # -- timing --------------------------------------------------------------------------------

    def read_timing(self) -> list[dict[str, Any]]:
        """Read what the sessions of this run took.

        Returns
        -------
        list of dict
            One entry for each time that the run was begun or continued; empty if it is not known.
        """
        try:
            sessions = json.loads((self.directory / "timing.json").read_bytes())["sessions"]
        except (OSError, ValueError, KeyError, TypeError):
            return []
        return sessions if isinstance(sessions, list) else []

    def write_timing(self, sessions: list[dict[str, Any]]) -> None:
        """Write what the sessions of this run took.

        Parameters
        ----------
        sessions : list of dict
            Each with `jobs`, `games`, `moves`, `wall_seconds` and `cpu_seconds`.
        """
        _write_json(self.directory / "timing.json", {"sessions": sessions})


def _brief(value: Any) -> str:
    text = value[:12] if isinstance(value, str) and len(value) == 64 else value
    return ", ".join(text) if isinstance(text, list) else str(text)


def _versions_that_matter() -> dict[str, str]:
    return {
        "lumis-fast": __version__,
        "lumis-fast's source": source_digest(),
        "numba": metadata.version("numba"),
        "numpy": metadata.version("numpy"),
    }


def _manifest(plan: RunPlan, command: Sequence[str] | None) -> dict[str, Any]:
    ruleset = plan.ruleset
    return {
        "format": FORMAT,
        "version": VERSION,
        "digest": plan.digest,
        "identity": plan.identity,
        "ruleset": {**ruleset.plain(), "values": ruleset.values},
        "reproducible": plan.reproducible,
        "chunk_games": plan.chunk_games,
        "command": list(command) if command else None,
        "versions": {
            **_versions_that_matter(),
            "python": platform.python_version(),
            "pyarrow": metadata.version("pyarrow"),
            "zstandard": metadata.version("zstandard"),
        },
        "machine": {
            "system": f"{platform.system()} {platform.release()}",
            "processor": _processor(),
            "cores": usable_cores(),
        },
        "finished": False,
    }


def _processor() -> str:
    if sys.platform == "linux":
        with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def games_schema(plan: RunPlan) -> pa.Schema:
    """Tell the columns of games.parquet.

    Parameters
    ----------
    plan : RunPlan
        The run.

    Returns
    -------
    pyarrow.Schema
    """
    import pyarrow as pa

    word = pa.dictionary(pa.int32(), pa.string())
    seats = range(len(plan.players))
    columns = [("index", pa.int64()), ("deal", pa.int64()), ("rotation", pa.int32())]
    columns += [(f"player_seat{seat}", word) for seat in seats]
    columns += [(f"return_seat{seat}", pa.float32()) for seat in seats]
    columns += [(f"score_seat{seat}", pa.float32()) for seat in seats]
    columns += [("reason", word), ("turns", pa.int32())]
    columns += [(f"moves_{action}", pa.int64()) for action in plan.game.actions]
    columns += [(f"iterations_seat{seat}", pa.uint64()) for seat in seats]
    columns += [(f"nodes_seat{seat}", pa.uint64()) for seat in seats]
    return pa.schema(columns)


def games_table(plan: RunPlan, results: np.ndarray) -> pa.Table:
    """Turn the results of games into columns.

    Parameters
    ----------
    plan : RunPlan
        The run.
    results : structured array
        One row a game; per-seat fields in seat order.

    Returns
    -------
    pyarrow.Table
    """
    import numpy as np
    import pyarrow as pa

    def words(codes: np.ndarray, names: list[str]) -> pa.Array:
        return pa.DictionaryArray.from_arrays(
            pa.array(codes.astype(np.int32)), pa.array(names, pa.string())
        )

    # The whole list of names in every part, in one order, so that the bytes of the final file
    # do not depend on which of them a part happened to hold.
    players = [str(player) for player in plan.players]
    rotation = results["rotation"]
    count = len(players)
    seats = range(count)
    names = list(dict.fromkeys(players))
    numbers = np.array([names.index(player) for player in players])
    columns: list[Any] = [results["index"], results["deal"], rotation]
    columns += [words(numbers[(seat - rotation) % count], names) for seat in seats]
    columns += [results["returns"][:, seat] for seat in seats]
    columns += [results["scores"][:, seat] for seat in seats]
    columns += [words(results["reason"], list(plan.game.reasons)), results["turns"]]
    columns += [results["moves"][:, kind] for kind in range(len(plan.game.actions))]
    columns += [results["iterations"][:, seat] for seat in seats]
    columns += [results["nodes"][:, seat] for seat in seats]
    schema = games_schema(plan)
    arrays = [
        column
        if isinstance(column, pa.Array)
        else pa.array(np.ascontiguousarray(column), type=field.type)
        for column, field in zip(columns, schema, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)
