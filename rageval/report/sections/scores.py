"""Scores by strategy: means with their intervals, and who is not shown to differ."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rageval.report.charts import Bar, Ink, Scale, bar, scale_over
from rageval.report.forest import SHOWN
from rageval.report.groups import cliques, letters, letters_note
from rageval.report.ladder import Ladder, ladder
from rageval.report.model import MEASURES_PER_TABLE, ROLE_WORDS, Mean, Subject, measure_chunks
from rageval.report.numbers import confidence, count, level, mean_interval, value
from rageval.report.repeats import SpreadTable, spread_tables
from rageval.report.section import Section
from rageval.report.sentences import adjusted_by
from rageval.report.text import isolated, listed, visible

MAX_LADDER = 8
MAX_ROWS_PDF = 20
MAX_ROWS_MANY_MEASURES = 8
"""On paper, where the measures fill several tables."""


@dataclass(frozen=True, slots=True)
class MeanGlyph:
    """A mean on the table's scale."""

    title: str
    ink: Ink
    at: str
    bar: Bar | None


@dataclass(frozen=True)
class ScoreRow:
    """A strategy and its mean of the primary measure."""

    name: str
    note: str
    glyph: MeanGlyph | None
    mean: str
    interval: str
    n: str
    letters: str
    best: bool


@dataclass(frozen=True, slots=True)
class MeanCell:
    """A mean of one measure in the table of all measures."""

    mean: str
    letters: str
    below: str
    """Half-width of the interval, or why there is none; the n where it is another."""
    best: bool


@dataclass(frozen=True)
class MeasureTable:
    """Some of the measures, as many as fit side by side."""

    labels: tuple[str, ...]
    rows: tuple[tuple[str, tuple[MeanCell, ...]], ...]


@dataclass(frozen=True)
class Scores:
    """The view of the scores."""

    lede: str
    caption: str
    caption_note: str
    scale: Scale
    rows: tuple[ScoreRow, ...]
    omitted: int
    shared: str
    """Why compared strategies share a letter though their planned comparison shows a difference."""
    tables: tuple[MeasureTable, ...]
    tables_note: str
    tables_omitted: int
    ladder: Ladder | None
    repeats: tuple[SpreadTable, ...]
    lettered: bool
    primary: str


def scores(subject: Subject) -> Scores:
    """Show every strategy's means, best first."""
    shown = subject.foremost(MAX_ROWS_PDF) if subject.target == "pdf" else subject.order()
    scale = _scale(subject, shown)
    given = letters(subject, subject.primary)
    tables = _tables(subject, shown)
    return Scores(
        lede=_lede(subject),
        caption=f"Mean {subject.primary_label} with {confidence(subject.result.alpha)} interval",
        caption_note=_note(subject),
        scale=scale,
        rows=tuple(_row(subject, name, scale, given[name]) for name in shown),
        omitted=len(subject.names) - len(shown),
        shared=_shared(subject, given),
        tables=tables,
        tables_note=_tables_note(subject),
        tables_omitted=len(subject.names) - len(tables[0].rows),
        ladder=_ladder(subject),
        repeats=spread_tables(subject),
        lettered=any(given.values()),
        primary=subject.primary_label,
    )


def _scale(subject: Subject, names: tuple[str, ...]) -> Scale:
    means = [subject.mean(subject.primary, name) for name in names]
    return scale_over([n for m in means for n in (m.value, m.low, m.high)], signed=False, labels=4)


def _row(subject: Subject, name: str, scale: Scale, given: str) -> ScoreRow:
    mean, strategy = subject.mean(subject.primary, name), subject.strategy(name)
    notes = [ROLE_WORDS[strategy.role], visible(strategy.description)]
    return ScoreRow(
        name=name,
        note=": ".join(note for note in notes if note),
        glyph=_glyph(subject, name, mean, scale),
        mean=value(mean.value),
        interval=mean_interval(mean.low, mean.high),
        n=count(mean.n),
        letters=given,
        best=name in subject.best(),
    )


