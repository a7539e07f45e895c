"""What games of Lumina Spell are like between greedy players, by ruleset and number of players.

    python bench/describe_lumina.py --seed 1 --games 100000 --more 40000

plays the shipped rulesets with two (`--games`) and with three and four players (`--more`), puts
its tables into `results/lumina-spell.md` and draws the pictures of that page. They are the games
of `lumis-fast playouts lumina-spell --policy greedy` with the same seed. It needs matplotlib.
"""

from __future__ import annotations

import argparse
import itertools
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from lumis_fast import __version__
from lumis_fast.core import protocol
from lumis_fast.core.jit import entry
from lumis_fast.core.ruleset import Ruleset
from lumis_fast.core.streams import PURPOSE_SEARCH, STREAM, open_stream
from lumis_fast.games.lumina_spell import GAME
from lumis_fast.games.lumina_spell.ruleset import CARDS
from lumis_fast.games.lumina_spell.state import CLAIM, PASS
from lumis_fast.players.search import private_array
from lumis_fast.runs.statistics import Interval, mean_interval, wilson_interval

RESULTS = Path(__file__).resolve().parent.parent / "results"
PAGE = "lumina-spell.md"
RULESETS = GAME.shipped_rulesets()
SEATS = GAME.seats
INKS = {"standard": "#2a68c4", "three-colours": "#d0702f"}
CHUNK = 500

ROW = np.dtype(
    [
        ("turns", np.int32),
        ("reason", np.uint8),
        ("first", np.uint8),
        ("inactive", np.uint8),
        ("tiles", np.uint8),
        ("passes", np.int32),
        ("claim_turns", np.int32),
        ("edges", np.int32),
        ("points", np.int16, 4),
        ("scores", np.float64, 4),
        ("shown", np.int16, len(CARDS) + 1),
        ("turn", np.int16, len(CARDS) + 1),
        ("by", np.int8, len(CARDS) + 1),
    ]
)
"""One game. `tiles` are those left on the board; by card the turn in which it was laid open (-1:
never), the turn in which it was claimed (0: never), and the seat that did."""


@entry
def play_games(rules, work, state, move, stream, values, seed, first, rows):
    """Play whole greedy games, one for each row, and note what happens in them."""
    for i in range(len(rows)):
        row, shown = rows[i], 0
        protocol.new_game(rules, work, state, seed, first + i)
        open_stream(stream, seed, first + i, PURPOSE_SEARCH)
        for card in range(len(row.shown)):
            row.shown[card] = -1
        while not state.over:
            for at in range(shown, state.revealed):
                row.shown[state.deck[at] & 31] = state.turn
            shown = np.int64(state.revealed)
            protocol.greedy_move(rules, work, state, stream, move)
            row.passes += move.action == PASS
            row.edges += move.edge > 0
            row.claim_turns += move.action == CLAIM and not move.more
            for k in range(move.cards):
                row.turn[move.card[k]] = state.turn + 1
                row.by[move.card[k]] = state.to_move
            protocol.play(rules, work, state, move)
        protocol.scores(rules, state, values)
        for seat in range(rules.seats):
            row.points[seat], row.scores[seat] = state.points[seat], values[seat]
        row.turns, row.reason, row.first = state.turn, state.reason, state.first
        row.inactive, row.tiles = state.inactive, state.tiles


