"""The Lumina Spell table as a picture: coloured text for the terminal, and SVG.

Both pictures are made from a position as plain data (see "Positions as JSON" in
``docs/architecture.md``), so they can show a game, one seat's view of it, or a position written
by hand. Nothing here knows the rules beyond what the cards ask for (rulebook: game set-up, types
of cards).

Every colour has a letter and a shape of its own, so that tiles can be told without seeing
colours. Where a position has ``card_points`` and ``card18_sum``, the face-up cards show them; else
a card shows what it asks for alone.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from lumis_fast.errors import InputError
from lumis_fast.games.lumina_spell.ruleset import CARDS, COLOURS, RAINBOW

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["describe", "draw_svg", "draw_terminal", "highlight_of"]

Cell = tuple[int, int]
Tile = Sequence[Any]
Segment = tuple[str, str]

LETTERS = {colour: colour[0] for colour in COLOURS} | {RAINBOW: "*"}
SHAPES = dict(zip((*COLOURS, RAINBOW), "◆●▲■▼★✦", strict=True))


def draw_terminal(
    position: Mapping[str, Any], *, highlight: Iterable[Sequence[int]] = (), hands: bool = True
) -> Text:
    """Draw a position for the terminal.

    Every tile is a block of five by two characters: the shape and letter of its colour above,
    its number below. The picture keeps its meaning without colours. The usual board with its
    panel takes about 110 columns.

    Print it with ``console.print(text, soft_wrap=True)``, so that it is not cut to the 80 columns
    that rich assumes where the output is not a terminal.

    Parameters
    ----------
    position : mapping
        A Lumina Spell position as plain data.
    highlight : iterable of [row, column], optional
        Cells to mark, for example those of `highlight_of`.
    hands : bool, optional
        Whether the tiles in hand are listed.

    Returns
    -------
    rich.text.Text
        The board, the panel beside it and the legend below. Colours are styles of the text, so
        ``NO_COLOR`` and pipes are respected by the console that prints it.

    Raises
    ------
    InputError
        If `position` is not a Lumina Spell position, or a highlighted cell is not on the board.

    Examples
    --------
    >>> from rich.console import Console
    >>> Console().print(draw_terminal(position), soft_wrap=True)  # doctest: +SKIP
    """
    from rich.text import Text

    scene = _Scene.of(position, highlight)
    board, panel = _board_lines(scene), _panel_lines(scene, hands)
    width = _width(board[0]) + 3
    lines: list[list[Segment]] = []
    for number in range(max(len(board), len(panel))):
        line = board[number] if number < len(board) else []
        if number < len(panel) and panel[number]:
            line = [*line, (" " * (width - _width(line)), ""), *panel[number]]
        lines.append(line)
    lines += [[], _legend_line(scene)]
    text = Text(no_wrap=True, overflow="ignore")
    for number, line in enumerate(lines):
        text.append("\n" if number else "")
        for characters, style in _trimmed(line):
            text.append(characters, style or None)
    return text


def draw_svg(position: Mapping[str, Any], *, highlight: Iterable[Sequence[int]] = ()) -> str:
    """Draw a position as a standalone SVG picture.

    What is shown is in elements that say so, for style sheets, scripts and tests: class ``tile``
    or ``gap`` with ``data-cell="row,column"`` on the board; class ``tile`` in the group of a
    ``hand``; tiles have ``data-tile="colour number"`` and their colour as a further class; class
    ``card`` with ``data-card``; class ``highlight`` with ``data-cell``.

    Parameters
    ----------
    position : mapping
        A Lumina Spell position as plain data.
    highlight : iterable of [row, column], optional
        Cells to mark, for example those of `highlight_of`.

    Returns
    -------
    str
        An SVG document with a ``viewBox`` and no outside resources.

    Raises
    ------
    InputError
        If `position` is not a Lumina Spell position, or a highlighted cell is not on the board.

    Examples
    --------
    >>> from pathlib import Path
    >>> Path("position.svg").write_text(draw_svg(position), encoding="utf-8")  # doctest: +SKIP
    """
    scene = _Scene.of(position, highlight)
    hands = [_HandLayout.of(hand["tiles"]) for hand in position["hands"]]
    panel_height = _HANDS_TOP + sum(hand.height + _HAND_GAP for hand in hands) - _HAND_GAP
    edge = scene.side * _CELL
    board_box = edge + 2 * _FRAME
    legend_height = 22 + _LEGEND_LINE * len(_legend_rows(scene))
    height = max(board_box + legend_height, panel_height)
    width = board_box + _BETWEEN + _PANEL_WIDTH
    box = (-_FRAME - _MARGIN, -_FRAME - _MARGIN, width + 2 * _MARGIN, height + 2 * _MARGIN)
    groups = [
        _svg_frame(scene),
        _group("board", _svg_board(scene)),
        _group("highlights", (_svg_highlight(cell) for cell in sorted(scene.highlight))),
        _placed("legend", (-_FRAME, edge + _FRAME + 22), _svg_legend(scene)),
        _placed("panel", (edge + _FRAME + _BETWEEN, -_FRAME), _svg_panel(scene, hands)),
    ]
    left, top, wide, high = box
    return _element(
        "svg",
        _element("title", escape(_headline(scene)))
        + _svg_definitions()
        + _element("rect", x=left, y=top, width=wide, height=high, fill=_CANVAS)
        + "\n".join(groups)
        + "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(_number(value) for value in box),
        width=_number(wide),
        height=_number(high),
        role="img",
        font_family=_FONT,
        fill=_INK,
    )


def describe(step: Mapping[str, Any]) -> str:
    """Say in one line what a step does.

    Parameters
    ----------
    step : mapping
        A step as in a record.

    Returns
    -------
    str

    Examples
    --------
    >>> describe({"action": "push", "side": "top", "line": 2, "tile": ["red", 4], "take": 3})
    'push red 4 into column 2 from the top, take 3 tiles'
    >>> pair = {"card": 2, "tiles": [["red", 4], ["rainbow", 4]]}
    >>> describe({"action": "claim", "cards": [pair], "edge": [0, 6]})
    'claim card 2 for red 4 and rainbow 4; take the edge tile at (0,6)'
    """
    if step["action"] == "push":
        line = "row" if step["side"] in ("left", "right") else "column"
        return (
            f"push {_tiles_said([step['tile']])} into {line} {step['line']} from the "
            f"{step['side']}, take {_counted(step['take'], 'tile')}"
        )
    if step["action"] == "claim":
        claims = [f"card {one['card']} for {_tiles_said(one['tiles'])}" for one in step["cards"]]
        edge = step.get("edge")
        taken = [] if edge is None else [f"take the edge tile at ({edge[0]},{edge[1]})"]
        return "claim " + "; ".join(claims + taken)
    return str(step["action"])


def _tiles_said(tiles: Sequence[Tile]) -> str:
    *others, last = [f"{colour} {number}" for colour, number in tiles]
    return f"{', '.join(others)} and {last}" if others else last


def highlight_of(step: Mapping[str, Any], position: Mapping[str, Any]) -> list[list[int]]:
    """Tell the cells to mark after a step: where the pusher lies, or the edge cell emptied.

    Parameters
    ----------
    step : mapping
        A step as in a record.
    position : mapping
        The position after it.

    Returns
    -------
    list of [row, column]
        None or one.

    Examples
    --------
    >>> board = [[None, ["red", 1]], [None, None]]
    >>> highlight_of({"action": "push", "side": "left", "line": 0}, {"board": board})
    [[0, 1]]
    """
    if step["action"] == "claim":
        return [] if step.get("edge") is None else [list(step["edge"])]
    if step["action"] != "push":
        return []
    board, line = position["board"], step["line"]
    along = range(len(board))
    order = along if step["side"] in ("left", "top") else along[::-1]
    row = step["side"] in ("left", "right")
    cells = [[line, at] if row else [at, line] for at in order]
    return [cell for cell in cells if board[cell[0]][cell[1]] is not None][:1]


# What both pictures share.


@dataclass(frozen=True)
class _Scene:
    """A position made ready for drawing."""

    position: Mapping[str, Any]
    board: Sequence[Sequence[Tile | None]]
    highlight: frozenset[Cell]

    @classmethod
    def of(cls, position: Mapping[str, Any], highlight: Iterable[Sequence[int]]) -> _Scene:
        if position.get("game") != "lumina-spell":
            raise InputError(
                f"the position to draw is of game {position.get('game')!r}, expected 'lumina-spell'"
            )
        board = position["board"]
        cells = frozenset((row, column) for row, column in highlight)
        last = len(board) - 1
        for row, column in sorted(cells):
            if not (0 <= row <= last and 0 <= column <= last):
                near = [min(max(value, 0), last) for value in (row, column)]
                raise InputError(
                    f"there is no cell {[row, column]} to highlight: rows and columns are 0 to "
                    f"{last}; the nearest cell is {near}"
                )
        return cls(position, board, cells)

    @property
    def side(self) -> int:
        return len(self.board)

    def cells(self) -> Iterator[tuple[Cell, Tile | None]]:
        for row, tiles in enumerate(self.board):
            for column, tile in enumerate(tiles):
                yield (row, column), tile

    def acting(self, seat: int) -> bool:
        return seat == self.position["to_move"] and not self.position["over"]

    def winners(self) -> list[int]:
        outcome = self.position.get("outcome")
        return [seat for seat, won in enumerate(outcome["returns"]) if won] if outcome else []

    def colours_shown(self) -> list[str]:
        """List the colours in sight, rainbow tiles last."""
        tiles = [tile for _, tile in self.cells() if tile is not None]
        for hand in self.position["hands"]:
            tiles += hand["tiles"]
        present = {tile[0] for tile in tiles}
        return [colour for colour in (*COLOURS, RAINBOW) if colour in present]

    def asked(self, card: int) -> str:
        said = CARDS[card].said(self.position.get("card18_sum"))
        if card == 18 and self.position.get("card18_sum") is None:
            return said.replace(" to 10", " to the card's number")
        return said

    def worth(self, card: int) -> int | None:
        return self.position.get("card_points", {}).get(str(card))

    def deck_size(self) -> int:
        deck = self.position["deck"]
        return deck if isinstance(deck, int) else len(deck)


_REASONS = {
    "last_card": "the last card was revealed",
    "points": "a seat reached the points",
    "colour_gone": "a colour is gone from the board",
    "few_tiles": "few tiles are left on the board",
    "stalled": "no one can move",
    "unfinished": "the limit of turns is reached",
}


def _headline(scene: _Scene) -> str:
    """Say in one line whose turn it is or how the game ended."""
    position = scene.position
    outcome = position.get("outcome")
    if outcome:
        seats = scene.winners()
        named = " and ".join(f"seat {seat}" for seat in seats)
        verb = "wins" if len(seats) == 1 else "share the victory"
        reason = _REASONS.get(outcome["reason"], outcome["reason"])
        return f"{named[:1].upper()}{named[1:]} {verb}: {reason}"
    if position["over"]:
        return "The game is over"
    claims = position["claims_this_turn"]
    said = f", {_counted(len(claims), 'card')} claimed in this turn" if claims else ""
    return f"Seat {position['to_move']} to move{said}"


def _state_lines(scene: _Scene) -> list[str]:
    position = scene.position
    lines = [
        f"{_counted(position['turn'], 'turn')} played, seat {position['first']} began",
        f"{_counted(scene.deck_size(), 'card')} in the deck",
    ]
    if not isinstance(position["deck"], int) and position["deck"]:
        lines[1] += ", next " + " ".join(str(card) for card in position["deck"][:6])
    if position["trigger"] and not position["outcome"]:
        reason = _REASONS.get(position["trigger"], position["trigger"])
        lines.append(f"final round: {reason}")
    return lines


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _seat_said(scene: _Scene, seat: int) -> str:
    position = scene.position
    words = [
        _counted(position["points"][seat], "point"),
        f"score {position['scores'][seat]}",
        _counted(len(position["hands"][seat]["tiles"]), "tile"),
    ]
    if position["inactive"][seat]:
        words.append("inactive")
    return ", ".join(words)


def _in_groups(items: Sequence[Any], size: int) -> list[Sequence[Any]]:
    return [items[start : start + size] for start in range(0, len(items), size)] or [[]]


# The terminal.

_PAPER = {
    "red": ("#b3202c", "#c5333d"),
    "yellow": ("#e8b820", "#f5ca45"),
    "green": ("#2c7d43", "#3a9154"),
    "blue": ("#2257a8", "#3169bd"),
    "violet": ("#71419e", "#8453b2"),
    "orange": ("#d96a16", "#e97e2f"),
}
_PAPER_INK = dict.fromkeys(COLOURS, "#ffffff") | {"yellow": "#2b2000", "orange": "#1e0d00"}
_BANDS = ("#c5333d", "#e97e2f", "#f5ca45", "#3a9154", "#3169bd", "#8453b2")
_BANDS_INK = ("#ffffff", "#1e0d00", "#2b2000", "#ffffff", "#ffffff", "#ffffff")
_LEAD = "#24212b"
_DOT = "#5d5868"
_WIDE = 5
_CHIPS_A_LINE = 9


def _board_lines(scene: _Scene) -> list[list[Segment]]:
    frame = (" " * (_WIDE * scene.side + 2), f"on {_LEAD}")
    numbers = "".join(f"{column:^{_WIDE}}" for column in range(scene.side))
    lines: list[list[Segment]] = [[(f"    {numbers}    ", "dim")], [("   ", ""), frame]]
    for row, tiles in enumerate(scene.board):
        for upper in (True, False):
            line = [(f"{row:>2} " if upper else "   ", "dim"), (" ", f"on {_LEAD}")]
            for column, tile in enumerate(tiles):
                line += _cell(tile, (row, column) in scene.highlight, (row + column) % 2, upper)
            lines.append([*line, (" ", f"on {_LEAD}")])
    return [*lines, [("   ", ""), frame]]


def _cell(tile: Tile | None, marked: bool, shade: int, upper: bool) -> list[Segment]:
    """Draw one of the two lines of a cell; a marked one has brackets and white paper."""
    left, right = ("[", "]") if marked else (" ", " ")
    if tile is None:
        middle = " · " if upper else "   "
        return [(left + middle + right, f"{'#ffffff' if marked else _DOT} on {_LEAD}")]
    colour, number = tile
    middle = f"{SHAPES[colour]} {LETTERS[colour]}" if upper else f"{number:^3}"
    return _painted(left + middle + right, colour, shade, marked)


def _painted(characters: str, colour: str, shade: int = 0, marked: bool = False) -> list[Segment]:
    if marked:
        ink = "#1a1a1a" if colour == RAINBOW else _PAPER[colour][0]
        return [(characters, f"bold {ink} on #ffffff")]
    if colour != RAINBOW:
        return [(characters, f"bold {_PAPER_INK[colour]} on {_PAPER[colour][shade]}")]
    return [
        (character, f"bold {_BANDS_INK[at % 6]} on {_BANDS[at % 6]}")
        for at, character in enumerate(characters)
    ]


def _chip(tile: Tile, shade: int = 0) -> list[Segment]:
    colour, number = tile
    return _painted(f" {SHAPES[colour]}{LETTERS[colour]}{number} ", colour, shade)


def _panel_lines(scene: _Scene, hands: bool) -> list[list[Segment]]:
    lines: list[list[Segment]] = [[(_headline(scene), "bold")]]
    lines += [[(said, "")] for said in _state_lines(scene)]
    if scene.highlight:
        marked = " ".join(f"({row},{column})" for row, column in sorted(scene.highlight))
        lines.append([(f"marked {marked}", "")])
    lines += [[], [("face-up cards", "bold")]]
    lines += [_card_line(scene, card) for card in scene.position["face_up"]]
    lines.append([])
    for seat in range(scene.position["seats"]):
        lines += _seat_lines(scene, seat, hands)
    return lines


def _card_line(scene: _Scene, card: int) -> list[Segment]:
    worth = scene.worth(card)
    points = "" if worth is None else f"  {_counted(worth, 'point')}"
    return [
        ("  ", ""),
        (f" {card:>2} ", "bold #2b2000 on #f3e3b3"),
        (f"  {scene.asked(card):<35}{points}", ""),
    ]


def _seat_lines(scene: _Scene, seat: int, hands: bool) -> list[list[Segment]]:
    acting = scene.acting(seat)
    style = "bold" if acting or seat in scene.winners() else ""
    lines: list[list[Segment]] = [
        [(f"{'>' if acting else ' '} seat {seat}  {_seat_said(scene, seat)}", style)]
    ]
    claimed = scene.position["claimed"][seat]
    if claimed:
        said = "cards " + " ".join(str(card) for card in claimed)
        lines += [[("    " + line, "")] for line in textwrap.wrap(said, 60)]
    hand = scene.position["hands"][seat]
    if hands and hand["tiles"]:
        lines += _chip_lines(hand["tiles"])
    if hands and hand["starting_tile"] is not None:
        lines[-1].append((" starting tile", ""))
    if acting:
        for claim in scene.position["claims_this_turn"]:
            lines.append([(f"    claimed {claim['card']:>2} with ", "")])
            lines[-1] += [part for tile in claim["tiles"] for part in _chip(tile)]
    return lines


def _chip_lines(tiles: Sequence[Tile]) -> list[list[Segment]]:
    lines = []
    for group in _in_groups(tiles, _CHIPS_A_LINE):
        line: list[Segment] = [("    ", "")]
        for number, tile in enumerate(group):
            line += _chip(tile, number % 2)
        lines.append(line)
    return lines


def _legend_line(scene: _Scene) -> list[Segment]:
    line: list[Segment] = [("   ", "")]
    for colour in scene.colours_shown():
        line += _painted(f" {SHAPES[colour]} {LETTERS[colour]} ", colour)
        line.append((f" {colour}   ", ""))
    return [*line, (" · ", f"{_DOT} on {_LEAD}"), (" gap", "")]


def _width(line: Sequence[Segment]) -> int:
    return sum(len(characters) for characters, _ in line)


def _trimmed(line: list[Segment]) -> list[Segment]:
    """Take unstyled blanks off the end of a line."""
    while line and not line[-1][0].strip() and line[-1][1] in ("", "dim"):
        line = line[:-1]
    if line and line[-1][1] in ("", "dim"):
        line = [*line[:-1], (line[-1][0].rstrip(), line[-1][1])]
    return line


# SVG. Lengths are in user units; the upper left corner of cell (0, 0) is the origin.

_CELL = 76.0
_TILE = 70.0
_FRAME = 46.0
_BETWEEN = 44.0
_MARGIN = 26.0
_PANEL_WIDTH = 660.0
_CARD_WIDTH, _CARD_HEIGHT, _CARD_STEP = 153.0, 176.0, 169.0
_CARDS_TOP = 136.0
_HANDS_TOP = 334.0
_HAND_GAP = 12.0
_LEGEND_STEP, _LEGEND_LINE = 106.0, 36.0
_MINI = 36.0
_MINI_STEP = 40.0
_TILES_A_ROW = 15
_FONT = "'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"
_CANVAS = "#f6f1e6"
_INK = "#231f2b"
_SOFT_INK = "#5d5766"
_GLASS = {
    "red": ("#ff8a80", "#d0202f", "#7d0a18"),
    "yellow": ("#fff3ac", "#f4bf1d", "#a06d00"),
    "green": ("#a8e6a4", "#2f9150", "#0d4a25"),
    "blue": ("#a6d0ff", "#2a68c4", "#0f2f6b"),
    "violet": ("#d9b8f5", "#7f45b8", "#401a69"),
    "orange": ("#ffcf9a", "#ea7a1c", "#8a3d00"),
}
_ON_GLASS = dict.fromkeys(COLOURS, "#ffffff") | {"yellow": "#3a2800", "orange": "#321500"}


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


def _placed(name: str, corner: tuple[float, float], elements: Iterable[str], **more: Any) -> str:
    transform = f"translate({_number(corner[0])} {_number(corner[1])})"
    return _group(name, elements, transform=transform, **more)


def _text(x: float, y: float, content: str, size: float = 15, **attributes: Any) -> str:
    return _element("text", escape(content), x=x, y=y, font_size=size, **attributes)


def _svg_definitions() -> str:
    gradients = [_glass(f"lumina-{colour}", shades) for colour, shades in _GLASS.items()]
    stops = "".join(
        _element("stop", offset=_number(at / 5), stop_color=colour)
        for at, colour in enumerate(_BANDS)
    )
    gradients.append(
        _element("linearGradient", stops, id="lumina-rainbow", x1="0", y1="0", x2="1", y2="1")
    )
    return _element("defs", "".join(gradients)) + "\n"


def _glass(name: str, shades: Sequence[str]) -> str:
    """Make glass that is lit from the upper left."""
    stops = "".join(
        _element("stop", offset=offset, stop_color=shade)
        for offset, shade in zip(("0", "0.55", "1"), shades, strict=True)
    )
    return _element("radialGradient", stops, id=name, cx="0.3", cy="0.22", r="1.05")


def _svg_frame(scene: _Scene) -> str:
    """Draw the lead frame with an arrow and a number at each entry."""
    edge = scene.side * _CELL
    size = edge + 2 * _FRAME
    box: dict[str, Any] = {"x": -_FRAME, "y": -_FRAME, "width": size, "height": size}
    parts = [
        _element("rect", rx=16, fill="#000", opacity="0.16", transform="translate(4 7)", **box),
        _element("rect", rx=16, fill="#3b3544", stroke="#1b1820", stroke_width=2, **box),
        _element("rect", x=-5.0, y=-5.0, width=edge + 10, height=edge + 10, rx=8, fill=_LEAD),
    ]
    for line in range(scene.side):
        middle = (line + 0.5) * _CELL
        for x, y, turn in (
            (-12.0, middle, 0),
            (edge + 12, middle, 180),
            (middle, -12.0, 90),
            (middle, edge + 12, 270),
        ):
            arrow = f"translate({_number(x)} {_number(y)}) rotate({turn})"
            parts.append(_element("path", d="M4 0l-9 -7v14z", fill="#cfc3a4", transform=arrow))
        label = {"text_anchor": "middle", "fill": "#efe6cf"}
        parts.append(_text(-31, middle + 6, str(line), 17, **label))
        parts.append(_text(middle, -24, str(line), 17, **label))
    return _group("frame", parts)


def _svg_board(scene: _Scene) -> Iterator[str]:
    for (row, column), tile in scene.cells():
        x, y = (column + 0.5) * _CELL, (row + 0.5) * _CELL
        place = {"data-cell": f"{row},{column}"}
        if tile is None:
            hole = _element(
                "rect",
                x=x - 33,
                y=y - 33,
                width=66.0,
                height=66.0,
                rx=9,
                fill="#17151c",
                stroke="#3a3544",
                stroke_width=1.5,
            )
            yield _element("g", hole, class_="gap", **place)
        else:
            yield _svg_tile(tile, x, y, _TILE, **place)


def _svg_tile(tile: Tile, x: float, y: float, size: float, **attributes: Any) -> str:
    """Draw a tile of glass: its shape large and faint behind, small in a corner, its number."""
    colour, number = tile
    ink = _ON_GLASS.get(colour, "#ffffff")
    half = size / 2
    glass: dict[str, Any] = {
        "x": -half,
        "y": -half,
        "width": size,
        "height": size,
        "rx": size * 0.13,
    }
    parts = [
        _element(
            "rect", fill=f"url(#lumina-{colour})", stroke="#141117", stroke_width=1.5, **glass
        ),
        _svg_shape(colour, 0, 0, size * 0.4, fill="#ffffff", fill_opacity="0.24"),
        _element(
            "path",
            d=f"M{_number(-half * 0.8)} {_number(-half * 0.38)}"
            f"q0 {_number(-half * 0.46)} {_number(half * 0.46)} {_number(-half * 0.46)}",
            fill="none",
            stroke="#ffffff",
            stroke_opacity="0.75",
            stroke_width=size * 0.035,
            stroke_linecap="round",
        ),
    ]
    if colour == RAINBOW:
        parts.append(_element("circle", cx=0, cy=0, r=size * 0.27, fill="#15121a", opacity="0.62"))
    parts.append(
        _text(
            0,
            size * 0.16,
            str(number),
            size * 0.46,
            text_anchor="middle",
            font_weight="bold",
            fill=ink,
        )
    )
    corner = half * 0.68
    parts.append(_svg_shape(colour, corner, corner, size * 0.1, fill=ink, fill_opacity="0.92"))
    return _element(
        "g",
        "".join(parts),
        class_=f"tile {colour}",
        transform=f"translate({_number(x)} {_number(y)})",
        **{"data-tile": f"{colour} {number}"},
        **attributes,
    )


_OUTLINES = {
    "red": ((0.0, -1.0), (0.85, 0.0), (0.0, 1.0), (-0.85, 0.0)),
    "green": ((0.0, -0.95), (1.0, 0.8), (-1.0, 0.8)),
    "blue": ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)),
    "violet": ((-1.0, -0.8), (1.0, -0.8), (0.0, 0.95)),
    "orange": (
        (0.0, -1.0), (0.24, -0.32), (0.95, -0.31), (0.38, 0.12), (0.59, 0.81),
        (0.0, 0.4), (-0.59, 0.81), (-0.38, 0.12), (-0.95, -0.31), (-0.24, -0.32),
    ),
    RAINBOW: (
        (0.0, -1.1), (0.24, -0.24), (1.1, 0.0), (0.24, 0.24),
        (0.0, 1.1), (-0.24, 0.24), (-1.1, 0.0), (-0.24, -0.24),
    ),
}  # fmt: skip


def _svg_shape(colour: str, x: float, y: float, size: float, **paint: Any) -> str:
    """Draw the shape of a colour around a point."""
    if colour == "yellow":
        return _element("circle", cx=float(x), cy=float(y), r=size * 0.9, **paint)
    points = " ".join(
        f"{_number(x + size * right)},{_number(y + size * down)}"
        for right, down in _OUTLINES[colour]
    )
    return _element("polygon", points=points, **paint)


def _svg_highlight(cell: Cell) -> str:
    row, column = cell
    ring: dict[str, Any] = {
        "x": column * _CELL + 2,
        "y": row * _CELL + 2,
        "width": _CELL - 4,
        "height": _CELL - 4,
        "rx": 11,
        "fill": "none",
    }
    casing = _element("rect", stroke="#15121a", stroke_width=8, **ring)
    light = _element("rect", stroke="#ffffff", stroke_width=4.5, **ring)
    return _element("g", casing + light, class_="highlight", **{"data-cell": f"{row},{column}"})


def _legend_rows(scene: _Scene) -> list[Sequence[str]]:
    fit = int((scene.side * _CELL + 2 * _FRAME) // _LEGEND_STEP)
    return _in_groups(scene.colours_shown(), fit)


def _svg_legend(scene: _Scene) -> Iterator[str]:
    for row, colours in enumerate(_legend_rows(scene)):
        y = _LEGEND_LINE * row
        for number, colour in enumerate(colours):
            x = 14 + _LEGEND_STEP * number
            fill = f"url(#lumina-{colour})"
            swatch = _element("rect", x=x - 13, y=y, width=26.0, height=26.0, rx=4, fill=fill)
            ink = _ON_GLASS.get(colour, "#ffffff")
            yield swatch + _svg_shape(colour, x, y + 13, 7, fill=ink)
            yield _text(x + 20, y + 19, colour, 16)


def _svg_panel(scene: _Scene, hands: Sequence[_HandLayout]) -> Iterator[str]:
    """Draw what lies beside the board: turn or outcome, the face-up cards, the hands."""
    yield _text(0, 30, "Lumina Spell", 34, font_weight="bold")
    lines = _state_lines(scene)
    yield _text(_PANEL_WIDTH, 30, lines[0], 16, text_anchor="end", fill=_SOFT_INK)
    won = bool(scene.winners())
    banner = _element(
        "rect", x=0, y=44, width=_PANEL_WIDTH, height=40, rx=8, fill="#f5ca45" if won else "#e3dac5"
    )
    said = _text(14, 70, _headline(scene), 18, font_weight="bold")
    yield _element("g", banner + said, class_="headline")
    yield _text(0, 112, "; ".join(lines[1:]), 16, fill=_SOFT_INK)
    for number, card in enumerate(scene.position["face_up"]):
        corner = (_CARD_STEP * number, _CARDS_TOP)
        yield _placed("card", corner, _svg_card(scene, card), **{"data-card": card})
    top = _HANDS_TOP
    for seat, layout in enumerate(hands):
        yield _placed(f"hand seat-{seat}", (0, top), _svg_hand(scene, seat, layout))
        top += layout.height + _HAND_GAP


def _svg_card(scene: _Scene, card: int) -> Iterator[str]:
    """Draw a magic card: its number, its points, its pattern, and the words for it."""
    width = _CARD_WIDTH
    box: dict[str, Any] = {"x": 0, "y": 0, "width": width, "height": _CARD_HEIGHT, "rx": 12}
    yield _element("rect", fill="#000", opacity="0.14", transform="translate(2 4)", **box)
    yield _element("rect", fill="#fffaf0", stroke="#a58a4c", stroke_width=2, **box)
    yield _element("path", d=f"M1 38h{_number(width - 2)}", stroke="#d8c79b", stroke_width=1.5)
    yield _text(14, 27, str(card), 21, font_weight="bold", fill="#6b5416")
    worth = scene.worth(card)
    if worth is not None:
        yield _element("circle", cx=width - 23, cy=20.0, r=14, fill="#6b4aa0")
        yield _text(
            width - 23,
            26,
            str(worth),
            17,
            text_anchor="middle",
            font_weight="bold",
            fill="#ffffff",
            class_="worth",
        )
    yield from _svg_pattern(scene, card)
    words = [line for part in scene.asked(card).split(", ") for line in textwrap.wrap(part, 19)]
    for number, line in enumerate(words):
        y = 138 + 17 * number - 8 * (len(words) - 2)
        yield _text(width / 2, y, line, 14, text_anchor="middle", fill=_SOFT_INK)


def _svg_pattern(scene: _Scene, card: int) -> Iterator[str]:
    """Draw the squares that stand for the tiles a card asks for.

    White glass is of any colour; one tint for all squares means one colour, three tints three.
    """
    asked = CARDS[card]
    signs = {
        "same": ["n"] * asked.tiles,
        "ones": ["1"] * asked.tiles,
        "consecutive": ["n", "+1", "+2", "+3"][: asked.tiles],
        "sum": ["?"] * asked.tiles,
    }[asked.pattern]
    tints = {"any": ["#f1ece0"] * 4, "one": ["#bcd6f5"] * 4}.get(
        asked.colours, ["#f6c3bd", "#f8e39a", "#bfe3bd"]
    )
    step, size = 34.0, 30.0
    left = _CARD_WIDTH / 2 - step * (asked.tiles - 1) / 2
    for number, sign in enumerate(signs):
        x = left + step * number
        yield _element(
            "rect",
            x=x - size / 2,
            y=54.0,
            width=size,
            height=size,
            rx=5,
            fill=tints[number],
            stroke="#7d725c",
            stroke_width=1.2,
            class_="wanted",
        )
        yield _text(x, 75, sign, 16, text_anchor="middle", font_style="italic")
    if asked.pattern == "sum":
        total = scene.position.get("card18_sum") if card == 18 else asked.total
        said = "sum = " + ("?" if total is None else str(total))
        yield _text(_CARD_WIDTH / 2, 106, said, 16, text_anchor="middle", font_weight="bold")


@dataclass(frozen=True)
class _HandLayout:
    """The rows that a hand's tiles are shown in, and how high that makes it."""

    rows: list[Sequence[Tile]]

    @classmethod
    def of(cls, tiles: Sequence[Tile]) -> _HandLayout:
        return cls(_in_groups(tiles, _TILES_A_ROW))

    @property
    def height(self) -> float:
        return 46 + _MINI_STEP * len(self.rows) + 6


