"""How far the repeated runs of a strategy lie apart."""

from __future__ import annotations

from dataclasses import dataclass

from rageval.data import RepeatSpread
from rageval.report.model import Subject, measure_chunks
from rageval.report.numbers import value

MOST = 6
"""Measures side by side: a cell holds two numbers."""


@dataclass(frozen=True, slots=True)
class SpreadCell:
    """The means of the runs of one strategy on one measure."""

    span: str
    sd: str


@dataclass(frozen=True)
class SpreadTable:
    """Some of the measures, as many as fit side by side."""

    labels: tuple[str, ...]
    rows: tuple[tuple[str, int, tuple[SpreadCell | None, ...]], ...]
    """Strategy, number of runs, a cell per measure."""


def spread_tables(subject: Subject) -> tuple[SpreadTable, ...]:
    """Show every strategy that was run more than once; empty where none was."""
    found = {(r.strategy, r.measure): r for r in subject.dataset.repeats}
    runs = {r.strategy: len(r.means) for r in subject.dataset.repeats}
    chunks = measure_chunks(subject.dataset.measurements.measures, MOST) if runs else []
    return tuple(
        SpreadTable(
            tuple(subject.measure(key).label for key in chunk),
            tuple(
                (name, number, tuple(_cell(found.get((name, key))) for key in chunk))
                for name, number in runs.items()
            ),
        )
        for chunk in chunks
    )


def spread_of(subject: Subject, name: str) -> RepeatSpread | None:
    """Return the spread of a strategy's runs on the primary measure, where it has several."""
    rows = (r for r in subject.dataset.repeats if r.measure == subject.primary)
    return next((r for r in rows if r.strategy == name), None)


def _cell(spread: RepeatSpread | None) -> SpreadCell | None:
    if spread is None:
        return None
    same = spread.low == spread.high
    span = value(spread.low) if same else f"{value(spread.low)} to {value(spread.high)}"
    return SpreadCell(span, f"sd {value(spread.sd)}")
