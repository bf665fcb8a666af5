"""The queries that tell most about a comparison, with what each strategy returned for them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rageval.data import Dataset, JudgedRun, Measurements, QueryDetail, Retrieved
from rageval.data.arrays import Floats

MAX_ENTRIES = 10_000
"""Retrieved documents that the details may hold in all: what a page can carry."""
MIN_QUERIES = 60
MAX_JUDGMENTS = 50
"""Judged documents listed per query, best grades first; a pool of hundreds tells nobody more."""


def telling_queries(
    dataset: Dataset,
    judged: Mapping[str, JudgedRun],
    measurements: Measurements,
    primary: str,
    contrast: tuple[str, str] | None,
    depth: int,
) -> tuple[QueryDetail, ...]:
    """Return details of all queries, or of those that change most where there are too many.

    Change is that of the contrast on the primary measure; without a contrast, the spread over
    all strategies. Losses and gains get half the room each, and what the other side leaves.
    Of repeated runs, the first is shown.
    """
    limit = max(MIN_QUERIES, MAX_ENTRIES // max(1, depth * len(judged)))
    chosen = _most_changed(_change(measurements, primary, contrast), limit)
    lookups = {strategy: _Rankings(run, depth) for strategy, run in judged.items()}
    return tuple(_detail(dataset, lookups, int(i)) for i in chosen)


def _change(measurements: Measurements, primary: str, contrast: tuple[str, str] | None) -> Floats:
    if contrast is not None:
        a, b = (measurements.vector(primary, strategy) for strategy in contrast)
        return np.nan_to_num(b - a)
    values = np.nan_to_num(measurements.matrix(primary))
    spread: Floats = values.max(axis=0) - values.min(axis=0)
    return spread


def _most_changed(change: Floats, limit: int) -> list[int]:
    if len(change) <= limit:
        return list(range(len(change)))
    order = np.argsort(change, kind="stable")
    losses, gains = order[change[order] < 0], order[change[order] > 0][::-1]
    n_gains = min(len(gains), max(limit - limit // 2, limit - len(losses)))
    chosen = [*losses[: limit - n_gains].tolist(), *gains[:n_gains].tolist()]
    unchanged = np.flatnonzero(change == 0)[: limit - len(chosen)]
    return sorted([*chosen, *unchanged.tolist()])


class _Rankings:
    """The first documents of each ranking of one strategy, with their grades."""

    def __init__(self, judged: JudgedRun, depth: int) -> None:
        self._judged, self._depth = judged, depth

    def of(self, query: int) -> tuple[Retrieved, ...]:
        judged = self._judged
        first, last = judged.top_offsets[query : query + 2].tolist()
        hits = slice(*judged.offsets[query : query + 2].tolist())
        grades = dict(zip(judged.rank[hits].tolist(), judged.grade[hits].tolist(), strict=True))
        docs = judged.top_doc_ids.slice(first, min(last - first, self._depth)).to_pylist()
        return tuple(Retrieved(doc, grades.get(rank)) for rank, doc in enumerate(docs, 1))


def _detail(dataset: Dataset, rankings: Mapping[str, _Rankings], query: int) -> QueryDetail:
    qrels = dataset.qrels
    first, last = qrels.offsets[query : query + 2].tolist()
    last = min(last, first + MAX_JUDGMENTS)
    docs = qrels.doc_ids.slice(first, last - first).to_pylist()
    return QueryDetail(
        query_id=qrels.query_ids[query],
        judgments=tuple(map(Retrieved, docs, qrels.grade[first:last].tolist())),
        rankings={strategy: ranking.of(query) for strategy, ranking in rankings.items()},
    )
