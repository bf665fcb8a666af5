"""Chunks stand for their documents: map the ids of runs and judgments."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rageval.data.arrays import Bools, Int32s, Ints
from rageval.data.finding import MAX_EXAMPLES, Finding
from rageval.data.qrels import Qrels
from rageval.data.run import Run
from rageval.data.ties import equals_next, order_within_ties
from rageval.errors import ConfigError

Lookup = Callable[[pa.StringArray], pa.StringArray]
"""Distinct ids -> their documents, null where an id has none."""


@dataclass(frozen=True, slots=True)
class DocumentMap:
    """A mapping of chunk ids to document ids; an id that it does not know stays as it is."""

    lookup: Lookup

    @classmethod
    def from_pattern(cls, pattern: str) -> DocumentMap:
        r"""Take the document from a regular expression over the whole id.

        The group `doc`, else the first group, is the document: `(?P<doc>.+)#\d+` maps `d#3` to
        `d`. Raises `ConfigError` for a pattern that is not valid or has no group.
        """
        compiled = _compiled(pattern)
        group = compiled.groupindex.get("doc", 1)

        def document(chunk_id: str) -> str | None:
            match = compiled.fullmatch(chunk_id)
            return match[group] if match else None

        return cls(lambda ids: pa.array([document(i) for i in ids.to_pylist()], pa.string()))

    @classmethod
    def from_table(cls, chunk_ids: pa.StringArray, doc_ids: pa.StringArray) -> DocumentMap:
        """Take the document from a table of chunk ids, each once, and document ids."""
        assert len(chunk_ids.unique()) == len(chunk_ids) == len(doc_ids)
        return cls(lambda ids: doc_ids.take(pc.index_in(ids, value_set=chunk_ids)))

    def map_run(self, run: Run) -> Run:
        """Let the best chunk stand for its document.

        Later chunks of a document are dropped and the list closes up; where scores exist,
        documents of equal score are ordered by document id. What does not match is counted in a
        `Finding`.
        """
        doc_ids, unmatched = self._mapped(run.doc_ids)
        query = np.repeat(np.arange(len(run.query_ids)), run.depths)
        kept = _first_of_pairs(query, doc_ids)
        query, doc_ids = query[kept], doc_ids.take(pa.array(kept))
        scores = None if run.scores is None else run.scores[kept]
        if scores is not None:
            same = equals_next(query.astype(np.int32), scores)
            order = order_within_ties(same, doc_ids)
            doc_ids = doc_ids if order is None else doc_ids.take(pa.array(order))
        depths = np.bincount(query, minlength=len(run.query_ids))
        return replace(
            run,
            offsets=np.concatenate(([0], np.cumsum(depths))).astype(np.int64),
            doc_ids=doc_ids,
            scores=scores,
            doc_hashes=None,
            findings=(*run.findings, *_unmatched(run.doc_ids, unmatched, "Retrieved")),
        )

    def map_qrels(self, qrels: Qrels) -> Qrels:
        """Let the highest grade among a document's chunks stand for the document."""
        doc_ids, _ = self._mapped(qrels.doc_ids)
        kept = _first_of_pairs(qrels.query, doc_ids)
        query_ids = [qrels.query_ids[i] for i in qrels.query[kept].tolist()]
        docs = doc_ids.take(pa.array(kept))
        return Qrels.from_rows(query_ids, docs, qrels.grade[kept], qrels.query_ids)

    def check_qrels(self, qrels: Qrels) -> tuple[Finding, ...]:
        """Count the judged ids that the mapping does not know."""
        _, unmatched = self._mapped(qrels.doc_ids)
        return _unmatched(qrels.doc_ids, unmatched, "Judged")

    def _mapped(self, ids: pa.StringArray) -> tuple[pa.StringArray, Bools]:
        """Return the document of each id, and whether the id is unknown to the mapping."""
        encoded = ids.dictionary_encode()
        found = self.lookup(encoded.dictionary)
        documents = pc.coalesce(found, encoded.dictionary).take(encoded.indices)
        unknown = found.is_null().take(encoded.indices)
        return documents, unknown.to_numpy(zero_copy_only=False)


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ConfigError(
            f"not a regular expression: {pattern!r}: {error}", where="documents.pattern"
        ) from None
    if not compiled.groups:
        raise ConfigError(
            f"the pattern {pattern!r} has no group",
            where="documents.pattern",
            hint=r"put the document's part in a group: (?P<doc>.+)#\d+",
        )
    return compiled


def _first_of_pairs(query: Ints | Int32s, doc_ids: pa.StringArray) -> Ints:
    """Return the first row of each pair of query and document, in order."""
    code = doc_ids.dictionary_encode().indices.to_numpy().astype(np.int64)
    pair = query.astype(np.int64) * (code.max(initial=0) + 1) + code
    return np.sort(np.unique(pair, return_index=True)[1])


def _unmatched(ids: pa.StringArray, unmatched: Bools, what: str) -> tuple[Finding, ...]:
    count = int(np.count_nonzero(unmatched))
    if not count:
        return ()
    examples = ids.filter(pa.array(unmatched)).unique()[:MAX_EXAMPLES].to_pylist()
    return (
        Finding(
            code="ids-without-document",
            severity="high" if count == len(ids) else "medium",
            what=f"{what} ids that the document mapping does not know",
            count=count,
            effect="They stand for themselves. Check the pattern or the table of documents.",
            total=len(ids),
            examples=tuple(examples),
        ),
    )
