"""Records of Lumis: they round-trip, the reference accepts them, and nothing false is accepted."""

from __future__ import annotations

import copy
import functools
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from engine import Engine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lumis_rulesets import CHANGES, ruleset
from naive.lumis import NaiveLumis
from rules_check import random_record

from lumis_fast.core.record import check_envelope, read_records, write_records
from lumis_fast.errors import InputError
from lumis_fast.games.lumis import GAME

JSON = dict[str, Any]
GAMES = [(name, seats) for name in [*CHANGES, "areas-25"] for seats in (2, 4)]


@functools.cache
def kept_record(name: str, seats: int, deal: int = 0) -> str:
    return json.dumps(random_record(GAME, ruleset(name), seats, deal))


def record_of(name: str, seats: int, deal: int = 0) -> JSON:
    """A new copy of the record of a random game."""
    return json.loads(kept_record(name, seats, deal))


def replay(record: JSON) -> list[tuple[JSON | None, JSON]]:
    """Check a record as a reader of files does: the envelope, then the game."""
    check_envelope(record, "record")
    return list(GAME.replay(record))


def follow(record: JSON) -> NaiveLumis:
    """Follow a record with the reference; a ValueError is its verdict on a false one."""
    rules = GAME.restore_ruleset(record["ruleset"])
    naive = NaiveLumis(rules.values, len(record["seats"]), record["setup"])
    for step in record["steps"]:
        naive.apply(step)
    if naive.outcome != record["outcome"]:
        raise ValueError(f"the outcome is {naive.outcome}")
    return naive


# Round trips ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_replaying_a_record_gives_the_reference_positions(name, seats):
    record = record_of(name, seats)
    replayed = replay(record)
    naive = NaiveLumis(ruleset(name).values, seats, record["setup"])
    assert replayed[0] == (None, naive.position())
    assert len(replayed) == len(record["steps"]) + 1
    for step, (played, position) in zip(record["steps"], replayed[1:], strict=True):
        naive.apply(step)
        assert played == step
        assert position == naive.position()
    assert replayed[-1][1]["outcome"] == record["outcome"]


@pytest.mark.parametrize(("name", "seats"), [("small_decks", 2), ("few_tower_stones", 4)])
def test_reading_and_writing_are_inverse(name, seats):
    record = record_of(name, seats)
    engine = Engine(GAME, ruleset(name), seats, seed=99, deal=99)
    GAME.load_setup(engine.rules, engine.state, record["setup"])
    assert engine.setup() == record["setup"]
    begun = Engine(GAME, ruleset(name), seats, record["seed"], record["index"]).state
    for field in set(begun.dtype.names) - {"chance", "pile"}:
        assert np.array_equal(engine.state[field], begun[field]), field


@pytest.mark.parametrize(("name", "seats"), [("small_decks", 2), ("tiny", 4)])
def test_records_survive_a_file(tmp_path, name, seats):
    records = [record_of(name, seats, deal) for deal in range(3)]
    write_records(tmp_path / "r.jsonl.zst", records)
    read = [record for _, record in read_records(tmp_path / "r.jsonl.zst")]
    assert read == records
    assert all(replay(record)[-1][1]["over"] for record in read)


def test_unknown_keys_and_the_order_of_spaces_do_not_matter():
    record = record_of("base_lines_stand", 2)
    record["x_note"] = record["setup"]["x_note"] = record["outcome"]["x_note"] = [1, {"a": None}]
    turned = 0
    for step in record["steps"]:
        step["x_value"] = {"visits": [3, 4]}
        if "spaces" in step:
            turned += len(step["spaces"]) > 1
            step["spaces"].reverse()
        if "reshuffled" in step:
            step["reshuffled"]["x_note"] = True
    assert turned > 0
    assert replay(record)[-1][1]["outcome"]["turns"] == len(record["steps"])


def test_cards_of_a_hand_or_a_gift_may_stand_in_any_order():
    record = record_of("small_decks", 4)
    for hand in record["setup"]["hands"]:
        hand.reverse()
    gifts = [step for step in record["steps"] if step["action"] == "give"]
    for step in gifts:
        step["cards"].reverse()
    assert any(len(set(step["cards"])) > 1 for step in gifts)
    assert follow(record).outcome == replay(record)[-1][1]["outcome"]


# Single falsehoods ----------------------------------------------------------------------------


def first(record: JSON, action: str, test: Callable[[JSON], bool] = bool) -> int:
    """The place of the first step of a kind."""
    return next(i for i, s in enumerate(record["steps"]) if s["action"] == action and test(s))


def is_refused(record: JSON, *words: str) -> None:
    with pytest.raises(InputError) as caught:
        replay(record)
    message = str(caught.value)
    assert all(word in message for word in words), message
    assert "\n" not in message and len(message) < 700
    assert message.count("expected") + message.count("choices") >= 1, message


