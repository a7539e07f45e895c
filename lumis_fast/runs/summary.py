"""The result table of a finished run, from its files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lumis_fast.runs.statistics import BlockMean, Interval, wilson_interval
from lumis_fast.runs.storage import read_manifest

if TYPE_CHECKING:
    import numpy as np
    import pyarrow.parquet as pq
    from rich.console import RenderableType

__all__ = ["render", "summarize"]

CONFIDENCE = 0.95


class _Share:
    """A share of games that some player or seat has: outright wins, or the score."""

    def __init__(self, shared_deals: bool) -> None:
        self.shared_deals = shared_deals
        self.games = 0
        self.total = 0.0
        self.blocks = BlockMean()

    def add(self, values: np.ndarray) -> None:
        """Add values between 0 and 1: one row a block, one column a game of it."""
        means = values.mean(axis=1)
        self.games += values.size
        self.total += float(values.sum())
        self.blocks.add(len(means), float(means.sum()), float((means * means).sum()))

    def interval(self) -> Interval:
        if self.shared_deals:
            return self.blocks.interval(CONFIDENCE)
        return wilson_interval(self.total, self.games, CONFIDENCE)

    def as_dict(self) -> dict[str, float]:
        limits = self.interval()
        return {"mean": limits.mean, "low": limits.low, "high": limits.high}


class _Result:
    """Score and outright wins of a player, of a seat, or of a player on a seat."""

    def __init__(self, shared_deals: bool) -> None:
        self.score = _Share(shared_deals)
        self.wins = _Share(shared_deals)
        self.losses = 0
        self.points = 0.0

    def add(self, returns: np.ndarray, points: np.ndarray) -> None:
        self.score.add(returns)
        self.wins.add((returns == 1).astype(float))
        self.losses += int((returns == 0).sum())
        self.points += float(points.sum())

    def as_dict(self) -> dict[str, Any]:
        games, wins = self.score.games, round(self.wins.total)
        return {
            "games": games,
            "score": self.score.as_dict(),
            "wins": {"count": wins, **self.wins.as_dict()},
            "draws": games - wins - self.losses,
            "losses": self.losses,
            "points": self.points / games,
        }


class _Gathering:
    """What is gathered over the games of a run, in memory that does not grow with them."""

    def __init__(self, seats: int, rotations: int, actions: Iterable[str]) -> None:
        self.seats, self.rotations, self.actions = seats, rotations, list(actions)
        shared = rotations > 1
        self.players = [_Result(shared) for _ in range(seats)]
        self.by_seat = [_Result(shared) for _ in range(seats)]
        # A player sits on a given seat once a deal, so these games are independent.
        self.pairs: dict[tuple[int, int], _Result] = {}
        self.iterations = [0] * seats
        self.turns: Counter[int] = Counter()
        self.reasons: Counter[str] = Counter()
        self.moves: Counter[str] = Counter()

    def add(self, columns: dict[str, np.ndarray]) -> None:
        import numpy as np

        def per_seat(name: str) -> np.ndarray:
            return np.stack([columns[f"{name}_seat{s}"] for s in range(self.seats)], axis=1)

        returns, points = per_seat("return").astype(float), per_seat("score").astype(float)
        iterations = per_seat("iterations")
        rotation = columns["rotation"]
        rows = np.arange(len(rotation))
        for number in range(self.seats):
            self.by_seat[number].add(*self._blocks(returns[:, number], points[:, number]))
            seat = (number + rotation) % self.seats
            own, own_points = returns[rows, seat], points[rows, seat]
            self.players[number].add(*self._blocks(own, own_points))
            self.iterations[number] += int(iterations[rows, seat].sum())
            for value in range(self.rotations):
                pair = self.pairs.setdefault(
                    (number, (number + value) % self.seats), _Result(shared_deals=False)
                )
                here = rotation == value
                pair.add(own[here, None], own_points[here, None])
        for counter, name in ((self.turns, "turns"), (self.reasons, "reason")):
            values, counts = np.unique(columns[name], return_counts=True)
            counter.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))
        for action in self.actions:
            self.moves[action] += int(columns[f"moves_{action}"].sum())

    def _blocks(self, *values: np.ndarray) -> Iterator[np.ndarray]:
        return (value.reshape(-1, self.rotations) for value in values)


def summarize(directory: str | Path) -> dict[str, Any]:
    """Summarise a finished run.

    Parameters
    ----------
    directory : str or Path
        The run's directory.

    Returns
    -------
    dict
        Plain data: what the table shows, as numbers.

    Raises
    ------
    InputError
        If the directory holds no run.
    """
    import pyarrow.parquet as pq

    directory = Path(directory)
    manifest = read_manifest(directory)
    identity = manifest["identity"]
    players = identity["players"]
    with pq.ParquetFile(directory / "games.parquet") as file:
        actions = [name[6:] for name in file.schema_arrow.names if name.startswith("moves_")]
        gathering = _Gathering(len(players), len(players) if identity["swap_seats"] else 1, actions)
        for number in range(file.num_row_groups):
            gathering.add(_columns(file, number))
    games = identity["games"]
    moves = sum(gathering.moves.values())
    return {
        "directory": str(directory),
        "game": identity["game"],
        "ruleset": {key: manifest["ruleset"][key] for key in ("name", "digest", "changes")},
        "seed": identity["seed"],
        "games": games,
        "swap_seats": identity["swap_seats"],
        "reproducible": manifest["reproducible"],
        "confidence": CONFIDENCE,
        "players": [
            {
                "player": players[number],
                **result.as_dict(),
                "iterations": gathering.iterations[number],
                "seats": [
                    {"seat": seat, **gathering.pairs[number, seat].as_dict()}
                    for seat in range(len(players))
                    if (number, seat) in gathering.pairs
                ],
            }
            for number, result in enumerate(gathering.players)
        ],
        "seats": [
            {"seat": seat, **result.as_dict()} for seat, result in enumerate(gathering.by_seat)
        ],
        "turns": _distribution(gathering.turns),
        "reasons": {
            word: {"games": count, "share": count / games}
            for word, count in gathering.reasons.most_common()
        },
        "moves": {
            word: {"count": count, "per_game": count / games, "share": count / max(moves, 1)}
            for word, count in gathering.moves.items()
        },
        "speed": _speed(directory),
    }


def _columns(file: pq.ParquetFile, row_group: int) -> dict[str, np.ndarray]:
    import pyarrow as pa

    table = file.read_row_group(row_group)
    columns = {}
    for name in table.column_names:
        if not name.startswith("player_"):
            column = table.column(name).combine_chunks()
            if pa.types.is_dictionary(column.type):
                column = column.cast(pa.string())
            columns[name] = column.to_numpy(zero_copy_only=False)
    return columns


def _distribution(counts: Counter[int]) -> dict[str, float]:
    """Describe counted values; a quantile is the smallest value with that share at or below it."""
    games = sum(counts.values())
    values = sorted(counts)

    def quantile(share: float) -> int:
        below = 0
        for value in values:
            below += counts[value]
            if below >= share * games:
                return value
        return values[-1]

    return {
        "mean": sum(value * count for value, count in counts.items()) / games,
        "min": values[0],
        "p05": quantile(0.05),
        "p25": quantile(0.25),
        "median": quantile(0.5),
        "p75": quantile(0.75),
        "p95": quantile(0.95),
        "max": values[-1],
    }


def _speed(directory: Path) -> dict[str, float] | None:
    """Add the sessions up; a killed session may have lost its last seconds, games and time."""
    try:
        sessions = json.loads((directory / "timing.json").read_bytes())["sessions"]
    except (OSError, ValueError, KeyError):
        return None
    total = {
        key: sum(session[key] for session in sessions)
        for key in ("games", "moves", "wall_seconds", "cpu_seconds")
    }
    if not total["games"] or not total["wall_seconds"]:
        return None
    return {
        "jobs": sessions[-1]["jobs"],
        "timed_games": total["games"],
        "wall_seconds": total["wall_seconds"],
        "cpu_seconds": total["cpu_seconds"],
        "games_per_second": total["games"] / total["wall_seconds"],
        "moves_per_second": total["moves"] / total["wall_seconds"],
    }


def render(summary: dict[str, Any]) -> RenderableType:
    """Make the table for the terminal.

    Parameters
    ----------
    summary : dict
        From `summarize`.

    Returns
    -------
    rich renderable
    """
    from rich.console import Group
    from rich.text import Text

    ruleset = summary["ruleset"]
    changes = ", ".join(ruleset["changes"])
    deals = summary["games"] // len(summary["players"]) if summary["swap_seats"] else None
    head = Text.assemble(
        (f"{summary['game']}, {summary['games']} games", "bold"),
        f", seed {summary['seed']}, ruleset {ruleset['name']} {ruleset['digest'][:12]}",
        f" (changed: {changes})" if changes else "",
        f", {deals} deals with all seat rotations" if deals else "",
        "" if summary["reproducible"] else ", not reproducible",
    )
    return Group(
        head,
        _score_table(summary),
        _facts(summary),
        Text(f"files: {summary['directory']}", style="dim"),
    )


def _score_table(summary: dict[str, Any]) -> RenderableType:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    points = _has_points(summary)
    for name in ("", "games", "score", "95 %", "wins", "95 %", "draws", "losses"):
        table.add_column(name, justify="right" if name else "left", no_wrap=bool(name))
    if points:
        table.add_column("points", justify="right")
    for number, player in enumerate(summary["players"], 1):
        table.add_row(*_row(f"{number}  {player['player']}", player, points), style="bold")
        if len(player["seats"]) > 1:
            for seat in player["seats"]:
                table.add_row(*_row(f"   on seat {seat['seat']}", seat, points))
    table.add_section()
    for seat in summary["seats"]:
        table.add_row(*_row(f"seat {seat['seat']}, whoever", seat, points))
    return table


def _has_points(summary: dict[str, Any]) -> bool:
    """Whether the game has points beside winning and losing."""
    return any(abs(seat["points"] - seat["score"]["mean"]) > 1e-6 for seat in summary["seats"])


def _row(name: str, result: dict[str, Any], points: bool) -> list[RenderableType]:
    from rich.text import Text

    score, wins = result["score"], result["wins"]
    cells: list[RenderableType] = [
        Text(name),  # a spec may hold what rich would take for markup
        str(result["games"]),
        _percent(score["mean"]),
        f"{_percent(score['low'])} - {_percent(score['high'])}",
        f"{wins['count']} ({_percent(wins['mean'])})",
        f"{_percent(wins['low'])} - {_percent(wins['high'])}",
        str(result["draws"]),
        str(result["losses"]),
    ]
    return [*cells, f"{result['points']:.2f}"] if points else cells


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _facts(summary: dict[str, Any]) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    turns, games = summary["turns"], summary["games"]
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column()
    grid.add_row(
        "turns",
        f"mean {turns['mean']:.1f}, median {turns['median']}, "
        f"5 to 95 % {turns['p05']} to {turns['p95']}, all {turns['min']} to {turns['max']}",
    )
    reasons = summary["reasons"].items()
    grid.add_row(
        "ended by",
        ", ".join(f"{word} {_percent(one['share'])} ({one['games']})" for word, one in reasons),
    )
    moves = summary["moves"].items()
    grid.add_row("moves a game", ", ".join(f"{word} {one['per_game']:.1f}" for word, one in moves))
    searched = [
        f"{player['player']} {player['iterations'] / games:,.0f}".replace(",", " ")
        for player in summary["players"]
        if player["iterations"]
    ]
    if searched:
        grid.add_row("iterations a game", Text(", ".join(searched)))
    if speed := summary["speed"]:
        grid.add_row(
            "speed",
            f"{_rate(speed['games_per_second'])} games/s, "
            f"{_rate(speed['moves_per_second'])} moves/s with {speed['jobs']} "
            f"job{'s' if speed['jobs'] > 1 else ''}; {speed['cpu_seconds']:.1f} s of CPU time, "
            f"{speed['wall_seconds']:.1f} s in all",
        )
    return grid


def _rate(value: float) -> str:
    return f"{value:,.0f}".replace(",", " ") if value >= 100 else f"{value:.3g}"
