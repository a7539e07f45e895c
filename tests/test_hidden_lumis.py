"""What a seat of Lumis knows of hidden cards, and how the others are drawn anew.

Probabilities are worked out by counting; streams are fixed.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
from engine import Engine
from lumis_observer import COLOURS, TEAMS, LumisObserver
from lumis_rulesets import MIDDLE
from rules_check import chi_square, hypergeometric, look, redraw, stream_of

from lumis_fast.core import protocol
from lumis_fast.core.copying import assign
from lumis_fast.core.jit import entry
from lumis_fast.games.lumis import GAME

MANY = 8000
PLAUSIBLE = 0.001
"""A right distribution gives less in one of a thousand tests; the streams are fixed."""


@entry
def _redraw_often(rules, work, state, seat, stream, drawn, hands, piles):
    for i in range(len(hands)):
        assign(drawn, state)
        protocol.determinize(rules, work, drawn, seat, stream)
        for other in range(4):
            for colour in range(4):
                hands[i, other, colour] = drawn.hand[other, colour]
        for team in range(2):
            for place in range(piles.shape[2]):
                piles[i, team, place] = drawn.pile[team, place]


@dataclass(frozen=True)
class Redrawn:
    """Hands (number, seat, colour) and piles (number, team, place; the next card last)."""

    hands: np.ndarray
    piles: np.ndarray

    def counted(self, *seats: int) -> Counter:
        """Count what these seats hold together."""
        together = self.hands[:, list(seats)].sum(axis=1)
        return Counter(map(tuple, together.tolist()))


def redraw_often(engine: Engine, seat: int, number: int = 2) -> Redrawn:
    view = look(engine, engine.state, seat)
    hands = np.zeros((MANY, 4, 4), np.int64)
    piles = np.zeros((MANY, 2, engine.state["pile"].shape[1]), np.int64)
    drawn = np.zeros(1, engine.types.state)[0]
    stream = stream_of(number)
    _redraw_often(engine.rules, engine.work, view, seat, stream, drawn, hands, piles)
    return Redrawn(hands, piles)


def counts(cards: list[str]) -> np.ndarray:
    return np.array([cards.count(colour) for colour in COLOURS])


def shifted(known, expected: dict) -> dict:
    """Add known cards to each hand of a distribution."""
    return {
        tuple(int(a + b) for a, b in zip(known, hand, strict=True)): p
        for hand, p in expected.items()
    }


def game(seats: int, hands: list[list[str]], piles: list[list[str]], **changes) -> Engine:
    """Begin a game with these cards."""
    deck = sum(len(hand) for hand in hands[::2]) + len(piles[0])
    values = {"board": MIDDLE, "cards_per_colour": deck // 4, "opening_hand": len(hands[0])}
    engine = Engine(GAME, GAME.load_ruleset("standard", values | changes), seats, 3, 0)
    setup = {"hands": hands, "piles": dict(zip(TEAMS, piles, strict=True))}
    GAME.load_setup(engine.rules, engine.state, setup)
    return engine


def play(engine: Engine, action: str, **arguments) -> dict:
    step = {"seat": int(engine.state["to_move"]), "action": action, **arguments}
    assert engine.is_legal(step), step
    return engine.play(engine.move.copy())


B, C, V, G = COLOURS


# Opening ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def opening() -> Engine:
    return Engine(GAME, GAME.load_ruleset("standard"), 2, seed=7, deal=0)


def test_at_the_start_the_enemy_has_any_five_of_52_cards(opening):
    redrawn = redraw_often(opening, 0)
    assert chi_square(redrawn.counted(1), hypergeometric([13] * 4, 5)) > PLAUSIBLE


def test_the_own_hand_stays_and_its_cards_are_not_in_the_own_pile(opening):
    redrawn = redraw_often(opening, 0)
    mine = opening.state["hand"][0]
    assert (redrawn.hands[:, 0] == mine).all()
    in_pile = [(redrawn.piles[:, 0, :47] == colour).sum(axis=1) for colour in range(4)]
    assert all((in_pile[colour] == 13 - mine[colour]).all() for colour in range(4))


@pytest.mark.parametrize("places", [(46, 45), (46, 0), (1, 0), (20, 33)])
def test_the_order_of_the_own_pile_is_any(opening, places):
    redrawn = redraw_often(opening, 0)
    left = 13 - opening.state["hand"][0].astype(int)
    expected = {
        (a, b): left[a] / 47 * (left[b] - (a == b)) / 46 for a in range(4) for b in range(4)
    }
    pairs = Counter(map(tuple, redrawn.piles[:, 0, list(places)].tolist()))
    assert chi_square(pairs, expected) > PLAUSIBLE


def test_the_enemy_hand_and_the_enemy_pile_are_drawn_from_the_same_cards(opening):
    """Given the hand, the pile's next card is one of the 47 others, each as likely."""
    redrawn = redraw_often(opening, 0)
    found = Counter(zip(redrawn.hands[:, 1, 3].tolist(), redrawn.piles[:, 1, 46] == 3, strict=True))
    expected: dict = {}
    for hand, p in hypergeometric([39, 13], 5).items():
        green = hand[1]
        expected[green, True] = p * (13 - green) / 47
        expected[green, False] = p * (34 + green) / 47
    assert chi_square(found, expected) > PLAUSIBLE


