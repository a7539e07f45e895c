"""Rulesets: files of values with their sources, changes to them, caps, and the digest.

A ruleset file is TOML. Besides ``game``, ``name``, ``description`` and, in a user's file, ``base``,
every key is a value of the game, written as a table with ``value``, ``source`` and, where there is
more to say, ``note``. This module knows no game: a game hands in its `Field` list.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

from lumis_fast.errors import InputError, nearest

__all__ = [
    "CHANGED",
    "SOURCES",
    "Field",
    "Row",
    "Ruleset",
    "check_choice",
    "check_flag",
    "check_whole",
    "load_ruleset",
    "parse_change",
    "parse_changes",
    "restore_ruleset",
    "ruleset_table",
    "shipped_names",
    "shown",
]

SOURCES = ("rule", "reported", "ruled", "assumed")
"""Where a value in a ruleset file may come from."""

CHANGED = "changed"
"""The source of a value that was changed after the file was read."""

_HEAD = ("game", "name", "description", "base")
_ENTRY = ("value", "source", "note")
_NAME = re.compile(r"[A-Za-z0-9_-]+")
# What begins like a TOML string, list or table was meant as one: its error must not be hidden by
# taking it for a bare word.
_MEANT_AS_TOML = ("'", '"', "[", "{")


@dataclass(frozen=True)
class Field:
    """One value that a game's rulesets have.

    Parameters
    ----------
    name : str
        The key in ruleset files, on the command line and in records.
    meaning : str
        One line for people, with the unit.
    check : callable
        Takes a value, gives it back normalised (equal meanings become equal values) or raises
        ``ValueError`` with a text that says what was expected.
    cap : str
        The technical cap as stated to people, for example ``"1 to 32"``.
    read : callable, optional
        For a value that may be the name of a text file: takes the file's text, gives the value
        or raises ``ValueError``.
    show : callable, optional
        The short form for tables; the default is the value as JSON without quotes.
    """

    name: str
    meaning: str
    check: Callable[[Any], Any]
    cap: str
    read: Callable[[str], Any] | None = None
    show: Callable[[Any], str] | None = None


class Row(NamedTuple):
    """One line of a ruleset's table; `value` is the short form for people."""

    name: str
    value: str
    source: str
    cap: str
    meaning: str
    note: str


@dataclass(frozen=True)
class Ruleset:
    """The values that a game is played with, and where each comes from.

    Parameters
    ----------
    game : str
        Name of the game.
    name : str
        The shipped name, or the stem of the user's file.
    description : str
        One line for people.
    values : dict
        Every value by name, normalised, changes included, files expanded.
    sources : dict
        For each value one of `SOURCES`, or `CHANGED`.
    notes : dict
        What the file remarks on a value, where it does.
    changes : dict
        The values that differ from the file.
    """

    game: str
    name: str
    description: str
    values: dict[str, Any]
    sources: dict[str, str]
    notes: dict[str, str]
    changes: dict[str, Any]

    @property
    def digest(self) -> str:
        """SHA-256 (64 hex digits) of the values as JSON with sorted keys and no spaces."""
        text = json.dumps(self.values, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def plain(self) -> dict[str, Any]:
        """Give what a record or a manifest keeps; `restore_ruleset` is the way back.

        Returns
        -------
        dict
            ``name``, ``digest`` and ``changes``.
        """
        return {"name": self.name, "digest": self.digest, "changes": dict(self.changes)}


def shown(value: Any) -> str:
    """Give a value as people write it: words bare, the rest as JSON, cut when long.

    Parameters
    ----------
    value : object
        Anything that was read from TOML or JSON.

    Returns
    -------
    str
        At most 60 characters.

    Examples
    --------
    >>> shown("yellow"), shown(True), shown([1, 4])
    ('yellow', 'true', '[1, 4]')
    """
    try:
        text = value if isinstance(value, str) else json.dumps(value, default=str)
    except (ValueError, TypeError, RecursionError):  # a number of thousands of digits, say
        text = "(too long to show)"
    text = "".join(char if char.isprintable() else "?" for char in text)
    return text if len(text) <= 60 else text[:57] + "..."


def _got(value: Any) -> str:
    return f"the text '{shown(value)}'" if isinstance(value, str) else shown(value)


def check_whole(low: int, high: int) -> Callable[[Any], int]:
    """Make a check for whole numbers from `low` to `high`.

    Parameters
    ----------
    low, high : int
        Both ends are allowed.

    Returns
    -------
    callable
        For `Field.check`; it names the nearest valid number when it refuses one.
    """

    def check(value: Any) -> int:
        expected = f"expected a whole number from {low} to {high}"
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"{expected}, not {_got(value)}")
        if not low <= value <= high:
            near = min(max(value, low), high)
            raise ValueError(f"{expected}, not {shown(value)}; the nearest is {near}")
        return value

    return check


