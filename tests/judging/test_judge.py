from __future__ import annotations

from typing import Literal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval.data import Dataset, JudgedRun, Qrels, Run, Source
from rageval.data.hashing import hash_strings
from rageval.errors import InputError
from rageval.judging import judge

steady = settings(max_examples=60, deadline=None)

Rankings = dict[str, list[tuple[str, float]]]
Judgments = dict[str, dict[str, int]]

query_ids = st.sampled_from(["q1", "q2", "q10", "NA", "#", "é"])
doc_ids = st.sampled_from([*"abcdefgh", "a" * 20, "a" * 20 + "b", "NA", '"', "#1", "é", "e\u0301"])
judgments_of = st.dictionaries(
    query_ids, st.dictionaries(doc_ids, st.integers(-1, 3), max_size=8), min_size=1, max_size=5
)
scores_of = st.dictionaries(
    query_ids,
    st.dictionaries(doc_ids, st.sampled_from([0.0, 0.5, 1.0]), max_size=12),
    min_size=1,
    max_size=6,
)


def a_dataset(judgments: Judgments, **fields: object) -> Dataset:
    return Dataset("tiny", Qrels.from_dict(judgments), **fields)  # type: ignore[arg-type]


def a_run(
    rankings: Rankings, *, scored: bool = True, keyed_by: Literal["id", "text"] = "id"
) -> Run:
    rows = [row for ranking in rankings.values() for row in ranking]
    return Run(
        tuple(rankings),
        np.cumsum([0, *map(len, rankings.values())]).astype(np.int64),
        pa.array([doc for doc, _ in rows], pa.string()),
        np.array([score for _, score in rows], np.float64) if scored else None,
        Source("run.txt", "trec-run", len(rows), 0),
        keyed_by,
    )


def ranked(scores: dict[str, dict[str, float]]) -> Rankings:
    return {
        query: sorted(docs.items(), key=lambda row: (row[1], row[0].encode()), reverse=True)
        for query, docs in scores.items()
    }


def hits(judged: JudgedRun) -> list[tuple[str, int, int, int, int]]:
    names = [judged.qrels.query_ids[i] for i in judged.query.tolist()]
    columns = (judged.rank, judged.grade, judged.tie_first, judged.tie_last)
    return list(zip(names, *(column.tolist() for column in columns), strict=True))


def judged_slowly(rankings: Rankings, dataset: Dataset) -> list[tuple[str, int, int, int, int]]:
    """Walk down every ranking and note what is judged, as the definition says."""
    grades: Judgments = {query: {} for query in dataset.query_ids}
    qrels = dataset.qrels
    for query, doc, grade in zip(qrels.query, qrels.doc_ids.to_pylist(), qrels.grade, strict=True):
        grades[qrels.query_ids[query]][doc] = int(grade)
    found = []
    for query in dataset.query_ids:
        ranking = rankings.get(query, [])
        for rank, (doc, score) in enumerate(ranking, 1):
            tied = [r for r, (_, other) in enumerate(ranking, 1) if other == score]
            if doc in grades[query]:
                found.append((query, rank, grades[query][doc], tied[0], tied[-1]))
    return found


@steady
@given(scores_of, judgments_of)
def test_the_join_finds_what_a_walk_down_the_rankings_finds(
    scores: dict[str, dict[str, float]], judgments: Judgments
) -> None:
    rankings, dataset = ranked(scores), a_dataset(judgments)
    if not set(rankings) & set(judgments):
        return
    expected_hits = judged_slowly(rankings, dataset)
    try:
        judged = judge(a_run(rankings), dataset, cutoffs=(1, 3), depth=2)
    except InputError:  # no id is known, but some would be if they were written alike
        assert not expected_hits
        return
    assert hits(judged) == expected_hits
    for i, query in enumerate(dataset.query_ids):
        ranking = rankings.get(query, [])
        assert judged.in_run[i] == (query in rankings)
        assert judged.retrieved[i] == len(ranking)
        first, last = judged.top_offsets[i], judged.top_offsets[i + 1]
        assert judged.top_doc_ids[first:last].to_pylist() == [doc for doc, _ in ranking[:2]]
        for k in (1, 3):
            expected = len(ranking) > k and ranking[k - 1][1] == ranking[k][1]
            assert judged.straddled[k][i] == expected


def test_a_list_without_scores_has_no_ties() -> None:
    run = a_run({"q": [("a", 1.0), ("b", 1.0)]}, scored=False)
    judged = judge(run, a_dataset({"q": {"b": 1}}), cutoffs=(1,))
    assert hits(judged) == [("q", 2, 1, 2, 2)]
    assert not judged.straddled[1].any()


