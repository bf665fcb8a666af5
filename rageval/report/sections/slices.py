"""By query type: the planned contrasts within each value of a query attribute."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rageval.data import SliceComparison
from rageval.report.forest import Forest, difference_scale, framed, row
from rageval.report.model import Subject
from rageval.report.numbers import confidence
from rageval.report.section import Section
from rageval.report.sentences import adjusted_by
from rageval.report.text import isolated, listed


@dataclass(frozen=True)
class SliceTable:
    """One contrast over the values of one attribute."""

    attribute: str
    caption: str
    note: str
    a: str
    b: str
    forest: Forest


@dataclass(frozen=True)
class Slices:
    """The view of all slices."""

    lede: str
    tables: tuple[SliceTable, ...]


def slices(subject: Subject) -> Slices | None:
    """Show each attribute's values, largest gain first; None without attributes."""
    rows = subject.dataset.slices
    if not rows:
        return None
    keys = dict.fromkeys((s.attribute, s.comparison.a, s.comparison.b) for s in rows)
    tables = [
        _table(subject, [s for s in rows if (s.attribute, s.comparison.a, s.comparison.b) == key])
        for key in keys
    ]
    return Slices(_lede(rows), tuple(tables))


def _lede(rows: Sequence[SliceComparison]) -> str:
    first = rows[0].comparison
    ours = [s for s in rows if (s.comparison.a, s.comparison.b) == (first.a, first.b)]
    several = len({s.attribute for s in rows}) > 1
    worse = [_named(s, several) for s in ours if s.comparison.finding == "worse"]
    better = [_named(s, several) for s in ours if s.comparison.finding == "better"]
    parts = [
        f"{isolated(first.b)} is shown to be {word} than {isolated(first.a)} on "
        f"{listed([isolated(v) for v in values])}"
        for word, values in (("worse", worse), ("better", better))
        if values
    ]
    if not parts:
        return f"{isolated(first.b)} against {isolated(first.a)}: shown to differ on no query type."
    return ". ".join(parts) + "."


def _named(row: SliceComparison, several: bool) -> str:
    return f"{row.attribute} {row.value}" if several else row.value


def _table(subject: Subject, rows: Sequence[SliceComparison]) -> SliceTable:
    ordered = sorted(rows, key=_place)
    comparisons = [s.comparison for s in ordered]
    scale = difference_scale(subject, comparisons)
    a, b = comparisons[0].a, comparisons[0].b
    return SliceTable(
        attribute=rows[0].attribute,
        caption=f"Change in {subject.primary_label} by {isolated(rows[0].attribute)}",
        note=_note(subject, rows, a, b),
        a=a,
        b=b,
        forest=framed(
            subject,
            scale,
            tuple(row(subject, s.comparison, scale, isolated(s.value), _small(s)) for s in ordered),
            comparisons,
        ),
    )


def _place(row: SliceComparison) -> tuple[int, float]:
    """Order by gain; what gathers other values, or lacks one, comes last."""
    difference = row.comparison.mean_difference
    last = ("value", "other", "not given").index(row.kind)
    return last, 0.0 if math.isnan(difference) else -difference


def _small(row: SliceComparison) -> str:
    return "small sample" if row.small_sample else ""


def _note(subject: Subject, rows: Sequence[SliceComparison], a: str, b: str) -> str:
    by = adjusted_by(rows[0].comparison)
    adjusted = f"p adjusted {by}" if by else "p as tested"
    small = any(s.small_sample for s in rows)
    care = " Types with fewer than 30 queries are marked: read them with care." if small else ""
    return (
        f"{isolated(b)} minus {isolated(a)}, with {confidence(subject.result.alpha)} intervals; "
        f"{adjusted}.{care}"
    )


SECTION = Section("slices", "By query type", slices)