class Games:
    """Greedy games of one ruleset with one number of players.

    Parameters
    ----------
    ruleset : Ruleset
        With one of each card in its deck.
    seats : int
    rows : array of ROW
    """

    def __init__(self, ruleset: Ruleset, seats: int, rows: np.ndarray) -> None:
        self.ruleset, self.seats, self.rows = ruleset, seats, rows
        scores = rows["scores"][:, :seats]
        won = scores == scores.max(axis=1, keepdims=True)
        self.scores, self.won, self.returns = scores, won, won / won.sum(axis=1, keepdims=True)

    @classmethod
    def played(cls, name: str, seats: int, count: int, seed: int, threads: int) -> Games:
        """Play the deals 0 to `count` - 1 on some threads."""
        ruleset = GAME.load_ruleset(name)
        types, rules = GAME.types(ruleset), GAME.build_rules(ruleset, seats)
        rows = np.zeros(count, ROW)

        def play(chunks: Iterator[int]) -> None:
            dtypes = (types.work, types.state, types.move, STREAM)
            own = [private_array(1, dtype)[0] for dtype in dtypes]
            for start in chunks:
                part = rows[start : start + CHUNK]
                play_games(rules[0], *own, np.zeros(4), np.uint64(seed), start, part)

        starts = range(0, count, CHUNK)
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play, (iter(starts[k::threads]) for k in range(threads))))
        return cls(ruleset, seats, rows)

    @property
    def name(self) -> str:
        return self.ruleset.name

    def reasons(self) -> dict[str, float]:
        """The share of games by why they ended."""
        counts = np.bincount(self.rows["reason"], minlength=len(GAME.reasons))
        return dict(zip(GAME.reasons, counts / len(self.rows), strict=True))

    def by_order(self) -> list[Interval]:
        """What the seats win, the starting one first."""
        order = (self.rows["first"][:, None] + np.arange(self.seats)) % self.seats
        won = np.take_along_axis(self.returns, order.astype(np.int64), axis=1)
        return [_interval(column) for column in won.T]

    def margins(self) -> np.ndarray:
        """The best score less the second best."""
        ordered = np.sort(self.scores, axis=1)
        return ordered[:, -1] - ordered[:, -2]

    def claims(self, cards: Sequence[int]) -> dict[str, str]:
        """How some cards fare, together."""
        shown, turn = self.rows["shown"][:, cards], self.rows["turn"][:, cards]
        taken = turn > 0
        seats = self.rows["by"][:, cards].astype(np.int64)
        by_winner = np.take_along_axis(self.won, seats, axis=1)[taken]
        return {
            "laid open": f"{100 * (shown >= 0).mean():.0f} %",
            "claimed": f"{100 * taken.mean():.0f} %",
            "claimed if laid open": f"{100 * taken.sum() / (shown >= 0).sum():.1f} %",
            "in turn": f"{np.mean(turn[taken]):.1f}",
            "after turns": f"{np.mean((turn - 1 - shown)[taken]):.1f}",
            "by a winner": f"{100 * by_winner.mean():.1f} %",
        }


def _interval(values: np.ndarray) -> Interval:
    found = mean_interval(float(values.mean()), float(values.var(ddof=1)), len(values))
    assert found is not None
    return found


# Tables -----------------------------------------------------------------------------------------


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %" if 0 < share < 0.001 else f"{100 * share:.1f} %"


def _limits(interval: Interval) -> str:
    mean, low, high = (100 * value for value in (interval.mean, interval.low, interval.high))
    return f"{mean:.1f} % ({low:.1f} to {high:.1f})"


def _columns(all_games: Sequence[Games]) -> list[str]:
    return ["", *(f"{games.name}, {games.seats}" for games in all_games)]


def overview(all_games: Sequence[Games]) -> str:
    """Length, scores and margins."""

    def spread(values: np.ndarray) -> str:
        low, middle, high = np.percentile(values, (5, 50, 95))
        return f"{values.mean():.1f} ({low:.0f}, {middle:.0f}, {high:.0f})"

    lines = {
        "games": lambda g: f"{len(g.rows):,}".replace(",", " "),
        "turns": lambda g: spread(g.rows["turns"]),
        "turns of each player": lambda g: f"{g.rows['turns'].mean() / g.seats:.1f}",
        "best score": lambda g: spread(g.scores.max(axis=1)),
        "worst score": lambda g: spread(g.scores.min(axis=1)),
        "winning margin": lambda g: spread(g.margins()),
        "shared victories": lambda g: _percent((g.won.sum(axis=1) > 1).mean()),
        "won by one point at most": lambda g: _percent((g.margins() <= 1).mean()),
        "cards claimed": lambda g: f"{(g.rows['turn'] > 0).sum(axis=1).mean():.1f}",
        "cards a claim turn": lambda g: (
            f"{(g.rows['turn'] > 0).sum() / g.rows['claim_turns'].sum():.2f}"
        ),
        "edge tile taken": lambda g: _percent(g.rows["edges"].sum() / g.rows["claim_turns"].sum()),
        "tiles left on the board": lambda g: spread(g.rows["tiles"]),
        "games with a pass": lambda g: _share_with(g.rows["passes"] > 0),
        "games with an inactive seat": lambda g: _share_with(g.rows["inactive"] > 0),
    }
    return _table(
        _columns(all_games), [[name, *map(tell, all_games)] for name, tell in lines.items()]
    )


