"""The Stone Guardians as plain data: set-up, steps and positions, both ways, and checking records.

States hold no order of cards, lots or spells, only what came of them. What chance answered to a
step is noted in the work record while the step is played; so `chance` plays it once more, and
`replay` tells the answers of a record the same way (`state.DRAWS`, `state.LOTS`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from lumis_fast.core import steps
from lumis_fast.core.jit import entry
from lumis_fast.core.protocol import MAX_SEATS, GameTypes
from lumis_fast.core.ruleset import shown
from lumis_fast.errors import InputError, nearest
from lumis_fast.games.stone_guardians import ACTIONS, ITEMS, REASONS, SPELLS, STAGES, SYMBOLS
from lumis_fast.games.stone_guardians.board import LUTAO, NOBODY, TURNS, laid_spaces, tables_of
from lumis_fast.games.stone_guardians.hexes import HEX_NUMBER, HEXES, Hex, distance
from lumis_fast.games.stone_guardians.play import begin_play
from lumis_fast.games.stone_guardians.state import (
    ATTACKER_HOLDS_BACK,
    BEFORE_FIGHT,
    BUY,
    BUYING,
    DEFENDER_HOLDS_BACK,
    DISCARD_SPELL,
    DISCARDING,
    DRAFT,
    FIGHT,
    FORMATION,
    GOLEM_ATTACK,
    GOLEM_PLACE,
    HOLD_BACK,
    LOAD,
    MAX_ACQUIRED,
    MOVE_ARMIES,
    MOVEMENT,
    PLACE_ARMIES,
    PLACE_COUNTRY,
    PLACE_MARKER,
    PLACE_SHIP,
    SAIL,
    SAIL_ON,
    STOPOVER,
    UNLOAD,
    VICTORY_CHECK,
    begin,
    begin_draft,
)

JSON = dict[str, Any]

MAX_CARDS = 6
"""No draw has more cards."""

_DEALT = ("provinces", "bonus_armies", "order")
_CHANCE = ("draws", "spells", *_DEALT)
# What a move's numbers stand for: the key in a step, the field of the move, what kind of thing.
_ARGUMENTS: dict[int, tuple[tuple[str, str, str], ...]] = {
    PLACE_COUNTRY: (
        ("country", "origin", "country"),
        ("turn", "what", "turn"),
        ("anchor", "target", "hex"),
    ),
    PLACE_MARKER: (("space", "target", "province"),),
    PLACE_ARMIES: (("space", "target", "province"), ("count", "count", "count")),
    PLACE_SHIP: (("space", "target", "province"), ("edge", "edge", "edge of target")),
    MOVE_ARMIES: (
        ("from", "origin", "province"),
        ("to", "target", "province"),
        ("count", "count", "count"),
    ),
    SAIL: (
        ("from", "origin", "province"),
        ("ship", "ship", "edge of origin"),
        ("to", "target", "province"),
        ("edge", "edge", "edge of target"),
        ("count", "count", "count"),
    ),
    UNLOAD: (("count", "count", "count"),),
    LOAD: (("count", "count", "count"),),
    SAIL_ON: (("to", "target", "province"), ("edge", "edge", "edge of target")),
    FIGHT: (("space", "target", "province"),),
    HOLD_BACK: (("card", "what", "card"),),
    GOLEM_ATTACK: (("from", "origin", "province"), ("to", "target", "province")),
    GOLEM_PLACE: (("space", "target", "province"),),
    DISCARD_SPELL: (("spell", "what", "spell"),),
    BUY: (("item", "what", "item"), ("count", "count", "count")),
}
_WORDS = {"card": SYMBOLS, "spell": SPELLS, "item": ITEMS}
_WITHOUT_CHANCE = (PLACE_MARKER, PLACE_ARMIES, PLACE_SHIP, MOVE_ARMIES, SAIL, UNLOAD, LOAD, SAIL_ON)


@entry
def _begin(rules, work, state):
    """Begin a game that is dealt, or a draft, and go on to the first decision."""
    if rules.strategic_setup and state.drafted == 0:
        begin_draft(rules, state)
    else:
        begin(rules, state)
    begin_play(rules, work, state)


def country_names(rules: np.void) -> list[str]:
    """Name the countries of a ruleset's map, in its order.

    Parameters
    ----------
    rules : record

    Returns
    -------
    list of str
    """
    names = rules["country_names"][: rules["map"]["countries"]]
    return ["".join(chr(letter) for letter in name if letter) for name in names]


def _bits(mask: int) -> list[int]:
    return [place for place in range(64) if int(mask) >> place & 1]


def _peoples(rules: np.void) -> range:
    return range(int(rules["peoples"]))


def _order(state: np.void) -> list[int]:
    alive = int(state["alive"])
    return [int(people) for people in state["order"] if people != NOBODY and alive >> people & 1]


# Set-up ---------------------------------------------------------------------------------------


def setup(rules: np.void, state: np.void) -> JSON:
    """Give what chance decided before the first decision.

    Parameters
    ----------
    rules, state : records
        A game before its first decision.

    Returns
    -------
    dict
        As in the record format.
    """
    artifacts = [int(state["artifact_card"][people]) + 1 for people in _peoples(rules)]
    if rules["strategic_setup"]:
        names = country_names(rules)
        order = [names[i] for i in state["draft_order"][: len(names)]]
        return {"countries": order, "first": int(state["people"]), "artifacts": artifacts}
    provinces, bonus, order = _dealt(rules, state).values()
    return {
        "provinces": provinces,
        "bonus_armies": bonus,
        "artifacts": artifacts,
        "order": order,
    }


def _dealt(rules: np.void, state: np.void) -> JSON:
    """Tell what cards and stones were dealt, before anything was done with them."""
    hexes = tables_of(rules, state)["hex_of"]
    hands = [_bits(state["owned"][people]) for people in _peoples(rules)]
    provinces = [[list(HEXES[hexes[place]]) for place in hand] for hand in hands]
    order = _order(state)
    return {
        "provinces": provinces,
        "bonus_armies": _bonus_armies(rules, state, [len(hand) for hand in hands], order),
        "order": order,
    }


def _bonus_armies(
    rules: np.void, state: np.void, sizes: Sequence[int], order: Sequence[int]
) -> list[int]:
    """Tell how many bonus cards each people got: what is missing to its share of all cards.

    Shares that differ by one are told apart by the armies to place. Where those have gone back for
    want of room or supply, it made no difference who had one more, and the first ones get it.
    """
    share, more = divmod(sum(sizes) + int(rules["bonus_cards"]), len(sizes))
    bonus = [share - size for size in sizes]
    more_to_place = [p for p in order if state["to_place"][p] > bonus[p]]
    for people in [*more_to_place, *(p for p in order if p not in more_to_place)][:more]:
        bonus[people] += 1
    return bonus


def load_setup(rules: np.void, state: np.void, data: Any) -> None:
    """Set a state to the first decision of a recorded set-up.

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
    if not isinstance(data, dict):
        raise InputError(f"the set-up is {shown(data)}; expected an object")
    cards = list(range(1, len(_peoples(rules)) + 1))
    artifacts = _permutation(data.get("artifacts"), cards, "the set-up's artifacts")
    for name in state.dtype.names or ():
        state[name] = np.zeros_like(state[name])
    state["map_key"] = rules["map"]["key"]
    state["artifact_card"][: len(cards)] = [card - 1 for card in artifacts]
    if rules["strategic_setup"]:
        names = country_names(rules)
        drawn = _permutation(data.get("countries"), names, "the set-up's countries")
        state["draft_order"][: len(names)] = [names.index(name) for name in drawn]
        state["people"] = _seat(rules, data.get("first"), "the set-up's 'first'")
    else:
        _load_deal(rules, state, data, "the set-up")
    _begin(rules, _scratch(), state)


