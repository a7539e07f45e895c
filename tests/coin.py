"""A game of no interest whose results are known by arithmetic, for tests of the run layer.

Deal d is won by seat d % seats, but drawn where d is a multiple of 7; it takes 3 + d % 5 turns, all
of them tosses but the last, which is a catch. Player i searches i + 1 iterations a turn.
"""

from __future__ import annotations

import sys
import time
import types
from pathlib import Path
from typing import Any

import numpy as np

from lumis_fast.core.record import envelope
from lumis_fast.errors import InputError, nearest
from lumis_fast.players.spec import PlayerSpec, parse_spec
from lumis_fast.runs import storage
from lumis_fast.runs.plan import RunPlan

RESULT = np.dtype(
    [
        ("index", "i8"),
        ("deal", "i8"),
        ("rotation", "i4"),
        ("returns", "f4", 4),
        ("scores", "f4", 4),
        ("reason", "u1"),
        ("turns", "i4"),
        ("moves", "i4", 8),
        ("iterations", "u8", 4),
        ("nodes", "u8", 4),
    ]
)


class CoinRules:
    """Stands in for a ruleset."""

    game, name, description = "coin", "standard", "A coin."
    sources, notes = {"sides": "rule"}, {}

    def __init__(self, changes: dict[str, Any]) -> None:
        self.changes = changes
        self.values = {"sides": 2, **changes}
        self.digest = f"{self.values['sides']:064x}"

    def plain(self) -> dict[str, Any]:
        return {"name": self.name, "digest": self.digest, "changes": self.changes}


class CoinGame:
    """Stands in for a game."""

    name, seats = "coin", (2, 4)
    actions, reasons = ("toss", "catch"), ("won", "drawn")

    def load_ruleset(self, name_or_path: Any = None, changes: Any = None) -> CoinRules:
        for key in changes or {}:
            if key != "sides":
                raise InputError(f"change: unknown value '{key}', {nearest(key, ['sides'])}")
        return CoinRules(dict(changes or {}))

    def ruleset_table(self, ruleset: CoinRules) -> list[tuple[str, ...]]:
        return [("sides", str(ruleset.values["sides"]), "rule", "1 to 9", "sides of a coin", "")]

    def replay(self, record: dict[str, Any], ruleset: Any = None) -> Any:
        yield None, {"game": "coin", "tosses": 0}
        for number, step in enumerate(record["steps"], 1):
            if step["action"] != "toss":
                raise InputError(f"step {number}: nobody can {step['action']} here, expected toss")
            yield step, {"game": "coin", "tosses": number}

    def describe(self, step: dict[str, Any]) -> str:
        return str(step["action"])

    def highlight(self, step: dict[str, Any], position: dict[str, Any]) -> list[list[int]]:
        return [[position["tosses"] - 1]]

    def draw_terminal(self, position: dict[str, Any], highlight: Any = ()) -> str:
        return "o" * position["tosses"]

    def draw_svg(self, position: dict[str, Any], highlight: Any = ()) -> str:
        marked = ", ".join(str(space[0]) for space in highlight) or "none"
        return f"<svg><!-- {position['tosses']} tosses, {marked} marked --></svg>"


COIN = CoinGame()


class Chunk:
    """What a match gives back."""

    def __init__(self, results: np.ndarray, records: list[dict[str, Any]], stopped: bool) -> None:
        self.results, self.records, self.stopped = results, records, stopped


