"""A second implementation of each test: scipy, statsmodels or plain enumeration."""

from __future__ import annotations

from itertools import product
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

from rageval.errors import ConfigError
from rageval.stats.bootstrap import (
    _acceleration,
    _counts,
    _normal_rank,
    bca_interval,
    bootstrap_bca,
    resampled_means,
)
from rageval.stats.corrections import CORRECTIONS, adjusted, find_correction
from rageval.stats.effect_size import d_z_interval, hedges_correction
from rageval.stats.paired_values import PairedValues, TestSettings
from rageval.stats.power import detectable_effect, power_of, queries_needed
from rageval.stats.sign_flip import _random_halves, sign_flip
from rageval.stats.student import paired_t
from rageval.stats.tukey import tukey_randomised, two_way_tukey
from rageval.stats.wilcoxon import wilcoxon

SETTINGS = TestSettings(seed=3)
METHODS = {"bonferroni": "bonferroni", "holm": "holm", "bh": "fdr_bh", "by": "fdr_by"}


def pair_of(differences: np.ndarray) -> PairedValues:
    values = np.stack((np.zeros(len(differences)), differences))
    return PairedValues(values, np.array([[0, 1]]))


def skewed(n: int, seed: int = 5) -> np.ndarray:
    return np.random.default_rng(seed).gamma(1.5, 0.1, n) - 0.11


@pytest.mark.parametrize("n", [2, 3, 10, 500])
@pytest.mark.parametrize("shift", [0.0, 0.01, 5.0])
def test_paired_t_as_scipy(n: int, shift: float) -> None:
    differences = skewed(n) + shift
    expected = stats.ttest_1samp(differences, 0.0)
    outcome = paired_t(pair_of(differences), SETTINGS)
    interval = expected.confidence_interval(0.95)
    assert outcome.statistic[0] == pytest.approx(expected.statistic, rel=1e-12)
    assert outcome.p_value[0] == pytest.approx(expected.pvalue, rel=1e-9)
    assert (outcome.low[0], outcome.high[0]) == pytest.approx(tuple(interval), rel=1e-10)


def test_small_differences_of_large_values_keep_their_digits() -> None:
    # Moments from sums of squares would leave nothing of these.
    base = np.random.default_rng(2).random(400)
    differences = 1e-9 * np.random.default_rng(3).normal(0.1, 1, 400)
    sample = PairedValues(np.stack((base, base + differences)), np.array([[0, 1]]))
    exact = stats.ttest_1samp(sample.differences[0], 0.0)
    assert paired_t(sample, SETTINGS).statistic[0] == pytest.approx(exact.statistic, rel=1e-12)
    assert exact.statistic == pytest.approx(stats.ttest_1samp(differences, 0).statistic, rel=1e-5)


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_sign_flip_as_enumerated(n: int) -> None:
    differences = np.round(skewed(n), 2)
    sums = np.array([np.dot(signs, differences) for signs in product((-1, 1), repeat=n)])
    expected = np.mean(np.abs(sums) >= abs(differences.sum()) - 1e-12)
    assert sign_flip(pair_of(differences), SETTINGS).p_value[0] == expected


def test_sign_flip_at_random_agrees_with_exact() -> None:
    # 20 queries are counted exactly; with a twenty-first that is zero they are drawn.
    differences = skewed(20, seed=8)
    exact = sign_flip(pair_of(differences), SETTINGS)
    drawn = sign_flip(pair_of(np.append(differences, 0.0)), TestSettings(seed=4, draws=100_000))
    error = np.sqrt(exact.p_value[0] * (1 - exact.p_value[0]) / 100_000)
    assert drawn.p_value[0] == pytest.approx(exact.p_value[0], abs=5 * error)
    assert (exact.notes, drawn.notes) == (
        ("exact: all 1,048,576 sign flips",),
        ("100,000 random sign flips",),
    )


@pytest.mark.parametrize("n", [21, 64, 65])
def test_signs_do_not_depend_on_how_many_are_drawn_at_once(n: int) -> None:
    chosen = TestSettings(seed=9, draws=50)
    whole = np.concatenate(list(_random_halves(n, chosen, rows=50)))
    parts = np.concatenate(list(_random_halves(n, chosen, rows=7)))
    assert (whole == parts).all()
    assert 0.4 < whole.mean() < 0.6


def test_resamples_do_not_depend_on_how_many_are_drawn_at_once() -> None:
    chosen = TestSettings(seed=9, draws=50)
    whole = np.concatenate(list(_counts(33, chosen, rows=50)))
    parts = np.concatenate(list(_counts(33, chosen, rows=7)))
    assert (whole == parts).all()
    assert (whole.sum(axis=1) == 33).all()


