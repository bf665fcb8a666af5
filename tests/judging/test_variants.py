from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval.data import Dataset, JudgedRun, Qrels, Run, Source
from rageval.judging import condense, judge, reorder_ties

steady = settings(max_examples=60, deadline=None)

rankings = st.lists(
    st.tuples(st.sampled_from([2.0, 1.0, 0.0]), st.sampled_from([None, -1, 0, 1, 2])),
    min_size=1,
    max_size=7,
)


def judged_run(*rows: list[tuple[float, int | None]]) -> JudgedRun:
    """Judge rankings of (score, grade); a grade of None is unjudged."""
    ranked = [sorted(ranking, key=lambda row: -row[0]) for ranking in rows]
    names = [[f"d{9 - i}" for i in range(len(ranking))] for ranking in ranked]
    judgments = {
        f"q{i}": {
            doc: grade
            for doc, (_, grade) in zip(names[i], ranking, strict=True)
            if grade is not None
        }
        for i, ranking in enumerate(ranked)
    }
    run = Run(
        tuple(judgments),
        np.cumsum([0, *map(len, ranked)]).astype(np.int64),
        pa.array([doc for docs in names for doc in docs], pa.string()),
        np.array([score for ranking in ranked for score, _ in ranking]),
        Source("run.txt", "trec-run", 0, 0),
    )
    return judge(run, Dataset("tiny", Qrels.from_dict(judgments)), cutoffs=(1,))


def dcg(grades: list[int | None]) -> float:
    gains = np.array([max(grade or 0, 0) for grade in grades], float)
    return float((gains / np.log2(np.arange(len(gains)) + 2)).sum())


def dcg_of(judged: JudgedRun) -> float:
    return float((np.maximum(judged.grade, 0) / np.log2(judged.rank + 1)).sum())


@steady
@given(rankings)
def test_reordered_ties_bound_every_order_of_ties(rows: list[tuple[float, int | None]]) -> None:
    judged = judged_run(rows)
    values = [
        dcg([grade for _, grade in order])
        for order in permutations(rows)
        if all(a[0] >= b[0] for a, b in pairwise(order))
    ]
    assert np.isclose(dcg_of(reorder_ties(judged, best=True)), max(values))
    assert np.isclose(dcg_of(reorder_ties(judged, best=False)), min(values))


@steady
@given(rankings, rankings)
def test_reordering_keeps_hits_within_their_ties(
    first: list[tuple[float, int | None]], second: list[tuple[float, int | None]]
) -> None:
    judged = judged_run(first, second)
    for best in (True, False):
        other = reorder_ties(judged, best=best)
        assert (other.tie_first <= other.rank).all()
        assert (other.rank <= other.tie_last).all()
        places = list(zip(other.query.tolist(), other.rank.tolist(), strict=True))
        assert places == sorted(set(places))
        key = np.lexsort((other.grade, other.tie_first, other.query))
        same = np.lexsort((judged.grade, judged.tie_first, judged.query))
        assert other.grade[key].tolist() == judged.grade[same].tolist()


@steady
@given(rankings, rankings)
def test_condensed_ranks_count_judged_documents(
    first: list[tuple[float, int | None]], second: list[tuple[float, int | None]]
) -> None:
    judged = judged_run(first, second)
    condensed = condense(judged)
    for i in range(2):
        mine = condensed.query == i
        assert condensed.rank[mine].tolist() == list(range(1, mine.sum() + 1))
        assert condensed.retrieved[i] == mine.sum()
    assert condensed.grade.tolist() == judged.grade.tolist()


@steady
@given(rankings)
def test_condensed_ties_are_those_of_the_list_without_unjudged_documents(
    rows: list[tuple[float, int | None]],
) -> None:
    condensed = condense(judged_run(rows))
    alone = judged_run([row for row in rows if row[1] is not None])
    assert condensed.tie_first.tolist() == alone.tie_first.tolist()
    assert condensed.tie_last.tolist() == alone.tie_last.tolist()


def test_nothing_judged_stays_empty() -> None:
    judged = judged_run([(1.0, None)])
    assert len(condense(judged).rank) == 0
    assert len(reorder_ties(judged, best=True).rank) == 0
