"""Student's t: the paired test, its intervals, and two one-sided tests of equivalence."""

from __future__ import annotations

import numpy as np

from rageval.data.arrays import Bools, Floats, Ints
from rageval.stats.paired_values import NO_SPREAD, Outcome, PairedTest, PairedValues, TestSettings


def t_quantile(probability: Floats | float, df: Floats | float) -> Floats:
    """Return the quantile of Student's t distribution."""
    from scipy.special import stdtrit

    return np.asarray(stdtrit(df, probability), dtype=np.float64)


def t_tail(statistic: Floats, df: Floats | float) -> Floats:
    """Return the probability of a value above the statistic, exact in the far tail too."""
    from scipy.special import stdtr

    return np.asarray(stdtr(df, -statistic), dtype=np.float64)


def t_interval(
    mean: Floats, sd: Floats, n: Ints | int, alpha: Floats | float
) -> tuple[Floats, Floats]:
    """Return the interval mean -+ t(1 - alpha / 2; n - 1) * sd / sqrt(n); needs n >= 2."""
    df = np.asarray(n, dtype=np.float64) - 1
    # The lower tail: 1 - alpha / 2 would round where alpha was divided by a large family.
    half = -t_quantile(np.asarray(alpha) / 2, df) * sd / np.sqrt(n)
    return mean - half, mean + half


def paired_t(sample: PairedValues, settings: TestSettings) -> Outcome:
    """Test each pair by t = mean(d) / (sd(d) / sqrt(n)) with n - 1 degrees of freedom."""
    mean, sd = sample.moments.mean, sample.moments.sd
    statistic = mean / (sd / np.sqrt(sample.n))
    df = np.full(len(mean), sample.n - 1.0)
    p_value = np.minimum(2 * t_tail(np.abs(statistic), df), 1.0)
    low, high = t_interval(mean, sd, sample.n, settings.alpha)
    return Outcome(statistic, df, p_value, low, high, np.sign(mean), ("",) * len(mean))


PAIRED_T = PairedTest(
    key="paired-t",
    label="paired t-test",
    function=paired_t,
    summary="Asks whether the mean difference over queries is zero. Assumes that the mean of the "
    "differences is close to normal, which many queries bring about.",
    interval="Student's t",
    source="Student (1908); the choice for retrieval: Urbano, Lima and Hanjalic (SIGIR 2019).",
)


def mean_interval(values: Floats, alpha: float = 0.05) -> tuple[float, float]:
    """Return the t interval of one strategy's mean at level 1 - alpha.

    `values` is (queries,); NaN values are left out. NaN, NaN where fewer than two values exist
    or where they do not vary: there is no spread to build an interval from.
    """
    defined = values[~np.isnan(values)]
    if len(defined) < 2 or np.ptp(defined) <= NO_SPREAD * np.abs(defined).max():
        return np.nan, np.nan
    low, high = t_interval(defined.mean(), defined.std(ddof=1), len(defined), alpha)
    return float(low), float(high)


def within_margin(mean: Floats, sd: Floats, n: Ints | int, *, margin: float, alpha: float) -> Bools:
    """Return whether two one-sided t-tests at alpha place the mean difference within +-margin.

    The same as: the interval at level 1 - 2 alpha lies inside (-margin, margin).
    Source: Schuirmann (1987).
    """
    low, high = t_interval(mean, sd, n, 2 * alpha)
    return np.asarray((low > -margin) & (high < margin))
