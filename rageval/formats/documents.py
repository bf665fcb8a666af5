"""The beginnings of some of a corpus's documents, for people to read."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

import numpy as np
import pyarrow as pa

from rageval.formats.content import Content
from rageval.formats.corpus import id_key
from rageval.formats.faults import Faults
from rageval.formats.ids import id_column, id_text
from rageval.formats.json_text import JsonText, json_text
from rageval.formats.keys import Keys
from rageval.formats.names import find_name, folded

Corpus = Content | Mapping[str, object]
"""A file of documents, or documents by id."""

_TITLES = ("title", "heading", "name")
_TEXTS = ("text", "contents", "content", "page_content", "body", "passage", "abstract", "document")
_BETWEEN = " – "
"""Between title and text, whatever a title ends with and whichever way it is written."""

_READ = 1 << 20
_LOOKED_AT = 8
"""Characters looked at for each that is shown, so that a book costs no more than a page."""


def texts_of(corpus: Corpus, wanted: Collection[str], length: int) -> dict[str, str]:
    """Return id -> title and beginning of the text, at most `length` characters.

    Blanks are folded. A document without a text, and one that cannot be read, is left out; of
    documents with the same id the first counts.
    """
    found: dict[str, str] = {}
    for doc_id, entry in _entries(corpus, frozenset(wanted)):
        text = _snippet(entry, length)
        if text:
            found.setdefault(doc_id, text)
    return found


def cut(text: str, length: int) -> str:
    """Cut a text that is longer than `length`, with an ellipsis in place of what is missing."""
    return text if len(text) <= length else f"{whole_words(text[: length - 1])}…"


def whole_words(start: str) -> str:
    """Leave out the word that the end of a cut text may have lost a part of.

    Where that would take much, because words are long or not parted by blanks, it stays.
    """
    words = start.rpartition(" ")[0]
    return words if 4 * len(words) > 3 * len(start) else start.rstrip()


def _snippet(entry: object, length: int) -> str:
    if isinstance(entry, str):
        return cut(_beginning(entry, length), length)
    if not isinstance(entry, Mapping):
        return ""
    title, text = (_beginning(_text(entry, names), length) for names in (_TITLES, _TEXTS))
    if text.startswith(title):
        return cut(text, length)
    return cut(_BETWEEN.join(filter(None, (title, text))), length)


def _beginning(text: str, length: int) -> str:
    return " ".join(text.lstrip()[: _LOOKED_AT * length].split())


def _text(entry: Mapping[str, object], names: tuple[str, ...]) -> str:
    known = {folded(name): value for name, value in entry.items()}
    texts = (known.get(name) for name in names)
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")


def _entries(corpus: Corpus, wanted: frozenset[str]) -> Iterable[tuple[str, object]]:
    if isinstance(corpus, Mapping):
        return ((doc_id, entry) for doc_id, entry in corpus.items() if doc_id in wanted)
    if corpus.is_parquet:
        return _of_parquet(corpus, wanted)
    key, whole = id_key(corpus), json_text(corpus)
    if key is not None:
        return _of_lines(corpus, key, wanted)
    return () if whole is None else _of_json(whole, wanted)


def _of_json(whole: JsonText, wanted: frozenset[str]) -> Iterable[tuple[str, object]]:
    if whole.is_lines:
        return _named(whole.lines(Faults(lenient=True)).values, wanted)
    value = whole.value
    if isinstance(value, dict) and find_name("doc_id", value) is None:
        return _entries(value, wanted)
    return _named(value if isinstance(value, list) else [value], wanted)


def _named(values: Iterable[object], wanted: frozenset[str]) -> Iterator[tuple[str, object]]:
    keys = Keys({})
    for entry in values:
        doc_id = id_text(keys.value("doc_id", entry)) if isinstance(entry, dict) else None
        if doc_id in wanted:
            yield doc_id, entry


def _of_lines(content: Content, key: str, wanted: frozenset[str]) -> Iterator[tuple[str, object]]:
    may_be_wanted = _quick_look(key, wanted)
    for line in io.BufferedReader(pa.BufferReader(content.buffer), _READ):
        entry = _parsed(line) if may_be_wanted(line) else None
        doc_id = id_text(entry.get(key)) if isinstance(entry, dict) else None
        if isinstance(entry, dict) and doc_id in wanted:
            yield doc_id, entry


def _quick_look(key: str, wanted: frozenset[str]) -> Callable[[bytes], bool]:
    """Return a test that tells most lines apart without parsing them.

    It may say yes of any line, and says no only where the id stands in the outermost object,
    as plain bytes, and is none of those wanted.
    """
    name = re.escape(json.dumps(key, ensure_ascii=False).encode())
    pattern = re.compile(rb"(?<!\\)" + name + rb'\s*:\s*(?:"([^"\\]*)"|(-?\d+))')
    plain = {doc_id.encode("utf-8", "surrogatepass") for doc_id in wanted}

    def may_be_wanted(line: bytes) -> bool:
        match = pattern.search(line)
        if match is None or line.count(b"{", 0, match.start()) > 1:
            return True
        return (match[1] or match[2]) in plain

    return may_be_wanted


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _of_parquet(content: Content, wanted: frozenset[str]) -> Iterator[tuple[str, object]]:
    import pyarrow.compute as pc
    from pyarrow import parquet

    source = parquet.ParquetFile(pa.BufferReader(content.buffer))
    names = source.schema_arrow.names
    key, known = find_name("doc_id", names), pa.array(sorted(wanted), pa.string())
    read = [name for name in names if name == key or folded(name) in (*_TITLES, *_TEXTS)]
    for batch in source.iter_batches(columns=read):
        ids = None if key is None else id_column(pa.chunked_array([batch[key]]))
        if ids is not None:
            for row in np.flatnonzero(pc.is_in(ids, value_set=known).to_numpy()).tolist():
                yield ids[row].as_py(), batch.slice(row, 1).to_pylist()[0]
