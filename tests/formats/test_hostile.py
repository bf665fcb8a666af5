"""Files as unlucky or hostile users have them: one clear error each, or the right rows."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import json
import lzma
import math
import random
from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from rageval.config.models import DatasetSpec, RunSpec
from rageval.data import Dataset, Run
from rageval.errors import InputError
from rageval.formats import read_dataset, read_run
from rageval.formats.content import open_content

RUN = b"q1 Q0 d1 1 3.0 t\nq1 Q0 d2 2 2.0 t\nq2 Q0 d3 1 1.0 t\n"
QRELS = b"q1 0 d1 1\nq1 0 d2 2\nq2 0 d3 1\n"


def _dataset(folder: Path, content: bytes, lenient: bool = False, **spec: object) -> Dataset:
    (folder / "file").write_bytes(content)
    checked = DatasetSpec.model_validate({"path": "file", **spec})
    return read_dataset(checked, folder, lenient=lenient)


def _run(folder: Path, content: bytes, lenient: bool = False) -> Run:
    (folder / "file").write_bytes(content)
    return read_run(RunSpec(path="file"), folder, lenient=lenient)


def _rankings(run: Run) -> dict[str, list[str]]:
    bounds = zip(run.query_ids, run.offsets[:-1].tolist(), run.offsets[1:].tolist(), strict=True)
    return {query: run.doc_ids[a:b].to_pylist() for query, a, b in bounds}


def _judgments(dataset: Dataset) -> dict[str, dict[str, int]]:
    qrels = dataset.qrels
    found: dict[str, dict[str, int]] = {query: {} for query in dataset.query_ids}
    for query, doc, grade in zip(qrels.query, qrels.doc_ids.to_pylist(), qrels.grade, strict=True):
        found[qrels.query_ids[query]][doc] = int(grade)
    return found


def _parquet(**columns: object) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


def _twins() -> bytes:
    buffer = io.BytesIO()
    names = ["query_id", "doc_id", "doc_id", "grade"]
    parquet.write_table(pa.table([["q1"], ["d1"], ["d2"], [1]], names=names), buffer)
    return buffer.getvalue()


def _map_with_twins(value: pa.DataType) -> pa.Array:
    return pa.array([[("d1", 1), ("d1", 2)]], pa.map_(pa.string(), value))


BAD_RUNS: dict[str, tuple[bytes, str]] = {
    "second bzip2 member damaged": (bz2.compress(RUN) + b"BZh9 no more", "archive is damaged"),
    "second bzip2 member cut": (bz2.compress(RUN) + bz2.compress(RUN * 9)[:-9], "is truncated"),
    "second xz member damaged": (lzma.compress(RUN) + b"garbage", "archive is damaged"),
    "xz that ends early": (lzma.compress(RUN * 99)[:-20], "the file is truncated"),
    "Git LFS pointer": (b"version https://git-lfs.github.com/spec/v1\noid x\n", "git lfs pull"),
    "program": (b"\x7fELF\x02\x01\x01" + b"\0" * 57, "is binary, not text"),
    "UTF-16 without a mark": (RUN.decode().encode("utf-16-le"), "is UTF-16 or UTF-32 text"),
    "quote never closed": (
        b'query_id,doc_id,score,text\nq1,d1,3,"a\nq1,d2,2,c\nq2,d3,1,x\n',
        "file:2: a quote opens a field and does not close at its end",
    ),
    "quote closed by another row's": (
        b'query_id,doc_id,score,text\nq1,d0,4,y\nq1,d1,3,"a\nq1,d2,2,c\nq2,d3,1,"x"\n',
        "file:3: a quote opens",
    ),
    "text behind a closing quote": (
        b'query_id;doc_id;score\nq1;d0;4\nq1;"d1"x;3\n',
        "file:3: a quote opens",
    ),
    "digits of another script": (
        "query_id,doc_id,score\nq1,d1,\uff15\n".encode(),
        "file:2: the score '\uff15' is not a number",
    ),
    "map with a key twice": (
        _parquet(query_id=["q1"], retrieved=_map_with_twins(pa.float64())),
        "file: a map holds a key twice",
    ),
    "list that is null": (b'{"q1": null}', "file:1: the ranked list is not a list: null"),
    "key that is half a pair": (b'{"a": {},\n"\\udfff": {"d1": 1}}', "file:2: half of a surrogate"),
}


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize(("content", "message"), BAD_RUNS.values(), ids=BAD_RUNS)
def test_a_bad_run_is_refused(content: bytes, message: str, lenient: bool, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        _run(tmp_path, content, lenient)
    assert message in str(error.value) or lenient
    assert "file" in str(error.value)


BAD_DATASETS: dict[str, tuple[bytes, str]] = {
    "byte order mark inside": (
        QRELS + b"\xef\xbb\xbf" + QRELS,
        "file:4: a byte order mark inside the file",
    ),
    "grade in digits of another script": (
        QRELS + "q1 0 d9 \uff15\n".encode(),
        "file:4: the grade '\uff15' is not a number",
    ),
    "grade beyond 32 bits": (b"q1 0 d1 2147483648\n", "file:1: the grade '2147483648' is not with"),
    "grade of many digits": (b"q1 0 d1 " + b"9" * 5000 + b"\n", "file:1: the grade '9999"),
    "BEIR line without a document": (
        b"query-id\tcorpus-id\tscore\nq1\t\t1\nq2\td3\t1\n",
        "file:2: corpus-id: an empty id",
    ),
    "grades that are lists": (
        _parquet(query_id=["q1"], doc_id=["d1"], grade=[[1]]),
        "file: row 1: the grade [1] is not a number",
    ),
    "texts that are bytes": (
        _parquet(query_id=["q1"], doc_id=["d1"], grade=[1], query=[b"\xff"]),
        "file: the column 'query' holds binary values, which are no text",
    ),
    "texts that are lists": (
        _parquet(query_id=["q1"], doc_id=["d1"], grade=[1], query=[["a"]]),
        "file: the column 'query' holds list<element: string> values, which are no text",
    ),
    "column twice": (_twins(), "file: the column 'doc_id' stands twice"),
    "map with a key twice": (
        _parquet(query_id=["q1"], relevant_docs=_map_with_twins(pa.int32())),
        "file: a map holds a key twice",
    ),
    "corpus that is a list": (
        b'{"queries": {"q1": "a"}, "corpus": ["d1"], "relevant_docs": {"q1": ["d1"]}}',
        "file: corpus is not an object by id",
    ),
}


@pytest.mark.parametrize(("content", "message"), BAD_DATASETS.values(), ids=BAD_DATASETS)
def test_a_bad_dataset_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        _dataset(tmp_path, content)
    assert message in str(error.value)
    assert len(str(error.value)) < 500


def test_a_code_may_not_be_mapped_beyond_32_bits(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="file: `grade_map` maps '1' to 99999999999, beyond"):
        _dataset(tmp_path, QRELS, grade_map={"1": 99999999999, "2": 1})


def test_a_split_is_for_beir_folders(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="`split` is given, but this is no BEIR folder"):
        _dataset(tmp_path, QRELS, split="dev")


EXPECTED = {"q1": ["d1", "d2"], "q2": ["d3"]}
GOOD_RUNS: dict[str, bytes] = {
    "two bzip2 members": bz2.compress(RUN[:17]) + bz2.compress(RUN[17:]),
    "two xz members and padding": lzma.compress(RUN[:17]) + b"\0" * 8 + lzma.compress(RUN[17:]),
    "two gzip members": gzip.compress(RUN[:17]) + gzip.compress(RUN[17:]),
    "long header of comments": b"# key: value\n" * 100 + RUN,
    "many blank lines": b"\n" * 100_000 + RUN,
    "blank lines before JSON": b"\n" * 5_000 + b'{"q1": ["d1", "d2"], "q2": ["d3"]}',
    "CSV header with more commas than semicolons": (
        b"query_id;doc_id;score;a,b,c,d,e\nq1;d1;3;x\nq1;d2;2;x\nq2;d3;1;x\n"
    ),
    "inch marks in a cell": (
        b'query_id,doc_id,score,text\nq1,d1,3,5" disk\nq1,d2,2,"say ""a"" b"\nq2,d3,1,"1\n2"\n'
    ),
}


@pytest.mark.parametrize("content", GOOD_RUNS.values(), ids=GOOD_RUNS)
def test_an_odd_run_is_read(content: bytes, tmp_path: Path) -> None:
    assert _rankings(_run(tmp_path, content)) == EXPECTED


GOOD_DATASETS: dict[str, bytes] = {
    "long header of comments": b"# key: value\n" * 100 + QRELS,
    "many blank lines": b"\n" * 100_000 + QRELS,
    "dictionary columns": _parquet(
        query_id=pa.array(["q1", "q1", "q2"]).dictionary_encode(),
        doc_id=pa.array(["d1", "d2", "d3"]).dictionary_encode(),
        grade=pa.array(["1", "2", "1"]).dictionary_encode(),
    ),
}


@pytest.mark.parametrize("content", GOOD_DATASETS.values(), ids=GOOD_DATASETS)
def test_an_odd_dataset_is_read(content: bytes, tmp_path: Path) -> None:
    expected = {"q1": {"d1": 1, "d2": 2}, "q2": {"d3": 1}}
    assert _judgments(_dataset(tmp_path, content)) == expected


def test_only_blanks_and_tabs_separate_fields(tmp_path: Path) -> None:
    odd = "d\u00a01", "d\u2028", "d\x0b", "d\x85"
    text = "".join(f"q\u3000 0 {doc} 1\n" for doc in odd)
    assert _judgments(_dataset(tmp_path, text.encode())) == {"q\u3000": dict.fromkeys(odd, 1)}


@pytest.mark.parametrize("query", ["[1]", "{b}", "[", '["x"]', "#1", "{", '"q"'])
def test_a_query_id_may_look_like_json_or_a_comment(query: str, tmp_path: Path) -> None:
    run = f"{query} Q0 d1 1 2.5 t\n{query} Q0 d2 2 1.5 t\n"
    assert _rankings(_run(tmp_path, run.encode())) == {query: ["d1", "d2"]}
    assert _judgments(_dataset(tmp_path, f"{query} 0 d1 2\n".encode())) == {query: {"d1": 2}}


def test_the_line_of_a_fault_is_right_behind_odd_quotes(tmp_path: Path) -> None:
    rows = 'q1,d1,3,5" disk\n\nq1,d2,2,"a ""b""\nc, d"\nq2,d3\n'
    with pytest.raises(InputError, match="file:6: 2 fields instead of 4"):
        _run(tmp_path, f"query_id,doc_id,score,text\n{rows}".encode())


def test_lenient_reading_leaves_the_same_queries_whatever_the_format(tmp_path: Path) -> None:
    # The only judgment of q1 cannot be read: then nobody judged q1.
    as_json = b"""[{"id": "q1", "relevant_docs": ["d1"], "grades": [0.5]},
                   {"id": "q2", "grades": {"d3": 1}}]"""
    as_csv = b"query_id,doc_id,grade\nq1,d1,0.5\nq2,d3,1\n"
    for content in (as_json, as_csv):
        dataset = _dataset(tmp_path, content, lenient=True)
        assert dataset.query_ids == ("q2",)
        assert dataset.unjudged_queries == ("q1",)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_a_device_is_no_file(device: str) -> None:
    if not Path(device).exists():
        pytest.skip(f"there is no {device}")
    with pytest.raises(InputError, match="is a device"):
        read_run(RunSpec(path=device), Path())


def test_a_name_that_is_too_long_is_bad_input(tmp_path: Path) -> None:
    path = "x" * 300
    with pytest.raises(InputError, match="cannot be read: File name too long"):
        read_run(RunSpec(path=path), tmp_path)
    with pytest.raises(InputError, match="cannot be read: File name too long"):
        read_dataset(DatasetSpec(path=path), tmp_path)


def test_a_file_that_is_cut_short_after_it_was_opened_is_read_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(RUN)
    content = open_content(file)
    file.write_bytes(b"")
    assert content.text.encode() == RUN
    assert content.sha256() == hashlib.sha256(RUN).hexdigest()


BAD_CORPORA: dict[str, tuple[bytes, str]] = {
    "damaged Parquet": (_parquet(doc_id=["d1"])[:-20], "corpus: the Parquet file is damaged"),
    "null": (b'{"_id": null}\n', "corpus:1: null is not an id"),
    "Latin-1 in an id": (b'{"_id": "d1"}\n{"_id": "caf\xe9"}\n', "corpus:2: not UTF-8 text"),
}


@pytest.mark.parametrize(("content", "message"), BAD_CORPORA.values(), ids=BAD_CORPORA)
def test_a_bad_corpus_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "corpus").write_bytes(content)
    with pytest.raises(InputError) as error:
        _dataset(tmp_path, QRELS, corpus="corpus")
    assert message in str(error.value)


BAD_TOPICS: dict[str, tuple[bytes, str]] = {
    "Parquet": (_parquet(query_id=["q1"], query=["a"]), "topics: is Parquet, where query texts"),
    "text that is a list": (
        b'{"_id": "q1", "text": "a"}\n{"_id": "q2", "text": ["b"]}\n',
        "topics:2: the text of query 'q2' is not a text",
    ),
}


@pytest.mark.parametrize(("content", "message"), BAD_TOPICS.values(), ids=BAD_TOPICS)
def test_bad_topics_are_refused(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "topics").write_bytes(content)
    with pytest.raises(InputError) as error:
        _dataset(tmp_path, QRELS, topics="topics")
    assert message in str(error.value)


@pytest.mark.parametrize("score", ["1_000", "\uff15", "\u0663"])
def test_a_trec_score_is_a_number_as_other_programs_read_it(score: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"file:4: the score '{score}' is not a number"):
        _run(tmp_path, RUN + f"q1 Q0 d9 4 {score} t\n".encode())


# --- one content, many formats -------------------------------------------------------------

LETTERS = ("a", "B", "\u00e9", "e\u0301", "\u65e5", "\U0001f600", "\u202e", "\x01", "\u200b")
MARKS = ('"', "'s'", "#", "[l]", "{b}", "x,y", "x;y", "a\\b", "<b>")
PIECES = (*LETTERS, *MARKS, "NA", "-1", "1.0", "nan", "001")
Rows = list[tuple[str, str, float]]


def _odd_ids(draw: random.Random, count: int) -> list[str]:
    ids: dict[str, None] = {}
    while len(ids) < count:
        ids["".join(draw.choice(PIECES) for _ in range(draw.randint(1, 3)))] = None
    return list(ids)


def _odd_rows(draw: random.Random) -> Rows:
    docs = _odd_ids(draw, 30)
    scores = (0.5, 1.0, 2.0, 0.1, -0.0, 0.0, 0.30000000000000004, 1e10, -1e-300, math.inf)
    return [
        (query, doc, draw.choice(scores))
        for query in _odd_ids(draw, 6)
        for doc in draw.sample(docs, draw.randint(1, 20))
    ]


def _plainly_ranked(rows: Rows) -> dict[str, list[str]]:
    queries = dict.fromkeys(query for query, _, _ in rows)
    by_score = sorted(rows, key=lambda row: (row[2], row[1].encode()), reverse=True)
    return {query: [doc for q, doc, _ in by_score if q == query] for query in queries}


def _trec(rows: Rows, gap: str = " ", end: str = "\n") -> bytes:
    lines = (gap.join((q, "Q0", doc, "0", repr(score), "t")) for q, doc, score in rows)
    return "".join(line + end for line in lines).encode()


def _csv(rows: Rows, delimiter: str) -> bytes:
    import csv

    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerows([("query_id", "doc_id", "score"), *rows])
    return text.getvalue().encode()


def _nested(rows: Rows) -> dict[str, dict[str, float]]:
    nested: dict[str, dict[str, float]] = {}
    for query, doc, score in rows:
        nested.setdefault(query, {})[doc] = score
    return nested


def _json_lines(rows: Rows) -> bytes:
    entries = ({"query_id": q, "doc_id": doc, "score": score} for q, doc, score in rows)
    return "\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries).encode()


WRITERS: Mapping[str, Callable[[Rows], bytes]] = {
    "trec": _trec,
    "trec, tabs": lambda rows: _trec(rows, "\t"),
    "trec, mixed": lambda rows: b"# made by hand\n" + _trec(rows, " \t ", " \r\n"),
    "trec, gzip": lambda rows: gzip.compress(_trec(rows)),
    "trec, bzip2": lambda rows: bz2.compress(_trec(rows)),
    "csv": lambda rows: _csv(rows, ","),
    "csv, semicolons": lambda rows: _csv(rows, ";"),
    "json": lambda rows: json.dumps(_nested(rows)).encode(),
    "json lines": _json_lines,
    "parquet": lambda rows: _parquet(
        query_id=[q for q, _, _ in rows],
        doc_id=[doc for _, doc, _ in rows],
        score=[score for _, _, score in rows],
    ),
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize("seed", range(8))
def test_odd_ids_rank_alike_in_every_format(
    write: Callable[[Rows], bytes], seed: int, tmp_path: Path
) -> None:
    draw = random.Random(seed)
    rows = _odd_rows(draw)
    shuffled = draw.sample(rows, len(rows))
    assert _rankings(_run(tmp_path, write(rows))) == _plainly_ranked(rows)
    assert _rankings(_run(tmp_path, write(shuffled))) == _plainly_ranked(rows)
