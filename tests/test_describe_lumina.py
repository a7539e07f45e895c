"""What `bench/describe_lumina.py` counts agrees with other counts of the same games."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent.parent / "bench"))
from describe_lumina import Games, tables  # noqa: E402 - it stands in another folder

from lumis_fast.games.lumina_spell import GAME  # noqa: E402
from lumis_fast.players.match import Playouts  # noqa: E402

COUNT, SEED = 60, 4


@pytest.fixture(scope="module", params=[2, 3, 4])
def games(request) -> Games:
    return Games.played("standard", request.param, COUNT, SEED, threads=2)


def test_they_are_the_games_of_greedy_playouts(games):
    playouts = Playouts(GAME, games.ruleset, games.seats, "greedy", SEED)
    counted = playouts.play(0, COUNT, np.zeros(1, np.uint8))
    assert games.rows["turns"].sum() == counted["turns"]
    shares = {word: n / COUNT for word, n in counted["reasons"].items()}
    assert games.reasons() == pytest.approx(shares)


def test_claimed_cards_give_the_points(games):
    worth = np.array([0, *games.ruleset.values["points"]])
    for row in games.rows:
        claimed = row["turn"] > 0
        for seat in range(games.seats):
            assert worth[claimed & (row["by"] == seat)].sum() == row["points"][seat]
        assert (row["shown"][claimed] >= 0).all()
        assert (row["turn"][claimed] > row["shown"][claimed]).all()
        assert row["turn"].max() <= row["turns"]
        assert row["claim_turns"] == len(set(row["turn"][claimed].tolist()))
        # Four cards lie open at the start, and every one laid open later fills a gap.
        assert 4 <= (row["shown"] >= 0).sum() <= 4 + claimed.sum()


def test_victories_are_shared_out(games):
    assert games.returns.sum(axis=1) == pytest.approx(np.ones(COUNT))
    assert ((games.scores == games.scores.max(axis=1)[:, None]) == (games.returns > 0)).all()
    assert sum(interval.mean for interval in games.by_order()) == pytest.approx(1)
    started = [games.returns[k, row["first"]] for k, row in enumerate(games.rows)]
    assert games.by_order()[0].mean == pytest.approx(np.mean(started))
    assert (games.margins() == 0).sum() == ((games.returns > 0).sum(axis=1) > 1).sum()


def test_the_tables_have_a_line_for_every_card_and_reason(games):
    made = tables([games], SEED)
    assert f"seed {SEED}, rulesets `standard` {games.ruleset.digest[:12]}" in made
    assert all(f"| `{reason}` |" in made for reason in GAME.reasons)
    if games.seats == 2:
        assert "| 13 | 4 consecutive, one colour | 5 |" in made
