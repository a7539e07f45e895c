"""Player specs: which player sits on a seat and with what options, as one word on a command line.

A spec is the player's name, a colon, and options::

    random                      no options
    mcts                        every option at its default
    mcts:1000                   a number alone is `iterations`
    mcts:ms=50                  a time budget for each decision; such games cannot be reproduced
    mcts:iterations=1000,c=0.7,policy=greedy
    mybots:Careful              a class written by a user, from an importable module
    mybots:Careful:depth=3      with keyword arguments for it

`OPTIONS` is the one table of players and options; parsing, defaults, the error messages and
`lumis-fast players` all read it.
"""

from __future__ import annotations

import importlib
import inspect
import keyword
import os
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field

from lumis_fast.errors import InputError, nearest

__all__ = [
    "OPTIONS",
    "PLAYERS",
    "POLICIES",
    "Option",
    "PlayerSpec",
    "Value",
    "load_user_class",
    "parse_spec",
    "told",
]

Value = int | float | str | bool | None

POLICIES = ("uniform", "greedy", "none")
"""Who plays a search's playouts; with `none` a position is evaluated at once."""


@dataclass(frozen=True)
class Option:
    """One option of a player.

    Parameters
    ----------
    kind : type
        `int`, `float` or `str`.
    default : int, float, str or None
        Used where the spec does not name the option; None stands for "off".
    meaning : str
        One sentence for `lumis-fast players`.
    low, high : int or float, optional
        Smallest and largest value of a number.
    choices : tuple of str
        The valid words of a `str` option.
    """

    kind: type
    default: Value
    meaning: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """What a valid value is, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        noun = "a whole number" if self.kind is int else "a number"
        return f"{noun} from {_number(self.low)} to {_number(self.high)}"

    def parse(self, text: str) -> Value:
        """Read a value.

        Parameters
        ----------
        text : str
            As it stands in the spec.

        Returns
        -------
        int, float or str

        Raises
        ------
        ValueError
            If `text` is no valid value of this option.
        """
        if self.kind is str:
            if text not in self.choices:
                raise ValueError(text)
            return text
        value = self.kind(text)
        # Written so that a NaN, which compares false with everything, is refused as well.
        if not (self.low is not None and self.high is not None and self.low <= value <= self.high):
            raise ValueError(text)
        return value


def _number(value: float | None) -> str:
    return f"{value:,}".replace(",", " ") if isinstance(value, int) else f"{value:g}"


_ITERATIONS = Option(int, 1000, "iterations for each decision", 1, 1_000_000_000)
_MS = Option(int, None, "milliseconds for each decision, instead of iterations", 1, 3_600_000)
_POLICY = Option(
    str,
    None,
    "who plays the playouts; off: none where the game can evaluate positions, else uniform",
    choices=POLICIES,
)
_CUTOFF = Option(
    int, None, "moves after which a playout is evaluated instead of played on", 0, 100_000
)
_WIDTH = Option(int, 64, "most moves of a position that are searched, the best by prior", 1, 4096)

OPTIONS: dict[str, dict[str, Option]] = {
    "random": {},
    "greedy": {},
    "flat": {
        "iterations": _ITERATIONS,
        "ms": _MS,
        "policy": _POLICY,
        "cutoff": _CUTOFF,
        "width": _WIDTH,
    },
    "mcts": {
        "iterations": _ITERATIONS,
        "ms": _MS,
        "c": Option(float, 0.7, "exploration constant of UCB", 0.0, 100.0),
        "policy": _POLICY,
        "cutoff": _CUTOFF,
        "width": _WIDTH,
        "fpu": Option(
            float, 0.0, "how far below its position an untried move is rated", 0.0, 100.0
        ),
        "trees": Option(int, 1, "independent trees whose root visits are added up", 1, 64),
    },
}

PLAYERS: dict[str, str] = {
    "random": "plays a kind of action at random, then one action of that kind",
    "greedy": "follows a fixed heuristic without search",
    "flat": "flat Monte Carlo: plays each legal move out and takes the best mean",
    "mcts": "information-set Monte Carlo tree search",
}


@dataclass(frozen=True)
class PlayerSpec:
    """A player and all its options.

    Made by `parse_spec`; `str(spec)` is the canonical form, which stands in records and names
    the player in tables: the iterations always, of the other options those that differ from
    their defaults, in the order of `OPTIONS`.

    Attributes
    ----------
    name : str
        A key of `OPTIONS`, or ``module:Class`` for a user's player.
    options : mapping
        Every option of the player with its value; None where an option is off. For a user's
        player, the keyword arguments that were given.
    """

    name: str
    options: Mapping[str, Value] = field(default_factory=dict, hash=False)

    @property
    def is_user(self) -> bool:
        """Whether the player is a class of a user's module."""
        return ":" in self.name

    @property
    def reproducible(self) -> bool:
        """Whether the same seed gives the same moves: not with a time budget, not for a user's."""
        return not self.is_user and self.options.get("ms") is None

    def __str__(self) -> str:
        words = [] if self.is_user else self._iterations()
        for key, value in self.options.items():
            standard = None if self.is_user else OPTIONS[self.name][key].default
            if key != "iterations" and (self.is_user or value != standard):
                words.append(f"{key}={value}")
        return f"{self.name}:{','.join(words)}" if words else self.name

    def _iterations(self) -> list[str]:
        iterations = self.options.get("iterations")
        return [] if iterations is None else [str(iterations)]


