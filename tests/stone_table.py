"""Situations of the Stone Guardians laid out by hand, and moves named by their spaces."""

from __future__ import annotations

from typing import Any

import numpy as np
from engine import Engine

from lumis_fast.core import steps
from lumis_fast.core.jit import entry
from lumis_fast.games.stone_guardians import (
    ACTIONS,
    GAME,
    ITEMS,
    REASONS,
    SPELLS,
    STAGES,
    SYMBOLS,
    play,
)

Hex = tuple[int, int]
NOBODY = 255

# Neighbours of each other, all in Rhuam but AWAY; a ship at HOME's edge reaches LANDING's by a
# single stick. SYMBOL is Rhuam's city symbol.
HOME, TARGET, NEAR, SYMBOL, AWAY = (3, 0), (3, 1), (4, 0), (4, -1), (2, 1)
CITY, LANDING, SEA = (0, 0), (1, 0), (2, 0)
REFUGES = [(-4, 3), (-3, 3), (-5, 0), (-5, 1)]
"""Far away: where each people has two armies in every situation, so that it is not out."""

ALWAYS_HIT = {"combat_deck": dict.fromkeys(SYMBOLS, 0) | {"city_hit": 23}}
"""Whoever has n armies, up to three, destroys n in each combat round."""


@entry
def _advance(rules, work, state):
    play.advance(rules, work, state)


