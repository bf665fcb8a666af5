"""Parquet tables, tidy or with a list column."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from rageval.errors import InputError
from rageval.formats.faults import Faults
from rageval.formats.json_text import Entries
from rageval.formats.opened import Opened
from rageval.formats.tables import Where
from rageval.formats.tidy import Tidy

_NESTED = (pa.types.is_list, pa.types.is_large_list, pa.types.is_map, pa.types.is_struct)


def is_parquet(opened: Opened) -> bool:
    """Return whether a file is Parquet."""
    return not opened.is_folder and opened.content.is_parquet


def open_parquet(opened: Opened) -> Tidy:
    """Open a Parquet file by its schema; raise `InputError` for any other file."""
    schema = _schema(opened)

    def read(columns: Sequence[str], _: Faults) -> tuple[pa.Table, Where]:
        _refuse_twins(opened, [name for name in schema.names if name in columns])
        table = _read(opened, list(columns))
        return table.select(list(columns)), lambda row: f"{opened.path}: row {row + 1}"

    return Tidy(opened.path, tuple(schema.names), read)


def nested_columns(opened: Opened) -> tuple[str, ...]:
    """Return the names of the columns that hold lists, maps or structs."""
    schema = _schema(opened)
    return tuple(f.name for f in schema if any(is_kind(f.type) for is_kind in _NESTED))


def entries_of(opened: Opened) -> Entries:
    """Return the rows as entries, like those of a JSON list."""
    table = _read(opened, None)
    _refuse_twins(opened, table.column_names)
    try:
        rows = table.to_pylist(maps_as_pydicts="strict")
    except KeyError:
        raise opened.error("a map holds a key twice", "each key once in a map") from None
    except (ValueError, OverflowError) as error:
        raise opened.error(f"a value cannot be read: {error}") from None
    return Entries(rows, lambda i: f"{opened.path}: row {i + 1}")


def _refuse_twins(opened: Opened, names: Sequence[str]) -> None:
    twin = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twin is not None:
        raise opened.error(f"the column {twin!r} stands twice", "rename one of them")


def _schema(opened: Opened) -> pa.Schema:
    from pyarrow import parquet

    if opened.is_folder or not opened.content.is_parquet:
        raise opened.error("is not a Parquet file")
    try:
        return parquet.read_schema(pa.BufferReader(opened.content.buffer))
    except (pa.ArrowInvalid, OSError) as error:
        raise _damaged(opened, error) from None


def _read(opened: Opened, columns: list[str] | None) -> pa.Table:
    from pyarrow import parquet

    try:
        buffer = pa.BufferReader(opened.content.buffer)
        return parquet.read_table(buffer, columns=columns, use_threads=False)
    except (pa.ArrowInvalid, OSError) as error:
        raise _damaged(opened, error) from None


def _damaged(opened: Opened, error: Exception) -> InputError:
    return opened.error(f"the Parquet file is damaged: {str(error).splitlines()[0]}")
