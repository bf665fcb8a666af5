"""The bias-corrected and accelerated (BCa) bootstrap of the mean difference."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rageval.data.arrays import Floats
from rageval.stats.paired_values import Outcome, PairedTest, PairedValues, TestSettings

_TOLERANCE = 1e-12
_BLOCK = 1 << 22
_KEPT = 1 << 24
"""Resampled means held at once: 128 MB."""


def bootstrap_bca(sample: PairedValues, settings: TestSettings) -> Outcome:
    """Give each pair the BCa interval of its mean difference, and the p-value it implies.

    Queries are resampled B times with replacement. The p-value is the smallest alpha whose
    interval leaves out zero, solved for in closed form; it is never below 1 / (B + 1), and
    p < alpha exactly where the interval excludes zero (up to the resolution of B resamples).
    """
    step = max(1, _KEPT // settings.draws)
    blocks = range(0, max(1, len(sample.pairs)), step)
    parts = [_bca(sample.differences[i : i + step], settings) for i in blocks]
    p_value, low, high = (np.concatenate(column) for column in zip(*parts, strict=True))
    mean = sample.moments.mean
    notes = (f"{settings.draws:,} resamples",) * len(mean)
    return Outcome(mean, np.full(len(mean), np.nan), p_value, low, high, np.sign(mean), notes)


BOOTSTRAP_BCA = PairedTest(
    key="bootstrap-bca",
    label="BCa bootstrap",
    function=bootstrap_bca,
    summary="Asks whether zero lies outside the bias-corrected and accelerated bootstrap interval "
    "of the mean difference. Assumes nothing about the shape, but needs more than a handful of "
    "queries.",
    interval="BCa bootstrap",
    source="Efron (1987), Better bootstrap confidence intervals, JASA 82, equation 6.8.",
    random=True,
)


def _bca(differences: Floats, settings: TestSettings) -> tuple[Floats, Floats, Floats]:
    means = resampled_means(differences, settings)
    noise = _TOLERANCE * np.abs(differences).mean(axis=1)
    bias = _normal_rank(means, differences.mean(axis=1), noise)
    acceleration = _acceleration(differences)
    p_value = _p_value(_normal_rank(means, np.zeros(len(noise)), noise), bias, acceleration)
    means.sort(axis=0)
    low, high = bca_interval(means, bias, acceleration, settings.alpha)
    return np.clip(p_value, 1 / (settings.draws + 1), 1.0), low, high


def resampled_means(differences: Floats, settings: TestSettings) -> Floats:
    """Return the mean difference of each pair in each resample; (draws, pairs)."""
    pairs, n = differences.shape
    rows = max(1, _BLOCK // max(n, pairs))
    sums = [counts @ differences.T for counts in _counts(n, settings, rows)]
    return np.asarray(np.concatenate(sums) / n)


def _counts(n: int, settings: TestSettings, rows: int) -> Iterator[Floats]:
    """Yield how often each query stands in each resample; (rows, n)."""
    generator = settings.generator()
    for start in range(0, settings.draws, rows):
        size = min(rows, settings.draws - start)
        drawn = generator.integers(0, n, size=(size, n)) + n * np.arange(size)[:, None]
        yield np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n).astype(np.float64)


def _normal_rank(means: Floats, point: Floats, noise: Floats) -> Floats:
    """Return the normal quantile of the share of resamples below a point, ties half."""
    from scipy.special import ndtri

    below = np.count_nonzero(means < point - noise, axis=0)
    up_to = np.count_nonzero(means <= point + noise, axis=0)
    draws = len(means)
    smaller_side = np.minimum(below + up_to, 2 * draws - below - up_to) / (2 * draws)
    # Never 0 or 1: B resamples cannot show a share below 1 / (B + 1). From the smaller side, so
    # that swapping a and b mirrors it exactly.
    rank = ndtri(np.maximum(smaller_side, 1 / (draws + 1)))
    return np.asarray(np.where(below + up_to < draws, rank, -rank))


def _acceleration(differences: Floats) -> Floats:
    """Return sum(c^3) / (6 sum(c^2)^1.5), c = d - mean: the jackknife's value for a mean."""
    centred = differences - differences.mean(axis=1)[:, None]
    centred /= np.abs(centred).max(axis=1)[:, None]  # no underflow in cubes of small differences
    return np.asarray((centred**3).sum(axis=1) / (6 * (centred**2).sum(axis=1) ** 1.5))


def bca_interval(
    ordered: Floats, bias: Floats, acceleration: Floats, alpha: float
) -> tuple[Floats, Floats]:
    """Return the BCa interval from sorted resampled means; (draws, pairs) to two of (pairs,)."""
    from scipy.special import ndtr, ndtri

    ends = []
    for z in (ndtri(alpha / 2), -ndtri(alpha / 2)):
        shifted = bias + z
        share = ndtr(bias + shifted / np.maximum(1 - acceleration * shifted, 1e-9))
        ends.append(_quantile(ordered, np.asarray(share)))
    return ends[0], ends[1]


def _quantile(ordered: Floats, share: Floats) -> Floats:
    place = share * (len(ordered) - 1)
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, len(ordered) - 1)
    column = np.arange(ordered.shape[1])
    left, right = ordered[below, column], ordered[above, column]
    return left + (place - below) * (right - left)


def _p_value(zero: Floats, bias: Floats, acceleration: Floats) -> Floats:
    """Solve the interval's end for the alpha at which it is zero."""
    from scipy.special import ndtr

    shifted = zero - bias
    z = shifted / np.maximum(1 + acceleration * shifted, 1e-9) - bias
    return np.asarray(2 * ndtr(-np.abs(z)))