def test_what_was_discarded_is_in_no_hand():
    hands = [[B, B, C, V, G], [G, G, G, C, V]]
    piles = [[B] * 11 + [C, V, G] * 12, [G] * 10 + [C, V] * 12 + [B] * 13]
    engine = game(2, hands, piles)
    play(engine, "base", space=[-1, 0], card=B)
    play(engine, "tower", space=[1, 5], height=3)
    assert engine.position()["teams"]["red"]["discards"] == {B: 0, C: 0, V: 0, G: 3}
    redrawn = redraw_often(engine, 0)
    assert chi_square(redrawn.counted(1), hypergeometric([13, 13, 13, 10], 2)) > PLAUSIBLE
    other_side = redraw_often(engine, 1)
    assert chi_square(other_side.counted(0), hypergeometric([12, 13, 13, 13], 4)) > PLAUSIBLE


# Reshuffles with two players ------------------------------------------------------------------


@pytest.fixture
def reshuffled() -> Engine:
    """Red has drawn three cards: the two last ones of its pile, and one of the new pile.

    When the pile was used up, red held a light blue, a cream, a violet and two greens, and the
    discards were a light blue, a cream and a violet.
    """
    engine = game(2, [[B, B, C, C], [B, B, C, C]], [[V, V, G, G], [V, G, V, G]])
    play(engine, "base", space=[-1, 0], card=B)
    play(engine, "base", space=[0, -1], card=B)
    play(engine, "base", space=[-1, 1], card=C)
    play(engine, "base", space=[1, -1], card=C)
    play(engine, "draw", supply=3)
    play(engine, "draw", supply=2)
    play(engine, "base", space=[-1, 2], card=V)
    play(engine, "base", space=[2, -1], card=V)
    play(engine, "base", space=[-1, 3], card=V)
    step = play(engine, "draw", supply=3)
    assert step["cards"][:2] == [V, G] and step["reshuffled"]["after"] == 2
    assert counts(step["reshuffled"]["pile"]).tolist() == [1, 1, 1, 0]
    return engine


def test_after_a_reshuffle_the_cards_held_then_are_known(reshuffled):
    redrawn = redraw_often(reshuffled, 0)
    expected = shifted([1, 1, 1, 2], hypergeometric([1, 1, 1, 0], 1))
    assert chi_square(redrawn.counted(1), expected) > PLAUSIBLE


def test_a_known_card_is_known_until_it_is_played(reshuffled):
    for row, known in ((3, [1, 1, 1, 1]), (4, [1, 1, 1, 0])):
        play(reshuffled, "base", space=[-1, row + 1], card=[G, B][row - 3])
        play(reshuffled, "base", space=[row, -1], card=G)
        redrawn = redraw_often(reshuffled, 0)
        expected = shifted(known, hypergeometric([1, 1, 1, 0], 1))
        assert chi_square(redrawn.counted(1), expected) > PLAUSIBLE


def test_of_a_colour_played_twice_one_card_was_known_and_one_was_not(reshuffled):
    """With the second one the card of the new pile has shown itself, and nothing is hidden."""
    mine = reshuffled.state["hand"][1].astype(int)
    colour = next(c for c in range(3) if mine[c] == 2)  # what came from the new pile
    for row, column in ((3, 4), (4, 5)):
        play(reshuffled, "base", space=[-1, column], card=[G, B][row - 3])
        play(reshuffled, "base", space=[row, -1], card=COLOURS[colour])
    redrawn = redraw_often(reshuffled, 0)
    left = [1, 1, 1, 2]
    left[colour] = 0
    assert redrawn.counted(1) == {tuple(left): MANY}


