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

BINS = 40
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
    interval: tuple[str, str] | None
    labels: tuple[Label, ...]


LEFT, RIGHT, TOP, BOTTOM, HEIGHT = 44.0, 744.0, 44.0, 196.0, 236.0


def change_chart(change: Floats, c: Comparison, label: str) -> ChangeChart | None:
    """Draw the distribution of b - a over queries, with ties as a column of their own.

    None for fewer than two queries: a single value needs no drawing.
    """
    change = change[~np.isnan(change)]
    if len(change) < 2:
        return None
    limit = _limit(float(np.max(np.abs(change))), c)
    few = len(change) < FEW
    columns, dots, top = ((), *_dots(change, limit)) if few else _columns(change, limit)
    return ChangeChart(
        title=_title(change, c, label),
        frame=_frame(limit, 0 if few else top),
        columns=columns,
        dots=dots,
        mean_at=pixel(_x(c.mean_difference, limit)),
        interval=_interval(c, limit),
        labels=_labels(c, limit),
    )


def _limit(largest: float, c: Comparison) -> float:
    ends = [abs(n) for n in (c.ci_low, c.ci_high) if math.isfinite(n)]
    return min(1.0, nice(max(largest, *ends, 0.01)))


def _x(number: float, limit: float) -> float:
    inside = max(-limit, min(limit, number))
    return LEFT + (inside / limit + 1) / 2 * (RIGHT - LEFT)


def _y(number: float, top: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * number / top


def _columns(
    change: Floats, limit: float
) -> tuple[tuple[Column, ...], tuple[tuple[str, Ink], ...], float]:
    moved = change[np.abs(change) > SAME]
    counts, edges = np.histogram(moved, BINS, (-limit, limit))
    same = len(change) - len(moved)
    top = _ceiling(max(int(counts.max()), same))
    columns = [
        _column(_x(float(edges[i]), limit) + 0.6, _x(float(edges[i + 1]), limit) - 0.6, n, top, ink)
        for i, n in enumerate(counts.tolist())
        if n
        for ink in (BETTER if i >= BINS // 2 else WORSE,)
    ]
    if same:
        middle = _x(0, limit)
        columns.append(_column(middle - 5, middle + 5, same, top, FLAT))
    return tuple(columns), (), top


def _column(left: float, right: float, number: int, top: float, ink: Ink) -> Column:
    y = _y(number, top)
    return Column(pixel(left), pixel(y), pixel(right - left), pixel(BOTTOM - y), ink)


def _ceiling(largest: float) -> float:
    step = max(1.0, nice(largest / 4))
    return math.ceil(largest / step) * step


def _dots(change: Floats, limit: float) -> tuple[tuple[tuple[str, Ink], ...], float]:
    placed: list[tuple[float, float]] = []
    paths: dict[Ink, str] = dict.fromkeys((WORSE, FLAT, BETTER), "")
    for number in sorted(change.tolist()):
        x = _x(number, limit)
        level = sum(1 for other, _ in placed if abs(other - x) < 10)
        placed.append((x, BOTTOM - 10 - 12 * level))
        ink = FLAT if abs(number) <= SAME else BETTER if number > 0 else WORSE
        paths[ink] += f"M{pixel(x)} {pixel(placed[-1][1])}h0"
    return tuple((path, ink) for ink, path in paths.items() if path), 0.0


def _frame(limit: float, top: float) -> Frame:
    step = limit / 5
    numbers = [round(-limit + i * step, 10) for i in range(11)]
    rises = max(1.0, nice(top / 4)) if top else 0.0
    levels = [i * rises for i in range(round(top / rises) + 1)] if top else []
    return Frame(
        height=pixel(HEIGHT),
        left=pixel(LEFT),
        right=pixel(RIGHT),
        bottom=pixel(BOTTOM),
        top=pixel(TOP),
        x_marks=tuple(
            Mark(pixel(_x(n, limit)), pixel(_x(n, limit)), tick(n, step, signed=True))
            for n in numbers
        ),
        y_marks=tuple(
            Mark(pixel(_y(n, top)), pixel(_y(n, top) + 3.8), count(int(n))) for n in levels
        ),
        tick_y=pixel(BOTTOM + 17),
        label_x=pixel(LEFT - 7),
    )


def _interval(c: Comparison, limit: float) -> tuple[str, str] | None:
    if math.isnan(c.ci_low) or math.isnan(c.ci_high):
        return None
    return pixel(_x(c.ci_low, limit)), pixel(_x(c.ci_high, limit))


def _labels(c: Comparison, limit: float) -> tuple[Label, ...]:
    high = c.ci_high if math.isfinite(c.ci_high) else c.mean_difference
    text = f"mean {difference(c.mean_difference)}"
    after = _x(high, limit) + 9
    beside = after + LABEL_WIDTH * len(text) < RIGHT - 110
    low = c.ci_low if math.isfinite(c.ci_low) else c.mean_difference
    x, anchor = (after, "start") if beside else (_x(low, limit) - 9, "end")
    lost, won = f"{queries(c.losses)} lower", f"{queries(c.wins)} higher"
    labels = [
        Label(pixel(LEFT), "24", lost, "start", "fw", WORSE.colour, True),
        Label(pixel(RIGHT), "24", won, "end", "fb", BETTER.colour, True),
        Label(pixel(x), "40", text, anchor, "ti", INK, False),
    ]
    if c.ties:
        middle = f"{count(c.ties)} the same"
        labels.append(Label(pixel(_x(0, limit)), "14", middle, "middle", "ti2", INK2, False))
    return tuple(labels)


def _title(change: Floats, c: Comparison, label: str) -> str:
    return (
        f"Change in {label} per query: {c.wins} higher, {c.ties} the same, {c.losses} lower; mean "
        f"{difference(c.mean_difference)}; largest loss {difference(float(change.min()))}, "
        f"largest gain {difference(float(change.max()))}."
    )