def reshuffles(step: JSON) -> bool:
    return "reshuffled" in step


def colours_shuffled(step: JSON) -> set[str]:
    return set(step["reshuffled"]["pile"]) if reshuffles(step) else set()


@pytest.fixture
def record() -> JSON:
    """Two players with decks of twelve cards; the discards were shuffled at least once."""
    records = (record_of("small_decks", 2, deal) for deal in range(40))
    return next(r for r in records if any(len(colours_shuffled(s)) > 1 for s in r["steps"]))


@pytest.mark.parametrize("place", [0, 5, -1])
def test_a_wrong_seat_is_refused(record, place):
    number = range(len(record["steps"]))[place]
    record["steps"][number]["seat"] = 1 - record["steps"][number]["seat"]
    is_refused(record, f"step {number + 1}: ", "seat")


def test_a_missing_step_is_refused(record):
    del record["steps"][4]
    is_refused(record, "step 5: seat 1 moves; expected seat 0")


def test_a_missing_last_step_is_refused(record):
    count = len(record["steps"])
    del record["steps"][-1]
    is_refused(record, f"step {count - 1}", "the game goes on")


def test_a_step_after_the_end_is_refused(record):
    count = len(record["steps"])
    record["steps"].append({"seat": count % 2, "action": "skip"})
    is_refused(record, f"step {count + 1}: the game ended before it")


def test_a_step_played_twice_is_refused(record):
    record["steps"].insert(3, record["steps"][3])
    is_refused(record, "step 5: ", "seat")


def test_a_skip_where_something_is_legal_is_refused(record):
    record["steps"][0] = {"seat": 0, "action": "skip"}
    is_refused(record, "step 1: 'skip' is not legal here")


def test_a_wrong_card_drawn_is_refused(record):
    i = first(record, "draw", lambda step: not reshuffles(step))
    cards = record["steps"][i]["cards"]
    cards[0] = "green" if cards[0] != "green" else "cream"
    is_refused(record, f"step {i + 1}: ", "draws", "the pile's next cards")


def test_a_card_too_many_or_too_few_drawn_is_refused(record):
    i = first(record, "draw")
    right = record["steps"][i]["cards"]
    for wrong in (right[:-1], [*right, right[0]], right * 40, [], None):
        record["steps"][i]["cards"] = wrong
        is_refused(record, f"step {i + 1}: ", "the pile's next cards")
    del record["steps"][i]["cards"]
    is_refused(record, f"step {i + 1}: ", "the pile's next cards")


def test_a_new_pile_that_is_not_made_of_the_discards_is_refused(record):
    i = first(record, "draw", reshuffles)
    shuffled = record["steps"][i]["reshuffled"]
    right = shuffled["pile"]
    other = next(c for c in ("cream", "green", "violet") if c != right[-1])
    for wrong in ([*right[:-1], other], right[:-1], [*right, other], right * 50, [], "pile", None):
        shuffled["pile"] = wrong
        is_refused(record, f"step {i + 1}: the reshuffled pile is", "expected the discards")


def test_a_new_pile_in_another_order_draws_other_cards(record):
    """The order decides what is drawn next, so a record that reorders it contradicts itself."""
    i = first(record, "draw", reshuffles)
    step = record["steps"][i]
    fresh = step["supply"] - step["reshuffled"]["after"]
    pile = step["reshuffled"]["pile"]
    j = next(j for j, card in enumerate(pile) if card != pile[0])
    assert fresh > 0
    pile[0], pile[j] = pile[j], pile[0]
    is_refused(record, f"step {i + 1}: ", "the pile's next cards")


def test_a_reshuffle_at_the_wrong_moment_is_refused(record):
    i = first(record, "draw", reshuffles)
    shuffled = record["steps"][i]["reshuffled"]
    right = shuffled["after"]
    for wrong in (right + 1, -1, float(right), None, [right], "0"):
        shuffled["after"] = wrong
        is_refused(record, f"step {i + 1}: 'reshuffled'", f"'after' {right}")


def test_a_reshuffle_left_out_or_made_up_is_refused(record):
    i = first(record, "draw", reshuffles)
    shuffled = record["steps"][i].pop("reshuffled")
    is_refused(record, f"step {i + 1}: 'reshuffled' is null")
    record["steps"][i]["reshuffled"] = shuffled
    j = first(record, "draw", lambda step: not reshuffles(step))
    for made_up in (shuffled, {"after": 0, "pile": []}, None):
        record["steps"][j]["reshuffled"] = made_up
        is_refused(record, f"step {j + 1}: ", "'reshuffled'")
    del record["steps"][j]["reshuffled"]
    k = first(record, "base")
    record["steps"][k]["reshuffled"] = {"after": 0, "pile": []}
    is_refused(record, f"step {k + 1}: ", "in draws only")


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("returns", [0.0, 0.0]),
        ("scores", [1.0, 1.0]),
        ("reason", "surrender"),
        ("turns", 1),
    ],
)
def test_a_wrong_outcome_is_refused(record, key, wrong):
    record["outcome"][key] = wrong
    is_refused(record, f"the outcome's {key} is")


