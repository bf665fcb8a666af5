"""From the rows of a run file to rankings in the one canonical order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rageval.data.arrays import Floats, Int32s, Ints
from rageval.data.finding import MAX_EXAMPLES, Finding
from rageval.data.hashing import hash_strings, mix_codes
from rageval.data.run import Run
from rageval.data.source import Source
from rageval.data.ties import equals_next, order_within_ties
from rageval.errors import SHOWN_PROBLEMS, InputError, Problem
from rageval.formats.tables import RunTable


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows of a run and where they stood in the file."""

    query_ids: tuple[str, ...]
    code: Int32s
    """(rows,) position in `query_ids`."""
    doc: pa.StringArray
    score: Floats | None
    row: Ints | None
    """(rows,) row of the table; None where nothing has moved."""

    def table_row(self, position: int) -> int:
        return position if self.row is None else int(self.row[position])

    def take(self, chosen: Ints) -> _Rows:
        return replace(
            self,
            code=self.code[chosen],
            doc=self.doc.take(pa.array(chosen)),
            score=None if self.score is None else self.score[chosen],
            row=chosen if self.row is None else self.row[chosen],
        )


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
    rows, unranked = _drop_nan(_encode(table), table, source, lenient)
    rows = _ranked(rows, descending=order != "ascending")
    rows, repeated = _drop_repeats(rows, table, source, lenient)
    if not len(rows.code) and not table.empty_queries:
        raise InputError("holds no ranking", where=source.path, hint="one line per document")
    return _as_run(rows, table, source, (*table.findings, *unranked, *repeated))


def _as_run(rows: _Rows, table: RunTable, source: Source, findings: tuple[Finding, ...]) -> Run:
    known = set(rows.query_ids)
    empty = tuple(q for q in dict.fromkeys(table.empty_queries) if q not in known)
    query_ids = rows.query_ids + empty
    counts = np.bincount(rows.code, minlength=len(query_ids))
    offsets = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return Run(query_ids, offsets, rows.doc, rows.score, source, table.keyed_by, findings)


# --- encoding ------------------------------------------------------------------------------


def _encode(table: RunTable) -> _Rows:
    query = table.query
    if not pa.types.is_dictionary(query.type):
        query = pc.dictionary_encode(query)
    encoded = _one_array(query)
    query_ids = tuple(encoded.dictionary.to_pylist())
    code = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32, copy=False)
    return _Rows(query_ids, code, _one_array(table.doc), table.score, None)