def _svg_hand(scene: _Scene, seat: int, layout: _HandLayout) -> Iterator[str]:
    acting, won = scene.acting(seat), seat in scene.winners()
    yield _element(
        "rect",
        x=0,
        y=0,
        width=_PANEL_WIDTH,
        height=layout.height,
        rx=10,
        fill="#efe9da" if scene.position["inactive"][seat] else "#fffdf7",
        stroke=_INK if acting else "#c98f00" if won else "#cfc6b3",
        stroke_width=2.5 if acting or won else 1,
    )
    weight = "bold" if acting or won else "normal"
    yield _text(14, 28, f"Seat {seat}", 18, font_weight=weight)
    yield _text(86, 28, _seat_said(scene, seat), 15)
    yield from _svg_claimed(scene.position["claimed"][seat])
    starting = scene.position["hands"][seat]["starting_tile"]
    for number, row in enumerate(layout.rows):
        for column, tile in enumerate(row):
            x, y = 34 + _MINI_STEP * column, 60 + _MINI_STEP * number
            yield _svg_tile(tile, x, y, _MINI)
    if starting is not None:
        # It is the only tile its seat has, so there is room beside it.
        yield _text(34 + _MINI_STEP * len(layout.rows[-1]) - 12, 65, "starting tile", 14)


def _svg_claimed(claimed: Sequence[int]) -> Iterator[str]:
    """Draw claimed cards as small ones at the right end of a hand's first line."""
    step = min(30.0, 320.0 / max(1, len(claimed)))
    for number, card in enumerate(claimed):
        x = _PANEL_WIDTH - 14 - 26 - step * (len(claimed) - 1 - number)
        box = _element(
            "rect", x=x, y=9.0, width=26.0, height=27.0, rx=4, fill="#fbf1d5", stroke="#a58a4c"
        )
        said = _text(x + 13, 28, str(card), 14, text_anchor="middle", font_weight="bold")
        yield _element("g", box + said, class_="claimed", **{"data-card": card})
