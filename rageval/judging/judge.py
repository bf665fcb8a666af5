"""Reduce a run to where the judged documents stand in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rageval.data.dataset import Dataset
from rageval.data.judged_run import JudgedRun
from rageval.data.run import Run
from rageval.judging.assembling import assemble
from rageval.judging.checks import check_corpus, check_documents, check_queries
from rageval.judging.joining import JudgmentIndex
from rageval.judging.locating import locate


def judge(run: Run, dataset: Dataset, *, cutoffs: Sequence[int] = (), depth: int = 10) -> JudgedRun:
    """Find the judged documents in a run, and the rank, grade and tie of each.

    `cutoffs` are the ranks for which ties across the cutoff are reported; `depth` says how many
    ids of each ranking are kept for the drill-down. Queries of the run that nobody judged are
    ignored and counted; judged queries that the run lacks count as empty rankings.

    Raises `InputError` where run and dataset have no query in common, or no document although
    their ids would match if they were written alike.
    """
    index = JudgmentIndex.of(dataset.qrels)
    located = locate(run, dataset, index, cutoffs=cutoffs, depth=depth)
    findings = check_queries(run, dataset, located.position)
    findings += check_documents(run, dataset, located.position, len(located.rank))
    findings += check_corpus(run, dataset)
    judged = assemble([located], dataset, run.source)
    return replace(judged, findings=(*run.findings, *findings))
