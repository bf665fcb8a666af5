"""The verdict: one sentence, its numbers, and what to know before acting on it."""

from __future__ import annotations

from dataclasses import dataclass

from rageval.data import Comparison
from rageval.report.cautions import Caution, cautions, failures, urgent
from rageval.report.forest import Forest, difference_scale, forest, framed, row
from rageval.report.model import Subject, subjects
from rageval.report.numbers import confidence, count, estimate, level, mean_interval, queries, value
from rageval.report.section import Section
from rageval.report.sentences import (
    counts_sentence,
    effect_phrase,
    headline,
    movement,
    needed_sentence,
    p_sentence,
)
from rageval.report.text import isolated, plain

MAX_ROWS = 5
MAX_EVIDENCE = 3
LONG_HEADLINE = 130


@dataclass(frozen=True)
class Evidence:
    """The numbers under the headline, in the order in which they are read."""

    before: str
    estimate: str
    p: str
    effect: str
    after: str


@dataclass(frozen=True)
class Verdict:
    """The view of the verdict."""

    headline: str
    long: bool
    evidence: tuple[Evidence, ...]
    summary: str
    """What stands under the headline where nothing is compared."""
    urgent: tuple[Caution, ...]
    forest: Forest | None
    caption: str
    caption_note: str
    cautions: tuple[Caution, ...]
    failures: tuple[str, ...]


def verdict(subject: Subject) -> Verdict:
    """Say what was found, how sure it is, and what could be wrong with it."""
    sentence = headline(subject.result, isolated)
    readings = subjects(subject.result, subject.target)
    rows = _rows(readings)
    return Verdict(
        headline=sentence,
        long=len(plain(sentence)) > LONG_HEADLINE,
        evidence=tuple(
            _evidence(s, s.focus) for s in readings[:MAX_EVIDENCE] if s.focus and s.focus.n
        ),
        summary="" if any(s.focus for s in readings) else _summary(subject),
        urgent=urgent(readings),
        forest=_forest(readings, rows[:MAX_ROWS]) if rows else None,
        caption=_caption(subject),
        caption_note=_caption_note(subject, rows),
        cautions=cautions(readings),
        failures=failures(subject.result),
    )


def _evidence(subject: Subject, c: Comparison) -> Evidence:
    where = f"On {isolated(subject.dataset.name)}: " if subject.several else ""
    return Evidence(
        before=f"{where}{movement(c, subject.primary_label)}: a difference of",
        estimate=estimate(c.mean_difference, c.ci_low, c.ci_high),
        p=p_sentence(c, subject.result.alpha),
        effect=effect_phrase(c),
        after=" ".join(part for part in (counts_sentence(c, isolated), needed_sentence(c)) if part),
    )


def _summary(subject: Subject) -> str:
    name = subject.order()[0]
    mean = subject.mean(subject.primary, name)
    where = f"On {isolated(subject.dataset.name)}: mean" if subject.several else "Mean"
    return (
        f"{where} {subject.primary_label} of {isolated(name)} is {value(mean.value)} "
        f"{mean_interval(mean.low, mean.high)} over {queries(mean.n)}."
    )


def _rows(readings: tuple[Subject, ...]) -> tuple[Comparison, ...]:
    """Return the planned contrasts, or the best strategy against the others, as many as there are.

    With several datasets, the one comparison that the headline is about on each of them.
    """
    subject = readings[0]
    if subject.several:
        return tuple(s.focus for s in readings if s.focus)
    if subject.result.contrasts:
        return subject.planned(subject.primary)
    best = subject.order()[0]
    found = [subject.pair(best, other) for other in subject.order()[1:]]
    return tuple(c for c in found if c)


def _forest(readings: tuple[Subject, ...], rows: tuple[Comparison, ...]) -> Forest:
    subject = readings[0]
    if not subject.several:
        return forest(subject, rows)
    scale = difference_scale(subject, rows)
    compared = [s for s in readings if s.focus]
    made = tuple(
        row(s, c, scale, isolated(s.dataset.name), f"{isolated(c.b)} vs. {isolated(c.a)}")
        for s, c in zip(compared, rows, strict=True)
    )
    return framed(subject, scale, made, rows)


def _caption(subject: Subject) -> str:
    kind = "planned" if subject.result.contrasts else "exploratory"
    if subject.several:
        return f"What the {kind} comparison shows on each dataset"
    return f"What the {kind} comparisons show"


def _caption_note(subject: Subject, rows: tuple[Comparison, ...]) -> str:
    if not rows:
        return ""
    result = subject.result
    parts = [
        f"Mean {subject.primary_label} of {_sides(subject)}, {_queries(rows)}.",
        f"Thick bar: {confidence(result.alpha)} interval.",
    ]
    if len(rows) > MAX_ROWS:
        parts.append(f"The first {MAX_ROWS} of {count(len(rows))}.")
    if rows[0].family_size > 1:
        parts.append(f"Thin bar: adjusted for the family of {rows[0].family_size} comparisons.")
    if result.equivalence_margin is not None:
        parts.append(f"Shaded: the margin of ±{level(result.equivalence_margin)}.")
    return " ".join(parts)


def _sides(subject: Subject) -> str:
    if subject.several:
        return "the first strategy minus the second"
    return "the strategy in bold minus the one below it"


def _queries(rows: tuple[Comparison, ...]) -> str:
    sizes = {c.n for c in rows}
    same = f"same {queries(rows[0].n)}"
    return same if len(sizes) == 1 else "same queries in each row"


SECTION = Section("verdict", "Verdict", verdict, per_dataset=False, numbered=False)
