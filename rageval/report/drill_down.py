"""What each strategy returned for the most telling queries, and what is judged there."""

from __future__ import annotations

from dataclasses import dataclass

from rageval.data import QueryDetail, Retrieved
from rageval.diagnostics.details import MAX_JUDGMENTS as KEPT_JUDGMENTS
from rageval.report.model import Subject, heading_id
from rageval.report.numbers import count, value
from rageval.report.strips import attribute_words, kind, relevance_level
from rageval.report.text import direction, visible

MAX_JUDGMENTS = 30


@dataclass(frozen=True, slots=True)
class Document:
    """A document with what is known about it."""

    doc_id: str
    kind: str
    """`relevant`, `not relevant` or `unjudged`, with the grade where there is one."""
    relevant: bool


@dataclass(frozen=True)
class Ranking:
    """What one strategy returned."""

    strategy: str
    value: str
    documents: tuple[Document, ...]


@dataclass(frozen=True)
class Drill:
    """One query, unfolded."""

    anchor: str
    query_id: str
    text: str
    direction: str
    attributes: str
    judged: tuple[Document, ...]
    judged_rest: str
    rankings: tuple[Ranking, ...]


def drill_down(subject: Subject) -> tuple[Drill, ...]:
    """Unfold every query whose rankings the result keeps."""
    return tuple(_drill(subject, detail) for detail in subject.dataset.details)


def drill_anchors(subject: Subject) -> dict[str, str]:
    """Return query id -> anchor of its drill-down."""
    base = heading_id(subject, "query")
    return {d.query_id: f"{base}-{i + 1}" for i, d in enumerate(subject.dataset.details)}


def _drill(subject: Subject, detail: QueryDetail) -> Drill:
    text = subject.dataset.texts.get(detail.query_id, "")
    judged = detail.judgments[:MAX_JUDGMENTS]
    rest = len(detail.judgments) - len(judged)
    least = "at least " if len(detail.judgments) == KEPT_JUDGMENTS else ""
    return Drill(
        anchor=drill_anchors(subject)[detail.query_id],
        query_id=visible(detail.query_id),
        text=visible(text),
        direction=direction(text),
        attributes=attribute_words(subject, detail.query_id),
        judged=tuple(_document(subject, document) for document in judged),
        judged_rest=f"and {least}{count(rest)} more judged" if rest else "",
        rankings=tuple(
            _ranking(subject, detail, name) for name in subject.names if name in detail.rankings
        ),
    )


def _ranking(subject: Subject, detail: QueryDetail, name: str) -> Ranking:
    cube = subject.dataset.measurements
    i = cube.query_ids.index(detail.query_id)
    return Ranking(
        strategy=name,
        value=value(float(cube.vector(subject.primary, name)[i])),
        documents=tuple(_document(subject, document) for document in detail.rankings[name]),
    )


def _document(subject: Subject, document: Retrieved) -> Document:
    found = kind(document, relevance_level(subject))
    words = found if document.grade is None else f"grade {document.grade}"
    return Document(visible(document.doc_id), words, found == "relevant")
