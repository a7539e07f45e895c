"""What a seat of Lumis can know of the cards it does not see, in plain Python.

Written from the rulings (R13, R15, R18), sharing nothing with the engine: the set of all hands
that fit what the seat has seen is moved on card by card. Two enemies count as one hand, since
who of the two holds a card is not followed up; what could be guessed from moves that somebody did
not make is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from lumis_fast.core.ruleset import Ruleset

JSON = dict[str, Any]
Hand = tuple[int, ...]

COLOURS = ("light_blue", "cream", "violet", "green")
TEAMS = ("yellow", "red")


class LumisObserver:
    """The knowledge of one seat.

    Parameters
    ----------
    ruleset : Ruleset
    seat : int
        Whose knowledge it is.
    seen : dict
        The first position as this seat sees it.

    Attributes
    ----------
    hands : list of set
        For each team, every hand that the hidden seats of that team may hold together: the
        partner, and the enemies.
    known : list of tuple
        For each team, which of those cards have been seen and not been played since: all that was
        held when the draw pile was last used up, and what was passed.
    """

    def __init__(self, ruleset: Ruleset, seat: int, seen: JSON) -> None:
        self.seat, self.seats = seat, seen["seats"]
        self.board = ruleset.values["board"]
        self.deck = (ruleset.values["cards_per_colour"],) * 4
        self.mine = _table(seen["hands"][seat]["cards"])
        self.discards: list[Hand] = [(0,) * 4, (0,) * 4]
        self.left = [sum(self.deck), sum(self.deck)]  # cards in each draw pile
        self.left[seat % 2] -= sum(self.mine)
        self.hands: list[set[Hand]] = [{(0,) * 4}, {(0,) * 4}]
        self.known: list[Hand] = [(0,) * 4, (0,) * 4]
        for other in range(self.seats):
            if other != seat:
                for _ in range(ruleset.values["opening_hand"]):
                    self._draw_hidden(other % 2)

    def hidden_pile(self, team: int, hand: Hand) -> Hand:
        """Tell which cards are in a team's draw pile if its hidden seats hold this hand.

        Parameters
        ----------
        team : int
        hand : tuple of int

        Returns
        -------
        tuple of int
            Negative numbers where that cannot be.
        """
        mine = self.mine if team == self.seat % 2 else (0,) * 4
        rows = zip(self.deck, self.discards[team], mine, hand, strict=True)
        return tuple(all_ - gone - own - held for all_, gone, own, held in rows)

    def _draw_hidden(self, team: int) -> None:
        self._reshuffle(team)
        self.hands[team] = {
            _plus(hand, colour)
            for hand in self.hands[team]
            for colour, count in enumerate(self.hidden_pile(team, hand))
            if count > 0
        }
        self.left[team] -= 1

    def _draw_mine(self, colour: int) -> None:
        team = self.seat % 2
        self._reshuffle(team)
        self.hands[team] = {h for h in self.hands[team] if self.hidden_pile(team, h)[colour] > 0}
        self.mine = _plus(self.mine, colour)
        self.left[team] -= 1

    def _reshuffle(self, team: int) -> None:
        if self.left[team] == 0:
            (self.known[team],) = self.hands[team]  # all that is not discarded is in the hands
            self.left[team] = sum(self.discards[team])
            self.discards[team] = (0,) * 4

    def see(self, step: JSON, seen: JSON) -> None:
        """See `rules_check.Observer`."""
        seat, team = step["seat"], step["seat"] % 2
        if step["action"] == "draw":
            for number in range(step["supply"]):
                if seat == self.seat:
                    self._draw_mine(COLOURS.index(step["cards"][number]))
                else:
                    self._draw_hidden(team)
        elif step["action"] == "give":
            if team == self.seat % 2:
                self._pass(seat, step["cards"])
        else:
            paid = _table(Counter(self._price(step)))
            self._lose(seat, paid)
            self.discards[team] = _sum(self.discards[team], paid)
        assert self.hands[0] and self.hands[1], "what was seen cannot have happened"
        assert seen["teams"][TEAMS[team]]["pile"] == self.left[team]

    def _pass(self, giver: int, cards: list[str]) -> None:
        team, given = self.seat % 2, _table(Counter(cards))
        self._lose(giver, given)
        if giver == self.seat:
            self.hands[team] = {_sum(hand, given) for hand in self.hands[team]}
            self.known[team] = _sum(self.known[team], given)
        else:
            self.mine = _sum(self.mine, given)

    def _lose(self, seat: int, cards: Hand) -> None:
        minus = tuple(-count for count in cards)
        if seat == self.seat:
            self.mine = _sum(self.mine, minus)
        else:
            left = {_sum(hand, minus) for hand in self.hands[seat % 2]}
            self.hands[seat % 2] = {hand for hand in left if min(hand) >= 0}
            known = _sum(self.known[seat % 2], minus)
            self.known[seat % 2] = tuple(max(count, 0) for count in known)

    def _price(self, step: JSON) -> list[str]:
        if step["action"] == "tower":
            return [self._colour(step["space"])] * step["height"]
        if step["action"] == "base":
            return [step["card"]]
        return [self._colour(space) for space in step.get("spaces", [])]

    def _colour(self, space: list[int]) -> str:
        return COLOURS["bcvg".index(self.board[space[0]][space[1]].lower())]

    def allows(self, position: JSON) -> bool:
        """See `rules_check.Observer`."""
        held = [_table(hand["cards"]) for hand in position["hands"]]
        sizes_fit = all(
            sum(cards) == hand["size"] for cards, hand in zip(held, position["hands"], strict=True)
        )
        return (
            sizes_fit
            and held[self.seat] == self.mine
            and all(self._allows_team(position, held, team) for team in range(2))
        )

    def _allows_team(self, position: JSON, held: list[Hand], team: int) -> bool:
        hidden = (0,) * 4
        for seat in range(team, self.seats, 2):
            if seat != self.seat:
                hidden = _sum(hidden, held[seat])
        shown = position["teams"][TEAMS[team]]
        return (
            hidden in self.hands[team]
            and _table(Counter(shown["pile"])) == self.hidden_pile(team, hidden)
            and _table(shown["discards"]) == self.discards[team]
        )


def _table(counts: dict[str, int]) -> Hand:
    return tuple(counts.get(colour, 0) for colour in COLOURS)


def _plus(hand: Hand, colour: int) -> Hand:
    return (*hand[:colour], hand[colour] + 1, *hand[colour + 1 :])


def _sum(one: Iterable[int], two: Iterable[int]) -> Hand:
    return tuple(a + b for a, b in zip(one, two, strict=True))
