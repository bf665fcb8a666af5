"""Methods: what the measures are, how strategies were compared, and what the words mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rageval.data import MeasureInfo
from rageval.report.model import Subject
from rageval.report.numbers import confidence, count, level
from rageval.report.section import Section
from rageval.report.sentences import correction_word
from rageval.report.text import isolated, visible
from rageval.stats.corrections import CORRECTIONS
from rageval.stats.paired_tests import find_test


@dataclass(frozen=True)
class Definition:
    """A measure in words."""

    label: str
    note: str
    summary: str
    formula: str
    source: str


@dataclass(frozen=True)
class Methods:
    """The view of the methods."""

    definitions: tuple[Definition, ...]
    paragraphs: tuple[str, ...]
    words: tuple[tuple[str, str], ...]
    compared: bool
    effect: str


def methods(subject: Subject) -> Methods:
    """Explain the measures, the tests and the words of the findings."""
    compared = any(dataset.comparisons for dataset in subject.result.datasets)
    return Methods(
        definitions=tuple(_definition(subject, m) for m in subject.result.measures),
        paragraphs=tuple(_paragraphs(subject, compared)),
        words=_words(subject) if compared else (),
        compared=compared,
        effect=(
            "is the mean difference divided by the standard deviation of the differences; from "
            "0.2 it is called small, from 0.5 medium, from 0.8 large."
        ),
    )


def _definition(subject: Subject, m: MeasureInfo) -> Definition:
    notes = ["primary"] if m.key == subject.primary else []
    if m.key.casefold() != m.label.casefold():
        notes.append(f"written {visible(m.key)} in the configuration")
    return Definition(m.label, ", ".join(notes), m.summary, m.formula, m.source)


def _paragraphs(subject: Subject, compared: bool) -> Iterator[str]:
    result = subject.result
    yield _queries(subject)
    if not compared:
        yield "No two strategies were evaluated on the same dataset, so nothing is compared."
        return
    test = find_test(result.test)
    yield (
        "For every pair, the differences per query (b minus a, where b is the strategy in bold) "
        f"are tested, two-sided, by the {test.label}. {test.summary} Source: {test.source}"
    )
    yield _adjusted(subject)
    yield _families(subject)
    yield (
        f"Thick intervals are {confidence(result.alpha)} intervals for one difference. Thin "
        "intervals use the Bonferroni level for the whole family, so that a claim about any of "
        "its pairs is covered. A thick bar can exclude zero while the adjusted p-value does not "
        "reach α; the finding follows the adjusted p-value. The interval of a mean describes one "
        "strategy alone: whether two differ is told by their difference, not by whether their "
        "intervals overlap."
    )


def _queries(subject: Subject) -> str:
    exclude = subject.result.config.get("no_relevant") == "exclude"
    rule = "are left out for every strategy" if exclude else "count with value 0"
    sizes = [
        count(len(d.measurements.query_ids))
        + (f" on {isolated(d.name)}" if subject.several else "")
        for d in subject.result.datasets
    ]
    return (
        f"Each strategy is evaluated on the same judged queries ({', '.join(sizes)}). A judged "
        "query that a run lacks counts as an empty ranking; queries without a relevant document "
        f"{rule}. Documents are ranked by score, ties by document id in descending order."
    )


def _adjusted(subject: Subject) -> str:
    word = correction_word(subject.result.correction)
    if not word:
        return "p-values are not adjusted for several comparisons."
    correction = CORRECTIONS[subject.result.correction]
    return (
        f"p-values are adjusted by the {word} correction. {correction.summary} Pairs that cannot "
        f"be tested are not counted. Source: {correction.source}."
    )


def _families(subject: Subject) -> str:
    contrasts, primary = subject.result.contrasts, subject.primary_label
    if not contrasts:
        return (
            "No comparison was planned in the configuration, so all pairs are exploratory: they "
            "suggest what to test next, and decide nothing."
        )
    planned = "; ".join(f"{isolated(b)} against {isolated(a)}" for a, b in contrasts)
    return (
        f"Planned comparisons: {planned}. They alone decide the headline, on {primary}. All pairs "
        "are shown as well, adjusted within a family of their own, and are exploratory."
    )


def _words(subject: Subject) -> tuple[tuple[str, str], ...]:
    alpha = level(subject.result.alpha)
    margin = subject.result.equivalence_margin
    inner = confidence(2 * subject.result.alpha)
    rows = [("Better, worse", f"Adjusted p below {alpha}.")]
    if margin is not None:
        rule = f"the {inner} interval lies within ±{level(margin)} (two one-sided tests)"
        rows.append(("Equivalent", f"Not shown to differ, and {rule}."))
    rows += [
        ("Inconclusive", "None of the others. It does not mean that the strategies are equal."),
        ("Identical", "Both have exactly the same value on every query; no test is made."),
        ("Not testable", "Fewer than two queries in common, or differences that do not vary."),
    ]
    return tuple(rows)


SECTION = Section("methods", "Methods", methods, per_dataset=False)
