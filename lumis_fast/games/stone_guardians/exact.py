"""Solving the chain of combat rounds of one fight exactly, round by round (`odds.py`).

A state of the chain is the troops on both sides and, for each side with cards, what its pile holds
and which cards lie under it, in order; the discards are the rest of the deck. Symbols that do the
same in this fight are one symbol here (`merged_deck`), which keeps the chain small.

Against golems the attacker plays best. The states that can come about are listed first, then
solved from few troops to many; a combat round without losses stays on its level, which is gone
through until nothing changes any more. Between peoples nobody has a choice, and so the chances of
all states are carried forward from round to round.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lumis_fast.core.bits import trailing_zeros
from lumis_fast.core.copying import assign
from lumis_fast.core.jit import entry, kernel, source_digest
from lumis_fast.games.stone_guardians.cards import (
    KINDS,
    appended,
    card,
    cards_in,
    cards_of,
)
from lumis_fast.games.stone_guardians.fight import cards_to_draw, losses, strikes
from lumis_fast.games.stone_guardians.state import CITY_HIT, HERO_STRIKE, HIT, MISS, SHIELD

MAX_HANDS = 70
"""There are so many hands of four cards of five symbols."""

TIE = 1e-12
"""Chances that differ by less are equal."""

_FILES = [Path(__file__).parent / f"{name}.py" for name in ("cards", "exact", "fight", "state")]
_MARK = "code_" + source_digest(_FILES)[:16]
"""A field of the record types below: code compiled from other files has other types."""

NODE = np.dtype(
    [
        ("pile", np.uint64),
        ("under", np.uint64),
        ("attackers", np.uint8),
        ("golems", np.uint8),
        ("win", np.float64),
        ("margin", np.float64),
        ("chance", np.float64),
        (_MARK, np.uint8, (6,)),
    ]
)
"""A state against golems: the chance to win it, the attackers left less the golems left on average,
and the chance that it comes about."""

_NONE, _ONE = np.uint64(0), np.uint64(1)
_MIX = np.uint64(0x9E3779B97F4A7C15)


@kernel
def merged(counts, in_city):
    """Take symbols that strike alike as one: they act alike in every sum.

    Parameters
    ----------
    counts : uint64
        Packed counts.
    in_city : bool
        Whether those whom these cards strike are in a city.

    Returns
    -------
    uint64
        In a city hits are misses, and hero strikes city hits; elsewhere city hits are hits.
    """
    total = _NONE
    for symbol in range(KINDS):
        total += np.uint64(cards_of(counts, symbol)) * card(same_symbol(symbol, in_city))
    return total


@kernel
def same_symbol(symbol, in_city):
    """The symbol as which one counts, see `merged`."""
    if in_city:
        return MISS if symbol == HIT else CITY_HIT if symbol == HERO_STRIKE else symbol
    return HIT if symbol == CITY_HIT else symbol


def merged_deck(deck: int, in_city: bool) -> int:
    """`merged`, for Python code."""
    counts = enumerate(deck.to_bytes(8, "little")[:KINDS])
    return sum(n << 8 * same_symbol.py_func(symbol, in_city) for symbol, n in counts)


# Drawing, seen from above ---------------------------------------------------------------------


@kernel
def split_draw(deck, pile, under, wanted):
    """Tell what is certain and what is chance in a draw (G1).

    Returns
    -------
    certain : uint64
        Cards that are surely drawn.
    pool : uint64
        Of these others are drawn at random, and the rest is the pile afterwards.
    random : int
        How many.
    under : uint64
        What is left under the pile.
    """
    size = cards_in(pile)
    if size >= wanted:
        return _NONE, pile, wanted, under
    certain, n = pile, size
    while n < wanted and under:
        certain += card(np.int64(under & np.uint64(7)) - 1)
        under >>= np.uint64(3)
        n += 1
    if n == wanted:
        return certain, _NONE, np.int64(0), under
    pool = deck - certain
    return certain, pool, min(wanted - n, cards_in(pool)), _NONE


@kernel
def _ways(n, k):
    """The number of ways to take k of n."""
    product = 1.0
    for i in range(k):
        product *= (n - i) / (i + 1.0)
    return product


@kernel
def list_hands(pool, n, hands, chances):
    """List the hands of n cards that can be drawn from a pool, with their chances."""
    total, found = _ways(cards_in(pool), n), 0
    for a in range(min(n, cards_of(pool, 0)) + 1):
        for b in range(min(n - a, cards_of(pool, 1)) + 1):
            for c in range(min(n - a - b, cards_of(pool, 2)) + 1):
                for d in range(min(n - a - b - c, cards_of(pool, 3)) + 1):
                    e = n - a - b - c - d
                    if e > cards_of(pool, 4):
                        continue
                    hands[found] = a * card(0) + b * card(1) + c * card(2) + d * card(3)
                    hands[found] += e * card(4)
                    ways = _ways(cards_of(pool, 0), a) * _ways(cards_of(pool, 1), b)
                    ways *= _ways(cards_of(pool, 2), c) * _ways(cards_of(pool, 3), d)
                    chances[found] = ways * _ways(cards_of(pool, 4), e) / total
                    found += 1
    return found


@kernel
def sequence_size(sequence):
    """Count the cards of a sequence."""
    n = 0
    while sequence:
        sequence >>= np.uint64(3)
        n += 1
    return n


@kernel
def put_last(sequence, symbol):
    """A sequence with one card more."""
    return appended(sequence, sequence_size(sequence), np.uint64(symbol + 1))


# Against golems -------------------------------------------------------------------------------


@kernel
def _stirred(word):
    """One step of a hash."""
    word *= _MIX
    return word ^ (word >> np.uint64(31))


@kernel
def _place_of(nodes, table, pile, under, attackers, golems):
    """The place in the table where a state's number stands, or belongs."""
    mask = np.uint64(len(table) - 1)
    h = (
        pile ^ (np.uint64(attackers) << np.uint64(48)) ^ (np.uint64(golems) << np.uint64(56))
    ) * _MIX
    h = (h ^ (h >> np.uint64(29)) ^ under) * _MIX
    at = (h ^ (h >> np.uint64(32))) & mask
    while table[at] >= 0:
        node = nodes[table[at]]
        if (
            node.pile == pile
            and node.under == under
            and node.attackers == attackers
            and node.golems == golems
        ):
            break
        at = (at + _ONE) & mask
    return at


