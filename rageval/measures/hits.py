"""What the kernels share: choosing judged hits, counting them by query, dividing safely."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rageval.data.arrays import Bools, Floats, Ints
from rageval.data.judged_run import JudgedRun
from rageval.data.measure import BoundMeasure


def inside_cutoff(judged: JudgedRun, measure: BoundMeasure) -> Bools:
    """Tell which hits stand at or above the cutoff, all where there is none; (hits,)."""
    if measure.cutoff is None:
        return np.ones(len(judged.rank), np.bool_)
    return judged.rank <= measure.cutoff


def relevant_hits(judged: JudgedRun, measure: BoundMeasure) -> Bools:
    """Tell which hits are relevant (grade >= rel) and inside the cutoff; (hits,)."""
    return (judged.grade >= measure.rel) & inside_cutoff(judged, measure)


def count_by_query(judged: JudgedRun, chosen: Bools) -> Ints:
    """Count the chosen hits of each query; (queries,)."""
    return np.bincount(judged.query[chosen], minlength=judged.n_queries)


def running_count(judged: JudgedRun, chosen: Bools) -> Ints:
    """Count the chosen hits of the same query down to and including each hit; (hits,)."""
    total = np.concatenate(([0], np.cumsum(chosen)))
    return total[1:] - total[judged.offsets[judged.query]]


def share(part: NDArray[Any], whole: NDArray[Any] | int, undefined: float = 0.0) -> Floats:
    """Divide part by whole, giving `undefined` where whole is 0; (queries,)."""
    result = np.full(len(part), undefined, np.float64)
    np.divide(part, whole, out=result, where=np.asarray(whole) > 0)
    return result
