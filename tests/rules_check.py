"""What every game must pass: random games of the engine, looked at from all sides.

A game's own test calls `rules_check` and supplies what only the game knows: `conserved`, the sums
that no move may change, and a `Observer`, which works out in plain Python what a seat knows.
`chi_square` and `hypergeometric` serve tests of how hidden cards are drawn, `random_record` tests
of records.
"""

from __future__ import annotations

import itertools
import json
import math
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import scipy.stats
from engine import Engine

from lumis_fast.core import steps
from lumis_fast.core.game import Game
from lumis_fast.core.protocol import MAX_SEATS, registered_functions
from lumis_fast.core.record import envelope
from lumis_fast.core.ruleset import Ruleset
from lumis_fast.core.streams import STREAM

JSON = dict[str, Any]
MOVES_TRIED = 8
"""So many of a position's moves are played on a copy, one of each kind among them."""


class Observer(Protocol):
    """What one seat knows, worked out from what it has seen."""

    def see(self, step: JSON, seen: JSON) -> None:
        """Take note of a step.

        Parameters
        ----------
        step : dict
            With all that chance answered; what this seat does not see of it is not to be used.
        seen : dict
            The position afterwards, as this seat sees it.
        """

    def allows(self, position: JSON) -> bool:
        """Tell whether this may be the position, everything open, for all the seat knows."""


def rules_check(
    game: Game,
    ruleset: Ruleset,
    seats: int,
    deals: Iterable[int],
    *,
    conserved: Callable[[JSON], JSON],
    observer: Callable[[Ruleset, int, JSON], Observer] | None = None,
    seed: int = 1,
    every: int = 1,
) -> Counter[str]:
    """Play random games and check in each position what must hold in every game.

    A game that is not over has a legal move; listed moves are legal, survive being
    written as a step, and can be played; sums are conserved; playing on a copy
    leaves the original alone; the same streams give the same game; and, for each seat, what
    `_check_seat` says about views and determinizing.

    Parameters
    ----------
    game : Game
    ruleset : Ruleset
    seats : int
    deals : iterable of int
        One game for each.
    conserved : callable
        Takes a position with everything open, gives sums that no move changes.
    observer : callable, optional
        Takes the ruleset, a seat and the first position as it sees it, gives its `Observer`.
    seed : int, optional
    every : int, optional
        Only every so many positions are looked at closely.

    Returns
    -------
    Counter
        How many steps of each action and ends of each reason were met.
    """
    met: Counter[str] = Counter()
    for deal in deals:
        engine = Engine(game, ruleset, seats, seed, deal)
        played = _play_checked(engine, deal, conserved, observer, every, met)
        again = Engine(game, ruleset, seats, seed, deal)
        again.work = engine.work  # what was left in it must not matter
        for chosen, move, after in played:
            assert again.uniform_move().tobytes() == chosen
            again.play(move)
            assert again.state.tobytes() == after
    return met


def _play_checked(
    engine: Engine,
    deal: int,
    conserved: Callable[[JSON], JSON],
    observer: Callable[[Ruleset, int, JSON], Observer] | None,
    every: int,
    met: Counter[str],
) -> list[tuple[bytes, np.void, bytes]]:
    rng = random.Random(f"{engine.ruleset.digest} {engine.rules['seats']} {deal}")
    seats = range(int(engine.rules["seats"]))
    totals = conserved(engine.position())
    observers = [observer(engine.ruleset, s, engine.position(s)) for s in seats] if observer else []
    played = []
    for number in itertools.count():
        closely = number % every == 0
        if closely:
            for seat in seats:
                seen_by = observers[seat] if observers else None
                _check_seat(engine, seat, rng.getrandbits(60), totals, conserved, seen_by)
        if engine.state["over"]:
            break
        moves = _check_moves(engine, rng, totals, conserved) if closely else engine.legal_moves()
        move, drawn = _choose(engine, moves, rng)
        step = engine.play(move)
        assert conserved(engine.position()) == totals, step
        for seat, seen_by in enumerate(observers):
            seen_by.see(step, engine.position(seat))
        played.append((drawn, move, engine.state.tobytes()))
        met[step["action"]] += 1
    _check_end(engine)
    met[engine.position()["outcome"]["reason"]] += 1
    return played


