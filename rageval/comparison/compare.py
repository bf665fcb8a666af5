"""Pairs of strategies on one measure: from the cube of values to comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rageval.comparison.adjust import adjust
from rageval.comparison.columns import Procedure, columns_of
from rageval.config.models import ComparisonSpec
from rageval.data.arrays import Bools, Floats, Ints
from rageval.data.comparison import Comparison
from rageval.data.measurements import Measurements
from rageval.errors import InputError
from rageval.stats.paired_tests import find_test
from rageval.stats.paired_values import PairedValues, TestSettings

LARGEST = 1e100
"""Larger values could overflow when squared; no measure comes near."""
_HELD = 1 << 23
"""Differences held at once: 64 MB."""
_UNSET: dict[str, Any] = {
    "simultaneous_low": float("nan"),
    "simultaneous_high": float("nan"),
    "correction": "none",
    "family": "",
    "family_size": 0,
}
"""Fields that `adjust` sets."""


def compare(
    measurements: Measurements,
    measure: str,
    pairs: Sequence[tuple[str, str]],
    *,
    spec: ComparisonSpec,
    seed: int,
    family: str,
    detailed: bool = False,
) -> list[Comparison]:
    """Compare pairs (a, b) of strategies on one measure, as one family, in the order given.

    Queries on which either side has no value are left out of that pair (with a test over all
    strategies: on which any strategy has none), and the note counts them. `detailed` adds what
    is slow: intervals of d_z, and the queries that an inconclusive pair would need. Raises
    InputError where a value is infinite, ConfigError for an unknown test or correction.
    """
    values = _checked(measurements, measure)
    procedure = _procedure(spec, seed, detailed)
    places = {name: i for i, name in enumerate(measurements.strategies)}
    indices = np.array([[places[a], places[b]] for a, b in pairs], np.int64).reshape(-1, 2)
    found: dict[int, Comparison] = {}
    for chosen, defined in _groups(values, indices, procedure.test.all_strategies):
        sample = PairedValues(values[:, defined], indices[chosen])
        rows = _rows(sample, procedure, left_out=int(np.count_nonzero(~defined)))
        for i, row in zip(chosen.tolist(), rows, strict=True):
            a, b = pairs[i]
            found[i] = Comparison(measure=measure, a=a, b=b, test=spec.test, **_UNSET, **row)
    return adjust(
        [found[i] for i in range(len(pairs))],
        correction=spec.correction,
        alpha=spec.alpha,
        family=family,
        detailed=detailed,
    )


def _procedure(spec: ComparisonSpec, seed: int, detailed: bool) -> Procedure:
    return Procedure(
        test=find_test(spec.test),
        check=find_test(spec.check) if spec.check else None,
        settings=TestSettings(spec.alpha, seed, spec.resamples),
        margin=spec.equivalence_margin,
        detailed=detailed,
    )


def _checked(measurements: Measurements, measure: str) -> Floats:
    values = measurements.matrix(measure)
    wrong = np.argwhere(np.abs(values) > LARGEST)
    if len(wrong):
        strategy, query = wrong[0]
        name, query_id = measurements.strategies[strategy], measurements.query_ids[query]
        raise InputError(
            f"{measure} of {name!r} on query {query_id!r} is {values[strategy, query]}",
            hint="values must be finite numbers",
            total=len(wrong),
        )
    return values


def _groups(values: Floats, indices: Ints, all_strategies: bool) -> Iterator[tuple[Ints, Bools]]:
    """Yield pairs that share the same queries, and those queries."""
    for group, defined in _by_queries(~np.isnan(values), indices, all_strategies):
        # A test over all strategies never holds differences, and must not run twice.
        step = len(group) if all_strategies else max(1, _HELD // max(1, len(defined)))
        for start in range(0, len(group), step):
            yield group[start : start + step], defined


def _by_queries(
    defined: Bools, indices: Ints, all_strategies: bool
) -> Iterator[tuple[Ints, Bools]]:
    if not len(indices):
        return
    if defined.all():
        yield np.arange(len(indices)), np.ones(defined.shape[1], np.bool_)
        return
    both = defined[indices[:, 0]] & defined[indices[:, 1]]
    if all_strategies:
        both &= defined[defined.any(axis=1)].all(axis=0)
    members: dict[bytes, list[int]] = {}
    for i, row in enumerate(both):
        members.setdefault(row.tobytes(), []).append(i)
    for group in members.values():
        yield np.array(group), both[group[0]]


def _rows(sample: PairedValues, procedure: Procedure, left_out: int) -> Iterator[dict[str, Any]]:
    columns = columns_of(sample, procedure)
    for row in zip(*columns.values(), strict=True):
        fields = dict(zip(columns, row, strict=True))
        if left_out:
            fields["note"] = "; ".join(filter(None, (fields["note"], _left_out(left_out))))
        yield fields


def _left_out(count: int) -> str:
    queries = "query" if count == 1 else "queries"
    return f"{count:,} {queries} left out, where a value does not exist"