def colliding_ids() -> tuple[str, str]:
    """Find two ids with one hash: of sixteen letters, the second half undoes the first."""
    odd = 0x9E3779B97F4A7C15
    mix = 0xD6E8FEB86659FD93
    mask = (1 << 64) - 1

    def after(first: bytes) -> int:
        state = ((16 ^ int.from_bytes(first, "little")) * odd) & mask
        state ^= state >> 32
        return (state * mix) & mask

    start = after(b"document") ^ int.from_bytes(b"judged-1", "little")
    for i in range(200_000):
        first = f"{i:08d}".encode()
        second = (after(first) ^ start).to_bytes(8, "little")
        if all(33 <= byte < 127 for byte in second):
            return "documentjudged-1", (first + second).decode()
    raise AssertionError("no pair found")


@pytest.fixture(scope="module")
def twins() -> tuple[str, str]:
    one, other = colliding_ids()
    hashes = hash_strings(pa.array([one, other]))
    assert one != other
    assert hashes[0] == hashes[1]
    return one, other


def test_a_document_that_shares_its_hash_with_a_judged_one_is_not_judged(
    twins: tuple[str, str],
) -> None:
    one, other = twins
    run = a_run({"q": [(other, 2.0), (one, 1.0)]})
    assert hits(judge(run, a_dataset({"q": {one: 2}}))) == [("q", 2, 2, 2, 2)]


def test_two_judged_documents_that_share_a_hash_keep_their_own_grades(
    twins: tuple[str, str],
) -> None:
    one, other = twins
    run = a_run({"q": [(other, 2.0), (one, 1.0)]})
    judged = judge(run, a_dataset({"q": {one: 2, other: 1}}))
    assert hits(judged) == [("q", 1, 1, 1, 1), ("q", 2, 2, 2, 2)]


# --- queries -------------------------------------------------------------------------------


def codes(judged: JudgedRun) -> dict[str, int]:
    return {finding.code: finding.count for finding in judged.findings}


def test_missing_and_unjudged_queries_are_counted() -> None:
    run = a_run({"q1": [("a", 1.0)], "q7": [("a", 1.0)], "q8": []})
    dataset = a_dataset({"q1": {"a": 1}, "q2": {"a": 1}, "q3": {}})
    judged = judge(run, dataset)
    assert codes(judged) == {"queries-not-in-run": 2, "queries-not-judged": 2}
    assert judged.findings[0].examples == ("q2", "q3")
    assert judged.in_run.tolist() == [True, False, False]


def test_no_judged_query_is_an_error_that_shows_both_sides() -> None:
    run = a_run({"t1": [("a", 1.0)], "t2": [], "t3": [], "t4": []})
    with pytest.raises(InputError) as caught:
        judge(run, a_dataset({"q7": {"a": 1}, "q8": {"a": 1}}))
    assert "the run has 't1', 't2', 't3', ..., the judgments have 'q7', 'q8'" in str(caught.value)


def test_no_judged_query_names_the_rewriting_that_would_help() -> None:
    run = a_run({"Q1": [("a", 1.0)], "Q2": []})
    with pytest.raises(InputError, match="in lower case, 2 of 2 queries would match"):
        judge(run, a_dataset({"q1": {"a": 1}, "q2": {"a": 1}}))


def test_a_run_may_name_queries_by_their_text() -> None:
    run = a_run({" cafe\u0301 ": [("a", 1.0)], "tea": [("b", 1.0)]}, keyed_by="text")
    dataset = a_dataset({"1": {"b": 1}, "2": {"a": 1}}, texts={"1": "tea", "2": "caf\u00e9"})
    assert hits(judge(run, dataset)) == [("1", 1, 1, 1, 1), ("2", 1, 1, 1, 1)]


def test_equal_texts_of_two_queries_are_an_error() -> None:
    run = a_run({"tea": [("a", 1.0)]}, keyed_by="text")
    dataset = a_dataset({"1": {"b": 1}, "2": {"a": 1}}, texts={"1": "tea", "2": "tea "})
    with pytest.raises(InputError, match="'1' and '2' have the same text 'tea'"):
        judge(run, dataset)


def test_equal_texts_in_the_run_are_an_error() -> None:
    run = a_run({"tea": [("a", 1.0)], "tea ": [("b", 1.0)]}, keyed_by="text")
    with pytest.raises(InputError, match="have the same text 'tea'"):
        judge(run, a_dataset({"1": {"b": 1}}, texts={"1": "tea"}))


