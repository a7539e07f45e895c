"""The odds of a fight: who wins, and with how many left; exact where that is within reach.

Against golems the attacker plays best, and the chain of combat rounds is solved (`exact.py`).
Between peoples both sides hold back the card of least use, and chances are carried forward round
by round; what that cannot reach is simulated by the engine itself (`fight.py`). Every answer says
which.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from lumis_fast.core.copying import clear
from lumis_fast.core.jit import entry, kernel
from lumis_fast.core.streams import PURPOSE_CHANCE, open_stream
from lumis_fast.errors import InputError, nearest
from lumis_fast.games.stone_guardians import SYMBOLS
from lumis_fast.games.stone_guardians.cards import KINDS, MAX_DECK, cards_in, cards_of
from lumis_fast.games.stone_guardians.exact import (
    MAX_HANDS,
    NODE,
    PAIR,
    best_card,
    carry_attack,
    carry_defence,
    discover,
    least_useful,
    merged,
    merged_deck,
    same_symbol,
    solve,
    spread,
)
from lumis_fast.games.stone_guardians.fight import ATTACKER, DEFENDER, hold_back, start_fight
from lumis_fast.games.stone_guardians.state import (
    ATTACKER_HOLDS_BACK,
    HOLD_BACK,
)
from lumis_fast.runs.statistics import mean_interval, wilson_interval

__all__ = ["METHODS", "odds"]

METHODS = ("auto", "exact", "simulated")
MAX_TROOPS = 60
MAX_GOLEMS = 30
MAX_GAMES = 1_000_000_000

MOST_NODES = 1 << 21
"""So many states of a fight against golems are solved at most (some 300 MB)."""

MOST_PAIRS = 1 << 20
"""So many states of a fight between peoples are carried at most (some 120 MB, and seconds)."""

SMALL_DECK = 14
"""In decks of so many cards at most the cards held back are few enough to be remembered."""

UNRESOLVED = 1e-6
"""An answer whose chances add up to less than 1 by so much at most is exact."""

LEAST_CHANCE = 1e-13
"""States between peoples that are less likely are dropped, and so stay unresolved."""

BEST_PLAY = (
    "the attacker holds back the card that makes winning likeliest; among equal ones he wins at "
    "once where he can, and else has the most attackers left, or the fewest golems, on average"
)
LEAST_USEFUL = (
    "both sides hold back a miss (against a city a hit, too), else a shield, else a card that "
    "strikes once, else a hero strike"
)


class _Fight(NamedTuple):
    """What odds are asked for, checked."""

    attackers: int
    defenders: int
    golems: bool
    city: bool
    deck: int
    card_limit: int

    @property
    def policy(self) -> str:
        """Who holds back what."""
        return BEST_PLAY if self.golems else LEAST_USEFUL


class _Solved(NamedTuple):
    """The states of a fight against golems, and where to find them."""

    nodes: np.ndarray
    table: np.ndarray


def odds(
    attackers: int,
    defenders: int | None = None,
    golems: int | None = None,
    *,
    city: bool = False,
    deck: Mapping[str, int] | None = None,
    card_limit: int | None = None,
    method: str = "auto",
    games: int = 1_000_000,
    seed: int = 0,
) -> dict[str, Any]:
    """Tell the odds of one fight with fresh decks, without powers, runes and spells.

    Parameters
    ----------
    attackers : int
        Armies that attack, 1 to 60.
    defenders, golems : int, optional
        Armies, 1 to 60, or golems, 1 to 30, that defend: one of the two.
    city : bool
        Whether the defenders are in a city.
    deck : mapping of symbol to number, optional
        Both sides' combat deck; the standard ruleset's if not given.
    card_limit : int, optional
        The most cards a side draws; the standard ruleset's if not given.
    method : str
        `exact` or `simulated`; `auto` is exact where that is within reach.
    games, seed : int
        How many fights are simulated, where they are, and the key of their random stream.

    Returns
    -------
    dict
        `attacker_wins`, `defender_wins`, `both_destroyed`: chances; `attackers_left`,
        `defenders_left`: the chances that 0, 1, ... are left; `attackers_lost`, `defenders_lost`:
        averages; `policy`; `method`, `exact` or `simulated`. Exact answers have `unresolved`, the
        chance that went to none of the outcomes (0 against golems); simulated ones have `games`,
        `seed` and `intervals` of 95 %. The question is told as well.

    Raises
    ------
    InputError
        If the question cannot be answered.

    Examples
    --------
    >>> answer = odds(3, golems=1)
    >>> answer["method"], round(answer["attacker_wins"], 6)
    ('exact', 0.999996)
    """
    fight = _check(attackers, defenders, golems, city, deck, card_limit)
    if method not in METHODS:
        raise InputError(f"method: '{method}' is none; {nearest(method, METHODS)}")
    if not 1 <= games <= MAX_GAMES:
        near = min(max(games, 1), MAX_GAMES)
        raise InputError(f"games: expected 1 to {MAX_GAMES}, not {games}; the nearest is {near}")
    solved = _solve(fight) if fight.golems else None
    exact = None
    if method != "simulated":
        exact = _spread(fight, solved) if solved else _carry(fight)
        if exact is None and method == "exact":
            raise InputError(
                f"method: {attackers} attackers against {fight.defenders} defenders are beyond "
                "what is solved exactly; 'simulated' answers it"
            )
    if exact is not None:
        ends, unresolved = exact
        told: dict[str, Any] = {"method": "exact", "unresolved": unresolved}
    else:
        counts = _simulate(fight, solved, games, seed)
        ends = counts / games
        told = {"method": "simulated", "games": games, "seed": seed}
        told["intervals"] = _intervals(counts)
    return _question(fight) | _summary(ends) | {"policy": fight.policy} | told


def _check(
    attackers: int,
    defenders: int | None,
    golems: int | None,
    city: bool,
    deck: Mapping[str, int] | None,
    card_limit: int | None,
) -> _Fight:
    if (defenders is None) == (golems is None):
        raise InputError("the defenders are either armies or golems: give one of the two numbers")
    against = defenders if golems is None else golems
    assert against is not None
    _check_range("attackers", attackers, 1, MAX_TROOPS)
    if golems is None:
        _check_range("defenders", against, 1, MAX_TROOPS)
    else:
        _check_range("golems", against, 1, MAX_GOLEMS)
    if deck is None or card_limit is None:
        values = _standard_values()
        deck = values["combat_deck"] if deck is None else deck
        card_limit = values["card_limit"] if card_limit is None else card_limit
    _check_range("card_limit", card_limit, 2, 6)
    for symbol in deck:
        if symbol not in SYMBOLS:
            raise InputError(f"deck: there is no symbol '{symbol}'; {nearest(symbol, SYMBOLS)}")
    counts = [deck.get(symbol, 0) for symbol in SYMBOLS]
    if min(counts) < 0 or not 2 <= sum(counts) <= MAX_DECK:
        raise InputError(f"deck: expected 2 to {MAX_DECK} cards, not {sum(counts)}")
    strong = sum(counts[SYMBOLS.index(symbol)] for symbol in ("city_hit", "hero_strike"))
    if strong == 0 and (city or counts[SYMBOLS.index("hit")] == 0):
        raise InputError("deck: expected a card that strikes the defenders, or no fight need end")
    packed = sum(n << 8 * i for i, n in enumerate(counts))
    return _Fight(attackers, against, golems is not None, bool(city), packed, card_limit)


def _check_range(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        near = min(max(value, least), most)
        raise InputError(f"{what}: expected {least} to {most}, not {value}; the nearest is {near}")


def _standard_values() -> dict[str, Any]:
    from lumis_fast.games.stone_guardians.ruleset import load

    return load("standard").values


# Exact ----------------------------------------------------------------------------------------


def _hands() -> tuple[np.ndarray, np.ndarray]:
    return np.zeros(MAX_HANDS, np.uint64), np.zeros(MAX_HANDS)


def _rules_of(fight: _Fight) -> tuple[np.uint64, bool, np.int64]:
    """What kernels need of a fight: the attacker's deck, the city, the limit."""
    deck = np.uint64(merged_deck(fight.deck, fight.city))
    return deck, fight.city, np.int64(fight.card_limit)


