"""Players written in Python by users.

A player is a class in any importable module; the spec ``module:Class`` or
``module:Class:option=value`` seats it. One object is made for each game and seat::

    class Careful:
        def __init__(self, seat, game, depth=2):
            ...

        def choose(self, view):
            return view.legal_moves()[0]

`choose` is called where the seat has to move. It answers with one of `view.legal_moves()`, with
a place in that list, or with any other legal step in the form of the record format. The view
holds what the seat can see, no more; `View.sample` draws the rest at random for own rollouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lumis_fast.core import steps
from lumis_fast.core.protocol import MAX_SEATS, GameTypes
from lumis_fast.core.streams import STREAM
from lumis_fast.errors import InputError
from lumis_fast.players.spec import PlayerSpec, load_user_class, told

if TYPE_CHECKING:
    from lumis_fast.core.game import Game
    from lumis_fast.core.ruleset import Ruleset

__all__ = ["FirstLegal", "Position", "Setting", "UserSeats", "View"]

JSON = dict[str, Any]


@dataclass(frozen=True)
class Setting:
    """What is played: a game with a ruleset for a number of seats.

    Parameters
    ----------
    game : Game
    ruleset : Ruleset
    types : GameTypes
    rules : rules record
    """

    game: Game
    ruleset: Ruleset
    types: GameTypes
    rules: np.void


class Position:
    """A position that can be played on, every hidden thing in it drawn.

    Parameters
    ----------
    setting : Setting
    state : state record
        The position's own.
    """

    def __init__(self, setting: Setting, state: np.void) -> None:
        self._setting, self._rules, self._state = setting, setting.rules, state
        self._work = np.zeros(1, setting.types.work)[0]

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self._state["over"])

    @property
    def to_move(self) -> int:
        """The seat to move."""
        return int(self._state["to_move"])

    @property
    def turn(self) -> int:
        """The number of turns taken so far."""
        return int(self._state["turn"])

    def position(self) -> JSON:
        """Give the position as plain data, as `Game.position` does.

        Returns
        -------
        dict
        """
        setting = self._setting
        return setting.game.position(setting.ruleset, self._rules, self._state)

    def legal_moves(self) -> list[JSON]:
        """List the moves that the seat to move may choose from, as steps of a record.

        Returns
        -------
        list of dict
        """
        step = self._setting.game.step
        return [step(self._rules, self._state, move) for move in self._moves()]

    def play(self, move: JSON | int) -> None:
        """Play a step, or the move at a place of `legal_moves`.

        Parameters
        ----------
        move : dict or int

        Raises
        ------
        InputError
            Where it is not legal.
        """
        steps.play(self._rules, self._work, self._state, self.read_move(move))

    def returns(self) -> list[float]:
        """Tell what each seat got from the game, which is over.

        Returns
        -------
        list of float
        """
        if not self.over:
            raise InputError("returns exist only where the game is over, and it is not")
        values = np.zeros(MAX_SEATS)
        steps.returns(self._rules, self._state, values)
        return values.tolist()

    def copy(self) -> Position:
        """Give an independent copy.

        Returns
        -------
        Position
        """
        return Position(self._setting, self._state.copy())

    def read_move(self, move: JSON | int) -> np.void:
        """Read a legal step, or a place in `legal_moves`, into a move record.

        Parameters
        ----------
        move : dict or int

        Returns
        -------
        move record

        Raises
        ------
        InputError
            Where it is no legal move.
        """
        if isinstance(move, int | np.integer) and not isinstance(move, bool):
            moves = self._moves()
            if not 0 <= move < len(moves):
                raise InputError(f"move {move} does not exist, expected 0 to {len(moves) - 1}")
            return moves[move]
        if not isinstance(move, dict):
            raise InputError(
                f"{move!r} is no move, expected a step (a dict) or a place in the list"
            )
        record = np.zeros(1, self._setting.types.move)[0]
        self._setting.game.load_step(self._rules, self._state, move, record)
        if not steps.is_legal(self._rules, self._work, self._state, record):
            raise InputError(
                f"the step {move} is not legal, expected one like those that are listed"
            )
        return record

    def _moves(self) -> np.ndarray:
        moves = np.zeros(256, self._setting.types.move)
        n = steps.legal_moves(self._rules, self._work, self._state, moves)
        if n > len(moves):
            moves = np.zeros(n, self._setting.types.move)
            steps.legal_moves(self._rules, self._work, self._state, moves)
        return moves[:n]


class View(Position):
    """What a seat can see of a game.

    Parameters
    ----------
    setting : Setting
    state : state record
        It holds nothing that the seat cannot see.
    seat : int
    """

    def __init__(self, setting: Setting, state: np.void, seat: int) -> None:
        super().__init__(setting, state)
        self.seat = seat

    def position(self) -> JSON:
        """Give the position as plain data, as the seat sees it.

        Returns
        -------
        dict
        """
        setting = self._setting
        return setting.game.position(setting.ruleset, self._rules, self._state, self.seat)

    def play(self, move: JSON | int) -> None:
        """Refuse: a view has blanks; `sample` gives a position to play on.

        Parameters
        ----------
        move : dict or int

        Raises
        ------
        InputError
            Always.
        """
        raise InputError("a view cannot be played on, expected a position from View.sample")

    def copy(self) -> View:
        """Give an independent copy.

        Returns
        -------
        View
        """
        return View(self._setting, self._state.copy(), self.seat)

    def sample(self, seed: int) -> Position:
        """Draw what the seat cannot see, uniformly among what fits what it has seen.

        Parameters
        ----------
        seed : int
            From 0 to 2**64 - 1; the same seed gives the same draw.

        Returns
        -------
        Position
        """
        state, stream = self._state.copy(), np.zeros(1, STREAM)[0]
        stream["key"][:], stream["used"] = (seed, 0), 8
        steps.determinize(self._rules, self._work, state, self.seat, stream)
        return Position(self._setting, state)


class FirstLegal:
    """The example of a user's player: always the first move that is listed.

    Parameters
    ----------
    seat : int
    game : Game
    """

    def __init__(self, seat: int, game: Game) -> None:
        self.seat = seat

    def choose(self, view: View) -> JSON | int:
        """Choose the first move.

        Parameters
        ----------
        view : View

        Returns
        -------
        int
            A place in `view.legal_moves()`.
        """
        return 0


class UserSeats:
    """The users' players of a thread's games: makes their objects and asks them.

    Parameters
    ----------
    setting : Setting
    specs : sequence of PlayerSpec
        All players of the match.
    """

    def __init__(self, setting: Setting, specs: Sequence[PlayerSpec]) -> None:
        self._setting, self._specs = setting, specs
        self._classes = {spec.name: load_user_class(spec) for spec in specs if spec.is_user}
        self._index = -1
        self._objects: dict[int, Any] = {}

    def choose(self, index: int, rotation: int, step: int, table: Any) -> None:
        """Ask the player to move, and write its answer to the table.

        Parameters
        ----------
        index, rotation : int
            The game.
        step : int
            The number of steps played so far.
        table : Table
            Its view is what the seat sees; its move is written.

        Raises
        ------
        InputError
            Where the player fails or its answer is no legal move.
        """
        seat = int(table.seen["to_move"][0])
        spec = self._specs[(seat - rotation) % len(self._specs)]
        if index != self._index:
            self._index, self._objects = index, {}
        view = View(self._setting, table.seen[0].copy(), seat)
        where = f"player '{spec}' on seat {seat} in game {index}, step {step + 1}"
        try:
            if seat not in self._objects:
                made = self._classes[spec.name](seat, self._setting.game, **spec.options)
                self._objects[seat] = made
            answer = self._objects[seat].choose(view.copy())
        except Exception as error:
            raise InputError(f"{where}, failed: {told(error)}") from error
        try:
            table.move[0] = view.read_move(answer)
        except InputError as error:
            raise InputError(f"{where}, gave no legal move: {error}") from error
