"""Datasets as tables, one judgment a row: CSV, TSV and Parquet."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Bools
from rageval.formats.attributes import NEVER_ATTRIBUTES
from rageval.formats.cells import entries_of_cells, hold_lists
from rageval.formats.dataset_json import dataset_of_entries
from rageval.formats.faults import Faults
from rageval.formats.format import DatasetFormat, FileRead, ParsedDataset
from rageval.formats.ids import bad_ids, derived_id
from rageval.formats.names import DATASET_NAMES, check_columns, folded
from rageval.formats.opened import Opened
from rageval.formats.parquet import entries_of, is_parquet, nested_columns, open_parquet
from rageval.formats.tables import DatasetTable, Where
from rageval.formats.tidy import (
    Tidy,
    good_ids,
    has_header,
    id_columns,
    kept,
    open_delimited,
    text_column,
)

# Our columns beside those of the file; a name with NUL cannot clash with one of them.
_QUERY, _DOC, _GRADE, _TEXT = "\x00query", "\x00doc", "\x00grade", "\x00text"
_WANTED = ("query_id", "query", "relevant_docs", "doc_id", "grade", "grades")


def dataset_of_tidy(
    tidy: Tidy, columns: dict[str, str], faults: Faults, leave: tuple[str, ...] = ()
) -> DatasetTable:
    """Read a table of query, document and grade; a column of relevant documents needs no grade.

    Columns that hold one value for each query become attributes, except those in `leave`.
    """
    found = tidy.find(_WANTED, columns)
    query = found.get("query_id", found.get("query"))
    doc = found.get("relevant_docs", found.get("doc_id"))
    if query is None:
        raise tidy.missing("query_id", "query")
    if doc is None:
        raise tidy.missing("doc_id", "relevant_docs")
    if "grade" not in found and "relevant_docs" not in found:
        raise tidy.missing("grade")
    more = _attribute_names(tidy, found, leave)
    table, where = tidy.read(list(dict.fromkeys([*found.values(), *more])), faults)
    if "relevant_docs" in found and hold_lists(table[doc]):
        lists = [found[ours] for ours in ("relevant_docs", "grades") if ours in found]
        return dataset_of_entries(entries_of_cells(table, lists, faults, where), columns, faults)
    return _of_rows(_as_ours(table, found, where), where, more, faults)


def _of_rows(table: pa.Table, where: Where, attributes: list[str], faults: Faults) -> DatasetTable:
    good = good_ids(table, {"query_id": _QUERY}, faults, where)
    table, where = kept(table, good, where)
    judged = _judged_rows(table)
    rows, where_judged = kept(table, judged, where)
    good = good_ids(rows, {"doc_id": _DOC}, faults, where_judged)
    rows, where_good = kept(rows, good, where_judged)
    return DatasetTable(
        query=rows[_QUERY],
        doc=rows[_DOC],
        grade=rows[_GRADE],
        where=where_good,
        texts=_texts(table),
        attributes=_attributes(table, attributes),
        findings=faults.settle(),
    )


def _attribute_names(tidy: Tidy, found: Mapping[str, str], leave: Collection[str]) -> list[str]:
    used = {*found.values(), *leave}
    return [
        name
        for name in tidy.names
        if name and name not in used and folded(name) not in NEVER_ATTRIBUTES
        if tidy.names.count(name) == 1
    ]


def _as_ours(table: pa.Table, found: Mapping[str, str], where: Where) -> pa.Table:
    """Put query, document, grade and text under fixed names beside the columns of the file."""
    doc = found.get("relevant_docs", found.get("doc_id", ""))
    ids = [name for name in (found.get("query_id"), doc) if name]
    table = id_columns(table, ids, where)
    size = table.num_rows
    text = text_column(table, found["query"], where) if "query" in found else _same(None, size)
    query = table[found["query_id"]] if "query_id" in found else _derived(text)
    grade = table[found["grade"]] if "grade" in found else _same("1", size)
    ours = {_QUERY: query, _DOC: table[doc], _GRADE: grade, _TEXT: text}
    for name, column in ours.items():
        table = table.append_column(name, column)
    return table


def _same(value: str | None, size: int) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array([value] * size, pa.string())])


def _derived(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    known: dict[str | None, str | None] = {
        text: derived_id(text) if text and text.strip() else None
        for text in texts.unique().to_pylist()
    }
    return pa.chunked_array([pa.array([known[t] for t in texts.to_pylist()], pa.string())])


def _judged_rows(table: pa.Table) -> Bools:
    """Return the rows that judge: a row without document and grade only lists its query."""
    return ~(bad_ids(table[_DOC]) & _empty(table[_GRADE]))


def _empty(column: pa.ChunkedArray) -> Bools:
    import pyarrow.compute as pc

    if pa.types.is_string(column.type):
        return bad_ids(column)
    return np.asarray(pc.is_null(column).to_numpy())


def _texts(table: pa.Table) -> dict[str, str]:
    """Return the first text of each query that is not empty, else an empty one."""
    pairs = table.select([_QUERY, _TEXT]).group_by([_QUERY, _TEXT], use_threads=False).aggregate([])
    texts: dict[str, str] = {}
    for query, text in zip(pairs[_QUERY].to_pylist(), pairs[_TEXT].to_pylist(), strict=True):
        if not texts.get(query):
            texts[query] = text or ""
    return texts


def _attributes(table: pa.Table, names: list[str]) -> dict[str, dict[str, str]]:
    found = {name: _constant(table, name) for name in names}
    return {name: values for name, values in found.items() if values}


def _constant(table: pa.Table, name: str) -> dict[str, str] | None:
    """Return the one value that a column has for each query, or None where it has several."""
    pairs = table.select([_QUERY, name]).group_by([_QUERY, name], use_threads=False).aggregate([])
    values: dict[str, str] = {}
    for query, value in zip(pairs[_QUERY].to_pylist(), pairs[name].to_pylist(), strict=True):
        if value is None or value == "":
            continue
        if query in values:
            return None
        values[query] = str(value)
    return values


def _parse_parquet(opened: Opened) -> ParsedDataset:
    check_columns(opened.spec.columns, DATASET_NAMES, opened.path)
    columns, faults = opened.spec.columns, Faults(opened.lenient)
    tidy, nested = open_parquet(opened), nested_columns(opened)
    lists = {ours: path.partition("[]")[0] for ours, path in columns.items()}
    found = tidy.find(("relevant_docs", "grades"), lists)
    if set(found.values()) & set(nested):
        entries = entries_of(opened)
        table, rows = dataset_of_entries(entries, columns, faults), len(entries.values)
    else:
        table = dataset_of_tidy(tidy, columns, faults, nested)
        rows = len(table.query)
    return ParsedDataset(table, (FileRead(opened.content, rows),))


def _format(kind: str, example: str) -> DatasetFormat:
    def parse(opened: Opened) -> ParsedDataset:
        check_columns(opened.spec.columns, DATASET_NAMES, opened.path)
        tidy = open_delimited(opened, kind)
        table = dataset_of_tidy(tidy, opened.spec.columns, Faults(opened.lenient))
        return ParsedDataset(table, (FileRead(opened.content, len(table.query)),))

    return DatasetFormat(
        name=kind,
        summary=f"{kind.upper()} with a header and one judgment a row: query_id, doc_id, grade, "
        "and query where there are texts; other columns become query attributes.",
        example=example,
        detect=lambda opened: has_header(opened, kind, ("query_id", "query")),
        parse=parse,
    )


CSV = _format("csv", "query_id,doc_id,grade,query\nq1,d7,2,How do I reset it?\n")
TSV = _format("tsv", "query_id\tdoc_id\tgrade\nq1\td7\t2\n")
PARQUET = DatasetFormat(
    name="parquet",
    summary="Parquet with the columns of a CSV dataset, or with a list column of documents.",
    example="columns query_id: string, doc_id: string, grade: int32",
    detect=is_parquet,
    parse=_parse_parquet,
)
FORMATS = (PARQUET, CSV, TSV)
