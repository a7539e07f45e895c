"""The Lumis board as a picture: coloured text for the terminal, and SVG.

Both pictures are made from a position as plain data (see "Positions as JSON" in
``docs/architecture.md``), so they can show a game, one seat's view of it, or a position written
by hand. Nothing here knows the rules beyond which spaces are neighbours (rulebook: Components,
The Obstacle Space; rulings R1, R2 and D4 to D6).

Yellow pieces are round and red ones are diamonds in both pictures, so that the owner can be told
without seeing colours.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from lumis_fast.errors import InputError

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["draw_svg", "draw_terminal", "highlight_of"]

Space = tuple[int, int]
Segment = tuple[str, str]

TEAMS = ("yellow", "red")
COLOURS = {"b": "light_blue", "c": "cream", "v": "violet", "g": "green"}
LETTERS = {name: letter for letter, name in COLOURS.items()}
NEIGHBOURS = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1))
# Half of the neighbour steps: each pair of neighbours is met once.
FORWARD = ((0, 1), (1, 0), (1, -1))


def draw_terminal(
    position: Mapping[str, Any], *, highlight: Iterable[Sequence[int]] = (), hands: bool = True
) -> Text:
    """Draw a position for the terminal.

    Every space is two characters wide and every row is shifted by one, half a space, so that the
    six neighbours of a space are the six cells that touch it. A 25 x 25 board with its panel takes
    about 120 columns. The picture keeps its meaning without colours: letters stand for the card
    colours, signs and letters for the owners.

    Print it with ``console.print(text, soft_wrap=True)``, so that it is not cut to the 80 columns
    that rich assumes where the output is not a terminal.

    Parameters
    ----------
    position : mapping
        A Lumis position as plain data.
    highlight : iterable of [row, column], optional
        Spaces to mark, usually those of the last move.
    hands : bool, optional
        Whether the cards in hand are listed. A hand whose cards are hidden shows its size alone.

    Returns
    -------
    rich.text.Text
        The board, the panel beside it and the legend below. Colours are styles of the text, so
        ``NO_COLOR`` and pipes are respected by the console that prints it.

    Raises
    ------
    InputError
        If `position` is not a Lumis position, or a highlighted space is not on the board.

    Examples
    --------
    >>> from rich.console import Console
    >>> Console().print(draw_terminal(position), soft_wrap=True)  # doctest: +SKIP
    """
    from rich.text import Text

    scene = _Scene.of(position, highlight)
    lines = _beside(_board_lines(scene), _panel_lines(scene, hands))
    lines += [[], *_notes(scene), *_legend_lines()]
    text = Text(no_wrap=True, overflow="ignore")
    for number, line in enumerate(lines):
        text.append("\n" if number else "")
        for characters, style in _trimmed(line):
            text.append(characters, style or None)
    return text


def draw_svg(position: Mapping[str, Any], *, highlight: Iterable[Sequence[int]] = ()) -> str:
    """Draw a position as a standalone SVG picture.

    Every space, stone and tower is one element that carries what it shows, for style sheets,
    scripts and tests: class ``space`` with ``ordinary``, ``tower-space``, ``base-line`` or
    ``obstacle``; class ``fire-stone``; class ``tower`` with ``data-height``; all of them with
    ``data-space="row,column"``, colours and owners as further classes.

    Parameters
    ----------
    position : mapping
        A Lumis position as plain data.
    highlight : iterable of [row, column], optional
        Spaces to mark, usually those of the last move.

    Returns
    -------
    str
        An SVG document with a ``viewBox`` and no outside resources.

    Raises
    ------
    InputError
        If `position` is not a Lumis position, or a highlighted space is not on the board.

    Examples
    --------
    >>> from pathlib import Path
    >>> Path("position.svg").write_text(draw_svg(position), encoding="utf-8")  # doctest: +SKIP
    """
    scene = _Scene.of(position, highlight)
    layout = _Layout.of(scene)
    groups = [
        _svg_plate(scene),
        _svg_labels(scene),
        _group("spaces", _svg_spaces(scene)),
        _group("area-borders", [_svg_area_borders(scene)]),
        _svg_paths(scene),
        # Under the pieces, so that no mark hides the number of the tall tower in the row below.
        _group("highlights", [_svg_highlight(space) for space in sorted(scene.highlight)]),
        _group("pieces", _svg_pieces(scene)),
        _placed("panel", layout.panel, layout.scale, _svg_panel(scene)),
        _placed("legend", layout.legend, layout.scale, _svg_legend()),
    ]
    left, top, width, height = layout.box
    return _element(
        "svg",
        _element("title", escape(_headline(scene)))
        + _svg_definitions()
        + _element("rect", x=left, y=top, width=width, height=height, fill=_CANVAS)
        + "\n".join(groups)
        + "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(_number(value) for value in layout.box),
        width=_number(width),
        height=_number(height),
        role="img",
        font_family=_FONT,
        fill=_INK,
    )


def highlight_of(step: Mapping[str, Any]) -> list[list[int]]:
    """Tell the spaces to mark after a step: those it built on.

    Parameters
    ----------
    step : mapping
        A step as in a record.

    Returns
    -------
    list of [row, column]
        None for a step that builds nothing.

    Examples
    --------
    >>> highlight_of({"seat": 0, "action": "tower", "space": [3, 1], "height": 2})
    [[3, 1]]
    """
    spaces = step.get("spaces", []) + ([step["space"]] if "space" in step else [])
    return [list(space) for space in spaces]


# What both pictures share.


@dataclass(frozen=True)
class _Piece:
    """A bare fire stone (height 0) or a tower; `fixed` towers can never be built over."""

    team: str
    height: int
    fixed: bool


@dataclass(frozen=True)
class _Scene:
    """A position made ready for drawing."""

    position: Mapping[str, Any]
    board: Sequence[str]
    pieces: Mapping[Space, _Piece]
    highlight: frozenset[Space]

    @classmethod
    def of(cls, position: Mapping[str, Any], highlight: Iterable[Sequence[int]]) -> _Scene:
        if position.get("game") != "lumis":
            raise InputError(
                f"the position to draw is of game {position.get('game')!r}, expected 'lumis'"
            )
        scene = cls(
            position,
            position["board"],
            _pieces(position),
            frozenset((row, column) for row, column in highlight),
        )
        for space in sorted(scene.highlight):
            if scene.kind(space) == "":
                raise InputError(
                    f"there is no space {list(space)} to highlight: rows are -1 to {scene.rows} "
                    f"and columns -1 to {scene.columns}, base lines included, corners and holes "
                    f"excluded; the nearest space is {list(scene.nearest(space))}"
                )
        return scene

    @property
    def rows(self) -> int:
        return len(self.board)

    @property
    def columns(self) -> int:
        return len(self.board[0])

    def kind(self, space: Space) -> str:
        """Tell the board letter of a space, the team of a base-line space, or "" for none."""
        row, column = space
        inside_rows, inside_columns = 0 <= row < self.rows, 0 <= column < self.columns
        if inside_rows and inside_columns:
            letter = self.board[row][column]
            return "" if letter == "." else letter
        if inside_columns and row in (-1, self.rows):
            return "yellow"
        if inside_rows and column in (-1, self.columns):
            return "red"
        return ""

    def spaces(self) -> Iterator[tuple[Space, str]]:
        """Yield every space with its kind, row by row, base lines included."""
        for row in range(-1, self.rows + 1):
            for column in range(-1, self.columns + 1):
                kind = self.kind((row, column))
                if kind:
                    yield (row, column), kind

    def nearest(self, space: Space) -> Space:
        row, column = space
        return min(
            (other for other, _ in self.spaces()),
            key=lambda other: abs(other[0] - row) + abs(other[1] - column),
        )

    def links(self) -> Iterator[tuple[Space, Space]]:
        """Yield each pair of neighbouring pieces of one team once (rulings, R2)."""
        for (row, column), piece in self.pieces.items():
            for down, right in FORWARD:
                other = self.pieces.get((row + down, column + right))
                if other is not None and other.team == piece.team:
                    yield (row, column), (row + down, column + right)

    def winner(self) -> str | None:
        """Tell the team that alone has the full return, if the game is over."""
        outcome = self.position.get("outcome")
        if not outcome:
            return None
        winning = {_team(seat) for seat, value in enumerate(outcome["returns"]) if value == 1}
        return winning.pop() if len(winning) == 1 else None

    def winning_path(self) -> frozenset[Space]:
        """Find the winner's linked pieces that join its two base lines (rulebook: End)."""
        team = self.winner()
        if team is None:
            return frozenset()
        axis, length = {"yellow": (0, self.rows), "red": (1, self.columns)}[team]
        own = [space for space, piece in self.pieces.items() if piece.team == team]
        # Where base lines stand as towers that are in no list, the path ends beside them.
        first, last = (-1, length) if any(space[axis] == -1 for space in own) else (0, length - 1)
        for start in own:
            if start[axis] == first:
                group = self._linked_to(start)
                if any(space[axis] == last for space in group):
                    return frozenset(group)
        return frozenset()

    def _linked_to(self, start: Space) -> set[Space]:
        found, waiting = {start}, [start]
        while waiting:
            row, column = waiting.pop()
            for down, right in NEIGHBOURS:
                space = (row + down, column + right)
                piece = self.pieces.get(space)
                if space not in found and piece and piece.team == self.pieces[start].team:
                    found.add(space)
                    waiting.append(space)
        return found


