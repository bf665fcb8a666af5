"""The invariants of the records: one axis, one order, nothing writable."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval.data import JudgedRun, Measurements, Qrels, Run, Source
from rageval.data.hashing import hash_strings
from rageval.data.measurements import exact_mean
from rageval.data.order import natural_order

# --- the order of ids

ORDERS = [
    (["q10", "q2", "q1"], ("q1", "q2", "q10")),
    (["b", "a", "B"], ("B", "a", "b")),
    (["q01", "q1", "q001"], ("q1", "q01", "q001")),
    (["10-2", "9-10", "9-9"], ("9-9", "9-10", "10-2")),
    (["", "0", "a"], ("", "0", "a")),
    (["9" * 5_000, "1" + "0" * 5_000], ("9" * 5_000, "1" + "0" * 5_000)),
    (["٣", "3"], ("3", "٣")),
]


@pytest.mark.parametrize(("ids", "ordered"), ORDERS)
def test_numbers_inside_ids_count_as_numbers(ids, ordered):
    assert natural_order(ids) == ordered


@given(st.lists(st.text("aq019-", max_size=6), unique=True).flatmap(st.permutations))
def test_the_order_is_that_of_the_ids_alone(ids):
    assert natural_order(ids) == natural_order(sorted(ids))
    assert sorted(natural_order(ids)) == sorted(ids)


# --- judgments

judgments = st.dictionaries(
    st.text("q12", min_size=1, max_size=3),
    st.dictionaries(st.text("abc", min_size=1, max_size=2), st.integers(-2, 3), max_size=4),
    max_size=5,
)


@given(judgments)
def test_judgments_keep_every_pair_in_canonical_order(judged):
    qrels = Qrels.from_dict(judged)
    assert qrels.query_ids == natural_order(judged)
    docs, grades = qrels.doc_ids.to_pylist(), qrels.grade.tolist()
    for i, query_id in enumerate(qrels.query_ids):
        rows = slice(*qrels.offsets[i : i + 2].tolist())
        pairs = list(zip(docs[rows], grades[rows], strict=True))
        assert dict(pairs) == judged[query_id]
        by_id = sorted(pairs, key=lambda pair: pair[0], reverse=True)
        assert pairs == sorted(by_id, key=lambda pair: -pair[1])


@given(judgments)
def test_relevant_documents_are_counted_by_query(judged):
    qrels = Qrels.from_dict(judged)
    for level in (1, 2):
        expected = [sum(g >= level for g in judged[q].values()) for q in qrels.query_ids]
        assert qrels.relevant(level).tolist() == expected
    assert qrels.has_relevant.tolist() == [n > 0 for n in qrels.relevant(1)]


def test_judgments_of_nothing():
    qrels = Qrels.from_dict({})
    assert (qrels.query_ids, qrels.offsets.tolist(), len(qrels.doc_ids)) == ((), [0], 0)


# --- values


def test_a_cube_is_read_by_name():
    cube = Measurements(("m", "n"), ("a", "b"), ("q",), np.array([[[1.0], [2.0]], [[3.0], [4.0]]]))
    assert cube.vector("n", "a").tolist() == [3]
    assert cube.matrix("m").tolist() == [[1], [2]]
    assert cube.mean("n", "b") == 4
    with pytest.raises(ValueError, match="tuple"):
        cube.vector("o", "a")


def test_a_mean_is_over_the_values_that_exist():
    assert exact_mean(np.array([1.0, math.nan, 0.0])) == 0.5
    assert math.isnan(exact_mean(np.array([math.nan])))
    assert math.isnan(exact_mean(np.array([])))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30).flatmap(st.permutations))
def test_the_order_of_queries_changes_no_digit_of_a_mean(values):
    assert exact_mean(np.array(values)) == exact_mean(np.array(sorted(values)))


def test_a_cube_of_the_wrong_shape_cannot_be_made():
    with pytest.raises(AssertionError):
        Measurements(("m",), ("a",), ("q1", "q2"), np.zeros((1, 1, 3)))


# --- runs


def judged_run(**changed: object) -> JudgedRun:
    fields: dict[str, object] = {
        "qrels": Qrels.from_dict({"q1": {"a": 1}, "q2": {"b": 1}}),
        "query": np.array([0, 0, 1], np.int32),
        "rank": np.array([1, 2, 1], np.int32),
        "grade": np.array([1, 0, 1], np.int32),
        "tie_first": np.array([1, 2, 1], np.int32),
        "tie_last": np.array([1, 2, 1], np.int32),
        "retrieved": np.array([2, 1], np.int32),
        "in_run": np.array([True, True]),
        "straddled": {},
        "top_offsets": np.zeros(3, np.int64),
        "top_doc_ids": pa.array([], pa.string()),
        "source": Source("x.run", "trec-run", 3, 9),
    }
    return JudgedRun(**{**fields, **changed})  # type: ignore[arg-type]


def test_hits_are_found_by_query():
    run = judged_run()
    assert run.offsets.tolist() == [0, 2, 3]
    assert run.sum_by_query(np.array([0.5, 0.25, 1.0])).tolist() == [0.75, 1]


def test_a_run_and_its_repeats_are_its_runs():
    first, second = judged_run(), judged_run()
    assert first.runs == (first,)
    both = judged_run(repeats=(second,))
    assert both.runs == (both, second)


def test_hits_of_unequal_length_cannot_be_made():
    with pytest.raises(AssertionError):
        judged_run(rank=np.array([1], np.int32))
    with pytest.raises(AssertionError):
        judged_run(retrieved=np.array([1], np.int32))


def test_rankings_have_depths():
    docs = pa.array(["a", "b", "c"], pa.string())
    source = Source("x.run", "trec-run", 3, 9)
    run = Run(("q1", "q2", "q3"), np.array([0, 2, 2, 3], np.int64), docs, None, source)
    assert run.depths.tolist() == [2, 0, 1]
    with pytest.raises(AssertionError):
        Run(("q1",), np.array([0, 2], np.int64), docs, None, source)


def test_a_run_cannot_keep_the_hashes_of_other_documents():
    docs = pa.array(["a", "b", "c"], pa.string())
    source = Source("x.run", "trec-run", 3, 9)
    run = Run(("q",), np.array([0, 3]), docs, None, source, doc_hashes=hash_strings(docs))
    for others in (["x", "b", "c"], ["a", "b", "x"]):
        with pytest.raises(AssertionError):
            replace(run, doc_ids=pa.array(others, pa.string()))


def arrays_of(record: object) -> list[np.ndarray]:
    return [value for value in vars(record).values() if isinstance(value, np.ndarray)]


@pytest.mark.parametrize(
    "record",
    [
        judged_run(),
        Qrels.from_dict({"q": {"a": 1}}),
        Measurements(("m",), ("a",), ("q",), np.zeros((1, 1, 1))),
        Run(
            ("q",),
            np.array([0, 1], np.int64),
            pa.array(["a"], pa.string()),
            np.array([1.0]),
            Source("x", "y", 1, 1),
            doc_hashes=hash_strings(pa.array(["a"], pa.string())),
        ),
    ],
    ids=lambda record: type(record).__name__,
)
def test_nothing_in_a_record_can_be_changed(record):
    for array in arrays_of(record):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises((FrozenInstanceError, AttributeError)):
        record.source = None
