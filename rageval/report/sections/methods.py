"""Methods: what the measures are, how strategies were compared, and what the words mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rageval.data import MeasureInfo
from rageval.report.model import Subject
from rageval.report.numbers import confidence, count, level
from rageval.report.second_test import check_name
from rageval.report.section import Section
from rageval.report.sentences import correction_word
from rageval.report.text import isolated, visible
from rageval.stats.corrections import CORRECTIONS
from rageval.stats.paired_tests import find_test
from rageval.stats.paired_values import PairedTest


@dataclass(frozen=True)
class Definition:
    """A measure in words."""

    labels: str
    """The measure at each of its cutoffs."""
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
        definitions=tuple(_definition(subject, group) for group in _alike(subject)),
        paragraphs=tuple(_paragraphs(subject, compared)),
        words=_words(subject) if compared else (),
        compared=compared,
        effect=(
            "is the mean difference divided by the standard deviation of the differences; from "
            "0.2 it is called small, from 0.5 medium, from 0.8 large."
        ),
    )


def _alike(subject: Subject) -> list[list[MeasureInfo]]:
    """Gather measures that differ in their cutoff alone, in the order of the configuration."""
    found: dict[tuple[str, str], list[MeasureInfo]] = {}
    for measure in subject.result.measures:
        found.setdefault((measure.label.rsplit("@", 1)[0], measure.formula), []).append(measure)
    return list(found.values())


def _definition(subject: Subject, group: list[MeasureInfo]) -> Definition:
    others = " The others: the same at their own cutoff." if len(group) > 1 else ""
    return Definition(
        ", ".join(_labelled(subject, m) for m in group),
        group[0].summary + others,
        group[0].formula,
        group[0].source,
    )


def _labelled(subject: Subject, m: MeasureInfo) -> str:
    notes = ["primary"] if m.key == subject.primary else []
    if m.key.casefold() != m.label.casefold():
        notes.append(f"written {visible(m.key)} in the configuration")
    return f"{m.label} ({', '.join(notes)})" if notes else m.label


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
    yield _adjusted(subject, test)
    yield _families(subject)
    if check_name(subject):
        yield (
            f"As a check, every pair is also tested by the {check_name(subject)}. Findings do not "
            "follow it; the report says where the two disagree."
        )
    yield _intervals(subject, test)


def _intervals(subject: Subject, test: PairedTest) -> str:
    adjusted = test.all_strategies or bool(correction_word(subject.result.correction))
    p = "the adjusted p-value" if adjusted else "the p-value"
    reach = f" A thick bar can exclude zero while {p} does not reach α." if adjusted else ""
    return (
        f"Thick intervals are {confidence(subject.result.alpha)} intervals for one difference "
        f"({test.interval}). Thin intervals use the Bonferroni level for the whole family "
        "(Student's t), so that a claim about any of its pairs is covered."
        f"{reach} The finding follows {p}. The interval of a mean describes one strategy alone: "
        "whether two differ is told by their difference, not by whether their intervals overlap."
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
        f"{rule}. Documents are ranked by score, ties by document id in descending order; a list "
        "without scores keeps its order."
    )


def _adjusted(subject: Subject, test: PairedTest) -> str:
    whole = _whole_family(subject)
    if test.all_strategies:
        further = ", and are multiplied by the number of measures" if whole else ""
        return (
            "Its p-values already hold over all pairs of strategies on a measure, so that no "
            f"correction is added{further}."
        )
    word = correction_word(subject.result.correction)
    if not word:
        return "p-values are not adjusted for several comparisons."
    correction = CORRECTIONS[subject.result.correction]
    family = "all measures together are one family" if whole else "each measure is a family"
    return (
        f"p-values are adjusted by the {word} correction; {family}. {correction.summary} Pairs "
        f"that cannot be tested are not counted. Source: {correction.source}."
    )


def _whole_family(subject: Subject) -> bool:
    return bool(subject.result.config.get("comparison", {}).get("family") == "all")


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
        "are shown as well, as families of their own, and are exploratory."
    )


def _p_word(subject: Subject) -> str:
    result = subject.result
    inside = find_test(result.test).all_strategies
    return "Adjusted p" if inside or correction_word(result.correction) else "p"


def _words(subject: Subject) -> tuple[tuple[str, str], ...]:
    alpha = level(subject.result.alpha)
    margin = subject.result.equivalence_margin
    inner = confidence(2 * subject.result.alpha)
    rows = [("Better, worse", f"{_p_word(subject)} below {alpha}.")]
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
