"""What is hidden in Lumina Spell, the order of the deck, and how it is drawn anew (ruling 25).

Probabilities are worked out by counting; streams are fixed.
"""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from engine import Engine
from rules_check import chi_square, look, redraw, stream_of

from lumis_fast.core import protocol
from lumis_fast.core.copying import assign
from lumis_fast.core.jit import entry
from lumis_fast.games.lumina_spell import GAME

MANY = 8000
PLAUSIBLE = 0.001
"""A right distribution gives less in one of a thousand tests; the streams are fixed."""


@entry
def _redraw_often(rules, work, state, seat, stream, drawn, decks):
    for i in range(len(decks)):
        assign(drawn, state)
        protocol.determinize(rules, work, drawn, seat, stream)
        for place in range(decks.shape[1]):
            decks[i, place] = drawn.deck[place] & 31


def face_down(engine: Engine, seat: int, number: int = 2) -> np.ndarray:
    """The cards face down of many redrawn positions, the next one first."""
    view = look(engine, engine.state, seat)
    decks = np.zeros((MANY, int(engine.rules["deck_size"])), np.int64)
    drawn = np.zeros(1, engine.types.state)[0]
    _redraw_often(engine.rules, engine.work, view, seat, stream_of(number), drawn, decks)
    return decks[:, int(engine.state["revealed"]) :]


def game(seats: int = 2, turns: int = 0, **changes) -> Engine:
    engine = Engine(GAME, GAME.load_ruleset("standard", changes), seats, 3, 0)
    while engine.state["turn"] < turns:
        engine.play(engine.greedy_move())
    assert not engine.state["over"]
    return engine


@pytest.fixture(scope="module", params=[2, 3, 4])
def middle(request) -> Engine:
    """Some cards have been claimed and others taken their place."""
    engine = game(request.param, turns=16)
    assert any(engine.position()["claimed"])
    return engine


# The distribution -----------------------------------------------------------------------------


def test_each_order_of_four_cards_is_as_likely():
    engine = game(deck=[1, 2, 5, 7, 11, 12, 16, 17])
    hidden = engine.position()["deck"]
    found = Counter(map(tuple, face_down(engine, 0).tolist()))
    orders = list(itertools.permutations(hidden))
    assert len(orders) == 24
    assert chi_square(found, dict.fromkeys(orders, 1 / 24)) > PLAUSIBLE


def test_equal_cards_are_as_likely_as_there_are_copies():
    """Five cards face down, two of them equal: 60 orders, all alike."""
    engine = game(deck=[11, 16, 16, 16, 17, 17, 17, 2, 2])
    hidden = engine.position()["deck"]
    orders = Counter(itertools.permutations(hidden))
    assert len(hidden) == 5 and len(orders) == 60
    found = Counter(map(tuple, face_down(engine, 1).tolist()))
    expected = {order: ways / orders.total() for order, ways in orders.items()}
    assert chi_square(found, expected) > PLAUSIBLE


@pytest.mark.parametrize("place", [0, 1, -1])
def test_every_unseen_card_may_lie_at_each_place(middle, place):
    hidden = middle.position()["deck"]
    found = Counter(face_down(middle, int(middle.state["to_move"]))[:, place].tolist())
    assert chi_square(found, dict.fromkeys(hidden, 1 / len(hidden))) > PLAUSIBLE


def test_places_do_not_hang_together(middle):
    """Each ordered pair of different cards is as likely for the next two cards."""
    hidden = middle.position()["deck"]
    found = Counter(map(tuple, face_down(middle, 0)[:, :2].tolist()))
    pairs = list(itertools.permutations(hidden, 2))
    assert chi_square(found, dict.fromkeys(pairs, 1 / len(pairs))) > PLAUSIBLE


# What stays, and what decides -----------------------------------------------------------------


def test_r25_every_seat_sees_all_but_the_order_of_the_deck(middle):
    open_position = middle.position()
    for seat in range(int(middle.rules["seats"])):
        seen = middle.position(seat)
        assert seen == {**open_position, "deck": len(open_position["deck"])}


def test_what_is_visible_stays(middle):
    before = middle.position()
    for number in range(5):
        drawn = redraw(middle, middle.state, 0, number)
        after = GAME.position(middle.ruleset, middle.rules, drawn)
        assert Counter(after["deck"]) == Counter(before["deck"])
        assert {**after, "deck": before["deck"]} == before
        same = [n for n in drawn.dtype.names if np.array_equal(drawn[n], middle.state[n])]
        assert set(drawn.dtype.names) - set(same) <= {"chance", "deck"}


def test_the_view_alone_decides(middle):
    """From the state, from the view and from a redrawn state comes the same, by the same stream."""
    seat = int(middle.state["to_move"])
    expected = redraw(middle, middle.state, seat, 7).tobytes()
    other = redraw(middle, middle.state, seat, 8)
    assert other["deck"].tobytes() != middle.state["deck"].tobytes()
    for source in (look(middle, middle.state, seat), other):
        assert redraw(middle, source, seat, 7).tobytes() == expected


def test_a_view_has_no_trace_of_the_deck_and_of_chance(middle):
    """Two games that differ in the cards face down alone look the same to the last bit."""
    for seat in range(int(middle.rules["seats"])):
        one = look(middle, middle.state, seat)
        other = look(middle, redraw(middle, middle.state, seat, 5), seat)
        assert one.tobytes() == other.tobytes()


def test_chance_is_seeded_anew(middle):
    drawn = [redraw(middle, middle.state, 0, number)["chance"] for number in range(6)]
    streams = {stream.tobytes() for stream in [*drawn, middle.state["chance"]]}
    assert len(streams) == 7


def test_nothing_is_left_to_draw_where_one_card_is_hidden():
    engine = game(deck=[1, 2, 5, 7, 11])
    assert (face_down(engine, 0) == engine.position()["deck"]).all()
