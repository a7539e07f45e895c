"""The Stone Guardians pass the check of every game; what is hidden is drawn uniformly."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from engine import Engine
from rules_check import chi_square, hypergeometric, look, redraw, rules_check
from stone_map import COUNTRIES, as_value
from stone_table import HOME, NEAR, TARGET, Table, situation

from lumis_fast.core.ruleset import Ruleset
from lumis_fast.games.stone_guardians import GAME, SPELLS, SYMBOLS

JSON = dict[str, Any]

HITS = {"miss": 0, "hit": 8, "city_hit": 8, "hero_strike": 4, "shield": 3}
CHANGES: dict[str, dict[str, Any]] = {
    "standard": {"max_rounds": 8},
    "strategic": {"strategic_setup": True, "max_rounds": 5},
    # A dozen cards: piles run out in most fights, and cards held back are drawn again.
    "short_decks": {
        "combat_deck": {"miss": 3, "hit": 3, "city_hit": 3, "hero_strike": 1, "shield": 2},
        "max_rounds": 6,
    },
    # A small map, few golems, bloody fights and cheap ships: Lutao's city is taken, golems act.
    "easy_lutao": {
        "map": as_value({name: COUNTRIES[name] for name in ("X7", "X8", "X9", "X10", "X11")}),
        "golems": [0] + [0, 1] * 5 + [0],
        "golem_supply": 9,
        "combat_deck": HITS,
        "costs": {"armies": [1, 2, 3, 4, 5, 6, 7, 8], "marker": 3, "ship": 1, "stick": 1},
        "hold_rounds": 4,
        "max_rounds": 25,
    },
    # Few armies, tiny provinces: no room, empty supplies, peoples that go under.
    "crowded": {
        "supply_armies": [44, 30, 24],
        "province_limit": 2,
        "combat_deck": HITS,
        "max_rounds": 14,
    },
    # Ships and sticks for nothing much, hardly any spell: decks run out.
    "seafarers": {
        "costs": {"armies": [9, 18], "marker": 1, "ship": 1, "stick": 1},
        "spells": dict.fromkeys(SPELLS, 0) | {"guard": 3, "frenzy": 2},
        "spell_limit": 1,
        "max_rounds": 6,
    },
    "odd": {
        "card_limit": 3,
        "points_cap": 12,
        "golems": [9, 0, 1, 2, 0, 4, 1, 0, 1, 0, 3, 1],
        "golem_supply": 0,
        "spells": dict.fromkeys(SPELLS, 0),
        "max_rounds": 5,
    },
}


def ruleset(name: str) -> Ruleset:
    return GAME.load_ruleset("standard", CHANGES[name])


class StoneObserver:
    """What a seat knows: all that lies open, its own cards, and how many cards there are.

    Parameters
    ----------
    ruleset : Ruleset
    seat : int
    seen : dict
        The first position as the seat sees it.
    """

    def __init__(self, ruleset: Ruleset, seat: int, seen: JSON) -> None:
        self.copies = Counter(ruleset.values["spells"])
        self.seat, self.seen = seat, seen

    def see(self, step: JSON, seen: JSON) -> None:
        """See `rules_check.Observer`."""
        self.seen = seen

    def allows(self, position: JSON) -> bool:
        """See `rules_check.Observer`: all that is seen agrees, and all spells are there."""
        held: Counter[str] = Counter()
        for people in position["peoples"]:
            held.update(people["spells"]["cards"])
            if people["spells"]["count"] != sum(people["spells"]["cards"].values()):
                return False
        return held <= self.copies and _agrees(self.seen, position)


def _agrees(seen: Any, full: Any) -> bool:
    """Whether a position agrees with a view of it, in which null and true hide something."""
    if isinstance(seen, dict) and isinstance(full, dict):
        return seen.keys() == full.keys() and all(
            _agrees(seen[k], full[k]) or (k in ("cards", "held_back") and seen[k] in (None, True))
            for k in seen
        )
    if isinstance(seen, list) and isinstance(full, list):
        return len(seen) == len(full) and all(map(_agrees, seen, full))
    return seen == full


def conserved(position: JSON) -> JSON:
    """All armies, by people, all golems, and what is on the map."""
    armies = Counter(dict.fromkeys(range(position["seats"]), 0))
    golems = position["golem_supply"]
    fight = position["fight"]
    for province in position["provinces"]:
        golems += province["golems"]
        if province["owner"] is not None:
            armies[province["owner"]] += province["armies"]
        if not province["attackers"]:
            continue
        attacker = position["people"] if position["stage"] != "golems" else "golems"
        if fight is not None and fight["space"] == province["space"]:
            attacker = fight["attacker"]
        if attacker == "golems":
            golems += province["attackers"]
        else:
            armies[attacker] += province["attackers"]
    for number, people in enumerate(position["peoples"]):
        armies[number] += people["supply"] + people["to_place"]
    if position["trip"] is not None:
        armies[position["people"]] += position["trip"]["aboard"]
    cards = [
        people["pile"]
        + sum(people["discards"].values())
        + sum(
            hand["size"]
            for side, hand in zip(
                ("attacker", "defender"), (fight or {}).get("hands", []), strict=False
            )
            if fight[side] == number
        )
        for number, people in enumerate(position["peoples"])
    ]
    return {"armies": dict(armies), "golems": golems, "cards": cards}


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", CHANGES)
def test_the_stone_guardians_pass_the_rules_check(name, seats):
    rules = ruleset(name)
    start = conserved(Engine(GAME, rules, seats, seed=1, deal=0).position())
    supply, golems = rules.values["supply_armies"][seats - 2], rules.values["golems"]
    assert start["armies"] == dict.fromkeys(range(seats), supply)
    assert start["golems"] == sum(golems) + rules.values["golem_supply"]
    assert start["cards"] == [sum(rules.values["combat_deck"].values())] * seats
    met = rules_check(
        GAME, rules, seats, [0], conserved=conserved, observer=StoneObserver, every=29
    )
    assert sum(met[reason] for reason in GAME.reasons) == 1


def test_the_rare_rules_are_met():
    """With four seats and an easy way to Lutao its holder's golems act, and the hold decides."""
    deals = range(2, 6)
    met = rules_check(
        GAME, ruleset("easy_lutao"), 4, deals, conserved=conserved, observer=StoneObserver, every=97
    )
    wanted = {
        "golem_attack",
        "golem_place",
        "end_golems",
        "lutao_held",
        "load",
        "unload",
    }
    assert {what for what in wanted if met[what] == 0} == set()


