"""Lumina Spell in plain Python: slow, obviously right, and independent of the engine.

Written from the rulebook and the rulings (R1 to R28, named in the comments), with lists of cells
and nothing clever. It is driven by the steps of a game record. In a record one step is a whole
claim turn; for engines that play such a turn claim by claim the same game can be moved on in
parts:

    record step                                      in parts
    {"action": "claim", "cards": [A, B], "edge": E}  claim_one(A), claim_one(B), end_claim_turn(E)

Between the parts `legal_single_claims`, `may_end_claim_turn` and `edge_choices` say what may come
next; nothing but the hand, the row and the claimed cards changes until the turn ends.

The position, as plain data with everything laid open:

    {"game": "lumina-spell", "seats": 2, "turn": 17, "to_move": 1, "over": false,
     "first": 0,                                    the starting seat
     "board": [[["red", 3], null, ...], ...],       rows of tiles, null for a gap
     "hands": [{"tiles": [["red", 1], ...],         sorted: colours in order, rainbow last
                "starting_tile": ["rainbow", 4] or null}, ...],   also in tiles, until it is pushed
     "face_up": [4, 7, 1],                          oldest first; a claimed card leaves no hole
     "deck": [5, 2, ...] or 12,                     next card first; a number where it is hidden
     "claimed": [[3, 8], []],                       card numbers of each seat, sorted
     "points": [5, 0],                              of the claimed cards
     "scores": [1, -3],                             points minus tiles in hand, all of them
     "inactive": [false, false],                    found out when the seat's turn comes
     "passes": 0,                                   turns passed in a row
     "trigger": null or "points",                   what started the final round
     "card_points": {"1": 2, "3": 2, ...},          of the face-up and claimed cards
     "card18_sum": 10,                              the ruleset's
     "claims_this_turn": [{"card": 4, "tiles": [["red", 1], ["red", 1]]}],  [] between turns
     "outcome": null or {"returns": [...], "scores": [...], "reason": "...", "turns": n}}

`turn` counts finished turns, passes included. After the end `to_move` is the seat that took the
last turn.
"""

from __future__ import annotations

import copy
import itertools
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

Tile = tuple[str, int]
Cell = tuple[int, int]
Payment = tuple[Tile, ...]
Step = dict[str, Any]

COLOURS = ("red", "yellow", "green", "blue", "violet", "orange")
RAINBOW = "rainbow"
SIDES = ("left", "right", "top", "bottom")
ROW = 4

# Card number: how many tiles, what their numbers are, what their colours are (rulebook, types of
# cards).
CARDS: dict[int, tuple[int, str, str]] = {
    1: (3, "same", "any"),
    2: (2, "same", "one"),
    3: (2, "same", "one"),
    4: (2, "same", "one"),
    5: (3, "same", "three"),
    6: (3, "ones", "any"),
    7: (3, "consecutive", "one"),
    8: (3, "consecutive", "one"),
    9: (3, "consecutive", "one"),
    10: (3, "consecutive", "three"),
    11: (3, "consecutive", "any"),
    12: (4, "consecutive", "any"),
    13: (4, "consecutive", "one"),
    14: (4, "consecutive", "one"),
    15: (4, "consecutive", "one"),
    16: (2, "ten", "any"),
    17: (3, "ten", "any"),
    18: (3, "card18_sum", "three"),
}


def tile_order(tile: Tile) -> tuple[int, int]:
    """Key that sorts tiles: colours in order, rainbow last, then numbers."""
    colour, number = tile
    return (len(COLOURS) if colour == RAINBOW else COLOURS.index(colour), number)


def all_tiles(ruleset: dict[str, Any]) -> list[Tile]:
    """Every ordinary tile of a ruleset (D2)."""
    return [
        (colour, number)
        for colour in COLOURS[: ruleset["colours"]]
        for number in range(1, ruleset["numbers"] + 1)
        for _ in range(ruleset["copies"])
    ]


