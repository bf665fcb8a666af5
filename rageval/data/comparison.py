"""One pair of strategies on one measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SMALL_SAMPLE = 30

FindingWord = Literal["better", "worse", "equivalent", "inconclusive", "identical", "not testable"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A paired comparison; difference = b - a everywhere. NaN where a number does not exist."""

    measure: str
    """The measure's key."""
    a: str
    """The strategy earlier in the config (baseline or production first)."""
    b: str
    n: int
    """Queries on which both values exist."""
    mean_a: float
    mean_b: float
    mean_difference: float
    sd_difference: float
    ci_low: float
    """Pointwise interval at 1 - alpha."""
    ci_high: float
    simultaneous_low: float
    """Interval at the Bonferroni level 1 - alpha / family_size."""
    simultaneous_high: float
    test: str
    """Key of the test, e.g. `paired-t`."""
    statistic: float
    df: float
    """Degrees of freedom where the test has them."""
    p_value: float
    p_adjusted: float
    correction: str
    family: str
    """What the p-value was adjusted within: `planned`, `all pairs`, `all pairs and measures`."""
    family_size: int
    """Tests actually made in the family; untestable pairs are not counted."""
    d_z: float
    d_z_low: float
    d_z_high: float
    g_z: float
    """Hedges' bias-corrected d_z, exact gamma form."""
    wins: int
    """Queries where b is higher by more than 1e-9."""
    ties: int
    losses: int
    detectable_difference: float
    """Smallest true difference found with 80 % power at the unadjusted alpha."""
    relative_change: float
    """mean_difference / mean_a; NaN for a zero mean_a."""
    finding: FindingWord
    within_margin: bool | None = None
    """Whether two one-sided tests place it inside the margin; None without a margin."""
    queries_needed: int | None = None
    """For an inconclusive planned contrast: queries that would decide a difference as large as
    the one seen, at the spread seen."""
    note: str = ""
    """Why a number does not exist, or what to know about the test, in words."""
    p_check: float | None = None
    """p-value of the second test, where one was named as a check."""


@dataclass(frozen=True, slots=True)
class SliceComparison:
    """A planned contrast on the queries that share one value of an attribute."""

    attribute: str
    """Name of the query attribute, e.g. `category`."""
    value: str
    """The attribute's value; in words where `kind` is not `value`."""
    comparison: Comparison
    """The contrast, adjusted within the family of all slices x contrasts."""
    kind: Literal["value", "other", "not given"] = "value"
    """`other` gathers the smaller values of an attribute that has many; `not given` holds the
    queries without the attribute."""

    @property
    def small_sample(self) -> bool:
        """Return whether the slice has fewer than 30 queries."""
        return self.comparison.n < SMALL_SAMPLE
