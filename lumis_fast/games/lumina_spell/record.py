"""Lumina Spell as plain data: set-up, steps and positions, both ways, and checking records.

A claim turn is one step of a record. Where it is played in parts, the parts that leave it open
are steps with ``"more": true``, which are not written to records, and its end is the whole step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from lumis_fast.core import steps
from lumis_fast.core.protocol import GameTypes
from lumis_fast.core.ruleset import Ruleset, shown
from lumis_fast.errors import InputError, nearest
from lumis_fast.games.lumina_spell import ACTIONS, REASONS
from lumis_fast.games.lumina_spell.ruleset import COLOURS as ORDINARY
from lumis_fast.games.lumina_spell.ruleset import FACE_UP, MAX_NUMBER
from lumis_fast.games.lumina_spell.ruleset import RAINBOW as RAINBOW_NAME
from lumis_fast.games.lumina_spell.state import (
    CLAIM,
    MAX_TILES,
    NOBODY,
    PUSH,
    RAINBOW,
    begin,
)

JSON = dict[str, Any]

SIDES = ("left", "right", "top", "bottom")
"""The side that a pushed tile enters from, in the order of `move.side`."""

_NAMES = {**dict(enumerate(ORDINARY)), RAINBOW: RAINBOW_NAME}
_COLOURS = {name: colour for colour, name in _NAMES.items()}


def _tile(bits: int) -> list[Any] | None:
    """Give a tile as plain data; None for no tile."""
    return [_NAMES[int(bits) >> 4], int(bits) & 15] if bits else None


def _bits(tile: Any) -> int:
    """Read a tile."""
    if not (
        isinstance(tile, list)
        and len(tile) == 2
        and isinstance(tile[0], str)
        and tile[0] in _COLOURS
        and type(tile[1]) is int
        and 1 <= tile[1] <= MAX_NUMBER
    ):
        raise InputError(
            f"{shown(tile)} is no tile; expected [colour, number] with a number from 1 to "
            f"{MAX_NUMBER} and one of the colours {', '.join(_COLOURS)}"
        )
    return _COLOURS[tile[0]] << 4 | tile[1]


def _row(word: int, side: int) -> list[int]:
    return [int(word) >> 7 * c & 127 for c in range(side)]


def _hand(state: np.void, seat: int) -> list[list[Any]]:
    """Give a hand's tiles, colour by colour, rainbow tiles last."""
    words = [int(word) for word in state["hand"][seat]]
    return [
        [name, number]
        for colour, name in _NAMES.items()
        for number, word in enumerate(words)
        for _ in range(word >> 4 * colour & 15)
    ]


def setup(rules: np.void, state: np.void) -> JSON:
    """Give a new game's board, starting tiles, deck and starting seat.

    Parameters
    ----------
    rules, state : records
        A game before its first turn.

    Returns
    -------
    dict
        As in the record format.
    """
    return {
        "board": _board(rules, state),
        "starting_tiles": [_tile(tile) for tile in state["start"][: rules["seats"]]],
        "deck": _numbers(state["deck"][: rules["deck_size"]]),
        "first": int(state["first"]),
    }


def _board(rules: np.void, state: np.void) -> list[list[Any]]:
    side = int(rules["side"])
    return [[_tile(bits) for bits in _row(word, side)] for word in state["rows"][:side]]


def _numbers(cards: np.ndarray) -> list[int]:
    return [int(card) & 31 for card in cards]


def load_setup(rules: np.void, state: np.void, data: Any) -> None:
    """Set a state to the first turn of a recorded set-up.

    Parameters
    ----------
    rules, state : records
    data : dict
        As `setup` gives it.

    Raises
    ------
    InputError
        If it is not one that the ruleset gives.
    """
    board, start = _check_setup(rules, data)
    side = int(rules["side"])
    for name in state.dtype.names or ():
        state[name] = np.zeros_like(state[name])
    for r in range(side):
        state["rows"][r] = sum(bits << 7 * c for c, bits in enumerate(board[side * r :][:side]))
    state["start"][: len(start)] = start
    state["deck"][: rules["deck_size"]] = [NOBODY << 5 | card for card in data["deck"]]
    state["first"] = data["first"]
    begin.py_func(_Fields(rules), _Fields(state))


