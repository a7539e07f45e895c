"""The chances of a fight as policies see them: quick, close, and the same whatever was played.

Each combat round is taken as if the decks were fresh, and both sides hold back the card that is of
least use. So a fight is a chain whose states are the two numbers of armies. `odds.py` has the exact
figures; these are what a player carries in the head.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping

import numpy as np

from lumis_fast.games.stone_guardians import SYMBOLS

__all__ = ["FIELD", "GOLEMS", "GOLEMS_IN_CITY", "IN_CITY", "KINDS", "MOST", "fight_tables"]

KINDS = 4
FIELD, IN_CITY, GOLEMS, GOLEMS_IN_CITY = range(KINDS)
MOST = 16
"""More armies on a side count as so many."""

_STRIKES = {"miss": 0, "hit": 1, "city_hit": 1, "hero_strike": 2, "shield": 0}
_STRIKES_IN_CITY = {"miss": 0, "hit": 0, "city_hit": 1, "hero_strike": 1, "shield": 0}

Losses = list[list[float]]


def fight_tables(deck: Mapping[str, int], card_limit: int) -> tuple[np.ndarray, np.ndarray]:
    """Work out who wins a fight, and with how many armies left.

    Parameters
    ----------
    deck : mapping of symbol to number
    card_limit : int
        The most cards that are drawn.

    Returns
    -------
    win : float32 array, (kind, attackers, defenders)
        The attacker's chance to win.
    left : float32 array of the same shape
        How many attackers are left, on average; 0 where the attacker loses.
    """
    win = np.zeros((KINDS, MOST + 1, MOST + 1), np.float32)
    left = np.zeros_like(win)
    for kind in range(KINDS):
        _solve(kind, _losses_of_rounds(kind, deck, card_limit), win[kind], left[kind])
    return win, left


def _hands(deck: Mapping[str, int], cards: int) -> Iterator[tuple[dict[str, int], float]]:
    """Give each hand of so many cards with its probability."""
    total = math.comb(sum(deck.values()), cards)
    for counts in itertools.product(*(range(min(deck[s], cards) + 1) for s in SYMBOLS)):
        if sum(counts) == cards:
            ways = math.prod(math.comb(deck[s], n) for s, n in zip(SYMBOLS, counts, strict=True))
            yield dict(zip(SYMBOLS, counts, strict=True)), ways / total


def _effects(
    deck: Mapping[str, int], cards: int, strikes: Mapping[str, int]
) -> dict[tuple[int, int], float]:
    """Give the chances of (strikes, shields) of what is played of so many cards."""
    useless_first = sorted(SYMBOLS, key=lambda s: strikes[s] + 0.5 * (s == "shield"))
    chances: dict[tuple[int, int], float] = {}
    for hand, chance in _hands(deck, cards):
        hand[next(s for s in useless_first if hand[s])] -= 1
        struck = sum(strikes[s] * n for s, n in hand.items())
        key = struck, hand["shield"]
        chances[key] = chances.get(key, 0.0) + chance
    return chances


def _losses_of_rounds(
    kind: int, deck: Mapping[str, int], card_limit: int
) -> dict[tuple[int, int], dict[tuple[int, int], float]]:
    """Give for each pair of counted armies the chances of (attackers lost, defenders lost)."""
    counts = range(1, max(2, card_limit))
    against = _STRIKES_IN_CITY if kind in (IN_CITY, GOLEMS_IN_CITY) else _STRIKES
    attacks = {n: _effects(deck, n + 1, against) for n in counts}
    defences = {n: _effects(deck, n + 1, _STRIKES) for n in counts}
    golems = range(1, MOST + 1)
    rounds: dict[tuple[int, int], dict[tuple[int, int], float]] = {}
    for a in counts:
        for d in golems if kind in (GOLEMS, GOLEMS_IN_CITY) else counts:
            answer = {(d, 0): 1.0} if kind in (GOLEMS, GOLEMS_IN_CITY) else defences[d]
            table = rounds[a, d] = {}
            for (struck, shields), p in attacks[a].items():
                for (back, blocked), q in answer.items():
                    losses = max(0, back - shields), max(0, struck - blocked)
                    table[losses] = table.get(losses, 0.0) + p * q
    return rounds


def _solve(kind: int, rounds: dict, win: np.ndarray, left: np.ndarray) -> None:
    counted = max(a for a, _ in rounds)
    win[1:, 0] = 1.0
    left[:, 0] = np.arange(MOST + 1)
    for a, d in itertools.product(range(1, MOST + 1), repeat=2):
        defenders = d if kind in (GOLEMS, GOLEMS_IN_CITY) else min(d, counted)
        stay, won, armies = 0.0, 0.0, 0.0
        for (lost, destroyed), p in rounds[min(a, counted), defenders].items():
            if lost == 0 and destroyed == 0:
                stay += p
                continue
            after = max(0, a - lost), max(0, d - destroyed)
            won += p * win[after]
            armies += p * left[after]
        win[a, d], left[a, d] = won / (1.0 - stay), armies / (1.0 - stay)
