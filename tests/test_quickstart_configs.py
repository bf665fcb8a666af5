"""Every configuration that comes with the project is valid and runs."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from rageval import evaluate
from rageval.data import DatasetResult, EvaluationResult

CONFIGS = Path(__file__).resolve().parent.parent / "configs"
FILES = sorted(CONFIGS.glob("*.yaml")) + sorted(CONFIGS.glob("examples/*.yaml"))


@pytest.fixture(scope="module")
def quickstart() -> EvaluationResult:
    return evaluate(CONFIGS / "quickstart.yaml")


def test_there_is_an_example_for_each_use() -> None:
    assert {path.stem for path in FILES} >= {
        "quickstart",
        "trec",
        "beir",
        "json-logs",
        "several-datasets",
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_configuration_runs_and_finds_something(path: Path) -> None:
    result = evaluate(path)
    assert result.complete
    assert result.name == path.stem
    for dataset in result.datasets:
        assert dataset.measurements.values.shape[1] == len(result.strategies)
        for strategy in result.strategies:
            assert dataset.measurements.mean(result.primary, strategy.name) > 0
        assert not [f.what for f in dataset.findings if f.severity == "high"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_configuration_names_its_schema_and_explains_itself(path: Path) -> None:
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    schema = first.removeprefix("# yaml-language-server: $schema=")
    assert (path.parent / schema).resolve() == CONFIGS / "schema.json"
    assert sum("#" in line for line in rest) >= 4


def test_the_quickstart_has_something_to_say(quickstart: EvaluationResult) -> None:
    (dataset,) = quickstart.datasets
    findings = {(c.a, c.b): c.finding for c in dataset.comparisons if c.measure == "ndcg@10"}
    assert set(findings.values()) >= {"better", "inconclusive"}
    planned = next(c for c in dataset.planned if c.measure == "ndcg@10")
    assert (planned.a, planned.b, planned.finding) == ("bm25-documents", "hybrid", "better")


def test_in_the_quickstart_a_category_loses(quickstart: EvaluationResult) -> None:
    (dataset,) = quickstart.datasets
    changes = category_changes(dataset)
    assert min(changes.values()) < 0 < max(changes.values())


def category_changes(dataset: DatasetResult) -> dict[str, float]:
    """Return the mean change of nDCG@10 from production to candidate in each category."""
    old = dataset.measurements.vector("ndcg@10", "bm25-documents")
    new = dataset.measurements.vector("ndcg@10", "hybrid")
    changes: dict[str, list[float]] = {}
    category = dataset.attributes["category"]
    for query, change in zip(dataset.measurements.query_ids, (new - old).tolist(), strict=True):
        changes.setdefault(category[query], []).append(change)
    return {name: math.fsum(values) / len(values) for name, values in changes.items()}
