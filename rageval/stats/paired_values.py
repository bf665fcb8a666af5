"""What a paired test gets, gives back and is: the contract of every test in the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rageval.data.arrays import Bools, Floats, Ints

TIE = 1e-9
"""Differences no larger than this count as ties in wins, ties and losses, and nowhere else."""
NO_SPREAD = 1e-12
"""Differences vary only where their spread exceeds this share of the largest value."""
_BLOCK = 1 << 15
"""Numbers per block: 256 KB, so that the passes over one block stay in the processor's cache."""


class Moments(NamedTuple):
    """What is known of each pair's differences after one pass; every array is (pairs,)."""

    mean: Floats
    sd: Floats
    """With n - 1; NaN for n < 2."""
    spread: Floats
    """Largest minus smallest difference."""
    wins: Ints
    losses: Ints


@dataclass(frozen=True, eq=False)
class PairedValues:
    """Values of strategies on the same queries, and the pairs (a, b) of them to compare.

    Values of the strategies that stand in a pair are finite; NaN may stand elsewhere.
    """

    values: Floats
    """(strategies, queries)"""
    pairs: Ints
    """(pairs, 2) positions of a and b on the axis of strategies."""

    @property
    def n(self) -> int:
        """Return the number of queries."""
        return int(self.values.shape[1])

    @cached_property
    def differences(self) -> Floats:
        """Return b - a for every pair and query; (pairs, queries)."""
        return self.values[self.pairs[:, 1]] - self.values[self.pairs[:, 0]]

    @cached_property
    def moments(self) -> Moments:
        """Return mean, spread and counts of the differences, from the differences themselves.

        Sums of squares of the values would be faster and lose the digits of small differences.
        """
        blocks = [_moments(block) for block in self._blocks()]
        return Moments(*(np.concatenate(column) for column in zip(*blocks, strict=True)))

    @cached_property
    def scale(self) -> Floats:
        """Return the largest absolute value on either side of each pair; (pairs,)."""
        largest: Floats = np.abs(self.values).max(axis=1, initial=0.0)
        return np.asarray(largest[self.pairs].max(axis=1, initial=0.0))

    @cached_property
    def testable(self) -> Bools:
        """Return whether there are two queries and differences that vary; (pairs,)."""
        varies = self.moments.spread > NO_SPREAD * self.scale
        return varies & (self.n >= 2) & (self.moments.sd > 0)

    @cached_property
    def identical(self) -> Bools:
        """Return whether both sides have the same value on every query; (pairs,)."""
        same = np.abs(self.moments.mean) <= NO_SPREAD * self.scale
        return same & ~self.testable & (self.n >= 2)

    def select(self, chosen: Bools) -> PairedValues:
        """Return the same values with only the chosen pairs."""
        # The same object where all are chosen, so that its moments are not computed again.
        return self if chosen.all() else PairedValues(self.values, self.pairs[chosen])

    def _blocks(self) -> Iterator[Floats]:
        step = max(1, _BLOCK // max(1, self.n))
        for start in range(0, max(1, len(self.pairs)), step):
            a, b = self.pairs[start : start + step].T
            yield self.values[b] - self.values[a]


def _moments(differences: Floats) -> Moments:
    pairs, n = differences.shape
    if n == 0:
        nothing, none = np.full(pairs, np.nan), np.zeros(pairs, np.int64)
        return Moments(nothing, nothing, nothing, none, none)
    mean = differences.mean(axis=1)
    spread = differences.max(axis=1) - differences.min(axis=1)
    wins = np.count_nonzero(differences > TIE, axis=1)
    losses = np.count_nonzero(differences < -TIE, axis=1)
    return Moments(mean, _sd(differences - mean[:, None]), spread, wins, losses)


def _sd(centred: Floats) -> Floats:
    pairs, n = centred.shape
    if n < 2:
        return np.full(pairs, np.nan)
    variance: Floats = np.einsum("pq,pq->p", centred, centred) / (n - 1)
    return np.sqrt(variance)


@dataclass(frozen=True, slots=True)
class TestSettings:
    """What a test needs beside the values."""

    __test__ = False  # not a test class, whatever pytest makes of the name

    alpha: float = 0.05
    """The interval's level is 1 - alpha."""
    seed: int = 0
    draws: int = 10_000
    """Random arrangements or resamples, where a test makes them."""

    def generator(self) -> np.random.Generator:
        """Return a generator that gives the same numbers at every call; any integer is a seed."""
        return np.random.default_rng(self.seed % (1 << 64))


@dataclass(frozen=True, eq=False)
class Outcome:
    """A test's result; every array is (pairs,)."""

    statistic: Floats
    df: Floats
    """NaN where the test has no degrees of freedom."""
    p_value: Floats
    """Two-sided."""
    low: Floats
    """Interval of the mean difference at 1 - alpha."""
    high: Floats
    direction: Floats
    """Sign of the direction the test speaks for: 1 for b above a."""
    notes: tuple[str, ...]
    """Per pair: which form of the test was used, in words; may be empty."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The definition of a paired test; stands beside its function."""

    key: str
    """As in `comparison.test`."""
    label: str
    function: Callable[[PairedValues, TestSettings], Outcome]
    """Gets testable pairs only: at least two queries, differences that vary, nothing undefined."""
    summary: str
    """What it asks and assumes, in plain sentences."""
    interval: str
    """Which interval of the mean difference stands beside it."""
    source: str
    random: bool = False
    """Whether it depends on the seed."""
    all_strategies: bool = False
    """Whether it reads all strategies at once, so that its p-values already hold over all pairs;
    it then uses only the queries on which every strategy has a value."""
    version: int = 1
    """Raised when its numbers change."""
