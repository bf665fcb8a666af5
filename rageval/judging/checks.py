"""What a run and a dataset do not have in common, counted."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Ints
from rageval.data.dataset import Dataset
from rageval.data.finding import MAX_EXAMPLES, Finding
from rageval.data.order import natural_order
from rageval.data.run import Run
from rageval.errors import InputError
from rageval.judging.queries import normalise
from rageval.judging.rewriting import Rewriting, find_rewriting

_DERIVED_ID = re.compile(r"q-[0-9a-f]{12}")
_SHOWN_IDS = 3
_MOSTLY = 0.5
"""Share of unknown documents from which the corpus is taken for another one."""


def check_queries(run: Run, dataset: Dataset, position: Ints) -> tuple[Finding, ...]:
    """Count the queries that only one side has; raise `InputError` where none is shared."""
    found = position[position >= 0]
    if not len(found):
        raise _no_shared_query(run, dataset)
    missing = np.setdiff1d(np.arange(len(dataset.query_ids)), found).tolist()
    beyond = np.flatnonzero(position < 0).tolist()
    return (
        *_missing_queries([dataset.query_ids[i] for i in missing], dataset),
        *_unjudged_queries([run.query_ids[i] for i in beyond], run),
    )


def _no_shared_query(run: Run, dataset: Dataset) -> InputError:
    judged = dataset.query_ids
    if run.keyed_by == "text":
        judged = tuple(dataset.texts[query] for query in judged if query in dataset.texts)
    rewriting = find_rewriting(run.query_ids, judged)
    return InputError(
        f"holds no judged query of dataset {dataset.name!r}: the run has "
        f"{_shown(run.query_ids)}, the judgments have {_shown(judged)}",
        where=run.source.path,
        hint=_advice(rewriting, "queries") if rewriting else _same_queries(run, dataset),
    )


def _same_queries(run: Run, dataset: Dataset) -> str:
    if run.keyed_by == "text":
        return "the same query texts on both sides"
    texts = {normalise(text) for text in dataset.texts.values()}
    matches = sum(normalise(query) in texts for query in run.query_ids)
    if matches:
        return (
            f"{matches:,} of {len(run.query_ids):,} are texts of queries: "
            'name them so, {"query": ..., "retrieved": [...]}'
        )
    if all(_DERIVED_ID.fullmatch(query) for query in dataset.query_ids):
        return "give the queries of the dataset an `id`; theirs are derived from their texts"
    return "the same query ids on both sides"


def _shown(ids: tuple[str, ...]) -> str:
    rest = ", ..." if len(ids) > _SHOWN_IDS else ""
    return ", ".join(repr(i) for i in ids[:_SHOWN_IDS]) + rest if ids else "none"


def _missing_queries(missing: list[str], dataset: Dataset) -> tuple[Finding, ...]:
    if not missing:
        return ()
    return (
        Finding(
            code="queries-not-in-run",
            severity="medium",
            what="Judged queries that the run lacks",
            count=len(missing),
            effect="Each counts as an empty ranking, with value 0.",
            total=len(dataset.query_ids),
            examples=tuple(missing[:MAX_EXAMPLES]),
        ),
    )


def _unjudged_queries(beyond: list[str], run: Run) -> tuple[Finding, ...]:
    if not beyond:
        return ()
    return (
        Finding(
            code="queries-not-judged",
            severity="low",
            what="Queries of the run that nobody judged",
            count=len(beyond),
            effect="They were ignored.",
            total=len(run.query_ids),
            examples=natural_order(beyond)[:MAX_EXAMPLES],
        ),
    )


def check_documents(run: Run, dataset: Dataset, position: Ints, n_hits: int) -> tuple[Finding, ...]:
    """Look for judged documents that are written otherwise, where no retrieved id is known.

    Raises `InputError` if a simple rewriting of the ids would make some match: it is named, and
    never applied.
    """
    qrels = dataset.qrels
    if n_hits or not len(qrels.doc_ids) or not len(run.doc_ids):
        return ()
    if _known(run.doc_ids, qrels.doc_ids).any():
        return ()
    judged_ids = qrels.doc_ids.unique()
    rewriting = find_rewriting(_top_ids(run, position), judged_ids.to_pylist())
    if rewriting:
        raise InputError(
            f"no retrieved document id is known to the judgments of dataset {dataset.name!r}: "
            f"the run has {_shown(tuple(run.doc_ids[:4].to_pylist()))}, "
            f"the judgments have {_shown(tuple(judged_ids[:4].to_pylist()))}",
            where=run.source.path,
            hint=_advice(rewriting, "retrieved documents"),
        )
    return (_no_known_document(run),)


def _advice(rewriting: Rewriting, what: str) -> str:
    return (
        f"{rewriting.rule}, {rewriting.matches:,} of {rewriting.tried:,} {what} would match "
        f"({rewriting.example!r} is {rewriting.rewritten!r}); ids are never rewritten silently"
    )


def _known(ids: pa.StringArray, known: pa.StringArray) -> np.ndarray[tuple[int], np.dtype[np.bool]]:
    import pyarrow.compute as pc

    found: np.ndarray[tuple[int], np.dtype[np.bool]] = pc.is_in(ids, value_set=known).to_numpy(
        zero_copy_only=False
    )
    return found


def _top_ids(run: Run, position: Ints, depth: int = 20, limit: int = 50_000) -> list[str]:
    """Return the distinct first ids of the judged queries' rankings."""
    ids: dict[str, None] = {}
    for i in np.flatnonzero(position >= 0).tolist():
        first, last = int(run.offsets[i]), int(run.offsets[i + 1])
        ids.update(dict.fromkeys(run.doc_ids[first : min(last, first + depth)].to_pylist()))
        if len(ids) >= limit:
            break
    return list(ids)


