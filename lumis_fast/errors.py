"""The error that bad input raises: one sentence for the person who gave it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["InputError", "nearest", "one_of"]


class InputError(ValueError):
    """Input that cannot be used: what was wrong, where, and what would be right.

    The command line prints the message alone and ends with exit code 2.
    """


def nearest(word: str, choices: Iterable[str]) -> str:
    """Tell the valid choices, the nearest one first where one is near.

    Parameters
    ----------
    word : str
        What was given.
    choices : iterable of str
        What would have been valid.

    Returns
    -------
    str
        A half sentence to end an error message with.

    Examples
    --------
    >>> nearest("gredy", ["random", "greedy"])
    "did you mean 'greedy'? (choices: greedy, random)"
    >>> nearest("x", ["random", "greedy"])
    'choices: greedy, random'
    >>> nearest("lumina", ["lumis", "lumina-spell"])
    "did you mean 'lumina-spell'? (choices: lumina-spell, lumis)"
    """
    names = sorted(choices)
    begun = [name for name in names if word and name.startswith(word)]
    near = begun if len(begun) == 1 else difflib.get_close_matches(word, names, n=1)
    listed = "choices: " + ", ".join(names)
    return f"did you mean '{near[0]}'? ({listed})" if near else listed


def one_of(values: Iterable[object]) -> str:
    """List what is possible.

    Parameters
    ----------
    values : iterable
        At least one.

    Returns
    -------
    str
        The values with commas, and an "or" before the last.

    Examples
    --------
    >>> one_of([2, 3, 4])
    '2, 3 or 4'
    """
    *others, last = map(str, values)
    return f"{', '.join(others)} or {last}" if others else last
