"""What runs hold, format by format (TREC run files have their own tests)."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from rageval.config.models import RunSpec
from rageval.data import Run
from rageval.errors import InputError
from rageval.formats import read_id_map, read_run


def _read(folder: Path, content: str | bytes, **spec: object) -> Run:
    raw = content if isinstance(content, bytes) else content.encode()
    (folder / "file").write_bytes(raw)
    return read_run(RunSpec.model_validate({"path": "file", **spec}), folder)


def _lists(run: Run) -> dict[str, list[str]]:
    docs = run.doc_ids.to_pylist()
    return {q: docs[run.offsets[i] : run.offsets[i + 1]] for i, q in enumerate(run.query_ids)}


LISTS = {
    "ids": '[{"query_id": 7, "retrieved": ["b", 2]}]',
    "objects": '[{"qid": "7", "results": [{"id": "b"}, {"id": 2}]}]',
    "lines": '{"id": 7, "hits": ["b", "2"]}\n',
    "one document a line": '{"query_id": 7, "doc_id": "b"}\n{"query_id": 7, "doc_id": "2"}\n',
    "object by query": '{"7": ["b", "2"]}',
    "object by query, of objects": '{"7": [{"chunk_id": "b"}, {"chunk_id": "2"}]}',
    "CSV": "query_id,doc_id\n7,b\n7,2\n",
    "CSV with ranks": "query_id,doc_id,rank\n7,2,10\n7,b,9\n",
    "CSV with a list": "query_id,retrieved\n7,\"['b', '2']\"\n",
    "TSV": "topic\tdocno\n7\tb\n7\t2\n",
}


@pytest.mark.parametrize("content", LISTS.values(), ids=LISTS)
def test_list_without_scores_keeps_its_order(tmp_path, content):
    run = _read(tmp_path, content)
    assert _lists(run) == {"7": ["b", "2"]}
    assert run.scores is None
    assert run.keyed_by == "id"


SCORED = {
    "objects": '[{"query_id": "q", "retrieved": [{"doc_id": "a", "score": 1}, '
    '{"doc_id": "b", "score": 2.5}]}]',
    "scores beside": '[{"query_id": "q", "retrieved": ["a", "b"], "scores": [1, 2.5]}]',
    "object by query": '{"q": {"a": 1, "b": 2.5}}',
    "CSV": "query_id,doc_id,rank,score\nq,a,1,1\nq,b,2,2.5\n",
    "semicolons": "query_id;doc_id;score\nq;a;1\nq;b;2.5\n",
    "one document a line": '{"query_id": "q", "doc_id": "a", "score": 1}\n'
    '{"query_id": "q", "doc_id": "b", "score": 2.5}\n',
}


@pytest.mark.parametrize("content", SCORED.values(), ids=SCORED)
def test_scores_decide_the_order(tmp_path, content):
    run = _read(tmp_path, content)
    assert _lists(run) == {"q": ["b", "a"]}
    assert run.scores.tolist() == [2.5, 1.0]
    assert _lists(_read(tmp_path, content, order="ascending")) == {"q": ["a", "b"]}


def test_run_by_query_text(tmp_path):
    run = _read(tmp_path, '[{"question": "Why?", "retrieved": ["a"]}]')
    assert (run.keyed_by, run.query_ids) == ("text", ("Why?",))
    run = _read(tmp_path, "question,doc_id\nWhy?,a\n")
    assert (run.keyed_by, run.query_ids) == ("text", ("Why?",))


def test_empty_ranking_is_kept(tmp_path):
    run = _read(tmp_path, '[{"qid": "q", "retrieved": ["a"]}, {"qid": "r", "retrieved": []}]')
    assert _lists(run) == {"q": ["a"], "r": []}


def test_lone_id_beside_a_text_is_not_taken_for_a_document(tmp_path):
    with pytest.raises(InputError, match="file:1: no ranked list"):
        _read(tmp_path, '[{"query": "why?", "id": "d1", "score": 0.5}]')


NESTED = json.dumps(
    [{"meta": {"id": "q"}, "out": {"hits": [{"node": {"key": "a"}, "sim": 0.5, "id": "x"}]}}]
)


def test_nested_keys_can_be_mapped(tmp_path):
    columns = {
        "query_id": "meta.id",
        "retrieved": "out.hits[].node.key",
        "score": "out.hits[].sim",
    }
    run = _read(tmp_path, NESTED, columns=columns)
    assert _lists(run) == {"q": ["a"]}
    assert run.scores.tolist() == [0.5]
    short = {"query_id": "meta.id", "retrieved": "out.hits", "doc_id": "node.key", "score": "sim"}
    assert _lists(_read(tmp_path, NESTED, columns=short)) == {"q": ["a"]}


def test_columns_of_a_table_can_be_mapped(tmp_path):
    columns = {"query_id": "Q", "doc_id": "passage no", "score": "s"}
    run = _read(tmp_path, "Q,passage no,s,score\nq,a,1,9\n", columns=columns)
    assert run.scores.tolist() == [1.0]


def test_parquet_with_a_list_of_structs(tmp_path):
    buffer = io.BytesIO()
    hits = [[{"doc_id": 1, "score": 0.5}, {"doc_id": 2, "score": 0.75}], []]
    parquet.write_table(pa.table({"query_id": ["q", "r"], "retrieved": hits}), buffer)
    assert _lists(_read(tmp_path, buffer.getvalue())) == {"q": ["2", "1"], "r": []}


def test_parquet_of_dictionaries_and_large_strings(tmp_path):
    buffer = io.BytesIO()
    query = pa.array(["q", "q"]).dictionary_encode()
    doc = pa.array(["a", "b"], pa.large_string())
    table = pa.table({"query_id": query, "doc_id": doc, "score": pa.array([1, 2], pa.float32())})
    parquet.write_table(table, buffer)
    assert _lists(_read(tmp_path, buffer.getvalue())) == {"q": ["b", "a"]}


@pytest.mark.parametrize("text", ["1e-320", "+3", ".5", "5.", "-0.1", "1E5", "0.1234567890123456"])
def test_scores_are_what_python_reads(tmp_path, text):
    run = _read(tmp_path, f"query_id,doc_id,score\nq,a,{text}\n")
    assert run.scores.tolist() == [float(text)]


def test_id_map(tmp_path):
    (tmp_path / "map.csv").write_text('doc_id,chunk_id\nd1,c1\nd1,"c,2"\nNA,c3\nd1,c1\n')
    chunks, documents = read_id_map(tmp_path / "map.csv")
    assert chunks.to_pylist() == ["c1", "c,2", "c3"]
    assert documents.to_pylist() == ["d1", "d1", "NA"]
    (tmp_path / "map.tsv").write_text("piece\twhole\nc1\td1\n")
    chunks, documents = read_id_map(tmp_path / "map.tsv")
    assert (chunks.to_pylist(), documents.to_pylist()) == (["c1"], ["d1"])


ID_MAPS = {
    "two documents": ("chunk_id,doc_id\nc,a\nc,b\n", "map:3: chunk 'c' belongs to 'a' and to 'b'"),
    "empty id": ("chunk_id,doc_id\nc,\n", "map:2: doc_id: an empty id"),
    "one column": ("chunk_id\nc\n", "no CSV header"),
}


@pytest.mark.parametrize(("content", "message"), ID_MAPS.values(), ids=ID_MAPS)
def test_bad_id_map_is_an_error(tmp_path, content, message):
    (tmp_path / "map").write_text(content)
    with pytest.raises(InputError) as caught:
        read_id_map(tmp_path / "map")
    assert message in str(caught.value)
