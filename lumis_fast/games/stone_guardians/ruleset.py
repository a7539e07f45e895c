"""The Stone Guardians: the values that rulesets set, their caps, and what makes a map.

Rulings: the data D1 to D11, the tunable values at their end, and 7 for the contact rules.
"""

from __future__ import annotations

import importlib.resources
import itertools
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from lumis_fast.errors import nearest
from lumis_fast.games.stone_guardians import SPELLS, SYMBOLS
from lumis_fast.games.stone_guardians.hexes import (
    HEXES,
    MAX_RADIUS,
    Hex,
    distance,
    neighbours,
    turned,
)

__all__ = [
    "BONUS_CARDS",
    "FIELDS",
    "LUTAO",
    "MAX_ARMIES_BOUGHT",
    "MAX_COUNTRIES",
    "MAX_COUNTRY",
    "MAX_EDGES",
    "MAX_PROVINCES",
    "RULESETS",
    "SPELL_COPIES",
    "load",
    "restore",
    "table",
]

GAME_NAME = "stone-guardians"

LUTAO = 12
"""So many provinces has Lutao."""

MAX_PROVINCES = 64
MAX_COUNTRIES = 12
MAX_COUNTRY = 15
"""So many provinces a country has at most."""

MIN_COUNTRY_PROVINCES = 6
"""With fewer provinces in all countries somebody would often be dealt none."""

MAX_EDGES = 256
"""Pairs of a province and a sea hex beside it, on all maps that can come of a ruleset."""

BONUS_CARDS = 32
"""Cards that bring an army instead of a province (D4)."""

ARTIFACT_CARDS = 4
MIN_STRIKES_IN_CITY = 3
MIN_DECK, MAX_DECK = 8, 40
MAX_SPELLS = 200
MAX_COPIES = 60
MAX_SUPPLY = 250
MAX_GOLEMS = 12
MAX_GOLEM_SUPPLY = 100
MAX_PROVINCE_LIMIT = 50
MAX_CARD_LIMIT = 6
MAX_HOLD = 20
MAX_POINTS = 250
MAX_BONUS = 50
MAX_ROUNDS = 200
MAX_ARMIES_BOUGHT = 15
MAX_ARMY_COST = 1000
MAX_COST = 100

SPELL_COPIES = dict(
    zip(SPELLS, (7, 5, 3, 3, 4, 4, 3, 2, 3, 3, 4, 2, 4, 2, 2, 3, 2, 2, 1, 1), strict=True)
)
"""The deck that the word `on` stands for (D10)."""

_SHIPPED: Traversable = importlib.resources.files("lumis_fast.games.stone_guardians") / "rulesets"
RULESETS = tuple(shipped_names(_SHIPPED))
"""Names of the shipped rulesets."""


def load(
    name_or_path: str | Path = "standard", changes: Mapping[str, Any] | None = None
) -> Ruleset:
    """Load a ruleset of the Stone Guardians and apply changes.

    Parameters
    ----------
    name_or_path : str or Path
        One of `RULESETS`, or a path to a TOML file.
    changes : mapping, optional
        New values by name.

    Returns
    -------
    Ruleset
        `map` is expanded from its file, `spells` to the copies of each type.

    Raises
    ------
    InputError
        If a file or a value is wrong, or the values do not go together.

    Examples
    --------
    >>> load("standard", {"hold_rounds": 2}).values["hold_rounds"]
    2
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
        A ruleset of the Stone Guardians.

    Returns
    -------
    list of Row
        One for each value.
    """
    return ruleset_table(FIELDS, ruleset)


# --- single values ----------------------------------------------------------------------------


def _part(check: Callable[[Any], Any], value: Any, where: str) -> Any:
    """Check a part of a value; a refusal names the part."""
    try:
        return check(value)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


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
        return [_part(number, entry, f"entry {place}") for place, entry in enumerate(value, 1)]

    return check


