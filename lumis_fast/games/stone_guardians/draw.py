"""The island of the Stone Guardians as a picture: coloured text for the terminal, and SVG.

Both pictures are made from a position as plain data (see "Positions of Stone Guardians" in
``docs/records.md``), so they can show a game, one seat's view of it, or a position written by hand:
what a position hides cannot be seen in its picture. Nothing here knows the rules.

Hexes stand with a corner up: r counts the rows, q the columns, which lean to the left going down.
Every people has a letter and a shape of its own, and every country a letter in the terminal, so
that they can be told without seeing colours.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from lumis_fast.errors import InputError

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["describe", "draw_svg", "draw_terminal", "highlight_of"]

Hex = tuple[int, int]
Edge = tuple[Hex, Hex]
Segment = tuple[str, str]

PEOPLES = "ABCD"
LUTAO = "Lutao"
GOLEMS = "golems"

_RADIUS = 7
_DIRECTIONS: tuple[Hex, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six neighbours, clockwise from the right one."""


def draw_terminal(position: Mapping[str, Any], *, highlight: Iterable[Sequence[int]] = ()) -> Text:
    """Draw a position for the terminal.

    Every hex is a block of four by two characters. On land the upper line has the letter of the
    people and its armies (or ``g`` and the golems) and a mark for a city; the lower one the
    country's letter, and the attackers behind ``x`` or else ``*`` and the people whose artifact
    lies there. At sea an arrow for each ship points to the province at whose edge it lies. The
    picture keeps its meaning without colours; it takes about 100 columns.

    Print it with ``console.print(text, soft_wrap=True)``, so that it is not cut to the 80 columns
    that rich assumes where the output is not a terminal.

    Parameters
    ----------
    position : mapping
        A Stone Guardians position as plain data.
    highlight : iterable of [q, r], optional
        Spaces to mark, for example those of `highlight_of`.

    Returns
    -------
    rich.text.Text
        The map, the panel beside it and the legend below. Colours are styles of the text, so
        ``NO_COLOR`` and pipes are respected by the console that prints it.

    Raises
    ------
    InputError
        If `position` is not one of Stone Guardians, or a highlighted space is not on the map.

    Examples
    --------
    >>> from rich.console import Console
    >>> Console().print(draw_terminal(position), soft_wrap=True)  # doctest: +SKIP
    """
    from rich.text import Text

    scene = _Scene.of(position, highlight)
    board, panel = _board_lines(scene), _panel_lines(scene)
    width = max(_width(line) for line in board) + 2
    lines = []
    for number in range(max(len(board), len(panel))):
        line = board[number] if number < len(board) else []
        if number < len(panel) and panel[number]:
            line = [*line, (" " * (width - _width(line)), ""), *panel[number]]
        lines.append(line)
    lines += [[], *_legend_lines(scene)]
    text = Text(no_wrap=True, overflow="ignore")
    for number, line in enumerate(lines):
        text.append("\n" if number else "")
        for characters, style in _trimmed(line):
            text.append(characters, style or None)
    return text


def draw_svg(position: Mapping[str, Any], *, highlight: Iterable[Sequence[int]] = ()) -> str:
    """Draw a position as a standalone SVG picture.

    What is shown is in elements that say so, for style sheets, scripts and tests: class
    ``province`` with ``data-space="q,r"`` and ``data-country``, in it ``armies``, ``golems``,
    ``attackers`` (with ``data-people`` and ``data-count``), ``city``, ``symbol`` and ``artifact``;
    class ``ship`` with ``data-space`` and ``data-edge``, in group
    ``trip`` the one under way; class ``people`` in the panel; class
    ``card`` with ``data-card`` in a ``hand``; class ``highlight`` with ``data-space``.

    Parameters
    ----------
    position : mapping
        A Stone Guardians position as plain data.
    highlight : iterable of [q, r], optional
        Spaces to mark, for example those of `highlight_of`.

    Returns
    -------
    str
        An SVG document with a ``viewBox`` and no outside resources.

    Raises
    ------
    InputError
        If `position` is not one of Stone Guardians, or a highlighted space is not on the map.

    Examples
    --------
    >>> from pathlib import Path
    >>> Path("position.svg").write_text(draw_svg(position), encoding="utf-8")  # doctest: +SKIP
    """
    scene = _Scene.of(position, highlight)
    half_width = _SIZE * math.sqrt(3) * (scene.radius + 0.5) + _LABELS
    half_height = _SIZE * (1.5 * scene.radius + 1) + _LABELS
    blocks = list(_panel_blocks(scene))
    panel_height = sum(block.height + _GAP for block in blocks) - _GAP
    half_height = max(half_height, panel_height / 2)
    width = 2 * half_width + _BETWEEN + _PANEL_WIDTH
    left, top = -half_width - _MARGIN, -half_height - _MARGIN
    box = (left, top, width + 2 * _MARGIN, 2 * half_height + 2 * _MARGIN)
    groups = [
        _group("sea", _svg_sea(scene)),
        _group("labels", _svg_labels(scene), fill="#ffffff", opacity="0.75"),
        _group("land", (_svg_ground(scene, space) for space in scene.provinces)),
        _group("borders", _svg_borders(scene)),
        _group("provinces", (_svg_province(scene, space) for space in scene.provinces)),
        _group("ships", (_svg_ship(scene, edge) for edge in scene.ships)),
        _group("trip", [] if scene.trip is None else [_svg_ship(scene, scene.trip)]),
        _group("highlights", (_svg_highlight(space) for space in sorted(scene.highlight))),
        _group("names", _svg_names(scene)),
        _svg_panel(blocks, half_width + _BETWEEN, -half_height),
    ]
    return _element(
        "svg",
        _element("title", escape(_headline(scene)))
        + _element("rect", x=box[0], y=box[1], width=box[2], height=box[3], fill=_CANVAS)
        + "\n".join(groups)
        + "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(_number(value) for value in box),
        width=_number(box[2]),
        height=_number(box[3]),
        role="img",
        font_family=_FONT,
        fill=_INK,
    )


