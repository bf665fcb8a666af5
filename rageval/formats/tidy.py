"""Tidy tables, one document a row, from CSV, TSV or Parquet: columns found, ids checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Bools, Floats
from rageval.errors import InputError
from rageval.formats.delimited import Header, read_named
from rageval.formats.faults import Faults
from rageval.formats.ids import ID_HINT, bad_ids, id_column, not_an_id, shortened
from rageval.formats.names import SPELLINGS, find_name, looked_for, name_columns
from rageval.formats.number_text import number_of
from rageval.formats.opened import Opened
from rageval.formats.tables import Where

DELIMITERS = {"csv": (",", ";"), "tsv": ("\t",)}

Reader = Callable[[Sequence[str], Faults], "tuple[pa.Table, Where]"]
"""Names of columns -> those columns and the way back to a row's place."""


@dataclass(frozen=True, eq=False)
class Tidy:
    """A table that is open but not read: its columns and how to read some of them."""

    path: str
    names: tuple[str, ...]
    read: Reader

    def find(self, wanted: Iterable[str], columns: dict[str, str]) -> dict[str, str]:
        """Return our name -> the table's, for those of `wanted` that it has."""
        return name_columns(wanted, self.names, columns, self.path)

    def missing(self, *ours: str) -> InputError:
        """Return the error for a table without a column."""
        looked = "; ".join(f"{name}: looked for {looked_for(name)}" for name in ours)
        what = f"no column for {' or '.join(ours)}; columns: {', '.join(map(repr, self.names))}"
        hint = f"{looked}; `columns` can name another"
        return InputError(what, where=self.path, hint=hint)


def delimited_header(opened: Opened, kind: str) -> Header | None:
    """Return the header of a CSV (`,` or `;`) or TSV file, where the first row can be one."""
    headers = [opened.header(delimiter) for delimiter in DELIMITERS[kind]]
    present = [header for header in headers if header is not None]
    return max(present, key=lambda header: (_known(header), len(header.names)), default=None)


def _known(header: Header) -> int:
    return sum(find_name(ours, header.names) is not None for ours in SPELLINGS)


def has_header(opened: Opened, kind: str, wanted: Iterable[str]) -> bool:
    """Return whether the first row names a query column, as usual or by `columns`."""
    header = delimited_header(opened, kind)
    if header is None:
        return False
    mapped = set(opened.spec.columns.values()) & set(header.names)
    return bool(mapped) or any(find_name(name, header.names) for name in wanted)


def open_delimited(opened: Opened, kind: str) -> Tidy:
    """Open a CSV or TSV file by its header; raise `InputError` where it has none."""
    header = delimited_header(opened, kind) if opened.is_plain_text else None
    if header is None:
        raise opened.error(_no_header(opened, kind))
    found = header

    def read(columns: Sequence[str], faults: Faults) -> tuple[pa.Table, Where]:
        return read_named(opened.content, found, columns, faults)

    return Tidy(opened.path, found.names, read)


def _no_header(opened: Opened, kind: str) -> str:
    if opened.is_folder:
        return "is a folder, where a file is wanted"
    if opened.content.is_parquet:
        return f"is Parquet, where {kind.upper()} is wanted"
    first = opened.first_lines[0] if opened.first_lines else ""
    return f"no {kind.upper()} header in the first line {first[:80]!r}"


def id_columns(table: pa.Table, names: Sequence[str], where: Where) -> pa.Table:
    """Return the table with the columns `names` as text; raise `InputError` for other types."""
    for name in names:
        column = id_column(table[name])
        if column is None:
            what = f"the column {name!r} holds {table[name].type} values, which are no ids"
            raise InputError(what, where=where(0).rpartition(":")[0], hint=ID_HINT)
        table = table.set_column(table.column_names.index(name), name, column)
    return table


def text_column(table: pa.Table, name: str, where: Where) -> pa.ChunkedArray:
    """Return a column of scalars as text; raise `InputError` where its values are no text."""
    try:
        return table[name].cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        what = f"the column {name!r} holds {table[name].type} values, which are no text"
        raise InputError(what, where=where(0).rpartition(":")[0]) from None


def good_ids(table: pa.Table, columns: Mapping[str, str], faults: Faults, where: Where) -> Bools:
    """Return which rows have an id in each column; the others go to `faults`.

    `columns` maps what messages call a column to its name in the table.
    """
    good = np.ones(table.num_rows, bool)
    for called, name in columns.items():
        bad = bad_ids(table[name])
        for row in np.flatnonzero(bad):
            what = f"{called}: {not_an_id(table[name][int(row)].as_py())}"
            faults.add(what, where(int(row)), ID_HINT)
        good &= ~bad
    return good


def numbers(
    column: pa.ChunkedArray, what: str, faults: Faults, where: Where
) -> tuple[Floats, Bools]:
    """Return a column as float64, and which rows held a number; the others go to `faults`.

    A literal `nan` counts as a number: whether it may stand there is for the reader to say.
    """
    import pyarrow.compute as pc

    unfit = pa.types.is_null(column.type) or pa.types.is_boolean(column.type)
    if not unfit and not column.null_count:
        try:
            cast = pc.cast(column, pa.float64(), safe=False)
            return np.asarray(cast.to_numpy(), np.float64), np.ones(len(column), bool)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            pass  # what cannot be cast as a whole is looked at one by one
    return _one_by_one(column, what, faults, where)


def _one_by_one(
    column: pa.ChunkedArray, what: str, faults: Faults, where: Where
) -> tuple[Floats, Bools]:
    values, good = np.full(len(column), np.nan), np.ones(len(column), bool)
    for row, value in enumerate(column.to_pylist()):
        number = number_of(value)
        if number is None:
            faults.add(f"the {what} {shortened(value)} is not a number", where(row))
        good[row] = number is not None
        values[row] = np.nan if number is None else number
    return values, good


def kept(table: pa.Table, good: Bools, where: Where) -> tuple[pa.Table, Where]:
    """Return the good rows and the way back from them."""
    if good.all():
        return table, where
    rows = np.flatnonzero(good)
    return table.filter(pa.array(good)), lambda row: where(int(rows[row]))
