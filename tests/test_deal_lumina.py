"""How the engine deals Lumina Spell: everything that is random is so uniformly (rulings D1 to D4,
24). Probabilities are worked out by counting; streams are fixed.
"""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cache

import numpy as np
import pytest
from engine import Engine
from lumina_rulesets import ruleset
from rules_check import chi_square

from lumis_fast.core import protocol
from lumis_fast.core.copying import assign
from lumis_fast.core.jit import entry
from lumis_fast.games.lumina_spell import GAME

MANY = 6000
PLAUSIBLE = 0.001
"""A right distribution gives less in one of a thousand tests; the streams are fixed."""


@entry
def _deal_often(rules, work, state, seed, dealt):
    for deal in range(len(dealt)):
        protocol.new_game(rules, work, state, seed, deal)
        assign(dealt[deal], state)


@cache
def dealt(seats: int) -> list[dict]:
    """The set-ups of many deals of the standard game."""
    engine = Engine(GAME, GAME.load_ruleset(), seats, 1, 0)
    states = np.zeros(MANY, engine.types.state)
    _deal_often(engine.rules, engine.work, engine.state, np.uint64(11), states)
    return [GAME.setup(engine.rules, state) for state in states]


def uniform(outcomes) -> dict:
    listed = list(outcomes)
    return dict.fromkeys(listed, 1 / len(listed))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_r24_every_seat_begins_as_often(seats):
    firsts = Counter(setup["first"] for setup in dealt(seats))
    assert chi_square(firsts, uniform(range(seats))) > PLAUSIBLE


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_d3_rainbow_tiles_are_dealt_at_random(seats):
    """To the seats in order and then to the centre: any different ones of the five."""
    numbers = Counter(
        tuple(tile[1] for tile in (*setup["starting_tiles"], setup["board"][3][3]))
        for setup in dealt(seats)
    )
    assert chi_square(numbers, uniform(itertools.permutations(range(1, 6), seats + 1))) > PLAUSIBLE


@pytest.mark.parametrize("name", ["standard", "three-colours", "largest", "two_colours"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_d1_d2_all_ordinary_tiles_lie_around_a_rainbow_tile(name, seats):
    engine = Engine(GAME, ruleset(name), seats, 2, 0)
    setup, values = engine.setup(), engine.ruleset.values
    tiles = [tuple(tile) for row in setup["board"] for tile in row]
    assert tiles.pop(len(tiles) // 2)[0] == "rainbow"
    assert set(Counter(tiles).values()) == {values["copies"]}
    assert len(set(tiles)) == values["colours"] * values["numbers"]
    assert len({colour for colour, _ in tiles}) == values["colours"]
    assert {number for _, number in tiles} == set(range(1, values["numbers"] + 1))


TILES = [
    (colour, number) for colour in ("red", "yellow", "green", "blue") for number in range(1, 7)
]


@pytest.mark.parametrize("cell", [(0, 0), (3, 2), (3, 4), (6, 6)])
def test_any_tile_may_lie_in_any_cell(cell):
    found = Counter(tuple(setup["board"][cell[0]][cell[1]]) for setup in dealt(2))
    assert chi_square(found, uniform(TILES)) > PLAUSIBLE


def test_cells_do_not_hang_together():
    """Two of the 48 tiles are of each kind; the second cell has one of the other 47."""
    found = Counter((*setup["board"][0][0], *setup["board"][0][1]) for setup in dealt(2))
    expected = {
        (*one, *other): 2 / 48 * (1 if one == other else 2) / 47 for one in TILES for other in TILES
    }
    assert chi_square(found, expected) > PLAUSIBLE


def test_d4_the_deck_is_shuffled():
    pairs = Counter(tuple(setup["deck"][:2]) for setup in dealt(3))
    assert chi_square(pairs, uniform(itertools.permutations(range(1, 19), 2))) > PLAUSIBLE
    last = Counter(setup["deck"][-1] for setup in dealt(3))
    assert chi_square(last, uniform(range(1, 19))) > PLAUSIBLE
    assert all(sorted(setup["deck"]) == list(range(1, 19)) for setup in dealt(3)[:50])
