"""Values that were worked out by hand or printed in the literature."""

from __future__ import annotations

import math

import pytest

from rageval.errors import RagevalError
from rageval.measures import compute, parse_measure

TWO = ({"a": 1, "b": 3}, "ab")
FIVE = (dict.fromkeys("12345", 1), "1")
SECOND = ({"a": 1}, "xa")
DOCS = ({"3": 1, "7": 1, "c": 1}, "13579")

# Wikipedia, "Discounted cumulative gain": grades 3 2 3 0 1 2 in order, two more judged documents
# of grades 3 and 2; DCG@6 6.861, ideal DCG@6 8.740.
WIKIPEDIA = ({"1": 3, "2": 2, "3": 3, "4": 0, "5": 1, "6": 2, "7": 3, "8": 2}, "123456")

# Manning, Raghavan and Schütze 2008, exercise 8.8: four relevant documents, system 1 finds them
# at ranks 1 3 9 10, system 2 at 2 5 6 7.
SYSTEM_1 = (dict.fromkeys("abcd", 1), "axbyzuvwcd")
SYSTEM_2 = (dict.fromkeys("abcd", 1), "xayzbcduvw")

GRADED = ({"a": 2, "b": 1, "c": 0, "d": -1}, "dbxa")

KNOWN = [
    ("ndcg@2", TWO, 0.7967075809905066),
    ("ndcg(gain=exponential)@2", TWO, 0.7098),
    ("ndcg@5", FIVE, 0.3392),
    ("P@5", FIVE, 0.2),
    ("recall@5", FIVE, 0.2),
    ("ndcg@3", SECOND, 1 / math.log2(3)),
    ("ndcg", SECOND, 0.6309),
    ("recall@5", DOCS, 2 / 3),
    ("precision@5", DOCS, 0.4),
    ("f1@5", DOCS, 0.5),
    ("mrr", DOCS, 0.5),
    ("ndcg@6", WIKIPEDIA, 0.785),
    ("ap", SYSTEM_1, 0.6),
    ("ap", SYSTEM_2, (1 / 2 + 2 / 5 + 3 / 6 + 4 / 7) / 4),
    ("rprec", SYSTEM_1, 0.5),
    ("rprec", SYSTEM_2, 0.25),
    ("ap@3", SYSTEM_1, (1 + 2 / 3) / 4),
    ("mrr@1", SECOND, 0.0),
    ("mrr@2", SECOND, 0.5),
    ("success@1", SECOND, 0.0),
    ("success@2", SECOND, 1.0),
    ("judged@2", SECOND, 0.5),
    ("judged@10", SECOND, 0.5),
    ("judged@1", FIVE, 1.0),
    # A negative grade gains nothing, stands in the ideal as 0, and is judged.
    ("ndcg@4", GRADED, (1 / math.log2(3) + 2 / math.log2(5)) / (2 + 1 / math.log2(3))),
    ("P(rel=2)@4", GRADED, 0.25),
    ("recall(rel=2)@3", GRADED, 0.0),
    ("f1(rel=2)@4", GRADED, 2 * 0.25 * 1 / 1.25),
    ("judged@4", GRADED, 0.75),
    # bpref: one of two non-relevant documents (d) above both relevant ones, min(N, R) = 2.
    ("bpref", GRADED, 0.5),
    # Moffat and Zobel 2008, equation 6.
    ("rbp(p=0.5)", ({"a": 1, "b": 1}, "axb"), 0.5 * (1 + 0.25)),
    ("rbp(p=0.5)@2", ({"a": 1, "b": 1}, "axb"), 0.5),
    ("rbp", ({"a": 1}, "xa"), 0.2 * 0.8),
    # Chapelle et al. 2009, algorithm 2: grades 1 then 2 of at most 2 satisfy with 1/4 and 3/4.
    ("err", ({"a": 2, "b": 1}, "ba"), 1 / 4 + (3 / 4) * (3 / 4) / 2),
    ("err@1", ({"a": 2, "b": 1}, "ba"), 1 / 4),
    ("err(top=4)", ({"a": 2, "b": 1}, "ba"), 1 / 16 + (15 / 16) * (3 / 16) / 2),
    ("err", GRADED, (1 / 4) / 2 + (3 / 4) * (3 / 4) / 4),
]


@pytest.mark.parametrize(("label", "case", "expected"), KNOWN)
def test_known_value(label, case, expected, values_of):
    judgments, ranking = case
    printed = len(str(expected)) <= 6
    value = values_of(label, {"q": judgments}, {"q": ranking})["q"]
    assert value == pytest.approx(expected, abs=5e-4 if printed else 1e-12)


@pytest.mark.parametrize("label", ["ndcg@5", "ndcg(gain=exponential)", "err", "recall@5", "ap"])
def test_grade_zero_gains_nothing(label, values_of):
    assert values_of(label, {"q": {"a": 0}}, {"q": "a"}) == {"q": 0.0}


def test_top_grade_comes_from_the_dataset_not_from_the_query(values_of):
    judgments = {"q1": {"a": 1}, "q2": {"b": 4}}
    values = values_of("err", judgments, {"q1": "a", "q2": "b"})
    assert values == {"q1": 1 / 16, "q2": 15 / 16}
    # Nor from what was retrieved: strategies would be measured on different scales.
    assert values_of("err", judgments, {"q1": "a"}) == {"q1": 1 / 16, "q2": 0.0}


def test_top_grade_below_the_judgments_is_an_error(values_of):
    with pytest.raises(RagevalError, match=r"ERR\(top=2\).*grade of 3") as error:
        values_of("err(top=2)", {"q": {"a": 3}}, {"q": "a"})
    assert "top=3" in str(error.value)


@pytest.mark.parametrize("ranking", ["a", "x"])
def test_exponential_gain_that_overflows_names_the_grade(ranking, values_of):
    with pytest.raises(RagevalError, match="grade of 1001 is too high"):
        values_of("ndcg(gain=exponential)@5", {"q": {"a": 1001}}, {"q": ranking})


def test_high_grades_that_do_not_overflow(values_of):
    judgments = {"q": {"a": 1000, "b": 999}}
    value = values_of("ndcg(gain=exponential)@5", judgments, {"q": "ba"})["q"]
    discount = 1 / math.log2(3)
    assert value == pytest.approx((1 + 2 * discount) / (2 + discount), abs=1e-12)
    assert values_of("err", {"q": {"a": 2_000_000_000}}, {"q": "a"})["q"] == 1.0


def test_nothing_retrieved_has_no_share_of_judged_documents(judge_lists):
    judged = judge_lists({"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}, {"q1": "a", "q2": ""})
    values = compute(parse_measure("judged@10"), judged)
    assert values[0] == 1.0
    assert [math.isnan(value) for value in values] == [False, True, True]
