"""Datasets as JSON: a list of queries with their relevant documents, or the same as JSON Lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from rageval.errors import InputError
from rageval.formats.attributes import attributes_of
from rageval.formats.faults import Faults
from rageval.formats.format import DatasetFormat, FileRead, ParsedDataset
from rageval.formats.ids import derived_id, normal_text
from rageval.formats.items import UnfitError, checked_id
from rageval.formats.json_file import (
    is_lines,
    is_list,
    is_object,
    json_file,
    list_entries,
    object_of,
)
from rageval.formats.json_text import Entries
from rageval.formats.judgments import Judgment, judgments_of, tidy_judgment
from rageval.formats.keys import ABSENT, Keys
from rageval.formats.names import DATASET_NAMES, check_columns, looked_for
from rageval.formats.opened import Opened
from rageval.formats.tables import DatasetTable


@dataclass
class _Gathered:
    """What the entries of a dataset hold."""

    query: list[str] = field(default_factory=list)
    judgment: list[Judgment] = field(default_factory=list)
    entry: list[int] = field(default_factory=list)
    judged: list[str] = field(default_factory=list)
    """Queries whose list of judgments is empty."""
    texts: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, dict[str, str]] = field(default_factory=dict)
    whole: dict[str, int] = field(default_factory=dict)
    """Query id -> entry, for those that came as one entry."""
    unnamed: dict[str, int] = field(default_factory=dict)
    """Text -> entry, for those that came without an id."""


def dataset_of_entries(
    entries: Entries, columns: Mapping[str, str], faults: Faults
) -> DatasetTable:
    """Turn entries `{id?, query?, relevant_docs, grades?, ...}` into judgments and queries."""
    keys, gathered = Keys(columns), _Gathered()
    for i, entry in enumerate(entries.values):
        try:
            _take(entry, keys, gathered, i)
        except UnfitError as unfit:
            faults.add(str(unfit), entries.place(i), unfit.hint)
    findings = faults.settle()
    if not gathered.judged and not gathered.query and gathered.texts:
        raise _unjudged(entries)
    return DatasetTable(
        query=pa.array(gathered.query, pa.string()),
        doc=pa.array([doc for doc, _ in gathered.judgment], pa.string()),
        grade=pa.array([grade for _, grade in gathered.judgment], pa.string()),
        where=lambda row: entries.place(gathered.entry[row]),
        judged_queries=tuple(dict.fromkeys(gathered.judged)),
        texts=gathered.texts,
        attributes=gathered.attributes,
        findings=findings,
    )


def _unjudged(entries: Entries) -> InputError:
    first = next(entry for entry in entries.values if isinstance(entry, dict))
    if "spans" in first:
        what = "no entry has document ids: spans of text are no judgments of documents"
    else:
        what = f"no entry names relevant documents by id; keys: {', '.join(map(repr, first))}"
    hint = f"looked for {looked_for('relevant_docs')}; `columns` can name another"
    return InputError(what, where=entries.place(0), hint=hint)


def _take(entry: object, keys: Keys, gathered: _Gathered, i: int) -> None:
    if not isinstance(entry, dict):
        raise UnfitError("is not an object", 'e.g. {"query": "...", "relevant_docs": ["d1"]}')
    query, text = _query(entry, keys, gathered, i)
    judgments = judgments_of(entry, keys)
    tidy = tidy_judgment(entry, keys) if judgments is None else None
    if tidy is None and gathered.whole.setdefault(query, i) != i:
        raise UnfitError(f"a second entry for query {query!r}", "one entry for each query")
    gathered.texts.setdefault(query, text)
    for name, value in attributes_of(entry, _used(entry, keys)).items():
        gathered.attributes.setdefault(name, {}).setdefault(query, value)
    found = tidy if judgments is None else judgments
    if found is not None:
        if not found:
            gathered.judged.append(query)
        gathered.query.extend([query] * len(found))
        gathered.judgment.extend(found)
        gathered.entry.extend([i] * len(found))


def _query(entry: Mapping[str, object], keys: Keys, gathered: _Gathered, i: int) -> tuple[str, str]:
    text = keys.value("query", entry)
    if text is not ABSENT and text is not None and not isinstance(text, str):
        raise UnfitError(f"the query {text!r} is not a text")
    text = text if isinstance(text, str) else ""
    query_id = keys.value("query_id", entry)
    if query_id is not ABSENT:
        return checked_id(query_id), text
    if not text.strip():
        looked = f"looked for {looked_for('query_id')}; {looked_for('query')}"
        raise UnfitError(f"names no query; its keys: {', '.join(map(repr, entry))}", looked)
    if gathered.unnamed.setdefault(normal_text(text), i) != i:
        raise UnfitError(f"the query {text!r} stands twice without an id", "give each an id")
    return derived_id(text), text


def _used(entry: Mapping[str, object], keys: Keys) -> set[str]:
    paths = (keys.of_entry(ours, entry) for ours in DATASET_NAMES)
    return {part for path in paths if path for part in (path, path.partition(".")[0])}


def entries_of_object(value: Mapping[str, object]) -> list[object]:
    """Turn `{query_id: {doc_id: grade}}` or `{query_id: [doc_id, ...]}` into entries."""
    return [
        {"query_id": query, "grades" if isinstance(docs, dict) else "relevant_docs": docs}
        for query, docs in value.items()
    ]


def _parsed(
    opened: Opened, entries: Entries, faults: Faults, columns: Mapping[str, str] | None = None
) -> ParsedDataset:
    check_columns(opened.spec.columns, DATASET_NAMES, opened.path)
    chosen = opened.spec.columns if columns is None else columns
    table = dataset_of_entries(entries, chosen, faults)
    return ParsedDataset(table, (FileRead(opened.content, len(entries.values)),))


def _parse_list(opened: Opened) -> ParsedDataset:
    return _parsed(opened, list_entries(opened), Faults(opened.lenient))


def _parse_lines(opened: Opened) -> ParsedDataset:
    faults = Faults(opened.lenient)
    return _parsed(opened, json_file(opened).lines(faults), faults)


def _parse_object(opened: Opened) -> ParsedDataset:
    value, json = object_of(opened, '{"q1": {"d7": 2}}')
    if value and not any(isinstance(docs, dict | list) for docs in value.values()):
        raise opened.error("holds texts by id, no judgments", _PAIR_HINT)
    inner = {k: v for k, v in opened.spec.columns.items() if k in ("doc_id", "grade")}
    entries = Entries(entries_of_object(value), json.place)
    return _parsed(opened, entries, Faults(opened.lenient), inner)


_PAIR_HINT = "name the folder that also holds *relevant_docs.json, or that file with `topics`"

JSON_LIST = DatasetFormat(
    name="json-list",
    summary="A JSON list of queries with their relevant documents, with or without ids and grades.",
    example='[{"query": "How do I reset it?", "relevant_docs": ["d7", "d3"], "grades": [2, 1]}]',
    detect=is_list,
    parse=_parse_list,
)
JSONL = DatasetFormat(
    name="jsonl",
    summary="JSON Lines: one query with its relevant documents, or one judgment, a line.",
    example='{"query_id": "q1", "query": "...", "relevant_docs": ["d7"], "category": "how-to"}',
    detect=is_lines,
    parse=_parse_lines,
)
JSON_DICT = DatasetFormat(
    name="json-dict",
    summary="One JSON object: query id to a mapping of document to grade, or to a list.",
    example='{"q1": {"d7": 2, "d3": 0}, "q2": ["d9"]}',
    detect=is_object,
    parse=_parse_object,
)
FORMATS = (JSON_LIST, JSONL, JSON_DICT)
