"""Whatever small collection is given: a sound result, or a clear error."""

from __future__ import annotations

import json
import math

import numpy as np
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from rageval import evaluate
from rageval.data.comparison import Comparison
from rageval.errors import RagevalError
from rageval.report.results_json import from_json, to_json

STRATEGIES = ["one", "two", "three"]
queries = st.sampled_from(["q1", "q2", "q10"])
docs = st.sampled_from(["a", "b", "c", "d", "e"])
scored = st.builds("{}={}".format, docs, st.integers(0, 2))
rankings = st.lists(scored, min_size=1, max_size=5, unique_by=lambda text: text[0])
judged = st.dictionaries(
    queries, st.dictionaries(docs, st.integers(-1, 3), min_size=1, max_size=4), min_size=1
)
run = st.dictionaries(queries, rankings, min_size=2)
configs = st.fixed_dictionaries(
    {},
    optional={
        "no_relevant": st.just("exclude"),
        "relevance_level": st.just(2),
        "comparison": st.fixed_dictionaries(
            {},
            optional={
                "family": st.just("all"),
                "contrasts": st.just([["one", "two"]]),
                "equivalence_margin": st.just(0.1),
                "correction": st.sampled_from(["holm", "bh", "bonferroni", "none"]),
            },
        ),
    },
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(judged, st.lists(run, min_size=1, max_size=4), configs)
def test_a_result_is_sound(project, judgments, runs, config):
    names = [f"run{i}" for i in range(len(runs))]
    strategies = [{"name": STRATEGIES[0], "run": "run0.run"}]
    if len(runs) > 1:
        strategies.append({"name": STRATEGIES[1], "runs": [f"{n}.run" for n in names[1:]]})
    config = {**config, "strategies": strategies, "measures": ["ndcg@3", "mrr", "judged@2"]}
    path = project(judgments, dict(zip(names, runs, strict=True)), **config)
    try:
        result = evaluate(path, created="2026-11-30T06:00:00Z")
    except RagevalError as error:
        event(f"refused: {str(error)[:60]}")
    else:
        event(f"evaluated, {len(result.failures)} failed")
        assert_sound(result)


def assert_sound(result):
    (dataset,) = result.datasets
    cube = dataset.measurements
    known = cube.values[~np.isnan(cube.values)]
    assert ((known >= 0) & (known <= 1)).all()
    for summary in dataset.strategies:
        mean = cube.mean(result.primary, summary.strategy)
        assert summary.tie_low - 1e-12 <= mean <= summary.tie_high + 1e-12
    for comparison in (*dataset.comparisons, *dataset.planned):
        assert_comparison(comparison, len(cube.query_ids))
    for row in dataset.sensitivity:
        assert_comparison(row.comparison, len(cube.query_ids))
    for row in dataset.repeats:
        assert math.isnan(row.sd) or row.low <= min(row.means) <= max(row.means) <= row.high
    written = to_json(result)
    json.loads(written, parse_constant=lambda word: 1 / 0)
    assert to_json(from_json(written)) == written


def assert_comparison(comparison: Comparison, queries: int) -> None:
    assert 0 <= comparison.n <= queries
    assert comparison.wins + comparison.ties + comparison.losses == comparison.n
    if comparison.finding in ("identical", "not testable"):
        assert comparison.note
    else:
        assert 0 <= comparison.p_value <= comparison.p_adjusted <= 1
