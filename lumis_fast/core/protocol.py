"""The game protocol: what a game gives, and the generic functions that players call.

A game is four NumPy record types and a few compiled functions:

- *rules*: what a ruleset fixes; never written by kernels;
- *work*: scratch memory, one record a thread;
- *state*: one game in progress, with at least the fields ``turn``, ``to_move``, ``over``,
  ``reason`` and ``chance`` (a `lumis_fast.core.streams.STREAM`);
- *move*: one decision, with at least the field ``action``, the place of its kind in `actions`.

`register` binds them; afterwards the generic functions of this module, called from compiled code
with records of those types, run the game's own functions. There are no function pointers: each
caller is compiled for the game's types.

Every game gives ``new_game``, ``legal_moves``, ``is_legal``, ``play``, ``returns`` and
``uniform_move``. The others have a default, stated in the function's documentation.
"""

from __future__ import annotations

import types as pytypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numba
import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.core.typing.templates import infer, infer_global, make_overload_template

from lumis_fast.core.copying import assign, content_hash
from lumis_fast.core.jit import kernel, source_digest
from lumis_fast.core.streams import STREAM

__all__ = [
    "MAX_SEATS",
    "GameTypes",
    "determinize",
    "evaluate",
    "greedy_move",
    "is_available",
    "is_legal",
    "legal_moves",
    "move_key",
    "new_game",
    "observe",
    "play",
    "priors",
    "register",
    "returns",
    "scores",
    "uniform_move",
]

MAX_SEATS = 4
"""No game has more seats; arrays of returns have this length."""

_REQUIRED = ("new_game", "legal_moves", "is_legal", "play", "returns", "uniform_move")
_OPTIONAL = (
    "determinize",
    "evaluate",
    "greedy_move",
    "is_available",
    "move_key",
    "observe",
    "priors",
    "scores",
)
_STATE_FIELDS = ("turn", "to_move", "over", "reason", "chance")
_by_type: dict[types.Record, dict[str, Callable]] = {}


@dataclass(frozen=True)
class GameTypes:
    """The record types of a registered game.

    Attributes
    ----------
    name : str
    rules, work, state, move : numpy.dtype
        With a field that names the digest of the game's own files: an edited game has new types
        and is compiled anew, and two games with equal fields have different types. Fields of
        `work` that are arrays of moves have the new move type.
    actions, reasons : tuple of str
        What the numbers in ``move.action`` and ``state.reason`` mean.
    digest : str
        The digest of the game's files.
    """

    name: str
    rules: np.dtype
    work: np.dtype
    state: np.dtype
    move: np.dtype
    actions: tuple[str, ...]
    reasons: tuple[str, ...]
    digest: str


def register(
    name: str,
    *,
    rules: np.dtype,
    work: np.dtype,
    state: np.dtype,
    move: np.dtype,
    actions: Sequence[str],
    reasons: Sequence[str],
    files: Sequence[str | Path],
    **functions: Callable,
) -> GameTypes:
    """Bind a game's record types to its compiled functions.

    Parameters
    ----------
    name : str
        The game's name.
    rules, work, state, move : numpy.dtype
        Structured types, see the module's documentation.
    actions, reasons : sequence of str
        The fixed words of the game record, in the order of their numbers.
    files : sequence of path
        The game's source files; where they change, compiled code is made anew.
    **functions
        Numba dispatchers by the names of this module's generic functions.

    Returns
    -------
    GameTypes
        The types to allocate arrays with.

    Raises
    ------
    ValueError
        For a missing or unknown function, a missing field, or a type registered before.

    Examples
    --------
    `bench/hex.py` is a whole game in one file.
    """
    missing = [f for f in _REQUIRED if f not in functions]
    unknown = [f for f in functions if f not in _REQUIRED + _OPTIONAL]
    if missing or unknown:
        raise ValueError(f"game {name!r}: missing functions {missing}, unknown functions {unknown}")
    _check_fields(name, "state", state, _STATE_FIELDS)
    _check_fields(name, "move", move, ("action",))
    if state["chance"] != STREAM:
        raise ValueError(f"game {name!r}: the state's field 'chance' is not a STREAM")
    digest = source_digest([Path(file) for file in files])
    marked_move = _mark(move, f"{name}_move_{digest[:16]}")
    work = _with_field_type(work, move, marked_move)
    marked = {
        role: _mark(dtype, f"{name}_{role}_{digest[:16]}")
        for role, dtype in (("rules", rules), ("work", work), ("state", state))
    }
    types_ = GameTypes(
        name,
        **marked,
        move=marked_move,
        actions=tuple(actions),
        reasons=tuple(reasons),
        digest=digest,
    )
    kinds = [numba.from_dtype(types_.state), numba.from_dtype(types_.move)]
    if any(kind in _by_type for kind in kinds):
        raise ValueError(f"game {name!r}: these record types are registered already")
    for kind in kinds:
        _by_type[kind] = dict(functions)
    return types_


