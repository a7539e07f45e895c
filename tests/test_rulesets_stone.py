"""Stone Guardians rulesets: shipped values, caps, what goes together, and what is refused."""

from __future__ import annotations

import copy
import hashlib
import json
import re
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stone_map import ARTIFACTS, COUNTRIES, LUTAO, as_value

from lumis_fast.core.ruleset import SOURCES
from lumis_fast.errors import InputError
from lumis_fast.games.stone_guardians import SPELLS, SYMBOLS
from lumis_fast.games.stone_guardians.ruleset import (
    FIELDS,
    RULESETS,
    _check_draft,
    load,
    restore,
    table,
)

NAMES = [
    "map",
    "variant",
    "strategic_setup",
    "peoples",
    "runes",
    "spells",
    "combat_deck",
    "supply_armies",
    "golems",
    "golem_supply",
    "province_limit",
    "card_limit",
    "spell_limit",
    "hold_rounds",
    "points_cap",
    "country_bonus",
    "costs",
    "max_rounds",
    "fairies_block_only",
]
# D10, in the rulings' order.
COPIES = [7, 5, 3, 3, 4, 4, 3, 2, 3, 3, 4, 2, 4, 2, 2, 3, 2, 2, 1, 1]


def refused(call, *arguments, **named) -> str:
    with pytest.raises(InputError) as caught:
        call(*arguments, **named)
    message = str(caught.value)
    assert "\n" not in message
    return message


# --- the shipped ruleset ----------------------------------------------------------------------


def test_standard_values_are_the_rulings():
    assert load().values == {
        "map": as_value(),
        "variant": "beginner",
        "strategic_setup": False,
        "peoples": "none",
        "runes": "none",
        "spells": dict(zip(SPELLS, COPIES, strict=True)),
        "combat_deck": {"miss": 7, "hit": 6, "city_hit": 3, "hero_strike": 2, "shield": 5},
        "supply_armies": [75, 50, 38],
        "golems": [3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1],
        "golem_supply": 3,
        "province_limit": 8,
        "card_limit": 4,
        "spell_limit": 4,
        "hold_rounds": 3,
        "points_cap": 60,
        "country_bonus": {"2": 1, "3": 1, "4": 1, "5": 2, "6": 3, "7": 4},
        "costs": {
            "armies": [2, 4, 6, 8, 10, 13, 16, 19, 22, 26, 30, 34, 39, 44, 49],
            "marker": 5,
            "ship": 4,
            "stick": 1,
        },
        "max_rounds": 30,
        "fairies_block_only": False,
    }
    assert sum(COPIES) == 60 and COPIES[SPELLS.index("stop_the_spell")] == 7


def test_shipped_names_sources_and_notes():
    assert RULESETS == ("standard",)
    ruleset = load()
    assert set(ruleset.sources.values()) <= set(SOURCES)
    rows = table(ruleset)
    assert [row.name for row in rows] == NAMES
    assert all(row.note for row in rows if row.name != "points_cap")
    shown = {row.name: row.value for row in rows}
    assert shown["map"] == "64 provinces, Lutao and 11 countries, within 7"
    assert shown["spells"] == "60 cards of 20 types"


def test_every_field_is_documented():
    assert [field.name for field in FIELDS] == NAMES
    assert all("\n" not in field.meaning and field.meaning and field.cap for field in FIELDS)


def test_digest_covers_the_map():
    values = load().values
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    assert load().digest == hashlib.sha256(text.encode()).hexdigest()
    changed = copy.deepcopy(values["map"])
    changed["countries"][9]["provinces"][2] = [0, 4]
    assert load("standard", {"map": changed}).digest != load().digest
    assert load("standard", {"map": as_value()}).changes == {}


