"""Checks of a dataset and its strategies: each becomes a line in the report, passed or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rageval.data import BoundMeasure, Dataset, Finding, JudgedRun, Measurements, StrategySummary
from rageval.data.finding import MAX_EXAMPLES

JUDGED_SHARE_GAP = 0.05
"""Strategies whose unjudged shares differ by more than this are not judged alike."""
MUCH_UNJUDGED = 0.2


def check_dataset(dataset: Dataset, *, excluded: bool) -> list[Finding]:
    """Check the dataset itself: queries without judgments or without relevant documents."""
    return [
        *dataset.findings,
        _unjudged_queries(dataset),
        *([] if excluded else [_without_relevant(dataset)]),
    ]


def _unjudged_queries(dataset: Dataset) -> Finding:
    queries = dataset.unjudged_queries
    return Finding(
        code="queries-without-judgments",
        severity="low" if queries else "passed",
        what="Queries without any judgment",
        count=len(queries),
        total=len(queries) + len(dataset.query_ids),
        effect="Left out for every strategy: nothing can be said about them."
        if queries
        else "Nothing was left out.",
        dataset=dataset.name,
        examples=queries[:MAX_EXAMPLES],
    )


def _without_relevant(dataset: Dataset) -> Finding:
    ids = [
        q
        for q, found in zip(dataset.query_ids, dataset.qrels.has_relevant, strict=True)
        if not found
    ]
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
    findings = [finding for run in judged.values() for finding in run.findings]
    if not any(f.code == "queries-not-in-run" for f in findings):
        findings.append(_every_query_found(dataset))
    findings += _zeros(dataset, measurements)
    findings += [_ties(dataset, s, primary) for s in summaries if s.tied_queries]
    findings += [f for s in summaries if (f := _short(dataset, s, judged[s.strategy]))]
    findings += _unjudged(dataset, summaries)
    findings += _depths(dataset, summaries, measures)
    return findings


def _every_query_found(dataset: Dataset) -> Finding:
    return Finding(
        code="queries-not-in-run",
        severity="passed",
        what="Every judged query is in every run",
        count=0,
        total=len(dataset.query_ids),
        effect="No value is 0 for want of a ranking.",
        dataset=dataset.name,
    )


def _zeros(dataset: Dataset, measurements: Measurements) -> list[Finding]:
    zero = np.all(measurements.values == 0, axis=(0, 2))
    return [
        Finding(
            code="all-values-zero",
            severity="high",
            what="A strategy scores exactly 0 on every query and measure",
            count=len(dataset.query_ids),
            total=len(dataset.query_ids),
            effect="Nothing relevant was found anywhere. Check that the run and the judgments "
            "name documents in the same way before believing it.",
            dataset=dataset.name,
            strategy=strategy,
        )
        for strategy, found in zip(measurements.strategies, zero, strict=True)
        if found
    ]


def _ties(dataset: Dataset, summary: StrategySummary, primary: BoundMeasure) -> Finding:
    moves = summary.tie_high - summary.tie_low
    return Finding(
        code="ties-at-cutoff",
        severity="medium" if moves >= 0.005 else "low",
        what=f"Queries with equal scores across rank {summary.cutoff}",
        count=summary.tied_queries,
        total=len(dataset.query_ids),
        effect="Equal scores are ordered by document id, descending. Mean "
        f"{primary.key} would lie between {summary.tie_low:.4f} in the worst and "
        f"{summary.tie_high:.4f} in the best order of ties.",
        dataset=dataset.name,
        strategy=summary.strategy,
    )


def _short(dataset: Dataset, summary: StrategySummary, judged: JudgedRun) -> Finding | None:
    short = judged.in_run & (judged.retrieved < summary.cutoff)
    if not short.any():
        return None
    ids = [dataset.query_ids[i] for i in np.flatnonzero(short)[:MAX_EXAMPLES]]
    return Finding(
        code="short-rankings",
        severity="low",
        what=f"Queries with fewer than {summary.cutoff} retrieved documents",
        count=int(short.sum()),
        total=len(dataset.query_ids),
        effect="The missing ranks count as not relevant.",
        dataset=dataset.name,
        strategy=summary.strategy,
        examples=tuple(ids),
    )


def _unjudged(dataset: Dataset, summaries: Sequence[StrategySummary]) -> list[Finding]:
    shares = {s.strategy: s.unjudged_share for s in summaries if not np.isnan(s.unjudged_share)}
    if not shares:
        return []
    low, high = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
    gap = shares[high] - shares[low]
    uneven, many = gap > JUDGED_SHARE_GAP, shares[high] > MUCH_UNJUDGED
    cutoff = summaries[0].cutoff
    effect = f"Unjudged documents count as not relevant. {high} returns {shares[high]:.1%} of them"
    effect += (
        f", {low} {shares[low]:.1%}: strategies are not judged alike, and the values of {high} "
        "are probably too low."
        if uneven
        else ", and the other strategies about as many."
        if len(shares) > 1
        else "."
    )
    return [
        Finding(
            code="unjudged-documents",
            severity="medium" if uneven or many else "low" if shares[high] else "passed",
            what=f"Unjudged documents in the first {cutoff}",
            count=round(shares[high] * 100),
            total=100,
            effect=effect if shares[high] else "Every document that counts was judged.",
            dataset=dataset.name,
            strategy=high if shares[high] else "",
        )
    ]


def _depths(
    dataset: Dataset, summaries: Sequence[StrategySummary], measures: Sequence[BoundMeasure]
) -> list[Finding]:
    deep = [m.key for m in measures if m.cutoff is None and m.measure.cutoff == "optional"]
    depths = {s.strategy: s.max_retrieved for s in summaries}
    if not deep or len(set(depths.values())) < 2:
        return []
    low, high = min(depths, key=depths.__getitem__), max(depths, key=depths.__getitem__)
    return [
        Finding(
            code="depths-differ",
            severity="medium",
            what="Strategies deliver rankings of different depth",
            count=len(set(depths.values())),
            total=len(depths),
            effect=f"{', '.join(deep)} read each list as deep as it was delivered: {low} at most "
            f"{depths[low]:,} documents, {high} {depths[high]:,}. A measure with a cutoff "
            "compares them alike.",
            dataset=dataset.name,
        )
    ]
