"""Repeated runs of one strategy: averaged per query, never more queries."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rageval import evaluate
from rageval.report.results_json import from_json, to_json

JUDGED = {f"q{i}": {"a": 1, "b": 1} for i in range(1, 7)}
SEEDS = {
    "seed1": {f"q{i}": ["a", "b"] if i % 2 else ["x", "a"] for i in range(1, 7)},
    "seed2": {f"q{i}": ["x", "y", "b"] for i in range(1, 6)},
    "seed3": {f"q{i}": ["b", "x"] if i % 3 else ["x"] for i in range(1, 7)},
}
BASE = {f"q{i}": ["x", "b"] if i % 3 else ["a"] for i in range(1, 7)}
STRATEGIES = [
    {"name": "base", "run": "base.run"},
    {"name": "new", "runs": ["seed1.run", "seed2.run", "seed3.run"]},
]


@pytest.fixture
def repeated(project):
    """Return a function that evaluates a strategy with three runs beside one with one."""

    def run(measures=("mrr", "recall@2", "judged@2"), **config):
        config.setdefault("strategies", STRATEGIES)
        return evaluate(project(JUDGED, {"base": BASE, **SEEDS}, measures=list(measures), **config))

    return run


def single(project, name):
    strategies = [{"name": "new", "run": f"{name}.run"}]
    config = project(JUDGED, SEEDS, measures=["mrr", "recall@2"], strategies=strategies)
    (dataset,) = evaluate(config).datasets
    return {key: dataset.measurements.vector(key, "new") for key in ("mrr", "recall@2")}


def test_values_are_means_over_the_runs(project, repeated):
    each = [single(project, name) for name in SEEDS]
    (dataset,) = repeated().datasets
    for key in ("mrr", "recall@2"):
        expected = np.mean([values[key] for values in each], axis=0)
        np.testing.assert_allclose(dataset.measurements.vector(key, "new"), expected)


def test_a_run_that_lacks_a_query_counts_0_there(repeated):
    (dataset,) = repeated().datasets
    at = dataset.measurements.query_ids.index("q6")
    # seed1 has `a` second, seed2 lacks the query, seed3 finds nothing.
    assert dataset.measurements.vector("mrr", "new")[at] == pytest.approx(0.5 / 3)
    # Where nothing was retrieved, judged@2 does not exist: the mean is over the other two.
    assert dataset.measurements.vector("judged@2", "new")[at] == pytest.approx(0.25)


def test_n_stays_the_number_of_queries(repeated):
    (dataset,) = repeated().datasets
    assert {c.n for c in dataset.planned if c.measure != "judged@2"} == {6}
    assert dataset.measurements.values.shape == (3, 2, 6)


def test_the_spread_is_shown_for_each_measure(project, repeated):
    (dataset,) = repeated().datasets
    assert [(r.strategy, r.measure) for r in dataset.repeats] == [
        ("new", "mrr"),
        ("new", "recall@2"),
        ("new", "judged@2"),
    ]
    mrr = dataset.repeats[0]
    assert mrr.means == pytest.approx([single(project, name)["mrr"].mean() for name in SEEDS])
    assert mrr.sd == pytest.approx(np.std(mrr.means, ddof=1))
    assert (mrr.low, mrr.high) == (min(mrr.means), max(mrr.means))
    assert dataset.measurements.mean("mrr", "new") == pytest.approx(np.mean(mrr.means))


def test_without_repeats_there_is_no_spread(repeated):
    result = repeated(strategies=[{"name": n, "run": f"{n}.run"} for n in ("base", "seed1")])
    assert result.datasets[0].repeats == ()


def test_a_list_of_one_run_is_that_run(repeated):
    one = repeated(strategies=[{"name": "new", "runs": ["seed2.run"]}])
    other = repeated(strategies=[{"name": "new", "run": "seed2.run"}])
    np.testing.assert_array_equal(
        one.datasets[0].measurements.values, other.datasets[0].measurements.values
    )
    assert one.datasets[0].repeats == ()


def test_findings_and_sources_of_every_run_are_told(repeated):
    (dataset,) = repeated().datasets
    lacks = [f.what for f in dataset.findings if f.code == "queries-not-in-run"]
    assert lacks == ["Judged queries that the run lacks (run 2 of 3)"]
    assert [s.path for s in dataset.sources] == [
        "qrels.txt",
        "base.run",
        "seed1.run",
        "seed2.run",
        "seed3.run",
    ]
    told = next(f for f in dataset.findings if f.code == "repeated-runs")
    assert (told.strategy, told.count) == ("new", 3)


def test_the_drill_down_and_the_summary_are_those_of_the_first_run(repeated):
    (dataset,) = repeated().datasets
    shown = [document.doc_id for document in dataset.details[0].rankings["new"]]
    assert shown == SEEDS["seed1"]["q1"]
    summary = next(s for s in dataset.strategies if s.strategy == "new")
    assert (summary.max_retrieved, summary.queries_in_run) == (2, 6)
    assert summary.tie_low == summary.tie_high == dataset.measurements.mean("mrr", "new")


def test_one_bad_run_among_repeats_fails_the_strategy(project):
    runs = {"base": BASE, **SEEDS, "seed3": "q1 Q0 a 1 9 x\nq1 Q0 b 2 high x\n"}
    result = evaluate(project(JUDGED, runs, measures=["mrr"], strategies=STRATEGIES))
    (failure,) = result.failures
    assert failure.strategy == "new"
    assert "seed3.run:2" in failure.message
    assert result.datasets[0].measurements.strategies == ("base",)


def test_it_reads_back_from_results_json(repeated):
    result = repeated(measures=["mrr"])
    again = from_json(to_json(result))
    assert again.datasets[0].repeats == result.datasets[0].repeats
    assert again.datasets[0].sensitivity == result.datasets[0].sensitivity
    assert to_json(again) == to_json(result)


def test_the_judged_only_comparison_averages_the_runs_too(repeated):
    (dataset,) = repeated(measures=["mrr"]).datasets
    row = next(r for r in dataset.sensitivity if r.code == "judged-only")
    # Without x and y the first document is relevant wherever one was found.
    found = {q: [any(d in "ab" for d in run.get(q, "")) for run in SEEDS.values()] for q in JUDGED}
    expected = [sum(hits) / 3 for hits in found.values()]
    assert row.comparison.mean_b == pytest.approx(math.fsum(expected) / 6)
    assert row.comparison.mean_a == 1
