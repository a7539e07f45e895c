"""Lumis as plain data: set-up, steps and positions, in both directions, and checking records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lumis_fast.core import steps
from lumis_fast.core.protocol import GameTypes
from lumis_fast.core.ruleset import shown
from lumis_fast.errors import InputError, nearest
from lumis_fast.games.lumis import ACTIONS, REASONS
from lumis_fast.games.lumis.ruleset import MAX_HAND, TEAMS
from lumis_fast.games.lumis.state import (
    BASE,
    COLOURS,
    CONNECT,
    DRAW,
    GIVE,
    TOWER,
    begin,
    number_of,
    space_of,
)

JSON = dict[str, Any]


def setup(rules: np.void, state: np.void) -> JSON:
    """Give a new game's hands and piles, the next card of a pile first.

    Parameters
    ----------
    rules, state : records
        A game before its first turn.

    Returns
    -------
    dict
        As in the record format.
    """
    hands = [_card_list(state["hand"][seat]) for seat in range(rules["seats"])]
    return {"hands": hands, "piles": {team: _pile(state, t) for t, team in enumerate(TEAMS)}}


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
        If these cards are not the ones that the ruleset deals.
    """
    _check_setup(rules, data)
    for name in state.dtype.names or ():
        state[name] = np.zeros_like(state[name])
    for seat, cards in enumerate(data["hands"]):
        state["hand"][seat] = _counts(cards)
        state["hand_size"][seat] = len(cards)
    for team, name in enumerate(TEAMS):
        _load_pile(state, team, data["piles"][name])
    begin.py_func(_Fields(rules), _Fields(state))


