"""JSON and JSON Lines as entries, with the way back from an entry to its line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from rageval.errors import InputError
from rageval.formats.content import Content, head_of
from rageval.formats.faults import Faults

_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
_BLANKS = re.compile(r"[ \t\n\r]*")


class _FaultError(ValueError):
    """What is wrong with a piece of JSON; the caller knows where it stands."""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    entry = dict(pairs)
    if len(entry) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for i, key in enumerate(keys) if key in keys[:i])
        raise _FaultError(f"the key {twice!r} stands twice in one object")
    return entry


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)


@dataclass(frozen=True)
class Entries:
    """The entries of a file and where each stands."""

    values: Sequence[object]
    place: Callable[[int], str]


@dataclass(frozen=True, eq=False)
class JsonText:
    """A file whose content starts like JSON."""

    content: Content

    @property
    def path(self) -> str:
        """Return the file's name for messages."""
        return self.content.path

    def starts_with(self, bracket: str) -> bool:
        """Return whether the first character that is not blank is this bracket."""
        return self.content.text[_skip(self.content.text, 0)] == bracket

    @cached_property
    def is_lines(self) -> bool:
        """Return whether this is JSON Lines: one object a line, or a lone object of an entry."""
        text = self.content.text
        start = _skip(text, 0)
        end = text.find("\n", start)
        if text[start] != "{":
            return False
        if end < 0 or _skip(text, end) == len(text):
            return _is_entry(self._value_or_none)
        return _is_json(text[start:end])

    @property
    def _value_or_none(self) -> object:
        try:
            return self.value
        except InputError:
            return None

    @cached_property
    def value(self) -> object:
        """Parse the whole file as one JSON value; raise `InputError` with the line of a fault."""
        try:
            return _decoded(self.content.text)
        except json.JSONDecodeError as error:
            where = f"{self.path}:{error.lineno}"
            raise InputError(f"not JSON: {error.msg}", where=where) from None
        except _FaultError as fault:
            raise InputError(str(fault), where=self._place_of_fault()) from None

    def lines(self, faults: Faults) -> Entries:
        """Parse JSON Lines; lines that are not JSON go to `faults`."""
        values: list[object] = []
        numbers: list[int] = []
        for number, line in enumerate(self.content.text.split("\n"), 1):
            if line.strip():
                _take_line(line, f"{self.path}:{number}", faults, values, numbers, number)
        return Entries(values, lambda i: f"{self.path}:{numbers[i]}")

    def place(self, index: int) -> str:
        """Return where the entry of that index stands: its line, or its number on a long line."""
        starts = self._starts
        if index >= len(starts):
            return self.path
        line = self._line(starts[index])
        crowded = index > 0 and line == self._line(starts[index - 1])
        return f"{self.path}: entry {index + 1}" if crowded else f"{self.path}:{line}"

    def _line(self, position: int) -> int:
        return self.content.text.count("\n", 0, position) + 1

    @cached_property
    def _starts(self) -> list[int]:
        return _walk(self.content.text)[0]

    def _place_of_fault(self) -> str:
        position = _walk(self.content.text)[1]
        return f"{self.path}:{self._line(position)}" if position is not None else self.path


def json_text(content: Content) -> JsonText | None:
    """Return the content as JSON where it starts like JSON, else None."""
    first = head_of(content.buffer.slice(content.first_filled), 1)
    return JsonText(content) if first in (b"{", b"[") else None


def _decoded(text: str) -> object:
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        raise _FaultError("nested too deeply to be read") from None
    except (json.JSONDecodeError, _FaultError):
        raise
    except ValueError:
        raise _FaultError("an integer of more digits than can be read") from None
    if _HALF_PAIR.search(text):
        _refuse_half_pairs(value)
    return value


def _refuse_half_pairs(value: object) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise _FaultError("half of a surrogate pair (\\ud800 to \\udfff) is not text") from None


def _take_line(
    line: str, where: str, faults: Faults, values: list[object], numbers: list[int], number: int
) -> None:
    try:
        values.append(_decoded(line))
        numbers.append(number)
    except json.JSONDecodeError as error:
        faults.add(f"not JSON: {error.msg} (column {error.colno})", where)
    except _FaultError as fault:
        faults.add(str(fault), where)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _is_entry(value: object) -> bool:
    from rageval.formats.names import find_name

    if not isinstance(value, dict):
        return False
    names = (find_name("query_id", value), find_name("query", value))
    return any(isinstance(value[name], str | int) for name in names if name is not None)


def _walk(text: str) -> tuple[list[int], int | None]:
    """Return where each entry of the outermost list or object starts, and the first fault's start.

    Only errors need this; the parser proper does not keep positions.
    """
    starts: list[int] = []
    seen: set[str] = set()
    position = _skip(text, 0)
    closing = "]" if text[position] == "[" else "}"
    position = _skip(text, position + 1)
    while position < len(text) and text[position] != closing:
        starts.append(position)
        try:
            position = _past_entry(text, position, closing == "}", seen)
        except (ValueError, RecursionError):
            return starts, starts[-1]
    return starts, None


def _past_entry(text: str, position: int, keyed: bool, seen: set[str]) -> int:
    if keyed:
        key, position = _DECODER.raw_decode(text, position)
        _refuse_half_pairs(key)
        if key in seen:
            raise _FaultError("repeated key")
        seen.add(key)
        position = _skip(text, _skip(text, position) + 1)
    value, position = _DECODER.raw_decode(text, position)
    _refuse_half_pairs(value)
    position = _skip(text, position)
    return _skip(text, position + 1) if text[position : position + 1] == "," else position


def _skip(text: str, position: int) -> int:
    match = _BLANKS.match(text, position)
    return match.end() if match else position
