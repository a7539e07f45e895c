"""Whole random games of the Stone Guardians through the engine and the reference, in step."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from engine import Engine, print_met
from naive.stone_guardians import NaiveStoneGuardians
from stone_rulesets import CHANGES, ruleset

from lumis_fast.errors import InputError
from lumis_fast.games.stone_guardians import GAME

SEATS = (2, 3, 4)
SMALL = ("two_countries", "open_city", "small_decks")
NO_TARGET = 255
RARE = {
    # What a random game seldom meets, and where it is met soon.
    "ship fight": ("weak_golems", 2),
    "annihilation": ("small_decks", 2),
    "reshuffle in a fight": ("weak_golems", 2),
    "golem action": ("open_city", 3),
    "golems joined": ("open_city", 3),
    "golem attack won": ("open_city", 3),
    "golem attack lost": ("open_city", 3),
    "artifact taken": ("weak_golems", 2),
    "artifact victory": ("short_hold", 2),
    "points cap": ("two_countries", 3),
    "elimination": ("two_countries", 3),
    "surplus": ("few_spells", 2),
    "displaced ship": ("weak_golems", 2),
    "stopover": ("weak_golems", 2),
    "formation trip": ("weak_golems", 2),
    "spells reshuffled": ("few_spells", 2),
    "borrowed ships": ("standard", 2),
    "borrowed sticks": ("standard", 2),
    "borrowed markers": ("standard", 2),
    "lots": ("standard", 3),
    "lutao_held": ("short_hold", 2),
    "last_left": ("two_countries", 2),
    "unfinished": ("few_spells", 2),
    "discard_spell": ("few_spells", 2),
    "place_country": ("draft", 2),
}


def as_set(steps: list[dict[str, Any]]) -> set[str]:
    texts = [json.dumps(step, sort_keys=True) for step in steps]
    assert len(set(texts)) == len(texts)
    return set(texts)


def complete_list(engine: Engine) -> list[dict[str, Any]]:
    """List moves without the order that keeps equivalent ones out of a tree."""
    cursor, target = engine.state["cursor"].copy(), engine.state["last_target"].copy()
    engine.state["cursor"], engine.state["last_target"] = 0, NO_TARGET
    moves = engine.legal_moves()
    engine.state["cursor"], engine.state["last_target"] = cursor, target
    return [engine.as_step(move) for move in moves]


def changed(step: dict[str, Any], others: list[dict[str, Any]], rng: random.Random) -> Any:
    """Give a step with one argument of another one, or a number a little off."""
    step = json.loads(json.dumps(step))
    key = rng.choice([key for key in step if key not in ("seat", "people", "action")] or ["none"])
    if key in ("count", "turn"):
        step[key] = max(0, step[key] + rng.choice((-1, 1, 2, 7)))
    elif key != "none":
        values = [other[key] for other in others if key in other]
        step[key] = rng.choice(values)
    return step


def compare_lists(
    engine: Engine, naive: NaiveStoneGuardians, rng: random.Random, met: Counter[str]
) -> None:
    steps = naive.legal_steps()
    assert as_set(complete_list(engine)) == as_set(steps)
    in_order = [engine.as_step(move) for move in engine.legal_moves()]
    assert in_order and as_set(in_order) <= as_set(steps)
    for _ in range(4):
        step = changed(rng.choice(steps), steps, rng)
        legal = naive.is_legal(step)
        met["legal changes" if legal else "illegal changes"] += 1
        assert is_legal(engine, step) == legal, step


def is_legal(engine: Engine, step: dict[str, Any]) -> bool:
    """Ask the engine; what is no move at all is not legal."""
    try:
        return engine.is_legal(step)
    except InputError:
        return False


def choose(engine: Engine, rng: random.Random) -> np.void:
    """A uniform move, at times a listed one or a greedy one, which lead elsewhere."""
    kind = rng.random()
    if kind < 0.6:
        return engine.uniform_move()
    if kind < 0.8:
        return engine.greedy_move()
    return rng.choice(engine.legal_moves())


def play_in_step(name: str, seats: int, deal: int, met: Counter[str], closely: float = 0.1) -> None:
    rules = ruleset(name)
    engine = Engine(GAME, rules, seats, 11, deal)
    naive = NaiveStoneGuardians(rules.values, seats, engine.setup())
    rng = random.Random(f"{name} {seats} {deal}")
    assert engine.position() == naive.position()
    while naive.outcome is None:
        if rng.random() < closely:
            compare_lists(engine, naive, rng, met)
        played = engine.play(choose(engine, rng))
        assert naive.is_legal(played), played
        naive.play(played)
        assert engine.position() == naive.position(), played
    met.update({key: count for key, count in naive.met.items() if count})


def test_the_standard_ruleset_is_among_those_played() -> None:
    assert GAME.load_ruleset("standard").values == ruleset("standard").values


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.bounds] * (name in SMALL)) for name in CHANGES],
)
def test_engine_and_reference_agree(name: str, seats: int) -> None:
    met: Counter[str] = Counter()
    games = 6 if name in SMALL else 1
    for deal in range(games):
        play_in_step(name, seats, deal, met, closely=0.3 if name in SMALL else 0.03)
    assert met["end_movement"] > 0 and met["illegal changes"] > 0
    assert sum(met[reason] for reason in GAME.reasons) == games


@pytest.fixture(scope="module")
def rare_games() -> Counter[str]:
    """For each rare thing games until it is met, or many games."""
    all_met: Counter[str] = Counter()
    for what, (name, seats) in RARE.items():
        deal = 1000
        while all_met[what] == 0 and deal < 1060:
            play_in_step(name, seats, deal, all_met, closely=0.01)
            deal += 1
    return counted(all_met)


def counted(met: Counter[str]) -> Counter[str]:
    """Print what was met, with the number of games."""
    met["games"] = sum(met[reason] for reason in GAME.reasons)
    print_met("The Island of the Stone Guardians", met)
    return met


@pytest.mark.parametrize("what", [*GAME.actions, *RARE, "legal changes"])
def test_agreement_meets_every_rule(rare_games: Counter[str], what: str) -> None:
    assert rare_games[what] > 0, dict(rare_games)


@pytest.fixture(scope="module")
def long_run() -> Counter[str]:
    met: Counter[str] = Counter()
    for name in CHANGES:
        for seats in SEATS:
            for deal in range(100, 140 if name in SMALL else 103):
                play_in_step(name, seats, deal, met)
    return counted(met)


@pytest.mark.long
@pytest.mark.parametrize("what", [*GAME.actions, *RARE])
def test_long_agreement_meets_every_rule(long_run: Counter[str], what: str) -> None:
    assert long_run[what] > 0, dict(long_run)
