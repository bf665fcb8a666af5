"""The drill-down: which queries it shows, and what stands in it."""

from __future__ import annotations

import numpy as np
import pytest

from rageval.data import Measurements, Retrieved
from rageval.diagnostics import telling_queries
from rageval.diagnostics.details import MAX_JUDGMENTS, MIN_QUERIES

DEEP = 2_000
"""A depth at which only the fewest queries have room."""


@pytest.fixture
def telling(make_dataset, make_run):
    """Return a function from changes per query to the positions of the queries shown."""

    def show(change, contrast=("a", "b"), depth=DEEP):
        queries = {f"q{i}": {"d": 1} for i in range(len(change))}
        dataset = make_dataset(queries)
        run = make_run(dataset, {q: ["d"] for q in queries})
        # A change of -1 is from 1 to 0, one of +1 from 0 to 1.
        values = np.array([[np.where(change < 0, -change, 0), np.where(change > 0, change, 0)]])
        cube = Measurements(("m",), ("a", "b"), dataset.query_ids, values.astype(float))
        details = telling_queries(dataset, {"a": run, "b": run}, cube, "m", contrast, depth)
        return [int(detail.query_id[1:]) for detail in details]

    return show


def test_all_queries_are_shown_where_there_is_room(telling):
    assert telling(np.zeros(MIN_QUERIES)) == list(range(MIN_QUERIES))
    assert telling(np.zeros(400), depth=10) == list(range(400))


def test_losses_and_gains_share_the_room(telling):
    change = np.linspace(-1, 1, 301)
    half = MIN_QUERIES // 2
    assert telling(change) == [*range(half), *range(301 - half, 301)]


def test_few_losses_are_all_shown_and_leave_the_rest_to_gains(telling):
    change = np.concatenate((np.linspace(0.1, 1, 298), [-0.01, -0.02, -0.03]))
    shown = telling(change)
    assert len(shown) == MIN_QUERIES
    assert shown[-3:] == [298, 299, 300]
    assert shown[:-3] == list(range(298 - (MIN_QUERIES - 3), 298))


def test_few_gains_leave_the_rest_to_losses(telling):
    change = np.concatenate(([0.5], np.linspace(-1, -0.1, 300)))
    assert telling(change) == list(range(MIN_QUERIES))


def test_unchanged_queries_come_last(telling):
    change = np.zeros(200)
    change[[150, 160]] = (1, -1)
    assert telling(change) == [*range(MIN_QUERIES - 2), 150, 160]


def test_without_a_contrast_the_widest_spread_tells_most(telling):
    change = np.zeros(200)
    change[100:160] = np.linspace(-1, 1, MIN_QUERIES)
    shown = telling(change, contrast=None)
    assert shown == list(range(100, 160))


def test_a_value_that_does_not_exist_is_no_change(make_dataset, make_run):
    dataset = make_dataset({f"q{i}": {"d": 1} for i in range(80)})
    values = np.full((1, 2, 80), np.nan)
    values[0, :, 79] = (0, 1)
    cube = Measurements(("m",), ("a", "b"), dataset.query_ids, values)
    run = make_run(dataset, {"q1": ["d"]})
    for contrast in (("a", "b"), None):
        details = telling_queries(dataset, {"a": run, "b": run}, cube, "m", contrast, DEEP)
        assert details[-1].query_id == "q79"


def detail_of(make_dataset, make_run, judgments, rankings, depth):
    dataset = make_dataset(judgments)
    run = make_run(dataset, rankings, depth=5)
    values = np.zeros((1, 1, len(dataset.query_ids)))
    cube = Measurements(("m",), ("one",), dataset.query_ids, values)
    return telling_queries(dataset, {"one": run}, cube, "m", None, depth)


def test_rankings_carry_grades_where_documents_were_judged(make_dataset, make_run):
    judgments = {"q1": {"a": 2, "b": 0, "c": -1}, "q2": {"d": 1}}
    rankings = {"q2": ["x"], "q1": ["b", "x", "a", "c"]}
    first, second = detail_of(make_dataset, make_run, judgments, rankings, 3)
    assert first.judgments == (Retrieved("a", 2), Retrieved("b", 0), Retrieved("c", -1))
    assert first.rankings == {
        "one": (Retrieved("b", 0), Retrieved("x", None), Retrieved("a", 2)),
    }
    assert second.rankings == {"one": (Retrieved("x", None),)}


def test_a_short_ranking_ends_where_the_next_begins(make_dataset, make_run):
    rankings = {"q1": ["a"], "q2": ["a", "b"], "q3": ["b", "x"]}
    details = detail_of(make_dataset, make_run, {q: {"a": 1} for q in rankings}, rankings, 3)
    shown = [[document.doc_id for document in detail.rankings["one"]] for detail in details]
    assert shown == list(rankings.values())


def test_a_query_that_the_run_lacks_has_an_empty_ranking(make_dataset, make_run):
    judgments = {"q1": {"a": 1}, "q2": {"b": 1}}
    details = detail_of(make_dataset, make_run, judgments, {"q2": ["b"]}, 3)
    assert details[0].rankings == {"one": ()}


def test_the_best_of_many_judgments_are_listed(make_dataset, make_run):
    judgments = {"q1": {f"d{i}": i % 4 for i in range(3 * MAX_JUDGMENTS)}}
    (detail,) = detail_of(make_dataset, make_run, judgments, {"q1": ["x"]}, 3)
    assert len(detail.judgments) == MAX_JUDGMENTS
    assert {document.grade for document in detail.judgments} == {2, 3}
