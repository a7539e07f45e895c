"""Confidence intervals for shares and means.

Games that share nothing are independent, and a share of them has a Wilson interval. Games of one
deal (seat rotations) are not: they form a block, and only the means of blocks are independent, so
the interval comes from the variance between blocks, by Student's t.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

__all__ = ["BlockMean", "Interval", "mean_interval", "t_quantile", "wilson_interval"]

# From this many degrees of freedom on the series in 1/n is exact to better than 1e-9.
_SERIES_FROM = 500


@dataclass(frozen=True)
class Interval:
    """An estimate with its confidence limits."""

    mean: float
    low: float
    high: float


def wilson_interval(successes: float, trials: int, confidence: float = 0.95) -> Interval:
    """Estimate a probability from independent trials (Wilson's score interval).

    Parameters
    ----------
    successes : float
        Number of successes. A sum of values between 0 and 1 (draws as a half) is allowed: such
        values vary no more than successes and failures of the same mean, so the interval is then
        on the safe side.
    trials : int
        Number of trials, at least 1.
    confidence : float
        Probability that the interval covers the truth.

    Returns
    -------
    Interval

    Examples
    --------
    >>> limits = wilson_interval(8, 10)
    >>> round(limits.low, 4), round(limits.high, 4)
    (0.4902, 0.9433)
    """
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    share = successes / trials
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    # The variance cannot be negative; rounding of a sum of shares could make it so.
    variance = max(share * (1 - share), 0.0) / trials + z2 / (4 * trials * trials)
    half = math.sqrt(z2 * variance) / (1 + z2 / trials)
    # At 0 and 1 the limit is the estimate itself, which rounding would miss.
    low = 0.0 if share <= 0 else max(centre - half, 0.0)
    high = 1.0 if share >= 1 else min(centre + half, 1.0)
    return Interval(share, low, high)


def t_quantile(probability: float, freedom: int) -> float:
    """Invert the distribution function of Student's t.

    Parameters
    ----------
    probability : float
        Between 0 and 1.
    freedom : int
        Degrees of freedom, at least 1.

    Returns
    -------
    float

    Examples
    --------
    >>> round(t_quantile(0.975, 10), 3)
    2.228
    """
    if probability < 0.5:
        return -t_quantile(1 - probability, freedom)
    if freedom == 1:
        return math.tan(math.pi * (probability - 0.5))
    if freedom >= _SERIES_FROM:
        return _t_series(probability, freedom)
    low, high = 0.0, 2.0
    while _t_distribution(high, freedom) < probability:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        if _t_distribution(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _t_series(probability: float, freedom: int) -> float:
    """Expand about the normal quantile (Abramowitz and Stegun, 26.7.5)."""
    x = NormalDist().inv_cdf(probability)
    terms = (
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
    )
    return x + sum(term / freedom**power for power, term in enumerate(terms, 1))


def _t_distribution(t: float, freedom: int) -> float:
    """Sum the finite series for whole degrees of freedom (Abramowitz and Stegun, 26.7.3-4)."""
    angle = math.atan(t / math.sqrt(freedom))
    cosine2 = math.cos(angle) ** 2
    odd = freedom % 2
    total, term = 0.0, math.cos(angle) if odd else 1.0
    for k in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cosine2 * (k - 1) / k
    within = math.sin(angle) * total
    if odd:
        within = (angle + within) * 2 / math.pi
    return 0.5 + within / 2


def mean_interval(
    mean: float, variance: float, count: int, confidence: float = 0.95
) -> Interval | None:
    """Estimate a mean from independent values (Student's t).

    Parameters
    ----------
    mean, variance : float
        Of the values; the variance with `count - 1` in its denominator.
    count : int
        Number of values.
    confidence : float
        Probability that the interval covers the truth.

    Returns
    -------
    Interval or None
        None if there are fewer than two values.
    """
    if count < 2:
        return None
    half = t_quantile((1 + confidence) / 2, count - 1) * math.sqrt(variance / count)
    return Interval(mean, mean - half, mean + half)


@dataclass
class BlockMean:
    """The mean of values between 0 and 1, gathered block by block in constant memory."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, count: int, total: float, squares: float) -> None:
        """Add blocks.

        Parameters
        ----------
        count : int
            Number of blocks.
        total, squares : float
            Sum of their means, and of the squares of their means.
        """
        self.count += count
        self.total += total
        self.squares += squares

    def interval(self, confidence: float = 0.95) -> Interval:
        """Estimate the mean from the variance between blocks.

        Parameters
        ----------
        confidence : float
            Probability that the interval covers the truth.

        Returns
        -------
        Interval
            By Student's t, cut to 0 and 1. Where the blocks are all alike, or there is only one,
            their variance says nothing, and Wilson's interval with a block as one trial is given:
            wide, but never an interval of no width from ten games.
        """
        mean = self.total / self.count
        variance = (self.squares - self.total * mean) / max(self.count - 1, 1)
        if self.count < 2 or variance < 1e-12:
            return wilson_interval(self.total, self.count, confidence)
        limits = mean_interval(mean, variance, self.count, confidence)
        assert limits is not None
        return Interval(mean, max(limits.low, 0.0), min(limits.high, 1.0))
