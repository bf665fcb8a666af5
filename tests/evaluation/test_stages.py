"""Each stage by itself: loading, judging, measuring, gathering, comparing."""

from __future__ import annotations

import numpy as np
import pytest

from rageval.data import Qrels
from rageval.errors import InputError, RagevalError
from rageval.evaluation.plan import load
from rageval.evaluation.stages import (
    compare_measure,
    gather,
    judge_strategy,
    load_dataset,
    measure_families,
    measure_strategy,
    restrict,
)

JUDGED = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}, "q10": {"d": 0}}
RUNS = {
    "one": {"q1": ["b", "a"], "q2": ["x"], "q10": ["d"]},
    "two": {"q2": ["c", "x"], "q1": ["a"], "q99": ["a"]},
}


@pytest.fixture
def evaluation(project):
    return load(project(JUDGED, RUNS, measures=["ndcg@10", "ndcg@5", "mrr", "P@1"]))


def test_the_query_axis_is_that_of_the_judgments(evaluation):
    assert load_dataset(evaluation, "qrels").query_ids == ("q1", "q2", "q10")


def test_judging_joins_by_query_and_document(evaluation):
    dataset = load_dataset(evaluation, "qrels")
    one = judge_strategy(evaluation, dataset, "one")
    assert (one.query.tolist(), one.rank.tolist(), one.grade.tolist()) == (
        [0, 0, 2],
        [1, 2, 1],
        [0, 2, 0],
    )
    two = judge_strategy(evaluation, dataset, "two")
    assert two.in_run.tolist() == [True, True, False]
    assert two.retrieved.tolist() == [1, 2, 0]


def test_findings_of_a_run_name_strategy_and_dataset(evaluation):
    two = judge_strategy(evaluation, load_dataset(evaluation, "qrels"), "two")
    assert {(f.code, f.strategy, f.dataset, f.examples) for f in two.findings} == {
        ("queries-not-in-run", "two", "qrels", ("q10",)),
        ("queries-not-judged", "two", "qrels", ("q99",)),
    }


def test_values_are_those_of_the_definitions(evaluation):
    dataset = load_dataset(evaluation, "qrels")
    values = {
        name: dict(
            zip(
                ("ndcg@10", "ndcg@5", "mrr", "P@1"),
                measure_strategy(judge_strategy(evaluation, dataset, name), evaluation.measures),
                strict=True,
            )
        )
        for name in ("two", "one")
    }
    cube = gather(evaluation, dataset, values)
    assert cube.strategies == ("one", "two")  # the order of the configuration
    assert cube.measures == ("ndcg@10", "ndcg@5", "mrr", "P@1")
    log = 1 / np.log2(3)
    assert cube.vector("ndcg@10", "one").tolist() == pytest.approx([log, 0, 0])
    assert cube.vector("mrr", "one").tolist() == [0.5, 0, 0]
    assert cube.vector("P@1", "two").tolist() == [1, 1, 0]
    assert cube.mean("mrr", "two") == pytest.approx(2 / 3)


def test_a_family_of_measures_is_one_group_in_the_order_of_the_configuration(evaluation):
    families = [[m.key for m in family] for family in measure_families(evaluation)]
    assert families == [["ndcg@10", "ndcg@5"], ["mrr"], ["P@1"]]


def test_all_pairs_and_the_planned_ones_are_compared(project):
    strategies = [
        {"name": "one", "run": "one.run", "candidate": True},
        {"name": "two", "run": "two.run"},
        {"name": "three", "run": "one.run", "production": True},
    ]
    evaluation = load(project(JUDGED, RUNS, measures=["mrr"], strategies=strategies))
    dataset = load_dataset(evaluation, "qrels")
    judged = {s.name: judge_strategy(evaluation, dataset, s.name) for s in evaluation.strategies}
    values = {n: {"mrr": measure_strategy(j, evaluation.measures)[0]} for n, j in judged.items()}
    every, planned = compare_measure(evaluation, gather(evaluation, dataset, values), "mrr")
    assert [(c.a, c.b, c.family) for c in every] == [
        ("three", "two", "all pairs"),
        ("three", "one", "all pairs"),
        ("two", "one", "all pairs"),
    ]
    assert [(c.a, c.b, c.family, c.finding) for c in planned] == [
        ("three", "one", "planned", "identical")
    ]


