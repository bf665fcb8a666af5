"""Precision averaged over the ranks of the relevant documents."""

from __future__ import annotations

import numpy as np

from rageval.data.arrays import Floats
from rageval.data.judged_run import JudgedRun
from rageval.data.measure import BoundMeasure, Measure
from rageval.measures.hits import relevant_hits, running_count, share


def average_precision(judged: JudgedRun, measure: BoundMeasure) -> Floats:
    """Average the precision at the rank of each relevant document.

    AP = sum over relevant documents retrieved (inside the cutoff) of P@rank, divided by all
    relevant documents, whatever the cutoff; (queries,) in [0, 1], higher is better; 0 where no
    document is relevant. Source: trec_eval, m_map.c and m_map_cut.c.
    """
    chosen = relevant_hits(judged, measure)
    precisions = np.where(chosen, running_count(judged, chosen) / judged.rank, 0.0)
    return share(judged.sum_by_query(precisions), judged.qrels.relevant(measure.rel))


MEASURES = (
    Measure(
        "AP",
        average_precision,
        "Precision averaged over the places of all relevant documents in the first k results; "
        "rewards finding all of them early.",
        "sum of P@rank over relevant documents retrieved / |relevant|",
        "Buckley and Voorhees, Evaluating Evaluation Measure Stability, SIGIR 2000; "
        "trec_eval, m_map.c",
        aliases=("ap", "map"),
        cutoff="optional",
        parameters=("rel",),
        family="average precision",
    ),
)
