"""The RetrievalEvaluator: what a user gets from a few lists."""

from __future__ import annotations

import math
import time
from collections import OrderedDict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval import RagevalError, RetrievalEvaluator

evaluator = RetrievalEvaluator()
RETRIEVED = ["doc_1", "doc_3", "doc_5", "doc_7", "doc_9"]
RELEVANT = ["doc_3", "doc_7", "doc_12"]
AT_K = [
    evaluator.recall_at_k,
    evaluator.precision_at_k,
    evaluator.f1_at_k,
    evaluator.ndcg_at_k,
]
KEYS = ["recall@k", "precision@k", "f1@k", "mrr", "ndcg@k"]


def test_worked_example():
    values = evaluator.evaluate_query(RETRIEVED, RELEVANT, k=5)
    assert list(values) == KEYS
    assert values["recall@k"] == pytest.approx(2 / 3)
    assert values["precision@k"] == pytest.approx(0.4)
    assert values["f1@k"] == pytest.approx(0.5)
    assert values["mrr"] == 0.5
    ideal = 1 + 1 / math.log2(3) + 1 / 2
    assert values["ndcg@k"] == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / ideal)
    assert all(type(value) is float for value in values.values())


def test_single_methods_agree_with_the_whole_query():
    values = evaluator.evaluate_query(RETRIEVED, RELEVANT, k=3)
    single = [method(RETRIEVED, RELEVANT, 3) for method in AT_K]
    assert single == [values[key] for key in ("recall@k", "precision@k", "f1@k", "ndcg@k")]
    assert evaluator.mrr(RETRIEVED, RELEVANT) == values["mrr"]


def test_default_cutoff_is_10():
    assert evaluator.evaluate_query(RETRIEVED, RELEVANT) == evaluator.evaluate_query(
        RETRIEVED, RELEVANT, k=10
    )
    assert evaluator.evaluate_query(RETRIEVED, RELEVANT)["precision@k"] == 0.2


def test_grades_count_for_ndcg_alone():
    # trec_eval: DCG = 1 + 3/log2(3), ideal 3 + 1/log2(3).
    assert evaluator.ndcg_at_k(["a", "b"], {"a": 1, "b": 3}, 2) == pytest.approx(0.7967, abs=5e-5)
    graded = {"a": 3, "b": 1, "c": 0, "d": -1}
    for method in AT_K[:3]:
        assert method(["c", "a", "d"], graded, 3) == method(["c", "a", "d"], ["a", "b"], 3)
    assert evaluator.mrr(["c", "d", "b"], graded) == pytest.approx(1 / 3)


@pytest.mark.parametrize("relevant", [[], set(), {}, {"a": 0}, iter(())])
def test_nothing_relevant_is_0(relevant):
    assert evaluator.evaluate_query(["a", "b"], relevant, 2) == dict.fromkeys(KEYS, 0.0)


def test_nothing_retrieved_is_0():
    assert evaluator.evaluate_query([], ["a"], 5) == dict.fromkeys(KEYS, 0.0)


@pytest.mark.parametrize("method", AT_K)
def test_cutoff_0_is_0(method):
    assert method(["a"], ["a"], 0) == 0.0
    assert evaluator.evaluate_query(["a"], ["a"], 0)["mrr"] == 1.0


@pytest.mark.parametrize("k", [-1, 2.0, 2.5, "2", None, True, math.nan, 2**31])
@pytest.mark.parametrize("method", [*AT_K, evaluator.evaluate_query])
def test_a_cutoff_that_means_nothing_is_an_error(method, k):
    with pytest.raises(RagevalError, match="k must") as error:
        method(["a"], ["a"], k)
    assert isinstance(error.value, ValueError)


def test_a_numpy_integer_is_a_cutoff():
    assert evaluator.recall_at_k(["a"], ["a"], np.int64(1)) == 1.0


def test_a_repeat_keeps_its_place_and_counts_once_at_its_best_rank():
    assert evaluator.precision_at_k(["a", "a", "b"], ["a", "b"], 3) == pytest.approx(2 / 3)
    assert evaluator.recall_at_k(["a", "a", "b"], ["a", "b"], 2) == 0.5
    assert evaluator.mrr(["x", "x", "a", "a"], ["a"]) == pytest.approx(1 / 3)
    assert evaluator.ndcg_at_k(["a", "a"], ["a"], 2) == 1.0
    assert evaluator.recall_at_k(["a"], ["a", "a"], 1) == 1.0


@pytest.mark.parametrize(
    ("retrieved", "relevant"),
    [
        ([7, 8], ["7"]),
        (["7", "8"], [7]),
        (("7",), {7}),
        (np.array([7, 8]), np.array(["7"])),
        (iter(["7"]), {7: 2}),
        (["7"], {7: 1.0}),
        (["7"], {"7": True}),
        (["7"], {"7": np.int8(1)}),
        (["7"], {7: 1, "7": 1}),
        (["7"], OrderedDict({"7": 1}).keys()),
    ],
)
def test_containers_and_integer_ids(retrieved, relevant):
    assert evaluator.mrr(retrieved, relevant) == 1.0


def test_ids_are_not_normalised():
    for other in ("01", " 1", "1 ", "１"):
        assert evaluator.mrr([other], ["1"]) == 0.0
    assert evaluator.mrr(["A"], ["a"]) == 0.0


