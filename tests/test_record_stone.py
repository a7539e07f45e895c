"""Records of the Stone Guardians: what is written replays, and what is wrong is refused."""

from __future__ import annotations

import copy
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from engine import Engine
from naive.stone_guardians import NaiveStoneGuardians, deal
from stone_rulesets import ruleset

from lumis_fast.core import steps
from lumis_fast.core.record import envelope
from lumis_fast.errors import InputError
from lumis_fast.games.stone_guardians import GAME
from lumis_fast.games.stone_guardians.draw import draw_svg, highlight_of
from lumis_fast.games.stone_guardians.ruleset import load

JSON = dict[str, Any]


def wrapped(name: str, seats: int, setup: JSON, played: list[JSON], outcome: JSON) -> JSON:
    record = envelope(
        game=GAME.name,
        ruleset=ruleset(name).plain(),
        seats=["random"] * seats,
        seed=40,
        index=0,
        setup=setup,
        steps=played,
        outcome=outcome,
    )
    return json.loads(json.dumps(record))


def make_record(name: str, seats: int, index: int = 0) -> JSON:
    """Play uniformly."""
    engine = Engine(GAME, ruleset(name), seats, seed=40, deal=index)
    setup, played = engine.setup(), []
    while not engine.state["over"]:
        played.append(engine.play(engine.uniform_move()))
    return wrapped(name, seats, setup, played, engine.position()["outcome"])


def make_foreign_record(name: str, seats: int, seed: int = 1) -> JSON:
    """Have the plain-Python reference play, with its own chance."""
    rng, values = random.Random(seed), json.loads(json.dumps(ruleset(name).values))
    setup = deal(values, seats, rng)
    while not all(setup.get("provinces", [True])):
        setup = deal(values, seats, rng)  # nobody begins without a province
    naive = NaiveStoneGuardians(values, seats, copy.deepcopy(setup))
    played = naive.play_out(rng, 0.6)
    return wrapped(name, seats, setup, played, naive.outcome)


def replay(record: JSON, name: str) -> list[JSON]:
    return [position for _, position in GAME.replay(record, ruleset(name))]


@pytest.fixture(scope="module")
def records() -> dict[str, JSON]:
    return {name: make_record(name, 2) for name in ("standard", "draft", "few_spells")}


CASES = [("standard", 2), ("draft", 3), ("few_spells", 3), ("open_city", 4), ("small_decks", 3)]


@pytest.mark.parametrize("make", [make_record, make_foreign_record])
@pytest.mark.parametrize(("name", "seats"), CASES)
def test_a_record_replays_here_and_in_the_reference(name, seats, make):
    record = make(name, seats)
    naive = NaiveStoneGuardians(ruleset(name).values, seats, copy.deepcopy(record["setup"]))
    expected = [naive.position()]
    for step in record["steps"]:
        naive.play(step)
        expected.append(naive.position())
    assert replay(record, name) == expected
    assert expected[-1]["outcome"] == record["outcome"]


def test_every_action_and_kind_of_chance_is_met():
    met: Counter[str] = Counter()
    for name, seats in CASES:
        for step in make_foreign_record(name, seats)["steps"]:
            met.update([step["action"], *step])
            met["reshuffled"] += any(
                "reshuffled" in one for key in ("draws", "spells") for one in step.get(key, [])
            )
    assert set(GAME.actions) <= set(met)
    assert {"draws", "order", "spells", "provinces", "reshuffled"} <= set(met)


def test_writing_takes_nothing_from_chance():
    """A game goes on the same whether its steps are written or not."""
    engine = Engine(GAME, ruleset("small_decks"), 2, seed=3, deal=3)
    other = Engine(GAME, ruleset("small_decks"), 2, seed=3, deal=3)
    while not engine.state["over"]:
        move = engine.uniform_move()
        engine.play(move)
        steps.play(other.rules, other.work, other.state, move)
    assert engine.state.tobytes() == other.state.tobytes()


