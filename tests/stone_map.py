"""The Stone Guardians' map as plain data, from the rulings, and what follows from it step by step.

Nothing here imports the library, so that what it works out can be compared with the library's.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

Hex = tuple[int, int]

LUTAO: list[Hex] = [
    (0, 0),
    *[(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)],
    *[(2, -1), (1, -2), (-1, -1), (-2, 1), (-1, 2)],
]
COUNTRIES: dict[str, list[Hex]] = {
    "Rhuam": [(4, -1), (3, 0), (3, 1), (4, -2), (4, 0), (5, -2), (5, -1)],
    "X5": [(4, -3), (3, -3), (4, -4), (5, -4), (5, -3)],
    "X6": [(3, -4), (2, -4), (3, -5), (4, -5), (5, -5)],
    "X7": [(0, -3), (-1, -3), (0, -4), (-1, -4)],
    "X8": [(-2, -2), (-3, -2), (-3, -1), (-2, -3)],
    "Canli": [(-4, 0), (-5, -1), (-5, 0), (-5, 1), (-4, -1), (-4, 1), (-3, 0)],
    "Ilarnat": [(-5, 2), (-6, 2), (-6, 3), (-5, 3), (-4, 2)],
    "Sigari": [(-4, 4), (-4, 3), (-4, 5), (-3, 3), (-3, 4), (-3, 5)],
    "X9": [(-1, 4), (-2, 4), (-2, 5), (-1, 5)],
    "X10": [(1, 3), (0, 3), (2, 2)],
    "X11": [(1, 2), (2, 1)],
}
ARTIFACTS: list[tuple[Hex, Hex]] = [
    ((0, -1), (-1, 2)),
    ((1, -1), (-2, 1)),
    ((-1, 0), (2, -1)),
    ((-1, 1), (1, -2)),
]


def around(space: Hex) -> list[Hex]:
    """The neighbours of a hex."""
    q, r = space
    return [(q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1)]


def disc(radius: int) -> list[Hex]:
    """All hexes within a distance of the centre, sorted."""
    found, front = {(0, 0)}, {(0, 0)}
    for _ in range(radius):
        front = {near for space in front for near in around(space)} - found
        found |= front
    return sorted(found)


def ring_of(lutao: Iterable[Hex]) -> set[Hex]:
    """The sea hexes around Lutao."""
    island = set(lutao)
    return {near for space in island for near in around(space)} - island


def sticks_from(start: Hex, sea: set[Hex]) -> dict[Hex, int]:
    """What trips from a sea hex cost: sea hexes on the way, first and last included."""
    cost, front, steps = {start: 1}, {start}, 1
    while front:
        steps += 1
        front = {near for space in front for near in around(space) if near in sea} - set(cost)
        cost |= dict.fromkeys(front, steps)
    return cost


def moved(provinces: list[Hex], turn: int, anchor: Hex) -> list[Hex]:
    """A country turned by so many times 60 degrees, its first province on the anchor.

    A turn takes each of the six directions to the next one.
    """
    directions = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    laid = []
    for q, r in provinces:
        q, r = q - provinces[0][0], r - provinces[0][1]
        # q steps along the first direction, r along the second.
        along, across = directions[turn], directions[(turn + 1) % 6]
        laid.append(
            (
                anchor[0] + q * along[0] + r * across[0],
                anchor[1] + q * along[1] + r * across[1],
            )
        )
    return laid


def placements(
    provinces: list[Hex], laid: Iterable[Hex], lutao: Iterable[Hex] = LUTAO, radius: int = 7
) -> set[tuple[int, Hex]]:
    """Every (turn, anchor) that the contact rules allow."""
    ring, field, taken = ring_of(lutao), set(disc(radius)), set(laid)
    free = field - ring - set(lutao) - taken
    solid = ring | taken
    found = set()
    for turn, anchor in itertools.product(range(6), field):
        spaces = moved(provinces, turn, anchor)
        if set(spaces) <= free and any(near in solid for s in spaces for near in around(s)):
            found.add((turn, anchor))
    return found


def as_value(
    countries: dict[str, list[Hex]] | None = None,
    lutao: Iterable[Hex] | None = None,
    radius: int = 7,
) -> dict[str, Any]:
    """The value `map` of a ruleset."""
    return {
        "radius": radius,
        "lutao": [list(space) for space in lutao or LUTAO],
        "countries": [
            {"name": name, "provinces": [list(space) for space in spaces]}
            for name, spaces in (countries or COUNTRIES).items()
        ],
        "artifacts": [{"people": list(people), "rune": list(rune)} for people, rune in ARTIFACTS],
    }
