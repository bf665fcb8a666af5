"""Sentences as pure functions of findings and numbers, so that words and numbers cannot disagree.

`name` says how a name is written into a sentence: isolated for HTML, escaped for Markdown or
LaTeX; by default as visible text. Nothing here says "no difference", "significant" or "trend".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

from rageval.comparison.slices import SLICES
from rageval.data import Comparison, EvaluationResult, FindingWord
from rageval.report.model import ROLE_WORDS, Subject, subjects
from rageval.report.numbers import (
    count,
    difference,
    effect,
    estimate,
    level,
    p_phrase,
    queries,
    value,
)
from rageval.report.text import listed, visible
from rageval.stats.corrections import CORRECTIONS
from rageval.stats.paired_tests import find_test

Name = Callable[[str], str]

FINDING_WORDS: dict[FindingWord, str] = {
    "better": "↑ better",
    "worse": "↓ worse",
    "equivalent": "equivalent",
    "inconclusive": "inconclusive",
    "identical": "identical",
    "not testable": "not testable",
}
BY_TEST = "by the test over all pairs of strategies"
MOST_QUERIES = 1_000_000
EFFECT_WORDS = ((0.2, "below small"), (0.5, "small"), (0.8, "medium"), (math.inf, "large"))


def headline(result: EvaluationResult, name: Name = visible) -> str:
    """Return the one sentence that the report stands under."""
    readings = subjects(result, "html")
    if len(result.strategies) == 1:
        return "One strategy scored; nothing to compare."
    if not result.contrasts:
        return _exploratory(readings, name)
    a, b = result.contrasts[0]
    found = [c for s in readings if (c := s.focus) is not None]
    if not found:
        failed = [name(n) for n in (b, a) if any(n not in s.names for s in readings)]
        return f"Not compared: {listed(failed)} could not be evaluated."
    if len(readings) == 1:
        return finding_sentence(found[0], name, _role(result, a), result.equivalence_margin)
    return _several(found, len(readings), name)


def finding_sentence(
    comparison: Comparison, name: Name = visible, role: str = "", margin: float | None = None
) -> str:
    """Say what one comparison found; `role` says what strategy a is."""
    a, b = name(comparison.a), name(comparison.b)
    other = f"{a}, {role}" if role else a
    aside = f"{a}, {role}," if role else a
    within = f"within the margin of ±{level(margin)}" if margin is not None else "within the margin"
    match comparison.finding:
        case "better" | "worse":
            also = f"; the difference lies {within}" if comparison.within_margin else ""
            return f"{b} retrieves {comparison.finding} than {other}{also}."
        case "equivalent":
            return f"{b} and {aside} are equivalent {within}."
        case "inconclusive":
            return f"Not decided yet: {b} is not shown to differ from {other}."
        case "identical":
            return f"{b} and {aside} have exactly the same value on every query."
        case "not testable":
            why = f": {comparison.note}" if comparison.note else ""
            return f"{b} cannot be tested against {other}{why}."


def _role(result: EvaluationResult, name: str) -> str:
    role = next((s.role for s in result.strategies if s.name == name), "")
    return "the strategy in production" if role == "production" else ROLE_WORDS[role]


def _several(found: Sequence[Comparison], datasets: int, name: Name) -> str:
    a, b = name(found[0].a), name(found[0].b)
    tally = Counter(comparison.finding for comparison in found)
    words = [f"{word} on {tally[word]}" for word in FINDING_WORDS if tally[word]]
    if len(found) < datasets:
        words.append(f"not compared on {datasets - len(found)}")
    if len(words) == 1:
        return f"{b} against {a}: {found[0].finding} on all {datasets} datasets."
    return f"{b} against {a}: {listed(words)} of {datasets} datasets."


def _exploratory(readings: Sequence[Subject], name: Name) -> str:
    if len(readings) > 1:
        return _exploratory_several(readings, name)
    reading = readings[0]
    best = reading.best()
    if len(reading.names) < 2:
        return f"Only {name(reading.names[0])} could be evaluated; nothing to compare."
    mean = value(reading.mean(reading.primary, best[0]).value)
    if len(best) > 1:
        together = listed([name(n) for n in best])
        return f"Exploratory: {together} share the highest mean {reading.primary_label}, {mean}."
    first = f"Exploratory: {name(best[0])} has the highest mean {reading.primary_label}, {mean}"
    return f"{first}, and is {_against_next(reading, name)}."


def _exploratory_several(readings: Sequence[Subject], name: Name) -> str:
    leaders = Counter(best for reading in readings for best in reading.best())
    label, total = readings[0].primary_label, len(readings)
    parts = [f"{name(n)} on {leaders[n]}" for n in _in_order(readings, leaders)]
    return f"Exploratory: the highest mean {label} is that of {listed(parts)} of {total} datasets."


def _in_order(readings: Sequence[Subject], leaders: Counter[str]) -> list[str]:
    return [s.name for s in readings[0].result.strategies if s.name in leaders]


def _against_next(reading: Subject, name: Name) -> str:
    comparison = reading.focus
    following = name(reading.order()[1])
    if comparison is None:
        return f"not compared with the next, {following}"
    shown = comparison.finding in ("better", "worse")
    return f"{'shown' if shown else 'not shown'} to differ from the next, {following}"


def effect_word(d_z: float) -> str:
    """Name the size of a standardised effect: below small, small, medium or large."""
    return next(word for bound, word in EFFECT_WORDS if abs(d_z) < bound)


def effect_phrase(comparison: Comparison) -> str:
    """Write the effect size and its name: `+0.21 (small)`; empty where it does not exist."""
    if math.isnan(comparison.d_z):
        return ""
    return f"{effect(comparison.d_z)} ({effect_word(comparison.d_z)})"


def movement(comparison: Comparison, label: str) -> str:
    """Say how the mean moves from a to b."""
    before, after = value(comparison.mean_a), value(comparison.mean_b)
    if before == after:
        return f"Mean {label} is {before} for both"
    verb = "rises" if comparison.mean_difference > 0 else "falls"
    return f"Mean {label} {verb} from {before} to {after}"


def p_sentence(comparison: Comparison, alpha: float) -> str:
    """Write the p-value that the finding follows, and what it was adjusted for."""
    if math.isnan(comparison.p_adjusted):
        return comparison.note or "no test"
    p = p_phrase(comparison.p_adjusted, alpha)
    if comparison.finding == "identical":
        return "no test, since nothing differs"
    if find_test(comparison.test).all_strategies:
        return f"{p}, adjusted {adjusted_by(comparison)}"
    if comparison.family_size <= 1:
        return f"{p} (a single comparison, so nothing to adjust for)"
    word, size = correction_word(comparison.correction), count(comparison.family_size)
    if word:
        return f"{p} after {word} adjustment over {size} comparisons"
    return f"{p} without adjustment, one of {size} comparisons"


def adjusted_by(comparison: Comparison) -> str:
    """Say by what a p-value was adjusted: `by Holm over 3 tests`; empty where it was not.

    A test over all strategies adjusts for all pairs itself.
    """
    word, size = correction_word(comparison.correction), comparison.family_size
    if find_test(comparison.test).all_strategies:
        over = "types" if comparison.family == SLICES else "measures"
        return f"{BY_TEST} and by {word} over {over}" if word else BY_TEST
    return f"by {word} over {count(size)} tests" if word and size > 1 else ""


def correction_word(key: str) -> str:
    """Return the name of a correction; empty where p-values are not adjusted."""
    return "" if key == "none" else CORRECTIONS[key].label


def counts_sentence(comparison: Comparison, name: Name = visible) -> str:
    """Say on how many queries b is higher, the same and lower."""
    return (
        f"{name(comparison.b)} is higher on {count(comparison.wins)} of "
        f"{queries(comparison.n)}, the same on {count(comparison.ties)}, "
        f"lower on {count(comparison.losses)}."
    )


def needed_sentence(comparison: Comparison) -> str:
    """Say how many queries would decide an open comparison; empty where that is not known."""
    if comparison.finding != "inconclusive" or comparison.queries_needed is None:
        return ""
    needed = comparison.queries_needed
    about = f"about {count(needed)}" if needed <= MOST_QUERIES else "more than a million"
    return f"If the true difference is as large as the one seen, {about} queries would decide it."


def detectable_sentence(comparison: Comparison, label: str) -> str:
    """Say how small a true difference the comparison could find; empty where not known."""
    if math.isnan(comparison.detectable_difference):
        return ""
    return (
        f"With {queries(comparison.n)} and the spread seen here, a true difference of "
        f"{value(comparison.detectable_difference)} in {label} would be found 8 times out of 10, "
        "before adjustment for several comparisons. Smaller differences can be missed."
    )


def difference_in_words(comparison: Comparison, name: Name = visible) -> str:
    """Say a difference and its interval without signs, for those who hear it read."""
    a, b = name(comparison.a), name(comparison.b)
    first = f"{b} against {a}: {_side(comparison.mean_difference)}"
    if math.isnan(comparison.ci_low):
        return f"{first}, no interval"
    return f"{first}; interval from {_side(comparison.ci_low)} to {_side(comparison.ci_high)}"


def _side(number: float) -> str:
    if math.isnan(number):
        return "not known"
    if number == 0:
        return "the same"
    return f"{value(abs(number))} {'higher' if number > 0 else 'lower'}"


def not_equal_sentence(comparison: Comparison, name: Name = visible) -> str:
    """Warn that an open comparison is no proof of equality."""
    low, high = difference(comparison.ci_low), difference(comparison.ci_high)
    return (
        f"{name(comparison.b)} and {name(comparison.a)} are not shown to differ, which does not "
        f"mean that they are equal: differences from {low} to {high} fit the data."
    )


def slice_sentence(value_name: str, comparison: Comparison, name: Name = visible) -> str:
    """Say what a slice lost, shown or not ruled out."""
    shown = comparison.finding == "worse"
    numbers = estimate(comparison.mean_difference, comparison.ci_low, comparison.ci_high)
    first = (
        f"{name(value_name)}: {name(comparison.b)} {'is' if shown else 'may be'} worse than "
        f"{name(comparison.a)}, {numbers} on {queries(comparison.n)}."
    )
    return first if shown else f"{first} That is inconclusive, but a loss is not ruled out."