def test_cards_drawn_are_those_in_hand(records):
    """Between the decks' counts before and after, the cards drawn are told in full."""
    drawn = 0
    positions = replay(records["standard"], "standard")
    for step, position in zip(records["standard"]["steps"], positions[1:], strict=True):
        draws = step.get("draws", [])
        drawn += len(draws)
        if draws:
            hands = {position["fight"]["attacker"]: 0, position["fight"]["defender"]: 1}
            for draw in draws:
                hand = position["fight"]["hands"][hands[draw["people"]]]
                assert Counter(draw["cards"]) == hand["cards"]
    assert drawn > 50


def test_keys_that_begin_with_x_are_ignored(records):
    other = copy.deepcopy(records["draft"])
    for step in other["steps"]:
        step["x_note"] = "a comment"
    assert replay(other, "draft") == replay(records["draft"], "draft")


def test_pictures_of_a_whole_record_mark_what_a_step_names(records):
    for step, position in list(GAME.replay(records["draft"], ruleset("draft")))[1::29]:
        marked = highlight_of(step, position)
        svg = draw_svg(position, highlight=marked)
        assert svg.count('class="highlight"') == len(marked)


# What a seat sees.


def test_a_seat_sees_its_own_cards_only():
    engine = Engine(GAME, ruleset("standard"), 3, seed=7, deal=1)
    seen: Counter[str] = Counter()
    while not engine.state["over"]:
        whole = engine.position()
        for seat in range(3):
            view = engine.position(seat)
            for people, (shown, full) in enumerate(
                zip(view["peoples"], whole["peoples"], strict=True)
            ):
                expected = full["spells"]["cards"] if people == seat else None
                assert shown["spells"] == full["spells"] | {"cards": expected}
                shown["spells"] = full["spells"]
            if whole["fight"] is not None:
                sides = view["fight"]["attacker"], view["fight"]["defender"]
                both = view["fight"]["hands"], whole["fight"]["hands"]
                for who, hand, full in zip(sides, *both, strict=True):
                    if who in (seat, "golems"):
                        assert hand == full
                        seen["own"] += 1
                    else:
                        held = None if full["held_back"] is None else True
                        assert hand == {"size": full["size"], "cards": None, "held_back": held}
                        seen["held back" if held else "hand"] += 1
                view["fight"] = whole["fight"]
            assert view == whole
        engine.play(engine.uniform_move())
    assert min(seen["own"], seen["hand"], seen["held back"]) > 20


# Wrong steps.


def first(record: JSON, action: str, wanted: Callable[[JSON], Any] = lambda step: True) -> int:
    for at, step in enumerate(record["steps"]):
        if step["action"] == action and wanted(step):
            return at
    raise AssertionError("not met")


