"""Runs as Parquet: one retrieved document a row, or one ranked list a row."""

from __future__ import annotations

from rageval.formats.faults import Faults
from rageval.formats.format import RunFormat
from rageval.formats.names import RUN_NAMES, check_columns
from rageval.formats.opened import Opened
from rageval.formats.parquet import entries_of, is_parquet, nested_columns, open_parquet
from rageval.formats.run_json import run_of_entries
from rageval.formats.run_tidy import run_of_tidy
from rageval.formats.tables import RunTable


def _parse(opened: Opened) -> RunTable:
    check_columns(opened.spec.columns, RUN_NAMES, opened.path)
    columns = opened.spec.columns
    tidy = open_parquet(opened)
    retrieved = columns.get("retrieved", "").partition("[]")[0]
    lists = tidy.find(("retrieved",), {"retrieved": retrieved} if retrieved else {})
    if set(lists.values()) & set(nested_columns(opened)):
        return run_of_entries(entries_of(opened), columns, Faults(opened.lenient))
    return run_of_tidy(tidy, columns, opened.lenient)


PARQUET = RunFormat(
    name="parquet",
    summary="Parquet with the columns of a CSV run, or with a list column of documents.",
    example="columns query_id: string, doc_id: string, score: double",
    detect=is_parquet,
    parse=_parse,
)
FORMATS = (PARQUET,)
