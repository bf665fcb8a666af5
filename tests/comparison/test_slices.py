"""Contrasts by kind of query."""

from __future__ import annotations

import numpy as np
import pytest

from rageval.comparison.compare import compare
from rageval.comparison.slices import compare_slices
from rageval.config.models import ComparisonSpec
from rageval.data import SliceComparison
from rageval.data.measurements import Measurements

SPEC = ComparisonSpec()


def random_cube(queries: int) -> Measurements:
    generator = np.random.default_rng(4)
    values = generator.random((2, 3, queries))
    values[1, 2] += 0.2
    ids = tuple(f"q{i}" for i in range(queries))
    return Measurements(("other", "m"), ("a", "b", "c"), ids, values)


def sliced(
    measurements: Measurements,
    contrasts: tuple[tuple[str, str], ...] = (("a", "c"),),
    spec: ComparisonSpec = SPEC,
    **attributes: list[str],
) -> tuple[SliceComparison, ...]:
    named = {
        name: {q: v for q, v in zip(measurements.query_ids, values, strict=False) if v}
        for name, values in attributes.items()
    }
    return compare_slices(measurements, "m", contrasts, named, spec=spec, seed=1)


def test_each_value_is_a_slice_largest_first() -> None:
    found = sliced(random_cube(60), kind=["long"] * 20 + ["short"] * 40)
    assert [(s.attribute, s.value, s.kind, s.comparison.n, s.small_sample) for s in found] == [
        ("kind", "short", "value", 40, False),
        ("kind", "long", "value", 20, True),
    ]


def test_slices_and_contrasts_are_one_family() -> None:
    both = (("a", "c"), ("b", "c"))
    kinds, lengths = ["x"] * 20 + ["y"] * 40, ["1"] * 30 + ["2"] * 30
    found = sliced(random_cube(60), both, kind=kinds, length=lengths)
    contrasts = [s.comparison for s in found]
    assert len(contrasts) == 8
    assert {(c.family, c.family_size, c.correction) for c in contrasts} == {("slices", 8, "holm")}
    smallest = min(contrasts, key=lambda c: c.p_value)
    assert smallest.p_adjusted == pytest.approx(min(1.0, 8 * smallest.p_value))


def test_a_test_over_all_strategies_is_corrected_for_the_slices_it_was_made_on() -> None:
    spec = ComparisonSpec(test="tukey-randomised", resamples=1_000)
    both = (("a", "c"), ("b", "c"))
    kinds = ["x"] * 20 + ["y"] * 39 + ["lonely"]
    found = [s.comparison for s in sliced(random_cube(60), both, spec, kind=kinds)]
    tested = [c for c in found if c.finding != "not testable"]
    assert (len(found), len(tested)) == (6, 4)
    assert {(c.correction, c.family_size) for c in found} == {("bonferroni", 4)}
    assert [c.p_adjusted for c in tested] == [min(1.0, 2 * c.p_value) for c in tested]


def test_a_slice_is_the_comparison_of_its_queries_alone() -> None:
    measurements = random_cube(50)
    first = sliced(measurements, kind=["x"] * 30 + ["y"] * 20)[0]
    alone = Measurements(
        ("m",), ("a", "b", "c"), measurements.query_ids[:30], measurements.values[1:, :, :30].copy()
    )
    (expected,) = compare(alone, "m", [("a", "c")], spec=SPEC, seed=1, family="f")
    assert first.comparison.p_value == expected.p_value
    assert first.comparison.mean_difference == expected.mean_difference
    assert first.comparison.mean_a == alone.mean("m", "a")


@pytest.mark.parametrize(("values", "slices", "others"), [(12, 12, 0), (13, 12, 2), (40, 12, 29)])
def test_more_than_twelve_values_gather_the_rest(values: int, slices: int, others: int) -> None:
    found = sliced(random_cube(120), kind=[f"v{i % values}" for i in range(120)])
    assert len(found) == slices
    assert sum(s.comparison.n for s in found) == 120
    gathered = [s for s in found if s.kind == "other"]
    assert [s.value for s in gathered] == ([f"other ({others} values)"] if others else [])
    assert not gathered or found[-1] is gathered[0]


def test_equal_sizes_stand_in_natural_order() -> None:
    found = sliced(random_cube(40), kind=["v10", "v9", "v1", "v2"] * 10)
    assert [s.value for s in found] == ["v1", "v2", "v9", "v10"]


def test_queries_without_the_attribute_are_shown_too() -> None:
    found = sliced(random_cube(30), kind=["x"] * 20 + [""] * 4)
    assert [(s.value, s.kind, s.comparison.n) for s in found] == [
        ("x", "value", 20),
        ("not given", "not given", 10),
    ]


def test_an_attribute_that_no_two_queries_share_makes_no_slice() -> None:
    assert sliced(random_cube(30), id=[f"v{i}" for i in range(30)]) == ()


def test_slices_of_one_query_say_so() -> None:
    found = sliced(random_cube(11), kind=["x"] * 10 + ["y"])
    lonely = found[1]
    assert (lonely.comparison.n, lonely.comparison.finding) == (1, "not testable")
    assert lonely.comparison.note == "needs at least two queries"
    assert lonely.comparison.family_size == 1


def test_undefined_values_are_left_out_of_a_slice() -> None:
    measurements = random_cube(20)
    values = measurements.values.copy()
    values[1, 0, :3] = np.nan
    holed = Measurements(
        measurements.measures, measurements.strategies, measurements.query_ids, values
    )
    found = sliced(holed, (("a", "c"), ("b", "c")), kind=["x"] * 20)
    assert [s.comparison.n for s in found] == [17, 20]


def test_no_attributes_no_slices() -> None:
    assert sliced(random_cube(10)) == ()