def test_another_reason_that_there_is_is_refused(record):
    others = {"connected", "stuck", "unfinished", "out_of_fire_stones"}
    for other in others - {record["outcome"]["reason"]}:
        record["outcome"]["reason"] = other
        is_refused(record, "the outcome's reason is", other)


def test_a_record_of_another_game_is_refused(record):
    record["game"] = "lumina-spell"
    is_refused(record, "lumina-spell", "expected 'lumis'")


@pytest.mark.parametrize("action", ["drow", "Draw", "", "pass", "x" * 5000])
def test_an_unknown_action_is_refused(record, action):
    record["steps"][2]["action"] = action
    is_refused(record, "step 3", "action")


RUBBISH = [None, True, -1, 1.0, 1.5, 10**30, 256, "", "1", [], {}, [[]], {"green": 1}, [None], [1]]
DEEP: Any = functools.reduce(lambda inner, _: [inner], range(300), 0)


@pytest.mark.parametrize(
    ("action", "key", "also"),
    [
        ("draw", "supply", [0, 5]),
        ("draw", "cards", []),
        ("draw", "reshuffled", []),
        ("give", "supply", [0]),
        ("give", "cards", [["green"] * 30, "green", ["Green"]]),
        ("tower", "space", [[-2, 0], [7, 99], [0, 0, 0], [0], ["0", "0"], [0.0, 0], [-1, 0]]),
        ("tower", "height", [0, 255]),
        ("base", "space", [[-2, 0], [0, 99], [3, 3], [-1, -1], [True, True], [10**30, 0]]),
        ("base", "card", ["blue", "Green", ["green"], 3]),
        ("connect", "spaces", [[[0, 0]] * 2, [[0, 0]] * 25, [[0, 0], None], [[99, 0]], "ab"]),
    ],
)
def test_rubbish_in_a_step_is_refused(action, key, also):
    record = record_of("few_tower_stones", 4, 2)
    i = first(record, action)
    whole = copy.deepcopy(record)
    for wrong in [*RUBBISH, DEEP, *also]:
        record["steps"][i][key] = wrong
        is_refused(record, f"step {i + 1}")
    if key not in ("reshuffled",):
        del record["steps"][i][key]
        is_refused(record, f"step {i + 1}: ")
    assert replay(whole)[-1][1]["over"]


@pytest.mark.parametrize("key", ["seat", "action"])
def test_rubbish_for_seat_or_action_is_refused(record, key):
    for wrong in [*(r for r in RUBBISH if r != 0), DEEP]:
        record["steps"][1][key] = wrong  # seat 1's, which true and 1.0 are equal to
        is_refused(record, "step 2")


@pytest.mark.parametrize("step", [None, 3, "draw", [], ["draw"], {}, {"seat": 0}])
def test_a_step_that_is_no_object_is_refused(record, step):
    record["steps"][3] = step
    is_refused(record, "step 4")


def test_rubbish_in_the_set_up_is_refused():
    record = record_of("one_fire_stone", 2)
    whole = copy.deepcopy(record["setup"])
    for wrong in [r for r in [*RUBBISH, DEEP] if isinstance(r, dict)]:
        record["setup"] = wrong
        is_refused(record, "set-up")
    for key in ("hands", "piles"):
        for wrong in [*RUBBISH, DEEP]:
            record["setup"] = {**whole, key: wrong}
            is_refused(record, "set-up")
    for wrong in [*RUBBISH, DEEP, "green", {"green": 5, "cream": 1}, 20 * ["green"]]:
        record["setup"] = {**whole, "hands": [wrong, whole["hands"][1]]}
        is_refused(record, "set-up")
        record["setup"] = {**whole, "piles": {**whole["piles"], "red": wrong}}
        is_refused(record, "set-up")
    record["setup"] = whole
    assert replay(record)[-1][1]["over"]


def test_a_set_up_with_another_deck_is_refused(record):
    hand = record["setup"]["hands"][1]
    hand[0] = next(c for c in ("cream", "green") if c != hand[0])
    is_refused(record, "the set-up's red cards are", "3 of each")