def describe(step: Mapping[str, Any]) -> str:
    """Say in one line what a step does, and what was drawn.

    Parameters
    ----------
    step : mapping
        A step as in a record.

    Returns
    -------
    str

    Examples
    --------
    >>> describe({"action": "move", "from": [3, 0], "to": [3, 1], "count": 2})
    'move 2 armies from (3,0) to (3,1)'
    >>> draw = {"people": 1, "cards": ["hit", "hit", "miss"]}
    >>> describe({"action": "hold_back", "card": "city_hit", "draws": [draw]})
    'hold back city hit; people 1 draws 1 miss, 2 hit'
    """
    said = [_action_said(step)]
    for draw in step.get("draws", []):
        cards = {card: draw["cards"].count(card) for card in draw["cards"]}
        said.append(f"people {draw['people']} draws {_cards_said(cards)}")
    if "order" in step:
        said.append("new order " + ", ".join(f"people {people}" for people in step["order"]))
    for one in step.get("spells", []):
        said.append(f"people {one['people']} gets {_counted(len(one['spells']), 'spell')}")
    return "; ".join(said)


def _action_said(step: Mapping[str, Any]) -> str:
    action = step["action"]
    if action == "place_country":
        return f"place {step['country']} at ({_at(step['anchor'])}), turned {step['turn']} x 60°"
    words = [action.replace("place_", "place ").replace("_", " ")]
    if action == "buy":
        return f"buy {step['count']} {step['item']}"
    if action in ("move", "sail", "unload", "load", "place_armies"):
        words = [words[0].removesuffix(" armies"), _counted(step["count"], "army", "armies")]
    words += [step[key].replace("_", " ") for key in ("card", "spell") if key in step]
    for key, word in (("space", "at"), ("from", "from"), ("to", "to")):
        if key in step:
            words.append(f"{word} ({_at(step[key])})")
    if "edge" in step:
        words.append(f"by the sea at ({_at(step['edge'])})")
    return " ".join(words)


def highlight_of(step: Mapping[str, Any], position: Mapping[str, Any]) -> list[list[int]]:
    """Tell the spaces to mark after a step: those that it names, ships' sea hexes included.

    Parameters
    ----------
    step : mapping
        A step as in a record.
    position : mapping
        The position after it.

    Returns
    -------
    list of [q, r]
        Each once. For a country placed, its provinces.

    Examples
    --------
    >>> highlight_of({"action": "move", "from": [3, 0], "to": [3, 1], "count": 2}, {})
    [[3, 0], [3, 1]]
    """
    if step["action"] == "place_country":
        provinces = position["provinces"]
        return [list(p["space"]) for p in provinces if p["country"] == step["country"]]
    spaces = [step[key] for key in ("space", "from", "ship", "to", "edge") if key in step]
    return [list(space) for space in dict.fromkeys(map(tuple, spaces))]


# What both pictures share.


def _distance(space: Hex) -> int:
    q, r = space
    return max(abs(q), abs(r), abs(q + r))


def _beside(space: Hex, direction: Hex) -> Hex:
    return space[0] + direction[0], space[1] + direction[1]


@dataclass(frozen=True)
class _Scene:
    """A position made ready for drawing."""

    position: Mapping[str, Any]
    highlight: frozenset[Hex]

    @classmethod
    def of(cls, position: Mapping[str, Any], highlight: Iterable[Sequence[int]]) -> _Scene:
        if position.get("game") != "stone-guardians":
            raise InputError(
                f"the position to draw is of game {position.get('game')!r}, expected "
                "'stone-guardians'"
            )
        scene = cls(position, frozenset((q, r) for q, r in highlight))
        for space in sorted(scene.highlight):
            if _distance(space) > scene.radius:
                near = min(scene.spaces(), key=lambda s: (_apart(s, space), s))
                raise InputError(
                    f"there is no space {list(space)} to highlight: the map ends at distance "
                    f"{scene.radius} from [0, 0]; the nearest space is {list(near)}"
                )
        return scene

    @cached_property
    def provinces(self) -> dict[Hex, Mapping[str, Any]]:
        return {(p["space"][0], p["space"][1]): p for p in self.position["provinces"]}

    @cached_property
    def radius(self) -> int:
        """How far the sea is drawn: one hex beyond the land, but not beyond the usual map."""
        farthest = max(map(_distance, self.provinces))
        if self.position["stage"] == "draft":
            return max(_RADIUS, farthest)
        sea = [_distance(sea) for _, sea in self.ships]
        return max(farthest, min(_RADIUS, farthest + 1), *sea, *(0,) * (not sea))

    @cached_property
    def ships(self) -> list[Edge]:
        return [(tuple(p), tuple(s)) for p, s in self.position["ships"]]

    @cached_property
    def sailed(self) -> frozenset[Edge]:
        return frozenset((tuple(p), tuple(s)) for p, s in self.position["sailed"])

    @cached_property
    def countries(self) -> dict[str, list[Hex]]:
        """The provinces of each country in map order, Lutao first."""
        found: dict[str, list[Hex]] = {}
        for space, province in self.provinces.items():
            found.setdefault(province["country"], []).append(space)
        return found

    @cached_property
    def letters(self) -> dict[str, str]:
        """A letter for each country; Lutao has none."""
        names = [name for name in self.countries if name != LUTAO]
        return dict(zip(names, "abcdefghijklmnopqrstuvwxyz", strict=False))

    @cached_property
    def artifacts(self) -> dict[Hex, list[int]]:
        """Whose artifacts lie where, as far as they are not taken."""
        places = [tuple(s) for s in self.position["artifact_spaces"]]
        found: dict[Hex, list[int]] = {}
        for people, stock in enumerate(self.position["peoples"]):
            if stock["artifact_card"] and "people" not in stock["artifacts"]:
                place = places[stock["artifact_card"] - 1]
                if place in self.provinces:
                    found.setdefault(place, []).append(people)
        return found

    @property
    def trip(self) -> Edge | None:
        trip = self.position["trip"]
        return None if trip is None else (tuple(trip["ship"][0]), tuple(trip["ship"][1]))

    def spaces(self) -> list[Hex]:
        """Every space of the map, land and sea, row by row."""
        n = self.radius
        return [(q, r) for r in range(-n, n + 1) for q in range(max(-n, -n - r), min(n, n - r) + 1)]

    def is_symbol(self, space: Hex) -> bool:
        """Tell whether the printed city symbol is here: on the first province of a country."""
        return self.countries[self.provinces[space]["country"]][0] == space

    def attacker(self, space: Hex) -> int | str:
        """Tell who attacks a contested province: golems if they are in the fight for it."""
        fight = self.position["fight"]
        if fight is not None and tuple(fight["space"]) == space:
            return fight["attacker"]
        return GOLEMS if self.position["stage"] == "golems" else self.position["people"]

    def crew(self, edge: Edge) -> int | None:
        """Tell who has the ship at an edge; nobody while its province is empty or contested."""
        if edge == self.trip:
            return self.position["people"]
        province = self.provinces[edge[0]]
        return None if province["attackers"] else province["owner"]

    def acting(self, people: int) -> bool:
        return people == self.position["to_move"] and not self.position["over"]

    def winners(self) -> list[int]:
        outcome = self.position["outcome"]
        return [seat for seat, won in enumerate(outcome["returns"]) if won] if outcome else []

    def stone(self, people: int) -> int | None:
        order = self.position["order"]
        return order.index(people) + 1 if people in order else None