def deal(ruleset: dict[str, Any], seats: int, rng: random.Random) -> dict[str, Any]:
    """Draw the rainbow tiles and the starting seat, and shuffle tiles and cards.

    Parameters
    ----------
    ruleset : dict
        Effective values by the rulings' names.
    seats : int
        2 to 4.
    rng : random.Random
        Where chance comes from.

    Returns
    -------
    dict
        The record's `setup`: `board`, `starting_tiles`, `deck`, `first`.
    """
    rainbows = [[RAINBOW, n] for n in rng.sample(ruleset["rainbow_numbers"], seats + 1)]
    tiles = [list(tile) for tile in all_tiles(ruleset)]
    rng.shuffle(tiles)
    side = ruleset["side"]
    tiles.insert(side * side // 2, rainbows.pop())
    deck = list(ruleset["deck"])
    rng.shuffle(deck)
    return {
        "board": [tiles[row * side : (row + 1) * side] for row in range(side)],
        "starting_tiles": rainbows,
        "deck": deck,
        "first": rng.randrange(seats),
    }


class NaiveLuminaSpell:
    """A game of Lumina Spell that is moved on by record steps.

    Parameters
    ----------
    ruleset : dict
        `side`, `colours`, `numbers`, `copies`, `rainbow_numbers`, `deck`, `points`, `thresholds`,
        `card18_sum`, `rainbow_number_wild`, `max_turns`.
    seats : int
        2 to 4.
    setup : dict
        `board`, `starting_tiles`, `deck` and `first` as in a record.

    Raises
    ------
    ValueError
        If there are not 2 to 4 seats, or the set-up is not one of this ruleset.
    """

    def __init__(self, ruleset: dict[str, Any], seats: int, setup: dict[str, Any]) -> None:
        if seats not in (2, 3, 4):
            raise ValueError(f"Lumina Spell has 2 to 4 seats, not {seats}")
        self.ruleset = ruleset
        self.seats = seats
        self.side: int = ruleset["side"]
        self.colours = COLOURS[: ruleset["colours"]]
        self.board: dict[Cell, Tile] = {
            (row, column): _as_tile(tile)
            for row, tiles in enumerate(setup["board"])
            for column, tile in enumerate(tiles)
        }
        # The starting tile lies in the hand, too; None once it has been pushed.
        self.starting: list[Tile | None] = [_as_tile(tile) for tile in setup["starting_tiles"]]
        self.hands: list[Counter[Tile]] = [Counter([_as_tile(t)]) for t in setup["starting_tiles"]]
        self._check_setup(setup)
        self.face_up: list[int] = list(setup["deck"][:ROW])
        self.deck: list[int] = list(setup["deck"][ROW:])
        self.claimed: list[list[int]] = [[] for _ in range(seats)]
        self.spent: Counter[Tile] = Counter()
        self.first: int = setup["first"]
        self.to_move = self.first
        self.turn = 0
        self.turns_taken = [0] * seats
        self.inactive = [False] * seats
        self.passes = 0
        self.trigger: str | None = None
        self.claims_this_turn: list[tuple[int, Payment]] = []
        self.outcome: dict[str, Any] | None = None

    def _check_setup(self, setup: dict[str, Any]) -> None:
        side = self.side
        cells = [(row, column) for row in range(side) for column in range(side)]
        if sorted(self.board) != cells:
            raise ValueError(f"the board of the set-up is not {side} x {side}")
        if self.board[side // 2, side // 2][0] != RAINBOW:
            raise ValueError("D1: the centre cell holds no rainbow tile")
        if len(self.hands) != self.seats:
            raise ValueError(f"{len(self.hands)} starting tiles for {self.seats} seats")
        rainbows = [self.board[side // 2, side // 2], *setup["starting_tiles"]]
        if any(tile[0] != RAINBOW for tile in rainbows):
            raise ValueError("D3: a starting tile is no rainbow tile")
        if not Counter(n for _, n in rainbows) <= Counter(self.ruleset["rainbow_numbers"]):
            raise ValueError("D3: the rainbow tiles are not among the ruleset's")
        others = [tile for cell, tile in self.board.items() if cell != (side // 2, side // 2)]
        if Counter(others) != Counter(all_tiles(self.ruleset)):
            raise ValueError("D2: the tiles on the board are not the ruleset's")
        if Counter(setup["deck"]) != Counter(self.ruleset["deck"]):
            raise ValueError("D4: the deck is not the ruleset's")
        if setup["first"] not in range(self.seats):
            raise ValueError(f"R24: there is no seat {setup['first']}")

    # Pushing --------------------------------------------------------------------------------

    def cells_of(self, side: str, line: int) -> list[Cell]:
        """Cells of a row or column, the one at the entry first (R1)."""
        far = range(self.side)
        if side in ("left", "right"):
            cells = [(line, column) for column in far]
        else:
            cells = [(row, line) for row in far]
        return cells if side in ("left", "top") else cells[::-1]

    def tiles_of(self, side: str, line: int) -> list[Tile]:
        """Tiles in a row or column, the nearest to the entry first."""
        return [self.board[cell] for cell in self.cells_of(side, line) if cell in self.board]

    def matches(self, tile: Tile, first: Tile) -> bool:
        """Whether a tile that may push fits the first one it meets (R1, R8, R9)."""
        if RAINBOW in (tile[0], first[0]):
            return True
        return tile[0] == first[0] or tile[1] == first[1]

    def longest_combo(self, side: str, line: int) -> int:
        """How many tiles may leave at the far end (R4, R5, R7); 0 in an empty line."""
        leaving = self.tiles_of(side, line)[::-1]
        count = 1 if leaving else 0
        # Only numbers decide, a rainbow tile's printed one among them (R8).
        while count < len(leaving) and abs(leaving[count][1] - leaving[count - 1][1]) <= 1:
            count += 1
        return count

    def may_push(self, tile: Tile) -> bool:
        """Whether the seat to move holds a tile with which it may push at all (R9, R10)."""
        if self.hands[self.to_move][tile] < 1:
            return False
        return tile[0] != RAINBOW or tile == self.starting[self.to_move]

    def legal_pushes(self) -> list[Step]:
        """Every legal push, one for each kind of tile, entry and number taken."""
        if self.outcome is not None or self.claims_this_turn:
            return []
        return [
            self._push_step(side, line, tile, take)
            for side in SIDES
            for line in range(self.side)
            for tile in self._pushers(side, line)
            for take in range(1, self.longest_combo(side, line) + 1)
        ]

    def _pushers(self, side: str, line: int) -> list[Tile]:
        met = self.tiles_of(side, line)[:1]
        hand = sorted(self.hands[self.to_move], key=tile_order)
        return [t for t in hand if self.may_push(t) and met and self.matches(t, met[0])]

    def _push_step(self, side: str, line: int, tile: Tile, take: int) -> Step:
        push = {"side": side, "line": line, "tile": list(tile), "take": take}
        return {"seat": self.to_move, "action": "push", **push}

    def _push_error(self, step: Step) -> str | None:
        side, line, tile = step.get("side"), step.get("line"), _as_tile(step.get("tile"))
        if side not in SIDES or type(line) is not int or line not in range(self.side):
            return f"R1: there is no entry {side} {line}"
        if tile is None or self.hands[self.to_move][tile] < 1:
            return f"R10: the hand holds no tile {step.get('tile')}"
        if not self.may_push(tile):
            return "R9: a collected rainbow tile cannot push"
        tiles = self.tiles_of(side, line)
        if not tiles:
            return "R2: the line holds no tile"
        if not self.matches(tile, tiles[0]):
            return f"R1: {list(tile)} does not match {list(tiles[0])}"
        take = step.get("take")
        if type(take) is not int or not 1 <= take <= self.longest_combo(side, line):
            return f"R6: {take} tiles cannot be taken, but 1 to {self.longest_combo(side, line)}"
        return None

    def _play_push(self, step: Step) -> None:
        hand, tile = self.hands[self.to_move], _as_tile(step["tile"])
        cells = self.cells_of(step["side"], step["line"])
        tiles = self.tiles_of(step["side"], step["line"])
        stay = len(tiles) - step["take"]
        # R3: the block of the pusher and the tiles that stay is packed against the far end.
        for cell in cells:
            self.board.pop(cell, None)
        block = [tile, *tiles[:stay]]
        self.board.update(zip(cells[len(cells) - len(block) :], block, strict=True))
        hand[tile] -= 1
        hand += Counter()
        hand.update(tiles[stay:])
        if tile == self.starting[self.to_move]:
            self.starting[self.to_move] = None

    # Claiming -------------------------------------------------------------------------------

    def payment_error(self, card: int, tiles: Iterable[Iterable[Any]]) -> str | None:
        """Why tiles do not pay a card, whoever holds them (R12 to R15).

        Parameters
        ----------
        card : int
            Its number.
        tiles : iterable of [colour, number]
            In any order.

        Returns
        -------
        str or None
            None if they pay exactly.
        """
        paid = [(str(colour), int(number)) for colour, number in tiles]
        count, _, colours = CARDS[card]
        if len(paid) != count:
            return f"R12: card {card} takes exactly {count} tiles"
        if not any(self._numbers_fit(card, n) for n in itertools.product(*map(self._as, paid))):
            return f"R13: the numbers do not fit card {card}"
        if not any(_colours_fit(colours, c) for c in itertools.product(*map(self._coloured, paid))):
            return f"R14: the colours do not fit card {card}"
        return None

    def _as(self, tile: Tile) -> Iterable[int]:
        # R15: a rainbow tile keeps its printed number, unless the switch frees that, too.
        if tile[0] == RAINBOW and self.ruleset["rainbow_number_wild"]:
            return self._all_numbers()
        return [tile[1]]

    def _all_numbers(self) -> range:
        return range(1, max(self.ruleset["numbers"], *self.ruleset["rainbow_numbers"]) + 1)

    def _coloured(self, tile: Tile) -> Iterable[str]:
        # R15: a rainbow tile stands for any one colour.
        return self.colours if tile[0] == RAINBOW else [tile[0]]

    def _numbers_fit(self, card: int, numbers: Iterable[int]) -> bool:
        _, pattern, _ = CARDS[card]
        ordered = sorted(numbers)
        if pattern == "same":
            return ordered[0] == ordered[-1]
        if pattern == "ones":
            return set(ordered) == {1}
        if pattern == "consecutive":
            return ordered == list(range(ordered[0], ordered[0] + len(ordered)))
        return sum(ordered) == (10 if pattern == "ten" else self.ruleset["card18_sum"])

    def payments(self, card: int) -> set[Payment]:
        """Every payment of a card out of the hand of the seat to move.

        Parameters
        ----------
        card : int
            Its number; whether it lies face up is not looked at.

        Returns
        -------
        set of tuple of (str, int)
            Sorted tiles; payments of the same tiles are one.
        """
        hand = self.hands[self.to_move]
        count, _, colours = CARDS[card]
        found: set[Payment] = set()
        for numbers in itertools.combinations_with_replacement(self._all_numbers(), count):
            if not self._numbers_fit(card, numbers):
                continue
            fitting = [[tile for tile in hand if number in self._as(tile)] for number in numbers]
            for tiles in itertools.product(*fitting):
                coloured = itertools.product(*map(self._coloured, tiles))
                enough = all(hand[tile] >= n for tile, n in Counter(tiles).items())
                if enough and any(_colours_fit(colours, c) for c in coloured):
                    found.add(tuple(sorted(tiles, key=tile_order)))
        return found

    def legal_single_claims(self) -> list[tuple[int, Payment]]:
        """What may be claimed next in this turn, in the turn's midst as well.

        Returns
        -------
        list of tuple
            Each face-up card number once, with each payment, sorted.
        """
        if self.outcome is not None:
            return []
        return [
            (card, payment)
            for card in sorted(set(self.face_up))
            for payment in sorted(self.payments(card), key=_payment_order)
        ]

    def may_end_claim_turn(self) -> bool:
        """Whether a claim turn is under way, so that it may end now (R11)."""
        return bool(self.claims_this_turn)

    def edge_choices(self) -> list[Cell | None]:
        """What may be taken when a claim turn ends: None, or a tile of the outermost ring (R16)."""
        return [None, *(cell for cell in sorted(self.board) if self.is_edge(cell))]

    def is_edge(self, cell: Cell) -> bool:
        """Whether a cell is on the outermost ring, tile or not."""
        return bool({0, self.side - 1} & set(cell))

    def claim_turns(self) -> Iterator[Step]:
        """Every claim turn as a record step, its cards in the order of their numbers.

        The order in which cards are claimed changes nothing, so no other order is listed;
        `step_error` accepts them all. There are very many turns when a hand is large.
        """
        if self.outcome is not None or self.claims_this_turn:
            return
        seen = set()
        for size in range(1, len(self.face_up) + 1):
            for cards in itertools.combinations(sorted(self.face_up), size):
                for payments in itertools.product(*map(self.payments, cards)):
                    # Two cards of one number may swap what they are paid with.
                    bill = tuple(sorted(zip(cards, payments, strict=True), key=_claim_order))
                    total = Counter(itertools.chain(*payments))
                    if bill not in seen and total <= self.hands[self.to_move]:
                        seen.add(bill)
                        for edge in self.edge_choices():
                            yield self._claim_step(bill, edge)

    def _claim_step(self, bill: Iterable[tuple[int, Payment]], edge: Cell | None) -> Step:
        cards = [{"card": card, "tiles": [list(tile) for tile in tiles]} for card, tiles in bill]
        where = None if edge is None else list(edge)
        return {"seat": self.to_move, "action": "claim", "cards": cards, "edge": where}

    def single_claim_error(self, card: Any, tiles: Any) -> str | None:
        """Why a card cannot be claimed next with these tiles; None if it can."""
        if self.outcome is not None:
            return "R20: the game is over"
        if card not in self.face_up:
            return f"R11: card {card} is not face up"
        paid = [_as_tile(tile) for tile in tiles] if isinstance(tiles, (list, tuple)) else [None]
        hand = self.hands[self.to_move]
        if any(tile is None or tile not in hand for tile in paid) or not Counter(paid) <= hand:
            return "R12: the hand does not hold the tiles paid"
        return self.payment_error(card, [tile for tile in paid if tile is not None])

    def claim_one(self, card: int, tiles: Iterable[Iterable[Any]]) -> None:
        """Claim one card in a turn that goes on; `end_claim_turn` ends it.

        Parameters
        ----------
        card : int
            A face-up card.
        tiles : iterable of [colour, number]
            The tiles paid, in any order.

        Raises
        ------
        ValueError
            If that is not legal.
        """
        paid = [tuple(tile) for tile in tiles]
        error = self.single_claim_error(card, paid)
        if error is not None:
            raise ValueError(error)
        payment: Payment = tuple(sorted(((c, n) for c, n in paid), key=tile_order))
        hand = self.hands[self.to_move]
        hand -= Counter(payment)
        self.spent.update(payment)
        if self.starting[self.to_move] not in hand:
            self.starting[self.to_move] = None
        # R11: no other card comes in its place before the next turn.
        self.face_up.remove(card)
        self.claimed[self.to_move].append(card)
        self.claims_this_turn.append((card, payment))

    def end_claim_turn(self, edge: Iterable[int] | None) -> None:
        """End a turn of claims, perhaps with a tile from the edge (R16).

        Parameters
        ----------
        edge : [row, column] or None
            Where the tile is taken.

        Raises
        ------
        ValueError
            If no card was claimed, or no such tile can be taken; nothing has changed then.
        """
        if not self.claims_this_turn:
            raise ValueError("R16: no card was claimed in this turn")
        error = self._edge_error(edge)
        if error is not None:
            raise ValueError(error)
        if edge is not None:
            row, column = edge
            self.hands[self.to_move][self.board.pop((row, column))] += 1
        self.claims_this_turn = []
        self._end_turn()

    def _edge_error(self, edge: Any) -> str | None:
        cell = None if edge is None else _as_cell(edge)
        if edge is not None and cell not in self.edge_choices()[1:]:
            return f"R16: there is no tile to take at {edge} on the outermost ring"
        return None

    def _claim_error(self, step: Step) -> str | None:
        claims = step.get("cards")
        if not isinstance(claims, list) or not 1 <= len(claims) <= 4:
            return "R11: 1 to 4 cards are claimed"
        row, hand = list(self.face_up), Counter(self.hands[self.to_move])
        for claim in claims:
            if not isinstance(claim, dict):
                return "R11: a claim is a card with tiles"
            error = self.single_claim_error(claim.get("card"), claim.get("tiles"))
            if error is not None:
                return error
            if claim["card"] not in row:
                return f"R11: card {claim['card']} is claimed twice"
            row.remove(claim["card"])
            tiles = Counter(_as_tile(tile) for tile in claim["tiles"])
            if not tiles <= hand:
                return "R12: a tile pays for one card only"
            hand -= tiles
        return self._edge_error(step.get("edge"))

    # Legal steps ----------------------------------------------------------------------------

    def legal_steps(self) -> list[Step]:
        """Every legal step at the start of a turn: pushes, whole claim turns, or a pass alone.

        Returns
        -------
        list of dict
            Steps as in a record; of claim turns only those of `claim_turns`.

        Raises
        ------
        ValueError
            In the midst of a claim turn, which no step of a record begins with.
        """
        if self.claims_this_turn:
            raise ValueError("R11: a claim turn is under way")
        if self.outcome is not None:
            return []
        steps = [*self.legal_pushes(), *self.claim_turns()]
        return steps or [{"seat": self.to_move, "action": "pass"}]

    def step_error(self, step: Step) -> str | None:
        """Why a step is not legal now.

        Parameters
        ----------
        step : dict
            A step as in a record, a whole turn.

        Returns
        -------
        str or None
            None if it is legal; else a reason that begins with the ruling's number.
        """
        if self.outcome is not None:
            return "R20: the game is over"
        if step.get("seat") != self.to_move:
            return f"R27: seat {self.to_move} is to move, not {step.get('seat')}"
        action = step.get("action")
        if self.claims_this_turn:
            return "R11: a claim turn is under way"
        if action == "push":
            return self._push_error(step)
        if action == "claim":
            return self._claim_error(step)
        if action == "pass":
            return self._pass_error()
        return f"R11: unknown action {action!r}"

    def _pass_error(self) -> str | None:
        if self.legal_pushes():
            return "R18: push is possible"
        if self.legal_single_claims():
            return "R18: claim is possible"
        return None

    # Playing a step -------------------------------------------------------------------------

    def apply(self, step: Step) -> None:
        """Play one step of a record.

        Parameters
        ----------
        step : dict
            A full step. Keys that the record format does not know are ignored.

        Raises
        ------
        ValueError
            If the step is not legal; nothing has changed then.
        """
        error = self.step_error(step)
        if error is not None:
            raise ValueError(error)
        if step["action"] == "claim":
            for claim in step["cards"]:
                self.claim_one(claim["card"], claim["tiles"])
            self.end_claim_turn(step.get("edge"))
            return
        if step["action"] == "push":
            self._play_push(step)
        self._end_turn(passed=step["action"] == "pass")

    def _end_turn(self, passed: bool = False) -> None:
        self.turn += 1
        self.turns_taken[self.to_move] += 1
        self.passes = self.passes + 1 if passed else 0
        for reason in self._triggers():
            self.trigger = self.trigger or reason
        if passed and self._all_passed():
            self._finish("stalled")
        elif self.turn >= self.ruleset["max_turns"]:
            self._finish("unfinished")
        else:
            self._next_turn()

    def _triggers(self) -> Iterator[str]:
        # R21, in R26's order; the last card is seen at the refill.
        if self.points(self.to_move) >= self.ruleset["thresholds"][self.seats - 2]:
            yield "points"
        on_board = [colour for colour, _ in self.board.values()]
        if any(colour not in on_board for colour in self.colours):
            yield "colour_gone"
        if len(self.board) <= self.seats:
            yield "few_tiles"

    def _next_turn(self) -> None:
        # R17, R19, R22, R27: who is next, and what happens at the start of that turn.
        for ahead in range(1, self.seats + 1):
            seat = (self.to_move + ahead) % self.seats
            if seat == self.first and self.trigger is not None:
                self._finish(self.trigger)
                return
            if not self.inactive[seat] and self._has_run_out(seat):
                self.inactive[seat] = True
                if self._all_passed():
                    self._finish("stalled")
                    return
            if not self.inactive[seat]:
                self.to_move = seat
                self._refill()
                return

    def _has_run_out(self, seat: int) -> bool:
        # R19. A starting tile still in hand is not a collected one.
        if self.turns_taken[seat] == 0 or self.starting[seat] is not None:
            return False
        return all(colour == RAINBOW for colour, _ in self.hands[seat])

    def _all_passed(self) -> bool:
        # R20, R27: those still active have all passed in a row, or no one is active.
        return self.passes >= self.inactive.count(False)

    def _refill(self) -> None:
        drawn = self.deck[: ROW - len(self.face_up)]
        self.face_up += drawn
        self.deck = self.deck[len(drawn) :]
        if drawn and not self.deck:
            self.trigger = self.trigger or "last_card"

    def _finish(self, reason: str) -> None:
        scores = [self.score(seat) for seat in range(self.seats)]
        winners = scores.count(max(scores))
        self.outcome = {
            "returns": [(score == max(scores)) / winners for score in scores],
            "scores": scores,
            # The trigger that came first is the reason, however the game ends after it.
            "reason": self.trigger or reason,
            "turns": self.turn,
        }

    def points(self, seat: int) -> int:
        """Points of the cards that a seat has claimed (R21)."""
        return sum(self.ruleset["points"][card - 1] for card in self.claimed[seat])

    def score(self, seat: int) -> int:
        """Card points minus one for each tile in hand (R23)."""
        return self.points(seat) - self.hands[seat].total()

    # Random play ----------------------------------------------------------------------------

    def random_step(self, rng: random.Random) -> Step:
        """A step of uniform play: push or claim with equal chances where both are legal.

        A push is any of the legal ones with equal chances. A claim turn begins with any single
        claim; then, as long as another is possible, it goes on with a chance of a half; the end
        is any of the edge choices with equal chances.

        Parameters
        ----------
        rng : random.Random
            Where the choices come from.

        Returns
        -------
        dict
            A legal step, not yet played.

        Raises
        ------
        ValueError
            If the game is over.
        """
        if self.outcome is not None:
            raise ValueError("R20: the game is over")
        for kind in rng.sample(("push", "claim"), 2):
            if kind == "push":
                pushes = self.legal_pushes()
                if pushes:
                    return rng.choice(pushes)
            elif self.legal_single_claims():
                return self.random_claim_turn(rng)
        return {"seat": self.to_move, "action": "pass"}

    def random_claim_turn(self, rng: random.Random, go_on: float = 0.5) -> Step:
        """A legal claim turn, drawn as `random_step` says.

        Parameters
        ----------
        rng : random.Random
            Where the choices come from.
        go_on : float
            The chance of another claim after each.

        Returns
        -------
        dict
            A step, not yet played.
        """
        trial = copy.copy(self)
        trial.hands, trial.face_up = [Counter(hand) for hand in self.hands], list(self.face_up)
        trial.starting, trial.spent = list(self.starting), Counter()
        trial.claimed, trial.claims_this_turn = [list(cards) for cards in self.claimed], []
        claims = trial.legal_single_claims()
        while claims:
            trial.claim_one(*rng.choice(claims))
            claims = trial.legal_single_claims() if rng.random() < go_on else []
        return self._claim_step(trial.claims_this_turn, rng.choice(self.edge_choices()))

    def play_out(self, rng: random.Random) -> list[Step]:
        """Play uniformly to the end of the game.

        Parameters
        ----------
        rng : random.Random
            Where the choices come from.

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
        """The position as plain data, the deck laid open; the form is the module's.

        Returns
        -------
        dict
            Nothing in it is shared with the game.
        """
        seats = range(self.seats)
        return {
            "game": "lumina-spell",
            "seats": self.seats,
            "turn": self.turn,
            "to_move": self.to_move,
            "over": self.outcome is not None,
            "first": self.first,
            "board": [
                [_plain(self.board.get((row, column))) for column in range(self.side)]
                for row in range(self.side)
            ],
            "hands": [
                {
                    "tiles": [
                        list(tile) for tile in sorted(self.hands[seat].elements(), key=tile_order)
                    ],
                    "starting_tile": _plain(self.starting[seat]),
                }
                for seat in seats
            ],
            "face_up": list(self.face_up),
            "deck": list(self.deck),
            "claimed": [sorted(cards) for cards in self.claimed],
            "points": [self.points(seat) for seat in seats],
            "scores": [self.score(seat) for seat in seats],
            "inactive": list(self.inactive),
            "passes": self.passes,
            "trigger": self.trigger,
            "card_points": self._card_points(),
            "card18_sum": self.ruleset["card18_sum"],
            "claims_this_turn": [
                {"card": card, "tiles": [list(tile) for tile in tiles]}
                for card, tiles in self.claims_this_turn
            ],
            "outcome": None if self.outcome is None else dict(self.outcome),
        }

    def _card_points(self) -> dict[str, int]:
        cards = {*self.face_up, *(card for claimed in self.claimed for card in claimed)}
        return {str(card): self.ruleset["points"][card - 1] for card in sorted(cards)}


def _as_tile(value: Any) -> Tile | None:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        return None
    colour, number = value
    if not isinstance(colour, str) or type(number) is not int:
        return None
    return (colour, number)


def _as_cell(value: Any) -> Cell | None:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        return None
    row, column = value
    if type(row) is not int or type(column) is not int:
        return None
    return (row, column)


def _plain(tile: Tile | None) -> list[Any] | None:
    return None if tile is None else list(tile)


def _payment_order(payment: Payment) -> list[tuple[int, int]]:
    return [tile_order(tile) for tile in payment]


def _claim_order(claim: tuple[int, Payment]) -> tuple[int, list[tuple[int, int]]]:
    return (claim[0], _payment_order(claim[1]))


def _colours_fit(wanted: str, colours: Iterable[str]) -> bool:
    # R14.
    different = len(set(colours))
    return wanted == "any" or different == (1 if wanted == "one" else 3)
