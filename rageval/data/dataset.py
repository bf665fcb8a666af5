"""Queries with relevance judgments: what strategies are evaluated on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from rageval.data.finding import Finding
from rageval.data.qrels import Qrels
from rageval.data.source import Source


@dataclass(frozen=True, eq=False)
class Dataset:
    """An evaluation dataset. Its query axis is `qrels.query_ids`, the judged queries."""

    name: str
    qrels: Qrels
    texts: Mapping[str, str] = field(default_factory=dict)
    """Query text by query id, as far as the files give it."""
    attributes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Attribute name -> query id -> value, for slices; a query may lack a value."""
    unjudged_queries: tuple[str, ...] = ()
    """Queries that the files list but nobody judged: excluded, and reported."""
    corpus_ids: pa.StringArray | None = None
    """Ids of all documents, where a corpus was given."""
    sources: tuple[Source, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def query_ids(self) -> tuple[str, ...]:
        """Return the query axis."""
        return self.qrels.query_ids
