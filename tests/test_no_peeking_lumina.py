"""No player of Lumina Spell peeks: the order of the deck has no influence on what it plays."""

from __future__ import annotations

import pytest
from engine import Engine
from no_peeking import PLAYERS, check_decisions, redrawn

from lumis_fast.games.lumina_spell import GAME


def position(seats: int, deal: int, turns: int, claims: int = 0) -> Engine:
    """A position of a greedy game, so many turns on, or later where it is amid a claim turn."""
    engine = Engine(GAME, GAME.load_ruleset(), seats, 9, deal)
    while engine.state["turn"] < turns or engine.state["claims"] < claims:
        engine.play(engine.greedy_move())
    return engine


@pytest.fixture(scope="module", params=[2, 3, 4])
def positions(request) -> list[Engine]:
    """Positions at the start, in the middle, amid a claim turn and late."""
    seats = request.param
    found = [position(seats, 0, 0), position(seats, 1, 8), position(seats, 2, 5, claims=1)]
    found.append(position(seats, 3, 14))
    assert not any(engine.state["over"] for engine in found)
    return found


@pytest.mark.parametrize("spec", PLAYERS)
def test_what_is_hidden_has_no_influence(positions, spec):
    check_decisions(positions, spec)


def test_redrawing_does_change_the_deck(positions):
    for engine in positions:
        size = int(engine.rules["deck_size"]) - int(engine.state["revealed"])
        assert size >= 3
        orders = {redrawn(engine, number)["deck"].tobytes() for number in range(8)}
        assert len(orders) > 1
