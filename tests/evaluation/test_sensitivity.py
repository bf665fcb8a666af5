"""Other choices that were possible, each against an evaluation in which it was made."""

from __future__ import annotations

import random
from dataclasses import fields

import pytest

from rageval import evaluate
from rageval.data import Comparison
from rageval.evaluation.sensitivity import LABELS
from rageval.stats.paired_tests import TESTS

DOCS = [f"d{i}" for i in range(12)]


def collection(seed: int):
    """Return random judgments and two runs with ties, of 14 queries; two have nothing relevant."""
    draw = random.Random(seed)
    judged = {}
    for q in range(14):
        pool = draw.sample(DOCS, 7)
        judged[f"q{q}"] = {d: 0 if q < 2 else draw.choice([0, 0, 1, 2]) for d in pool}
        judged[f"q{q}"][pool[0]] = 0 if q < 2 else 1
    runs = {
        name: {q: [f"{d}={draw.randint(1, 4)}" for d in draw.sample(DOCS, 8)] for q in judged}
        for name in ("one", "two", "three")
    }
    return judged, runs


def rows_of(dataset, code):
    return [row for row in dataset.sensitivity if row.code == code]


def primary(dataset, pairs="planned"):
    return [c for c in getattr(dataset, pairs) if c.measure == "ndcg@3"]


def assert_same(found: Comparison, expected: Comparison) -> None:
    for field in fields(Comparison):
        one, other = getattr(found, field.name), getattr(expected, field.name)
        if isinstance(one, float):
            assert one == pytest.approx(other, nan_ok=True), field.name
        else:
            assert one == other, field.name


@pytest.fixture
def evaluated(project):
    def run(judged, runs, **config):
        config.setdefault("measures", ["ndcg@3", "mrr"])
        config.setdefault("primary", "ndcg@3")
        config.setdefault("comparison", {"contrasts": [["one", "two"], ["one", "three"]]})
        return evaluate(project(judged, runs, **config)).datasets[0]

    return run


@pytest.fixture(params=[1, 2])
def small(request):
    return collection(request.param)


def test_judged_only_is_an_evaluation_of_runs_without_unjudged_documents(evaluated, small):
    judged, runs = small
    condensed = {
        name: {q: [d for d in docs if d.partition("=")[0] in judged[q]] for q, docs in run.items()}
        for name, run in runs.items()
    }
    rows = rows_of(evaluated(judged, runs), "judged-only")
    expected = primary(evaluated(judged, condensed))
    assert len(rows) == 2
    for row, comparison in zip(rows, expected, strict=True):
        assert_same(row.comparison, comparison)


def test_without_empty_queries_is_an_evaluation_that_excludes_them(evaluated, small):
    rows = rows_of(evaluated(*small), "without-empty-queries")
    expected = primary(evaluated(*small, no_relevant="exclude"))
    assert [row.comparison.n for row in rows] == [12, 12]
    for row, comparison in zip(rows, expected, strict=True):
        assert_same(row.comparison, comparison)


@pytest.mark.parametrize(("code", "better"), [("ties-for-b", "two"), ("ties-for-a", "one")])
def test_ties_are_an_evaluation_of_runs_in_that_order(evaluated, small, code, better):
    judged, runs = small
    contrast = {"contrasts": [["one", "two"]]}

    def untied(name, query, text):
        doc, _, score = text.partition("=")
        grade = judged[query].get(doc, -1)
        return f"{doc}={float(score) + (1 if name == better else -1) * grade / 100}"

    ordered = {
        name: {q: [untied(name, q, d) for d in docs] for q, docs in run.items()}
        for name, run in runs.items()
    }
    (row,) = rows_of(evaluated(judged, runs, comparison=contrast), code)
    (expected,) = primary(evaluated(judged, ordered, comparison=contrast))
    assert_same(row.comparison, expected)


def test_the_bounds_of_ties_hold_the_difference_between_them(evaluated, small):
    dataset = evaluated(*small)
    for i, made in enumerate(primary(dataset)):
        low = rows_of(dataset, "ties-for-a")[i].comparison.mean_difference
        high = rows_of(dataset, "ties-for-b")[i].comparison.mean_difference
        assert low < made.mean_difference < high


def test_rows_stand_by_contrast_then_choice_with_a_label(evaluated, small):
    rows = evaluated(*small).sensitivity
    assert [(r.comparison.b, r.code) for r in rows] == [
        (b, code) for b in ("two", "three") for code in LABELS
    ]
    assert rows[2].label == "Equal scores in the best order for two, the worst for one"
    assert {r.comparison.measure for r in rows} == {"ndcg@3"}


def test_whether_the_finding_is_the_same_is_told(evaluated, small):
    dataset = evaluated(*small)
    findings = {(c.a, c.b): c.finding for c in primary(dataset)}
    for row in dataset.sensitivity:
        beside = findings[row.comparison.a, row.comparison.b]
        assert row.same_finding == (row.comparison.finding == beside)


def test_a_choice_stays_in_the_family_of_all_measures(evaluated, small):
    spec = {"contrasts": [["one", "two"]], "family": "all", "correction": "bonferroni"}
    dataset = evaluated(*small, comparison=spec)
    assert {c.family_size for c in dataset.planned} == {2}
    for row in dataset.sensitivity:
        assert (row.comparison.family, row.comparison.family_size) == ("planned, all measures", 2)
        assert row.comparison.p_adjusted == pytest.approx(min(1, 2 * row.comparison.p_value))


def test_without_contrasts_the_best_is_looked_at_against_the_next(evaluated, small):
    dataset = evaluated(*small, comparison={})
    means = {s: dataset.measurements.mean("ndcg@3", s) for s in ("one", "two", "three")}
    first = sorted(means, key=means.__getitem__)[1:]
    assert dataset.planned == ()
    assert {(r.comparison.a, r.comparison.b) for r in dataset.sensitivity} == {
        next((c.a, c.b) for c in primary(dataset, "comparisons") if {c.a, c.b} == set(first))
    }
    assert {(r.comparison.family, r.comparison.family_size) for r in dataset.sensitivity} == {
        ("all pairs", 3)
    }


@pytest.mark.parametrize("test", tuple(TESTS))
def test_every_test_can_be_asked_again(evaluated, small, test):
    spec = {"contrasts": [["one", "two"]], "test": test, "resamples": 1000}
    rows = evaluated(*small, comparison=spec).sensitivity
    assert [row.code for row in rows] == list(LABELS)
    assert {row.comparison.test for row in rows} == {test}
    assert all(0 < row.comparison.p_value <= 1 for row in rows)


def test_choices_that_change_nothing_are_left_out(evaluated):
    judged = {f"q{i}": {"a": 1, "b": 0} for i in range(5)}
    runs = {name: {q: list(docs) for q in judged} for name, docs in (("one", "ab"), ("two", "ba"))}
    assert evaluated(judged, runs, comparison={}).sensitivity == ()


def test_where_nothing_is_relevant_nothing_is_left_to_compare(evaluated):
    judged = {f"q{i}": {"a": 0} for i in range(5)}
    runs = {name: {q: list(docs) for q in judged} for name, docs in (("one", "a"), ("two", "ax"))}
    assert evaluated(judged, runs, comparison={}).sensitivity == ()


def test_one_strategy_has_nothing_to_compare(evaluated, small):
    judged, runs = small
    assert evaluated(judged, {"one": runs["one"]}, comparison={}).sensitivity == ()
