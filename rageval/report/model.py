"""What the sections read: one dataset of a result, with the questions that a report asks of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from rageval.data import Comparison, DatasetResult, EvaluationResult, MeasureInfo, Strategy
from rageval.data.arrays import Floats
from rageval.data.measurements import exact_mean
from rageval.report.charts import SERIES, Ink
from rageval.report.numbers import SAME

Target = Literal["html", "pdf"]

MEASURES_PER_TABLE = 9
"""More stand in several tables, and on paper with fewer rows."""

ROLE_WORDS = {
    "production": "in production",
    "baseline": "the baseline",
    "candidate": "the candidate",
    "": "",
}


@dataclass(frozen=True, slots=True)
class Mean:
    """A strategy's mean of one measure: over `n` queries, with its interval where it has one."""

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, eq=False)
class Subject:
    """One dataset of a result, as it is to be shown on a page or on paper."""

    result: EvaluationResult
    dataset: DatasetResult
    target: Target = "html"

    @property
    def primary(self) -> str:
        """Return the key of the primary measure."""
        return self.result.primary

    @property
    def primary_label(self) -> str:
        """Return the primary measure as it is shown."""
        return self.measure(self.primary).label

    @property
    def names(self) -> tuple[str, ...]:
        """Return the strategies evaluated on the dataset, in the order of the configuration."""
        return self.dataset.measurements.strategies

    @property
    def n_queries(self) -> int:
        """Return the length of the query axis."""
        return len(self.dataset.measurements.query_ids)

    @property
    def several(self) -> bool:
        """Return whether the evaluation has several datasets."""
        return len(self.result.datasets) > 1

    def measure(self, key: str) -> MeasureInfo:
        """Return how a measure is explained."""
        return next(m for m in self.result.measures if m.key == key)

    def strategy(self, name: str) -> Strategy:
        """Return a strategy's description and role."""
        return next(s for s in self.result.strategies if s.name == name)

    def ink(self, name: str) -> Ink:
        """Return the ink that a strategy has throughout the report."""
        return SERIES[self.series[name]]

    @cached_property
    def series(self) -> dict[str, int]:
        """Return the position of each strategy's ink and marker."""
        return series_of(self.result.strategies, self.result.contrasts)

    @cached_property
    def means(self) -> dict[tuple[str, str], Mean]:
        """Return (measure, strategy) -> mean."""
        cube = self.dataset.measurements
        return {
            (key, name): mean_of(cube.vector(key, name), self.result.alpha)
            for key in cube.measures
            for name in cube.strategies
        }

    def mean(self, key: str, name: str) -> Mean:
        """Return a strategy's mean of a measure."""
        return self.means[key, name]

    def order(self, key: str = "") -> tuple[str, ...]:
        """Return the strategies by their mean of a measure (the primary one), best first."""
        key = key or self.primary
        sign = -1 if self.measure(key).higher_is_better else 1
        places = {name: sign * self.mean(key, name).value for name in self.names}
        return tuple(
            sorted(self.names, key=lambda n: math.inf if math.isnan(places[n]) else places[n])
        )

    def foremost(self, limit: int) -> tuple[str, ...]:
        """Return the best strategies in order, those of planned contrasts always among them."""
        order = self.order()
        planned = [n for n in order if any(n in pair for pair in self.result.contrasts)][:limit]
        rest = [n for n in order if n not in planned][: limit - len(planned)]
        return tuple(n for n in order if n in planned or n in rest)

    def best(self, key: str = "") -> tuple[str, ...]:
        """Return all strategies whose mean of a measure equals the best one."""
        order, key = self.order(key), key or self.primary
        top = self.mean(key, order[0]).value
        return tuple(n for n in order if abs(self.mean(key, n).value - top) <= SAME)

    def pairs(self, key: str) -> tuple[Comparison, ...]:
        """Return all pairs on a measure."""
        return tuple(c for c in self.dataset.comparisons if c.measure == key)

    def planned(self, key: str) -> tuple[Comparison, ...]:
        """Return the planned contrasts on a measure."""
        return tuple(c for c in self.dataset.planned if c.measure == key)

    def pair(self, a: str, b: str, key: str = "") -> Comparison | None:
        """Return the exploratory comparison of two strategies, whichever stands first in it."""
        wanted = {a, b}
        return next((c for c in self.pairs(key or self.primary) if {c.a, c.b} == wanted), None)

    @cached_property
    def focus(self) -> Comparison | None:
        """Return the comparison that the report is about on this dataset.

        The first planned contrast; without any, the best strategy against the next, which is
        exploratory. None where there is nothing to compare, or the contrast could not be made.
        """
        if self.result.contrasts:
            a, b = self.result.contrasts[0]
            return next((c for c in self.planned(self.primary) if (c.a, c.b) == (a, b)), None)
        order = self.order()
        return self.pair(order[0], order[1]) if len(order) > 1 else None

    @property
    def reference(self) -> str:
        """Return the strategy whose pairs are shown where there is no room for all."""
        return self.focus.b if self.focus else self.order()[0]

    def change(self, comparison: Comparison) -> Floats:
        """Return b - a per query on the comparison's measure; NaN where a value is missing."""
        cube = self.dataset.measurements
        after = cube.vector(comparison.measure, comparison.b)
        return after - cube.vector(comparison.measure, comparison.a)


def subjects(result: EvaluationResult, target: Target) -> tuple[Subject, ...]:
    """Return one subject per dataset."""
    return tuple(Subject(result, dataset, target) for dataset in result.datasets)


def series_of(
    strategies: tuple[Strategy, ...], contrasts: tuple[tuple[str, str], ...] = ()
) -> dict[str, int]:
    """Give each strategy an ink: by role, then the first contrast; past four the rest are grey."""
    preferred = {"candidate": 3, "production": 2, "baseline": 0 if len(strategies) <= 4 else 1}
    given: dict[str, int] = {}
    for strategy in strategies:
        ink = preferred.get(strategy.role)
        if ink is not None and ink not in given.values():
            given[strategy.name] = ink
    for name, ink in zip(contrasts[0][::-1] if contrasts else (), (3, 2), strict=False):
        if name not in given and ink not in given.values():
            given[name] = ink
    left = [i for i in (0, 1, 2, 3) if i not in given.values()] if len(strategies) <= 4 else []
    for strategy in strategies:
        if strategy.name not in given:
            given[strategy.name] = left.pop(0) if left else 0
    return given


def mean_of(values: Floats, alpha: float) -> Mean:
    """Return the mean of the values that exist, with its t interval."""
    from rageval.stats.student import mean_interval

    low, high = mean_interval(values, alpha)
    return Mean(exact_mean(values), low, high, int(np.count_nonzero(~np.isnan(values))))


def measure_chunks(keys: tuple[str, ...], most: int = MEASURES_PER_TABLE) -> list[tuple[str, ...]]:
    """Split measures into as few tables as fit a page, of nearly equal width."""
    tables = max(1, math.ceil(len(keys) / most))
    width = math.ceil(len(keys) / tables)
    return [keys[i : i + width] for i in range(0, len(keys), width)]


def heading_id(subject: Subject, key: str) -> str:
    """Return the anchor of a section: its key, numbered where there are several datasets."""
    if not subject.several:
        return key
    return f"{key}-{subject.result.datasets.index(subject.dataset) + 1}"