def _apart(a: Hex, b: Hex) -> int:
    return _distance((a[0] - b[0], a[1] - b[1]))


_REASONS = {
    "lutao_held": "the city on Lutao was held long enough",
    "last_left": "no other people is left",
    "unfinished": "the limit of rounds is reached",
}


def _headline(scene: _Scene) -> str:
    """Say in one line whose decision it is or how the game ended."""
    outcome = scene.position["outcome"]
    if outcome:
        seats = scene.winners()
        named = " and ".join(f"seat {seat}" for seat in seats)
        verb = "wins" if len(seats) == 1 else "share the victory"
        reason = _REASONS.get(outcome["reason"], outcome["reason"])
        return f"{named[:1].upper()}{named[1:]} {verb}: {reason}"
    if scene.position["over"]:
        return "The game is over"
    stage = scene.position["stage"].replace("_", " ")
    return f"Seat {scene.position['to_move']} to move: {stage}"


def _state_lines(scene: _Scene) -> list[str]:
    position = scene.position
    lines = [f"round {position['round']}, {_counted(position['turn'], 'turn')} played"]
    if position["holder"] is None:
        lines.append("nobody holds Lutao's city")
    else:
        since = position["hold_since"]
        lines.append(f"{_who(position['holder'])} holds Lutao's city since round {since}")
    lines.append(f"{_counted(position['golem_supply'], 'golem')} in supply")
    if position["golem_actions"]:
        lines.append(f"{_counted(position['golem_actions'], 'golem action')} left")
    if position["trip"] is not None:
        place, sea = scene.trip or ((0, 0), (0, 0))
        aboard = _counted(position["trip"]["aboard"], "army", "armies")
        lines.append(f"ship at {_at(place)} ({_at(sea)}), {aboard} aboard")
    return lines


def _fight_lines(scene: _Scene) -> list[tuple[str, Mapping[str, Any] | None]]:
    """Say what a fight is about, and for each side who it is, with its hand."""
    fight = scene.position["fight"]
    if fight is None:
        return []
    province = scene.provinces[tuple(fight["space"])]
    forces = province["attackers"], province["armies"] + province["golems"]
    lines: list[tuple[str, Mapping[str, Any] | None]] = []
    for role, force, hand in zip(("attacker", "defender"), forces, fight["hands"], strict=True):
        who, unit = fight[role], "army"
        if who == GOLEMS:
            lines.append((f"{role} {_counted(force, 'golem')}", None))
        else:
            lines.append((f"{role} {_who(who)}, {_counted(force, unit, 'armies')}", hand))
    return lines


def _counted(count: int, what: str, many: str | None = None) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {many or what + 's'}"


def _who(people: int) -> str:
    return f"{PEOPLES[people]} people {people}"


def _at(space: Sequence[int]) -> str:
    return f"{space[0]},{space[1]}"


def _stock_lines(scene: _Scene, people: int) -> list[str]:
    """Say what a people has beside the map."""
    stock = scene.position["peoples"][people]
    if not stock["alive"]:
        return ["out of the game"]
    pieces = [f"supply {stock['supply']}"]
    for key, word in (("to_place", "to place"), ("budget", "to spend")):
        if stock[key]:
            pieces.append(f"{word} {stock[key]}")
    where = [_at(s) for s, peoples in scene.artifacts.items() if people in peoples]
    artifact = "taken" if "people" in stock["artifacts"] else (where or ["none"])[0]
    return [
        ", ".join(pieces),
        f"markers {stock['markers']}, ships {stock['ships']}, sticks {stock['sticks']}",
        f"spells {stock['spells']['count']}, pile {stock['pile']}, artifact {artifact}",
    ]


_SHORT = {
    "miss": "miss",
    "hit": "hit",
    "city_hit": "city hit",
    "hero_strike": "hero",
    "shield": "shield",
}


def _cards_said(cards: Mapping[str, int]) -> str:
    return ", ".join(f"{cards[symbol]} {_SHORT[symbol]}" for symbol in _SHORT if cards.get(symbol))


def _spells_said(cards: Mapping[str, int]) -> str:
    names = [f"{name} x{n}" if n > 1 else name for name, n in sorted(cards.items()) if n]
    return ", ".join(names).replace("_", " ")


