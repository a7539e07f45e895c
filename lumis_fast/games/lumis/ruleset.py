"""Lumis: the values that its rulesets set, their caps, and the board file.

Rulebook sections: components, set-up, the three building rules, the game for 2 players.
"""

from __future__ import annotations

import importlib.resources
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from lumis_fast.core.ruleset import (
    Field,
    Row,
    Ruleset,
    check_choice,
    check_flag,
    check_whole,
    load_ruleset,
    restore_ruleset,
    ruleset_table,
    shipped_names,
    shown,
)
from lumis_fast.errors import InputError

__all__ = [
    "COLOURS",
    "FIELDS",
    "MAX_SIDE",
    "RULESETS",
    "TEAMS",
    "Board",
    "load",
    "parse_board",
    "restore",
    "table",
]

GAME_NAME = "lumis"
TEAMS = ("yellow", "red")
COLOURS = {"b": "light_blue", "c": "cream", "v": "violet", "g": "green"}
"""Letter in a board file to colour; a capital letter is a tower space of that colour."""

MAX_SIDE = 40
MAX_TOWER_SPACES = 512
MAX_CARDS_PER_COLOUR = 32
MAX_HAND = 24
MAX_SUPPLY_CARDS = 4
MAX_STONES = 2000
MAX_TURNS = 10_000

_SHIPPED: Traversable = importlib.resources.files("lumis_fast.games.lumis") / "rulesets"
RULESETS = tuple(shipped_names(_SHIPPED))
"""Names of the shipped rulesets."""

_SPACES = frozenset("bcvgBCVG")
_LETTERS = _SPACES | {"*", "."}
_LETTERS_TEXT = "b c v g, B C V G for tower spaces, * for an obstacle or . for no space"
_NEIGHBOURS = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1))
_Space = tuple[int, int]


@dataclass(frozen=True)
class Board:
    """A board as its file tells it.

    Parameters
    ----------
    rows : list of str
        One letter a space, no blanks.
    areas : list of str or None
        The area that each space belongs to, in the same shape; no effect on play.
    """

    rows: list[str]
    areas: list[str] | None = None


@dataclass(frozen=True)
class _Line:
    """Letters of one line of a board, each with its column in the text, counted from 1."""

    number: int
    letters: str
    columns: Sequence[int]

    @classmethod
    def of(cls, number: int, text: str) -> _Line:
        found = [(char, at) for at, char in enumerate(text, 1) if char not in " \t"]
        return cls(number, "".join(char for char, _ in found), [at for _, at in found])

    def at(self, index: int) -> str:
        """Tell a place in words; just after the last letter where there is no such letter."""
        after = self.columns[-1] + 1 if self.columns else 1
        column = self.columns[index] if index < len(self.columns) else after
        return f"line {self.number}, column {column}"


def parse_board(text: str, where: str) -> Board:
    """Read a board file (rulings D2 to D6).

    Lines that begin with ``# `` are comments. Each row is a line of letters, blanks between them
    carry no meaning. After an empty line an area list of the same shape may follow.

    Parameters
    ----------
    text : str
        The file's content.
    where : str
        What the text is called in errors, usually the file's name.

    Returns
    -------
    Board
        Rows and areas without blanks.

    Raises
    ------
    InputError
        If the board is malformed, too large or cannot be played, with line and column (both
        counted from 1).

    Examples
    --------
    >>> parse_board("c b\\n G v", "small.txt").rows
    ['cb', 'Gv']
    """
    try:
        return _parse(text)
    except ValueError as error:
        raise InputError(f"{where}: {error}") from None


def load(
    name_or_path: str | Path = "standard", changes: Mapping[str, Any] | None = None
) -> Ruleset:
    """Load a Lumis ruleset and apply changes.

    Parameters
    ----------
    name_or_path : str or Path
        One of `RULESETS`, or a path to a TOML file.
    changes : mapping, optional
        New values by name.

    Returns
    -------
    Ruleset
        The board in its values is a list of rows without blanks.

    Raises
    ------
    InputError
        If a file or a value is wrong.

    Examples
    --------
    >>> load("standard", {"hand_limit": 12}).values["hand_limit"]
    12
    """
    return load_ruleset(FIELDS, _SHIPPED, GAME_NAME, name_or_path, changes, _check_all)


