"""The ids of a corpus: JSON Lines of documents, or a plain list of ids."""

from __future__ import annotations

import json as json_module
from dataclasses import replace

import numpy as np
import pyarrow as pa

from rageval.errors import InputError
from rageval.formats.content import Content, head_of
from rageval.formats.delimited import THREADS_FROM
from rageval.formats.faults import Faults
from rageval.formats.ids import ID_HINT, id_text, not_an_id
from rageval.formats.json_text import Entries, JsonText, json_text
from rageval.formats.keys import ABSENT, Keys
from rageval.formats.names import find_name, looked_for
from rageval.formats.tables import DatasetTable

_BLOCK = 16 << 20


def with_corpus(table: DatasetTable, content: Content, lenient: bool) -> tuple[DatasetTable, int]:
    """Return the dataset with the ids of a corpus beside it, and how many there are."""
    ids = read_corpus_ids(content, lenient)
    return replace(table, corpus_ids=ids), len(ids)


def read_corpus_ids(content: Content, lenient: bool = False) -> pa.StringArray:
    """Read the document ids of a corpus; everything else in it is left where it is."""
    if content.is_parquet:
        return _of_parquet(content)
    json = json_text(content)
    if json is None:
        return _of_lines(content)
    ids = _fast(content)
    return _plainly(json, Faults(lenient)) if ids is None else ids


def _plainly(json: JsonText, faults: Faults) -> pa.StringArray:
    if json.is_lines:
        return _of_entries(json.lines(faults), faults)
    value = json.value
    if isinstance(value, dict) and find_name("doc_id", value) is None:
        return pa.array(list(value), pa.string())
    values = value if isinstance(value, list) else [value]
    return _of_entries(Entries(values, json.place), faults)


def _fast(content: Content) -> pa.StringArray | None:
    """Read one key of JSON Lines in a single pass, or return None where the plain way is needed."""
    from pyarrow import json

    key = id_key(content)
    if key is None:
        return None
    try:
        column = json.read_json(
            pa.BufferReader(content.buffer),
            read_options=json.ReadOptions(
                block_size=_BLOCK, use_threads=content.buffer.size >= THREADS_FROM
            ),
            parse_options=json.ParseOptions(
                explicit_schema=pa.schema([(key, pa.string())]), unexpected_field_behavior="ignore"
            ),
        )[key].combine_chunks()
    except pa.ArrowInvalid:
        return None
    return None if column.null_count else _checked(_array(column), content)


def _checked(ids: pa.StringArray, content: Content) -> pa.StringArray:
    try:
        ids.validate(full=True)  # Arrow's JSON reader takes bytes of any encoding
    except pa.ArrowInvalid:
        content.require_utf8()
        raise
    return ids


def id_key(content: Content) -> str | None:
    """Return what the first line calls the id, where it is an object with one; else None."""
    line = head_of(content.buffer, _BLOCK).lstrip().partition(b"\n")[0]
    try:
        entry = json_module.loads(line)
    except ValueError:
        return None
    return find_name("doc_id", entry) if isinstance(entry, dict) else None


def _array(column: pa.Array | pa.ChunkedArray) -> pa.StringArray:
    if isinstance(column, pa.ChunkedArray):
        chunks = column.chunks
        column = pa.concat_arrays(chunks) if chunks else pa.array([], pa.string())
    return column


def _of_entries(entries: Entries, faults: Faults) -> pa.StringArray:
    keys, ids = Keys({}), []
    for i, entry in enumerate(entries.values):
        value = keys.value("doc_id", entry) if isinstance(entry, dict) else entry
        text = id_text(value)
        if text is not None:
            ids.append(text)
        elif value is ABSENT:
            hint = f"looked for {looked_for('doc_id')}"
            faults.add("a document without an id", entries.place(i), hint)
        else:
            faults.add(not_an_id(value), entries.place(i), ID_HINT)
    faults.settle()
    return pa.array(ids, pa.string())


def _of_lines(content: Content) -> pa.StringArray:
    lines = (line.strip(" \t\r") for line in content.text.split("\n"))
    ids = [line for line in lines if line]
    if any("\t" in line or "," in line for line in ids[:20]):
        what = "a list of document ids has one id a line"
        raise InputError(what, where=f"{content.path}:1", hint="or JSON Lines with _id")
    return pa.array(ids, pa.string())


def _of_parquet(content: Content) -> pa.StringArray:
    from pyarrow import parquet

    from rageval.formats.ids import id_column

    try:
        source = parquet.ParquetFile(pa.BufferReader(content.buffer))
        name = find_name("doc_id", source.schema_arrow.names)
        column = None if name is None else id_column(source.read(columns=[name])[name])
    except (pa.ArrowInvalid, OSError) as error:
        what = f"the Parquet file is damaged: {str(error).splitlines()[0]}"
        raise InputError(what, where=content.path) from None
    if column is None or column.null_count:
        hint = f"looked for {looked_for('doc_id')}"
        raise InputError("no column of document ids", where=content.path, hint=hint)
    return _array(column)


def missing_from(ids: pa.Array | pa.ChunkedArray, corpus: pa.StringArray) -> list[int]:
    """Return the positions of `ids` that the corpus lacks."""
    import pyarrow.compute as pc

    known = pc.is_in(ids, value_set=corpus)
    return [int(i) for i in np.flatnonzero(~np.asarray(known.to_numpy(zero_copy_only=False)))]