def _hand_said(hand: Mapping[str, Any]) -> str:
    if hand["cards"] is None:
        said = _counted(hand["size"], "card")
    else:
        said = _cards_said(hand["cards"]) or "no card"
    held = hand["held_back"]
    if held:
        said += "; one held back" if held is True else f"; {_SHORT[held]} held back"
    return said


def _wrapped(said: str, width: int) -> list[str]:
    """Break a list at its commas."""
    lines, line = [], ""
    for word in said.split(", "):
        if line and len(line) + len(word) + 2 > width:
            lines.append(line + ",")
            line = word
        else:
            line = f"{line}, {word}" if line else word
    return [*lines, line] if line else lines


# The terminal.

_PAPER = ("#b3202c", "#2257a8", "#e8b820", "#71419e")
_PAPER_INK = ("#ffffff", "#ffffff", "#2b2000", "#ffffff")
_GROUNDS = (
    "#b9c98a", "#d9c48c", "#a9c5a0", "#d8b48f", "#c3b3d1", "#c9cfa2",
    "#b8cbd1", "#d6a9a0", "#c8bd9a", "#a9bfb3", "#d9cf9f",
)  # fmt: skip
_LUTAO_GROUND = "#d8d4cc"
_SEA = "#123a5c"
_SEA_INK = "#6d94b3"
_GROUND_INK = "#2c2a22"
_WIDE = 4
_TEXT_PANEL = 33
_ARROWS = {
    (0, -1): (0, 1, "↖"), (1, -1): (0, 2, "↗"), (-1, 0): (1, 0, "←"),
    (-1, 1): (1, 1, "↙"), (0, 1): (1, 2, "↘"), (1, 0): (1, 3, "→"),
}  # fmt: skip
"""Line, column and sign of a ship in its sea hex, by the way to its province."""


def _board_lines(scene: _Scene) -> list[list[Segment]]:
    n, lines = scene.radius, []
    at_sea = _ships_at(scene)
    for r in range(-n, n + 1):
        first, last = max(-n, -n - r), min(n, n - r)
        indent = 2 * (2 * first + r + 2 * n)
        for upper in (True, False):
            label = f"{r:>3}" if upper else ""
            line: list[Segment] = [(f"{label:<4}", "dim"), (" " * indent, "")]
            for q in range(first, last + 1):
                if (q, r) in scene.provinces:
                    line += _land_cell(scene, (q, r), upper)
                else:
                    line += _sea_cell(scene, (q, r), upper, at_sea.get((q, r), {}))
            if upper and last == n - r and r > 0:
                line.append((f"q{last}", "dim"))
            lines.append(line)
    # Columns lean, so those that end at the upper edge have their number there, the others below.
    top = "".join(f"{f'q{q}':<{_WIDE}}" for q in range(n + 1))
    return [[(" " * (4 + 2 * n + 1), ""), (top, "dim")], *lines]


def _ships_at(scene: _Scene) -> dict[Hex, dict[Hex, Edge]]:
    """Give the ships in each sea hex by the way to their province."""
    found: dict[Hex, dict[Hex, Edge]] = {}
    for edge in [*scene.ships, *([scene.trip] if scene.trip else [])]:
        province, sea = edge
        found.setdefault(sea, {})[province[0] - sea[0], province[1] - sea[1]] = edge
    return found


def _sea_cell(scene: _Scene, space: Hex, upper: bool, ships: dict[Hex, Edge]) -> list[Segment]:
    paper = "#ffffff" if space in scene.highlight else _SEA
    cells = [(character, f"{_SEA_INK} on {paper}") for character in (" ~  " if upper else "    ")]
    if ships:
        cells = [(" ", f"{_SEA_INK} on {paper}")] * _WIDE
    for way, edge in ships.items():
        line, column, sign = _ARROWS[way]
        if line == (not upper):
            cells[column] = (sign, _ship_style(scene, edge, paper))
    return cells


def _ship_style(scene: _Scene, edge: Edge, paper: str) -> str:
    owner = scene.crew(edge)
    if owner is None:
        return f"bold #ffffff on {paper}" if paper == _SEA else f"bold #555555 on {paper}"
    return f"bold {_PAPER_INK[owner]} on {_PAPER[owner]}"


def _land_cell(scene: _Scene, space: Hex, upper: bool) -> list[Segment]:
    province = scene.provinces[space]
    paper = "#ffffff" if space in scene.highlight else _ground(scene, province["country"])
    plain = f"{_GROUND_INK} on {paper}"
    if upper:
        city = "■" if province["city"] else "□" if scene.is_symbol(space) else " "
        return [*_force(province, plain), (city, f"bold {plain}")]
    letter = (scene.letters.get(province["country"], " "), plain)
    if province["attackers"]:
        who = scene.attacker(space)
        style = _token_style(None if who == GOLEMS else int(who))
        return [letter, (f"x{province['attackers']:<2}", style)]
    owners = scene.artifacts.get(space, [])
    if owners:
        return [letter, (f"*{PEOPLES[owners[0]]}", _token_style(owners[0])), (" ", plain)]
    return [letter, ("   ", plain)]


def _force(province: Mapping[str, Any], plain: str) -> list[Segment]:
    """Show who stands in a province: three characters."""
    if province["golems"]:
        return [(f"g{province['golems']:<2}", _token_style(None))]
    if province["owner"] is None:
        return [(" · ", plain)]
    owner = province["owner"]
    return [(f"{PEOPLES[owner]}{province['armies']:<2}", _token_style(owner))]


def _token_style(people: int | None) -> str:
    """Style what belongs to a people, or to golems."""
    if people is None:
        return "bold #ffffff on #54514b"
    return f"bold {_PAPER_INK[people]} on {_PAPER[people]}"


def _ground(scene: _Scene, country: str) -> str:
    if country == LUTAO:
        return _LUTAO_GROUND
    return _GROUNDS[list(scene.letters).index(country) % len(_GROUNDS)]