def restore(plain: Any, path: str | Path | None = None) -> Ruleset:
    """Build a ruleset again from the ``ruleset`` of a record or a manifest.

    Parameters
    ----------
    plain : dict
        ``name``, ``digest`` and ``changes``.
    path : str or Path, optional
        The ruleset file, needed where it is not a shipped one.

    Returns
    -------
    Ruleset
        With the digest stated in `plain`.

    Raises
    ------
    InputError
        If that cannot be had.
    """
    return restore_ruleset(FIELDS, _SHIPPED, GAME_NAME, plain, path, _check_all)


def table(ruleset: Ruleset) -> list[Row]:
    """List the values of a ruleset with source, cap, meaning and note.

    Parameters
    ----------
    ruleset : Ruleset
        A Lumis ruleset.

    Returns
    -------
    list of Row
        One for each value.
    """
    return ruleset_table(FIELDS, ruleset)


# --- the board file ---------------------------------------------------------------------------


def _parse(text: str) -> Board:
    blocks = list(_blocks(text))
    if not blocks:
        raise ValueError("line 1, column 1: no row of spaces; expected at least one")
    if len(blocks) > 2:
        raise ValueError(
            f"{blocks[2][0].at(0)}: a third part after an empty line; expected the rows and at "
            "most one area list"
        )
    lines = blocks[0]
    rows = _rows(lines)
    areas = _areas(blocks[1], lines) if len(blocks) == 2 else None
    return Board(rows, areas)


def _blocks(text: str) -> Iterator[list[_Line]]:
    """Split a board file into its parts at empty lines; comments are not empty lines."""
    block: list[_Line] = []
    for number, content in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), 1):
        if content.startswith("# ") or content.rstrip() == "#":
            continue
        line = _Line.of(number, content)
        if line.letters:
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _rows(lines: list[_Line]) -> list[str]:
    """Check the rows of a board and give them."""
    width = _usual_width(lines)
    for line in lines:
        _check_letters(line)
    _check_size(lines, width)
    for line in lines:
        _check_width(line, width)
    for team in TEAMS:
        _check_way(lines, team)
    _check_towers(lines)
    return [line.letters for line in lines]


def _usual_width(lines: list[_Line]) -> int:
    # The width of most rows, so that one wrong row is blamed and not all the others.
    return Counter(len(line.letters) for line in lines).most_common(1)[0][0]


def _check_letters(line: _Line) -> None:
    for index, letter in enumerate(line.letters):
        if letter not in _LETTERS:
            hint = " (a comment begins with '# ')" if letter == "#" else ""
            raise ValueError(
                f"{line.at(index)}: unknown letter '{shown(letter)}'; "
                f"expected {_LETTERS_TEXT}{hint}"
            )


def _check_size(lines: list[_Line], width: int) -> None:
    if len(lines) > MAX_SIDE:
        raise ValueError(f"{lines[MAX_SIDE].at(0)}: {len(lines)} rows; expected at most {MAX_SIDE}")
    if width > MAX_SIDE:
        line = next(line for line in lines if len(line.letters) == width)
        raise ValueError(
            f"{line.at(MAX_SIDE)}: {width} spaces in a row; expected at most {MAX_SIDE}"
        )


def _check_width(line: _Line, width: int) -> None:
    found = len(line.letters)
    if found < width:
        raise ValueError(
            f"{line.at(found)}: the row ends after {found} spaces; expected {width} like the others"
        )
    if found > width:
        # A tower space beyond the outline is the likelier slip to look for, so it is named.
        outside = [index for index in range(width, found) if line.letters[index].isupper()]
        what = "a tower space outside the board" if outside else "one space too many"
        index = outside[0] if outside else width
        raise ValueError(
            f"{line.at(index)}: {what}: the row has {found} spaces; "
            f"expected {width} like the others"
        )


def _first_line(lines: list[_Line], team: str) -> set[_Space]:
    """The spaces of the board that touch a team's first base line (ruling D6)."""
    if team == "yellow":
        return {(0, column) for column in range(len(lines[0].letters))}
    return {(row, 0) for row in range(len(lines))}


def _last_line(lines: list[_Line], team: str) -> set[_Space]:
    """The spaces of the board that touch a team's second base line (ruling D6)."""
    height, width = len(lines), len(lines[0].letters)
    first = _first_line(lines, team)
    shift = (height - 1, 0) if team == "yellow" else (0, width - 1)
    return {(row + shift[0], column + shift[1]) for row, column in first}


