"""The games, loaded when asked for."""

from __future__ import annotations

import importlib

from lumis_fast.core.game import Game
from lumis_fast.errors import InputError, nearest

__all__ = ["GAMES", "load_game"]

_MODULES = {
    "lumis": "lumis_fast.games.lumis",
    "lumina-spell": "lumis_fast.games.lumina_spell",
    "stone-guardians": "lumis_fast.games.stone_guardians",
}

GAMES = tuple(_MODULES)
"""The games' names."""


def load_game(name: str) -> Game:
    """Give a game by its name.

    Parameters
    ----------
    name : str
        One of `GAMES`.

    Returns
    -------
    Game

    Raises
    ------
    InputError
        For an unknown name.

    Examples
    --------
    >>> load_game("lumis").seats
    (2, 4)
    """
    if name not in _MODULES:
        raise InputError(f"no game is called {name!r}; {nearest(name, GAMES)}")
    game: Game = importlib.import_module(_MODULES[name]).GAME
    return game