def _panel_lines(scene: _Scene) -> list[list[Segment]]:
    lines: list[list[Segment]] = [[(said, "bold")] for said in _folded(_headline(scene))]
    lines += [[(said, "")] for line in _state_lines(scene) for said in _folded(line)]
    if scene.highlight:
        marked = ", ".join(f"({_at(space)})" for space in sorted(scene.highlight))
        lines += [[(said, "")] for said in _wrapped(f"marked {marked}", _TEXT_PANEL)]
    fight = scene.position["fight"]
    if fight is not None:
        lines.append([(f"fight at {_at(fight['space'])}", "bold")])
        for said, hand in _fight_lines(scene):
            lines.append([(f"  {said}", "")])
            told = [] if hand is None else _wrapped(_hand_said(hand), _TEXT_PANEL - 4)
            lines += [[(f"    {line}", "")] for line in told]
    for people in range(len(scene.position["peoples"])):
        lines += _people_lines(scene, people)
    return lines


def _folded(said: str) -> list[str]:
    return textwrap.wrap(said, _TEXT_PANEL)


def _people_lines(scene: _Scene, people: int) -> list[list[Segment]]:
    stock = scene.position["peoples"][people]
    stone = scene.stone(people)
    said = f" people {people}, {_counted(stock['points'], 'point')}"
    said += "" if stone is None else f", stone {stone}"
    acting = scene.acting(people)
    style = "bold" if acting or people in scene.winners() else ""
    sign = (f"{PEOPLES[people]}", _token_style(people))
    lines: list[list[Segment]] = [[(">" if acting else " ", style), sign, (said, style)]]
    lines += [[(f"  {line}", "")] for line in _stock_lines(scene, people)]
    cards, width = stock["spells"]["cards"], _TEXT_PANEL - 4
    if cards:
        lines += [[(f"    {line}", "")] for line in _wrapped(_spells_said(cards), width)]
    if stock["alive"] and any(stock["discards"].values()):
        told = f"discards {_cards_said(stock['discards'])}"
        lines += [[(f"  {line}", "")] for line in _wrapped(told, _TEXT_PANEL - 2)]
    return lines


def _legend_lines(scene: _Scene) -> list[list[Segment]]:
    line: list[Segment] = [("    ", "")]
    for name, letter in scene.letters.items():
        line.append((f" {letter} ", f"{_GROUND_INK} on {_ground(scene, name)}"))
        line.append((f" {name}  ", ""))
    signs = "    A8 armies  g2 golems  x3 attackers  ■ city  □ city symbol  *A artifact  ↙ ship"
    return [*_broken(line, 98), [(signs, "")]]


def _broken(line: list[Segment], width: int) -> list[list[Segment]]:
    """Break a long line before the segments of a pair that would not fit."""
    lines: list[list[Segment]] = [line[:1]]
    for start in range(1, len(line), 2):
        pair = line[start : start + 2]
        if _width(lines[-1]) + _width(pair) > width:
            lines.append(line[:1])
        lines[-1] += pair
    return lines


def _width(line: Sequence[Segment]) -> int:
    return sum(len(characters) for characters, _ in line)


def _trimmed(line: list[Segment]) -> list[Segment]:
    """Take unstyled blanks off the end of a line."""
    while line and not line[-1][0].strip() and line[-1][1] in ("", "dim"):
        line = line[:-1]
    if line and line[-1][1] in ("", "dim"):
        line = [*line[:-1], (line[-1][0].rstrip(), line[-1][1])]
    return line


# SVG. Lengths are in user units; the middle of Lutao's city is the origin.

_SIZE = 36.0
_LABELS = 20.0
_MARGIN = 22.0
_BETWEEN = 26.0
_GAP = 12.0
_PANEL_WIDTH = 440.0
_FONT = "'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"
_CANVAS = "#f4f0e6"
_INK = "#231f2b"
_SOFT_INK = "#5d5766"
_COLOURS = ("#c22f3a", "#2a62b8", "#e3ac12", "#7c45ab")
_DARK = ("#6e0f18", "#12336b", "#7a5800", "#3f1a60")
_ON_COLOUR = ("#ffffff", "#ffffff", "#2b2000", "#ffffff")
_STONE = "#6b6760"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) >= 0.005 else "0"


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


def _text(x: float, y: float, content: str, size: float = 17, **attributes: Any) -> str:
    return _element("text", escape(content), x=x, y=y, font_size=size, **attributes)


def _middle(space: Hex) -> tuple[float, float]:
    q, r = space
    return _SIZE * math.sqrt(3) * (q + r / 2), _SIZE * 1.5 * r


def _corner(number: int, size: float = _SIZE) -> tuple[float, float]:
    """Give a corner of a hex; side n, towards `_DIRECTIONS[n]`, is between corners n and n + 1."""
    angle = math.radians(60 * number - 30)
    return size * math.cos(angle), size * math.sin(angle)


def _points(x: float, y: float, size: float) -> str:
    corners = [_corner(number, size) for number in range(6)]
    return " ".join(f"{_number(x + cx)},{_number(y + cy)}" for cx, cy in corners)


def _svg_sea(scene: _Scene) -> Iterator[str]:
    for space in scene.spaces():
        x, y = _middle(space)
        near = any(_beside(space, way) in scene.provinces for way in _DIRECTIONS)
        yield _element(
            "polygon",
            points=_points(x, y, _SIZE + 0.3),
            fill="#4f97bd" if near else "#3a83ad",
            stroke="#7db6d3",
            stroke_width=0.8,
            class_="water",
        )


def _svg_labels(scene: _Scene) -> Iterator[str]:
    """Number rows at their left end and columns at their upper end, in the outermost hexes."""
    n = scene.radius
    for k in range(-n, n + 1):
        row_x, row_y = _middle((max(-n, -n - k), k))
        yield _text(row_x - 20, row_y + 5, str(k), 14, text_anchor="middle")
        column_x, column_y = _middle((k, max(-n, -n - k)))
        place: dict[str, Any] = {"text_anchor": "middle", "font_style": "italic"}
        yield _text(column_x - 8, column_y - 19, str(k), 14, **place)