def _no_known_document(run: Run) -> Finding:
    return Finding(
        code="no-known-documents",
        severity="high",
        what="Retrieved documents, none of which was judged for any query",
        count=len(run.doc_ids),
        effect="Every value is 0. Either the strategy finds nothing that was judged, or its "
        "document ids are not those of the judgments; compare a few of them.",
        total=len(run.doc_ids),
        examples=_first_ids(run, np.arange(len(run.doc_ids))),
    )


def check_corpus(run: Run, dataset: Dataset) -> tuple[Finding, ...]:
    """Count the retrieved documents that are not in the corpus, where one was given."""
    if dataset.corpus_ids is None or not len(run.doc_ids):
        return ()
    unknown = np.flatnonzero(~_known(run.doc_ids, dataset.corpus_ids))
    if not len(unknown):
        return ()
    mostly = len(unknown) > _MOSTLY * len(run.doc_ids)
    return (
        Finding(
            code="documents-not-in-corpus",
            severity="high" if mostly else "medium",
            what="Retrieved documents that the corpus does not hold",
            count=len(unknown),
            effect="They stay in the rankings. "
            + ("Is this the corpus that was searched?" if mostly else "Is the corpus current?"),
            total=len(run.doc_ids),
            examples=_first_ids(run, unknown),
        ),
    )


def _first_ids(run: Run, rows: Ints) -> tuple[str, ...]:
    """Return the first distinct ids of some rows (ascending), queries in natural order."""
    ids: dict[str, None] = {}
    position = {query_id: i for i, query_id in enumerate(run.query_ids)}
    for query_id in natural_order(run.query_ids):
        i = position[query_id]
        first, last = np.searchsorted(rows, run.offsets[i : i + 2])
        chosen = rows[first : min(last, first + MAX_EXAMPLES)]
        ids.update(dict.fromkeys(run.doc_ids.take(pa.array(chosen)).to_pylist()))
        if len(ids) >= MAX_EXAMPLES:
            break
    return tuple(ids)[:MAX_EXAMPLES]
