"""Rulesets for tests of Lumina Spell: shipped ones, and small ones that meet the rare rules often.

`RARE` says which of them meets what, and with how many seats. In uniform play a pass comes in one
or two of 100 games there, a stall or four claims in one of 10, the rest in most games.
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
    # A few cheap cards, and no points to end the game before them.
    "short_deck": {**SMALL, "deck": [11, 11, 16, 16, 17], "thresholds": NEVER},
    "low_thresholds": {**SMALL, "thresholds": [2, 2, 2]},
    # With only two colours the board can shrink to a few tiles before a colour is gone; cheap
    # cards empty the hands, so that seats run out, must pass, and games stall.
    "two_colours": {
        "side": 5,
        "colours": 2,
        "numbers": 6,
        "copies": 2,
        "deck": [11, 16, 17] * 18,
        "points": FREE,
        "thresholds": NEVER,
    },
    # Every line is one combo, so hands grow at once, and pairs pay for everything.
    "pairs": {
        "colours": 6,
        "numbers": 2,
        "copies": 4,
        "deck": [2, 3, 4] * 18,
        "points": FREE,
        "thresholds": NEVER,
    },
    # Every tile matches every other, and few cards can be paid by what one push takes.
    "one_number": {
        "side": 5,
        "colours": 3,
        "numbers": 1,
        "copies": 8,
        "deck": [2, 3, 4, 1, 5, 6] * 5,
        "points": FREE,
        "thresholds": NEVER,
    },
    "wild": {"rainbow_number_wild": True, "rainbow_numbers": [9, 1, 1, 6, 7], "points": FREE},
    "sum_15": {"card18_sum": 15, "deck": [5, 10, 16, 17, 18, 18, 18, 18], "points": FREE},
    "short": {**SMALL, "max_turns": 12},
    "tall_numbers": {"colours": 4, "numbers": 12, "copies": 1},
    "six_colours": {"side": 5, "colours": 6, "numbers": 2, "copies": 2, "deck": [1, 2, 5, 6, 6, 1]},
    "largest": {
        "side": 9,
        "colours": 5,
        "numbers": 8,
        "deck": list(range(1, 19)) * 3,
        "rainbow_numbers": [1, 3, 5, 7, 8, 8, 2, 12],
        "thresholds": [40, 30, 25],
    },
}

RARE: dict[str, tuple[str, int]] = {
    "last_card": ("short_deck", 3),
    "points": ("low_thresholds", 2),
    "colour_gone": ("small", 2),
    "few_tiles": ("two_colours", 4),
    "stalled": ("one_number", 2),
    "unfinished": ("short", 3),
    "pass": ("two_colours", 3),
    "inactive": ("two_colours", 4),
    "rainbow paid": ("small", 4),
    "four claims": ("pairs", 2),
}


def ruleset(name: str) -> Ruleset:
    """Load one of `CHANGES`, or a shipped ruleset."""
    if name in CHANGES:
        return load("standard", CHANGES[name])
    return load(name)
