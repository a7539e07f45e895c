"""Intervals against SciPy, and their coverage."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from lumis_fast.runs.statistics import BlockMean, mean_interval, t_quantile, wilson_interval


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 10, 29, 30, 99, 199, 499, 500, 501, 10**6])
@pytest.mark.parametrize("probability", [0.005, 0.5, 0.8, 0.975, 0.9995])
def test_t_quantiles_equal_those_of_scipy(probability, freedom):
    expected = scipy.stats.t.ppf(probability, freedom)
    assert t_quantile(probability, freedom) == pytest.approx(expected, rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("trials", [1, 2, 10, 400, 100_000])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99, 1.0])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.999])
def test_wilson_equals_that_of_scipy(trials, share, confidence):
    successes = round(share * trials)
    expected = scipy.stats.binomtest(successes, trials).proportion_ci(confidence, "wilson")
    found = wilson_interval(successes, trials, confidence)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert found.mean == successes / trials


def test_all_won_or_lost_reaches_the_end_but_not_further():
    assert wilson_interval(10, 10).high == 1.0 and 0 < wilson_interval(10, 10).low < 1
    assert wilson_interval(0, 10).low == 0.0 and 0 < wilson_interval(0, 10).high < 1


def test_draws_as_halves_may_be_counted():
    assert wilson_interval(7.5, 15) == wilson_interval(7.5, 15.0)
    assert wilson_interval(7.5, 15).mean == 0.5


def test_the_interval_of_a_mean_equals_that_of_scipy():
    values = np.random.default_rng(5).normal(3, 2, 12)
    found = mean_interval(float(values.mean()), float(values.var(ddof=1)), 12)
    expected = scipy.stats.t.interval(0.95, 11, values.mean(), scipy.stats.sem(values))
    assert found is not None
    assert (found.low, found.high) == pytest.approx(expected, rel=1e-8)


def test_one_value_has_no_interval():
    assert mean_interval(1.0, 0.0, 1) is None


def blocks(values) -> BlockMean:
    """Gather block means in two pieces."""
    gathered = BlockMean()
    for part in np.array_split(np.asarray(values, float), 2):
        gathered.add(len(part), float(part.sum()), float((part**2).sum()))
    return gathered


def test_blocks_give_the_t_interval_of_their_means():
    means = [0.5, 1.0, 0.25, 0.75, 0.5, 0.5, 0.0]
    expected = scipy.stats.t.interval(0.95, 6, np.mean(means), scipy.stats.sem(means))
    found = blocks(means).interval()
    assert (found.low, found.high) == pytest.approx(expected, rel=1e-8)


def test_blocks_that_are_all_alike_do_not_claim_certainty():
    assert blocks([1.0] * 10).interval() == wilson_interval(10, 10)
    assert blocks([0.5] * 8).interval() == wilson_interval(4, 8)


def test_limits_stay_between_0_and_1():
    found = blocks([1.0] * 9 + [0.5]).interval()
    assert found.high == 1.0 and found.low < found.mean == 0.95


def test_block_intervals_cover_the_truth_as_often_as_they_say():
    """1000 runs of 60 deals, both games of which share half of what decides them."""
    random = np.random.default_rng(11)
    covered = 0
    for _ in range(1000):
        shared = random.random((60, 1)) < 0.5
        games = np.where(random.random((60, 2)) < 0.5, shared, random.random((60, 2)) < 0.6)
        found = blocks(games.mean(axis=1)).interval()
        covered += found.low <= 0.55 <= found.high
    # Binomial with 0.95: four standard deviations are 28.
    assert 922 <= covered <= 978