@kernel
def _find_or_add(nodes, n, table, pile, under, attackers, golems):
    """The number of states once this one is among them; one more than there is room: it is not."""
    at = _place_of(nodes, table, pile, under, attackers, golems)
    if table[at] >= 0:
        return n
    if n == len(nodes):
        return n + 1
    table[at] = n
    node = nodes[n]
    node.pile, node.under = pile, under
    node.attackers, node.golems = attackers, golems
    node.win = node.margin = node.chance = 0.0
    return n + 1


@kernel
def _after(in_city, played, attackers, golems):
    """Attackers and golems left after a combat round; golems strike once each (G8)."""
    fallen = losses(golems, played, attackers)
    return attackers - fallen, golems - losses(strikes(played, in_city), _NONE, golems)


@kernel
def _won_at_once(in_city, hand, attackers, golems):
    """What to hold back so that the last golem falls now, most attackers left; -1: it cannot.

    One attacker cannot win, but take the golems along.
    """
    best, most = -1, 0 if attackers > 1 else -1
    for symbol in range(KINDS):
        if cards_of(hand, symbol) > 0:
            left, golems_left = _after(in_city, hand - card(symbol), attackers, golems)
            if golems_left == 0 and left > most:
                best, most = symbol, left
    return best


@entry
def discover(deck, in_city, card_limit, nodes, n, table, hands, chances):
    """List all states that can come about from the first n ones.

    Returns
    -------
    int
        How many there are; -1 if there is no room for them.
    """
    i = 0
    while i < n:
        pile, under = nodes[i].pile, nodes[i].under
        attackers, golems = np.int64(nodes[i].attackers), np.int64(nodes[i].golems)
        wanted = cards_to_draw(card_limit, attackers)
        certain, pool, random, rest = split_draw(deck, pile, under, wanted)
        for k in range(list_hands(pool, random, hands, chances)):
            hand, pile = certain + hands[k], pool - hands[k]
            if _won_at_once(in_city, hand, attackers, golems) >= 0:
                continue
            for symbol in range(KINDS):
                if cards_of(hand, symbol) == 0:
                    continue
                a, g = _after(in_city, hand - card(symbol), attackers, golems)
                if a > 0 and g > 0:
                    n = _find_or_add(nodes, n, table, pile, put_last(rest, symbol), a, g)
                    if n > len(nodes):
                        return -1
        i += 1
    return n


@kernel
def _value(nodes, table, pile, under, attackers, golems):
    """The chance to win and the margin of a state, which may be an end."""
    if attackers == 0 or golems == 0:
        return 1.0 if attackers > 0 else 0.0, np.float64(attackers - golems)
    node = nodes[table[_place_of(nodes, table, pile, under, attackers, golems)]]
    return node.win, node.margin


