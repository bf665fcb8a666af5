"""Planned contrasts by kind of query: where a change helps, and where it hurts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rageval.comparison.adjust import adjust
from rageval.comparison.compare import compare
from rageval.config.models import ComparisonSpec
from rageval.data.arrays import Ints
from rageval.data.comparison import Comparison
from rageval.data.measurements import Measurements, exact_mean
from rageval.data.order import natural_order
from rageval.stats.student import mean_interval

MOST_VALUES = 12
"""An attribute with more values shows the largest 11, and the rest as one slice."""
SMALL_SAMPLE = 30
FAMILY = "slices"


@dataclass(frozen=True, slots=True)
class SliceMean:
    """One strategy's mean on the queries of a slice."""

    strategy: str
    n: int
    """Queries of the slice on which the value exists."""
    mean: float
    low: float
    """Interval at 1 - alpha; NaN where fewer than two values exist or they do not vary."""
    high: float


@dataclass(frozen=True, slots=True)
class SliceComparison:
    """The queries that share one value of an attribute."""

    attribute: str
    value: str
    """The attribute's value; empty unless `kind` is `value`."""
    kind: Literal["value", "other", "not given"]
    """`other` gathers the smaller values of an attribute that has many; `not given` holds the
    queries without the attribute."""
    n_values: int
    """How many values of the attribute it holds: 1, more for `other`, 0 for `not given`."""
    n: int
    """Queries."""
    means: tuple[SliceMean, ...]
    """In the order of the strategies."""
    contrasts: tuple[Comparison, ...]
    """Planned contrasts on these queries; adjusted over all slices x contrasts."""

    @property
    def small_sample(self) -> bool:
        """Return whether there are fewer than 30 queries."""
        return self.n < SMALL_SAMPLE


def compare_slices(
    measurements: Measurements,
    measure: str,
    contrasts: Sequence[tuple[str, str]],
    attributes: Mapping[str, Mapping[str, str]],
    *,
    spec: ComparisonSpec,
    seed: int,
) -> tuple[SliceComparison, ...]:
    """Compare the contrasts on every slice of every attribute (name -> query id -> value).

    Slices stand in the order of attributes, largest first; more than 12 values become the
    largest 11 and `other`. An attribute that no two queries share a value of makes no slices.
    All slices x contrasts are one family, adjusted by the configuration's correction.
    """
    slices = [
        _slice(measurements, measure, contrasts, part, spec=spec, seed=seed)
        for name, values in attributes.items()
        for part in _parts(name, values, measurements.query_ids)
    ]
    together = iter(
        adjust(
            [comparison for part in slices for comparison in part.contrasts],
            correction=spec.correction,
            alpha=spec.alpha,
            family=FAMILY,
            detailed=True,
        )
    )
    return tuple(
        replace(part, contrasts=tuple(next(together) for _ in part.contrasts)) for part in slices
    )


@dataclass(frozen=True, slots=True)
class _Part:
    attribute: str
    value: str
    kind: Literal["value", "other", "not given"]
    n_values: int
    queries: tuple[int, ...]


def _parts(name: str, values: Mapping[str, str], query_ids: Sequence[str]) -> list[_Part]:
    groups: dict[str, list[int]] = {}
    missing = []
    for i, query_id in enumerate(query_ids):
        if query_id in values:
            groups.setdefault(values[query_id], []).append(i)
        else:
            missing.append(i)
    if all(len(queries) < 2 for queries in groups.values()):
        return []
    parts = [_Part(name, value, "value", 1, tuple(groups[value])) for value in _by_size(groups)]
    if missing:
        return [*_gathered(name, parts), _Part(name, "", "not given", 0, tuple(missing))]
    return _gathered(name, parts)


def _by_size(groups: Mapping[str, Sequence[int]]) -> list[str]:
    return sorted(natural_order(groups), key=lambda value: -len(groups[value]))


def _gathered(name: str, parts: list[_Part]) -> list[_Part]:
    if len(parts) <= MOST_VALUES:
        return parts
    shown, rest = parts[: MOST_VALUES - 1], parts[MOST_VALUES - 1 :]
    queries = tuple(sorted(i for part in rest for i in part.queries))
    return [*shown, _Part(name, "", "other", len(rest), queries)]


def _slice(
    measurements: Measurements,
    measure: str,
    contrasts: Sequence[tuple[str, str]],
    part: _Part,
    *,
    spec: ComparisonSpec,
    seed: int,
) -> SliceComparison:
    cut = _restricted(measurements, measure, np.array(part.queries, np.int64))
    compared = compare(cut, measure, contrasts, spec=spec, seed=seed, family=FAMILY, detailed=True)
    means = tuple(_mean(cut, measure, strategy, spec.alpha) for strategy in cut.strategies)
    return SliceComparison(
        attribute=part.attribute,
        value=part.value,
        kind=part.kind,
        n_values=part.n_values,
        n=len(part.queries),
        means=means,
        contrasts=tuple(compared),
    )


def _restricted(measurements: Measurements, measure: str, queries: Ints) -> Measurements:
    query_ids = tuple(measurements.query_ids[i] for i in queries.tolist())
    values = measurements.matrix(measure)[None, :, queries]
    return Measurements((measure,), measurements.strategies, query_ids, values)


def _mean(measurements: Measurements, measure: str, strategy: str, alpha: float) -> SliceMean:
    values = measurements.vector(measure, strategy)
    low, high = mean_interval(values, alpha)
    n = int(np.count_nonzero(~np.isnan(values)))
    return SliceMean(strategy, n, exact_mean(values), low, high)
