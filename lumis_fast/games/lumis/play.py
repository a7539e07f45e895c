"""Playing a move of Lumis: cards, stones, towers, what the seats learn, the ends of the game."""

from __future__ import annotations

import numpy as np

from lumis_fast.core.boards import load, single
from lumis_fast.core.jit import kernel
from lumis_fast.core.streams import shuffle
from lumis_fast.games.lumis.board import flood, put, take
from lumis_fast.games.lumis.moves import (
    is_safe,
    owner_of,
    partner_of,
    stones_after_cut,
    supply_card_of,
    touches,
)
from lumis_fast.games.lumis.state import (
    BASE,
    CONNECT,
    CONNECTED,
    DRAW,
    GIVE,
    OUT_OF_FIRE_STONES,
    SKIP,
    STUCK,
    TOWER,
    UNFINISHED,
    next_seat,
)


@kernel
def play(rules, work, state, move):
    """Play a legal move with all its consequences."""
    seat = np.int64(state.to_move)
    piece = -1
    if move.action == DRAW:
        _draw(rules, work, state, seat, move)
    elif move.action == GIVE:
        _give(rules, state, seat, move)
    elif move.action == TOWER:
        piece = _build_tower(rules, state, seat, move)
    elif move.action == BASE:
        piece = _build_base(rules, state, seat, move)
    elif move.action == CONNECT:
        piece = _connect(rules, state, seat, move)
    state.skips = state.skips + 1 if move.action == SKIP else 0
    _end_turn(rules, work, state, seat, piece)


@kernel
def _end_turn(rules, work, state, seat, piece):
    """Test the ends of the game in the order of R16, and pass the turn on."""
    team = seat % 2
    state.turn += 1
    state.to_move = next_seat(rules, seat)
    if piece >= 0 and joins_base_lines(rules, work, state, team, piece):
        _end(state, CONNECTED, team)
    elif piece >= 0 and state.fire_stones[team] == 0:
        _end(state, OUT_OF_FIRE_STONES, 1 - team)
    elif state.skips == rules.seats:
        _end(state, STUCK, 2)
    elif state.turn >= rules.max_turns:
        _end(state, UNFINISHED, 2)


@kernel
def _end(state, reason, winner):
    state.over = 1
    state.reason = reason
    state.winner = winner


@kernel
def joins_base_lines(rules, work, state, team, piece):
    """Tell whether the pieces linked to one join both base lines of its team (R3)."""
    if not touches(state.own[team], piece):
        return False
    own = load(state.own[team], work.a)
    linked = flood(single(own, piece), own)
    for side in range(2):
        if not (linked & load(rules.base_lines[team, side], own)):
            return False
    return True


@kernel
def _flip(rules, state, team, number):
    card = supply_card_of(rules, state, team, number)
    state.flipped[team] ^= 1 << card


@kernel
def _draw(rules, work, state, seat, move):
    team = seat % 2
    for _ in range(move.supply):
        if state.pile_size[team] == 0:
            reshuffle(rules, work, state, team)
        state.pile_size[team] -= 1
        colour = state.pile[team, state.pile_size[team]]
        state.hand[seat, colour] += 1
        state.hand_size[seat] += 1
        state.unknown[seat] += 1
    _flip(rules, state, team, move.supply)


@kernel
def reshuffle(rules, work, state, team):
    """Make a new draw pile of the discards (R13).

    With the old pile gone, all cards of the team are in its hands, and everyone can tell what
    they hold together (`team_known`); a partner can tell what the other one holds (`known`).
    """
    size = 0
    for colour in range(4):
        for _ in range(state.discards[team, colour]):
            state.pile[team, size] = colour
            size += 1
        state.team_known[team, colour] = 0
        for seat in range(team, rules.seats, 2):
            state.team_known[team, colour] += state.hand[seat, colour]
            state.known[seat, colour] = state.hand[seat, colour]
        state.discards[team, colour] = 0
    for seat in range(team, rules.seats, 2):
        state.unknown[seat] = 0
    state.pile_size[team] = size
    if work.forced_size > 0:  # a record says in which order
        for i in range(size):
            state.pile[team, i] = work.forced[i]
    else:
        shuffle(state.chance, state.pile[team], size)


