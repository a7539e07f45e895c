"""Lumina Spell: the values that its rulesets set, their caps, and what the cards ask for.

Rulebook sections: game set-up, types of cards, end game conditions; rulings D1 to D6, 13 to 15.
"""

from __future__ import annotations

import importlib.resources
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from lumis_fast.core.ruleset import (
    Field,
    Row,
    Ruleset,
    check_flag,
    check_whole,
    load_ruleset,
    restore_ruleset,
    ruleset_table,
    shipped_names,
    shown,
)

__all__ = [
    "CARDS",
    "COLOURS",
    "FIELDS",
    "FACE_UP",
    "MAX_COLOURS",
    "MAX_COPIES",
    "MAX_DECK",
    "MAX_NUMBER",
    "MAX_RAINBOWS",
    "MAX_SIDE",
    "RAINBOW",
    "RULESETS",
    "Card",
    "load",
    "restore",
    "table",
]

GAME_NAME = "lumina-spell"
COLOURS = ("red", "yellow", "green", "blue", "violet", "orange")
"""Names of the ordinary colours; a ruleset with n colours has the first n."""

RAINBOW = "rainbow"
"""The colour of rainbow tiles in records and positions."""

SIDES = (5, 7, 9)
MAX_SIDE = max(SIDES)
MAX_COLOURS = len(COLOURS)
MAX_NUMBER = 12
MAX_COPIES = 8
MIN_RAINBOWS, MAX_RAINBOWS = 5, 8
FACE_UP = 4
"""Cards that lie face up, as far as the deck goes."""

MIN_DECK, MAX_DECK = FACE_UP + 1, 54
MAX_POINTS = 20
MAX_THRESHOLD = 1000
MAX_TURNS = 10_000

_SHIPPED: Traversable = importlib.resources.files("lumis_fast.games.lumina_spell") / "rulesets"
RULESETS = tuple(shipped_names(_SHIPPED))
"""Names of the shipped rulesets."""


@dataclass(frozen=True)
class Card:
    """What a magic card asks for (rulebook: types of cards; rulings 13 and 14).

    Parameters
    ----------
    tiles : int
        How many tiles are paid.
    pattern : str
        ``same`` for equal numbers, ``ones`` for tiles numbered 1, ``consecutive`` for different
        numbers in unbroken order, ``sum`` for numbers that add up to `total`.
    colours : str
        ``any``, ``one`` for a single colour, ``three`` for three different ones.
    total : int
        What the numbers add up to where the pattern is ``sum``, else 0. For card 18 it is the
        printed legend's; the value `card18_sum` of a ruleset comes before it.
    """

    tiles: int
    pattern: str
    colours: str
    total: int = 0

    def said(self, card18_sum: int | None = None) -> str:
        """Give the requirement in a few words.

        Parameters
        ----------
        card18_sum : int, optional
            For card 18 the ruleset's sum.

        Returns
        -------
        str
            For example ``3 consecutive, one colour``.

        Examples
        --------
        >>> CARDS[7].said()
        '3 consecutive, one colour'
        >>> CARDS[18].said(15)
        '3 that sum to 15, three colours'
        """
        what = {
            "same": "of one number",
            "ones": "numbered 1",
            "consecutive": "consecutive",
            "sum": f"that sum to {card18_sum or self.total}",
        }[self.pattern]
        colours = {"any": "", "one": ", one colour", "three": ", three colours"}[self.colours]
        return f"{self.tiles} {what}{colours}"


CARDS = {
    1: Card(3, "same", "any"),
    2: Card(2, "same", "one"),
    3: Card(2, "same", "one"),
    4: Card(2, "same", "one"),
    5: Card(3, "same", "three"),
    6: Card(3, "ones", "any"),
    7: Card(3, "consecutive", "one"),
    8: Card(3, "consecutive", "one"),
    9: Card(3, "consecutive", "one"),
    10: Card(3, "consecutive", "three"),
    11: Card(3, "consecutive", "any"),
    12: Card(4, "consecutive", "any"),
    13: Card(4, "consecutive", "one"),
    14: Card(4, "consecutive", "one"),
    15: Card(4, "consecutive", "one"),
    16: Card(2, "sum", "any", 10),
    17: Card(3, "sum", "any", 10),
    18: Card(3, "sum", "three", 10),
}
"""The magic cards by number."""


