"""Graded relevance, discounted by rank and compared with the best possible ranking."""

from __future__ import annotations

import numpy as np

from rageval.data.arrays import Floats, Int32s
from rageval.data.judged_run import JudgedRun
from rageval.data.measure import BoundMeasure, Measure
from rageval.data.qrels import Qrels
from rageval.errors import InputError
from rageval.measures.hits import inside_cutoff, share

MAX_EXPONENT = 1000
"""Highest grade with an exponential gain: float64 ends at 2^1024, and gains are still summed."""


def ndcg(judged: JudgedRun, measure: BoundMeasure) -> Floats:
    """Divide the discounted gain of the ranking by that of the best possible ranking.

    nDCG = DCG / ideal DCG, DCG = sum of gain(grade) / log2(rank + 1), both cut at k; the ideal
    ranks all judged documents of the query by grade. gain is the grade (linear) or
    2^grade - 1 (exponential); a negative grade gains 0. (queries,) in [0, 1], higher is better;
    0 where no document has a gain. Raises InputError for an exponential gain beyond float64.
    Source: Järvelin and Kekäläinen 2002; trec_eval, m_ndcg_cut.c (linear).
    """
    gains = np.where(inside_cutoff(judged, measure), _gains(judged.grade, measure), 0.0)
    dcg = judged.sum_by_query(gains / np.log2(judged.rank + 1.0))
    # Rounding can lift a ranking that differs from the ideal one only far down above 1.
    return np.minimum(share(dcg, _ideal_dcg(judged.qrels, measure)), 1.0)


def _gains(grade: Int32s, measure: BoundMeasure) -> Floats:
    gains = np.maximum(grade, 0).astype(np.float64)
    if measure.gain == "linear":
        return gains
    if grade.max(initial=0) > MAX_EXPONENT:
        raise InputError(
            f"a grade of {grade.max()} is too high for {measure.label}: 2^{grade.max()} overflows",
            hint=f"use linear gain, or map grades to at most {MAX_EXPONENT} with grade_map",
        )
    return np.exp2(gains) - 1.0


def _ideal_dcg(qrels: Qrels, measure: BoundMeasure) -> Floats:
    # Rows stand in descending order of grade within each query: that is the ideal ranking.
    rank = np.arange(len(qrels.query)) - qrels.offsets[qrels.query] + 1
    discounted = _gains(qrels.grade, measure) / np.log2(rank + 1.0)
    if measure.cutoff is not None:
        discounted[rank > measure.cutoff] = 0.0
    total = np.bincount(qrels.query, weights=discounted, minlength=len(qrels.query_ids))
    return total.astype(np.float64, copy=False)  # integers where there are no rows at all


MEASURES = (
    Measure(
        "nDCG",
        ndcg,
        "How near the order of the first k results is to the best possible one, "
        "counting higher grades and higher places more.",
        "DCG / ideal DCG, DCG = sum of gain / log2(rank + 1); "
        "gain = grade (linear) or 2^grade - 1 (exponential)",
        "Järvelin and Kekäläinen, Cumulated Gain-Based Evaluation of IR Techniques, TOIS 2002; "
        "trec_eval, m_ndcg_cut.c",
        aliases=("ndcg",),
        cutoff="optional",
        parameters=("gain",),
        family="nDCG",
    ),
)