@kernel
def _give(rules, state, seat, move):
    partner = partner_of(seat)
    for colour in range(4):
        count = move.cards[colour]
        state.hand[seat, colour] -= count
        state.hand_size[seat] -= count
        state.known[seat, colour] -= min(count, state.known[seat, colour])
        state.hand[partner, colour] += count
        state.hand_size[partner] += count
        state.known[partner, colour] += count
    # The enemies do not see which cards moved: any of them may be among the unknown ones.
    state.unknown[partner] += min(move.supply, state.unknown[seat])
    state.unknown[seat] = min(state.unknown[seat], state.hand_size[seat])
    _flip(rules, state, seat % 2, move.supply)


@kernel
def pay(rules, state, seat, colour, count):
    """Discard cards of a colour; those that others know of are the first to go."""
    team = seat % 2
    state.hand[seat, colour] -= count
    state.hand_size[seat] -= count
    state.discards[team, colour] += count
    state.known[seat, colour] -= min(count, state.known[seat, colour])
    for _ in range(count):
        _tick_off(rules, state, seat, team, colour)


@kernel
def _tick_off(rules, state, seat, team, colour):
    """Keep what the enemies know of a team's hands up to date with one card that was played.

    A card that is known to be in one of two hands may have been played from either: if the seat
    can have had another one of that colour, its partner may still hold the known one.
    """
    if state.team_known[team, colour] == 0:
        state.unknown[seat] -= 1
        return
    state.team_known[team, colour] -= 1
    partner = partner_of(seat)
    if (
        rules.seats == 4
        and state.unknown[seat] > 0
        and state.unknown[partner] < state.hand_size[partner]
    ):
        state.unknown[partner] += 1
    state.unknown[seat] = min(state.unknown[seat], state.hand_size[seat])


@kernel
def cut_towers(rules, state, need, target):
    """Take tower stones back into the supply until a tower can be built (R11)."""
    if need <= state.tower_stones:
        return
    both = need > stones_after_cut(rules, state, target, False)
    for tower in range(rules.towers):
        height = state.height[tower]
        if height < 2 or tower == target:
            continue
        space = rules.tower_space[tower]
        if is_safe(state, space, owner_of(state, space)):
            state.tower_stones += height - 1
            state.height[tower] = 1
        elif both:
            state.tower_stones += 1
            state.height[tower] = height - 1


@kernel
def _build_tower(rules, state, seat, move):
    team = seat % 2
    space = np.int64(move.space)
    tower = np.int64(rules.tower_at[space])
    old = np.int64(state.height[tower])
    cut_towers(rules, state, move.height - old, tower if old else -1)
    state.tower_stones -= move.height - old
    state.height[tower] = move.height
    pay(rules, state, seat, rules.tower_colour[tower], move.height)
    if old:
        take(state.own[1 - team], space)
        state.fire_stones[1 - team] += 1
    put(state.own[team], space)
    state.fire_stones[team] -= 1
    return space


@kernel
def _build_base(rules, state, seat, move):
    team = seat % 2
    cut_towers(rules, state, 1, -1)
    state.tower_stones -= 1
    pay(rules, state, seat, move.card, 1)
    put(state.own[team], move.space)
    state.fire_stones[team] -= 1
    return np.int64(move.space)


@kernel
def _connect(rules, state, seat, move):
    team = seat % 2
    for i in range(move.stones):
        space = np.int64(move.spaces[i])
        put(state.own[team], space)
        put(state.stones[team], space)
        pay(rules, state, seat, rules.colour_at[space], 1)
    state.fire_stones[team] -= move.stones
    return np.int64(move.spaces[0])
