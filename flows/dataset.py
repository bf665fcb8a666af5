"""The part of the flow that one dataset goes through: load, judge, measure, compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from prefect import get_run_logger
from prefect.futures import PrefectFuture

from flows import tasks
from flows.futures import refused, result_of
from flows.sealed import Sealed
from rageval.data import Dataset, JudgedRun, Measurements, StrategyFailure
from rageval.data.arrays import Floats
from rageval.evaluation import stages
from rageval.evaluation.conclusion import DatasetParts
from rageval.evaluation.pipeline import require_any
from rageval.evaluation.plan import Evaluation
from rageval.report.numbers import queries


@dataclass
class Fan:
    """What came back of one dataset's fan-out."""

    judged: dict[str, JudgedRun] = field(default_factory=dict)
    values: dict[str, dict[str, Floats]] = field(default_factory=dict)
    failures: list[StrategyFailure] = field(default_factory=list)


def evaluate_dataset(
    evaluation: Sealed[Evaluation], name: str, failures: list[StrategyFailure]
) -> DatasetParts:
    """Judge and measure every strategy on one dataset, and compare them."""
    dataset = result_of(tasks.load.submit(evaluation, name))
    log_dataset(dataset.value)
    fan = fan_out(evaluation, dataset)
    failures.extend(fan.failures)
    require_any(name, fan.judged, failures)
    cube = stages.gather(evaluation.value, dataset.value, fan.values)
    return compare_all(evaluation, dataset.value, fan.judged, cube)


def fan_out(evaluation: Sealed[Evaluation], dataset: Sealed[Dataset]) -> Fan:
    """Judge every strategy, and measure each as soon as it is judged."""
    fan, logger = Fan(), get_run_logger()
    names = [strategy.name for strategy in evaluation.value.strategies]
    judging = {name: tasks.judge.submit(evaluation, dataset, name) for name in names}
    measuring: dict[str, list[PrefectFuture[Any]]] = {}
    for name, future in judging.items():
        message = refused(future)
        if message is not None:
            logger.warning("Left out strategy %s: %s", name, message)
            fan.failures.append(StrategyFailure(name, dataset.value.name, message))
            continue
        judged = result_of(future)
        fan.judged[name] = judged.value
        measuring[name] = measure_all(evaluation.value, judged, name)
    logger.info("Judged %d of %d strategies", len(fan.judged), len(names))
    fan.values = {name: merged(futures) for name, futures in measuring.items()}
    logger.info("Measured %d measures", len(evaluation.value.measures))
    return fan


def measure_all(
    evaluation: Evaluation, judged: Sealed[JudgedRun], strategy: str
) -> list[PrefectFuture[Any]]:
    """Start one task per family of measures."""
    return [
        tasks.measure.submit(judged, Sealed(family), strategy, family[0].measure.name)
        for family in stages.measure_families(evaluation)
    ]


def merged(futures: Iterable[PrefectFuture[Any]]) -> dict[str, Floats]:
    """Bring the families of one strategy together; measure key -> (queries,)."""
    return {key: values for future in futures for key, values in result_of(future).value.items()}


def compare_all(
    evaluation: Sealed[Evaluation],
    dataset: Dataset,
    judged: Mapping[str, JudgedRun],
    cube: Measurements,
) -> DatasetParts:
    """Compare all pairs on every measure, one task a measure."""
    sealed = Sealed(cube)
    futures = [tasks.compare.submit(evaluation, sealed, key) for key in cube.measures]
    made = [result_of(future).value for future in futures]
    every = [comparison for pairs, _ in made for comparison in pairs]
    planned = [comparison for _, contrasts in made for comparison in contrasts]
    get_run_logger().info("Compared strategies %d times", len(every))
    return DatasetParts(dataset, judged, cube, every, planned)


def log_dataset(dataset: Dataset) -> None:
    """Say what was loaded."""
    get_run_logger().info(
        "Loaded dataset %s: %s, judgments: %d",
        dataset.name,
        queries(len(dataset.query_ids)),
        len(dataset.qrels.grade),
    )
