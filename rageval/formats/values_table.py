"""What a parser of per-query values hands on: columns as they stand in a file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import pyarrow as pa

from rageval.data.finding import Finding
from rageval.formats.tables import Where

Column: TypeAlias = "str | pa.ChunkedArray"
"""(rows,) strings, or one string that holds for all rows."""

UNNAMED = ""
"""The measure of a file that does not name it."""


@dataclass(frozen=True, eq=False)
class Block:
    """One column of values and what each of them belongs to."""

    dataset: Column
    measure: Column
    strategy: Column
    query: pa.ChunkedArray
    """(rows,) string."""
    cells: pa.ChunkedArray
    """(rows,) the values as they stand in the file: text, numbers or null."""
    where: Where


@dataclass(frozen=True, eq=False)
class ValuesTable:
    """All values of one file."""

    path: str
    blocks: tuple[Block, ...]
    all_measures: bool = True
    """Whether all measures are compared unless some are chosen; a file that holds a hundred
    gives one by default."""
    findings: tuple[Finding, ...] = ()

    def named(self, strategy: str) -> ValuesTable:
        """Return the same values under another strategy's name."""
        blocks = tuple(replace(block, strategy=strategy) for block in self.blocks)
        return replace(self, blocks=blocks)


def strings(values: list[str]) -> pa.ChunkedArray:
    """Return texts as a column."""
    return pa.chunked_array([pa.array(values, pa.string())])
