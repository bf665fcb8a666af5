"""How much differences vary over queries: given, assumed, or seen in earlier values."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from statistics import median

import numpy as np

from rageval.cli.values import read_result, values_file
from rageval.data import EvaluationResult, Measurements
from rageval.errors import InputError
from rageval.formats.values import ValuesFile, read_values
from rageval.formats.values_cube import find_measure

ASSUMED = (0.25, 0.15, 0.35)
"""Standard deviations of differences in nDCG@10 between good strategies: of the 136 pairs of 17
runs of TREC 2003 Robust half lie between 0.20 and 0.27 and all between 0.09 and 0.31; close
variants of one ranker lie lower, and measures that one document decides, such as MRR, higher."""
PRIMARY = ("ndcg_10", "ndcg_cut_10", "value")
"""The measures to plan for where the file does not say, in the order of preference."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A standard deviation of the differences over queries."""

    sd: float
    what: str
    """Where it comes from, in words."""
    queries: int | None = None
    """How many queries it was seen on."""


@dataclass(frozen=True, slots=True)
class _Pair:
    sd: float
    queries: int
    name: str


def given(sd: float) -> tuple[Spread, ...]:
    """Return the one that the user gave."""
    return (Spread(sd, "as given"),)


def assumed() -> tuple[Spread, ...]:
    """Return what to expect where nothing is known: usual, low and high."""
    usual, low, high = ASSUMED
    return (
        Spread(usual, "assumed; usual for nDCG@10"),
        Spread(low, "low: variants of one strategy"),
        Spread(high, "high: strategies that have little in common"),
    )


def seen(source: str, measure: str | None) -> tuple[Spread, ...]:
    """Return the spread of a file's headline contrast, else of its pairs: median and largest.

    Raises `InputError` where no pair of strategies has differences that vary.
    """
    file = values_file(source)
    result = read_result(file)
    if result is None:
        key, pairs = _pairs_of_values(file, measure)
    else:
        key, pairs = _pairs_of_result(result, measure)
    usable = sorted((pair for pair in pairs if pair.sd > 0), key=lambda pair: pair.sd)
    if not usable:
        what = f"the differences in {key} do not vary for any two strategies"
        raise InputError(what, where=source, hint="the spread can be given with --sd")
    return _spreads(key, usable)


def _spreads(measure: str, pairs: list[_Pair]) -> tuple[Spread, ...]:
    """Return the median and the largest of pairs in ascending order, or the one that there is."""
    largest = pairs[-1]
    if len(pairs) == 1:
        return (Spread(largest.sd, f"{measure}, {largest.name}", largest.queries),)
    middle = median(pair.sd for pair in pairs)
    queries = min(pair.queries for pair in pairs)
    return (
        Spread(middle, f"{measure}, median of {len(pairs)} pairs", queries),
        Spread(largest.sd, f"{measure}, largest: {largest.name}", largest.queries),
    )


def _pairs_of_result(result: EvaluationResult, measure: str | None) -> tuple[str, list[_Pair]]:
    known = [info.key for info in result.measures]
    key = result.primary if measure is None else find_measure(measure, known)
    wanted = list(result.contrasts[:1])
    several = len(result.datasets) > 1
    found = []
    for dataset in result.datasets:
        place = f" on {dataset.name}" if several else ""
        found += list(_pairs(dataset.measurements, key, wanted, place))
    return key, found


def _pairs_of_values(file: ValuesFile, measure: str | None) -> tuple[str, list[_Pair]]:
    values = read_values([file], [measure] if measure else [])
    measures = values.datasets[0][1].measures
    key = next((m for m in measures if m.casefold().replace("@", "_") in PRIMARY), measures[0])
    several = len(values.datasets) > 1
    found = []
    for name, cube in values.datasets:
        found += list(_pairs(cube, key, [], f" on {name}" if several else ""))
    return key, found


def _pairs(
    cube: Measurements, measure: str, wanted: list[tuple[str, str]], place: str
) -> Iterator[_Pair]:
    """Yield the wanted pairs, or all of them where none is wanted."""
    for a, b in wanted or combinations(cube.strategies, 2):
        if a not in cube.strategies or b not in cube.strategies:
            continue
        difference = cube.vector(measure, b) - cube.vector(measure, a)
        difference = difference[~np.isnan(difference)]
        sd = float(np.std(difference, ddof=1)) if len(difference) > 1 else math.nan
        yield _Pair(sd, len(difference), f"{b} against {a}{place}")