def _choose(engine: Engine, moves: np.ndarray, rng: random.Random) -> tuple[np.void, bytes]:
    """Choose a move, and give the bytes of the one that uniform play would have chosen."""
    state = engine.state.tobytes()
    uniform = engine.uniform_move()
    drawn = uniform.tobytes()
    assert steps.is_legal(engine.rules, engine.work, engine.state, uniform)
    assert engine.state.tobytes() == state
    return (uniform if rng.random() < 0.5 else moves[rng.randrange(len(moves))].copy()), drawn


def _copy(state: np.void) -> np.void:
    copy = np.zeros(1, state.dtype)
    copy[0] = state
    return copy[0]


def _position(engine: Engine, state: np.void, seat: int | None = None) -> JSON:
    return engine.game.position(engine.ruleset, engine.rules, state, seat)


def _moves_of(engine: Engine, state: np.void) -> bytes:
    count = steps.legal_moves(engine.rules, engine.work, state, engine.moves)
    assert 0 < count <= len(engine.moves)
    return engine.moves[:count].tobytes()


def _check_moves(
    engine: Engine, rng: random.Random, totals: JSON, conserved: Callable[[JSON], JSON]
) -> np.ndarray:
    before = engine.state.tobytes()
    moves = engine.legal_moves()
    assert len(moves) > 0, "a game that is not over has a legal move"
    for move in _some(moves, rng):
        step = engine.as_step(move)
        assert json.loads(json.dumps(step)) == step
        assert engine.is_legal(step), step
        assert engine.move.tobytes() == move.tobytes(), step
        _check_played(engine, move, totals, conserved)
    assert engine.state.tobytes() == before
    return moves


def _some(moves: np.ndarray, rng: random.Random) -> list[np.void]:
    """Give one move of each kind, and others up to `MOVES_TRIED`."""
    order = rng.sample(range(len(moves)), len(moves))
    firsts = {int(moves[i]["action"]): i for i in order}
    others = [i for i in order if i not in firsts.values()]
    chosen = [*firsts.values(), *others][: max(MOVES_TRIED, len(firsts))]
    return [moves[i].copy() for i in chosen]


def _check_played(
    engine: Engine, move: np.void, totals: JSON, conserved: Callable[[JSON], JSON]
) -> None:
    before, written = engine.state.tobytes(), move.tobytes()
    after = _copy(engine.state)
    steps.play(engine.rules, engine.work, after, move)
    assert (engine.state.tobytes(), move.tobytes()) == (before, written)
    assert after.tobytes() != before
    assert after["turn"] >= engine.state["turn"]
    assert after["to_move"] < engine.rules["seats"]
    assert conserved(_position(engine, after)) == totals, engine.as_step(move)
    if not after["over"]:
        _moves_of(engine, after)


def look(engine: Engine, state: np.void, seat: int) -> np.void:
    """Give what a seat can see of a state, as a state.

    Parameters
    ----------
    engine : Engine
        Of the same game.
    state : record
    seat : int

    Returns
    -------
    record
    """
    view = _copy(state)
    view["turn"] = -1  # anything: all of it must be overwritten
    steps.observe(engine.rules, state, seat, view)
    return view


def stream_of(number: int) -> np.void:
    """Give a stream at its beginning.

    Parameters
    ----------
    number : int
        Which one, below 2**64.

    Returns
    -------
    STREAM record
    """
    stream = np.zeros(1, STREAM)[0]
    stream["key"] = (number, 0xD1CE)
    stream["used"] = 8
    return stream


def redraw(engine: Engine, state: np.void, seat: int, number: int) -> np.void:
    """Determinize a copy of a state.

    Parameters
    ----------
    engine : Engine
        Of the same game.
    state : record
    seat : int
        Whose knowledge counts.
    number : int
        Of the stream, see `stream_of`.

    Returns
    -------
    record
    """
    drawn = _copy(state)
    steps.determinize(engine.rules, engine.work, drawn, seat, stream_of(number))
    return drawn


def _but_for_chance(state: np.void) -> bytes:
    copy = _copy(state)
    copy["chance"] = np.zeros(1, STREAM)[0]
    return copy.tobytes()


