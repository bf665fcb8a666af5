"""What every measure promises, whatever it measures."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval.measures import MEASURES, compute, describe, parse_measure

DOCS = [f"d{i}" for i in range(14)]
ids = st.sampled_from(DOCS)
judgments = st.dictionaries(
    st.sampled_from(["q1", "q2", "q10", "q3"]),
    st.dictionaries(ids, st.integers(-1, 4), max_size=9),
    min_size=1,
)
rankings = st.permutations(DOCS).flatmap(
    lambda docs: st.integers(0, len(docs)).map(lambda depth: docs[:depth])
)
runs = st.dictionaries(st.sampled_from(["q1", "q2", "q10", "q3"]), rankings)
few = settings(max_examples=10, deadline=None)


def ideal(grades, padding=("u1", "u2", "u3")):
    return [*sorted(grades, key=grades.__getitem__, reverse=True), *padding]


def judges_quality(measure):
    return measure.measure.name != "Judged"


@few
@given(judgments=judgments, runs=runs)
def test_values_lie_between_0_and_1_and_are_frozen(every_measure, judge_lists, judgments, runs):
    judged = judge_lists(judgments, runs)
    values = compute(every_measure, judged)
    assert values.shape == (len(judgments),)
    assert values.dtype == np.float64
    assert not values.flags.writeable
    defined = values[judged.retrieved > 0] if not judges_quality(every_measure) else values
    assert ((defined >= 0) & (defined <= 1)).all()


@few
@given(judgments=judgments, runs=runs)
def test_a_query_without_results_or_without_relevant_documents_is_0(
    every_measure, judge_lists, judgments, runs
):
    judged = judge_lists(judgments, runs)
    values = compute(every_measure, judged)
    if judges_quality(every_measure):
        nothing = (judged.retrieved == 0) | ~judged.qrels.has_relevant
        assert (values[nothing] == 0).all()
    else:
        assert (np.isnan(values) == (judged.retrieved == 0)).all()


@few
@given(judgments=judgments, runs=runs)
def test_renaming_queries_moves_values_and_changes_none(every_measure, values_of, judgments, runs):
    names = {"q1": "z", "q2": "q5", "q10": "a", "q3": "q4"}
    before = values_of(every_measure.label, judgments, runs)
    after = values_of(
        every_measure.label,
        {names[q]: docs for q, docs in judgments.items()},
        {names[q]: docs for q, docs in runs.items()},
    )
    expected = np.array([before[q] for q in judgments])
    np.testing.assert_array_equal([after[names[q]] for q in judgments], expected)


@few
@given(judgments=judgments, query=st.sampled_from(["q1", "q2"]), ranking=rankings)
def test_one_query_does_not_touch_another(every_measure, values_of, judgments, query, ranking):
    # ERR's top grade is the dataset's by definition: give it, so that queries stand alone.
    label = every_measure.label
    if every_measure.measure.name == "ERR":
        label = label.replace("ERR", "ERR(top=4)")
    together = values_of(label, {"other": {"d1": 1}, **judgments}, {query: ranking, "other": DOCS})
    alone = values_of(label, {query: judgments.get(query, {})}, {query: ranking})
    if query in judgments:
        np.testing.assert_array_equal(together[query], alone[query])


@few
@given(grades=st.dictionaries(ids, st.integers(-1, 4)), docs=st.permutations(DOCS))
def test_unjudged_documents_below_the_cutoff_change_nothing(every_measure, values_of, grades, docs):
    assert len(docs) >= (every_measure.cutoff or 0)
    label, judged = every_measure.label, {"q": grades}
    longer = values_of(label, judged, {"q": [*docs, "u1", "u2"]})
    np.testing.assert_array_equal(values_of(label, judged, {"q": docs})["q"], longer["q"])


@few
@given(grades=st.dictionaries(ids, st.integers(-1, 4)), docs=rankings)
def test_no_ranking_beats_the_ideal_one(every_measure, values_of, grades, docs):
    best = values_of(every_measure.label, {"q": grades}, {"q": ideal(grades)})["q"]
    value = values_of(every_measure.label, {"q": grades}, {"q": docs})["q"]
    if judges_quality(every_measure):
        assert value <= best + 1e-12


@few
@given(
    grades=st.dictionaries(ids, st.integers(-1, 4)),
    docs=st.permutations(DOCS),
    place=st.integers(0, len(DOCS) - 2),
)
def test_moving_a_better_document_up_never_costs(every_measure, values_of, grades, docs, place):
    upper, lower = docs[place : place + 2]
    swapped = [*docs[:place], lower, upper, *docs[place + 2 :]]
    before, after = (
        values_of(every_measure.label, {"q": grades}, {"q": order})["q"]
        for order in (docs, swapped)
    )
    if judges_quality(every_measure) and grades.get(lower, 0) >= max(grades.get(upper, 0), 0):
        assert after >= before - 1e-12


REACH_ONE = ["ndcg", "ndcg@3", "ndcg(gain=exponential)@5", "mrr", "mrr@1", "success@1", "ap",
             "rprec", "bpref", "recall@10", "ap@10", "judged@3"]  # fmt: skip


@few
@given(grades=st.dictionaries(ids, st.integers(0, 4), min_size=3, max_size=9))
@pytest.mark.parametrize("label", REACH_ONE)
def test_the_ideal_ranking_reaches_1(label, values_of, grades):
    grades |= {"best": 1}
    assert values_of(label, {"q": grades}, {"q": ideal(grades)}) == {"q": 1.0}


@few
@given(docs=rankings, relevant=ids)
@pytest.mark.parametrize("cutoff", ["", "@1", "@5"])
def test_with_one_relevant_document_ap_is_reciprocal_rank(cutoff, values_of, docs, relevant):
    ap, rr = (
        values_of(name + cutoff, {"q": {relevant: 2, "other": 0}}, {"q": docs})
        for name in ("AP", "MRR")
    )
    assert ap == rr


@few
@given(judgments=judgments, runs=runs, k=st.integers(1, 12))
def test_f1_is_the_harmonic_mean_of_each_query(values_of, judgments, runs, k):
    p, r, f = (values_of(f"{name}@{k}", judgments, runs) for name in ("P", "R", "F1"))
    for query in judgments:
        both = p[query] + r[query]
        harmonic = 2 * p[query] * r[query] / both if both else 0.0
        assert f[query] == pytest.approx(harmonic, abs=1e-12)


def test_a_dataset_without_a_single_judgment_or_query(every_measure, judge_lists):
    for queries in ({"q1": {}, "q2": {}}, {}):
        values = compute(every_measure, judge_lists(queries, {"q1": ["a"]}))
        assert values.dtype == np.float64
        assert np.nan_to_num(values).tolist() == [0.0] * len(queries)


def test_a_measure_travels_between_processes(every_measure, judge_lists):
    copy = pickle.loads(pickle.dumps(every_measure))  # tasks may run in other processes
    judged = judge_lists({"q": {"a": 1, "b": 0}}, {"q": "ba"})
    assert copy == every_measure
    assert compute(copy, judged).tolist() == compute(every_measure, judged).tolist()


def test_a_label_is_its_own_canonical_form(every_measure):
    again = parse_measure(every_measure.label)
    assert replace(again, key=every_measure.key) == every_measure
    assert describe(again).label == every_measure.label


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_a_definition_is_complete(measure):
    for text in (measure.summary, measure.formula, measure.source, measure.family):
        assert text.strip()
    assert measure.summary.endswith(".")
    assert measure.kernel.__doc__
    assert measure.higher_is_better
    assert math.isfinite(measure.version)