@pytest.mark.parametrize("n", [10, 49, 50, 300])
def test_wilcoxon_as_scipy(n: int) -> None:
    differences = skewed(n)
    outcome = wilcoxon(pair_of(differences), SETTINGS)
    exact = n < 50
    expected = stats.wilcoxon(
        differences, correction=not exact, method="exact" if exact else "approx"
    )
    assert outcome.p_value[0] == pytest.approx(expected.pvalue, rel=1e-12)
    assert min(outcome.statistic[0], n * (n + 1) / 2 - outcome.statistic[0]) == expected.statistic


def test_wilcoxon_with_ties_and_zeros_as_scipy() -> None:
    differences = np.round(skewed(40), 2)
    expected = stats.wilcoxon(differences, correction=True, method="approx")
    outcome = wilcoxon(pair_of(differences), SETTINGS)
    assert np.count_nonzero(differences == 0) > 0
    assert outcome.p_value[0] == pytest.approx(expected.pvalue, rel=1e-12)


@pytest.mark.parametrize("n", [8, 40])
def test_bca_interval_as_scipy_from_the_same_resamples(n: int) -> None:
    differences = skewed(n)
    expected = stats.bootstrap((differences,), np.mean, n_resamples=5_000, rng=1)
    means = np.sort(expected.bootstrap_distribution)[:, None]
    bias = _normal_rank(means, np.array([differences.mean()]), np.zeros(1))
    low, high = bca_interval(means, bias, _acceleration(differences[None]), 0.05)
    assert (low[0], high[0]) == pytest.approx(tuple(expected.confidence_interval), rel=1e-9)


def test_resampled_means_have_the_spread_of_a_mean() -> None:
    differences = skewed(50)
    means = resampled_means(differences[None], TestSettings(draws=20_000))[:, 0]
    assert means.mean() == pytest.approx(differences.mean(), abs=5e-4)
    assert means.std() == pytest.approx(differences.std() / np.sqrt(50), rel=0.03)


@settings(max_examples=40, deadline=None)
@given(shift=st.floats(-0.1, 0.1), alpha=st.floats(0.005, 0.3), seed=st.integers(0, 50))
def test_bootstrap_p_says_whether_the_interval_excludes_zero(
    shift: float, alpha: float, seed: int
) -> None:
    outcome = bootstrap_bca(pair_of(skewed(30, seed) + shift), TestSettings(alpha, seed, 2_000))
    excluded = outcome.low[0] > 0 or outcome.high[0] < 0
    if abs(outcome.p_value[0] - alpha) > 0.1 * alpha + 2e-3:
        assert excluded == (outcome.p_value[0] < alpha)


def test_randomised_tukey_of_two_strategies_is_the_sign_flip_test() -> None:
    sample = pair_of(skewed(12))
    expected = sign_flip(sample, SETTINGS).p_value
    assert tukey_randomised(sample, SETTINGS).p_value == pytest.approx(expected, abs=1e-15)


def test_randomised_tukey_at_random_agrees_with_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(3).random((3, 6)).round(2)
    sample = PairedValues(values, np.array([[0, 1], [0, 2], [1, 2]]))
    exact = tukey_randomised(sample, SETTINGS)
    monkeypatch.setattr("rageval.stats.tukey.EXACT_ARRANGEMENTS", 1)
    drawn = tukey_randomised(sample, TestSettings(seed=1, draws=40_000))
    error = np.sqrt(exact.p_value * (1 - exact.p_value) / 40_000)
    assert (np.abs(drawn.p_value - exact.p_value) <= 5 * error + 1 / 40_000).all()
    assert drawn.notes[0].startswith("40,000 random arrangements")


def test_randomised_tukey_leaves_out_strategies_without_values() -> None:
    values = np.random.default_rng(3).random((3, 6))
    with_gap = np.vstack((values, np.full((1, 6), np.nan)))
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    there, here = (tukey_randomised(PairedValues(v, pairs), SETTINGS) for v in (values, with_gap))
    assert here.p_value.tolist() == there.p_value.tolist()


def test_two_way_tukey_of_two_strategies_is_the_t_test() -> None:
    sample = pair_of(skewed(25))
    expected = paired_t(sample, SETTINGS)
    result = two_way_tukey(sample)
    assert result.p_value == pytest.approx(expected.p_value, abs=1e-8)
    assert (result.low, result.high) == (
        pytest.approx(expected.low, abs=1e-7),
        pytest.approx(expected.high, abs=1e-7),
    )


@pytest.mark.parametrize("key", METHODS)
@settings(max_examples=60, deadline=None)
@given(p_values=st.lists(st.floats(0, 1) | st.sampled_from([0.01, 0.05, 1.0]), min_size=1))
def test_corrections_as_statsmodels(key: str, p_values: list[float]) -> None:
    ours = adjusted(np.array(p_values), CORRECTIONS[key])
    with mock.patch("gc.collect"):  # multipletests calls it each time: a minute in a full run
        theirs = multipletests(p_values, method=METHODS[key])[1]
    assert ours == pytest.approx(theirs, abs=1e-14)