def _pieces(position: Mapping[str, Any]) -> dict[Space, _Piece]:
    rows, columns = len(position["board"]), len(position["board"][0])
    pieces = {}
    for team in TEAMS:
        side = position["teams"][team]
        for row, column in side["stones"]:
            pieces[row, column] = _Piece(team, 0, True)
        for tower in side["towers"]:
            row, column = tower["space"]
            base = row in (-1, rows) or column in (-1, columns)
            pieces[row, column] = _Piece(team, tower["height"], base or tower["safe"])
    return dict(sorted(pieces.items()))


def _team(seat: int) -> str:
    return TEAMS[seat % 2]


def _word(name: str) -> str:
    return name.replace("_", " ")


def _headline(scene: _Scene) -> str:
    """Say in one line whose turn it is or how the game ended."""
    position, outcome = scene.position, scene.position.get("outcome")
    if not outcome:
        if position.get("over"):
            return "The game is over"
        seat = position["to_move"]
        return f"{_team(seat).capitalize()} to move (seat {seat})"
    winner = scene.winner()
    loser = {"yellow": "Red", "red": "Yellow"}.get(winner or "")
    reasons = {
        "connected": f"{(winner or '').capitalize()} wins: its sides are connected",
        "out_of_fire_stones": f"{(winner or '').capitalize()} wins: {loser} is out of fire stones",
        "stuck": "Draw: no seat can move",
        "unfinished": "Draw: the limit of turns is reached",
    }
    said = reasons.get(outcome["reason"], f"Over: {_word(outcome['reason'])}")
    return said


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _played(scene: _Scene) -> str:
    outcome = scene.position.get("outcome")
    return f"{_counted(outcome['turns'] if outcome else scene.position['turn'], 'turn')} played"


def _open_towers(scene: _Scene) -> list[tuple[Space, _Piece]]:
    return [(space, piece) for space, piece in scene.pieces.items() if not piece.fixed]


# The terminal.

_TINT = {"b": "#a9d6f0", "c": "#f3e7c0", "v": "#c6abe6", "g": "#a5d694"}
_TINT_INK = {"b": "#4f86a8", "c": "#a3925a", "v": "#7e5aa8", "g": "#4f8a3f"}
_STRONG = {"b": "#1f78b4", "c": "#a8842c", "v": "#6a3d9a", "g": "#2e8b3d"}
_TEAM_PAPER = {"yellow": "#ffc21a", "red": "#c4161c"}
_TEAM_INK = {"yellow": "#241a00", "red": "#ffffff"}
_BASE_PAPER = {"yellow": "#8f6f14", "red": "#7a1b22"}
_BASE_INK = {"yellow": "#ffe08a", "red": "#ffb3ad"}
_MARK_INK = {"yellow": "#8a5a00", "red": "#c4161c"}
_STONE = {"yellow": "●", "red": "◆"}
_BASE_SIGN = {"yellow": "==", "red": "\\\\"}
_HEIGHTS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OBSTACLE = ("##", "#b9b4c4 on #2a2733")
_NOTE_WIDTH = 108


