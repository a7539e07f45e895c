"""Rulesets for tests of the Stone Guardians: shipped ones, and ones where rare rules are met."""

from __future__ import annotations

from typing import Any

from lumis_fast.core.ruleset import Ruleset
from lumis_fast.games.stone_guardians.ruleset import load

STANDARD: dict[str, Any] = load("standard").values
EAGER = {"miss": 1, "hit": 5, "city_hit": 8, "hero_strike": 5, "shield": 4}
"""A deck with which fights are short."""

TWO_COUNTRIES = {
    **STANDARD["map"],
    "countries": [c for c in STANDARD["map"]["countries"] if c["name"] in ("X9", "X11")],
}
FEW_GOLEMS = {"golems": [1, *[0] * 11], "golem_supply": 8}

CHANGES: dict[str, dict[str, Any]] = {
    "standard": {},
    "draft": {"strategic_setup": True, "max_rounds": 4},
    "weak_golems": {**FEW_GOLEMS, "hold_rounds": 5, "combat_deck": EAGER},
    "short_hold": {**FEW_GOLEMS, "hold_rounds": 2, "combat_deck": EAGER, "max_rounds": 12},
    "few_spells": {
        "spells": {"guard": 3, "tribute": 2},
        "spell_limit": 1,
        "max_rounds": 12,
        "province_limit": 5,
    },
    "two_countries": {"map": TWO_COUNTRIES, "combat_deck": EAGER, "points_cap": 12},
    "open_city": {
        "map": TWO_COUNTRIES,
        "golems": [0, *[1] * 11],
        "golem_supply": 12,
        "hold_rounds": 20,
        "card_limit": 6,
    },
    "small_decks": {
        "map": TWO_COUNTRIES,
        "combat_deck": {"miss": 1, "hit": 2, "city_hit": 3, "hero_strike": 1, "shield": 1},
        "supply_armies": [20, 15, 12],
    },
}


def ruleset(name: str) -> Ruleset:
    """Load one of `CHANGES`."""
    return load("standard", CHANGES[name])
