"""Cells of a CSV or TSV file that hold a whole list, as JSON or as Python writes it."""

from __future__ import annotations

import ast
import json
from collections.abc import Collection

import pyarrow as pa

from rageval.formats.faults import Faults
from rageval.formats.json_text import Entries
from rageval.formats.tables import Where


def hold_lists(column: pa.ChunkedArray) -> bool:
    """Return whether the first cell that is not empty is a list."""
    import pyarrow.compute as pc

    if not pa.types.is_string(column.type):
        return False
    filled = column.filter(pc.not_equal(column, ""))
    return len(filled) > 0 and filled[0].as_py().strip().startswith("[")


def entries_of_cells(
    table: pa.Table, lists: Collection[str], faults: Faults, where: Where
) -> Entries:
    """Turn rows into entries like those of a JSON list; empty cells are left out."""
    entries: list[object] = []
    rows: list[int] = []
    for row, cells in enumerate(table.to_pylist()):
        filled = {name: cell for name, cell in cells.items() if cell != ""}
        for name in lists:
            if name in filled:
                filled[name] = _list(filled[name])
        if any(filled.get(name, ()) is None for name in lists):
            faults.add("a cell is no list", where(row), 'e.g. ["d7", "d3"]')
            continue
        entries.append(filled)
        rows.append(row)
    return Entries(entries, lambda i: where(rows[i]))


def _list(cell: str) -> list[object] | None:
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(cell)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return value if isinstance(value, list) else None
    return None