def _scratch() -> np.void:
    from lumis_fast.games.stone_guardians.kernels import TYPES

    return np.zeros(1, TYPES.work)[0]


def _permutation(value: Any, expected: Sequence[Any], what: str) -> list[Any]:
    kind = type(expected[0]) if expected else int
    are_fit = isinstance(value, list) and all(type(item) is kind for item in value)
    if not are_fit or sorted(value) != sorted(expected):
        raise InputError(
            f"{what} are {shown(value)}; expected each of {shown(list(expected))} once"
        )
    return value


def _seat(rules: np.void, value: Any, what: str) -> int:
    if type(value) is not int or value not in _peoples(rules):
        raise InputError(f"{what} is {shown(value)}; expected 0 to {len(_peoples(rules)) - 1}")
    return value


def _load_deal(rules: np.void, state: np.void, data: JSON, where: str) -> None:
    """Set whose the provinces are, the bonus armies and the order, as dealt."""
    places = {HEXES[number]: place for place, number in _countries_land(rules, state)}
    hands = _check_hands(rules, data.get("provinces"), places, where)
    bonus = _check_bonus(rules, data.get("bonus_armies"), [len(h) for h in hands], where)
    order = _check_order(data.get("order"), bonus, list(_peoples(rules)), f"{where}'s order")
    state["owned"][:], state["to_place"][:], state["order"][:] = 0, 0, NOBODY
    for people, hand in enumerate(hands):
        state["owned"][people] = sum(1 << place for place in hand)
    state["to_place"][: len(bonus)] = bonus
    state["order"][: len(order)] = order