def load(
    name_or_path: str | Path = "standard", changes: Mapping[str, Any] | None = None
) -> Ruleset:
    """Load a Lumina Spell ruleset and apply changes.

    Parameters
    ----------
    name_or_path : str or Path
        One of `RULESETS`, or a path to a TOML file.
    changes : mapping, optional
        New values by name.

    Returns
    -------
    Ruleset
        Its values are whole numbers, flags and lists of whole numbers.

    Raises
    ------
    InputError
        If a file or a value is wrong, or the values do not go together.

    Examples
    --------
    >>> load("standard", {"card18_sum": 15}).values["card18_sum"]
    15
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
        A Lumina Spell ruleset.

    Returns
    -------
    list of Row
        One for each value.
    """
    return ruleset_table(FIELDS, ruleset)


# --- single values ----------------------------------------------------------------------------


def _check_side(value: Any) -> int:
    """Check a board's side: it is odd, so that there is a centre."""
    side = check_whole(SIDES[0], SIDES[-1])(value)
    if side not in SIDES:
        raise ValueError(
            f"an even side {side} has no centre cell; expected 5, 7 or 9, the nearest are "
            f"{side - 1} and {side + 1}"
        )
    return side


def _check_list(
    least: int, most: int, low: int, high: int, what: str
) -> Callable[[Any], list[int]]:
    """Make a check for a list of `least` to `most` whole numbers from `low` to `high`."""
    number = check_whole(low, high)
    count = f"{least}" if least == most else f"{least} to {most}"

    def check(value: Any) -> list[int]:
        if not isinstance(value, list):
            raise ValueError(f"expected a list of {count} {what}, not {shown(value)}")
        if not least <= len(value) <= most:
            near = min(max(len(value), least), most)
            raise ValueError(
                f"expected {count} {what}, not {len(value)}; the nearest length is {near}"
            )
        for place, entry in enumerate(value, 1):
            try:
                number(entry)
            except ValueError as error:
                raise ValueError(f"entry {place}: {error}") from None
        return list(value)

    return check


def _check_deck(value: Any) -> list[int]:
    """Check the cards of a deck."""
    cards = _check_list(MIN_DECK, MAX_DECK, 1, len(CARDS), "cards")(value)
    # The deck is shuffled, so the order in which it is listed means nothing.
    return sorted(cards)


def _show_list(value: list[int]) -> str:
    """Show a list of numbers in a table."""
    return " ".join(str(entry) for entry in value)


def _show_deck(value: list[int]) -> str:
    """Show a deck in a table: each card once, and how many there are of it."""
    if value == sorted(CARDS):
        return "one of each card"
    counts = Counter(value)
    return " ".join(f"{card}" + (f"x{n}" if n > 1 else "") for card, n in sorted(counts.items()))


# --- values together --------------------------------------------------------------------------


def _check_all(values: dict[str, Any]) -> None:
    """Check that the tiles fill the board and that every card can be paid."""
    _check_tiles(values)
    for card in sorted(set(values["deck"])):
        fault = _unpayable(card, values)
        if fault:
            raise ValueError(
                f"deck: card {card} ({CARDS[card].said(values['card18_sum'])}) can never be paid: "
                f"{fault}; expected a deck without it, or tiles that can pay it"
            )


def _check_tiles(values: dict[str, Any]) -> None:
    """Check that the tiles fill the board around its centre."""
    colours, numbers, copies, side = (
        values[name] for name in ("colours", "numbers", "copies", "side")
    )
    tiles, cells = colours * numbers * copies, side * side - 1
    if tiles != cells:
        raise ValueError(
            f"colours {colours} x numbers {numbers} x copies {copies} are {tiles} tiles, but the "
            f"board of side {side} has {cells} cells around its centre; expected {cells} tiles"
            + _way_to_fill(colours, numbers, copies, side)
        )


def _way_to_fill(colours: int, numbers: int, copies: int, side: int) -> str:
    """Name a change of one value that makes the tiles fill the board, where there is one."""
    cells = side * side - 1
    options = [("side", fit) for fit in SIDES if fit * fit - 1 == colours * numbers * copies]
    for name, value, high, others in (
        ("numbers", numbers, MAX_NUMBER, colours * copies),
        ("copies", copies, MAX_COPIES, colours * numbers),
        ("colours", colours, MAX_COLOURS, numbers * copies),
    ):
        fit, rest = divmod(cells, others)
        if rest == 0 and fit <= high and fit != value and (name != "colours" or fit > 1):
            options.append((name, fit))
    return f", for example with {options[0][0]} {options[0][1]}" if options else ""


