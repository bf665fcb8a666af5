"""Where strategies stand: means on the measure's own scale, not ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rageval.report.charts import nice
from rageval.report.drawings import INK, LABEL_WIDTH, WIDTH, Key, Label, Mark, keys
from rageval.report.numbers import pixel, tick, value
from rageval.report.text import drawable, visible


@dataclass(frozen=True, slots=True)
class Rung:
    """A strategy on the ladder."""

    x: str
    marker: int
    line: str
    label: Label


@dataclass(frozen=True, slots=True)
class Join:
    """A bar that joins strategies which are not shown to differ."""

    start: str
    end: str
    y: str
    points: tuple[str, ...]


@dataclass(frozen=True)
class Ladder:
    """Means on the measure's own scale, with bars over those not shown to differ."""

    title: str
    height: str
    left: str
    right: str
    axis_y: str
    tick_y: str
    marks: tuple[Mark, ...]
    rungs: tuple[Rung, ...]
    joins: tuple[Join, ...]
    keys: tuple[Key, ...]


AXIS_Y, LADDER_LEFT, LADDER_RIGHT, RUNG = 22.0, 30.0, 730.0, 18.0


def ladder(
    means: Sequence[tuple[str, float]],
    groups: Sequence[Sequence[str]],
    series: dict[str, int],
    label: str,
) -> Ladder:
    """Place strategies (name, mean; lowest first) on one axis."""
    low, high, step = _span([mean for _, mean in means])

    def at(number: float) -> float:
        return LADDER_LEFT + (LADDER_RIGHT - LADDER_LEFT) * (number - low) / (high - low)

    by_name = dict(means)
    named = all(drawable(name) for name in by_name)
    start = AXIS_Y + 26 + 12 * len(groups)
    texts = [_text(name, mean, i, named) for i, (name, mean) in enumerate(means)]
    sides = _sides([at(mean) for _, mean in means], texts)
    levels = _levels([at(mean) for _, mean in means], texts, sides)
    rungs = tuple(
        _rung(at(mean), start + RUNG * levels[i], sides[i], series[name], texts[i])
        for i, (name, mean) in enumerate(means)
    )
    marks = round((high - low) / step)
    return Ladder(
        title=_ladder_title(means, groups, label),
        height=pixel(start + RUNG * (max(levels) + 1) - 4),
        left=pixel(LADDER_LEFT),
        right=pixel(LADDER_RIGHT),
        axis_y=pixel(AXIS_Y),
        tick_y=pixel(AXIS_Y - 5),
        marks=tuple(
            Mark(pixel(at(n)), pixel(AXIS_Y - 9), tick(n, step, signed=False))
            for n in (low + i * step for i in range(marks + 1))
        ),
        rungs=rungs,
        joins=tuple(
            _join([at(by_name[name]) for name in group], AXIS_Y + 14 + 12 * i)
            for i, group in enumerate(groups)
        ),
        keys=() if named else keys(means, series),
    )


def _span(numbers: Sequence[float]) -> tuple[float, float, float]:
    low, high = min(numbers), max(numbers)
    step = nice(max(high - low, 0.01) / 5)
    first = math.floor(low / step + 1e-9) * step
    last = math.ceil(high / step - 1e-9) * step
    return first, last if last > first else first + step, step


def _text(name: str, mean: float, position: int, named: bool) -> str:
    return f"{name if named else position + 1} {value(mean)}"


def _sides(places: list[float], texts: list[str]) -> list[bool]:
    """Return whether each label stands to the left of its line.

    The lower half is labelled to the left, the upper to the right, unless there is no room.
    """
    sides = []
    for i, (x, text) in enumerate(zip(places, texts, strict=True)):
        width = LABEL_WIDTH * len(text) + 19
        left = i < len(places) // 2
        sides.append(x + width > WIDTH or (left and x - width >= 0))
    return sides


def _levels(places: list[float], texts: list[str], sides: list[bool]) -> list[int]:
    """Return each label's level below the axis, so that none meets another or another's line.

    A label to the left must lie deeper than the lines that it passes, and so must one to the
    right: of three orders, the first in which no line is crossed, or the one that crosses fewest.
    """
    total = len(sides)
    left = [i for i in range(total) if sides[i]]
    right = [i for i in reversed(range(total)) if not sides[i]]
    alternating = [i if sides[i] else total - 1 - i for i in range(total)]
    orders = [_ranks([*left, *right]), _ranks([*right, *left])]
    if sorted(alternating) == list(range(total)):
        orders.insert(0, alternating)
    return min(orders, key=lambda levels: _crossed(places, texts, sides, levels))


def _ranks(order: list[int]) -> list[int]:
    return [order.index(i) for i in range(len(order))]


def _crossed(places: list[float], texts: list[str], sides: list[bool], levels: list[int]) -> int:
    """Count the lines that run through a label."""
    crossed = 0
    for i, x in enumerate(places):
        far = LABEL_WIDTH * len(texts[i]) + 19
        start, end = (x - far, x - 16) if sides[i] else (x + 16, x + far)
        crossed += sum(
            levels[j] > levels[i] and start < other < end for j, other in enumerate(places)
        )
    return crossed


def _rung(x: float, y: float, left: bool, marker: int, text: str) -> Rung:
    way, anchor = (-1, "end") if left else (1, "start")
    line = f"M{pixel(x)} {pixel(AXIS_Y)}V{pixel(y)}H{pixel(x + 14 * way)}"
    label = Label(pixel(x + 19 * way), pixel(y + 4), text, anchor, "ti", INK, True)
    return Rung(pixel(x), marker, line, label)


def _join(places: list[float], y: float) -> Join:
    return Join(
        pixel(min(places)), pixel(max(places)), pixel(y), tuple(pixel(p) for p in sorted(places))
    )


def _ladder_title(
    means: Sequence[tuple[str, float]], groups: Sequence[Sequence[str]], label: str
) -> str:
    listed = "; ".join(f"{visible(name)} {value(mean)}" for name, mean in reversed(means))
    joined = "; ".join(", ".join(visible(n) for n in group) for group in groups)
    rest = f"Not shown to differ: {joined}." if groups else "All pairs are shown to differ."
    return f"Mean {label} per strategy: {listed}. {rest}"
