"""The same promises for every format of datasets and runs."""

from __future__ import annotations

import bz2
import contextlib
import csv
import gzip
import io
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from rageval.config.models import DatasetSpec, RunSpec
from rageval.data import Dataset, Run
from rageval.errors import InputError
from rageval.formats import DATASET_FORMATS, RUN_FORMATS, read_dataset, read_run

Judgments = dict[str, dict[str, int]]
Rankings = dict[str, list[tuple[str, float]]]

JUDGED: Judgments = {
    "q2": {"001": 2, "1": 0, "NA": 1},
    "q10": {"null": 1, "d#3": -1},
    "nan": {"d'7\"": 3, "été": 1},
    "#q": {"x": 1},
}
RANKED: Rankings = {
    "q2": [("NA", 3.5), ("1", 2.0), ("001", -1.25)],
    "nan": [("null", 0.1 + 0.2), ("d'7\"", 1e-300)],
    "#q": [("été", 7.0)],
}


# --- writers: a neutral table -> the bytes of a file -------------------------------------------


def _delimited(rows: list[list[object]], delimiter: str) -> bytes:
    text = io.StringIO()
    if delimiter == "\t":
        text.writelines("\t".join(map(str, row)) + "\n" for row in rows)
    else:
        csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _rows(judged: Judgments) -> list[tuple[str, str, int]]:
    return [(q, d, g) for q, docs in judged.items() for d, g in docs.items()]


def _hits(ranked: Rankings) -> list[tuple[str, str, float]]:
    return [(q, d, s) for q, docs in ranked.items() for d, s in docs]


def _corpus(judged: Judgments) -> dict[str, str]:
    return {doc: "" for docs in judged.values() for doc in docs}


def _parquet(**columns: list[object]) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


def _entries(judged: Judgments) -> list[dict[str, object]]:
    return [
        {"id": q, "relevant_docs": list(docs), "grades": list(docs.values())}
        for q, docs in judged.items()
    ]


def _lines(entries: list[dict[str, object]]) -> bytes:
    return "".join(json.dumps(e, ensure_ascii=False) + "\n" for e in entries).encode()


def _columns(rows: list[tuple[str, str, object]], third: str) -> dict[str, list[object]]:
    query, doc, number = (list(column) for column in zip(*rows, strict=True))
    return {"query_id": query, "doc_id": doc, third: number}


DATASETS: dict[str, Callable[[Judgments], bytes]] = {
    "trec-qrels": lambda j: "".join(f"{q} 0 {d} {g}\n" for q, d, g in _rows(j)).encode(),
    "beir": lambda j: _delimited([["query-id", "corpus-id", "score"], *map(list, _rows(j))], "\t"),
    "json-list": lambda j: json.dumps(_entries(j), indent=1).encode(),
    "jsonl": lambda j: _lines(_entries(j)),
    "json-dict": lambda j: json.dumps(j).encode(),
    "llamaindex": lambda j: json.dumps(
        {"queries": dict.fromkeys(j, "?"), "relevant_docs": j, "corpus": _corpus(j)}
    ).encode(),
    "csv": lambda j: _delimited([["query_id", "doc_id", "grade"], *map(list, _rows(j))], ","),
    "tsv": lambda j: _delimited([["qid", "docno", "relevance"], *map(list, _rows(j))], "\t"),
    "parquet": lambda j: _parquet(**_columns(_rows(j), "grade")),
}

RUNS: dict[str, Callable[[Rankings], bytes]] = {
    "trec-run": lambda r: "".join(f"{q} Q0 {d} 1 {s!r} tag\n" for q, d, s in _hits(r)).encode(),
    "json-list": lambda r: json.dumps(
        [
            {"query_id": q, "retrieved": [{"doc_id": d, "score": s} for d, s in docs]}
            for q, docs in r.items()
        ]
    ).encode(),
    "jsonl": lambda r: _lines(
        [
            {"qid": q, "results": [d for d, _ in docs], "scores": [s for _, s in docs]}
            for q, docs in r.items()
        ]
    ),
    "json-dict": lambda r: json.dumps({q: dict(docs) for q, docs in r.items()}).encode(),
    "csv": lambda r: _delimited([["query_id", "doc_id", "score"], *map(list, _hits(r))], ","),
    "tsv": lambda r: _delimited([["query_id", "doc_id", "score"], *map(list, _hits(r))], "\t"),
    "parquet": lambda r: _parquet(**_columns(_hits(r), "score")),
}


# --- readers, and back to the neutral table ----------------------------------------------------


def _judgments(dataset: Dataset) -> Judgments:
    qrels = dataset.qrels
    found: Judgments = {query: {} for query in qrels.query_ids}
    rows = zip(qrels.query, qrels.doc_ids.to_pylist(), qrels.grade, strict=True)
    for query, doc, grade in rows:
        found[qrels.query_ids[query]][doc] = int(grade)
    return found