def _glyph(subject: Subject, name: str, mean: Mean, scale: Scale) -> MeanGlyph | None:
    if math.isnan(mean.value):
        return None
    title = f"{visible(name)}: mean {value(mean.value)}, {mean_interval(mean.low, mean.high)}"
    return MeanGlyph(
        title, subject.ink(name), scale.percent(mean.value), bar(scale, mean.low, mean.high)
    )


def _shared(subject: Subject, given: dict[str, str]) -> str:
    focus = subject.focus if subject.result.contrasts else None
    every = subject.pair(focus.a, focus.b) if focus else None
    if focus is None or every is None or focus.finding not in SHOWN:
        return ""
    if every.finding in SHOWN or not (given[focus.a] and given[focus.b]):
        return ""
    return (
        f"{isolated(focus.b)} and {isolated(focus.a)} are shown to differ by the planned "
        f"comparison, a family of {count(focus.family_size)}; the letters come from all "
        f"{count(every.family_size)} pairs adjusted together, which asks for stronger evidence."
    )


def _tables(subject: Subject, names: tuple[str, ...]) -> tuple[MeasureTable, ...]:
    keys = subject.dataset.measurements.measures
    if subject.target == "pdf" and len(keys) > MEASURES_PER_TABLE:
        names = subject.foremost(MAX_ROWS_MANY_MEASURES)
    return tuple(_table(subject, names, chunk) for chunk in measure_chunks(keys))


def _table(subject: Subject, names: tuple[str, ...], keys: tuple[str, ...]) -> MeasureTable:
    given = {key: letters(subject, key) for key in keys}
    best = {key: subject.best(key) for key in keys}
    return MeasureTable(
        tuple(subject.measure(key).label for key in keys),
        tuple(
            (
                name,
                tuple(
                    _cell(subject, subject.mean(key, name), given[key][name], name in best[key])
                    for key in keys
                ),
            )
            for name in names
        ),
    )


def _cell(subject: Subject, mean: Mean, given: str, best: bool) -> MeanCell:
    below = "no interval" if math.isnan(mean.low) else f"±{value((mean.high - mean.low) / 2)}"
    if mean.n < 2:
        below = f"no interval, n = {mean.n}"
    elif mean.n != subject.n_queries:
        below += f", n = {count(mean.n)}"
    return MeanCell(value(mean.value), given, below, best)


def _lede(subject: Subject) -> str:
    best = subject.best()
    if len(subject.names) == 1:
        return f"One strategy: {isolated(best[0])}."
    names = listed([isolated(n) for n in best])
    verb = "has" if len(best) == 1 else "share"
    others = [key for key in subject.dataset.measurements.measures if key != subject.primary]
    lead = [key for key in others if set(best) <= set(subject.best(key))]
    if len(lead) == len(others):
        return f"{names} {verb} the highest mean on every measure."
    rest = f"and on {count(len(lead))} of {count(len(others))} other measures" if lead else ""
    where = rest or "but on no other measure"
    return f"{names} {verb} the highest mean {subject.primary_label}, {where}."


def _note(subject: Subject) -> str:
    if len(subject.names) < 2:
        return ""
    first = next(iter(subject.pairs(subject.primary)), None)
    by = adjusted_by(first) if first else ""
    adjusted = f"adjusted {by}" if by else "not adjusted"
    alpha = level(subject.result.alpha)
    return f"{letters_note(subject)} All pairs, {adjusted}, α = {alpha}; exploratory."


def _tables_note(subject: Subject) -> str:
    n = count(subject.n_queries)
    return (
        f"n = {n} unless noted. Below each mean: half the width of its "
        f"{confidence(subject.result.alpha)} interval. Bold: best mean, all that are equal."
    )


def _ladder(subject: Subject) -> Ladder | None:
    order = tuple(reversed(subject.order()))
    means = [(n, subject.mean(subject.primary, n).value) for n in order]
    if not 2 <= len(order) <= MAX_LADDER or any(math.isnan(mean) for _, mean in means):
        return None
    means.sort(key=lambda item: item[1])
    groups = cliques(subject, subject.primary)
    return ladder(means, groups, subject.series, subject.primary_label)


SECTION = Section("scores", "Scores by strategy", scores)
