"""Lumina Spell passes the check that every game must pass; only the deck's order is hidden."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from engine import Engine
from lumina_rulesets import CHANGES, ruleset
from rules_check import chi_square, look, redraw, rules_check

from lumis_fast.core.ruleset import Ruleset
from lumis_fast.games.lumina_spell import GAME
from lumis_fast.games.lumina_spell.ruleset import CARDS

JSON = dict[str, Any]

BIG = ("standard", "three-colours", "largest", "tall_numbers", "wild")


class LuminaObserver:
    """What a seat knows: all that lies open, and which cards it has not seen yet.

    Parameters
    ----------
    ruleset : Ruleset
    seat : int
        Any: all seats see the same.
    seen : dict
        The first position as the seat sees it.
    """

    def __init__(self, ruleset: Ruleset, seat: int, seen: JSON) -> None:
        self.unseen = Counter(ruleset.values["deck"])
        self.seen = seen
        self.unseen -= Counter(seen["face_up"])

    def see(self, step: JSON, seen: JSON) -> None:
        """See `rules_check.Observer`."""
        gone = Counter(self.seen["face_up"])
        gone -= Counter(claim["card"] for claim in step.get("cards", []) if self._is_new(claim))
        self.unseen -= Counter(seen["face_up"]) - gone
        assert self.unseen.total() == seen["deck"]
        self.seen = seen

    def _is_new(self, claim: JSON) -> bool:
        """Whether a claim was not yet made when the position was seen."""
        return claim not in self.seen["claims_this_turn"]

    def allows(self, position: JSON) -> bool:
        """See `rules_check.Observer`."""
        hidden = position["deck"]
        return Counter(hidden) == self.unseen and {**position, "deck": len(hidden)} == self.seen


def conserved(position: JSON) -> JSON:
    """All tiles, those paid for cards included, and all cards."""
    cards = [card for claimed in position["claimed"] for card in claimed]
    tiles = sum(tile is not None for row in position["board"] for tile in row)
    tiles += sum(len(hand["tiles"]) for hand in position["hands"])
    return {
        "tiles": tiles + sum(CARDS[card].tiles for card in cards),
        "cards": sorted(cards + position["face_up"] + position["deck"]),
    }


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", CHANGES)
def test_lumina_spell_passes_the_rules_check(name, seats):
    rules = ruleset(name)
    start = conserved(Engine(GAME, rules, seats, seed=1, deal=0).position())
    side, deck = rules.values["side"], rules.values["deck"]
    assert start == {"tiles": side * side + seats, "cards": sorted(deck)}
    deals, every = ([0], 8) if name in BIG else ([0, 1], 3)
    met = rules_check(
        GAME, rules, seats, deals, conserved=conserved, observer=LuminaObserver, every=every
    )
    assert sum(met[reason] for reason in GAME.reasons) == len(deals)


def test_the_cards_face_down_are_drawn_in_every_order_alike():
    """Seven cards, four of them face up: the other three may come in six orders."""
    rules = GAME.load_ruleset("standard", {"deck": [1, 2, 5, 7, 11, 12, 16]})
    engine = Engine(GAME, rules, 2, seed=3, deal=0)
    view, counts = look(engine, engine.state, 0), Counter()
    for number in range(1200):
        drawn = redraw(engine, view, 0, number)
        counts[tuple(GAME.position(rules, engine.rules, drawn)["deck"])] += 1
    orders = list(itertools.permutations(engine.position()["deck"]))
    assert chi_square(counts, {order: 1 / math.factorial(3) for order in orders}) > 1e-4


def test_a_view_hides_the_deck_and_nothing_else():
    engine = Engine(GAME, ruleset("standard"), 3, seed=3, deal=1)
    for _ in range(12):
        engine.play(engine.uniform_move())
    view = look(engine, engine.state, 1)
    hidden = {
        name for name in view.dtype.names if not np.array_equal(view[name], engine.state[name])
    }
    assert hidden == {"chance", "deck"}
    revealed = int(engine.state["revealed"])
    assert (view["deck"][:revealed] == engine.state["deck"][:revealed]).all()
    size = len(engine.ruleset.values["deck"])
    assert len(set(view["deck"][revealed:size].tolist())) == 1
    assert GAME.position(engine.ruleset, engine.rules, view, 1) == engine.position(1)