def _check_keys(value: Any, expected: Sequence[str]) -> dict[str, Any]:
    """Check that a table has these keys and no others."""
    if not isinstance(value, dict):
        raise ValueError(f"expected a table with {', '.join(expected)}, not {shown(value)}")
    for key in value:
        if key not in expected:
            raise ValueError(f"unknown key '{shown(key)}', {nearest(shown(key), expected)}")
    missing = [key for key in expected if key not in value]
    if missing:
        raise ValueError(f"lacks {', '.join(missing)}; expected {', '.join(expected)}")
    return value


def _check_counts(names: Sequence[str], most: int) -> Callable[[Any], dict[str, int]]:
    """Make a check for a table of numbers by name, in the order of `names`; 0 may be left out."""
    number = check_whole(0, most)

    def check(value: Any) -> dict[str, int]:
        if not isinstance(value, dict):
            example = f"{names[0]} = 1"
            raise ValueError(f"expected a table such as {{ {example} }}, not {shown(value)}")
        for name in value:
            if name not in names:
                raise ValueError(f"unknown name '{shown(name)}', {nearest(shown(name), names)}")
        return {name: _part(number, value.get(name, 0), name) for name in names}

    return check


def _check_spells(value: Any) -> dict[str, int]:
    if isinstance(value, str):
        word = check_choice("on", "off")(value)
        return dict(SPELL_COPIES) if word == "on" else dict.fromkeys(SPELLS, 0)
    counts = _check_counts(SPELLS, MAX_COPIES)(value)
    total = sum(counts.values())
    if total > MAX_SPELLS:
        raise ValueError(f"expected at most {MAX_SPELLS} spells in all, not {total}")
    return counts


def _check_deck(value: Any) -> dict[str, int]:
    """Check that a deck ends every fight (see the cap of `combat_deck`)."""
    counts = _check_counts(SYMBOLS, MAX_DECK)(value)
    cards = sum(counts.values())
    strikes = counts["city_hit"] + counts["hero_strike"]
    if not MIN_DECK <= cards <= MAX_DECK:
        near = min(max(cards, MIN_DECK), MAX_DECK)
        raise ValueError(
            f"expected {MIN_DECK} to {MAX_DECK} cards, not {cards}; the nearest is {near}"
        )
    if strikes < MIN_STRIKES_IN_CITY:
        raise ValueError(
            f"expected at least {MIN_STRIKES_IN_CITY} cards that strike in a city (city_hit, "
            f"hero_strike), not {strikes}: with fewer, those could be held back for ever"
        )
    if 2 * counts["shield"] > cards:
        raise ValueError(
            f"expected at most {cards // 2} shields in {cards} cards, not {counts['shield']}: "
            "with more, a fight might hardly ever end"
        )
    return counts


def _check_bonus(value: Any) -> dict[str, int]:
    sizes = [str(size) for size in range(1, MAX_COUNTRY + 1)]
    if not isinstance(value, dict):
        raise ValueError(f"expected a table such as {{ 2 = 1, 3 = 1 }}, not {shown(value)}")
    for size in value:
        if size not in sizes:
            raise ValueError(
                f"unknown size '{shown(size)}'; expected numbers of provinces from 1 to "
                f"{MAX_COUNTRY}"
            )
    number = check_whole(0, MAX_BONUS)
    return {size: _part(number, value[size], f"size {size}") for size in sizes if size in value}


def _check_costs(value: Any) -> dict[str, Any]:
    _check_keys(value, ("armies", "marker", "ship", "stick"))
    number = check_whole(1, MAX_COST)
    armies = _part(
        _check_list(1, MAX_ARMIES_BOUGHT, 1, MAX_ARMY_COST, "prices"), value["armies"], "armies"
    )
    for count, (fewer, more) in enumerate(zip(armies, armies[1:], strict=False), 2):
        if more < fewer:
            raise ValueError(
                f"armies: expected totals that do not fall, but {count} armies cost {more} and "
                f"{count - 1} cost {fewer}"
            )
    prices = {item: _part(number, value[item], item) for item in ("marker", "ship", "stick")}
    return {"armies": armies, **prices}