def _board_lines(scene: _Scene) -> list[list[Segment]]:
    lines = [[(_column_numbers(scene, 0), "dim")]]
    for row in range(-1, scene.rows + 1):
        number = f"{row:>2} " if 0 <= row < scene.rows else "   "
        line = [(" " * (row + 1) + number, "dim")]
        for column in range(-1, scene.columns + 1):
            line += _cell(scene, (row, column))
        lines.append(line)
    lines.append([(_column_numbers(scene, scene.rows + 3), "dim")])
    return lines


def _column_numbers(scene: _Scene, shift: int) -> str:
    """Number every fifth column on the slant that the columns have."""
    numbers = (f"{column:>2}" if column % 5 == 0 else "  " for column in range(scene.columns))
    return (" " * (shift + 4) + "".join(numbers)).rstrip()


def _cell(scene: _Scene, space: Space) -> list[Segment]:
    """Draw one space as two characters."""
    kind, piece = scene.kind(space), scene.pieces.get(space)
    marked = space in scene.highlight
    if piece is not None:
        return _piece_cell(scene, space, piece, marked)
    if not kind:
        return [("  ", "")]
    if kind in TEAMS:
        paper = "#ffffff" if marked else _BASE_PAPER[kind]
        return [(_BASE_SIGN[kind], f"{_BASE_INK[kind]} on {paper}")]
    if kind == "*":
        return [_OBSTACLE]
    letter = kind.lower()
    if kind.isupper():
        return [(kind * 2, f"bold {'#000000' if marked else '#ffffff'} on {_strong(kind, marked)}")]
    return [(" " + kind, f"{_TINT_INK[letter]} on {'#ffffff' if marked else _TINT[letter]}")]


def _strong(kind: str, marked: bool) -> str:
    return "#ffffff" if marked else _STRONG[kind.lower()]


def _piece_cell(scene: _Scene, space: Space, piece: _Piece, marked: bool) -> list[Segment]:
    own = f"bold {_TEAM_INK[piece.team]} on {_TEAM_PAPER[piece.team]}"
    if marked:
        own = f"bold {_MARK_INK[piece.team]} on #ffffff"
    if piece.height == 0:
        west = scene.pieces.get((space[0], space[1] - 1))
        link = "━" if west is not None and west.team == piece.team else " "
        return [(link + _STONE[piece.team], own)]
    height = _height_sign(piece.height)
    if piece.fixed:
        return [(piece.team[0].upper() + height, own)]
    # The colour of the space stays visible: it says what taking this tower costs.
    colour = _STRONG[scene.kind(space).lower()]
    return [(piece.team[0], own), (height, f"bold #ffffff on {colour}")]


def _height_sign(height: int) -> str:
    return _HEIGHTS[height] if height < len(_HEIGHTS) else "+"


def _panel_lines(scene: _Scene, hands: bool) -> list[list[Segment]]:
    lines: list[list[Segment]] = [[(_headline(scene), "bold")]]
    if scene.highlight:
        lines.append([(_spaces_said("marked", sorted(scene.highlight)), "")])
    stones = _counted(scene.position["tower_stones"], "tower stone")
    lines.append([(f"{_played(scene)}, {stones} left", "")])
    for team in TEAMS:
        lines += [[], *_team_lines(team, scene.position["teams"][team])]
    if hands:
        lines += [[], [("hands", "bold")]]
        for seat, hand in enumerate(scene.position["hands"]):
            lines.append(_hand_line(scene, seat, hand))
    return lines


def _spaces_said(what: str, spaces: Sequence[Space], most: int = 3) -> str:
    said = " ".join(f"({row},{column})" for row, column in spaces[:most])
    more = f" and {len(spaces) - most} more" if len(spaces) > most else ""
    return f"{what} {said}{more}"


def _team_lines(team: str, side: Mapping[str, Any]) -> list[list[Segment]]:
    supplies = "  ".join(f"[{up}] (back {down})" for up, down in side["supply_cards"])
    return [
        [
            (f" {_STONE[team]} {team} ", f"bold {_TEAM_INK[team]} on {_TEAM_PAPER[team]}"),
            (f"  {_counted(side['fire_stones'], 'fire stone')} left", ""),
        ],
        [(f"  supply cards {supplies}", "")],
        [("  draw pile ", ""), *_pile_segments(side["pile"])],
        [("  discards ", ""), *_card_segments(side["discards"])],
    ]


def _pile_segments(pile: int | Sequence[str]) -> list[Segment]:
    if isinstance(pile, int):
        return [(f"{pile}", "")]
    segments: list[Segment] = [(f"{len(pile)}", "")]
    if pile:
        segments.append((", next ", ""))
        segments += [
            (f" {LETTERS[card]} ", f"#1a1a1a on {_TINT[LETTERS[card]]}") for card in pile[:6]
        ]
    return segments


def _card_segments(cards: Mapping[str, int]) -> list[Segment]:
    segments: list[Segment] = []
    for letter, name in COLOURS.items():
        segments += [(f" {letter}{cards.get(name, 0)} ", f"#1a1a1a on {_TINT[letter]}"), (" ", "")]
    return segments


def _hand_line(scene: _Scene, seat: int, hand: Mapping[str, Any]) -> list[Segment]:
    acting = seat == scene.position["to_move"] and not scene.position.get("over")
    cards = f"{_counted(hand['size'], 'card'):>8}"
    start = f"{'>' if acting else ' '} seat {seat} {_team(seat):<6} {cards}"
    if hand["cards"] is None:
        return [(start + ", hidden", "bold" if acting else "")]
    return [(start + " ", "bold" if acting else ""), *_card_segments(hand["cards"])]


def _beside(board: list[list[Segment]], panel: list[list[Segment]]) -> list[list[Segment]]:
    """Put the panel into the corner that the slant leaves free at the top right."""
    height = max(len(board), len(panel))
    board = board + [[] for _ in range(height - len(board))]
    start = max(_width(line) for line in board[: len(panel)]) + 3
    lines = []
    for number, line in enumerate(board):
        if number < len(panel) and panel[number]:
            line = [*line, (" " * (start - _width(line)), ""), *panel[number]]
        lines.append(line)
    return lines


