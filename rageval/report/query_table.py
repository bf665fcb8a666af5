"""Every query's values: plain rows where they are few, packed data where they are many."""

from __future__ import annotations

import base64
import gzip
import json
import math
from dataclasses import dataclass

from rageval.data import Comparison
from rageval.report.model import Subject
from rageval.report.numbers import difference, value
from rageval.report.text import direction, visible

MAX_PLAIN_ROWS = 500
"""A page with more rows than this opens slowly; they are packed and drawn as they are needed."""
MAX_ATTRIBUTES = 3


@dataclass(frozen=True, slots=True)
class QueryRow:
    """One query as text, cell by cell."""

    query_id: str
    text: str
    direction: str
    attributes: tuple[str, ...]
    values: tuple[str, ...]
    change: str


@dataclass(frozen=True)
class QueryTable:
    """The table of all queries on the primary measure."""

    anchor: str
    caption: str
    with_text: bool
    attributes: tuple[str, ...]
    strategies: tuple[str, ...]
    with_change: bool
    total: int
    rows: tuple[QueryRow, ...]
    packed: str
    """gzip and base64 of the rows as JSON; empty where the rows stand in the page."""


def query_table(subject: Subject) -> QueryTable:
    """List every query with each strategy's value of the primary measure."""
    rows = query_rows(subject)
    dataset = subject.dataset
    many = len(rows) > MAX_PLAIN_ROWS
    position = subject.result.datasets.index(dataset) + 1
    return QueryTable(
        anchor=f"all-{position}",
        caption=f"{subject.primary_label} per query and strategy",
        with_text=any(row.text for row in rows),
        attributes=tuple(dataset.attributes)[:MAX_ATTRIBUTES],
        strategies=subject.names,
        with_change=subject.focus is not None,
        total=len(rows),
        rows=() if many else rows,
        packed=_pack(rows) if many else "",
    )


def query_rows(subject: Subject) -> tuple[QueryRow, ...]:
    """Write out every query, in the order of the axis."""
    cube, dataset, focus = subject.dataset.measurements, subject.dataset, subject.focus
    columns = [[value(v) for v in row] for row in cube.matrix(subject.primary).tolist()]
    changes = _changes(subject, focus)
    attributes = [dataset.attributes[a] for a in tuple(dataset.attributes)[:MAX_ATTRIBUTES]]
    return tuple(
        QueryRow(
            query_id=visible(query_id),
            text=visible(dataset.texts.get(query_id, "")),
            direction=direction(dataset.texts.get(query_id, "")),
            attributes=tuple(visible(known.get(query_id, "")) for known in attributes),
            values=tuple(column[i] for column in columns),
            change=changes[i],
        )
        for i, query_id in enumerate(cube.query_ids)
    )


def _changes(subject: Subject, focus: Comparison | None) -> list[str]:
    if focus is None:
        return [""] * subject.n_queries
    return [
        difference(d) if not math.isnan(d) else value(d) for d in subject.change(focus).tolist()
    ]


def _pack(rows: tuple[QueryRow, ...]) -> str:
    table = [[row.query_id, row.text, *row.attributes, *row.values, row.change] for row in rows]
    data = json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode("ascii")
