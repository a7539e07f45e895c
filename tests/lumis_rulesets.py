"""Rulesets for tests of Lumis: shipped ones, and small ones where the rare rules are met often."""

from __future__ import annotations

from typing import Any

from lumis_fast.core.ruleset import Ruleset
from lumis_fast.games.lumis.ruleset import load

TINY = ["bcvg", "cVbG", "vb*c", "gCvB", "bgcv"]
WIDE = ["bcvgbcvg", "cBgc.vGb", "vgb*cCvg", "bVcgb.cb"]
TALL = ["bc.gv", "cGvbc", "vb*Cg", "gcvbc", "cBvgb", ".cgVb", "bvc*g"]
MIDDLE = ["bbccvvggb", "bCbcvGvgg", "ccbbVggvc", "gCbvv*bBc", "ggvBbbccV", "vvGccggbb", "bbvvCgcVg"]


def stripes(rows: int, columns: int) -> list[str]:
    """A board of diagonal stripes with a tower space every few spaces."""
    return [
        "".join(
            letter.upper() if r % 4 == 1 and c % 5 == 2 else letter
            for c in range(columns)
            for letter in "bcvg"[(r + 2 * c) // 3 % 4]
        )
        for r in range(rows)
    ]


CHANGES: dict[str, dict[str, Any]] = {
    "standard": {},
    "tiny": {"board": TINY, "cards_per_colour": 4, "opening_hand": 3, "max_turns": 80},
    "few_tower_stones": {
        "board": MIDDLE,
        "tower_stones": 6,
        "fire_stones": 18,
        "cards_per_colour": 7,
    },
    "no_tower_stone_left": {"board": WIDE, "tower_stones": 3, "hand_limit": 8},
    "few_fire_stones": {"board": TALL, "fire_stones": 6, "cards_per_colour": 5},
    "one_fire_stone": {"board": TINY, "fire_stones": 1, "first_team": "red"},
    "small_decks": {
        "board": MIDDLE,
        "cards_per_colour": 3,
        "opening_hand": 2,
        "hand_limit": 5,
        "tower_stones": 9,
    },
    "base_lines_stand": {"board": MIDDLE, "base_towers": False, "first_team": "red"},
    "other_supplies": {
        "board": WIDE,
        "supply_cards": {"yellow": [[2, 5]], "red": [[1, 3], [6, 4], [2, 7]]},
        "hand_limit": 11,
        "max_turns": 60,
    },
    "no_opening_hand": {"board": TALL, "opening_hand": 0, "tower_stones": 5},
    "stuck": {
        "board": TINY,
        "supply_cards": {"yellow": [[6, 7]], "red": [[6, 7]]},
        "hand_limit": 9,
        "tower_stones": 1,
        "cards_per_colour": 6,
    },
    "short": {"board": MIDDLE, "max_turns": 25},
    "large": {"board": stripes(33, 12), "cards_per_colour": 32, "hand_limit": 24},
    "largest": {"board": stripes(40, 40), "hand_limit": 24, "opening_hand": 12},
}


def ruleset(name: str) -> Ruleset:
    """Load one of `CHANGES`, or a shipped ruleset."""
    if name in CHANGES:
        return load("standard", CHANGES[name])
    return load(name)