def _width(line: list[Segment]) -> int:
    return sum(len(characters) for characters, _ in line)


def _trimmed(line: list[Segment]) -> list[Segment]:
    """Take unstyled blanks off the end of a line."""
    while line and not line[-1][0].strip() and not line[-1][1]:
        line = line[:-1]
    return line


def _notes(scene: _Scene) -> list[list[Segment]]:
    """List what two characters a space cannot hold: the colours under open towers."""
    towers = _open_towers(scene)
    if not towers:
        return []
    # No line breaks inside an entry: blanks are put back after wrapping.
    entries = [
        f"{piece.team[0]}{_height_sign(piece.height)} on "
        f"{_word(COLOURS[scene.kind(space).lower()])} ({space[0]},{space[1]})".replace(" ", "\0")
        for space, piece in towers
    ]
    said = "can be built over: " + ", ".join(entries)
    wrapped = [line.replace("\0", " ") for line in textwrap.wrap(said, _NOTE_WIDTH)]
    lines: list[list[Segment]] = [[(line, "")] for line in wrapped]
    tall = [piece.height for _, piece in towers if piece.height > 9]
    if tall:
        lines.append([(f"heights over 9 are letters: A = 10, B = 11, up to {max(tall)} here", "")])
    return lines


def _legend_lines() -> list[list[Segment]]:
    spaces: list[Segment] = []
    for letter, name in COLOURS.items():
        spaces += [
            (f" {letter}", f"{_TINT_INK[letter]} on {_TINT[letter]}"),
            (letter.upper() * 2, f"bold #ffffff on {_STRONG[letter]}"),
            (f" {_word(name)}   ", ""),
        ]
    spaces += [("doubled capitals: tower spaces   ", ""), _OBSTACLE, (" obstacle", "")]
    return [spaces, *(_legend_team_line(team) for team in TEAMS)]


def _legend_team_line(team: str) -> list[Segment]:
    own = f"bold {_TEAM_INK[team]} on {_TEAM_PAPER[team]}"
    letter = team[0]
    return [
        (_BASE_SIGN[team], f"{_BASE_INK[team]} on {_BASE_PAPER[team]}"),
        (f" {team + ' base line':<18}", ""),
        (f" {_STONE[team]}", own),
        (f" {team + ' fire stone':<19}", ""),
        (letter, own),
        ("2", f"bold #ffffff on {_STRONG['g']}"),
        (" tower, height 2   ", ""),
        (letter.upper() + "2", own),
        (" the same, cannot be built over", ""),
    ]


# SVG. Lengths are in user units; the centre of space (0, 0) is the origin.

_SIZE = 24.0  # from the centre of a space to its corners
_WIDE = _SIZE * math.sqrt(3)
_PITCH = _SIZE * 1.5
_FONT = "'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"
_CANVAS = "#faf6ec"
_INK = "#221f2a"
_SOFT_INK = "#57525f"
_PLATE = "#2a2733"
_FILL = {
    "b": ("#d9effb", "#a8d5ef"),
    "c": ("#fdf8e6", "#f1e3b8"),
    "v": ("#d3bdec", "#b394d8"),
    "g": ("#bfe3ac", "#8fc47a"),
}
_DEEP = {
    "b": ("#5fb3e6", "#2b86c5"),
    "c": ("#f0d382", "#d0a544"),
    "v": ("#9a6bd0", "#7441ad"),
    "g": ("#5fb356", "#37873a"),
}
_EDGE = {"b": "#134d76", "c": "#6d4f0c", "v": "#3d1c66", "g": "#174d1b"}
_LETTER_FILL = {"b": "#06263d", "c": "#3a2900", "v": "#ffffff", "g": "#062408"}
_FIRE = {"yellow": ("#fff3a8", "#ffc70f", "#c78500"), "red": ("#ff8d78", "#d3202a", "#7c0712")}
_RIM = {"yellow": "#6b4a00", "red": "#4a0309"}
_LINK = {"yellow": "#ffbe0b", "red": "#cf1f2b"}
_STRIP = {"yellow": ("#f3d784", "#d9ad36"), "red": ("#d8817c", "#ae3f42")}
_STRIP_EDGE = {"yellow": "#6b4a00", "red": "#4a0309"}
_PANEL_WIDTH = 468.0
_HANDS_TOP = 342.0
_HAND_STEP = 44.0
_LEGEND = (350.0, 438.0)
_MARGIN = 28.0


def _centre(space: Space) -> tuple[float, float]:
    row, column = space
    return _WIDE * (column + row / 2), _PITCH * row


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if value else "0"


def _element(name: str, content: str = "", **attributes: Any) -> str:
    """Write one element; underscores in names stand for hyphens, `class_` for class."""
    parts = [name]
    for key, value in attributes.items():
        text = _number(value) if isinstance(value, float) else escape(str(value))
        shown = key.rstrip("_")
        parts.append(f'{shown if shown == "viewBox" else shown.replace("_", "-")}="{text}"')
    opening = " ".join(parts)
    return f"<{opening}>{content}</{name}>" if content else f"<{opening}/>"


def _group(name: str, elements: Iterable[str], **attributes: Any) -> str:
    return _element("g", "\n" + "\n".join(elements) + "\n", class_=name, **attributes)


def _placed(name: str, corner: tuple[float, float], scale: float, elements: Iterable[str]) -> str:
    x, y = corner
    transform = f"translate({_number(x)} {_number(y)}) scale({_number(scale)})"
    return _group(name, elements, transform=transform)


def _text(x: float, y: float, content: str, size: float = 15, **attributes: Any) -> str:
    return _element("text", escape(content), x=x, y=y, font_size=size, **attributes)


def _panel_height(scene: _Scene) -> float:
    return _HANDS_TOP + _HAND_STEP * len(scene.position["hands"])


