"""Whole evaluations of real collections, against the means of trec_eval."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest

from rageval import evaluate
from rageval.data import EvaluationResult

STRATEGIES = ("bm25_doc_stem", "bm25_doc_nostem", "bm25_title_only")
CHUNKS = ("bm25_chunk64_maxp", "bm25_chunk128_maxp")
COLLECTIONS = ("scifact", "cranfield")
MEASURES = {"ndcg@10": "ndcg_cut_10", "map": "map", "P@5": "P_5", "recall@10": "recall_10"}


@pytest.fixture(scope="module")
def folders(shared_data) -> dict[str, Path]:
    return {name: shared_data(name) for name in COLLECTIONS}


@pytest.fixture(scope="module")
def result(folders) -> EvaluationResult:
    """Return three strategies and one of two chunk lengths, on two collections."""

    def runs(*names: str) -> dict[str, object]:
        files = {c: [f"{f}/runs/{name}.trec.gz" for name in names] for c, f in folders.items()}
        return {c: paths if len(paths) > 1 else paths[0] for c, paths in files.items()}

    strategies = [{"name": name, "runs": runs(name)} for name in STRATEGIES]
    strategies.append({"name": "chunks", "runs": runs(*CHUNKS), "candidate": True})
    strategies[0]["production"] = True
    datasets = [
        {"name": name, "path": str(folder), "split": "test"} for name, folder in folders.items()
    ]
    config = {"name": "two", "datasets": datasets, "strategies": strategies}
    return evaluate({**config, "measures": list(MEASURES), "primary": "ndcg@10"})


def trec_eval(folder: Path, run: str) -> dict[str, float]:
    """Return the means that trec_eval gives to four decimals."""
    path = folder / "expected" / f"{run}.trec_eval.txt.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [line.split() for line in lines]
    return {name: float(value) for name, query, value in rows if query == "all" and name != "runid"}


@pytest.mark.parametrize("collection", COLLECTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_means_are_those_of_trec_eval(result, folders, collection, strategy):
    dataset = next(d for d in result.datasets if d.name == collection)
    expected = trec_eval(folders[collection], strategy)
    for ours, theirs in MEASURES.items():
        assert dataset.measurements.mean(ours, strategy) == pytest.approx(
            expected[theirs], abs=5.1e-5
        )


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_repeated_runs_have_the_means_of_trec_eval_between_them(result, folders, collection):
    dataset = next(d for d in result.datasets if d.name == collection)
    for row in dataset.repeats:
        expected = [trec_eval(folders[collection], run)[MEASURES[row.measure]] for run in CHUNKS]
        assert row.means == pytest.approx(expected, abs=5.1e-5)
        mean = dataset.measurements.mean(row.measure, "chunks")
        assert mean == pytest.approx(sum(row.means) / 2)
    assert [row.measure for row in dataset.repeats] == list(MEASURES)


def test_macro_means_are_over_both_collections(result):
    for row in result.macro_means:
        means = [d.measurements.mean(row.measure, row.strategy) for d in result.datasets]
        assert row.mean == pytest.approx(sum(means) / 2)
        assert row.n_datasets == 2
    assert {name for row in result.macro_means for name in row.best_on} == set(COLLECTIONS)


def test_ties_are_found_where_scores_are_equal(result):
    scifact = next(d for d in result.datasets if d.name == "scifact")
    summary = {s.strategy: s for s in scifact.strategies}["bm25_title_only"]
    assert 40 <= summary.tied_queries <= 60
    mean = scifact.measurements.mean("ndcg@10", "bm25_title_only")
    assert summary.tie_low < mean < summary.tie_high


def test_every_number_of_the_sensitivity_exists(result):
    for dataset in result.datasets:
        # Cranfield's judgments leave no query without a relevant document, nor do SciFact's.
        codes = {row.code for row in dataset.sensitivity}
        assert "judged-only" in codes
        for row in dataset.sensitivity:
            assert row.comparison.n == len(dataset.measurements.query_ids)
            assert not math.isnan(row.comparison.p_adjusted)