def _one_array(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    if not isinstance(column, pa.ChunkedArray):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


# --- scores that are not numbers -----------------------------------------------------------


def _drop_nan(
    rows: _Rows, table: RunTable, source: Source, lenient: bool
) -> tuple[_Rows, tuple[Finding, ...]]:
    if rows.score is None or not np.isnan(rows.score.sum()):
        return rows, ()
    unranked = np.flatnonzero(np.isnan(rows.score))
    if not len(unranked):  # inf - inf: the sum is NaN, no score is
        return rows, ()
    if not lenient:
        raise InputError(list(_nan_problems(rows, unranked, table)), total=len(unranked))
    kept = rows.take(np.flatnonzero(~np.isnan(rows.score)))
    return _without_empty_queries(kept), (_nan_finding(unranked, table),)


def _nan_problems(rows: _Rows, unranked: Ints, table: RunTable) -> Iterator[Problem]:
    for position in unranked[:SHOWN_PROBLEMS].tolist():
        query_id, doc_id = _names(rows, position)
        yield Problem(
            f"the score of document {doc_id!r} for query {query_id!r} is NaN",
            table.where(rows.table_row(position)),
            "a number; lenient reading skips the line",
        )


def _nan_finding(unranked: Ints, table: RunTable) -> Finding:
    return Finding(
        code="scores-not-a-number",
        severity="medium",
        what="Lines whose score is NaN",
        count=len(unranked),
        effect="The lines were skipped; the documents count as not retrieved.",
        total=len(table.query),
        examples=_places(table, unranked),
    )


def _without_empty_queries(rows: _Rows) -> _Rows:
    """Drop the queries that lost all their rows."""
    used, code = np.unique(rows.code, return_inverse=True)
    query_ids = tuple(rows.query_ids[i] for i in used.tolist())
    return replace(rows, query_ids=query_ids, code=code.astype(np.int32))


# --- order ---------------------------------------------------------------------------------


def _ranked(rows: _Rows, *, descending: bool) -> _Rows:
    if rows.score is None:
        return rows if _grouped(rows.code) else rows.take(np.argsort(rows.code, kind="stable"))
    key = -rows.score if descending else rows.score
    if _is_canonical(rows.code, key):
        return rows
    return rows.take(_canonical_order(rows, key))


def _grouped(code: Int32s) -> bool:
    """Return whether the rows of each query stand together, in order of the codes."""
    return bool((code[1:] >= code[:-1]).all())


def _is_canonical(code: Int32s, key: Floats) -> bool:
    """Return whether queries stand together and no neighbours within one need a swap or tie."""
    return _grouped(code) and bool(((key[1:] > key[:-1]) | (code[1:] != code[:-1])).all())


def _canonical_order(rows: _Rows, key: Floats) -> Ints:
    order = np.lexsort((key, rows.code))
    same = equals_next(rows.code[order], key[order])
    if not same.any():
        return order
    doc = rows.doc.take(pa.array(order))
    return order[order_within_ties(same, doc)]


# --- repeated documents --------------------------------------------------------------------


def _drop_repeats(
    rows: _Rows, table: RunTable, source: Source, lenient: bool
) -> tuple[_Rows, tuple[Finding, ...]]:
    repeats = _repeats(rows)
    if not repeats:
        return rows, ()
    if not lenient:
        raise InputError(list(_repeat_problems(rows, repeats, table)), total=len(repeats))
    later = np.fromiter(repeats, np.int64, len(repeats))
    kept = rows.take(np.delete(np.arange(len(rows.code)), later))
    return kept, (_repeat_finding(rows, later, table),)


def _repeats(rows: _Rows) -> dict[int, int]:
    """Return the position of each repeat -> the position of the document's best place."""
    hashes = mix_codes(hash_strings(rows.doc), rows.code)
    ordered = np.sort(hashes)
    suspicious = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    if not len(suspicious):
        return {}
    return _confirmed(rows, np.flatnonzero(np.isin(hashes, suspicious)))


def _confirmed(rows: _Rows, suspects: Ints) -> dict[int, int]:
    docs = rows.doc.take(pa.array(suspects)).to_pylist()
    best: dict[tuple[int, str], int] = {}
    repeats = {}
    for position, code, doc_id in zip(
        suspects.tolist(), rows.code[suspects].tolist(), docs, strict=True
    ):
        first = best.setdefault((code, doc_id), position)
        if first != position:
            repeats[position] = first
    return repeats


def _repeat_problems(rows: _Rows, repeats: dict[int, int], table: RunTable) -> Iterator[Problem]:
    in_file_order = sorted((rows.table_row(p), rows.table_row(b), p) for p, b in repeats.items())
    for row, best_row, position in in_file_order[:SHOWN_PROBLEMS]:
        query_id, doc_id = _names(rows, position)
        yield Problem(
            f"query {query_id!r} has document {doc_id!r} again (also {table.where(best_row)})",
            table.where(row),
            "once per query; lenient reading keeps its best place",
        )


def _repeat_finding(rows: _Rows, later: Ints, table: RunTable) -> Finding:
    places = np.sort(np.array([rows.table_row(p) for p in later[:1000].tolist()]))
    return Finding(
        code="repeated-documents",
        severity="medium",
        what="Documents that stand more than once in a ranking",
        count=len(later),
        effect="Each kept its best place and the lists were closed up. Where chunks of one "
        "document share its id, that is what is wanted; otherwise check the retriever.",
        total=len(table.query),
        examples=_places(table, places),
    )


def _places(table: RunTable, rows: Ints | Sequence[int]) -> tuple[str, ...]:
    return tuple(table.where(int(row)) for row in rows[:MAX_EXAMPLES])


def _names(rows: _Rows, position: int) -> tuple[str, str]:
    return rows.query_ids[int(rows.code[position])], rows.doc[position].as_py()
