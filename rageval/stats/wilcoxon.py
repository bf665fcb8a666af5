"""The Wilcoxon signed-rank test as R's wilcox.test computes it."""

from __future__ import annotations

import numpy as np

from rageval.data.arrays import Bools, Floats
from rageval.stats.paired_values import Outcome, PairedTest, PairedValues, TestSettings
from rageval.stats.student import t_interval

EXACT_BELOW = 50
"""R computes the exact distribution for fewer queries than this, without ties and zeros."""
_EXACT = "exact distribution"
_NORMAL = "normal approximation with continuity correction"


def wilcoxon(sample: PairedValues, settings: TestSettings) -> Outcome:
    """Test whether the differences are symmetric about zero, by their signed ranks.

    The statistic is R's V, the sum of the ranks of |d| where b is higher; zeros are dropped.
    Exact for n < 50 without ties among |d| and without zeros, else the normal approximation with
    continuity correction. Differences are ranked as they are, without any rounding.
    """
    ranks = _signed_ranks(sample.differences)
    exact = _exactly(sample.differences)
    p_value = _normal_p(ranks)
    if exact.any():
        p_value[exact] = _exact_p(sample.differences[exact])
    low, high = t_interval(sample.moments.mean, sample.moments.sd, sample.n, settings.alpha)
    v = np.maximum(ranks, 0.0).sum(axis=1)
    notes = tuple(_EXACT if each else _NORMAL for each in exact)
    direction = np.sign(ranks.sum(axis=1))
    return Outcome(v, np.full(len(v), np.nan), p_value, low, high, direction, notes)


WILCOXON = PairedTest(
    key="wilcoxon",
    label="Wilcoxon signed-rank test",
    function=wilcoxon,
    summary="Asks whether the differences are symmetric about zero, by their ranks; a few large "
    "differences weigh less than in the t-test. It does not test the mean.",
    interval="Student's t",
    source="Wilcoxon (1945); R, stats::wilcox.test.",
)


def _exactly(differences: Floats) -> Bools:
    if differences.shape[1] >= EXACT_BELOW:
        return np.zeros(len(differences), dtype=np.bool_)
    sizes = np.sort(np.abs(differences), axis=1)
    return np.asarray((sizes[:, 0] > 0) & (np.diff(sizes, axis=1) > 0).all(axis=1))


def _exact_p(differences: Floats) -> Floats:
    from scipy import stats

    return np.asarray(stats.wilcoxon(differences, axis=1, method="exact").pvalue)


def _normal_p(ranks: Floats) -> Floats:
    """Return the p-value from signed ranks (pairs, queries), zeros being 0.

    V - n (n + 1) / 4 is half the sum of the signed ranks, and its variance a quarter of the sum
    of their squares, which has the correction for ties in it.
    """
    from scipy.special import ndtr

    centred = np.abs(ranks.sum(axis=1)) / 2
    sigma = np.sqrt((ranks**2).sum(axis=1)) / 2
    # As in R, the correction may step over zero: it then counts from the other side.
    z = (centred - np.where(centred > 0, 0.5, 0.0)) / sigma
    return np.asarray(2 * ndtr(-np.abs(z)))


def _signed_ranks(differences: Floats) -> Floats:
    """Return the rank of |d| among those that are not zero, with the sign of d."""
    from scipy.stats import rankdata

    zeros = np.count_nonzero(differences == 0, axis=1)[:, None]
    ranks = np.asarray(rankdata(np.abs(differences), axis=1)) - zeros
    return np.asarray(np.sign(differences) * ranks)
