"""Measures that count relevant documents above a cutoff, in whatever order."""

from __future__ import annotations

import numpy as np

from rageval.data.arrays import Floats
from rageval.data.judged_run import JudgedRun
from rageval.data.measure import BoundMeasure, Measure
from rageval.measures.hits import count_by_query, inside_cutoff, relevant_hits, share

_FAMILY = "precision and recall"
_BOOK = "Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, "


def precision(judged: JudgedRun, measure: BoundMeasure) -> Floats:
    """Divide the relevant documents among the first k by k, even if fewer were retrieved.

    P@k = |relevant in first k| / k; (queries,) in [0, 1], higher is better, always defined.
    Source: trec_eval, m_P.c.
    """
    assert measure.cutoff is not None
    return count_by_query(judged, relevant_hits(judged, measure)) / float(measure.cutoff)


def recall(judged: JudgedRun, measure: BoundMeasure) -> Floats:
    """Divide the relevant documents among the first k by all relevant documents.

    R@k = |relevant in first k| / |relevant|; (queries,) in [0, 1], higher is better; 0 where no
    document is relevant. Source: trec_eval, m_recall.c.
    """
    found = count_by_query(judged, relevant_hits(judged, measure))
    return share(found, judged.qrels.relevant(measure.rel))


def f1(judged: JudgedRun, measure: BoundMeasure) -> Floats:
    """Take the harmonic mean of precision and recall at k, query by query.

    F1@k = 2 P R / (P + R) = 2 |relevant in first k| / (k + |relevant|); (queries,) in [0, 1],
    higher is better; 0 where both are 0. Source: van Rijsbergen 1979, chapter 7.
    """
    assert measure.cutoff is not None
    found = count_by_query(judged, relevant_hits(judged, measure))
    return 2.0 * found / (measure.cutoff + judged.qrels.relevant(measure.rel))


def success(judged: JudgedRun, measure: BoundMeasure) -> Floats:
    """Give 1 where any of the first k documents is relevant, else 0.

    (queries,) 0 or 1, higher is better, always defined. Source: trec_eval, m_success.c.
    """
    return np.minimum(count_by_query(judged, relevant_hits(judged, measure)), 1.0)


def r_precision(judged: JudgedRun, measure: BoundMeasure) -> Floats:
    """Take the precision at rank R, where R is the query's number of relevant documents.

    Rprec = |relevant in first R| / R; (queries,) in [0, 1], higher is better; 0 where no document
    is relevant. Source: trec_eval, m_Rprec.c.
    """
    relevant = judged.qrels.relevant(measure.rel)
    inside = relevant_hits(judged, measure) & (judged.rank <= relevant[judged.query])
    return share(count_by_query(judged, inside), relevant)


def judged_share(judged: JudgedRun, measure: BoundMeasure) -> Floats:
    """Divide the judged documents among the first k by how many stand there.

    Judged@k = |judged in first k| / min(k, |retrieved|); (queries,) in [0, 1]; NaN where nothing
    was retrieved. A property of the judgments as much as of the strategy: 1 means that no value
    of the other measures at k rests on an unjudged document.
    """
    assert measure.cutoff is not None
    known = count_by_query(judged, inside_cutoff(judged, measure))
    return share(known, np.minimum(judged.retrieved, measure.cutoff), undefined=np.nan)


MEASURES = (
    Measure(
        "Recall",
        recall,
        "Share of all relevant documents that stand among the first k results.",
        "|relevant in first k| / |relevant|",
        _BOOK + "section 8.3; trec_eval, m_recall.c",
        aliases=("recall", "R"),
        parameters=("rel",),
        family=_FAMILY,
    ),
    Measure(
        "Precision",
        precision,
        "Share of the first k results that is relevant.",
        "|relevant in first k| / k",
        _BOOK + "section 8.3; trec_eval, m_P.c",
        aliases=("precision", "P"),
        parameters=("rel",),
        family=_FAMILY,
    ),
    Measure(
        "F1",
        f1,
        "Balance of precision and recall over the first k results.",
        "2 P R / (P + R), per query; 0 where both are 0",
        "van Rijsbergen, Information Retrieval, 1979, chapter 7",
        aliases=("f1",),
        parameters=("rel",),
        family=_FAMILY,
    ),
    Measure(
        "Success",
        success,
        "Whether anything relevant stands among the first k results.",
        "1 if |relevant in first k| > 0, else 0",
        "trec_eval, m_success.c",
        aliases=("success", "hit_rate", "hit"),
        parameters=("rel",),
        family=_FAMILY,
    ),
    Measure(
        "Rprec",
        r_precision,
        "Precision at the rank where a perfect ranking would have shown every relevant document.",
        "|relevant in first R| / R, with R = |relevant|",
        _BOOK + "section 8.4; trec_eval, m_Rprec.c",
        aliases=("r_precision",),
        cutoff="none",
        parameters=("rel",),
        family=_FAMILY,
    ),
    Measure(
        "Judged",
        judged_share,
        "Share of the first k results that somebody has judged; low values mean that the other "
        "measures rest on guesses.",
        "|judged in first k| / min(k, |retrieved|); undefined where nothing was retrieved",
        "trec_eval, m_unj.c (its complement)",
        aliases=("judged",),
        family=_FAMILY,
    ),
)
