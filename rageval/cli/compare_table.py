"""What comparisons found, on a terminal: a table where it fits, else a few lines a pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.table import Table
from rich.text import Text

from rageval.cli.tables import PIPE_WIDTH, Terminal, console
from rageval.comparison.findings import UNTESTED
from rageval.config.models import ComparisonSpec
from rageval.data import Comparison, Measurements
from rageval.report.numbers import (
    confidence,
    count,
    difference,
    effect,
    interval,
    level,
    p_value,
    queries,
    statistic,
    value,
)
from rageval.report.sentences import (
    FINDING_WORDS,
    correction_word,
    detectable_sentence,
    finding_sentence,
    needed_sentence,
)
from rageval.report.text import visible
from rageval.stats.paired_tests import find_test

WORDS = 2
"""Columns that hold words, before those that hold numbers."""


@dataclass(frozen=True, eq=False)
class Compared:
    """The comparisons on one dataset."""

    dataset: str
    values: Measurements
    comparisons: Sequence[Comparison]


def show_compared(
    compared: Sequence[Compared], spec: ComparisonSpec, screen: Terminal | None = None
) -> None:
    """Print every dataset and measure, by default to stdout."""
    screen = screen or console()
    parts = [
        (part, measure, [c for c in part.comparisons if c.measure == measure])
        for part in compared
        for measure in part.values.measures
    ]
    for i, (part, measure, rows) in enumerate(parts):
        if i:
            screen.print()
        _show_measure(screen, part, measure, rows, spec)


def _show_measure(
    screen: Terminal, part: Compared, measure: str, rows: Sequence[Comparison], spec: ComparisonSpec
) -> None:
    dataset = f"{visible(part.dataset)}, " if part.dataset else ""
    say(screen, f"{dataset}{visible(measure)}, {queries(len(part.values.query_ids))}")
    screen.print()
    table = _table(rows, spec)
    if _width(table, screen) <= screen.width:
        screen.print(table)
        screen.print()
    else:
        for comparison in rows:
            _show_lines(screen, comparison, spec)
    for line in _footnotes(rows, spec):
        say(screen, line)


def _width(table: Table, screen: Terminal) -> int:
    unbounded = screen.options.update(max_width=PIPE_WIDTH)
    return table.__rich_measure__(screen, unbounded).maximum


def say(screen: Terminal, text: str) -> None:
    """Print a line of text, folded where the terminal ends."""
    screen.print(Text(text))


def _table(rows: Sequence[Comparison], spec: ComparisonSpec) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    fields = [dict(_fields(comparison, spec)) for comparison in rows]
    for i, name in enumerate(fields[0]):
        number = WORDS <= i < len(fields[0]) - 1
        table.add_column(name, justify="right" if number else "left", no_wrap=True)
    for cells in fields:
        table.add_row(*(Text(visible(cell)) for cell in cells.values()))
    return table


def _fields(c: Comparison, spec: ComparisonSpec) -> Iterator[tuple[str, str]]:
    """Yield heading and text of each cell."""
    yield "b", c.b
    yield "against a", c.a
    yield "n", count(c.n)
    yield "mean a", value(c.mean_a)
    yield "mean b", value(c.mean_b)
    yield "b − a", difference(c.mean_difference)
    yield f"{confidence(spec.alpha)} interval", interval(c.ci_low, c.ci_high)
    yield statistic_name(spec), statistic(c.statistic, c.df)
    yield "p", p_value(c.p_value, spec.alpha)
    yield "adjusted p", p_value(c.p_adjusted, spec.alpha)
    if spec.check:
        yield f"p, {spec.check}", "n/a" if c.p_check is None else p_value(c.p_check, spec.alpha)
    yield "d_z", effect(c.d_z)
    yield "wins/ties/losses", f"{count(c.wins)}/{count(c.ties)}/{count(c.losses)}"
    yield "b is", FINDING_WORDS[c.finding]


def statistic_name(spec: ComparisonSpec) -> str:
    """Return what heads the column of the statistic."""
    return {"paired-t": "t (df)", "wilcoxon": "V"}.get(spec.test, "statistic")


def _show_lines(screen: Terminal, comparison: Comparison, spec: ComparisonSpec) -> None:
    fields = dict(_fields(comparison, spec))
    finding = fields.pop("b is")
    say(screen, visible(f"{fields.pop('b')} against {fields.pop('against a')}: {finding}"))
    width = max(map(len, fields))
    for name, text in fields.items():
        say(screen, f"  {name:<{width}}  {text}")
    screen.print()


def _footnotes(rows: Sequence[Comparison], spec: ComparisonSpec) -> Iterator[str]:
    yield _method(rows, spec)
    if len(rows) == 1:
        yield from filter(None, _sentences(rows[0], spec))
    notes = {c.note for c in rows if c.finding not in UNTESTED}
    if len(notes) == 1:
        yield from (f"Note: {visible(note)}." for note in notes if note)
    shared = next(iter(notes)) if len(notes) == 1 else ""
    if len(rows) > 1:
        different = (c for c in rows if c.note and c.note != shared)
        yield from (f"{visible(c.b)} against {visible(c.a)}: {c.note}." for c in different)


def _method(rows: Sequence[Comparison], spec: ComparisonSpec) -> str:
    tested = rows[0].family_size
    word = correction_word(rows[0].correction)
    tests = f"{count(tested)} {'test' if tested == 1 else 'tests'}"
    adjusted = f"p adjusted by {word} over {tests}" if word else f"{tests}, p not adjusted further"
    if tested <= 1:
        adjusted = "a single test, so nothing to adjust for"
    margin = spec.equivalence_margin
    within = "" if margin is None else f", equivalence margin {level(margin)}"
    return (
        f"{find_test(spec.test).label}, alpha {level(spec.alpha)}, {adjusted}{within}. "
        "Better means a higher mean."
    )


def _sentences(comparison: Comparison, spec: ComparisonSpec) -> tuple[str, ...]:
    return (
        finding_sentence(comparison, margin=spec.equivalence_margin),
        needed_sentence(comparison),
        detectable_sentence(comparison, comparison.measure),
    )
