"""CSV and TSV tables: every field is text, and every row knows its line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from rageval.errors import InputError
from rageval.formats.content import Content
from rageval.formats.faults import Faults
from rageval.formats.tables import Where

THREADS_FROM = 8 << 20
"""Bytes from which a file is worth a pool of threads."""

_BLOCK = 16 << 20
_MAX_HEADER = 1 << 20
"""Bytes from which a line is no header any more."""

_LINE_ENDS = re.compile(r"\r\n|\n|\r")


# No possessive quantifiers below: they match wrongly in Python 3.11.2, which Debian 12 has. Counts
# bound the memory that going back takes instead.
_QUOTED = r'"[^"]*(?:""[^"]*){0,1000000}"'
_PIECE = 1000


def _sound_quotes(delimiter: str) -> re.Pattern[bytes]:
    """Match a piece of text up to a quote that opens a field and does not close at its end.

    A quote at the start of a field opens it; elsewhere it is an ordinary character.
    """
    edge = rf"[{delimiter}\r\n]"
    field = rf"(?:(?<={edge})|\A){_QUOTED}(?={edge}|\Z)"
    within = rf'(?<=[^{delimiter}\r\n])"'
    return re.compile(rf'(?:[^"]+|{field}|{within}){{0,{_PIECE}}}'.encode())


def _open_quote(text: memoryview, delimiter: str) -> int:
    """Return the position of the first quote that opens a field and does not close; else -1."""
    sound, position = _sound_quotes(delimiter), 0
    while position < len(text):
        piece = sound.match(text, position)
        assert piece is not None, "no text at all is sound too"
        if piece.end() == position:
            return position
        position = piece.end()
    return -1


def _fields_and_line_ends(delimiter: str) -> re.Pattern[str]:
    return re.compile(rf"(?:(?<=[{delimiter}\r\n])|\A){_QUOTED}|{_LINE_ENDS.pattern}")


@dataclass(frozen=True)
class Header:
    """The first row of a table."""

    names: tuple[str, ...]
    delimiter: str
    lines: int
    """Physical lines up to the end of the header."""
    end: int
    """Bytes up to the end of the header."""


def header_of(content: Content, delimiter: str) -> Header | None:
    """Return the first row as a header where the delimiter stands in it, else None."""
    view = memoryview(content.buffer)
    start, lines = 0, 0
    while start < len(view):
        stop = _line_end(content.buffer, start)
        if stop - start > _MAX_HEADER:
            return None
        line = bytes(view[start:stop]).decode("utf-8", "replace").rstrip("\r\n")
        start, lines = stop, lines + 1
        if line.strip():
            return _as_header(line, delimiter, lines, stop)
    return None


def _line_end(buffer: pa.Buffer, start: int) -> int:
    size = 1 << 12
    while True:
        piece = buffer.slice(start, min(size, buffer.size - start)).to_pybytes()
        position = piece.find(b"\n")
        if position >= 0 or len(piece) == buffer.size - start:
            return start + (position + 1 if position >= 0 else len(piece))
        size *= 8


def _as_header(line: str, delimiter: str, lines: int, end: int) -> Header | None:
    if delimiter not in line:
        return None
    try:
        names = next(csv.reader(io.StringIO(line), delimiter=delimiter, **_quoting(delimiter)))
    except (csv.Error, StopIteration):
        return None
    return Header(tuple(name.strip() for name in names), delimiter, lines, end)


def _quoting(delimiter: str) -> dict[str, Any]:
    # Quotes have no meaning where tabs separate: a query text may hold one that never closes.
    return {"quoting": csv.QUOTE_NONE} if delimiter == "\t" else {}


@dataclass(frozen=True, eq=False)
class Delimited:
    """Fields separated by a delimiter, without a header row in `data`."""

    content: Content
    data: pa.Buffer
    delimiter: str
    width: int
    """Columns in each row."""
    first_line: int
    """1-based number of the line on which `data` starts."""

    @cached_property
    def quoted(self) -> bool:
        """Return whether quotes occur and have a meaning."""
        return self.delimiter in ",;" and bool(re.search(b'"', memoryview(self.data)))

    hint: str = ""
    """What a row should look like, for messages."""
    comments: bool = False
    """Whether a line that starts with `#` and has another width is a comment."""

    def read(self, columns: Sequence[int], faults: Faults) -> tuple[pa.Table, Where]:
        """Read columns by position, as text; rows of another width go to `faults`."""
        self.content.require_utf8()  # Arrow cannot hand over a bad row that is not text
        self._refuse_open_quotes()
        bad: list[Any] = []
        threads = self.data.size >= THREADS_FROM
        table = self._parse(columns, threads, bad)
        if bad and threads:  # only one thread can tell the numbers of bad rows
            bad = []
            table = self._parse(columns, False, bad)
        skipped = frozenset(row.number - 1 for row in bad)
        lines = _Lines(self, skipped)
        for row in bad:
            self._note(row, lines, faults)
        return table, lines.place

    def _refuse_open_quotes(self) -> None:
        # Arrow, like most readers, takes all that follows an open quote for one field.
        if not self.quoted:
            return
        view = memoryview(self.data)
        position = _open_quote(view, self.delimiter)
        if position < 0:
            return
        before = str(view[:position], "utf-8")
        line = self.first_line + len(_LINE_ENDS.findall(before))
        what = "a quote opens a field and does not close at its end"
        hint = 'a field is "text", with each quote inside it written twice'
        raise InputError(what, where=f"{self.content.path}:{line}", hint=hint)

    def _note(self, row: Any, lines: _Lines, faults: Faults) -> None:
        if self.comments and row.text.startswith("#"):
            faults.comments += 1
        elif row.text.strip():
            what = f"{row.actual_columns} fields instead of {row.expected_columns}"
            faults.add(what, lines.place_of_record(row.number - 1), self.hint)

    def _parse(self, columns: Sequence[int], threads: bool, bad: list[Any]) -> pa.Table:
        if not re.search(rb"\S", memoryview(self.data)):
            empty = pa.chunked_array([pa.array([], pa.string())])
            return pa.table({str(i): empty for i in columns})
        try:
            return self._read_csv(columns, threads, bad)
        except pa.ArrowInvalid as error:
            raise InputError(f"cannot be read: {error}", where=self.content.path) from None

    def _read_csv(self, columns: Sequence[int], threads: bool, bad: list[Any]) -> pa.Table:
        from pyarrow import csv as arrow_csv

        def skip(row: Any) -> str:
            bad.append(row)
            return "skip"

        names = [str(i) for i in range(self.width)]
        return arrow_csv.read_csv(
            pa.BufferReader(self.data),
            read_options=arrow_csv.ReadOptions(
                column_names=names, use_threads=threads, block_size=_BLOCK
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=self.delimiter,
                quote_char='"' if self.quoted else False,
                double_quote=self.quoted,
                newlines_in_values=self.quoted,
                invalid_row_handler=skip,
            ),
            convert_options=arrow_csv.ConvertOptions(
                include_columns=[str(i) for i in columns],
                column_types=dict.fromkeys(names, pa.string()),
                null_values=[],
                strings_can_be_null=False,
                check_utf8=False,
            ),
        )


class _Lines:
    """The way from a row of the table back to its line; computed only for messages."""

    def __init__(self, source: Delimited, skipped: frozenset[int]) -> None:
        self._source = source
        self._skipped = skipped

    def place(self, row: int) -> str:
        return self.place_of_record(self._kept[row]) if row < len(self._kept) else self._path

    def place_of_record(self, record: int) -> str:
        starts = self._starts
        return f"{self._path}:{starts[record]}" if record < len(starts) else self._path

    @property
    def _path(self) -> str:
        return self._source.content.path

    @cached_property
    def _kept(self) -> list[int]:
        return [i for i in range(len(self._starts)) if i not in self._skipped]

    @property
    def _tokens(self) -> re.Pattern[str]:
        source = self._source
        return _fields_and_line_ends(source.delimiter) if source.quoted else _LINE_ENDS

    @cached_property
    def _starts(self) -> list[int]:
        text = str(memoryview(self._source.data), "utf-8", "replace")
        starts: list[int] = []
        line = first = self._source.first_line
        begin = 0
        for token in self._tokens.finditer(text):
            line += len(_LINE_ENDS.findall(token[0]))
            if not token[0].startswith('"'):
                starts += [first] if token.start() > begin else []
                first, begin = line, token.end()
        return [*starts, first] if begin < len(text) else starts


def delimited(content: Content, header: Header) -> Delimited:
    """Return the rows below a header."""
    data = content.buffer.slice(header.end)
    return Delimited(content, data, header.delimiter, len(header.names), header.lines + 1)


def read_named(
    content: Content, header: Header, columns: Sequence[str], faults: Faults
) -> tuple[pa.Table, Where]:
    """Read columns by the names that the header gives them."""
    for name in columns:
        if header.names.count(name) > 1:
            where = f"{content.path}:{header.lines}"
            raise InputError(f"the column {name!r} stands twice in the header", where=where)
    positions = [header.names.index(name) for name in columns]
    table, place = delimited(content, header).read(positions, faults)
    return table.select([str(i) for i in positions]).rename_columns(list(columns)), place