def _rankings(run: Run) -> Rankings:
    assert run.scores is not None
    docs, scores = run.doc_ids.to_pylist(), run.scores.tolist()
    pairs = list(zip(docs, scores, strict=True))
    return {
        query: pairs[run.offsets[i] : run.offsets[i + 1]] for i, query in enumerate(run.query_ids)
    }


def _sorted(ranked: Rankings) -> Rankings:
    return {q: sorted(docs, key=lambda hit: hit[1], reverse=True) for q, docs in ranked.items()}


def _dataset(folder: Path, content: bytes, **spec: object) -> Dataset:
    (folder / "file").write_bytes(content)
    return read_dataset(DatasetSpec.model_validate({"path": "file", **spec}), folder)


def _run(folder: Path, content: bytes, **spec: object) -> Run:
    (folder / "file").write_bytes(content)
    return read_run(RunSpec.model_validate({"path": "file", **spec}), folder)


def test_each_format_has_a_writer_here():
    assert {record.name for record in DATASET_FORMATS} == DATASETS.keys()
    assert {record.name for record in RUN_FORMATS} == RUNS.keys()


COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda raw: raw,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": lambda raw: pa.Codec("zstd").compress(raw, asbytes=True),
}
SHAPES: dict[str, Callable[[bytes], bytes]] = {
    "as it is": lambda raw: raw,
    "byte order mark": lambda raw: b"\xef\xbb\xbf" + raw,
    "CRLF": lambda raw: raw.replace(b"\n", b"\r\n"),
    "no final newline": lambda raw: raw.rstrip(b"\n"),
    "blank lines": lambda raw: b"\n" + raw.replace(b"\n", b"\n\n") + b"\n",
}


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("name", DATASETS)
def test_dataset_comes_back_whatever_the_compression(tmp_path, name, compression):
    raw = COMPRESSIONS[compression](DATASETS[name](JUDGED))
    dataset = _dataset(tmp_path, raw)
    assert _judgments(dataset) == JUDGED
    assert dataset.query_ids == ("#q", "nan", "q2", "q10")
    (source,) = dataset.sources
    assert (source.format, source.path, source.bytes) == (name, "file", len(raw))


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("name", RUNS)
def test_run_comes_back_whatever_the_compression(tmp_path, name, compression):
    raw = COMPRESSIONS[compression](RUNS[name](RANKED))
    run = _run(tmp_path, raw)
    assert _rankings(run) == RANKED
    assert (run.source.format, run.source.rows, run.source.bytes) == (name, 6, len(raw))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", [name for name in DATASETS if name != "parquet"])
def test_dataset_comes_back_whatever_the_shape_of_the_text(tmp_path, name, shape):
    dataset = _dataset(tmp_path, SHAPES[shape](DATASETS[name](JUDGED)))
    assert _judgments(dataset) == JUDGED
    assert dataset.findings == ()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", [name for name in RUNS if name != "parquet"])
def test_run_comes_back_whatever_the_shape_of_the_text(tmp_path, name, shape):
    assert _rankings(_run(tmp_path, SHAPES[shape](RUNS[name](RANKED)))) == RANKED


@pytest.mark.parametrize("name", DATASETS)
def test_forced_format_reads_the_same(tmp_path, name):
    assert _judgments(_dataset(tmp_path, DATASETS[name](JUDGED), format=name)) == JUDGED


@pytest.mark.parametrize("name", RUNS)
def test_forced_run_format_reads_the_same(tmp_path, name):
    assert _rankings(_run(tmp_path, RUNS[name](RANKED), format=name)) == RANKED


@pytest.mark.parametrize("content", DATASETS)
@pytest.mark.parametrize("forced", DATASETS)
def test_wrong_forced_format_reads_the_truth_or_is_an_error(tmp_path, content, forced):
    with contextlib.suppress(InputError):
        assert _judgments(_dataset(tmp_path, DATASETS[content](JUDGED), format=forced)) == JUDGED


@pytest.mark.parametrize("content", RUNS)
@pytest.mark.parametrize("forced", RUNS)
def test_wrong_forced_run_format_reads_the_truth_or_is_an_error(tmp_path, content, forced):
    with contextlib.suppress(InputError):
        assert _rankings(_run(tmp_path, RUNS[content](RANKED), format=forced)) == RANKED


@pytest.mark.parametrize("records", [DATASET_FORMATS, RUN_FORMATS], ids=["datasets", "runs"])
def test_records_are_complete_and_their_names_differ(records):
    assert len({record.name for record in records}) == len(records)
    for record in records:
        assert record.summary.endswith(".")
        assert record.example