# Hidden cards ---------------------------------------------------------------------------------


def in_a_fight() -> Table:
    """The first people attacks; each side has drawn, and the first one has held a card back."""
    table = situation({HOME: 8}, {TARGET: 3})
    for people, counts in enumerate(((7, 5, 2, 2, 5), (2, 6, 0, 1, 3))):
        # What is missing lies open in the discards.
        deck = int(table.rules["combat_deck"])
        pile = sum(count << 8 * i for i, count in enumerate(counts))
        table.state["pile"][people], table.state["discards"][people] = pile, deck - pile
        table.state["pile_size"][people] = sum(counts)
    table.movement()
    table.do("move", origin=HOME, target=TARGET, count=5)
    table.do("end_movement")
    return table


def unpacked(counts: int) -> tuple[int, ...]:
    return tuple(int(counts) >> 8 * i & 255 for i in range(len(SYMBOLS)))


def test_the_cards_of_a_hand_are_any_of_those_not_discarded():
    table = in_a_fight()
    view, hands = look(table, table.state, 0), Counter()
    for number in range(3000):
        drawn = redraw(table, view, 0, number)
        hands[unpacked(drawn["hand"][1])] += 1
        assert unpacked(drawn["hand"][0]) == unpacked(table.state["hand"][0])
        assert unpacked(drawn["pile"][0]) == unpacked(table.state["pile"][0])
        together = np.array(unpacked(drawn["hand"][1])) + unpacked(drawn["pile"][1])
        assert together.tolist() == [2, 6, 0, 1, 3]
    expected = hypergeometric([2, 6, 0, 1, 3], 4)
    assert chi_square(hands, expected) > 1e-4


