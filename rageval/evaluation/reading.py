"""Read a run and judge it: part by part where the file allows it, else whole."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rageval.config.models import RunSpec
from rageval.data.dataset import Dataset
from rageval.data.judged_run import JudgedRun
from rageval.formats import read_run
from rageval.formats.run_parts import map_run_parts
from rageval.judging import DocumentMap, JudgmentIndex, join_parts, judge, locate


def read_and_judge(
    spec: RunSpec,
    base: Path,
    dataset: Dataset,
    *,
    cutoffs: Sequence[int] = (),
    depth: int = 10,
    lenient: bool = False,
    digest: bool = True,
    documents: DocumentMap | None = None,
) -> JudgedRun:
    """Return what `judge` says of the run that `read_run` reads, in less time and memory.

    A large TREC run is read and judged in parts of whole queries; what is wrong with a file is
    said by reading it whole. Raises `InputError`.
    """
    # Chunks of a document, and ids beyond a corpus, are looked for in the whole run.
    if documents is None and dataset.corpus_ids is None:
        index = JudgmentIndex.of(dataset.qrels)
        locate_part = partial(locate, dataset=dataset, index=index, cutoffs=cutoffs, depth=depth)
        found = map_run_parts(spec, base, locate_part, digest=digest)
        judged = join_parts(found[1], dataset, found[0]) if found else None
        if judged is not None:
            return judged
    run = read_run(spec, base, lenient=lenient, digest=digest)
    run = run if documents is None else documents.map_run(run)
    return judge(run, dataset, cutoffs=cutoffs, depth=depth)