def _svg_ground(scene: _Scene, space: Hex) -> str:
    x, y = _middle(space)
    province = scene.provinces[space]
    owner = province["owner"]
    ground = _element(
        "polygon",
        points=_points(x, y, _SIZE),
        fill=_ground(scene, province["country"]),
        stroke="#8d8468",
        stroke_width=0.9,
    )
    if owner is None:
        return ground
    tint = _element(
        "polygon",
        points=_points(x, y, _SIZE * 0.87),
        fill=_COLOURS[owner],
        fill_opacity="0.24",
        stroke=_COLOURS[owner],
        stroke_width=2.4,
        stroke_opacity="0.85",
    )
    return ground + tint


def _svg_borders(scene: _Scene) -> Iterator[str]:
    """Draw the borders of countries, and the coast, thicker than those of provinces."""
    inner: list[str] = []
    coast: list[str] = []
    for space, province in scene.provinces.items():
        x, y = _middle(space)
        for number, way in enumerate(_DIRECTIONS):
            other = scene.provinces.get(_beside(space, way))
            if other is not None and (
                other["country"] == province["country"] or _beside(space, way) < space
            ):
                continue
            (ax, ay), (bx, by) = _corner(number), _corner(number + 1)
            line = f"M{_number(x + ax)} {_number(y + ay)}L{_number(x + bx)} {_number(y + by)}"
            (coast if other is None else inner).append(line)
    style: dict[str, Any] = {"fill": "none", "stroke_linecap": "round"}
    yield _element("path", d="".join(coast), stroke="#f3e6c0", stroke_width=6, **style)
    yield _element("path", d="".join(coast), stroke="#4b3f28", stroke_width=3, **style)
    yield _element("path", d="".join(inner), stroke="#3d3320", stroke_width=4.2, **style)


def _svg_province(scene: _Scene, space: Hex) -> str:
    x, y = _middle(space)
    province = scene.provinces[space]
    parts = []
    if province["city"]:
        parts.append(_svg_city(x, y - 22, "city", "#fff3c4"))
    elif scene.is_symbol(space):
        parts.append(_svg_city(x, y - 22, "symbol", "none"))
    if province["attackers"]:
        parts.append(_svg_contested(scene, space))
    else:
        parts.append(_svg_force(province, x, y + 3))
    for number, people in enumerate(scene.artifacts.get(space, [])):
        parts.append(_svg_artifact(people, x + 19 - 14 * number, y + 19))
    return _element(
        "g",
        "".join(parts),
        class_="province",
        **{"data-space": _at(space), "data-country": province["country"]},
    )


def _svg_contested(scene: _Scene, space: Hex) -> str:
    x, y = _middle(space)
    province = scene.provinces[space]
    ring = _element(
        "polygon",
        points=_points(x, y, _SIZE * 0.93),
        fill="none",
        stroke="#ff3b1f",
        stroke_width=3.5,
        stroke_dasharray="7 4",
        class_="contested",
    )
    who, count = scene.attacker(space), province["attackers"]
    if who == GOLEMS:
        force = _svg_golems(count, x - 14, y + 3, "attackers")
    else:
        force = _svg_token(int(who), count, x - 14, y + 3, "attackers")
    swords = _element(
        "path",
        d=f"M{_number(x - 7)} {_number(y + 30)}l14 -12M{_number(x + 7)} {_number(y + 30)}l-14 -12",
        stroke="#231f2b",
        stroke_width=2.6,
        stroke_linecap="round",
    )
    return ring + force + _svg_force(province, x + 14, y + 3) + swords


def _svg_force(province: Mapping[str, Any], x: float, y: float) -> str:
    if province["golems"]:
        return _svg_golems(province["golems"], x, y, "golems")
    if province["owner"] is None:
        return ""
    return _svg_token(province["owner"], province["armies"], x, y, "armies")


def _svg_token(people: int, count: int, x: float, y: float, name: str) -> str:
    """Draw a people's piece with the number of its armies."""
    shape = _svg_shape(
        people, x, y, 13.5, fill=_COLOURS[people], stroke=_DARK[people], stroke_width=2
    )
    said = _text(
        x,
        y + 6.5,
        str(count),
        18,
        text_anchor="middle",
        font_weight="bold",
        fill=_ON_COLOUR[people],
    )
    data = {"data-people": people, "data-count": count}
    return _element("g", shape + said, class_=name, **data)


def _svg_shape(people: int, x: float, y: float, size: float, **paint: Any) -> str:
    """Draw the shape of a people: a disc, a square, a diamond, a hexagon."""
    if people == 0:
        return _element("circle", cx=x, cy=y, r=size, **paint)
    if people == 1:
        side = size * 1.8
        place: dict[str, Any] = {
            "x": x - side / 2,
            "y": y - side / 2,
            "width": side,
            "height": side,
        }
        return _element("rect", rx=3, **place, **paint)
    corners = {
        2: [(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)],
        3: [_corner(number, 1.12) for number in range(6)],
    }[people]
    points = " ".join(f"{_number(x + size * cx)},{_number(y + size * cy)}" for cx, cy in corners)
    return _element("polygon", points=points, stroke_linejoin="round", **paint)


def _svg_golems(count: int, x: float, y: float, name: str) -> str:
    """Draw a stone head with the number of golems."""
    left, top = _number(x - 13), _number(y + 14)
    head = _element(
        "path",
        d=f"M{left} {top}v-20l6 -8h14l6 8v20z",
        fill=_STONE,
        stroke="#2f2c27",
        stroke_width=2,
        stroke_linejoin="round",
    )
    eyes = "".join(_element("circle", cx=x + dx, cy=y - 8, r=2, fill="#ffd65a") for dx in (-5, 5))
    said = _text(
        x, y + 11, str(count), 17, text_anchor="middle", font_weight="bold", fill="#ffffff"
    )
    return _element("g", head + eyes + said, class_=name, **{"data-count": count})