# --- single values ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("golem_supply", 0, 100),
        ("province_limit", 1, 50),
        ("card_limit", 2, 6),
        ("spell_limit", 0, 60),
        ("hold_rounds", 1, 20),
        ("points_cap", 1, 250),
        ("max_rounds", 1, 200),
    ],
)
def test_caps_of_whole_numbers(name, least, most):
    for value in (least, most):
        assert load("standard", {name: value}).values[name] == value
    for value, near in ((least - 1, least), (most + 1, most)):
        message = refused(load, "standard", {name: value})
        assert message.startswith(f"change of {name}: ") and f"the nearest is {near}" in message
    (field,) = [field for field in FIELDS if field.name == name]
    assert field.cap == f"{least} to {most}"


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("variant", "pro", "expected 'beginner', the only choice so far; pro is not played yet"),
        ("variant", "expert", "expert is not known"),
        ("peoples", "choice", "choice is not played yet"),
        ("peoples", ["orcs", "elves"], "is not played yet"),
        ("peoples", "dwarfs", "dwarfs is not known"),
        ("runes", "choice", "expected 'none'"),
        ("runes", 1, "1 is not known"),
        ("strategic_setup", 1, "true or false"),
        ("fairies_block_only", "yes", "true or false"),
        ("spells", "none", "choices: off, on"),
        ("spells", {"strenght": 1}, "did you mean 'strength'"),
        ("spells", {"strength": 61}, "strength: expected a whole number from 0 to 60"),
        ("spells", dict.fromkeys(SPELLS[:4], 51), "at most 200 spells in all, not 204"),
        ("spells", 3, "expected a table"),
        ("combat_deck", {"hits": 3}, "did you mean 'hit'"),
        ("combat_deck", {"miss": 4, "city_hit": 3}, "8 to 40 cards, not 7"),
        ("combat_deck", {"miss": 38, "city_hit": 3}, "8 to 40 cards, not 41"),
        ("combat_deck", {"hit": 10, "city_hit": 1, "hero_strike": 1}, "strike in a city"),
        ("combat_deck", {"shield": 5, "city_hit": 4}, "at most 4 shields in 9 cards, not 5"),
        ("combat_deck", [7, 6, 3, 2, 5], "expected a table"),
        ("supply_armies", [75, 50], "expected 3 numbers"),
        ("supply_armies", [75, 50, 251], "entry 3"),
        ("golems", [3, 2, 2], "expected 12 numbers"),
        ("golems", [13] + [1] * 11, "the nearest is 12"),
        ("golem_supply", True, "not true"),
        ("country_bonus", {"16": 1}, "unknown size '16'"),
        ("country_bonus", {"2": 51}, "size 2: "),
        ("country_bonus", 2, "expected a table"),
        ("costs", {"armies": [1], "ship": 1, "stick": 1}, "lacks marker"),
        ("costs", {"armies": [1], "ship": 1, "stick": 1, "city": 5}, "unknown key 'city'"),
        ("costs", {"armies": [2, 1], "ship": 1, "stick": 1, "marker": 1}, "do not fall"),
        ("costs", {"armies": [], "ship": 1, "stick": 1, "marker": 1}, "1 to 15 prices"),
        ("costs", {"armies": [1] * 16, "ship": 1, "stick": 1, "marker": 1}, "1 to 15 prices"),
        ("costs", {"armies": [1], "ship": 0, "stick": 1, "marker": 1}, "ship: "),
    ],
)
def test_values_refused(name, value, part):
    message = refused(load, "standard", {name: value})
    assert message.startswith(f"change of {name}: ") and part in message


def test_words_for_spells():
    assert load("standard", {"spells": "on"}).changes == {}
    assert set(load("standard", {"spells": "off"}).values["spells"].values()) == {0}
    few = load("standard", {"spells": {"strength": 4}}).values["spells"]
    assert few == {**dict.fromkeys(SPELLS, 0), "strength": 4}


@pytest.mark.parametrize(
    "deck",
    [
        {"miss": 5, "city_hit": 3},
        {"miss": 1, "hero_strike": 3, "shield": 4},
        {"city_hit": 40},
        {"hit": 20, "city_hit": 2, "hero_strike": 1},
    ],
)
def test_decks_at_the_caps(deck):
    assert load("standard", {"combat_deck": deck}).values["combat_deck"] == {
        **dict.fromkeys(SYMBOLS, 0),
        **deck,
    }


