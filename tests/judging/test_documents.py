from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval.data import Qrels, Run, Source
from rageval.errors import ConfigError
from rageval.judging import DocumentMap

steady = settings(max_examples=60, deadline=None)

PATTERN = r"(?P<doc>.+)#\d+"
chunks = st.tuples(st.sampled_from("abc"), st.integers(0, 3)).map(
    lambda pair: f"{pair[0]}#{pair[1]}"
)


def a_run(rankings: dict[str, list[tuple[str, float]]], *, scored: bool = True) -> Run:
    rows = [row for ranking in rankings.values() for row in ranking]
    return Run(
        tuple(rankings),
        np.cumsum([0, *map(len, rankings.values())]).astype(np.int64),
        pa.array([doc for doc, _ in rows], pa.string()),
        np.array([score for _, score in rows], np.float64) if scored else None,
        Source("run.txt", "trec-run", len(rows), 0),
    )


def lists(run: Run) -> dict[str, list[str]]:
    docs = run.doc_ids.to_pylist()
    return {q: docs[run.offsets[i] : run.offsets[i + 1]] for i, q in enumerate(run.query_ids)}


def test_the_best_chunk_stands_for_its_document() -> None:
    run = a_run(
        {"q": [("a#1", 5.0), ("b#0", 4.0), ("a#0", 3.0), ("c#9", 2.0)], "p": [("b#2", 1.0)]}
    )
    mapped = DocumentMap.from_pattern(PATTERN).map_run(run)
    assert lists(mapped) == {"q": ["a", "b", "c"], "p": ["b"]}
    assert mapped.scores is not None
    assert mapped.scores.tolist() == [5.0, 4.0, 2.0, 1.0]
    assert mapped.findings == ()


def test_ties_are_ordered_by_document() -> None:
    table = DocumentMap.from_table(pa.array(["2", "1"]), pa.array(["a", "z"]))
    assert lists(table.map_run(a_run({"q": [("2", 1.0), ("1", 1.0)]}))) == {"q": ["z", "a"]}


def test_without_scores_the_first_chunk_decides() -> None:
    table = DocumentMap.from_table(pa.array(["2", "1"]), pa.array(["a", "z"]))
    run = a_run({"q": [("2", 1.0), ("1", 1.0)]}, scored=False)
    assert lists(table.map_run(run)) == {"q": ["a", "z"]}


@steady
@given(st.dictionaries(chunks, st.sampled_from([0.0, 1.0, 2.0]), min_size=1))
def test_mapping_is_ranking_documents_by_their_best_chunk(scores: dict[str, float]) -> None:
    ranking = sorted(scores.items(), key=lambda row: (row[1], row[0]), reverse=True)
    best: dict[str, float] = {}
    for chunk, score in ranking:
        best.setdefault(chunk[0], score)
    expected = sorted(best, key=lambda doc: (best[doc], doc), reverse=True)
    mapped = DocumentMap.from_pattern(PATTERN).map_run(a_run({"q": ranking}))
    assert lists(mapped) == {"q": expected}


def test_the_first_group_counts_where_none_is_named_doc() -> None:
    run = a_run({"q": [("a/b-1", 1.0)]})
    assert lists(DocumentMap.from_pattern(r"([^/]+)/(.+)-\d+").map_run(run)) == {"q": ["a"]}
    named = DocumentMap.from_pattern(r"([^/]+)/(?P<doc>.+)-\d+")
    assert lists(named.map_run(run)) == {"q": ["b"]}


def test_ids_that_do_not_match_stay_and_are_counted() -> None:
    run = a_run({"q": [("a#1", 2.0), ("bare", 1.0)]})
    mapped = DocumentMap.from_pattern(PATTERN).map_run(run)
    assert lists(mapped) == {"q": ["a", "bare"]}
    (finding,) = mapped.findings
    assert (finding.code, finding.severity) == ("ids-without-document", "medium")
    assert (finding.count, finding.total, finding.examples) == (1, 2, ("bare",))


def test_a_mapping_that_knows_no_id_is_of_high_severity() -> None:
    (finding,) = DocumentMap.from_pattern(r"(.+)@\d").map_run(a_run({"q": [("a#1", 2.0)]})).findings
    assert finding.severity == "high"


def test_the_highest_grade_stands_in_the_judgments() -> None:
    qrels = Qrels.from_dict({"q": {"a#1": 1, "a#2": 3, "b#0": 0}, "p": {"a#1": 2}, "empty": {}})
    mapped = DocumentMap.from_pattern(PATTERN).map_qrels(qrels)
    assert mapped.query_ids == qrels.query_ids
    rows = zip(
        mapped.query.tolist(), mapped.doc_ids.to_pylist(), mapped.grade.tolist(), strict=True
    )
    assert [(mapped.query_ids[q], d, g) for q, d, g in rows] == [
        ("p", "a", 2),
        ("q", "a", 3),
        ("q", "b", 0),
    ]
    assert DocumentMap.from_pattern(PATTERN).check_qrels(mapped)[0].count == 3


def test_an_empty_run_maps_to_an_empty_run() -> None:
    mapped = DocumentMap.from_pattern(PATTERN).map_run(a_run({"q": []}))
    assert lists(mapped) == {"q": []}


@pytest.mark.parametrize(
    ("pattern", "problem"), [("(a", "not a regular expression"), ("a", "group")]
)
def test_a_pattern_that_cannot_map_is_an_error(pattern: str, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        DocumentMap.from_pattern(pattern)
