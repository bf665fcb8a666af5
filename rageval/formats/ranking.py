"""From the rows of a run file to rankings in the one canonical order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Floats, Int32s, Ints
from rageval.data.finding import MAX_EXAMPLES, Finding
from rageval.data.hashing import Hashes, hash_strings
from rageval.data.run import Run
from rageval.data.source import Source
from rageval.data.threads import map_in_threads
from rageval.data.ties import equals_next, order_within_ties
from rageval.errors import SHOWN_PROBLEMS, InputError, Problem
from rageval.formats.repeats import repeated_documents
from rageval.formats.tables import RunTable


def build_run(
    table: RunTable, *, source: Source, order: str = "descending", lenient: bool = False
) -> Run:
    """Rank the rows of a run file.

    Scores are compared as float64, descending (`order="ascending"` for distances); equal scores
    rank by document id, descending in UTF-8 byte order, whatever the order of the file. Lists
    without scores keep their order. -0.0 and 0.0 are equal; infinities rank like any number.

    Raises `InputError` for a score that is not a number (NaN) and for a document that one
    ranking holds twice, naming the places; `lenient` skips the row, or keeps the document's best
    place and closes the list up, and counts them in a `Finding`. The rules are those of
    trec_eval (form_res_rels.c), except that trec_eval 9 compares float32.
    """
    descending = order != "ascending"
    parts = map_in_threads(lambda rows: _ranked(rows, descending), _whole_queries(table))
    faults = [fault for part in parts for fault in part.faults]
    if faults and not lenient:
        raise _error(faults, table)
    if not table.empty_queries and not any(len(part.code) for part in parts):
        raise InputError("holds no ranking", where=source.path)
    return _joined(parts, table, source, (*table.findings, *_findings(faults, table)))


@dataclass(frozen=True, slots=True)
class _Fault:
    """A row of the table that has no place in a ranking."""

    row: int
    best_row: int | None = None
    """The row of the same document at its best place; None where the score is NaN."""


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows of whole queries, and where they stand in the table."""

    query_ids: tuple[str, ...]
    code: Int32s
    """(rows,) position in `query_ids`."""
    doc: pa.StringArray
    score: Floats | None
    first: int
    """Row of the table that these rows begin with."""
    moved: Ints | None = None
    """(rows,) row of the table, counted from `first`; None where nothing has moved."""
    faults: list[_Fault] = field(default_factory=list)
    hashes: Hashes | None = None
    """(rows,) of the documents, once they were looked at for repeats."""

    def table_row(self, position: int) -> int:
        return self.first + (position if self.moved is None else int(self.moved[position]))

    def take(self, chosen: Ints) -> _Rows:
        return replace(
            self,
            code=self.code[chosen],
            doc=self.doc.take(pa.array(chosen)),
            score=None if self.score is None else self.score[chosen],
            moved=chosen if self.moved is None else self.moved[chosen],
            hashes=None if self.hashes is None else self.hashes[chosen],
        )


def _joined(
    parts: Sequence[_Rows], table: RunTable, source: Source, findings: tuple[Finding, ...]
) -> Run:
    filled = [_without_empty_queries(part) for part in parts]
    query_ids = tuple(chain.from_iterable(part.query_ids for part in filled))
    known = set(query_ids)
    empty = tuple(q for q in dict.fromkeys(table.empty_queries) if q not in known)
    counts = [np.bincount(part.code, minlength=len(part.query_ids)) for part in filled]
    return Run(
        query_ids=query_ids + empty,
        offsets=np.cumsum(np.concatenate(([0], *counts, [0] * len(empty)))).astype(np.int64),
        doc_ids=_one_array([part.doc for part in filled], pa.string()),
        scores=None if table.score is None else _concatenated([part.score for part in filled]),
        source=source,
        keyed_by=table.keyed_by,
        findings=findings,
        doc_hashes=_one_hashes([part.hashes for part in filled]),
    )


def _one_hashes(hashes: Sequence[Hashes | None]) -> Hashes | None:
    known = [part for part in hashes if part is not None]
    return np.concatenate(known) if known and len(known) == len(hashes) else None


def _concatenated(scores: Sequence[Floats | None]) -> Floats:
    return np.concatenate([np.zeros(0), *(part for part in scores if part is not None)])


def _one_array(arrays: Sequence[pa.Array], kind: pa.DataType) -> pa.Array:
    if len(arrays) == 1:
        return arrays[0]
    return pa.concat_arrays(arrays) if arrays else pa.array([], kind)


def _without_empty_queries(rows: _Rows) -> _Rows:
    """Drop the queries that lost all their rows."""
    used = np.bincount(rows.code, minlength=len(rows.query_ids)) > 0
    if used.all():
        return rows
    query_ids = tuple(q for q, is_used in zip(rows.query_ids, used, strict=True) if is_used)
    return replace(rows, query_ids=query_ids, code=(np.cumsum(used) - 1)[rows.code])


# --- rows of whole queries -----------------------------------------------------------------


def _whole_queries(table: RunTable) -> list[_Rows]:
    """Split a table into parts that share no query: its chunks, or else the whole."""
    query, doc = _chunks(table.query), _chunks(table.doc)
    if [len(chunk) for chunk in query] == [len(chunk) for chunk in doc]:
        parts = _encoded(query, doc, table.score)
        ids = list(chain.from_iterable(part.query_ids for part in parts))
        if len(ids) == len(set(ids)):
            return parts
    return _encoded([_combined(table.query)], [_combined(table.doc)], table.score)


