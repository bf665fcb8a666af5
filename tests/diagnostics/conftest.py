"""Judged runs made from ranked lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pytest

from rageval.data import Dataset, Finding, JudgedRun, Measurements, Qrels, Run, Source
from rageval.diagnostics import check_strategies, summarise
from rageval.judging import judge
from rageval.measures import compute, parse_measure

Rankings = Mapping[str, Sequence[str]]


def dataset_of(judgments: Mapping[str, Mapping[str, int]], **fields: object) -> Dataset:
    return Dataset("data", Qrels.from_dict(judgments), **fields)  # type: ignore[arg-type]


def judged_run(
    dataset: Dataset, rankings: Rankings, sha256: str = "", depth: int = 10
) -> JudgedRun:
    """Judge rankings; documents written `d=1` and `e=1` have equal scores, others none."""
    docs, scores, offsets = [], [], [0]
    for ranking in rankings.values():
        for rank, text in enumerate(ranking):
            doc, _, score = text.partition("=")
            docs.append(doc)
            scores.append(float(score) if score else 1000.0 - rank)
        offsets.append(len(docs))
    run = Run(
        tuple(rankings),
        np.array(offsets, np.int64),
        pa.array(docs, pa.string()),
        np.array(scores),
        Source("x.run", "trec-run", len(docs), 1, sha256),
    )
    return judge(run, dataset, cutoffs=(2, 3, 10), depth=depth)


@pytest.fixture
def make_dataset() -> Callable[..., Dataset]:
    return dataset_of


@pytest.fixture
def make_run() -> Callable[..., JudgedRun]:
    return judged_run


@pytest.fixture
def findings() -> Callable[..., list[Finding]]:
    """Return a function from judgments and runs to what is found; the first measure is primary."""

    def check(
        judgments: Mapping[str, Mapping[str, int]],
        runs: Mapping[str, Rankings | JudgedRun],
        *measures: str,
    ) -> list[Finding]:
        dataset = dataset_of(judgments)
        bound = [parse_measure(text) for text in measures or ("ndcg@3",)]
        judged = {
            name: run if isinstance(run, JudgedRun) else judged_run(dataset, run)
            for name, run in runs.items()
        }
        values = np.array([[compute(m, run) for run in judged.values()] for m in bound])
        keys = tuple(m.key for m in bound)
        cube = Measurements(keys, tuple(judged), dataset.query_ids, values)
        cutoff = bound[0].cutoff or 10
        summaries = [summarise(name, run, bound[0], cutoff) for name, run in judged.items()]
        return check_strategies(dataset, judged, cube, summaries, bound, bound[0])

    return check
