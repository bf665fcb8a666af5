"""Checks of a dataset and its strategies: each becomes a line in the report, passed or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rageval.data import BoundMeasure, Dataset, Finding, JudgedRun, Measurements, StrategySummary
from rageval.data.finding import MAX_EXAMPLES
from rageval.diagnostics.alike import check_alike
from rageval.diagnostics.strategy_checks import check_strategy


def check_dataset(dataset: Dataset, *, excluded: bool) -> list[Finding]:
    """Check the dataset itself: queries without judgments or without relevant documents.

    `excluded` says that the latter are left out already, with a finding in the dataset.
    """
    known = [replace(finding, dataset=dataset.name) for finding in dataset.findings]
    if not any(finding.code == "queries-without-judgments" for finding in known):
        known.append(_every_query_judged(dataset))
    return known if excluded else [*known, _without_relevant(dataset)]


def _every_query_judged(dataset: Dataset) -> Finding:
    return Finding(
        code="queries-without-judgments",
        severity="passed",
        what="Queries without any judgment",
        count=0,
        total=len(dataset.query_ids),
        effect="Nothing was left out.",
        dataset=dataset.name,
    )


def _without_relevant(dataset: Dataset) -> Finding:
    pairs = zip(dataset.query_ids, dataset.qrels.has_relevant, strict=True)
    ids = [query_id for query_id, found in pairs if not found]
    return Finding(
        code="queries-without-relevant-documents",
        severity="medium" if ids else "passed",
        what="Judged queries without a relevant document",
        count=len(ids),
        total=len(dataset.query_ids),
        effect="They count as 0 for every strategy, which lowers all means alike; "
        "`no_relevant: exclude` leaves them out."
        if ids
        else "No query is bound to score 0.",
        dataset=dataset.name,
        examples=tuple(ids[:MAX_EXAMPLES]),
    )


def check_strategies(
    dataset: Dataset,
    judged: Mapping[str, JudgedRun],
    measurements: Measurements,
    summaries: Sequence[StrategySummary],
    measures: Sequence[BoundMeasure],
    primary: BoundMeasure,
) -> list[Finding]:
    """Check the strategies, each by itself and against one another."""
    found = [
        replace(finding, dataset=dataset.name, strategy=summary.strategy)
        for summary in summaries
        for finding in check_strategy(
            dataset, judged[summary.strategy], measurements, summary, measures, primary
        )
    ]
    codes = {finding.code for finding in found}
    alike = check_alike(judged, summaries, measures)
    return [
        *found,
        *(line for line in _passed(dataset, primary) if line.code not in codes),
        *(replace(finding, dataset=dataset.name) for finding in alike),
    ]


def _passed(dataset: Dataset, primary: BoundMeasure) -> list[Finding]:
    """Return the lines for checks of single strategies that found nothing anywhere."""
    total = len(dataset.query_ids)
    lines = (
        (
            "queries-not-in-run",
            "Every judged query is in every run",
            "No value is 0 for want of a ranking.",
        ),
        (
            "equal-scores",
            f"Queries whose {primary.key} depends on the order of equal scores",
            "No value would be another if equal scores were ordered otherwise.",
        ),
    )
    return [
        Finding(code, "passed", what, 0, effect, total, dataset=dataset.name)
        for code, what, effect in lines
    ]
