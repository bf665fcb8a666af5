"""Scales and the small drawings that stand in table cells: places and words, no markup.

A row's drawing uses percent of the cell's width, so that it stretches without distortion; the
zero line and the zone of negligible differences are the cell's background, continuous through
every row. Colours come twice: as attributes for the light palette, since the PDF's renderer
applies no page style inside an SVG, and as classes that a browser re-colours for dark mode.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from hashlib import sha256
from itertools import pairwise

from rageval.report.numbers import percent_place, tick

EDGE = 11.0
"""Percent of the cell's width left free on either side of the scale."""
HALF_LINE = 0.6
"""Half the width of a grid line in the background, in CSS pixels: a band narrower than a pixel may
fall between the places where a browser looks for its colour, and a whole line is gone."""


@dataclass(frozen=True, slots=True)
class Ink:
    """A colour: its light value and the classes that re-colour fills and strokes."""

    colour: str
    fill: str
    stroke: str


SERIES = (
    Ink("#6b7782", "s0f", "s0s"),
    Ink("#801650", "s1f", "s1s"),
    Ink("#16807a", "s2f", "s2s"),
    Ink("#12436d", "s3f", "s3s"),
)
"""Inks of strategies; the position also chooses the marker: circle, square, diamond, triangle."""
BETTER = Ink("#12436d", "fb", "sb")
WORSE = Ink("#b0440c", "fw", "sw")
FLAT = Ink("#6b7782", "fx", "sx")
NOT_RELEVANT = Ink("#d3dae0", "fz", "sz")
UNJUDGED = Ink("#f0a778", "fu", "su")


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on an axis."""

    at: str
    label: str


@dataclass(frozen=True)
class Scale:
    """A linear scale from `low` to `high` over the width of a table cell."""

    low: float
    high: float
    step: float
    signed: bool
    """Whether it shows differences: labels carry a sign, and zero is the one line drawn."""
    zone: float = 0.0
    """Half-width of the shaded band of negligible differences; 0 for none."""

    def place(self, number: float) -> float:
        """Return the place of a number in percent of the width; off the scale is the edge."""
        inside = EDGE + (100 - 2 * EDGE) * (number - self.low) / (self.high - self.low)
        return min(100.0, max(0.0, inside))

    def percent(self, number: float) -> str:
        """Return the place of a number as text."""
        return percent_place(self.place(number))

    def numbers(self) -> tuple[float, ...]:
        """Return the numbers at which labels stand."""
        return tuple(round(i * self.step, 10) for i in _multiples(self.low, self.high, self.step))

    def ticks(self) -> tuple[Tick, ...]:
        """Return the labels of the axis."""
        return tuple(
            Tick(self.percent(t), tick(t, self.step, signed=self.signed)) for t in self.numbers()
        )

    @property
    def css_class(self) -> str:
        """Return the class of cells that stand on this scale."""
        return "sc-" + sha256(self._gradient().encode()).hexdigest()[:8]

    @property
    def css(self) -> str:
        """Return the rule that draws zone and lines behind the cells."""
        return f".{self.css_class}{{background-image:{self._gradient()}}}\n"

    def _gradient(self) -> str:
        # One gradient with hard stops on purpose: the PDF's renderer ignores background-size on
        # a gradient of one colour.
        ends = [*self._bands(), ("100%", "")]
        stops = ",".join(
            f"var({colour}) {start},var({colour}) {end}"
            for (start, colour), (end, _) in pairwise(ends)
        )
        return f"linear-gradient(90deg,{stops})"

    def _bands(self) -> Iterator[tuple[str, str]]:
        """Yield where each band of the background begins, from the left, and its colour."""
        yield "0%", "--paper"
        if self.zone:
            yield f"{self.percent(-self.zone)}%", "--zone"
        line = "--rule2" if self.signed else "--rule"
        for number in (0.0,) if self.signed else self.numbers():
            yield f"calc({self.percent(number)}% - {HALF_LINE}px)", line
            yield f"calc({self.percent(number)}% + {HALF_LINE}px)", self._ground
        if self.zone:
            yield f"{self.percent(self.zone)}%", "--paper"

    @property
    def _ground(self) -> str:
        return "--zone" if self.zone else "--paper"


def scale_over(
    numbers: Iterable[float],
    *,
    signed: bool,
    zone: float = 0.0,
    labels: int = 5,
) -> Scale:
    """Make the scale that holds all given numbers, within what a measure's values can be.

    It has two labels at least and `labels` at most; of differences, one is zero.

    Numbers that do not exist are left out; an interval that reaches beyond the possible values
    ends at the edge of the cell.
    """
    least = -1.0 if signed else 0.0
    found = [min(1.0, max(least, n)) for n in numbers if math.isfinite(n)]
    if signed:
        found += [0.0, -zone, zone]
    low, high = min(found, default=0.0), max(found, default=1.0)
    if high - low < 1e-6:
        low, high = max(least, low - 0.05), min(1.0, high + 0.05)
    step = nice((high - low) / labels / 3)
    while len(_multiples(low, high, step)) > labels:
        step = nice(step * 1.01)
    return Scale(low, high, step, signed, zone)


def _multiples(low: float, high: float, step: float) -> range:
    """Return the whole numbers whose multiples of the step lie between the ends."""
    return range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)


def nice(span: float) -> float:
    """Return the smallest of 1, 2, 2.5, 5 times a power of ten that is not below `span`."""
    power = 10.0 ** math.floor(math.log10(span))
    return next(m for m in (1, 2, 2.5, 5, 10) if span / power <= m + 1e-9) * power


@dataclass(frozen=True, slots=True)
class Bar:
    """A horizontal bar between two places."""

    start: str
    end: str


@dataclass(frozen=True, slots=True)
class IntervalGlyph:
    """An estimate with its intervals: thin is simultaneous, thick pointwise."""

    title: str
    ink: Ink
    at: str
    filled: bool
    thick: Bar | None
    thin: Bar | None


def bar(scale: Scale, low: float, high: float) -> Bar | None:
    """Return the bar of an interval, or None where it has none."""
    if math.isnan(low) or math.isnan(high):
        return None
    return Bar(scale.percent(low), scale.percent(high))


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a stacked bar."""

    start: str
    width: str
    ink: Ink


