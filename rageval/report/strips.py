"""A query's rankings as strips of ranks, and what is known about the query."""

from __future__ import annotations

from rageval.data import QueryDetail, Retrieved
from rageval.report.charts import StripGlyph, strip
from rageval.report.model import Subject
from rageval.report.text import isolated, visible

MAX_STRIP = 20
"""Ranks that fit a table cell."""


def attribute_words(subject: Subject, query_id: str) -> str:
    """Return the query's attribute values as one phrase."""
    found = (values.get(query_id, "") for values in subject.dataset.attributes.values())
    return ", ".join(isolated(text) for text in found if text)


def strip_of(subject: Subject, detail: QueryDetail | None, name: str) -> StripGlyph | None:
    """Draw the first ranks of a strategy; None where they are not kept."""
    if detail is None or name not in detail.rankings:
        return None
    documents = detail.rankings[name][:MAX_STRIP]
    kinds = [kind(document, relevance_level(subject)) for document in documents]
    hits = [str(i + 1) for i, k in enumerate(kinds) if k == "relevant"]
    found = f"relevant at rank {', '.join(hits)}" if hits else "nothing relevant"
    title = f"{visible(name)}: {found} in the first {len(kinds)}"
    return strip(title, subject.ink(name), kinds)


def kind(document: Retrieved, level: int) -> str:
    """Say what a document at a rank is: relevant, not relevant or unjudged."""
    if document.grade is None:
        return "unjudged"
    return "relevant" if document.grade >= level else "not relevant"


def relevance_level(subject: Subject) -> int:
    """Return the lowest grade that is relevant."""
    return int(subject.result.config.get("relevance_level", 1))
