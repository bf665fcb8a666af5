"""How long the comparison of many strategies takes; `python -m benchmarks.paired_tests`.

Bounds: 10,875 paired t-tests (30 strategies, 25 measures, 7,000 queries) with intervals, effect
sizes and corrections in 3 s; sign-flip with 10,000 draws for 435 pairs and 1,000 queries in 15 s.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from rageval.comparison.adjust import adjust
from rageval.comparison.compare import compare
from rageval.comparison.pairs import order_pairs
from rageval.config.models import ComparisonSpec
from rageval.data.measurements import Measurements
from rageval.data.result import Strategy
from rageval.stats.paired_tests import TESTS

STRATEGIES = 30
BOUNDS = {"paired-t": 3.0, "sign-flip": 15.0}


def cube(measures: int, queries: int) -> Measurements:
    generator = np.random.default_rng(1)
    level = generator.random((measures, 1, queries))
    noise = generator.random((measures, STRATEGIES, queries))
    return Measurements(
        tuple(f"m{i}" for i in range(measures)),
        tuple(f"s{i}" for i in range(STRATEGIES)),
        tuple(f"q{i}" for i in range(queries)),
        0.8 * level + 0.2 * noise,
    )


def seconds(measurements: Measurements, test: str) -> float:
    spec = ComparisonSpec(test=test)
    pairs = order_pairs([Strategy(name) for name in measurements.strategies])
    start = time.perf_counter()
    found = [
        comparison
        for measure in measurements.measures
        for comparison in compare(
            measurements, measure, pairs, spec=spec, seed=1, family="all pairs"
        )
    ]
    adjust(found, correction="holm", alpha=0.05, family="all pairs and measures")
    return time.perf_counter() - start


def main() -> int:
    missed = 0
    many, one = cube(25, 7_000), cube(1, 1_000)
    for test in TESTS:
        measurements = many if test == "paired-t" else one
        took = seconds(measurements, test)
        pairs = STRATEGIES * (STRATEGIES - 1) // 2 * len(measurements.measures)
        queries, bound = len(measurements.query_ids), BOUNDS.get(test)
        limit = f" (bound {bound:g} s)" if bound else ""
        print(f"{test:16} {pairs:6,} pairs x {queries:,} queries: {took:6.2f} s{limit}")
        missed += bound is not None and took > bound
    return missed


if __name__ == "__main__":
    sys.exit(main())