def test_a_run_by_text_needs_a_dataset_with_texts() -> None:
    with pytest.raises(InputError, match="'tiny' has no query texts"):
        judge(a_run({"tea": []}, keyed_by="text"), a_dataset({"1": {"b": 1}}))


# --- documents -----------------------------------------------------------------------------


def test_no_known_document_is_a_finding_of_high_severity() -> None:
    judged = judge(a_run({"q": [("alpha", 1.0)]}), a_dataset({"q": {"beta": 1}}))
    (finding,) = judged.findings
    assert (finding.code, finding.severity, finding.count) == ("no-known-documents", "high", 1)


def test_a_document_judged_for_another_query_is_known() -> None:
    run = a_run({"q": [("a", 1.0)], "r": [("c", 1.0)]})
    judged = judge(run, a_dataset({"q": {"b": 1}, "r": {"a": 1}}))
    assert judged.findings == ()
    assert hits(judged) == []


@pytest.mark.parametrize(
    ("retrieved", "judged", "rule"),
    [
        (["doc_12", "doc_345"], ["12", "345", "6"], "without the prefix 'doc_' in the run"),
        (["12", "345"], ["msmarco_12", "msmarco_6"], "prefix 'msmarco_' in the judgments"),
        (["12.txt", "345.txt"], ["12", "345"], "without the suffix '.txt' in the run"),
        (["data/a.md", "data/b.md"], ["data/a", "c"], "without the suffix '.md' in the run"),
        (["a", "b"], ["a.html", "c.html"], "without the suffix '.html' in the judgments"),
        (["FT-1", "FT-2"], ["ft-1", "ft-3"], "in lower case"),
        ([" a", "b "], ["a", "b"], "without blanks"),
        (["001", "002"], ["1", "3"], "without leading zeros"),
        (["d007", "d8"], ["d7", "d9"], "without leading zeros"),
        (["cafe\u0301", "x"], ["caf\u00e9", "y"], "in one Unicode form (NFC)"),
        (["\ufb01g", "x"], ["fig", "y"], "in one Unicode form (NFKC)"),
        (["a#3", "b#1"], ["a", "c"], "without the chunk number in the run"),
        (["a_3", "b_1"], ["a", "c"], "without the chunk number in the run"),
        (["a-chunk-3", "b-chunk-1"], ["a", "c"], "without the chunk number in the run"),
        (["a::3", "b::1"], ["a", "c"], "without the chunk number in the run"),
        (["a_chunk3", "b_chunk1"], ["a", "c"], "without the chunk number in the run"),
        (["a", "b"], ["a#0", "a#1"], "without the chunk number in the judgments"),
    ],
)
def test_a_simple_rewriting_is_named_and_not_applied(
    retrieved: list[str], judged: list[str], rule: str
) -> None:
    run = a_run({"q": [(doc, 1.0) for doc in sorted(retrieved, reverse=True)]})
    with pytest.raises(InputError) as caught:
        judge(run, a_dataset({"q": dict.fromkeys(judged, 1)}))
    assert rule in str(caught.value)
    assert "retrieved documents would match" in str(caught.value)


@pytest.mark.parametrize(
    ("retrieved", "judged"),
    [
        (["a2001", "a2002"], ["1", "2"]),  # the shared start ends inside a number
        (["alpha", "beta"], ["gamma"]),
        (["17", "23"], ["5", "8"]),
    ],
)
def test_what_matches_by_chance_only_is_no_error(retrieved: list[str], judged: list[str]) -> None:
    run = a_run({"q": [(doc, 1.0) for doc in sorted(retrieved, reverse=True)]})
    found = judge(run, a_dataset({"q": dict.fromkeys(judged, 1)})).findings
    assert [finding.code for finding in found] == ["no-known-documents"]


@pytest.mark.parametrize(("corpus", "severity"), [(["a", "b"], "medium"), (["a"], "high")])
def test_documents_unknown_to_the_corpus_are_counted(corpus: list[str], severity: str) -> None:
    run = a_run({"q": [("a", 3.0), ("b", 2.0), ("c", 1.0)]})
    judged = judge(run, a_dataset({"q": {"a": 1}}, corpus_ids=pa.array(corpus)))
    (finding,) = judged.findings
    assert (finding.code, finding.severity) == ("documents-not-in-corpus", severity)
    assert (finding.count, finding.total) == (3 - len(corpus), 3)