def test_a_card_held_back_is_any_of_those_not_discarded_and_known_to_its_people():
    table = in_a_fight()
    held = table.legal_moves()[0]
    table.do("hold_back", what=SYMBOLS[held["what"]])
    assert table.stage == "defender_holds_back"
    view, cards = look(table, table.state, 1), Counter()
    assert view["held_back"][0] == 255 and view["hand"][0] == 0
    for number in range(3000):
        cards[int(redraw(table, view, 1, number)["held_back"][0]) - 1] += 1
    assert chi_square(cards, {i: n / 21 for i, n in enumerate((7, 5, 2, 2, 5))}) > 1e-4
    assert look(table, table.state, 0)["held_back"][0] == held["what"] + 1


def test_what_lies_under_a_pile_is_any_sequence_of_cards_not_discarded():
    table = situation({HOME: 2}, {NEAR: 2})
    state = table.state
    state["pile"][1], state["under"][1] = 1 | 1 << 8, 3 | 1 << 3  # under: a city hit, a miss
    state["pile_size"][1], state["under_size"][1] = 4, 2
    state["discards"][1] = int(table.rules["combat_deck"]) - (2 | 1 << 8 | 1 << 16)
    view, found = look(table, state, 0), Counter()
    assert view["under"][1] == view["pile"][1] == 0
    for number in range(3000):
        under = int(redraw(table, view, 0, number)["under"][1])
        found[(under & 7) - 1, (under >> 3) - 1] += 1
    cards = [0, 0, 1, 2]
    pairs = Counter(itertools.permutations(cards, 2))
    assert chi_square(found, {pair: n / 12 for pair, n in pairs.items()}) > 1e-4
    own = look(table, state, 1)
    assert (int(own["under"][1]), int(own["pile"][1])) == (3 | 1 << 3, 1 | 1 << 8)


def test_spells_of_others_are_any_of_those_that_are_not_seen():
    table = situation(
        {HOME: 1},
        {NEAR: 1},
        {TARGET: 1},
        spells=dict.fromkeys(SPELLS, 0) | {"guard": 4, "frenzy": 3},
    )
    guard, frenzy = SPELLS.index("guard"), SPELLS.index("frenzy")
    state = table.state
    for people, counts in enumerate(((1, 0), (1, 1), (0, 1))):
        state["spells"][people, [guard, frenzy]] = counts
        state["spell_count"][people] = sum(counts)
    state["spell_deck"][[guard, frenzy]] = 1, 1
    state["spell_discards"][guard] = 1
    view, found = look(table, state, 0), Counter()
    assert view["spell_deck"].sum() == view["spells"][1:].sum() == 0
    for number in range(3000):
        drawn = redraw(table, view, 0, number)
        assert drawn["spells"][0].tolist() == state["spells"][0].tolist()
        found[int(drawn["spells"][1, guard]), int(drawn["spells"][2, guard])] += 1
        assert drawn["spells"][1].sum() == 2 and drawn["spells"][2].sum() == 1
        assert drawn["spells"][:, guard].sum() + drawn["spell_deck"][guard] == 3
    # Two guards and three frenzies for the others: ten ways to choose the guards' places.
    expected = {(0, 0): 1 / 10, (1, 0): 4 / 10, (2, 0): 1 / 10, (0, 1): 2 / 10, (1, 1): 2 / 10}
    assert chi_square(found, expected) > 1e-4


def test_a_view_hides_nothing_that_lies_open():
    table = in_a_fight()
    view = look(table, table.state, 0)
    hidden = {
        name for name in view.dtype.names if not np.array_equal(view[name], table.state[name])
    }
    assert hidden == {"chance", "pile", "hand", "spell_deck"}
    assert view["pile"][0] == table.state["pile"][0] and view["hand"][0] == table.state["hand"][0]


def test_a_state_takes_less_than_two_kibibytes() -> None:
    assert GAME.types(GAME.load_ruleset()).state.itemsize < 2048
