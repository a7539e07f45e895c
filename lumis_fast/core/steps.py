"""The generic functions of the game protocol as entries, for Python code that goes step by step."""

from __future__ import annotations

from lumis_fast.core import protocol
from lumis_fast.core.jit import entry

__all__ = [
    "determinize",
    "is_legal",
    "legal_moves",
    "new_game",
    "observe",
    "play",
    "returns",
    "scores",
]


@entry
def new_game(rules, work, state, seed, deal):
    """See `lumis_fast.core.protocol.new_game`."""
    protocol.new_game(rules, work, state, seed, deal)


@entry
def legal_moves(rules, work, state, moves):
    """See `lumis_fast.core.protocol.legal_moves`."""
    return protocol.legal_moves(rules, work, state, moves)


@entry
def is_legal(rules, work, state, move):
    """See `lumis_fast.core.protocol.is_legal`."""
    return protocol.is_legal(rules, work, state, move)


@entry
def play(rules, work, state, move):
    """See `lumis_fast.core.protocol.play`."""
    protocol.play(rules, work, state, move)


@entry
def returns(rules, state, values):
    """See `lumis_fast.core.protocol.returns`."""
    protocol.returns(rules, state, values)


@entry
def scores(rules, state, values):
    """See `lumis_fast.core.protocol.scores`."""
    protocol.scores(rules, state, values)


@entry
def observe(rules, state, seat, view):
    """See `lumis_fast.core.protocol.observe`."""
    protocol.observe(rules, state, seat, view)


@entry
def determinize(rules, work, state, seat, stream):
    """See `lumis_fast.core.protocol.determinize`."""
    protocol.determinize(rules, work, state, seat, stream)
