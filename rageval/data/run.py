"""What one strategy retrieved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Floats, Ints, frozen
from rageval.data.finding import Finding
from rageval.data.hashing import Hashes, hash_strings
from rageval.data.source import Source


@dataclass(frozen=True, eq=False)
class Run:
    """Rankings of one strategy, each in canonical order and without repeated documents.

    Canonical order: score descending, ties by document id descending in UTF-8 byte order (the
    rule of trec_eval); a list that came without scores keeps its order.
    """

    query_ids: tuple[str, ...]
    """Unique; in any order. Query texts where `keyed_by` is `text`."""
    offsets: Ints
    """(queries + 1,) the ranking of query i is rows `offsets[i]:offsets[i + 1]`."""
    doc_ids: pa.StringArray
    """(rows,)"""
    scores: Floats | None
    """(rows,) or None where the lists came already ranked."""
    source: Source
    keyed_by: Literal["id", "text"] = "id"
    findings: tuple[Finding, ...] = ()
    doc_hashes: Hashes | None = None
    """(rows,) hashes of `doc_ids` where reading has made them already, for the join."""

    def __post_init__(self) -> None:
        assert len(self.offsets) == len(self.query_ids) + 1
        assert int(self.offsets[-1]) == len(self.doc_ids)
        frozen(self.offsets)
        if self.scores is not None:
            assert len(self.scores) == len(self.doc_ids)
            frozen(self.scores)
        if self.doc_hashes is not None:
            assert len(frozen(self.doc_hashes)) == len(self.doc_ids)
            # With hashes of other ids the join would miss judged documents, and nothing would
            # tell. The first and the last stand for all.
            for end in (slice(1), slice(-1, None)):
                assert np.array_equal(hash_strings(self.doc_ids[end]), self.doc_hashes[end])

    @property
    def depths(self) -> Ints:
        """Return how many documents each query retrieved; (queries,)."""
        return np.diff(self.offsets)
