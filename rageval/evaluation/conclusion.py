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
    QueryDetail,
    RepeatSpread,
    SliceComparison,
    Source,
    StrategyFailure,
    StrategySummary,
)
from rageval.data.finding import SEVERITIES
from rageval.diagnostics import check_dataset, check_strategies, summarise, telling_queries
from rageval.diagnostics.repeats import spread
from rageval.evaluation.documents import documents_of
from rageval.evaluation.plan import Evaluation
from rageval.evaluation.sensitivity import sensitivity
from rageval.measures import compute_all, describe

PACKAGES = ("rageval", "numpy", "scipy", "pyarrow", "weasyprint")


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
        brand=evaluation.loaded.brand,
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
    dataset, cube, judged = parts.dataset, parts.measurements, parts.judged
    summaries = tuple(
        summarise(name, run, evaluation.primary, evaluation.cutoff) for name, run in judged.items()
    )
    contrasts = [c for c in evaluation.contrasts if set(c) <= set(cube.strategies)]
    details = _details(evaluation, parts, contrasts)
    planned = _family(evaluation, parts.planned, detailed=True)
    every = _family(evaluation, parts.comparisons, detailed=False)
    return DatasetResult(
        name=dataset.name,
        measurements=cube,
        n_judgments=len(dataset.qrels.query),
        n_relevant=int(dataset.qrels.relevant(1).sum()),
        comparisons=every,
        planned=planned,
        slices=_slices(evaluation, dataset, cube, contrasts),
        strategies=summaries,
        details=details,
        texts={q: dataset.texts[q] for q in dataset.query_ids if q in dataset.texts},
        attributes=dataset.attributes,
        findings=_findings(evaluation, parts, summaries),
        sources=_sources(evaluation, parts),
        repeats=_repeats(evaluation, judged),
        sensitivity=sensitivity(evaluation, dataset, judged, cube, planned, every),
        documents=documents_of(evaluation, dataset, details),
    )


def _details(
    evaluation: Evaluation, parts: DatasetParts, contrasts: Sequence[tuple[str, str]]
) -> tuple[QueryDetail, ...]:
    contrast = contrasts[0] if contrasts else None
    primary, depth = evaluation.primary.key, evaluation.depth
    return telling_queries(
        parts.dataset, parts.judged, parts.measurements, primary, contrast, depth
    )


def _findings(
    evaluation: Evaluation, parts: DatasetParts, summaries: Sequence[StrategySummary]
) -> tuple[Finding, ...]:
    """Check everything, and put the gravest first."""
    dataset, measures = parts.dataset, evaluation.measures
    found = check_dataset(dataset, excluded=evaluation.config.no_relevant == "exclude")
    found += check_strategies(
        dataset, parts.judged, parts.measurements, summaries, measures, evaluation.primary
    )
    found.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    return tuple(
        replace(f, examples=tuple(map(evaluation.place_as_written, f.examples))) for f in found
    )


def _sources(evaluation: Evaluation, parts: DatasetParts) -> tuple[Source, ...]:
    runs = [run for judged in parts.judged.values() for run in judged.runs]
    sources = (*parts.dataset.sources, *(run.source for run in runs))
    return tuple(replace(s, path=evaluation.place_as_written(s.path)) for s in sources)


def _repeats(evaluation: Evaluation, judged: Mapping[str, JudgedRun]) -> tuple[RepeatSpread, ...]:
    rows = []
    for name, first in judged.items():
        if first.repeats:
            each = [compute_all(evaluation.measures, run) for run in first.runs]
            by_measure = zip(evaluation.measures, zip(*each, strict=True), strict=True)
            rows += [spread(name, measure.key, values) for measure, values in by_measure]
    return tuple(rows)


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


def _versions() -> dict[str, str]:
    return {"python": platform.python_version()} | {
        name: found for name in PACKAGES if (found := _version(name))
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
