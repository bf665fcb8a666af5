"""TREC run files: `query Q0 document rank score tag`, one retrieved document a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Floats, Ints
from rageval.data.finding import MAX_EXAMPLES, Finding
from rageval.data.threads import map_in_threads
from rageval.errors import SHOWN_PROBLEMS, InputError, Problem
from rageval.formats.content import Content
from rageval.formats.tables import RunTable
from rageval.formats.trec_run_blocks import Block, cut, line_of_block, line_text
from rageval.formats.trec_run_lines import (
    SHAPE,
    Lines,
    describe_fault,
    parse_score,
    plain_delimiter,
    tidy,
)


@dataclass(frozen=True, eq=False)
class _Part:
    """What one block of a file holds."""

    block: Block
    query: pa.DictionaryArray
    doc: pa.StringArray
    score: Floats
    line: Ints | None = None
    """(rows,) line of each row within the block, 0-based; None where row i is line i."""
    faulty: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """(faulty lines,) line within the block, 0-based."""
    comments: int = 0

    def line_of_row(self, row: int) -> int:
        return row if self.line is None else int(self.line[row])


def read_trec_run(content: Content, *, lenient: bool = False) -> RunTable:
    r"""Parse a TREC run file.

    Fields are separated by any run of blanks or tabs and lines end at `\n` (a `\r` before it is
    dropped); quotes have no meaning; blank lines are ignored; a line that starts with `#` and has
    not the shape of a data line is a comment, which is counted. The rank column, the second
    column and the tag are ignored. Scores are the float64 that Python's `float` reads.

    Raises `InputError` for lines of another shape, naming the first ten; `lenient` skips them
    and counts them in a `Finding`. Raises `InputError` where no data line is left.
    """
    parts = map_in_threads(lambda block: _read_block(block, content), cut(content.buffer))
    findings = (*_fault_findings(content, parts, lenient), *_comment_findings(parts))
    filled = [part for part in parts if len(part.score)]
    if not filled:
        raise InputError("no line has the shape of a TREC run", where=content.path, hint=SHAPE)
    return _as_table(content, filled, findings)


def read_block(block: Block, content: Content) -> RunTable | None:
    """Parse one block; None where it holds no data, or a line that there is something to say of."""
    part = _read_block(block, content)
    if part.comments or len(part.faulty) or not len(part.score):
        return None
    return _as_table(content, [part], ())


def _as_table(content: Content, parts: Sequence[_Part], findings: tuple[Finding, ...]) -> RunTable:
    ends = np.cumsum([len(part.score) for part in parts])

    def where(row: int) -> str:
        i = int(np.searchsorted(ends, row, side="right"))
        part = parts[i]
        return _place(content, part, part.line_of_row(row - int(ends[i]) + len(part.score)))

    return RunTable(
        query=pa.chunked_array([part.query for part in parts]),
        doc=pa.chunked_array([part.doc for part in parts]),
        score=np.concatenate([part.score for part in parts]),
        where=where,
        findings=findings,
    )


def _place(content: Content, part: _Part, line: int) -> str:
    return f"{content.path}:{line_of_block(content.buffer, part.block) + line}"


# --- one block -----------------------------------------------------------------------------


def _read_block(block: Block, content: Content) -> _Part:
    delimiter = plain_delimiter(block.data)
    part = _read_plainly(block, delimiter) if delimiter else None
    return part or _read_carefully(block, content)


def _read_plainly(block: Block, delimiter: str) -> _Part | None:
    """Read a block whose lines are all alike; None where one of them wants a closer look."""
    try:
        query, doc, score = _columns(block.data, delimiter, pa.float64())
    except pa.ArrowInvalid:
        return None
    scores = score.to_numpy()
    return None if np.isnan(scores).any() else _Part(block, query, doc, scores)


def _read_carefully(block: Block, content: Content) -> _Part:
    try:
        str(memoryview(block.data), "utf-8")
    except UnicodeDecodeError as error:
        raise content.not_utf8(block.start + error.start) from None
    lines = tidy(block.data)
    nothing = pa.array([], pa.string())
    columns = (nothing.dictionary_encode(), nothing, nothing)
    if len(lines.numbers):
        columns = _columns(lines.data, " ", pa.string())
    return _with_scores(block, columns, lines)


def _with_scores(
    block: Block, columns: tuple[pa.DictionaryArray, pa.StringArray, pa.StringArray], lines: Lines
) -> _Part:
    """Read the scores as Python does, and set apart the lines whose score is no number."""
    query, doc, texts = columns
    parsed = [parse_score(text) for text in texts.to_pylist()]
    good = np.array([score is not None for score in parsed], bool)
    bad = np.flatnonzero(~good)
    comment = np.array([query[i].as_py().startswith("#") for i in bad.tolist()], bool)
    return _Part(
        block,
        _compact(query.filter(pa.array(good))),
        doc.filter(pa.array(good)),
        np.array([score for score in parsed if score is not None], np.float64),
        lines.numbers[good],
        np.sort(np.concatenate((lines.faulty, lines.numbers[bad[~comment]]))),
        lines.comments + int(comment.sum()),
    )


def _compact(query: pa.DictionaryArray) -> pa.DictionaryArray:
    """Drop the queries that no row names any more."""
    return query.dictionary_decode().dictionary_encode()


def _columns(
    data: pa.Buffer, delimiter: str, score: pa.DataType
) -> tuple[pa.DictionaryArray, pa.StringArray, pa.Array]:
    """Read the columns that count; raise `pa.ArrowInvalid` where a line does not fit."""
    from pyarrow import csv

    table = csv.read_csv(
        pa.BufferReader(data),
        csv.ReadOptions(
            column_names=["query", "q0", "doc", "rank", "score", "tag"],
            use_threads=False,
            block_size=data.size,
        ),
        csv.ParseOptions(
            delimiter=delimiter, quote_char=False, double_quote=False, ignore_empty_lines=False
        ),
        csv.ConvertOptions(
            include_columns=["query", "doc", "score"],
            column_types={
                "query": pa.dictionary(pa.int32(), pa.string()),
                "doc": pa.string(),
                "score": score,
            },
            null_values=[],
            strings_can_be_null=False,
        ),
    )
    return tuple(column.combine_chunks() for column in table.columns)


# --- what was noticed ----------------------------------------------------------------------


def _fault_findings(content: Content, parts: Sequence[_Part], lenient: bool) -> tuple[Finding, ...]:
    total = sum(len(part.faulty) for part in parts)
    if not total:
        return ()
    if not lenient:
        raise InputError(_first(_problems(content, parts), SHOWN_PROBLEMS), total=total)
    places = [problem.where for problem in _first(_problems(content, parts), MAX_EXAMPLES)]
    return (
        Finding(
            code="malformed-lines",
            severity="medium",
            what="Lines that are not those of a TREC run",
            count=total,
            effect=f"They were skipped. A line has {SHAPE}.",
            total=total + sum(len(part.score) for part in parts),
            examples=tuple(places),
        ),
    )


def _problems(content: Content, parts: Sequence[_Part]) -> Iterator[Problem]:
    for part in parts:
        for line in part.faulty.tolist():
            what, hint = describe_fault(line_text(part.block, line))
            yield Problem(what, _place(content, part, line), hint)


def _first(problems: Iterator[Problem], count: int) -> list[Problem]:
    return [problem for problem, _ in zip(problems, range(count), strict=False)]


def _comment_findings(parts: Sequence[_Part]) -> tuple[Finding, ...]:
    comments = sum(part.comments for part in parts)
    if not comments:
        return ()
    return (
        Finding(
            code="comment-lines",
            severity="low",
            what="Lines that start with # and are no data",
            count=comments,
            effect="They were read as comments.",
        ),
    )
