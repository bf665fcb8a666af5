"""Relevance judgments on a fixed query axis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Bools, Int32s, Ints, frozen
from rageval.data.order import natural_order


@dataclass(frozen=True, eq=False)
class Qrels:
    """Judgments of (query, document) pairs; an absent pair is unjudged, which is not grade 0.

    Rows are sorted by query, then grade descending, then document id descending, and the pairs
    are unique. Queries without a judgment (`relevant_docs: []`) stand on the axis with no rows.
    """

    query_ids: tuple[str, ...]
    """The query axis: every judged query, in natural order of ids (`q2` before `q10`)."""
    query: Int32s
    """(rows,) position on the axis."""
    doc_ids: pa.StringArray
    """(rows,)"""
    grade: Int32s
    """(rows,) integral grade; negative is judged and not relevant."""

    def __post_init__(self) -> None:
        assert len(self.query) == len(self.doc_ids) == len(self.grade)
        for array in (self.query, self.grade):
            frozen(array)

    @classmethod
    def from_dict(cls, judgments: Mapping[str, Mapping[str, int]]) -> Qrels:
        """Build judgments from `{query_id: {doc_id: grade}}`."""
        pairs = [(q, d, g) for q, docs in judgments.items() for d, g in docs.items()]
        return cls.from_rows(
            (q for q, _, _ in pairs),
            (d for _, d, _ in pairs),
            np.fromiter((g for _, _, g in pairs), np.int32, len(pairs)),
            judgments,
        )

    @classmethod
    def from_rows(
        cls,
        query_ids: Iterable[str],
        doc_ids: Iterable[str] | pa.Array,
        grade: Int32s,
        axis: Iterable[str] = (),
    ) -> Qrels:
        """Build judgments from parallel rows with unique pairs.

        `axis` adds queries without rows.
        """
        rows = list(query_ids)
        ids = natural_order({*rows, *axis})
        position = {query_id: i for i, query_id in enumerate(ids)}
        query = np.fromiter((position[q] for q in rows), np.int32, len(rows))
        docs = doc_ids if isinstance(doc_ids, pa.Array) else pa.array(list(doc_ids), pa.string())
        table = pa.table({"query": query, "grade": np.asarray(grade, np.int32), "doc": docs})
        table = table.sort_by(
            [("query", "ascending"), ("grade", "descending"), ("doc", "descending")]
        ).combine_chunks()
        doc_column = table["doc"].chunk(0) if len(rows) else pa.array([], pa.string())
        return cls(
            ids,
            table["query"].to_numpy().astype(np.int32),
            doc_column,
            table["grade"].to_numpy().astype(np.int32),
        )

    @cached_property
    def offsets(self) -> Ints:
        """(queries + 1,) rows of query i are `offsets[i]:offsets[i + 1]`."""
        counts = np.bincount(self.query, minlength=len(self.query_ids))
        return frozen(np.concatenate(([0], np.cumsum(counts))).astype(np.int64))

    @cached_property
    def position(self) -> Mapping[str, int]:
        """Query id -> position on the axis."""
        return {query_id: i for i, query_id in enumerate(self.query_ids)}

    @cached_property
    def has_relevant(self) -> Bools:
        """(queries,) whether any document of the query has a grade of 1 or more."""
        return frozen(self.relevant(1) > 0)

    def relevant(self, level: int = 1) -> Ints:
        """Count the documents of each query whose grade reaches `level`; (queries,)."""
        return np.bincount(self.query[self.grade >= level], minlength=len(self.query_ids))
