"""Odds of fights: against enumeration on tiny decks, against simulation, and by hand."""

from __future__ import annotations

import functools
import json
import math
import random
from collections import Counter

import pytest
from click.testing import CliRunner
from scipy import stats

import lumis_fast_cli
from lumis_fast.errors import InputError
from lumis_fast.games.stone_guardians import SYMBOLS
from lumis_fast.games.stone_guardians.odds import odds

MISS, HIT, CITY_HIT, HERO, SHIELD = SYMBOLS
STANDARD = {MISS: 7, HIT: 6, CITY_HIT: 3, HERO: 2, SHIELD: 5}

# Enumeration, card by card, with nothing taken together -----------------------------------------

Pile = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Cards of unknown order, cards under them in order, discards."""


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


@functools.cache
def draws(pile: Pile, n: int) -> dict[tuple[tuple[str, ...], Pile], float]:
    """All hands of n cards, sorted, with what is left, drawn one after the other (G1)."""
    above, under, discards = pile
    if n == 0 or not (above or under or discards):
        return {((), pile): 1.0}
    if not above and not under:
        return draws((discards, (), ()), n)
    result: Counter = Counter()
    first = {}
    if above:
        for card, k in Counter(above).items():
            first[card, (without(above, card), under, discards)] = k / len(above)
    else:
        first[under[0], ((), under[1:], discards)] = 1.0
    for (card, left), p in first.items():
        for (more, rest), q in draws(left, n - 1).items():
            result[tuple(sorted((card, *more))), rest] += p * q
    return dict(result)


def strikes(cards: tuple[str, ...], city: bool) -> int:
    value = {CITY_HIT: 1, HERO: 1} if city else {HIT: 1, CITY_HIT: 1, HERO: 2}
    return sum(value.get(card, 0) for card in cards)


def number(armies: int, limit: int) -> int:
    return min(min(armies, 3) + 1, limit)


def put_away(rest: Pile, held: str, played: tuple[str, ...]) -> Pile:
    above, under, discards = rest
    return above, (*under, held), tuple(sorted(discards + played))


class Golems:
    """Best play against golems by looking ahead a number of rounds, all states apart."""

    def __init__(self, deck: dict[str, int], city: bool, limit: int) -> None:
        self.start = tuple(sorted(Counter(deck).elements())), (), ()
        self.city, self.limit = city, limit
        self.known: dict = {}

    def value(self, attackers: int, golems: int, pile: Pile, rounds: int) -> tuple[float, float]:
        """The chance to win, and attackers less golems left on average."""
        if attackers == 0 or golems == 0:
            return float(attackers > 0), float(attackers - golems)
        if rounds == 0:
            return 0.0, 0.0
        key = attackers, golems, pile, rounds
        if key not in self.known:
            win = margin = 0.0
            for (hand, rest), p in draws(pile, number(attackers, self.limit)).items():
                w, m = self.choose(attackers, golems, hand, rest, rounds)
                win, margin = win + p * w, margin + p * m
            self.known[key] = win, margin
        return self.known[key]

    def choose(self, attackers, golems, hand, rest, rounds) -> tuple[float, float]:
        best = None
        for held in set(hand):
            played = without(hand, held)
            a = max(0, attackers - max(0, golems - played.count(SHIELD)))
            g = max(0, golems - strikes(played, self.city))
            w, m = self.value(a, g, put_away(rest, held, played), rounds - 1)
            at_once = g == 0 and (a > 0 or attackers == 1)
            option = (at_once, round(w, 9), m), (w, m)
            if best is None or option > best:
                best = option
        return best[1]


def usefulness(card: str, city: bool) -> tuple[int, int]:
    """The order in which peoples hold back, the first least useful."""
    return 2 * strikes((card,), city) + (card == SHIELD), SYMBOLS.index(card)


class Peoples:
    """Fights between peoples, carried forward; both sides hold back what is least useful."""

    def __init__(self, deck: dict[str, int], city: bool, limit: int) -> None:
        self.start = tuple(sorted(Counter(deck).elements())), (), ()
        self.city, self.limit = city, limit

    def ends(self, attackers: int, defenders: int, rounds: int) -> Counter:
        states, ends = Counter({(attackers, defenders, self.start, self.start): 1.0}), Counter()
        for _ in range(rounds):
            following: Counter = Counter()
            for (a, d, one, two), p in states.items():
                for (hand, rest), q in draws(one, number(a, self.limit)).items():
                    held = min(hand, key=lambda card: usefulness(card, self.city))
                    attack, left = without(hand, held), put_away(rest, held, without(hand, held))
                    for (answer, below), r in draws(two, number(d, self.limit)).items():
                        kept = min(answer, key=lambda card: usefulness(card, False))
                        defence = without(answer, kept)
                        lost = max(0, strikes(defence, False) - attack.count(SHIELD))
                        fallen = max(0, strikes(attack, self.city) - defence.count(SHIELD))
                        after = max(0, a - lost), max(0, d - fallen)
                        chance = p * q * r
                        if 0 in after:
                            ends[after] += chance
                        else:
                            following[*after, left, put_away(below, kept, defence)] += chance
            states = following
        return ends


TINY = [
    {MISS: 1, HIT: 2, CITY_HIT: 1, SHIELD: 1},
    {MISS: 2, HIT: 1, CITY_HIT: 1, HERO: 1, SHIELD: 2},
    {HIT: 1, CITY_HIT: 2, SHIELD: 3},
    {MISS: 3, HERO: 1, CITY_HIT: 1, SHIELD: 1},
    {MISS: 1, CITY_HIT: 1},
]


@pytest.mark.parametrize("deck", TINY)
@pytest.mark.parametrize("city", [False, True])
def test_best_play_against_enumeration(deck: dict[str, int], city: bool) -> None:
    naive = Golems(deck, city, 4)
    for attackers, golems in [(1, 1), (2, 1), (2, 2), (3, 2), (5, 2), (4, 3), (6, 1)]:
        win, margin = naive.value(attackers, golems, naive.start, 12)
        answer = odds(attackers, golems=golems, city=city, deck=deck)
        assert answer["method"] == "exact"
        # What is still under way after twelve rounds is less than that.
        assert answer["attacker_wins"] == pytest.approx(win, abs=1e-7)
        left = attackers - answer["attackers_lost"] - (golems - answer["defenders_lost"])
        assert left == pytest.approx(margin, abs=1e-6)


@pytest.mark.parametrize("deck", TINY[:4])
@pytest.mark.parametrize("city", [False, True])
def test_peoples_against_enumeration(deck: dict[str, int], city: bool) -> None:
    naive = Peoples(deck, city, 4)
    for attackers, defenders in [(1, 1), (2, 1), (1, 3), (2, 2)]:
        ends = naive.ends(attackers, defenders, 7)
        open_ = 1 - sum(ends.values())
        answer = odds(attackers, defenders, city=city, deck=deck, method="exact")
        for n in range(attackers + 1):
            share = sum(p for (a, _), p in ends.items() if a == n)
            assert share - 1e-6 <= answer["attackers_left"][n] <= share + open_ + 1e-6
        for n in range(defenders + 1):
            share = sum(p for (_, d), p in ends.items() if d == n)
            assert share - 1e-6 <= answer["defenders_left"][n] <= share + open_ + 1e-6
        assert open_ < 0.05


def test_one_army_against_one_golem_by_hand() -> None:
    """Two cards of hit, hit, shield: without a hit in hand is impossible; both die at once."""
    answer = odds(1, golems=1, deck={HIT: 2, SHIELD: 1})
    assert answer["both_destroyed"] == pytest.approx(1)
    assert answer["attackers_left"] == pytest.approx([1, 0])
    assert answer["defenders_left"] == pytest.approx([1, 0])


def test_two_armies_against_one_golem_by_hand() -> None:
    """Three of four cards m, h, s, s: with a hit (3 of 4) it is won, with m, s, s it goes on.

    A hit goes with a shield, so nobody is lost. Of m, s, s the miss or a shield is held back, a
    shield is played, and nobody is lost; h is in the next hand then, with a shield or not.
    """
    answer = odds(2, golems=1, deck={MISS: 1, HIT: 1, SHIELD: 2})
    assert answer["attacker_wins"] == pytest.approx(1)
    # The pile is h, then what was held back, then the discards: the shield held back is drawn.
    assert answer["attackers_left"] == pytest.approx([0, 0, 1])


def test_one_against_one_by_hand() -> None:
    """Two of three cards h, h, s, and the shield is held back: both strike, both die."""
    answer = odds(1, 1, deck={HIT: 2, SHIELD: 1})
    assert answer["both_destroyed"] == pytest.approx(1)
    assert answer["method"] == "exact"
    assert answer["attackers_lost"] == answer["defenders_lost"] == pytest.approx(1)


def test_equal_sides_have_equal_chances() -> None:
    answer = odds(3, 3, method="exact")
    assert answer["attacker_wins"] == pytest.approx(answer["defender_wins"], abs=1e-6)
    assert answer["unresolved"] <= 1e-6
    assert answer["attackers_left"] == pytest.approx(answer["defenders_left"], abs=1e-6)


def test_more_armies_never_hurt() -> None:
    for city in (False, True):
        for golems in range(1, 9):
            wins = [odds(n, golems=golems, city=city)["attacker_wins"] for n in range(1, 16)]
            assert wins[0] == 0  # one army plays one card, and cannot strike and survive
            assert all(more >= less - 1e-12 for less, more in zip(wins, wins[1:], strict=False))


def test_a_wall_helps_and_so_do_more_golems() -> None:
    for attackers in (2, 5, 9):
        for golems in (1, 3, 5):
            open_, walled, more = (
                odds(attackers, golems=golems + n, city=city)["attacker_wins"]
                for n, city in ((0, False), (0, True), (1, False))
            )
            assert walled <= open_ + 1e-12
            assert more <= open_ + 1e-12


# Exact against simulated ------------------------------------------------------------------------


def settings(n: int, rng: random.Random):
    """Random questions: two of three against golems, the others small enough to be exact."""
    for i in range(n):
        golems = i % 3 < 2
        while True:
            deck = {symbol: rng.randrange(6) for symbol in SYMBOLS}
            strong = deck[CITY_HIT] + deck[HERO]
            if strong >= 3 and sum(deck.values()) >= 8 and deck[SHIELD] <= 3:
                break
        if rng.random() < 0.4:
            deck = STANDARD
        most = (12, 8) if golems else (3, 3)
        sides = rng.randint(1, most[0]), rng.randint(1, most[1])
        city = rng.random() < (0.5 if golems else 0.25)
        yield golems, sides, city, deck, rng.choice([4, 4, 3]), i


def deviations(n: int, games: int) -> tuple[float, int, int]:
    """Compare exact and simulated: the sum of squares, its degrees of freedom, settings."""
    total, freedom, compared = 0.0, 0, 0
    for golems, (attackers, against), city, deck, limit, seed in settings(n, random.Random(5)):
        names = {"golems" if golems else "defenders": against, "city": city}
        names |= {"deck": deck, "card_limit": limit}
        exact = odds(attackers, **names)
        if exact["method"] != "exact":
            continue
        simulated = odds(attackers, **names, method="simulated", games=games, seed=seed)
        compared += 1
        # All three outcomes at once, those that are hardly met left out.
        outcomes = ("attacker_wins", "defender_wins", "both_destroyed")
        cells = [(games * exact[name], games * simulated[name]) for name in outcomes]
        assert all(seen == 0 for expected, seen in cells if expected < 1e-3)
        cells = [cell for cell in cells if cell[0] >= 5]
        total += sum((seen - expected) ** 2 / expected for expected, seen in cells)
        freedom += len(cells) - 1
    return total, freedom, compared


@pytest.mark.parametrize(
    ("n", "games", "at_least"),
    [(60, 4000, 50), pytest.param(300, 40_000, 200, marks=pytest.mark.long)],
)
def test_exact_and_simulated_agree(n: int, games: int, at_least: int) -> None:
    total, freedom, compared = deviations(n, games)
    assert compared >= at_least
    assert freedom >= compared // 2
    assert 1e-4 < stats.chi2.sf(total, freedom) < 1 - 1e-4


def test_intervals_cover_the_exact_figures() -> None:
    exact = odds(4, golems=3)
    simulated = odds(4, golems=3, method="simulated", games=20_000, seed=3)
    for name, (low, high) in simulated["intervals"].items():
        half = (high - low) / 2
        assert low - half < exact[name] < high + half  # four standard deviations
    assert simulated["games"] == 20_000
    assert simulated["attackers_left"][0] == pytest.approx(1 - simulated["attacker_wins"])


def test_a_seed_repeats_the_answer() -> None:
    first, again, other = (
        odds(6, 4, city=True, method="simulated", games=2000, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first["attackers_left"] != other["attackers_left"]


# Answers and questions --------------------------------------------------------------------------


@pytest.mark.parametrize("question", [{"golems": 3}, {"defenders": 2}, {"defenders": 7}])
def test_the_parts_of_an_answer_fit_together(question: dict[str, int]) -> None:
    answer = odds(5, **question, games=2000)
    outcomes = [answer[name] for name in ("attacker_wins", "defender_wins", "both_destroyed")]
    assert math.fsum(outcomes) == pytest.approx(1, abs=2e-6)
    assert answer["attacker_wins"] == pytest.approx(sum(answer["attackers_left"][1:]))
    assert answer["defender_wins"] == pytest.approx(sum(answer["defenders_left"][1:]))
    lost = sum((5 - n) * share for n, share in enumerate(answer["attackers_left"]))
    assert answer["attackers_lost"] == pytest.approx(lost, abs=1e-4)
    assert json.loads(json.dumps(answer)) == answer


WRONG = {
    "both kinds of defenders": ((3,), {"defenders": 2, "golems": 2}, "give one"),
    "no defenders": ((3,), {}, "give one"),
    "no attackers": ((0,), {"golems": 2}, "the nearest is 1"),
    "too many golems": ((3,), {"golems": 31}, "the nearest is 30"),
    "a symbol": ((3,), {"golems": 3, "deck": {"hits": 3}}, "did you mean 'hit'"),
    "an endless fight": ((3,), {"golems": 3, "deck": {MISS: 5}}, "strikes"),
    "endless in a city": ((3,), {"golems": 3, "city": True, "deck": {HIT: 5}}, "strikes"),
    "a deck too large": ((3,), {"golems": 3, "deck": {HIT: 41}}, "2 to 40"),
    "a method": ((3,), {"golems": 3, "method": "exakt"}, "did you mean 'exact'"),
    "games": ((3,), {"golems": 3, "games": 0}, "the nearest is 1"),
    "beyond exact": ((12,), {"defenders": 12, "method": "exact"}, "simulated"),
}


@pytest.mark.parametrize("case", WRONG)
def test_bad_questions(case: str) -> None:
    positional, named, said = WRONG[case]
    with pytest.raises(InputError) as caught:
        odds(*positional, **named)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


# The command ------------------------------------------------------------------------------------


def run(*arguments: str):
    return CliRunner().invoke(lumis_fast_cli.main, ["odds", *arguments])


def test_the_command_prints_one_json_object() -> None:
    result = run("--attackers", "3", "--golems", "2", "--city", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == odds(3, golems=2, city=True)
    assert result.stderr == ""


def test_the_command_tells_what_is_simulated() -> None:
    result = run("--attackers", "2", "--defenders", "1", "--method", "simulated", "--games", "1000")
    assert result.exit_code == 0
    assert "2 attackers against 1 defender, fresh decks" in result.stdout
    assert "Simulated: 1 000 fights, seed 0" in result.stdout
    exact = run("--attackers", "2", "--defenders", "1")
    assert "Exact" in exact.stdout and "Simulated" not in exact.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--attackers", "3"), "give one of the two"),
        (("--attackers", "3", "--golems", "99"), "the nearest is 30"),
        (("--attackers", "x", "--golems", "3"), "'x' is not a valid integer"),
        (("--golems", "3"), "--attackers"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(arguments: tuple[str, ...], said: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr and result.stderr.count("\n") == 1