def test_a_hand_counted_by_a_table_of_cards_is_refused():
    """A table has a length and keys too, and must not pass for a list of one card."""
    changes = {"opening_hand": 1, "cards_per_colour": 1}
    record = random_record(GAME, GAME.load_ruleset("standard", changes), 2, 0)
    (card,) = record["setup"]["hands"][0]
    record["setup"]["hands"][0] = {card: 1}
    is_refused(record, "the set-up is not one of Lumis")


def test_a_set_up_for_other_seats_or_hands_is_refused(record):
    setup = record["setup"]
    setup["hands"].append([])
    is_refused(record, "the set-up deals", "2 to each of 2")
    setup["hands"].pop()
    setup["piles"]["red"].append(setup["hands"][1].pop())
    is_refused(record, "the set-up deals [2, 1]")


# Any falsehood --------------------------------------------------------------------------------


def places(value: Any, path: tuple = ()) -> list[tuple]:
    """The paths to all parts of a record."""
    found = [path] if path else []
    if isinstance(value, dict):
        for key, part in value.items():
            found += places(part, (*path, key))
    if isinstance(value, list):
        for index, part in enumerate(value):
            found += places(part, (*path, index))
    return found


def put(record: JSON, path: tuple, change: Callable[[Any, Any], None]) -> None:
    part: Any = record
    for key in path[:-1]:
        part = part[key]
    change(part, path[-1])


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 7)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4)
    | st.sampled_from(["light_blue", "cream", "violet", "green", *GAME.actions, *GAME.reasons]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
QUICK = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
SHORT_GAMES = [("one_fire_stone", 2), ("small_decks", 2), ("stuck", 4), ("small_decks", 4)]


def judge(record: JSON) -> str:
    """Replay a changed record: it is refused in one sentence, or the reference accepts it too."""
    try:
        replay(record)
    except InputError as error:
        assert "\n" not in str(error)
        return "refused"
    naive = follow(record)
    assert naive.outcome == record["outcome"]
    return "accepted"


@QUICK
@given(st.data())
@pytest.mark.parametrize(("name", "seats"), SHORT_GAMES)
def test_a_part_replaced_by_anything_is_refused_or_true(name, seats, data):
    record = record_of(name, seats)
    inside = [path for path in places(record) if path[0] in ("setup", "steps", "outcome")]
    path = data.draw(st.sampled_from(inside))
    junk = data.draw(JUNK)

    def change(part: Any, key: Any) -> None:
        part[key] = junk

    put(record, path, change)
    assert judge(record) in ("refused", "accepted")


@QUICK
@given(st.data())
@pytest.mark.parametrize(("name", "seats"), SHORT_GAMES)
def test_a_part_taken_out_doubled_or_exchanged_is_refused_or_true(name, seats, data):
    record = record_of(name, seats)
    inside = [path for path in places(record) if path[0] in ("setup", "steps", "outcome")]
    path, other = data.draw(st.sampled_from(inside)), data.draw(st.sampled_from(inside))
    borrowed: Any = record
    for key in other:
        borrowed = borrowed[key]
    borrowed = copy.deepcopy(borrowed)
    kind = data.draw(st.sampled_from(["take out", "double", "exchange"]))

    def change(part: Any, key: Any) -> None:
        if kind == "take out":
            del part[key]
        elif kind == "double" and isinstance(part, list):
            part.insert(key, copy.deepcopy(part[key]))
        else:
            part[key] = borrowed

    put(record, path, change)
    assert judge(record) in ("refused", "accepted")


@QUICK
@given(st.data())
def test_an_envelope_with_anything_in_it_is_refused_or_true(data):
    record = record_of("one_fire_stone", 2)
    around = [path for path in places(record) if path[0] not in ("setup", "steps", "outcome")]
    path, junk = data.draw(st.sampled_from(around)), data.draw(JUNK)

    def change(part: Any, key: Any) -> None:
        part[key] = junk

    put(record, path, change)
    assert judge(record) in ("refused", "accepted")


def test_of_all_single_numbers_and_words_changed_few_records_stay_true():
    """Every number, and every colour, of a short game: what is not checked would stay accepted."""
    found: Counter[str] = Counter()
    whole = record_of("one_fire_stone", 2)
    colours = ["light_blue", "cream", "violet", "green"]
    for path in places({key: whole[key] for key in ("setup", "steps", "outcome")}):
        record = copy.deepcopy(whole)

        def change(part: Any, key: Any) -> None:
            value = part[key]
            if isinstance(value, int | float):
                part[key] = value + 1
            elif value in colours:
                part[key] = colours[(colours.index(value) + 1) % 4]

        put(record, path, change)
        if record != whole:
            found[judge(record)] += 1
    assert found["refused"] > 20 and found["accepted"] <= found["refused"] / 20