@pytest.mark.parametrize("record", [r for r in DATASET_FORMATS if r.name != "parquet"])
def test_example_of_a_dataset_format_is_of_that_format(tmp_path, record):
    assert _dataset(tmp_path, record.example.encode()).sources[0].format == record.name


@pytest.mark.parametrize("record", [r for r in RUN_FORMATS if r.name != "parquet"])
def test_example_of_a_run_format_is_of_that_format(tmp_path, record):
    assert _run(tmp_path, record.example.encode()).source.format == record.name


# --- properties --------------------------------------------------------------------------------

_LETTERS = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Z"))
PLAIN_IDS = st.text(_LETTERS, min_size=1, max_size=6).filter(lambda t: not t.startswith("\ufeff"))
"""Ids without blanks: TREC files cannot hold others."""
ANY_IDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
"""Ids that JSON and Parquet carry: blanks, line ends and control characters too."""
BLANKLESS = ("trec-qrels", "beir", "tsv", "csv")
QUIET = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def _tables(ids: st.SearchStrategy[str]) -> st.SearchStrategy[Judgments]:
    grades = st.integers(-2, 2**31 - 1)
    docs = st.dictionaries(ids, grades, min_size=1, max_size=4)
    return st.dictionaries(ids, docs, min_size=1, max_size=4)


@pytest.mark.parametrize("name", DATASETS)
@QUIET
@given(data=st.data())
def test_any_ids_come_back_from_any_dataset(tmp_path, name, data):
    judged = data.draw(_tables(PLAIN_IDS if name in BLANKLESS else ANY_IDS))
    dataset = _dataset(tmp_path, DATASETS[name](judged), format=name)
    assert _judgments(dataset) == judged


@pytest.mark.parametrize("name", [name for name in RUNS if name != "trec-run"])
@QUIET
@given(data=st.data())
def test_any_ids_and_scores_come_back_from_any_run(tmp_path, name, data):
    ids = PLAIN_IDS if name in BLANKLESS else ANY_IDS
    scores = st.lists(st.floats(allow_nan=False), min_size=3, max_size=3, unique=True)
    hits = st.tuples(st.lists(ids, min_size=3, max_size=3, unique=True), scores)
    table = data.draw(st.dictionaries(ids, hits, min_size=1, max_size=3))
    ranked = {q: list(zip(docs, numbers, strict=True)) for q, (docs, numbers) in table.items()}
    run = _run(tmp_path, RUNS[name](ranked), format=name)
    assert _rankings(run) == _sorted(ranked)


# --- damage ------------------------------------------------------------------------------------

_PIECES = st.sampled_from(
    [
        *(bytes([byte]) for byte in b"\n\r\t,\"'{}[]:\\#0-\xff\x00"),
        *(b"", b"1.5", b"nan", b"null", b"true", b"\\ud800", b"  ", b"query_id", b"e9"),
    ]
)
_EDITS = st.lists(
    st.tuples(st.integers(0, 10_000), st.integers(0, 6), _PIECES), min_size=1, max_size=4
)


def _edited(raw: bytes, edits: list[tuple[int, int, bytes]]) -> bytes:
    for position, removed, piece in edits:
        at = position % (len(raw) + 1)
        raw = raw[:at] + piece + raw[at + removed :]
    return raw


@pytest.mark.parametrize("forced", [False, True], ids=["detected", "forced"])
@pytest.mark.parametrize("name", DATASETS)
@QUIET
@given(edits=_EDITS, lenient=st.booleans())
def test_damaged_dataset_is_read_or_is_one_clear_error(tmp_path, name, forced, edits, lenient):
    (tmp_path / "file").write_bytes(_edited(DATASETS[name](JUDGED), edits))
    spec = DatasetSpec(path="file", format=name if forced else None)
    try:
        dataset = read_dataset(spec, tmp_path, lenient=lenient)
    except InputError as error:
        shown = str(error)
    else:
        shown = dataset.sources[0].path
    assert shown.startswith("file")


@pytest.mark.parametrize("forced", [False, True], ids=["detected", "forced"])
@pytest.mark.parametrize("name", RUNS)
@QUIET
@given(edits=_EDITS, lenient=st.booleans())
def test_damaged_run_is_read_or_is_one_clear_error(tmp_path, name, forced, edits, lenient):
    (tmp_path / "file").write_bytes(_edited(RUNS[name](RANKED), edits))
    spec = RunSpec(path="file", format=name if forced else None)
    try:
        run = read_run(spec, tmp_path, lenient=lenient)
    except InputError as error:
        shown = str(error)
    else:
        shown = run.source.path
    assert shown.startswith("file")
