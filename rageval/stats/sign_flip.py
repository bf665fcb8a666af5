"""The sign-flip randomisation test (Fisher's randomisation test for pairs)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rageval.data.arrays import Floats
from rageval.stats.paired_values import Outcome, PairedTest, PairedValues, TestSettings
from rageval.stats.student import t_interval

EXACT_QUERIES = 20
"""Up to here all 2^n signs are counted."""
_TOLERANCE = 1e-12
"""Sums that differ by less than this share of sum |d| are equal: they differ by rounding only."""
_BLOCK = 1 << 22


def sign_flip(sample: PairedValues, settings: TestSettings) -> Outcome:
    """Test whether the signs of the differences could as well be random.

    p = share of sign arrangements whose |sum of differences| reaches the one seen: of all 2^n
    up to 20 queries, else (b + 1) / (B + 1) over B random ones. The signs depend on the seed and
    on the number of queries only, so a pair's p-value does not depend on its company.
    """
    if sample.n <= EXACT_QUERIES:
        p_value = np.array([_exact_p(row) for row in sample.differences])
        note = f"exact: all {1 << sample.n:,} sign flips"
    else:
        p_value = _random_p(sample.differences, settings)
        note = f"{settings.draws:,} random sign flips"
    mean, sd = sample.moments.mean, sample.moments.sd
    low, high = t_interval(mean, sd, sample.n, settings.alpha)
    notes = (note,) * len(mean)
    return Outcome(mean, np.full(len(mean), np.nan), p_value, low, high, np.sign(mean), notes)


SIGN_FLIP = PairedTest(
    key="sign-flip",
    label="sign-flip randomisation test",
    function=sign_flip,
    summary="Asks how often randomly swapping the two strategies on each query gives a mean "
    "difference as large as the one seen. Assumes nothing about the shape of the differences.",
    interval="Student's t",
    source="Fisher (1935); Smucker, Allan and Carterette (CIKM 2007).",
    random=True,
)


def _threshold(differences: Floats) -> Floats:
    total = np.abs(differences.sum(axis=-1))
    return np.asarray(total - _TOLERANCE * np.abs(differences).sum(axis=-1))


def _exact_p(differences: Floats) -> float:
    # Every sum over all queries is a sum over the first half plus one over the second, so 2^10
    # searches in a sorted 2^10 count all 2^20 arrangements.
    threshold = float(_threshold(differences))
    if threshold <= 0:
        return 1.0
    middle = len(differences) // 2
    first, second = _signed_sums(differences[:middle]), np.sort(_signed_sums(differences[middle:]))
    reached = len(second) - np.searchsorted(second, threshold - first)
    return min(2 * int(reached.sum()) / 2.0 ** len(differences), 1.0)


def _signed_sums(differences: Floats) -> Floats:
    sums = np.zeros(1)
    for difference in differences:
        sums = np.concatenate((sums - difference, sums + difference))
    return sums


def _random_p(differences: Floats, settings: TestSettings) -> Floats:
    pairs, n = differences.shape
    total, threshold = differences.sum(axis=1), _threshold(differences)
    reached = np.zeros(pairs, dtype=np.int64)
    for kept in _random_halves(n, settings, rows=max(1, _BLOCK // max(n, pairs))):
        # sum of s * d with s = 2 kept - 1
        sums = 2 * (kept @ differences.T) - total
        reached += np.count_nonzero(np.abs(sums) >= threshold, axis=0)
    return (reached + 1) / (settings.draws + 1)


def _random_halves(n: int, settings: TestSettings, rows: int) -> Iterator[Floats]:
    """Yield (rows, n) of random 0 and 1; whole words a draw, so `rows` never changes a bit."""
    generator = settings.generator()
    words = -(-n // 64)
    for start in range(0, settings.draws, rows):
        size = (min(rows, settings.draws - start), words)
        drawn = generator.integers(0, 1 << 64, size=size, dtype=np.uint64)
        # Bytes in one order on every machine, so the same seed flips the same signs.
        octets = drawn.astype("<u8").view(np.uint8)
        yield np.unpackbits(octets, axis=1, count=n).astype(np.float64)