# --- the map ----------------------------------------------------------------------------------


def changed_map(**changes: Any) -> dict[str, Any]:
    return {**as_value(), **changes}


def with_country(name: str, *spaces: tuple[int, int]) -> dict[str, Any]:
    """The standard map with one country elsewhere."""
    return as_value({**COUNTRIES, name: list(spaces)})


def with_artifact(card: int, whose: str, space: tuple[int, int]) -> dict[str, Any]:
    value = as_value()
    value["artifacts"][card - 1][whose] = list(space)
    return value


LONG = [(-5, r) for r in range(-2, 6)] + [(-6, r) for r in range(-1, 7)]


@pytest.mark.parametrize(
    ("value", "part"),
    [
        # Whole edges.
        (with_country("X11", (1, 2), (3, -3)), "X11: [3, -3] is cut off from [1, 2]"),
        (with_country("X11", (4, 2), (4, 1)), None),
        (with_country("X11", (-6, -1), (-7, 0)), None),
        (with_country("X11", (5, 2), (4, 3)), "X11: expected a whole edge in common"),
        # Nothing on top of anything.
        (with_country("X11", (2, 1), (2, 2)), "X11: [2, 2] is X10's already"),
        (with_country("X5", (2, -1), (3, -2)), "X5: [2, -1] is Lutao's already"),
        (with_country("X11", (2, 0), (2, 1)), "X11: [2, 0] covers the sea around Lutao"),
        (with_country("X11", (1, 2), (1, 2)), "entry 2: [1, 2] is there twice"),
        # On the map.
        (with_country("X11", (7, 0), (8, 0)), "entry 2: [8, 0] is 8 from the centre"),
        (
            changed_map(radius=5),
            "Canli: entry 2: [-5, -1] is 6 from the centre; expected at most 5",
        ),
        (changed_map(radius=8), "radius: expected a whole number from 3 to 7"),
        (changed_map(radius=2), "the nearest is 3"),
        # Numbers.
        (as_value({**COUNTRIES, "X12": [(-5, -2), (-6, -1)]}), "not 54"),
        (as_value({"X10": COUNTRIES["X10"], "X11": COUNTRIES["X11"]}), "6 to 52 provinces in all"),
        (as_value({"Big": LONG}), "Big: expected at most 15 provinces, not 16"),
        (as_value({f"C{n}": [(n - 7, 0)] for n in range(13)}), "list of 1 to 12, not 13 of them"),
        (changed_map(countries=[]), "not 0 of them"),
        (changed_map(lutao=as_value()["lutao"][:11]), "expected 12 provinces, the city first"),
        (
            changed_map(lutao=[[0, 0], *as_value()["lutao"][2:], [5, 5]]),
            "entry 12: [5, 5] is 10 from the centre",
        ),
        (changed_map(lutao=[*as_value()["lutao"][:11], [3, -3]]), "cut off"),
        (changed_map(lutao=[[q, 0] for q in range(-5, 7)]), "Rhuam: [4, -1] covers the sea"),
        # Forms.
        (with_country("", (1, 2), (2, 1)), "name: expected 1 to 30 printable characters"),
        (with_country("Lutao", (1, 2), (2, 1)), "and not Lutao"),
        (changed_map(countries=[{"name": "X"}]), "countries, entry 1: lacks provinces"),
        (changed_map(countries=[{"name": "X", "provinces": [[1]]}]), "a space [q, r]"),
        (changed_map(countries=[{"name": "X", "provinces": [[1, 2.0]]}]), "a space [q, r]"),
        (changed_map(countries=[{"name": "X", "provinces": []}]), "a list of spaces"),
        (changed_map(countries=as_value()["countries"][:1] * 2), "'Rhuam' is there twice"),
        (changed_map(sea=1), "unknown key 'sea'"),
        ({"radius": 7}, "lacks lutao, countries, artifacts"),
        (7, "expected a table"),
        # Artifact cards.
        (changed_map(artifacts=as_value()["artifacts"][:3]), "a list of 4 cards"),
        (
            with_artifact(2, "rune", (4, -1)),
            "artifacts, card 2, rune: expected a province of Lutao",
        ),
        (with_artifact(2, "rune", ARTIFACTS[0][0]), "that no other artifact has"),
    ],
)
def test_maps(value, part):
    if part is None:
        assert load("standard", {"map": value}).values["map"] == value
    else:
        message = refused(load, "standard", {"map": value})
        assert message.startswith("change of map: ") and part in message


