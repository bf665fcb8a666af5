"""What a reader should know before acting on the result, each computed from the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rageval.data import Comparison, EvaluationResult, Finding, StrategySummary
from rageval.report.model import Subject, heading_id
from rageval.report.numbers import SAME, count, estimate, p_value, share, value
from rageval.report.repeats import spread_of
from rageval.report.second_test import check_name, disagrees
from rageval.report.sentences import not_equal_sentence, slice_sentence
from rageval.report.text import isolated, visible, visible_lines
from rageval.stats.paired_tests import find_test

MAX_CAUTIONS = 4
FEW_QUERIES = 10
UNJUDGED_GAP = 0.05
"""Strategies whose unjudged shares differ by more than this are not judged alike."""


@dataclass(frozen=True, slots=True)
class Caution:
    """A sentence and where to read more."""

    text: str
    anchor: str
    link: str


def cautions(readings: Sequence[Subject]) -> tuple[Caution, ...]:
    """Return the cautions that matter most, at most four."""
    found = [
        replace(c, text=f"{isolated(s.dataset.name)}: {c.text}") if s.several else c
        for s in readings
        for c in _cautions(s)
    ]
    return tuple(found[:MAX_CAUTIONS])


def urgent(readings: Sequence[Subject]) -> tuple[Caution, ...]:
    """Return what makes the numbers doubtful at all: data checks of high severity."""
    return tuple(
        Caution(
            _finding_sentence(subject, finding), heading_id(subject, "quality"), "See data quality"
        )
        for subject in readings
        for finding in subject.dataset.findings
        if finding.severity == "high"
    )


def failures(result: EvaluationResult) -> tuple[str, ...]:
    """Say which strategies could not be evaluated, and why."""
    several = len(result.datasets) > 1
    return tuple(
        isolated(f.strategy)
        + (f" on {isolated(f.dataset)}" if several else "")
        + f": {visible_lines(f.message)}"
        for f in result.failures
    )


def _cautions(subject: Subject) -> Iterator[Caution]:
    focus = subject.focus
    if focus is None:
        return
    yield from _slices(subject, focus)
    yield from _few(focus)
    yield from _choices(subject, focus)
    yield from _unjudged(subject, focus)
    if not subject.dataset.sensitivity:
        yield from _ties(subject, focus)
    yield from _runs(subject, focus)
    yield from _check(subject, focus)
    yield from _interval_and_p(subject, focus)
    yield from _open(subject)


def _slices(subject: Subject, focus: Comparison) -> Iterator[Caution]:
    margin = subject.result.equivalence_margin or 0.0
    pair = (focus.a, focus.b)
    ours = [s for s in subject.dataset.slices if (s.comparison.a, s.comparison.b) == pair]
    losing = [s for s in ours if s.comparison.mean_difference < -max(margin, SAME)]
    shown = [s for s in losing if s.comparison.finding == "worse"]
    doubtful = [s for s in losing if s.comparison.finding == "inconclusive"]
    doubtful.sort(key=lambda s: s.comparison.mean_difference)
    for row in (*shown[:2], *(() if shown else doubtful[:1])):
        label = f"{visible(row.attribute)} {visible(row.value)}"
        text = slice_sentence(label, row.comparison, isolated)
        yield Caution(text, heading_id(subject, "slices"), "See results by query type")


def _few(focus: Comparison) -> Iterator[Caution]:
    if 2 <= focus.n < FEW_QUERIES:
        text = f"Only {focus.n} queries: the interval leans on the assumption of a normal spread."
        yield Caution(text, "methods", "See methods")


def _choices(subject: Subject, focus: Comparison) -> Iterator[Caution]:
    """Warn of the first choice that would have led to another finding."""
    ours = [
        s for s in subject.dataset.sensitivity if (s.comparison.a, s.comparison.b) == _ab(focus)
    ]
    other = [s for s in ours if not s.same_finding]
    if other:
        c = other[0].comparison
        text = (
            f"The finding hangs on a choice. {isolated(other[0].label)}: {c.finding}, "
            f"{estimate(c.mean_difference, c.ci_low, c.ci_high)}."
        )
        yield Caution(text, heading_id(subject, "quality"), "See data quality")


def _ab(comparison: Comparison) -> tuple[str, str]:
    return comparison.a, comparison.b


def _runs(subject: Subject, focus: Comparison) -> Iterator[Caution]:
    for name in (focus.b, focus.a):
        spread = spread_of(subject, name)
        if spread is not None and spread.high - spread.low > abs(focus.mean_difference):
            text = (
                f"Single runs of {isolated(name)} lie further apart, {value(spread.low)} to "
                f"{value(spread.high)}, than the two strategies do."
            )
            yield Caution(text, heading_id(subject, "scores"), "See scores")


def _unjudged(subject: Subject, focus: Comparison) -> Iterator[Caution]:
    a, b = _summary(subject, focus.a), _summary(subject, focus.b)
    if a is None or b is None or not abs(a.unjudged_share - b.unjudged_share) > UNJUDGED_GAP:
        return
    more, less = (b, a) if b.unjudged_share > a.unjudged_share else (a, b)
    text = (
        f"{share(more.unjudged_share)} of the documents that {isolated(more.strategy)} returns "
        f"down to rank {more.cutoff} were never judged, against {share(less.unjudged_share)} for "
        f"{isolated(less.strategy)}. Its values are probably too low."
    )
    yield Caution(text, heading_id(subject, "quality"), "See data quality")


def _ties(subject: Subject, focus: Comparison) -> Iterator[Caution]:
    for name in (focus.b, focus.a):
        row = _summary(subject, name)
        if row is None or not row.tie_high - row.tie_low > abs(focus.mean_difference) / 2 + SAME:
            continue
        text = (
            f"The order of documents with equal scores alone could put {isolated(name)} anywhere "
            f"from {value(row.tie_low)} to {value(row.tie_high)}."
        )
        yield Caution(text, heading_id(subject, "quality"), "See data quality")


def _check(subject: Subject, focus: Comparison) -> Iterator[Caution]:
    alpha = subject.result.alpha
    if focus.p_check is not None and disagrees(focus, alpha):
        text = (
            f"Two tests disagree: unadjusted p is {p_value(focus.p_value, alpha)} by the "
            f"{find_test(focus.test).label} and {p_value(focus.p_check, alpha)} by the "
            f"{check_name(subject) or 'check'}."
        )
        yield Caution(text, heading_id(subject, "pairs"), "See every pair")


def _interval_and_p(subject: Subject, focus: Comparison) -> Iterator[Caution]:
    clear = focus.ci_low > 0 or focus.ci_high < 0
    if clear and focus.finding == "inconclusive":
        text = (
            "The interval of this one comparison excludes zero, but the p-value adjusted for all "
            f"{focus.family_size} comparisons does not reach {subject.result.alpha:g}; the finding "
            "follows the adjusted p-value."
        )
        yield Caution(text, "methods", "See methods")


def _open(subject: Subject) -> Iterator[Caution]:
    rows = subject.planned(subject.primary) or subject.pairs(subject.primary)
    found = next((c for c in rows if c.finding == "inconclusive"), None)
    if found is not None:
        text = not_equal_sentence(found, isolated)
        yield Caution(text, heading_id(subject, "pairs"), "See every pair")


def _summary(subject: Subject, name: str) -> StrategySummary | None:
    return next((s for s in subject.dataset.strategies if s.strategy == name), None)


def _finding_sentence(subject: Subject, finding: Finding) -> str:
    total = f" of {count(finding.total)}" if finding.total is not None else ""
    who = f" ({isolated(finding.strategy)})" if finding.strategy else ""
    where = f"{isolated(subject.dataset.name)}: " if subject.several else ""
    what = f"{where}{visible(finding.what)}{who}: {count(finding.count)}{total}"
    return f"{what}. {visible(finding.effect)}"
