"""The family a comparison belongs to: adjusted p-values, simultaneous intervals, findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rageval.comparison.findings import CONTRADICTION, UNTESTED, finding_of
from rageval.data.arrays import Floats
from rageval.data.comparison import Comparison, FindingWord
from rageval.stats.corrections import adjusted, find_correction
from rageval.stats.paired_tests import find_test
from rageval.stats.power import queries_needed
from rageval.stats.student import t_interval


def adjust(
    comparisons: Sequence[Comparison],
    *,
    correction: str,
    alpha: float,
    family: str,
    detailed: bool = False,
    joint_tests: int | None = None,
) -> list[Comparison]:
    """Make the comparisons one family, whatever family they were in before.

    Sets p_adjusted, correction, family and family_size (the tests actually made), the
    simultaneous interval at 1 - alpha / family_size, and the finding. The simultaneous interval
    is Student's t with every test, and never narrower than the pointwise one. A test that
    reads all strategies at once has p-values that hold over all pairs it was made for: they are
    multiplied by the number of such tests in the family (`joint_tests`, by default one per
    measure), unless nothing is to be corrected.

    `detailed` also gives inconclusive pairs the number of queries needed, at the level
    alpha / family_size that such a pair has to reach at worst (alpha without a correction).
    """
    tested = [c for c in comparisons if c.finding not in UNTESTED]
    method, p_values = _adjusted(tested, correction, joint_tests)
    low, high = _simultaneous(tested, alpha)
    rows = iter(zip(p_values.tolist(), low.tolist(), high.tolist(), strict=True))
    placed: dict[str, Any] = {"correction": method, "family": family, "family_size": len(tested)}
    level = alpha if method == "none" else alpha / max(1, len(tested))
    result = []
    for c in comparisons:
        found = {} if c.finding in UNTESTED else _found(c, *next(rows), alpha)
        if detailed and found:
            found["queries_needed"] = _needed(c, found["finding"], level)
        result.append(replace(c, **placed, **found))
    return result


def _found(
    c: Comparison, p_adjusted: float, low: float, high: float, alpha: float
) -> dict[str, Any]:
    """Return the fields of a tested pair that depend on its family."""
    finding = finding_of(
        p_adjusted,
        c.mean_difference,
        alpha=alpha,
        within_margin=c.within_margin,
        contradicted=CONTRADICTION in c.note,
    )
    return {
        "p_adjusted": p_adjusted,
        "simultaneous_low": min(low, c.ci_low),
        "simultaneous_high": max(high, c.ci_high),
        "finding": finding,
        "queries_needed": None,
    }


def _needed(c: Comparison, finding: FindingWord, level: float) -> int | None:
    if finding != "inconclusive":
        return None
    return queries_needed(c.mean_difference, c.sd_difference, level)


def _adjusted(
    tested: Sequence[Comparison], correction: str, joint_tests: int | None
) -> tuple[str, Floats]:
    p_values = np.array([c.p_value for c in tested], dtype=np.float64)
    method = find_correction(correction)
    if not tested or not find_test(tested[0].test).all_strategies:
        return correction, adjusted(p_values, method)
    made = joint_tests or len({c.measure for c in tested})
    if made == 1 or correction == "none":
        return "none", p_values
    return "bonferroni", np.minimum(p_values * made, 1.0)


def _simultaneous(tested: Sequence[Comparison], alpha: float) -> tuple[Floats, Floats]:
    mean = np.array([c.mean_difference for c in tested], dtype=np.float64)
    sd = np.array([c.sd_difference for c in tested], dtype=np.float64)
    n = np.array([c.n for c in tested], dtype=np.int64)
    return t_interval(mean, sd, n, alpha / max(1, len(tested)))
