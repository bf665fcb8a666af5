"""The overview of several datasets: means per dataset, and over datasets."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rageval.data import MacroMean
from rageval.report.model import Subject, measure_chunks, subjects
from rageval.report.numbers import ABSENT, SAME, count, value
from rageval.report.section import Section
from rageval.report.text import isolated, listed


@dataclass(frozen=True, slots=True)
class OverviewCell:
    """A mean, whether it is the best of its column, and what stands below it."""

    mean: str
    best: bool
    below: str = ""


@dataclass(frozen=True)
class MacroTable:
    """Means over datasets, as many measures as fit side by side."""

    labels: tuple[str, ...]
    rows: tuple[tuple[str, tuple[OverviewCell, ...]], ...]


@dataclass(frozen=True)
class Overview:
    """The view of all datasets together."""

    lede: str
    primary: str
    datasets: tuple[tuple[str, str], ...]
    """Name and number of queries."""
    rows: tuple[tuple[str, tuple[OverviewCell, ...]], ...]
    """Strategy, a cell per dataset, and last the mean over datasets."""
    tables: tuple[MacroTable, ...]
    """Every measure's means over datasets; empty where the primary one is all."""


def overview(subject: Subject) -> Overview | None:
    """Show the primary measure on every dataset, and all means over datasets; None for one."""
    if not subject.several:
        return None
    readings = subjects(subject.result, subject.target)
    keys = tuple(m.key for m in subject.result.measures)
    chunks = measure_chunks(keys) if len(keys) > 1 else []
    return Overview(
        lede=_lede(readings),
        primary=subject.primary_label,
        datasets=tuple((r.dataset.name, count(r.n_queries)) for r in readings),
        rows=_rows(readings),
        tables=tuple(_table(subject, chunk) for chunk in chunks),
    )


def _rows(readings: tuple[Subject, ...]) -> tuple[tuple[str, tuple[OverviewCell, ...]], ...]:
    first = readings[0]
    names = [s.name for s in first.result.strategies]
    macro = _column(first, first.primary)
    best = [reading.best() for reading in readings]
    return tuple(
        (
            name,
            (
                *(
                    OverviewCell(value(_mean(reading, name)), name in best[i])
                    for i, reading in enumerate(readings)
                ),
                macro[name],
            ),
        )
        for name in names
    )


def _mean(reading: Subject, name: str) -> float:
    return reading.mean(reading.primary, name).value if name in reading.names else math.nan


def _table(subject: Subject, keys: tuple[str, ...]) -> MacroTable:
    columns = [_column(subject, key) for key in keys]
    return MacroTable(
        tuple(subject.measure(key).label for key in keys),
        tuple(
            (s.name, tuple(column[s.name] for column in columns)) for s in subject.result.strategies
        ),
    )


def _column(subject: Subject, key: str) -> dict[str, OverviewCell]:
    """Return strategy -> its mean over datasets of one measure."""
    rows = [m for m in subject.result.macro_means if m.measure == key]
    known = [m.mean for m in rows if not math.isnan(m.mean)]
    top = (max if subject.measure(key).higher_is_better else min)(known, default=math.nan)
    found = {m.strategy: _cell(m, top) for m in rows}
    return {s.name: found.get(s.name, ABSENT_CELL) for s in subject.result.strategies}


def _cell(m: MacroMean, top: float) -> OverviewCell:
    return OverviewCell(value(m.mean), abs(m.mean - top) <= SAME, f"best on {len(m.best_on)}")


def _lede(readings: tuple[Subject, ...]) -> str:
    first = readings[0]
    wins = {
        m.strategy: [isolated(name) for name in m.best_on]
        for m in first.result.macro_means
        if m.measure == first.primary and m.best_on
    }
    parts = [f"{isolated(name)} on {listed(where)}" for name, where in wins.items()]
    return f"Highest mean {first.primary_label}: {'; '.join(parts)}." if parts else ""


ABSENT_CELL = OverviewCell(ABSENT, best=False)
SECTION = Section("overview", "Overview of datasets", overview, per_dataset=False)
