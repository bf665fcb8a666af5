"""Values worked by hand or by the reference programs; sources stand beside them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rageval.stats.bootstrap import bootstrap_bca
from rageval.stats.corrections import CORRECTIONS, adjusted
from rageval.stats.effect_size import d_z, d_z_interval, hedges_correction
from rageval.stats.paired_values import PairedValues, TestSettings
from rageval.stats.power import detectable_difference, queries_needed
from rageval.stats.sign_flip import sign_flip
from rageval.stats.student import mean_interval, paired_t, within_margin
from rageval.stats.tukey import tukey_randomised, two_way_tukey
from rageval.stats.wilcoxon import wilcoxon

# R: t.test(b, a, paired = TRUE)
A = (0.90, 0.55, 0.70, 0.30, 0.85, 0.60, 0.45, 0.75)
B = (0.80, 0.50, 0.72, 0.20, 0.70, 0.58, 0.40, 0.60)
PAIR = PairedValues(np.array([A, B]), np.array([[0, 1]]))
THREE = PairedValues(
    np.array(
        [
            [0.9, 0.8, 0.5],
            [0.5, 0.5, 0.4],
            [0.7, 0.72, 0.6],
            [0.3, 0.2, 0.1],
            [0.85, 0.7, 0.5],
            [0.6, 0.58, 0.55],
        ]
    ).T,
    np.array([[0, 1], [0, 2], [1, 2]]),
)
SETTINGS = TestSettings()


def test_paired_t_of_eight_queries() -> None:
    outcome = paired_t(PAIR, SETTINGS)
    assert PAIR.moments.mean[0] == pytest.approx(-0.075, abs=1e-15)
    assert outcome.statistic[0] == pytest.approx(-3.4941812096, abs=1e-10)
    assert outcome.df[0] == 7
    assert outcome.p_value[0] == pytest.approx(0.0100717133, abs=1e-10)
    assert outcome.low[0] == pytest.approx(-0.1257549003, abs=1e-10)
    assert outcome.high[0] == pytest.approx(-0.0242450997, abs=1e-10)


def test_effect_sizes_of_eight_queries() -> None:
    effect = d_z(PAIR.moments.mean, PAIR.moments.sd)
    assert effect[0] == pytest.approx(-1.2353796140, abs=1e-10)
    assert effect[0] * hedges_correction(8) == pytest.approx(-1.0972677652, abs=1e-10)


def test_wins_and_losses_of_eight_queries() -> None:
    assert (PAIR.moments.wins[0], PAIR.moments.losses[0]) == (1, 7)


def test_sign_flip_counts_all_256_arrangements() -> None:
    assert sign_flip(PAIR, SETTINGS).p_value[0] == 0.0234375


def test_wilcoxon_with_ties_is_approximate_and_says_so() -> None:
    # R: wilcox.test(b, a, paired = TRUE) gives V = 1.5. The variance from tied ranks is
    # (1.5^2 * 2 + 3.5^2 * 2 + 5.5^2 * 2 + 7.5^2 * 2) / 4 = 50.5, so z = (18 - 1.5 - 0.5) / 7.1063.
    outcome = wilcoxon(_rounded(PAIR), SETTINGS)
    assert outcome.statistic[0] == 1.5
    assert outcome.p_value[0] == pytest.approx(math.erfc(16 / math.sqrt(50.5) / math.sqrt(2)))
    assert outcome.notes == ("normal approximation with continuity correction",)


def test_wilcoxon_without_ties_is_exact_and_says_so() -> None:
    # Ranks 1 to 5, only rank 1 negative: V = 14, p = 2 * P(V >= 14) = 2 * 2 / 2^5.
    values = np.array([[0.0] * 5, [-0.01, 0.02, 0.03, 0.04, 0.05]])
    outcome = wilcoxon(PairedValues(values, np.array([[0, 1]])), SETTINGS)
    assert outcome.statistic[0] == 14
    assert outcome.p_value[0] == pytest.approx(4 / 32, abs=1e-15)
    assert outcome.notes == ("exact distribution",)


def test_wilcoxon_centred_at_its_expectation_has_p_one() -> None:
    values = np.array([[0.0, 0.0, 0.0, 0.0], [0.2, -0.2, 0.2, -0.2]])
    assert wilcoxon(PairedValues(values, np.array([[0, 1]])), SETTINGS).p_value[0] == 1.0


def test_paired_t_of_three_strategies() -> None:
    p_values = paired_t(THREE, SETTINGS).p_value
    assert p_values == pytest.approx([0.0883844, 0.0196610, 0.0145558], abs=5e-8)


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        ("holm", [0.088384, 0.043667, 0.043667]),
        ("bh", [0.088384, 0.029491, 0.029491]),
    ],
)
def test_corrected_p_of_three_strategies(correction: str, expected: list[float]) -> None:
    p_values = paired_t(THREE, SETTINGS).p_value
    assert adjusted(p_values, CORRECTIONS[correction]) == pytest.approx(expected, abs=5e-7)


def test_two_way_tukey_of_three_strategies_is_not_the_one_way_test() -> None:
    # R: TukeyHSD(aov(value ~ strategy + query), "strategy"); one-way gives .878772 .249530 .481808.
    p_values = two_way_tukey(THREE).p_value
    assert p_values == pytest.approx([0.410797, 0.002697, 0.022294], abs=5e-7)


def test_randomised_tukey_counts_all_46656_arrangements() -> None:
    outcome = tukey_randomised(THREE, SETTINGS)
    assert outcome.p_value == pytest.approx([0.745628, 0.000772, 0.106739], abs=5e-7)
    assert outcome.notes[0].startswith("exact: all 46,656 arrangements")


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        ("none", [0.01, 0.04, 0.03, 0.005]),
        ("bonferroni", [0.04, 0.16, 0.12, 0.02]),
        ("holm", [0.03, 0.06, 0.06, 0.02]),
        ("bh", [0.02, 0.04, 0.04, 0.02]),
        ("by", [1 / 24, 1 / 12, 1 / 12, 1 / 24]),
    ],
)
def test_corrections_of_four_p_values(correction: str, expected: list[float]) -> None:
    # R: p.adjust(c(.01, .04, .03, .005), ...)
    p_values = np.array([0.01, 0.04, 0.03, 0.005])
    assert adjusted(p_values, CORRECTIONS[correction]) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(("n", "expected"), [(10, 0.2490), (50, 0.1010), (1000, 0.0222)])
def test_detectable_difference(n: int, expected: float) -> None:
    assert detectable_difference(0.25, n) == pytest.approx(expected, abs=5e-5)


def test_queries_needed_for_a_medium_effect() -> None:
    # R: power.t.test(delta = .5, sd = 1, power = .8, type = "paired") gives n = 33.37.
    assert queries_needed(0.5, 1.0) == 34


def test_interval_of_d_z() -> None:
    # The ends put the observed t at the two quantiles of the noncentral t; from its definition.
    from scipy.stats import nct

    effect = np.array([-1.2353796140044058])
    low, high = d_z_interval(effect, 8)
    t = effect[0] * math.sqrt(8)
    assert nct.sf(t, 7, low[0] * math.sqrt(8)) == pytest.approx(0.025, abs=1e-6)
    assert nct.cdf(t, 7, high[0] * math.sqrt(8)) == pytest.approx(0.025, abs=1e-6)


def test_mean_interval() -> None:
    # R: t.test(1:4)$conf.int
    low, high = mean_interval(np.array([1.0, 2.0, np.nan, 3.0, 4.0]))
    assert (low, high) == pytest.approx((0.445739743239121, 4.554260256760879), abs=1e-12)


@pytest.mark.parametrize("values", [[], [0.5], [np.nan, 0.5], [0.3, 0.3, 0.3]])
def test_mean_interval_does_not_exist_without_spread(values: list[float]) -> None:
    assert all(math.isnan(end) for end in mean_interval(np.array(values)))


@pytest.mark.parametrize(
    ("margin", "inside"),
    # The 90 % interval of the eight queries is -.075 -+ 1.894579 * .0214642 = [-.115666, -.034334].
    [(0.1156, False), (0.1157, True)],
)
def test_two_one_sided_tests(margin: float, inside: bool) -> None:
    moments = PAIR.moments
    assert within_margin(moments.mean, moments.sd, 8, margin=margin, alpha=0.05)[0] == inside


def test_bootstrap_interval_excludes_zero_where_all_resamples_do() -> None:
    outcome = bootstrap_bca(PAIR, SETTINGS)
    assert -0.13 < outcome.low[0] < outcome.high[0] < 0
    assert 1e-4 < outcome.p_value[0] < 0.01


def _rounded(sample: PairedValues) -> PairedValues:
    """Return the pair with differences rounded, so that equal decimals are equal numbers."""
    differences = np.round(sample.differences, 10)
    return PairedValues(np.concatenate((0 * differences, differences)), np.array([[0, 1]]))
