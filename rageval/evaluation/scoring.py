"""One-shot values of run files, without a configuration or a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from rageval.config.models import DatasetSpec, RunSpec
from rageval.data import BoundMeasure, Dataset, Finding, JudgedRun, Measurements, StrategyFailure
from rageval.data.arrays import Floats
from rageval.errors import RagevalError
from rageval.evaluation.reading import read_and_judge
from rageval.formats import read_dataset
from rageval.measures import compute_all, parse_measure

DEFAULT_MEASURES = ("recall@5", "precision@5", "f1@5", "mrr", "ndcg@10")


@dataclass(frozen=True, eq=False)
class Scores:
    """Values of the runs that could be read, and what there is to say about the rest."""

    measurements: Measurements
    findings: tuple[Finding, ...]
    failures: tuple[StrategyFailure, ...]


def score(
    qrels: Path,
    runs: Mapping[str, Path],
    measures: Sequence[str] = DEFAULT_MEASURES,
    *,
    lenient: bool = False,
) -> Scores:
    """Score run files against judgments.

    `runs` maps a strategy's name to its file. Raises `RagevalError` for measures or judgments
    that cannot be used; a run that cannot is in `failures`, and the others are scored.
    """
    bound = _distinct([parse_measure(text) for text in measures])
    here = Path()
    dataset = read_dataset(DatasetSpec(path=str(qrels)), here, lenient=lenient, digest=False)
    values: dict[str, Floats] = {}
    findings, failures = list(dataset.findings), []
    for name, path in runs.items():
        try:
            judged = _judge(path, dataset, lenient=lenient)
            values[name] = compute_all(bound, judged)
        except RagevalError as error:
            failures.append(StrategyFailure(name, dataset.name, str(error)))
            continue
        findings += [replace(finding, strategy=name) for finding in judged.findings]
    return Scores(_gathered(bound, dataset, values), tuple(findings), tuple(failures))


def _gathered(
    measures: Sequence[BoundMeasure], dataset: Dataset, values: Mapping[str, Floats]
) -> Measurements:
    cube = np.empty((len(measures), len(values), len(dataset.query_ids)))
    for i, strategy in enumerate(values):
        cube[:, i] = values[strategy]
    keys = tuple(measure.key for measure in measures)
    return Measurements(keys, tuple(values), dataset.query_ids, cube)


def _judge(path: Path, dataset: Dataset, *, lenient: bool) -> JudgedRun:
    spec = RunSpec(path=str(path))
    return read_and_judge(spec, Path(), dataset, depth=0, lenient=lenient, digest=False)


def _distinct(measures: Sequence[BoundMeasure]) -> list[BoundMeasure]:
    return list({measure.label: measure for measure in measures}.values())
