"""A small card game for tests: hidden hands, chance in play, two to four seats, teams at four.

There are 20 cards, 0 to 19. Each seat gets four. The leader lays a card; the others follow in turn
and must lay a higher card than all before if they hold one. The highest card wins the trick and
its seat leads the next. Once a game, before it lays, a seat may lay one card aside, face down, and
draw a new one from the stock, which has no order: chance decides when it is drawn. After four
tricks the side with the most wins; equals share.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from lumis_fast.core.bits import popcount, trailing_zeros, without_lowest
from lumis_fast.core.copying import assign
from lumis_fast.core.game import Game
from lumis_fast.core.jit import kernel
from lumis_fast.core.protocol import register
from lumis_fast.core.streams import (
    PURPOSE_CHANCE,
    PURPOSE_SETUP,
    STREAM,
    below,
    fork,
    open_stream,
)

CARDS, HAND = 20, 4
LAY, SWAP = 0, 1
ONE = np.uint32(1)
ALL = np.uint32((1 << CARDS) - 1)

RULES = np.dtype([("seats", np.int64)])
WORK = np.dtype([("nothing", np.uint8)])
STATE = np.dtype(
    [
        ("chance", STREAM),
        ("turn", np.int32),
        ("to_move", np.uint8),
        ("over", np.uint8),
        ("reason", np.uint8),
        ("top", np.int8),
        ("top_seat", np.uint8),
        ("laid_now", np.uint8),
        ("tricks", np.uint8, (4,)),
        ("held", np.uint8, (4,)),
        ("hand", np.uint32, (4,)),
        ("aside", np.uint32, (4,)),
        ("swapped", np.uint8, (4,)),
        ("laid", np.uint32),
    ]
)
MOVE = np.dtype([("action", np.uint8), ("card", np.uint8)])


@kernel
def draw(stream, cards):
    """One of the cards in a mask, as a mask."""
    for _ in range(below(stream, popcount(cards))):
        cards = np.uint32(without_lowest(cards))
    return np.uint32(cards & (~cards + ONE))


@kernel
def new_game(rules, work, state, seed, deal):
    open_stream(state.chance, seed, deal, PURPOSE_SETUP)
    state.turn, state.to_move, state.over, state.reason = 0, 0, 0, 0
    state.top, state.top_seat, state.laid_now, state.laid = -1, 0, 0, 0
    stock = ALL
    for seat in range(4):
        state.tricks[seat] = state.held[seat] = state.swapped[seat] = 0
        state.hand[seat] = state.aside[seat] = 0
    for seat in range(rules.seats):
        for _ in range(HAND):
            card = draw(state.chance, stock)
            stock ^= card
            state.hand[seat] |= card
        state.held[seat] = HAND
    open_stream(state.chance, seed, deal, PURPOSE_CHANCE)


@kernel
def playable(state):
    hand = state.hand[state.to_move]
    higher = np.uint32(hand & ~((ONE << np.uint32(state.top + 1)) - ONE))
    return higher if higher else hand


@kernel
def may_swap(rules, state):
    return state.swapped[state.to_move] == 0


@kernel
def legal_moves(rules, work, state, moves):
    n = 0
    for action in range(2):
        cards = playable(state)
        if action == SWAP:
            cards = state.hand[state.to_move]
            if not may_swap(rules, state):
                break
        while cards:
            if n < len(moves):
                moves[n].action = action
                moves[n].card = trailing_zeros(cards)
            cards = np.uint32(without_lowest(cards))
            n += 1
    return n


@kernel
def is_legal(rules, work, state, move):
    if move.card >= CARDS or move.action > SWAP:
        return False
    card = ONE << np.uint32(move.card)
    if move.action == SWAP:
        return may_swap(rules, state) and (state.hand[state.to_move] & card) != 0
    return (playable(state) & card) != 0


@kernel
def play(rules, work, state, move):
    seat, card = np.int64(state.to_move), np.uint32(ONE << np.uint32(move.card))
    state.hand[seat] ^= card
    if move.action == SWAP:
        state.aside[seat] = card
        state.swapped[seat] = 1
        stock = np.uint32(ALL & ~state.laid)
        for other in range(4):
            stock &= ~(state.hand[other] | state.aside[other])
        state.hand[seat] |= draw(state.chance, stock)
        return
    state.laid |= card
    state.held[seat] -= 1
    state.turn += 1
    if np.int64(move.card) > state.top:
        state.top, state.top_seat = move.card, seat
    state.laid_now += 1
    state.to_move = (seat + 1) % rules.seats
    if state.laid_now == rules.seats:
        state.tricks[state.top_seat] += 1
        state.to_move = state.top_seat
        state.top, state.laid_now = -1, 0
        if state.held[seat] == 0:
            state.over = 1


@kernel
def returns(rules, state, values):
    sides = 2 if rules.seats == 4 else rules.seats
    best, winners = 0, 0
    for side in range(sides):
        won = state.tricks[side] + (state.tricks[side + 2] if rules.seats == 4 else 0)
        if won > best:
            best, winners = won, 0
        winners += won == best
    for seat in range(rules.seats):
        side = seat % sides
        won = state.tricks[side] + (state.tricks[side + 2] if rules.seats == 4 else 0)
        values[seat] = 1.0 / winners if won == best else 0.0


@kernel
def scores(rules, state, values):
    for seat in range(rules.seats):
        values[seat] = state.tricks[seat]


@kernel
def observe(rules, state, seat, view):
    assign(view, state)
    view.chance.key[0] = view.chance.key[1] = view.chance.counter = view.chance.used = 0
    for word in range(4):
        view.chance.block[word] = 0
    for other in range(rules.seats):
        if other != seat:
            view.hand[other] = view.aside[other] = 0


@kernel
def determinize(rules, work, state, seat, stream):
    unknown = np.uint32(ALL & ~(state.laid | state.hand[seat] | state.aside[seat]))
    for other in range(rules.seats):
        if other != seat:
            state.hand[other] = state.aside[other] = 0
            for _ in range(state.held[other]):
                card = draw(stream, unknown)
                unknown ^= card
                state.hand[other] |= card
            if state.swapped[other]:
                card = draw(stream, unknown)
                unknown ^= card
                state.aside[other] = card
    fork(stream, state.chance)


@kernel
def uniform_move(rules, work, state, stream, move):
    """Lay or swap at random where both are possible, then a card at random."""
    swap = may_swap(rules, state) and below(stream, 2) == 1
    move.action = SWAP if swap else LAY
    cards = state.hand[state.to_move] if swap else playable(state)
    move.card = trailing_zeros(draw(stream, cards))


@kernel
def greedy_move(rules, work, state, stream, move):
    """Lay the lowest card that may be laid; never swap."""
    move.action = LAY
    move.card = trailing_zeros(playable(state))


@kernel
def is_available(rules, work, state, move):
    return is_legal(rules, work, state, move)


@kernel
def priors(rules, work, state, moves, n, weights):
    """The higher the card, the heavier."""
    total = 0.0
    for i in range(n):
        weights[i] = 1.0 + moves[i].card
        total += weights[i]
    for i in range(n):
        weights[i] /= total
    return True


@kernel
def evaluate(rules, work, state, values):
    """The share of the tricks so far."""
    total = 1.0e-9
    for seat in range(rules.seats):
        total += state.tricks[seat]
    for seat in range(rules.seats):
        values[seat] = state.tricks[seat] / total


def _register(name, **more):
    return register(
        name,
        rules=RULES,
        work=WORK,
        state=STATE,
        move=MOVE,
        actions=("lay", "swap"),
        reasons=("played_out",),
        files=[__file__],
        new_game=new_game,
        legal_moves=legal_moves,
        is_legal=is_legal,
        is_available=is_available,
        play=play,
        returns=returns,
        scores=scores,
        observe=observe,
        determinize=determinize,
        uniform_move=uniform_move,
        greedy_move=greedy_move,
        evaluate=evaluate,
        **more,
    )


TRICK = _register("trick")
TRICK_WITH_PRIORS = _register("trick_with_priors", priors=priors)


def build_rules(types, seats):
    """An array of one rules record."""
    rules = np.zeros(1, types.rules)
    rules["seats"] = seats
    return rules


def cards_in(mask):
    """The cards of a mask, lowest first."""
    return [card for card in range(CARDS) if int(mask) >> card & 1]


class TrickGame(Game):
    """What matches need of the game."""

    seats = (2, 3, 4)
    actions = ("lay", "swap")
    reasons = ("played_out",)

    def __init__(self, types=TRICK):
        self.name, self._types = types.name, types

    def load_ruleset(self, name_or_path=None, changes=None):
        plain = {"name": "standard", "digest": "0" * 64, "changes": {}}
        return SimpleNamespace(plain=lambda: plain)

    def restore_ruleset(self, plain, path=None):
        return self.load_ruleset()

    def shipped_rulesets(self):
        return ("standard",)

    def ruleset_table(self, ruleset):
        return []

    def types(self, ruleset):
        return self._types

    def build_rules(self, ruleset, seats):
        return build_rules(self._types, seats)

    def setup(self, rules, state):
        return {"hands": [cards_in(state["hand"][seat]) for seat in range(rules["seats"])]}

    def load_setup(self, rules, state, setup):
        raise NotImplementedError

    def step(self, rules, before, move):
        return {
            "seat": int(before["to_move"]),
            "action": self.actions[move["action"]],
            "card": int(move["card"]),
        }

    def chance(self, rules, before, move, after):
        if move["action"] != SWAP:
            return {}
        seat = before["to_move"]
        return {"drawn": cards_in(after["hand"][seat] & ~before["hand"][seat])[0]}

    def load_step(self, rules, state, step, move):
        move["action"] = self.actions.index(step["action"])
        move["card"] = step["card"]

    def position(self, ruleset, rules, state, seat=None):
        return {
            "to_move": int(state["to_move"]),
            "tricks": state["tricks"][: rules["seats"]].tolist(),
            "hands": [
                {"size": int(state["held"][other]), "cards": cards_in(state["hand"][other])}
                for other in range(rules["seats"])
            ],
        }

    def replay(self, record, ruleset=None):
        raise NotImplementedError

    def draw_terminal(self, position, highlight=()):
        raise NotImplementedError

    def draw_svg(self, position, highlight=()):
        raise NotImplementedError