@dataclass(frozen=True, slots=True)
class StackedGlyph:
    """Shares of a whole, side by side."""

    title: str
    parts: tuple[Part, ...]


def stacked(title: str, shares: Iterable[tuple[float, Ink]]) -> StackedGlyph:
    """Lay shares side by side; shares that do not exist draw nothing."""
    parts: list[Part] = []
    start = 0.0
    for fraction, ink in shares:
        if fraction > 0:
            parts.append(Part(percent_place(100 * start), percent_place(100 * fraction), ink))
            start += fraction
    return StackedGlyph(title, tuple(parts))


CELL, GAP = 12.0, 2.5


@dataclass(frozen=True, slots=True)
class StripGlyph:
    """The first ranks of a ranking: filled is relevant, outline not relevant, dot unjudged."""

    title: str
    ink: Ink
    width: str
    relevant: str
    not_relevant: str
    unjudged: str


def strip(title: str, ink: Ink, kinds: list[str]) -> StripGlyph:
    """Draw ranks as one path per kind (`relevant`, `not relevant`, `unjudged`)."""
    lefts = [1 + i * (CELL + GAP) for i in range(len(kinds))]
    square = "M{:g} 1.5h12v13h-12z"
    dot = "M{:g} 8h0"

    def path(kind: str, shape: str, shift: float) -> str:
        return "".join(
            shape.format(x + shift) for x, k in zip(lefts, kinds, strict=True) if k == kind
        )

    return StripGlyph(
        title,
        ink,
        f"{max(1, len(kinds)) * (CELL + GAP) + 1:g}",
        path("relevant", square, 0),
        path("not relevant", square, 0),
        path("unjudged", dot, CELL / 2),
    )


def spread(places: list[float], gap: float, low: float, high: float) -> list[float]:
    """Move labels apart until they are `gap` from each other, in order and between the bounds."""
    order = sorted(range(len(places)), key=lambda i: (places[i], i))
    moved = list(places)
    floor = low
    for i in order:
        moved[i] = max(moved[i], floor)
        floor = moved[i] + gap
    ceiling = high
    for i in reversed(order):
        moved[i] = min(moved[i], ceiling)
        ceiling = moved[i] - gap
    return moved


def scales_in(view: object) -> Iterator[Scale]:
    """Yield every scale inside a view, in the order of its fields."""
    if isinstance(view, Scale):
        yield view
    elif isinstance(view, tuple):
        for item in view:
            yield from scales_in(item)
    elif is_dataclass(view):
        for field in fields(view):
            yield from scales_in(getattr(view, field.name))
