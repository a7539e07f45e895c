"""Rulesets: shipped values, caps, changes, user files, digests, and what is refused."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumis_fast.core.ruleset import (
    SOURCES,
    Field,
    check_choice,
    check_flag,
    check_whole,
    load_ruleset,
    parse_change,
    parse_changes,
    ruleset_table,
)
from lumis_fast.errors import InputError
from lumis_fast.games.lumis.ruleset import FIELDS, RULESETS, load, restore, table

NAMES = [
    "board",
    "cards_per_colour",
    "opening_hand",
    "hand_limit",
    "supply_cards",
    "fire_stones",
    "tower_stones",
    "first_team",
    "max_turns",
    "base_towers",
]


def refused(call, *arguments, **named) -> str:
    with pytest.raises(InputError) as caught:
        call(*arguments, **named)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.fixture
def user_file(tmp_path):
    def write(text: str, name: str = "mine.toml"):
        path = tmp_path / name
        path.write_text('game = "lumis"\n' + text, encoding="utf-8")
        return path

    return write


# --- the shipped rulesets ---------------------------------------------------------------------


def test_standard_values_are_the_rulebooks():
    values = load().values
    assert list(values) == NAMES
    del values["board"]
    assert values == {
        "cards_per_colour": 13,
        "opening_hand": 5,
        "hand_limit": 15,
        "supply_cards": {"yellow": [[1, 4], [3, 2]], "red": [[4, 1], [2, 3]]},
        "fire_stones": 50,
        "tower_stones": 40,
        "first_team": "yellow",
        "max_turns": 400,
        "base_towers": True,
    }


def test_shipped_names_and_metadata():
    assert RULESETS == ("areas-25", "standard")
    for name in RULESETS:
        ruleset = load(name)
        assert (ruleset.game, ruleset.name, ruleset.changes) == ("lumis", name, {})
        assert ruleset.description
        assert list(ruleset.sources) == NAMES
        assert set(ruleset.sources.values()) <= set(SOURCES)


def test_sources_follow_the_rulings():
    sources = load().sources
    assert {name for name in NAMES if sources[name] == "assumed"} == {"board", "max_turns"}
    assert {name for name in NAMES if sources[name] == "rule"} == set(NAMES) - {
        "board",
        "max_turns",
    }


def test_rulesets_differ_by_the_board_alone():
    standard, other = load("standard"), load("areas-25")
    differing = [name for name in NAMES if standard.values[name] != other.values[name]]
    assert differing == ["board"]
    assert standard.digest != other.digest


def test_table_has_a_line_for_every_value():
    rows = {row.name: row for row in table(load("standard", {"hand_limit": 12}))}
    assert list(rows) == NAMES
    assert rows["board"].value == "25 x 25, 44 tower spaces, 1 obstacle"
    assert (rows["hand_limit"].value, rows["hand_limit"].source) == ("12", "changed")
    assert rows["cards_per_colour"].cap == "1 to 32"
    assert rows["supply_cards"].value == "yellow 1/4 3/2; red 4/1 2/3"
    assert rows["base_towers"].value == "true"
    assert "R17" in rows["max_turns"].note
    assert all(row.meaning and row.cap for row in rows.values())


# --- the digest -------------------------------------------------------------------------------


def test_digest_is_of_sorted_json_without_spaces():
    ruleset = load("standard", {"board": ["b"]})
    text = (
        '{"base_towers":true,"board":["b"],"cards_per_colour":13,"fire_stones":50,'
        '"first_team":"yellow","hand_limit":15,"max_turns":400,"opening_hand":5,'
        '"supply_cards":{"red":[[4,1],[2,3]],"yellow":[[1,4],[3,2]]},"tower_stones":40}'
    )
    assert ruleset.digest == hashlib.sha256(text.encode()).hexdigest()


def test_equal_boards_give_equal_digests(tmp_path):
    rows = ["cb*", "vGb", "ccc"]
    path = tmp_path / "board.txt"
    path.write_text("# mine\nc b *\n v G b\n  c c c\n\nAAA\nBBB\nCCC\n")
    ways = [rows, [" ".join(row) for row in rows], str(path)]
    assert len({load("standard", {"board": way}).digest for way in ways}) == 1
    assert load("standard", {"board": str(path)}).changes == {"board": rows}


def test_digest_sees_every_value_and_no_source(user_file):
    other = {
        "board": ["b"],
        "cards_per_colour": 14,
        "opening_hand": 4,
        "hand_limit": 14,
        "supply_cards": {"yellow": [[1, 4], [2, 3]], "red": [[4, 1], [2, 3]]},
        "fire_stones": 51,
        "tower_stones": 41,
        "first_team": "red",
        "max_turns": 401,
        "base_towers": False,
    }
    assert list(other) == NAMES
    digests = {load("standard", {name: value}).digest for name, value in other.items()}
    digests.add(load().digest)
    assert len(digests) == len(NAMES) + 1
    path = user_file('base = "standard"\n[hand_limit]\nvalue = 15\nsource = "assumed"\n')
    assert load(path).digest == load().digest
    assert load(path).sources["hand_limit"] == "assumed"


# --- changes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hand_limit=12", ("hand_limit", 12)),
        (" hand_limit = 12 ", ("hand_limit", 12)),
        ("base_towers=false", ("base_towers", False)),
        ("first_team=red", ("first_team", "red")),
        ('first_team="red"', ("first_team", "red")),
        ("board=areas-25.txt", ("board", "areas-25.txt")),
        ("board=a folder/x=1.txt", ("board", "a folder/x=1.txt")),
        ('board=["cb", "gv"]', ("board", ["cb", "gv"])),
        ("supply_cards={yellow=[[1,2]],red=[[2,1]]}",
         ("supply_cards", {"yellow": [[1, 2]], "red": [[2, 1]]})),
        ("x=05", ("x", "05")),
    ],
)  # fmt: skip
def test_parse_change(text, expected):
    assert parse_change(text) == expected


@pytest.mark.parametrize("text", ["", "hand_limit", "=5", "hand_limit=", "a b=5", "hand.limit=5"])
def test_parse_change_wants_name_and_value(text):
    assert "expected name=value" in refused(parse_change, text)


@pytest.mark.parametrize(
    "text", ["a=[1, 2", 'a="red', "a={b}", "a=1\nb=2", "a=x\0", "a=" + "[" * 9999]
)
def test_broken_toml_in_a_change(text):
    assert refused(parse_change, text).startswith("change of a: ")


def test_parse_changes_refuses_a_name_twice():
    assert parse_changes(["a=1", "b=x"]) == {"a": 1, "b": "x"}
    assert "twice" in refused(parse_changes, ["a=1", "a=2"])


def test_changes_keep_what_differs_and_say_so():
    ruleset = load("standard", {"hand_limit": 12, "opening_hand": 5, "first_team": "red"})
    assert ruleset.changes == {"hand_limit": 12, "first_team": "red"}
    assert ruleset.values["hand_limit"] == 12
    assert ruleset.sources["hand_limit"] == "changed"
    assert ruleset.sources["opening_hand"] == "rule"
    assert load().values["hand_limit"] == 15


def test_shipped_board_by_name():
    swapped = load("standard", {"board": "areas-25.txt"})
    assert swapped.digest == load("areas-25").digest


def test_unknown_change_names_the_nearest():
    message = refused(load, "standard", {"fire_stone": 3})
    assert "fire_stone" in message and "did you mean 'fire_stones'" in message


# --- caps, both sides -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("cards_per_colour", 1, 32),
        ("opening_hand", 0, 24),
        ("hand_limit", 1, 24),
        ("fire_stones", 1, 2000),
        ("tower_stones", 0, 2000),
        ("max_turns", 1, 10000),
    ],
)
def test_caps_of_whole_numbers(name, low, high):
    # A hand of 0 and a limit of 24 leave every other value free.
    free = {"opening_hand": 0, "hand_limit": 24, "cards_per_colour": 13}
    for value in (low, high):
        assert load("standard", {**free, name: value}).values[name] == value
    for value, near in ((low - 1, low), (high + 1, high)):
        message = refused(load, "standard", {name: value})
        assert f"change of {name}" in message and f"the nearest is {near}" in message
        assert f"from {low} to {high}" in message
    for value in (True, 5.0, "5", [5], None, {}):
        assert f"change of {name}: expected a whole number" in refused(
            load, "standard", {name: value}
        )


@pytest.mark.parametrize("value", [1, 0, "true", None, []])
def test_base_towers_is_true_or_false(value):
    assert "true or false" in refused(load, "standard", {"base_towers": value})


@pytest.mark.parametrize("value", [1, "blue", "Yellow", "", None])
def test_first_team_is_a_team(value):
    message = refused(load, "standard", {"first_team": value})
    assert "yellow" in message and "red" in message


def test_opening_hand_is_within_hand_limit():
    assert load("standard", {"opening_hand": 15}).values["opening_hand"] == 15
    message = refused(load, "standard", {"opening_hand": 16})
    assert "opening_hand 16 is over hand_limit 15" in message
    assert "opening_hand" in refused(load, "standard", {"hand_limit": 4})


def test_two_hands_come_from_one_deck():
    # 3 cards in each of 4 colours are 12: two hands of 6, not of 7.
    assert load("standard", {"cards_per_colour": 3, "opening_hand": 6}).values["opening_hand"] == 6
    message = refused(load, "standard", {"cards_per_colour": 3, "opening_hand": 7})
    assert "14 cards" in message and "has 12" in message and "6 or fewer" in message


CARDS = {"yellow": [[1, 4], [3, 2]], "red": [[4, 1], [2, 3]]}


@pytest.mark.parametrize(
    "yellow",
    [[[1, 24]], [[5, 5]], [[1, 2], [3, 4], [5, 6], [7, 8]]],
)
def test_supply_cards_allowed(yellow):
    value = {"yellow": yellow, "red": CARDS["red"]}
    assert load("standard", {"supply_cards": value}).values["supply_cards"] == value


@pytest.mark.parametrize(
    ("yellow", "part"),
    [
        ([], "1 to 4 cards"),
        ([[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]], "1 to 4 cards"),
        ([[0, 1]], "from 1 to 24"),
        ([[1, 25]], "from 1 to 24"),
        ([[1, 2, 3]], "[face up, face down]"),
        ([1, 2], "[face up, face down]"),
        ([[1, 4], [2, 1]], "share the number 1"),
        ([[1, 4], [4, 2]], "share the number 4"),
        ([[True, 2]], "whole number"),
        ("1/4", "1 to 4 cards"),
    ],
)
def test_supply_cards_refused(yellow, part):
    message = refused(load, "standard", {"supply_cards": {**CARDS, "yellow": yellow}})
    assert "change of supply_cards: yellow" in message and part in message


@pytest.mark.parametrize("value", [[], 3, {}, {"yellow": [[1, 4]]}, {**CARDS, "green": [[1, 2]]}])
def test_supply_cards_are_for_both_teams(value):
    assert "yellow and red" in refused(load, "standard", {"supply_cards": value})


@pytest.mark.parametrize(
    ("board", "part"),
    [
        ([], "at least one row"),
        (3, "a list of rows"),
        ([1, 2], "a list of rows"),
        (["cb", ""], "line 2, column 1"),
        (["cb", "c"], "line 2, column 2"),
        (["c b", "c x"], "line 2, column 3"),
        (["cb", "# comment"], "line 2, column 1"),
        (["c" * 41], "column 41"),
        (["c"] * 41, "line 41"),
        (["c.", "c."], "red has no way across"),
        ("no-such-file.txt", "no file 'no-such-file.txt'"),
        ("standrad.txt", "did you mean 'standard.txt'"),
    ],
)
def test_boards_refused(board, part):
    message = refused(load, "standard", {"board": board})
    assert message.startswith("change of board: ") and part in message


# --- users' files -----------------------------------------------------------------------------


def test_user_file_on_a_base(user_file):
    path = user_file(
        'base = "standard"\nname = "a title"\ndescription = "short"\n'
        '[opening_hand]\nvalue = 7\nsource = "ruled"\nnote = "at our table"\n'
        '[hand_limit]\nvalue = 12\nsource = "assumed"\n'
    )
    ruleset = load(str(path), {"max_turns": 50})
    assert ruleset.name == "mine"
    assert ruleset.description == "short"
    assert ruleset.values["opening_hand"] == 7
    assert ruleset.sources["opening_hand"] == "ruled"
    assert ruleset.notes["opening_hand"] == "at our table"
    # The base's note tells of the base's value.
    assert "hand_limit" not in ruleset.notes
    assert ruleset.values["fire_stones"] == 50
    assert ruleset.changes == {"max_turns": 50}


def test_user_file_without_base_lists_what_it_lacks(user_file):
    path = user_file('[hand_limit]\nvalue = 12\nsource = "rule"\n')
    message = refused(load, path)
    assert message.startswith("mine.toml: lacks ")
    assert all(name in message for name in NAMES if name != "hand_limit")
    assert "hand_limit" not in message and "standard" in message


def test_whole_user_file_with_its_own_board(user_file, tmp_path):
    (tmp_path / "plan.txt").write_text("c b\n v g\n")
    values = {**load().values, "board": "plan.txt"}
    cards = values.pop("supply_cards")
    text = f"[supply_cards]\nvalue = {{yellow = {cards['yellow']}, red = {cards['red']}}}\n"
    text += 'source = "rule"\n'
    for name, value in values.items():
        text += f'[{name}]\nvalue = {json.dumps(value)}\nsource = "rule"\n'
    ruleset = load(user_file(text))
    assert ruleset.values["board"] == ["cb", "vg"]
    assert list(ruleset.values) == NAMES
    assert ruleset.digest == load("standard", {"board": ["cb", "vg"]}).digest


def test_board_in_a_user_file_may_be_a_shipped_one(user_file):
    path = user_file('base = "standard"\n[board]\nvalue = "areas-25.txt"\nsource = "assumed"\n')
    assert load(path).digest == load("areas-25").digest


BASE = 'base = "standard"\n'


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("hand_limit = [", ["mine.toml", "not valid TOML", "line 2, column 15"]),
        ("base = standard", ["mine.toml", "line 2, column 8"]),
        ("x = " + "[" * 5000, ["mine.toml", "nested too deep"]),
        ("x = " + "1" * 9999, ["mine.toml", "not valid TOML"]),
        ('base = "standart"', ["mine.toml, base", "did you mean 'standard'"]),
        ("base = 3", ["mine.toml, base", "expected text"]),
        (BASE + '[hand_limits]\nvalue = 3\nsource = "rule"', ["mine.toml", "'hand_limit'"]),
        (BASE + "hand_limit = 3", ["mine.toml, hand_limit", "value and source"]),
        (BASE + "[hand_limit]\nvalue = 3", ["mine.toml, hand_limit", "lacks source"]),
        (BASE + '[hand_limit]\nsource = "rule"', ["mine.toml, hand_limit", "lacks value"]),
        (BASE + '[hand_limit]\nvalue = 3\nsource = "rules"', ["did you mean 'rule'", "assumed"]),
        (BASE + "[hand_limit]\nvalue = 3\nsource = 1", ["mine.toml, hand_limit", "assumed"]),
        (BASE + '[hand_limit]\nvalue = 3\nsource = "changed"', ["mine.toml", "assumed"]),
        (BASE + '[hand_limit]\nvalue = 9\nsource = "rule"\nnote = 1', ["hand_limit", "note"]),
        (BASE + '[hand_limit]\nvalue = 9\nsource = "rule"\nnotes = "x"', ["mean 'note'"]),
        (BASE + '[hand_limit]\nvalue = 25\nsource = "rule"', ["mine.toml, hand_limit", "24"]),
        (BASE + '[hand_limit]\nvalue = 3\nsource = "rule"', ["mine.toml", "opening_hand 5"]),
        (BASE + '[board]\nvalue = "none.txt"\nsource = "rule"', ["mine.toml, board", "none.txt"]),
        (BASE + '[board]\nvalue = "mine.toml"\nsource = "rule"',
         ["mine.toml, board", "line 1, column 2", "'a'"]),
        (BASE + '[board]\nvalue = "."\nsource = "rule"', ["mine.toml, board", "cannot be read"]),
    ],
)  # fmt: skip
def test_user_files_refused(user_file, text, parts):
    message = refused(load, user_file(text))
    assert all(part in message for part in parts), message


@pytest.mark.parametrize("text", ["", 'game = "chess"', "game = 1"])
def test_file_of_another_game(tmp_path, text):
    path = tmp_path / "other.toml"
    path.write_text(text)
    message = refused(load, path)
    assert message.startswith("other.toml") and ("lumis" in message or "expected text" in message)


def test_unreadable_files(tmp_path):
    assert "cannot be read" in refused(load, tmp_path / "none.toml")
    assert "cannot be read" in refused(load, tmp_path)
    assert "cannot be read" in refused(load, "a\0.toml")
    path = tmp_path / "latin.toml"
    path.write_bytes(b'game = "lumis"\n# \xff')
    assert "byte 18" in refused(load, path)


def test_unknown_name_of_a_ruleset():
    message = refused(load, "standart")
    assert "did you mean 'standard'" in message and "areas-25" in message


# --- restoring --------------------------------------------------------------------------------


@pytest.mark.parametrize("changes", [{}, {"hand_limit": 12, "board": ["cb", "vg"]}])
def test_restored_from_json(changes):
    ruleset = load("areas-25", changes)
    plain = json.loads(json.dumps(ruleset.plain()))
    assert plain == {"name": "areas-25", "digest": ruleset.digest, "changes": changes}
    assert restore(plain) == ruleset


def test_restoring_a_user_file_needs_it(user_file):
    path = user_file(BASE + '[hand_limit]\nvalue = 9\nsource = "rule"')
    plain = load(path, {"opening_hand": 3}).plain()
    message = refused(restore, plain)
    assert "'mine'" in message and "standard" in message
    assert restore(plain, path).values["opening_hand"] == 3


def test_restoring_reads_no_file_that_a_record_names(user_file):
    path = user_file(BASE)
    message = refused(restore, {"name": str(path), "digest": load(path).digest, "changes": {}})
    assert "not one of the shipped ones" in message


def test_restoring_reads_no_board_that_a_record_names():
    digest = load("areas-25").digest
    plain = {"name": "standard", "digest": digest, "changes": {"board": "areas-25.txt"}}
    assert "not the file name 'areas-25.txt'" in refused(restore, plain)


def test_restoring_checks_the_digest():
    plain = {**load().plain(), "digest": "0" * 64}
    message = refused(restore, plain)
    assert "0" * 50 in message and load().digest in message


@pytest.mark.parametrize(
    "plain",
    [
        None,
        [],
        "standard",
        {},
        {"name": "standard"},
        {"name": 1, "digest": "", "changes": {}},
        {"name": "standard", "digest": "", "changes": []},
        {"name": "standard", "digest": "", "changes": {"hand": 3}},
        {"name": "standard", "digest": "", "changes": {"hand_limit": None}},
    ],
)
def test_malformed_stated_rulesets(plain):
    assert refused(restore, plain)


# --- the core with another game ---------------------------------------------------------------


def test_core_serves_any_game(tmp_path):
    fields = [
        Field("size", "spaces on a side", check_whole(1, 9), "1 to 9"),
        Field("swap", "whether the pie rule holds", check_flag, "true or false"),
        Field("first", "who begins", check_choice("black", "white"), "black or white"),
    ]
    text = (
        'game = "go"\n[size]\nvalue = 5\nsource = "rule"\n[swap]\nvalue = true\nsource = "ruled"\n'
    )
    (tmp_path / "plain.toml").write_text(text + '[first]\nvalue = "black"\nsource = "assumed"\n')
    ruleset = load_ruleset(fields, tmp_path, "go", "plain", {"size": 6})
    assert ruleset.values == {"size": 6, "swap": True, "first": "black"}
    assert [row.value for row in ruleset_table(fields, ruleset)] == ["6", "true", "black"]


def test_shipped_base_that_names_itself_is_refused(tmp_path):
    (tmp_path / "loop.toml").write_text('game = "go"\nbase = "loop"\n')
    assert "base" in refused(load_ruleset, [], tmp_path, "go", "loop")


def test_nothing_heavy_is_imported():
    code = (
        "import sys, lumis_fast.games.lumis.ruleset as r; r.load();"
        "print([m for m in ('numba', 'numpy', 'rich', 'click') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


# --- anything at all --------------------------------------------------------------------------


@given(st.text(max_size=80) | st.builds("{}={}".format, st.sampled_from(NAMES), st.text()))
@settings(max_examples=150, deadline=None)
def test_any_change_is_taken_or_refused(text):
    try:
        name, value = parse_change(text)
        ruleset = load("standard", {name: value})
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert re.fullmatch("[0-9a-f]{64}", ruleset.digest)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)


@given(st.sampled_from(NAMES), JSON)
@settings(max_examples=150, deadline=None)
def test_any_value_is_taken_or_refused(name, value):
    try:
        ruleset = load("standard", {name: value})
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert ruleset.values[name] == value or isinstance(value, (list, str))


LINES = st.sampled_from(
    [
        'game = "lumis"',
        'base = "standard"',
        "[hand_limit]",
        "[board]",
        "value = 3",
        'value = "standard.txt"',
        'source = "rule"',
        "note = 1",
        "[[board]]",
        "hand_limit.value = 9",
        "",
    ]
)


@given(st.text() | st.lists(LINES, max_size=8).map("\n".join))
@settings(max_examples=150, deadline=None)
def test_any_file_is_taken_or_refused(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "fuzz.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        ruleset = load(path)
    except InputError as error:
        assert "\n" not in str(error) and "fuzz.toml" in str(error)
    else:
        assert ruleset.name == "fuzz" and list(ruleset.values) == NAMES


def test_every_field_is_documented():
    assert [field.name for field in FIELDS] == NAMES
    assert all("\n" not in field.meaning and field.meaning and field.cap for field in FIELDS)
