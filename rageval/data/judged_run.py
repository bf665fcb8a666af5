"""A run reduced to where the judged documents stand in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Bools, Floats, Int32s, Ints, frozen
from rageval.data.finding import Finding
from rageval.data.qrels import Qrels
from rageval.data.source import Source


@dataclass(frozen=True, eq=False)
class JudgedRun:
    """The judged hits of one strategy on one dataset: all that a measure ever needs.

    Hits are sorted by query, then rank. A query that the run lacks has no hits, `retrieved` 0
    and `in_run` False: it counts as an empty ranking.
    """

    qrels: Qrels
    query: Int32s
    """(hits,) position on the query axis."""
    rank: Int32s
    """(hits,) 1-based rank in the full ranking."""
    grade: Int32s
    """(hits,) the judgment's grade."""
    tie_first: Int32s
    """(hits,) first rank of the group of equal scores that the hit stands in."""
    tie_last: Int32s
    """(hits,) last rank of that group; equal to `rank` and `tie_first` where there is no tie."""
    retrieved: Int32s
    """(queries,) how many documents were retrieved."""
    in_run: Bools
    """(queries,) whether the run has the query at all."""
    straddled: dict[int, Bools]
    """cutoff k -> (queries,) whether ranks k and k + 1 have equal scores."""
    top_offsets: Ints
    """(queries + 1,) rows of `top_doc_ids`."""
    top_doc_ids: pa.StringArray
    """The first ids of each ranking, as deep as the drill-down shows."""
    source: Source
    findings: tuple[Finding, ...] = ()
    """What was noticed in this run, and in its repeats."""
    repeats: tuple[JudgedRun, ...] = ()
    """Further runs of the same strategy, such as with other seeds; they have no repeats."""

    def __post_init__(self) -> None:
        hits = (self.query, self.rank, self.grade, self.tie_first, self.tie_last)
        assert len({len(array) for array in hits}) == 1
        assert len(self.retrieved) == len(self.in_run) == self.n_queries
        for array in (*hits, self.retrieved, self.in_run, self.top_offsets):
            frozen(array)

    @property
    def runs(self) -> tuple[JudgedRun, ...]:
        """Return this run and its repeats."""
        return (self, *self.repeats)

    @property
    def n_queries(self) -> int:
        """Return the length of the query axis."""
        return len(self.qrels.query_ids)

    @cached_property
    def offsets(self) -> Ints:
        """(queries + 1,) hits of query i are `offsets[i]:offsets[i + 1]`."""
        counts = np.bincount(self.query, minlength=self.n_queries)
        return frozen(np.concatenate(([0], np.cumsum(counts))).astype(np.int64))

    def sum_by_query(self, values: Floats) -> Floats:
        """Sum a value per hit over the hits of each query, in rank order; (queries,)."""
        return np.bincount(self.query, weights=values, minlength=self.n_queries).astype(np.float64)
