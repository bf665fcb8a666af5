"""Checks of one strategy by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from rageval.data import BoundMeasure, Dataset, Finding, JudgedRun, Measurements, StrategySummary
from rageval.data.arrays import Bools
from rageval.data.finding import MAX_EXAMPLES
from rageval.diagnostics.summary import tie_bounds

TIES_MATTER = 0.005
"""A mean that the order of ties could move this far is seen in a table of three decimals."""


def check_strategy(
    dataset: Dataset,
    judged: JudgedRun,
    measurements: Measurements,
    summary: StrategySummary,
    measures: Sequence[BoundMeasure],
    primary: BoundMeasure,
) -> Iterator[Finding]:
    """Yield what there is to say about one strategy; names are filled in by the caller."""
    yield from judged.findings
    yield from _zeros(measurements, summary.strategy, measures)
    yield from _ties(dataset, judged, summary, primary)
    yield from _short(dataset, judged, summary)
    yield from _repeats(judged)


def _zeros(
    measurements: Measurements, strategy: str, measures: Sequence[BoundMeasure]
) -> Iterator[Finding]:
    # What share was judged says nothing about whether anything relevant was found.
    keys = [m.key for m in measures if m.measure.name != "Judged"]
    if not keys or any(measurements.vector(key, strategy).any() for key in keys):
        return
    queries = len(measurements.query_ids)
    yield Finding(
        code="all-values-zero",
        severity="high",
        what="Queries on which the strategy scores exactly 0 in every measure",
        count=queries,
        total=queries,
        effect="Nothing relevant was found anywhere. Check that the run and the judgments "
        "name documents in the same way before believing it.",
    )


def _ties(
    dataset: Dataset, judged: JudgedRun, summary: StrategySummary, primary: BoundMeasure
) -> Iterator[Finding]:
    low, high = tie_bounds(judged, primary)
    depends = high > low
    if not depends.any():
        return
    moves = summary.tie_high - summary.tie_low
    yield Finding(
        code="equal-scores",
        severity="medium" if moves >= TIES_MATTER else "low",
        what=f"Queries whose {primary.key} depends on the order of equal scores",
        count=int(depends.sum()),
        total=len(dataset.query_ids),
        effect=f"Equal scores are ordered by document id, descending.{_straddling(summary)} "
        f"Mean {primary.key} would lie between {summary.tie_low:.4f} in the worst and "
        f"{summary.tie_high:.4f} in the best order.",
        examples=_examples(dataset, depends),
    )


def _straddling(summary: StrategySummary) -> str:
    if not summary.tied_queries:
        return ""
    queries = "query" if summary.tied_queries == 1 else "queries"
    return f" They reach across rank {summary.cutoff} in {summary.tied_queries:,} {queries}."


def _short(dataset: Dataset, judged: JudgedRun, summary: StrategySummary) -> Iterator[Finding]:
    short = judged.in_run & (judged.retrieved < summary.cutoff)
    if not short.any():
        return
    yield Finding(
        code="short-rankings",
        severity="low",
        what=f"Queries with fewer than {summary.cutoff} retrieved documents",
        count=int(short.sum()),
        total=len(dataset.query_ids),
        effect="The missing ranks count as not relevant.",
        examples=_examples(dataset, short),
    )


def _examples(dataset: Dataset, chosen: Bools) -> tuple[str, ...]:
    return tuple(dataset.query_ids[i] for i in np.flatnonzero(chosen)[:MAX_EXAMPLES])


def _repeats(judged: JudgedRun) -> Iterator[Finding]:
    if not judged.repeats:
        return
    runs = len(judged.runs)
    yield Finding(
        code="repeated-runs",
        severity="low",
        what="Runs of the strategy",
        count=runs,
        effect="Values are means over the runs, query by query, and n stays the number of "
        "queries. Rankings, depths and shares of judged documents are those of the first run.",
        examples=tuple(run.source.path for run in judged.runs)[:MAX_EXAMPLES],
    )
    yield from _copies(judged)


def _copies(judged: JudgedRun) -> Iterator[Finding]:
    digests = [run.source.sha256 for run in judged.runs]
    copies = [
        run.source.path
        for i, run in enumerate(judged.runs)
        if digests[i] and digests[i] in digests[:i]
    ]
    if copies:
        yield Finding(
            code="same-runs",
            severity="medium",
            what="Runs of the strategy that equal an earlier one byte for byte",
            count=len(copies),
            total=len(digests),
            effect="The spread over runs is too small by them. Was each made with another seed?",
            examples=tuple(copies[:MAX_EXAMPLES]),
        )