@kernel
def best_card(in_city, nodes, table, hand, pile, rest, attackers, golems):
    """The card to hold back: its symbol, the chance to win, the margin."""
    symbol = _won_at_once(in_city, hand, attackers, golems)
    if symbol >= 0:
        a, g = _after(in_city, hand - card(symbol), attackers, golems)
        return symbol, 1.0 if a > 0 else 0.0, np.float64(a - g)
    best, win, margin = -1, -1.0, 0.0
    for symbol in range(KINDS):
        if cards_of(hand, symbol) == 0:
            continue
        a, g = _after(in_city, hand - card(symbol), attackers, golems)
        w, m = _value(nodes, table, pile, put_last(rest, symbol), a, g)
        if w > win + TIE or (w > win - TIE and m > margin):
            best, win, margin = symbol, w, m
    return best, win, margin


@entry
def solve(deck, in_city, card_limit, nodes, table, order, hands, chances):
    """Find the chance to win each state with best play.

    `order` are the states from few troops to many; those of equal troops are one level.
    """
    start = 0
    while start < len(order):
        troops = nodes[order[start]].attackers + nodes[order[start]].golems
        end = start
        while end < len(order) and (
            nodes[order[end]].attackers + nodes[order[end]].golems == troops
        ):
            end += 1
        change = 1.0
        while change > 0.01 * TIE:
            change = 0.0
            for i in order[start:end]:
                node = nodes[i]
                attackers, golems = np.int64(node.attackers), np.int64(node.golems)
                wanted = cards_to_draw(card_limit, attackers)
                certain, pool, random, rest = split_draw(deck, node.pile, node.under, wanted)
                win = margin = 0.0
                for k in range(list_hands(pool, random, hands, chances)):
                    hand, pile = certain + hands[k], pool - hands[k]
                    _, w, m = best_card(in_city, nodes, table, hand, pile, rest, attackers, golems)
                    win += chances[k] * w
                    margin += chances[k] * m
                change = max(change, abs(win - node.win), 0.01 * abs(margin - node.margin))
                node.win, node.margin = win, margin
        start = end


@entry
def spread(deck, in_city, card_limit, nodes, table, order, hands, chances, ends):
    """Carry the chances of states forward to the ends, under best play.

    Parameters
    ----------
    order : array of int
        States from many troops to few.
    ends : float array
        Written: the chances of so many attackers and so many golems left.

    Returns
    -------
    float
        The chance that is still under way.
    """
    start, left = 0, 0.0
    while start < len(order):
        troops = nodes[order[start]].attackers + nodes[order[start]].golems
        end = start
        while end < len(order) and (
            nodes[order[end]].attackers + nodes[order[end]].golems == troops
        ):
            end += 1
        waiting, sweeps = 1.0, 0
        while waiting > 1e-15 and sweeps < 10_000:
            for i in order[start:end]:
                node = nodes[i]
                chance = node.chance
                if chance == 0.0:
                    continue
                node.chance = 0.0
                attackers, golems = np.int64(node.attackers), np.int64(node.golems)
                wanted = cards_to_draw(card_limit, attackers)
                certain, pool, random, rest = split_draw(deck, node.pile, node.under, wanted)
                for k in range(list_hands(pool, random, hands, chances)):
                    hand, pile = certain + hands[k], pool - hands[k]
                    symbol, _, _ = best_card(
                        in_city, nodes, table, hand, pile, rest, attackers, golems
                    )
                    a, g = _after(in_city, hand - card(symbol), attackers, golems)
                    if a == 0 or g == 0:
                        ends[a, g] += chance * chances[k]
                    else:
                        at = _place_of(nodes, table, pile, put_last(rest, symbol), a, g)
                        nodes[table[at]].chance += chance * chances[k]
            waiting = 0.0
            for i in order[start:end]:
                waiting += nodes[i].chance
            sweeps += 1
        left += waiting
        start = end
    return left


# Between peoples ------------------------------------------------------------------------------

PAIR = np.dtype(
    [
        ("pile", np.uint64, (2,)),
        ("under", np.uint64, (2,)),
        ("troops", np.uint8, (2,)),
        ("struck", np.uint8),
        ("blocked", np.uint8),
        ("chance", np.float64),
        (_MARK, np.uint8, (6,)),
    ]
)
"""A state between peoples, attacker first, and the chance that it comes about. In the midst of a
round, when the attacker has chosen, `struck` and `blocked` are his strikes and shields."""


@kernel
def least_useful(hand, in_city):
    """The card that both peoples hold back: by its strikes, a shield counting for half of one.

    Parameters
    ----------
    hand : uint64
        Packed counts, at least one card.
    in_city : bool
        Whether the opponents are in a city.

    Returns
    -------
    int
        A symbol: a miss (in front of a city a hit, too), else a shield, else what strikes once,
        else a hero strike.
    """
    # The shields are moved in behind what cannot strike; the lowest card then is the one.
    useless = np.uint64(16 if in_city else 8)
    shields = np.uint64(cards_of(hand, SHIELD))
    useless_cards = hand & ((_ONE << useless) - _ONE)
    others = (hand ^ useless_cards ^ (shields * card(SHIELD))) << np.uint64(8)
    place = np.uint64(trailing_zeros(useless_cards | (shields << useless) | others)) >> np.uint64(3)
    first = useless >> np.uint64(3)
    if place < first:
        return np.int64(place)
    return SHIELD if place == first else np.int64(place) - 1


