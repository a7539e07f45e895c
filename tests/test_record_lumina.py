"""Records of Lumina Spell: what is written replays, and what is wrong is refused with its step."""

from __future__ import annotations

import copy
import json
import sys
from typing import Any

import numpy as np
import pytest
from engine import Engine
from lumina_rulesets import ruleset
from naive.lumina_spell import NaiveLuminaSpell

from lumis_fast.core import steps
from lumis_fast.core.record import envelope
from lumis_fast.errors import InputError
from lumis_fast.games.lumina_spell import GAME
from lumis_fast.players.match import Match
from lumis_fast.players.spec import parse_spec

JSON = dict[str, Any]


def make_record(name: str, seats: int, deal: int) -> JSON:
    """Play uniformly; the parts of a claim turn are told as one step at its end."""
    engine = Engine(GAME, ruleset(name), seats, seed=40, deal=deal)
    setup, played = engine.setup(), []
    while not engine.state["over"]:
        step = engine.play(engine.uniform_move())
        if "more" not in step:
            played.append(step)
    record = envelope(
        game=GAME.name,
        ruleset=engine.ruleset.plain(),
        seats=["random"] * seats,
        seed=40,
        index=deal,
        setup=setup,
        steps=played,
        outcome=engine.position()["outcome"],
    )
    return json.loads(json.dumps(record))


def replay(record: JSON, name: str) -> list[JSON]:
    return [position for _, position in GAME.replay(record, ruleset(name))]


@pytest.fixture(scope="module")
def record() -> JSON:
    return make_record("pairs", 2, 0)


@pytest.mark.parametrize(
    ("name", "seats"), [("standard", 2), ("three-colours", 3), ("pairs", 4), ("wild", 2)]
)
def test_a_record_replays_here_and_in_the_reference(name, seats):
    record = make_record(name, seats, 1)
    naive = NaiveLuminaSpell(ruleset(name).values, seats, record["setup"])
    expected = [naive.position()]
    for step in record["steps"]:
        naive.apply(step)
        expected.append(naive.position())
    assert replay(record, name) == expected
    assert expected[-1]["outcome"] == record["outcome"]
    assert any(len(step.get("cards", [])) > 1 for step in record["steps"]) or name != "pairs"


def test_a_position_tells_the_points_of_the_cards_in_sight_alone():
    rules = ruleset("sum_15")
    engine = Engine(GAME, rules, 2, seed=40, deal=3)
    while not any(engine.position()["claimed"]):
        engine.play(engine.uniform_move())
    for seat in (None, 0, 1):
        position = engine.position(seat)
        assert position["card18_sum"] == 15
        in_sight = {*position["face_up"], *position["claimed"][0], *position["claimed"][1]}
        assert set(position["card_points"]) == {str(card) for card in in_sight}
        assert set(position["card_points"].values()) == {0}
    standard = Engine(GAME, ruleset("standard"), 3, seed=40, deal=3).position()
    points = [2, 2, 2, 2, 3, 4, 3, 3, 3, 2, 1, 3, 5, 5, 5, 1, 1, 2]
    assert standard["card_points"] == {str(c): points[c - 1] for c in standard["face_up"]}


def test_the_order_of_tiles_and_claims_does_not_matter(record):
    other = copy.deepcopy(record)
    for step in other["steps"]:
        for claim in step.get("cards", []):
            claim["tiles"].reverse()
        step.get("cards", []).reverse()
    assert replay(other, "pairs") == replay(record, "pairs")


def test_keys_that_begin_with_x_are_ignored(record):
    other = copy.deepcopy(record)
    for step in other["steps"]:
        step["x_note"] = "a comment"
    assert replay(other, "pairs") == replay(record, "pairs")


def first(record: JSON, action: str) -> int:
    return next(i for i, step in enumerate(record["steps"]) if step["action"] == action)


@pytest.mark.parametrize(
    ("action", "change", "told"),
    [
        ("push", {"side": "north"}, "no side is called 'north'"),
        ("push", {"line": 7}, "'line' is 7; expected a whole number from 0 to 6"),
        ("push", {"take": 0}, "'take' is 0; expected a whole number from 1 to 7"),
        ("push", {"tile": ["pink", 1]}, "no tile; expected"),
        ("push", {"tile": ["rainbow", 12]}, "is not legal here"),
        ("push", {"seat": 5}, "seat 5 moves; expected seat"),
        ("push", {"action": "pusk"}, "no action is called 'pusk', did you mean 'push'"),
        ("push", {"action": "pass"}, "'pass .* is not legal here"),
        ("claim", {"cards": []}, "expected a list of 1 to 4 claims"),
        ("claim", {"cards": [{"card": 19, "tiles": []}]}, "'card', a number from 1 to 18"),
        ("claim", {"cards": [{"card": 2, "tiles": []}]}, "paid with 0 tiles; expected 2"),
        ("claim", {"edge": [3, 3]}, "is not legal here"),
        ("claim", {"edge": [0, 7]}, "expected null or .row, column., both 0 to 6"),
        ("claim", {"edge": None, "more": True}, "expected a whole turn in one step"),
    ],
)
def test_a_wrong_step_is_refused_with_its_number(record, action, change, told):
    wrong, at = copy.deepcopy(record), first(record, action)
    wrong["steps"][at] |= change
    with pytest.raises(InputError, match=f"^step {at + 1}: .*{told}"):
        replay(wrong, "pairs")