@dataclass(frozen=True)
class _Layout:
    """Where panel and legend stand: in the corners that the slant of the board leaves free."""

    box: tuple[float, float, float, float]
    panel: tuple[float, float]
    legend: tuple[float, float]
    scale: float

    @classmethod
    def of(cls, scene: _Scene) -> _Layout:
        rows, columns = scene.rows, scene.columns
        scale = max(1.0, math.sqrt(rows * columns) / 25)
        panel_width, panel_height = (_PANEL_WIDTH * scale, _panel_height(scene) * scale)
        legend_width, legend_height = (value * scale for value in _LEGEND)
        top, bottom = -_PITCH - _SIZE - 34, _PITCH * rows + _SIZE + 12
        middle = (top + bottom) / 2
        panel_top = min(top, middle - panel_height / 2)
        legend_bottom = max(bottom, middle + legend_height / 2)

        def edge(y: float) -> float:
            """Tell how far the slant has gone right at height y, in user units."""
            return _WIDE * min(max(y / _PITCH, -1), rows) / 2

        panel_x = _WIDE * (columns + 0.5) + edge(panel_top + panel_height) + 40
        legend_x = -_WIDE * 1.5 + edge(legend_bottom - legend_height) - 62 - legend_width
        left = min(legend_x, -_WIDE * 2.5) - _MARGIN
        right = max(panel_x + panel_width, _WIDE * (columns + 1) + edge(bottom)) + _MARGIN
        upper = panel_top - _MARGIN
        lower = max(legend_bottom, panel_top + panel_height) + _MARGIN
        return cls(
            (left, upper, right - left, lower - upper),
            (panel_x, panel_top),
            (legend_x, legend_bottom - legend_height),
            scale,
        )


def _hexagon(x: float, y: float, size: float) -> str:
    """List the corners of a hexagon that stands on a corner, the top one first."""
    half = size * math.sqrt(3) / 2
    corners = (
        (x, y - size),
        (x + half, y - size / 2),
        (x + half, y + size / 2),
        (x, y + size),
        (x - half, y + size / 2),
        (x - half, y - size / 2),
    )
    return " ".join(f"{_number(a)},{_number(b)}" for a, b in corners)


def _svg_definitions() -> str:
    gradients = []
    for letter in COLOURS:
        gradients.append(_gradient(f"lumis-{letter}", _FILL[letter]))
        gradients.append(_gradient(f"lumis-deep-{letter}", _DEEP[letter]))
    for team in TEAMS:
        gradients.append(_gradient(f"lumis-strip-{team}", _STRIP[team]))
        gradients.append(_gloss(f"lumis-fire-{team}", _FIRE[team]))
    gradients.append(_gradient("lumis-rock", ("#56515f", "#26232d")))
    gradients.append(_gradient("lumis-slab", ("#f4f1ea", "#a49e93"), sideways=True))
    return _element("defs", "".join(gradients)) + "\n"


def _gradient(name: str, colours: Sequence[str], sideways: bool = False) -> str:
    stops = "".join(
        _element("stop", offset=str(number), stop_color=colour)
        for number, colour in enumerate(colours)
    )
    end = {"x2": "1", "y2": "0"} if sideways else {"x2": "0", "y2": "1"}
    return _element("linearGradient", stops, id=name, x1="0", y1="0", **end)


def _gloss(name: str, colours: Sequence[str]) -> str:
    stops = "".join(
        _element("stop", offset=offset, stop_color=colour)
        for offset, colour in zip(("0", "0.5", "1"), colours, strict=True)
    )
    return _element("radialGradient", stops, id=name, cx="0.36", cy="0.28", r="0.85")


def _svg_plate(scene: _Scene) -> str:
    """Draw the dark plate under the board, its corners cut where base lines leave gaps."""
    rows, columns = scene.rows, scene.columns
    corners = [
        (-1, 0),
        (-1, columns - 1),
        (0, columns),
        (rows - 1, columns),
        (rows, columns - 1),
        (rows, 0),
        (rows - 1, -1),
        (0, -1),
    ]
    points = " ".join(",".join(_number(value) for value in _centre(corner)) for corner in corners)
    shape: dict[str, Any] = {
        "points": points,
        "stroke_linejoin": "round",
        "stroke_width": 2 * _SIZE + 14,
    }
    shadow = _element(
        "polygon", fill="#000", stroke="#000", opacity="0.18", transform="translate(5 8)", **shape
    )
    return _group("plate", [shadow, _element("polygon", fill=_PLATE, stroke=_PLATE, **shape)])


def _svg_labels(scene: _Scene) -> str:
    labels = []
    for row in range(scene.rows):
        x, y = _centre((row, -1))
        labels.append(_text(x - _WIDE / 2 - 24, y + 5, str(row), 13, text_anchor="end"))
    for column in range(scene.columns):
        x, y = _centre((-1, column))
        labels.append(_text(x - 12, y - _SIZE - 15, str(column), 13, text_anchor="middle"))
    return _group("labels", labels, fill=_SOFT_INK)


def _svg_spaces(scene: _Scene) -> Iterator[str]:
    # Tower spaces are larger than their neighbours, so they are drawn after them.
    ordered = sorted(scene.spaces(), key=lambda entry: (entry[1] in "BCVG", entry[0]))
    for space, kind in ordered:
        yield _svg_space(space, kind)


def _svg_space(space: Space, kind: str) -> str:
    x, y = _centre(space)
    if kind in TEAMS:
        words, size = f"base-line {kind}", _SIZE - 1
        paint = {"fill": f"url(#lumis-strip-{kind})", "stroke": _STRIP_EDGE[kind]}
        detail = _owner_mark(kind, x, y)
    elif kind == "*":
        return _element("g", _obstacle_shape(x, y), class_="space obstacle", **_data(space))
    elif kind.isupper():
        return _svg_tower_space(space, kind)
    else:
        words, size = f"ordinary {COLOURS[kind]}", _SIZE - 0.4
        paint = {"fill": f"url(#lumis-{kind})", "stroke": "#ffffff", "stroke_opacity": "0.55"}
        detail = _colour_mark(kind, x, y)
    outline = _element("polygon", points=_hexagon(x, y, size), stroke_width=1, **paint)
    return _element("g", outline + detail, class_=f"space {words}", **_data(space))


def _data(space: Space) -> dict[str, str]:
    return {"data-space": f"{space[0]},{space[1]}"}


def _svg_tower_space(space: Space, kind: str) -> str:
    x, y = _centre(space)
    content = _tower_space_shape(x, y, kind.lower())
    name = COLOURS[kind.lower()]
    return _element("g", content, class_=f"space tower-space {name}", **_data(space))


