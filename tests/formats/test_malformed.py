"""What is wrong with a file is said with its place; `lenient` skips and counts it."""

from __future__ import annotations

import io
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from rageval.config.models import DatasetSpec, RunSpec
from rageval.data import Dataset, Run
from rageval.errors import InputError
from rageval.formats import read_dataset, read_run
from rageval.formats.delimited import THREADS_FROM


def _dataset(folder: Path, content: str | bytes, lenient: bool = False, **spec: object) -> Dataset:
    raw = content if isinstance(content, bytes) else content.encode()
    (folder / "file").write_bytes(raw)
    checked = DatasetSpec.model_validate({"path": "file", **spec})
    return read_dataset(checked, folder, lenient=lenient)


def _run(folder: Path, content: str | bytes, lenient: bool = False, **spec: object) -> Run:
    raw = content if isinstance(content, bytes) else content.encode()
    (folder / "file").write_bytes(raw)
    return read_run(RunSpec.model_validate({"path": "file", **spec}), folder, lenient=lenient)


def _parquet(**columns: object) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


DEEP = "[" * 100_000

DATASETS: dict[str, tuple[str | bytes, str]] = {
    # TREC and BEIR
    "fractional grade": ("q1 0 d1 1\nq1 0 d2 1.5\n", "file:2: the grade '1.5' is not a whole"),
    "grade that is a word": ("q1 0 d1 1\nq1 0 d2 high\n", "file:2: the grade 'high' is not a numb"),
    "grade that is not a number": ("q1 0 d1 1\nq1 0 d2 nan\n", "file:2: the grade 'nan'"),
    "grade with an underscore": ("q1 0 d1 1\nq1 0 d2 1_0\n", "file:2: the grade '1_0'"),
    "grade beyond 32 bits": ("q1 0 d1 1\nq1 0 d2 4294967297\n", "file:2: the grade '4294967297'"),
    "missing field": ("q1 0 d1 1\n\nq1 d2 1\n", "file:3: 3 fields instead of 4"),
    "line after blank lines": ("\n\nq1 0 d1 1\n\t\nq1 0 d 2 1\n", "file:5: 5 fields instead of 4"),
    "lone carriage returns": ("q1 0 d0 1\nq1 0 d1 1\rq1 0 d2 1\n", "file: a carriage return"),
    "judged twice": (
        "q1 0 d1 1\nq1 0 d2 1\nq1 0 d1 2\n",
        "file:3: query 'q1' judges document 'd1' as 2 here and as 1 at file:1",
    ),
    "BEIR line without a tab": (
        "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1 d2 1\n",
        "file:3: 1 fields instead of 3",
    ),
    "Latin-1": (b"q1 0 d1 1\nq1 0 caf\xe9 1\n", "file:2: not UTF-8 text: the byte 0xe9"),
    # JSON
    "truncated JSON": ('[{"query": "a",\n "relevant_docs": ["d1"', "file:2: not JSON"),
    "key twice": (
        '[\n{"query": "a", "relevant_docs": ["d1"]},\n{"query": "b", "query": "c"}\n]',
        "file:3: the key 'query' stands twice",
    ),
    "query twice in one object": ('{\n"q1": ["d1"],\n"q1": ["d2"]\n}', "file:3: the key 'q1'"),
    "deep JSON": (DEEP, "file:1: nested too deeply"),
    "deep JSON Lines": (
        '{"query": "a", "relevant_docs": ["d"]}\n{"query": "b", "relevant_docs": ' + DEEP,
        "file:2: nested too deeply",
    ),
    "half of a pair": (
        '[{"query": "\\ud800", "relevant_docs": ["d1"]}]',
        "file:1: half of a surrogate pair",
    ),
    "digits without end": (
        '[{"id": ' + "1" * 5000 + ', "relevant_docs": ["d1"]}]',
        "file:1: an integer of more digits than can be read",
    ),
    "id that is a fraction": (
        '[{"id": 1.0, "relevant_docs": ["d1"]}]',
        "file:1: 1.0 is a fractional number, not an id",
    ),
    "id that is null": ('[{"id": null, "relevant_docs": ["d"]}]', "file:1: null is not an id"),
    "id that is true": ('[{"id": "q", "relevant_docs": [true]}]', "file:1: True is a boolean"),
    "id that is empty": ('[{"id": "q", "relevant_docs": [""]}]', "file:1: an empty id"),
    "id that is a list": ('[{"id": "q", "relevant_docs": [["d"]]}]', "file:1: ['d'] is a list"),
    "same text without ids": (
        '[{"query": "caf\\u00e9", "relevant_docs": ["d1"]},\n'
        '{"query": " cafe\\u0301", "relevant_docs": ["d2"]}]',
        "file:2: the query ' cafe\u0301' stands twice without an id",
    ),
    "same id": (
        '[{"id": 1, "relevant_docs": ["d1"]}, {"id": "1", "relevant_docs": ["d2"]}]',
        "file: entry 2: a second entry for query '1'",
    ),
    "entry that is no object": ('[{"id": 1, "relevant_docs": ["d"]}, 7]', "entry 2: is not an obj"),
    "entry without a query": ('[{"relevant_docs": ["d1"]}]', "names no query"),
    "grades of another length": (
        '[{"id": 1, "relevant_docs": ["a", "b"], "grades": [1]}]',
        "file:1: grades: 1 for 2 documents (one for each document)",
    ),
    "grade that is null": (
        '[{"id": 1, "grades": {"a": null}}]',
        "file:1: the grade None is not a number",
    ),
    "fractional grade in JSON": (
        '[{"id": 1, "relevant_docs": ["a"]},\n{"id": 2, "grades": {"a": 0.5}}]',
        "file:2: the grade '0.5' is not a whole number",
    ),
    "no relevant documents": (
        '[{"question": "a", "ground_truth": "Some answer."}]',
        "no entry names relevant documents by id; keys: 'question', 'ground_truth' (looked for rel",
    ),
    "spans": (
        '[{"query": "a", "spans": [{"doc_id": "d", "start": 1, "end": 2}]}]',
        "spans of text are no judgments of documents",
    ),
    "texts alone": ('{"q1": "a text", "q2": "another"}', "file: holds texts by id, no judgments"),
    "items without an id": (
        '[{"query": "a", "relevant_docs": [{"text": "a passage"}]}]',
        "no document id in an item of relevant_docs; its keys: 'text' (looked for doc_id, docid",
    ),
    # tables
    "no grade column": ("query_id,doc_id\nq1,d1\n", "no column for grade; columns: 'query_id'"),
    "no document column": ("query_id,grade\nq1,1\n", "no column for doc_id or relevant_docs"),
    "column twice": ("qid,doc_id,doc_id,grade\nq1,a,b,1\n", "file:1: the column 'doc_id'"),
    "short row": ("qid,doc_id,grade\nq1,a,1\nq2,b\n", "file:3: 2 fields instead of 3"),
    "row after a cell of two lines": (
        'qid,doc_id,grade,query\nq1,a,1,"two\nlines"\n\nq2,b,1\n',
        "file:5: 3 fields instead of 4",
    ),
    "empty document": ("qid,doc_id,grade\nq1,,1\n", "file:2: doc_id: an empty id"),
    "Latin-1 CSV": (b"qid,doc_id,grade\nq1,caf\xe9,1\n", "file:2: not UTF-8 text"),
    "Parquet ids that are fractions": (
        _parquet(query_id=[1.0], doc_id=["a"], grade=[1]),
        "the column 'query_id' holds double values, which are no ids",
    ),
    "Parquet id that is null": (
        _parquet(query_id=["q1", None], doc_id=["a", "b"], grade=[1, 1]),
        "file: row 2: query_id: null is not an id",
    ),
    "damaged Parquet": (b"PAR1 and then nothing of the kind", "the Parquet file is damaged"),
    # none of these
    "prose": ("Dear reader,\nthis is a letter.\n", "file: not recognised as a dataset; it"),
    "a run": ("q1 Q0 d1 1 0.5 tag\n", "it looks like a run (trec-run)"),
    "empty list": ("[]", "file: holds no judgments"),
}