def test_a_contrast_of_a_strategy_that_failed_is_left_out(project):
    evaluation = load(project(JUDGED, RUNS, measures=["mrr"]))
    dataset = load_dataset(evaluation, "qrels")
    cube = gather(evaluation, dataset, {"two": {"mrr": np.array([1.0, 0.5, 0.0])}})
    assert compare_measure(evaluation, cube, "mrr") == ([], [])


def test_restrict_keeps_the_rows_of_the_kept_queries():
    qrels = Qrels.from_dict(JUDGED)
    kept = restrict(qrels, np.array([True, False, True]))
    assert kept.query_ids == ("q1", "q10")
    assert kept.query.tolist() == [0, 0, 1]
    assert kept.doc_ids.to_pylist() == ["a", "b", "d"]
    assert kept.grade.tolist() == [2, 0, 0]
    assert kept.offsets.tolist() == [0, 2, 3]


def test_restrict_keeps_queries_without_rows():
    qrels = Qrels.from_dict({"q1": {}, "q2": {"a": 1}, "q3": {}})
    assert restrict(qrels, np.array([True, True, False])).query_ids == ("q1", "q2")
    assert restrict(qrels, np.zeros(3, bool)).query_ids == ()


def test_queries_without_relevant_documents_can_be_left_out(project):
    evaluation = load(project(JUDGED, RUNS, no_relevant="exclude"))
    assert load_dataset(evaluation, "qrels").query_ids == ("q1", "q2")


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("exclude", "dataset 'qrels' has no query to evaluate on (at least one query needs a "),
        ("zero", None),
    ],
)
def test_a_dataset_of_which_nothing_is_left_is_an_error(project, rule, message):
    evaluation = load(project({"q1": {"a": 0}}, {"one": {"q1": ["a"]}}, no_relevant=rule))
    if message is None:
        assert load_dataset(evaluation, "qrels").query_ids == ("q1",)
        return
    with pytest.raises(InputError) as caught:
        load_dataset(evaluation, "qrels")
    assert f"qrels.txt: {message}" in str(caught.value)


def test_chunks_become_documents(project):
    runs = {"one": {"q1": ["b#3", "a#1", "b#1"], "q2": ["c#2"]}}
    evaluation = load(project(JUDGED, runs, documents={"pattern": r"(.+)#\d+"}))
    judged = judge_strategy(evaluation, load_dataset(evaluation, "qrels"), "one")
    assert (judged.rank.tolist(), judged.grade.tolist()) == ([1, 2, 1], [0, 2, 1])
    assert judged.retrieved.tolist() == [2, 1, 0]


def test_chunks_in_the_judgments_become_documents_too(project):
    judgments = {"q1": {"a#1": 1, "a#2": 3, "b#1": 0, "bare": 0}}
    documents = {"map": "map.csv", "judgments": True}
    path = project(judgments, {"one": {"q1": ["b#1", "a#2"]}}, documents=documents)
    table = "chunk_id,doc_id\na#1,a\na#2,a\nb#1,b\n"
    (path.parent / "map.csv").write_text(table, encoding="utf-8")
    evaluation = load(path)
    dataset = load_dataset(evaluation, "qrels")
    assert dataset.qrels.doc_ids.to_pylist() == ["a", "bare", "b"]
    assert dataset.qrels.grade.tolist() == [3, 0, 0]
    (unknown,) = (f for f in dataset.findings if f.code == "ids-without-document")
    assert (unknown.what.split()[0], unknown.count, unknown.examples) == ("Judged", 1, ("bare",))
    assert judge_strategy(evaluation, dataset, "one").grade.tolist() == [0, 3]


def test_a_strategy_without_a_run_for_a_dataset_is_a_clear_error(project):
    strategies = [{"name": "one", "runs": {"qrels": "one.run"}}]
    evaluation = load(project(JUDGED, RUNS, strategies=strategies))
    assert [run.path for run in evaluation.runs("one", "qrels")] == ["one.run"]
    with pytest.raises(RagevalError, match="strategy 'one' has no run for dataset 'other'"):
        evaluation.runs("one", "other")
