"""From the parts that the stages made to the one result that a report shows."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version

from rageval.comparison.adjust import adjust
from rageval.comparison.macro import macro_means
from rageval.comparison.slices import compare_slices
from rageval.data import (
    Comparison,
    Dataset,
    DatasetResult,
    EvaluationResult,
    Finding,
    JudgedRun,
    MacroMean,
    Measurements,
    Provenance,
    RepeatSpread,
    SliceComparison,
    StrategyFailure,
)
from rageval.data.finding import SEVERITIES
from rageval.diagnostics import check_dataset, check_strategies, summarise, telling_queries
from rageval.diagnostics.repeats import spread
from rageval.evaluation.plan import Evaluation
from rageval.evaluation.sensitivity import sensitivity
from rageval.evaluation.stages import measure_run
from rageval.measures import describe

PACKAGES = ("rageval", "numpy", "scipy", "pyarrow", "statsmodels", "weasyprint")


@dataclass(frozen=True, eq=False)
class DatasetParts:
    """What the stages made of one dataset."""

    dataset: Dataset
    judged: Mapping[str, JudgedRun]
    """Strategy -> judged run, in the order of the configuration."""
    measurements: Measurements
    comparisons: Sequence[Comparison]
    planned: Sequence[Comparison]


def conclude(
    evaluation: Evaluation,
    parts: Iterable[DatasetParts],
    failures: Sequence[StrategyFailure],
    *,
    run_id: str,
    created: str,
) -> EvaluationResult:
    """Bring everything together. `created` is UTC in ISO 8601; no clock is read here."""
    config = evaluation.config
    spec = config.comparison
    datasets = tuple(conclude_dataset(evaluation, part) for part in parts)
    return EvaluationResult(
        name=config.name,
        title=config.title or config.name,
        config=evaluation.loaded.resolved,
        strategies=evaluation.strategies,
        measures=tuple(describe(measure) for measure in evaluation.measures),
        primary=evaluation.primary.key,
        alpha=spec.alpha,
        correction=spec.correction,
        test=spec.test,
        contrasts=evaluation.contrasts,
        datasets=datasets,
        provenance=Provenance(created, run_id, _versions(), config.seed),
        equivalence_margin=spec.equivalence_margin,
        failures=tuple(replace(f, message=evaluation.as_written(f.message)) for f in failures),
        macro_means=_macro_means(evaluation, datasets),
    )


def _macro_means(
    evaluation: Evaluation, datasets: Sequence[DatasetResult]
) -> tuple[MacroMean, ...]:
    if len(datasets) < 2:
        return ()
    return macro_means(
        {dataset.name: dataset.measurements for dataset in datasets},
        [strategy.name for strategy in evaluation.strategies],
        {m.key: m.measure.higher_is_better for m in evaluation.measures},
    )


def conclude_dataset(evaluation: Evaluation, parts: DatasetParts) -> DatasetResult:
    """Bring together what is known on one dataset."""
    dataset, cube = parts.dataset, parts.measurements
    primary = evaluation.primary
    summaries = tuple(
        summarise(name, run, primary, evaluation.cutoff) for name, run in parts.judged.items()
    )
    findings = check_dataset(dataset, excluded=evaluation.config.no_relevant == "exclude")
    findings += check_strategies(
        dataset, parts.judged, cube, summaries, evaluation.measures, primary
    )
    contrasts = _contrasts(evaluation, cube)
    planned = _family(evaluation, parts.planned, detailed=True)
    every = _family(evaluation, parts.comparisons, detailed=False)
    runs = [run for judged in parts.judged.values() for run in judged.runs]
    sources = (*dataset.sources, *(run.source for run in runs))
    return DatasetResult(
        name=dataset.name,
        measurements=cube,
        n_judgments=len(dataset.qrels.query),
        n_relevant=int(dataset.qrels.relevant(1).sum()),
        comparisons=every,
        planned=planned,
        slices=_slices(evaluation, dataset, cube, contrasts),
        strategies=summaries,
        details=telling_queries(
            dataset,
            parts.judged,
            cube,
            primary.key,
            contrasts[0] if contrasts else None,
            evaluation.depth,
        ),
        texts={q: dataset.texts[q] for q in dataset.query_ids if q in dataset.texts},
        attributes=dataset.attributes,
        findings=_by_severity(findings),
        sources=tuple(replace(s, path=evaluation.as_written(s.path)) for s in sources),
        repeats=_repeats(evaluation, parts.judged),
        sensitivity=sensitivity(evaluation, dataset, parts.judged, cube, planned, every),
    )


def _repeats(evaluation: Evaluation, judged: Mapping[str, JudgedRun]) -> tuple[RepeatSpread, ...]:
    keys = [measure.key for measure in evaluation.measures]
    return tuple(
        spread(name, key, values)
        for name, first in judged.items()
        if first.repeats
        for key, values in zip(
            keys,
            zip(*(measure_run(run, evaluation.measures) for run in first.runs), strict=True),
            strict=True,
        )
    )


def _contrasts(evaluation: Evaluation, cube: Measurements) -> list[tuple[str, str]]:
    return [pair for pair in evaluation.contrasts if set(pair) <= set(cube.strategies)]


def _family(
    evaluation: Evaluation, made: Sequence[Comparison], *, detailed: bool
) -> tuple[Comparison, ...]:
    spec = evaluation.config.comparison
    if spec.family == "measure" or not made:
        return tuple(made)
    family = f"{made[0].family}, all measures"
    return tuple(
        adjust(
            made,
            correction=spec.correction,
            alpha=spec.alpha,
            family=family,
            detailed=detailed,
        )
    )


def _slices(
    evaluation: Evaluation,
    dataset: Dataset,
    cube: Measurements,
    contrasts: Sequence[tuple[str, str]],
) -> tuple[SliceComparison, ...]:
    return compare_slices(
        cube,
        evaluation.primary.key,
        contrasts,
        dataset.attributes,
        spec=evaluation.config.comparison,
        seed=evaluation.config.seed,
    )


def _by_severity(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity)))


def _versions() -> dict[str, str]:
    return {"python": platform.python_version()} | {
        name: found for name in PACKAGES if (found := _version(name))
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