def _countries_land(rules: np.void, state: np.void) -> list[tuple[int, int]]:
    tables = tables_of(rules, state)
    return list(enumerate(tables["hex_of"][: tables["provinces"]]))[LUTAO:]


def _check_hands(rules: np.void, value: Any, places: dict[Hex, int], where: str) -> list[list[int]]:
    peoples = len(_peoples(rules))
    if not isinstance(value, list) or len(value) != peoples:
        raise InputError(f"{where}'s provinces are {shown(value)}; expected {peoples} lists")
    dealt: set[Hex] = set()
    for hand in value:
        if not isinstance(hand, list) or not hand:
            raise InputError(f"{where}'s provinces have {shown(hand)}; expected a list of spaces")
        for space in hand:
            found = _as_hex(space)
            if found not in places:
                near = _nearest_hex(found, places)
                raise InputError(
                    f"{where}'s provinces have {shown(space)}, no province of a country; the "
                    f"nearest is {near}"
                )
            if found in dealt:
                raise InputError(f"{where}'s provinces have {shown(space)} twice; expected once")
            dealt.add(found)
    missing = sorted(set(places) - dealt)
    if missing:
        raise InputError(f"{where}'s provinces lack {list(missing[0])}; expected every province")
    return [[places[_as_hex(space)] for space in hand] for hand in value]


def _check_bonus(rules: np.void, value: Any, sizes: Sequence[int], where: str) -> list[int]:
    """Check that bonus cards fill every people's share of all cards."""
    share, more = divmod(sum(sizes) + int(rules["bonus_cards"]), len(sizes))
    lowest = [share - size for size in sizes]
    are_counts = isinstance(value, list) and all(type(n) is int and n >= 0 for n in value)
    if are_counts and len(value) == len(sizes) and sum(value) == int(rules["bonus_cards"]):
        rest = [n - low for n, low in zip(value, lowest, strict=True)]
        if all(n in ((0, 1) if more else (0,)) for n in rest):
            return value
    told = "each or one more" if more else "each"
    raise InputError(
        f"{where}'s bonus armies are {shown(value)}; expected {int(rules['bonus_cards'])} in all "
        f"and {share} cards {told} with the provinces, so {shown(lowest)}"
    )


def _check_order(value: Any, points: Sequence[int], peoples: Sequence[int], what: str) -> list[int]:
    """Check that most points come first."""
    best = sorted(peoples, key=lambda people: -points[people])
    are_fit = isinstance(value, list) and all(type(item) is int for item in value)
    if not are_fit or sorted(value) != sorted(peoples):
        raise InputError(f"{what} is {shown(value)}; expected each of {sorted(peoples)} once")
    ranked = [points[people] for people in value]
    if ranked != sorted(ranked, reverse=True):
        told = ", ".join(f"{points[people]} of people {people}" for people in best)
        raise InputError(
            f"{what} is {shown(value)}; expected the most first ({told}), as in {shown(best)}"
        )
    return value


