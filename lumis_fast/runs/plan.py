"""What a run is: everything that decides its data, its digest and its chunks."""

from __future__ import annotations

import functools
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lumis_fast import __version__
from lumis_fast.errors import InputError, one_of
from lumis_fast.players.spec import PlayerSpec, load_user_class, parse_spec

__all__ = ["MAX_GAMES", "MAX_SEED", "RunPlan", "plan_run", "source_digest"]

MAX_GAMES = 1_000_000_000
MAX_SEED = (1 << 64) - 1

# Chunks are sized by a rough cost of a game, with a uniform playout as the unit.
_SMALLEST_CHUNK_COST = 256.0
_LARGEST_CHUNK_COST = 16_384.0
_PREFERRED_CHUNKS = 64
# The records of a chunk are in memory together.
_MOST_RECORDS = 256


@dataclass(frozen=True)
class RunPlan:
    """Everything that decides the data of a run.

    Made by `plan_run`, which checks the values.

    Attributes
    ----------
    game : Game
        The game, from `lumis_fast.games`.
    ruleset : Ruleset
        With all changes.
    players : tuple of PlayerSpec
        The i-th plays on seat ``(i + rotation) % seats``.
    games : int
        Number of games.
    seed : int
        Key of all random streams.
    swap_seats : bool
        Whether each deal is played once in every seat rotation.
    records : bool
        Whether game records are kept.
    """

    game: Any
    ruleset: Any
    players: tuple[PlayerSpec, ...]
    games: int
    seed: int
    swap_seats: bool
    records: bool

    @property
    def rotations(self) -> int:
        """Games played with each deal."""
        return len(self.players) if self.swap_seats else 1

    @property
    def reproducible(self) -> bool:
        """Whether the same plan gives the same data again."""
        return all(player.reproducible for player in self.players)

    @property
    def identity(self) -> dict[str, Any]:
        """What decides the data, as plain data."""
        return {
            "game": self.game.name,
            "ruleset": self.ruleset.digest,
            "players": [str(player) for player in self.players],
            "seed": self.seed,
            "games": self.games,
            "swap_seats": self.swap_seats,
            "records": self.records,
            "version": __version__,
        }

    @property
    def digest(self) -> str:
        """SHA-256 of `identity`: 64 hexadecimal digits."""
        text = json.dumps(self.identity, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def default_directory(self) -> Path:
        """Where the run goes if no other place is named."""
        return Path("results", "runs", f"{self.game.name}-{self.digest[:12]}")

    @property
    def chunk_games(self) -> int:
        """Games in a chunk: whole deals, and never dependent on the number of jobs.

        A chunk is what is lost when a run is killed, so it is small where games are slow, and
        large enough where they are fast for its file to cost little.
        """
        cost = sum(_cost(player) for player in self.players) / len(self.players)
        wanted = self.games / _PREFERRED_CHUNKS
        size = max(min(wanted, _LARGEST_CHUNK_COST / cost), _SMALLEST_CHUNK_COST / cost, 1.0)
        if self.records:
            size = min(size, _MOST_RECORDS)
        return math.ceil(size / self.rotations) * self.rotations

    @property
    def chunks(self) -> int:
        """Number of chunks."""
        return -(-self.games // self.chunk_games)

    def chunk(self, number: int) -> tuple[int, int]:
        """Tell the games of a chunk.

        Parameters
        ----------
        number : int
            From 0.

        Returns
        -------
        first, count : int
            Index of its first game, and how many it has.
        """
        first = number * self.chunk_games
        return first, min(self.chunk_games, self.games - first)


def _cost(player: PlayerSpec) -> float:
    if player.name == "random":
        return 1.0
    if player.name == "greedy":
        return 50.0
    if player.reproducible:
        return 50.0 * max(int(player.options.get("iterations") or 0), 1)
    return _LARGEST_CHUNK_COST


def plan_run(
    game: str,
    players: Sequence[str | PlayerSpec],
    games: int = 100,
    *,
    seed: int = 0,
    ruleset: str | None = None,
    changes: Mapping[str, Any] | None = None,
    swap_seats: bool = False,
    records: bool = False,
) -> RunPlan:
    """Check what a run is asked for.

    Parameters
    ----------
    game : str
        Name of a game.
    players : sequence of str or PlayerSpec
        As many as the game allows.
    games : int
        Number of games; with `swap_seats` a multiple of the number of players.
    seed : int
        From 0 to 2**64 - 1.
    ruleset : str, optional
        Name of a shipped ruleset, or a file; the game's standard one if not given.
    changes : mapping, optional
        Ruleset values to change.
    swap_seats : bool
        Play each deal once in every seat rotation.
    records : bool
        Keep game records.

    Returns
    -------
    RunPlan

    Raises
    ------
    InputError
        If anything of it is not possible.
    """
    from lumis_fast.games import load_game

    loaded = load_game(game)
    specs = tuple(parse_spec(one) if isinstance(one, str) else one for one in players)
    if len(specs) not in loaded.seats:
        raise InputError(f"{game} is for {one_of(loaded.seats)} players, {len(specs)} given")
    if not 1 <= games <= MAX_GAMES:
        raise InputError(f"{games} games are not possible, expected 1 to {MAX_GAMES}")
    if swap_seats and games % len(specs):
        near = max(round(games / len(specs)), 1) * len(specs)
        raise InputError(
            f"{games} games cannot swap seats: expected a multiple of {len(specs)}, "
            f"such as {near}, so that each deal is played in every seat rotation"
        )
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"seed {seed} is not possible, expected 0 to {MAX_SEED}")
    for spec in specs:
        if spec.is_user:
            load_user_class(spec)
    rules = loaded.load_ruleset(ruleset, dict(changes) if changes else None)
    return RunPlan(loaded, rules, specs, games, seed, swap_seats, records)


@functools.cache
def source_digest() -> str:
    """Digest the code that decides what happens in a game.

    Returns
    -------
    str
        12 hexadecimal digits. An unfinished run is not continued by other code, or its games
        would be of two kinds.
    """
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for folder in ("core", "games", "players"):
        for file in sorted(root.glob(f"{folder}/**/*.py"), key=lambda path: path.as_posix()):
            if file.name != "draw.py":
                name = file.relative_to(root).as_posix()
                digest.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:12]
