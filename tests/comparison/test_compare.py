"""Comparisons of strategies on one measure, whole."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from rageval.comparison.adjust import adjust
from rageval.comparison.compare import compare
from rageval.config.models import ComparisonSpec
from rageval.data.comparison import Comparison
from rageval.data.measurements import Measurements
from rageval.errors import ConfigError, InputError
from rageval.stats.corrections import CORRECTIONS
from rageval.stats.paired_tests import TESTS
from rageval.stats.power import queries_needed

A = (0.90, 0.55, 0.70, 0.30, 0.85, 0.60, 0.45, 0.75)
B = (0.80, 0.50, 0.72, 0.20, 0.70, 0.58, 0.40, 0.60)
every_test = pytest.mark.parametrize("test", TESTS)
every_correction = pytest.mark.parametrize("correction", CORRECTIONS)


def cube(*rows: object) -> Measurements:
    values = np.array([rows], dtype=np.float64)
    names = tuple("abcdefgh"[: len(rows)])
    return Measurements(("m",), names, tuple(f"q{i}" for i in range(values.shape[2])), values)


def pairs_of(measurements: Measurements) -> list[tuple[str, str]]:
    names = measurements.strategies
    return [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]


def compared(
    measurements: Measurements,
    pairs: list[tuple[str, str]] | None = None,
    detailed: bool = True,
    **spec: object,
) -> list[Comparison]:
    chosen = ComparisonSpec.model_validate({"resamples": 1_000, **spec})
    pairs = pairs_of(measurements) if pairs is None else pairs
    return compare(measurements, "m", pairs, spec=chosen, seed=5, family="f", detailed=detailed)


def random_cube(strategies: int, queries: int, seed: int = 0) -> Measurements:
    generator = np.random.default_rng(seed)
    level = generator.random(queries)
    noise = generator.normal(0, 0.1, (strategies, queries))
    return cube(*(level + noise + 0.04 * np.arange(strategies)[:, None]))


def test_worked_pair() -> None:
    (c,) = compared(cube(A, B), correction="holm")
    assert (c.measure, c.a, c.b, c.n, c.test, c.family) == ("m", "a", "b", 8, "paired-t", "f")
    assert (c.mean_a, c.mean_b) == pytest.approx((0.6375, 0.5625), abs=1e-15)
    assert c.mean_difference == pytest.approx(-0.075, abs=1e-15)
    assert c.p_value == c.p_adjusted == pytest.approx(0.0100717133, abs=1e-10)
    assert (c.ci_low, c.ci_high) == pytest.approx((-0.1257549003, -0.0242450997), abs=1e-10)
    assert (c.simultaneous_low, c.simultaneous_high) == (c.ci_low, c.ci_high)
    assert (c.d_z, c.g_z) == pytest.approx((-1.2353796140, -1.0972677652), abs=1e-10)
    assert c.d_z_low < c.d_z < c.d_z_high < 0
    assert (c.wins, c.ties, c.losses) == (1, 0, 7)
    assert c.relative_change == pytest.approx(-0.075 / 0.6375)
    assert (c.finding, c.note, c.within_margin, c.queries_needed) == ("worse", "", None, None)
    assert (c.family_size, c.correction, c.p_check) == (1, "holm", None)


def test_three_strategies_are_one_family() -> None:
    rows = np.array(
        [
            [0.9, 0.8, 0.5],
            [0.5, 0.5, 0.4],
            [0.7, 0.72, 0.6],
            [0.3, 0.2, 0.1],
            [0.85, 0.7, 0.5],
            [0.6, 0.58, 0.55],
        ]
    ).T
    found = compared(cube(*rows))
    assert [c.p_adjusted for c in found] == pytest.approx([0.088384, 0.043667, 0.043667], abs=5e-7)
    assert [c.finding for c in found] == ["inconclusive", "worse", "worse"]
    assert {c.family_size for c in found} == {3}
    for c in found:
        assert c.simultaneous_low < c.ci_low < c.ci_high < c.simultaneous_high


@every_test
def test_identical_values_are_identical_and_not_counted(test: str) -> None:
    same, other = compared(cube(A, A, B), [("a", "b"), ("a", "c")], test=test)
    assert (same.finding, same.note, same.mean_difference) == ("identical", "identical", 0.0)
    assert (same.p_value, same.p_adjusted) == (1.0, 1.0)
    assert (same.wins, same.ties, same.losses) == (0, 8, 0)
    for name in ("statistic", "ci_low", "ci_high", "simultaneous_low", "d_z", "d_z_low", "g_z"):
        assert math.isnan(getattr(same, name)), name
    assert other.finding == "worse"
    assert {same.family_size, other.family_size} == {1}


@every_test
@pytest.mark.parametrize("shift", [0.1, -0.3, 1e-11])
def test_constant_differences_are_not_testable(test: str, shift: float) -> None:
    shifted = np.array(A) + shift
    (c,) = compared(cube(A, shifted), test=test, equivalence_margin=0.5)
    assert (c.finding, c.note, c.family_size) == ("not testable", "differences do not vary", 0)
    assert c.mean_difference == pytest.approx(shift, rel=1e-4)
    assert math.isnan(c.p_value)
    assert math.isnan(c.p_adjusted)
    assert (c.within_margin, c.queries_needed) == (None, None)


@every_test
@pytest.mark.parametrize("n", [0, 1])
def test_fewer_than_two_queries_are_not_testable(test: str, n: int) -> None:
    (c,) = compared(cube(A[:n], B[:n]), test=test)
    assert (c.finding, c.note, c.n) == ("not testable", "needs at least two queries", n)
    assert math.isnan(c.p_value)
    assert math.isnan(c.mean_difference) == (n == 0)


@every_test
def test_no_value_anywhere_is_not_testable(test: str) -> None:
    (c,) = compared(cube(A, [np.nan] * 8), test=test)
    assert (c.finding, c.n) == ("not testable", 0)
    assert c.note == "needs at least two queries; 8 queries left out, where a value does not exist"


@every_test
def test_undefined_queries_are_left_out_pairwise_and_counted(test: str) -> None:
    hole = (np.nan, *B[1:])
    whole = compared(cube(A[1:], B[1:]), test=test)[0]
    (c,) = compared(cube(A, hole), test=test)
    assert c.n == 7
    assert c.mean_a == whole.mean_a
    assert (c.p_value, c.ci_low, c.d_z) == (whole.p_value, whole.ci_low, whole.d_z)
    assert c.note.endswith("1 query left out, where a value does not exist")


def test_pairs_with_different_holes_keep_their_order_and_own_queries() -> None:
    measurements = cube(A, B, (np.nan, np.nan, *A[2:]), (*B[:7], np.nan))
    pairs = [("c", "d"), ("a", "b"), ("b", "c"), ("a", "d")]
    found = compared(measurements, pairs)
    assert [(c.a, c.b) for c in found] == pairs
    assert [c.n for c in found] == [5, 8, 6, 7]


def test_a_test_over_all_strategies_uses_queries_that_all_have() -> None:
    measurements = cube(A, B, (np.nan, np.nan, *A[2:]))
    found = compared(measurements, test="tukey-randomised")
    assert [c.n for c in found] == [6, 6, 6]


@every_test
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_swapping_a_and_b_mirrors_every_number(test: str, data: st.DataObject) -> None:
    elements = st.integers(0, 20).map(lambda i: i / 20) | st.floats(0, 1)
    shape = (2, data.draw(st.integers(0, 25)))
    measurements = cube(*data.draw(st_numpy.arrays(np.float64, shape, elements=elements)))
    spec = {"test": test, "equivalence_margin": 0.1}
    (c,) = compared(measurements, [("a", "b")], **spec)
    (r,) = compared(measurements, [("b", "a")], **spec)
    same = ("n", "sd_difference", "p_value", "p_adjusted", "ties", "df", "detectable_difference")
    for name in (*same, "within_margin", "queries_needed", "note", "family_size"):
        assert _equal(getattr(c, name), getattr(r, name)), name
    mirrored = ("mean_difference", "d_z", "g_z")
    for name in mirrored if test == "wilcoxon" else (*mirrored, "statistic"):
        assert _equal(getattr(c, name), -getattr(r, name)), name
    assert (c.mean_a, c.wins) == pytest.approx((r.mean_b, r.losses), nan_ok=True)
    for low, high in (
        ("ci_low", "ci_high"),
        ("simultaneous_low", "simultaneous_high"),
        ("d_z_low", "d_z_high"),
    ):
        assert getattr(c, low) == pytest.approx(-getattr(r, high), abs=1e-12, nan_ok=True)
    turned = {"better": "worse", "worse": "better"}
    assert r.finding == turned.get(c.finding, c.finding)


def _equal(left: object, right: object) -> bool:
    return left == right or (left != left and right != right)


@every_test
@every_correction
def test_adjusted_p_values_keep_order_and_are_never_smaller(test: str, correction: str) -> None:
    found = compared(random_cube(5, 40), test=test, correction=correction)
    ordered = sorted(found, key=lambda c: c.p_value)
    assert all(c.p_adjusted >= c.p_value for c in found)
    adjusted = [c.p_adjusted for c in ordered]
    assert adjusted == sorted(adjusted)


@every_test
@every_correction
def test_finding_follows_adjusted_p(test: str, correction: str) -> None:
    found = compared(random_cube(5, 40), test=test, correction=correction)
    for c in found:
        assert (c.p_adjusted < 0.05) == (c.finding in ("better", "worse"))
        assert c.finding != "better" or c.mean_difference > 0
    assert len({c.finding for c in found}) > 1


def test_tukey_is_not_corrected_twice() -> None:
    found = compared(random_cube(3, 40), test="tukey-randomised", correction="bonferroni")
    assert [c.p_adjusted for c in found] == [c.p_value for c in found]
    assert {c.correction for c in found} == {"none"}
    assert "p holds over all pairs of 3 strategies" in found[0].note


def test_check_is_the_other_tests_p_value() -> None:
    measurements = random_cube(3, 40)
    expected = [c.p_value for c in compared(measurements, test="wilcoxon")]
    assert [c.p_check for c in compared(measurements, check="wilcoxon")] == expected


def test_bootstrap_gives_its_own_interval_inside_the_simultaneous_one() -> None:
    student = compared(random_cube(3, 40))
    bootstrap = compared(random_cube(3, 40), test="bootstrap-bca")
    for c, t in zip(bootstrap, student, strict=True):
        assert c.ci_low != t.ci_low
        assert c.ci_low == pytest.approx(t.ci_low, abs=0.01)
        assert c.simultaneous_low <= c.ci_low <= c.ci_high <= c.simultaneous_high


def test_a_better_strategy_may_also_be_within_the_margin() -> None:
    low = np.linspace(0.1, 0.5, 50)
    high = low + 0.01 + 0.001 * np.sin(np.arange(50))
    (c,) = compared(cube(low, high), equivalence_margin=0.02)
    assert (c.finding, c.within_margin) == ("better", True)


def test_equivalent_only_with_a_margin() -> None:
    low = np.linspace(0.1, 0.5, 50)
    high = low + 0.001 * np.sin(np.arange(50))
    found = {m: compared(cube(low, high), equivalence_margin=m)[0].finding for m in (None, 0.01)}
    assert found == {None: "inconclusive", 0.01: "equivalent"}


def test_ranks_against_the_mean_claim_no_direction() -> None:
    # Many small gains and a few losses so large that the mean falls.
    differences = np.concatenate((0.01 + 0.0001 * np.arange(60), np.full(6, -0.4)))
    (c,) = compared(cube(np.full(66, 0.5), 0.5 + differences), test="wilcoxon")
    assert c.p_value < 0.05
    assert c.mean_difference < 0
    assert c.finding == "inconclusive"
    assert c.note.endswith("the test and the mean point in opposite directions")
    again = adjust([c], correction="none", alpha=0.05, family="f")
    assert again[0].finding == "inconclusive"


def test_queries_needed_only_where_asked_and_inconclusive() -> None:
    measurements = random_cube(4, 30)
    for c in compared(measurements, detailed=True):
        level = 0.05 / c.family_size
        needed = queries_needed(c.mean_difference, c.sd_difference, level)
        assert c.queries_needed == (needed if c.finding == "inconclusive" else None)
        assert needed is None or c.finding != "inconclusive" or needed > c.n
    assert {c.queries_needed for c in compared(measurements, detailed=False)} == {None}


def test_interval_of_d_z_only_where_asked() -> None:
    measurements = random_cube(3, 30)
    assert all(math.isnan(c.d_z_low) for c in compared(measurements, detailed=False))
    assert all(c.d_z_low < c.d_z < c.d_z_high for c in compared(measurements, detailed=True))


def test_zero_mean_a_has_no_relative_change() -> None:
    (c,) = compared(cube([0.0, 0.0, 0.0], [0.1, 0.2, 0.4]))
    assert math.isnan(c.relative_change)


def test_ties_are_within_a_billionth_and_do_not_reach_wilcoxon() -> None:
    differences = np.array([5e-10, -1e-9, 2e-9, 0.1, 0.2, -0.05])
    (c,) = compared(cube(np.zeros(6), differences), test="wilcoxon")
    assert (c.wins, c.ties, c.losses) == (3, 2, 1)
    assert c.note == "exact distribution"


def test_a_larger_family_adjusts_again() -> None:
    first, second = compared(random_cube(4, 40)), compared(random_cube(4, 40, seed=1))
    other = [_renamed(c, "other") for c in second]
    together = adjust([*first, *other], correction="bonferroni", alpha=0.05, family="all")
    for before, after in zip([*first, *other], together, strict=True):
        assert after.p_adjusted == pytest.approx(min(1.0, 12 * before.p_value))
        assert (after.family, after.family_size, after.correction) == ("all", 12, "bonferroni")
        assert after.simultaneous_low < before.simultaneous_low
        assert (after.p_value, after.ci_low) == (before.p_value, before.ci_low)


def test_tukey_over_two_measures_is_multiplied_by_two() -> None:
    found = compared(random_cube(3, 40), test="tukey-randomised")
    both = [*found, *(_renamed(c, "other") for c in found)]
    together = adjust(both, correction="holm", alpha=0.05, family="all")
    assert [c.p_adjusted for c in together] == [min(1.0, 2 * c.p_value) for c in both]
    assert {c.correction for c in together} == {"bonferroni"}
    unadjusted = adjust(both, correction="none", alpha=0.05, family="all")
    assert [c.p_adjusted for c in unadjusted] == [c.p_value for c in both]


def test_adjusting_again_to_the_same_family_changes_nothing() -> None:
    found = compared(random_cube(4, 40), equivalence_margin=0.05)
    again = adjust(found, correction="holm", alpha=0.05, family="f", detailed=True)
    assert again == found


def _renamed(c: Comparison, measure: str) -> Comparison:
    values = {field.name: getattr(c, field.name) for field in fields(c)}
    return Comparison(**{**values, "measure": measure})


def test_no_pairs_no_comparisons() -> None:
    assert compared(cube(A, B), []) == []


@every_test
def test_many_pairs_at_once_give_what_few_give(test: str, monkeypatch: pytest.MonkeyPatch) -> None:
    measurements = random_cube(4, 30)
    together = compared(measurements, test=test)
    monkeypatch.setattr("rageval.comparison.compare._HELD", 1)
    for c, t in zip(compared(measurements, test=test), together, strict=True):
        assert (c.a, c.b, c.note, c.finding) == (t.a, t.b, t.note, t.finding)
        assert c.p_adjusted == pytest.approx(t.p_adjusted, abs=1e-12)
        assert (c.ci_low, c.ci_high) == pytest.approx((t.ci_low, t.ci_high), abs=1e-12)


@pytest.mark.parametrize("value", [math.inf, -math.inf, 1e200])
def test_infinite_values_are_named(value: float) -> None:
    with pytest.raises(InputError, match=r"m of 'b' on query 'q1' is .*must be finite"):
        compared(cube([0.1, 0.2], [0.3, value]))


@pytest.mark.parametrize("spec", [{"test": "t"}, {"check": "student"}, {"correction": "fdr"}])
def test_unknown_names_are_configuration_errors(spec: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="unknown"):
        compared(cube(A, B), **spec)