def _check_fields(name: str, role: str, dtype: np.dtype, fields: Sequence[str]) -> None:
    missing = [field for field in fields if field not in (dtype.names or ())]
    if missing:
        raise ValueError(f"game {name!r}: the {role} type lacks the fields {missing}")


def _with_field_type(dtype: np.dtype, old: np.dtype, new: np.dtype) -> np.dtype:
    """Give the fields that are arrays of one record type another one."""
    fields = []
    for field in dtype.names or ():
        inner = dtype[field]
        fields.append((field, new if inner.base == old else inner.base, inner.shape))
    return np.dtype(fields)


def _mark(dtype: np.dtype, mark: str) -> np.dtype:
    """Add a field by this name, and pad to whole words so that content can be hashed."""
    fields = [(field, dtype[field]) for field in dtype.names or ()]
    pad = -(dtype.itemsize + 1) % 8
    word = "".join(c if c.isalnum() else "_" for c in mark)
    return np.dtype([*fields, (word, np.uint8, (pad + 1,))])


def _implementation(name: str, record: types.Type, default: Callable) -> Callable:
    functions = _by_type.get(record)
    if functions is None:
        raise TypingError(f"{name}: no game is registered for the type {record}")
    function = functions.get(name)
    return default if function is None else function


def _found_by_type(generic: Callable) -> Callable:
    """Have calls of a generic function call the dispatcher that `find` names for their types.

    `numba.extending.overload` would put a function of its own in between, and each function in a
    chain of calls costs compile time again.
    """

    def bind(find: Callable) -> Callable:
        template = make_overload_template(generic, find, {}, False, "never")

        def build(self, cache_key, args, kws):
            dispatcher = find(*args, **kws)
            types.Dispatcher(dispatcher).get_call_type(self.context, args, kws)
            self._impl_cache[cache_key] = dispatcher, args
            return dispatcher, args

        template._build_impl = build
        infer(template)
        infer_global(generic, types.Function(template))
        return find

    return bind


def _required(rules, work, state, *more):  # pragma: no cover - only its name is used
    raise NotImplementedError


def new_game(rules, work, state, seed, deal):
    """Set a state to the first turn of a deal.

    Everything random comes from the streams (seed, deal, `PURPOSE_SETUP`) and, later in the game,
    (seed, deal, `PURPOSE_CHANCE`), kept in ``state.chance``.

    Parameters
    ----------
    rules, work, state : records
    seed, deal : int
    """


@_found_by_type(new_game)
def _new_game(rules, work, state, seed, deal):
    return _implementation("new_game", state, _required)


def legal_moves(rules, work, state, moves):
    """List the moves that the seat to move may choose from.

    Parameters
    ----------
    rules, work, state : records
        A game that is not over.
    moves : array of move records
        Written from the front, as far as there is room; unused bytes of a move are zero.

    Returns
    -------
    int
        How many there are, which may be more than there was room for. At least one.
    """


@_found_by_type(legal_moves)
def _legal_moves(rules, work, state, moves):
    return _implementation("legal_moves", state, _required)


def is_legal(rules, work, state, move):
    """Tell whether the seat to move may play this move, listed or not.

    Parameters
    ----------
    rules, work, state, move : records

    Returns
    -------
    bool
    """


@_found_by_type(is_legal)
def _is_legal(rules, work, state, move):
    return _implementation("is_legal", state, _required)


def is_available(rules, work, state, move):
    """Tell whether a move that is legal in one determinization is legal in this one.

    A search keeps the moves of a node across determinizations, which share all that is public and
    differ in what is hidden, so only hidden things need a look. Default: always.

    Parameters
    ----------
    rules, work, state, move : records

    Returns
    -------
    bool
    """


@kernel
def _always_available(rules, work, state, move):
    return True


@_found_by_type(is_available)
def _is_available(rules, work, state, move):
    return _implementation("is_available", state, _always_available)


def play(rules, work, state, move):
    """Play a legal move with all its consequences, chance and the end of the game included.

    Parameters
    ----------
    rules, work, state, move : records
        The state is changed; legality is the caller's business.
    """


@_found_by_type(play)
def _play(rules, work, state, move):
    return _implementation("play", state, _required)