def test_the_own_new_pile_is_made_of_the_discards(reshuffled):
    redrawn = redraw_often(reshuffled, 1)
    assert reshuffled.state["pile_size"][1] == 2
    left = 2 - reshuffled.state["hand"][1].astype(int)
    cards = tuple(colour for colour in range(4) for _ in range(left[colour]))
    found = Counter(map(tuple, redrawn.piles[:, 1, :2].tolist()))
    assert chi_square(found, {cards: 0.5, cards[::-1]: 0.5}) > PLAUSIBLE


# Teams of two ---------------------------------------------------------------------------------


def four_seats() -> Engine:
    yellow = [[B, B, C, C, V], [G, G, G, V, V]]
    red = [[B, C, V, G, G], [B, B, C, C, V]]
    deck = Counter({colour: 13 for colour in COLOURS})
    piles = [sorted((deck - Counter(a + b)).elements()) for a, b in (yellow, red)]
    return game(4, [yellow[0], red[0], yellow[1], red[1]], piles)


def test_partner_and_enemies_hold_any_cards_at_the_start():
    engine = four_seats()
    redrawn = redraw_often(engine, 0)
    assert chi_square(redrawn.counted(2), hypergeometric([11, 11, 12, 13], 5)) > PLAUSIBLE
    assert chi_square(redrawn.counted(1), hypergeometric([13] * 4, 5)) > PLAUSIBLE
    assert chi_square(redrawn.counted(3), hypergeometric([13] * 4, 5)) > PLAUSIBLE
    assert chi_square(redrawn.counted(1, 3), hypergeometric([13] * 4, 10)) > PLAUSIBLE


def test_giver_and_partner_know_the_cards_passed_and_the_enemies_do_not():
    engine = four_seats()
    play(engine, "give", supply=3, cards=[B, B, V])
    giver, partner = redraw_often(engine, 0), redraw_often(engine, 2)
    # The giver knows three of the partner's eight cards, and the creams in the own hand.
    expected = shifted([2, 0, 1, 0], hypergeometric([11, 11, 12, 13], 5))
    assert chi_square(giver.counted(2), expected) > PLAUSIBLE
    # The partner, who holds them now, has not seen the two cards that the giver kept.
    assert chi_square(partner.counted(0), hypergeometric([11, 13, 10, 10], 2)) > PLAUSIBLE
    for enemy in (1, 3):
        seen = redraw_often(engine, enemy)
        assert chi_square(seen.counted(2), hypergeometric([13] * 4, 8)) > PLAUSIBLE
        assert chi_square(seen.counted(0), hypergeometric([13] * 4, 2)) > PLAUSIBLE


def test_a_card_passed_is_known_until_the_partner_plays_one_of_its_colour():
    engine = four_seats()
    play(engine, "give", supply=3, cards=[B, B, V])
    play(engine, "draw", supply=2)
    play(engine, "base", space=[-1, 0], card=V)
    redrawn = redraw_often(engine, 0)
    expected = shifted([2, 0, 0, 0], hypergeometric([11, 11, 12, 13], 5))
    assert chi_square(redrawn.counted(2), expected) > PLAUSIBLE


def test_cards_passed_back_are_no_longer_with_the_partner():
    engine = four_seats()
    play(engine, "give", supply=3, cards=[B, B, V])
    play(engine, "draw", supply=2)
    play(engine, "give", supply=2, cards=[B, G])
    redrawn = redraw_often(engine, 0)
    # Left of the known cards: one light blue, one violet. The green is back, and in the own hand.
    expected = shifted([1, 0, 1, 0], hypergeometric([11, 11, 12, 12], 4))
    assert chi_square(redrawn.counted(2), expected) > PLAUSIBLE
    mine = tuple(int(n) for n in engine.state["hand"][0])
    assert mine == (1, 2, 0, 1) and redrawn.counted(0) == {mine: MANY}


@pytest.fixture
def both_known() -> Engine:
    """Red's pile of one card is used up: both red hands together are what was not discarded."""
    yellow = [[B, B, C], [C, V, V]]
    red = [[B, B, C], [V, V, G]]
    piles = [[G, G], [C, G]]
    engine = game(4, [yellow[0], red[0], yellow[1], red[1]], piles, opening_hand=3)
    play(engine, "base", space=[-1, 0], card=B)
    play(engine, "base", space=[0, -1], card=B)
    play(engine, "base", space=[-1, 1], card=C)
    play(engine, "base", space=[1, -1], card=V)
    play(engine, "base", space=[-1, 2], card=B)
    step = play(engine, "draw", supply=4)  # two of the pile, and both discards
    assert counts(step["reshuffled"]["pile"]).tolist() == [1, 0, 1, 0]
    return engine


