"""Runs as JSON: a list of ranked lists, the same as JSON Lines, or one object by query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pyarrow as pa

from rageval.errors import InputError
from rageval.formats.faults import Faults
from rageval.formats.format import RunFormat
from rageval.formats.ids import normal_text, shortened
from rageval.formats.items import UnfitError, beside, checked_id, listed
from rageval.formats.json_file import (
    is_lines,
    is_list,
    is_object,
    json_file,
    list_entries,
    object_of,
)
from rageval.formats.json_text import Entries
from rageval.formats.keys import ABSENT, Keys
from rageval.formats.names import RUN_NAMES, check_columns, looked_for
from rageval.formats.opened import Opened
from rageval.formats.tables import RunTable

_Row = tuple[str, "float | None"]


@dataclass
class _Rows:
    """Rows gathered from entries."""

    query: list[str] = field(default_factory=list)
    doc: list[str] = field(default_factory=list)
    score: list[float | None] = field(default_factory=list)
    entry: list[int] = field(default_factory=list)
    rankings: dict[str, int] = field(default_factory=dict)
    """Query -> entry, for those that came as one list."""
    empty: list[str] = field(default_factory=list)
    by: dict[str, int] = field(default_factory=dict)
    """`id` or `text` -> the first entry that names its query so."""

    def add(self, query: str, rows: list[_Row], entry: int) -> None:
        self.query.extend([query] * len(rows))
        self.doc.extend(doc for doc, _ in rows)
        self.score.extend(score for _, score in rows)
        self.entry.extend([entry] * len(rows))


def run_of_entries(entries: Entries, columns: Mapping[str, str], faults: Faults) -> RunTable:
    """Turn entries `{query_id or query, retrieved}` (or one document an entry) into rows."""
    keys, rows = Keys(columns), _Rows()
    for i, entry in enumerate(entries.values):
        try:
            _take(entry, keys, rows, i)
        except UnfitError as unfit:
            faults.add(str(unfit), entries.place(i), unfit.hint)
    findings = faults.settle()
    return RunTable(
        query=pa.array(rows.query, pa.string()),
        doc=pa.array(rows.doc, pa.string()),
        score=_scores(rows, entries),
        where=lambda row: entries.place(rows.entry[row]),
        keyed_by=_keyed_by(rows, entries),
        empty_queries=tuple(rows.empty),
        findings=findings,
    )


def _take(entry: object, keys: Keys, rows: _Rows, i: int) -> None:
    if not isinstance(entry, dict):
        raise UnfitError("is not an object", 'e.g. {"query_id": "q1", "retrieved": ["d1"]}')
    by, query = _query(entry, keys)
    retrieved = keys.value("retrieved", entry)
    if retrieved is ABSENT and _is_tidy(entry, keys):
        ranking = _ranking([entry], entry, keys)
    else:
        ranking = _ranking(retrieved, entry, keys)
        _note_ranking(query, ranking, rows, i)
    rows.by.setdefault(by, i)
    rows.add(query, ranking, i)


def _is_tidy(entry: Mapping[str, object], keys: Keys) -> bool:
    """Return whether an entry is one document: a lone `id` beside a text is the query's."""
    doc = keys.of_entry("doc_id", entry)
    return doc is not None and doc != keys.of_entry("query_id", entry)


def _note_ranking(query: str, ranking: list[_Row], rows: _Rows, i: int) -> None:
    if rows.rankings.setdefault(normal_text(query), i) != i:
        raise UnfitError(f"a second ranking for query {query!r}", "one ranking for each query")
    if not ranking:
        rows.empty.append(query)


def _query(entry: Mapping[str, object], keys: Keys) -> tuple[str, str]:
    query_id = keys.value("query_id", entry)
    if query_id is not ABSENT:
        return "id", checked_id(query_id)
    text = keys.value("query", entry)
    if text is ABSENT:
        looked = f"looked for {looked_for('query_id')}; {looked_for('query')}"
        raise UnfitError(f"names no query; its keys: {', '.join(map(repr, entry))}", looked)
    if not isinstance(text, str) or not text.strip():
        raise UnfitError(f"the query {text!r} is not a text")
    return "text", text