@pytest.mark.parametrize(("content", "message"), DATASETS.values(), ids=DATASETS)
def test_bad_dataset_is_one_clear_error(tmp_path, content, message):
    with pytest.raises(InputError) as caught:
        _dataset(tmp_path, content)
    assert message in str(caught.value)


RUNS: dict[str, tuple[str | bytes, str]] = {
    "score that is a text": (
        '[{"query_id": "q", "retrieved": [{"doc_id": "d", "score": "0.5"}]}]',
        "file:1: the score '0.5' is not a number",
    ),
    "score that is null": (
        '[{"query_id": "q", "retrieved": [{"doc_id": "d", "score": null}]}]',
        "file:1: the score None is not a number",
    ),
    "score that is NaN": ('{"q1": {"d1": NaN}}', "file"),
    "score beyond all floats": (
        '{"q1": {"d1": 1' + "0" * 400 + "}}",
        "file:1: a score too large for a 64-bit float",
    ),
    "some scores": (
        '[{"query_id": "q", "retrieved": [{"doc_id": "d", "score": 1}, {"doc_id": "e"}]}]',
        "file:1: 1 of 2 documents have no score",
    ),
    "document twice": ('[{"query_id": "q", "retrieved": ["d", "e", "d"]}]', "document 'd' more"),
    "ranking twice": (
        '{"query_id": "q", "retrieved": ["d"]}\n{"query_id": "q", "retrieved": ["e"]}\n',
        "file:2: a second ranking for query 'q'",
    ),
    "ranking twice by text": (
        '{"query": "a b", "retrieved": ["d"]}\n{"query": " a b ", "retrieved": ["e"]}\n',
        "file:2: a second ranking for query ' a b '",
    ),
    "ids and texts": (
        '{"query_id": "q", "retrieved": ["d"]}\n{"query": "a b", "retrieved": ["e"]}\n',
        "file:2: some entries have a query id, others only a text",
    ),
    "broken line": (
        '{"query_id": "q", "retrieved": ["d"]}\n{"query_id": "r", "retrie\n',
        "file:2: not JSON",
    ),
    "no list": (
        '[{"query_id": "q", "answer": "42"}]',
        "file:1: no ranked list; its keys: 'query_id', 'answer' (looked for retrieved, results",
    ),
    "list that is none": ('[{"query_id": "q", "retrieved": "d"}]', "the ranked list is not a list"),
    "scores of another length": (
        '[{"query_id": "q", "retrieved": ["d", "e"], "scores": [1]}]',
        "file:1: scores: 1 for 2 documents",
    ),
    "word as a score": ("qid,doc_id,score\nq,d,1\nq,e,high\n", "file:3: the score 'high' is not a"),
    "empty score": ("qid,doc_id,score\nq,d,\n", "file:2: the score '' is not a number"),
    "score with an underscore": ("qid,doc_id,score\nq,d,1_0\n", "file:2: the score '1_0'"),
    "no document column": ("query_id,score\nq,1\n", "no column for doc_id or retrieved"),
    "cell that is no list": (
        "query_id,retrieved\nq,\"['d', 'e']\"\nr,d\n",
        "file:3: a cell is no list",
    ),
    "rank that is a word": ("qid\tdocid\trank\nq\td\tfirst\n", "file:2: the rank 'first' is not a"),
    "a dataset": ("q1 0 d1 1\n", "it looks like a dataset (trec-qrels)"),
    "no ranking": ('{"q1": 7}', "the ranked list is not a list"),
}


