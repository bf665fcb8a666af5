"""How values change from query to query: columns, or a dot per query where there are few."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rageval.data import Comparison
from rageval.data.arrays import Floats
from rageval.report.charts import BETTER, FLAT, WORSE, Ink, nice
from rageval.report.drawings import INK, INK2, LABEL_WIDTH, Frame, Label, Mark
from rageval.report.numbers import SAME, count, difference, pixel, queries, tick

BINS, TICKS = 40, 10
FEW = 10
"""Below this many queries each is a dot."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a histogram."""

    x: str
    y: str
    width: str
    height: str
    ink: Ink


@dataclass(frozen=True)
class ChangeChart:
    """How much each query changes: columns, or a dot per query where there are few."""

    title: str
    frame: Frame
    columns: tuple[Column, ...]
    dots: tuple[tuple[str, Ink], ...]
    """Paths of round points."""
    mean_at: str
    mean_y: str
    interval: tuple[str, str] | None
    labels: tuple[Label, ...]


LEFT, RIGHT, TOP, BOTTOM, HEIGHT = 44.0, 744.0, 52.0, 154.0, 184.0
COUNTS_Y, MEAN_Y = 14.0, 30.0
"""Above the frame: how many queries moved which way, and below that the mean."""


@dataclass(frozen=True)
class Span:
    """The axis of changes, from tick to tick, with zero on a tick between its ends."""

    low: float
    high: float
    step: float

    @property
    def steps(self) -> int:
        """Return the number of steps between its ends."""
        return round((self.high - self.low) / self.step)

    def x(self, number: float) -> float:
        """Return the place of a change in pixels; beyond the axis is its end."""
        inside = max(self.low, min(self.high, number))
        return LEFT + (inside - self.low) / (self.high - self.low) * (RIGHT - LEFT)

    def edges(self) -> Floats:
        """Return the edges of the columns; zero is one of them, and so is every tick."""
        per_step = max(1, round(BINS / self.steps))
        first = round(self.low / self.step) * per_step
        places = np.arange(first, first + self.steps * per_step + 1, dtype=np.float64)
        return places * (self.step / per_step)


def change_chart(change: Floats, c: Comparison, label: str) -> ChangeChart | None:
    """Draw the distribution of b - a over queries, with ties as a column of their own.

    None for fewer than two queries, and where nothing changes: that needs no drawing.
    """
    change = change[~np.isnan(change)]
    if len(change) < 2 or not np.any(np.abs(change) > SAME):
        return None
    span = span_of(change, c)
    few = len(change) < FEW
    columns, dots, top = ((), *_dots(change, span)) if few else _columns(change, span)
    return ChangeChart(
        title=_title(change, c, label),
        frame=_frame(span, 0 if few else top),
        columns=columns,
        dots=dots,
        mean_at=pixel(span.x(c.mean_difference)),
        mean_y=pixel(MEAN_Y),
        interval=_interval(c, span),
        labels=_labels(c, span, columns),
    )


def span_of(change: Floats, c: Comparison) -> Span:
    """Return the axis that holds every change and the mean's interval, and both signs."""
    ends = [n for n in (c.ci_low, c.ci_high) if math.isfinite(n)]
    low = max(-1.0, min(float(change.min()), *ends, -1e-3))
    high = min(1.0, max(float(change.max()), *ends, 1e-3))
    step = nice((high - low) / TICKS)
    return Span(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step, step)


