"""How the documents begin that a report shows: read once it is known which these are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rageval.data import Dataset, QueryDetail
from rageval.evaluation.plan import Evaluation
from rageval.formats import DOCUMENT_LENGTH, read_documents

CAPACITY = 400_000
"""Bytes of UTF-8 that the documents of one dataset may take: what a page can carry."""
SHORTEST = 80
"""Characters below which the beginning of a document tells too little."""


def documents_of(
    evaluation: Evaluation, dataset: Dataset, details: Sequence[QueryDetail]
) -> dict[str, str]:
    """Return id -> title and beginning of the documents in `details`; empty without a corpus.

    Where there are many documents each is shorter, and where that is not enough those at the
    lower ranks are left out. The ids are those of the judgments: where chunks stand for their
    documents, the corpus is one of documents.
    """
    if dataset.corpus_ids is None:
        return {}
    ids = _by_place(details)
    spec, base = evaluation.dataset(dataset.name), evaluation.base
    found = read_documents(spec, base, ids, _length(len(ids)))
    return _within_capacity(ids, found)


def _length(count: int) -> int:
    share = CAPACITY // max(1, count) - 2  # an ellipsis takes three bytes
    return max(SHORTEST, min(DOCUMENT_LENGTH, share))


def _by_place(details: Sequence[QueryDetail]) -> list[str]:
    """Return each document once: all first places come before all second ones, judged first."""
    lists = [detail.judgments for detail in details]
    lists += [ranking for detail in details for ranking in detail.rankings.values()]
    placed = [(place, d.doc_id) for documents in lists for place, d in enumerate(documents)]
    return list(dict.fromkeys(doc_id for _, doc_id in sorted(placed, key=lambda pair: pair[0])))


def _within_capacity(ids: Sequence[str], found: Mapping[str, str]) -> dict[str, str]:
    kept, size = {}, 0
    for doc_id in ids:
        text = found.get(doc_id, "")
        size += len(text.encode("utf-8", "surrogatepass"))
        if text and size <= CAPACITY:
            kept[doc_id] = text
    return kept