def check_flag(value: Any) -> bool:
    """Check a value that is true or false; for `Field.check`.

    Parameters
    ----------
    value : object
        The value to check.

    Returns
    -------
    bool
        The value.

    Raises
    ------
    ValueError
        If it is anything else.
    """
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, not {_got(value)}")
    return value


def check_choice(*words: str) -> Callable[[Any], str]:
    """Make a check for one of a few words.

    Parameters
    ----------
    *words : str
        The words allowed.

    Returns
    -------
    callable
        For `Field.check`.
    """

    def check(value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError(f"expected one of the words {', '.join(words)}, not {_got(value)}")
        if value not in words:
            raise ValueError(f"unknown word '{shown(value)}', {nearest(shown(value), words)}")
        return value

    return check


def parse_change(text: str) -> tuple[str, Any]:
    """Read a change ``name=value``; the value is TOML, or a bare word.

    Parameters
    ----------
    text : str
        For example ``hand_limit=12``, ``first_team=red`` or ``board=["cb", "gv"]``.

    Returns
    -------
    tuple of str and object
        The name and the value. Whether the game has such a value is not checked here.

    Raises
    ------
    InputError
        If there is no name or no value, or the value is broken TOML.

    Examples
    --------
    >>> parse_change("hand_limit=12")
    ('hand_limit', 12)
    >>> parse_change("board=areas-25.txt")
    ('board', 'areas-25.txt')
    """
    name, equals, given = (part.strip() for part in text.partition("="))
    if not equals or not _NAME.fullmatch(name) or not given:
        raise InputError(f"change '{shown(text)}': expected name=value, for example hand_limit=12")
    try:
        document = tomllib.loads(f"value = {given}")
        if list(document) == ["value"]:
            return name, document["value"]
        fault = "more than one value"
    except (ValueError, RecursionError) as error:
        fault = _toml_fault(error, f"value = {given}")
    if given.startswith(_MEANT_AS_TOML) or not given.isprintable():
        raise InputError(
            f"change of {name}: '{shown(given)}' is not a TOML value: {fault}; expected a number, "
            "true, false, a word, a list or a table"
        )
    return name, given


def parse_changes(texts: Iterable[str]) -> dict[str, Any]:
    """Read several changes ``name=value``, each name once.

    Parameters
    ----------
    texts : iterable of str
        What `parse_change` takes.

    Returns
    -------
    dict
        Value by name, in the order given.

    Raises
    ------
    InputError
        If a change cannot be read or a name comes twice.
    """
    changes: dict[str, Any] = {}
    for text in texts:
        name, value = parse_change(text)
        if name in changes:
            raise InputError(f"change of {name}: given twice; expected each name once")
        changes[name] = value
    return changes


def shipped_names(shipped: Traversable) -> list[str]:
    """List the rulesets in a folder of shipped ones.

    Parameters
    ----------
    shipped : Traversable
        The folder, a `pathlib.Path` or what `importlib.resources.files` gives.

    Returns
    -------
    list of str
        File names without ``.toml``, sorted.
    """
    names = (entry.name for entry in shipped.iterdir())
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def load_ruleset(
    fields: Sequence[Field],
    shipped: Traversable,
    game: str,
    name_or_path: str | Path,
    changes: Mapping[str, Any] | None = None,
    check_all: Callable[[dict[str, Any]], None] | None = None,
) -> Ruleset:
    """Read a ruleset, apply changes and check everything.

    Parameters
    ----------
    fields : sequence of Field
        The values that the game's rulesets have.
    shipped : Traversable
        Folder of the shipped rulesets.
    game : str
        The game that the file must be for.
    name_or_path : str or Path
        A shipped name, or a path to a TOML file. A shipped name wins over a file of that name in
        the current folder; ``./name`` means the file.
    changes : mapping, optional
        New values by name, as `parse_changes` gives them. Files they name are sought from the
        current folder, then among the shipped ones; files named in a ruleset file beside that
        file, then among the shipped ones.
    check_all : callable, optional
        Takes all values and raises ``ValueError`` if they do not go together.

    Returns
    -------
    Ruleset
        Values normalised; a change to the value that the file has anyway is no change.

    Raises
    ------
    InputError
        If anything is wrong, with the file or change, the key and what was expected.
    """
    place, folder = _find(shipped, name_or_path)
    reader = _Reader({field.name: field for field in fields}, shipped, game)
    head, values, sources, notes = reader.file(place, folder)
    applied = reader.apply(values, sources, changes or {})
    if check_all is not None:
        try:
            check_all(values)
        except ValueError as error:
            raise InputError(f"{_with_changes(place.name, applied)}: {error}") from None
    order = list(reader.fields)
    return Ruleset(
        game=game,
        name=Path(place.name).stem,
        description=head.get("description", ""),
        values={name: values[name] for name in order},
        sources={name: sources[name] for name in order},
        notes=notes,
        changes=applied,
    )


def restore_ruleset(
    fields: Sequence[Field],
    shipped: Traversable,
    game: str,
    plain: Any,
    path: str | Path | None = None,
    check_all: Callable[[dict[str, Any]], None] | None = None,
) -> Ruleset:
    """Build a ruleset again from what a record or a manifest keeps of it.

    Parameters
    ----------
    fields, shipped, game, check_all
        As for `load_ruleset`.
    plain : dict
        What `Ruleset.plain` gave. It may come from a foreign file, so nothing in it is trusted: a
        name is only looked up among the shipped ones, and the digest must agree.
    path : str or Path, optional
        The user's ruleset file, needed where the name is not a shipped one.

    Returns
    -------
    Ruleset
        With the digest that `plain` states.

    Raises
    ------
    InputError
        If `plain` is malformed, its ruleset is not at hand, or the digests differ.
    """
    name, digest, changes = _plain_parts(plain)
    if path is None and name not in shipped_names(shipped):
        raise InputError(
            f"ruleset '{shown(name)}' is not one of the shipped ones of {game} "
            f"({', '.join(shipped_names(shipped))}): give the ruleset file that it was made with"
        )
    for field in fields:
        # A foreign record must not make the program open files of its choosing.
        if field.read is not None and isinstance(changes.get(field.name), str):
            raise InputError(
                f"stated ruleset: {field.name}: expected the content, not the file name "
                f"'{shown(changes[field.name])}'"
            )
    ruleset = load_ruleset(fields, shipped, game, path or name, changes, check_all)
    if ruleset.digest != digest:
        raise InputError(
            f"ruleset '{shown(name)}' of {game}: the digest stated is {shown(digest)}, but "
            f"{path or 'the shipped file'} with the changes stated gives {ruleset.digest}; "
            "expected the ruleset file that it was made with"
        )
    return ruleset


def ruleset_table(fields: Sequence[Field], ruleset: Ruleset) -> list[Row]:
    """List a ruleset's values with source, cap, meaning and note.

    Parameters
    ----------
    fields : sequence of Field
        The game's values; the rows follow their order.
    ruleset : Ruleset
        The ruleset to list.

    Returns
    -------
    list of Row
        One for each value.
    """
    return [
        Row(
            name=field.name,
            value=(field.show or shown)(ruleset.values[field.name]),
            source=ruleset.sources[field.name],
            cap=field.cap,
            meaning=field.meaning,
            note=ruleset.notes.get(field.name, ""),
        )
        for field in fields
    ]


def _find(shipped: Traversable, name_or_path: str | Path) -> tuple[Traversable, Path | None]:
    """Give the ruleset file, and its folder where it is not a shipped one."""
    names = shipped_names(shipped)
    if isinstance(name_or_path, str):
        if name_or_path in names:
            return shipped / f"{name_or_path}.toml", None
        looks_like_path = name_or_path.endswith(".toml") or re.search(r"[/\\]", name_or_path)
        if not looks_like_path and not _exists(name_or_path):
            raise InputError(
                f"no ruleset '{shown(name_or_path)}', {nearest(shown(name_or_path), names)}, "
                "or a path to a .toml file"
            )
    return Path(name_or_path), Path(name_or_path).parent


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def _with_changes(file: str, changes: Mapping[str, Any]) -> str:
    return f"{file} with {', '.join(changes)} changed" if changes else file


def _plain_parts(plain: Any) -> tuple[str, str, dict[str, Any]]:
    expected = {"name": str, "digest": str, "changes": dict}
    for key, kind in expected.items():
        if not isinstance(plain, dict) or not isinstance(plain.get(key), kind):
            raise InputError(
                f"stated ruleset: '{key}' is missing or not {'a table' if kind is dict else 'text'}"
                "; expected name, digest and changes"
            )
    return plain["name"], plain["digest"], plain["changes"]


def _toml_fault(error: Exception, text: str) -> str:
    if isinstance(error, RecursionError):
        return "lists or tables nested too deep"
    if not isinstance(error, tomllib.TOMLDecodeError):
        return "a number with too many digits"
    lines = text.split("\n")
    end = f"at line {len(lines)}, column {len(lines[-1]) + 1}, the end"
    fault = str(error).replace("at end of document", end)
    return "".join(char if char.isprintable() else "?" for char in fault)


def _text(place: Traversable, where: str, expected: str) -> str:
    try:
        return place.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{where}: byte {error.start + 1} is not UTF-8; expected {expected} in UTF-8"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a possible file name"
        raise InputError(f"{where}: cannot be read ({reason}); expected {expected}") from None


class _Reader:
    """Reads ruleset files of one game; raises InputError for whatever is wrong in them."""

    def __init__(self, fields: dict[str, Field], shipped: Traversable, game: str) -> None:
        self.fields = fields
        self.shipped = shipped
        self.game = game

    def file(
        self, place: Traversable, folder: Path | None, chain: tuple[str, ...] = ()
    ) -> tuple[dict[str, Any], dict[str, Any], dict[str, str], dict[str, str]]:
        """Give head, values, sources and notes of a file, its base's included."""
        document = self._document(place)
        head = self._head(document, place.name)
        values: dict[str, Any] = {}
        sources: dict[str, str] = {}
        notes: dict[str, str] = {}
        if "base" in head:
            base = self._base(head["base"], place.name, chain)
            _, values, sources, notes = self.file(base, None, (*chain, head["base"]))
        for name, entry in document.items():
            if name not in _HEAD:
                where = f"{place.name}, {name}"
                self._known(name, place.name)
                value, sources[name], note = self._entry(name, entry, where)
                values[name] = self._value(name, value, where, folder)
                notes.pop(name, None)
                if note:
                    notes[name] = note
        missing = [name for name in self.fields if name not in values]
        names = ", ".join(shipped_names(self.shipped))
        if missing:
            raise InputError(
                f"{place.name}: lacks {', '.join(missing)}; expected every value, or base = "
                f"NAME to take the others from a shipped one ({names})"
            )
        return head, values, sources, notes

    def apply(
        self, values: dict[str, Any], sources: dict[str, str], changes: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Change `values` and `sources` in place; give the changes that made a difference."""
        applied = {}
        for name, given in changes.items():
            self._known(name, "change")
            value = self._value(name, given, f"change of {name}", Path())
            if value != values[name]:
                values[name] = applied[name] = value
                sources[name] = CHANGED
        return applied

    def _document(self, place: Traversable) -> dict[str, Any]:
        names = ", ".join(shipped_names(self.shipped))
        expected = f"a ruleset file or the name of a shipped one ({names})"
        text = _text(place, shown(str(place)), expected)
        try:
            return tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{place.name}: not valid TOML: {_toml_fault(error, text)}") from None

    def _head(self, document: dict[str, Any], file: str) -> dict[str, Any]:
        head = {key: document[key] for key in _HEAD if key in document}
        for key, value in head.items():
            if not isinstance(value, str):
                raise InputError(f"{file}, {key}: expected text, not {shown(value)}")
        if head.get("game") != self.game:
            stated = f"is for '{shown(head['game'])}'" if "game" in head else "names no game"
            raise InputError(f'{file}: {stated}; expected game = "{self.game}"')
        return head

    def _base(self, name: str, file: str, chain: tuple[str, ...]) -> Traversable:
        names = shipped_names(self.shipped)
        if name not in names or name in chain:
            raise InputError(
                f"{file}, base: no other shipped ruleset '{shown(name)}', "
                f"{nearest(shown(name), names)}"
            )
        return self.shipped / f"{name}.toml"

    def _known(self, name: str, where: str) -> None:
        if name not in self.fields:
            raise InputError(
                f"{where}: unknown value '{shown(name)}', {nearest(shown(name), self.fields)}"
            )

    def _entry(self, name: str, entry: Any, where: str) -> tuple[Any, str, str]:
        if not isinstance(entry, dict):
            raise InputError(
                f"{where}: expected a table [{name}] with value and source, not {shown(entry)}"
            )
        for key in entry:
            if key not in _ENTRY:
                raise InputError(f"{where}: unknown key '{shown(key)}', {nearest(key, _ENTRY)}")
        for key in _ENTRY[:2]:
            if key not in entry:
                raise InputError(f"{where}: lacks {key}; expected value and source")
        source, note = entry["source"], entry.get("note", "")
        if not isinstance(source, str) or source not in SOURCES:
            word = shown(source)
            raise InputError(f"{where}: unknown source '{word}', {nearest(word, SOURCES)}")
        if not isinstance(note, str):
            raise InputError(f"{where}: note: expected text, not {shown(note)}")
        return entry["value"], source, note

    def _value(self, name: str, value: Any, where: str, folder: Path | None) -> Any:
        field = self.fields[name]
        try:
            if field.read is not None and isinstance(value, str):
                place = self._beside(value, where, folder)
                where = f"{where}: {place.name or value}"
                return field.read(_text(place, where, "a text file"))
            return field.check(value)
        except InputError:
            raise
        except ValueError as error:
            raise InputError(f"{where}: {error}") from None

    def _beside(self, file: str, where: str, folder: Path | None) -> Traversable:
        """Find a file that a value names: in `folder`, else among the shipped ones."""
        shipped = {entry.name: entry for entry in self.shipped.iterdir()}
        if folder is not None and _exists(str(folder / file)):
            return folder / file
        if file in shipped:
            return shipped[file]
        texts = [name for name in shipped if not name.endswith(".toml")]
        raise InputError(
            f"{where}: no file '{shown(file)}'"
            + (f" in {folder.resolve()}" if folder is not None else "")
            + f"; shipped files: {nearest(shown(file), texts)}"
        )
