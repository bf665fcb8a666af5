"""Parts of stand-alone charts, in pixels.

Nothing here writes markup, and no text of the data's owners is drawn unless it is in the fonts
that the report brings; other names are numbered, with a key in HTML beside the drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rageval.report.numbers import value

WIDTH = 760.0
LABEL_WIDTH = 7.4
"""Pixels that a character of a label may take at its size."""
INK, INK2 = "#14202b", "#46535f"


@dataclass(frozen=True, slots=True)
class Mark:
    """A label of an axis at a place in pixels."""

    at: str
    text_at: str
    label: str


@dataclass(frozen=True, slots=True)
class Label:
    """A text in a drawing."""

    x: str
    y: str
    text: str
    anchor: str
    ink: str
    """Class of its colour."""
    colour: str
    bold: bool


@dataclass(frozen=True)
class Frame:
    """The plotting area and its axes."""

    height: str
    left: str
    right: str
    bottom: str
    top: str
    x_marks: tuple[Mark, ...]
    y_marks: tuple[Mark, ...]
    tick_y: str
    label_x: str


@dataclass(frozen=True, slots=True)
class Key:
    """A strategy's number, marker and name, beside a drawing that cannot hold the name."""

    number: str
    name: str
    value: str
    marker: int


def keys(means: Sequence[tuple[str, float]], series: dict[str, int]) -> tuple[Key, ...]:
    """Return the key of a drawing whose labels are numbers."""
    return tuple(
        Key(str(i + 1), name, value(mean), series[name]) for i, (name, mean) in enumerate(means)
    )
