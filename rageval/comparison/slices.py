"""Planned contrasts by kind of query: where a change helps, and where it hurts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rageval.comparison.adjust import adjust
from rageval.comparison.compare import compare
from rageval.comparison.findings import UNTESTED
from rageval.config.models import ComparisonSpec
from rageval.data.arrays import Ints
from rageval.data.comparison import Comparison, SliceComparison
from rageval.data.measurements import Measurements
from rageval.data.order import natural_order

MOST_VALUES = 12
"""An attribute with more values shows the largest 11, and the rest as one slice."""
SLICES = "slices"


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
    rows = [
        SliceComparison(part.attribute, part.value, comparison, part.kind)
        for name, values in attributes.items()
        for part in _parts(name, values, measurements.query_ids)
        for comparison in _compare(measurements, measure, contrasts, part, spec, seed)
    ]
    tested = {
        (row.attribute, row.kind, row.value)
        for row in rows
        if row.comparison.finding not in UNTESTED
    }
    together = adjust(
        [row.comparison for row in rows],
        correction=spec.correction,
        alpha=spec.alpha,
        family=SLICES,
        detailed=True,
        joint_tests=len(tested),
    )
    return tuple(replace(row, comparison=c) for row, c in zip(rows, together, strict=True))


@dataclass(frozen=True, slots=True)
class _Part:
    attribute: str
    value: str
    kind: Literal["value", "other", "not given"]
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
    parts = [_Part(name, value, "value", tuple(groups[value])) for value in _by_size(groups)]
    if missing:
        return [*_gathered(name, parts), _Part(name, "not given", "not given", tuple(missing))]
    return _gathered(name, parts)


def _by_size(groups: Mapping[str, Sequence[int]]) -> list[str]:
    return sorted(natural_order(groups), key=lambda value: -len(groups[value]))


def _gathered(name: str, parts: list[_Part]) -> list[_Part]:
    if len(parts) <= MOST_VALUES:
        return parts
    shown, rest = parts[: MOST_VALUES - 1], parts[MOST_VALUES - 1 :]
    queries = tuple(sorted(i for part in rest for i in part.queries))
    return [*shown, _Part(name, f"other ({len(rest)} values)", "other", queries)]


def _compare(
    measurements: Measurements,
    measure: str,
    contrasts: Sequence[tuple[str, str]],
    part: _Part,
    spec: ComparisonSpec,
    seed: int,
) -> list[Comparison]:
    cut = _restricted(measurements, measure, np.array(part.queries, np.int64))
    return compare(cut, measure, contrasts, spec=spec, seed=seed, family=SLICES, detailed=True)


def _restricted(measurements: Measurements, measure: str, queries: Ints) -> Measurements:
    query_ids = tuple(measurements.query_ids[i] for i in queries.tolist())
    values = measurements.matrix(measure)[None, :, queries]
    return Measurements((measure,), measurements.strategies, query_ids, values)