def _share_with(found: np.ndarray) -> str:
    limits = wilson_interval(int(found.sum()), len(found))
    return f"{100 * limits.mean:.2f} % ({100 * limits.low:.2f} to {100 * limits.high:.2f})"


def endings(all_games: Sequence[Games]) -> str:
    """The first trigger, or what else ended the game."""
    shares = [games.reasons() for games in all_games]
    return _table(
        _columns(all_games),
        [[f"`{word}`", *(_percent(share[word]) for share in shares)] for word in GAME.reasons],
    )


def seats_table(all_games: Sequence[Games]) -> str:
    """The share of the victory by order of play."""
    lines = []
    for games in all_games:
        won = [_limits(interval) for interval in games.by_order()]
        fair = f"{100 / games.seats:.1f} %"
        lines.append([f"{games.name}, {games.seats}", fair, *won, *[""] * (4 - len(won))])
    return _table(["", "fair", "starting seat", "second", "third", "fourth"], lines)


def cards_table(games: Games) -> str:
    """How each card fares."""
    values, together = games.ruleset.values, games.claims(list(CARDS))
    lines = []
    for card, asked in CARDS.items():
        points = str(values["points"][card - 1])
        said = asked.said(values["card18_sum"])
        lines.append([str(card), said, points, *games.claims([card]).values()])
    lines.append(["all", "", "", *together.values()])
    return _table(["card", "asks for", "points", *together], lines)


# Pictures ---------------------------------------------------------------------------------------


def _subplots(*shape: int, **options: Any) -> Any:
    import matplotlib

    matplotlib.use("Agg")  # before pyplot is imported
    from matplotlib import pyplot

    return pyplot.subplots(*shape, **options)


def _save(figure: Any, name: str, folder: Path) -> None:
    figure.tight_layout()
    figure.savefig(folder / f"lumina-spell-{name}.png", dpi=90)


def draw_lengths(all_games: Sequence[Games], folder: Path) -> None:
    """Turns of a game and winning margins, a column for each number of players."""
    figure, axes = _subplots(2, len(SEATS), figsize=(10, 5.6), sharey="row")
    for games in all_games:
        column = SEATS.index(games.seats)
        for row, (values, end) in enumerate(((games.rows["turns"], 70), (games.margins(), 30))):
            # Nearly all games end with a round, so other bins would show the remainder by seats.
            bins = np.arange(0, end + 1, games.seats if row == 0 else 1)
            axes[row, column].hist(
                np.minimum(values, bins[-1] - 0.5),
                bins,
                weights=np.full(len(values), 100 / len(values)),
                histtype="step",
                linewidth=1.6,
                color=INKS[games.name],
                label=games.name,
            )
    for column, seats in enumerate(SEATS):
        axes[0, column].set(title=f"{seats} players", xlabel=f"turns, in rounds of {seats}")
        axes[1, column].set(xlabel="winning margin, points")
    for row in range(2):
        axes[row, 0].set_ylabel("% of games")
    axes[0, 0].legend(frameon=False)
    _save(figure, "length", folder)


def draw_endings(all_games: Sequence[Games], folder: Path) -> None:
    """Why games end, as stacked bars."""
    figure, axis = _subplots(figsize=(8, 3.2))
    labels = [f"{games.name}, {games.seats}" for games in all_games]
    left = np.zeros(len(all_games))
    inks = ("#7f45b8", "#2a68c4", "#d0202f", "#f4bf1d", "#777777", "#222222")
    for word, ink in zip(GAME.reasons, inks, strict=True):
        shares = np.array([100 * games.reasons()[word] for games in all_games])
        axis.barh(labels, shares, left=left, color=ink, label=word)
        left += shares
    axis.invert_yaxis()
    axis.set(xlabel="% of games", xlim=(0, 100))
    axis.legend(frameon=False, ncols=6, loc="upper center", bbox_to_anchor=(0.4, 1.18))
    _save(figure, "endings", folder)


