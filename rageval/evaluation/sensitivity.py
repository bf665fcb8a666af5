"""What a comparison would have been under other choices that were possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rageval.comparison.adjust import adjust
from rageval.comparison.compare import compare
from rageval.data import BoundMeasure, Comparison, Dataset, JudgedRun, Measurements, Sensitivity
from rageval.data.arrays import Floats
from rageval.data.result import SensitivityCode
from rageval.diagnostics.repeats import mean_of_runs
from rageval.diagnostics.summary import tie_bounds
from rageval.evaluation.plan import Evaluation
from rageval.judging import condense
from rageval.measures import compute

Pair = tuple[str, str]

LABELS: dict[SensitivityCode, str] = {
    "judged-only": "Judged documents only",
    "without-empty-queries": "Without queries that have no relevant document",
    "ties-for-b": "Equal scores in the best order for {b}, the worst for {a}",
    "ties-for-a": "Equal scores in the best order for {a}, the worst for {b}",
}


def sensitivity(
    evaluation: Evaluation,
    dataset: Dataset,
    judged: Mapping[str, JudgedRun],
    measurements: Measurements,
    planned: Sequence[Comparison],
    every: Sequence[Comparison],
) -> tuple[Sensitivity, ...]:
    """Compare on the primary measure under other choices, beside the comparisons made.

    `planned` and `every` are the contrasts and the pairs of all measures, adjusted. The planned
    contrasts are looked at, or without any the best strategy against the next. Under each choice
    they take the places of the comparisons made in their family and are adjusted in it, so that
    nothing but the choice makes the difference. Rows stand by pair, then choice.
    """
    primary = evaluation.primary
    family = _family(evaluation, planned or every)
    beside = {_pair(c): c for c in family if c.measure == primary.key}
    pairs = list(beside) if planned else _best_and_next(measurements, primary, beside)
    choices = _Choices(primary, dataset, judged, measurements)
    rows: list[Sensitivity] = []
    for code in LABELS:
        found = _compared(evaluation, choices, code, pairs, detailed=bool(planned))
        rows += _rows(code, beside, _in_place(evaluation, family, found, bool(planned)), found)
    return tuple(sorted(rows, key=lambda row: pairs.index(_pair(row.comparison))))


def _pair(comparison: Comparison) -> Pair:
    return comparison.a, comparison.b


def _family(evaluation: Evaluation, made: Sequence[Comparison]) -> list[Comparison]:
    """Return what the comparisons on the primary measure were adjusted with."""
    whole = evaluation.config.comparison.family == "all"
    return [c for c in made if whole or c.measure == evaluation.primary.key]


def _best_and_next(
    cube: Measurements, primary: BoundMeasure, beside: Mapping[Pair, Comparison]
) -> list[Pair]:
    means = {s: cube.mean(primary.key, s) for s in cube.strategies}
    known = [s for s in cube.strategies if not np.isnan(means[s])]
    first = set(sorted(known, key=means.__getitem__, reverse=True)[:2])
    return [pair for pair in beside if set(pair) == first]


def _compared(
    evaluation: Evaluation,
    choices: _Choices,
    code: SensitivityCode,
    pairs: Sequence[Pair],
    *,
    detailed: bool,
) -> dict[Pair, Comparison]:
    """Compare the pairs whose values another choice changes."""
    spec, seed = evaluation.config.comparison, evaluation.config.seed
    key = evaluation.primary.key
    cubes: dict[Measurements, list[Pair]] = {}
    for pair in pairs:
        cube = choices.cube(code, pair)
        if cube is not None:
            cubes.setdefault(cube, []).append(pair)
    return {
        _pair(c): c
        for cube, chosen in cubes.items()
        for c in compare(cube, key, chosen, spec=spec, seed=seed, family="", detailed=detailed)
    }


def _in_place(
    evaluation: Evaluation,
    family: Sequence[Comparison],
    found: Mapping[Pair, Comparison],
    detailed: bool,
) -> list[Comparison]:
    """Adjust the family with the comparisons under another choice in their places."""
    if not found:
        return []
    spec, key = evaluation.config.comparison, evaluation.primary.key
    mixed = [found.get(_pair(c), c) if c.measure == key else c for c in family]
    return adjust(
        mixed,
        correction=spec.correction,
        alpha=spec.alpha,
        family=family[0].family,
        detailed=detailed,
    )


def _rows(
    code: SensitivityCode,
    beside: Mapping[Pair, Comparison],
    adjusted: Sequence[Comparison],
    found: Mapping[Pair, Comparison],
) -> list[Sensitivity]:
    return [
        Sensitivity(
            code,
            LABELS[code].format(a=c.a, b=c.b),
            c,
            same_finding=c.finding == beside[_pair(c)].finding,
        )
        for c in adjusted
        if _pair(c) in found and c.measure == found[_pair(c)].measure
    ]


@dataclass(frozen=True, eq=False)
class _Choices:
    """The values of the primary measure under each choice."""

    primary: BoundMeasure
    dataset: Dataset
    judged: Mapping[str, JudgedRun]
    measurements: Measurements

    def cube(self, code: SensitivityCode, pair: Pair) -> Measurements | None:
        """Return all strategies' values, or None where the choice changes nothing for a pair."""
        if code == "without-empty-queries":
            return self._without_empty
        cube = self._condensed if code == "judged-only" else self._in_order(code, pair)
        places = [cube.strategies.index(strategy) for strategy in pair]
        found = cube.matrix(self.primary.key)[places]
        return None if np.array_equal(found, self._values[places], equal_nan=True) else cube

    @property
    def _values(self) -> Floats:
        return self.measurements.matrix(self.primary.key)

    def _cube(self, values: Floats, query_ids: tuple[str, ...]) -> Measurements:
        strategies = self.measurements.strategies
        return Measurements((self.primary.key,), strategies, query_ids, values[None])

    @cached_property
    def _without_empty(self) -> Measurements | None:
        kept = self.dataset.qrels.has_relevant
        if kept.all() or not kept.any():
            return None
        query_ids = zip(self.measurements.query_ids, kept, strict=True)
        return self._cube(self._values[:, kept], tuple(q for q, keep in query_ids if keep))

    @cached_property
    def _condensed(self) -> Measurements:
        rows = [
            mean_of_runs([compute(self.primary, condense(run)) for run in judged.runs])
            for judged in self.judged.values()
        ]
        return self._cube(np.stack(rows), self.measurements.query_ids)

    @cached_property
    def _bounds(self) -> dict[str, tuple[Floats, Floats]]:
        return {name: tie_bounds(judged, self.primary) for name, judged in self.judged.items()}

    def _in_order(self, code: SensitivityCode, pair: Pair) -> Measurements:
        better, worse = pair[::-1] if code == "ties-for-b" else pair
        values = self._values.copy()
        values[self.measurements.strategies.index(better)] = self._bounds[better][1]
        values[self.measurements.strategies.index(worse)] = self._bounds[worse][0]
        return self._cube(values, self.measurements.query_ids)
