"""Means over datasets, and which strategy wins where."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rageval.comparison.macro import macro_means
from rageval.data import MacroMean, Measurements


def cube(**values: list[float]) -> Measurements:
    """Return one measure `m`; strategy -> values."""
    (length,) = {len(row) for row in values.values()}
    ids = tuple(f"q{i}" for i in range(length))
    return Measurements(("m",), tuple(values), ids, np.array([list(values.values())]))


def rows(*, higher: bool = True, **cubes: Measurements) -> dict[str, MacroMean]:
    return {row.strategy: row for row in macro_means(cubes, ["a", "b", "c"], {"m": higher})}


def test_each_dataset_counts_once_whatever_its_size() -> None:
    found = rows(
        small=cube(a=[1.0], b=[0.5], c=[0.0]),
        large=cube(a=[0.0] * 9, b=[0.4] * 9, c=[0.5] * 9),
    )
    assert {name: row.mean for name, row in found.items()} == {
        "a": pytest.approx(0.5),
        "b": pytest.approx(0.45),
        "c": pytest.approx(0.25),
    }
    assert {name: row.best_on for name, row in found.items()} == {
        "a": ("small",),
        "b": (),
        "c": ("large",),
    }


def test_a_strategy_that_lacks_a_dataset_has_no_macro_mean_but_may_win_the_other() -> None:
    found = rows(one=cube(a=[0.2], b=[0.1], c=[0.9]), two=cube(a=[0.3], b=[0.4]))
    assert math.isnan(found["c"].mean)
    assert (found["c"].n_datasets, found["c"].best_on) == (1, ("one",))
    assert (found["b"].mean, found["b"].n_datasets) == (0.25, 2)


def test_a_mean_that_exists_nowhere_wins_nothing() -> None:
    found = rows(one=cube(a=[math.nan], b=[math.nan], c=[math.nan]), two=cube(a=[1.0], b=[0.0]))
    assert {name: row.best_on for name, row in found.items()} == {"a": ("two",), "b": (), "c": ()}
    assert found["a"].n_datasets == 1


def test_equal_means_are_all_the_best() -> None:
    found = rows(one=cube(a=[0.1, 0.3], b=[0.2, 0.2], c=[0.0, 0.0]))
    assert (found["a"].best_on, found["b"].best_on) == (("one",), ("one",))


def test_the_lowest_wins_where_lower_is_better() -> None:
    found = rows(higher=False, one=cube(a=[0.1], b=[0.2], c=[0.3]))
    assert found["a"].best_on == ("one",)
    assert found["c"].best_on == ()


def test_rows_stand_by_measure_then_strategy() -> None:
    values = np.arange(4.0).reshape(2, 2, 1)
    both = Measurements(("m", "n"), ("a", "b"), ("q",), values)
    found = macro_means({"one": both}, ["b", "a"], {"n": True, "m": True})
    assert [(row.measure, row.strategy, row.mean) for row in found] == [
        ("n", "b", 3.0),
        ("n", "a", 2.0),
        ("m", "b", 1.0),
        ("m", "a", 0.0),
    ]
