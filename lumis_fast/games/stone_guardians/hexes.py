"""Hexes in axial coordinates (q, r): neighbours, distance, turning, and their numbers.

The neighbours of (q, r) are (q ± 1, r), (q, r ± 1), (q + 1, r - 1) and (q - 1, r + 1) (D6).
Every map lies within distance `MAX_RADIUS` of the centre; the hexes there are numbered in the order
of their coordinates, and compiled code knows a hex by this number.
"""

from __future__ import annotations

__all__ = [
    "HEXES",
    "HEX_NUMBER",
    "MAX_RADIUS",
    "Hex",
    "distance",
    "neighbours",
    "turned",
]

Hex = tuple[int, int]

MAX_RADIUS = 7
"""No map is larger: distance of its outermost hexes from the centre."""

_STEPS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


def neighbours(space: Hex) -> list[Hex]:
    """Give the six hexes around a hex.

    Parameters
    ----------
    space : (q, r)

    Returns
    -------
    list of (q, r)
        Sorted.

    Examples
    --------
    >>> neighbours((0, 0))
    [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]
    """
    q, r = space
    return [(q + dq, r + dr) for dq, dr in _STEPS]


def distance(space: Hex) -> int:
    """Tell how far a hex is from the centre (0, 0).

    Parameters
    ----------
    space : (q, r)

    Returns
    -------
    int
        Steps from hex to hex.

    Examples
    --------
    >>> distance((3, -5)), distance((2, 2))
    (5, 4)
    """
    q, r = space
    return max(abs(q), abs(r), abs(q + r))


def turned(space: Hex, turns: int) -> Hex:
    """Turn a hex around the centre.

    Parameters
    ----------
    space : (q, r)
    turns : int
        So many times 60 degrees.

    Returns
    -------
    (q, r)

    Examples
    --------
    >>> [turned((2, -1), turns) for turns in range(7)]
    [(2, -1), (1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1)]
    """
    q, r = space
    for _ in range(turns):
        q, r = -r, q + r
    return q, r


_ACROSS = range(-MAX_RADIUS, MAX_RADIUS + 1)
HEXES: tuple[Hex, ...] = tuple(
    (q, r) for q in _ACROSS for r in _ACROSS if distance((q, r)) <= MAX_RADIUS
)
"""The hexes by their numbers, sorted."""

HEX_NUMBER: dict[Hex, int] = {space: number for number, space in enumerate(HEXES)}
"""The numbers of the hexes."""
