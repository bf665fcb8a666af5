"""How documents begin, read from every kind of corpus."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from rageval.config.models import DatasetSpec
from rageval.formats import read_dataset, read_documents

DOCUMENTS = [
    {"_id": "d1", "title": "Wind", "text": "Cups turn\n\tin the  wind."},
    {"_id": "été", "title": "", "text": "Summer."},
    {"_id": "d3", "title": "Only a title", "text": ""},
    {"_id": "d4", "title": "", "text": ""},
    {"_id": "other", "title": "Other", "text": "Nobody asks for it."},
    {"_id": "001", "title": "Rain", "text": "Rain falls into a bucket."},
]
ASKED = ["001", "d1", "d3", "d4", "missing", "été"]
BEGINNINGS = {
    "001": "Rain falls into a bucket.",
    "d1": "Wind – Cups turn in the wind.",
    "d3": "Only a title",
    "été": "Summer.",
}
JUDGED = '{"q": ["d1"]}'


def lines(documents: list[dict[str, object]], **options: bool) -> bytes:
    return "".join(json.dumps(document, **options) + "\n" for document in documents).encode()  # type: ignore[arg-type]


def by_id() -> dict[str, object]:
    return {str(d["_id"]): {"title": d["title"], "text": d["text"]} for d in DOCUMENTS}


def as_parquet() -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(DOCUMENTS), buffer, row_group_size=2)
    return buffer.getvalue()


CORPORA: dict[str, Callable[[], bytes]] = {
    "lines": lambda: lines(DOCUMENTS),
    "lines of UTF-8": lambda: b"\xef\xbb\xbf" + lines(DOCUMENTS, ensure_ascii=False),
    "lines that end in CRLF": lambda: lines(DOCUMENTS).replace(b"\n", b"\r\n"),
    "keys in another order": lambda: lines(DOCUMENTS, sort_keys=True),
    "gzip": lambda: gzip.compress(lines(DOCUMENTS)),
    "bzip2": lambda: bz2.compress(lines(DOCUMENTS)),
    "xz": lambda: lzma.compress(lines(DOCUMENTS)),
    "zstd": lambda: pa.compress(lines(DOCUMENTS), codec="zstd", asbytes=True),
    "list": lambda: json.dumps(DOCUMENTS, indent=1).encode(),
    "object": lambda: json.dumps(by_id(), indent=1).encode(),
    "object in one line": lambda: json.dumps(by_id()).encode(),
    "parquet": as_parquet,
    "other names": lambda: lines(
        [{"docid": d["_id"], "Title": d["title"], "contents": d["text"]} for d in DOCUMENTS]
    ),
}


def read(folder: Path, corpus: bytes, asked: list[str] = ASKED, **options: int) -> dict[str, str]:
    (folder / "judged.json").write_text(JUDGED)
    (folder / "corpus").write_bytes(corpus)
    spec = DatasetSpec.model_validate({"path": "judged.json", "corpus": "corpus"})
    return read_documents(spec, folder, asked, **options)


@pytest.mark.parametrize("corpus", CORPORA)
def test_every_kind_of_corpus_gives_the_same_beginnings(corpus, tmp_path):
    assert read(tmp_path, CORPORA[corpus]()) == BEGINNINGS


def test_a_beir_folder_brings_its_corpus(tmp_path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\td1\t1\n")
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "why"}\n')
    (tmp_path / "corpus.jsonl.gz").write_bytes(gzip.compress(lines(DOCUMENTS)))
    spec = DatasetSpec(path=".", name="folder")
    assert read_documents(spec, tmp_path, ASKED) == BEGINNINGS


def test_a_llamaindex_dataset_brings_its_corpus_in_one_file_or_beside(tmp_path):
    texts = {"d1": " Cups turn ", "d2": "x", "d3": None}
    whole = {"queries": {"q": "why"}, "relevant_docs": {"q": ["d1"]}, "corpus": texts}
    (tmp_path / "whole.json").write_text(json.dumps(whole))
    folder = tmp_path / "parts"
    folder.mkdir()
    for part, value in whole.items():
        (folder / f"val_{part}.json").write_text(json.dumps(value))
    for path in ("whole.json", "parts"):
        found = read_documents(DatasetSpec(path=path, name="x"), tmp_path, ["d1", "d3"])
        assert found == {"d1": "Cups turn"}, path


def test_a_corpus_that_is_named_comes_before_that_of_the_folder(tmp_path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("q\td1\t1\n")
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "text": "of the folder"}\n')
    (tmp_path / "named.jsonl").write_text('{"_id": "d1", "text": "named"}\n')
    spec = DatasetSpec(path=".", name="folder", corpus="named.jsonl")
    assert read_documents(spec, tmp_path, ["d1"]) == {"d1": "named"}


WITHOUT_TEXTS = {
    "ids, one a line": b"d1\n001\n",
    "ids as JSON": b'["d1", 1]',
    "ids as lines of JSON": b'{"_id": "d1"}\n{"_id": "001"}\n',
    "texts that are none": b'{"_id": "d1", "text": 7, "title": ["Wind"]}\n',
}


@pytest.mark.parametrize("corpus", WITHOUT_TEXTS.values(), ids=WITHOUT_TEXTS)
def test_a_corpus_of_ids_has_no_texts(corpus, tmp_path):
    assert read(tmp_path, corpus) == {}


def test_a_dataset_without_a_corpus_has_no_texts(tmp_path):
    (tmp_path / "list.json").write_text('[{"query": "why", "relevant_docs": ["d1"]}]')
    for path in ("list.json", "missing.json"):
        assert read_documents(DatasetSpec(path=path, name="x"), tmp_path, ["d1"]) == {}


FAULTY = {
    "no JSON": b"{no JSON",
    "no object": b'"d1"',
    "no id": b'{"text": "d1"}',
    "half an id": b'{"_id": 1.5, "text": "x"}',
    "no UTF-8": b'{"_id": "d1", "text": "\xff"}',
    "nested too deeply": b"[" * 100_000,
    "nothing": b"",
}


@pytest.mark.parametrize("fault", FAULTY.values(), ids=FAULTY)
def test_a_line_that_cannot_be_read_is_passed_over(fault, tmp_path):
    good = b'{"_id": "001", "text": "first"}\n'
    assert read(tmp_path, good + fault + b'\n{"_id": "d1", "text": "second"}\n') == {
        "001": "first",
        "d1": "second",
    }


DAMAGED = {
    "empty": b"",
    "truncated": gzip.compress(lines(DOCUMENTS))[:-9],
    "parquet": b"PAR1 and no more",
    "no JSON": b'[{"_id": "d1",',
    "binary": b"\x00\x01\x02",
}


@pytest.mark.parametrize("corpus", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_corpus_has_no_texts(corpus, tmp_path):
    assert read(tmp_path, corpus) == {}


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "judged.json").write_text(JUDGED)
    named = DatasetSpec(path="judged.json", name="x", corpus="pipe")
    itself = DatasetSpec(path="pipe", name="x")
    assert read_documents(named, tmp_path, ["d1"]) == {}
    assert read_documents(itself, tmp_path, ["d1"]) == {}


def test_the_first_of_documents_with_one_id_counts(tmp_path):
    corpus = b'{"_id": "d1", "text": "first"}\n{"_id": "d1", "text": "second"}\n'
    assert read(tmp_path, corpus) == {"d1": "first"}


def test_integers_are_ids_and_stay_apart_from_padded_ones(tmp_path):
    corpus = b'{"_id": 1, "text": "one"}\n{"_id": "001", "text": "padded"}\n'
    assert read(tmp_path, corpus, ["1", "001"]) == {"1": "one", "001": "padded"}


@given(text=st.text(), title=st.text(), length=st.integers(20, 300))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_a_beginning_is_short_and_on_one_line(text, title, length, tmp_path):
    corpus = json.dumps({"_id": "d1", "title": title, "text": text}).encode()
    found = read(tmp_path, corpus, ["d1"], length=length).get("d1", "")
    assert len(found) <= length
    assert found == " ".join(found.split())
    assert bool(found) == bool(title.strip() or text.strip())


@pytest.mark.parametrize("text", ["word " * 100_000, " " * 100_000 + "word", "w" * 100_000])
def test_a_long_text_is_cut_and_says_so(text, tmp_path):
    corpus = json.dumps({"_id": "d1", "text": text}).encode()
    found = read(tmp_path, corpus, ["d1"])["d1"]
    assert found in ("word", "word " * 46 + "word…", "w" * 239 + "…")


ids = st.one_of(st.sampled_from(["d1", "d2", 'd"1', "é", "_id", "{"]), st.integers(0, 3))
values = st.recursive(
    st.one_of(st.text('"\\{}_id:, d12é', max_size=12), st.integers(), st.none()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["_id", "x", '"_id', "\\"]), inner, max_size=3),
    ),
    max_leaves=6,
)
documents = st.tuples(
    ids,
    st.dictionaries(st.sampled_from(["text", "title", "meta", "x _id", '"_id']), values),
    st.booleans(),
)


def entry(document: tuple[str | int, dict[str, object], bool]) -> dict[str, object]:
    doc_id, others, first = document
    return {"_id": doc_id, **others} if first else {**others, "_id": doc_id}


TRICKY = {
    "an id inside before its own": '{"meta": {"_id": "x"}, "_id": "d1", "text": "found"}',
    "an id inside a list": '{"parts": [{"_id": 7}], "_id": "d1", "text": "found"}',
    "a key that ends like it": r'{"a \"_id": "x", "_id": "d1", "text": "found"}',
    "a text that speaks of it": r'{"text": "found", "note": "\"_id\": \"x\"", "_id": "d1"}',
    "an id with an escape": r'{"_id": "\u00641", "text": "found"}',
    "blanks before the colon": '{"_id"  :\t"d1", "text": "found"}',
    "a brace in a text before": '{"title": "", "text": "found", "x": "{{{", "_id": "d1"}',
}


@pytest.mark.parametrize("line", TRICKY.values(), ids=TRICKY)
def test_a_line_is_found_wherever_its_id_stands(line, tmp_path):
    first = '{"_id": "first", "text": "sets the key"}\n'
    assert read(tmp_path, f"{first}{line}\n".encode()) == {"d1": "found"}


@given(made=st.lists(documents, min_size=1), ascii_only=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_quick_look_misses_nothing(made, ascii_only, tmp_path):
    entries = [entry(document) for document in made]
    asked = ["d1", 'd"1', "é", "1"]
    expected = read(tmp_path, json.dumps(entries).encode(), asked)
    assert read(tmp_path, lines(entries, ensure_ascii=ascii_only), asked) == expected


def test_a_real_corpus_is_read_as_it_stands(shared_data, tmp_path):
    path = shared_data("scifact/corpus.jsonl.gz")
    entries = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    (tmp_path / "judged.json").write_text(JUDGED)
    spec = DatasetSpec(path="judged.json", name="x", corpus=str(path))
    asked = [str(e["_id"]) for e in entries[::7]]
    found = read_documents(spec, tmp_path, asked)
    corpus_ids = read_dataset(spec, tmp_path).corpus_ids
    assert corpus_ids is not None
    assert [i for i in corpus_ids.to_pylist() if i in found] == asked
    for e in entries[::7]:
        title, text = (" ".join(e[key].split()) for key in ("title", "text"))
        whole = text if text.startswith(title) else f"{title} – {text}"
        assert whole.startswith(found[str(e["_id"])].removesuffix("…"))