# Spaces ---------------------------------------------------------------------------------------


def _as_hex(value: Any) -> Hex:
    """Read a space; what is none becomes one far away."""
    is_pair = isinstance(value, list) and len(value) == 2
    if is_pair and all(type(x) is int and abs(x) < 1000 for x in value):
        return value[0], value[1]
    return 9999, 9999


def _nearest_hex(space: Hex, choices: Iterable[Hex]) -> list[int]:
    q, r = space
    near = min(sorted(choices), key=lambda choice: distance((choice[0] - q, choice[1] - r)))
    return list(near)


# Steps ----------------------------------------------------------------------------------------


def step(rules: np.void, before: np.void, move: np.void) -> JSON:
    """Give a move as a record's step, without what chance answered.

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
    action, seat = int(move["action"]), int(before["to_move"])
    data: JSON = {"seat": seat, "people": seat, "action": ACTIONS[action]}
    tables = tables_of(rules, before)
    for key, field, kind in _ARGUMENTS.get(action, ()):
        value = int(move[field])
        if kind == "province":
            data[key] = list(HEXES[tables["hex_of"][value]])
        elif kind.startswith("edge"):
            data[key] = list(HEXES[tables["edge_hex"][value]])
        elif kind == "hex":
            data[key] = list(HEXES[value])
        elif kind == "country":
            data[key] = country_names(rules)[value]
        else:
            data[key] = _WORDS[kind][value] if kind in _WORDS else value
    return data


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
    to_move = int(state["to_move"])
    for key, verb in (("seat", "moves"), ("people", "decides")):
        value = data.get(key)
        if type(value) is not int or value != to_move:
            raise InputError(f"{key} {shown(value)} {verb}; expected {key} {to_move}")
    action = ACTIONS.index(data["action"])
    move["action"] = action
    tables = tables_of(rules, state)
    for key, field, kind in _ARGUMENTS.get(action, ()):
        move[field] = _load_argument(rules, tables, data.get(key), key, kind, move)


def _load_argument(
    rules: np.void, tables: np.void, value: Any, key: str, kind: str, move: np.void
) -> int:
    if kind == "province":
        return _load_province(tables, value, key)
    if kind.startswith("edge"):
        return _load_edge(tables, value, key, int(move[kind.split()[-1]]))
    if kind == "hex":
        return _load_hex(int(rules["map"]["radius"]), value, key)
    if kind in ("count", "turn"):
        highest = TURNS - 1 if kind == "turn" else 255
        if type(value) is not int or not 0 <= value <= highest:
            raise InputError(
                f"'{key}' is {shown(value)}; expected a whole number from 0 to {highest}"
            )
        return value
    words = country_names(rules) if kind == "country" else _WORDS[kind]
    if not isinstance(value, str) or value not in words:
        raise InputError(f"no {kind} is called '{shown(value)}', {nearest(shown(value), words)}")
    return list(words).index(value)


def _load_province(tables: np.void, value: Any, key: str) -> int:
    spaces = {HEXES[number]: i for i, number in enumerate(tables["hex_of"][: tables["provinces"]])}
    space = _as_hex(value)
    if space not in spaces:
        raise InputError(
            f"'{key}' is {shown(value)}, where no province is; the nearest is "
            f"{_nearest_hex(space, spaces)}"
        )
    return spaces[space]


def _load_edge(tables: np.void, value: Any, key: str, province: int) -> int:
    first, last = (int(n) for n in tables["first_edge"][province : province + 2])
    edges = {HEXES[tables["edge_hex"][edge]]: edge for edge in range(first, last)}
    where = list(HEXES[tables["hex_of"][province]])
    if not edges:
        raise InputError(
            f"'{key}' is {shown(value)}, but {where} has no coast; expected one that has"
        )
    space = _as_hex(value)
    if space not in edges:
        raise InputError(
            f"'{key}' is {shown(value)}, no sea beside {where}; the nearest there is "
            f"{_nearest_hex(space, edges)}"
        )
    return edges[space]


def _load_hex(radius: int, value: Any, key: str) -> int:
    space = _as_hex(value)
    if distance(space) > radius:
        choices = [hex_ for hex_ in HEXES if distance(hex_) <= radius]
        raise InputError(
            f"'{key}' is {shown(value)}, not on the map; the nearest space is "
            f"{_nearest_hex(space, choices)}"
        )
    return HEX_NUMBER[space]


# What chance answered -------------------------------------------------------------------------


def chance(rules: np.void, before: np.void, move: np.void, after: np.void) -> JSON:
    """Give what chance answered to a move, to be merged into its step.

    Parameters
    ----------
    rules, before, move, after : records
        The positions around it, `before` with the stream that it was played with.

    Returns
    -------
    dict
        The keys `draws`, `order`, `spells` and, at the end of a draft, `provinces`, `bonus_armies`
        and `order`, as far as chance had a part in it.
    """
    if int(move["action"]) in _WITHOUT_CHANCE:
        return {}
    if before["stage"] == DRAFT:
        return {} if after["stage"] == DRAFT else _dealt(rules, after)
    work, again = _scratch(), before.copy()
    steps.play(rules, work, again, move)
    return _answered(work, before, again)


def _answered(work: np.void, before: np.void, after: np.void) -> JSON:
    """Read what was noted while a step was played."""
    data: JSON = {}
    draws = work["draws"][: work["draws_made"]]
    if len(draws):
        data["draws"] = [_noted(draw, "cards", _symbols(draw), SYMBOLS) for draw in draws]
    if _was_counted(before, after):
        data["order"] = _order(after)
    acquired = work["acquired"][: work["acquired_made"]]
    if len(acquired):
        data["spells"] = [
            _noted(one, "spells", one["spells"][: one["size"]], SPELLS) for one in acquired
        ]
    return data


def _symbols(draw: np.void) -> list[int]:
    return [(int(draw["cards"]) >> 3 * i & 7) - 1 for i in range(int(draw["size"]))]


def _noted(entry_: np.void, key: str, numbers: Any, names: Sequence[str]) -> JSON:
    data: JSON = {"people": int(entry_["people"]), key: [names[number] for number in numbers]}
    if entry_["reshuffled"] != NOBODY:
        data["reshuffled"] = int(entry_["reshuffled"])
    return data


def _was_counted(before: np.void, after: np.void) -> bool:
    """Tell whether a new order was set in a step: it led out of the action phases."""
    stage = int(before["stage"])
    was_acting = stage < VICTORY_CHECK or stage >= BEFORE_FIGHT
    is_later = after["round"] != before["round"] or after["stage"] in (DISCARDING, BUYING)
    return bool(was_acting and is_later and not after["over"])


# Positions ------------------------------------------------------------------------------------


def position(rules: np.void, state: np.void, seat: int | None = None) -> JSON:
    """Give a position as plain data.

    Parameters
    ----------
    rules, state : records
    seat : int, optional
        Whose eyes to look with; by default everything is open.

    Returns
    -------
    dict
        See "Positions of Stone Guardians" in ``docs/records.md``.
    """
    tables, stage = tables_of(rules, state), int(state["stage"])
    marching = stage in (MOVEMENT, FORMATION, STOPOVER)
    holder = int(state["holder"])
    return {
        "game": "stone-guardians",
        "seats": int(rules["seats"]),
        "turn": int(state["turn"]),
        "round": int(state["round"]),
        "stage": STAGES[stage],
        "to_move": int(state["to_move"]),
        "people": int(state["people"]),
        "over": bool(state["over"]),
        "order": _order(state),
        "provinces": _provinces(rules, state),
        "ships": _edges(tables, state["ships"]),
        "sailed": _edges(tables, state["sailed"] & state["ships"]) if marching else [],
        "peoples": [_people(state, people, seat) for people in _peoples(rules)],
        "artifact_spaces": [
            list(HEXES[tables["hex_of"][place]]) for place in rules["artifact"][:, 0]
        ],
        "golem_supply": int(state["golem_supply"]),
        "holder": None if holder == NOBODY else holder,
        "hold_since": None if holder == NOBODY else int(state["hold_since"]),
        "fight": _fight(tables, state, seat),
        "trip": _trip(tables, state) if stage == STOPOVER else None,
        "golem_actions": 0 if state["over"] else int(state["golem_actions"]),
        "outcome": outcome(rules, state) if state["over"] else None,
    }


def _provinces(rules: np.void, state: np.void) -> list[JSON]:
    owner = {place: people for people in _peoples(rules) for place in _bits(state["owned"][people])}
    names, cities = country_names(rules), int(state["cities"])
    countries = rules["map"]["country_of"]
    return [
        {
            "space": list(space),
            "country": "Lutao" if place < LUTAO else names[countries[place]],
            "owner": owner.get(place),
            "armies": int(state["armies"][place]),
            "golems": int(state["golems"][place]),
            "city": bool(cities >> place & 1),
            "attackers": int(state["attackers"][place]),
        }
        for place, space in enumerate(laid_spaces(rules, state))
        if space is not None
    ]


def _edge(tables: np.void, edge: int) -> list[list[int]]:
    province = tables["edge_province"][edge]
    return [list(HEXES[tables["hex_of"][province]]), list(HEXES[tables["edge_hex"][edge]])]


def _edges(tables: np.void, words: np.ndarray) -> list[list[list[int]]]:
    return sorted(
        _edge(tables, 64 * i + place) for i, word in enumerate(words) for place in _bits(word)
    )


def _people(state: np.void, people: int, seat: int | None) -> JSON:
    spells = {name: int(n) for name, n in zip(SPELLS, state["spells"][people], strict=True) if n}
    plain = ("supply", "to_place", "markers", "sticks", "points", "budget")
    return {
        "alive": bool(int(state["alive"]) >> people & 1),
        **{name: int(state[name][people]) for name in plain},
        "ships": int(state["ship_stock"][people]),
        "artifacts": ["people"] if int(state["artifacts"][people]) & 1 else [],
        "artifact_card": int(state["artifact_card"][people]) + 1,
        "pile": int(state["pile_size"][people]),
        "discards": _counts(state["discards"][people]),
        "spells": {
            "count": int(state["spell_count"][people]),
            "cards": spells if seat in (None, people) else None,
        },
    }


def _counts(word: int) -> dict[str, int]:
    counts = {symbol: int(word) >> 8 * i & 255 for i, symbol in enumerate(SYMBOLS)}
    return {symbol: n for symbol, n in counts.items() if n}


def _fight(tables: np.void, state: np.void, seat: int | None) -> JSON | None:
    if state["stage"] not in (ATTACKER_HOLDS_BACK, DEFENDER_HOLDS_BACK):
        return None
    attacker = NOBODY if state["golems_attack"] else int(state["people"])
    sides = [attacker, int(state["defender"])]
    attacker_, defender_ = ("golems" if side == NOBODY else side for side in sides)
    return {
        "space": list(HEXES[tables["hex_of"][state["fight"]]]),
        "attacker": attacker_,
        "defender": defender_,
        "hands": [_hand(state, i, seat in (None, side)) for i, side in enumerate(sides)],
    }


def _hand(state: np.void, side: int, is_open: bool) -> JSON:
    held = int(state["held_back"][side])
    size = int(state["hand_size"][side])
    held_back: str | bool | None = None
    if held:
        held_back = SYMBOLS[held - 1] if is_open and held != NOBODY else True
    # Golems have no cards, and that can be seen.
    cards = _counts(state["hand"][side]) if is_open or not (size or held) else None
    return {"size": size, "cards": cards, "held_back": held_back}


def _trip(tables: np.void, state: np.void) -> JSON:
    return {"ship": _edge(tables, int(state["ship"])), "aboard": int(state["aboard"])}


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
    values = np.zeros(MAX_SEATS)
    steps.returns(rules, state, values)
    seats = int(rules["seats"])
    return {
        "returns": [float(value) for value in values[:seats]],
        "scores": [int(points) for points in state["points"][:seats]],
        "reason": REASONS[state["reason"]],
        "turns": int(state["turn"]),
    }


# Replaying ------------------------------------------------------------------------------------


def replay(rules: np.ndarray, types: GameTypes, record: JSON) -> Iterator[tuple[JSON | None, JSON]]:
    """Check a record's set-up, steps, chance and outcome; yield the positions.

    Parameters
    ----------
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
    if record["game"] != "stone-guardians":
        given = shown(record["game"])
        raise InputError(f"the record is one of '{given}'; expected 'stone-guardians'")
    state, work, move = (np.zeros(1, t) for t in (types.state, types.work, types.move))
    load_setup(rules[0], state[0], record["setup"])
    yield None, position(rules[0], state[0])
    for number, data in enumerate(record["steps"], 1):
        try:
            _replay_step(rules[0], work[0], state[0], move[0], data)
        except InputError as error:
            raise InputError(f"step {number}: {error}") from None
        yield data, position(rules[0], state[0])
    _check_outcome(rules[0], state[0], record["outcome"], len(record["steps"]))