def _levels(nodes: np.ndarray) -> np.ndarray:
    """Order states by their troops, few first, and later ones first among equals."""
    troops = nodes["attackers"].astype(np.int64) + nodes["golems"]
    return np.lexsort((-np.arange(len(nodes)), troops))


def _solve(fight: _Fight) -> _Solved | None:
    """Solve a fight against golems; None if there are too many states."""
    rules, room, n = _rules_of(fight), 1 << 14, -1
    while n < 0:
        if room > MOST_NODES:
            return None
        nodes, table = np.zeros(room, NODE), np.full(2 * room, -1, np.int32)
        nodes[0]["pile"] = rules[0]
        nodes[0]["attackers"], nodes[0]["golems"] = fight.attackers, fight.defenders
        n = discover(*rules, nodes, np.int64(1), table, *_hands())
        room *= 4
    solved = _Solved(nodes[:n], table)
    solve(*rules, *solved, _levels(solved.nodes), *_hands())
    return solved


def _spread(fight: _Fight, solved: _Solved) -> tuple[np.ndarray, float]:
    """Tell the chances of all ends of a solved fight, and what stays under way."""
    ends = np.zeros((fight.attackers + 1, fight.defenders + 1))
    solved.nodes["chance"] = 0.0
    solved.nodes["chance"][0] = 1.0
    order = np.ascontiguousarray(_levels(solved.nodes)[::-1])
    return ends, spread(*_rules_of(fight), *solved, order, *_hands(), ends)