@pytest.mark.parametrize(("content", "message"), RUNS.values(), ids=RUNS)
def test_bad_run_is_one_clear_error(tmp_path, content, message):
    with pytest.raises(InputError) as caught:
        _run(tmp_path, content)
    assert message in str(caught.value)


def test_ten_problems_are_shown_and_all_are_counted(tmp_path):
    lines = "".join(f"q1 0 d{i} x{i}\n" for i in range(25)) + "q1 0 d 1\n"
    with pytest.raises(InputError) as caught:
        _dataset(tmp_path, lines)
    shown = str(caught.value).splitlines()
    assert len(shown) == 11
    assert shown[9].startswith("file:10: ")
    assert shown[10] == "... 25 problems in all, the first 10 shown"


LENIENT_DATASETS = {
    "grades": ("q1 0 d1 1\nq1 0 d2 0.5\nq1 0 d3 x\n", "unreadable-grades", 2, ("file:2", "file:3")),
    "lines": ("q1 0 d1 1\nq1 0 d2\nq1\n", "malformed-lines", 2, ("file:2", "file:3")),
    "two grades": ("q1 0 d1 0\nq1 0 d1 1\nq2 0 a 1\n", "conflicting-judgments", 1, ("file:2",)),
    "entries": ('[{"id": 1, "relevant_docs": ["d1"]},\n7]', "malformed-lines", 1, ("file:2",)),
    "CSV rows": ("qid,doc_id,grade\n1,d1,1\n2\n", "malformed-lines", 1, ("file:3",)),
}