def _not_yet(*words: str, only: str) -> Callable[[Any], str]:
    """Make a check for a choice of which one is played so far."""

    def check(value: Any) -> str:
        if value == only:
            return only
        known = isinstance(value, list) or value in words
        reason = "is not played yet" if known else "is not known"
        raise ValueError(f"expected '{only}', the only choice so far; {shown(value)} {reason}")

    return check


def _show_counts(value: dict[str, Any]) -> str:
    return ", ".join(f"{name} {count}" for name, count in value.items() if count) or "none"


def _show_spells(value: dict[str, int]) -> str:
    total = sum(value.values())
    kinds = sum(count > 0 for count in value.values())
    return f"{total} cards of {kinds} types" if total else "off"


def _show_costs(value: dict[str, Any]) -> str:
    armies = " ".join(str(price) for price in value["armies"])
    return f"armies {armies}; " + ", ".join(
        f"{item} {value[item]}" for item in ("marker", "ship", "stick")
    )


def _show_list(value: list[int]) -> str:
    return " ".join(str(entry) for entry in value)


# --- the map ----------------------------------------------------------------------------------


def _read_map(text: str) -> dict[str, Any]:
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        fault = "".join(char if char.isprintable() else "?" for char in str(error))
        raise ValueError(f"not valid TOML: {fault}") from None
    return _check_map(document)


def _check_map(value: Any) -> dict[str, Any]:
    """Check a map by itself; gives it back with its keys in a fixed order."""
    _check_keys(value, ("radius", "lutao", "countries", "artifacts"))
    radius = _part(check_whole(3, MAX_RADIUS), value["radius"], "radius")
    lutao = _part(lambda part: _check_spaces(part, radius), value["lutao"], "lutao")
    _check_lutao(lutao, radius)
    countries = _check_countries(value["countries"], radius)
    _check_contacts(lutao, countries)
    artifacts = _check_artifacts(value["artifacts"], lutao)
    return {
        "radius": radius,
        "lutao": _as_lists(lutao),
        "countries": [
            {"name": name, "provinces": _as_lists(spaces)} for name, spaces in countries.items()
        ],
        "artifacts": artifacts,
    }


def _as_lists(spaces: Iterable[Hex]) -> list[list[int]]:
    return [list(space) for space in spaces]


def _check_space(value: Any) -> Hex:
    whole = isinstance(value, list) and len(value) == 2
    if not whole or not all(type(part) is int for part in value):
        raise ValueError(f"expected a space [q, r] of two whole numbers, not {shown(value)}")
    return value[0], value[1]


def _check_spaces(value: Any, radius: int) -> list[Hex]:
    """Check a list of different hexes in one piece, all of them on the map."""
    if not isinstance(value, list) or not value:
        raise ValueError(f"expected a list of spaces [q, r], not {shown(value)}")
    spaces = [_part(_check_space, entry, f"entry {place}") for place, entry in enumerate(value, 1)]
    for place, space in enumerate(spaces, 1):
        if distance(space) > radius:
            raise ValueError(
                f"entry {place}: {shown(list(space))} is {shown(distance(space))} from the centre; "
                f"expected at most {radius}, the radius"
            )
        if space in spaces[: place - 1]:
            raise ValueError(f"entry {place}: {shown(list(space))} is there twice; expected once")
    lonely = set(spaces) - _connected(set(spaces), spaces[0])
    if lonely:
        raise ValueError(
            f"{shown(list(min(lonely)))} is cut off from {shown(list(spaces[0]))}; expected "
            "provinces in one piece"
        )
    return spaces


def _connected(spaces: set[Hex], start: Hex) -> set[Hex]:
    """Give what is reached from a hex through hexes of a set."""
    reached, front = {start}, [start]
    while front:
        for near in neighbours(front.pop()):
            if near in spaces and near not in reached:
                reached.add(near)
                front.append(near)
    return reached


def _ring(lutao: Iterable[Hex]) -> set[Hex]:
    """Give the sea hexes around Lutao."""
    island = set(lutao)
    return {near for space in island for near in neighbours(space)} - island


