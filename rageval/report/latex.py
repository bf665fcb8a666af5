"""The result as LaTeX tables in the style of booktabs: means, and the planned contrasts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rageval.data import Comparison, EvaluationResult
from rageval.report.latex_text import PREAMBLE, tex
from rageval.report.model import Subject, subjects
from rageval.report.numbers import (
    SAME,
    confidence,
    effect,
    estimate,
    level,
    p_value,
    value,
)
from rageval.report.sentences import FINDING_WORDS, adjusted_by
from rageval.report.text import listed, visible
from rageval.stats.paired_tests import find_test

ROWS_PER_TABLE = 40
"""More would run off the page; they stand in a further table."""

MEASURES_PER_TABLE = 5
"""More would run over the edge of a page."""

_MARKS = {"better": "↑", "worse": "↓", "equivalent": "≈"}
_TURNED = {"better": "worse", "worse": "better"}


@dataclass(frozen=True)
class _Table:
    """A table before it is written; every text in it is LaTeX already."""

    caption: str
    columns: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    label: str = ""


def latex_tables(result: EvaluationResult) -> str:
    r"""Write tables of means and of planned contrasts, to be read by `\input`.

    The document needs the package booktabs, and nothing else. Every best mean is bold; marks say
    what the comparison with the reference found: strategy a of the first planned contrast, else
    the baseline or what is in production, else the first.
    """
    tables = (table for subject in subjects(result, "html") for table in _tables(subject))
    opening = (
        f"% {visible(result.title or result.name)}, run {visible(result.provenance.run_id)}",
        r"% The document needs \usepackage{booktabs}.",
        PREAMBLE,
    )
    text = "\n\n".join(("\n".join(opening), *(_written(table) for table in tables)))
    return text.encode("utf-8", "backslashreplace").decode() + "\n"


def _tables(subject: Subject) -> Iterator[_Table]:
    if not subject.names:
        return
    for kind, tables in (("means", _means(subject)), ("contrasts", _planned(subject))):
        for i, table in enumerate(_split(tables)):
            yield replace(table, label=_label(subject, f"{kind}-{i + 1}" if i else kind))


def _split(tables: Iterable[_Table]) -> Iterator[_Table]:
    """Yield tables of no more rows than a page holds."""
    for table in tables:
        for start in range(0, len(table.rows), ROWS_PER_TABLE):
            caption = f"{table.caption} (Continued.)" if start else table.caption
            rows = table.rows[start : start + ROWS_PER_TABLE]
            yield replace(table, rows=rows, caption=caption)


def _written(table: _Table) -> str:
    lines = (f"    {' & '.join(row)} \\\\" for row in table.rows)
    return "\n".join(
        (
            r"\begin{table}",
            r"  \centering",
            f"  \\caption{{{table.caption}}}",
            f"  \\label{{{table.label}}}",
            f"  \\begin{{tabular}}{{{table.columns}}}",
            r"    \toprule",
            f"    {' & '.join(table.header)} \\\\",
            r"    \midrule",
            *lines,
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
        )
    )


def _label(subject: Subject, what: str) -> str:
    place = subject.result.datasets.index(subject.dataset) + 1
    dataset = f"-{place}" if subject.several else ""
    name = re.sub(r"[^A-Za-z0-9.-]", "-", subject.result.name)
    return f"tab:{name}{dataset}-{what}"


# --- means


def _means(subject: Subject) -> Iterator[_Table]:
    """Yield tables of a few measures each, the best strategy first."""
    reference = _reference(subject)
    for keys in _chunks(subject):
        header = ["Strategy", *(tex(subject.measure(key).label) for key in keys)]
        rows = [
            [tex(name), *(_mean(subject, key, name, reference) for key in keys)]
            for name in subject.order()
        ]
        caption = _means_caption(subject, keys, reference)
        yield _Table(caption, "l" + "r" * len(keys), header, rows)


def _chunks(subject: Subject) -> Iterator[list[str]]:
    """Yield the measures of each table, nearly equal in number."""
    keys = [measure.key for measure in subject.result.measures]
    width = math.ceil(len(keys) / math.ceil(len(keys) / MEASURES_PER_TABLE))
    yield from (keys[start : start + width] for start in range(0, len(keys), width))


def _reference(subject: Subject) -> str:
    """Return the strategy that the marks speak of; empty where it could not be evaluated."""
    strategies = subject.result.strategies
    named = [a for a, _ in subject.result.contrasts[:1]]
    named += [s.name for role in ("baseline", "production") for s in strategies if s.role == role]
    first = [*named, strategies[0].name][0]
    return first if first in subject.names and len(subject.names) > 1 else ""


def _mean(subject: Subject, key: str, name: str, reference: str) -> str:
    mean = subject.mean(key, name)
    text = tex(value(mean.value))
    best = subject.mean(key, subject.order(key)[0]).value if len(subject.names) > 1 else math.nan
    if abs(mean.value - best) <= SAME:
        text = f"\\textbf{{{text}}}"
    if mean.n != subject.n_queries:
        text += f" ($n = {mean.n}$)"
    mark = _mark(subject, key, name, reference)
    return f"{text}\\rlap{{$^{{{mark}}}$}}" if mark else text


def _mark(subject: Subject, key: str, name: str, reference: str) -> str:
    comparison = _against(subject, key, name, reference)
    if comparison is None:
        return ""
    finding = comparison.finding
    seen = finding if comparison.a == reference else _TURNED.get(finding, finding)
    return tex(_MARKS.get(seen, "")).strip("$")


def _against(subject: Subject, key: str, name: str, reference: str) -> Comparison | None:
    """Return the comparison of a strategy with the reference, the planned one if there is one."""
    if not reference or name == reference:
        return None
    planned = (c for c in subject.planned(key) if {c.a, c.b} == {name, reference})
    return next(planned, None) or subject.pair(reference, name, key)


def _means_caption(subject: Subject, keys: Sequence[str], reference: str) -> str:
    where = f" on {tex(subject.dataset.name)}" if subject.several else ""
    parts = [f"Means{where} over $n = {subject.n_queries}$ queries."]
    if len(subject.names) > 1:
        parts.append("The best of each measure is bold.")
    parts += [*_marks_sentence(subject, keys, reference), *_failures(subject)]
    return " ".join(parts)


def _marks_sentence(subject: Subject, keys: Sequence[str], reference: str) -> Iterator[str]:
    made = [_against(subject, key, name, reference) for key in keys for name in subject.names]
    found = [comparison for comparison in made if comparison is not None]
    if not found:
        return
    margin = subject.result.equivalence_margin
    words = r"$\uparrow$, $\downarrow$: better, worse than " + tex(reference)
    if margin is not None:
        words += rf"; $\approx$: equivalent within $\pm{level(margin)}$"
    planned = [c for c in found if c in subject.dataset.planned]
    others = [c for c in found if c not in subject.dataset.planned]
    tests = [_test(subject)]
    tests += [f"planned contrasts: {_adjusted(planned)}"] if planned else []
    tests += [f"other pairs, exploratory: {_adjusted(others)}"] if others else []
    yield f"{words} ({'; '.join(tests)})."


def _test(subject: Subject) -> str:
    result = subject.result
    return rf"{tex(find_test(result.test).label)}, $\alpha = {level(result.alpha)}$"


def _adjusted(comparisons: Sequence[Comparison]) -> str:
    """Say how the p-values of comparisons were adjusted, and over how many."""
    by = adjusted_by(max(comparisons, key=lambda c: c.family_size))
    if len({c.family_size for c in comparisons}) > 1:  # some could not be tested
        by = by.replace(" over ", " over up to ", 1)
    return f"$p$ adjusted {tex(by)}" if by else "$p$ not adjusted"


def _failures(subject: Subject) -> Iterator[str]:
    failed = [f.strategy for f in subject.result.failures if f.dataset == subject.dataset.name]
    if failed:
        yield f"Not evaluated: {listed([tex(name) for name in failed])}."


# --- planned contrasts


def _planned(subject: Subject) -> Iterator[_Table]:
    """Yield tables of a row per contrast and measure; a contrast is not torn apart."""
    planned = sorted(subject.dataset.planned, key=lambda c: c.measure != subject.primary)
    pairs = list(dict.fromkeys((c.a, c.b) for c in planned))
    together = max(1, ROWS_PER_TABLE // (len(subject.result.measures) + 1))
    for start in range(0, len(pairs), together):
        shown = pairs[start : start + together]
        rows = [row for pair in shown for row in _contrast(subject, planned, pair)]
        yield _Table(_planned_caption(subject, planned), "lrrrrl", _CONTRAST, rows)


_CONTRAST = ("Measure", "Difference", "$p$", r"adj.\ $p$", "$d_z$", "Finding")


def _contrast(
    subject: Subject, planned: Sequence[Comparison], pair: tuple[str, str]
) -> Iterator[list[str]]:
    a, b = pair
    yield [f"\\multicolumn{{{len(_CONTRAST)}}}{{l}}{{{tex(b)} against {tex(a)}}}"]
    for comparison in planned:
        if (comparison.a, comparison.b) == pair:
            yield _row(subject, comparison)


def _row(subject: Subject, c: Comparison) -> list[str]:
    alpha = subject.result.alpha
    return [
        rf"\quad {tex(subject.measure(c.measure).label)}",
        tex(estimate(c.mean_difference, c.ci_low, c.ci_high)),
        tex(p_value(c.p_value, alpha)),
        tex(p_value(c.p_adjusted, alpha)),
        tex(effect(c.d_z)),
        tex(FINDING_WORDS[c.finding]),
    ]


def _planned_caption(subject: Subject, planned: Sequence[Comparison]) -> str:
    where = f" on {tex(subject.dataset.name)}" if subject.several else ""
    low, high = min(c.n for c in planned), max(c.n for c in planned)
    n = f"$n = {high}$" if low == high else f"$n = {low}$ to ${high}$"
    interval = tex(confidence(subject.result.alpha))
    return (
        f"Planned contrasts{where}, {n} queries: difference of means, the first minus the second, "
        f"with its {interval} interval ({_test(subject)}; {_adjusted(planned)}). "
        f"{tex(subject.primary_label)} decides."
    )