def _svg_city(x: float, y: float, name: str, fill: str) -> str:
    """Draw three towers; the printed symbol has outlines only."""
    path = f"M{_number(x - 11)} {_number(y + 7)}v-11h5v4h3v-8h6v8h3v-4h5v11z"
    style: dict[str, Any] = {
        "fill": fill,
        "stroke": "#3a2b10",
        "stroke_width": 1.7,
        "stroke_linejoin": "round",
    }
    return _element("path", d=path, class_=name, **style)


def _svg_artifact(people: int, x: float, y: float) -> str:
    """Draw an artifact that nobody has taken."""
    jewel = _svg_jewel(people, x, y)
    return _element("g", jewel, class_="artifact", **{"data-people": people})


def _svg_jewel(people: int, x: float, y: float) -> str:
    return _element(
        "polygon",
        points=" ".join(
            f"{_number(x + dx)},{_number(y + dy)}"
            for dx, dy in ((-7, -3), (-3, -8), (3, -8), (7, -3), (0, 8))
        ),
        fill=_COLOURS[people],
        stroke="#ffffff",
        stroke_width=1.6,
        stroke_linejoin="round",
    )


def _svg_ship(scene: _Scene, edge: Edge) -> str:
    province, sea = edge
    (px, py), (sx, sy) = _middle(province), _middle(sea)
    x, y = sx + 0.3 * (px - sx), sy + 0.3 * (py - sy)
    return _svg_boat(x, y, scene.crew(edge), _ship_marks(scene, edge))


def _ship_marks(scene: _Scene, edge: Edge) -> dict[str, Any]:
    data = {"data-space": _at(edge[0]), "data-edge": _at(edge[1])}
    return {**data, "class_": "ship sailed" if edge in scene.sailed else "ship"}


def _svg_boat(x: float, y: float, owner: int | None, marks: Mapping[str, Any]) -> str:
    hull, sail = (_STONE, "#d9d4c7") if owner is None else (_DARK[owner], _COLOURS[owner])
    line: dict[str, Any] = {"stroke": "#ffffff", "stroke_width": 1.1, "stroke_linejoin": "round"}
    body = _element(
        "path", d=f"M{_number(x - 10)} {_number(y + 3)}h20l-4 6h-12z", fill=hull, **line
    )
    cloth = _element("path", d=f"M{_number(x)} {_number(y - 11)}v12h-8z", fill=sail, **line)
    jib = _element("path", d=f"M{_number(x + 1.5)} {_number(y - 8)}l7 9h-7z", fill="#ffffff")
    # A ship that has made its trip has its sails down.
    sails = "" if "sailed" in str(marks["class_"]).split() else cloth + jib
    mast = _element("path", d=f"M{_number(x)} {_number(y - 11)}v14", stroke=hull, stroke_width=1.6)
    who: dict[str, Any] = {} if owner is None else {"data-people": owner}
    return _element("g", mast + sails + body, **marks, **who)


def _svg_names(scene: _Scene) -> Iterator[str]:
    for name, spaces in scene.countries.items():
        middles = [_middle(space) for space in spaces]
        centre = [sum(values) / len(middles) for values in zip(*middles, strict=True)]
        x, y = min(middles, key=lambda m: math.dist(m, centre))
        if name == LUTAO:
            x, y = middles[0]
        yield _text(
            x,
            y + 0.94 * _SIZE,
            name,
            15,
            text_anchor="middle",
            font_weight="bold",
            fill="#2b2413",
            stroke="#fffbe9",
            stroke_width=3.5,
            stroke_linejoin="round",
            paint_order="stroke",
        )


def _svg_highlight(space: Hex) -> str:
    x, y = _middle(space)
    ring: dict[str, Any] = {
        "points": _points(x, y, _SIZE * 0.95),
        "fill": "none",
        "stroke_linejoin": "round",
    }
    casing = _element("polygon", stroke="#15121a", stroke_width=7, **ring)
    light = _element("polygon", stroke="#ffffff", stroke_width=3.6, **ring)
    return _element("g", casing + light, class_="highlight", **{"data-space": _at(space)})


# The panel beside the map: blocks one below the other.


@dataclass(frozen=True)
class _Block:
    """A part of the panel, its own upper left corner at the origin."""

    name: str
    height: float
    elements: Sequence[str]


def _svg_panel(blocks: Sequence[_Block], left: float, top: float) -> str:
    groups = []
    for block in blocks:
        place = f"translate({_number(left)} {_number(top)})"
        groups.append(_group(block.name, block.elements, transform=place))
        top += block.height + _GAP
    return _group("panel", groups)


def _panel_blocks(scene: _Scene) -> Iterator[_Block]:
    yield _head_block(scene)
    if scene.position["fight"] is not None:
        yield _fight_block(scene)
    for people in range(len(scene.position["peoples"])):
        yield _people_block(scene, people)
    yield _legend_block()


def _head_block(scene: _Scene) -> _Block:
    lines = _state_lines(scene)
    won = bool(scene.winners())
    headline = textwrap.wrap(_headline(scene), 38)
    banner_height = 14.0 + 24 * len(headline)
    parts = [
        _text(0.0, 26.0, "The Island of the Stone Guardians", 22, font_weight="bold"),
        _element(
            "rect",
            x=0,
            y=40,
            width=_PANEL_WIDTH,
            height=banner_height,
            rx=8,
            fill="#f5ca45" if won else "#e3dac5",
        ),
    ]
    for number, said in enumerate(headline):
        parts.append(_text(12.0, 64.0 + 24 * number, said, 18, font_weight="bold"))
    top = 40 + banner_height
    for number, said in enumerate(lines):
        parts.append(_text(2.0, top + 23 + 22 * number, said, 17, fill=_SOFT_INK))
    return _Block("head", top + 10 + 22 * len(lines), parts)


