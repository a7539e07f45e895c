"""Fights of the Stone Guardians: the stages of a combat round, strikes and losses, the end.

A fight goes through its stages in the order of `STAGES` (rulings, G11); each has a function here,
which tells whether somebody has to decide before it goes on. Stages that nobody can use yet are
one-liners. Sides are 0, the attacker, and 1, the defender; golems are a side that has no people
(`NOBODY`), no cards, and one hit each.
"""

from __future__ import annotations

import numpy as np

from lumis_fast.core.jit import kernel
from lumis_fast.games.stone_guardians.cards import card, cards_in, cards_of, draw, put_under
from lumis_fast.games.stone_guardians.state import (
    AFTER_FIGHT,
    AFTER_REVEAL,
    AFTER_ROUND,
    ATTACKER_HOLDS_BACK,
    BEFORE_DRAWING,
    BEFORE_FIGHT,
    CHOOSING,
    CITY_HIT,
    DEFENDER_HOLDS_BACK,
    DISCARDING_UNPLAYED,
    DRAWING,
    EVALUATING,
    FIRST_STRIKE,
    HERO_STRIKE,
    HIT,
    NOBODY,
    REDRAWING,
    REVEALING,
    SHIELD,
)

ATTACKER, DEFENDER = range(2)
ARMIES_COUNTED = 3
"""So many armies count for the number of cards."""

_ONE, _NONE = np.uint64(1), np.uint64(0)


# The arithmetic of a combat round --------------------------------------------------------------


@kernel
def cards_to_draw(card_limit, armies):
    """How many cards so many armies draw (rulings, G2 and 31)."""
    return min(min(np.int64(ARMIES_COUNTED), np.int64(armies)) + 1, np.int64(card_limit))


@kernel
def strikes(cards, in_city):
    """How often played cards strike troops that are in a city or not (G5 to G7)."""
    if in_city:
        return cards_of(cards, CITY_HIT) + cards_of(cards, HERO_STRIKE)
    return cards_of(cards, HIT) + cards_of(cards, CITY_HIT) + 2 * cards_of(cards, HERO_STRIKE)


@kernel
def losses(struck, cards, troops):
    """How many of these troops fall to so many strikes behind their cards' shields (G3, G4)."""
    return min(np.int64(troops), max(0, struck - cards_of(cards, SHIELD)))


# Sides ----------------------------------------------------------------------------------------


@kernel
def people_of(state, side):
    """The people that fights on a side; `NOBODY` for golems."""
    if side == DEFENDER:
        return np.int64(state.defender)
    return NOBODY if state.golems_attack else np.int64(state.people)


@kernel
def troops_of(state, side):
    """The armies or golems that a side has left."""
    if side == ATTACKER:
        return np.int64(state.attackers[state.fight])
    return np.int64(state.armies[state.fight]) + np.int64(state.golems[state.fight])


@kernel
def _struck_by(state, side, in_city):
    """The strikes of a side in this combat round (G8 for golems)."""
    if people_of(state, side) == NOBODY:
        return troops_of(state, side)
    return strikes(state.hand[side], in_city)


@kernel
def _lose(state, side, lost):
    """Take troops off the board, back to their supply (rulings, 9 and M13)."""
    province, people = np.int64(state.fight), people_of(state, side)
    if people == NOBODY:
        state.golem_supply += lost
    else:
        state.supply[people] += lost
    if side == ATTACKER:
        state.attackers[province] -= lost
    elif people == NOBODY:
        state.golems[province] -= lost
    else:
        state.armies[province] -= lost


# Before the combat rounds ---------------------------------------------------------------------


@kernel
def _before_fight(state):
    """Find the defender. Spirits join here, and further powers say what they will do."""
    state.defender = NOBODY
    for people in range(len(state.owned)):
        if (state.owned[people] >> np.uint64(state.fight)) & _ONE:
            state.defender = people
    return False


@kernel
def _first_strike(state):
    """Elves strike here."""
    return False


# A combat round -------------------------------------------------------------------------------


@kernel
def _before_drawing(state):
    """The window for spells before drawing."""
    return False


@kernel
def _drawing(rules, work, state):
    """Both sides draw, the attacker first (rulings, G1 and G2)."""
    for side in range(2):
        people, hand = people_of(state, side), _NONE
        if people != NOBODY:
            wanted = cards_to_draw(rules.card_limit, troops_of(state, side))
            hand = draw(work, state, people, wanted)
        state.hand[side] = hand
        state.hand_size[side] = cards_in(hand)
        state.held_back[side] = 0
    return False


@kernel
def _ask(state, side):
    """Ask a side which card it holds back; a single card is not (G1)."""
    if state.hand_size[side] < 2:
        return False
    state.to_move = people_of(state, side)
    return True


@kernel
def _discarding_unplayed(state):
    """Knights discard here."""
    return False


@kernel
def _revealing(state):
    """What is held back is under the pile now, and the hands are what is played."""
    for side in range(2):
        if state.held_back[side] > 0:
            put_under(state, people_of(state, side), np.int64(state.held_back[side]) - 1)
            state.held_back[side] = 0
    return False