def _chunks(column: pa.Array | pa.ChunkedArray) -> list[pa.Array]:
    return column.chunks if isinstance(column, pa.ChunkedArray) else [column]


def _combined(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    if isinstance(column, pa.ChunkedArray) and pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
    return _one_array(_chunks(column), column.type)


def _encoded(
    queries: Sequence[pa.Array], docs: Sequence[pa.Array], score: Floats | None
) -> list[_Rows]:
    parts, first = [], 0
    for query, doc in zip(queries, docs, strict=True):
        encoded = query if pa.types.is_dictionary(query.type) else query.dictionary_encode()
        code = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32, copy=False)
        scores = None if score is None else score[first : first + len(code)]
        parts.append(_Rows(tuple(encoded.dictionary.to_pylist()), code, doc, scores, first))
        first += len(code)
    return parts


# --- order ---------------------------------------------------------------------------------


def _ranked(rows: _Rows, descending: bool) -> _Rows:
    """Rank the rows, without those that have no place; these are in `faults`."""
    return _without_repeats(_ordered(_without_nan(rows), descending))


def _without_nan(rows: _Rows) -> _Rows:
    if rows.score is None or not np.isnan(rows.score).any():
        return rows
    unranked = np.isnan(rows.score)
    faults = [_Fault(rows.table_row(i)) for i in np.flatnonzero(unranked).tolist()]
    return replace(rows.take(np.flatnonzero(~unranked)), faults=faults)


def _ordered(rows: _Rows, descending: bool) -> _Rows:
    if rows.score is None:
        return rows if _grouped(rows.code) else rows.take(np.argsort(rows.code, kind="stable"))
    if not _grouped(rows.code) or not _sorted_within(rows.code, rows.score, descending):
        rows = rows.take(np.lexsort((-rows.score if descending else rows.score, rows.code)))
    assert rows.score is not None
    order = order_within_ties(equals_next(rows.code, rows.score), rows.doc)
    return rows if order is None else rows.take(order)


def _grouped(code: Int32s) -> bool:
    """Return whether the rows of each query stand together, in order of the codes."""
    return bool((code[1:] >= code[:-1]).all())


def _sorted_within(code: Int32s, score: Floats, descending: bool) -> bool:
    """Return whether no two neighbours of one query stand the wrong way round."""
    better, worse = (score[:-1], score[1:]) if descending else (score[1:], score[:-1])
    return bool(((better >= worse) | (code[1:] != code[:-1])).all())


# --- repeated documents --------------------------------------------------------------------


def _without_repeats(rows: _Rows) -> _Rows:
    rows = replace(rows, hashes=hash_strings(rows.doc))
    assert rows.hashes is not None
    repeats = repeated_documents(rows.code, rows.doc, rows.hashes)
    if not repeats:
        return rows
    faults = [_Fault(rows.table_row(p), rows.table_row(best)) for p, best in repeats.items()]
    later = np.fromiter(repeats, np.int64, len(repeats))
    kept = rows.take(np.delete(np.arange(len(rows.code)), later))
    return replace(kept, faults=[*rows.faults, *faults])


# --- what was noticed ----------------------------------------------------------------------


def _error(faults: list[_Fault], table: RunTable) -> InputError:
    in_order = sorted(faults, key=lambda fault: fault.row)[:SHOWN_PROBLEMS]
    return InputError([_problem(fault, table) for fault in in_order], total=len(faults))


def _problem(fault: _Fault, table: RunTable) -> Problem:
    query_id, doc_id = table.query[fault.row].as_py(), table.doc[fault.row].as_py()
    if fault.best_row is None:
        return Problem(
            f"the score of document {doc_id!r} for query {query_id!r} is NaN",
            table.where(fault.row),
            "a number; lenient reading skips the line",
        )
    return Problem(
        f"query {query_id!r} has document {doc_id!r} more than once (also in "
        f"{table.where(fault.best_row)})",
        table.where(fault.row),
        "once per query; lenient reading keeps its best place",
    )


def _findings(faults: list[_Fault], table: RunTable) -> Iterator[Finding]:
    unranked = [fault.row for fault in faults if fault.best_row is None]
    repeated = [fault.row for fault in faults if fault.best_row is not None]
    if unranked:
        yield Finding(
            code="scores-not-a-number",
            severity="medium",
            what="Lines whose score is NaN",
            count=len(unranked),
            effect="The lines were skipped; the documents count as not retrieved there.",
            total=len(table.doc),
            examples=_places(unranked, table),
        )
    if repeated:
        yield Finding(
            code="repeated-documents",
            severity="medium",
            what="Documents that stand more than once in a ranking",
            count=len(repeated),
            effect="Each kept its best place and the lists were closed up. Where several chunks "
            "carry their document's id that is what is wanted; otherwise check the retriever.",
            total=len(table.doc),
            examples=_places(repeated, table),
        )


def _places(rows: list[int], table: RunTable) -> tuple[str, ...]:
    return tuple(table.where(row) for row in sorted(rows)[:MAX_EXAMPLES])
