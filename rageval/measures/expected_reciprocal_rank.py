"""A reader who stops at the first document that satisfies."""

from __future__ import annotations

import numpy as np

from rageval.data.arrays import Bools, Floats
from rageval.data.judged_run import JudgedRun
from rageval.data.measure import BoundMeasure, Measure
from rageval.errors import InputError
from rageval.measures.hits import inside_cutoff, running_count


def expected_reciprocal_rank(judged: JudgedRun, measure: BoundMeasure) -> Floats:
    """Expect 1 / rank of the document where a reader stops.

    ERR = sum over ranks r of 1/r P(stops at r); a document of grade g satisfies with probability
    (2^g - 1) / 2^top, and a reader stops at the first that does. `top` is the highest grade of
    the whole dataset unless the label gives it (ERR(top=4)@20), never that of the query, so
    that values of queries compare. (queries,) in [0, 1), higher is better, 0 where nothing
    relevant was retrieved; even an ideal ranking stays below 1. Raises InputError for a grade
    above `top`. Source: Chapelle, Metzler, Zhang and Grinspan 2009, algorithm 2.
    """
    top = _top_grade(judged, measure)
    grade = np.maximum(judged.grade, 0)
    satisfied = np.ldexp(1.0, grade - top) - np.ldexp(1.0, -top)
    chosen = (grade > 0) & inside_cutoff(judged, measure)
    return judged.sum_by_query(_reached(judged, chosen, satisfied) * satisfied / judged.rank)


def _top_grade(judged: JudgedRun, measure: BoundMeasure) -> int:
    highest = int(judged.qrels.grade.max(initial=1))
    if measure.top is not None and highest > measure.top:
        raise InputError(
            f"{measure.label} was given {measure.top} as the highest grade, "
            f"but the judgments have a grade of {highest}",
            hint=f"write top={highest} or more, or leave top out",
        )
    return measure.top or highest


def _reached(judged: JudgedRun, chosen: Bools, satisfied: Floats) -> Floats:
    """Return the chance that a reader gets as far as each chosen hit; (hits,), 0 for others."""
    hits = np.flatnonzero(chosen)
    place = running_count(judged, chosen)[hits]
    reached = np.zeros(len(chosen))
    reading = np.ones(judged.n_queries)
    # All first hits of their queries, then all second ones, and so on.
    for step in np.split(hits[np.argsort(place, kind="stable")], np.bincount(place)[1:].cumsum()):
        reached[step] = reading[judged.query[step]]
        reading[judged.query[step]] *= 1.0 - satisfied[step]
    return reached


MEASURES = (
    Measure(
        "ERR",
        expected_reciprocal_rank,
        "How early in the first k results a reader is satisfied who stops at the first document "
        "that is good enough.",
        "sum of 1/rank P(stops there), with P(satisfied by grade g) = (2^g - 1) / 2^top",
        "Chapelle, Metzler, Zhang and Grinspan, Expected Reciprocal Rank for Graded Relevance, "
        "CIKM 2009, algorithm 2",
        aliases=("expected_reciprocal_rank",),
        cutoff="optional",
        parameters=("top",),
        family="ERR",
    ),
)
