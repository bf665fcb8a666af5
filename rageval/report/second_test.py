"""A second test named as a check: where it disagrees with the test that the findings follow."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rageval.data import Comparison
from rageval.report.model import Subject
from rageval.report.numbers import count, level, p_value
from rageval.report.text import isolated
from rageval.stats.paired_tests import TESTS, find_test

MAX_TOLD = {"html": 12, "pdf": 5}


def check_name(subject: Subject) -> str:
    """Return how the second test is called; empty where the configuration names none."""
    key = subject.result.config.get("comparison", {}).get("check")
    return TESTS[key].label if key in TESTS else ""


def disagrees(c: Comparison, alpha: float) -> bool:
    """Return whether the unadjusted p-values of both tests lie on different sides of alpha."""
    if c.p_check is None or math.isnan(c.p_check) or math.isnan(c.p_value):
        return False
    return (c.p_check < alpha) != (c.p_value < alpha)


def check_sentence(subject: Subject) -> str:
    """Say on which pairs and measures the second test disagrees; empty without one."""
    made = [c for c in subject.dataset.comparisons if c.p_check is not None]
    if not made:
        return ""
    alpha = subject.result.alpha
    found = [c for c in made if disagrees(c, alpha)]
    check = check_name(subject) or "a second test"
    first = f"As a check, every pair was also tested by the {check}. Judged by unadjusted p, "
    test = find_test(made[0].test).label
    total = f"{count(len(made))} {'comparison' if len(made) == 1 else 'comparisons'}"
    if not found:
        return f"{first}it agrees with the {test} on all {total}."
    side = f"falls on the other side of α = {level(alpha)}"
    return f"{first}it {side} on {count(len(found))} of {total}: {_told(subject, found)}."


def _told(subject: Subject, found: Sequence[Comparison]) -> str:
    limit, alpha = MAX_TOLD[subject.target], subject.result.alpha
    parts = [
        f"{isolated(c.b)} against {isolated(c.a)} on {subject.measure(c.measure).label} "
        f"(p {p_value(c.p_value, alpha)}, check {p_value(c.p_check or 0.0, alpha)})"
        for c in found[:limit]
    ]
    rest = len(found) - len(parts)
    return "; ".join([*parts, f"{count(rest)} more in comparisons.csv"] if rest else parts)
