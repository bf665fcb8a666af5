"""Runs as tables, one retrieved document a row: CSV and TSV."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Bools, Floats
from rageval.formats.cells import entries_of_cells, hold_lists
from rageval.formats.faults import Faults
from rageval.formats.format import RunFormat
from rageval.formats.names import RUN_NAMES, check_columns
from rageval.formats.opened import Opened
from rageval.formats.run_json import run_of_entries
from rageval.formats.tables import RunTable, Where
from rageval.formats.tidy import (
    Tidy,
    good_ids,
    has_header,
    id_columns,
    kept,
    numbers,
    open_delimited,
)

_WANTED = ("query_id", "query", "doc_id", "retrieved", "score", "rank")


def run_of_tidy(tidy: Tidy, columns: dict[str, str], lenient: bool) -> RunTable:
    """Read a table of query, document and, if there are, score or rank.

    With a score the rank column is ignored; with a rank alone rows are ordered by it; with
    neither the rows stand in the order of their rankings. A column `retrieved` may hold a whole
    list in each cell.
    """
    found, faults = tidy.find(_WANTED, columns), Faults(lenient)
    query, doc = found.get("query_id", found.get("query")), _document(found)
    if query is None or doc is None:
        raise tidy.missing(*(("query_id", "query") if query is None else ("doc_id", "retrieved")))
    number = found.get("score", found.get("rank"))
    table, where = tidy.read([query, doc, *([number] if number else [])], faults)
    if doc == found.get("retrieved") and hold_lists(table[doc]):
        lists = [doc, *([number] if number else [])]
        return run_of_entries(entries_of_cells(table, lists, faults, where), columns, faults)
    table = id_columns(table, [query, doc], where)
    good = good_ids(table, {query: query, doc: doc}, faults, where)
    score, fit = _score(table, number, "score" if "score" in found else "rank", faults, where)
    table, where = kept(table, good & fit, where)
    run = RunTable(
        query=table[query],
        doc=table[doc],
        score=score[good & fit] if "score" in found else None,
        where=where,
        keyed_by="id" if "query_id" in found else "text",
        findings=faults.settle(),
    )
    return _by_rank(run, score[good & fit]) if number and run.score is None else run


def _document(found: Mapping[str, str]) -> str | None:
    return found.get("doc_id", found.get("retrieved"))


def _score(
    table: pa.Table, name: str | None, what: str, faults: Faults, where: Where
) -> tuple[Floats, Bools]:
    if name is None:
        return np.zeros(table.num_rows), np.ones(table.num_rows, bool)
    return numbers(table[name], what, faults, where)


def _by_rank(run: RunTable, rank: Floats) -> RunTable:
    rows = np.argsort(rank, kind="stable")
    order = pa.array(rows)
    return replace(
        run,
        query=run.query.take(order),
        doc=run.doc.take(order),
        where=lambda row: run.where(int(rows[row])),
    )


def _format(name: str, kind: str, example: str) -> RunFormat:
    def parse(opened: Opened) -> RunTable:
        check_columns(opened.spec.columns, RUN_NAMES, opened.path)
        return run_of_tidy(open_delimited(opened, kind), opened.spec.columns, opened.lenient)

    return RunFormat(
        name=name,
        summary=f"{name.upper()} with a header and one retrieved document a row; without a score "
        "column the rows stand in rank order.",
        example=example,
        detect=lambda opened: has_header(opened, kind, ("query_id", "query")),
        parse=parse,
    )


CSV = _format("csv", "csv", "query_id,doc_id,score\nq1,d7,0.91\nq1,d3,0.44\n")
TSV = _format("tsv", "tsv", "query_id\tdoc_id\tscore\nq1\td7\t0.91\nq1\td3\t0.44\n")
FORMATS = (CSV, TSV)
