"""By cutoff: measures that were taken at two cutoffs or more."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rageval.data import MeasureInfo
from rageval.report.lines import LineChart, line_chart
from rageval.report.model import Subject
from rageval.report.numbers import difference, value
from rageval.report.section import Section
from rageval.report.text import isolated

MAX_LINES = 6
MAX_ROWS_PDF = 8
MAX_TABLES_PDF = 3


@dataclass(frozen=True)
class CutoffTable:
    """One measure over its cutoffs."""

    caption: str
    chart: LineChart | None
    cutoffs: tuple[int, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    drawn: int
    omitted: int


@dataclass(frozen=True)
class Cutoffs:
    """The view of measures by cutoff."""

    lede: str
    tables: tuple[CutoffTable, ...]
    omitted: int


def cutoffs(subject: Subject) -> Cutoffs | None:
    """Show values over cutoffs; None where no measure has two."""
    groups = [group for group in families(subject.result.measures) if len(group) > 1]
    if not groups:
        return None
    groups.sort(key=lambda group: all(m.key != subject.primary for m in group))
    shown = groups[:MAX_TABLES_PDF] if subject.target == "pdf" else groups
    tables = tuple(_table(subject, group) for group in shown)
    return Cutoffs(_lede(subject, groups), tables, len(groups) - len(shown))


def families(measures: tuple[MeasureInfo, ...]) -> list[list[MeasureInfo]]:
    """Gather measures that differ in their cutoff alone, ascending."""
    found: dict[str, dict[int, MeasureInfo]] = {}
    for measure in measures:
        if measure.cutoff is not None:
            base = measure.label.rsplit("@", 1)[0]
            found.setdefault(base, {}).setdefault(measure.cutoff, measure)
    return [[group[k] for k in sorted(group)] for group in found.values()]


def _table(subject: Subject, group: list[MeasureInfo]) -> CutoffTable:
    names = subject.order()
    shown = names if subject.target == "html" else subject.foremost(MAX_ROWS_PDF)
    lines = _drawn(subject)
    values = [(n, [subject.mean(m.key, n).value for m in group]) for n in lines]
    label = group[0].label.rsplit("@", 1)[0]
    ks = tuple(m.cutoff or 0 for m in group)
    complete = all(not math.isnan(v) for _, row in values for v in row)
    return CutoffTable(
        caption=f"{label} by cutoff",
        chart=line_chart(ks, values, subject.series, label) if complete else None,
        cutoffs=ks,
        rows=tuple((n, tuple(value(subject.mean(m.key, n).value) for m in group)) for n in shown),
        drawn=len(lines),
        omitted=len(names) - len(shown),
    )


def _drawn(subject: Subject) -> tuple[str, ...]:
    return subject.foremost(MAX_LINES)


def _lede(subject: Subject, groups: list[list[MeasureInfo]]) -> str:
    focus = subject.focus
    if focus is None:
        return ""
    group, cube = groups[0], subject.dataset.measurements
    changes = [cube.mean(m.key, focus.b) - cube.mean(m.key, focus.a) for m in group]
    places = [f"{difference(d)} at {m.cutoff}" for d, m in zip(changes, group, strict=True)]
    label = group[0].label.rsplit("@", 1)[0]
    return (
        f"Mean {label} of {isolated(focus.b)} minus {isolated(focus.a)}: {places[0]}, {places[-1]}."
    )


SECTION = Section("cutoff", "By cutoff", cutoffs)