def _unpayable(card: int, values: dict[str, Any]) -> str | None:
    """Tell why no set of all tiles, rainbows included, pays a card; None if one does."""
    asked = CARDS[card]
    if asked.colours == "three" and values["colours"] < 3:
        return f"there are {values['colours']} colours"
    rainbows = Counter(values["rainbow_numbers"])
    for paid in _number_choices(asked, values):
        lacking = Counter(
            {number: n - _ordinary(asked, number, n, values) for number, n in paid.items()}
        )
        lacking = +lacking
        if values["rainbow_number_wild"]:
            if lacking.total() <= rainbows.total():
                return None
        elif lacking <= rainbows:
            return None
    return "no tiles have such numbers, rainbow tiles included"


def _number_choices(asked: Card, values: dict[str, Any]) -> Iterator[Counter[int]]:
    """Give each choice of numbers that fits a card's pattern, whatever tiles there are."""
    highest = max(values["numbers"], *values["rainbow_numbers"])
    everything = range(1, highest + 1)
    if asked.pattern == "ones":
        yield Counter({1: asked.tiles})
    elif asked.pattern == "same":
        for number in everything:
            yield Counter({number: asked.tiles})
    elif asked.pattern == "consecutive":
        for first in range(1, highest - asked.tiles + 2):
            yield Counter(range(first, first + asked.tiles))
    else:
        total = values["card18_sum"] if asked == CARDS[18] else asked.total
        for numbers in itertools.combinations_with_replacement(everything, asked.tiles):
            if sum(numbers) == total:
                yield Counter(numbers)


def _ordinary(asked: Card, number: int, wanted: int, values: dict[str, Any]) -> int:
    """How many of some ordinary tiles with a number can go into one payment of a card."""
    if number > values["numbers"]:
        return 0
    if asked.colours == "one":
        return min(wanted, int(values["copies"]))
    if asked.colours == "three":
        return wanted
    return min(wanted, int(values["colours"] * values["copies"]))


FIELDS = (
    Field(
        "side",
        "cells on each side of the square board",
        _check_side,
        "odd, 5 to 9",
    ),
    Field(
        "colours",
        "ordinary colours of tiles",
        check_whole(2, MAX_COLOURS),
        f"2 to {MAX_COLOURS}; colours x numbers x copies = side x side - 1",
    ),
    Field(
        "numbers",
        "numbers in each colour, from 1 up",
        check_whole(1, MAX_NUMBER),
        f"1 to {MAX_NUMBER}; colours x numbers x copies = side x side - 1",
    ),
    Field(
        "copies",
        "tiles of each colour and number",
        check_whole(1, MAX_COPIES),
        f"1 to {MAX_COPIES}; colours x numbers x copies = side x side - 1",
    ),
    Field(
        "rainbow_numbers",
        "numbers printed on the rainbow tiles; one a player and one for the board are drawn",
        _check_list(MIN_RAINBOWS, MAX_RAINBOWS, 1, MAX_NUMBER, "numbers"),
        f"{MIN_RAINBOWS} to {MAX_RAINBOWS} tiles, numbers 1 to {MAX_NUMBER}",
        show=_show_list,
    ),
    Field(
        "deck",
        "magic cards in the deck, by number, some perhaps more than once",
        _check_deck,
        f"{MIN_DECK} to {MAX_DECK} cards, numbers 1 to {len(CARDS)}, all of them payable",
        show=_show_deck,
    ),
    Field(
        "points",
        f"points of cards 1 to {len(CARDS)}",
        _check_list(len(CARDS), len(CARDS), 0, MAX_POINTS, "points, one for each card"),
        f"{len(CARDS)} numbers from 0 to {MAX_POINTS}",
        show=_show_list,
    ),
    Field(
        "thresholds",
        "card points that start the final round with 2, 3 and 4 players",
        _check_list(3, 3, 1, MAX_THRESHOLD, "numbers, for 2, 3 and 4 players"),
        f"3 numbers from 1 to {MAX_THRESHOLD}",
        show=_show_list,
    ),
    Field(
        "card18_sum",
        "what the three tiles for card 18 add up to",
        check_whole(3, 3 * MAX_NUMBER),
        f"3 to {3 * MAX_NUMBER}",
    ),
    Field(
        "rainbow_number_wild",
        "whether a rainbow tile in a payment stands for any number, too",
        check_flag,
        "true or false",
    ),
    Field(
        "max_turns",
        "turns after which the game ends and is scored, passes counted",
        check_whole(1, MAX_TURNS),
        f"1 to {MAX_TURNS}",
    ),
)
"""The values of a Lumina Spell ruleset, in the order they are listed."""
