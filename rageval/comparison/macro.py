"""Several datasets at a glance: macro means, and which strategy wins where."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from rageval.data.measurements import Measurements
from rageval.data.result import MacroMean

SAME = 1e-9
"""Means that differ by no more are equally good."""


def macro_means(
    cubes: Mapping[str, Measurements], strategies: Sequence[str], measures: Mapping[str, bool]
) -> tuple[MacroMean, ...]:
    """Average each strategy's means over datasets, each dataset counting once.

    `cubes` maps a dataset's name to its values, `measures` a measure's key to whether higher is
    better. A strategy that lacks a dataset, or whose mean does not exist there, has no macro
    mean, but may be the best on the others. Rows stand by measure, then strategy.
    """
    rows = []
    for measure, higher in measures.items():
        means = {name: _means(cube, measure, strategies) for name, cube in cubes.items()}
        best = {name: _best(by_strategy, higher) for name, by_strategy in means.items()}
        for strategy in strategies:
            own = {name: by_strategy[strategy] for name, by_strategy in means.items()}
            rows.append(_row(strategy, measure, own, best))
    return tuple(rows)


def _means(cube: Measurements, measure: str, strategies: Sequence[str]) -> dict[str, float]:
    return {s: cube.mean(measure, s) if s in cube.strategies else math.nan for s in strategies}


def _best(means: Mapping[str, float], higher_is_better: bool) -> float:
    known = [mean for mean in means.values() if not math.isnan(mean)]
    return (max if higher_is_better else min)(known, default=math.nan)


def _row(
    strategy: str, measure: str, means: Mapping[str, float], best: Mapping[str, float]
) -> MacroMean:
    return MacroMean(
        strategy,
        measure,
        mean=math.fsum(means.values()) / len(means) if means else math.nan,
        n_datasets=sum(not math.isnan(mean) for mean in means.values()),
        best_on=tuple(name for name, mean in means.items() if abs(mean - best[name]) <= SAME),
    )