def test_countries_that_touch_each_other_alone_are_refused():
    value = as_value({**COUNTRIES, "X10": [(5, 2), (4, 3), (3, 4)], "X11": [(2, 5), (1, 6)]})
    message = refused(load, "standard", {"map": value})
    assert "X10: expected a whole edge in common with the sea around Lutao" in message


def test_lutao_needs_sea_all_around():
    # (7, 0) is Lutao's, and (8, 0) beside it is not on the map.
    row = [(7, 0), *[(q, 0) for q in range(6, -5, -1)]]
    message = refused(load, "standard", {"map": as_value(lutao=row)})
    assert "is beyond the radius 7; expected sea all around Lutao" in message


def test_map_from_a_file(tmp_path, monkeypatch):
    text = ["radius = 7", f"lutao = {json.dumps([list(s) for s in LUTAO])}"]
    for name, spaces in list(COUNTRIES.items())[:8]:
        text += ["[[countries]]", f'name = "{name}"', f"provinces = {[list(s) for s in spaces]}"]
    for people, rune in ARTIFACTS:
        text += ["[[artifacts]]", f"people = {list(people)}", f"rune = {list(rune)}"]
    (tmp_path / "eight.map").write_text("\n".join(text))
    monkeypatch.chdir(tmp_path)
    ruleset = load("standard", {"map": "eight.map"})
    assert ruleset.values["map"] == as_value(dict(list(COUNTRIES.items())[:8]))
    plain = json.loads(json.dumps(ruleset.plain()))
    assert restore(plain) == ruleset
    (tmp_path / "broken.map").write_text("radius = ")
    assert "broken.map: not valid TOML" in refused(load, "standard", {"map": "broken.map"})
    assert "standard.map" in refused(load, "standard", {"map": "missing.map"})


def test_a_record_cannot_name_a_map_file():
    plain = {**load().plain(), "changes": {"map": "standard.map"}}
    assert "expected the content" in refused(restore, plain)


# --- values together --------------------------------------------------------------------------


def test_supply_must_be_enough_for_the_provinces_dealt():
    # 84 cards: 42, 28 or 21 each, and none of them need be a bonus card.
    assert load("standard", {"supply_armies": [42, 28, 21]}).values["supply_armies"] == [42, 28, 21]
    for place, (seats, cards) in enumerate(((2, 42), (3, 28), (4, 21))):
        supply = [42, 28, 21]
        supply[place] -= 1
        message = refused(load, "standard", {"supply_armies": supply})
        assert f"with {seats} players" in message and f"at least {cards}" in message


def test_every_size_has_a_bonus():
    message = refused(load, "standard", {"country_bonus": {"2": 1, "3": 1, "4": 1, "5": 2, "6": 3}})
    assert "countries of 7 provinces" in message and "2, 3, 4, 5, 6, 7" in message
    assert load("standard", {"country_bonus": {str(n): n for n in range(15, 0, -1)}}).values[
        "country_bonus"
    ] == {str(n): n for n in range(1, 16)}


def row(r: int, first: int, *sizes: int) -> list[list[tuple[int, int]]]:
    """Straight countries end to end in a row of hexes."""
    starts = [first + sum(sizes[:i]) for i in range(len(sizes))]
    return [
        [(q, r) for q in range(start, start + size)]
        for start, size in zip(starts, sizes, strict=True)
    ]


