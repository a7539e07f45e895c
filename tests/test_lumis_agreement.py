"""Whole random games through the engine and the plain-Python reference, step by step."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from engine import Engine, print_met
from lumis_rulesets import CHANGES, ruleset
from naive.lumis import NaiveLumis

from lumis_fast.games.lumis import GAME

SHORT = [
    (name, seats, 1 if name in ("standard", "large", "largest") else 6)
    for name in CHANGES
    for seats in (2, 4)
]
# Small boards where the rare rules are met: what is played once more with array bounds checked.
IN_BOUNDS = ("tiny", "few_tower_stones", "few_fire_stones", "small_decks")


def as_set(steps: list[dict]) -> Counter:
    return Counter(json.dumps(step, sort_keys=True) for step in steps)


def vector(engine: Engine, spaces: list[list[int]]) -> tuple[int, ...]:
    letters = Counter(engine.ruleset.values["board"][r][c] for r, c in spaces)
    return tuple(letters[letter] for letter in "bcvg")


def linked_pairs(naive: NaiveLumis, spaces: list[list[int]]) -> set:
    """Pairs of own groups that the set links and none of whose stones can be left out."""
    team = ("yellow", "red")[naive.to_move % 2]
    stones = [tuple(space) for space in spaces]
    groups = naive.groups(team)

    def joined(added: list[tuple[int, int]]) -> set:
        pairs = set()
        for whole in naive.groups(team, added):
            inside = [g for g in groups if g <= whole]
            pairs |= {frozenset((a, b)) for a in inside for b in inside if a != b}
        return pairs

    pairs = joined(stones)
    for stone in stones:
        pairs -= joined([s for s in stones if s != stone])
    return pairs


def pareto_minimal(vectors: set[tuple[int, ...]]) -> set[tuple[int, ...]]:
    return {
        v
        for v in vectors
        if not any(w != v and all(x <= y for x, y in zip(w, v, strict=True)) for w in vectors)
    }


def check_connections(engine: Engine, naive: NaiveLumis, offers: list[dict]) -> None:
    found: dict = {}
    for offer in offers:
        assert naive.connection_error(offer["spaces"]) is None, offer
        for pair in linked_pairs(naive, offer["spaces"]):
            found.setdefault(pair, set()).add(vector(engine, offer["spaces"]))
    expected = {frozenset(pair): vectors for pair, vectors in naive.minimal_connections().items()}
    expected = {pair: vectors for pair, vectors in expected.items() if vectors}
    assert {pair: pareto_minimal(vectors) for pair, vectors in found.items()} == expected


def nearly_legal(engine: Engine, offers: list[dict], rng: random.Random) -> list[list[list[int]]]:
    """Sets of spaces near a legal one: a space more, a space less, one moved, two joined."""
    rows = engine.ruleset.values["board"]
    sets = []
    for _ in range(6):
        base = [list(s) for s in rng.choice(offers)["spaces"]] if offers else []
        change = rng.randrange(4)
        if change == 0 and base:
            base.pop(rng.randrange(len(base)))
        if change in (1, 2):
            if change == 2 and base:
                base.pop(rng.randrange(len(base)))
            r, c = rng.choice(base) if base else (rng.randrange(len(rows)), 0)
            base.append([r + rng.randrange(-1, 2), c + rng.randrange(-1, 2)])
        if change == 3 and offers:
            base += [s for s in rng.choice(offers)["spaces"] if s not in base]
        if base and len(base) <= 24:
            sets.append(base)
    return sets


def play_in_step(name: str, seats: int, deal: int, met: Counter, patient: bool) -> None:
    rules = ruleset(name)
    closely = 0.1 if len(rules.values["board"]) > 20 else 1.0  # the reference takes its time there
    engine = Engine(GAME, rules, seats, seed=20, deal=deal)
    naive = NaiveLumis(rules.values, seats, engine.setup())
    rng = random.Random(f"{name} {seats} {deal}")
    assert engine.position() == naive.position()
    while not engine.state["over"]:
        moves = engine.legal_moves()
        steps = [engine.as_step(move) for move in moves]
        offers = [step for step in steps if step["action"] == "connect"]
        assert as_set([s for s in steps if s["action"] != "connect"]) == as_set(naive.legal_steps())
        if rng.random() < closely:
            check_connections(engine, naive, offers)
        for spaces in nearly_legal(engine, offers, rng):
            step = {"seat": naive.to_move, "action": "connect", "spaces": spaces}
            try:
                verdict = engine.is_legal(step)
            except ValueError:  # no space of this board at all
                verdict = False
            assert verdict == (naive.connection_error(spaces) is None), spaces
            met["legal sets" if verdict else "illegal sets"] += 1
        for step in rng.sample(steps, min(5, len(steps))):
            assert engine.is_legal(step)
        move = engine.uniform_move()
        if patient and offers and rng.random() < 0.7:
            move = moves[rng.choice([i for i, m in enumerate(moves) if m["action"] == 4])]
        before = naive.position()
        played = engine.play(move)
        naive.apply(played)
        after = naive.position()
        assert engine.position() == after
        note(met, played, before, after)
    met[naive.outcome["reason"]] += 1


def note(met: Counter, step: dict, before: dict, after: dict) -> None:
    met[step["action"]] += 1
    met["reshuffle"] += "reshuffled" in step
    if step["action"] in ("tower", "base"):
        spaces = {
            team: {tuple(t["space"]): t["height"] for t in before["teams"][team]["towers"]}
            for team in before["teams"]
        }
        enemy = ("yellow", "red")[1 - step["seat"] % 2]
        met["takeover"] += tuple(step["space"]) in spaces[enemy]
        old = {**spaces["yellow"], **spaces["red"]}
        new = {
            tuple(t["space"]): t["height"]
            for team in after["teams"].values()
            for t in team["towers"]
        }
        cut = [s for s in old if new[s] < old[s]]
        met["towers cut"] += bool(cut)


@pytest.mark.parametrize(
    ("name", "seats", "games"),
    [pytest.param(*one, marks=[pytest.mark.bounds] * (one[0] in IN_BOUNDS)) for one in SHORT],
)
def test_engine_and_reference_agree(name: str, seats: int, games: int) -> None:
    met: Counter = Counter()
    for deal in range(games):
        play_in_step(name, seats, deal, met, patient=deal % 2 == 1)
    assert met["draw"] > 0 or name == "stuck"


@pytest.fixture(scope="module")
def long_run() -> Counter:
    met: Counter = Counter()
    for name, seats, games in SHORT:
        for deal in range(100, 100 + 15 * games):
            play_in_step(name, seats, deal, met, patient=deal % 2 == 1)
    met["games"] = sum(met[reason] for reason in GAME.reasons)
    print_met("Lumis", met)
    return met


RARE = [
    "draw",
    "give",
    "tower",
    "base",
    "connect",
    "skip",
    "takeover",
    "towers cut",
    "reshuffle",
    "legal sets",
    "illegal sets",
    "connected",
    "out_of_fire_stones",
    "stuck",
    "unfinished",
]


@pytest.mark.long
@pytest.mark.parametrize("what", RARE)
def test_long_agreement_meets_every_rule(long_run: Counter, what: str) -> None:
    assert long_run[what] > 0, dict(long_run)
