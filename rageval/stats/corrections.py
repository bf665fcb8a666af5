"""Corrections for making many tests.

A few lines each, and the library's function would cost more than all tests together: statsmodels'
`multipletests` runs a full garbage collection at every call. The tests hold these to it.
"""

from __future__ import annotations

from collections.abc import Callable
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
    function: Callable[[Floats], Floats]
    """Sorted p-values, ascending and without NaN, to adjusted ones that may exceed 1."""
    summary: str
    """What it keeps small, in a plain sentence."""
    source: str = ""


def _holm(ordered: Floats) -> Floats:
    return np.maximum.accumulate(ordered * np.arange(len(ordered), 0, -1))


def _bonferroni(ordered: Floats) -> Floats:
    return ordered * len(ordered)


def _benjamini_hochberg(ordered: Floats) -> Floats:
    m = len(ordered)
    return np.minimum.accumulate((ordered * (m / np.arange(1, m + 1)))[::-1])[::-1]


def _benjamini_yekutieli(ordered: Floats) -> Floats:
    return _benjamini_hochberg(ordered) * float(np.sum(1 / np.arange(1, len(ordered) + 1)))


_ALL = (
    Correction(
        "none", "unadjusted", lambda ordered: ordered, "Keeps only each test's own error rate."
    ),
    Correction(
        "holm",
        "Holm",
        _holm,
        "Keeps the chance of even one false finding in the family below alpha.",
        "Holm (1979)",
    ),
    Correction(
        "bonferroni",
        "Bonferroni",
        _bonferroni,
        "Keeps the chance of even one false finding in the family below alpha; never finds more "
        "than Holm, but has intervals of its own.",
        "Dunn (1961)",
    ),
    Correction(
        "bh",
        "Benjamini-Hochberg",
        _benjamini_hochberg,
        "Keeps the expected share of false findings among all findings below alpha, for tests "
        "that are independent or positively dependent.",
        "Benjamini and Hochberg (1995)",
    ),
    Correction(
        "by",
        "Benjamini-Yekutieli",
        _benjamini_yekutieli,
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
    result = p_values.copy()
    made = np.flatnonzero(~np.isnan(p_values))
    order = made[np.argsort(p_values[made], kind="stable")]
    result[order] = np.minimum(correction.function(p_values[order]), 1.0)
    return result
