"""A slow and obvious way from rankings to a judged run, for the tests of measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pytest

from rageval.data.judged_run import JudgedRun
from rageval.data.measure import BoundMeasure
from rageval.data.qrels import Qrels
from rageval.data.source import Source
from rageval.measures import MEASURES, compute, parse_measure

Judgments = Mapping[str, Mapping[str, int]]
Rankings = Mapping[str, Sequence[str]]
JudgeLists = Callable[[Judgments, Rankings], JudgedRun]


def _judge_lists(judgments: Judgments, rankings: Rankings) -> JudgedRun:
    qrels = Qrels.from_dict(judgments)
    hits = [
        (i, rank, judgments[query_id][doc_id])
        for i, query_id in enumerate(qrels.query_ids)
        for rank, doc_id in enumerate(rankings.get(query_id, ()), 1)
        if doc_id in judgments[query_id]
    ]
    query, rank, grade = np.array(hits, np.int32).reshape(-1, 3).T.copy()
    retrieved = [len(rankings.get(query_id, ())) for query_id in qrels.query_ids]
    return JudgedRun(
        qrels=qrels,
        query=query,
        rank=rank,
        grade=grade,
        tie_first=rank,
        tie_last=rank,
        retrieved=np.array(retrieved, np.int32),
        in_run=np.array([query_id in rankings for query_id in qrels.query_ids], np.bool_),
        straddled={},
        top_offsets=np.zeros(len(qrels.query_ids) + 1, np.int64),
        top_doc_ids=pa.array([], pa.string()),
        source=Source("", "test", int(sum(retrieved)), 0),
    )


@pytest.fixture(scope="session")
def judge_lists() -> JudgeLists:
    """Return a function from judgments and ranked lists by query to a judged run."""
    return _judge_lists


@pytest.fixture(scope="session")
def values_of() -> Callable[[str, Judgments, Rankings], dict[str, float]]:
    """Return a function from a label, judgments and ranked lists to values by query."""

    def values(label: str, judgments: Judgments, rankings: Rankings) -> dict[str, float]:
        judged = _judge_lists(judgments, rankings)
        computed = compute(parse_measure(label), judged)
        return dict(zip(judged.qrels.query_ids, computed.tolist(), strict=True))

    return values


VARIANTS = ("nDCG(gain=exponential)", "Precision(rel=2)@3", "AP(rel=2)", "RBP(p=0.5)")


def _every_measure() -> list[BoundMeasure]:
    whole = [m.name for m in MEASURES if m.cutoff != "required"]
    cut = [f"{m.name}@{k}" for m in MEASURES if m.cutoff != "none" for k in (1, 4)]
    return [parse_measure(label) for label in (*whole, *cut, *VARIANTS)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "every_measure" in metafunc.fixturenames:
        measures = _every_measure()
        metafunc.parametrize("every_measure", measures, ids=[m.label for m in measures])
