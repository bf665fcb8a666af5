"""What a parser hands on: the rows of a file as they stand in it, with the way back to a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import pyarrow as pa

from rageval.data.arrays import Floats
from rageval.data.finding import Finding

Where = Callable[[int], str]
"""Row number (0-based) -> `file:line`, for messages."""


@dataclass(frozen=True, eq=False)
class RunTable:
    """Rows of a run in the order of the file."""

    query: pa.Array | pa.ChunkedArray
    """(rows,) string or dictionary of strings: query ids, or query texts where `keyed_by` is
    `text`."""
    doc: pa.Array | pa.ChunkedArray
    """(rows,) string."""
    score: Floats | None
    """(rows,) float64, or None where the lists came already ranked (row order is rank order)."""
    where: Where
    keyed_by: Literal["id", "text"] = "id"
    empty_queries: tuple[str, ...] = ()
    """Queries listed with an empty ranking."""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, eq=False)
class DatasetTable:
    """Judgment rows and queries of a dataset in the order of the file."""

    query: pa.Array | pa.ChunkedArray
    """(rows,) string: the query id of each judgment."""
    doc: pa.Array | pa.ChunkedArray
    """(rows,) string."""
    grade: pa.Array | pa.ChunkedArray
    """(rows,) string as written, or a number; checked and mapped where the dataset is built."""
    where: Where
    judged_queries: tuple[str, ...] = ()
    """Queries that are judged though no row names them (`relevant_docs: []`)."""
    texts: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    corpus_ids: pa.StringArray | None = None
    findings: tuple[Finding, ...] = ()
