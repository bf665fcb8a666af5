"""Comparisons as rows of a table, each with its interval drawn on the table's one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rageval.data import Comparison
from rageval.report.charts import BETTER, FLAT, WORSE, Ink, IntervalGlyph, Scale, bar, scale_over
from rageval.report.model import ROLE_WORDS, Subject
from rageval.report.numbers import count, effect, estimate, p_value, statistic, value
from rageval.report.sentences import FINDING_WORDS, adjusted_by, difference_in_words
from rageval.report.text import isolated, visible

SHOWN = ("better", "worse")
FINDING_INKS: dict[str, Ink] = {"better": BETTER, "worse": WORSE}


@dataclass(frozen=True)
class ForestRow:
    """One comparison, every number written out; difference is `bold` minus `other`."""

    bold: str
    under: str
    glyph: IntervalGlyph | None
    estimate: str
    statistic: str
    p: str
    p_adjusted: str
    d_z: str
    counts: str
    word: str
    finding: str
    note: str
    n: str
    mean_a: str
    mean_b: str


@dataclass(frozen=True)
class Forest:
    """Rows that share one scale."""

    scale: Scale
    rows: tuple[ForestRow, ...]
    low_word: str
    high_word: str
    adjusted: bool
    """Whether p-values are adjusted, so that there are two of each."""


def forest(subject: Subject, comparisons: Sequence[Comparison]) -> Forest:
    """Lay out comparisons on one measure, with who is compared as the rows' names."""
    scale = difference_scale(subject, comparisons)
    rows = tuple(row(subject, c, scale, isolated(c.b), _against(subject, c)) for c in comparisons)
    return framed(subject, scale, rows, comparisons)


def framed(
    subject: Subject,
    scale: Scale,
    rows: tuple[ForestRow, ...],
    comparisons: Sequence[Comparison],
) -> Forest:
    """Put rows into a table, with the words at the two ends of its axis."""
    higher = not comparisons or subject.measure(comparisons[0].measure).higher_is_better
    low, high = ("worse", "better") if higher else ("better", "worse")
    return Forest(scale, rows, low, high, any(adjusted_by(c) for c in comparisons))


def difference_scale(subject: Subject, comparisons: Sequence[Comparison]) -> Scale:
    """Return a scale that holds the intervals of all comparisons."""
    ends = [
        number
        for c in comparisons
        for number in (
            c.mean_difference,
            c.ci_low,
            c.ci_high,
            c.simultaneous_low,
            c.simultaneous_high,
        )
    ]
    margin = subject.result.equivalence_margin or 0.0
    return scale_over(ends, signed=True, zone=margin, labels=3)


def row(subject: Subject, c: Comparison, scale: Scale, bold: str, under: str) -> ForestRow:
    """Write one comparison out."""
    alpha = subject.result.alpha
    return ForestRow(
        bold=bold,
        under=under,
        glyph=glyph(c, scale),
        estimate=estimate(c.mean_difference, c.ci_low, c.ci_high),
        statistic=statistic(c.statistic, c.df),
        p=p_value(c.p_value, alpha),
        p_adjusted=p_value(c.p_adjusted, alpha),
        d_z=effect(c.d_z),
        counts=f"{count(c.wins)} / {count(c.ties)} / {count(c.losses)}",
        word=FINDING_WORDS[c.finding] + (", within margin" if _inside(c) else ""),
        finding=c.finding.replace(" ", "-"),
        note="" if c.note == c.finding else c.note,
        n=count(c.n),
        mean_a=value(c.mean_a),
        mean_b=value(c.mean_b),
    )


def glyph(c: Comparison, scale: Scale) -> IntervalGlyph | None:
    """Draw one comparison; None where there is no difference to draw."""
    if math.isnan(c.mean_difference):
        return None
    return IntervalGlyph(
        title=difference_in_words(c, visible),
        ink=FINDING_INKS.get(c.finding, FLAT),
        at=scale.percent(c.mean_difference),
        filled=c.finding in SHOWN,
        thick=bar(scale, c.ci_low, c.ci_high),
        thin=bar(scale, c.simultaneous_low, c.simultaneous_high),
    )


def _inside(c: Comparison) -> bool:
    return bool(c.within_margin) and c.finding in SHOWN


def _against(subject: Subject, c: Comparison) -> str:
    role = ROLE_WORDS[subject.strategy(c.a).role]
    return f"vs. {isolated(c.a)}" + (f", {role}" if role else "")
