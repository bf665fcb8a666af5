"""Data quality: every check with what was done and what it could change."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from rageval.data import DatasetResult, Finding, StrategySummary
from rageval.data.finding import SEVERITIES
from rageval.report.charts import NOT_RELEVANT, UNJUDGED, StackedGlyph, stacked
from rageval.report.model import Subject
from rageval.report.numbers import count, share, value
from rageval.report.section import Section
from rageval.report.sensitivity import SensitivityView, sensitivity_view
from rageval.report.text import listed, visible

MAX_ROWS_PDF = 40
MAX_STRATEGIES_PDF = 12
SEVERITY_WORDS = {"high": "High", "medium": "Medium", "low": "Low", "passed": "Passed"}


@dataclass(frozen=True)
class Check:
    """A check of the data as it is shown."""

    severity: str
    severity_word: str
    what: str
    strategy: str
    count: str
    effect: str
    examples: tuple[str, ...]


@dataclass(frozen=True)
class JudgedRow:
    """What a strategy's first ranks consist of."""

    name: str
    glyph: StackedGlyph
    relevant: str
    not_relevant: str
    unjudged: str


@dataclass(frozen=True)
class DepthRow:
    """How deep a strategy's rankings reach, and what the order of ties could change."""

    name: str
    queries: str
    depth: str
    tied: str
    span: str


@dataclass(frozen=True)
class Quality:
    """The view of the data's quality."""

    lede: str
    checks: tuple[Check, ...]
    omitted: int
    judged: tuple[JudgedRow, ...]
    depths: tuple[DepthRow, ...]
    strategies_omitted: int
    cutoff: int
    sensitivity: SensitivityView | None
    n_queries: str
    n_judgments: str
    n_relevant: str
    primary: str


def quality(subject: Subject) -> Quality:
    """Show what was checked, and what the first ranks consist of."""
    dataset = subject.dataset
    shown = dataset.findings[:MAX_ROWS_PDF] if subject.target == "pdf" else dataset.findings
    summaries = _summaries(subject)
    return Quality(
        lede=_lede(dataset),
        checks=tuple(_check(finding) for finding in shown),
        omitted=len(dataset.findings) - len(shown),
        judged=tuple(_judged(subject, summary) for summary in summaries),
        depths=tuple(_depth(subject, summary) for summary in summaries),
        strategies_omitted=len(dataset.strategies) - len(summaries),
        cutoff=dataset.strategies[0].cutoff if dataset.strategies else 0,
        sensitivity=sensitivity_view(subject),
        n_queries=count(subject.n_queries),
        n_judgments=count(dataset.n_judgments),
        n_relevant=count(dataset.n_relevant),
        primary=subject.primary_label,
    )


def _summaries(subject: Subject) -> tuple[StrategySummary, ...]:
    every = subject.dataset.strategies
    if subject.target == "html":
        return every
    shown = subject.foremost(MAX_STRATEGIES_PDF)
    return tuple(summary for summary in every if summary.strategy in shown)


def severity_summary(dataset: DatasetResult) -> str:
    """Count findings by severity: `1 high, 2 medium`."""
    tally = Counter(finding.severity for finding in dataset.findings)
    parts = [f"{tally[s]} {s}" for s in SEVERITIES if tally[s] and s != "passed"]
    if parts:
        return ", ".join(parts)
    return "all passed" if dataset.findings else "none made"


def _lede(dataset: DatasetResult) -> str:
    tally = Counter(finding.severity for finding in dataset.findings)
    parts = [f"{tally[s]} of {s} severity" for s in SEVERITIES if tally[s] and s != "passed"]
    total = count(len(dataset.findings))
    if not dataset.findings:
        return "No check was made."
    if not parts:
        return f"All {total} checks passed."
    return f"{listed(parts)} among {total} checks; what each can change is stated below."


def _check(finding: Finding) -> Check:
    total = f" of {count(finding.total)}" if finding.total is not None else ""
    return Check(
        severity=finding.severity,
        severity_word=SEVERITY_WORDS[finding.severity],
        what=visible(finding.what),
        strategy=finding.strategy,
        count=f"{count(finding.count)}{total}",
        effect=visible(finding.effect),
        examples=tuple(finding.examples),
    )


def _judged(subject: Subject, row: StrategySummary) -> JudgedRow:
    relevant, others = share(row.relevant_share), share(row.not_relevant_share)
    unjudged = share(row.unjudged_share)
    title = (
        f"{visible(row.strategy)}: {relevant} relevant, {others} not relevant, {unjudged} unjudged"
    )
    parts = (
        (row.relevant_share, subject.ink(row.strategy)),
        (row.not_relevant_share, NOT_RELEVANT),
        (row.unjudged_share, UNJUDGED),
    )
    return JudgedRow(row.strategy, stacked(title, parts), relevant, others, unjudged)


def _depth(subject: Subject, row: StrategySummary) -> DepthRow:
    mean = subject.mean(subject.primary, row.strategy).value
    low, high = value(row.tie_low), value(row.tie_high)
    span = f"{low} to {high}" if low != high else f"{low}, moved by <0.001"
    return DepthRow(
        name=row.strategy,
        queries=f"{count(row.queries_in_run)} of {count(subject.n_queries)}",
        depth=_depths(row),
        tied=count(row.tied_queries),
        span=span if row.tie_low != row.tie_high else f"{value(mean)} in any order",
    )


def _depths(row: StrategySummary) -> str:
    if row.min_retrieved == row.max_retrieved:
        return count(row.min_retrieved)
    middle = f"{row.median_retrieved:,.10g}"
    return f"{count(row.min_retrieved)} to {count(row.max_retrieved)}, median {middle}"


SECTION = Section("quality", "Data quality", quality)