@kernel
def _add_pair(pairs, n, table, pair):
    """Add a state, or its chance to an equal one; give the number of states, as `_find_or_add`."""
    mask = np.uint64(len(table) - 1)
    troops = (np.uint64(pair.troops[0]) << np.uint64(8)) | np.uint64(pair.troops[1])
    played = (np.uint64(pair.struck) << np.uint64(8)) | np.uint64(pair.blocked)
    h = _stirred(pair.pile[0] ^ (troops << np.uint64(48)))
    h = _stirred(_stirred(h ^ pair.under[0]) ^ pair.pile[1] ^ (played << np.uint64(48)))
    at = _stirred(h ^ pair.under[1]) & mask
    while table[at] >= 0:
        other = pairs[table[at]]
        if (
            other.pile[0] == pair.pile[0]
            and other.pile[1] == pair.pile[1]
            and other.under[0] == pair.under[0]
            and other.under[1] == pair.under[1]
            and other.troops[0] == pair.troops[0]
            and other.troops[1] == pair.troops[1]
            and other.struck == pair.struck
            and other.blocked == pair.blocked
        ):
            other.chance += pair.chance
            return n
        at = (at + _ONE) & mask
    if n == len(pairs):
        return n + 1
    table[at] = n
    assign(pairs[n], pair)
    return n + 1


@entry
def carry_attack(deck, in_city, card_limit, forget, pairs, n, after, table, pair, hands, chances):
    """Have the attackers of n states draw and choose.

    Returns
    -------
    found : int
        How many states there are then; -1 if there is no room for them.
    dropped : float
        The sum of the chances of states that need cards that were forgotten.
    """
    table[:] = -1
    found, dropped = 0, 0.0
    for i in range(n):
        wanted = cards_to_draw(card_limit, pairs[i].troops[0])
        if forget and cards_in(pairs[i].pile[0]) < wanted:
            dropped += pairs[i].chance
            continue
        certain, pool, random, rest = split_draw(deck, pairs[i].pile[0], pairs[i].under[0], wanted)
        for k in range(list_hands(pool, random, hands, chances)):
            hand = certain + hands[k]
            symbol = least_useful(hand, in_city)
            played = hand - card(symbol)
            assign(pair, pairs[i])
            pair.pile[0] = pool - hands[k]
            if not forget:
                pair.under[0] = put_last(rest, symbol)
            pair.struck, pair.blocked = strikes(played, in_city), cards_of(played, SHIELD)
            pair.chance *= chances[k]
            found = _add_pair(after, found, table, pair)
            if found > len(after):
                return -1, dropped
    return found, dropped


@entry
def carry_defence(
    deck, card_limit, forget, least, pairs, n, after, table, pair, hands, chances, ends
):
    """Have the defenders of n states draw and choose, and take the losses.

    What comes to an end is added to `ends`; states with chances below `least` are dropped.

    Returns
    -------
    found : int
        How many states go on; -1 if there is no room for them.
    dropped : float
        The sum of the chances dropped.
    """
    table[:] = -1
    found, dropped = 0, 0.0
    for i in range(n):
        attackers, defenders = np.int64(pairs[i].troops[0]), np.int64(pairs[i].troops[1])
        wanted = cards_to_draw(card_limit, defenders)
        if pairs[i].chance < least or (forget and cards_in(pairs[i].pile[1]) < wanted):
            dropped += pairs[i].chance
            continue
        certain, pool, random, rest = split_draw(deck, pairs[i].pile[1], pairs[i].under[1], wanted)
        for k in range(list_hands(pool, random, hands, chances)):
            hand = certain + hands[k]
            symbol = least_useful(hand, False)
            played = hand - card(symbol)
            assign(pair, pairs[i])
            blocked = np.int64(pair.blocked) * card(SHIELD)
            a = attackers - losses(strikes(played, False), blocked, attackers)
            d = defenders - losses(np.int64(pair.struck), played, defenders)
            pair.chance *= chances[k]
            if a == 0 or d == 0:
                ends[a, d] += pair.chance
                continue
            pair.pile[1] = pool - hands[k]
            if not forget:
                pair.under[1] = put_last(rest, symbol)
            pair.troops[0], pair.troops[1] = a, d
            pair.struck = pair.blocked = 0
            found = _add_pair(after, found, table, pair)
            if found > len(after):
                return -1, dropped
    return found, dropped