def _check_lutao(lutao: list[Hex], radius: int) -> None:
    if len(lutao) != LUTAO:
        raise ValueError(f"lutao: expected {LUTAO} provinces, the city first, not {len(lutao)}")
    beyond = [space for space in sorted(_ring(lutao)) if distance(space) > radius]
    if beyond:
        raise ValueError(
            f"lutao: {shown(list(beyond[0]))} beside it is beyond the radius {radius}; expected "
            "sea all around Lutao"
        )


def _check_countries(value: Any, radius: int) -> dict[str, list[Hex]]:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_COUNTRIES:
        got = f"{len(value)} of them" if isinstance(value, list) else shown(value)
        raise ValueError(f"countries: expected a list of 1 to {MAX_COUNTRIES}, not {got}")
    countries: dict[str, list[Hex]] = {}
    for number, entry in enumerate(value, 1):
        where = f"countries, entry {number}"
        _part(lambda part: _check_keys(part, ("name", "provinces")), entry, where)
        name = _part(_check_name, entry["name"], where)
        if name in countries:
            raise ValueError(f"{where}: the name '{name}' is there twice; expected different names")
        spaces = _part(lambda part: _check_spaces(part, radius), entry["provinces"], name)
        if len(spaces) > MAX_COUNTRY:
            raise ValueError(f"{name}: expected at most {MAX_COUNTRY} provinces, not {len(spaces)}")
        countries[name] = spaces
    total = sum(len(spaces) for spaces in countries.values())
    most = MAX_PROVINCES - LUTAO
    if not MIN_COUNTRY_PROVINCES <= total <= most:
        raise ValueError(
            f"countries: expected {MIN_COUNTRY_PROVINCES} to {most} provinces in all (with Lutao "
            f"{MAX_PROVINCES} at most, one bit each), not {total}"
        )
    return countries


def _check_name(value: Any) -> str:
    usable = isinstance(value, str) and value.isprintable() and value == value.strip()
    if not usable or not 1 <= len(value) <= 30 or value == "Lutao":
        raise ValueError(
            f"name: expected 1 to 30 printable characters and not Lutao, not {shown(value)}"
        )
    return value


def _check_contacts(lutao: list[Hex], countries: dict[str, list[Hex]]) -> None:
    """Check the contact rules of the set-up (rulebook: building the playing area; rulings, 7)."""
    ring, land = _ring(lutao), dict.fromkeys(lutao, "Lutao")
    for name, spaces in countries.items():
        for space in spaces:
            if space in land:
                raise ValueError(f"{name}: {shown(list(space))} is {land[space]}'s already")
            if space in ring:
                raise ValueError(
                    f"{name}: {shown(list(space))} covers the sea around Lutao, so it would touch "
                    "Lutao by land; expected a country further out"
                )
        land |= dict.fromkeys(spaces, name)
    away = _without_contact(ring, countries)
    if away:
        raise ValueError(
            f"{away[0]}: expected a whole edge in common with the sea around Lutao, or with a "
            "country that is joined to it"
        )


def _without_contact(ring: set[Hex], countries: dict[str, list[Hex]]) -> list[str]:
    """Name the countries that are joined to the ring neither directly nor through others."""
    rest, shore = list(countries), set(ring)
    while True:
        joined = [
            name
            for name in rest
            if any(near in shore for space in countries[name] for near in neighbours(space))
        ]
        if not joined:
            return rest
        for name in joined:
            shore |= set(countries[name])
            rest.remove(name)


def _check_artifacts(value: Any, lutao: list[Hex]) -> list[dict[str, list[int]]]:
    if not isinstance(value, list) or len(value) != ARTIFACT_CARDS:
        raise ValueError(
            f"artifacts: expected a list of {ARTIFACT_CARDS} cards, not {shown(value)}"
        )
    seen: set[Hex] = set()
    for number, card in enumerate(value, 1):
        _part(lambda part: _check_keys(part, ("people", "rune")), card, f"artifacts, card {number}")
        for whose in ("people", "rune"):
            where = f"artifacts, card {number}, {whose}"
            space = _part(_check_space, card[whose], where)
            if space not in lutao or space in seen:
                raise ValueError(
                    f"{where}: expected a province of Lutao that no other artifact has, not "
                    f"{shown(list(space))}"
                )
            seen.add(space)
    return [{whose: list(card[whose]) for whose in ("people", "rune")} for card in value]