FAULTS = [
    ("abc", ["a"], "retrieved is one text, not a list of ids: 'abc'"),
    (["a"], "abc", "relevant is one text, not a list of ids"),
    (b"abc", ["a"], "retrieved is one text"),
    (None, ["a"], "retrieved must be a list of ids, not None"),
    (["a"], None, "relevant must be a list of ids, not None"),
    (["a"], 7, "relevant must be a list of ids, not 7"),
    ({"a", "b"}, ["a"], "retrieved is a set, which has no order"),
    ({"a": 0.5}, ["a"], "retrieved is a dict, which has no order"),
    ([None], ["a"], "retrieved holds None, which is no id"),
    ([1.0], ["a"], "retrieved holds 1.0"),
    ([True], ["a"], "retrieved holds True"),
    ([["a"]], ["a"], "retrieved holds ['a']"),
    (["\ud800"], ["a"], "retrieved holds '\\ud800'"),
    (["a"], [None], "relevant holds None"),
    (["a"], {None: 1}, "relevant holds None"),
    (["a"], {"a": 1.5}, "the grade of 'a' is 1.5"),
    (["a"], {"a": "1"}, "the grade of 'a' is '1'"),
    (["a"], {"a": None}, "the grade of 'a' is None"),
    (["a"], {"a": math.nan}, "the grade of 'a' is nan"),
    (["a"], {"a": math.inf}, "the grade of 'a' is inf"),
    (["a"], {"a": 2**31}, "the grade of 'a' is 2147483648"),
    (["a"], {7: 1, "7": 2}, "'7' stands there twice, with different grades"),
]


@pytest.mark.parametrize(("retrieved", "relevant", "message"), FAULTS)
def test_a_fault_is_one_clear_error(retrieved, relevant, message):
    with pytest.raises(RagevalError) as error:
        evaluator.evaluate_query(retrieved, relevant, 5)
    assert message in str(error.value)
    assert isinstance(error.value, ValueError)


def test_dataset_means_and_count():
    results = [
        {"retrieved": RETRIEVED, "relevant": RELEVANT, "query": "ignored"},
        {"retrieved": ["x", "a"], "relevant": {"a": 2}},
        {"retrieved": [], "relevant": []},
    ]
    means = evaluator.evaluate_dataset(results, k=5)
    assert list(means) == [*KEYS, "num_queries"]
    assert means["num_queries"] == 3
    each = [evaluator.evaluate_query(r["retrieved"], r["relevant"], 5) for r in results]
    for key in KEYS:
        assert means[key] == pytest.approx(sum(values[key] for values in each) / 3)


ids = st.sampled_from(["a", "b", "c", "d", "1", "2"])
entries = st.lists(
    st.fixed_dictionaries(
        {
            "retrieved": st.lists(ids, max_size=8),
            "relevant": st.one_of(st.sets(ids), st.dictionaries(ids, st.integers(-1, 3))),
        }
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=50, deadline=None)
@given(results=entries, k=st.integers(0, 9))
def test_a_dataset_is_its_queries(results, k):
    means = evaluator.evaluate_dataset(results, k)
    each = [evaluator.evaluate_query(**result, k=k) for result in results]
    for key in KEYS:
        assert means[key] == pytest.approx(math.fsum(v[key] for v in each) / len(each), abs=1e-15)
        assert 0 <= means[key] <= 1
    assert evaluator.evaluate_dataset(results[::-1], k) == means


def test_every_faulty_entry_is_named():
    results = [{"retrieved": ["a"]}, {"retrieved": ["a"], "relevant": "a"}, ["a"], {}]
    with pytest.raises(RagevalError) as error:
        evaluator.evaluate_dataset([{"retrieved": [], "relevant": []}, *results])
    lines = str(error.value).splitlines()
    assert lines[0].startswith("results[1]: 'relevant' is missing")
    assert lines[1].startswith("results[2]: relevant is one text")
    assert lines[2].startswith("results[3]: not a mapping but list")
    assert lines[3].startswith("results[4]: 'retrieved' is missing")
    assert len(lines) == 4


@pytest.mark.parametrize("results", [[], {}, "abc", None, {"retrieved": [], "relevant": []}])
def test_results_that_hold_no_queries_are_an_error(results):
    with pytest.raises(RagevalError, match="results"):
        evaluator.evaluate_dataset(results)


def test_thousands_of_queries_take_a_moment():
    results = [
        {"retrieved": [f"d{i + j}" for j in range(50)], "relevant": {f"d{i + 7 * j}": j % 3}}
        for i in range(5000)
        for j in (i % 11,)
    ]
    start = time.perf_counter()
    assert evaluator.evaluate_dataset(results)["num_queries"] == 5000
    assert time.perf_counter() - start < 5  # 0.1 s on a quiet machine


def test_printed_table(capsys):
    results = [{"retrieved": RETRIEVED, "relevant": RELEVANT}] * 1234
    evaluator.print_evaluation(evaluator.evaluate_dataset(results, k=5))
    assert (
        capsys.readouterr().out
        == """\
+----------------------+
| Retrieval evaluation |
+----------------------+
| recall@k      0.6667 |
| precision@k   0.4000 |
| f1@k          0.5000 |
| mrr           0.5000 |
| ndcg@k        0.4982 |
| num_queries    1,234 |
+----------------------+
"""
    )


def test_printed_table_of_anything_a_user_adds(capsys):
    evaluator.print_evaluation(
        {"a measure with a long name": 1.0, "n": np.int64(3), "none": math.nan, "by": "bm25"}
    )
    assert (
        capsys.readouterr().out
        == """\
+------------------------------------+
| Retrieval evaluation               |
+------------------------------------+
| a measure with a long name  1.0000 |
| n                                3 |
| none                           n/a |
| by                            bm25 |
+------------------------------------+
"""
    )


def test_printing_what_is_no_mapping_is_an_error():
    with pytest.raises(RagevalError, match="metrics must be a mapping"):
        evaluator.print_evaluation([("mrr", 1.0)])
