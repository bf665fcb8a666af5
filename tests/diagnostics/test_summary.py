"""What one strategy's rankings look like, and repeated runs together."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rageval.diagnostics import summarise
from rageval.diagnostics.repeats import mean_of_runs, spread
from rageval.diagnostics.summary import judged_shares
from rageval.measures import compute, parse_measure

JUDGED = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"d": 1}, "q3": {"e": 1}}
RANKED = {"q1": ["a", "x", "c", "b"], "q2": ["x", "d"]}


def test_a_summary(make_dataset, make_run):
    run = make_run(make_dataset(JUDGED), RANKED)
    summary = summarise("one", run, parse_measure("P@2"), 2)
    assert (summary.strategy, summary.cutoff, summary.queries_in_run) == ("one", 2, 2)
    depths = summary.min_retrieved, summary.median_retrieved, summary.max_retrieved
    assert depths == (2, 3.0, 4)
    assert (summary.relevant_share, summary.unjudged_share) == (0.5, 0.5)
    assert summary.tied_queries == 0
    assert summary.tie_low == summary.tie_high == pytest.approx(1 / 3)


@pytest.mark.parametrize("cutoff", [1, 2, 3, 10])
def test_unjudged_is_what_the_measure_calls_not_judged(make_dataset, make_run, cutoff):
    run = make_run(make_dataset(JUDGED), RANKED)
    shares = judged_shares(run, cutoff, 1)
    judged = compute(parse_measure(f"judged@{cutoff}"), run)
    assert 1 - shares[2] == pytest.approx(np.nanmean(judged))
    assert sum(shares) == pytest.approx(1)


def test_the_relevance_level_decides_what_is_relevant(make_dataset, make_run):
    run = make_run(make_dataset({"q1": JUDGED["q1"]}), {"q1": list("abcx")})
    assert judged_shares(run, 4, 1) == (0.5, 0.25, 0.25)
    assert judged_shares(run, 4, 2) == (0.25, 0.5, 0.25)


def test_nothing_retrieved_has_no_shares(make_dataset, make_run):
    run = make_run(make_dataset(JUDGED), {"q1": []})
    summary = summarise("one", run, parse_measure("mrr"), 10)
    assert math.isnan(summary.unjudged_share)
    assert (summary.min_retrieved, summary.max_retrieved, summary.queries_in_run) == (0, 0, 1)


def test_ties_bound_the_mean(make_dataset, make_run):
    run = make_run(make_dataset({"q1": {"a": 1}}), {"q1": ["x=2", "y=1", "a=1", "w=1"]})
    summary = summarise("one", run, parse_measure("mrr@3"), 3)
    assert (summary.tied_queries, summary.tie_low, summary.tie_high) == (1, 0, 0.5)


def test_of_repeats_the_first_is_described_and_the_ties_averaged(make_dataset, make_run):
    dataset = make_dataset({"q1": {"a": 1}})
    first = make_run(dataset, {"q1": ["x", "a"]})
    tied = make_run(dataset, {"q1": ["b=1", "a=1", "z=0"]})
    summary = summarise("one", replace(first, repeats=(tied,)), parse_measure("mrr@3"), 3)
    assert (summary.max_retrieved, summary.tied_queries) == (2, 0)
    assert (summary.tie_low, summary.tie_high) == (0.5, 0.75)


values = arrays(np.float64, (2, 3), elements=st.floats(0, 1) | st.just(math.nan))


@given(st.lists(values, min_size=1, max_size=5))
def test_the_mean_of_runs_is_over_the_runs_that_have_a_value(runs):
    found = mean_of_runs(runs)
    for place in np.ndindex(2, 3):
        known = [run[place] for run in runs if not math.isnan(run[place])]
        if known:
            assert found[place] == pytest.approx(math.fsum(known) / len(known))
        else:
            assert math.isnan(found[place])


@given(values)
def test_equal_runs_have_their_own_mean_and_no_spread(run):
    np.testing.assert_allclose(mean_of_runs([run, run, run]), run, rtol=1e-15)
    row = spread("one", "m", list(np.stack([run, run, run])[:, 0]))
    if not np.isnan(run[0]).all():
        assert (row.sd, row.low, row.high) == (0, row.means[0], row.means[0])


def test_the_spread_is_that_of_the_means():
    row = spread("one", "m", [np.array([0.2, 0.4]), np.array([0.5, 0.5]), np.array([1.0, 0.8])])
    assert (row.strategy, row.measure) == ("one", "m")
    assert row.means == pytest.approx((0.3, 0.5, 0.9))
    assert row.sd == pytest.approx(statistics.stdev([0.3, 0.5, 0.9]))
    assert (row.low, row.high) == pytest.approx((0.3, 0.9))


def test_a_mean_that_does_not_exist_leaves_no_spread():
    row = spread("one", "m", [np.array([math.nan]), np.array([0.5])])
    assert math.isnan(row.sd)
    assert math.isnan(row.low)
    assert math.isnan(row.high)
