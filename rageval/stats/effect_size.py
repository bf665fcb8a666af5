"""How large a difference is against its spread over queries."""

from __future__ import annotations

import numpy as np

from rageval.data.arrays import Floats


def d_z(mean: Floats, sd: Floats) -> Floats:
    """Compute d_z = mean(d) / sd(d); needs sd > 0. Source: Cohen (1988), section 2.3.5."""
    return mean / sd


def hedges_correction(n: int) -> float:
    """Return J = Gamma(m / 2) / (sqrt(m / 2) Gamma((m - 1) / 2)) with m = n - 1.

    NaN for n < 3, where the expectation of d_z does not exist. Source: Hedges (1981), equation 6e.
    """
    from scipy.special import gammaln

    if n < 3:
        return float("nan")
    m = n - 1
    return float(np.exp(gammaln(m / 2) - np.log(m / 2) / 2 - gammaln((m - 1) / 2)))


def d_z_interval(effect: Floats, n: int, alpha: float = 0.05) -> tuple[Floats, Floats]:
    """Return the interval of d_z from the noncentral t distribution, at level 1 - alpha.

    The ends are the noncentralities that put t = d_z sqrt(n) at the quantiles 1 - alpha / 2 and
    alpha / 2, divided by sqrt(n). Slow: a search for each end of each pair (about 0.1 ms).
    Source: Cumming and Finch (2001); Steiger and Fouladi (1997).
    """
    from scipy.special import nctdtrinc

    t = np.abs(effect) * np.sqrt(n)
    near = nctdtrinc(n - 1, 1 - alpha / 2, t) / np.sqrt(n)
    far = nctdtrinc(n - 1, alpha / 2, t) / np.sqrt(n)
    near = np.where(t == 0, -far, near)
    up = effect >= 0  # searched on one side only, so that swapping a and b mirrors it exactly
    return np.where(up, near, -far), np.where(up, far, -near)