@pytest.mark.parametrize(
    ("action", "change", "told"),
    [
        ("place_armies", {"action": "place_army"}, "no action is called 'place_army', did you "
         "mean 'place_armies'"),
        ("place_armies", {"seat": 5}, "seat 5 moves; expected seat"),
        ("place_armies", {"people": None}, "people null decides; expected people"),
        ("place_armies", {"space": [9, -2]}, r"'space' is \[9, -2\], where no province is; the "
         r"nearest is \[5, -2\]"),
        ("place_armies", {"space": "here"}, "'space' is here, where no province is"),
        ("place_armies", {"count": 300}, "'count' is 300; expected a whole number from 0 to 255"),
        ("place_armies", {"count": True}, "'count' is true; expected a whole number"),
        ("place_armies", {"count": 99}, "count 99' is not legal here; the nearest legal step is "
         "'place_armies space"),
        ("place_armies", {"action": "end_movement"}, "'end_movement' is not legal here"),
        ("place_ship", {"edge": [0, 0]}, r"'edge' is \[0, 0\], no sea beside \[.*\]; the nearest "
         r"there is \["),
        ("place_marker", {"space": [0, 0]}, "is not legal here; the nearest legal step is 'place_"),
        ("move", {"to": [7, 7]}, r"'to' is \[7, 7\], where no province is"),
        ("sail", {"ship": [0, 0]}, r"'ship' is \[0, 0\], no sea beside"),
        ("sail", {"edge": 4}, "'edge' is 4, no sea beside"),
        ("hold_back", {"card": "hitt"}, "no card is called 'hitt', did you mean 'hit'"),
        ("discard_spell", {"spell": "gard"}, "no spell is called 'gard', did you mean 'guard'"),
        ("buy", {"item": "boats"}, "no item is called 'boats', choices: armies"),
        ("buy", {"count": 200}, "'buy item .* count 200' is not legal here; the nearest legal"),
        ("end_movement", {"draws": 3}, "'draws' is 3; expected a list"),
        ("end_movement", {"draws": [{"people": 7, "cards": ["hit"]}]}, "'draws' has .*; expected "
         "'people', 0 to 1, and 'cards', a list"),
        ("end_movement", {"draws": [{"people": 0, "cards": ["hit"] * 7}]}, "people 0 draws 7 "
         "cards; expected 1 to 6"),
        ("end_movement", {"draws": [{"people": 0, "cards": ["ht"]}]}, "no card is called 'ht'"),
        ("end_movement", {"order": [0, 1]}, "'end_movement' has 'order'; expected it only where "
         "points are counted"),
        ("move", {"spells": [{"people": 0, "spells": ["guard"]}]}, "'spells' has a draw of people "
         "0 too many; expected 0"),
        ("move", {"provinces": [[[4, -1]]]}, "has 'provinces'; expected it only where cards are"),
    ],
)  # fmt: skip
def test_a_wrong_step_is_refused_with_its_number(records, action, change, told):
    name = "few_spells" if action == "discard_spell" else "standard"
    wrong, at = copy.deepcopy(records[name]), first(records[name], action)
    wrong["steps"][at] |= change
    with pytest.raises(InputError, match=f"^step {at + 1}: .*{told}"):
        replay(wrong, name)


def test_the_nearest_legal_step_is_legal(records):
    record = records["standard"]
    at = first(record, "place_armies")
    wrong = copy.deepcopy(record)
    wrong["steps"][at]["count"] = 99
    with pytest.raises(InputError) as refused:
        replay(wrong, "standard")
    named = re.search(r"is 'place_armies space (\[.*\]) count (\d+)'$", str(refused.value))
    assert named is not None
    space, count = json.loads(named[1]), int(named[2])
    assert space == record["steps"][at]["space"]
    # As many as there is room for: 8 in a province, 1 from the start.
    people = replay(record, "standard")[at]["peoples"][record["steps"][at]["people"]]
    assert count == min(7, people["to_place"])


def with_draw(step: JSON) -> bool:
    return bool(step.get("draws"))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda draws: draws.pop(), "'draws' lacks the cards of people"),
        (lambda draws: draws.append(copy.deepcopy(draws[0])), "has a draw of people . too many"),
        (lambda draws: draws[0]["cards"].pop(), r"draws \d cards; expected \d"),
        (lambda draws: draws[0].update(people=1 - draws[0]["people"]), "to draw"),
        (lambda draws: draws[0].update(reshuffled=1), "'reshuffled' of people .* expected none"),
        (lambda draws: draws[0].update(cards=["hero_strike"] * len(draws[0]["cards"])),
         "expected cards that are left to draw, as"),
    ],
)  # fmt: skip
def test_wrong_draws_are_refused(records, change, told):
    wrong = copy.deepcopy(records["standard"])
    # Three hero strikes can never be drawn: there are two.
    at = next(
        i for i, step in enumerate(wrong["steps"])
        if with_draw(step) and len(step["draws"][0]["cards"]) > 2
    )  # fmt: skip
    change(wrong["steps"][at]["draws"])
    with pytest.raises(InputError, match=f"^step {at + 1}: .*{told}"):
        replay(wrong, "standard")


def test_other_cards_that_could_be_drawn_are_played_on():
    """Chance is taken from the record: with other cards the game is another one."""
    record = make_record("standard", 2)
    at = next(i for i, step in enumerate(record["steps"]) if with_draw(step))
    other = copy.deepcopy(record)
    other["steps"] = other["steps"][: at + 1]
    draw = other["steps"][at]["draws"][0]
    draw["cards"] = ["hero_strike", *["miss"] * (len(draw["cards"]) - 1)]
    positions = GAME.replay(other, ruleset("standard"))
    for _ in range(at + 2):
        _, position = next(positions)
    hand = position["fight"]["hands"][0]
    assert hand["cards"] == {"hero_strike": 1, "miss": len(draw["cards"]) - 1}
    with pytest.raises(InputError, match=f"ends after step {at + 1}, but the game goes on"):
        next(positions)