def returns(rules, state, values):
    """Tell what each seat got from a game that is over.

    Parameters
    ----------
    rules, state : records
    values : float array, length MAX_SEATS
        Written: from 0 (lost) to 1 (won) for each seat of the game.
    """


@_found_by_type(returns)
def _returns(rules, state, values):
    return _implementation("returns", state, _required)


def scores(rules, state, values):
    """Tell each seat's points. Default: the returns.

    Parameters
    ----------
    rules, state : records
    values : float array, length MAX_SEATS
        Written.
    """


@_found_by_type(scores)
def _scores(rules, state, values):
    return _implementation("scores", state, _implementation("returns", state, _required))


def observe(rules, state, seat, view):
    """Copy what a seat can see of a state; what it cannot see is blank in the copy.

    Default, for games without hidden information: a plain copy.

    Parameters
    ----------
    rules, state : records
    seat : int
    view : state record
        Written.
    """


@kernel
def _observe_all(rules, state, seat, view):
    assign(view, state)


@_found_by_type(observe)
def _observe(rules, state, seat, view):
    return _implementation("observe", state, _observe_all)


def determinize(rules, work, state, seat, stream):
    """Draw what a seat cannot see anew, uniformly among what fits what it has seen.

    The result depends on the seat's view of the state and on the stream, on nothing else. The
    chance stream is replaced too. Default, for games without hidden information or chance:
    nothing happens.

    Parameters
    ----------
    rules, work, state : records
        The state, or a view of it, is changed.
    seat : int
    stream : STREAM record
    """


@kernel
def _nothing_hidden(rules, work, state, seat, stream):
    pass


@_found_by_type(determinize)
def _determinize(rules, work, state, seat, stream):
    return _implementation("determinize", state, _nothing_hidden)


def uniform_move(rules, work, state, stream, move):
    """Draw a move: a kind of action at random among the legal ones, then one of that kind.

    How one of a kind is drawn is stated in each game's documentation.

    Parameters
    ----------
    rules, work, state : records
        A game that is not over.
    stream : STREAM record
    move : move record
        Written.
    """


@_found_by_type(uniform_move)
def _uniform_move(rules, work, state, stream, move):
    return _implementation("uniform_move", state, _required)


def greedy_move(rules, work, state, stream, move):
    """Choose a sensible move from what the seat to move can see. Default: a uniform one.

    Parameters
    ----------
    rules, work, state : records
        A game that is not over.
    stream : STREAM record
        For ties.
    move : move record
        Written.
    """


@_found_by_type(greedy_move)
def _greedy_move(rules, work, state, stream, move):
    uniform = _implementation("uniform_move", state, _required)
    return _implementation("greedy_move", state, uniform)


def priors(rules, work, state, moves, n, weights):
    """Weigh moves by how promising they look to the seat to move. Default: all alike.

    Parameters
    ----------
    rules, work, state : records
    moves : array of move records
        Legal ones.
    n : int
        How many.
    weights : float array
        Written: n positive numbers whose sum is 1.

    Returns
    -------
    bool
        Whether the game tells moves apart at all.
    """


@kernel
def _all_alike(rules, work, state, moves, n, weights):
    for i in range(n):
        weights[i] = 1.0 / n
    return False


@_found_by_type(priors)
def _priors(rules, work, state, moves, n, weights):
    return _implementation("priors", state, _all_alike)


def evaluate(rules, work, state, values):
    """Estimate each seat's return from a position whose cards are all known. Default: 0.5.

    Parameters
    ----------
    rules, work, state : records
        A game that is not over.
    values : float array, length MAX_SEATS
        Written: from 0 to 1 for each seat.
    """


@kernel
def _undecided(rules, work, state, values):
    values[:] = 0.5


@_found_by_type(evaluate)
def _evaluate(rules, work, state, values):
    return _implementation("evaluate", state, _undecided)


def move_key(move):
    """Tell a number that stands for a move's content in tree keys. Default: a hash of its bytes.

    Parameters
    ----------
    move : move record

    Returns
    -------
    uint64
    """


@kernel
def _hash_of_bytes(move):
    return content_hash(move)


@_found_by_type(move_key)
def _move_key(move):
    return _implementation("move_key", move, _hash_of_bytes)


def registered_functions(game: GameTypes) -> pytypes.MappingProxyType:
    """Tell the functions that a game gave to `register`.

    Parameters
    ----------
    game : GameTypes

    Returns
    -------
    mapping of str to numba dispatcher
    """
    return pytypes.MappingProxyType(_by_type[numba.from_dtype(game.state)])
