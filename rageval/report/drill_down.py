"""What each strategy returned for the most telling queries, and what is judged there."""

from __future__ import annotations

from dataclasses import dataclass

from rageval.data import QueryDetail, Retrieved
from rageval.diagnostics.details import MAX_JUDGMENTS as KEPT_JUDGMENTS
from rageval.formats.documents import whole_words
from rageval.report.model import Subject, heading_id
from rageval.report.numbers import count, value
from rageval.report.strips import attribute_words, kind, relevance_level
from rageval.report.text import direction, visible

MAX_JUDGMENTS = 30
ROOM = 1_000_000
"""Bytes that the texts in all rankings of a dataset may take, that the page stays light."""
LEAST, MOST = 80, 120
"""Bytes of a document's text in a ranking: what a line or two can hold."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document with what is known about it."""

    doc_id: str
    kind: str
    """`relevant`, `not relevant` or `unjudged`, with the grade where there is one."""
    relevant: bool
    text: str
    """How it begins; empty where that is not known."""
    direction: str


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
    told: bool
    """Whether the text of any document is known."""
    rankings: tuple[Ranking, ...]


def drill_down(subject: Subject) -> tuple[Drill, ...]:
    """Unfold every query whose rankings the result keeps."""
    details = subject.dataset.details
    places = sum(len(ranking) for detail in details for ranking in detail.rankings.values())
    room = max(LEAST, min(MOST, ROOM // max(1, places)))
    return tuple(_drill(subject, detail, room) for detail in details)


def drill_anchors(subject: Subject) -> dict[str, str]:
    """Return query id -> anchor of its drill-down."""
    base = heading_id(subject, "query")
    return {d.query_id: f"{base}-{i + 1}" for i, d in enumerate(subject.dataset.details)}


def _drill(subject: Subject, detail: QueryDetail, room: int) -> Drill:
    text = subject.dataset.texts.get(detail.query_id, "")
    judged = detail.judgments[:MAX_JUDGMENTS]
    rest = len(detail.judgments) - len(judged)
    shown = [*judged, *(d for ranking in detail.rankings.values() for d in ranking)]
    least = "at least " if len(detail.judgments) == KEPT_JUDGMENTS else ""
    return Drill(
        anchor=drill_anchors(subject)[detail.query_id],
        query_id=visible(detail.query_id),
        text=visible(text),
        direction=direction(text),
        attributes=attribute_words(subject, detail.query_id),
        judged=tuple(_document(subject, document) for document in judged),
        judged_rest=f"and {least}{count(rest)} more judged" if rest else "",
        told=any(document.doc_id in subject.dataset.documents for document in shown),
        rankings=tuple(
            _ranking(subject, detail, name, room)
            for name in subject.names
            if name in detail.rankings
        ),
    )


def _ranking(subject: Subject, detail: QueryDetail, name: str, room: int) -> Ranking:
    cube = subject.dataset.measurements
    i = cube.query_ids.index(detail.query_id)
    return Ranking(
        strategy=name,
        value=value(float(cube.vector(subject.primary, name)[i])),
        documents=tuple(_document(subject, document, room) for document in detail.rankings[name]),
    )


def _document(subject: Subject, document: Retrieved, room: int | None = None) -> Document:
    """Return a document as it is shown, with as much of its text as `room` bytes hold."""
    found = kind(document, relevance_level(subject))
    text = subject.dataset.documents.get(document.doc_id, "")
    shown = visible(text)
    return Document(
        doc_id=visible(document.doc_id),
        kind=found if document.grade is None else f"grade {document.grade}",
        relevant=found == "relevant",
        text=shown if room is None else _within(shown, room),
        direction=direction(text),
    )


def _within(text: str, room: int) -> str:
    # Bytes, not characters: a line holds fewer characters of a script that has large ones.
    encoded = text.encode("utf-8")
    if len(encoded) <= room:
        return text
    start = encoded[: room - len("…".encode())].decode("utf-8", "ignore")
    return f"{whole_words(start)}…"
