"""Values over cutoffs, one line a strategy, labelled at its end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rageval.report.charts import nice, spread
from rageval.report.drawings import INK, WIDTH, Frame, Key, Label, Mark, keys
from rageval.report.numbers import count, pixel, tick, value
from rageval.report.text import drawable, visible

LEFT = 44.0


@dataclass(frozen=True)
class Line:
    """A strategy's values over cutoffs."""

    marker: int
    path: str
    points: tuple[tuple[str, str], ...]
    leader: str
    """Path from the last point to a label that had to move; empty where it did not."""
    label: Label


@dataclass(frozen=True)
class LineChart:
    """Values over cutoffs, one line a strategy, labelled at its end."""

    title: str
    frame: Frame
    lines: tuple[Line, ...]
    keys: tuple[Key, ...]


NARROWEST = 0.1
"""A narrower axis would make much of little."""
LINE_HEIGHT, LINE_TOP, LABEL_ROOM = 220.0, 14.0, 200.0


def line_chart(
    cutoffs: Sequence[int],
    values: Sequence[tuple[str, Sequence[float]]],
    series: dict[str, int],
    label: str,
) -> LineChart:
    """Draw values (name, one per cutoff) over the logarithm of the cutoff."""
    right, bottom = WIDTH - LABEL_ROOM, LINE_HEIGHT - 30
    first, last = math.log(cutoffs[0]), math.log(cutoffs[-1])
    low, high, step = _range([number for _, row in values for number in row])

    def x(cutoff: int) -> float:
        return LEFT + (math.log(cutoff) - first) / (last - first) * (right - LEFT)

    def y(number: float) -> float:
        return bottom - (number - low) / (high - low) * (bottom - LINE_TOP)

    named = all(drawable(name) for name, _ in values)
    ends = [y(row[-1]) for _, row in values]
    levels = spread(ends, 17, LINE_TOP + 2, bottom)
    lines = tuple(
        _line(
            [(x(k), y(v)) for k, v in zip(cutoffs, row, strict=True)],
            levels[i],
            series[name],
            name if named else str(i + 1),
        )
        for i, (name, row) in enumerate(values)
    )
    frame = Frame(
        height=pixel(LINE_HEIGHT),
        left=pixel(LEFT),
        right=pixel(right),
        bottom=pixel(bottom),
        top=pixel(LINE_TOP),
        x_marks=tuple(Mark(pixel(x(k)), pixel(x(k)), count(k)) for k in cutoffs),
        y_marks=tuple(
            Mark(pixel(y(n)), pixel(y(n) + 3.8), tick(n, step, signed=False))
            for n in (low + i * step for i in range(round((high - low) / step) + 1))
        ),
        tick_y=pixel(bottom + 17),
        label_x=pixel(LEFT - 7),
    )
    last_values = [(name, row[-1]) for name, row in values]
    title = f"{label} over cutoffs {', '.join(map(str, cutoffs))}: " + "; ".join(
        f"{visible(name)} {', '.join(value(v) for v in row)}" for name, row in values
    )
    return LineChart(title, frame, lines, () if named else keys(last_values, series))


def _range(numbers: list[float]) -> tuple[float, float, float]:
    """Return the ends of the axis, both on a tick, and the step between ticks."""
    low, high = min(numbers), max(numbers)
    step = nice(max(high - low, NARROWEST) / 4)
    first = math.floor(low / step + 1e-9) * step
    last = math.ceil(high / step - 1e-9) * step
    return first, last if last > first else first + step, step


def _line(points: list[tuple[float, float]], level: float, marker: int, text: str) -> Line:
    x, y = points[-1]
    moved = abs(level - y) > 2
    return Line(
        marker=marker,
        path="M" + "L".join(f"{pixel(px)} {pixel(py)}" for px, py in points),
        points=tuple((pixel(px), pixel(py)) for px, py in points),
        leader=f"M{pixel(x + 6)} {pixel(y)}L{pixel(x + 15)} {pixel(level)}" if moved else "",
        label=Label(pixel(x + 18), pixel(level + 4), text, "start", "ti", INK, True),
    )
