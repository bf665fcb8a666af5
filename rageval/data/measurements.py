"""The cube of values: measure x strategy x query."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rageval.data.arrays import Floats, frozen


@dataclass(frozen=True, eq=False)
class Measurements:
    """One value per measure, strategy and query, on one query axis for all strategies."""

    measures: tuple[str, ...]
    """Keys of the measures (the user's spelling)."""
    strategies: tuple[str, ...]
    query_ids: tuple[str, ...]
    values: Floats
    """(measures, strategies, queries) float64, read-only; NaN where a value does not exist."""

    def __post_init__(self) -> None:
        assert self.values.shape == (
            len(self.measures),
            len(self.strategies),
            len(self.query_ids),
        )
        frozen(self.values)

    def vector(self, measure: str, strategy: str) -> Floats:
        """Return one strategy's values over the query axis; (queries,)."""
        values: Floats = self.values[self.measures.index(measure), self.strategies.index(strategy)]
        return values

    def matrix(self, measure: str) -> Floats:
        """Return all strategies' values of one measure; (strategies, queries)."""
        values: Floats = self.values[self.measures.index(measure)]
        return values

    def mean(self, measure: str, strategy: str) -> float:
        """Return the mean over the queries where the value exists; NaN where none does."""
        return exact_mean(self.vector(measure, strategy))


def exact_mean(values: Floats) -> float:
    """Return the mean of the values that exist, summed exactly so that order never matters."""
    defined = values[~np.isnan(values)]
    return math.fsum(defined.tolist()) / len(defined) if len(defined) else math.nan
