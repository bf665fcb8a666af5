"""Compare values that are already there, without a configuration."""

from __future__ import annotations

from itertools import combinations

from rageval.comparison.compare import compare
from rageval.config.models import ComparisonSpec
from rageval.data import Comparison, Measurements
from rageval.errors import ConfigError, did_you_mean


def pairs_of(strategies: tuple[str, ...], baseline: str | None = None) -> list[tuple[str, str]]:
    """Return all pairs (a, b), the earlier as a; with a baseline, each other against it.

    Raises ConfigError where no strategy is called so.
    """
    if baseline is None:
        return list(combinations(strategies, 2))
    if baseline not in strategies:
        hint = did_you_mean(baseline, strategies)
        raise ConfigError(f"no strategy is called {baseline!r}", hint=hint)
    return [(baseline, name) for name in strategies if name != baseline]


def compare_values(
    measurements: Measurements, spec: ComparisonSpec, *, seed: int, baseline: str | None = None
) -> list[Comparison]:
    """Compare strategies on every measure; the pairs of one measure are one family.

    With a single pair, what is slow is computed too: the interval of d_z, and how many queries
    an inconclusive pair would need. Raises ConfigError for unknown names, InputError for values
    too large to compute with.
    """
    pairs = pairs_of(measurements.strategies, baseline)
    family = "all pairs" if baseline is None else f"pairs with {baseline}"
    return [
        comparison
        for measure in measurements.measures
        for comparison in compare(
            measurements,
            measure,
            pairs,
            spec=spec,
            seed=seed,
            family=family,
            detailed=len(pairs) == 1,
        )
    ]
