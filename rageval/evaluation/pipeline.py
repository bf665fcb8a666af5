"""The whole evaluation in one process: the stages in a row, without an orchestrator."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from rageval.config.models import EvaluationConfig
from rageval.data import Dataset, EvaluationResult, JudgedRun, StrategyFailure
from rageval.data.arrays import Floats
from rageval.errors import ConfigError, InputError, Problem, RagevalError
from rageval.evaluation.conclusion import DatasetParts, conclude
from rageval.evaluation.plan import Evaluation, load
from rageval.evaluation.stages import (
    compare_measure,
    gather,
    judge_strategy,
    load_dataset,
    measure_strategy,
)

Progress = Callable[[str], None]


def evaluate(
    config: Path | str | Mapping[str, object] | EvaluationConfig | Evaluation,
    *,
    run_id: str = "run",
    created: str | None = None,
    progress: Progress = lambda step: None,
) -> EvaluationResult:
    """Evaluate and compare the strategies of a configuration.

    `config` is a YAML file, a mapping of the same shape, or the checked record; `created` is the
    UTC time in ISO 8601 that the result carries, by default now. Raises `ConfigError` for a
    configuration that cannot be used and `InputError` for a dataset that cannot, or where every
    strategy failed; a strategy that fails alone is in the result's `failures`.
    """
    evaluation = load(config)
    failures: list[StrategyFailure] = []
    parts = [_evaluate(evaluation, spec.name, failures, progress) for spec in evaluation.datasets]
    return conclude(evaluation, parts, failures, run_id=run_id, created=created or utc_now())


def utc_now() -> str:
    """Return the present time, or SOURCE_DATE_EPOCH where it is set, in UTC to the second.

    Raises `ConfigError` where the variable is no time.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.now(UTC) if epoch is None else _at(epoch)
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


def _at(epoch: str) -> datetime:
    try:
        return datetime.fromtimestamp(int(epoch), UTC)
    except (ValueError, OverflowError, OSError):
        what = f"the environment variable SOURCE_DATE_EPOCH is {epoch!r}"
        raise ConfigError(what, hint="whole seconds since 1970, such as 1796018400") from None


def _evaluate(
    evaluation: Evaluation, name: str, failures: list[StrategyFailure], progress: Progress
) -> DatasetParts:
    progress(f"load {name}")
    dataset = load_dataset(evaluation, name)
    judged: dict[str, JudgedRun] = {}
    values: dict[str, dict[str, Floats]] = {}
    for strategy in evaluation.strategies:
        progress(f"judge {strategy.name}")
        try:
            judged[strategy.name] = judge_strategy(evaluation, dataset, strategy.name)
        except RagevalError as error:
            failures.append(StrategyFailure(strategy.name, name, str(error)))
            continue
        values[strategy.name] = measured(evaluation, judged[strategy.name])
    return assemble(evaluation, dataset, judged, values, failures, progress)


def measured(evaluation: Evaluation, judged: JudgedRun) -> dict[str, Floats]:
    """Compute every measure of the evaluation; measure key -> (queries,)."""
    keys = [measure.key for measure in evaluation.measures]
    return dict(zip(keys, measure_strategy(judged, evaluation.measures), strict=True))


def assemble(
    evaluation: Evaluation,
    dataset: Dataset,
    judged: Mapping[str, JudgedRun],
    values: Mapping[str, Mapping[str, Floats]],
    failures: list[StrategyFailure],
    progress: Progress,
) -> DatasetParts:
    """Gather the values and compare the strategies on each measure."""
    require_any(dataset.name, judged, failures)
    cube = gather(evaluation, dataset, values)
    made = []
    for measure in evaluation.measures:
        progress(f"compare {measure.key}")
        made.append(compare_measure(evaluation, cube, measure.key))
    every = [comparison for pairs, _ in made for comparison in pairs]
    planned = [comparison for _, contrasts in made for comparison in contrasts]
    return DatasetParts(dataset, judged, cube, every, planned)


def require_any(
    dataset: str, judged: Mapping[str, JudgedRun], failures: list[StrategyFailure]
) -> None:
    """Raise `InputError` where no strategy of a dataset could be evaluated."""
    if not judged:
        failed = [f for f in failures if f.dataset == dataset]
        raise InputError([Problem(f"strategy {f.strategy!r}: {f.message}") for f in failed])