def counted(record: JSON, tied: bool | None = None) -> int:
    """A step with a new order; `tied`: whether lots had a part in it."""
    positions = replay(record, "standard")
    for at, step in enumerate(record["steps"]):
        points = [people["points"] for people in positions[at + 1]["peoples"]]
        if "order" in step and (tied is None or (points[0] == points[1]) == tied):
            return at
    raise AssertionError("not met")


def test_an_order_against_the_points_is_refused(records):
    wrong = copy.deepcopy(records["standard"])
    at = counted(wrong, tied=False)
    wrong["steps"][at]["order"].reverse()
    with pytest.raises(InputError, match=f"^step {at + 1}: the new order is .*the most first"):
        replay(wrong, "standard")
    wrong["steps"][at]["order"] = [0, 0]
    with pytest.raises(InputError, match=r"the new order is \[0, 0\]; expected each of \[0, 1\]"):
        replay(wrong, "standard")
    del wrong["steps"][at]["order"]
    with pytest.raises(InputError, match="lacks 'order'; expected the new order, as"):
        replay(wrong, "standard")


def test_lots_are_taken_from_the_record():
    """In a tie either order is right, and the one that is told is played."""
    quiet = load("standard", {"spells": "off"})
    engine = Engine(GAME, quiet, 2, seed=40, deal=0)
    setup, played, tied = engine.setup(), [], False
    while not tied:
        played.append(engine.play(engine.uniform_move()))
        points = engine.state["points"]
        tied = "order" in played[-1] and points[0] == points[1]
    outcome = {"returns": [0, 0], "scores": [0, 0], "reason": "unfinished", "turns": 0}
    record = wrapped("standard", 2, setup, played, outcome)
    for order in ([0, 1], [1, 0]):
        record["steps"][-1]["order"] = order
        positions = GAME.replay(record, quiet)
        for _ in range(len(played) + 1):
            _, position = next(positions)
        assert position["order"] == order


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda entries: entries.pop(), "'spells' lacks the spells of people"),
        (lambda entries: entries[0]["spells"].append("guard"), r"draws \d spells; expected \d"),
        (lambda entries: entries[0].update(spells=["new_rune"] * len(entries[0]["spells"])),
         "expected spells that are left to draw, as"),
        (lambda entries: entries[0]["spells"].insert(0, "magic"), "no spell is called 'magic'"),
    ],
)  # fmt: skip
def test_wrong_acquisitions_are_refused(records, change, told):
    wrong = copy.deepcopy(records["standard"])
    at = next(
        i for i, step in enumerate(wrong["steps"])
        if step.get("spells") and len(step["spells"][0]["spells"]) > 1
    )  # fmt: skip
    change(wrong["steps"][at]["spells"])
    with pytest.raises(InputError, match=f"^step {at + 1}: .*{told}"):
        replay(wrong, "standard")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"country": "Ruham"}, "no country is called 'Ruham', did you mean 'Rhuam'"),
        ({"turn": 6}, "'turn' is 6; expected a whole number from 0 to 5"),
        (
            {"anchor": [8, 0]},
            r"'anchor' is \[8, 0\], not on the map; the nearest space is \[7, 0\]",
        ),
        ({"anchor": [0, 0]}, "is not legal here; the nearest legal step is 'place_country country"),
    ],
)
def test_a_wrong_placement_is_refused(records, change, told):
    wrong = copy.deepcopy(records["draft"])
    wrong["steps"][3] |= change
    with pytest.raises(InputError, match=f"^step 4: .*{told}"):
        replay(wrong, "draft")


