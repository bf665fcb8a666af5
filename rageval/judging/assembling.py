"""Bring what was located in a run, whole or in parts, onto the axis of the dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rageval.data.arrays import Int32s, Ints
from rageval.data.dataset import Dataset
from rageval.data.judged_run import JudgedRun
from rageval.data.run import Run
from rageval.data.source import Source
from rageval.judging.checks import check_queries
from rageval.judging.locating import Located, leading_rows


def join_parts(parts: Sequence[Located], dataset: Dataset, source: Source) -> JudgedRun | None:
    """Join the parts of a run as if it had been judged whole.

    None where the whole has to be looked at: a query stands in two parts, or no document was
    judged.
    """
    query_ids = tuple(chain.from_iterable(part.query_ids for part in parts))
    no_hits = not any(len(part.rank) for part in parts)
    if no_hits or len(set(query_ids)) < len(query_ids):
        return None
    position = np.concatenate([part.position for part in parts])
    findings = check_queries(_outline(query_ids, source), dataset, position)
    return replace(assemble(parts, dataset, source), findings=findings)


def _outline(query_ids: tuple[str, ...], source: Source) -> Run:
    """Return a run that has the queries and no documents."""
    offsets = np.zeros(len(query_ids) + 1, np.int64)
    return Run(query_ids, offsets, pa.array([], pa.string()), None, source)


def assemble(parts: Sequence[Located], dataset: Dataset, source: Source) -> JudgedRun:
    """Bring parts of a run that share no query onto the axis; findings are left to the caller."""
    position = np.concatenate([part.position for part in parts])
    axis_length = len(dataset.query_ids)

    def on_axis(values: Sequence[NDArray[Any]], kind: type) -> NDArray[Any]:
        return _scattered(np.concatenate(values).astype(kind), position, axis_length)

    top_counts = np.concatenate([part.top_counts for part in parts])
    top_starts = _scattered(np.cumsum(top_counts) - top_counts, position, axis_length)
    tops = _scattered(top_counts, position, axis_length)
    order = np.lexsort((_hits(parts, "rank"), _hits(parts, "query")))
    return JudgedRun(
        qrels=dataset.qrels,
        query=_hits(parts, "query")[order],
        rank=_hits(parts, "rank")[order],
        grade=_hits(parts, "grade")[order],
        tie_first=_hits(parts, "tie_first")[order],
        tie_last=_hits(parts, "tie_last")[order],
        retrieved=on_axis([part.depths for part in parts], np.int32),
        in_run=on_axis([np.ones(len(part.position)) for part in parts], np.bool_),
        straddled={
            k: on_axis([part.straddled[k] for part in parts], np.bool_) for k in parts[0].straddled
        },
        top_offsets=np.concatenate(([0], np.cumsum(tops))).astype(np.int64),
        top_doc_ids=_concatenated([part.top_doc_ids for part in parts]).take(
            pa.array(leading_rows(top_starts, tops))
        ),
        source=source,
    )


def _scattered(values: NDArray[Any], position: Ints, length: int) -> NDArray[Any]:
    """Put the value of each query of the run at its place on the axis; 0 where there is none."""
    scattered = np.zeros(length, values.dtype)
    scattered[position[position >= 0]] = values[position >= 0]
    return scattered


def _hits(parts: Sequence[Located], name: str) -> Int32s:
    return np.concatenate([getattr(part, name) for part in parts])


def _concatenated(arrays: Sequence[pa.StringArray]) -> pa.StringArray:
    return arrays[0] if len(arrays) == 1 else pa.concat_arrays(arrays)
