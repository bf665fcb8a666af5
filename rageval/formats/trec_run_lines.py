"""The lines of a TREC run, where they are not plainly six fields with single blanks between."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rageval.data.arrays import Bools, Ints

Bytes = NDArray[np.uint8]

SHAPE = "six fields: query Q0 document rank score tag"
_FIELDS = 6
_SCORE = 4
_SCAN = 1 << 18
"""Bytes looked at in one go: they stay in the processor's cache."""
_TAB, _NEWLINE, _RETURN, _BLANK, _HASH = b"\t\n\r #"


@dataclass(frozen=True, eq=False)
class Lines:
    """The data lines of a block, with single blanks between their fields, and the other lines."""

    data: pa.Buffer
    numbers: Ints
    """(data lines,) line within the block, 0-based."""
    faulty: Ints
    """(faulty lines,) line within the block, 0-based."""
    comments: int


def plain_delimiter(data: pa.Buffer) -> str | None:
    """Return the delimiter of a block that a plain CSV reader splits as TREC does, or None.

    Plain means: one kind of delimiter, never two in a row nor at either end of a line, no blank
    line and no other control character.
    """
    text = np.frombuffer(data, np.uint8)
    if not len(text) or text[0] <= _BLANK or text[-1] in (_BLANK, _TAB):
        return None
    delimiter = _BLANK if (text[:_SCAN] == _BLANK).any() else _TAB
    # Pieces overlap by one byte, so that no pair of neighbours is missed.
    pieces = (text[i : i + _SCAN + 1] for i in range(0, len(text), _SCAN))
    return chr(delimiter) if all(_is_plain(piece, delimiter) for piece in pieces) else None


def _is_plain(text: Bytes, delimiter: int) -> bool:
    low = text <= _BLANK
    expected = np.count_nonzero(text == delimiter) + np.count_nonzero(text == _NEWLINE)
    return np.count_nonzero(low) == expected and not (low[1:] & low[:-1]).any()


@dataclass(frozen=True, eq=False)
class _Layout:
    """Where lines and fields stand in a text that ends with a newline."""

    text: Bytes
    gap: Bools
    """(bytes,) whether the byte stands between fields: blanks, tabs, line ends."""
    ends: Ints
    """(lines,) position of the newline."""
    fields: Ints
    """(fields,) position of the first byte."""
    first_field: Ints
    """(lines + 1,) fields of line i are `first_field[i]:first_field[i + 1]`."""

    @property
    def counts(self) -> Ints:
        return np.diff(self.first_field)


def _layout(data: pa.Buffer) -> _Layout:
    text = np.frombuffer(data, np.uint8)
    if text[-1] != _NEWLINE:
        text = np.append(text, np.uint8(_NEWLINE))
    newline = text == _NEWLINE
    gap = newline | (text == _BLANK) | (text == _TAB)
    gap[:-1] |= (text[:-1] == _RETURN) & newline[1:]
    starts_field = ~gap
    starts_field[1:] &= gap[:-1]
    ends, fields = np.flatnonzero(newline), np.flatnonzero(starts_field)
    first_field = np.concatenate(([0], np.searchsorted(fields, ends)))
    return _Layout(text, gap, ends, fields, first_field)


def tidy(data: pa.Buffer) -> Lines:
    """Sort the lines of a block into data lines, comments and faulty lines; drop blank ones.

    Data lines have six fields; whether their score is a number is not looked at here.
    """
    layout = _layout(data)
    shaped = (layout.counts == _FIELDS) & ~_holds_return(layout)
    comment = ~shaped & _starts_with_hash(layout)
    faulty = ~shaped & ~comment & (layout.counts > 0)
    return Lines(
        pa.py_buffer(_joined(layout, shaped)),
        np.flatnonzero(shaped),
        np.flatnonzero(faulty),
        int(np.count_nonzero(comment)),
    )


def _holds_return(layout: _Layout) -> Bools:
    """Return whether a line holds a carriage return inside a field, where it ends no line."""
    places = np.flatnonzero((layout.text == _RETURN) & ~layout.gap)
    holds = np.zeros(len(layout.ends), bool)
    holds[np.searchsorted(layout.ends, places)] = True
    return holds


def _starts_with_hash(layout: _Layout) -> Bools:
    starts = np.zeros(len(layout.ends), bool)
    filled = layout.counts > 0
    starts[filled] = layout.text[layout.fields[layout.first_field[:-1][filled]]] == _HASH
    return starts


def _joined(layout: _Layout, chosen: Bools) -> Bytes:
    """Return the chosen lines with one blank between fields."""
    text, keep = layout.text.copy(), ~layout.gap
    leads_line = np.zeros(len(layout.fields), bool)
    leads_line[layout.first_field[:-1][layout.counts > 0]] = True
    before = layout.fields[~leads_line] - 1
    text[before] = _BLANK
    keep[before] = True
    keep[layout.ends] = True
    keep &= np.repeat(chosen, np.diff(layout.ends, prepend=-1))
    return text[keep]


def parse_score(text: str) -> float | None:
    """Read a score; None where it is no number.

    Python's `float` reads more than other programs do: digits of other scripts, and underscores
    between digits.
    """
    try:
        return float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        return None


def describe_fault(line: str) -> tuple[str, str]:
    """Say what is wrong with a line that is no data line, and what would be right."""
    fields = line.replace("\t", " ").removesuffix("\r").split(" ")
    fields = [field for field in fields if field]
    if any("\r" in field for field in fields):
        return "a carriage return stands inside the line", "lines end with \\n or \\r\\n"
    if len(fields) == _FIELDS:
        return f"the score {_short(fields[_SCORE])} is not a number", _score_hint(fields)
    return f"{len(fields)} fields: {_short(line.strip())}", _count_hint(fields)


def _score_hint(fields: list[str]) -> str:
    if parse_score(fields[_SCORE - 1]) is None:
        return f"a header? TREC runs have none; a line has {SHAPE}"
    return SHAPE


def _count_hint(fields: list[str]) -> str:
    if len(fields) == _FIELDS - 1 and parse_score(fields[_SCORE]) is not None:
        return f"the tag is missing; a line has {SHAPE}"
    if len(fields) > _FIELDS and parse_score(fields[_SCORE + 1]) is not None:
        return f"does the document id hold a blank? a line has {SHAPE}"
    if len(fields) > _FIELDS and parse_score(fields[_SCORE]) is not None:
        return f"does the tag hold a blank? a line has {SHAPE}"
    return f"a line has {SHAPE}"


def _short(text: str, limit: int = 80) -> str:
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")
