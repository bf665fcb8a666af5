"""What a comparison found, in one of the fixed words."""

from __future__ import annotations

import math

from rageval.data.comparison import FindingWord

TOO_FEW = "needs at least two queries"
NO_VARIATION = "differences do not vary"
CONTRADICTION = "the test and the mean point in opposite directions"
UNTESTED: tuple[FindingWord, ...] = ("identical", "not testable")
"""Findings of pairs that no test was made for; they are not counted in any family."""


def finding_of(
    p_adjusted: float,
    mean_difference: float,
    *,
    alpha: float,
    within_margin: bool | None = None,
    contradicted: bool = False,
) -> FindingWord:
    """Return the finding of a pair that was tested; difference = b - a, so `better` speaks of b.

    Better or worse where p_adjusted < alpha (also inside the equivalence margin), else equivalent
    where two one-sided tests place it inside the margin, else inconclusive. A test of ranks may
    contradict the mean (`contradicted`): then neither direction is claimed.
    """
    assert not math.isnan(p_adjusted)
    if p_adjusted < alpha and mean_difference != 0 and not contradicted:
        return "better" if mean_difference > 0 else "worse"
    return "equivalent" if within_margin else "inconclusive"


def finding_without_test(n: int, identical: bool) -> tuple[FindingWord, str]:
    """Return the finding and note of a pair that cannot be tested."""
    if n < 2:
        return "not testable", TOO_FEW
    return ("identical", "identical") if identical else ("not testable", NO_VARIATION)
