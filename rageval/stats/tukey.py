"""Tukey's honestly significant differences over all strategies, with queries as blocks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

import numpy as np

from rageval.data.arrays import Floats, Ints
from rageval.stats.paired_values import Outcome, PairedTest, PairedValues, TestSettings
from rageval.stats.student import t_interval

EXACT_ARRANGEMENTS = 1_000_000
"""Up to so many arrangements are all counted."""
_TOLERANCE = 1e-12
_BLOCK = 1 << 21


def tukey_randomised(sample: PairedValues, settings: TestSettings) -> Outcome:
    """Test each pair against the largest difference of means that chance gives to any pair.

    Within each query the values are permuted over all strategies; p = share of arrangements whose
    range of strategy means reaches the pair's |mean difference|: of all (k!)^n arrangements up to
    a million, else (b + 1) / (B + 1). The p-values hold over all pairs at once.
    """
    rows = sample.values[~np.isnan(sample.values).any(axis=1)]
    mean, sd = sample.moments.mean, sample.moments.sd
    threshold = np.abs(mean) - _TOLERANCE * np.abs(rows).max()
    p_value, note = _p_value(rows, threshold, settings)
    low, high = t_interval(mean, sd, sample.n, settings.alpha)
    notes = (f"{note}; p holds over all pairs of {len(rows)} strategies",) * len(mean)
    return Outcome(mean, np.full(len(mean), np.nan), p_value, low, high, np.sign(mean), notes)


TUKEY_RANDOMISED = PairedTest(
    key="tukey-randomised",
    label="randomised Tukey HSD",
    function=tukey_randomised,
    summary="Asks how often shuffling the strategies within each query gives any two of them a "
    "mean difference as large as the pair's. The p-values already hold over all pairs.",
    interval="Student's t",
    source="Carterette (2012), ACM TOIS 30(1); Sakai (2018), Laboratory Experiments in IR.",
    random=True,
    all_strategies=True,
)


def _p_value(rows: Floats, threshold: Floats, settings: TestSettings) -> tuple[Floats, str]:
    k, n = rows.shape
    # Logarithms first: (30!)^1000 is not worth computing to see that it is too large.
    if n * math.lgamma(k + 1) <= math.log(EXACT_ARRANGEMENTS) + 1e-9:
        ranges = _all_ranges(rows)
        reached = _reached(ranges, threshold)
        return reached / len(ranges), f"exact: all {math.factorial(k) ** n:,} arrangements"
    reached = _reached(np.concatenate(list(_random_ranges(rows, settings))), threshold)
    return (reached + 1) / (settings.draws + 1), f"{settings.draws:,} random arrangements"


def _reached(ranges: Floats, threshold: Floats) -> Ints:
    return np.asarray(len(ranges) - np.searchsorted(np.sort(ranges), threshold))


def _all_ranges(rows: Floats) -> Floats:
    """Return the range of means of every arrangement, up to renaming the strategies."""
    # Renaming all strategies alike changes no range, so the first query may stay as it is.
    sums = rows[:, :1].T
    for values in rows.T[1:]:
        arranged = np.array(list(permutations(values)))
        sums = (sums[:, None, :] + arranged).reshape(-1, len(rows))
    return np.asarray(np.ptp(sums, axis=1) / rows.shape[1])


def _random_ranges(rows: Floats, settings: TestSettings) -> Iterator[Floats]:
    k, n = rows.shape
    generator = settings.generator()
    step = max(1, _BLOCK // (k * n))
    for start in range(0, settings.draws, step):
        size = min(step, settings.draws - start)
        arranged = np.broadcast_to(rows.T, (size, n, k)).copy()
        generator.permuted(arranged, axis=2, out=arranged)
        yield np.ptp(arranged.sum(axis=1), axis=1) / n


class TwoWayTukey(NamedTuple):
    """The classical test's result; every array is (pairs,)."""

    mean_difference: Floats
    low: Floats
    high: Floats
    p_value: Floats


def two_way_tukey(sample: PairedValues, alpha: float = 0.05) -> TwoWayTukey:
    """Compute classical Tukey HSD in the two-way layout strategy + query, without interaction.

    q = |mean difference| / sqrt(MSE / n) against the studentised range of k strategies with
    (k - 1)(n - 1) degrees of freedom; MSE is that of the residuals. R: TukeyHSD(aov(value ~
    strategy + query), "strategy"). Leaving the queries out (one-way) would be wrong for paired
    values. Needs values everywhere, k >= 2, n >= 2 and residuals that are not all zero.
    """
    from scipy.stats import studentized_range

    k, n = sample.values.shape
    df = (k - 1) * (n - 1)
    error = math.sqrt(_residual_squares(sample.values) / df / n)
    mean = sample.differences.mean(axis=1)
    half = float(studentized_range.ppf(1 - alpha, k, df)) * error
    p_value = np.asarray(studentized_range.sf(np.abs(mean) / error, k, df))
    return TwoWayTukey(mean, mean - half, mean + half, p_value)


def _residual_squares(values: Floats) -> float:
    by_strategy = values.mean(axis=1, keepdims=True)
    residuals = values - by_strategy - values.mean(axis=0) + values.mean()
    return float((residuals**2).sum())
