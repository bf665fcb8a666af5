"""Repeated runs of one strategy: their mean per query, and how far they lie apart."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rageval.data import RepeatSpread
from rageval.data.arrays import Floats
from rageval.data.measurements import exact_mean


def mean_of_runs(values: Sequence[Floats]) -> Floats:
    """Average the runs of one strategy elementwise; NaN where no run has a value.

    All arrays have one shape. A run that lacks a query has the value 0 there, and counts.
    """
    if len(values) == 1:
        return values[0]
    stacked = np.stack(values)
    counts = np.count_nonzero(~np.isnan(stacked), axis=0)
    means = np.full(counts.shape, np.nan)
    np.divide(np.nansum(stacked, axis=0), counts, out=means, where=counts > 0)
    return means


def spread(strategy: str, measure: str, values: Sequence[Floats]) -> RepeatSpread:
    """Describe how far repeated runs lie apart; each array is (queries,), one a run.

    sd = sqrt(sum((m_i - mean(m))^2 / (r - 1))) over the means m_i of r >= 2 runs.
    """
    means = tuple(exact_mean(run) for run in values)
    exist = not any(map(math.isnan, means))
    return RepeatSpread(
        strategy,
        measure,
        means,
        # Seen from the first, so that equal means have a deviation of exactly 0.
        sd=float(np.std(np.array(means) - means[0], ddof=1)) if exist else math.nan,
        low=min(means) if exist else math.nan,
        high=max(means) if exist else math.nan,
    )