def _carry(fight: _Fight) -> tuple[np.ndarray, float] | None:
    """Tell the chances of all ends of a fight between peoples; None if that is out of reach.

    As long as neither pile runs out, the cards held back do not matter. So they are forgotten at
    first, which leaves few states; if then too much is unresolved, they are remembered where the
    deck is small.
    """
    if fight.golems:
        return None
    ends = _carry_once(fight, forget=True)
    if ends is None and sum(fight.deck.to_bytes(8, "little")) <= SMALL_DECK:
        ends = _carry_once(fight, forget=False)
    return ends


def _carry_once(fight: _Fight, forget: bool) -> tuple[np.ndarray, float] | None:
    deck, in_city, limit = _rules_of(fight)
    defence = np.uint64(merged_deck(fight.deck, False))
    pairs, between = np.zeros(MOST_PAIRS, PAIR), np.zeros(MOST_PAIRS, PAIR)
    table, pair = np.zeros(2 * MOST_PAIRS, np.int32), np.zeros(1, PAIR)[0]
    ends, unresolved, n = np.zeros((fight.attackers + 1, fight.defenders + 1)), 0.0, 1
    pairs[0]["pile"], pairs[0]["chance"] = (deck, defence), 1.0
    pairs[0]["troops"] = fight.attackers, fight.defenders
    while n > 0:
        n, dropped = carry_attack(
            deck, in_city, limit, forget, pairs, np.int64(n), between, table, pair, *_hands()
        )
        unresolved += dropped
        if n < 0 or unresolved > UNRESOLVED:
            return None
        rest = LEAST_CHANCE, between, np.int64(n), pairs, table, pair, *_hands(), ends
        n, dropped = carry_defence(defence, limit, forget, *rest)
        unresolved += dropped
        if n < 0 or unresolved > UNRESOLVED:
            return None
    return ends, unresolved


# Simulated ------------------------------------------------------------------------------------


@kernel
def _lay_out(rules, state, attackers, defenders, golems, in_city):
    """Set a fight out in province 0: people 0 attacks people 1, or golems."""
    for people in range(2):
        state.pile[people] = rules.combat_deck
        state.pile_size[people] = cards_in(rules.combat_deck)
        state.under[people] = state.discards[people] = np.uint64(0)
        state.under_size[people] = 0
        state.owned[people] = np.uint64(0)
    state.contested = np.uint64(1)
    state.cities = np.uint64(1) if in_city else np.uint64(0)
    state.attackers[0] = attackers
    state.armies[0] = state.golems[0] = 0
    if golems:
        state.golems[0] = defenders
    else:
        state.armies[0] = defenders
        state.owned[1] = np.uint64(1)


@kernel
def _merged_sequence(sequence, in_city):
    result, at = np.uint64(0), np.uint64(0)
    while sequence:
        symbol = same_symbol(np.int64(sequence & np.uint64(7)) - 1, in_city)
        result |= np.uint64(symbol + 1) << at
        sequence >>= np.uint64(3)
        at += np.uint64(3)
    return result


@kernel
def _spare(state, in_city):
    """What is of least use to the side that decides."""
    if state.stage == ATTACKER_HOLDS_BACK:
        return least_useful(state.hand[ATTACKER], in_city)
    return least_useful(state.hand[DEFENDER], False)


@kernel
def _best_spare(state, in_city, nodes, table):
    """What the attacker of golems holds back, by the solved chain."""
    choice, _, _ = best_card(
        in_city,
        nodes,
        table,
        merged(state.hand[0], in_city),
        merged(state.pile[0], in_city),
        _merged_sequence(state.under[0], in_city),
        np.int64(state.attackers[0]),
        np.int64(state.golems[0]),
    )
    for symbol in range(KINDS):
        if cards_of(state.hand[0], symbol) > 0 and same_symbol(symbol, in_city) == choice:
            return symbol
    return choice