def _frame(height: float, **paint: Any) -> str:
    box: dict[str, Any] = {"x": 0, "y": 0, "width": _PANEL_WIDTH, "height": height, "rx": 10}
    return _element("rect", **box, **paint)


def _people_block(scene: _Scene, people: int) -> _Block:
    stock = scene.position["peoples"][people]
    acting, won = scene.acting(people), people in scene.winners()
    lines = _stock_lines(scene, people)
    cards = stock["spells"]["cards"]
    if cards:
        lines += _wrapped(_spells_said(cards), 50)
    if stock["alive"] and any(stock["discards"].values()):
        lines += _wrapped(f"discards {_cards_said(stock['discards'])}", 50)
    height = 42.0 + 21 * len(lines)
    weight = "bold" if acting or won else "normal"
    stone = scene.stone(people)
    parts = [
        _frame(
            height,
            fill="#fffdf7" if stock["alive"] else "#e6dfcf",
            stroke=_INK if acting else "#c98f00" if won else "#cfc6b3",
            stroke_width=2.8 if acting or won else 1.2,
        ),
        _svg_shape(
            people, 22.0, 20.0, 10.0, fill=_COLOURS[people], stroke=_DARK[people], stroke_width=1.5
        ),
        _text(42.0, 26.0, f"People {people}", 18, font_weight=weight),
        _text(
            _PANEL_WIDTH - 14,
            26.0,
            _counted(stock["points"], "point") + ("" if stone is None else f", stone {stone}"),
            18,
            text_anchor="end",
            font_weight=weight,
        ),
    ]
    for number, said in enumerate(lines):
        parts.append(_text(14.0, 49.0 + 21 * number, said, 16, fill=_SOFT_INK))
    return _Block(f"people people-{people}", height, parts)


def _fight_block(scene: _Scene) -> _Block:
    fight = scene.position["fight"]
    place = tuple(fight["space"])
    where = f"{_at(place)} in {scene.provinces[place]['country']}"
    parts = [_text(14.0, 27.0, f"Fight at {where}", 18, font_weight="bold")]
    top = 52.0
    for side, (said, hand) in enumerate(_fight_lines(scene)):
        parts.append(_text(14.0, top, said, 16))
        if hand is not None:
            parts.append(_svg_hand(hand, side, top + 8))
            top += 58
        top += 26
    height = top - 12
    return _Block("fight", height, [_frame(height, fill="#fbe9df", stroke="#c2452a"), *parts])


def _svg_hand(hand: Mapping[str, Any], side: int, top: float) -> str:
    cards: list[str | None] = [None] * hand["size"]
    if hand["cards"] is not None:
        cards = [symbol for symbol in _SHORT for _ in range(hand["cards"].get(symbol, 0))]
    parts = [_svg_card(symbol, 14 + 40.0 * at, top) for at, symbol in enumerate(cards)]
    if hand["held_back"]:
        known = None if hand["held_back"] is True else hand["held_back"]
        x = 30 + 40.0 * len(cards)
        parts.append(_svg_card(known, x, top, "held-back"))
        parts.append(_text(x + 42, top + 30, "held back", 15, fill=_SOFT_INK))
    return _group(f"hand side-{side}", parts)


def _svg_card(symbol: str | None, x: float, y: float, name: str = "card") -> str:
    """Draw a combat card, or the back of one."""
    box: dict[str, Any] = {
        "x": x,
        "y": y,
        "width": 34.0,
        "height": 46.0,
        "rx": 5,
        "stroke": "#4a4334",
    }
    if symbol is None:
        back = _element("rect", fill="#7f7460", **box)
        ring = _element("circle", cx=x + 17, cy=y + 23, r=9, fill="none", stroke="#d9cdb2")
        return _element("g", back + ring, class_=name)
    face = _element("rect", fill="#fffaf0", **box)
    sign = _svg_sign(symbol, x + 17, y + 19)
    said = _text(x + 17, y + 42, _SHORT[symbol].split()[0], 10.5, text_anchor="middle")
    return _element("g", face + sign + said, class_=name, **{"data-card": symbol})


_SIGNS = {
    "miss": ("M-8 -8l16 16M8 -8l-16 16", "none", "#8a8578"),
    "hit": ("M8 -10l-13 14M-9 1l8 8M-6 5l-4 4", "none", "#a3222c"),
    "city_hit": ("M-10 9v-13h5v4h3v-9h4v9h3v-4h5v13z", "#e8b23a", "#5c3d00"),
    "hero_strike": (
        "M0 -11l3 7.5h8l-6.4 5 2.4 8-7 -4.8-7 4.8 2.4-8-6.4-5h8z", "#d0202f", "#6e0f18"
    ),
    "shield": ("M-9 -9h18v7c0 7-5 10-9 12c-4-2-9-5-9-12z", "#3f7fbf", "#12336b"),
}  # fmt: skip


def _svg_sign(symbol: str, x: float, y: float) -> str:
    path, fill, stroke = _SIGNS[symbol]
    place = f"translate({_number(x)} {_number(y)})"
    return _element(
        "path",
        d=path,
        fill=fill,
        stroke=stroke,
        stroke_width=2.6 if fill == "none" else 1.4,
        stroke_linecap="round",
        stroke_linejoin="round",
        transform=place,
    )


def _legend_block() -> _Block:
    parts = [
        _svg_city(16.0, 16.0, "key", "#fff3c4"),
        _text(34.0, 22.0, "city", 15),
        _svg_city(90.0, 16.0, "key", "none"),
        _text(108.0, 22.0, "city symbol", 15),
        _svg_golems(2, 224.0, 12.0, "key"),
        _text(242.0, 22.0, "golems", 15),
        _svg_boat(312.0, 16.0, None, {"class_": "key"}),
        _text(326.0, 22.0, "ship", 15),
        _svg_jewel(0, 374.0, 15.0),
        _text(386.0, 22.0, "artifact", 15),
    ]
    return _Block("legend", 34.0, parts)
