"""No player of the Stone Guardians peeks: others' cards and spells have no influence on it."""

from __future__ import annotations

import pytest
from engine import Engine
from no_peeking import PLAYERS, check_decisions, redrawn

from lumis_fast.games.stone_guardians import GAME, STAGES


def position(seats: int, deal: int, stage: str, skipped: int, **changes: bool) -> Engine:
    """A position of a greedy game: the decision of a stage after so many decisions."""
    engine = Engine(GAME, GAME.load_ruleset(None, changes), seats, 9, deal)
    made = 0
    while made < skipped or STAGES[engine.state["stage"]] != stage:
        engine.play(engine.greedy_move())
        made += 1
        assert not engine.state["over"]
    return engine


@pytest.fixture(scope="module", params=[2, 3, 4])
def positions(request) -> list[Engine]:
    """Both sides of a fight, and phases in which spells are held."""
    seats = request.param
    return [
        position(seats, 0, "setting", 0),
        position(seats, 1, "attacker_holds_back", 60),
        position(seats, 2, "defender_holds_back", 90),
        position(seats, 3, "movement", 150),
        position(seats, 4, "buying", 120),
        position(seats, 5, "draft", 2, strategic_setup=True),
    ]


@pytest.mark.parametrize("spec", PLAYERS)
def test_what_is_hidden_has_no_influence(positions, spec):
    check_decisions(positions, spec)


def test_redrawing_does_change_what_is_hidden(positions):
    """The attacker's hand and held-back card before the defender's decision, and the spells."""
    fight, later = positions[2], positions[4]
    hands = set()
    for number in range(12):
        state = redrawn(fight, number)
        hands.add((int(state["hand"][0]), int(state["held_back"][0])))
    assert len(hands) > 1
    own = int(later.state["to_move"])
    spells = {redrawn(later, n)["spells"].tobytes() for n in range(12)}
    assert len(spells) > 1
    for number in range(3):
        assert (redrawn(later, number)["spells"][own] == later.state["spells"][own]).all()


def test_redrawing_shuffles_the_countries_that_are_not_drawn_yet(positions):
    draft = positions[5]
    drawn = int(draft.state["drafted"]) + 1
    real = draft.state["draft_order"][:11].tolist()
    orders = [redrawn(draft, number)["draft_order"][:11].tolist() for number in range(40)]
    assert all(order[:drawn] == real[:drawn] and sorted(order) == sorted(real) for order in orders)
    # Eight are left; each of them is the next one at times.
    assert {order[drawn] for order in orders} == set(real[drawn:])
