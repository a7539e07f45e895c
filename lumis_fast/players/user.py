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
from typing import TYPE_CHECKING, Any

import numpy as np

from lumis_fast.core.protocol import MAX_SEATS, GameTypes
from lumis_fast.core.steps import check_move, draw_hidden, list_moves, play_move
from lumis_fast.core.streams import STREAM
from lumis_fast.errors import InputError
from lumis_fast.players.spec import PlayerSpec, load_user_class

if TYPE_CHECKING:
    from lumis_fast.core.game import Game

__all__ = ["FirstLegal", "Position", "UserSeats", "View"]

JSON = dict[str, Any]


class Position:
    """A position that can be played on, every hidden thing in it drawn.

    Parameters
    ----------
    game : Game
    types : GameTypes
    rules, state : arrays of one record
        The state is the position's own.
    """

    def __init__(self, game: Game, types: GameTypes, rules: np.ndarray, state: np.ndarray) -> None:
        self._game, self._types, self._rules, self._state = game, types, rules, state
        self._work = np.zeros(1, types.work)
        self._outcome = np.zeros((2, MAX_SEATS))

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self._state["over"][0])

    @property
    def to_move(self) -> int:
        """The seat to move."""
        return int(self._state["to_move"][0])

    @property
    def turn(self) -> int:
        """The number of turns taken so far."""
        return int(self._state["turn"][0])

    def position(self) -> JSON:
        """Give the position as plain data, as `Game.position` does.

        Returns
        -------
        dict
        """
        return self._game.position(self._rules[0], self._state[0])

    def legal_moves(self) -> list[JSON]:
        """List the moves that the seat to move may choose from, as steps of a record.

        Returns
        -------
        list of dict
        """
        return [self._game.step(self._rules[0], self._state[0], move) for move in self._moves()]

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
        record = self.read_move(move)
        play_move(self._rules, self._work, self._state, record, self._outcome)

    def returns(self) -> list[float]:
        """Tell what each seat got from the game, which is over.

        Returns
        -------
        list of float
        """
        if not self.over:
            raise InputError("returns exist only where the game is over, and it is not")
        return self._outcome[0].tolist()

    def copy(self) -> Position:
        """Give an independent copy.

        Returns
        -------
        Position
        """
        return Position(self._game, self._types, self._rules, self._state.copy())

    def read_move(self, move: JSON | int) -> np.ndarray:
        """Read a legal step, or a place in `legal_moves`, into an array of one move record.

        Parameters
        ----------
        move : dict or int

        Returns
        -------
        numpy.ndarray

        Raises
        ------
        InputError
            Where it is no legal move.
        """
        if isinstance(move, int | np.integer) and not isinstance(move, bool):
            moves = self._moves()
            if not 0 <= move < len(moves):
                raise InputError(f"move {move} does not exist, expected 0 to {len(moves) - 1}")
            return moves[move : move + 1]
        if not isinstance(move, dict):
            raise InputError(
                f"{move!r} is no move, expected a step (a dict) or a place in the list"
            )
        record = np.zeros(1, self._types.move)
        self._game.load_step(self._rules[0], self._state[0], move, record[0])
        if not check_move(self._rules, self._work, self._state, record):
            raise InputError(
                f"the step {move} is not legal, expected one like those that are listed"
            )
        return record

    def _moves(self) -> np.ndarray:
        moves = np.zeros(256, self._types.move)
        n = list_moves(self._rules, self._work, self._state, moves)
        if n > len(moves):
            moves = np.zeros(n, self._types.move)
            list_moves(self._rules, self._work, self._state, moves)
        return moves[:n]


class View(Position):
    """What a seat can see of a game.

    Parameters
    ----------
    game : Game
    types : GameTypes
    rules, state : arrays of one record
        The state holds nothing that the seat cannot see.
    seat : int
    """

    def __init__(
        self, game: Game, types: GameTypes, rules: np.ndarray, state: np.ndarray, seat: int
    ) -> None:
        super().__init__(game, types, rules, state)
        self.seat = seat

    def position(self) -> JSON:
        """Give the position as plain data, as the seat sees it.

        Returns
        -------
        dict
        """
        return self._game.position(self._rules[0], self._state[0], self.seat)

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
        return View(self._game, self._types, self._rules, self._state.copy(), self.seat)

    def sample(self, seed: int) -> Position:
        """Draw what the seat cannot see, uniformly among what fits what it has seen.

        Parameters
        ----------
        seed : int
            From 0 to 2**48 - 1; the same seed gives the same draw.

        Returns
        -------
        Position
        """
        state, stream = self._state.copy(), np.zeros(1, STREAM)
        draw_hidden(
            self._rules, self._work, self._state, self.seat, stream, np.uint64(0), seed, state
        )
        return Position(self._game, self._types, self._rules, state)


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
    game : Game
    types : GameTypes
    rules : array of one record
    specs : sequence of PlayerSpec
        All players of the match.
    """

    def __init__(
        self, game: Game, types: GameTypes, rules: np.ndarray, specs: Sequence[PlayerSpec]
    ) -> None:
        self._game, self._types, self._rules, self._specs = game, types, rules, specs
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
        seat = int(table.state["to_move"][0])
        spec = self._specs[(seat - rotation) % len(self._specs)]
        if index != self._index:
            self._index, self._objects = index, {}
        view = View(self._game, self._types, self._rules, table.seen.copy(), seat)
        where = f"player '{spec}' on seat {seat} in game {index}, step {step + 1}"
        try:
            if seat not in self._objects:
                made = self._classes[spec.name](seat, self._game, **spec.options)
                self._objects[seat] = made
            answer = self._objects[seat].choose(view.copy())
        except Exception as error:
            raise InputError(f"{where}, failed: {type(error).__name__}: {error}") from error
        try:
            table.move[:] = view.read_move(answer)
        except InputError as error:
            raise InputError(f"{where}, gave no legal move: {error}") from error
