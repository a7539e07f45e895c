"""Fights of the Stone Guardians against situations worked out by hand (rulings, G1 to G11)."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from lumis_fast.core.jit import entry
from lumis_fast.core.streams import open_stream
from lumis_fast.games.stone_guardians import SYMBOLS, cards, fight, state
from lumis_fast.games.stone_guardians.kernels import TYPES

pytestmark = pytest.mark.bounds

LETTERS = {"m": 0, "h": 1, "c": 2, "r": 3, "s": 4}  # r: hero strike
NOBODY = 255
CITY, FIELD = 0, 13
"""Two provinces, the first on Lutao."""


@entry
def _start(rules, work, state):
    return fight.start_fight(rules, work, state)


@entry
def _hold_back(rules, work, state, move):
    return fight.hold_back(rules, work, state, move)


@entry
def _draw(work, state, people, n):
    return cards.draw(work, state, people, n)


@entry
def _draw_often(work, state, deck, n, times, hands):
    work.draws_made = len(work.draws)
    for i in range(times):
        state.pile[0], state.pile_size[0] = deck, cards.cards_in(deck)
        hands[i] = cards.draw(work, state, np.int64(0), n)


@entry
def _open(stream, seed):
    open_stream(stream, seed, 0, 1)


def counts(letters: str) -> int:
    return sum(1 << 8 * LETTERS[letter] for letter in letters.replace(" ", ""))


def letters(packed: int) -> str:
    return "".join(letter * (int(packed) >> 8 * i & 255) for letter, i in LETTERS.items())


def sequence(letters: str) -> int:
    return sum(LETTERS[letter] + 1 << 3 * i for i, letter in enumerate(letters))


class Table:
    """A fight for one province: people 0 attacks people 1, or golems; or golems attack people 1."""

    def __init__(self, attackers, defenders, *, province=FIELD, city=False, golems=""):
        self.rules, self.work, self.state, self.move = (
            np.zeros(1, dtype)[0] for dtype in (TYPES.rules, TYPES.work, TYPES.state, TYPES.move)
        )
        now = self.state
        _open(now["chance"], np.uint64(7))
        self.rules["card_limit"], self.rules["peoples"] = 4, 2
        self.rules["combat_deck"] = counts(7 * "m" + 6 * "h" + 3 * "c" + 2 * "r" + 5 * "s")
        now["pile"], now["pile_size"] = self.rules["combat_deck"], 23
        now["fight"], now["defender"], now["supply"], now["golem_supply"] = province, NOBODY, 30, 3
        now["contested"] = now["cities"] = 1 << province
        if not city:
            now["cities"] = 0
        now["attackers"][province] = attackers
        now["golems_attack"] = golems == "attack"
        if golems == "defend":
            now["golems"][province] = defenders
        else:
            now["armies"][province] = defenders
            now["owned"][1] = 1 << province
        self.province = province

    def tell(self, *draws: str) -> None:
        """Say what is drawn next, in order; the attacker first."""
        for i, letters in enumerate(draws):
            people = i % 2
            if self.state["golems_attack"]:
                people = 1
            elif self.state["golems"][self.province] > 0:
                people = 0
            entry = self.work["draws"][i]
            entry["people"], entry["size"] = people, len(letters)
            entry["cards"] = sequence(letters)
        self.work["draws_told"], self.work["draws_made"] = len(draws), 0

    def start(self) -> bool:
        return bool(_start(self.rules, self.work, self.state))

    def hold_back(self, *held: str) -> bool:
        over = False
        for letter in held:
            assert not over
            self.move["what"] = LETTERS[letter]
            over = bool(_hold_back(self.rules, self.work, self.state, self.move))
        assert not self.work["draws_wrong"]
        return over

    def round(self, attack: str, defence: str = "") -> bool:
        """One first combat round; the first card of each hand is held back."""
        hands = [hand for hand in (attack, defence) if hand]
        self.tell(*hands)
        assert not self.start()
        return self.hold_back(*(hand[0] for hand in hands))

    @property
    def troops(self) -> tuple[int, int]:
        now = self.state
        return (
            int(now["attackers"][self.province]),
            int(now["armies"][self.province]) + int(now["golems"][self.province]),
        )


# Cards drawn (G2; ruling 31) --------------------------------------------------------------------


@pytest.mark.parametrize(("armies", "cards"), [(1, 2), (2, 3), (3, 4), (4, 4), (11, 4)])
def test_cards_for_armies(armies: int, cards: int) -> None:
    table = Table(armies, armies)
    assert not table.start()
    assert table.state["hand_size"].tolist() == [cards, cards]
    assert [len(letters(hand)) for hand in table.state["hand"]] == [cards, cards]
    assert table.state["pile_size"][:2].tolist() == [23 - cards, 23 - cards]


def test_the_card_limit_cuts() -> None:
    table = Table(5, 2)
    table.rules["card_limit"] = 3
    table.start()
    assert table.state["hand_size"].tolist() == [3, 3]


def test_cards_are_counted_anew_from_the_survivors() -> None:
    table = Table(3, 2)
    assert not table.round("mmmm", "mhm")
    assert table.troops == (2, 2)
    assert table.state["hand_size"].tolist() == [3, 3]


# Who decides --------------------------------------------------------------------------------


def test_the_attacker_is_asked_first_then_the_defender() -> None:
    table = Table(3, 3)
    table.start()
    assert table.state["stage"] == state.ATTACKER_HOLDS_BACK
    assert table.state["to_move"] == 0
    table.hold_back(letters(table.state["hand"][0])[0])
    assert table.state["stage"] == state.DEFENDER_HOLDS_BACK
    assert table.state["to_move"] == 1
    assert table.state["hand_size"].tolist() == [3, 4]
    assert table.state["pile_size"][:2].tolist() == [20, 19]


def test_a_single_card_is_not_held_back() -> None:
    table = Table(3, 1)
    now = table.state
    now["pile"][0], now["pile_size"][0] = counts("h"), 1
    table.tell("h", "mm")
    assert not table.start()
    assert now["stage"] == state.DEFENDER_HOLDS_BACK
    assert table.hold_back("m")
    assert now["owned"][0] == 1 << FIELD


def test_a_side_without_cards_strikes_nobody() -> None:
    table = Table(1, 1)
    table.state["pile"][0] = table.state["pile_size"][0] = 0
    table.tell()
    table.work["draws_told"] = 0
    table.state["pile"][1], table.state["pile_size"][1] = counts("hh"), 2
    assert not table.start()
    assert table.hold_back("h")
    assert table.state["owned"][1] == 1 << FIELD
    assert table.state["armies"][FIELD] == 1


# Strikes and losses (G3 to G7) ------------------------------------------------------------------

ROUNDS = {
    # attack, defence (the first card is held back), in a city, attackers and defenders left of 9
    "misses": ("hmmm", "hmmm", False, 9, 9),
    "a hit, a city hit and a hero strike": ("mhcr", "mmmm", False, 9, 5),
    "a shield stops one hit": ("mhhm", "mmms", False, 9, 8),
    "a shield stops one of a hero strike's two": ("mrmm", "mmms", False, 9, 8),
    "two shields stop a hero strike": ("mrmm", "mmss", False, 9, 9),
    "more shields than strikes": ("mhmm", "msss", False, 9, 9),
    "both lose at once": ("mhhh", "mhrc", False, 5, 6),
    "each behind the own shield": ("mhsh", "mhss", False, 9, 9),
    "hits are void against a city": ("mhhh", "mmmm", True, 9, 9),
    "void hits use up no shield": ("mhhc", "mmms", True, 9, 9),
    "a city hit strikes in a city": ("mhcc", "mmmm", True, 9, 7),
    "a hero strike is one city hit": ("mrrm", "mmmm", True, 9, 7),
    "a shield stops a hero strike on a city": ("mrmm", "mmms", True, 9, 9),
    "the attacker is in no city": ("mmmm", "mhrc", True, 5, 9),
    "all at once": ("mrch", "mshr", True, 6, 8),
    "the card held back does nothing": ("rmmm", "cmmm", False, 9, 9),
}


@pytest.mark.parametrize("case", ROUNDS)
def test_losses_of_a_round(case: str) -> None:
    attack, defence, city, attackers, defenders = ROUNDS[case]
    table = Table(9, 9, city=city)
    assert not table.round(attack, defence)
    assert table.troops == (attackers, defenders)
    assert table.state["supply"][:2].tolist() == [30 + 9 - attackers, 30 + 9 - defenders]


def test_the_symbol_alone_makes_no_city() -> None:
    table = Table(9, 9)
    table.state["cities"] = 1 << FIELD + 1  # the marker of another province
    assert not table.round("mhhh", "mmmm")
    assert table.troops == (9, 6)


def test_surplus_strikes_are_lost() -> None:
    table = Table(4, 2)
    assert table.round("mrrh", "mmm")
    assert table.state["supply"][:2].tolist() == [30, 32]
    assert table.state["armies"][FIELD] == 4


# The end of a fight (G3, G9, M14) ---------------------------------------------------------------


def test_the_attacker_wins() -> None:
    table = Table(4, 1)
    now = table.state
    now["ships"][0] = 0b101
    assert table.round("mhmm", "mh")
    assert now["stage"] == state.AFTER_FIGHT
    assert now["owned"][:2].tolist() == [1 << FIELD, 0]
    assert (now["armies"][FIELD], now["attackers"][FIELD], now["contested"]) == (3, 0, 0)
    assert now["supply"][:2].tolist() == [31, 31]
    assert (now["fight"], now["defender"]) == (FIELD, 1)
    assert now["ships"][0] == 0b101


def test_the_defender_wins() -> None:
    table = Table(1, 2, city=True)
    now = table.state
    assert table.round("mh", "mhm")
    assert now["owned"][:2].tolist() == [0, 1 << FIELD]
    assert (now["armies"][FIELD], now["attackers"][FIELD], now["contested"]) == (2, 0, 0)
    assert now["cities"] == 1 << FIELD


def test_both_die_and_the_province_is_nobodys() -> None:
    table = Table(1, 1, city=True)
    now = table.state
    assert table.round("mc", "mh")
    assert now["owned"][:2].tolist() == [0, 0]
    assert (now["armies"][FIELD], now["attackers"][FIELD], now["contested"]) == (0, 0, 0)
    assert now["cities"] == 1 << FIELD
    assert now["supply"][:2].tolist() == [31, 31]


def test_cards_played_are_discarded_and_the_ones_held_back_lie_under() -> None:
    table = Table(3, 1)
    now = table.state
    assert table.round("shhm", "rm")
    assert letters(now["discards"][0]) == "mhh"
    assert letters(now["discards"][1]) == "m"
    assert now["under"][:2].tolist() == [sequence("s"), sequence("r")]
    assert now["under_size"][:2].tolist() == [1, 1]
    assert now["pile_size"][:2].tolist() == [20, 22]
    assert now["hand"].tolist() == [0, 0]
    assert letters(now["pile"][0]) == "m" * 6 + "h" * 4 + "ccc" + "rr" + "s" * 4


# The pile (G1) ----------------------------------------------------------------------------------


def test_cards_held_back_come_in_their_order_when_the_pile_is_empty() -> None:
    table = Table(9, 9)
    now = table.state
    now["pile"][0], now["pile_size"][0] = counts("m" * 8), 8
    now["pile"][1], now["pile_size"][1] = counts("m" * 12), 12
    now["pile"][0] = counts("mmmmmmrs")
    table.tell("rmmm", "mmmm", "smmm", "mmmm")
    table.start()
    table.hold_back("r", "m", "s", "m")
    # The third draw: nothing but r and s is left below, then the discards, all misses.
    assert letters(now["hand"][0]) == "mmrs"
    last = table.work["draws"][4]
    assert last["cards"] == sequence("rsmm")
    assert (last["people"], last["size"], last["reshuffled"]) == (0, 4, 2)
    assert letters(now["pile"][0]) == "mmmm"
    assert (now["pile_size"][0], now["under_size"][0], now["discards"][0]) == (4, 0, 0)


def test_a_draw_that_ends_within_the_cards_held_back() -> None:
    table = Table(9, 9)
    now = table.state
    now["pile"][0], now["pile_size"][0] = counts("c"), 5
    now["under"][0], now["under_size"][0] = sequence("hsrm"), 4
    now["discards"][0] = counts("mmmm")
    table.start()
    assert letters(now["hand"][0]) == "hcrs"
    assert (now["under"][0], now["under_size"][0]) == (sequence("m"), 1)
    assert letters(now["discards"][0]) == "mmmm"
    assert table.work["draws"][0]["reshuffled"] == NOBODY
    assert table.work["draws"][0]["cards"] == sequence("chsr")


def test_the_card_held_back_goes_under_the_new_pile() -> None:
    table = Table(9, 9)
    now = table.state
    now["pile"][0], now["pile_size"][0] = counts("cc"), 2
    now["discards"][0] = counts("hhhhh")
    table.start()
    assert letters(now["hand"][0]) == "hhcc"
    table.hold_back("c", letters(now["hand"][1])[0])
    drawn = table.work["draws"][2]
    assert drawn["cards"] == sequence("hhhc")  # three hits of the new pile, then the card below
    assert drawn["reshuffled"] == NOBODY


def test_too_few_cards_at_all() -> None:
    table = Table(9, 9)
    now = table.state
    now["pile"][0], now["pile_size"][0] = counts("c"), 1
    now["discards"][0] = counts("h")
    table.start()
    assert letters(now["hand"][0]) == "hc"
    assert now["pile_size"][0] == 0


def test_draws_are_uniform() -> None:
    """Hands of four of 23 cards come as often as the hypergeometric distribution says."""
    table = Table(1, 1)
    times, deck = 60_000, Counter({"m": 7, "h": 6, "c": 3, "r": 2, "s": 5})
    hands = np.zeros(times, np.uint64)
    packed = table.rules["combat_deck"]
    _draw_often(table.work, table.state, packed, np.int64(4), np.int64(times), hands)
    seen, expected = Counter(hands.tolist()), {}
    for hand in itertools.combinations_with_replacement("mhcrs", 4):
        ways = math.prod(math.comb(deck[x], n) for x, n in Counter(hand).items())
        expected[counts("".join(hand))] = times * ways / math.comb(23, 4)
    assert set(seen) <= {hand for hand, n in expected.items() if n > 0}
    common = [hand for hand, n in expected.items() if n >= 10]
    rest = times - sum(expected[hand] for hand in common)
    observed = [seen[hand] for hand in common]
    result = stats.chisquare(
        [*observed, times - sum(observed)], [*(expected[hand] for hand in common), rest]
    )
    assert result.pvalue > 1e-4


def test_six_cards_are_drawn_with_the_right_means() -> None:
    """Longer draws take two random numbers: each symbol is met as often as it should."""
    table, times = Table(1, 1), 30_000
    hands = np.zeros(times, np.uint64)
    packed = table.rules["combat_deck"]
    _draw_often(table.work, table.state, packed, np.int64(6), np.int64(times), hands)
    for symbol, n in enumerate((7, 6, 3, 2, 5)):
        met = (hands >> np.uint64(8 * symbol)) & np.uint64(255)
        error = math.sqrt(6 * n / 23 * (1 - n / 23) * 17 / 22 / times)
        assert abs(met.mean() - 6 * n / 23) < 5 * error
    assert all(len(letters(hand)) == 6 for hand in hands[:100])


def test_a_draw_that_is_told_but_cannot_be_is_noted() -> None:
    table = Table(3, 3)
    table.state["pile"][0], table.state["pile_size"][0] = counts("mmmmmmmm"), 8
    table.tell("rmmm", "mmmm")
    table.start()
    assert table.work["draws_wrong"]
    assert letters(table.state["hand"][0]) == "mmmm"


# Golems (G8, M13; rulings, 28 and 29) -----------------------------------------------------------


def test_golems_draw_nothing_and_strike_once_each() -> None:
    table = Table(9, 3, province=CITY, golems="defend")
    now = table.state
    table.tell("mmsm")
    table.start()
    assert (now["hand_size"].tolist(), now["defender"]) == ([4, 0], NOBODY)
    assert not table.hold_back("m")
    assert table.troops == (7, 3)  # three hits, one stopped
    assert now["stage"] == state.ATTACKER_HOLDS_BACK  # a card is held back in every round


def test_golems_strike_in_the_same_instant() -> None:
    table = Table(3, 2, province=CITY, golems="defend")
    now = table.state
    assert table.round("mhhm")
    assert table.troops[0] == 0
    assert (now["armies"][CITY], now["golems"][CITY], now["golem_supply"]) == (1, 0, 5)
    assert now["owned"][0] == 1 << CITY
    assert now["supply"][0] == 32


def test_golems_in_the_city_are_in_a_city() -> None:
    table = Table(9, 3, province=CITY, city=True, golems="defend")
    assert not table.round("mhrc")
    assert table.troops == (6, 1)
    assert table.state["golem_supply"] == 5


def test_golems_hold_their_province() -> None:
    table = Table(2, 2, province=CITY, golems="defend")
    now = table.state
    assert table.round("mmh")
    assert (now["golems"][CITY], now["armies"][CITY], now["contested"]) == (1, 0, 0)
    assert now["owned"][:2].tolist() == [0, 0]


def test_golems_and_attackers_destroy_each_other() -> None:
    table = Table(1, 1, province=CITY, golems="defend")
    now = table.state
    assert table.round("mh")
    assert (now["golems"][CITY], now["armies"][CITY], now["owned"][0]) == (0, 0, 0)
    assert (now["golem_supply"], now["supply"][0]) == (4, 31)


def test_golems_that_attack_stay_and_own_nothing() -> None:
    table = Table(3, 2, province=5, golems="attack")
    now = table.state
    table.tell("mmh")
    table.start()
    assert (now["hand_size"].tolist(), now["to_move"]) == ([0, 3], 1)
    assert now["stage"] == state.DEFENDER_HOLDS_BACK
    assert table.hold_back("m")
    assert (now["golems"][5], now["armies"][5], now["attackers"][5]) == (2, 0, 0)
    assert now["owned"][:2].tolist() == [0, 0]
    assert (now["golem_supply"], now["supply"][:2].tolist()) == (4, [30, 32])
    assert now["contested"] == 0


def test_golems_that_attack_and_lose_return_to_supply() -> None:
    table = Table(2, 3, province=5, golems="attack")
    now = table.state
    table.tell("mhhs")
    table.start()
    assert table.hold_back("m")
    assert (now["golems"][5], now["armies"][5], now["attackers"][5]) == (0, 2, 0)
    assert now["owned"][:2].tolist() == [0, 1 << 5]
    assert (now["golem_supply"], now["supply"][1]) == (5, 31)


def test_symbols_have_the_order_of_the_letters_here() -> None:
    assert SYMBOLS == ("miss", "hit", "city_hit", "hero_strike", "shield")
