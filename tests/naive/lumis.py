"""Lumis in plain Python: slow, obviously right, and independent of the engine.

Written from the rulebook and the rulings (R1 to R19, named in the comments), with dictionaries of
spaces and nothing clever. It is driven by the steps of a game record, so a game exported by any
engine can be followed step by step and every claim it makes be checked.
"""

from __future__ import annotations

import heapq
import itertools
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

Space = tuple[int, int]
Vector = tuple[int, ...]
Group = frozenset[Space]
Step = dict[str, Any]

COLOURS = ("light_blue", "cream", "violet", "green")
LETTERS = "bcvg"
TEAMS = ("yellow", "red")
NEIGHBOURS = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1))
KINDS = ("draw", "give", "tower", "base", "connect")


@dataclass
class Tower:
    """A tower on the board: whose fire stone is on top and how many tower stones are below it."""

    team: str
    height: int


def team_of(seat: int) -> str:
    """Team of a seat: yellow and red alternate, seat 0 is yellow (R19)."""
    return TEAMS[seat % 2]


def enemy_of(team: str) -> str:
    """The other team."""
    return TEAMS[1 - TEAMS.index(team)]


def deal(ruleset: dict[str, Any], seats: int, rng: random.Random) -> dict[str, Any]:
    """Shuffle both decks and deal the opening hands.

    Parameters
    ----------
    ruleset : dict
        Effective values by the rulings' names.
    seats : int
        2 or 4.
    rng : random.Random
        Where the shuffles come from.

    Returns
    -------
    dict
        The record's `setup`: `hands` per seat, and `piles` per team, the next card first.
    """
    hands: list[list[str]] = [[] for _ in range(seats)]
    piles: dict[str, list[str]] = {}
    for team in TEAMS:
        deck = [colour for colour in COLOURS for _ in range(ruleset["cards_per_colour"])]
        rng.shuffle(deck)
        for seat in range(seats):
            if team_of(seat) == team:
                hands[seat] = deck[: ruleset["opening_hand"]]
                deck = deck[ruleset["opening_hand"] :]
        piles[team] = deck
    return {"hands": hands, "piles": piles}


