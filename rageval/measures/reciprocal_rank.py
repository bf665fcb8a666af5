"""How soon the first relevant document comes."""

from __future__ import annotations

import numpy as np

from rageval.data.arrays import Floats
from rageval.data.judged_run import JudgedRun
from rageval.data.measure import BoundMeasure, Measure
from rageval.measures.hits import relevant_hits


def reciprocal_rank(judged: JudgedRun, measure: BoundMeasure) -> Floats:
    """Give 1 / rank of the first relevant document.

    RR = 1 / rank; (queries,) in [0, 1], higher is better; 0 where none was retrieved (inside the
    cutoff, if there is one). Source: trec_eval, m_recip_rank.c.
    """
    chosen = relevant_hits(judged, measure)
    first = np.full(judged.n_queries, np.inf)
    np.minimum.at(first, judged.query[chosen], judged.rank[chosen])
    return 1.0 / first


MEASURES = (
    Measure(
        "MRR",
        reciprocal_rank,
        "How high the first relevant document stands in the first k results: "
        "1 at the top, 1/2 in second place, and so on.",
        "1 / rank of the first relevant document; 0 if there is none",
        "Voorhees, The TREC-8 Question Answering Track Report, 1999; trec_eval, m_recip_rank.c",
        aliases=("mrr", "RR", "recip_rank"),
        cutoff="optional",
        parameters=("rel",),
        family="reciprocal rank",
    ),
)