def test_the_deal_after_a_draft_is_checked(records):
    at = first(records["draft"], "place_country", lambda step: "provinces" in step)
    assert at == 10  # eleven countries
    for key, value, told in (
        ("provinces", None, "the deal's provinces are null; expected 2 lists"),
        ("bonus_armies", [32, 0], r"the deal's bonus armies are \[32, 0\]; expected 32 in all"),
        ("order", [1], r"the deal's order is \[1\]; expected each of \[0, 1\] once"),
    ):
        wrong = copy.deepcopy(records["draft"])
        wrong["steps"][at][key] = value
        with pytest.raises(InputError, match=f"^step {at + 1}: {told}"):
            replay(wrong, "draft")


# Wrong set-ups and ends.


def twice(setup: JSON) -> None:
    setup["provinces"][0][0] = setup["provinces"][1][0]


def against_bonus(setup: JSON) -> None:
    setup["bonus_armies"], setup["order"] = [16, 16], [1, 0]
    hands = sorted(space for hand in setup["provinces"] for space in hand)
    setup["provinces"] = [hands[:26], hands[26:]]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda setup: setup.pop("artifacts"), "artifacts are null; expected each of"),
        (lambda setup: setup.update(artifacts=[1, 3]), r"artifacts are \[1, 3\]; expected each of"),
        (lambda setup: setup["provinces"].pop(), "provinces are .*; expected 2 lists"),
        (lambda setup: setup["provinces"][0].pop(), r"provinces lack \[.*\]; expected every"),
        (twice, r"provinces have \[.*\] twice; expected once"),
        (lambda setup: setup["provinces"][0].append([0, 0]), r"provinces have \[0, 0\], no "
         r"province of a country; the nearest is \["),
        (lambda setup: setup.update(bonus_armies=[30, 2]), r"bonus armies are \[30, 2\]; expected "
         "32 in all and 42 cards each"),
        (lambda setup: setup["order"].append(2), r"order is \[.*2\]; expected each of \[0, 1\]"),
    ],
)  # fmt: skip
def test_a_wrong_setup_is_refused(records, change, told):
    wrong = copy.deepcopy(records["standard"])
    change(wrong["setup"])
    with pytest.raises(InputError, match=f"^the set-up's {told}"):
        replay(wrong, "standard")


def test_lots_of_a_setup_may_fall_either_way_in_a_tie(records):
    wrong = copy.deepcopy(records["standard"])
    against_bonus(wrong["setup"])
    _, position = next(GAME.replay(wrong, ruleset("standard")))
    assert position["order"] == [1, 0]
    assert position["to_move"] == 1
    assert [people["to_place"] for people in position["peoples"]] == [16, 16]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda setup: setup["countries"].pop(), "the set-up's countries are .*; expected each"),
        (lambda setup: setup.update(first=2), "the set-up's 'first' is 2; expected 0 to 1"),
    ],
)
def test_a_wrong_setup_of_a_draft_is_refused(records, change, told):
    wrong = copy.deepcopy(records["draft"])
    change(wrong["setup"])
    with pytest.raises(InputError, match=told):
        replay(wrong, "draft")


def test_a_wrong_outcome_or_end_is_refused(records):
    wrong = copy.deepcopy(records["standard"])
    wrong["outcome"]["scores"][0] += 1
    with pytest.raises(InputError, match="the outcome's scores is"):
        replay(wrong, "standard")
    wrong = copy.deepcopy(records["standard"])
    last = wrong["steps"].pop()
    with pytest.raises(InputError, match="but the game goes on; expected a step"):
        replay(wrong, "standard")
    wrong["steps"] += [last, last]
    with pytest.raises(InputError, match="the game ended before it"):
        replay(wrong, "standard")


def test_a_record_of_another_game_is_refused(records):
    with pytest.raises(InputError, match="one of 'lumis'; expected 'stone-guardians'"):
        replay(records["standard"] | {"game": "lumis"}, "standard")


def test_seats_share_an_unfinished_game():
    engine = Engine(GAME, ruleset("few_spells"), 2, seed=1, deal=0)
    while not engine.state["over"]:
        engine.play(engine.uniform_move())
    outcome = engine.position()["outcome"]
    assert sum(outcome["returns"]) == 1
    assert np.argmax(outcome["scores"]) in np.flatnonzero(outcome["returns"])