class NaiveLumis:
    """A game of Lumis that is moved on by record steps.

    Parameters
    ----------
    ruleset : dict
        `board` (rows without blanks), `cards_per_colour`, `opening_hand`, `hand_limit`,
        `supply_cards` (per team a list of [face up, face down]), `fire_stones`, `tower_stones`,
        `first_team`, `max_turns`, `base_towers`.
    seats : int
        2 or 4; seats 0 and 2 are yellow, 1 and 3 red.
    setup : dict
        `hands` and `piles` as in a record.

    Raises
    ------
    ValueError
        If there are not 2 or 4 seats, or the cards of the set-up are not the teams' decks.
    """

    def __init__(self, ruleset: dict[str, Any], seats: int, setup: dict[str, Any]) -> None:
        if seats not in (2, 4):
            raise ValueError(f"Lumis has 2 or 4 seats, not {seats}")
        self.ruleset = ruleset
        self.seats = seats
        self.board: list[str] = list(ruleset["board"])
        self.rows = len(self.board)
        self.columns = len(self.board[0])
        self._lines = {team: self._lay_out_base_lines(team) for team in TEAMS}
        self.stones: dict[Space, str] = {}
        self.towers: dict[Space, Tower] = {}
        self.tower_stones: int = ruleset["tower_stones"]
        self.fire_stones: dict[str, int] = {team: ruleset["fire_stones"] for team in TEAMS}
        self.supply_cards: dict[str, list[list[int]]] = {
            team: [list(card) for card in ruleset["supply_cards"][team]] for team in TEAMS
        }
        self.hands: list[Counter[str]] = [Counter(hand) for hand in setup["hands"]]
        self.piles: dict[str, list[str]] = {team: list(setup["piles"][team]) for team in TEAMS}
        self.discards: dict[str, Counter[str]] = {team: Counter() for team in TEAMS}
        self._check_setup()
        self.to_move = TEAMS.index(ruleset["first_team"])
        self.turn = 0
        self.skips_in_a_row = 0
        self.outcome: dict[str, Any] | None = None
        self._around = {space: self._look_around(space) for space in self._all_spaces()}
        self._tower_spaces = [space for space in self._around if self.is_tower_space(space)]

    def _check_setup(self) -> None:
        if len(self.hands) != self.seats:
            raise ValueError(f"{len(self.hands)} hands for {self.seats} seats")
        if any(hand.total() != self.ruleset["opening_hand"] for hand in self.hands):
            raise ValueError("a hand of the set-up is not an opening hand")
        deck = Counter({colour: self.ruleset["cards_per_colour"] for colour in COLOURS})
        for team in TEAMS:
            dealt = Counter(self.piles[team])
            for seat in range(self.seats):
                if team_of(seat) == team:
                    dealt += self.hands[seat]
            if dealt != deck:
                raise ValueError(f"the cards of team {team} are not its deck")

    # The board ------------------------------------------------------------------------------

    def letter(self, space: Space) -> str:
        """What the board shows at a space: a colour letter, `*`, or `.` for no space."""
        row, column = space
        if 0 <= row < self.rows and 0 <= column < self.columns:
            return self.board[row][column]
        return "."

    def is_ordinary(self, space: Space) -> bool:
        """Whether a bare fire stone may ever stand here (R1)."""
        return self.letter(space) in tuple(LETTERS)

    def is_tower_space(self, space: Space) -> bool:
        """Whether this is one of the board's tower spaces, base lines not counted."""
        return self.letter(space) in tuple(LETTERS.upper())

    def colour_of(self, space: Space) -> str:
        """Colour of an ordinary space or a tower space."""
        return COLOURS[LETTERS.index(self.letter(space).lower())]

    def base_lines(self, team: str) -> tuple[list[Space], list[Space]]:
        """The two base lines of a team (D6): yellow above and below, red left and right."""
        return self._lines[team]

    def _lay_out_base_lines(self, team: str) -> tuple[list[Space], list[Space]]:
        if team == "yellow":
            return (
                [(-1, column) for column in range(self.columns)],
                [(self.rows, column) for column in range(self.columns)],
            )
        return (
            [(row, -1) for row in range(self.rows)],
            [(row, self.columns) for row in range(self.rows)],
        )

    def is_on_base_line(self, space: Space, team: str) -> bool:
        """Whether a space is on one of a team's two base lines."""
        return any(space in line for line in self.base_lines(team))

    def neighbours(self, space: Space) -> list[Space]:
        """Spaces that touch a space, base-line spaces among them (D2, D6)."""
        return self._around[space]

    def _all_spaces(self) -> list[Space]:
        grid = [(row, column) for row in range(self.rows) for column in range(self.columns)]
        spaces = [space for space in grid if self.letter(space) != "."]
        for team in TEAMS:
            for line in self.base_lines(team):
                spaces += line
        return spaces

    def _look_around(self, space: Space) -> list[Space]:
        row, column = space
        touching = [(row + down, column + right) for down, right in NEIGHBOURS]
        return [other for other in touching if self._is_space(other)]

    def _is_space(self, space: Space) -> bool:
        on_a_line = any(self.is_on_base_line(space, team) for team in TEAMS)
        return on_a_line or self.letter(space) != "."

    # Pieces and links -----------------------------------------------------------------------

    def towers_of(self, team: str) -> set[Space]:
        """Spaces of all towers of a team, whole base lines included where they stand as towers."""
        spaces = {space for space, tower in self.towers.items() if tower.team == team}
        if not self.ruleset["base_towers"]:
            first, second = self.base_lines(team)
            spaces.update(first, second)
        return spaces

    def pieces_of(self, team: str) -> set[Space]:
        """Spaces of all pieces of a team that can be linked (R2)."""
        return self.towers_of(team) | {at for at, owner in self.stones.items() if owner == team}

    def groups(self, team: str, added: Iterable[Space] = ()) -> list[Group]:
        """Groups of linked pieces of a team (R2).

        Parameters
        ----------
        team : str
            `yellow` or `red`.
        added : iterable of (int, int)
            Spaces to count as if bare stones of the team stood there.

        Returns
        -------
        list of frozenset
            Each group as the set of its pieces' spaces, in the order of their least spaces.
        """
        left = self.pieces_of(team) | set(added)
        found = []
        while left:
            group = {min(left)}
            frontier = list(group)
            while frontier:
                for space in self.neighbours(frontier.pop()):
                    if space in left and space not in group:
                        group.add(space)
                        frontier.append(space)
            left -= group
            found.append(frozenset(group))
        return found

    def is_safe(self, space: Space) -> bool:
        """Whether a bare fire stone of the tower's team touches the tower (R9)."""
        team = self.towers[space].team
        return any(self.stones.get(other) == team for other in self.neighbours(space))

    def can_be_built_over(self, space: Space) -> bool:
        """Whether an enemy could raise this tower: on a tower space and not safe (R7, R10)."""
        return self.is_tower_space(space) and not self.is_safe(space)

    def is_connected(self, team: str) -> bool:
        """Whether linked pieces join towers on a team's two base lines (R3)."""
        first, second = self.base_lines(team)
        towers = self.towers_of(team)
        return any(
            group & towers & set(first) and group & towers & set(second)
            for group in self.groups(team)
        )

    # Connections ----------------------------------------------------------------------------

    def connection_error(self, spaces: Iterable[Iterable[int]]) -> str | None:
        """Why a set of spaces is not a legal connection for the seat to move.

        Parameters
        ----------
        spaces : iterable of [row, column]
            Where the new stones would stand, in any order.

        Returns
        -------
        str or None
            None if it is legal; else a reason that begins with the ruling's number.
        """
        if self.outcome is not None:
            return "R3: the game is over"
        new = [_as_space(space) for space in spaces]
        if any(space is None for space in new):
            return "R1: a space is a row and a column"
        stones: list[Space] = [space for space in new if space is not None]
        if not stones:
            return "R4: no stone is placed"
        if len(set(stones)) < len(stones):
            return "R4: a space is named twice"
        for space in stones:
            if not self.is_ordinary(space):
                return f"R1: {list(space)} is not an ordinary space"
            if space in self.stones:
                return f"R1: {list(space)} is not empty"
        price = Counter(self.colour_of(space) for space in stones)
        if not price <= self.hands[self.to_move]:
            return "R5: the hand lacks cards in the spaces' colours"
        if len(stones) > self.fire_stones[team_of(self.to_move)]:
            return "R12: the team has too few fire stones"
        if not self._closes_a_connection(stones):
            return "R4: no two towers are newly linked with every stone needed"
        return None

    def _closes_a_connection(self, stones: list[Space]) -> bool:
        # R4 as it stands: one and the same pair of towers must be apart before, linked with the
        # whole set, and apart again if any single stone of the set is left out.
        team = team_of(self.to_move)
        before = _group_of_each(self.groups(team))
        after = _group_of_each(self.groups(team, stones))
        lacking_one = [
            _group_of_each(self.groups(team, [other for other in stones if other != stone]))
            for stone in stones
        ]
        for one, two in itertools.combinations(sorted(self.towers_of(team)), 2):
            if before[one] == before[two] or after[one] != after[two]:
                continue
            if all(links[one] != links[two] for links in lacking_one):
                return True
        return False

    def has_connection(self) -> bool:
        """Whether the seat to move has any legal connection."""
        if self.outcome is not None:
            return False
        # Whatever the pair, one of its two groups finds a first partner.
        return any(
            True for group in self.groups(team_of(self.to_move)) for _ in self._routes(group)
        )

    def minimal_connections(self) -> dict[tuple[Group, Group], set[Vector]]:
        """Cheapest ways for the seat to move to link each pair of its team's groups.

        Returns
        -------
        dict
            Keys are pairs of groups, each group the frozenset of its pieces' spaces, the group
            with the least space first (`min(pair[0]) < min(pair[1])`). With `base_towers` off a
            base line's group contains all spaces of that line. Values are the Pareto-minimal
            numbers of cards (light_blue, cream, violet, green) among all legal connections that
            link the pair, within the hand and the team's fire stones. Ways may lead through other
            own groups. Pairs that cannot be linked now are left out.
        """
        found: dict[tuple[Group, Group], set[Vector]] = {}
        if self.outcome is not None:
            return found
        for start in self.groups(team_of(self.to_move)):
            for end, vector, _ in self._routes(start):
                if min(start) < min(end):
                    found.setdefault((start, end), set()).add(vector)
        return found

    def _routes(
        self, start: Group, rng: random.Random | None = None
    ) -> Iterator[tuple[Group, Vector, tuple[Space, ...]]]:
        """Every Pareto-minimal way from a group to each other group of its team.

        Label-setting shortest paths with four costs at once: a label is a place (an empty space,
        or a whole group of own pieces, which is free to pass) with the cards spent to get there.
        Labels are settled in the order of their total, so a label that is not undercut when its
        turn comes never will be. Among ways of equal total `rng` decides which comes first.
        """
        seat, team = self.to_move, team_of(self.to_move)
        hand = tuple(self.hands[seat][colour] for colour in COLOURS)
        group_at = _group_of_each(self.groups(team))
        settled: dict[Space | Group, list[Vector]] = {}
        ticket = itertools.count()
        queue: list[tuple[Any, ...]] = [(0, 0.0, next(ticket), start, (0, 0, 0, 0), ())]
        while queue:
            total, _, _, place, spent, path = heapq.heappop(queue)
            labels = settled.setdefault(place, [])
            if any(_nowhere_more(label, spent) for label in labels):
                continue
            labels.append(spent)
            if isinstance(place, frozenset) and place != start:
                yield place, spent, path
            for space in self._rim(place):
                further: tuple[Any, ...]
                if space in group_at:
                    further = (total, group_at[space], spent, path)
                elif self.is_ordinary(space) and space not in self.stones:
                    cost = _one_more(spent, COLOURS.index(self.colour_of(space)))
                    further = (total + 1, space, cost, (*path, space))
                    if total + 1 > self.fire_stones[team] or not _nowhere_more(cost, hand):
                        continue
                else:
                    continue
                tie = rng.random() if rng else 0.0
                heapq.heappush(queue, (further[0], tie, next(ticket), *further[1:]))

    def _rim(self, place: Space | Group) -> list[Space]:
        if isinstance(place, frozenset):
            touching = {other for space in place for other in self.neighbours(space)}
            return sorted(touching - place)
        return self.neighbours(place)

    # Legal steps ----------------------------------------------------------------------------

    def legal_steps(self) -> list[Step]:
        """Every legal step but connections, without what chance answers.

        Returns
        -------
        list of dict
            Steps as in a record. Cards given are in the order of the colours, one step for each
            distinct choice. `skip` stands alone, and only if there is no legal connection either.
        """
        if self.outcome is not None:
            return []
        steps = [
            step
            for kind in KINDS
            if kind != "connect"
            for step in self._candidates(kind)
            if self.step_error(step) is None
        ]
        if not steps and not self.has_connection():
            steps = [{"seat": self.to_move, "action": "skip"}]
        return steps

    def _candidates(self, kind: str) -> Iterator[Step]:
        # All steps of a kind that could possibly be legal; step_error says which are.
        seat, team = self.to_move, team_of(self.to_move)
        hand = self.hands[seat]
        head = {"seat": seat, "action": kind}
        face_up = [card[0] for card in self.supply_cards[team]]
        if kind == "draw":
            for number in face_up:
                yield {**head, "supply": number}
        elif kind == "give" and self.seats == 4:
            for number in face_up:
                for cards in _choices_of_cards(hand, number):
                    yield {**head, "supply": number, "cards": cards}
        elif kind == "tower":
            for space in self._tower_spaces:
                for height in range(1, hand[self.colour_of(space)] + 1):
                    yield {**head, "space": list(space), "height": height}
        elif kind == "base":
            for line in self.base_lines(team):
                for space in line:
                    for card in COLOURS:
                        if hand[card] > 0:
                            yield {**head, "space": list(space), "card": card}

    def step_error(self, step: Step) -> str | None:
        """Why a step is not legal now, whatever chance would answer.

        Parameters
        ----------
        step : dict
            A step as in a record; `cards` and `reshuffled` of a draw are not looked at.

        Returns
        -------
        str or None
            None if it is legal; else a reason that begins with the ruling's number.
        """
        if self.outcome is not None:
            return "R3: the game is over"
        if step.get("seat") != self.to_move:
            return f"R19: seat {self.to_move} is to move, not {step.get('seat')}"
        action = step.get("action")
        if action == "draw":
            return self._draw_error(step)
        if action == "give":
            return self._give_error(step)
        if action == "tower":
            return self._tower_error(step)
        if action == "base":
            return self._base_error(step)
        if action == "connect":
            return self.connection_error(step.get("spaces", ()))
        if action == "skip":
            return self._skip_error()
        return f"unknown action {action!r}"

    def _draw_error(self, step: Step) -> str | None:
        team, number = team_of(self.to_move), step.get("supply")
        if number not in [card[0] for card in self.supply_cards[team]]:
            return f"supply card {number} of team {team} is not face up"
        if number > len(self.piles[team]) + self.discards[team].total():
            return "R13: pile and discards together hold too few cards"
        if self.hands[self.to_move].total() + number > self.ruleset["hand_limit"]:
            return "R14: the hand would exceed the limit"
        return None

    def _give_error(self, step: Step) -> str | None:
        team, number = team_of(self.to_move), step.get("supply")
        if self.seats == 2:
            return "R15: only with four players cards are passed"
        if number not in [card[0] for card in self.supply_cards[team]]:
            return f"supply card {number} of team {team} is not face up"
        cards = step.get("cards")
        if not isinstance(cards, list) or len(cards) != number:
            return f"R15: exactly {number} cards must be passed"
        if not Counter(cards) <= self.hands[self.to_move]:
            return "R15: the hand does not hold the cards passed"
        if self.hands[self._partner()].total() + number > self.ruleset["hand_limit"]:
            return "R14: the partner's hand would exceed the limit"
        return None

    def _tower_error(self, step: Step) -> str | None:
        team, space, height = (
            team_of(self.to_move),
            _as_space(step.get("space")),
            step.get("height"),
        )
        if space is None or not self.is_tower_space(space):
            return f"R1: {step.get('space')} is not a tower space"
        if type(height) is not int or height < 1:
            return "R6: a tower has at least one stone"
        old = self.towers.get(space)
        if old is not None:
            if old.team == team:
                return "R8: own towers cannot be raised"
            if self.is_safe(space):
                return "R9: the tower is safe"
            if height <= old.height:
                return "R7: the tower must become higher"
        if height > self.hands[self.to_move][self.colour_of(space)]:
            return "R6: the hand holds too few cards of the space's colour"
        if self.fire_stones[team] < 1:
            return "R12: the team has no fire stone"
        if self._cuts(self._stones_needed(space, height), space) is None:
            return "R11: there are too few tower stones"
        return None

    def _base_error(self, step: Step) -> str | None:
        team, space, card = team_of(self.to_move), _as_space(step.get("space")), step.get("card")
        if not self.ruleset["base_towers"]:
            return "the base lines stand as towers and are not built on"
        if space is None or not self.is_on_base_line(space, team):
            return f"R1: {step.get('space')} is not on a base line of team {team}"
        if space in self.towers:
            return "R10: the base-line space is not empty"
        if card not in COLOURS or self.hands[self.to_move][card] < 1:
            return f"R10: the hand holds no {card} card"
        if self.fire_stones[team] < 1:
            return "R12: the team has no fire stone"
        if self._cuts(1, space) is None:
            return "R11: there are too few tower stones"
        return None

    def _skip_error(self) -> str | None:
        for kind in KINDS:
            if any(self.step_error(step) is None for step in self._candidates(kind)):
                return f"R16: {kind} is possible"
        if self.has_connection():
            return "R16: connect is possible"
        return None

    def _stones_needed(self, space: Space, height: int) -> int:
        standing = self.towers[space].height if space in self.towers else 0
        return height - standing

    def _cuts(self, needed: int, target: Space) -> dict[Space, int] | None:
        """New heights of the towers cut so that enough tower stones are there (R11).

        An empty dict if the supply is enough as it is, None if even cutting does not help.
        """
        available = self.tower_stones
        cuts: dict[Space, int] = {}
        if available >= needed:
            return cuts
        for space, tower in self.towers.items():
            if tower.height >= 2 and self.is_safe(space):
                cuts[space] = 1
                available += tower.height - 1
        if available >= needed:
            return cuts
        for space, tower in self.towers.items():
            if tower.height >= 2 and self.can_be_built_over(space) and space != target:
                cuts[space] = tower.height - 1
                available += 1
        return cuts if available >= needed else None

    def _partner(self) -> int:
        return (self.to_move + 2) % 4

    # Playing a step -------------------------------------------------------------------------

    def apply(self, step: Step) -> None:
        """Play one step of a record, with what chance answered.

        Parameters
        ----------
        step : dict
            A full step. Keys that the record format does not know are ignored.

        Raises
        ------
        ValueError
            If the step is not legal, or what chance answered cannot be; nothing has changed then.
        """
        error = self.step_error(step)
        if error is None and step["action"] == "draw":
            error = self._chance_error(step)
        if error is not None:
            raise ValueError(error)
        getattr(self, f"_play_{step['action']}")(step)
        self._end_turn(skipped=step["action"] == "skip")

    def _chance_error(self, step: Step) -> str | None:
        team, number = team_of(self.to_move), step["supply"]
        pile, reshuffled = self.piles[team], step.get("reshuffled")
        coming = list(pile)
        if number <= len(pile):
            if reshuffled is not None:
                return "R13: discards are shuffled only when a card is needed and the pile is empty"
        else:
            if reshuffled is None:
                return "R13: the pile runs out, so the discards must be shuffled"
            if reshuffled.get("after") != len(pile):
                return f"R13: the pile runs out after {len(pile)} of the cards"
            if Counter(reshuffled.get("pile")) != self.discards[team]:
                return "R13: the new pile is not made of the discards"
            coming += reshuffled["pile"]
        if step.get("cards") != coming[:number]:
            return "R13: the cards drawn are not the next ones of the pile"
        return None

    def _play_draw(self, step: Step) -> None:
        team = team_of(self.to_move)
        if step.get("reshuffled") is not None:
            self.piles[team] += step["reshuffled"]["pile"]
            self.discards[team] = Counter()
        self.hands[self.to_move].update(step["cards"])
        self.piles[team] = self.piles[team][step["supply"] :]
        self._flip(team, step["supply"])

    def _play_give(self, step: Step) -> None:
        self.hands[self.to_move].subtract(step["cards"])
        self.hands[self._partner()].update(step["cards"])
        self._flip(team_of(self.to_move), step["supply"])

    def _play_tower(self, step: Step) -> None:
        row, column = step["space"]
        space = (row, column)
        self._discard([self.colour_of(space)] * step["height"])
        self._build(space, step["height"])

    def _play_base(self, step: Step) -> None:
        row, column = step["space"]
        self._discard([step["card"]])
        self._build((row, column), 1)

    def _play_connect(self, step: Step) -> None:
        team = team_of(self.to_move)
        for row, column in step["spaces"]:
            self._discard([self.colour_of((row, column))])
            self.stones[(row, column)] = team
            self.fire_stones[team] -= 1

    def _play_skip(self, step: Step) -> None:
        pass

    def _build(self, space: Space, height: int) -> None:
        needed = self._stones_needed(space, height)
        for cut_space, left in (self._cuts(needed, space) or {}).items():
            self.tower_stones += self.towers[cut_space].height - left
            self.towers[cut_space].height = left
        self.tower_stones -= needed
        if space in self.towers:
            self.fire_stones[self.towers[space].team] += 1
        team = team_of(self.to_move)
        self.fire_stones[team] -= 1
        self.towers[space] = Tower(team, height)

    def _discard(self, cards: list[str]) -> None:
        self.hands[self.to_move].subtract(cards)
        self.discards[team_of(self.to_move)].update(cards)

    def _flip(self, team: str, number: int) -> None:
        for card in self.supply_cards[team]:
            if card[0] == number:
                card.reverse()
                return

    def _end_turn(self, skipped: bool) -> None:
        team = team_of(self.to_move)
        self.turn += 1
        self.skips_in_a_row = self.skips_in_a_row + 1 if skipped else 0
        # The order in which the ends are tested is R16's.
        if self.is_connected(team):
            self._finish("connected", winner=team)
        elif self.fire_stones[team] == 0:
            self._finish("out_of_fire_stones", winner=enemy_of(team))
        elif self.skips_in_a_row == self.seats:
            self._finish("stuck", winner=None)
        elif self.turn >= self.ruleset["max_turns"]:
            self._finish("unfinished", winner=None)
        self.to_move = (self.to_move + 1) % self.seats

    def _finish(self, reason: str, winner: str | None) -> None:
        returns = [
            0.5 if winner is None else float(team_of(seat) == winner) for seat in range(self.seats)
        ]
        self.outcome = {
            "returns": returns,
            "scores": list(returns),
            "reason": reason,
            "turns": self.turn,
        }

    # Random play ----------------------------------------------------------------------------

    def random_step(self, rng: random.Random) -> Step:
        """A step of uniform play: first a kind of action, then one of that kind.

        Kinds are tried in random order, so each legal kind is equally likely. Then: `draw`, a
        legal supply number; `give`, a legal supply number and that many cards out of the hand;
        `tower`, a pair of space and height; `base`, a pair of space and card colour, all of these
        uniform; `connect`, from a random group of the team with any partner in reach, a way with
        the fewest stones.

        Parameters
        ----------
        rng : random.Random
            Where the choices and the answers of chance come from.

        Returns
        -------
        dict
            A legal step with the answer of chance, not yet played.

        Raises
        ------
        ValueError
            If the game is over.
        """
        if self.outcome is not None:
            raise ValueError("R3: the game is over")
        for kind in rng.sample(KINDS, len(KINDS)):
            step = self._random_of_kind(kind, rng)
            if step is not None:
                return step
        return {"seat": self.to_move, "action": "skip"}

    def _random_of_kind(self, kind: str, rng: random.Random) -> Step | None:
        if kind == "connect":
            return self._random_connection(rng)
        if kind == "give":
            return self._random_gift(rng)
        candidates = list(self._candidates(kind))
        rng.shuffle(candidates)
        for step in candidates:
            # The first legal one in random order is any of the legal ones with equal chances.
            if self.step_error(step) is None:
                return self.with_chance(step, rng) if kind == "draw" else step
        return None

    def _random_gift(self, rng: random.Random) -> Step | None:
        cards = list(self.hands[self.to_move].elements())
        gifts = []
        for face_up, _ in self.supply_cards[team_of(self.to_move)]:
            if face_up <= len(cards):
                given = sorted(rng.sample(cards, face_up), key=COLOURS.index)
                gift = {"seat": self.to_move, "action": "give", "supply": face_up, "cards": given}
                if self.step_error(gift) is None:
                    gifts.append(gift)
        return rng.choice(gifts) if gifts else None

    def _random_connection(self, rng: random.Random) -> Step | None:
        groups = self.groups(team_of(self.to_move))
        rng.shuffle(groups)
        for start in groups:
            for _, _, path in self._routes(start, rng):
                # The first way found has the fewest stones, so none of them can be left out.
                spaces = [list(space) for space in sorted(path)]
                return {"seat": self.to_move, "action": "connect", "spaces": spaces}
        return None

    def with_chance(self, step: Step, rng: random.Random) -> Step:
        """A legal draw step with an answer of chance.

        Parameters
        ----------
        step : dict
            A draw without `cards`.
        rng : random.Random
            Shuffles the discards if need be.

        Returns
        -------
        dict
            The step with `cards`, and `reshuffled` where the pile runs out.
        """
        team, number = team_of(self.to_move), step["supply"]
        coming = list(self.piles[team])
        answer: dict[str, Any] = {}
        if number > len(coming):
            pile = sorted(self.discards[team].elements())
            rng.shuffle(pile)
            answer["reshuffled"] = {"after": len(coming), "pile": pile}
            coming += pile
        return {**step, "cards": coming[:number], **answer}

    def play_out(self, rng: random.Random) -> list[Step]:
        """Play uniformly to the end of the game.

        Parameters
        ----------
        rng : random.Random
            Where the choices and the answers of chance come from.

        Returns
        -------
        list of dict
            The steps played, as in a record.
        """
        steps = []
        while self.outcome is None:
            step = self.random_step(rng)
            self.apply(step)
            steps.append(step)
        return steps

    # Showing --------------------------------------------------------------------------------

    def position(self) -> dict[str, Any]:
        """The position as plain data, every hand and pile laid open.

        Returns
        -------
        dict
            The form that the architecture notes fix. `safe` is R9's word for base-line towers
            too. After the end `to_move` is the seat whose turn would be next.
        """
        return {
            "game": "lumis",
            "seats": self.seats,
            "turn": self.turn,
            "to_move": self.to_move,
            "over": self.outcome is not None,
            "board": list(self.board),
            "tower_stones": self.tower_stones,
            "teams": {team: self._team_position(team) for team in TEAMS},
            "hands": [
                {"size": hand.total(), "cards": _count_by_colour(hand)} for hand in self.hands
            ],
            "outcome": None if self.outcome is None else dict(self.outcome),
        }

    def _team_position(self, team: str) -> dict[str, Any]:
        return {
            "stones": sorted(list(at) for at, owner in self.stones.items() if owner == team),
            "towers": [
                {"space": list(space), "height": tower.height, "safe": self.is_safe(space)}
                for space, tower in sorted(self.towers.items(), key=lambda item: item[0])
                if tower.team == team
            ],
            "fire_stones": self.fire_stones[team],
            "supply_cards": [list(card) for card in self.supply_cards[team]],
            "discards": _count_by_colour(self.discards[team]),
            "pile": list(self.piles[team]),
        }


def _as_space(value: Any) -> Space | None:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        return None
    row, column = value
    if type(row) is not int or type(column) is not int:
        return None
    return (row, column)


def _group_of_each(groups: list[Group]) -> dict[Space, Group]:
    return {space: group for group in groups for space in group}


def _nowhere_more(one: Vector, two: Vector) -> bool:
    return all(mine <= yours for mine, yours in zip(one, two, strict=True))


def _one_more(vector: Vector, index: int) -> Vector:
    return tuple(count + (place == index) for place, count in enumerate(vector))


def _count_by_colour(cards: Counter[str]) -> dict[str, int]:
    return {colour: cards[colour] for colour in COLOURS}


def _choices_of_cards(hand: Counter[str], number: int) -> Iterator[list[str]]:
    for cards in itertools.combinations_with_replacement(COLOURS, number):
        if Counter(cards) <= hand:
            yield list(cards)