def swap_tiles(setup: JSON) -> None:
    setup["board"][0][0] = setup["board"][3][3]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda setup: setup.pop("deck"), "expected lists 'board', 'starting_tiles' and 'deck'"),
        (lambda setup: setup["deck"].pop(), "the set-up's deck is"),
        (lambda setup: setup["board"].pop(), "expected 7 rows of 7 tiles"),
        (swap_tiles, "around its centre; expected"),
        (lambda setup: setup["starting_tiles"].reverse() or setup["starting_tiles"].pop(), "and 3"),
        (lambda setup: setup.update(first=2), "seat 2 begins in the set-up; expected 0 to 1"),
    ],
)
def test_a_wrong_setup_is_refused(record, change, told):
    wrong = copy.deepcopy(record)
    change(wrong["setup"])
    with pytest.raises(InputError, match=told.replace("and 3", "expected 3 different ones")):
        replay(wrong, "pairs")


def test_a_wrong_outcome_or_end_is_refused(record):
    wrong = copy.deepcopy(record)
    wrong["outcome"]["scores"][0] += 1
    with pytest.raises(InputError, match="the outcome's scores is"):
        replay(wrong, "pairs")
    wrong = copy.deepcopy(record)
    last = wrong["steps"].pop()
    with pytest.raises(InputError, match="but the game goes on; expected a step"):
        replay(wrong, "pairs")
    wrong["steps"] += [last, last]
    with pytest.raises(InputError, match="the game ended before it"):
        replay(wrong, "pairs")


def test_a_turn_in_parts_ends_in_the_same_position_as_the_turn_at_once(record):
    at = next(i for i, step in enumerate(record["steps"]) if len(step.get("cards", [])) > 1)
    step = record["steps"][at]
    engine = Engine(GAME, ruleset("pairs"), 2, seed=40, deal=0)
    GAME.load_setup(engine.rules, engine.state, record["setup"])
    for before in record["steps"][:at]:
        assert engine.is_legal(before)
        engine.play(engine.move.copy())
    whole = engine.state.copy()
    assert engine.is_legal(step)
    steps.play(engine.rules, engine.work, whole, engine.move)
    for claim in step["cards"]:
        assert engine.is_legal({**step, "cards": [claim], "edge": None, "more": True})
        assert engine.play(engine.move.copy())["more"] is True
        assert engine.state["turn"] == at
    assert engine.is_legal(step)
    played = engine.play(engine.move.copy())
    assert (played, engine.state.tobytes()) == (step, whole.tobytes())


def test_the_end_of_a_turn_in_parts_must_tell_what_was_claimed(record):
    engine = Engine(GAME, ruleset("pairs"), 2, seed=40, deal=0)
    while engine.state["claims"] == 0:
        engine.play(engine.uniform_move())
    move = engine.legal_moves()[0]
    step = engine.as_step(move)
    assert engine.is_legal(step)
    step["cards"][0]["tiles"].append(["red", 1])
    with pytest.raises(InputError, match="expected it to begin with what has been claimed"):
        engine.is_legal(step)


class WholeTurns:
    """Waits until it can claim two cards, then claims all it can and an edge tile in one step."""

    def __init__(self, seat: int, game: Any) -> None:
        self.seat = seat

    def choose(self, view: Any) -> JSON:
        trial, cards = view.sample(1), []
        move = self.claim_in(trial)
        while move is not None:
            cards += move["cards"]
            trial.play(move)
            move = self.claim_in(trial)
        pushes = [move for move in view.legal_moves() if move["action"] == "push"]
        if len(cards) < 2 and pushes:
            return max(pushes, key=lambda push: push["take"])
        if not cards:
            return {"seat": self.seat, "action": "pass"}
        upper = view.position()["board"][0]
        edge = next(([0, column] for column, tile in enumerate(upper) if tile), None)
        return {"seat": self.seat, "action": "claim", "cards": cards, "edge": edge}

    def claim_in(self, position: Any) -> JSON | None:
        return next((move for move in position.legal_moves() if move.get("more")), None)


def test_a_players_whole_claim_turn_is_one_move(monkeypatch):
    monkeypatch.setitem(sys.modules, "whole_turns", sys.modules[__name__])
    specs = [parse_spec("whole_turns:WholeTurns"), parse_spec("greedy")]
    match = Match(GAME, ruleset("pairs"), specs, 5, False)
    chunk = match.play(0, 4, True, np.zeros(1, np.uint8))
    edges, sizes = set(), set()
    for row, record in zip(chunk.results, chunk.records, strict=True):
        replay(record, "pairs")
        assert record["outcome"]["turns"] == len(record["steps"])
        claims = [step for step in record["steps"] if step["action"] == "claim"]
        edges |= {str(step["edge"]) for step in claims if step["seat"] == 0}
        sizes |= {len(step["cards"]) for step in claims if step["seat"] == 0}
        # The built-in player plays a move for each card and one for the end.
        moves = sum(1 if step["seat"] == 0 else len(step["cards"]) + 1 for step in claims)
        assert row["moves"][1] == moves
    assert max(sizes) > 1 and edges - {"None"}
