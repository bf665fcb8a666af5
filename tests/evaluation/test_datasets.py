"""Several datasets in one evaluation, each on its own axis."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from rageval import evaluate
from rageval.errors import InputError
from rageval.report.results_json import from_json, to_json

FIRST = {f"q{i}": {"a": 1} for i in range(1, 5)}
SECOND = {f"p{i}": {"a": 1, "b": 2} for i in range(1, 9)}
RUNS = {
    "first": {
        "one": {q: ["a"] for q in FIRST},
        "two": {q: ["x", "a"] for q in FIRST},
        "three": {q: ["x", "y", "a"] for q in FIRST},
    },
    "second": {
        "one": {q: ["x", "a"] for q in SECOND},
        "two": {q: ["b", "a"] for q in SECOND},
        "three": {q: ["x"] for q in SECOND},
    },
}
BAD = "q1 Q0 a 1 9 x\nq1 Q0 b 2 high x\n"


def write_run(path: Path, rankings: dict[str, list[str]]) -> None:
    lines = [
        f"{q} Q0 {doc} 1 {100 - rank} x\n"
        for q, docs in rankings.items()
        for rank, doc in enumerate(docs)
    ]
    path.write_text("".join(lines), encoding="utf-8")


@pytest.fixture
def several(tmp_path: Path):
    """Return a function that writes both datasets and all runs and returns the configuration."""

    def write(**config: object) -> Path:
        for name, judged in (("first", FIRST), ("second", SECOND)):
            (tmp_path / f"{name}.json").write_text(json.dumps(judged), encoding="utf-8")
            for strategy, rankings in RUNS[name].items():
                write_run(tmp_path / f"{strategy}-{name}.run", rankings)
        strategies = [
            {"name": s, "runs": {name: f"{s}-{name}.run" for name in RUNS}} for s in RUNS["first"]
        ]
        strategies[0]["baseline"] = strategies[1]["candidate"] = True
        whole = {
            "name": "several",
            "datasets": ["first.json", "second.json"],
            "strategies": strategies,
            "measures": ["mrr", "recall@2"],
            **config,
        }
        path = tmp_path / "several.yaml"
        path.write_text(json.dumps(whole), encoding="utf-8")
        return path

    return write


def test_each_dataset_has_its_own_queries_and_values(several):
    result = evaluate(several())
    first, second = result.datasets
    assert (first.name, second.name) == ("first", "second")
    assert first.measurements.query_ids == tuple(FIRST)
    assert second.measurements.query_ids == tuple(SECOND)
    assert [first.measurements.mean("mrr", s) for s in ("one", "two")] == [1, 0.5]
    assert [second.measurements.mean("mrr", s) for s in ("one", "two")] == [0.5, 1]
    assert {c.n for c in first.planned} == {4}
    assert {c.n for c in second.planned} == {8}
    assert [s.path for s in second.sources] == [
        "second.json",
        "one-second.run",
        "two-second.run",
        "three-second.run",
    ]


def test_macro_means_count_each_dataset_once(several):
    result = evaluate(several())
    rows = {(row.measure, row.strategy): row for row in result.macro_means}
    assert list(rows) == [(m, s) for m in ("mrr", "recall@2") for s in ("one", "two", "three")]
    assert [rows["mrr", s].mean for s in ("one", "two", "three")] == pytest.approx(
        [0.75, 0.75, 1 / 6]
    )
    assert (rows["mrr", "one"].best_on, rows["mrr", "two"].best_on) == (("first",), ("second",))
    assert rows["recall@2", "two"].best_on == ("first", "second")


def test_one_dataset_has_no_macro_means(several):
    one = several(
        datasets=["first.json"],
        strategies=[{"name": s, "run": f"{s}-first.run"} for s in RUNS["first"]],
    )
    assert evaluate(one).macro_means == ()


def test_findings_name_their_dataset(several):
    for dataset in evaluate(several()).datasets:
        assert {finding.dataset for finding in dataset.findings} == {dataset.name}


def test_a_strategy_that_fails_on_one_dataset_is_left_out_there_only(several):
    path = several()
    (path.parent / "two-first.run").write_text(BAD, encoding="utf-8")
    result = evaluate(path)
    first, second = result.datasets
    assert [(f.strategy, f.dataset) for f in result.failures] == [("two", "first")]
    assert first.measurements.strategies == ("one", "three")
    assert second.measurements.strategies == ("one", "two", "three")
    assert first.planned == ()
    assert {(c.a, c.b) for c in second.planned} == {("one", "two")}
    assert {(c.a, c.b) for c in first.comparisons} == {("one", "three")}
    rows = {row.strategy: row for row in result.macro_means if row.measure == "mrr"}
    assert math.isnan(rows["two"].mean)
    assert (rows["two"].n_datasets, rows["two"].best_on) == (1, ("second",))
    assert rows["one"].n_datasets == 2


def test_a_dataset_on_which_every_strategy_fails_is_an_error(several):
    path = several()
    for strategy in RUNS["first"]:
        (path.parent / f"{strategy}-first.run").write_text(BAD, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        evaluate(path)
    assert len(caught.value.problems) == 3
    assert "one-first.run:2" in str(caught.value)


def test_queries_of_the_same_id_in_two_datasets_stay_apart(several):
    path = several()
    document = json.dumps({q: {"x": 1} for q in FIRST})
    (path.parent / "second.json").write_text(document, encoding="utf-8")
    for strategy in RUNS["first"]:
        write_run(path.parent / f"{strategy}-second.run", RUNS["first"][strategy])
    first, second = evaluate(path).datasets
    assert first.measurements.query_ids == second.measurements.query_ids
    assert first.measurements.mean("mrr", "one") == 1
    assert second.measurements.mean("mrr", "one") == 0


def test_repeats_may_differ_from_dataset_to_dataset(several):
    strategies = [
        {"name": "one", "runs": {"first": "one-first.run", "second": "one-second.run"}},
        {
            "name": "two",
            "runs": {"first": ["two-first.run", "three-first.run"], "second": "two-second.run"},
        },
    ]
    first, second = evaluate(several(strategies=strategies)).datasets
    assert {r.strategy for r in first.repeats} == {"two"}
    assert first.measurements.mean("mrr", "two") == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert second.repeats == ()


def test_it_reads_back_from_results_json(several):
    result = evaluate(several())
    again = from_json(to_json(result))
    assert again.macro_means == result.macro_means
    assert to_json(again) == to_json(result)
