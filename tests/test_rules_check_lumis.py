"""Lumis passes the check that every game must pass, and what each seat knows is kept exactly."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from engine import Engine
from lumis_observer import COLOURS, LumisObserver
from lumis_rulesets import CHANGES, MIDDLE, ruleset
from rules_check import hypergeometric, rules_check

from lumis_fast.core.ruleset import Ruleset
from lumis_fast.games.lumis import GAME

BIG = ("standard", "areas-25", "large", "largest")
GAMES = [(name, seats) for name in [*CHANGES, "areas-25"] for seats in (2, 4)]

# Decks so small that they are reshuffled again and again, and games long enough for it.
OFTEN_RESHUFFLED = {
    "eight_cards": {
        "board": MIDDLE,
        "cards_per_colour": 2,
        "opening_hand": 2,
        "hand_limit": 4,
        "max_turns": 60,
    },
    "twelve_cards": {
        "board": MIDDLE,
        "cards_per_colour": 3,
        "opening_hand": 1,
        "hand_limit": 6,
        "max_turns": 60,
    },
    "sixteen_cards": {
        "board": MIDDLE,
        "cards_per_colour": 4,
        "opening_hand": 3,
        "hand_limit": 7,
        "max_turns": 60,
    },
}


def often_reshuffled(name: str) -> Ruleset:
    return GAME.load_ruleset("standard", OFTEN_RESHUFFLED[name])


def conserved(position: dict) -> dict:
    """Cards by team and colour, fire stones by team, tower stones: in play and in the supplies."""
    sums = {"tower_stones": position["tower_stones"]}
    for team, (name, one) in enumerate(position["teams"].items()):
        towers = one["towers"]
        sums["tower_stones"] += sum(tower["height"] for tower in towers)
        sums[f"{name} fire_stones"] = one["fire_stones"] + len(one["stones"]) + len(towers)
        cards = Counter(one["pile"]) + Counter(one["discards"])
        for hand in position["hands"][team::2]:
            cards.update(hand["cards"])
        sums |= {f"{name} {colour}": cards[colour] for colour in COLOURS}
    return sums


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_lumis_passes_the_rules_check(name, seats):
    rules = ruleset(name)
    values = rules.values
    stones = {"tower_stones": values["tower_stones"]}
    stones |= {f"{team} fire_stones": values["fire_stones"] for team in ("yellow", "red")}
    cards = {f"{t} {c}": values["cards_per_colour"] for t in ("yellow", "red") for c in COLOURS}
    assert conserved(Engine(GAME, rules, seats, seed=1, deal=0).position()) == stones | cards
    deals, every = ([0], 12) if name in BIG else ([0, 1], 5)
    met = rules_check(
        GAME, rules, seats, deals, conserved=conserved, observer=LumisObserver, every=every
    )
    assert sum(met[reason] for reason in GAME.reasons) == len(deals)


@pytest.mark.bounds
@pytest.mark.parametrize("name", OFTEN_RESHUFFLED)
@pytest.mark.parametrize("seats", [2, 4])
def test_every_redrawn_position_fits_what_was_seen(name, seats):
    met = rules_check(
        GAME,
        often_reshuffled(name),
        seats,
        range(2),
        conserved=conserved,
        observer=LumisObserver,
        every=3,
    )
    assert met["draw"] > 20


@pytest.mark.parametrize("name", OFTEN_RESHUFFLED)
@pytest.mark.parametrize("seats", [2, 4])
def test_a_seat_knows_what_it_can_know_and_nothing_else(name, seats):
    """The engine's bounds allow the same hands as card by card reasoning, after any reshuffles."""
    reshuffles, certain = 0, 0
    for deal in range(4):
        engine = Engine(GAME, often_reshuffled(name), seats, seed=2, deal=deal)
        observers = [
            LumisObserver(engine.ruleset, seat, engine.position(seat)) for seat in range(seats)
        ]
        rng = random.Random(f"{name} {seats} {deal}")
        while not engine.state["over"]:
            moves = engine.legal_moves()
            step = engine.play(moves[rng.randrange(len(moves))].copy())
            reshuffles += "reshuffled" in step
            for seat, observer in enumerate(observers):
                observer.see(step, engine.position(seat))
                for team in range(2):
                    known = known_to(engine, seat, team)
                    assert known == observer.known[team]
                    assert hands_with(observer, team, known) == observer.hands[team]
                    certain += sum(known)
    assert reshuffles > 4 and certain > 50


def known_to(engine: Engine, seat: int, team: int) -> tuple[int, ...]:
    """What the engine says that a seat knows of a team's hidden hands."""
    if team != seat % 2:
        return tuple(map(int, engine.state["team_known"][team]))
    if engine.rules["seats"] == 2:
        return (0, 0, 0, 0)
    return tuple(map(int, engine.state["known"][seat ^ 2]))


def hands_with(observer: LumisObserver, team: int, known: tuple[int, ...]) -> set:
    """Every hand of the hidden seats' size that holds the known cards, the rest unseen ones."""
    size = sum(next(iter(observer.hands[team])))
    pool = observer.hidden_pile(team, known)
    return {
        tuple(a + b for a, b in zip(known, rest, strict=True))
        for rest in hypergeometric(pool, size - sum(known))
    }
