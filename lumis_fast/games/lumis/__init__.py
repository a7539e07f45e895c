"""Lumis: The Path of Fire. Hex connection with towers, cards and takeovers; 2 or 2 + 2 seats.

`GAME` is what the command line, the run layer and tests need; compiled code is loaded on use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lumis_fast.core.game import JSON, Game
from lumis_fast.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from rich.text import Text

    from lumis_fast.core.protocol import GameTypes
    from lumis_fast.core.ruleset import Row, Ruleset

__all__ = ["ACTIONS", "GAME", "REASONS", "Lumis"]

ACTIONS = ("draw", "give", "tower", "base", "connect", "skip")
REASONS = ("connected", "out_of_fire_stones", "stuck", "unfinished")


class Lumis(Game):
    """Lumis as Python sees it; see `lumis_fast.core.game.Game`."""

    name = "lumis"
    seats = (2, 4)
    actions = ACTIONS
    reasons = REASONS

    def load_ruleset(
        self, name_or_path: str | None = None, changes: Mapping[str, Any] | None = None
    ) -> Ruleset:
        from lumis_fast.games.lumis.ruleset import load

        return load("standard" if name_or_path is None else name_or_path, changes)

    def restore_ruleset(self, plain: Any, path: str | None = None) -> Ruleset:
        from lumis_fast.games.lumis.ruleset import restore

        return restore(plain, path)

    def shipped_rulesets(self) -> tuple[str, ...]:
        from lumis_fast.games.lumis.ruleset import RULESETS

        return ("standard", *(name for name in RULESETS if name != "standard"))

    def ruleset_table(self, ruleset: Ruleset) -> list[Row]:
        from lumis_fast.games.lumis.ruleset import table

        return table(ruleset)

    def types(self, ruleset: Ruleset) -> GameTypes:
        from lumis_fast.games.lumis.kernels import TYPES
        from lumis_fast.games.lumis.state import size_of

        return TYPES[size_of(ruleset.values["board"])]

    def build_rules(self, ruleset: Ruleset, seats: int) -> np.ndarray:
        from lumis_fast.games.lumis import state

        if seats not in self.seats:
            raise InputError(f"lumis is played by 2 or 4 seats, not by {seats}")
        return state.build_rules(ruleset.values, seats, self.types(ruleset).rules)

    def setup(self, rules: np.void, state: np.void) -> JSON:
        from lumis_fast.games.lumis import record

        return record.setup(rules, state)

    def load_setup(self, rules: np.void, state: np.void, setup: JSON) -> None:
        from lumis_fast.games.lumis import record

        record.load_setup(rules, state, setup)

    def step(self, rules: np.void, before: np.void, move: np.void) -> JSON:
        from lumis_fast.games.lumis import record

        return record.step(rules, before, move)

    def chance(self, rules: np.void, before: np.void, move: np.void, after: np.void) -> JSON:
        from lumis_fast.games.lumis import record

        return record.chance(rules, before, move, after)

    def load_step(self, rules: np.void, state: np.void, step: JSON, move: np.void) -> None:
        from lumis_fast.games.lumis import record

        record.load_step(rules, state, step, move)

    def position(
        self, ruleset: Ruleset, rules: np.void, state: np.void, seat: int | None = None
    ) -> JSON:
        from lumis_fast.games.lumis import record

        return record.position(rules, state, ruleset.values["board"], seat)

    def replay(
        self, record: JSON, ruleset: Ruleset | None = None
    ) -> Iterator[tuple[JSON | None, JSON]]:
        from lumis_fast.games.lumis.record import replay

        ruleset = ruleset or self.restore_ruleset(record["ruleset"])
        rules = self.build_rules(ruleset, len(record["seats"]))
        yield from replay(rules, self.types(ruleset), ruleset.values["board"], record)

    def describe(self, step: JSON) -> str:
        return super().describe({key: step[key] for key in step if key != "reshuffled"})

    def highlight(self, step: JSON, position: JSON) -> list[list[int]]:
        from lumis_fast.games.lumis.draw import highlight_of

        return highlight_of(step)

    def draw_terminal(self, position: JSON, highlight: Sequence[Sequence[int]] = ()) -> Text:
        from lumis_fast.games.lumis.draw import draw_terminal

        return draw_terminal(position, highlight=highlight)

    def draw_svg(self, position: JSON, highlight: Sequence[Sequence[int]] = ()) -> str:
        from lumis_fast.games.lumis.draw import draw_svg

        return draw_svg(position, highlight=highlight)


GAME = Lumis()
