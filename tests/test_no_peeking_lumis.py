"""No player of Lumis peeks: what a seat cannot see has no influence on what it plays."""

from __future__ import annotations

import pytest
from engine import Engine
from no_peeking import PLAYERS, check_decisions, redrawn

from lumis_fast.games.lumis import GAME


@pytest.fixture(scope="module", params=[2, 4])
def positions(request) -> list[Engine]:
    """Positions from greedy games, at several points, with a few reshuffles behind them."""
    changes = {"cards_per_colour": 7}
    found = []
    for deal, turns in ((0, 1), (1, 12), (2, 25), (3, 34)):
        engine = Engine(GAME, GAME.load_ruleset("standard", changes), request.param, 9, deal)
        while engine.state["turn"] < turns and not engine.state["over"]:
            engine.play(engine.greedy_move())
        if not engine.state["over"]:
            found.append(engine)
    assert len(found) >= 3
    return found


@pytest.mark.parametrize("spec", PLAYERS)
def test_what_is_hidden_has_no_influence(positions, spec):
    check_decisions(positions, spec)


def test_redrawing_does_change_what_is_hidden(positions):
    for engine in positions:
        seat = int(engine.state["to_move"])
        enemies = [s for s in range(int(engine.rules["seats"])) if s % 2 != seat % 2]
        states = [redrawn(engine, number) for number in range(8)]
        hands = {states[k]["hand"][enemies].tobytes() for k in range(8)}
        piles = {states[k]["pile"].tobytes() for k in range(8)}
        assert len(hands) > 1 and len(piles) > 1
