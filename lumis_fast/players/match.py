"""Whole games between players, in compiled code, and bare playouts.

`Match` plays the games of a run by their indices, on as many threads as call it: game `index` is
rotation `index % rotations` of deal `index // rotations`, and player i sits on seat
`(i + rotation) % seats`. Each decision is made from what its seat can see. The compiled loop
returns to Python only where a player written by a user has to choose.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lumis_fast.core import steps
from lumis_fast.core.copying import assign
from lumis_fast.core.jit import entry, inlined_kernel, kernel
from lumis_fast.core.protocol import (
    MAX_SEATS,
    greedy_move,
    new_game,
    observe,
    play,
    returns,
    scores,
    uniform_move,
)
from lumis_fast.core.record import envelope
from lumis_fast.core.streams import PURPOSE_SEARCH, STREAM, open_stream
from lumis_fast.players.search import (
    USER,
    allocate,
    build_players,
    choose,
    private_array,
)
from lumis_fast.players.spec import POLICIES
from lumis_fast.players.user import Setting, UserSeats

if TYPE_CHECKING:
    from lumis_fast.core.game import Game
    from lumis_fast.core.ruleset import Ruleset
    from lumis_fast.players.spec import PlayerSpec

__all__ = ["MAX_ACTIONS", "RESULT", "Chunk", "Match", "Playouts", "warm"]

MAX_ACTIONS = 40
"""Kinds of action that a result row counts; the last place counts all further ones."""

RESULT = np.dtype(
    [
        ("index", np.int64),
        ("deal", np.int64),
        ("rotation", np.int32),
        ("returns", np.float32, (MAX_SEATS,)),
        ("scores", np.float32, (MAX_SEATS,)),
        ("reason", np.uint8),
        ("turns", np.int32),
        ("moves", np.int32, (MAX_ACTIONS,)),
        ("iterations", np.uint64, (MAX_SEATS,)),
        ("nodes", np.uint64, (MAX_SEATS,)),
    ]
)
"""A game's row: `moves` by action; `iterations` and `nodes` are summed over a seat's decisions."""

_DONE, _STOPPED, _LOG_FULL, _USER_MOVES = range(4)


class Table(NamedTuple):
    """What one thread plays a game on, besides a search's memory."""

    work: np.ndarray
    state: np.ndarray
    seen: np.ndarray  # the view of the seat to move
    move: np.ndarray
    streams: np.ndarray  # one a seat
    effort: np.ndarray  # (seat, (iterations, nodes))
    outcome: np.ndarray  # ((returns, scores), seat)
    progress: np.ndarray  # games done, moves logged, whether `move` is chosen already


@kernel
def _begin(rules, memory, table, row, seed, seats):
    new_game(rules, table.work[0], table.state[0], seed, row.deal)
    for seat in range(seats):
        purpose = PURPOSE_SEARCH + row.rotation * seats + seat
        open_stream(table.streams[seat], seed, row.deal, purpose)
        table.effort[seat, 0] = table.effort[seat, 1] = 0
    for action in range(MAX_ACTIONS):
        row.moves[action] = 0


@kernel
def _finish(rules, table, row, seats):
    state, outcome = table.state[0], table.outcome
    returns(rules, state, outcome[0])
    scores(rules, state, outcome[1])
    for seat in range(seats):
        row.returns[seat], row.scores[seat] = outcome[0, seat], outcome[1, seat]
        row.iterations[seat], row.nodes[seat] = table.effort[seat, 0], table.effort[seat, 1]
    row.reason, row.turns = state.reason, state.turn


@inlined_kernel
def _play_on(rules, players, memory, table, log, row, stop):
    """Play a game to its end, or to where Python is needed."""
    state, view, move = table.state[0], table.seen[0], table.move[0]
    seats, progress = len(players), table.progress
    while not state.over:
        seat = np.int64(state.to_move)
        if progress[2] == 0:
            observe(rules, state, seat, view)
            player = players[(seat + seats - row.rotation) % seats]
            if player.kind == USER:
                return _USER_MOVES
            choose(rules, memory, player, view, table.streams[seat], stop, move, table.effort[seat])
        if stop[0] != 0:
            return _STOPPED
        progress[2] = 1
        if len(log) > 0:
            if progress[1] == len(log):
                return _LOG_FULL
            assign(log[progress[1]], move)
        progress[1] += 1
        progress[2] = 0
        action = np.int64(move.action)
        row.moves[action if action < MAX_ACTIONS else MAX_ACTIONS - 1] += 1
        play(rules, table.work[0], state, move)
    return _DONE


@entry
def _play_chunk(rules, players, memory, table, log, results, begun, seed, stop):
    """Play the games of `results`, which name index, deal and rotation; go on where it stopped.

    `begun` tells whether the game that is next has begun.
    """
    while table.progress[0] < len(results):
        row = results[table.progress[0]]
        if not begun:
            _begin(rules[0], memory, table, row, seed, len(players))
        begun = False
        status = _play_on(rules[0], players, memory, table, log, row, stop)
        if status != _DONE:
            return status
        _finish(rules[0], table, row, len(players))
        table.progress[0] += 1
    return _DONE