class _Fields:
    """A record whose fields are attributes, as in compiled code."""

    def __init__(self, record: np.void) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        return self._record[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self._record[name] = value


def _check_setup(rules: np.void, data: Any) -> None:
    hands = data.get("hands") if isinstance(data, dict) else None
    piles = data.get("piles") if isinstance(data, dict) else None
    if not (
        isinstance(hands, list)
        and isinstance(piles, dict)
        and all(_are_cards(cards) for cards in [*hands, *(piles.get(team) for team in TEAMS)])
    ):
        raise InputError(
            "the set-up is not one of Lumis; expected 'hands', a list of colours for each seat, "
            f"and 'piles' with a list of colours for {' and '.join(TEAMS)} "
            f"(colours: {', '.join(COLOURS)})"
        )
    if len(hands) != rules["seats"] or any(len(cards) != rules["opening_hand"] for cards in hands):
        raise InputError(
            f"the set-up deals {shown([len(cards) for cards in hands])} cards to the seats; "
            f"expected {int(rules['opening_hand'])} to each of {int(rules['seats'])}"
        )
    for number, team in enumerate(TEAMS):
        deck: Counter[str] = Counter(piles[team])
        for cards in hands[number::2]:
            deck.update(cards)
        if deck != Counter({colour: int(rules["cards_per_colour"]) for colour in COLOURS}):
            raise InputError(
                f"the set-up's {team} cards are {dict(deck)}; expected "
                f"{int(rules['cards_per_colour'])} of each of {', '.join(COLOURS)}"
            )


def _are_cards(value: Any) -> bool:
    return isinstance(value, list) and all(card in COLOURS for card in value)


def _load_pile(state: np.void, team: int, pile: Sequence[str]) -> None:
    state["pile"][team, : len(pile)] = _numbers(pile)
    state["pile_size"][team] = len(pile)


def _numbers(pile: Sequence[str]) -> list[int]:
    """Give a pile as a state keeps it: numbers of colours, the next card last."""
    return [COLOURS.index(colour) for colour in reversed(pile)]


def _pile(state: np.void, team: int) -> list[str]:
    cards = state["pile"][team, : state["pile_size"][team]]
    return [COLOURS[card] for card in cards[::-1]]


def _card_list(counts: np.ndarray) -> list[str]:
    return [COLOURS[c] for c in range(4) for _ in range(int(counts[c]))]


def _count_table(counts: np.ndarray) -> dict[str, int]:
    return {colour: int(counts[c]) for c, colour in enumerate(COLOURS)}


def _counts(cards: Sequence[str]) -> list[int]:
    return [sum(card == colour for card in cards) for colour in COLOURS]


def step(rules: np.void, before: np.void, move: np.void) -> JSON:
    """Give a move as a record's step, without what chance answers.

    Parameters
    ----------
    rules, before : records
        The position in which it is played.
    move : record

    Returns
    -------
    dict
        As in the record format.
    """
    action = int(move["action"])
    data: JSON = {"seat": int(before["to_move"]), "action": ACTIONS[action]}
    if action in (DRAW, GIVE):
        data["supply"] = int(move["supply"])
    if action == GIVE:
        data["cards"] = _card_list(move["cards"])
    if action in (TOWER, BASE):
        data["space"] = space_of(move["space"])
    if action == TOWER:
        data["height"] = int(move["height"])
    if action == BASE:
        data["card"] = COLOURS[move["card"]]
    if action == CONNECT:
        data["spaces"] = [space_of(s) for s in move["spaces"][: move["stones"]]]
    return data


def chance(rules: np.void, before: np.void, move: np.void, after: np.void) -> JSON:
    """Give what chance answered to a move.

    Parameters
    ----------
    rules, before : records
        The position in which it was played.
    move, after : records
        The move and the position it led to.

    Returns
    -------
    dict
        Keys to be merged into the step; empty for everything but a draw.
    """
    if move["action"] != DRAW:
        return {}
    seat = int(before["to_move"])
    team = seat % 2
    left = int(before["pile_size"][team])
    drawn = _pile(before, team)[: int(move["supply"])]
    if left >= move["supply"]:
        return {"cards": drawn}
    size = int(before["discards"][team].sum())
    pile = [COLOURS[card] for card in after["pile"][team, :size][::-1]]
    drawn += pile[: int(move["supply"]) - left]
    return {"cards": drawn, "reshuffled": {"after": left, "pile": pile}}


def load_step(rules: np.void, state: np.void, data: Any, move: np.void) -> None:
    """Read a step into a move; whether it is legal is not looked at.

    Parameters
    ----------
    rules, state : records
        The position in which it is to be played.
    data : dict
        A step of a record.
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
    action = ACTIONS.index(data["action"])
    move["action"] = action
    if action in (DRAW, GIVE):
        move["supply"] = _whole(data, "supply", 255)
    if action == GIVE:
        move["cards"] = _counts(_colours(data, "cards"))
    if action in (TOWER, BASE):
        move["space"] = _space(rules, data.get("space"))
    if action == TOWER:
        move["height"] = _whole(data, "height", 255)
    if action == BASE:
        move["card"] = COLOURS.index(_colours({"card": [data.get("card")]}, "card")[0])
    if action == CONNECT:
        _load_spaces(rules, data.get("spaces"), move)


def _load_spaces(rules: np.void, spaces: Any, move: np.void) -> None:
    if not isinstance(spaces, list) or not 1 <= len(spaces) <= MAX_HAND:
        raise InputError(f"'spaces' is {shown(spaces)}; expected a list of 1 to {MAX_HAND} spaces")
    numbers = sorted(_space(rules, space) for space in spaces)
    move["stones"] = len(numbers)
    move["spaces"][: len(numbers)] = numbers
    move["cards"] = np.bincount([rules["colour_at"][n] for n in numbers], minlength=4)[:4]


def _whole(data: JSON, key: str, most: int) -> int:
    value = data.get(key)
    if type(value) is not int or not 0 <= value <= most:
        raise InputError(f"{key!r} is {shown(value)}; expected a whole number from 0 to {most}")
    return value


def _colours(data: JSON, key: str) -> list[str]:
    value = data.get(key)
    if not isinstance(value, list) or len(value) > MAX_HAND:
        raise InputError(
            f"{key!r} is {shown(value)}; expected a list of at most {MAX_HAND} colours"
        )
    for colour in value:
        if colour not in COLOURS:
            raise InputError(f"{key!r} names '{shown(colour)}', {nearest(shown(colour), COLOURS)}")
    return value


def _space(rules: np.void, space: Any) -> int:
    rows, columns = int(rules["rows"]), int(rules["columns"])
    is_pair = isinstance(space, list) and len(space) == 2 and all(type(x) is int for x in space)
    if not is_pair or not (-1 <= space[0] <= rows and -1 <= space[1] <= columns):
        raise InputError(
            f"{shown(space)} is no space; expected [row, column] with rows -1 to {rows} and "
            f"columns -1 to {columns}"
        )
    return number_of(*space)


def position(rules: np.void, state: np.void, board: list[str], seat: int | None = None) -> JSON:
    """Give a position as plain data.

    Parameters
    ----------
    rules, state : records
    board : list of str
        The ruleset's rows.
    seat : int, optional
        Whose eyes to look with; by default everything is open.

    Returns
    -------
    dict
        See docs/architecture.md, "Positions as JSON".
    """
    seats = int(rules["seats"])
    return {
        "game": "lumis",
        "seats": seats,
        "turn": int(state["turn"]),
        "to_move": int(state["to_move"]),
        "over": bool(state["over"]),
        "board": list(board),
        "tower_stones": int(state["tower_stones"]),
        "teams": {name: _team(rules, state, t, seat) for t, name in enumerate(TEAMS)},
        "hands": [
            {
                "size": int(state["hand_size"][s]),
                "cards": _count_table(state["hand"][s]) if seat in (None, s) else None,
            }
            for s in range(seats)
        ],
        "outcome": outcome(rules, state) if state["over"] else None,
    }


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
    winner = int(state["winner"])
    values = [
        0.5 if winner not in (0, 1) else float(winner == seat % 2)
        for seat in range(int(rules["seats"]))
    ]
    return {
        "returns": values,
        "scores": list(values),
        "reason": REASONS[state["reason"]],
        "turns": int(state["turn"]),
    }


def _team(rules: np.void, state: np.void, team: int, seat: int | None) -> JSON:
    stones = _spaces_of(state["stones"][team])
    around = {(r + y, c + x) for r, c in stones for y, x in _AROUND}
    towers = []
    for space in _spaces_of(state["own"][team] & ~state["stones"][team]):
        number = number_of(*space)
        tower = int(rules["tower_at"][number])
        on_base_line = tower < 0
        if on_base_line and not rules["base_towers"]:
            continue
        height = 1 if on_base_line else int(state["height"][tower])
        towers.append({"space": space, "height": height, "safe": tuple(space) in around})
    cards = []
    for card in range(int(rules["supply_cards"][team])):
        numbers = [int(n) for n in rules["supply_numbers"][team, card]]
        cards.append(numbers[::-1] if int(state["flipped"][team]) >> card & 1 else numbers)
    return {
        "stones": stones,
        "towers": towers,
        "fire_stones": int(state["fire_stones"][team]),
        "supply_cards": cards,
        "discards": _count_table(state["discards"][team]),
        "pile": int(state["pile_size"][team]) if seat is not None else _pile(state, team),
    }


_AROUND = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1))


def _spaces_of(board: np.ndarray) -> list[list[int]]:
    return [
        space_of(64 * row + bit)
        for row, word in enumerate(board)
        if word
        for bit in range(64)
        if int(word) >> bit & 1
    ]


def replay(
    rules: np.ndarray, types: GameTypes, board: list[str], record: JSON
) -> Iterator[tuple[JSON | None, JSON]]:
    """Check a record's set-up, steps and outcome; yield the positions.

    Parameters
    ----------
    rules : array of one record
    types : GameTypes
    board : list of str
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
    if record["game"] != "lumis":
        raise InputError(f"the record is one of '{shown(record['game'])}'; expected 'lumis'")
    state, work, move = (np.zeros(1, t) for t in (types.state, types.work, types.move))
    load_setup(rules[0], state[0], record["setup"])
    yield None, position(rules[0], state[0], board)
    for number, data in enumerate(record["steps"], 1):
        try:
            _replay_step(rules[0], work[0], state[0], move[0], data)
        except InputError as error:
            raise InputError(f"step {number}: {error}") from None
        yield data, position(rules[0], state[0], board)
    _check_outcome(rules[0], state[0], record["outcome"], len(record["steps"]))


def _replay_step(rules: Any, work: Any, state: Any, move: Any, data: JSON) -> None:
    if state["over"]:
        raise InputError(f"the game ended before it, {REASONS[state['reason']]}; expected no step")
    load_step(rules, state, data, move)
    if not steps.is_legal(rules, work, state, move):
        raise InputError(f"{_said(data)} is not legal here; expected a legal move")
    if move["action"] == DRAW:
        _arrange_draw(work, state, data)
    elif "reshuffled" in data:
        raise InputError(f"{_said(data)} has 'reshuffled'; expected it in draws only")
    steps.play(rules, work, state, move)
    work["forced_size"] = 0


def _said(data: JSON) -> str:
    """Say a move in a few words, however strange the step may be otherwise."""
    told = [data["action"]]
    for key in ("supply", "space", "height", "card", "cards", "spaces"):
        if key in data and not (key == "cards" and data["action"] == "draw"):
            told.append(f"{key} {shown(data[key])}")
    return f"'{' '.join(told)}'"


def _arrange_draw(work: Any, state: Any, data: JSON) -> None:
    """Check what chance answered to a draw, and have a reshuffle give the recorded pile."""
    team, number = int(state["to_move"]) % 2, data["supply"]
    pile = _pile(state, team)
    if number > len(pile):
        new = _reshuffled_pile(data.get("reshuffled"), len(pile), state["discards"][team])
        work["forced"][: len(new)] = _numbers(new)
        work["forced_size"] = len(new)
        pile += new
    elif "reshuffled" in data:
        raise InputError(
            f"{_said(data)} has 'reshuffled' with {len(pile)} cards in the draw pile; expected it "
            "only where the pile is used up"
        )
    if data.get("cards") != pile[:number]:
        work["forced_size"] = 0
        raise InputError(
            f"{_said(data)} draws {shown(data.get('cards'))}; expected the pile's next cards, "
            f"{shown(pile[:number])}"
        )


def _reshuffled_pile(reshuffled: Any, left: int, discards: np.ndarray) -> list[str]:
    """Give the recorded new pile, if it is made of the discards at the right moment."""
    after = reshuffled.get("after") if isinstance(reshuffled, dict) else None
    if type(after) is not int or after != left:
        raise InputError(
            f"'reshuffled' is {shown(reshuffled)}; expected 'after' {left}, when the draw pile is "
            "used up, and 'pile', the new pile"
        )
    pile, expected = reshuffled.get("pile"), _count_table(discards)
    if not _are_cards(pile) or _counts(pile) != list(expected.values()):
        raise InputError(
            f"the reshuffled pile is {shown(pile)}; expected the discards, {shown(expected)}"
        )
    return pile


def _check_outcome(rules: Any, state: Any, said: Any, number: int) -> None:
    if not state["over"]:
        raise InputError(
            f"the record ends after step {number}, but the game goes on; expected a step "
            f"{number + 1} of seat {int(state['to_move'])}"
        )
    found = outcome(rules, state)
    for key, value in found.items():
        given = said.get(key) if isinstance(said, dict) else said
        if given != value:
            raise InputError(
                f"the outcome's {key} is {shown(given)}; expected {shown(value)}, as the steps "
                "have it"
            )