def _y(number: float, top: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * number / top


def _columns(
    change: Floats, span: Span
) -> tuple[tuple[Column, ...], tuple[tuple[str, Ink], ...], float]:
    moved, edges = change[np.abs(change) > SAME], span.edges()
    counts = np.histogram(moved, edges)[0]
    same = len(change) - len(moved)
    top = _ceiling(max(int(counts.max()), same))
    columns = [
        _column(span.x(float(edges[i])) + 0.6, span.x(float(edges[i + 1])) - 0.6, n, top, ink)
        for i, n in enumerate(counts.tolist())
        if n
        for ink in (BETTER if edges[i] > -SAME else WORSE,)
    ]
    if same:
        middle = span.x(0)
        columns.append(_column(middle - 5, middle + 5, same, top, FLAT))
    return tuple(columns), (), top


def _column(left: float, right: float, number: int, top: float, ink: Ink) -> Column:
    y = _y(number, top)
    return Column(pixel(left), pixel(y), pixel(right - left), pixel(BOTTOM - y), ink)


def _ceiling(largest: float) -> float:
    step = max(1.0, nice(largest / 4))
    return math.ceil(largest / step) * step


def _dots(change: Floats, span: Span) -> tuple[tuple[tuple[str, Ink], ...], float]:
    placed: list[tuple[float, float]] = []
    paths: dict[Ink, str] = dict.fromkeys((WORSE, FLAT, BETTER), "")
    for number in sorted(change.tolist()):
        x = span.x(number)
        level = sum(1 for other, _ in placed if abs(other - x) < 10)
        placed.append((x, BOTTOM - 10 - 12 * level))
        ink = FLAT if abs(number) <= SAME else BETTER if number > 0 else WORSE
        paths[ink] += f"M{pixel(x)} {pixel(placed[-1][1])}h0"
    return tuple((path, ink) for ink, path in paths.items() if path), 0.0


def _frame(span: Span, top: float) -> Frame:
    numbers = [round(span.low + i * span.step, 10) for i in range(span.steps + 1)]
    rises = max(1.0, nice(top / 4)) if top else 0.0
    levels = [i * rises for i in range(round(top / rises) + 1)] if top else []
    return Frame(
        height=pixel(HEIGHT),
        left=pixel(LEFT),
        right=pixel(RIGHT),
        bottom=pixel(BOTTOM),
        top=pixel(TOP),
        x_marks=tuple(
            Mark(pixel(span.x(n)), pixel(span.x(n)), tick(n, span.step, signed=True))
            for n in numbers
        ),
        y_marks=tuple(
            Mark(pixel(_y(n, top)), pixel(_y(n, top) + 3.8), count(int(n))) for n in levels
        ),
        tick_y=pixel(BOTTOM + 17),
        label_x=pixel(LEFT - 7),
    )


def _interval(c: Comparison, span: Span) -> tuple[str, str] | None:
    if math.isnan(c.ci_low) or math.isnan(c.ci_high):
        return None
    return pixel(span.x(c.ci_low)), pixel(span.x(c.ci_high))


def _labels(c: Comparison, span: Span, columns: tuple[Column, ...]) -> tuple[Label, ...]:
    lost, won = f"{queries(c.losses)} lower", f"{queries(c.wins)} higher"
    y = pixel(COUNTS_Y)
    labels = [
        Label(pixel(LEFT), y, lost, "start", "fw", WORSE.colour, True),
        Label(pixel(RIGHT), y, won, "end", "fb", BETTER.colour, True),
        _mean_label(c, span),
    ]
    return (*labels, _same_label(c.ties, span, columns)) if c.ties else tuple(labels)


def _mean_label(c: Comparison, span: Span) -> Label:
    low, high = (n if math.isfinite(n) else c.mean_difference for n in (c.ci_low, c.ci_high))
    text = f"mean {difference(c.mean_difference)}"
    after = span.x(high) + 9
    fits = after + LABEL_WIDTH * len(text) < RIGHT
    x, anchor = (after, "start") if fits else (span.x(low) - 9, "end")
    return Label(pixel(x), pixel(MEAN_Y + 4), text, anchor, "ti", INK, False)


def _same_label(ties: int, span: Span, columns: tuple[Column, ...]) -> Label:
    """Stand to the left of the column of ties, at its top; above it where others are in the way."""
    text, right = f"{count(ties)} the same", span.x(0) - 9
    left = right - LABEL_WIDTH * len(text)
    top = float(columns[-1].y) if columns else TOP
    near = [c for c in columns[:-1] if left < float(c.x) + float(c.width) and float(c.x) < right]
    if columns and left >= LEFT and all(float(c.y) > top + 14 for c in near):
        return Label(pixel(right), pixel(top + 11), text, "end", "ti2", INK2, False)
    return Label(pixel(span.x(0)), pixel(TOP - 5), text, "middle", "ti2", INK2, False)


def _title(change: Floats, c: Comparison, label: str) -> str:
    return (
        f"Change in {label} per query: {c.wins} higher, {c.ties} the same, {c.losses} lower; mean "
        f"{difference(c.mean_difference)}; largest loss {difference(float(change.min()))}, "
        f"largest gain {difference(float(change.max()))}."
    )
