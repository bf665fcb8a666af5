"""Where the judged documents stand in a run, or in a part of it that holds whole queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Bools, Floats, Int32s, Ints
from rageval.data.dataset import Dataset
from rageval.data.run import Run
from rageval.judging.joining import JudgmentIndex, find_judged
from rageval.judging.queries import axis_positions


@dataclass(frozen=True, eq=False)
class Located:
    """What judging needs to know of some queries of a run, in the order of the run."""

    query_ids: tuple[str, ...]
    position: Ints
    """(queries,) place on the dataset's axis, -1 for a query that nobody judged."""
    depths: Ints
    """(queries,) how many documents were retrieved."""
    straddled: dict[int, Bools]
    """cutoff k -> (queries,) whether ranks k and k + 1 have equal scores."""
    top_counts: Ints
    """(queries,) rows of `top_doc_ids`."""
    top_doc_ids: pa.StringArray
    query: Int32s
    """(hits,) position on the dataset's axis."""
    rank: Int32s
    """(hits,)"""
    grade: Int32s
    """(hits,)"""
    tie_first: Int32s
    """(hits,)"""
    tie_last: Int32s
    """(hits,)"""


def locate(
    run: Run, dataset: Dataset, index: JudgmentIndex, *, cutoffs: Sequence[int], depth: int
) -> Located:
    """Find the judged documents in the rankings, with the rank, grade and tie of each.

    `index` holds the dataset's judgments, prepared once for all parts of a run.
    """
    position = axis_positions(run, dataset)
    rows, judgments = find_judged(run, index, position)
    before_first = run.offsets[np.searchsorted(run.offsets, rows, side="right") - 1] - 1
    tie_first, tie_last = _tie_extents(run, rows)
    top_counts = np.where(position >= 0, np.minimum(run.depths, depth), 0)
    return Located(
        query_ids=run.query_ids,
        position=position,
        depths=run.depths,
        straddled={k: _straddled(run, k) for k in cutoffs},
        top_counts=top_counts,
        top_doc_ids=run.doc_ids.take(pa.array(leading_rows(run.offsets[:-1], top_counts))),
        query=dataset.qrels.query[judgments],
        rank=(rows - before_first).astype(np.int32),
        grade=dataset.qrels.grade[judgments],
        tie_first=(tie_first - before_first).astype(np.int32),
        tie_last=(tie_last - before_first).astype(np.int32),
    )


def leading_rows(starts: Ints, counts: Ints) -> Ints:
    """Return the first `counts[i]` rows from `starts[i]` on, for each i in turn."""
    ends = np.cumsum(counts)
    within = np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)
    rows: Ints = np.repeat(starts, counts) + within
    return rows


def _tie_extents(run: Run, rows: Ints) -> tuple[Ints, Ints]:
    """Return the first and the last row of the group of equal scores that each row stands in."""
    if run.scores is None or not _any_tied(run.scores, rows):
        return rows, rows
    starts_group = np.concatenate(([True], run.scores[1:] != run.scores[:-1]))
    starts_group[run.offsets[:-1][run.depths > 0]] = True
    starts = np.flatnonzero(starts_group)
    group = np.searchsorted(starts, rows, side="right") - 1
    return starts[group], np.append(starts[1:], len(run.scores))[group] - 1


def _any_tied(scores: Floats, rows: Ints) -> bool:
    """Return whether a row's score may be that of a neighbour."""
    before, after = np.maximum(rows - 1, 0), np.minimum(rows + 1, len(scores) - 1)
    equal = (before != rows) & (scores[before] == scores[rows])
    equal |= (after != rows) & (scores[after] == scores[rows])
    return bool(equal.any())


def _straddled(run: Run, cutoff: int) -> Bools:
    """Return whether the documents at ranks `cutoff` and `cutoff` + 1 are tied; (queries,)."""
    straddled = np.zeros(len(run.query_ids), bool)
    if run.scores is not None and cutoff > 0:
        deep = np.flatnonzero(run.depths > cutoff)
        last = run.offsets[deep] + cutoff - 1
        straddled[deep] = run.scores[last] == run.scores[last + 1]
    return straddled