@kernel
def _choosing(state):
    """Druids choose here."""
    return False


@kernel
def _redrawing(state):
    """Clerics have cards drawn anew here."""
    return False


@kernel
def _after_reveal(state):
    """The window for spells after the reveal."""
    return False


@kernel
def _evaluating(state):
    """Strikes fall in one instant (G3), only a defender is in a city (G6); cards are discarded."""
    in_city = (state.cities >> np.uint64(state.fight)) & _ONE != _NONE
    attacked, defended = _struck_by(state, ATTACKER, in_city), _struck_by(state, DEFENDER, False)
    fallen = losses(defended, state.hand[ATTACKER], troops_of(state, ATTACKER))
    _lose(state, DEFENDER, losses(attacked, state.hand[DEFENDER], troops_of(state, DEFENDER)))
    _lose(state, ATTACKER, fallen)
    for side in range(2):
        people = people_of(state, side)
        if people != NOBODY:
            state.discards[people] += state.hand[side]
        state.hand[side] = _NONE
        state.hand_size[side] = 0
    return False


@kernel
def _after_round(state):
    """Witches swap cards here."""
    return False


@kernel
def _goes_on(state):
    """Tell whether there is a next combat round: there is no retreat (G9)."""
    return troops_of(state, ATTACKER) > 0 and troops_of(state, DEFENDER) > 0


@kernel
def _settle(state):
    """Whose the province is after the fight; nobody's if all died (G3, M14; rulings, 28 and 29)."""
    province = np.int64(state.fight)
    bit = _ONE << np.uint64(province)
    attackers, people = state.attackers[province], people_of(state, ATTACKER)
    state.contested &= ~bit
    state.attackers[province] = 0
    if troops_of(state, DEFENDER) > 0:
        return
    if state.defender != NOBODY:
        state.owned[state.defender] &= ~bit
    if people == NOBODY:
        state.golems[province] = attackers
    elif attackers > 0:
        state.armies[province] = attackers
        state.owned[people] |= bit


# The machine ----------------------------------------------------------------------------------


@kernel
def _wait(state, stage):
    state.stage = stage
    return False


@kernel
def _run(rules, work, state, stage):
    """Go on from a stage until somebody decides (False) or the fight is over (True)."""
    while True:
        if stage <= BEFORE_FIGHT and _before_fight(state):
            return _wait(state, BEFORE_FIGHT)
        if stage <= FIRST_STRIKE and _first_strike(state):
            return _wait(state, FIRST_STRIKE)
        if stage <= BEFORE_DRAWING and _before_drawing(state):
            return _wait(state, BEFORE_DRAWING)
        if stage <= DRAWING and _drawing(rules, work, state):
            return _wait(state, DRAWING)
        if stage <= ATTACKER_HOLDS_BACK and _ask(state, ATTACKER):
            return _wait(state, ATTACKER_HOLDS_BACK)
        if stage <= DEFENDER_HOLDS_BACK and _ask(state, DEFENDER):
            return _wait(state, DEFENDER_HOLDS_BACK)
        if stage <= DISCARDING_UNPLAYED and _discarding_unplayed(state):
            return _wait(state, DISCARDING_UNPLAYED)
        if stage <= REVEALING and _revealing(state):
            return _wait(state, REVEALING)
        if stage <= CHOOSING and _choosing(state):
            return _wait(state, CHOOSING)
        if stage <= REDRAWING and _redrawing(state):
            return _wait(state, REDRAWING)
        if stage <= AFTER_REVEAL and _after_reveal(state):
            return _wait(state, AFTER_REVEAL)
        if stage <= EVALUATING and _evaluating(state):
            return _wait(state, EVALUATING)
        if _after_round(state):
            return _wait(state, AFTER_ROUND)
        if not _goes_on(state):
            break
        stage = BEFORE_DRAWING
    state.stage = AFTER_FIGHT
    _settle(state)
    return True


@kernel
def start_fight(rules, work, state):
    """Begin the fight for `state.fight`, and go on to its first decision or its end.

    Parameters
    ----------
    rules, work, state : records
        `attackers` stand in the province, golems if `golems_attack`; its defender is found here.

    Returns
    -------
    bool
        Whether the fight is over: then the province is settled (owner, armies, golems, supplies,
        `contested`), `stage` is `AFTER_FIGHT`, and `fight`, `defender` and `golems_attack` still
        stand. Otherwise `stage` and `to_move` say who holds a card back.
    """
    return _run(rules, work, state, np.int64(BEFORE_FIGHT))


@kernel
def hold_back(rules, work, state, move):
    """Hold a card back, and go on to the next decision of the fight or to its end.

    Parameters
    ----------
    rules, work, state : records
    move : record
        `what` is the symbol.

    Returns
    -------
    bool
        As of `start_fight`.
    """
    side = ATTACKER if state.stage == ATTACKER_HOLDS_BACK else DEFENDER
    symbol = np.int64(move.what)
    state.hand[side] -= card(symbol)
    state.hand_size[side] -= 1
    state.held_back[side] = symbol + 1
    state.pile_size[people_of(state, side)] += 1
    return _run(rules, work, state, np.int64(state.stage) + 1)
