"""What the rankings of one strategy look like."""

from __future__ import annotations

import math

import numpy as np

from rageval.data import BoundMeasure, JudgedRun, StrategySummary
from rageval.data.measurements import exact_mean
from rageval.judging import reorder_ties
from rageval.measures import compute


def summarise(
    strategy: str, judged: JudgedRun, primary: BoundMeasure, cutoff: int
) -> StrategySummary:
    """Describe a strategy's rankings down to a cutoff, and how much its ties could move."""
    relevant, not_relevant, unjudged = judged_shares(judged, cutoff, primary.rel)
    depths = judged.retrieved[judged.in_run]
    tied = bool(np.any(judged.tie_first != judged.tie_last))
    value = exact_mean(compute(primary, judged))
    low, high = (
        (exact_mean(compute(primary, reorder_ties(judged, best=best))) for best in (False, True))
        if tied
        else (value, value)
    )
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
        tie_low=low,
        tie_high=high,
    )


def judged_shares(judged: JudgedRun, cutoff: int, rel: int) -> tuple[float, float, float]:
    """Return the shares relevant, judged not relevant and unjudged of the top `cutoff`.

    Of all documents retrieved down to the cutoff, over all queries; NaN where there are none.
    """
    retrieved = int(np.minimum(judged.retrieved, cutoff).sum())
    if retrieved == 0:
        return math.nan, math.nan, math.nan
    top = judged.rank <= cutoff
    hits = int(top.sum())
    relevant = int((top & (judged.grade >= rel)).sum())
    return relevant / retrieved, (hits - relevant) / retrieved, (retrieved - hits) / retrieved
