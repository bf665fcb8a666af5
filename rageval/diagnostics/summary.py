"""What the rankings of one strategy look like."""

from __future__ import annotations

import math

import numpy as np

from rageval.data import BoundMeasure, JudgedRun, StrategySummary
from rageval.data.arrays import Floats
from rageval.data.measurements import exact_mean
from rageval.diagnostics.repeats import mean_of_runs
from rageval.judging import reorder_ties
from rageval.measures import compute
from rageval.measures.hits import count_by_query


def summarise(
    strategy: str, judged: JudgedRun, primary: BoundMeasure, cutoff: int
) -> StrategySummary:
    """Describe a strategy's rankings down to a cutoff, and how much its ties could move."""
    relevant, not_relevant, unjudged = judged_shares(judged, cutoff, primary.rel)
    depths = judged.retrieved[judged.in_run]
    low, high = tie_bounds(judged, primary)
    return StrategySummary(
        strategy=strategy,
        queries_in_run=int(judged.in_run.sum()),
        min_retrieved=int(depths.min()) if len(depths) else 0,
        median_retrieved=float(np.median(depths)) if len(depths) else 0.0,
        max_retrieved=int(depths.max(initial=0)),
        cutoff=cutoff,
        relevant_share=relevant,
        not_relevant_share=not_relevant,
        unjudged_share=unjudged,
        tied_queries=int(judged.straddled[cutoff].sum()) if cutoff in judged.straddled else 0,
        tie_low=exact_mean(low),
        tie_high=exact_mean(high),
    )


def tie_bounds(judged: JudgedRun, measure: BoundMeasure) -> tuple[Floats, Floats]:
    """Return the values in the worst and in the best order of equal scores; (queries,) each.

    Repeated runs are averaged per query, as in the measurements.
    """
    low, high = (
        mean_of_runs([compute(measure, _in_order(run, best=best)) for run in judged.runs])
        for best in (False, True)
    )
    return low, high


def _in_order(judged: JudgedRun, *, best: bool) -> JudgedRun:
    tied = bool(np.any(judged.tie_first != judged.tie_last))
    return reorder_ties(judged, best=best) if tied else judged


def judged_shares(judged: JudgedRun, cutoff: int, rel: int) -> tuple[float, float, float]:
    """Return the shares relevant, judged not relevant and unjudged of the top `cutoff`.

    Each is the mean over the queries that retrieved anything of count / min(cutoff, retrieved),
    so that 1 - unjudged is judged@cutoff; NaN where no query did.
    """
    retrieved = np.minimum(judged.retrieved, cutoff)
    some = retrieved > 0
    if not some.any():
        return math.nan, math.nan, math.nan
    top = judged.rank <= cutoff
    hits = count_by_query(judged, top)
    relevant = count_by_query(judged, top & (judged.grade >= rel))
    counts = (relevant, hits - relevant, retrieved - hits)
    of_relevant, of_others, of_unjudged = (exact_mean(c[some] / retrieved[some]) for c in counts)
    return of_relevant, of_others, of_unjudged