@entry
def play_fights(
    rules, work, state, move, seed, games, attackers, defenders, golems, in_city, nodes, table, ends
):
    """Play fights by the engine, and count their ends.

    Parameters
    ----------
    rules, work, state, move : records
        Overwritten but for `rules`.
    seed, games, attackers, defenders : int
    golems, in_city : bool
    nodes, table : arrays
        A solved chain; where it has no states, cards of least use are held back.
    ends : int array
        Counts of (attackers left, defenders left) are added.

    Returns
    -------
    int
        How many combat rounds were played.
    """
    clear(state)
    clear(work)
    open_stream(state.chance, seed, 0, PURPOSE_CHANCE)
    work.draws_made = len(work.draws)  # no room: nobody wants to know
    move.action = HOLD_BACK
    rounds, solved = 0, len(nodes) > 0
    for _ in range(games):
        _lay_out(rules, state, attackers, defenders, golems, in_city)
        is_over = start_fight(rules, work, state)
        while not is_over:
            rounds += state.stage == ATTACKER_HOLDS_BACK
            if solved:
                move.what = _best_spare(state, in_city, nodes, table)
            else:
                move.what = _spare(state, in_city)
            is_over = hold_back(rules, work, state, move)
        # A fight settled: the province is the attacker's, or the defenders still hold it.
        won = state.owned[0] != np.uint64(0)
        left = np.int64(state.armies[0]) + np.int64(state.golems[0])
        ends[left if won else 0, 0 if won else left] += 1
    return rounds


def _simulate(fight: _Fight, solved: _Solved | None, games: int, seed: int) -> np.ndarray:
    """Count the ends of simulated fights."""
    from lumis_fast.games.stone_guardians.kernels import TYPES

    rules, work, state, move = (
        np.zeros(1, dtype)[0] for dtype in (TYPES.rules, TYPES.work, TYPES.state, TYPES.move)
    )
    rules["combat_deck"], rules["card_limit"] = fight.deck, fight.card_limit
    ends = np.zeros((fight.attackers + 1, fight.defenders + 1), np.int64)
    if solved is None:
        solved = _Solved(np.zeros(0, NODE), np.full(1, -1, np.int32))
    play_fights(
        rules,
        work,
        state,
        move,
        np.uint64(seed % 2**64),
        np.int64(games),
        np.int64(fight.attackers),
        np.int64(fight.defenders),
        fight.golems,
        fight.city,
        *solved,
        ends,
    )
    return ends


# Answers --------------------------------------------------------------------------------------


def _question(fight: _Fight) -> dict[str, Any]:
    return {
        "attackers": fight.attackers,
        "golems" if fight.golems else "defenders": fight.defenders,
        "city": fight.city,
        "deck": {symbol: fight.deck >> 8 * i & 255 for i, symbol in enumerate(SYMBOLS)},
        "card_limit": fight.card_limit,
    }


def _summary(ends: np.ndarray) -> dict[str, Any]:
    attackers, defenders = (np.arange(n) for n in ends.shape)
    resolved = float(ends.sum())
    return {
        "attacker_wins": float(ends[1:, 0].sum()),
        "defender_wins": float(ends[0, 1:].sum()),
        "both_destroyed": float(ends[0, 0]),
        "attackers_left": ends.sum(axis=1).tolist(),
        "defenders_left": ends.sum(axis=0).tolist(),
        "attackers_lost": float(attackers[-1] - ends.sum(axis=1) @ attackers / resolved),
        "defenders_lost": float(defenders[-1] - ends.sum(axis=0) @ defenders / resolved),
    }


def _intervals(counts: np.ndarray) -> dict[str, list[float]]:
    """Give 95 % intervals of the figures of simulated fights."""
    games = int(counts.sum())
    result = {}
    for name, share in _summary(counts / games).items():
        if isinstance(share, float) and not name.endswith("_lost"):
            interval = wilson_interval(share * games, games)
            result[name] = [interval.low, interval.high]
    for name, axis in (("attackers_lost", 1), ("defenders_lost", 0)):
        shares = counts.sum(axis=axis) / games
        lost = len(shares) - 1 - np.arange(len(shares))
        mean = float(shares @ lost)
        variance = float(shares @ (lost - mean) ** 2) * games / max(games - 1, 1)
        limits = mean_interval(mean, variance, games)
        result[name] = [mean, mean] if limits is None else [limits.low, limits.high]
    return result
