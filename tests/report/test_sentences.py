"""Sentences as functions of findings and numbers."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from rageval.report import sentences
from rageval.report.document import build_document
from rageval.report.model import subjects
from tests.report import synthetic

OTHER = "old, the strategy in production"


@pytest.mark.parametrize(
    ("case", "headline"),
    [
        ("better", f"new retrieves better than {OTHER}."),
        ("worse", f"new retrieves worse than {OTHER}."),
        ("equivalent", f"new and {OTHER}, are equivalent within the margin of ±0.02."),
        (
            "better within margin",
            f"new retrieves better than {OTHER}; the difference lies within the margin of ±0.02.",
        ),
        ("inconclusive", f"Not decided yet: new is not shown to differ from {OTHER}."),
        ("identical", f"new and {OTHER}, have exactly the same value on every query."),
        (
            "constant difference",
            f"new cannot be tested against {OTHER}: differences do not vary.",
        ),
        (
            "one query",
            "Hybrid + rerank cannot be tested against Hybrid, the strategy in production: "
            "needs at least two queries.",
        ),
        ("one strategy", "One strategy scored; nothing to compare."),
        ("incomplete", "Not compared: Hybrid + rerank could not be evaluated."),
        (
            "several datasets",
            "Hybrid + rerank against Hybrid: better on 1 and inconclusive on 2 of 3 datasets.",
        ),
    ],
)
def test_the_headline_of_each_finding(case, headline):
    assert sentences.headline(synthetic.case(case)) == headline


def _exploratory(means, **options):
    a = synthetic.values(100, 3, 1, step=0.0)
    a[0] = a[0, 0] + [[m] for m in means]
    rng = synthetic.np.random.default_rng(3)
    a[0, 1:] += rng.normal(0, 0.02, a[0, 1:].shape) if options.get("noise", True) else 0
    cube = synthetic.from_values(a, ("x", "y", "z"), ("ndcg@10",))
    known = [synthetic.Strategy(s) for s in cube.strategies]
    return sentences.headline(synthetic.result({"main": cube}, strategies=known))


def test_without_a_planned_comparison_the_headline_says_exploratory():
    words = _exploratory([0.0, 0.1, 0.3])
    assert re.fullmatch(
        r"Exploratory: z has the highest mean nDCG@10, \d\.\d{3}, and is shown to differ from "
        r"the next, y\.",
        words,
    )
    assert "and is not shown to differ from the next" in _exploratory([0.0, 0.1, 0.1])


def test_equal_best_strategies_share_the_headline():
    words = _exploratory([0.0, 0.2, 0.2], noise=False)
    assert words.startswith("Exploratory: y and z share the highest mean nDCG@10, ")


def test_the_same_finding_on_all_datasets_is_said_once():
    made = {n: synthetic.cube(80, seed=i, step=0.3) for i, n in enumerate("ab")}
    words = sentences.headline(synthetic.result(made))
    assert words == "Hybrid + rerank against Hybrid: better on all 2 datasets."


def test_names_are_written_as_the_caller_asks():
    result = synthetic.case("better")
    words = sentences.headline(result, lambda name: f"<{name}>")
    assert words == "<new> retrieves better than <old>, the strategy in production."


@pytest.mark.parametrize(
    ("d_z", "word"),
    [(0.0, "below small"), (-0.19, "below small"), (0.2, "small"), (-0.5, "medium"), (2, "large")],
)
def test_effect_sizes_have_names(d_z, word):
    assert sentences.effect_word(d_z) == word


@pytest.fixture
def comparison():
    return synthetic.case("better").datasets[0].planned[0]


def test_means_that_read_alike_are_not_said_to_move(comparison):
    close = replace(comparison, mean_a=0.56400, mean_b=0.56401, mean_difference=1e-5)
    assert sentences.movement(close, "nDCG") == "Mean nDCG is 0.564 for both"
    down = replace(comparison, mean_a=0.6, mean_b=0.5, mean_difference=-0.1)
    assert sentences.movement(down, "nDCG") == "Mean nDCG falls from 0.600 to 0.500"


def test_adjustment_is_named_only_where_there_is_one(comparison):
    one = replace(comparison, p_adjusted=0.0061, family_size=1)
    assert sentences.p_sentence(one, 0.05).startswith("p = 0.006 (a single comparison")
    two = replace(one, family_size=3, correction="bh")
    expected = "p = 0.006 after Benjamini-Hochberg adjustment over 3 comparisons"
    assert sentences.p_sentence(two, 0.05) == expected
    assert "without adjustment" in sentences.p_sentence(replace(two, correction="none"), 0.05)
    none = replace(one, p_adjusted=math.nan, note="needs at least two queries")
    assert sentences.p_sentence(none, 0.05) == "needs at least two queries"


def test_needed_queries_are_said_for_open_comparisons_alone(comparison):
    assert sentences.needed_sentence(replace(comparison, queries_needed=900)) == ""
    found = replace(comparison, finding="inconclusive", queries_needed=1240)
    assert "about 1,240 queries would decide it" in sentences.needed_sentence(found)
    many = replace(found, queries_needed=10**30)
    assert "more than a million queries" in sentences.needed_sentence(many)


def test_a_difference_is_said_in_words(comparison):
    c = replace(comparison, mean_difference=0.059, ci_low=-0.02, ci_high=0.097)
    assert sentences.difference_in_words(c) == (
        "new against old: 0.059 higher; interval from 0.020 lower to 0.097 higher"
    )


FORBIDDEN = re.compile(
    r"no difference|\bsignifican|trend toward|\bsystem\b|\bequal(ly)? (well|good)", re.IGNORECASE
)


@pytest.mark.parametrize("case", [c for c in synthetic.CASES if c != "ten thousand queries"])
def test_no_sentence_claims_what_a_test_cannot(case):
    document = build_document(synthetic.case(case))
    assert not FORBIDDEN.search(repr(document))


@pytest.mark.parametrize("case", ["identical", "constant difference", "one query"])
def test_degenerate_comparisons_claim_nothing(case):
    for subject in subjects(synthetic.case(case), "html"):
        for c in subject.dataset.planned:
            assert c.finding in ("identical", "not testable")
            words = sentences.finding_sentence(c)
            assert "better" not in words
            assert "worse" not in words
