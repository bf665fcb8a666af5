"""Every pair, every measure: differences with all that a reviewer asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rageval.data import Comparison
from rageval.report.forest import SHOWN, Forest, difference_scale, forest, framed, row
from rageval.report.model import ROLE_WORDS, Subject, measure_chunks
from rageval.report.numbers import count, level, p_value
from rageval.report.second_test import check_sentence
from rageval.report.section import Section
from rageval.report.sentences import adjusted_by, correction_word, detectable_sentence
from rageval.report.text import isolated, listed

MAX_PAIRS = {"html": 45, "pdf": 15}
MAX_CONTRASTS = 6
MAX_MEASURES_PDF = 12
MAX_NAMED = 8
"""Measures that a sentence names."""
MAX_ROWS_MANY_MEASURES = 6
"""Rows of the matrix on paper, where the measures fill several."""


@dataclass(frozen=True)
class Contrast:
    """A planned contrast on every measure."""

    caption: str
    note: str
    forest: Forest
    omitted: int
    """Measures that are not shown."""


@dataclass(frozen=True, slots=True)
class PCell:
    """An adjusted p-value, with the direction and strength of what it shows."""

    arrow: str
    p: str
    strength: str


@dataclass(frozen=True)
class PRow:
    """A pair in the matrix of p-values."""

    b: str
    a: str
    cells: tuple[PCell | None, ...]


@dataclass(frozen=True)
class PMatrix:
    """Pairs by measures, as many measures as fit side by side."""

    labels: tuple[str, ...]
    rows: tuple[PRow, ...]


@dataclass(frozen=True)
class Pairs:
    """The view of all comparisons."""

    lede: str
    contrasts: tuple[Contrast, ...]
    omitted_contrasts: int
    forest: Forest | None
    caption: str
    caption_note: str
    matrices: tuple[PMatrix, ...]
    matrix_note: str
    detectable: str
    p_word: str
    checked: str
    """Where a second test disagrees; empty without one."""


def pairs(subject: Subject) -> Pairs:
    """Show the planned contrasts on every measure, then all pairs, marked as exploratory."""
    every = subject.pairs(subject.primary)
    shown = _shown(subject, every)
    alone = len(every) == 1 and bool(subject.planned(subject.primary))
    contrasts = _contrasts(subject)
    return Pairs(
        lede=_lede(subject, every),
        contrasts=contrasts[:MAX_CONTRASTS],
        omitted_contrasts=max(0, len(contrasts) - MAX_CONTRASTS),
        forest=forest(subject, shown) if shown and not alone else None,
        caption=_caption(subject, shown, every),
        caption_note=_caption_note(subject),
        matrices=() if alone else _matrices(subject, shown),
        matrix_note=_matrix_note(subject, every),
        detectable=detectable_sentence(subject.focus, subject.primary_label)
        if subject.focus
        else "",
        p_word=_p_word(subject),
        checked=check_sentence(subject),
    )


def _shown(subject: Subject, every: tuple[Comparison, ...]) -> tuple[Comparison, ...]:
    limit = MAX_PAIRS[subject.target]
    if len(every) <= limit:
        return every
    ours = [c for c in every if subject.reference in (c.a, c.b)]
    return tuple(ours[:limit])


def _contrasts(subject: Subject) -> tuple[Contrast, ...]:
    made = [
        [c for c in subject.dataset.planned if (c.a, c.b) == pair]
        for pair in subject.result.contrasts
    ]
    return tuple(_contrast(subject, rows) for rows in made if rows)


def _contrast(subject: Subject, every: Sequence[Comparison]) -> Contrast:
    comparisons = sorted(every, key=lambda c: c.measure != subject.primary)
    if subject.target == "pdf":
        comparisons = comparisons[:MAX_MEASURES_PDF]
    scale = difference_scale(subject, comparisons)
    rows = tuple(
        replace(
            row(subject, c, scale, subject.measure(c.measure).label, ""),
            under="primary" if c.measure == subject.primary else "",
        )
        for c in comparisons
    )
    first = comparisons[0]
    role = ROLE_WORDS[subject.strategy(first.a).role]
    against = isolated(first.a) + (f", {role}" if role else "")
    return Contrast(
        caption=f"Planned: {isolated(first.b)} against {against}",
        note=_contrast_note(subject, first),
        forest=framed(subject, scale, rows, comparisons),
        omitted=len(every) - len(comparisons),
    )


def _contrast_note(subject: Subject, first: Comparison) -> str:
    by = adjusted_by(first)
    adjusted = f"p adjusted {by} ({first.family})" if by else "p as tested"
    return (
        f"{isolated(first.b)} minus {isolated(first.a)}, every measure; {adjusted}. "
        "Only the primary measure decides the headline."
    )


def _lede(subject: Subject, every: tuple[Comparison, ...]) -> str:
    if not every:
        return "One strategy: there is no pair to compare."
    differ = sum(c.finding in SHOWN for c in every)
    total = len(every)
    pairs_word = "pair is" if total == 1 else "pairs are"
    first = (
        f"{count(differ)} of {count(total)} {pairs_word} shown to differ on "
        f"{subject.primary_label}."
    )
    return " ".join([first, *_by_finding(subject)])


def _by_finding(subject: Subject) -> list[str]:
    """Say on which measures the first contrast found what."""
    if not subject.result.contrasts or subject.focus is None:
        return []
    a, b = subject.focus.a, subject.focus.b
    rows = [c for c in subject.dataset.planned if (c.a, c.b) == (a, b)]
    words = {c.finding: "" for c in rows}
    parts = [
        f"{word} on {_labels(subject, [c for c in rows if c.finding == word])}" for word in words
    ]
    return [f"{isolated(b)} against {isolated(a)}: {'; '.join(parts)}."]


def _labels(subject: Subject, comparisons: Sequence[Comparison]) -> str:
    labels = [subject.measure(c.measure).label for c in comparisons]
    if len(labels) > MAX_NAMED:
        labels[MAX_NAMED - 1 :] = [f"{count(len(labels) - MAX_NAMED + 1)} more measures"]
    return listed(labels)


def _caption(subject: Subject, shown: tuple[Comparison, ...], every: tuple[Comparison, ...]) -> str:
    total = count(len(every))
    some = f"{count(len(shown))} of {total}" if len(shown) < len(every) else f"All {total}"
    whose = f", those of {isolated(subject.reference)}" if len(shown) < len(every) else ""
    return f"{some} paired comparisons on {subject.primary_label}{whose} (exploratory)"


def _caption_note(subject: Subject) -> str:
    return (
        "Strategy in bold minus the one below it. Filled marker: shown to differ after "
        "adjustment. Hollow marker: not shown to differ. All pairs are in comparisons.csv."
    )


def _matrices(subject: Subject, shown: tuple[Comparison, ...]) -> tuple[PMatrix, ...]:
    keys = subject.dataset.measurements.measures
    chunks = measure_chunks(keys)
    if subject.target == "pdf" and len(chunks) > 1:
        shown = shown[:MAX_ROWS_MANY_MEASURES]
    found = {(c.measure, c.a, c.b): c for c in subject.dataset.comparisons}
    return tuple(
        PMatrix(
            tuple(subject.measure(key).label for key in chunk),
            tuple(
                PRow(c.b, c.a, tuple(_cell(subject, found.get((key, c.a, c.b))) for key in chunk))
                for c in shown
            ),
        )
        for chunk in chunks
        if shown
    )


def _cell(subject: Subject, c: Comparison | None) -> PCell | None:
    if c is None:
        return None
    sign = (c.mean_difference > 0) - (c.mean_difference < 0)
    p = p_value(c.p_adjusted, subject.result.alpha)
    return PCell(("↓", "=", "↑")[sign + 1], p, _strength(c))


def _strength(c: Comparison) -> str:
    if c.finding not in SHOWN:
        return "x"
    depth = 3 if c.p_adjusted < 0.001 else 2 if c.p_adjusted < 0.01 else 1
    return f"{'b' if c.finding == 'better' else 'w'}{depth}"


def _p_word(subject: Subject) -> str:
    """Return what the p-values of all pairs are: `Holm-adjusted p-value`."""
    first = next(iter(subject.dataset.comparisons), None)
    word = correction_word(first.correction) if first else ""
    if word:
        return f"{word}-adjusted p-value"
    return "Adjusted p-value" if first and adjusted_by(first) else "p-value"


def _matrix_note(subject: Subject, every: tuple[Comparison, ...]) -> str:
    family = f"{count(every[0].family_size)} tests ({every[0].family})" if every else "none"
    return (
        "↑ the strategy in bold is higher, ↓ it is lower. Stronger colour: smaller p. Plain "
        f"cells: not shown to differ at α = {level(subject.result.alpha)}. "
        f"Family on {subject.primary_label}: {family}."
    )


SECTION = Section("pairs", "Every pair, every measure", pairs)