def draw_seats(all_games: Sequence[Games], folder: Path) -> None:
    """What the seats win beyond their fair share, in order of play."""
    figure, axes = _subplots(1, len(SEATS), figsize=(9, 3), sharey=True)
    for games in all_games:
        axis, won = axes[SEATS.index(games.seats)], games.by_order()
        shift = -0.1 if games.name == RULESETS[0] else 0.1
        axis.errorbar(
            np.arange(games.seats) + 1 + shift,
            [100 * (interval.mean - 1 / games.seats) for interval in won],
            [100 * (interval.high - interval.mean) for interval in won],
            fmt="o",
            capsize=4,
            color=INKS[games.name],
            label=games.name,
        )
        axis.axhline(0, color="#999999", linewidth=0.8)
        axis.set(title=f"{games.seats} players", xlabel="order of play", xlim=(0.5, 4.5))
        axis.set_xticks(range(1, games.seats + 1))
    axes[0].set_ylabel("victory beyond the\nfair share, % points")
    axes[-1].legend(frameon=False)
    _save(figure, "seats", folder)


def draw_cards(all_games: Sequence[Games], folder: Path) -> None:
    """How often each card is claimed once it is seen, by number of players."""
    figure, axes = _subplots(len(RULESETS), 1, figsize=(9, 5.2), sharex=True, sharey=True)
    shades = dict(zip(SEATS, (1.0, 0.65, 0.35), strict=True))
    for games in all_games:
        axis = axes[RULESETS.index(games.name)]
        axis.bar(
            np.array(list(CARDS)) + 0.27 * (games.seats - 3),
            [float(games.claims([card])["claimed if laid open"][:-2]) for card in CARDS],
            0.25,
            color=INKS[games.name],
            alpha=shades[games.seats],
            label=f"{games.seats} players",
        )
    points = all_games[0].ruleset.values["points"]
    for name, axis in zip(RULESETS, axes, strict=True):
        axis.set(title=name, ylabel="% of games that\nlay it open", ylim=(0, 100))
        axis.legend(frameon=False, ncols=3, loc="upper right", fontsize=8)
    axes[-1].set_xticks(list(CARDS), [f"{card}\n{points[card - 1]}" for card in CARDS])
    axes[-1].set_xlabel("card, and its points")
    _save(figure, "cards", folder)


# All of it --------------------------------------------------------------------------------------


def tables(all_games: Sequence[Games], seed: int) -> str:
    """All tables as Markdown."""
    digests = ", ".join(f"`{name}` {GAME.load_ruleset(name).digest[:12]}" for name in RULESETS)
    return "\n\n".join(
        [
            f"Engine {__version__}, seed {seed}, rulesets {digests}. Numbers in brackets are 95 % "
            "intervals of shares, and for other figures the 5th, 50th and 95th percentile.",
            "### Length, scores and margins\n\n" + overview(all_games),
            "### Why games end\n\n" + endings(all_games),
            "### The order of play\n\n" + seats_table(all_games),
            *(
                f"### The cards, {games.name}, two players\n\n" + cards_table(games)
                for games in all_games
                if games.seats == 2
            ),
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, draw, and put the tables into the page."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=100_000, help="with two players")
    parser.add_argument("--more", type=int, default=40_000, help="with three, and with four")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--to", type=Path, default=RESULTS, help="folder of the page")
    given = parser.parse_args(arguments)
    print(f"lumis-fast {__version__}, seed {given.seed}")
    all_games = []
    for name, seats in itertools.product(RULESETS, SEATS):
        count = given.games if seats == 2 else given.more
        all_games.append(Games.played(name, seats, count, given.seed, given.threads))
        print(f"{name}, {seats} players: {count} games", flush=True)
    made = tables(all_games, given.seed)
    print(made)
    for draw in (draw_lengths, draw_endings, draw_seats, draw_cards):
        draw(all_games, given.to)
    page = given.to / PAGE
    if page.exists():
        text = page.read_text(encoding="utf-8")
        between = re.compile(r"(<!-- tables -->\n).*(<!-- end of tables -->)", re.DOTALL)
        text = between.sub(lambda found: f"{found[1]}\n{made}\n\n{found[2]}", text)
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