def test_drafted_maps_have_room_for_their_edges():
    # A row of n hexes has 4 n + 2 neighbours, Lutao 28: 28 + 4 * 52 + 2 * 12 = 260 edges, if no
    # country of the draft touched another one.
    rows = [
        *row(-7, 0, 4, 4),
        *row(-6, -1, 4, 5),
        *row(-5, -2, 5, 5),
        *row(-4, -3, 5, 5),
        *row(4, -3, 4, 3),
        *row(5, -7, 4, 4),
    ]
    changes = {
        "map": as_value({f"R{n}": spaces for n, spaces in enumerate(rows)}),
        "country_bonus": {"3": 1, "4": 1, "5": 1},
    }
    assert load("standard", changes).values["map"] == changes["map"]
    message = refused(load, "standard", {**changes, "strategic_setup": True})
    assert "up to 260 coastal edges; expected at most 256" in message
    changes["map"]["countries"][0]["provinces"].pop()
    assert load("standard", {**changes, "strategic_setup": True}).values["strategic_setup"]


def test_drafts_need_room_for_each_country():
    _check_draft(as_value())
    # Beside the ring of Lutao, radius 4 leaves a band too narrow for a hexagon of seven.
    hexagon = {"Hexagon": [(0, 0), *LUTAO[1:7]]}
    with pytest.raises(ValueError, match="Hexagon has no place beside the sea around Lutao"):
        _check_draft(as_value(hexagon, radius=4))
    _check_draft(as_value(hexagon, radius=6))


# --- files and restoring ----------------------------------------------------------------------


def test_user_file_on_a_base(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'game = "stone-guardians"\nbase = "standard"\n'
        '[hold_rounds]\nvalue = 2\nsource = "ruled"\nnote = "shorter"\n'
    )
    ruleset = load(path, {"max_rounds": 10})
    assert (ruleset.values["hold_rounds"], ruleset.values["max_rounds"]) == (2, 10)
    assert ruleset.notes["hold_rounds"] == "shorter" and ruleset.changes == {"max_rounds": 10}
    assert restore(ruleset.plain(), path) == ruleset


def test_unknown_names_get_the_nearest():
    assert "did you mean 'golems'" in refused(load, "standard", {"golem": 3})
    assert "did you mean 'standard'" in refused(load, "standart")


def test_restored_from_json():
    changes = {"spells": "off", "golems": [1] * 12, "costs": {**load().values["costs"], "ship": 2}}
    ruleset = load("standard", changes)
    plain = json.loads(json.dumps(ruleset.plain()))
    assert restore(plain) == ruleset
    assert "0" * 50 in refused(restore, {**plain, "digest": "0" * 64})


def test_nothing_heavy_is_imported():
    code = (
        "import sys, lumis_fast.games.stone_guardians.ruleset as r; r.load();"
        "print([m for m in ('numba', 'numpy', 'rich', 'click') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=13) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=20,
)
TABLES = st.dictionaries(st.sampled_from([*SYMBOLS, *SPELLS[:3], "2", "7"]), st.integers(-1, 50))
MAPS = st.fixed_dictionaries(
    {
        "radius": st.integers(0, 9) | JSON,
        "lutao": st.just(as_value()["lutao"]) | JSON,
        "countries": st.lists(
            st.fixed_dictionaries({"name": JSON, "provinces": JSON}) | JSON, max_size=3
        )
        | JSON,
        "artifacts": st.just(as_value()["artifacts"]) | JSON,
    }
)


@given(st.dictionaries(st.sampled_from(NAMES), JSON | TABLES | MAPS, max_size=3))
@settings(max_examples=150, deadline=None)
def test_any_values_are_taken_or_refused(changes):
    try:
        ruleset = load("standard", changes)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert re.fullmatch("[0-9a-f]{64}", ruleset.digest)
