"""Fit what the Stone Guardians' evaluation weighs to the outcomes of greedy games.

    python bench/fit_stone.py --games 4000 --seed 1

Greedy players, one in eight of whose moves is a uniform one, play games with two, three and four
seats; positions are described at random moments by `policy.describe`, and the weights make the
winners likeliest: a conditional logit model over the peoples of a position.
"""

from __future__ import annotations

import click
import numpy as np
from scipy.optimize import minimize

from lumis_fast.core.jit import entry
from lumis_fast.core.protocol import greedy_move, new_game, play, returns, uniform_move
from lumis_fast.core.streams import PURPOSE_SEARCH, STREAM, below, open_stream
from lumis_fast.games.stone_guardians import GAME
from lumis_fast.games.stone_guardians.policy import FEATURES, WEIGHTS, describe

SAMPLES = 12
"""So many positions of a game are kept at most."""

EVERY = 60
"""One in so many positions is kept."""


@entry
def _sample_games(rules, work, state, move, stream, values, seed, first, out, won):
    """Play games; write descriptions (game, sample, people, feature) and each people's return."""
    for game in range(len(out)):
        new_game(rules[0], work[0], state[0], seed, first + game)
        open_stream(stream[0], seed, first + game, PURPOSE_SEARCH)
        n = 0
        while not state[0].over:
            if below(stream[0], EVERY) == 0 and n < SAMPLES:
                for people in range(rules[0].peoples):
                    describe(rules[0], work[0], state[0], people, out[game, n, people])
                n += 1
            if below(stream[0], 8) == 0:
                uniform_move(rules[0], work[0], state[0], stream[0], move[0])
            else:
                greedy_move(rules[0], work[0], state[0], stream[0], move[0])
            play(rules[0], work[0], state[0], move[0])
        returns(rules[0], state[0], values)
        for people in range(rules[0].peoples):
            won[game, people] = values[people]


def sample_games(seats: int, games: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Give descriptions (position, people, feature) and returns (position, people)."""
    ruleset = GAME.load_ruleset()
    types = GAME.types(ruleset)
    arrays = [np.zeros(1, dtype) for dtype in (types.work, types.state, types.move, STREAM)]
    out, won = np.zeros((games, SAMPLES, 4, 32)), np.zeros((games, 4))
    rules = GAME.build_rules(ruleset, seats)
    _sample_games(rules, *arrays, np.zeros(4), np.uint64(seed), 0, out, won)
    seen = out[:, :, :seats, :FEATURES].any(axis=(2, 3))
    position = out[:, :, :seats, :FEATURES][seen]
    return position, np.repeat(won[:, :seats], SAMPLES, axis=0)[seen.ravel()]


def fit(samples: list[tuple[np.ndarray, np.ndarray]], ridge: float) -> tuple[np.ndarray, float]:
    """Give the likeliest weights and the mean loss."""
    n = sum(len(features) for features, _ in samples)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        total, slope = 0.5 * ridge * float(weights @ weights), ridge * weights
        for features, won in samples:
            scores = features @ weights
            scores -= scores.max(axis=1, keepdims=True)
            shares = np.exp(scores)
            shares /= shares.sum(axis=1, keepdims=True)
            total -= float((won * np.log(shares + 1e-12)).sum()) / n
            slope = slope + np.einsum("np,npf->f", shares - won, features) / n
        return total, slope

    best = minimize(loss, np.array(WEIGHTS), jac=True, method="L-BFGS-B")
    return best.x, float(best.fun)


@click.command()
@click.option("--games", default=4000, help="Games of two seats; half as many of three and four.")
@click.option("--seed", default=1)
def main(games: int, seed: int) -> None:
    """Fit the weights and print them."""
    samples = [
        sample_games(seats, count, seed)
        for seats, count in ((2, games), (3, games // 2), (4, games // 2))
    ]
    weights, loss = fit(samples, 1e-4)
    print(f"{sum(len(f) for f, _ in samples)} positions, mean loss {loss:.4f}")
    print(", ".join(f"{weight:.3f}" for weight in weights))


if __name__ == "__main__":
    main()
