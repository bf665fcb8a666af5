"""Whole evaluations: failures, the clock, and the same bytes whatever the order of lines."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from rageval import evaluate
from rageval.config.models import EvaluationConfig
from rageval.errors import ConfigError, InputError
from rageval.evaluation.pipeline import utc_now
from rageval.report.results_json import to_json

CREATED = "2026-11-30T06:00:00Z"
JUDGED = {f"q{i}": {"a": i % 3, "b": 1, "c": 0} for i in range(1, 13)}
RUNS = {
    "one": {f"q{i}": ["a", "x", "b", "c"] for i in range(1, 13)},
    "two": {f"q{i}": ["x=2", "b=2", "a=2"] if i % 4 else ["b", "a"] for i in range(1, 13)},
    "three": {f"q{i}": ["c", "a"] for i in range(2, 14)},
}
BAD = "q1 Q0 a 1 9 x\nq1 Q0 b 2 high x\n"


def test_a_strategy_that_fails_leaves_the_others(project):
    result = evaluate(project(JUDGED, {**RUNS, "bad": BAD}, measures=["mrr"]))
    assert not result.complete
    (failure,) = result.failures
    assert (failure.strategy, failure.dataset) == ("bad", "qrels")
    assert "bad.run:2" in failure.message
    (dataset,) = result.datasets
    assert dataset.measurements.strategies == ("one", "two", "three")
    assert [s.strategy for s in dataset.strategies] == ["one", "two", "three"]
    assert len(dataset.comparisons) == 3
    assert [s.name for s in result.strategies] == ["one", "two", "three", "bad"]


def test_without_any_strategy_every_reason_is_told(project):
    with pytest.raises(InputError) as caught:
        evaluate(project(JUDGED, {"one": BAD, "two": {"other": ["a"]}}))
    lines = str(caught.value).splitlines()
    assert [line.partition(":")[0] for line in lines] == ["strategy 'one'", "strategy 'two'"]
    assert "one.run:2" in lines[0]
    assert "holds no judged query" in lines[1]


def test_the_steps_are_told_as_they_begin(project):
    steps: list[str] = []
    evaluate(project(JUDGED, RUNS, measures=["mrr"]), progress=steps.append)
    assert steps == ["load qrels", "judge one", "judge two", "judge three", "compare mrr"]


def test_time_and_run_id_are_arguments(project):
    path = project(JUDGED, RUNS)
    provenance = evaluate(path, run_id="r7", created=CREATED).provenance
    assert (provenance.run_id, provenance.created) == ("r7", CREATED)
    assert set(provenance.versions) >= {"python", "rageval", "numpy"}


def test_the_clock_can_be_set(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796018400")
    assert utc_now() == "2026-11-30T06:00:00Z"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert utc_now() > "2026-"


@pytest.mark.parametrize("epoch", ["", "yesterday", "1e3", "99999999999999999", "-99999999999999"])
def test_a_time_that_is_none_is_one_clear_error(monkeypatch, epoch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with pytest.raises(ConfigError, match=f"SOURCE_DATE_EPOCH is '{epoch}'"):
        utc_now()


def test_the_same_inputs_give_the_same_bytes(project):
    path = project(JUDGED, RUNS)
    first, second = (to_json(evaluate(path, created=CREATED)) for _ in range(2))
    assert first == second


def test_a_file_a_mapping_and_a_record_say_the_same(project, tmp_path, monkeypatch):
    path = project(JUDGED, RUNS, measures=["ndcg@3", "mrr"], comparison={"check": "sign-flip"})
    mapping = json.loads(path.read_text(encoding="utf-8"))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)  # the paths of a file are relative to it
    from_file = to_json(evaluate(path, created=CREATED))
    assert to_json(evaluate(Path("..") / path.name, created=CREATED)) == from_file
    monkeypatch.chdir(tmp_path)  # those of a mapping, to the current folder
    record = EvaluationConfig.model_validate(mapping)
    for config in (mapping, record, path.name):
        assert to_json(evaluate(config, created=CREATED)) == from_file


def test_the_relevance_level_tells_measures_apart_and_the_same(project):
    apart = {"relevance_level": 2, "measures": ["P@5", "P(rel=1)@5"], "primary": "P(rel=2)@5"}
    assert evaluate(project(JUDGED, RUNS, **apart)).primary == "P@5"
    same = {"relevance_level": 2, "measures": ["P@5", "P(rel=2)@5"]}
    with pytest.raises(ConfigError, match=r"P\(rel=2\)@5 measures the same as P@5"):
        evaluate(project(JUDGED, RUNS, **same))


def _bytes(path: Path) -> bytes:
    """Return results.json without the digests of the files, which do differ."""
    document = json.loads(to_json(evaluate(path, created=CREATED)))
    for dataset in document["datasets"]:
        for source in dataset["sources"]:
            source["sha256"] = ""
    return json.dumps(document).encode()


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_lines_changes_no_byte(project, seed):
    path = project(JUDGED, RUNS, measures=["ndcg@3", "mrr", "judged@3"])
    before = _bytes(path)
    for file in path.parent.glob("*.[rt][ux][nt]"):
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        random.Random(seed).shuffle(lines)
        file.write_text("".join(lines), encoding="utf-8")
    assert _bytes(path) == before


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_entries_changes_no_byte(project, seed):
    entries = [
        {"id": q, "query": f"text {q}", "relevant_docs": ["a", "b"]}
        | ({"kind": "long" if i % 2 else "short"} if i % 3 else {"about": "rain"})
        for i, q in enumerate([*JUDGED, "q20", "q21"])
    ]
    entries[-1].pop("relevant_docs")
    entries[-2].pop("relevant_docs")
    path = project(JUDGED, RUNS, dataset="queries.json", measures=["mrr"])
    dataset = path.parent / "queries.json"
    dataset.write_text(json.dumps(entries), encoding="utf-8")
    before = _bytes(path)
    random.Random(seed).shuffle(entries)
    dataset.write_text(json.dumps(entries), encoding="utf-8")
    assert _bytes(path) == before


def test_lines_of_many_unjudged_queries_and_documents_change_no_byte(project):
    beyond = {f"u{i}": ["a"] for i in range(20)}
    lost = {q: [f"z{i}" for i in range(8)] for q in JUDGED}
    runs = {"one": {**RUNS["one"], **beyond}, "two": RUNS["two"], "lost": lost}
    path = project(JUDGED, runs, measures=["mrr"])
    before = _bytes(path)
    for file in path.parent.glob("*.run"):
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        file.write_text("".join(reversed(lines)), encoding="utf-8")
    assert _bytes(path) == before


def test_variables_never_reach_the_result(project, monkeypatch):
    monkeypatch.setenv("SECRET", "hidden")
    path = project(
        JUDGED,
        {"hidden": RUNS["one"], "two": BAD},
        environment=["SECRET"],
        strategies=[{"name": "one", "run": "${SECRET}.run"}, {"name": "two", "run": "two.run"}],
    )
    result = evaluate(path)
    assert b"hidden" not in to_json(result)
    assert [source.path for source in result.datasets[0].sources][1] == "${SECRET}.run"


def test_variables_never_reach_a_finding(project, monkeypatch):
    monkeypatch.setenv("SECRET", "hidden")
    doubled = "q1 Q0 a 1 9 x\nq1 Q0 a 2 8 x\nq1 Q0 b 3 7 x\n"
    path = project(
        JUDGED,
        {"hidden": doubled, "hidden2": RUNS["one"]},
        environment="SECRET",
        lenient=True,
        strategies=[{"name": "one", "runs": ["${SECRET}.run", "${SECRET}2.run"]}],
    )
    result = evaluate(path)
    assert b"hidden" not in to_json(result)
    examples = {f.code: f.examples for f in result.datasets[0].findings}
    assert examples["repeated-runs"] == ("${SECRET}.run", "${SECRET}2.run")
    assert any("${SECRET}.run:2" in places for places in examples.values())


def test_ids_are_not_taken_for_variables(project, monkeypatch):
    monkeypatch.setenv("SHORT", "q")
    path = project(JUDGED, RUNS, environment="SHORT", title="${SHORT}", measures=["mrr"])
    result = evaluate(path)
    assert result.title == "q"
    examples = {f.code: f.examples for f in result.datasets[0].findings}
    assert examples["queries-not-in-run"] == ("q1",)


def test_excluded_queries_are_in_no_part_of_the_result(project):
    judged = {**JUDGED, "q5": {"a": 0}}
    result = evaluate(project(judged, RUNS, no_relevant="exclude", measures=["mrr"]))
    (dataset,) = result.datasets
    assert "q5" not in dataset.measurements.query_ids
    assert "q5" not in {detail.query_id for detail in dataset.details}
    assert {c.n for c in dataset.comparisons} == {11}
    found = {f.code: f.count for f in dataset.findings}
    assert found["queries-without-relevant-documents"] == 1
