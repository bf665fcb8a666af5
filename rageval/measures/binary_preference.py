"""Preferences among judged documents alone."""

from __future__ import annotations

import numpy as np

from rageval.data.arrays import Floats
from rageval.data.judged_run import JudgedRun
from rageval.data.measure import BoundMeasure, Measure
from rageval.measures.hits import relevant_hits, running_count, share


def binary_preference(judged: JudgedRun, measure: BoundMeasure) -> Floats:
    """Count how seldom judged non-relevant documents stand above relevant ones.

    bpref = 1/R sum over relevant documents retrieved of 1 - min(n, R) / min(N, R), with n the
    judged non-relevant documents above it, R and N all relevant and non-relevant judgments.
    Unjudged documents are passed over. (queries,) in [0, 1], higher is better; 0 where no
    document is relevant. A negative grade is judged and not relevant here, while trec_eval takes
    -1 and -2 for not judged. Source: Buckley and Voorhees 2004; trec_eval, m_bpref.c.
    """
    chosen = relevant_hits(judged, measure)
    relevant = judged.qrels.relevant(measure.rel)
    others = np.diff(judged.qrels.offsets) - relevant
    above = np.minimum(running_count(judged, ~chosen), relevant[judged.query])
    lost = share(above, np.minimum(others, relevant)[judged.query])
    return share(judged.sum_by_query(np.where(chosen, 1.0 - lost, 0.0)), relevant)


MEASURES = (
    Measure(
        "bpref",
        binary_preference,
        "How seldom documents judged not relevant stand above relevant ones; "
        "ignores documents that nobody judged.",
        "1/R sum of 1 - min(n, R) / min(N, R) over relevant documents retrieved, "
        "n non-relevant ones above it",
        "Buckley and Voorhees, Retrieval Evaluation with Incomplete Information, SIGIR 2004; "
        "trec_eval, m_bpref.c",
        aliases=("binary_preference",),
        cutoff="none",
        parameters=("rel",),
        family="bpref",
    ),
)
