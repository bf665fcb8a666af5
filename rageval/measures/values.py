"""From a judged run and a bound measure to one value per query."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rageval.data.arrays import Floats, frozen
from rageval.data.judged_run import JudgedRun
from rageval.data.measure import BoundMeasure


def compute(measure: BoundMeasure, judged: JudgedRun) -> Floats:
    """Compute one value per judged query; (queries,) float64, read-only.

    A query that the run lacks counts as an empty ranking. NaN where a value does not exist
    (Judged@k with nothing retrieved). Raises InputError where the judgments do not fit the
    measure (an exponential gain that overflows, a grade above ERR's top).
    """
    values = measure.measure.kernel(judged, measure)
    assert values.shape == (judged.n_queries,)
    return frozen(values)


def compute_all(measures: Sequence[BoundMeasure], judged: JudgedRun) -> Floats:
    """Compute measures for every judged query; (measures, queries)."""
    return np.stack([compute(measure, judged) for measure in measures])
