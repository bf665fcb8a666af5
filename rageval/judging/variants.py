"""The same hits in another order, to see how much a value depends on what nobody knows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Bools, Int32s, Ints
from rageval.data.judged_run import JudgedRun


def condense(judged: JudgedRun) -> JudgedRun:
    """Rank the judged documents among themselves, as if the unjudged had not been retrieved.

    Sakai (2007), Alternatives to bpref. Documents that were tied stay tied. `straddled` is empty
    and no top ids are kept, for they speak of the full ranking.
    """
    counts = np.diff(judged.offsets)
    rank = np.arange(len(judged.rank)) - judged.offsets[judged.query] + 1
    first, last = _group_bounds(_starts_group(judged))
    shift = rank - np.arange(len(rank))
    return replace(
        _without_top(judged),
        rank=_int32(rank),
        tie_first=_int32(first + shift),
        tie_last=_int32(last + shift),
        retrieved=_int32(counts),
        straddled={},
    )


def reorder_ties(judged: JudgedRun, *, best: bool) -> JudgedRun:
    """Order equal scores as well, or as badly, as the judgments allow.

    Best: within each group of equal scores the highest grades come first and unjudged documents
    last; worst: the reverse. No top ids are kept, for they speak of the canonical order.
    """
    order = np.lexsort((-judged.grade if best else judged.grade, judged.tie_first, judged.query))
    first, last = _group_bounds(_starts_group(judged))
    place = np.arange(len(order))
    rank = judged.tie_first + (place - first) if best else judged.tie_last - (last - place)
    # Groups are contiguous both before and after, so their bounds need no reordering.
    return replace(_without_top(judged), rank=_int32(rank), grade=judged.grade[order])


def _starts_group(judged: JudgedRun) -> Bools:
    """(hits,) whether a hit is the first of its group of equal scores."""
    starts = np.ones(len(judged.query), bool)
    starts[1:] = (judged.query[1:] != judged.query[:-1]) | (
        judged.tie_first[1:] != judged.tie_first[:-1]
    )
    return starts


def _group_bounds(starts_group: Bools) -> tuple[Ints, Ints]:
    """(hits,) index of the first and of the last hit of each hit's group."""
    starts = np.flatnonzero(starts_group)
    group = np.cumsum(starts_group) - 1
    ends = np.append(starts[1:], len(starts_group)) - 1
    return starts[group], ends[group]


def _without_top(judged: JudgedRun) -> JudgedRun:
    no_rows = np.zeros(judged.n_queries + 1, np.int64)
    return replace(judged, top_offsets=no_rows, top_doc_ids=pa.array([], pa.string()))


def _int32(values: Ints) -> Int32s:
    return values.astype(np.int32)
