"""LlamaIndex fine-tuning datasets: queries, corpus and relevant_docs, in one file or several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from rageval.errors import InputError
from rageval.formats.companions import with_companions
from rageval.formats.compression import compressed_suffix
from rageval.formats.content import Content
from rageval.formats.dataset_json import dataset_of_entries, entries_of_object
from rageval.formats.faults import Faults
from rageval.formats.format import DatasetFormat, FileRead, ParsedDataset
from rageval.formats.json_file import is_object, json_file
from rageval.formats.json_text import Entries, JsonText
from rageval.formats.names import refuse_columns
from rageval.formats.opened import Opened
from rageval.formats.tables import DatasetTable

_RELEVANT = "relevant_docs.json"
_PARTS = {"queries", "relevant_docs"}


def _detect(opened: Opened) -> bool:
    if opened.is_folder:
        return bool(_relevant_files(opened))
    if not is_object(opened) or opened.json is None:
        return False
    value = opened.json.value
    return isinstance(value, dict) and (value.keys() >= _PARTS or _is_rag_dataset(value))


def _is_rag_dataset(value: dict[str, object]) -> bool:
    examples = value.get("examples")
    first = examples[0] if isinstance(examples, list) and examples else None
    return isinstance(first, dict) and "reference_contexts" in first


def _relevant_files(opened: Opened) -> list[Path]:
    files = sorted(opened.target.iterdir())
    return [f for f in files if f.name.removesuffix(compressed_suffix(f.name)).endswith(_RELEVANT)]


def _parse(opened: Opened) -> ParsedDataset:
    refuse_columns(opened.spec.columns, opened.path)
    return _parse_folder(opened) if opened.is_folder else _parse_file(opened)


def _parse_file(opened: Opened) -> ParsedDataset:
    value = json_file(opened).value
    if isinstance(value, dict) and _is_rag_dataset(value):
        what = "a LlamaIndex RAG dataset holds reference texts, no ids of relevant documents"
        raise opened.error(what, "make a list of {query, relevant_docs} with ids of documents")
    if not isinstance(value, dict) or not value.keys() >= _PARTS:
        raise opened.error("is not a LlamaIndex dataset", "looked for queries and relevant_docs")
    queries = _object(value["queries"], "queries", opened.path)
    relevant = _object(value["relevant_docs"], "relevant_docs", opened.path)
    ids = list(relevant)
    table = _judged(relevant, lambda i: f"{opened.path}: relevant_docs, {ids[i]!r}", opened)
    table = replace(table, texts={q: t for q, t in queries.items() if isinstance(t, str)})
    corpus = _corpus_of(value, opened)
    if corpus:
        table = replace(table, corpus_ids=pa.array(list(corpus), pa.string()))
    return ParsedDataset(table, (FileRead(opened.content, len(table.query)),))


def _parse_folder(opened: Opened) -> ParsedDataset:
    file = _one_relevant_file(opened)
    content = opened.inside(file)
    json = JsonText(content)
    table = _judged(_object(json.value, "relevant_docs", content.path), json.place, opened)
    read = FileRead(content, len(table.query))
    queries = opened.part(f"{_prefix(file)}queries.json")
    table, files = with_companions(table, queries, _corpus_file(opened, file), opened.lenient)
    return ParsedDataset(table, (read, *files))


def _prefix(relevant: Path) -> str:
    return relevant.name[: relevant.name.rindex(_RELEVANT)]


def _corpus_file(opened: Opened, relevant: Path) -> Content | None:
    return opened.part(f"{_prefix(relevant)}corpus.json")


def _corpus(opened: Opened) -> Content | dict[str, object] | None:
    if opened.is_folder:
        return _corpus_file(opened, _one_relevant_file(opened))
    value = json_file(opened).value
    return _corpus_of(value, opened) if isinstance(value, dict) else None


def _corpus_of(value: dict[str, object], opened: Opened) -> dict[str, object]:
    return _object(value.get("corpus") or {}, "corpus", opened.path)


def _judged(
    relevant: dict[str, object], place: Callable[[int], str], opened: Opened
) -> DatasetTable:
    entries = Entries(entries_of_object(relevant), place)
    table = dataset_of_entries(entries, {}, Faults(opened.lenient))
    return replace(table, texts={}, attributes={})


def _object(value: object, what: str, where: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise InputError(f"{what} is not an object by id", where=where)
    return value


def _one_relevant_file(opened: Opened) -> Path:
    files = _relevant_files(opened)
    if len(files) > 1:
        names = ", ".join(file.name for file in files)
        hint = "name one of them as the dataset, and its queries file as `topics`"
        raise opened.error(f"several datasets in the folder: {names}", hint)
    if not files:
        raise opened.error("no *relevant_docs.json in the folder")
    return files[0]


LLAMAINDEX = DatasetFormat(
    name="llamaindex",
    summary="A LlamaIndex dataset {queries, corpus, relevant_docs}, or a folder of its parts "
    "(*queries.json, *relevant_docs.json, *corpus.json if there).",
    example='{"queries": {"q1": "..."}, "corpus": {"d7": "..."}, "relevant_docs": {"q1": ["d7"]}}',
    detect=_detect,
    parse=_parse,
    corpus=_corpus,
)
FORMATS = (LLAMAINDEX,)