def _check_seat(
    engine: Engine,
    seat: int,
    number: int,
    totals: JSON,
    conserved: Callable[[JSON], JSON],
    observer: Observer | None,
) -> None:
    """Check what a seat sees and what determinizing makes of it."""
    state = engine.state
    before = state.tobytes()
    view, drawn = look(engine, state, seat), redraw(engine, state, seat, number)
    other = redraw(engine, state, seat, number ^ 1)
    # The seat sees the same in both.
    assert _but_for_chance(look(engine, drawn, seat)) == _but_for_chance(view)
    seen = engine.position(seat)
    assert _position(engine, drawn, seat) == _position(engine, view, seat) == seen
    # Nothing but the view and the stream decides.
    for source in (view, other, drawn):
        assert redraw(engine, source, seat, number).tobytes() == drawn.tobytes()
    if "determinize" in registered_functions(engine.types):
        chances = [s["chance"].tobytes() for s in (state, drawn, other)]
        assert len(set(chances)) == 3
    assert conserved(_position(engine, drawn)) == totals
    if not state["over"]:
        listed = _moves_of(engine, drawn)
        if seat == state["to_move"]:
            assert listed == _moves_of(engine, state) == _moves_of(engine, view)
    if observer is not None:
        assert observer.allows(_position(engine, state))
        for one in (drawn, other):
            assert observer.allows(_position(engine, one)), (seat, _position(engine, one))
    assert state.tobytes() == before


def _check_end(engine: Engine) -> None:
    values = np.full(MAX_SEATS, -1.0)
    steps.returns(engine.rules, engine.state, values)
    outcome, seats = engine.position()["outcome"], int(engine.rules["seats"])
    assert outcome["returns"] == values[:seats].tolist()
    assert all(0 <= value <= 1 for value in outcome["returns"])
    assert outcome["reason"] == engine.game.reasons[engine.state["reason"]]
    assert outcome["turns"] == engine.state["turn"]


def random_record(game: Game, ruleset: Ruleset, seats: int, deal: int, seed: int = 1) -> JSON:
    """Play a random game and give its record.

    Parameters
    ----------
    game : Game
    ruleset : Ruleset
    seats, deal : int
    seed : int, optional

    Returns
    -------
    dict
        As it would be read from a file.
    """
    engine = Engine(game, ruleset, seats, seed, deal)
    rng = random.Random(f"record {ruleset.digest} {seats} {deal}")
    setup, played = engine.setup(), []
    while not engine.state["over"]:
        move, _ = _choose(engine, engine.legal_moves(), rng)
        played.append(engine.play(move))
    record = envelope(
        game=game.name,
        ruleset=ruleset.plain(),
        seats=["random"] * seats,
        seed=seed,
        index=deal,
        setup=setup,
        steps=played,
        outcome=engine.position()["outcome"],
    )
    return json.loads(json.dumps(record, allow_nan=False))


def hypergeometric(pool: Sequence[int], drawn: int) -> dict[tuple[int, ...], float]:
    """Work out how likely each hand is, by counting (multivariate hypergeometric).

    Parameters
    ----------
    pool : sequence of int
        How many cards of each kind there are.
    drawn : int
        How many of them are drawn.

    Returns
    -------
    dict
        From numbers of each kind to the probability.

    Examples
    --------
    >>> hypergeometric([1, 2], 2) == {(0, 2): 1 / 3, (1, 1): 2 / 3}
    True
    """
    ways = math.comb(sum(pool), drawn)
    return {
        hand: math.prod(map(math.comb, pool, hand)) / ways
        for hand in itertools.product(*(range(count + 1) for count in pool))
        if sum(hand) == drawn
    }


def chi_square(counts: Mapping[Hashable, int], expected: Mapping[Hashable, float]) -> float:
    """Test counts against exact probabilities (Pearson's chi-square).

    Parameters
    ----------
    counts : mapping
        How often each outcome was met; none may lack in `expected`.
    expected : mapping
        From outcomes to probabilities. Those too rare for the test are put together.

    Returns
    -------
    float
        The probability of counts at least as far off; 1 where only one outcome is possible.
    """
    impossible = [outcome for outcome in counts if expected.get(outcome, 0) == 0]
    assert not impossible, f"impossible outcomes were met: {impossible[:3]}"
    assert math.isclose(sum(expected.values()), 1)
    total = sum(counts.values())
    rare = [outcome for outcome, p in expected.items() if p * total < 8]
    bins = [[outcome] for outcome in expected if outcome not in set(rare)] + [rare] * bool(rare)
    if len(bins) > 1 and sum(expected[outcome] for outcome in rare) * total < 8 and rare:
        bins[-2:] = [bins[-2] + bins[-1]]
    if len(bins) == 1:
        return 1.0
    found = [sum(counts.get(outcome, 0) for outcome in one) for one in bins]
    wanted = np.array([sum(expected[outcome] for outcome in one) for one in bins])
    return float(scipy.stats.chisquare(found, wanted / wanted.sum() * total).pvalue)
