"""Query by query: how values change, the largest losses and gains, and every query."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rageval.data import Comparison, QueryDetail
from rageval.report.charts import StripGlyph
from rageval.report.drill_down import Drill, drill_anchors, drill_down
from rageval.report.histogram import ChangeChart, change_chart
from rageval.report.model import Subject
from rageval.report.numbers import SAME, confidence, count, difference, value
from rageval.report.query_table import QueryTable, query_table
from rageval.report.section import Section
from rageval.report.sentences import counts_sentence
from rageval.report.strips import attribute_words, strip_of
from rageval.report.text import direction, isolated, visible

LOSSES, GAINS = 8, 5


@dataclass(frozen=True)
class Telling:
    """A query whose value changed much."""

    query_id: str
    anchor: str
    """Of its drill-down; empty where there is none."""
    text: str
    direction: str
    attributes: str
    a: StripGlyph | None
    b: StripGlyph | None
    value_a: str
    value_b: str
    change: str


@dataclass(frozen=True)
class Queries:
    """The view of single queries."""

    lede: str
    a: str
    b: str
    chart: ChangeChart | None
    chart_note: str
    losses: tuple[Telling, ...]
    gains: tuple[Telling, ...]
    stripped: bool
    """Whether any ranking is drawn."""
    table: QueryTable | None
    drills: tuple[Drill, ...]
    drills_note: str
    rest: str
    primary: str


def queries(subject: Subject) -> Queries:
    """Show where the compared strategies part, losses before gains."""
    focus = subject.focus
    losses, gains = _telling(subject, focus) if focus else ((), ())
    html = subject.target == "html"
    drills = drill_down(subject) if html else ()
    return Queries(
        lede=_lede(subject, focus),
        a=focus.a if focus else "",
        b=focus.b if focus else "",
        chart=change_chart(subject.change(focus), focus, subject.primary_label) if focus else None,
        chart_note=_chart_note(subject, focus) if focus else "",
        losses=losses,
        gains=gains,
        stripped=any(row.a or row.b for row in (*losses, *gains)),
        table=query_table(subject) if html else None,
        drills=drills,
        drills_note=_drills_note(subject, len(drills)),
        rest=_rest(subject),
        primary=subject.primary_label,
    )


def _lede(subject: Subject, focus: Comparison | None) -> str:
    if focus is None:
        return "Nothing is compared on single queries."
    if focus.n < 2:
        number = "One query has" if focus.n else "No query has"
        return f"{number} a value for both strategies: there is no spread to show."
    losses = " The largest losses come first." if focus.losses else ""
    return f"On {subject.primary_label}, {counts_sentence(focus, isolated)}{losses}"


def _chart_note(subject: Subject, focus: Comparison) -> str:
    exists = not math.isnan(focus.ci_low)
    interval = f" and its {confidence(subject.result.alpha)} interval" if exists else ""
    return (
        f"{isolated(focus.b)} minus {isolated(focus.a)}, {count(focus.n)} queries. "
        f"The bar above marks the mean{interval}."
    )


def _telling(
    subject: Subject, focus: Comparison
) -> tuple[tuple[Telling, ...], tuple[Telling, ...]]:
    change = subject.change(focus)
    order = np.argsort(change, kind="stable")
    sign = 1 if subject.measure(focus.measure).higher_is_better else -1
    worst = [int(i) for i in order if sign * change[i] < -SAME]
    best = [int(i) for i in order[::-1] if sign * change[i] > SAME]
    details = {d.query_id: d for d in subject.dataset.details}
    return (
        tuple(_row(subject, focus, details, i) for i in worst[:LOSSES]),
        tuple(_row(subject, focus, details, i) for i in best[:GAINS]),
    )


def _row(subject: Subject, focus: Comparison, details: dict[str, QueryDetail], i: int) -> Telling:
    cube, query_id = subject.dataset.measurements, subject.dataset.measurements.query_ids[i]
    before = float(cube.vector(focus.measure, focus.a)[i])
    after = float(cube.vector(focus.measure, focus.b)[i])
    text = subject.dataset.texts.get(query_id, "")
    detail = details.get(query_id)
    return Telling(
        query_id=query_id,
        anchor=drill_anchors(subject).get(query_id, ""),
        text=visible(text),
        direction=direction(text),
        attributes=attribute_words(subject, query_id),
        a=strip_of(subject, detail, focus.a),
        b=strip_of(subject, detail, focus.b),
        value_a=value(before),
        value_b=value(after),
        change=difference(after - before),
    )


def _drills_note(subject: Subject, number: int) -> str:
    which = "change" if subject.result.contrasts else "tell the strategies apart"
    if number < subject.n_queries:
        which = f"{count(number)} of {count(subject.n_queries)} queries, those that {which} most"
    else:
        which = "All queries"
    return f"{which}. Open one to see its documents; bold: relevant."


def _rest(subject: Subject) -> str:
    number = count(subject.n_queries)
    return f"All {number} queries with every value are in per_query.csv, attached to this PDF."


SECTION = Section("queries", "Query by query", queries)