def _flood(lines: list[_Line], start: set[_Space]) -> set[_Space]:
    """All usable spaces linked to usable ones of `start`, those included."""
    usable = {
        (row, column)
        for row, line in enumerate(lines)
        for column, letter in enumerate(line.letters)
        if letter in _SPACES
    }
    reached = start & usable
    frontier = list(reached)
    while frontier:
        row, column = frontier.pop()
        around = {(row + down, column + right) for down, right in _NEIGHBOURS}
        new = (around & usable) - reached
        reached |= new
        frontier.extend(new)
    return reached


def _check_way(lines: list[_Line], team: str) -> None:
    reached = _flood(lines, _first_line(lines, team))
    if reached & _last_line(lines, team):
        return
    height, width = len(lines), len(lines[0].letters)
    base_lines = (
        f"from row -1 to row {height}" if team == "yellow" else f"from column -1 to column {width}"
    )
    expected = (
        f"{team} has no way across {base_lines}; expected one over spaces that can be built on"
    )
    if not reached:
        raise ValueError(f"{lines[0].at(0)}: {expected}; no such space touches its first base line")
    axis = 0 if team == "yellow" else 1
    row, column = max(reached, key=lambda space: (space[axis], -space[1 - axis]))
    raise ValueError(
        f"{lines[row].at(column)}: {expected}; the way from the first base line ends here "
        f"(row {row}, column {column} of the board)"
    )


def _check_towers(lines: list[_Line]) -> None:
    towers = [(line, at) for line in lines for at, c in enumerate(line.letters) if c.isupper()]
    if len(towers) > MAX_TOWER_SPACES:
        line, column = towers[MAX_TOWER_SPACES]
        raise ValueError(
            f"{line.at(column)}: one tower space too many, {len(towers)} in all; expected at most "
            f"{MAX_TOWER_SPACES}"
        )
    edges = [line(lines, team) for line in (_first_line, _last_line) for team in TEAMS]
    reached = _flood(lines, set().union(*edges))
    for row, line in enumerate(lines):
        for column, letter in enumerate(line.letters):
            if letter.isupper() and (row, column) not in reached:
                raise ValueError(
                    f"{line.at(column)}: a tower space outside: no way leads to it from a base "
                    "line; expected it joined to the rest of the board"
                )


def _areas(areas: list[_Line], lines: list[_Line]) -> list[str]:
    """Check that the area list has the board's shape and covers every space."""
    height, width = len(lines), len(lines[0].letters)
    for line, row in zip(areas, lines, strict=False):
        found = len(line.letters)
        if found != width:
            raise ValueError(
                f"{line.at(min(found, width))}: {found} letters in the area list; expected {width} "
                "like the board's rows"
            )
        for index, (area, letter) in enumerate(zip(line.letters, row.letters, strict=True)):
            if area in "*." and letter in _SPACES:
                kind = "tower space" if letter.isupper() else "space"
                raise ValueError(
                    f"{line.at(index)}: '{area}' puts a {kind} outside all areas; expected the "
                    "letter of an area"
                )
    if len(areas) != height:
        line = areas[min(len(areas) - 1, height)]
        raise ValueError(
            f"{line.at(0)}: {len(areas)} rows in the area list; expected {height} like the board"
        )
    return [line.letters for line in areas]


# --- the values -------------------------------------------------------------------------------


def _read_board(text: str) -> list[str]:
    return _parse(text).rows


def _check_board(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(row, str) for row in value):
        raise ValueError("expected the name of a board file or a list of rows of letters")
    if not value:
        raise ValueError("expected at least one row")
    lines = [_Line.of(number, row) for number, row in enumerate(value, 1)]
    for line in lines:
        if not line.letters:
            raise ValueError(f"line {line.number}, column 1: an empty row; expected spaces")
    return _rows(lines)


def _show_board(rows: list[str]) -> str:
    letters = Counter("".join(rows))
    towers = sum(count for letter, count in letters.items() if letter.isupper())
    parts = [f"{len(rows)} x {len(rows[0])}", f"{towers} tower spaces"]
    if letters["*"]:
        parts.append(f"{letters['*']} obstacle" + ("s" if letters["*"] > 1 else ""))
    return ", ".join(parts)


