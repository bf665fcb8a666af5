"""TREC relevance judgments: `query iteration document grade`, one a line."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa

from rageval.errors import InputError
from rageval.formats.content import Content
from rageval.formats.delimited import Delimited
from rageval.formats.faults import Faults
from rageval.formats.format import DatasetFormat, FileRead, ParsedDataset
from rageval.formats.names import refuse_columns
from rageval.formats.opened import Opened
from rageval.formats.tables import DatasetTable, Where
from rageval.formats.tidy import kept

_COLUMNS = "a line is: query, iteration, document, grade, separated by blanks or tabs"
_LOOKED_AT = 50
_GRADE = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?")
_BLANKS = re.compile(rb"[ \t]+")
_LINE_EDGES = re.compile(rb"(?m)^ | (?=\r?$)")
_INNER_BOM = re.compile(b"\n\xef\xbb\xbf")
_LONE_RETURN = re.compile(rb"\r(?!\n|\Z)")


def is_grade(text: str) -> bool:
    """Return whether a field reads like a grade."""
    return _GRADE.fullmatch(text) is not None


def _fields(line: str) -> list[str]:
    return [field for field in line.replace("\t", " ").split(" ") if field]


def _is_judgment(line: str) -> bool:
    fields = _fields(line)
    return len(fields) in (3, 4) and is_grade(fields[-1]) and "," not in fields[0]


def _detect(opened: Opened) -> bool:
    if not opened.is_plain_text:
        return False
    return bool(_judgment_lines(opened))


def read_qrels(content: Content, width: int, faults: Faults) -> tuple[pa.Table, Where]:
    """Read judgments of 4 fields, or 3 without the iteration, as columns query, doc and grade."""
    if _LONE_RETURN.search(memoryview(content.buffer)):
        what = "a carriage return stands alone: lines end with a line feed"
        raise InputError(what, where=content.path, hint="save the file with Unix line ends")
    _refuse_inner_bom(content)
    source = _tidied(content, width)
    columns = (0, width - 2, width - 1)
    table, where = source.read(columns, faults)
    table = table.select([str(i) for i in columns]).rename_columns(["query", "doc", "grade"])
    return _without_comments(table, where, faults)


def _refuse_inner_bom(content: Content) -> None:
    # Left when files are put one behind the other; it would pass for a part of the query's id.
    found = _INNER_BOM.search(memoryview(content.buffer))
    if found:
        where = f"{content.path}:{content.line_at(found.end())}"
        raise InputError("a byte order mark inside the file", where=where, hint="take it out")


def _tidied(content: Content, width: int) -> Delimited:
    """Return the file as fields between single blanks or tabs."""
    delimiter = _lone_delimiter(content.buffer)
    data = content.buffer if delimiter else _single_spaced(content.buffer)
    return Delimited(content, data, delimiter or " ", width, 1, hint=_COLUMNS, comments=True)


def _lone_delimiter(buffer: pa.Buffer) -> str | None:
    """Return the one delimiter of a file, or None where its blanks must be tidied first."""
    byte = np.frombuffer(buffer, np.uint8)
    tab, blank, end = byte == 9, byte == 32, (byte == 10) | (byte == 13)
    space = tab | blank
    doubled = (space[:-1] & (space | end)[1:]).any() or (end[:-1] & space[1:]).any()
    if doubled or space[0] or space[-1] or tab.any() == blank.any():
        return None
    return "\t" if tab.any() else " "


def _single_spaced(buffer: pa.Buffer) -> pa.Buffer:
    single = _BLANKS.sub(b" ", memoryview(buffer))
    return pa.py_buffer(_LINE_EDGES.sub(b"", single))


def _without_comments(table: pa.Table, where: Where, faults: Faults) -> tuple[pa.Table, Where]:
    import pyarrow.compute as pc

    hashed = np.asarray(pc.starts_with(table["query"], "#").to_numpy(zero_copy_only=False), bool)
    comment = np.zeros(len(hashed), bool)
    for row in np.flatnonzero(hashed):
        comment[row] = not is_grade(table["grade"][int(row)].as_py())
    faults.comments += int(comment.sum())
    return kept(table, ~comment, where)


def qrels_table(content: Content, width: int, faults: Faults) -> DatasetTable:
    """Read judgments of 4 or 3 fields."""
    table, where = read_qrels(content, width, faults)
    return DatasetTable(
        table["query"], table["doc"], table["grade"], where, findings=faults.settle()
    )


def _width(opened: Opened) -> int:
    lines = _judgment_lines(opened)
    return len(_fields(lines[0])) if lines else 4


def _judgment_lines(opened: Opened) -> list[str]:
    # A query id may start with #, so that what looks like comments is looked at as well, but last.
    lines = (*opened.data_lines[:_LOOKED_AT], *opened.first_lines[:_LOOKED_AT])
    return [line for line in lines if _is_judgment(line)]


def _parse(opened: Opened) -> ParsedDataset:
    refuse_columns(opened.spec.columns, opened.path)
    if opened.is_folder:
        raise opened.error("is a folder, where a file is wanted")
    table = qrels_table(opened.content, _width(opened), Faults(opened.lenient))
    return ParsedDataset(table, (FileRead(opened.content, len(table.query)),))


TREC_QRELS = DatasetFormat(
    name="trec-qrels",
    summary="TREC judgments: query, iteration (may be absent), document, grade; texts by `topics`.",
    example="q1 0 d7 2\nq1 0 d3 0\n",
    detect=_detect,
    parse=_parse,
)
FORMATS = (TREC_QRELS,)