def _replay_step(rules: Any, work: Any, state: Any, move: Any, data: JSON) -> None:
    if state["over"]:
        raise InputError(f"the game ended before it, {REASONS[state['reason']]}; expected no step")
    load_step(rules, state, data, move)
    if not steps.is_legal(rules, work, state, move):
        near = _nearest_legal(rules, work, state, data)
        raise InputError(
            f"{_said(data)} is not legal here; the nearest legal step is {_said(near)}"
        )
    told = _Told(rules, data)
    before = state.copy()
    if data.get("order") and before["stage"] != DRAFT:
        # Lots are told only when it is known whom they are among, so the step is tried first.
        after = state.copy()
        told.fill(work)
        steps.play(rules, work, after, move)
        told.check_order(rules, before, after)
    told.fill(work)
    steps.play(rules, work, state, move)
    if before["stage"] == DRAFT and state["stage"] != DRAFT:
        _load_deal(rules, state, data, "the deal")
        _begin(rules, work, state)
        told.check_keys(_DEALT)
        return
    told.check(_answered(work, before, state))


def _nearest_legal(rules: Any, work: Any, state: Any, data: JSON) -> JSON:
    """Find the legal step that has most in common with a step."""
    probe = state.copy()
    # Without them, nothing is left out of the list (moves.py).
    probe["cursor"], probe["last_target"] = 0, NOBODY
    moves = np.zeros(len(work["moves"]), work["moves"].dtype)
    n = steps.legal_moves(rules, work, probe, moves)
    choices = [step(rules, state, moves[i]) for i in range(min(n, len(moves)))]

    def likeness(choice: JSON) -> tuple[bool, int, int]:
        same = sum(data.get(key) == value for key, value in choice.items())
        count = data.get("count") if type(data.get("count")) is int else 0
        return choice["action"] == data["action"], same, -abs(choice.get("count", 0) - count)

    return max(choices, key=likeness)


