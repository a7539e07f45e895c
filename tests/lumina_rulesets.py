"""Rulesets for tests of Lumina Spell: shipped ones, and small ones that meet the rare rules often.

Each of `CHANGES` is made for something that is seldom met in the shipped games; `RARE` says what
for, with the number of seats that it is met with.
"""

from __future__ import annotations

from typing import Any

from lumis_fast.core.ruleset import Ruleset
from lumis_fast.games.lumina_spell.ruleset import load

SMALL = {"side": 5, "colours": 4, "numbers": 6, "copies": 1}
NEVER = [1000, 1000, 1000]
FREE = [0] * 18

CHANGES: dict[str, dict[str, Any]] = {
    "standard": {},
    "three-colours": {"colours": 3, "numbers": 8},
    "small": SMALL,
    # Pairs and sums only, all of them soon payable, and few of them.
    "short_deck": {**SMALL, "deck": [11, 11, 16, 16, 17], "thresholds": NEVER},
    "low_thresholds": {**SMALL, "thresholds": [2, 2, 2]},
    # Two colours: each is thick on the board, so that few tiles can come before a colour is gone.
    "few_tiles": {
        "side": 5,
        "colours": 2,
        "numbers": 12,
        "copies": 1,
        "deck": [11, 11, 11, 12, 12, 16, 16, 17, 17],
        "thresholds": NEVER,
        "max_turns": 2000,
    },
    "runs_out": {
        **SMALL,
        "copies": 2,
        "numbers": 3,
        "rainbow_numbers": [1, 2, 3, 1, 2],
        "deck": [1, 2, 2, 3, 4, 11, 11, 11, 6, 7, 10] * 3,
        "points": FREE,
        "thresholds": NEVER,
    },
    "wild": {
        "rainbow_number_wild": True,
        "rainbow_numbers": [9, 1, 1, 6, 7],
        "points": FREE,
    },
    "sum_15": {"card18_sum": 15, "deck": [5, 10, 16, 17, 18, 18, 18, 18], "points": FREE},
    "short": {**SMALL, "max_turns": 12},
    "largest": {
        "side": 9,
        "colours": 5,
        "numbers": 8,
        "deck": list(range(1, 19)) * 3,
        "rainbow_numbers": [1, 3, 5, 7, 8, 8, 2, 12],
        "thresholds": [40, 30, 25],
    },
    "long_lines": {"side": 9, "colours": 4, "numbers": 10, "copies": 2},
    "tall_numbers": {"colours": 4, "numbers": 12, "copies": 1},
    "thick": {"side": 5, "colours": 6, "numbers": 2, "copies": 2, "deck": [1, 2, 5, 6, 6, 1]},
}


def ruleset(name: str) -> Ruleset:
    """Load one of `CHANGES`, or a shipped ruleset."""
    if name in CHANGES:
        return load("standard", CHANGES[name])
    return load(name)