def _show_map(value: dict[str, Any]) -> str:
    countries = value["countries"]
    total = len(value["lutao"]) + sum(len(country["provinces"]) for country in countries)
    return f"{total} provinces, Lutao and {len(countries)} countries, within {value['radius']}"


# --- values together --------------------------------------------------------------------------


def _check_all(values: dict[str, Any]) -> None:
    """Check that bonus, supplies and the way the map is made go with the map."""
    countries = values["map"]["countries"]
    sizes = sorted({len(country["provinces"]) for country in countries})
    missing = [str(size) for size in sizes if str(size) not in values["country_bonus"]]
    if missing:
        raise ValueError(
            f"country_bonus: the map has countries of {missing[0]} provinces; expected a bonus for "
            f"the sizes {', '.join(str(size) for size in sizes)}"
        )
    provinces = sum(len(country["provinces"]) for country in countries)
    for seats, supply in enumerate(values["supply_armies"], 2):
        # Somebody may be dealt province cards alone.
        most = min(provinces, -(-(provinces + BONUS_CARDS) // seats))
        if supply < most:
            raise ValueError(
                f"supply_armies: {supply} armies with {seats} players are too few for the "
                f"{most} provinces that one of them may be dealt; expected at least {most}"
            )
    _check_edges(values["map"], values["strategic_setup"])
    if values["strategic_setup"]:
        _check_draft(values["map"])


def _check_edges(map_: dict[str, Any], strategic: bool) -> None:
    """Check that ships can lie at no more edges than there is room for."""
    parts = [map_["lutao"], *(country["provinces"] for country in map_["countries"])]
    islands = [{(q, r) for q, r in part} for part in parts]
    if not strategic:
        islands = [set().union(*islands)]
    edges = sum(
        near not in island and (strategic or distance(near) <= map_["radius"])
        for island in islands
        for space in island
        for near in neighbours(space)
    )
    if edges > MAX_EDGES:
        drafted = " that players might make of it" if strategic else ""
        raise ValueError(
            f"map: a map{drafted} has up to {edges} coastal edges; expected at most {MAX_EDGES}, "
            "so fewer or less ragged countries"
        )


def _check_draft(map_: dict[str, Any]) -> None:
    """Check that each country may be the first to be placed."""
    lutao = {(q, r) for q, r in map_["lutao"]}
    ring = _ring(lutao)
    open_ = {space for space in HEXES if distance(space) <= map_["radius"]} - lutao - ring
    for country in map_["countries"]:
        (first_q, first_r), *_ = country["provinces"]
        shape = [(q - first_q, r - first_r) for q, r in country["provinces"]]
        placements = itertools.product(range(6), open_)
        if not any(_fits(shape, turns, anchor, open_, ring) for turns, anchor in placements):
            raise ValueError(
                f"strategic_setup: {country['name']} has no place beside the sea around Lutao "
                f"within {map_['radius']} of the centre; expected a larger radius or false"
            )


def _fits(shape: list[Hex], turns: int, anchor: Hex, open_: set[Hex], ring: set[Hex]) -> bool:
    moved = [turned(part, turns) for part in shape]
    spaces = [(anchor[0] + q, anchor[1] + r) for q, r in moved]
    return all(space in open_ for space in spaces) and any(
        near in ring for space in spaces for near in neighbours(space)
    )


FIELDS = (
    Field(
        "map",
        "the central island, the countries and the artifact cards; a file in TOML or a table",
        _check_map,
        f"radius 3 to {MAX_RADIUS}; {LUTAO} provinces on Lutao, "
        f"{MIN_COUNTRY_PROVINCES} to {MAX_PROVINCES - LUTAO} in at most {MAX_COUNTRIES} "
        f"countries of at most {MAX_COUNTRY}; {ARTIFACT_CARDS} artifact cards; {MAX_EDGES} coastal "
        "edges; the contact rules",
        read=_read_map,
        show=_show_map,
    ),
    Field(
        "variant",
        "beginner: one people for each player and no runes",
        _not_yet("standard", "pro", only="beginner"),
        "beginner; standard and pro are not played yet",
    ),
    Field(
        "strategic_setup",
        "whether the players place the countries themselves",
        check_flag,
        "true or false; each country must fit beside the sea around Lutao",
    ),
    Field(
        "peoples",
        "which peoples play",
        _not_yet("choice", only="none"),
        "none; powers of peoples are not played yet",
    ),
    Field(
        "runes",
        "which runes play",
        _not_yet("choice", only="none"),
        "none; runes are not played yet",
    ),
    Field(
        "spells",
        "copies of each spell in the deck; the words on and off",
        _check_spells,
        f"0 to {MAX_COPIES} of a type, {MAX_SPELLS} in all",
        show=_show_spells,
    ),
    Field(
        "combat_deck",
        "cards with each symbol in every people's deck",
        _check_deck,
        f"{MIN_DECK} to {MAX_DECK} cards (a cycle of the pile has room for {MAX_DECK // 2} held "
        f"back); at least {MIN_STRIKES_IN_CITY} that strike in a city and at most half shields, so "
        "that every fight ends",
        show=_show_counts,
    ),
    Field(
        "supply_armies",
        "armies of each people with 2, 3 and 4 players",
        _check_list(3, 3, 1, MAX_SUPPLY, "numbers, for 2, 3 and 4 players"),
        f"3 numbers up to {MAX_SUPPLY}, enough for the provinces one may be dealt",
        show=_show_list,
    ),
    Field(
        "golems",
        "golems on Lutao's provinces at the start, the city first",
        _check_list(LUTAO, LUTAO, 0, MAX_GOLEMS, "numbers, one a province"),
        f"{LUTAO} numbers from 0 to {MAX_GOLEMS}",
        show=_show_list,
    ),
    Field(
        "golem_supply",
        "golems in supply at the start",
        check_whole(0, MAX_GOLEM_SUPPLY),
        f"0 to {MAX_GOLEM_SUPPLY}",
    ),
    Field(
        "province_limit",
        "armies a province holds after setting and after formation",
        check_whole(1, MAX_PROVINCE_LIMIT),
        f"1 to {MAX_PROVINCE_LIMIT}",
    ),
    Field(
        "card_limit",
        "combat cards drawn at most in a combat round",
        check_whole(2, MAX_CARD_LIMIT),
        f"2 to {MAX_CARD_LIMIT}",
    ),
    Field(
        "spell_limit",
        "spells a people may hold after acquisition",
        check_whole(0, MAX_COPIES),
        f"0 to {MAX_COPIES}",
    ),
    Field(
        "hold_rounds",
        "rounds for which Lutao's city must be held, without artifacts",
        check_whole(1, MAX_HOLD),
        f"1 to {MAX_HOLD}",
    ),
    Field(
        "points_cap",
        "points a counting brings at most",
        check_whole(1, MAX_POINTS),
        f"1 to {MAX_POINTS}",
    ),
    Field(
        "country_bonus",
        "points for a whole country, by its number of provinces",
        _check_bonus,
        f"0 to {MAX_BONUS} for each size on the map",
        show=lambda value: ", ".join(f"{bonus} for {size}" for size, bonus in value.items()),
    ),
    Field(
        "costs",
        "points for armies (totals for 1, 2, 3 and so on), a marker, a ship, a stick",
        _check_costs,
        f"up to {MAX_ARMIES_BOUGHT} totals from 1 to {MAX_ARMY_COST} that do not fall; "
        f"the others 1 to {MAX_COST}",
        show=_show_costs,
    ),
    Field(
        "max_rounds",
        "rounds after which the game ends and the last counting decides",
        check_whole(1, MAX_ROUNDS),
        f"1 to {MAX_ROUNDS}",
    ),
    Field(
        "fairies_block_only",
        "whether only a fairies' shield that stopped a strike strikes back",
        check_flag,
        "true or false",
    ),
)
"""The values of a ruleset, in the order they are listed."""