def _said(data: JSON) -> str:
    """Say a move in a few words, however strange the step may be otherwise."""
    told = [data["action"]]
    for key, _, _ in _ARGUMENTS.get(ACTIONS.index(data["action"]), ()):
        if key in data:
            told.append(f"{key} {shown(data[key])}")
    return f"'{' '.join(told)}'"


class _Told:
    """What a step of a record tells of chance: read, told to the engine, and compared."""

    def __init__(self, rules: np.void, data: JSON) -> None:
        self.data = data
        peoples = _peoples(rules)
        self.draws = _entries(data, "draws", "cards", SYMBOLS, MAX_CARDS, peoples)
        self.spells = _entries(data, "spells", "spells", SPELLS, MAX_ACQUIRED, peoples)
        self.order: list[int] = []

    def check_order(self, rules: np.void, before: np.void, after: np.void) -> None:
        """Take the new order if it is one, by what the step leads to."""
        if not _was_counted(before, after):
            raise InputError(
                f"{_said(self.data)} has 'order'; expected it only where points are counted"
            )
        alive, points = sorted(_order(after)), [int(n) for n in after["points"]]
        self.order = _check_order(self.data["order"], points, alive, "the new order")

    def fill(self, work: np.void) -> None:
        """Tell it to the step that is played next."""
        for name in ("draws_made", "draws_wrong", "acquired_made"):
            work[name] = 0
        work["draws_told"] = min(len(self.draws), len(work["draws"]))
        work["acquired_told"] = min(len(self.spells), len(work["acquired"]))
        work["lots_told"] = bool(self.order)
        work["lots"][: len(self.order)] = self.order
        for entry_, told in zip(work["draws"], self.draws, strict=False):
            entry_["people"], entry_["size"] = told["people"], len(told["cards"])
            numbers = [SYMBOLS.index(card) + 1 for card in told["cards"]]
            entry_["cards"] = sum(number << 3 * i for i, number in enumerate(numbers))
        for entry_, told in zip(work["acquired"], self.spells, strict=False):
            entry_["people"], entry_["size"] = told["people"], len(told["spells"])
            entry_["spells"][: entry_["size"]] = [SPELLS.index(s) for s in told["spells"]]

    def check(self, answered: JSON) -> None:
        """Check that the step was played with nothing else than what is told."""
        _compare(self.draws, answered.get("draws", []), "draws", "cards")
        _compare(self.spells, answered.get("spells", []), "spells", "spells")
        if "order" in answered and not self.order:
            raise InputError(
                f"{_said(self.data)} lacks 'order'; expected the new order, as {answered['order']}"
            )
        self.check_keys(("draws", "spells", "order"))

    def check_keys(self, expected: Sequence[str]) -> None:
        """Check that there is nothing of chance that had no part in the step."""
        for key in _CHANCE:
            if key not in expected and self.data.get(key):
                only = "cards are dealt" if key in _DEALT else "a game has begun"
                raise InputError(f"{_said(self.data)} has '{key}'; expected it only where {only}")