class _Fields:
    """A record whose fields are attributes, as in compiled code."""

    def __init__(self, record: np.void) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        return self._record[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self._record[name] = value


def _check_setup(rules: np.void, data: Any) -> tuple[list[int], list[int]]:
    """Check a set-up; give the board's tiles, row by row, and the starting tiles."""
    side, seats = int(rules["side"]), int(rules["seats"])
    keys = ("board", "starting_tiles", "deck")
    if not isinstance(data, dict) or not all(isinstance(data.get(key), list) for key in keys):
        raise InputError(
            "the set-up is not one of Lumina Spell; expected lists 'board', 'starting_tiles' and "
            "'deck', and 'first'"
        )
    rows = data["board"]
    if len(rows) != side or any(not isinstance(row, list) or len(row) != side for row in rows):
        raise InputError(f"the set-up's board is not square; expected {side} rows of {side} tiles")
    board = [_bits(tile) for row in rows for tile in row]
    start = [_bits(tile) for tile in data["starting_tiles"]]
    _check_tiles(rules, board, start)
    wanted = sorted(_numbers(rules["deck"][: rules["deck_size"]]))
    deck = data["deck"]
    if any(type(card) is not int for card in deck) or sorted(deck) != wanted:
        raise InputError(f"the set-up's deck is {shown(deck)}; expected the cards {shown(wanted)}")
    if type(data.get("first")) is not int or not 0 <= data["first"] < seats:
        raise InputError(
            f"seat {shown(data.get('first'))} begins in the set-up; expected 0 to {seats - 1}"
        )
    return board, start


def _check_tiles(rules: np.void, board: list[int], start: list[int]) -> None:
    seats, centre = int(rules["seats"]), len(board) // 2
    ordinary = Counter(board[:centre] + board[centre + 1 :])
    wanted = {
        colour << 4 | number: int(rules["copies"])
        for colour in range(rules["colours"])
        for number in range(1, int(rules["numbers"]) + 1)
    }
    if ordinary != wanted:
        wrong = next(bits for bits in [*ordinary, *wanted] if ordinary[bits] != wanted.get(bits, 0))
        raise InputError(
            f"the set-up's board has {ordinary[wrong]} tiles {shown(_tile(wrong))} around its "
            f"centre; expected {wanted.get(wrong, 0)}"
        )
    rainbows = Counter(RAINBOW << 4 | int(n) for n in rules["rainbow_numbers"][: rules["rainbows"]])
    if len(start) != seats or not Counter([*start, board[centre]]) <= rainbows:
        raise InputError(
            f"the set-up's starting tiles are {shown([_tile(bits) for bits in start])} and the "
            f"centre's is {shown(_tile(board[centre]))}; expected {seats + 1} different ones of "
            f"the rainbow tiles {shown([bits & 15 for bits in rainbows.elements()])}"
        )


def _payment(bits: int) -> list[Any]:
    return [_tile(int(bits) >> 8 * i & 255) for i in range(MAX_TILES) if int(bits) >> 8 * i & 255]


def _claims(cards: np.ndarray, paid: np.ndarray, n: int) -> list[JSON]:
    return [{"card": int(cards[i]), "tiles": _payment(paid[i])} for i in range(n)]


def step(rules: np.void, before: np.void, move: np.void) -> JSON:
    """Give a move as a record's step.

    Parameters
    ----------
    rules, before : records
        The position in which it is played.
    move : record

    Returns
    -------
    dict
        As in the record format. A claim that leaves the turn open has ``"more": true`` besides,
        and only its own cards; the move that ends the turn is told as the whole turn.
    """
    action = int(move["action"])
    data: JSON = {"seat": int(before["to_move"]), "action": ACTIONS[action]}
    if action == PUSH:
        data["side"] = SIDES[move["side"]]
        data["line"] = int(move["line"])
        data["tile"] = _tile(move["tile"])
        data["take"] = int(move["take"])
    if action == CLAIM:
        claims = _claims(move["card"], move["paid"], int(move["cards"]))
        if move["more"]:
            return {**data, "cards": claims, "edge": None, "more": True}
        data["cards"] = _claims(before["claimed"], before["paid"], int(before["claims"])) + claims
        edge = int(move["edge"]) - 1
        data["edge"] = None if edge < 0 else list(divmod(edge, int(rules["side"])))
    return data


def load_step(rules: np.void, state: np.void, data: Any, move: np.void) -> None:
    """Read a step into a move; whether it is legal is not looked at.

    Parameters
    ----------
    rules, state : records
        The position in which it is to be played.
    data : dict
        A step of a record, or a part of a claim turn.
    move : record
        Written.

    Raises
    ------
    InputError
        For what is no move of this game at all.
    """
    for name in move.dtype.names or ():
        move[name] = np.zeros_like(move[name])
    if not isinstance(data, dict) or data.get("action") not in ACTIONS:
        given = shown(data.get("action") if isinstance(data, dict) else data)
        raise InputError(f"no action is called '{given}', {nearest(given, ACTIONS)}")
    seat, to_move = data.get("seat"), int(state["to_move"])
    if type(seat) is not int or seat != to_move:
        raise InputError(f"seat {shown(seat)} moves; expected seat {to_move}")
    move["action"] = ACTIONS.index(data["action"])
    if move["action"] == PUSH:
        _load_push(rules, data, move)
    if move["action"] == CLAIM:
        _load_claim(rules, state, data, move)


def _load_push(rules: np.void, data: JSON, move: np.void) -> None:
    if data.get("side") not in SIDES:
        given = shown(data.get("side"))
        raise InputError(f"no side is called '{given}', {nearest(given, SIDES)}")
    move["side"] = SIDES.index(data["side"])
    side = int(rules["side"])
    for key, low, high in (("line", 0, side - 1), ("take", 1, side)):
        value = data.get(key)
        if type(value) is not int or not low <= value <= high:
            raise InputError(
                f"'{key}' is {shown(value)}; expected a whole number from {low} to {high}"
            )
        move[key] = value
    move["tile"] = _bits(data.get("tile"))


def _load_claim(rules: np.void, state: np.void, data: JSON, move: np.void) -> None:
    claims, side = data.get("cards"), int(rules["side"])
    if not isinstance(claims, list) or not 1 <= len(claims) <= FACE_UP:
        raise InputError(f"'cards' is {shown(claims)}; expected a list of 1 to {FACE_UP} claims")
    read = [_load_payment(rules, claim) for claim in claims]
    more = data.get("more", False)
    if type(more) is not bool:
        raise InputError(f"'more' is {shown(more)}; expected true or false")
    begun = int(state["claims"])
    if begun and not more:
        before = [(int(c), int(p)) for c, p in zip(state["claimed"], state["paid"], strict=True)]
        if read[:begun] != before[:begun]:
            raise InputError(
                f"the claim turn is {shown(claims)}; expected it to begin with what has been "
                f"claimed in it, {shown(_claims(state['claimed'], state['paid'], begun))}"
            )
        read = read[begun:]
    move["more"], move["cards"] = more, len(read)
    for i, (card, payment) in enumerate(read):
        move["card"][i], move["paid"][i] = card, payment
    edge = data.get("edge")
    if edge is not None:
        is_pair = isinstance(edge, list) and len(edge) == 2 and all(type(x) is int for x in edge)
        if not is_pair or not all(0 <= x < side for x in edge):
            raise InputError(
                f"'edge' is {shown(edge)}; expected null or [row, column], both 0 to {side - 1}"
            )
        move["edge"] = side * edge[0] + edge[1] + 1


def _load_payment(rules: np.void, claim: Any) -> tuple[int, int]:
    """Read a card's number and what is paid for it, in the order of `payment.py`."""
    card = claim.get("card") if isinstance(claim, dict) else None
    tiles = claim.get("tiles") if isinstance(claim, dict) else None
    most = len(rules["card_tiles"]) - 1
    if type(card) is not int or not 1 <= card <= most or not isinstance(tiles, list):
        raise InputError(
            f"{shown(claim)} is no claim; expected 'card', a number from 1 to {most}, and 'tiles'"
        )
    if not 1 <= len(tiles) <= MAX_TILES:
        wanted = int(rules["card_tiles"][card])
        raise InputError(f"card {card} is paid with {len(tiles)} tiles; expected {wanted}")
    paid = sorted((_bits(tile) for tile in tiles), key=lambda bits: _place(rules, bits))
    return card, sum(bits << 8 * i for i, bits in enumerate(paid))


def _place(rules: np.void, bits: int) -> tuple[bool, int, int]:
    is_wild = bits >> 4 == RAINBOW and bool(rules["rainbow_number_wild"])
    return not is_wild, bits & 15, bits >> 4


def position(ruleset: Ruleset, rules: np.void, state: np.void, seat: int | None = None) -> JSON:
    """Give a position as plain data.

    Parameters
    ----------
    ruleset : Ruleset
    rules, state : records
    seat : int, optional
        Whose eyes to look with; by default everything is open.

    Returns
    -------
    dict
        See docs/architecture.md, "Positions as JSON".
    """
    seats = range(int(rules["seats"]))
    deck = state["deck"][: rules["deck_size"]]
    down = deck[state["revealed"] :]
    trigger = int(state["triggered"])
    return {
        "game": "lumina-spell",
        "seats": len(seats),
        "turn": int(state["turn"]),
        "to_move": int(state["to_move"]),
        "over": bool(state["over"]),
        "first": int(state["first"]),
        "board": _board(rules, state),
        "hands": [
            {"tiles": _hand(state, s), "starting_tile": _tile(state["start"][s])} for s in seats
        ],
        "face_up": [int(deck[at - 1]) & 31 for at in state["face_up"] if at],
        "deck": _numbers(down) if seat is None else len(down),
        "claimed": [sorted(int(card) & 31 for card in deck if card >> 5 == s) for s in seats],
        "points": [int(state["points"][s]) for s in seats],
        "scores": _scores(rules, state),
        "inactive": [bool(int(state["inactive"]) >> s & 1) for s in seats],
        "passes": int(state["passes"]),
        "trigger": REASONS[trigger - 1] if trigger else None,
        "card_points": _card_points(ruleset, deck[: state["revealed"]]),
        "card18_sum": ruleset.values["card18_sum"],
        "claims_this_turn": _claims(state["claimed"], state["paid"], int(state["claims"])),
        "outcome": outcome(rules, state) if state["over"] else None,
    }


def _card_points(ruleset: Ruleset, seen: np.ndarray) -> dict[str, int]:
    """Give the points of the cards in sight by their numbers, which are text as JSON has it."""
    points = ruleset.values["points"]
    return {str(card): points[card - 1] for card in sorted(set(_numbers(seen)))}


def _scores(rules: np.void, state: np.void) -> list[int]:
    return [int(state["points"][s]) - len(_hand(state, s)) for s in range(int(rules["seats"]))]


def outcome(rules: np.void, state: np.void) -> JSON:
    """Give the outcome of a game that is over.

    Parameters
    ----------
    rules, state : records

    Returns
    -------
    dict
        As in the record format.
    """
    points = _scores(rules, state)
    winners = points.count(max(points))
    return {
        "returns": [1 / winners if score == max(points) else 0.0 for score in points],
        "scores": points,
        "reason": REASONS[state["reason"]],
        "turns": int(state["turn"]),
    }


def replay(
    ruleset: Ruleset, rules: np.ndarray, types: GameTypes, record: JSON
) -> Iterator[tuple[JSON | None, JSON]]:
    """Check a record's set-up, steps and outcome; yield the positions.

    Parameters
    ----------
    ruleset : Ruleset
    rules : array of one record
    types : GameTypes
    record : dict
        With an envelope that `lumis_fast.core.record.check_envelope` accepts.

    Yields
    ------
    tuple
        (None, first position), then (step, position after it).

    Raises
    ------
    InputError
        Naming the step, counted from 1, and what is wrong with it.
    """
    if record["game"] != "lumina-spell":
        raise InputError(f"the record is one of '{shown(record['game'])}'; expected 'lumina-spell'")
    state, work, move = (np.zeros(1, t) for t in (types.state, types.work, types.move))
    load_setup(rules[0], state[0], record["setup"])
    yield None, position(ruleset, rules[0], state[0])
    for number, data in enumerate(record["steps"], 1):
        try:
            _replay_step(rules[0], work[0], state[0], move[0], data)
        except InputError as error:
            raise InputError(f"step {number}: {error}") from None
        yield data, position(ruleset, rules[0], state[0])
    _check_outcome(rules[0], state[0], record["outcome"], len(record["steps"]))


def _replay_step(rules: Any, work: Any, state: Any, move: Any, data: JSON) -> None:
    if state["over"]:
        raise InputError(f"the game ended before it, {REASONS[state['reason']]}; expected no step")
    load_step(rules, state, data, move)
    if move["more"]:
        raise InputError("a claim turn is left open by 'more'; expected a whole turn in one step")
    if not steps.is_legal(rules, work, state, move):
        raise InputError(f"{_said(data)} is not legal here; expected a legal move")
    steps.play(rules, work, state, move)


def _said(data: JSON) -> str:
    """Say a move in a few words, however strange the step may be otherwise."""
    told = [data["action"]]
    for key in ("side", "line", "tile", "take", "cards", "edge"):
        if key in data:
            told.append(f"{key} {shown(data[key])}")
    return f"'{' '.join(told)}'"


def _check_outcome(rules: Any, state: Any, said: Any, number: int) -> None:
    if not state["over"]:
        raise InputError(
            f"the record ends after step {number}, but the game goes on; expected a step "
            f"{number + 1} of seat {int(state['to_move'])}"
        )
    for key, value in outcome(rules, state).items():
        given = said.get(key) if isinstance(said, dict) else said
        if given != value:
            raise InputError(
                f"the outcome's {key} is {shown(given)}; expected {shown(value)}, as the steps "
                "have it"
            )
