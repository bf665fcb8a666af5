"""A reader who goes on to the next document with a fixed probability."""

from __future__ import annotations

import numpy as np

from rageval.data.arrays import Floats
from rageval.data.judged_run import JudgedRun
from rageval.data.measure import BoundMeasure, Measure
from rageval.measures.hits import relevant_hits


def rank_biased_precision(judged: JudgedRun, measure: BoundMeasure) -> Floats:
    """Weigh each relevant document by the chance that a reader of persistence p gets there.

    RBP = (1 - p) sum over relevant documents of p^(rank - 1); (queries,) in [0, 1), higher is
    better, always defined; even an ideal ranking stays below 1. Source: Moffat and Zobel 2008,
    equation 6.
    """
    chosen = relevant_hits(judged, measure)
    weights = np.where(chosen, measure.p ** (judged.rank - 1.0), 0.0)
    return (1.0 - measure.p) * judged.sum_by_query(weights)


MEASURES = (
    Measure(
        "RBP",
        rank_biased_precision,
        "Share of relevant documents that a reader sees who goes on from one result to the next "
        "with probability p, within the first k results.",
        "(1 - p) sum of p^(rank - 1) over relevant documents",
        "Moffat and Zobel, Rank-Biased Precision for Measurement of Retrieval Effectiveness, "
        "TOIS 2008, equation 6",
        aliases=("rank_biased_precision",),
        cutoff="optional",
        parameters=("p", "rel"),
        family="RBP",
    ),
)