@pytest.mark.parametrize("key", CORRECTIONS)
@settings(max_examples=60, deadline=None)
@given(p_values=st.lists(st.floats(0, 1) | st.just(np.nan)))
def test_corrections_keep_order_and_never_lower_p(key: str, p_values: list[float]) -> None:
    before = np.array(p_values, dtype=np.float64)
    after = adjusted(before, CORRECTIONS[key])
    made = ~np.isnan(before)
    assert (np.isnan(after) == ~made).all()
    assert ((after[made] >= before[made]) & (after[made] <= 1)).all()
    assert (np.diff(after[made][np.argsort(before[made])]) >= 0).all()
    assert after[made].tolist() == adjusted(before[made], CORRECTIONS[key]).tolist()


def test_unknown_correction_is_named_with_the_closest() -> None:
    with pytest.raises(ConfigError, match=r"unknown correction 'holmes' \(did you mean 'holm'\?\)"):
        find_correction("holmes")


@pytest.mark.parametrize("n", [3, 10, 100, 5_000])
@pytest.mark.parametrize("effect", [0.01, 0.1, 0.5, 2.0])
@pytest.mark.parametrize("alpha", [0.05, 0.001])
def test_power_as_statsmodels(n: int, effect: float, alpha: float) -> None:
    expected = TTestPower().power(effect, n, alpha)
    if np.isnan(expected):  # it is where the far tail, which hardly counts, is not a number
        critical = stats.t.isf(alpha / 2, n - 1)
        expected = stats.nct.sf(critical, n - 1, effect * np.sqrt(n))
    assert power_of(effect, n, alpha) == pytest.approx(expected, abs=1e-9)


def test_power_against_simulated_tests() -> None:
    differences = np.random.default_rng(1).normal(0.5, 1, (20_000, 30))
    found = (stats.ttest_1samp(differences, 0, axis=1).pvalue < 0.05).mean()
    assert power_of(0.5, 30) == pytest.approx(found, abs=0.015)


@pytest.mark.parametrize("n", [2, 3, 7, 100, 7_000, 1_000_000])
@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.05 / 435, 0.05 / 100_000])
def test_detectable_effect_has_the_power_it_names(n: int, alpha: float) -> None:
    effect = detectable_effect(n, alpha)
    assert power_of(effect, n, alpha) == pytest.approx(0.8, abs=1e-6)


def test_detectable_effect_falls_with_more_queries() -> None:
    effects = [detectable_effect(n) for n in (2, 3, 4, 10, 50, 1_000, 10_000, 10_000_000)]
    assert effects == sorted(effects, reverse=True)
    assert np.isnan(detectable_effect(1))


@pytest.mark.parametrize("effect", [3e-4, 0.003, 0.02, 0.1, 0.5, 3.0])
@pytest.mark.parametrize("alpha", [0.05, 0.001])
def test_queries_needed_is_the_fewest(effect: float, alpha: float) -> None:
    n = queries_needed(effect * 0.25, 0.25, alpha)
    assert n is not None
    assert power_of(effect, n, alpha) >= 0.8
    assert n == 2 or power_of(effect, n - 1, alpha) < 0.8


@pytest.mark.parametrize(("difference", "sd"), [(0.0, 0.2), (1e-9, 1.0), (0.1, np.nan), (0.1, 0)])
def test_queries_needed_is_none_where_no_number_would_do(difference: float, sd: float) -> None:
    assert queries_needed(difference, sd) is None


@pytest.mark.parametrize("n", [3, 10, 200, 7_000])
@pytest.mark.parametrize("effect", [-0.9, -0.02, 0.0, 0.3, 2.0])
def test_interval_of_d_z_inverts_the_noncentral_t(n: int, effect: float) -> None:
    low, high = (float(end[0]) for end in d_z_interval(np.array([effect]), n, 0.05))
    t = effect * np.sqrt(n)
    assert low < effect < high
    assert stats.nct.sf(t, n - 1, low * np.sqrt(n)) == pytest.approx(0.025, abs=2e-5)
    assert stats.nct.cdf(t, n - 1, high * np.sqrt(n)) == pytest.approx(0.025, abs=2e-5)


def test_hedges_correction_is_near_its_usual_approximation() -> None:
    # Hedges (1981), equation 7: J is about 1 - 3 / (4 m - 1)
    for n in (5, 20, 100):
        assert hedges_correction(n) == pytest.approx(1 - 3 / (4 * (n - 1) - 1), abs=0.005)
    assert np.isnan(hedges_correction(2))
