"""The tasks: one line each around the pure stages of `rageval.evaluation` and `rageval.report`.

Records travel sealed, so that Prefect neither walks nor copies them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from flows.sealed import Sealed
from flows.stage import stage
from rageval.data import (
    BoundMeasure,
    Comparison,
    Dataset,
    EvaluationResult,
    JudgedRun,
    Measurements,
    StrategyFailure,
)
from rageval.data.arrays import Floats
from rageval.evaluation import conclusion, stages
from rageval.evaluation.conclusion import DatasetParts
from rageval.evaluation.plan import Evaluation
from rageval.report.outputs import Outcome, Rendered, ReportFormat, report_bytes, write_report

Compared = tuple[list[Comparison], list[Comparison]]


@stage("load dataset", "load[{name}]", reads=True)
def load(evaluation: Sealed[Evaluation], name: str) -> Sealed[Dataset]:
    """Read a dataset."""
    return Sealed(stages.load_dataset(evaluation.value, name))


@stage("judge", "judge[{strategy}]", reads=True)
def judge(
    evaluation: Sealed[Evaluation], dataset: Sealed[Dataset], strategy: str
) -> Sealed[JudgedRun]:
    """Read what a strategy retrieved and find the judged documents in it."""
    return Sealed(stages.judge_strategy(evaluation.value, dataset.value, strategy))


@stage("measure", "measure[{strategy}|{family}]")
def measure(
    judged: Sealed[JudgedRun], measures: Sealed[Sequence[BoundMeasure]], strategy: str, family: str
) -> Sealed[Mapping[str, Floats]]:
    """Compute the measures of one family for one strategy; measure key -> (queries,)."""
    values = stages.measure_strategy(judged.value, measures.value)
    keys = [measure.key for measure in measures.value]
    return Sealed(dict(zip(keys, values, strict=True)))


@stage("compare", "compare[{measure}]")
def compare(
    evaluation: Sealed[Evaluation], measurements: Sealed[Measurements], measure: str
) -> Sealed[Compared]:
    """Compare all pairs of strategies, and the planned ones, on one measure."""
    return Sealed(stages.compare_measure(evaluation.value, measurements.value, measure))


@stage("conclude", "conclude")
def conclude(
    evaluation: Sealed[Evaluation],
    parts: Sealed[Sequence[DatasetParts]],
    failures: Sealed[Sequence[StrategyFailure]],
    run_id: str,
    created: str,
) -> Sealed[EvaluationResult]:
    """Bring the parts together, with what was noticed about the data."""
    return Sealed(
        conclusion.conclude(
            evaluation.value, parts.value, failures.value, run_id=run_id, created=created
        )
    )


@stage("render", "render[{form}]")
def render(
    result: Sealed[EvaluationResult], form: ReportFormat, templates: Path | None
) -> Sealed[Rendered]:
    """Render the report in one format."""
    return Sealed(Rendered(form, report_bytes(result.value, form, templates)))


@stage("publish", "publish")
def publish(
    result: Sealed[EvaluationResult], rendered: Sealed[Sequence[Rendered]], reports: Path
) -> Sealed[Outcome]:
    """Write the report's folder, whole or not at all."""
    return Sealed(write_report(result.value, rendered.value, reports))