def _check_supply_cards(value: Any) -> dict[str, list[list[int]]]:
    if not isinstance(value, dict) or set(value) != set(TEAMS):
        raise ValueError(
            "expected a table with yellow and red, like {yellow = [[1, 4]], red = [[4, 1]]}, not "
            f"{shown(value)}"
        )
    return {team: _check_team_cards(team, value[team]) for team in TEAMS}


def _check_team_cards(team: str, cards: Any) -> list[list[int]]:
    if not isinstance(cards, list) or not 1 <= len(cards) <= MAX_SUPPLY_CARDS:
        raise ValueError(f"{team}: expected 1 to {MAX_SUPPLY_CARDS} cards, not {shown(cards)}")
    number = check_whole(1, MAX_HAND)
    owner: dict[int, int] = {}
    for index, card in enumerate(cards):
        if not isinstance(card, list) or len(card) != 2:
            raise ValueError(f"{team}: expected [face up, face down], not {shown(card)}")
        for face in card:
            try:
                number(face)
            except ValueError as error:
                raise ValueError(f"{team}, card {index + 1}: {error}") from None
            if owner.setdefault(face, index) != index:
                raise ValueError(
                    f"{team}: two cards share the number {face}; expected each number on one card"
                )
    return [list(card) for card in cards]


def _show_supply_cards(value: dict[str, list[list[int]]]) -> str:
    return "; ".join(
        f"{team} " + " ".join(f"{up}/{down}" for up, down in cards) for team, cards in value.items()
    )


def _check_all(values: dict[str, Any]) -> None:
    """Check what values must be to one another (rulebook, set-up: two hands a team)."""
    hand, limit = values["opening_hand"], values["hand_limit"]
    if hand > limit:
        raise ValueError(
            f"opening_hand {hand} is over hand_limit {limit}; expected {limit} or fewer"
        )
    deck = len(COLOURS) * values["cards_per_colour"]
    if 2 * hand > deck:
        raise ValueError(
            f"opening_hand {hand}: two hands need {2 * hand} cards, but a team's deck has {deck} "
            f"(4 x cards_per_colour); expected {deck // 2} or fewer"
        )


FIELDS = (
    Field(
        "board",
        "the spaces: a board file, or rows of letters",
        _check_board,
        f"1 x 1 to {MAX_SIDE} x {MAX_SIDE} spaces, at most {MAX_TOWER_SPACES} of them tower "
        "spaces, a way across for each team",
        read=_read_board,
        show=_show_board,
    ),
    Field(
        "cards_per_colour",
        "cards of each of the 4 colours in a team's deck",
        check_whole(1, MAX_CARDS_PER_COLOUR),
        f"1 to {MAX_CARDS_PER_COLOUR}",
    ),
    Field(
        "opening_hand",
        "cards dealt to each player",
        check_whole(0, MAX_HAND),
        "0 to hand_limit, two hands within a team's deck",
    ),
    Field(
        "hand_limit",
        "cards that a player may hold at most",
        check_whole(1, MAX_HAND),
        f"1 to {MAX_HAND}",
    ),
    Field(
        "supply_cards",
        "each team's supply cards as [face up, face down] at the start, numbers of cards",
        _check_supply_cards,
        f"1 to {MAX_SUPPLY_CARDS} cards a team, numbers 1 to {MAX_HAND}, none on two cards",
        show=_show_supply_cards,
    ),
    Field(
        "fire_stones",
        "fire stones of each team",
        check_whole(1, MAX_STONES),
        f"1 to {MAX_STONES}",
    ),
    Field(
        "tower_stones",
        "tower stones in the common supply",
        check_whole(0, MAX_STONES),
        f"0 to {MAX_STONES}",
    ),
    Field(
        "first_team",
        "team that takes the first turn",
        check_choice(*TEAMS),
        "yellow or red",
    ),
    Field(
        "max_turns",
        "turns after which the game is a draw, skipped ones counted",
        check_whole(1, MAX_TURNS),
        f"1 to {MAX_TURNS}",
    ),
    Field(
        "base_towers",
        "whether base-line towers must be built; if not, each base line counts as a tower",
        check_flag,
        "true or false",
    ),
)
"""The values of a Lumis ruleset, in the order they are listed."""
