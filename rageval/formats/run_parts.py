"""Read a large run part by part, so that it is never in memory as a whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from rageval.config.models import RunSpec
from rageval.data.run import Run
from rageval.data.source import Source
from rageval.data.threads import map_in_threads
from rageval.errors import InputError
from rageval.formats.opened import Opened
from rageval.formats.ranking import build_run
from rageval.formats.reading import RUN_FORMATS
from rageval.formats.run_trec import TREC_RUN
from rageval.formats.trec_run import read_block
from rageval.formats.trec_run_blocks import Block, cut

_Result = TypeVar("_Result")


def map_run_parts(
    spec: RunSpec, base: Path, function: Callable[[Run], _Result], *, digest: bool = True
) -> tuple[Source, list[_Result]] | None:
    """Apply a function to a run part by part, in threads, and return the results in order.

    None where the run has to be read whole: it is small or no TREC run, or there is something to
    say about one of its lines. A part holds whole queries only where the file's queries stand
    together: the caller has to see that no two parts share a query.
    """
    opened = Opened(spec, base, False)
    if not _is_trec_run(opened, spec):
        return None
    content = opened.content
    source = Source(content.path, TREC_RUN.name, 0, content.bytes)

    def of_block(block: Block) -> tuple[int, _Result] | None:
        table = read_block(block, content)
        if table is None:
            return None
        run = build_run(table, source=source, order=spec.order)
        return len(run.doc_ids), function(run)

    blocks = cut(content.buffer)
    found = _all_or_none(of_block, blocks) if len(blocks) > 1 else None
    if found is None:
        return None
    rows = sum(count for count, _ in found)
    sha256 = content.sha256() if digest else ""
    return Source(content.path, TREC_RUN.name, rows, content.bytes, sha256), [r for _, r in found]


def _is_trec_run(opened: Opened, spec: RunSpec) -> bool:
    if spec.columns or opened.is_folder or spec.format not in (None, TREC_RUN.name):
        return False
    if opened.is_pipe:  # what is read here could not be read again
        return False
    return next((form for form in RUN_FORMATS if form.detect(opened)), None) is TREC_RUN


def _all_or_none(
    function: Callable[[Block], tuple[int, _Result] | None], blocks: list[Block]
) -> list[tuple[int, _Result]] | None:
    try:
        found = map_in_threads(function, blocks)
    except InputError:  # reading the whole says all that is wrong with it
        return None
    complete = [result for result in found if result is not None]
    return complete if len(complete) == len(blocks) else None
