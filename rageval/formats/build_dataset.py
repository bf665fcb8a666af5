"""From the rows of a dataset's files to a `Dataset`: grades, repeats, and what does not fit."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from rageval.config.models import DatasetSpec
from rageval.data.arrays import Bools, Int32s, Ints
from rageval.data.dataset import Dataset
from rageval.data.finding import MAX_EXAMPLES, Finding, Severity
from rageval.data.order import natural_order
from rageval.data.qrels import Qrels
from rageval.data.source import Source
from rageval.errors import InputError, did_you_mean
from rageval.formats.corpus import missing_from
from rageval.formats.faults import Faults
from rageval.formats.grades import grades_of
from rageval.formats.tables import DatasetTable, Where


@dataclass(frozen=True, eq=False)
class _Rows:
    """Judgments with grades, one row each."""

    query: pa.Array
    doc: pa.Array
    grade: Int32s
    where: Where


def build_dataset(
    table: DatasetTable, spec: DatasetSpec, *, sources: tuple[Source, ...], lenient: bool = False
) -> Dataset:
    """Check the judgments and lay them on the query axis.

    Raises `InputError` for grades that are no whole numbers and for a document judged twice with
    another grade; `lenient` skips the former, keeps the highest of the latter, and counts both.
    Identical repeats, queries without judgments and documents that the corpus lacks are findings.
    """
    rows, skipped = _graded(table, spec.grade_map, lenient)
    rows, repeated = _unique(rows, lenient)
    qrels = Qrels.from_rows(rows.query.to_pylist(), rows.doc, rows.grade, table.judged_queries)
    if not qrels.query_ids:
        raise InputError("holds no judgments", where=spec.path)
    axis = set(qrels.query_ids)
    unjudged = natural_order(query for query in table.texts if query not in axis)
    return Dataset(
        name=spec.name,
        qrels=qrels,
        texts={query: text for query, text in table.texts.items() if text},
        attributes=_attributes(table.attributes, spec),
        unjudged_queries=unjudged,
        corpus_ids=table.corpus_ids,
        sources=sources,
        findings=(
            *table.findings,
            *skipped,
            *repeated,
            *_unlisted(qrels.query_ids, table.texts),
            *_unjudged(unjudged, len(table.texts)),
            *_outside_corpus(qrels, table.corpus_ids),
        ),
    )


def _graded(
    table: DatasetTable, grade_map: Mapping[str, int], lenient: bool
) -> tuple[_Rows, tuple[Finding, ...]]:
    faults = Faults(
        lenient,
        "unreadable-grades",
        "Judgments whose grade is no whole number",
        "They were skipped, because `lenient` is set. Mend the judgments or give a `grade_map`.",
    )
    grade, good = grades_of(table.grade, grade_map, faults, table.where)
    findings = faults.settle()
    kept = np.flatnonzero(good)
    query, doc = _one_chunk(table.query), _one_chunk(table.doc)
    if len(kept) == len(good):
        return _Rows(query, doc, grade, table.where), findings
    rows = pa.array(kept)

    def back(row: int) -> str:
        return table.where(int(kept[row]))

    return _Rows(query.take(rows), doc.take(rows), grade[kept], back), findings


def _unique(rows: _Rows, lenient: bool) -> tuple[_Rows, tuple[Finding, ...]]:
    """Leave one row for each judged pair: the first, with the highest grade."""
    key = _pair_keys(rows)
    order = np.argsort(key, kind="stable")
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    if len(first) == len(order):
        return rows, ()
    grades = rows.grade[order]
    highest, lowest = np.maximum.reduceat(grades, first), np.minimum.reduceat(grades, first)
    sizes = np.diff(first, append=len(order))
    findings = (
        *_conflicts(rows, order, first, sizes, highest != lowest, lenient),
        *_repeats(rows, order[first[(sizes > 1) & (highest == lowest)] + 1], int(sizes.sum())),
    )
    position = np.sort(order[first])
    chosen = pa.array(position)
    grade = highest[np.argsort(order[first])]
    where = rows.where
    unique = _Rows(
        rows.query.take(chosen), rows.doc.take(chosen), grade, lambda i: where(int(position[i]))
    )
    return unique, findings


def _pair_keys(rows: _Rows) -> Ints:
    query, doc = rows.query.dictionary_encode(), rows.doc.dictionary_encode()
    codes = query.indices.to_numpy().astype(np.int64) * max(len(doc.dictionary), 1)
    return np.asarray(codes + doc.indices.to_numpy(), np.int64)


def _conflicts(
    rows: _Rows, order: Ints, first: Ints, sizes: Ints, conflicting: Bools, lenient: bool
) -> tuple[Finding, ...]:
    faults = Faults(
        lenient,
        "conflicting-judgments",
        "Documents judged more than once for a query, with different grades",
        "The highest grade stands, because `lenient` is set. Decide which judgment is right.",
    )
    for group in sorted(np.flatnonzero(conflicting), key=lambda g: int(order[first[g]])):
        members = order[first[group] : first[group] + sizes[group]]
        grades = rows.grade[members]
        row = int(members[np.flatnonzero(grades != grades[0])[0]])
        what = (
            f"query {rows.query[row].as_py()!r} judges document {rows.doc[row].as_py()!r} as "
            f"{rows.grade[row]} here and as {grades[0]} at {rows.where(int(members[0]))}"
        )
        faults.add(what, rows.where(row), "one grade for each document")
    return faults.settle()


def _repeats(rows: _Rows, second: Ints, total: int) -> tuple[Finding, ...]:
    if not len(second):
        return ()
    examples = tuple(rows.where(int(row)) for row in np.sort(second)[:MAX_EXAMPLES])
    what, effect = "Judgments that stand twice with the same grade", "Each counts once."
    found = Finding("repeated-judgments", "low", what, len(second), effect, total)
    return (replace(found, examples=examples),)


def _one_chunk(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    return column.chunk(0) if isinstance(column, pa.ChunkedArray) else column


def _attributes(
    known: Mapping[str, Mapping[str, str]], spec: DatasetSpec
) -> Mapping[str, Mapping[str, str]]:
    if spec.attributes is None:
        return known
    for name in spec.attributes:
        if name not in known:
            hint = did_you_mean(name, known) if known else "no query has an attribute"
            raise InputError(f"no query attribute {name!r}", where=spec.path, hint=hint)
    return {name: known[name] for name in spec.attributes}


def _unlisted(axis: Collection[str], texts: Mapping[str, str]) -> tuple[Finding, ...]:
    missing = [query for query in axis if query not in texts] if texts else []
    what = "Judged queries that the queries file lacks"
    effect = "They are evaluated as any other, without a text. Complete the queries file."
    return _finding("judged-queries-not-listed", "medium", what, missing, effect, len(axis))


def _unjudged(unjudged: Collection[str], listed: int) -> tuple[Finding, ...]:
    what = "Queries that nobody judged"
    effect = "They are left out for every strategy: without a judgment there is nothing to measure."
    return _finding("queries-without-judgments", "medium", what, unjudged, effect, listed)


def _outside_corpus(qrels: Qrels, corpus: pa.StringArray | None) -> tuple[Finding, ...]:
    missing = [] if corpus is None else missing_from(qrels.doc_ids, corpus)
    ids = dict.fromkeys(qrels.doc_ids[i].as_py() for i in missing)
    what = "Judgments of documents that the corpus lacks"
    effect = (
        "No strategy can retrieve them; relevant ones lower every recall and nDCG. "
        "Check that judgments and corpus belong together."
    )
    found = _finding("judged-documents-not-in-corpus", "medium", what, ids, effect)
    return tuple(replace(f, count=len(missing), total=len(qrels.doc_ids)) for f in found)


def _finding(
    code: str, severity: Severity, what: str, ids: Collection[str], effect: str, total: int = 0
) -> tuple[Finding, ...]:
    if not ids:
        return ()
    examples = natural_order(ids)[:MAX_EXAMPLES]
    return (Finding(code, severity, what, len(ids), effect, total, examples=examples),)