@entry
def _run_playouts(rules, work, state, move, stream, policy, seed, first, count, totals, stop):
    """Play whole games; `totals` gets playouts, moves, turns and, from 3 on, ends by reason."""
    rules0, work0, state0, stream0 = rules[0], work[0], state[0], stream[0]
    for deal in range(first, first + count):
        if stop[0] != 0:
            return
        new_game(rules0, work0, state0, seed, deal)
        open_stream(stream0, seed, deal, PURPOSE_SEARCH)
        moves = 0
        while not state0.over:
            if policy == 0:
                uniform_move(rules0, work0, state0, stream0, move[0])
            else:
                greedy_move(rules0, work0, state0, stream0, move[0])
            play(rules0, work0, state0, move[0])
            moves += 1
        totals[0] += 1
        totals[1] += moves
        totals[2] += state0.turn
        totals[3 + state0.reason] += 1


@dataclass(frozen=True)
class Chunk:
    """Some games of a run.

    Attributes
    ----------
    results : array of RESULT
        One row a game that was played to its end.
    records : list of dict
        The games as records, where asked for.
    stopped : bool
        Whether the stop flag ended it early.
    """

    results: np.ndarray
    records: list[dict[str, Any]]
    stopped: bool


class Match:
    """Games between players, by their index in a run. Any number of threads may play at once.

    Parameters
    ----------
    game : Game
    ruleset : Ruleset
    specs : sequence of PlayerSpec
        One a seat.
    seed : int
        The run's seed.
    swap_seats : bool
        Whether each deal is played once in every seat rotation.
    """

    def __init__(
        self,
        game: Game,
        ruleset: Ruleset,
        specs: Sequence[PlayerSpec],
        seed: int,
        swap_seats: bool,
    ) -> None:
        self._game, self._ruleset, self._specs = game, ruleset, list(specs)
        self._seed, self._seats = np.uint64(seed), len(specs)
        self.rotations = self._seats if swap_seats else 1
        self._types = game.types(ruleset)
        self._rules = game.build_rules(ruleset, self._seats)
        self._players = build_players(self._types, [(s.name, s.options) for s in specs])
        self._local = threading.local()

    @property
    def reproducible(self) -> bool:
        """Whether the same seed gives the same games."""
        return all(spec.reproducible for spec in self._specs)

    def prepare(self, report: Callable[[str], None]) -> None:
        """Compile what the games need, or load it from the cache.

        Parameters
        ----------
        report : callable
            Called with a sentence on what is being done.
        """
        report(f"preparing the players of {self._game.name}")
        arguments = self._arguments(np.zeros(0, RESULT), np.zeros(0, self._types.move))
        _play_chunk.prepare(*arguments, False, self._seed, np.zeros(1, np.uint8))

    def prepare_records(self, report: Callable[[str], None]) -> None:
        """Compile what records need; without it, the first record does.

        Parameters
        ----------
        report : callable
            Called with a sentence on what is being done.
        """
        report(f"preparing the records of {self._game.name}")
        arguments = self._arguments(np.zeros(0, RESULT), np.zeros(0, self._types.move))
        rules, (work, state, _, move, *_) = self._rules[0], (array[0] for array in arguments[3])
        steps.new_game.prepare(rules, work, state, self._seed, 0)
        steps.play.prepare(rules, work, state, move)

    def play(self, first_index: int, count: int, records: bool, stop: np.ndarray) -> Chunk:
        """Play games of the run.

        Parameters
        ----------
        first_index : int
            The first game's index.
        count : int
            How many games.
        records : bool
            Whether to make their records.
        stop : uint8 array
            Where its first item becomes other than 0, play ends soon.

        Returns
        -------
        Chunk
        """
        results = np.zeros(count, RESULT)
        results["index"] = np.arange(first_index, first_index + count)
        results["deal"], results["rotation"] = np.divmod(results["index"], self.rotations)
        log = np.zeros(256 if records else 0, self._types.move)
        arguments = self._arguments(results, log)
        table = arguments[3]
        table.progress[:] = 0
        setting = Setting(self._game, self._ruleset, self._types, self._rules[0])
        users = UserSeats(setting, self._specs)
        begun, status = False, _LOG_FULL
        while status not in (_DONE, _STOPPED):
            status = _play_chunk(*arguments, begun, self._seed, stop)
            begun = True
            if status == _LOG_FULL:
                log = np.concatenate([log, np.zeros_like(log)])
                arguments = (*arguments[:4], log, results)
            elif status == _USER_MOVES:
                row = results[table.progress[0]]
                users.choose(row["index"], row["rotation"], row["moves"].sum(), table)
                table.progress[2] = 1
        done = results[: table.progress[0]]
        games = np.split(log, np.cumsum(done["moves"].sum(axis=1)))[:-1] if records else []
        made = [self._record(*pair, table) for pair in zip(done, games, strict=False)]
        return Chunk(done, made, status == _STOPPED)

    def _arguments(self, results: np.ndarray, log: np.ndarray) -> tuple:
        local = self._local
        if not hasattr(local, "memory"):
            local.memory = allocate(self._types, self._players)
            local.table = _allocate_table(self._types)
        return self._rules, self._players, local.memory, local.table, log, results

    def _record(self, row: np.void, moves: np.ndarray, table: Table) -> dict[str, Any]:
        """Play logged moves once more and write down what chance answers."""
        game, rules, state, work = self._game, self._rules[0], table.state[0], table.work[0]
        steps.new_game(rules, work, state, self._seed, int(row["deal"]))
        setup, played = game.setup(rules, state), []
        for move in moves:
            before = state.copy()
            step = game.step(rules, before, move)
            steps.play(rules, work, state, move)
            if not step.get("more"):  # where a turn is played in parts, its end tells all of it
                played.append(step | game.chance(rules, before, move, state))
        seats = range(self._seats)
        return envelope(
            game=game.name,
            ruleset=self._ruleset.plain(),
            seats=[str(self._specs[(seat - row["rotation"]) % len(seats)]) for seat in seats],
            seed=int(self._seed),
            index=int(row["index"]),
            setup=setup,
            steps=played,
            outcome={
                "returns": [_plain(row["returns"][seat]) for seat in seats],
                "scores": [_plain(row["scores"][seat]) for seat in seats],
                "reason": self._types.reasons[row["reason"]],
                "turns": int(row["turns"]),
            },
        )


