"""The list of moves, which has each set of moves in one order, leads wherever all orders lead."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from stone_table import AWAY, HOME, LANDING, NEAR, NOBODY, SEA, SYMBOL, TARGET, Table, situation

from lumis_fast.core import steps
from lumis_fast.games.stone_guardians import ACTIONS

SHIP = (HOME, SEA)


def ends(table: Table, ordered: bool) -> tuple[set[bytes], int]:
    """Play every sequence of listed moves; give what they lead to, and the positions on the way.

    Without `ordered` each position is taken as if no move came before, so that all are listed.
    """
    found: set[bytes] = set()
    open_, seen = [table.state.copy()], {table.state.tobytes()}
    while open_:
        state = open_.pop()
        for move in _listed(table, state):
            if ACTIONS[move["action"]].startswith("end_"):
                found.add(_end_of(state))
                continue
            after = state.copy()
            steps.play(table.rules, table.work, after, move)
            if not ordered:
                after["cursor"], after["last_target"] = 0, NOBODY
            if after.tobytes() not in seen:
                seen.add(after.tobytes())
                open_.append(after)
    return found, len(seen)


def _listed(table: Table, state: np.void) -> np.ndarray:
    n = steps.legal_moves(table.rules, table.work, state, table.moves)
    assert n <= len(table.moves)
    return table.moves[:n].copy()


def _end_of(state: np.void) -> bytes:
    """What the end of a stage keeps."""
    kept = state.copy()
    kept["unmoved"], kept["sailed"] = 0, 0
    kept["cursor"], kept["last_target"] = 0, NOBODY
    return kept.tobytes()


def setting_of_all_kinds() -> Table:
    table = situation({HOME: 7, SYMBOL: 7, TARGET: 8}, {})
    table.clear((-4, 3))
    table.state["to_place"][0], table.state["markers"][0], table.state["ship_stock"][0] = 2, 1, 2
    table.begin("setting")
    return table


def setting_with_little_room() -> Table:
    table = situation({HOME: 6, SYMBOL: 5, TARGET: 7}, {})
    table.clear((-4, 3))
    table.state["to_place"][0] = 3
    table.begin("setting")
    return table


def movement_with_ships() -> Table:
    table = situation({HOME: 3, NEAR: 3, AWAY: 2}, {TARGET: 1, (1, 2): 1})
    table.clear((-4, 3))
    table.ship(*SHIP)
    table.ship(AWAY, SEA)
    table.state["sticks"][0] = 1
    table.movement()
    return table


def formation_in_a_chain() -> Table:
    """One army each in the provinces between two stocks: none can leave until one comes in."""
    table = situation({HOME: 3, NEAR: 1, TARGET: 1, SYMBOL: 1, (4, -2): 2})
    table.clear((-4, 3))
    table.formation()
    return table


def formation_against_the_numbers() -> Table:
    """The stock has the highest number of the map's provinces, so chains lead downwards."""
    table = situation({(5, -1): 4, NEAR: 1, HOME: 2, SYMBOL: 1, TARGET: 1})
    table.clear((-4, 3))
    table.formation()
    return table


def formation_with_a_trip() -> Table:
    table = situation({HOME: 3, AWAY: 1, LANDING: 1, (1, 2): 2})
    table.clear((-4, 3))
    table.ship(*SHIP)
    table.state["sticks"][0] = 2
    table.formation()
    return table


def formation_with_two_ships() -> Table:
    table = situation({HOME: 2, AWAY: 2, (1, 2): 1})
    table.clear((-4, 3))
    table.ship(*SHIP)
    table.ship(AWAY, SEA)
    table.state["sticks"][0] = 3
    table.formation()
    return table


@pytest.mark.parametrize(
    "lay_out",
    [
        setting_of_all_kinds,
        setting_with_little_room,
        movement_with_ships,
        formation_in_a_chain,
        formation_against_the_numbers,
        formation_with_a_trip,
        formation_with_two_ships,
    ],
)
def test_every_end_of_a_stage_is_reached_in_the_listed_order(lay_out: Callable[[], Table]):
    everywhere, _ = ends(lay_out(), ordered=False)
    listed, _ = ends(lay_out(), ordered=True)
    assert listed == everywhere and len(everywhere) > 5


def test_a_set_of_moves_is_listed_in_one_order_only():
    """Two marches from different provinces: one way to make both, not two."""
    table = situation({HOME: 2, (-4, 0): 2})
    table.movement()
    table.do("move", origin=(-4, 0), target=(-4, 1), count=1)
    assert table.may("move", origin=HOME, target=TARGET, count=1)
    listed = [move for move in table.legal_moves() if move["origin"] == table.at(HOME)]
    assert not listed
    table = situation({HOME: 2, (-4, 0): 2})
    table.movement()
    table.do("move", origin=HOME, target=TARGET, count=1)
    wanted = table.named("move", origin=(-4, 0), target=(-4, 1), count=1)
    assert wanted.tobytes() in [move.tobytes() for move in table.legal_moves()]


def test_armies_that_waited_for_others_are_listed_when_these_come():
    table = situation({(5, -1): 4, NEAR: 1, TARGET: 1})
    table.formation()
    table.do("move", origin=(5, -1), target=NEAR, count=3)
    on = table.named("move", origin=NEAR, target=TARGET, count=1)
    assert on.tobytes() in [move.tobytes() for move in table.legal_moves()]
