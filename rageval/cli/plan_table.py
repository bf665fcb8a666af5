"""A plan on a terminal: the answer, a table, and the curve as bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from rageval.cli.plan_queries import Need, Plan
from rageval.cli.spread import Spread
from rageval.cli.tables import Terminal, console, show_table
from rageval.report.numbers import count, level, value
from rageval.report.text import visible
from rageval.stats.power import MOST_QUERIES, detectable_difference

ASKED = ">"
"""Marks the row that was asked for."""
BLOCKS = " ▏▎▍▌▋▊▉"
FULL = "█"
LONGEST = 40
PIPED_WIDTH = 100
DIGITS = 4


def show(plan: Plan) -> None:
    """Print a plan."""
    screen = console(PIPED_WIDTH)
    for line in _answer(plan):
        _say(screen, line)
    print(f"\nQueries needed, by true difference ({ASKED} as asked)\n")
    _show_needs(plan, plan.needs, [_number(need.effect) for need in plan.needs])
    if len(plan.spreads) > 1:
        print(f"\nQueries needed for {level(plan.request.effect)}, if the spread is another\n")
        _show_needs(plan, plan.if_otherwise, [_number(need.sd) for need in plan.if_otherwise])
    power = level(plan.request.power)
    print(f"\nSmallest difference found with power {power}, by number of queries\n")
    for line in curve_lines(plan, min(LONGEST, max(10, screen.width - 24))):
        _say(screen, line)


def _say(screen: Terminal, line: str) -> None:
    screen.print(Text(line))


def _number(number: float) -> str:
    return value(number, DIGITS)


def _answer(plan: Plan) -> Iterator[str]:
    """Yield the answer and what it rests on, in sentences."""
    request, answer = plan.request, plan.answer
    needed = f"more than {count(MOST_QUERIES)}" if answer is None else count(answer)
    yield (
        f"A true difference of {level(request.effect)} needs {needed} queries to be found "
        f"{level(100 * request.power)}% of the time."
    )
    tests = f", shared among {count(request.tests)} tests" if request.tests > 1 else ""
    yield f"Two-sided paired t-test, alpha {level(request.alpha)}{tests}."
    first, *others = plan.spreads
    yield f"Standard deviation of the differences over queries: {_spread(first)}."
    yield from (f"Other spreads below: {_spread(other)}." for other in others)
    yield from _in_hand(plan)


def _spread(spread: Spread) -> str:
    seen = f", on {count(spread.queries)} queries" if spread.queries else ""
    return f"{_number(spread.sd)} ({visible(spread.what)}{seen})"


def _in_hand(plan: Plan) -> Iterator[str]:
    """Say what the queries that the spread was seen on can find already."""
    request, first = plan.request, plan.spreads[0]
    if first.queries:
        found = detectable_difference(first.sd, first.queries, request.level, request.power)
        yield (
            f"The {count(first.queries)} queries there find a difference of {_number(found)} "
            "that often."
        )


def _show_needs(plan: Plan, needs: Sequence[Need], names: Sequence[str]) -> None:
    powers = plan.request.powers
    rows = []
    for start in range(0, len(needs), len(powers)):
        group = needs[start : start + len(powers)]
        asked = group[0].effect == plan.request.effect and group[0].sd == plan.spreads[0].sd
        mark = ASKED if asked else ""
        rows.append([mark, names[start], *(_queries(need) for need in group)])
    what = "difference" if needs is plan.needs else "sd"
    show_table(["", what, *(f"power {level(power)}" for power in powers)], rows)


def _queries(need: Need) -> str:
    return "n/a" if need.queries_needed is None else count(need.queries_needed)


def curve_lines(plan: Plan, longest: int) -> Iterator[str]:
    """Yield the curve, a bar for each number of queries; `>` marks the number needed."""
    largest = max(point.detectable_difference for point in plan.curve)
    for point in plan.curve:
        mark = ASKED if point.queries == plan.answer else " "
        bar = _bar(point.detectable_difference / largest * longest)
        number = _number(point.detectable_difference)
        yield f"{mark} {count(point.queries):>9}  {number:>8}  {bar}"


def _bar(length: float) -> str:
    eighths = max(1, round(length * 8))
    return (FULL * (eighths // 8) + BLOCKS[eighths % 8]).rstrip()
