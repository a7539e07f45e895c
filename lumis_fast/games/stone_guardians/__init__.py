"""The Island of the Stone Guardians: area control over 64 provinces; 2 to 4 seats.

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

__all__ = [
    "ACTIONS",
    "GAME",
    "ITEMS",
    "REASONS",
    "SPELLS",
    "STAGES",
    "SYMBOLS",
    "StoneGuardians",
]

ACTIONS = (
    "place_country",
    "place_marker",
    "place_armies",
    "place_ship",
    "end_setting",
    "move",
    "sail",
    "unload",
    "load",
    "sail_on",
    "land",
    "end_movement",
    "fight",
    "hold_back",
    "end_formation",
    "golem_attack",
    "golem_place",
    "end_golems",
    "discard_spell",
    "buy",
)
REASONS = ("lutao_held", "last_left", "unfinished")
SYMBOLS = ("miss", "hit", "city_hit", "hero_strike", "shield")
ITEMS = ("armies", "markers", "ships", "sticks")
SPELLS = (
    "stop_the_spell",
    "strength",
    "frenzy",
    "great_host",
    "weakness",
    "guard",
    "true_aim",
    "heroism",
    "stumble",
    "turn_of_fate",
    "lightning",
    "rain_of_fire",
    "reinforcements",
    "forced_march",
    "fair_wind",
    "tribute",
    "spell_theft",
    "change_of_rank",
    "new_rune",
    "new_people",
)
STAGES = (
    # Strategic set-up.
    "draft",
    # Phases of a round.
    "setting",
    "before_action",
    "movement",
    "after_movement",
    "fight_order",
    "formation",
    "stopover",
    "after_formation",
    "golems",
    "victory_check",
    "counting",
    "change_of_rank",
    "acquisition",
    "discarding",
    "buying",
    # A fight, and each of its combat rounds (rulings, G11).
    "before_fight",
    "first_strike",
    "before_drawing",
    "drawing",
    "attacker_holds_back",
    "defender_holds_back",
    "discarding_unplayed",
    "revealing",
    "choosing",
    "redrawing",
    "after_reveal",
    "evaluating",
    "after_round",
    "after_fight",
)
"""Every window of a round and of a fight, in order; a stage that nobody can use passes at once."""


class StoneGuardians(Game):
    """The Stone Guardians as Python sees it; see `lumis_fast.core.game.Game`."""

    name = "stone-guardians"
    seats = (2, 3, 4)
    actions = ACTIONS
    reasons = REASONS

    def load_ruleset(
        self, name_or_path: str | None = None, changes: Mapping[str, Any] | None = None
    ) -> Ruleset:
        from lumis_fast.games.stone_guardians.ruleset import load

        return load(name_or_path or "standard", changes)

    def restore_ruleset(self, plain: Any, path: str | None = None) -> Ruleset:
        from lumis_fast.games.stone_guardians.ruleset import restore

        return restore(plain, path)

    def shipped_rulesets(self) -> tuple[str, ...]:
        from lumis_fast.games.stone_guardians.ruleset import RULESETS

        return ("standard", *(name for name in RULESETS if name != "standard"))

    def ruleset_table(self, ruleset: Ruleset) -> list[Row]:
        from lumis_fast.games.stone_guardians.ruleset import table

        return table(ruleset)

    def types(self, ruleset: Ruleset) -> GameTypes:
        from lumis_fast.games.stone_guardians.kernels import TYPES

        return TYPES

    def build_rules(self, ruleset: Ruleset, seats: int) -> np.ndarray:
        from lumis_fast.games.stone_guardians import state

        if seats not in self.seats:
            raise InputError(f"stone-guardians is played by 2, 3 or 4 seats, not by {seats}")
        return state.build_rules(ruleset.values, seats, self.types(ruleset).rules)

    def setup(self, rules: np.void, state: np.void) -> JSON:
        from lumis_fast.games.stone_guardians import record

        return record.setup(rules, state)

    def load_setup(self, rules: np.void, state: np.void, setup: JSON) -> None:
        from lumis_fast.games.stone_guardians import record

        record.load_setup(rules, state, setup)

    def step(self, rules: np.void, before: np.void, move: np.void) -> JSON:
        from lumis_fast.games.stone_guardians import record

        return record.step(rules, before, move)

    def chance(self, rules: np.void, before: np.void, move: np.void, after: np.void) -> JSON:
        from lumis_fast.games.stone_guardians import record

        return record.chance(rules, before, move, after)

    def load_step(self, rules: np.void, state: np.void, step: JSON, move: np.void) -> None:
        from lumis_fast.games.stone_guardians import record

        record.load_step(rules, state, step, move)

    def position(
        self, ruleset: Ruleset, rules: np.void, state: np.void, seat: int | None = None
    ) -> JSON:
        from lumis_fast.games.stone_guardians import record

        return record.position(rules, state, seat)

    def replay(
        self, record: JSON, ruleset: Ruleset | None = None
    ) -> Iterator[tuple[JSON | None, JSON]]:
        from lumis_fast.games.stone_guardians.record import replay

        ruleset = ruleset or self.restore_ruleset(record["ruleset"])
        rules = self.build_rules(ruleset, len(record["seats"]))
        yield from replay(rules, self.types(ruleset), record)

    def describe(self, step: JSON) -> str:
        from lumis_fast.games.stone_guardians.draw import describe

        return describe(step)

    def highlight(self, step: JSON, position: JSON) -> list[list[int]]:
        from lumis_fast.games.stone_guardians.draw import highlight_of

        return highlight_of(step, position)

    def draw_terminal(self, position: JSON, highlight: Sequence[Sequence[int]] = ()) -> Text:
        from lumis_fast.games.stone_guardians.draw import draw_terminal

        return draw_terminal(position, highlight=highlight)

    def draw_svg(self, position: JSON, highlight: Sequence[Sequence[int]] = ()) -> str:
        from lumis_fast.games.stone_guardians.draw import draw_svg

        return draw_svg(position, highlight=highlight)


GAME = StoneGuardians()
