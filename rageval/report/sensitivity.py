"""What a comparison would have been under other choices, beside the one that was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rageval.data import Comparison, Sensitivity
from rageval.report.forest import Forest, difference_scale, framed, row
from rageval.report.model import Subject
from rageval.report.numbers import count
from rageval.report.sentences import adjusted_by
from rageval.report.text import isolated, visible

MAX_PAIRS = {"html": 12, "pdf": 3}
REPORTED = "As reported"


@dataclass(frozen=True)
class SensitivityTable:
    """One pair under each choice that changes a value, the choice that was made first."""

    caption: str
    note: str
    forest: Forest


@dataclass(frozen=True)
class SensitivityView:
    """Every pair that was looked at."""

    lede: str
    tables: tuple[SensitivityTable, ...]
    omitted: int


def sensitivity_view(subject: Subject) -> SensitivityView | None:
    """Show the choices pair by pair; None where no other choice changes anything."""
    rows = subject.dataset.sensitivity
    if not rows:
        return None
    pairs = dict.fromkeys((s.comparison.a, s.comparison.b) for s in rows)
    shown = list(pairs)[: MAX_PAIRS[subject.target]]
    tables = (_table(subject, [s for s in rows if _pair(s) == pair]) for pair in shown)
    return SensitivityView(_lede(rows), tuple(tables), len(pairs) - len(shown))


def reported(subject: Subject, pair: tuple[str, str]) -> Comparison | None:
    """Return the comparison of the report that stands beside the choices."""
    found = (*subject.planned(subject.primary), *subject.pairs(subject.primary))
    return next((c for c in found if (c.a, c.b) == pair), None)


def _pair(choice: Sensitivity) -> tuple[str, str]:
    return choice.comparison.a, choice.comparison.b


def _lede(rows: Sequence[Sensitivity]) -> str:
    others = sum(not s.same_finding for s in rows)
    if len(rows) == 1:
        verb = "changes" if others else "does not change"
        return f"The one other choice that was possible {verb} the finding."
    verb = "changes" if others == 1 else "change"
    return f"{count(others)} of {count(len(rows))} other choices {verb} the finding."


def _table(subject: Subject, choices: Sequence[Sensitivity]) -> SensitivityTable:
    first = choices[0].comparison
    made = reported(subject, (first.a, first.b))
    named = [(REPORTED, made)] if made else []
    named += [(visible(s.label), s.comparison) for s in choices]
    comparisons = [c for _, c in named]
    scale = difference_scale(subject, comparisons)
    rows = tuple(row(subject, c, scale, label, "") for label, c in named)
    by = adjusted_by(first)
    p = f"p adjusted {by}" if by else "p as tested"
    return SensitivityTable(
        caption=f"{isolated(first.b)} against {isolated(first.a)} under other choices",
        note=f"Difference in mean {subject.primary_label}; {p}.",
        forest=framed(subject, scale, rows, comparisons),
    )