def _plain(number: np.floating) -> int | float:
    return int(number) if float(number).is_integer() else float(number)


def _allocate_table(types: Any) -> Table:
    return Table(
        work=private_array(1, types.work),
        state=private_array(1, types.state),
        seen=private_array(1, types.state),
        move=private_array(1, types.move),
        streams=private_array(MAX_SEATS, STREAM),
        effort=private_array((MAX_SEATS, 2), np.uint64),
        outcome=private_array((2, MAX_SEATS), np.float64),
        progress=private_array(3, np.int64),
    )


class Playouts:
    """Whole games with one policy on all seats, as fast as they go.

    Parameters
    ----------
    game : Game
    ruleset : Ruleset
    seats : int
    policy : str
        ``uniform`` or ``greedy``.
    seed : int
    """

    def __init__(self, game: Game, ruleset: Ruleset, seats: int, policy: str, seed: int) -> None:
        self._game = game
        self._types = game.types(ruleset)
        self._rules = game.build_rules(ruleset, seats)
        self._policy, self._seed = POLICIES.index(policy), np.uint64(seed)
        self._local = threading.local()

    def prepare(self, report: Callable[[str], None]) -> None:
        """Compile what the playouts need, or load it from the cache.

        Parameters
        ----------
        report : callable
            Called with a sentence on what is being done.
        """
        report(f"preparing the playouts of {self._game.name}")
        _run_playouts.prepare(
            *self._arguments(0, 0, np.zeros(259, np.int64), np.zeros(1, np.uint8))
        )

    def play(self, first: int, count: int, stop: np.ndarray) -> dict[str, Any]:
        """Play deals `first` to `first + count - 1`.

        Parameters
        ----------
        first, count : int
        stop : uint8 array
            Where its first item becomes other than 0, no further game is begun.

        Returns
        -------
        dict
            `playouts`, `moves`, `turns`, and `reasons`: the number of games by reason of ending.
        """
        totals = private_array(259, np.int64)
        _run_playouts(*self._arguments(first, count, totals, stop))
        playouts, moves, turns, *ends = totals.tolist()
        reasons = dict(zip(self._types.reasons, ends, strict=False))
        return {"playouts": playouts, "moves": moves, "turns": turns, "reasons": reasons}

    def _arguments(self, first: int, count: int, totals: np.ndarray, stop: np.ndarray) -> tuple:
        local, types = self._local, self._types
        if not hasattr(local, "own"):
            dtypes = (types.work, types.state, types.move, STREAM)
            local.own = [private_array(1, dtype) for dtype in dtypes]
        return self._rules, *local.own, self._policy, self._seed, first, count, totals, stop


def warm(game: Game, report: Callable[[str], None], seats: int | None = None) -> None:
    """Compile everything that a game with its standard ruleset needs.

    Parameters
    ----------
    game : Game
    report : callable
        Called with a sentence on each part.
    seats : int, optional
        Default: the smallest number that the game can be played with.
    """
    from lumis_fast.players.spec import parse_spec

    ruleset, n = game.load_ruleset(), seats or game.seats[0]
    match = Match(game, ruleset, [parse_spec("random")] * n, 0, False)
    match.prepare(report)
    match.prepare_records(report)
    report(f"preparing users' players of {game.name}")
    table = _allocate_table(game.types(ruleset))
    rules, (work, state, _, move, stream, *_) = match._rules[0], (array[0] for array in table)
    steps.legal_moves.prepare(rules, work, state, table.move)
    steps.is_legal.prepare(rules, work, state, move)
    steps.determinize.prepare(rules, work, state, 0, stream)
    steps.returns.prepare(rules, state, table.outcome[0])
    Playouts(game, ruleset, n, "uniform", 0).prepare(report)