def _entries(
    data: JSON, key: str, inner: str, names: Sequence[str], most: int, peoples: range
) -> list[JSON]:
    """Read a list of what peoples drew."""
    value = data.get(key, [])
    if not isinstance(value, list):
        raise InputError(f"'{key}' is {shown(value)}; expected a list")
    for one in value:
        is_drawn = isinstance(one, dict) and isinstance(one.get(inner), list)
        if not is_drawn or one.get("people") not in peoples or type(one["people"]) is not int:
            raise InputError(
                f"'{key}' has {shown(one)}; expected 'people', 0 to {len(peoples) - 1}, and "
                f"'{inner}', a list"
            )
        if not 1 <= len(one[inner]) <= most:
            raise InputError(
                f"people {one['people']} draws {len(one[inner])} {inner}; expected 1 to {most}"
            )
        for name in one[inner]:
            if not isinstance(name, str) or name not in names:
                word = "card" if key == "draws" else "spell"
                raise InputError(
                    f"no {word} is called '{shown(name)}', {nearest(shown(name), names)}"
                )
    return value


def _compare(told: list[JSON], answered: list[JSON], key: str, inner: str) -> None:
    for one, other in zip(told, answered, strict=False):
        who = f"people {one['people']}"
        if one["people"] != other["people"]:
            raise InputError(f"'{key}' has {who}; expected people {other['people']} to draw")
        if len(one[inner]) != len(other[inner]):
            raise InputError(f"{who} draws {len(one[inner])} {inner}; expected {len(other[inner])}")
        if one[inner] != other[inner]:
            raise InputError(
                f"{who} draws {shown(one[inner])}; expected {inner} that are left to draw, as "
                f"{shown(other[inner])}"
            )
        if one.get("reshuffled") != other.get("reshuffled"):
            expected = shown(other["reshuffled"]) if "reshuffled" in other else "none"
            raise InputError(
                f"'reshuffled' of {who} is {shown(one.get('reshuffled'))}; expected {expected}"
            )
    if len(told) > len(answered):
        people = told[len(answered)]["people"]
        raise InputError(
            f"'{key}' has a draw of people {people} too many; expected {len(answered)} in this step"
        )
    if len(told) < len(answered):
        people = answered[len(told)]["people"]
        raise InputError(
            f"'{key}' lacks the {inner} of people {people}; expected them in this step"
        )


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