def _tower_space_shape(x: float, y: float, letter: str) -> str:
    outer = _element(
        "polygon",
        points=_hexagon(x, y, _SIZE + 3.5),
        fill=f"url(#lumis-deep-{letter})",
        stroke=_EDGE[letter],
        stroke_width=2.5,
    )
    inner = _element(
        "polygon",
        points=_hexagon(x, y, _SIZE - 2.5),
        fill="none",
        stroke="#ffffff",
        stroke_opacity="0.7",
        stroke_width=1.5,
    )
    sign = _text(
        x,
        y + 6.5,
        letter.upper(),
        18,
        text_anchor="middle",
        font_weight="bold",
        fill=_LETTER_FILL[letter],
    )
    return outer + inner + sign


def _colour_mark(letter: str, x: float, y: float) -> str:
    """Draw the small sign that tells the card colours apart without colour."""
    a, b = _number(x), _number(y)
    shapes = {
        "b": f"M{a} {b}m-7 1q3.5 -5 7 0t7 0",
        "c": f"M{a} {b}m-2.2 0a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0",
        "v": f"M{a} {b}m0 -5l5 8.5h-10z",
        "g": f"M{a} {b}m0 5v-10m-5 3.5l5 6.5l5 -6.5",
    }
    return _element(
        "path",
        d=shapes[letter],
        fill="none",
        stroke=_EDGE[letter],
        stroke_opacity="0.4",
        stroke_width=1.6,
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def _owner_mark(team: str, x: float, y: float) -> str:
    return _element(
        "path", d=_owner_shape(team, x, y, 6), fill=_STRIP_EDGE[team], fill_opacity="0.5"
    )


def _owner_shape(team: str, x: float, y: float, size: float) -> str:
    """Outline an owner's shape: a disc for yellow, a diamond with soft corners for red."""
    a, b, s = _number(x), _number(y), _number(size)
    if team == "yellow":
        d = _number(2 * size)
        return f"M{a} {b}m-{s} 0a{s} {s} 0 1 0 {d} 0a{s} {s} 0 1 0 -{d} 0z"
    tip, rest = size * 1.22, 0.82
    corners = ((0, -tip), (tip, 0), (0, tip), (-tip, 0))
    parts = []
    for number, (right, down) in enumerate(corners):
        for start in (corners[number - 1], corners[(number + 1) % 4]):
            # Each corner is rounded off between two points close to it on its two sides.
            near_x = x + rest * right + (1 - rest) * start[0]
            near_y = y + rest * down + (1 - rest) * start[1]
            parts.append(f"{_number(near_x)} {_number(near_y)}")
        parts.insert(-1, f"{_number(x + right)} {_number(y + down)}")
    sides = (f"L{parts[k]}Q{parts[k + 1]} {parts[k + 2]}" for k in range(0, 12, 3))
    return "M" + "".join(sides)[1:] + "Z"


def _obstacle_shape(x: float, y: float) -> str:
    outline = _element(
        "polygon",
        points=_hexagon(x, y, _SIZE - 0.5),
        fill="url(#lumis-rock)",
        stroke="#000000",
        stroke_width=1,
    )
    facets = f"M{_number(x)} {_number(y)}m-11 6l4 -13l9 -3l9 11l-6 9zm4 -13l7 8l10 0m-10 0l-2 10"
    return outline + _element(
        "path",
        d=facets,
        fill="none",
        stroke="#ffffff",
        stroke_opacity="0.35",
        stroke_width=1.5,
        stroke_linejoin="round",
    )


def _svg_area_borders(scene: _Scene) -> str:
    """Draw a line between neighbouring ordinary spaces of different colours."""
    lines = []
    for (row, column), kind in scene.spaces():
        if kind not in COLOURS:
            continue
        for down, right in FORWARD:
            other = scene.kind((row + down, column + right))
            if other in COLOURS and other != kind:
                lines.append(_edge_between((row, column), (row + down, column + right)))
    return _element(
        "path",
        d="".join(lines) or "M0 0",
        fill="none",
        stroke="#3b3226",
        stroke_opacity="0.6",
        stroke_width=2.2,
        stroke_linecap="round",
    )


def _edge_between(space: Space, other: Space) -> str:
    """Outline the edge two neighbours share: it crosses the line between their centres."""
    (x, y), (u, v) = _centre(space), _centre(other)
    middle_x, middle_y = (x + u) / 2, (y + v) / 2
    # An edge is as long as _SIZE, and neighbours are _WIDE apart.
    turn_x, turn_y = -(v - y) / _WIDE * _SIZE / 2, (u - x) / _WIDE * _SIZE / 2
    return (
        f"M{_number(middle_x - turn_x)} {_number(middle_y - turn_y)}"
        f"L{_number(middle_x + turn_x)} {_number(middle_y + turn_y)}"
    )


def _svg_paths(scene: _Scene) -> str:
    """Draw the links between neighbouring pieces of one team, and the winning path in light."""
    winning = scene.winning_path()
    groups = []
    for team in TEAMS:
        links = [pair for pair in scene.links() if scene.pieces[pair[0]].team == team]
        lines = [_svg_link(pair, team) for pair in links]
        groups.append(_group(f"path {team}", lines, opacity="0.8", stroke_linecap="round"))
    light = [
        _line(pair, stroke="#ffffff", stroke_width=4.5, stroke_linecap="round")
        for pair in scene.links()
        if pair[0] in winning and pair[1] in winning
    ]
    groups.append(_group("winning-path", light))
    return "\n".join(groups)


def _svg_link(pair: tuple[Space, Space], team: str) -> str:
    casing = _line(pair, stroke=_RIM[team], stroke_width=17)
    return _element(
        "g", casing + _line(pair, stroke=_LINK[team], stroke_width=13), class_=f"link {team}"
    )


def _line(pair: tuple[Space, Space], **attributes: Any) -> str:
    (x, y), (u, v) = (_centre(space) for space in pair)
    return _element("line", x1=x, y1=y, x2=u, y2=v, **attributes)


def _svg_pieces(scene: _Scene) -> Iterator[str]:
    for space, piece in scene.pieces.items():
        x, y = _centre(space)
        place = {**_data(space), "transform": f"translate({_number(x)} {_number(y)})"}
        if piece.height == 0:
            shape = _fire_stone_shape(piece.team)
            yield _element("g", shape, class_=f"fire-stone {piece.team}", **place)
        else:
            words = f"tower {piece.team}" + (" safe" if piece.fixed else "")
            place["data-height"] = str(piece.height)
            content = _tower_shape(piece)
            if not piece.fixed:
                content += _colour_badge(scene.kind(space).lower())
            yield _element("g", content, class_=words, **place)


def _fire_stone_shape(team: str, size: float = 12.5) -> str:
    """Draw a glossy stone, its shadow below it and a gleam on it."""
    shadow = _element("path", d=_owner_shape(team, 1.5, 2.5, size), fill="#000", opacity="0.3")
    body = _element(
        "path",
        d=_owner_shape(team, 0, 0, size),
        fill=f"url(#lumis-fire-{team})",
        stroke=_RIM[team],
        stroke_width=1.5,
    )
    gleam = _element(
        "ellipse",
        cx=-size * 0.3,
        cy=-size * 0.42,
        rx=size * 0.36,
        ry=size * 0.2,
        fill="#fff",
        opacity="0.75",
        transform=f"rotate(-28 {_number(-size * 0.3)} {_number(-size * 0.42)})",
    )
    return shadow + body + gleam


def _tower_shape(piece: _Piece) -> str:
    """Draw a tower as a stack of stones with a flame and its owner's sign on top."""
    stack = [_element("ellipse", cx=2, cy=13, rx=20, ry=10, fill="#000", opacity="0.3")]
    if piece.fixed:
        stack.append(_safe_ring(piece.team))
    # More stones would hide the row behind; the number tells the rest.
    shown = min(piece.height, 4)
    for stone in range(shown):
        stack.append(_slab(9.0 - 4.5 * stone))
    top = 9.0 - 4.5 * (shown - 1) - 8
    return "".join(stack) + _flame(piece.team, top - 10) + _crown(piece, top)


def _colour_badge(letter: str) -> str:
    """Repeat the letter that an open tower covers: it says what taking the tower costs."""
    disc = _element("circle", cx=16.5, cy=15, r=7.5, fill=_FILL[letter][0], stroke=_EDGE[letter])
    sign = _text(16.5, 19, letter.upper(), 11, text_anchor="middle", font_weight="bold")
    return disc + sign


def _slab(y: float) -> str:
    """Draw one tower stone whose upper face has its centre 4.5 above y."""
    side = _element(
        "path",
        d=f"M-17 {_number(y - 4.5)}v4.5a17 8.5 0 0 0 34 0v-4.5z",
        fill="url(#lumis-slab)",
        stroke="#3c3833",
        stroke_width=1.1,
    )
    face = _element(
        "ellipse",
        cx=0,
        cy=y - 4.5,
        rx=17,
        ry=8.5,
        fill="#e4dfd5",
        stroke="#3c3833",
        stroke_width=1.1,
    )
    return side + face


def _flame(team: str, y: float) -> str:
    outer = f"M0 {_number(y)}m0 -13c6 6 9 10 9 16a9 9 0 0 1 -18 0c0 -4 2 -6 3 -10c2 2 3 2 6 -6z"
    return _element(
        "path",
        d=outer,
        fill=f"url(#lumis-fire-{team})",
        stroke=_RIM[team],
        stroke_width=1.2,
        stroke_linejoin="round",
    )


def _crown(piece: _Piece, y: float) -> str:
    sign = _element(
        "path",
        d=_owner_shape(piece.team, 0, y, 11 if piece.team == "yellow" else 11.5),
        fill=f"url(#lumis-fire-{piece.team})",
        stroke=_RIM[piece.team],
        stroke_width=1.5,
    )
    number = _text(
        0,
        y + 5.2,
        str(piece.height),
        15 if piece.height < 10 else 12,
        text_anchor="middle",
        font_weight="bold",
        fill=_TEAM_INK[piece.team],
    )
    return sign + number


def _safe_ring(team: str) -> str:
    dark = _element(
        "polygon",
        points=_hexagon(0, 0, _SIZE - 1),
        fill="none",
        stroke="#15131a",
        stroke_width=6.5,
        stroke_linejoin="round",
    )
    bright = _element(
        "polygon",
        points=_hexagon(0, 0, _SIZE - 1),
        fill="none",
        stroke=_LINK[team],
        stroke_width=3.5,
        stroke_linejoin="round",
    )
    return dark + bright


def _svg_highlight(space: Space) -> str:
    return _element("g", _mark_shape(*_centre(space)), class_="highlight", **_data(space))


def _mark_shape(x: float, y: float) -> str:
    # Wide enough to show around the ring of a safe tower.
    points = _hexagon(x, y, _SIZE + 5)
    shape: dict[str, Any] = {"points": points, "fill": "none", "stroke_linejoin": "round"}
    casing = _element("polygon", stroke="#ffffff", stroke_width=8, **shape)
    return casing + _element("polygon", stroke="#1033c8", stroke_width=4, **shape)


def _svg_panel(scene: _Scene) -> list[str]:
    """Draw the state beside the board: turn or outcome, supplies, piles, hands."""
    width = _PANEL_WIDTH
    elements = [
        _text(0, 30, "Lumis", 34, font_weight="bold"),
        _text(width, 30, "the path of fire", 17, text_anchor="end", fill=_SOFT_INK),
        _svg_headline(scene),
        _slab_icon(12, 112),
        _text(34, 117, f"{_counted(scene.position['tower_stones'], 'tower stone')} left", 16),
        _text(width, 117, _played(scene), 16, text_anchor="end"),
    ]
    for number, team in enumerate(TEAMS):
        x = number * (width / 2 + 6)
        side = _svg_side(team, scene.position["teams"][team])
        elements.append(_placed(f"supplies {team}", (x, 136), 1, side))
    for seat, hand in enumerate(scene.position["hands"]):
        elements.append(
            _placed(
                f"hand seat-{seat}",
                (0, _HANDS_TOP + _HAND_STEP * seat),
                1,
                _svg_hand(scene, seat, hand),
            )
        )
    return elements


def _svg_headline(scene: _Scene) -> str:
    width = _PANEL_WIDTH
    position = scene.position
    team = scene.winner() if position.get("outcome") else None
    if team is None and not position.get("over"):
        team = _team(position["to_move"])
    paper, ink = (_LINK[team], _TEAM_INK[team]) if team else ("#dcd6ca", _INK)
    return _element(
        "g",
        _element("rect", x=0, y=44, width=width, height=42, rx=8, fill=paper)
        + _text(14, 71, _headline(scene), 18, font_weight="bold", fill=ink),
        class_="headline",
    )


def _slab_icon(x: float, y: float) -> str:
    return _element("g", _slab(4) + _slab(-2), transform=f"translate({x} {y}) scale(0.7)")


def _svg_side(team: str, side: Mapping[str, Any]) -> list[str]:
    width = _PANEL_WIDTH / 2 - 6
    pile = side["pile"]
    count = pile if isinstance(pile, int) else len(pile)
    elements = [
        _element(
            "rect", x=0, y=0, width=width, height=186, rx=10, fill="#fffdf7", stroke="#cfc6b3"
        ),
        _element("g", _fire_stone_shape(team, 10), transform="translate(22 24)"),
        _text(42, 30, team.capitalize(), 18, font_weight="bold"),
        _text(width - 12, 30, _counted(side["fire_stones"], "fire stone"), 14, text_anchor="end"),
    ]
    for number, (up, down) in enumerate(side["supply_cards"]):
        elements.append(_supply_card(14 + 92 * number, 46, up, down))
    elements.append(_text(14, 126, f"draw pile {count}", 15))
    if not isinstance(pile, int):
        elements += [
            _card_chip(114 + 20 * number, 112, card, "", 17) for number, card in enumerate(pile[:5])
        ]
    elements.append(_text(14, 151, "discards", 15))
    elements += _cards_shown(86, 138, side["discards"], 34)
    return elements + [_text(14, 174, "supply cards: front, back", 12, fill=_SOFT_INK)]


def _supply_card(x: float, y: float, up: int, down: int) -> str:
    front = _element(
        "rect", x=x, y=y, width=44, height=56, rx=6, fill="#ffffff", stroke=_INK, stroke_width=2
    )
    back = _element("rect", x=x + 50, y=y + 18, width=28, height=38, rx=5, fill="#d8d2c6")
    return (
        front
        + _text(x + 22, y + 39, str(up), 30, text_anchor="middle", font_weight="bold")
        + back
        + _text(x + 64, y + 43, str(down), 16, text_anchor="middle", fill=_SOFT_INK)
    )


def _cards_shown(x: float, y: float, cards: Mapping[str, int], step: float) -> list[str]:
    return [
        _card_chip(x + step * number, y, name, str(cards.get(name, 0)), step - 3)
        for number, name in enumerate(COLOURS.values())
    ]


def _card_chip(x: float, y: float, name: str, count: str, width: float) -> str:
    letter = LETTERS[name]
    chip = _element(
        "rect", x=x, y=y, width=width, height=18, rx=4, fill=_FILL[letter][1], stroke=_EDGE[letter]
    )
    label = _text(x + width / 2, y + 13.5, letter + count, 13, text_anchor="middle")
    return chip + label


def _svg_hand(scene: _Scene, seat: int, hand: Mapping[str, Any]) -> list[str]:
    width = _PANEL_WIDTH
    team = _team(seat)
    acting = seat == scene.position["to_move"] and not scene.position.get("over")
    elements = [
        _element(
            "rect",
            x=0,
            y=0,
            width=width,
            height=38,
            rx=8,
            fill="#fffdf7",
            stroke=_INK if acting else "#cfc6b3",
            stroke_width=2.5 if acting else 1,
        ),
        _element("g", _fire_stone_shape(team, 8), transform="translate(20 19)"),
        _text(38, 25, f"seat {seat}", 15, font_weight="bold" if acting else "normal"),
        _text(100, 25, _counted(hand["size"], "card"), 15),
    ]
    if hand["cards"] is None:
        elements += [_card_back(178 + 15 * number, 8) for number in range(min(hand["size"], 16))]
        return [*elements, _text(width - 12, 25, "hidden", 13, text_anchor="end", fill=_SOFT_INK)]
    return elements + _cards_shown(178, 10, hand["cards"], 64)


def _card_back(x: float, y: float) -> str:
    return _element("rect", x=x, y=y, width=16, height=22, rx=3, fill="#5b5468", stroke="#ffffff")


def _svg_legend() -> list[str]:
    width, height = _LEGEND
    elements = [
        _element(
            "rect", x=0, y=0, width=width, height=height, rx=10, fill="#fffdf7", stroke="#cfc6b3"
        ),
        _text(18, 32, "Legend", 18, font_weight="bold"),
    ]
    for number, (letter, name) in enumerate(COLOURS.items()):
        elements += _legend_colour(34, 66 + 46 * number, letter, name)
    for number, team in enumerate(TEAMS):
        elements += _legend_team(34 + 90 * number, 258, team)
    elements += [_scaled(34, 402, _mark_shape(0, 0)), _scaled(124, 402, _obstacle_shape(0, 0))]
    words = ("fire stone", "2 high, on green", "cannot be built over", "marked; obstacle")
    for number, said in enumerate(words):
        elements.append(_text(172, 263 + 46 * number, said, 15))
    return elements


def _legend_colour(x: float, y: float, letter: str, name: str) -> list[str]:
    ordinary = _element(
        "polygon", points=_hexagon(x, y, 20), fill=f"url(#lumis-{letter})", stroke="#8d8677"
    )
    tower = _scaled(x + 48, y, _tower_space_shape(0, 0, letter))
    said = _text(x + 82, y + 5, f"{_word(name)}: space, tower space", 15)
    return [ordinary + _colour_mark(letter, x, y), tower, said]


def _legend_team(x: float, y: float, team: str) -> list[str]:
    return [
        _element("g", _fire_stone_shape(team), transform=f"translate({x} {y})"),
        _scaled(x, y + 48, _tower_shape(_Piece(team, 2, False)) + _colour_badge("g")),
        _scaled(x, y + 96, _tower_shape(_Piece(team, 2, True))),
    ]


def _scaled(x: float, y: float, content: str) -> str:
    return _element("g", content, transform=f"translate({x} {y}) scale(0.8)")