class CoinMatch:
    """Stands in for a match; every game takes `delay` seconds."""

    delay = 0.0

    def __init__(
        self, game: CoinGame, ruleset: CoinRules, specs: list[PlayerSpec], seed: int, swap: bool
    ) -> None:
        self.ruleset, self.specs, self.seed = ruleset, specs, seed
        self.rotations = len(specs) if swap else 1
        self.prepared = 0

    def prepare(self, report: Any) -> None:
        self.prepared += 1

    def prepare_records(self, report: Any) -> None:
        report("preparing the records of coin")

    def play(self, first: int, count: int, records: bool, stop: np.ndarray) -> Chunk:
        results = np.zeros(count, RESULT)
        for row, index in zip(results, range(first, first + count), strict=True):
            if stop[0]:
                return Chunk(results[:0], [], True)
            time.sleep(self.delay)
            self._play(row, index)
        written = [self._record(row) for row in results] if records else []
        return Chunk(results, written, False)

    def _play(self, row: np.ndarray, index: int) -> None:
        seats = len(self.specs)
        deal, rotation = divmod(index, self.rotations)
        row["index"], row["deal"], row["rotation"] = index, deal, rotation
        row["returns"][:seats] = 1 / seats if deal % 7 == 0 else 0
        if deal % 7:
            row["returns"][deal % seats] = 1
        row["scores"] = row["returns"]
        row["reason"] = deal % 7 == 0
        row["turns"] = 3 + deal % 5
        row["moves"][:2] = row["turns"] - 1, 1
        for player in range(seats):
            row["iterations"][(player + rotation) % seats] = (player + 1) * row["turns"]

    def _record(self, row: np.ndarray) -> dict[str, Any]:
        seats = len(self.specs)
        rotation = int(row["rotation"])
        returns = [float(value) for value in row["returns"][:seats]]
        return envelope(
            game="coin",
            ruleset=self.ruleset.plain(),
            seats=[str(self.specs[(seat - rotation) % seats]) for seat in range(seats)],
            seed=self.seed,
            index=int(row["index"]),
            setup={},
            steps=[{"seat": n % seats, "action": "toss"} for n in range(row["turns"])],
            outcome={
                "returns": returns,
                "scores": returns,
                "reason": COIN.reasons[row["reason"]],
                "turns": int(row["turns"]),
            },
        )


class CoinPlayouts:
    """Stands in for playouts: every one has 4 moves."""

    def __init__(self, game: Any, ruleset: Any, seats: int, policy: str, seed: int) -> None:
        pass

    def prepare(self, report: Any) -> None:
        pass

    def play(self, first: int, count: int, stop: np.ndarray) -> dict[str, Any]:
        return {
            "playouts": count,
            "moves": 4 * count,
            "turns": 4 * count,
            "reasons": {"won": count},
        }


def coin_plan(games: int, players: int = 2, **options: Any) -> RunPlan:
    """Plan a run of coin games between `greedy` and, in the other places, `mcts:2000`."""
    specs = tuple(parse_spec("mcts:2000" if seat else "greedy") for seat in range(players))
    values = {"seed": 3, "swap_seats": False, "records": True, **options}
    return RunPlan(COIN, CoinRules({}), specs, games, **values)


def load_coin(name: str) -> CoinGame:
    """Stand in for `lumis_fast.games.load_game`."""
    if name != "coin":
        raise InputError(f"no game is called {name!r}; {nearest(name, ['coin'])}")
    return COIN


def install(set_attribute: Any = setattr, set_item: Any = dict.__setitem__) -> None:
    """Make the coin the only game of this process.

    Parameters
    ----------
    set_attribute, set_item : callable
        Those of pytest's `monkeypatch`, where it has to be undone.
    """
    from lumis_fast import games

    match = types.ModuleType("lumis_fast.players.match")
    match.__dict__.update(
        Match=CoinMatch,
        Playouts=CoinPlayouts,
        warm=lambda game, report: report(f"compiling {game.name}"),
    )
    set_attribute(storage, "source_digest", lambda: "coin")
    set_attribute(games, "GAMES", ("coin",))
    set_attribute(games, "load_game", load_coin)
    set_item(sys.modules, "lumis_fast.players.match", match)


def data_files(directory: Path) -> dict[str, bytes]:
    """Read the data files of a run."""
    names = ("games.parquet", "records.jsonl.zst")
    return {name: (directory / name).read_bytes() for name in names if (directory / name).exists()}