class Table(Engine):
    """A game whose situation is laid out by hand."""

    def __init__(self, seats: int = 2, seed: int = 3, **changes: Any) -> None:
        super().__init__(GAME, GAME.load_ruleset("standard", changes or None), seats, seed, 0)

    def at(self, space: Hex) -> int:
        """The number of a province."""
        hexes = [
            (q, r)
            for q in range(-7, 8)
            for r in range(-7, 8)
            if max(abs(q), abs(r), abs(q + r)) <= 7
        ]
        return int(self.rules["map"]["province_at"][hexes.index(space)])

    def edge(self, space: Hex, sea: Hex) -> int:
        """The number of an edge, found by the province and the hex of the sea."""
        tables, province = self.rules["map"], self.at(space)
        for edge in range(tables["edges"]):
            if tables["edge_province"][edge] == province:
                q, r = self._hex(int(tables["edge_hex"][edge]))
                if (q, r) == sea:
                    return edge
        raise AssertionError(f"no edge {space}, {sea}")

    @staticmethod
    def _hex(number: int) -> Hex:
        hexes = [
            (q, r)
            for q in range(-7, 8)
            for r in range(-7, 8)
            if max(abs(q), abs(r), abs(q + r)) <= 7
        ]
        return hexes[number]

    # Laying out -----------------------------------------------------------------------------

    def put(self, people: int, space: Hex, armies: int) -> None:
        """Give a people a province; golems there are gone."""
        state, province = self.state, self.at(space)
        self.clear(space)
        state["owned"][people] |= np.uint64(1 << province)
        state["armies"][province] = armies
        state["supply"][people] -= armies

    def clear(self, space: Hex) -> None:
        """Empty a province."""
        state, province = self.state, self.at(space)
        for people in range(4):
            if int(state["owned"][people]) >> province & 1:
                state["supply"][people] += state["armies"][province]
                state["owned"][people] &= ~np.uint64(1 << province)
        state["armies"][province] = state["golems"][province] = 0

    def ship(self, space: Hex, sea: Hex) -> None:
        """Lay a ship at an edge."""
        edge = self.edge(space, sea)
        self.state["ships"][edge // 64] |= np.uint64(1 << edge % 64)

    def marker(self, space: Hex) -> None:
        """Build a city."""
        self.state["cities"] |= np.uint64(1 << self.at(space))

    def hold(self, people: int, armies: int = 2, since: int = 1) -> None:
        """Give a people Lutao's city."""
        self.put(people, CITY, armies)
        self.state["holder"], self.state["hold_since"] = people, since

    def begin(self, stage: str, people: int = 0) -> None:
        """Go on from the beginning of a stage of a people."""
        state = self.state
        state["stage"], state["people"] = STAGES.index(stage), people
        state["stone"] = state["order"].tolist().index(people)
        state["cursor"], state["last_target"] = 0, NOBODY
        _advance(self.rules, self.work, state)

    def movement(self, people: int = 0) -> None:
        """Begin a people's movement."""
        self.begin("before_action", people)

    def formation(self, people: int = 0) -> None:
        """Begin a people's formation."""
        self.begin("fight_order", people)

    # Moves ----------------------------------------------------------------------------------

    def named(self, action: str, **arguments: Any) -> np.void:
        """Make a move; a ship's place is a pair of spaces."""
        move = np.zeros(1, self.types.move)[0]
        move["action"] = ACTIONS.index(action)
        for key, value in arguments.items():
            if key in ("origin", "target"):
                move[key] = self.at(value)
            elif key == "ship":
                move["ship"], move["origin"] = self.edge(*value), self.at(value[0])
            elif key == "edge":
                move["edge"], move["target"] = self.edge(*value), self.at(value[0])
            elif key == "what":
                kinds = {"hold_back": SYMBOLS, "discard_spell": SPELLS, "buy": ITEMS}[action]
                move["what"] = kinds.index(value)
            else:
                move[key] = value
        return move

    def may(self, action: str, **arguments: Any) -> bool:
        """Tell whether a move is legal, and that the list agrees where no move came before."""
        move = self.named(action, **arguments)
        verdict = bool(steps.is_legal(self.rules, self.work, self.state, move))
        if self.state["cursor"] == 0 and self.state["last_target"] == NOBODY:
            listed = [m.tobytes() for m in self.legal_moves()]
            assert verdict == (move.tobytes() in listed)
        return verdict

    def do(self, action: str, **arguments: Any) -> None:
        """Play a move that must be legal."""
        assert self.may(action, **arguments), (action, arguments, self.stage)
        steps.play(self.rules, self.work, self.state, self.named(action, **arguments))

    def hold_back_all(self) -> None:
        """Play a fight to its end; which cards are held back must not matter."""
        while self.stage in ("attacker_holds_back", "defender_holds_back"):
            steps.play(self.rules, self.work, self.state, self.legal_moves()[0].copy())

    def kinds(self) -> set[str]:
        """The kinds of the moves that are listed."""
        return {ACTIONS[move["action"]] for move in self.legal_moves()}

    # What lies there ------------------------------------------------------------------------

    @property
    def stage(self) -> str:
        return STAGES[self.state["stage"]]

    @property
    def reason(self) -> str:
        assert self.state["over"]
        return REASONS[self.state["reason"]]

    def owner(self, space: Hex) -> int | None:
        bit = 1 << self.at(space)
        owners = [p for p in range(4) if int(self.state["owned"][p]) & bit]
        assert len(owners) <= 1
        return owners[0] if owners else None

    def armies(self, space: Hex) -> int:
        return int(self.state["armies"][self.at(space)])

    def attackers(self, space: Hex) -> int:
        return int(self.state["attackers"][self.at(space)])

    def golems(self, space: Hex) -> int:
        return int(self.state["golems"][self.at(space)])

    def has_ship(self, space: Hex, sea: Hex) -> bool:
        edge = self.edge(space, sea)
        return bool(int(self.state["ships"][edge // 64]) >> edge % 64 & 1)

    def has_city(self, space: Hex) -> bool:
        return bool(int(self.state["cities"]) >> self.at(space) & 1)

    def of(self, field: str, people: int = 0) -> int:
        """A number that a people has."""
        return int(self.state[field][people])

    def values_of_end(self) -> list[float]:
        values = np.zeros(4)
        steps.returns(self.rules, self.state, values)
        return values[: int(self.rules["seats"])].tolist()


def situation(*lands: dict[Hex, int], **changes: Any) -> Table:
    """A game in which each people has these armies, and two in its refuge, and nothing else.

    Golems are as at the start, but where a people is they are gone. No markers are left to place.
    """
    seats = max(2, len(lands))
    table = Table(seats, **changes)
    state = table.state
    for space in [table._hex(int(h)) for h in table.rules["map"]["hex_of"]][
        : int(table.rules["map"]["provinces"])
    ]:
        if table.owner(space) is not None:
            table.clear(space)
    for people in range(seats):
        state["supply"][people] += state["to_place"][people]
        state["to_place"][people] = state["markers"][people] = 0
        land = lands[people] if people < len(lands) else {}
        for space, armies in {REFUGES[people]: 2, **land}.items():
            table.put(people, space, armies)
    state["order"][:seats] = range(seats)
    return table
