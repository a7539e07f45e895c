"""What the command line, the run layer and tests need of a game, besides its compiled functions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from rich.text import Text

    from lumis_fast.core.protocol import GameTypes
    from lumis_fast.core.ruleset import Row, Ruleset

__all__ = ["Game"]

JSON = dict[str, Any]


class Game(ABC):
    """A game as Python sees it. Making one loads nothing heavy; numba comes with `types`.

    Attributes
    ----------
    name : str
        As on the command line and in records.
    seats : tuple of int
        The numbers of seats it can be played with.
    actions, reasons : tuple of str
        The fixed words of its records, in the order of their numbers in compiled code.
    """

    name: str
    seats: tuple[int, ...]
    actions: tuple[str, ...]
    reasons: tuple[str, ...]

    @abstractmethod
    def load_ruleset(
        self, name_or_path: str | None = None, changes: Mapping[str, Any] | None = None
    ) -> Ruleset:
        """Load a shipped ruleset (None: the standard one) or a file, with changes applied."""

    @abstractmethod
    def restore_ruleset(self, plain: Any, path: str | None = None) -> Ruleset:
        """Build a ruleset again from a record's or manifest's `ruleset`."""

    @abstractmethod
    def shipped_rulesets(self) -> tuple[str, ...]:
        """Name the rulesets that come with the game, the standard one first."""

    @abstractmethod
    def ruleset_table(self, ruleset: Ruleset) -> list[Row]:
        """Give rows of (name, value, source, cap, meaning, note)."""

    @abstractmethod
    def types(self, ruleset: Ruleset) -> GameTypes:
        """Give the record types that games with this ruleset are played with."""

    @abstractmethod
    def build_rules(self, ruleset: Ruleset, seats: int) -> np.ndarray:
        """Give an array of one rules record."""

    @abstractmethod
    def setup(self, rules: np.void, state: np.void) -> JSON:
        """Give a new game's `setup` as the record format has it."""

    @abstractmethod
    def load_setup(self, rules: np.void, state: np.void, setup: JSON) -> None:
        """Set a state to the first turn of a recorded set-up."""

    @abstractmethod
    def step(self, rules: np.void, before: np.void, move: np.void) -> JSON:
        """Give a move as a record's step, without what chance answered."""

    @abstractmethod
    def chance(self, rules: np.void, before: np.void, move: np.void, after: np.void) -> JSON:
        """Give what chance answered to a move, to be merged into its step."""

    @abstractmethod
    def load_step(self, rules: np.void, state: np.void, step: JSON, move: np.void) -> None:
        """Read a step into a move record; what is no move at all is an `InputError`."""

    @abstractmethod
    def position(
        self, ruleset: Ruleset, rules: np.void, state: np.void, seat: int | None = None
    ) -> JSON:
        """Give a position as plain data, as `seat` sees it (None: everything)."""

    @abstractmethod
    def replay(
        self, record: JSON, ruleset: Ruleset | None = None
    ) -> Iterator[tuple[JSON | None, JSON]]:
        """Check a record step by step; yield (None, position), then (step, position after it).

        The ruleset is the record's own, found by its name, where none is given.
        """

    def describe(self, step: JSON) -> str:
        """Say in one line what a step does; as it stands, its action and arguments as JSON."""
        told = (f"{key} {value}" for key, value in step.items() if key not in ("seat", "action"))
        return f"{step['action']} {', '.join(part for part in told if part[:2] != 'x_')}".rstrip()

    def highlight(self, step: JSON, position: JSON) -> list[list[int]]:
        """Give the spaces to mark in a picture of the position after a step; none as it stands."""
        return []

    @abstractmethod
    def draw_terminal(self, position: JSON, highlight: Sequence[Sequence[int]] = ()) -> Text:
        """Draw a position for the terminal."""

    @abstractmethod
    def draw_svg(self, position: JSON, highlight: Sequence[Sequence[int]] = ()) -> str:
        """Draw a position as an SVG document."""
