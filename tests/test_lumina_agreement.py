"""Whole random games through the engine and the plain-Python reference, step by step."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from itertools import islice
from typing import Any

import pytest
from engine import Engine, print_met
from lumina_rulesets import CHANGES, RARE, ruleset
from naive.lumina_spell import NaiveLuminaSpell, tile_order

from lumis_fast.errors import InputError
from lumis_fast.games.lumina_spell import GAME

Step = dict[str, Any]

SHIPPED = ("standard", "three-colours")
LARGE = ("largest", "tall_numbers")
# What is played once more with array bounds checked.
IN_BOUNDS = ("small", "short_deck", "wild")
SEATS = (2, 3, 4)
TURNS_LISTED = 100


def in_order(step: Step) -> Step:
    """The step with the tiles of each payment sorted."""
    step = copy.deepcopy(step)
    for claim in step.get("cards", []):
        claim["tiles"].sort(key=tuple_order)
    return step


def tuple_order(tile: list[Any]) -> tuple[int, int]:
    return tile_order((tile[0], tile[1]))


def as_set(steps: list[Step]) -> Counter[str]:
    return Counter(json.dumps(in_order(step), sort_keys=True) for step in steps)


def expected_parts(naive: NaiveLuminaSpell) -> list[Step]:
    """What may be played next where a claim turn is played in parts."""
    seat = naive.to_move
    parts: list[Step] = []
    if naive.may_end_claim_turn():
        done = naive.position()["claims_this_turn"]
        for cell in naive.edge_choices():
            edge = None if cell is None else list(cell)
            parts.append({"seat": seat, "action": "claim", "cards": done, "edge": edge})
    else:
        parts += naive.legal_pushes()
    for card, tiles in naive.legal_single_claims():
        claim = {"card": card, "tiles": [list(tile) for tile in tiles]}
        parts.append(
            {"seat": seat, "action": "claim", "cards": [claim], "edge": None, "more": True}
        )
    return parts or [{"seat": seat, "action": "pass"}]


def position_of(engine: Engine) -> Step:
    position = engine.position()
    for claim in position["claims_this_turn"]:
        claim["tiles"].sort(key=tuple_order)
    return position


def verdict(engine: Engine, step: Step) -> bool:
    try:
        return engine.is_legal(step)
    except InputError:  # no move of this game at all
        return False


def changed(step: Step, engine: Engine, rng: random.Random) -> Step:
    """The step with something about it changed."""
    step = copy.deepcopy(step)
    side = engine.ruleset.values["side"]
    tiles = [tile for hand in engine.position()["hands"] for tile in hand["tiles"]]
    some_tile = rng.choice(tiles) if tiles else ["red", 1]
    if step["action"] == "push":
        key = rng.choice(["side", "line", "tile", "take"])
        value = {
            "side": rng.choice(["left", "right", "top", "bottom"]),
            "line": rng.randrange(side),
            "tile": some_tile,
            "take": step["take"] + rng.choice([-1, 1]),
        }
        return {**step, key: value[key]}
    claim = rng.choice(step["cards"])
    change = rng.randrange(5)
    if change == 0:
        claim["tiles"][rng.randrange(len(claim["tiles"]))] = some_tile
    elif change == 1:
        claim["card"] = rng.randrange(1, 19)
    elif change == 2:
        step["cards"] += [copy.deepcopy(rng.choice(step["cards"]))]
    elif change == 3:
        claim["tiles"].pop()
    else:
        step["edge"] = [rng.randrange(side), rng.randrange(side)]
    return step


def check_verdicts(
    engine: Engine, naive: NaiveLuminaSpell, rng: random.Random, met: Counter[str]
) -> None:
    """At the start of a turn: what is said of whole turns, legal and nearly legal ones."""
    turns = list(islice(naive.claim_turns(), TURNS_LISTED))
    turns = rng.sample(turns, min(4, len(turns)))
    pushes = naive.legal_pushes()
    steps = turns + rng.sample(pushes, min(3, len(pushes)))
    for step in steps:
        assert engine.is_legal(step), step
    passing = {"seat": naive.to_move, "action": "pass"}
    for step in [passing, *(changed(step, engine, rng) for step in steps)]:
        right = naive.step_error(step) is None
        assert verdict(engine, step) == right, (step, naive.step_error(step))
        met["legal changes" if right else "illegal changes"] += 1


def play_in_step(name: str, seats: int, deal: int, met: Counter[str], closely: float = 1.0) -> None:
    """Play a game in both; `closely` is the share of positions whose moves are compared."""
    engine = Engine(GAME, ruleset(name), seats, seed=30, deal=deal)
    naive = NaiveLuminaSpell(engine.ruleset.values, seats, engine.setup())
    rng = random.Random(f"{name} {seats} {deal}")
    assert position_of(engine) == naive.position()
    closely *= 0.15 if name in LARGE else 1.0
    while not engine.state["over"]:
        if rng.random() < closely:
            moves = engine.legal_moves()
            assert as_set([engine.as_step(m) for m in moves]) == as_set(expected_parts(naive))
            if not naive.may_end_claim_turn():
                check_verdicts(engine, naive, rng, met)
        play_next(engine, naive, rng, met)
        assert position_of(engine) == naive.position()
    met[naive.outcome["reason"]] += 1
    met["inactive"] += any(naive.position()["inactive"])


def play_next(
    engine: Engine, naive: NaiveLuminaSpell, rng: random.Random, met: Counter[str]
) -> None:
    """Play a whole claim turn in one move, or what uniform play would, and note what it was."""
    if naive.legal_single_claims() and not naive.may_end_claim_turn() and rng.random() < 0.5:
        step = naive.random_claim_turn(rng, go_on=0.8)
        assert engine.is_legal(step), step
        played = engine.play(engine.move.copy())
        assert as_set([played]) == as_set([step])
        met["turns at once"] += 1
    else:
        played = engine.play(engine.uniform_move())
        met["parts"] += "more" in played
    if "more" in played:
        (claim,) = played["cards"]
        naive.claim_one(claim["card"], claim["tiles"])
        return
    if naive.may_end_claim_turn():
        naive.end_claim_turn(played["edge"])
    else:
        naive.apply(played)
    met[played["action"]] += 1
    met["edge"] += played.get("edge") is not None
    cards = played.get("cards", [])
    met["four claims"] += len(cards) == 4
    met["rainbow paid"] += any(t[0] == "rainbow" for claim in cards for t in claim["tiles"])


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_rulesets_are_among_those_played(name: str) -> None:
    assert GAME.load_ruleset(name).values == ruleset(name).values


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.bounds] * (name in IN_BOUNDS)) for name in CHANGES],
)
def test_engine_and_reference_agree(name: str, seats: int) -> None:
    met: Counter[str] = Counter()
    games = 1 if name in (*LARGE, *SHIPPED) else 2
    for deal in range(games):
        play_in_step(name, seats, deal, met, closely=0.5)
    assert met["push"] > 0 and met["illegal changes"] > 0
    assert sum(met[reason] for reason in GAME.reasons) == games


@pytest.fixture(scope="module")
def rare_games() -> Counter[str]:
    """For each rare thing games until it is met, or many games."""
    all_met: Counter[str] = Counter()
    for what, (name, seats) in RARE.items():
        met: Counter[str] = Counter()
        deal = 1000
        while met[what] == 0 and deal < 1300:
            play_in_step(name, seats, deal, met, closely=0.05)
            deal += 1
        all_met += met
    return all_met


MET = [*GAME.reasons, *GAME.actions, "inactive", "rainbow paid", "four claims", "edge"]


@pytest.mark.parametrize("what", [*MET, "parts", "turns at once", "legal changes"])
def test_agreement_meets_every_rule(rare_games: Counter[str], what: str) -> None:
    assert rare_games[what] > 0, dict(rare_games)


@pytest.fixture(scope="module")
def long_run() -> Counter[str]:
    met: Counter[str] = Counter()
    for name in CHANGES:
        for seats in SEATS:
            for deal in range(100, 110 if name in LARGE else 160):
                play_in_step(name, seats, deal, met)
    met["games"] = sum(met[reason] for reason in GAME.reasons)
    print_met("Lumina Spell", met)
    return met


@pytest.mark.long
@pytest.mark.parametrize("what", MET)
def test_long_agreement_meets_every_rule(long_run: Counter[str], what: str) -> None:
    assert long_run[what] > 0, dict(long_run)
