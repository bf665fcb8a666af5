"""Reduce a run to where the judged documents stand in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Bools, Floats, Int32s, Ints
from rageval.data.dataset import Dataset
from rageval.data.judged_run import JudgedRun
from rageval.data.run import Run
from rageval.judging.checks import check_corpus, check_documents, check_queries
from rageval.judging.joining import find_judged
from rageval.judging.queries import axis_positions


def judge(run: Run, dataset: Dataset, *, cutoffs: Sequence[int] = (), depth: int = 10) -> JudgedRun:
    """Find the judged documents in a run, and the rank, grade and tie of each.

    `cutoffs` are the ranks for which ties across the cutoff are reported; `depth` says how many
    ids of each ranking are kept for the drill-down. Queries of the run that nobody judged are
    ignored and counted; judged queries that the run lacks count as empty rankings.

    Raises `InputError` where run and dataset have no query in common, or no document although
    their ids would match if they were written alike.
    """
    position = axis_positions(run, dataset)
    findings = check_queries(run, dataset, position)
    rows, judgments = find_judged(run, dataset.qrels, position)
    findings += check_documents(run, dataset, position, len(rows))
    findings += check_corpus(run, dataset)
    first_row = _first_rows(run, dataset, position)
    query = dataset.qrels.query[judgments]
    tie_first, tie_last = _tie_extents(run, rows)
    retrieved = _retrieved(run, dataset, position)
    starts = first_row[query] - 1
    return JudgedRun(
        qrels=dataset.qrels,
        query=query,
        rank=_int32(rows - starts),
        grade=dataset.qrels.grade[judgments],
        tie_first=_int32(tie_first - starts),
        tie_last=_int32(tie_last - starts),
        retrieved=retrieved,
        in_run=first_row >= 0,
        straddled={k: _straddled(run.scores, first_row, retrieved, k) for k in cutoffs},
        top_offsets=np.concatenate(([0], np.cumsum(np.minimum(retrieved, depth)))).astype(np.int64),
        top_doc_ids=_top_doc_ids(run, first_row, np.minimum(retrieved, depth)),
        source=run.source,
        findings=(*run.findings, *findings),
    )


def _int32(values: Ints) -> Int32s:
    return values.astype(np.int32)


def _first_rows(run: Run, dataset: Dataset, position: Ints) -> Ints:
    """(axis,) the first row of each judged query's ranking, -1 where the run lacks it."""
    first = np.full(len(dataset.query_ids), -1, np.int64)
    judged = position >= 0
    first[position[judged]] = run.offsets[:-1][judged]
    return first


def _retrieved(run: Run, dataset: Dataset, position: Ints) -> Int32s:
    """(axis,) how many documents each judged query retrieved."""
    retrieved = np.zeros(len(dataset.query_ids), np.int32)
    judged = position >= 0
    retrieved[position[judged]] = run.depths[judged]
    return retrieved


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
    before, after = np.maximum(rows - 1, 0), np.minimum(rows + 1, len(scores) - 1)
    other = (before != rows) & (scores[before] == scores[rows])
    return bool((other | ((after != rows) & (scores[after] == scores[rows]))).any())


def _straddled(scores: Floats | None, first_row: Ints, retrieved: Int32s, cutoff: int) -> Bools:
    """(axis,) whether the documents at ranks `cutoff` and `cutoff` + 1 have equal scores."""
    straddled = np.zeros(len(first_row), bool)
    if scores is not None and cutoff > 0:
        deep = np.flatnonzero(retrieved > cutoff)
        last = first_row[deep] + cutoff - 1
        straddled[deep] = scores[last] == scores[last + 1]
    return straddled


def _top_doc_ids(run: Run, first_row: Ints, counts: Int32s) -> pa.StringArray:
    ends = np.cumsum(counts)
    within = np.arange(counts.sum()) - np.repeat(ends - counts, counts)
    return run.doc_ids.take(pa.array(np.repeat(first_row, counts) + within))
