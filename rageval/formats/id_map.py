"""A table of chunk ids and the documents that they belong to."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from rageval.config.models import FileSpec
from rageval.errors import InputError
from rageval.formats.faults import Faults
from rageval.formats.names import folded
from rageval.formats.opened import Opened
from rageval.formats.tidy import Tidy, delimited_header, good_ids, open_delimited

_CHUNK = ("chunk_id", "chunk", "passage_id", "node_id", "id", "_id")
_DOCUMENT = ("doc_id", "document_id", "document", "doc", "docid", "docno", "corpus_id", "parent_id")
_HINT = "a header and two columns: chunk_id, doc_id"


def read_id_map(path: Path) -> tuple[pa.StringArray, pa.StringArray]:
    """Read chunk ids and their document ids from a CSV or TSV file with a header.

    The columns are found by name, else they are the first two. Raises `InputError` for a chunk
    that belongs to two documents, and for empty ids.
    """
    opened = Opened(FileSpec(path=str(path)), Path(), lenient=False)
    tidy = open_delimited(opened, "tsv" if delimited_header(opened, "tsv") else "csv")
    chunk, document = _columns(tidy)
    faults = Faults(lenient=False)
    table, where = tidy.read([chunk, document], faults)
    good_ids(table, {chunk: chunk, document: document}, faults, where)
    chunks, documents = table[chunk].to_pylist(), table[document].to_pylist()
    known: dict[str, str] = {}
    for row, pair in enumerate(zip(chunks, documents, strict=True)):
        first = known.setdefault(*pair)
        if first != pair[1]:
            faults.add(f"chunk {pair[0]!r} belongs to {first!r} and to {pair[1]!r}", where(row))
    faults.settle()
    return pa.array(list(known), pa.string()), pa.array(list(known.values()), pa.string())


def _columns(tidy: Tidy) -> tuple[str, str]:
    if len(tidy.names) < 2:
        raise InputError("fewer than two columns", where=tidy.path, hint=_HINT)
    by_name = {folded(name): name for name in reversed(tidy.names)}
    chunk = next((by_name[name] for name in _CHUNK if name in by_name), None)
    document = next((by_name[name] for name in _DOCUMENT if name in by_name), None)
    if chunk is None or document is None:
        return tidy.names[0], tidy.names[1]
    return chunk, document
