"""What a paired t-test could have found, and how many queries it would need."""

from __future__ import annotations

import math
from functools import lru_cache

POWER = 0.8
MOST_QUERIES = 10**9
"""A need beyond this is no plan."""


def power_of(effect: float, n: int, alpha: float = 0.05) -> float:
    """Return the power of the two-sided paired t-test for a true effect d_z on n >= 2 queries.

    1 - F(t) + F(-t), t the critical value, F the noncentral t with noncentrality d_z sqrt(n).
    """
    from scipy.special import chdtr, nctdtr, stdtrit

    df, shift = n - 1, abs(effect) * math.sqrt(n)
    critical = -float(stdtrit(df, alpha / 2))
    below, wrong_way = float(nctdtr(df, shift, critical)), float(nctdtr(df, shift, -critical))
    if math.isnan(below):
        # Beyond the function's range (shifts above 1e5): there t is the shift over chi / sqrt(df).
        return float(chdtr(df, df * (shift / critical) ** 2))
    # Where the far tail is not a number it is far below the last digit shown.
    return min(1 - below + (0.0 if math.isnan(wrong_way) else wrong_way), 1.0)


@lru_cache(maxsize=4096)
def detectable_effect(n: int, alpha: float = 0.05, power: float = POWER) -> float:
    """Return the smallest true d_z that n queries find with the given power; NaN for n < 2."""
    from scipy.optimize import brentq

    if n < 2:
        return math.nan
    high = 1.0
    while power_of(high, n, alpha) < power:
        high *= 2
    return float(brentq(lambda effect: power_of(effect, n, alpha) - power, 0.0, high, xtol=1e-13))


def detectable_difference(sd: float, n: int, alpha: float = 0.05, power: float = POWER) -> float:
    """Return the smallest true mean difference that n queries find with the given power.

    `sd` is that of the differences over queries; alpha is not adjusted for a family.
    """
    return sd * detectable_effect(n, alpha, power)


def queries_needed(
    difference: float, sd: float, alpha: float = 0.05, power: float = POWER
) -> int | None:
    """Return the fewest queries that find a true mean difference with the given power.

    `sd` is that of the differences over queries. None where no number would do: a difference of
    zero or one that needs more than a billion queries, or an unknown spread.
    """
    effect = abs(difference) / sd if sd > 0 else math.nan
    if not effect > 0:
        return None
    return _fewest(effect, alpha, power)


@lru_cache(maxsize=4096)
def _fewest(effect: float, alpha: float, power: float) -> int | None:
    low, high = 1, 2
    while power_of(effect, high, alpha) < power:
        low, high = high, 2 * high
        if low > MOST_QUERIES:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        reaches = power_of(effect, middle, alpha) >= power
        low, high = (low, middle) if reaches else (middle, high)
    return high