@pytest.mark.parametrize(
    ("content", "code", "count", "places"), LENIENT_DATASETS.values(), ids=LENIENT_DATASETS
)
def test_lenient_reading_skips_and_counts(tmp_path, content, code, count, places):
    with pytest.raises(InputError):
        _dataset(tmp_path, content)
    dataset = _dataset(tmp_path, content, lenient=True)
    (finding,) = dataset.findings
    assert (finding.code, finding.count, finding.examples) == (code, count, places)
    assert dataset.qrels.doc_ids.to_pylist()[0] == "d1"
    assert dataset.qrels.grade[0] == 1


def test_lenient_run_skips_and_counts(tmp_path):
    run = _run(tmp_path, "qid,doc_id,score\nq,d,1\nq,e,x\nq\nq,f,2\n", lenient=True)
    (finding,) = run.findings
    assert (finding.code, finding.count) == ("malformed-lines", 2)
    assert run.doc_ids.to_pylist() == ["f", "d"]


def test_place_of_a_row_after_skipped_rows_is_its_line(tmp_path):
    content = "qid,doc_id,score\nq\n\nq,d,1\nq,,2\nq,d,3\n"
    run = _run(tmp_path, content, lenient=True)
    repeated = next(f for f in run.findings if f.code != "malformed-lines")
    assert any("file:4" in place or "file:6" in place for place in repeated.examples)


def test_bad_row_of_a_file_large_enough_for_threads_is_named_with_its_line(tmp_path):
    row = "q,d%d," + "x" * 990 + ",1\n"
    rows = [row % i for i in range(THREADS_FROM // 1000 + 100)]
    rows[5000] = 'q,e,"two\nlines",1\n'
    rows[7000] = "q,d\n"
    with pytest.raises(InputError) as caught:
        _run(tmp_path, "qid,doc_id,text,score\n" + "".join(rows))
    assert str(caught.value) == "file:7003: 2 fields instead of 4"


FORCED = {
    "unknown": ("trek-qrels", "no dataset format is called 'trek-qrels' (did you mean 'trec"),
    "another": ("json-list", "`format` says json-list, but the content looks like trec-qrels"),
}


@pytest.mark.parametrize(("name", "message"), FORCED.values(), ids=FORCED)
def test_wrong_forced_format_is_a_clear_error(tmp_path, name, message):
    with pytest.raises(InputError) as caught:
        _dataset(tmp_path, "q1 0 d1 1\n", format=name)
    assert message in str(caught.value)


COLUMNS = {
    "not ours": ({"docid": "x"}, "`columns` has the unknown name 'docid' (did you mean 'doc_id'?)"),
    "not there": ({"doc_id": "passages"}, "no column 'passages', which `columns` names as doc_id"),
}


def test_columns_for_fields_with_fixed_places_are_a_clear_error(tmp_path):
    with pytest.raises(InputError, match="file: `columns` is given, but the fields of this format"):
        _run(tmp_path, "q Q0 d 1 1.0 t\n", columns={"doc_id": "x"})


@pytest.mark.parametrize(("columns", "message"), COLUMNS.values(), ids=COLUMNS)
def test_wrong_columns_are_a_clear_error(tmp_path, columns, message):
    with pytest.raises(InputError) as caught:
        _run(tmp_path, "query_id,passage,score\nq,d,1\n", columns=columns)
    assert message in str(caught.value)
