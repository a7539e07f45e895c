"""Lumina Spell rulesets: shipped values, caps, what goes together, and what is refused."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumis_fast.core.ruleset import SOURCES
from lumis_fast.errors import InputError
from lumis_fast.games.lumina_spell.ruleset import CARDS, FIELDS, RULESETS, load, restore, table

NAMES = [
    "side",
    "colours",
    "numbers",
    "copies",
    "rainbow_numbers",
    "deck",
    "points",
    "thresholds",
    "card18_sum",
    "rainbow_number_wild",
    "max_turns",
]
SMALL = {"side": 5, "copies": 1}  # 4 colours x 6 numbers fill 24 cells


def refused(call, *arguments, **named) -> str:
    with pytest.raises(InputError) as caught:
        call(*arguments, **named)
    message = str(caught.value)
    assert "\n" not in message
    return message


def deck_of(*cards: int) -> list[int]:
    """A deck of five cards and more, filled up with card 11, which most tiles can pay."""
    return sorted([*cards, *[11] * (5 - len(cards))])


# --- the shipped rulesets ---------------------------------------------------------------------


def test_standard_values_are_the_rulings():
    # Ruling D5, card by card.
    points = {11: 1, 16: 1, 17: 1, 6: 4}
    points |= dict.fromkeys((1, 2, 3, 4, 10, 18), 2)
    points |= dict.fromkeys((5, 7, 8, 9, 12), 3)
    points |= dict.fromkeys((13, 14, 15), 5)
    assert load().values == {
        "side": 7,
        "colours": 4,
        "numbers": 6,
        "copies": 2,
        "rainbow_numbers": [1, 2, 3, 4, 5],
        "deck": list(range(1, 19)),
        "points": [points[card] for card in range(1, 19)],
        "thresholds": [15, 12, 10],
        "card18_sum": 10,
        "rainbow_number_wild": False,
        "max_turns": 500,
    }


def test_three_colours_differs_in_the_tiles_alone():
    standard, other = load("standard").values, load("three-colours").values
    differing = {name: other[name] for name in NAMES if standard[name] != other[name]}
    assert differing == {"colours": 3, "numbers": 8}
    assert load("three-colours").digest != load("standard").digest


def test_shipped_names_and_metadata():
    assert RULESETS == ("standard", "three-colours")
    for name in RULESETS:
        ruleset = load(name)
        assert (ruleset.game, ruleset.name, ruleset.changes) == ("lumina-spell", name, {})
        assert ruleset.description
        assert list(ruleset.sources) == list(ruleset.values) == NAMES
        assert set(ruleset.sources.values()) <= set(SOURCES)
        assert set(ruleset.notes) == set(NAMES)


def test_sources_follow_the_rulings():
    sources = load().sources
    assert {name for name in NAMES if sources[name] == "rule"} == {"thresholds", "card18_sum"}
    assert {name for name in NAMES if sources[name] == "ruled"} == {"rainbow_number_wild"}


def test_table_has_a_line_for_every_value():
    rows = {row.name: row for row in table(load("standard", {"card18_sum": 15}))}
    assert list(rows) == NAMES
    assert (rows["card18_sum"].value, rows["card18_sum"].source) == ("15", "changed")
    assert rows["deck"].value == "one of each card"
    assert rows["thresholds"].value == "15 12 10"
    assert rows["side"].cap == "odd, 5 to 9"
    assert all(row.meaning and row.cap for row in rows.values())
    few = table(load("standard", {"deck": [2, 2, 7, 1, 2]}))
    assert next(row.value for row in few if row.name == "deck") == "1 2x3 7"


def test_cards_are_the_legend():
    def numbers(**asked: object) -> list[int]:
        return [n for n, card in CARDS.items() if asked.items() <= vars(card).items()]

    assert list(CARDS) == list(range(1, 19))
    assert numbers(colours="any") == [1, 6, 11, 12, 16, 17]
    assert numbers(colours="one") == [2, 3, 4, 7, 8, 9, 13, 14, 15]
    assert numbers(colours="three") == [5, 10, 18]
    assert numbers(pattern="same", tiles=2) == [2, 3, 4]
    assert numbers(pattern="same", tiles=3) == [1, 5]
    assert numbers(pattern="ones", tiles=3) == [6]
    assert numbers(pattern="consecutive", tiles=3) == [7, 8, 9, 10, 11]
    assert numbers(pattern="consecutive", tiles=4) == [12, 13, 14, 15]
    assert numbers(pattern="sum", tiles=2, total=10) == [16]
    assert numbers(pattern="sum", tiles=3, total=10) == [17, 18]
    assert [CARDS[n].said() for n in (1, 5, 6, 13)] == [
        "3 of one number",
        "3 of one number, three colours",
        "3 numbered 1",
        "4 consecutive, one colour",
    ]


# --- the digest -------------------------------------------------------------------------------


def test_digest_is_of_sorted_json_without_spaces():
    text = (
        '{"card18_sum":15,"colours":4,"copies":1,"deck":[1,2,11,11,16],"max_turns":500,'
        '"numbers":6,"points":[2,2,2,2,3,4,3,3,3,2,1,3,5,5,5,1,1,2],'
        '"rainbow_number_wild":false,"rainbow_numbers":[1,2,3,4,5],"side":5,'
        '"thresholds":[15,12,10]}'
    )
    ruleset = load("standard", {**SMALL, "card18_sum": 15, "deck": [16, 11, 2, 11, 1]})
    assert ruleset.digest == hashlib.sha256(text.encode()).hexdigest()


def test_digest_sees_every_value():
    changes = [
        {"side": 5, "copies": 1},
        {"colours": 3, "numbers": 8},
        {"colours": 6, "numbers": 8, "copies": 1},
        {"rainbow_numbers": [1, 2, 3, 4, 6]},
        {"rainbow_numbers": [2, 1, 3, 4, 5]},
        {"deck": list(range(1, 18))},
        {"points": [1] * 18},
        {"thresholds": [15, 12, 11]},
        {"card18_sum": 15},
        {"rainbow_number_wild": True},
        {"max_turns": 501},
    ]
    assert len({load("standard", change).digest for change in changes} | {load().digest}) == 12


# --- caps, both sides -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("side", 5, 9),
        ("colours", 2, 6),
        ("numbers", 1, 12),
        ("copies", 1, 8),
        ("card18_sum", 3, 36),
        ("max_turns", 1, 10000),
    ],
)
def test_caps_of_whole_numbers(name, low, high):
    for value, near in ((low - 1, low), (high + 1, high)):
        message = refused(load, "standard", {name: value})
        assert f"change of {name}" in message and f"the nearest is {near}" in message
        assert f"from {low} to {high}" in message
    for value in (True, 5.0, "5", [5], None, {}):
        assert f"change of {name}: expected a whole number" in refused(
            load, "standard", {name: value}
        )


@pytest.mark.parametrize(
    "changes",
    [
        {"side": 5, "copies": 1},
        {"side": 9, "colours": 5, "numbers": 8},
        {"side": 9, "colours": 5, "numbers": 4, "copies": 4, "deck": deck_of(15, 17, 18)},
        {"colours": 6, "numbers": 8, "copies": 1},
        {"colours": 4, "numbers": 12, "copies": 1},
        {"side": 5, "colours": 2, "numbers": 12, "copies": 1, "deck": deck_of(12)},
        {"side": 5, "colours": 3, "numbers": 1, "copies": 8, "deck": deck_of(1, 2, 5, 6, 6)},
        {"max_turns": 1},
        {"max_turns": 10000},
        {"thresholds": [1, 1000, 1]},
        {"points": [0, 20] * 9},
        {"rainbow_numbers": [12, 1, 1, 1, 1, 12, 7, 7]},
        {"deck": list(range(1, 19)) * 3},
    ],
)
def test_values_allowed(changes):
    values = load("standard", changes).values
    assert values["colours"] * values["numbers"] * values["copies"] == values["side"] ** 2 - 1
    expected = {**changes, "deck": sorted(changes.get("deck", range(1, 19)))}
    assert {name: values[name] for name in expected} == expected


@pytest.mark.parametrize("side", [6, 8])
def test_even_sides_are_refused(side):
    message = refused(load, "standard", {"side": side})
    assert "even" in message and f"the nearest are {side - 1} and {side + 1}" in message


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("rainbow_numbers", [1, 2, 3, 4], "5 to 8 numbers, not 4; the nearest length is 5"),
        ("rainbow_numbers", [1] * 9, "the nearest length is 8"),
        ("rainbow_numbers", [0, 1, 2, 3, 4], "entry 1: expected a whole number from 1 to 12"),
        ("rainbow_numbers", [1, 2, 3, 4, 13], "entry 5"),
        ("rainbow_numbers", 5, "expected a list"),
        ("deck", [1, 2, 3, 4], "5 to 54 cards, not 4"),
        ("deck", [1] * 55, "the nearest length is 54"),
        ("deck", [1, 2, 3, 4, 19], "entry 5: expected a whole number from 1 to 18, not 19"),
        ("deck", [1, 2, 3, 4, "5"], "entry 5"),
        ("deck", "standard", "expected a list"),
        ("points", [1] * 17, "expected 18 points, one for each card, not 17"),
        ("points", [1] * 19, "the nearest length is 18"),
        ("points", [21, *[1] * 17], "entry 1: expected a whole number from 0 to 20"),
        ("points", [-1, *[1] * 17], "the nearest is 0"),
        ("thresholds", [15, 12], "2, 3 and 4 players"),
        ("thresholds", [0, 12, 10], "the nearest is 1"),
        ("thresholds", [15, 12, 1001], "entry 3"),
        ("thresholds", {"2": 15}, "expected a list"),
        ("rainbow_number_wild", 1, "true or false"),
    ],
)
def test_values_refused(name, value, part):
    message = refused(load, "standard", {name: value})
    assert message.startswith(f"change of {name}: ") and part in message


def test_order_in_the_deck_means_nothing():
    one = load("standard", {"deck": [5, 4, 3, 2, 1]})
    assert one.changes == {"deck": [1, 2, 3, 4, 5]}
    assert load("standard", {"deck": list(range(18, 0, -1))}).changes == {}


# --- values together --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "tiles", "cells", "advice"),
    [
        ({"side": 5}, 48, 24, "with side 7"),
        ({"side": 9}, 48, 80, "with side 7"),
        ({"copies": 1}, 24, 48, "with side 5"),
        ({"colours": 5}, 60, 48, "with colours 4"),
        ({"numbers": 7}, 56, 48, "with numbers 6"),
        ({"numbers": 5}, 40, 48, "with numbers 6"),
        ({"copies": 3}, 72, 48, "with numbers 4"),
    ],
)
def test_tiles_fill_the_board(changes, tiles, cells, advice):
    message = refused(load, "standard", changes)
    assert f"are {tiles} tiles" in message and f"{cells} cells" in message
    assert message.endswith(advice)


FEW_NUMBERS = {"side": 5, "colours": 6, "numbers": 4, "copies": 1}
ONE_NUMBER = {"side": 5, "colours": 3, "numbers": 1, "copies": 8}
TWO_COLOURS = {"side": 5, "colours": 2, "numbers": 6, "copies": 2}
ONE_COPY = {"side": 5, "copies": 1}
LOW = [1, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("tiles", "rainbows", "card", "payable"),
    [
        # Two tiles for 10: 4 + 4 is too little, a rainbow 6 with a 4 is enough.
        (FEW_NUMBERS, [4, 4, 4, 4, 4], 16, False),
        (FEW_NUMBERS, [1, 1, 1, 1, 5], 16, False),
        (FEW_NUMBERS, [1, 1, 1, 5, 5], 16, True),
        (FEW_NUMBERS, [1, 1, 1, 1, 6], 16, True),
        (FEW_NUMBERS, LOW, 17, True),
        (FEW_NUMBERS, LOW, 12, True),
        # Three colours want three colours in the game, whatever the rainbows are.
        (TWO_COLOURS, [1, 2, 3, 4, 5], 5, False),
        (TWO_COLOURS, [1, 2, 3, 4, 5], 10, False),
        (TWO_COLOURS, [1, 2, 3, 4, 5], 18, False),
        (TWO_COLOURS, [1, 2, 3, 4, 5], 1, True),
        # One copy: a pair of one colour needs a rainbow of a number that there is.
        (ONE_COPY, [1, 2, 3, 4, 5], 2, True),
        (ONE_COPY, [7, 8, 9, 10, 11], 2, False),
        (ONE_COPY, [7, 7, 9, 10, 11], 2, True),
        # Only ones: runs need rainbows for every other number.
        (ONE_NUMBER, LOW, 11, False),
        (ONE_NUMBER, [2, 3, 1, 1, 1], 11, True),
        (ONE_NUMBER, [2, 3, 1, 1, 1], 7, True),
        (ONE_NUMBER, [2, 3, 1, 1, 1], 12, False),
        (ONE_NUMBER, [4, 3, 2, 1, 1], 13, True),
        (ONE_NUMBER, LOW, 6, True),
        (ONE_NUMBER, LOW, 5, True),
    ],
)
def test_cards_that_nothing_can_pay_are_refused(tiles, rainbows, card, payable):
    filler = 1  # three of one number: payable in all of these
    changes = {**tiles, "rainbow_numbers": rainbows, "deck": [card, *[filler] * 4]}
    if payable:
        assert card in load("standard", changes).values["deck"]
    else:
        message = refused(load, "standard", changes)
        assert f"card {card} (" in message and "can never be paid" in message


def test_wild_rainbows_pay_what_others_cannot():
    changes = {**ONE_NUMBER, "rainbow_numbers": [2, 2, 2, 2, 3], "deck": [1, 1, 1, 1, 7]}
    assert load("standard", changes).values["deck"][-1] == 7
    changes["rainbow_numbers"] = [3, 3, 3, 3, 3]
    assert "card 7" in refused(load, "standard", changes)
    assert load("standard", {**changes, "rainbow_number_wild": True}).values["numbers"] == 1


@pytest.mark.parametrize(("total", "payable"), [(3, True), (18, True), (19, False), (36, False)])
def test_sum_of_card_18_must_be_in_reach(total, payable):
    # Three tiles up to 6 in three colours: 1 + 1 + 1 to 6 + 6 + 6.
    if payable:
        assert load("standard", {"card18_sum": total}).values["card18_sum"] == total
    else:
        message = refused(load, "standard", {"card18_sum": total})
        assert f"card 18 (3 that sum to {total}, three colours)" in message
        changes = {"card18_sum": total, "deck": list(range(1, 18))}
        assert load("standard", changes).values["card18_sum"] == total


# --- files and restoring ----------------------------------------------------------------------


def test_user_file_on_a_base(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'game = "lumina-spell"\nbase = "three-colours"\n'
        '[card18_sum]\nvalue = 15\nsource = "rule"\nnote = "the face of the card"\n'
    )
    ruleset = load(path, {"max_turns": 60})
    assert (ruleset.values["colours"], ruleset.values["card18_sum"]) == (3, 15)
    assert ruleset.notes["card18_sum"] == "the face of the card"
    assert ruleset.changes == {"max_turns": 60}
    assert restore(ruleset.plain(), path) == ruleset


def test_a_file_of_lumis_is_refused(tmp_path):
    path = tmp_path / "other.toml"
    path.write_text('game = "lumis"\n')
    assert 'expected game = "lumina-spell"' in refused(load, path)


def test_unknown_names_get_the_nearest():
    assert "did you mean 'three-colours'" in refused(load, "three-colour")
    assert "did you mean 'colours'" in refused(load, "standard", {"colour": 3})


def test_restored_from_json():
    ruleset = load("three-colours", {"deck": [1, 1, 2, 7, 7], "thresholds": [5, 5, 5]})
    plain = json.loads(json.dumps(ruleset.plain()))
    assert plain["changes"] == {"deck": [1, 1, 2, 7, 7], "thresholds": [5, 5, 5]}
    assert restore(plain) == ruleset
    assert "0" * 50 in refused(restore, {**plain, "digest": "0" * 64})


def test_nothing_heavy_is_imported():
    code = (
        "import sys, lumis_fast.games.lumina_spell.ruleset as r; r.load();"
        "print([m for m in ('numba', 'numpy', 'rich', 'click') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=19) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(NAMES), JSON | st.integers(1, 12), max_size=4))
@settings(max_examples=150, deadline=None)
def test_any_values_are_taken_or_refused(changes):
    try:
        ruleset = load("standard", changes)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert re.fullmatch("[0-9a-f]{64}", ruleset.digest)


def test_every_field_is_documented():
    assert [field.name for field in FIELDS] == NAMES
    assert all("\n" not in field.meaning and field.meaning and field.cap for field in FIELDS)
