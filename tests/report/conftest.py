"""Results made by hand, with everything that is hard to write down."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rageval.data import (
    Comparison,
    DatasetResult,
    EvaluationResult,
    Finding,
    Measurements,
    Provenance,
    QueryDetail,
    Retrieved,
    SliceComparison,
    Source,
    Strategy,
    StrategyFailure,
    StrategySummary,
)
from rageval.data.result import MeasureInfo

HOSTILE = '<script>alert(1)</script> a<b & "c" | `x` *y* _z_ [l](http://e.x) $m$ @all \\ #1'
NAN = math.nan


def _comparison(measure: str, a: str, b: str, family: str) -> Comparison:
    return Comparison(
        measure=measure,
        a=a,
        b=b,
        n=3,
        mean_a=0.1 + 0.2,
        mean_b=2 / 3,
        mean_difference=2 / 3 - (0.1 + 0.2),
        sd_difference=0.25,
        ci_low=-0.25,
        ci_high=math.inf,
        simultaneous_low=-math.inf,
        simultaneous_high=1.25,
        test="paired-t",
        statistic=2.5,
        df=2.0,
        p_value=0.04,
        p_adjusted=0.08,
        correction="holm",
        family=family,
        family_size=2,
        d_z=1.5,
        d_z_low=NAN,
        d_z_high=NAN,
        g_z=1.2,
        wins=np.int64(2),  # type: ignore[arg-type]
        ties=1,
        losses=0,
        detectable_difference=0.4,
        relative_change=NAN,
        finding="inconclusive",
        within_margin=None,
        queries_needed=12,
        note="",
        p_check=None,
    )


def _dataset(name: str, names: tuple[str, ...]) -> DatasetResult:
    a, b = names
    values = np.array(
        [[[1 / 3, 0.1, 5e-324], [1.0, 0.0, 2 / 3]], [[0.5, NAN, 1.0], [NAN, NAN, NAN]]]
    )
    planned = _comparison("ndcg@10", a, b, "planned")
    return DatasetResult(
        name=name,
        measurements=Measurements(("ndcg@10", "judged@5"), names, ("q1", "-2", "ق3"), values),
        n_judgments=40,
        n_relevant=12,
        comparisons=(_comparison("ndcg@10", a, b, "all pairs"),),
        planned=(planned, replace(planned, measure="judged@5", finding="not testable", n=0)),
        slices=(SliceComparison("kind", "how-to", planned),),
        strategies=(
            StrategySummary(a, 3, 10, 10.0, 10, 10, 0.3, 0.2, 0.5, 1, 0.2, 0.4),
            StrategySummary(b, 2, 0, 7.5, 10, 10, NAN, NAN, NAN, 0, 0.3, 0.3),
        ),
        details=(
            QueryDetail(
                "q1",
                (Retrieved("d1", 2), Retrieved("d2", -1)),
                {a: (Retrieved("d1", 2), Retrieved("d9", None)), b: ()},
            ),
        ),
        texts={"q1": "=cmd|'/c calc'!A1", "ق3": 'says "hi",\r\nthen نعم \ud800'},
        attributes={"kind": {"q1": "how-to", "-2": "+1"}, "<b>": {"q1": "@x"}},
        findings=(Finding("ties", "low", "Ties", 2, "None.", 3, a, name, ("f:1", "f:2")),),
        sources=(Source("qrels.txt", "trec-qrels", 40, 512, "ab" * 32),),
    )


@pytest.fixture
def odd_result() -> EvaluationResult:
    """Return a result with two datasets, hostile names, and numbers that do not exist."""
    names = (HOSTILE, "=dense")
    return EvaluationResult(
        name="odd",
        title=f"Odd {HOSTILE}",
        config={"name": "odd", "comparison": {"alpha": 0.05}, "measures": ["ndcg@10"], "n": None},
        strategies=(
            Strategy(HOSTILE, "the <b>old</b> one", "production"),
            Strategy("=dense", "", "candidate"),
            Strategy("broken"),
        ),
        measures=(
            MeasureInfo("ndcg@10", "nDCG@10", "nDCG", 10, "Early hits.", "DCG / IDCG", "JK02"),
            MeasureInfo("judged@5", "Judged@5", "Judged", 5, "Judged.", "j / k", "own"),
        ),
        primary="ndcg@10",
        alpha=0.05,
        correction="holm",
        test="paired-t",
        contrasts=((HOSTILE, "=dense"),),
        datasets=(_dataset("one", names), _dataset("two|<i>", names)),
        provenance=Provenance("2026-11-30T06:00:00Z", "r1", {"numpy": "2.0"}, 7),
        equivalence_margin=None,
        failures=(StrategyFailure("broken", "one", "bad.run:3: <b>not</b> a number\nf:4: nor |"),),
    )


@pytest.fixture
def large_result(odd_result: EvaluationResult) -> EvaluationResult:
    """Return 10,000 queries x 10 strategies x 5 measures."""
    rng = np.random.default_rng(7)
    keys = tuple(f"ndcg@{k}" for k in range(1, 6))
    names = tuple(f"s{i}" for i in range(10))
    queries = tuple(f"q{i}" for i in range(10_000))
    cube = Measurements(keys, names, queries, rng.random((5, 10, 10_000)))
    dataset = replace(odd_result.datasets[0], measurements=cube, planned=(), comparisons=())
    infos = tuple(MeasureInfo(k, k, "nDCG", 1, "", "", "") for k in keys)
    return replace(
        odd_result,
        strategies=tuple(Strategy(name) for name in names),
        measures=infos,
        primary="ndcg@1",
        contrasts=(),
        datasets=(dataset,),
        failures=(),
    )