def _ranking(retrieved: object, entry: Mapping[str, object], keys: Keys) -> list[_Row]:
    if retrieved is ABSENT:
        hint = f"looked for {looked_for('retrieved')}; `columns` can name another"
        raise UnfitError(f"no ranked list; its keys: {', '.join(map(repr, entry))}", hint)
    if not isinstance(retrieved, list | dict):
        shown = "null" if retrieved is None else shortened(retrieved)
        hint = 'e.g. ["d7", "d3"] or {"d7": 0.91}; [] where nothing was retrieved'
        raise UnfitError(f"the ranked list is not a list: {shown}", hint)
    pairs = list(listed(retrieved, keys, "retrieved", "score"))
    scores = [score for _, score in pairs]
    if pairs and all(score is ABSENT for score in scores):
        scores = _scores_beside(entry, keys, pairs)
    return [(checked_id(doc), _score(s)) for (doc, _), s in zip(pairs, scores, strict=True)]


def _scores_beside(
    entry: Mapping[str, object], keys: Keys, pairs: list[tuple[object, object]]
) -> list[object]:
    scores = keys.value("score", entry)
    return beside(scores, pairs, "scores") if isinstance(scores, list) else [ABSENT] * len(pairs)


def _score(value: object) -> float | None:
    if type(value) is float:
        return value
    if value is ABSENT:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise UnfitError("a score too large for a 64-bit float") from None
    raise UnfitError(f"the score {value!r} is not a number")


def _scores(rows: _Rows, entries: Entries) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
    missing = rows.score.count(None)
    if missing == len(rows.score):
        return None
    if missing:
        first = rows.score.index(None)
        what = f"{missing:,} of {len(rows.score):,} documents have no score, the others have one"
        raise InputError(what, where=entries.place(rows.entry[first]), hint="all or none")
    return np.array(rows.score, np.float64)


def _keyed_by(rows: _Rows, entries: Entries) -> Literal["id", "text"]:
    if len(rows.by) == 2:
        where = entries.place(max(rows.by.values()))
        raise InputError("some entries have a query id, others only a text", where=where)
    return "text" if "text" in rows.by else "id"


def _parse_list(opened: Opened) -> RunTable:
    return _parsed(opened, list_entries(opened), Faults(opened.lenient))


def _parse_lines(opened: Opened) -> RunTable:
    faults = Faults(opened.lenient)
    return _parsed(opened, json_file(opened).lines(faults), faults)


def _parsed(opened: Opened, entries: Entries, faults: Faults) -> RunTable:
    check_columns(opened.spec.columns, RUN_NAMES, opened.path)
    return run_of_entries(entries, opened.spec.columns, faults)


def _parse_object(opened: Opened) -> RunTable:
    check_columns(opened.spec.columns, RUN_NAMES, opened.path)
    rankings, json = object_of(opened, '{"q1": {"d1": 0.9}}')
    values = [{"query_id": query, "retrieved": docs} for query, docs in rankings.items()]
    inner = {k: v for k, v in opened.spec.columns.items() if k in ("doc_id", "score")}
    return run_of_entries(Entries(values, json.place), inner, Faults(opened.lenient))


JSON_DICT = RunFormat(
    name="json-dict",
    summary="One JSON object: query id to a mapping of document to score, or to a ranked list.",
    example='{"q1": {"d7": 0.91, "d3": 0.44}, "q2": {"d9": 0.38}}',
    detect=is_object,
    parse=_parse_object,
)
JSON_LIST = RunFormat(
    name="json-list",
    summary="A JSON list with one ranked list for each query, with or without scores.",
    example='[{"query_id": "q1", "retrieved": [{"doc_id": "d7", "score": 0.91}]}]',
    detect=is_list,
    parse=_parse_list,
)
JSONL = RunFormat(
    name="jsonl",
    summary="JSON Lines: one ranked list, or one retrieved document, a line.",
    example='{"query": "How do I reset it?", "retrieved": ["d7", "d3"]}',
    detect=is_lines,
    parse=_parse_lines,
)
FORMATS = (JSON_DICT, JSON_LIST, JSONL)