def test_after_a_reshuffle_the_enemies_cards_are_known_together(both_known):
    redrawn = redraw_often(both_known, 0)
    assert redrawn.counted(1, 3) == {(2, 2, 2, 2): MANY}
    # The second red seat has drawn nothing since: its cards are two of the six that were held then.
    assert chi_square(redrawn.counted(3), hypergeometric([1, 2, 1, 2], 2)) > PLAUSIBLE


def test_after_a_reshuffle_partners_know_each_other_exactly(both_known):
    first, second = redraw_often(both_known, 1), redraw_often(both_known, 3)
    held = both_known.state["hand"].astype(int)
    # What was drawn after the reshuffle is the rest of the deck, so nothing is left to guess.
    assert first.counted(3) == {tuple(held[3].tolist()): MANY}
    assert second.counted(1) == {tuple(held[1].tolist()): MANY}


def test_what_the_enemies_held_together_is_known_until_played(both_known):
    play(both_known, "base", space=[-1, 3], card=V)
    play(both_known, "base", space=[2, -1], card=G)
    redrawn = redraw_often(both_known, 0)
    assert redrawn.counted(1, 3) == {(2, 2, 2, 1): MANY}
    assert chi_square(redrawn.counted(3), hypergeometric([1, 2, 1, 1], 1)) > PLAUSIBLE


# Random games ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("deal", range(3))
def test_after_several_reshuffles_hands_are_drawn_by_what_was_seen(seats, deal):
    """Bounds from card by card reasoning, probabilities by counting."""
    changes = {"cards_per_colour": 3, "opening_hand": 2, "hand_limit": 5}
    engine = Engine(GAME, GAME.load_ruleset("standard", changes), seats, 4, deal)
    observers = [LumisObserver(engine.ruleset, s, engine.position(s)) for s in range(seats)]
    rng, met, tested = random.Random(deal), 0, 0
    while not engine.state["over"] and tested < 3:
        moves = engine.legal_moves()
        draws = moves[moves["action"] == 0]
        moves = draws if len(draws) and rng.random() < 0.5 else moves
        step = engine.play(moves[rng.randrange(len(moves))].copy())
        met += "reshuffled" in step
        for seat, observer in enumerate(observers):
            observer.see(step, engine.position(seat))
        if met > 2 * tested:
            check_distributions(engine, observers, number=met)
            tested += 1
    assert tested >= 2


def check_distributions(engine: Engine, observers: list[LumisObserver], number: int) -> None:
    for seat, observer in enumerate(observers):
        redrawn = redraw_often(engine, seat, number)
        for team in range(2):
            others = [s for s in range(team, len(observers), 2) if s != seat]
            if others:
                known = observer.known[team]
                size = int(sum(engine.state["hand_size"][s] for s in others)) - sum(known)
                pool = observer.hidden_pile(team, known)
                expected = shifted(known, hypergeometric(pool, size))
                assert set(expected) == observer.hands[team]
                assert chi_square(redrawn.counted(*others), expected) > PLAUSIBLE


# The chance stream ----------------------------------------------------------------------------


def test_what_chance_will_answer_is_drawn_anew():
    """The next reshuffle: after determinizing, each of the discards is as likely to come first."""
    hands, piles = [[B, B, C, C]] * 2, [[V, V, G, G]] * 2
    supplies = {"yellow": [[4, 1]], "red": [[4, 1]]}
    engine = game(2, hands, piles, supply_cards=supplies)
    play(engine, "draw", supply=4)
    play(engine, "draw", supply=4)
    for column, card in enumerate((B, C, B)):
        play(engine, "base", space=[-1, column], card=card)
        play(engine, "base", space=[column, -1], card=card)
    first: Counter = Counter()
    for number in range(400):
        drawn = redraw(engine, engine.state, 0, number)
        copy = Engine(GAME, engine.ruleset, 2, 3, 0)
        copy.state = drawn
        first[play(copy, "draw", supply=1)["cards"][0]] += 1
    assert chi_square(first, {B: 2 / 3, C: 1 / 3}) > PLAUSIBLE
