"""The stages of an evaluation, one pure function each; flows wrap them task by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rageval.comparison.compare import compare
from rageval.comparison.pairs import order_pairs
from rageval.config.models import RunSpec
from rageval.data import (
    BoundMeasure,
    Comparison,
    Dataset,
    Finding,
    JudgedRun,
    Measurements,
    Qrels,
    Run,
)
from rageval.data.arrays import Bools, Floats
from rageval.data.finding import MAX_EXAMPLES
from rageval.data.order import natural_order
from rageval.diagnostics.repeats import mean_of_runs
from rageval.errors import InputError
from rageval.evaluation.plan import Evaluation
from rageval.evaluation.reading import read_and_judge
from rageval.formats import read_dataset, read_run
from rageval.measures import compute_all


def load_dataset(evaluation: Evaluation, name: str) -> Dataset:
    """Read a dataset, with ids mapped and queries left out as the configuration says."""
    config = evaluation.config
    dataset = read_dataset(evaluation.dataset(name), evaluation.base, lenient=config.lenient)
    documents = evaluation.document_map
    if documents is not None and config.documents is not None and config.documents.judgments:
        findings = (*dataset.findings, *documents.check_qrels(dataset.qrels))
        dataset = replace(dataset, qrels=documents.map_qrels(dataset.qrels), findings=findings)
    if config.no_relevant == "exclude":
        dataset = exclude_empty(dataset)
    dataset = replace(dataset, attributes=_on_axis(dataset, evaluation.dataset(name).attributes))
    if not dataset.query_ids:
        raise InputError(
            f"dataset {name!r} has no query to evaluate on",
            where=evaluation.dataset(name).path,
            hint="at least one query needs a judgment"
            + (" of a relevant document" if config.no_relevant == "exclude" else ""),
        )
    return dataset


def exclude_empty(dataset: Dataset) -> Dataset:
    """Leave out the queries without a relevant document, and say which."""
    kept = dataset.qrels.has_relevant
    left_out = [q for q, has in zip(dataset.query_ids, kept, strict=True) if not has]
    finding = Finding(
        code="queries-without-relevant-documents",
        severity="low" if left_out else "passed",
        what="Judged queries without a relevant document",
        count=len(left_out),
        total=len(dataset.query_ids),
        effect="They are left out for every strategy, because `no_relevant` is `exclude`."
        if left_out
        else "No query had to be left out.",
        examples=tuple(left_out[:MAX_EXAMPLES]),
    )
    qrels = restrict(dataset.qrels, kept)
    return replace(dataset, qrels=qrels, findings=(*dataset.findings, finding))


def _on_axis(dataset: Dataset, chosen: Sequence[str] | None) -> Mapping[str, Mapping[str, str]]:
    """Return the attributes of the judged queries, in an order that no file's lines decide."""
    names = natural_order(dataset.attributes) if chosen is None else tuple(dict.fromkeys(chosen))
    values = {name: dataset.attributes[name] for name in names}
    return {
        name: {q: known[q] for q in dataset.query_ids if q in known}
        for name, known in values.items()
        if any(q in known for q in dataset.query_ids)
    }


def restrict(qrels: Qrels, keep: Bools) -> Qrels:
    """Return the judgments on the queries that are kept; `keep` is (queries,)."""
    rows = keep[qrels.query]
    position = np.cumsum(keep) - 1
    return Qrels(
        tuple(q for q, kept in zip(qrels.query_ids, keep, strict=True) if kept),
        position[qrels.query[rows]].astype(np.int32),
        qrels.doc_ids.filter(rows),
        qrels.grade[rows],
    )


def read_strategy(evaluation: Evaluation, spec: RunSpec) -> Run:
    """Read a run file, with chunk ids mapped to documents as the configuration says."""
    run = read_run(spec, evaluation.base, lenient=evaluation.config.lenient)
    documents = evaluation.document_map
    return run if documents is None else documents.map_run(run)


def judge_strategy(evaluation: Evaluation, dataset: Dataset, strategy: str) -> JudgedRun:
    """Read what a strategy retrieved and reduce it to where the judged documents stand.

    Of repeated runs the first is returned and holds the others. Raises `RagevalError` if one of
    them cannot be evaluated; the other strategies are not concerned.
    """
    specs = evaluation.runs(strategy, dataset.name)
    first, *repeats = (judge_run(evaluation, dataset, spec) for spec in specs)
    findings = [
        replace(f, strategy=strategy, dataset=dataset.name, what=f.what + _which(i, len(specs)))
        for i, run in enumerate((first, *repeats), 1)
        for f in run.findings
    ]
    return replace(first, findings=tuple(findings), repeats=tuple(repeats))


def judge_run(evaluation: Evaluation, dataset: Dataset, spec: RunSpec) -> JudgedRun:
    """Read one run file and find the judged documents in it."""
    return read_and_judge(
        spec,
        evaluation.base,
        dataset,
        cutoffs=evaluation.cutoffs,
        depth=evaluation.depth,
        lenient=evaluation.config.lenient,
        documents=evaluation.document_map,
    )


def _which(number: int, count: int) -> str:
    return f" (run {number} of {count})" if count > 1 else ""


def measure_families(evaluation: Evaluation) -> tuple[tuple[BoundMeasure, ...], ...]:
    """Group the measures that are computed in one task, in the order of the configuration."""
    families: dict[str, list[BoundMeasure]] = {}
    for measure in evaluation.measures:
        families.setdefault(measure.measure.family, []).append(measure)
    return tuple(tuple(family) for family in families.values())


def measure_strategy(judged: JudgedRun, measures: Sequence[BoundMeasure]) -> Floats:
    """Compute measures for every query; (measures, queries).

    Repeated runs are averaged per query, over the runs where the value exists.
    """
    return mean_of_runs([compute_all(measures, run) for run in judged.runs])


def gather(
    evaluation: Evaluation, dataset: Dataset, values: Mapping[str, Mapping[str, Floats]]
) -> Measurements:
    """Build the cube from `{strategy: {measure key: (queries,)}}`, strategies in config order."""
    present = tuple(s.name for s in evaluation.strategies if s.name in values)
    keys = tuple(measure.key for measure in evaluation.measures)
    cube = np.empty((len(keys), len(present), len(dataset.query_ids)))
    for i, key in enumerate(keys):
        for j, strategy in enumerate(present):
            cube[i, j] = values[strategy][key]
    return Measurements(keys, present, dataset.query_ids, cube)


def compare_measure(
    evaluation: Evaluation, measurements: Measurements, measure: str
) -> tuple[list[Comparison], list[Comparison]]:
    """Compare all pairs, and the planned contrasts, on one measure."""
    present = [s for s in evaluation.strategies if s.name in measurements.strategies]
    names = {s.name for s in present}
    planned = [pair for pair in evaluation.contrasts if names.issuperset(pair)]
    spec, seed = evaluation.config.comparison, evaluation.config.seed
    every = order_pairs(present)
    return (
        compare(measurements, measure, every, spec=spec, seed=seed, family="all pairs"),
        compare(
            measurements, measure, planned, spec=spec, seed=seed, family="planned", detailed=True
        ),
    )
