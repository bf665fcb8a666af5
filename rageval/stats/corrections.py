"""Corrections for making many tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rageval.data.arrays import Floats
from rageval.errors import ConfigError, did_you_mean


@dataclass(frozen=True, slots=True)
class Correction:
    """A way to adjust the p-values of a family of tests."""

    key: str
    """As in `comparison.correction`."""
    label: str
    method: str
    """Its name in `statsmodels.stats.multitest.multipletests`; empty for none."""
    summary: str
    """What it keeps small, in a plain sentence."""
    source: str = ""


_ALL = (
    Correction("none", "unadjusted", "", "Keeps only each test's own error rate."),
    Correction(
        "holm",
        "Holm",
        "holm",
        "Keeps the chance of even one false finding in the family below alpha.",
        "Holm (1979)",
    ),
    Correction(
        "bonferroni",
        "Bonferroni",
        "bonferroni",
        "Keeps the chance of even one false finding in the family below alpha; never better than "
        "Holm, but it has intervals.",
        "Bonferroni (1936); Dunn (1961)",
    ),
    Correction(
        "bh",
        "Benjamini-Hochberg",
        "fdr_bh",
        "Keeps the expected share of false findings among all findings below alpha, for tests "
        "that are independent or positively dependent.",
        "Benjamini and Hochberg (1995)",
    ),
    Correction(
        "by",
        "Benjamini-Yekutieli",
        "fdr_by",
        "Keeps the expected share of false findings among all findings below alpha, whatever the "
        "dependence.",
        "Benjamini and Yekutieli (2001)",
    ),
)
CORRECTIONS = {correction.key: correction for correction in _ALL}


def find_correction(key: str) -> Correction:
    """Return the correction of a key; ConfigError with the closest key where there is none."""
    if key not in CORRECTIONS:
        raise ConfigError(f"unknown correction {key!r}", hint=did_you_mean(key, CORRECTIONS))
    return CORRECTIONS[key]


def adjusted(p_values: Floats, correction: Correction) -> Floats:
    """Adjust the p-values of one family; NaN stays NaN and is not counted.

    An adjusted p-value is at least the p-value and at most 1, and keeps the order.
    """
    made = ~np.isnan(p_values)
    result = p_values.copy()
    if correction.method and made.any():
        from statsmodels.stats.multitest import multipletests

        result[made] = multipletests(p_values[made], method=correction.method)[1]
    return result
