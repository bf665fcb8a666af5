"""The overview of several datasets: means per dataset, and over datasets."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rageval.report.model import Subject, subjects
from rageval.report.numbers import ABSENT, SAME, count, value
from rageval.report.section import Section
from rageval.report.text import isolated, listed


@dataclass(frozen=True, slots=True)
class OverviewCell:
    """A mean and whether it is the best of its column."""

    mean: str
    best: bool


@dataclass(frozen=True)
class Overview:
    """The view of all datasets together."""

    lede: str
    primary: str
    datasets: tuple[tuple[str, str], ...]
    """Name and number of queries."""
    rows: tuple[tuple[str, tuple[OverviewCell, ...]], ...]
    """Strategy, a cell per dataset, and last the mean over datasets."""


def overview(subject: Subject) -> Overview | None:
    """Show the primary measure on every dataset; None where there is one alone."""
    if not subject.several:
        return None
    readings = subjects(subject.result, subject.target)
    names = [s.name for s in subject.result.strategies]
    means = {name: [_mean(reading, name) for reading in readings] for name in names}
    macro = {name: _macro(row) for name, row in means.items()}
    columns = [*zip(*means.values(), strict=True), tuple(macro.values())]
    higher = subject.measure(subject.primary).higher_is_better
    best = [_best(column, higher) for column in columns]
    return Overview(
        lede=_lede(readings, macro),
        primary=subject.primary_label,
        datasets=tuple((r.dataset.name, count(r.n_queries)) for r in readings),
        rows=tuple(
            (
                name,
                tuple(_cell(v, b) for v, b in zip([*means[name], macro[name]], best, strict=True)),
            )
            for name in names
        ),
    )


def _mean(reading: Subject, name: str) -> float:
    if name not in reading.names:
        return math.nan
    return reading.mean(reading.primary, name).value


def _macro(row: list[float]) -> float:
    """Return the mean over datasets, each counting once; NaN where a dataset is missing."""
    return math.fsum(row) / len(row)


def _best(column: tuple[float, ...], higher: bool) -> float:
    known = [v for v in column if not math.isnan(v)]
    return (max if higher else min)(known, default=math.nan)


def _cell(mean: float, best: float) -> OverviewCell:
    return OverviewCell(value(mean), abs(mean - best) <= SAME)


def _lede(readings: tuple[Subject, ...], macro: dict[str, float]) -> str:
    wins = {
        name: [isolated(r.dataset.name) for r in readings if name in r.best()] for name in macro
    }
    parts = [f"{isolated(name)} on {listed(where)}" for name, where in wins.items() if where]
    label = readings[0].primary_label
    return f"Highest mean {label}: {'; '.join(parts)}." if parts else ABSENT


SECTION = Section("overview", "Overview of datasets", overview, per_dataset=False)