def parse_spec(text: str) -> PlayerSpec:
    """Read a player spec.

    Parameters
    ----------
    text : str
        For example ``mcts:1000,c=0.9``.

    Returns
    -------
    PlayerSpec

    Raises
    ------
    InputError
        If the player, an option or a value does not exist.

    Examples
    --------
    >>> str(parse_spec("mcts:c=0.9,iterations=500"))
    'mcts:500,c=0.9'
    >>> parse_spec("flat").options["iterations"]
    1000
    >>> parse_spec("mcts:ms=50").reproducible
    False
    """
    name, colon, rest = text.partition(":")
    if name in OPTIONS:
        if colon and not rest:
            raise InputError(f"player '{text}' ends in a colon without options")
        return PlayerSpec(name, _parse_options(text, name, rest))
    if colon and _is_class(rest.partition(":")[0]):
        return _parse_user(text)
    raise InputError(f"there is no player '{name}': {nearest(name, OPTIONS)}")


def _parse_options(text: str, name: str, rest: str) -> dict[str, Value]:
    table = OPTIONS[name]
    given: dict[str, Value] = {}
    for place, word in enumerate(rest.split(",") if rest else []):
        key, equals, value = word.partition("=")
        if not equals and place == 0 and "iterations" in table and key[:1].isdigit():
            key, value, equals = "iterations", word, "="
        if key not in table:
            known = nearest(key, table) if table else "it has no options"
            raise InputError(f"player '{text}': '{name}' has no option '{key}': {known}")
        option = table[key]
        if not equals:
            raise InputError(f"player '{text}': option '{key}' needs a value, {option.expected}")
        if key in given:
            raise InputError(f"player '{text}' gives option '{key}' twice")
        try:
            given[key] = option.parse(value)
        except (ValueError, OverflowError):
            raise InputError(
                f"player '{text}': {key}={value} is not possible, expected {option.expected}"
            ) from None
    if "ms" in given and "iterations" in given:
        raise InputError(f"player '{text}' gives both iterations and ms, of which one is the limit")
    values = {key: given.get(key, option.default) for key, option in table.items()}
    if "ms" in given:
        values["iterations"] = None
    return values


def _is_class(word: str) -> bool:
    return word.isidentifier() and not keyword.iskeyword(word)


def _parse_user(text: str) -> PlayerSpec:
    module, class_name, *rest = text.split(":", 2)
    if not all(_is_class(part) for part in module.split(".")):
        raise InputError(
            f"player '{text}' names no module, expected module:Class or one of {', '.join(OPTIONS)}"
        )
    options: dict[str, Value] = {}
    for word in rest[0].split(",") if rest else []:
        key, equals, value = word.partition("=")
        if not equals or not _is_class(key):
            raise InputError(f"player '{text}': '{word}' is no option, expected name=value")
        if key in options:
            raise InputError(f"player '{text}' gives option '{key}' twice")
        options[key] = _guess(value)
    return PlayerSpec(f"{module}:{class_name}", options)


def _guess(text: str) -> Value:
    if text in ("true", "false", "True", "False"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def load_user_class(spec: PlayerSpec) -> type:
    """Import the class of a user's player; the current directory is searched too.

    Parameters
    ----------
    spec : PlayerSpec
        With `is_user`.

    Returns
    -------
    type

    Raises
    ------
    InputError
        If the module cannot be imported, has no such class, or the class cannot be used with the
        spec's options.
    """
    module_name, _, class_name = spec.name.partition(":")
    # A console script starts with its own folder on the path, not the user's.
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing is None or not (module_name + ".").startswith(missing + "."):
            raise InputError(
                f"player '{spec}': module '{module_name}' cannot be imported: {told(error)}"
            ) from error
        raise InputError(
            f"player '{spec}': there is no module '{missing}' on Python's path or in the "
            f"current directory ({nearest(module_name, OPTIONS)})"
        ) from None
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        classes = [name for name, thing in vars(module).items() if isinstance(thing, type)]
        raise InputError(
            f"player '{spec}': module '{module_name}' has no class '{class_name}': "
            f"{nearest(class_name, classes) if classes else 'it has no class at all'}"
        )
    _check_class(spec, found)
    return found


def _check_class(spec: PlayerSpec, found: type) -> None:
    """See before any game whether the class can be made with the spec's options, and asked."""
    if not callable(getattr(found, "choose", None)):
        raise InputError(
            f"player '{spec}': class '{found.__name__}' has no method 'choose', expected "
            "choose(self, view)"
        )
    try:
        inspect.signature(found).bind(0, None, **spec.options)
    except TypeError as error:
        raise InputError(
            f"player '{spec}': class '{found.__name__}' is called with (seat, game, and the spec's "
            f"options by name), and that does not fit its __init__: {error}"
        ) from None
    except ValueError:  # a class of compiled code may tell nothing about its arguments
        return


def told(error: Exception) -> str:
    """Tell an error of a user's code in half a sentence, with the place.

    Parameters
    ----------
    error : Exception
        As it was caught.

    Returns
    -------
    str
        Without line breaks.
    """
    if isinstance(error, SyntaxError):
        text, file, line = error.msg, error.filename, error.lineno
    else:
        last = traceback.extract_tb(error.__traceback__)[-1]
        text, file, line = str(error), last.filename, last.lineno
    place = f" ({os.path.basename(file or '?')}, line {line})"
    return " ".join(f"{type(error).__name__}: {text}".split()) + place
