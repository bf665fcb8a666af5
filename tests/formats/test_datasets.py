"""What datasets hold beside their judgments, format by format."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import unicodedata
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from rageval.config.models import DatasetSpec
from rageval.data import Dataset
from rageval.errors import InputError
from rageval.formats import read_dataset
from rageval.formats.ids import derived_id


def _read(folder: Path, content: str | bytes, name: str = "file", **spec: object) -> Dataset:
    raw = content if isinstance(content, bytes) else content.encode()
    (folder / name).write_bytes(raw)
    return read_dataset(DatasetSpec.model_validate({"path": name, **spec}), folder)


def _judgments(dataset: Dataset) -> dict[str, dict[str, int]]:
    qrels = dataset.qrels
    found: dict[str, dict[str, int]] = {query: {} for query in qrels.query_ids}
    rows = zip(qrels.query, qrels.doc_ids.to_pylist(), qrels.grade, strict=True)
    for query, doc, grade in rows:
        found[qrels.query_ids[query]][doc] = int(grade)
    return found


def _codes(dataset: Dataset) -> dict[str, int]:
    return {finding.code: finding.count for finding in dataset.findings}


# --- ids ---------------------------------------------------------------------------------------


def test_missing_id_is_derived_from_the_text(tmp_path):
    dataset = _read(tmp_path, '[{"query": " What is é? ", "relevant_docs": ["d1"]}]')
    digest = hashlib.sha256("What is é?".encode()).hexdigest()
    assert dataset.query_ids == (f"q-{digest[:12]}",)
    assert dataset.texts == {f"q-{digest[:12]}": " What is é? "}


@given(st.text(min_size=1).filter(str.strip))
def test_derived_id_does_not_depend_on_form_and_blanks(text):
    assert derived_id(text) == derived_id(f" {unicodedata.normalize('NFD', text)}\n")
    assert len(derived_id(text)) == 14


INTEGERS = {
    "json-list": '[{"id": 7, "relevant_docs": [12345678901234567890123]}]',
    "jsonl": '{"_id": 7, "relevant": [12345678901234567890123]}\n',
}


@pytest.mark.parametrize("content", INTEGERS.values(), ids=INTEGERS)
def test_integers_become_decimal_text_with_all_digits(tmp_path, content):
    assert _judgments(_read(tmp_path, content)) == {"7": {"12345678901234567890123": 1}}


def test_parquet_integers_become_decimal_text(tmp_path):
    buffer = io.BytesIO()
    ids = pa.array([2**63, 7], pa.uint64())
    table = pa.table({"query_id": ids, "doc_id": pa.array([1, -2], pa.int8()), "grade": [1.0, 0.0]})
    parquet.write_table(table, buffer)
    assert _judgments(_read(tmp_path, buffer.getvalue())) == {
        "7": {"-2": 0},
        "9223372036854775808": {"1": 1},
    }


# --- the JSON list -----------------------------------------------------------------------------

GRADES = {
    "none": ('"relevant_docs": ["a", "b"]', {"a": 1, "b": 1}),
    "list": ('"relevant_docs": ["a", "b"], "grades": [2, 0]', {"a": 2, "b": 0}),
    "mapping": (
        '"relevant_docs": ["a", "b"], "grades": {"a": 3, "c": 0}',
        {"a": 3, "b": 1, "c": 0},
    ),
    "mapping alone": ('"grades": {"a": 3, "c": 0}', {"a": 3, "c": 0}),
    "null and a mapping": ('"relevant_docs": null, "grades": {"a": 1}', {"a": 1}),
    "objects": ('"relevant_docs": [{"doc_id": "a", "grade": 2}, {"id": "b"}]', {"a": 2, "b": 1}),
    "mapping as documents": ('"relevant_docs": {"a": 2, "b": -1}', {"a": 2, "b": -1}),
    "lone id": ('"relevant_docs": "a"', {"a": 1}),
    "number that is whole": ('"relevant_docs": ["a"], "grades": [2.0]', {"a": 2}),
    "empty": ('"relevant_docs": []', {}),
}


@pytest.mark.parametrize(("fields", "judged"), GRADES.values(), ids=GRADES)
def test_ways_to_say_what_is_relevant(tmp_path, fields, judged):
    assert _judgments(_read(tmp_path, f'[{{"id": "q", {fields}}}]')) == {"q": judged}


def test_other_scalars_become_attributes(tmp_path):
    entry = {
        "id": "q1",
        "query": "a",
        "relevant_docs": ["d"],
        "category": "how-to",
        "hard": True,
        "year": 2024,
        "spans": "never",
        "metadata": {"language": "en", "tags": ["x"]},
        "answer": None,
        "contexts": ["a list"],
    }
    other = {"id": "q2", "query": "b", "relevant_docs": ["d"], "category": "lookup"}
    dataset = _read(tmp_path, json.dumps([entry, other]))
    assert dataset.attributes == {
        "language": {"q1": "en"},
        "category": {"q1": "how-to", "q2": "lookup"},
        "hard": {"q1": "true"},
        "year": {"q1": "2024"},
    }


def test_attributes_can_be_chosen_and_are_checked(tmp_path):
    content = '[{"id": "q", "relevant_docs": ["d"], "category": "a", "level": "b"}]'
    assert _read(tmp_path, content, attributes=["level"]).attributes == {"level": {"q": "b"}}
    with pytest.raises(InputError, match=r"no query attribute 'levle'.*did you mean 'level'"):
        _read(tmp_path, content, attributes=["levle"])


def test_query_without_judgments_is_left_out_and_counted(tmp_path):
    content = '[{"id": "q2", "query": "a", "relevant_docs": []}, {"id": "q1", "query": "b"}]'
    dataset = _read(tmp_path, content)
    assert dataset.query_ids == ("q2",)
    assert dataset.unjudged_queries == ("q1",)
    assert _codes(dataset) == {"queries-without-judgments": 1}


def test_keys_can_be_mapped_and_nested(tmp_path):
    content = json.dumps(
        [{"info": {"key": 4}, "ask": "a", "gold": [{"node": {"id": "d"}, "level": 2}]}]
    )
    columns = {
        "query_id": "info.key",
        "query": "ask",
        "relevant_docs": "gold[].node.id",
        "grade": "gold[].level",
    }
    dataset = _read(tmp_path, content, columns=columns)
    assert _judgments(dataset) == {"4": {"d": 2}}
    assert dataset.texts == {"4": "a"}


def test_keys_inside_an_object_by_query_can_be_mapped(tmp_path):
    content = '{"q": [{"key": "a", "level": 2}, {"key": "b", "level": 0}]}'
    dataset = _read(tmp_path, content, columns={"doc_id": "key", "grade": "level"})
    assert _judgments(dataset) == {"q": {"a": 2, "b": 0}}


def test_one_judgment_a_line_is_jsonl_too(tmp_path):
    content = (
        '{"query_id": "q", "doc_id": "a", "grade": 2}\n{"query_id": "q", "doc_id": "b", "grade": 0}'
    )
    assert _judgments(_read(tmp_path, content)) == {"q": {"a": 2, "b": 0}}


# --- TREC --------------------------------------------------------------------------------------


def test_topics_and_corpus_stand_beside_trec_judgments(tmp_path):
    (tmp_path / "topics.tsv").write_text('q1\tsay "hi"\tnow\nq9\tnobody judged\n')
    (tmp_path / "ids.txt").write_text("d1\n\nd3\r\n")
    dataset = _read(
        tmp_path, "q1 0 d1 1\nq2 0 d2 1\n", "qrels.txt.x", topics="topics.tsv", corpus="ids.txt"
    )
    assert dataset.name == "qrels.txt"
    assert dataset.texts == {"q1": 'say "hi"\tnow', "q9": "nobody judged"}
    assert dataset.unjudged_queries == ("q9",)
    assert dataset.corpus_ids.to_pylist() == ["d1", "d3"]
    assert [(s.path, s.format, s.rows) for s in dataset.sources] == [
        ("qrels.txt.x", "trec-qrels", 2),
        ("topics.tsv", "topics", 2),
        ("ids.txt", "corpus", 2),
    ]
    assert _codes(dataset) == {
        "judged-queries-not-listed": 1,
        "queries-without-judgments": 1,
        "judged-documents-not-in-corpus": 1,
    }


SHAPES = {
    "runs of blanks and tabs": "  q1 \t0\t d1   1 \nq1 0 d2 0\t\r\n",
    "three fields": "q1 d1 1\nq1 d2 0\n",
    "comments": "# judged in the year 2024\nq1 0 d1 1\n# a b c\nq1 0 d2 0\n",
}


@pytest.mark.parametrize("content", SHAPES.values(), ids=SHAPES)
def test_shapes_of_trec_judgments(tmp_path, content):
    dataset = _read(tmp_path, content)
    assert _judgments(dataset) == {"q1": {"d1": 1, "d2": 0}}
    assert _codes(dataset) == ({"comment-lines": 2} if "#" in content else {})


def test_hash_and_quotes_are_ordinary_characters(tmp_path):
    dataset = _read(tmp_path, '#1 0 "d" 1\n"q 0 d#2 0\n')
    assert _judgments(dataset) == {"#1": {'"d"': 1}, '"q': {"d#2": 0}}


def test_grade_map_turns_codes_into_grades(tmp_path):
    content = "q 0 best 1\nq 0 worst 4.0\nq 0 none -1\n"
    dataset = _read(tmp_path, content, grade_map={"1": 4, "4": 1, "-1": 0})
    assert _judgments(dataset) == {"q": {"best": 4, "worst": 1, "none": 0}}
    with pytest.raises(InputError, match=r"file:2: the grade '4.0' is not in `grade_map`"):
        _read(tmp_path, content, grade_map={"1": 4, "-1": 0})


def test_identical_repeats_are_a_finding_only(tmp_path):
    dataset = _read(tmp_path, "q 0 a 1\nq 0 b 0\nq 0 a 1\nq 0 a 1\n")
    assert _judgments(dataset) == {"q": {"a": 1, "b": 0}}
    (finding,) = dataset.findings
    assert (finding.code, finding.severity, finding.examples) == (
        "repeated-judgments",
        "low",
        ("file:3",),
    )


ROWS = st.lists(st.tuples(st.sampled_from("pqr"), st.sampled_from("abcd"), st.integers(-1, 3)))


@given(ROWS.filter(len))
def test_repeats_follow_the_plain_rule(tmp_path_factory, rows):
    """Oracle: a dictionary filled line by line."""
    content = "".join(f"{q} 0 {d} {g}\n" for q, d, g in rows)
    best: dict[str, dict[str, int]] = {}
    for query, doc, grade in rows:
        docs = best.setdefault(query, {})
        docs[doc] = max(grade, docs.get(doc, grade))
    folder = tmp_path_factory.mktemp("rows")
    (folder / "file").write_text(content)
    dataset = read_dataset(DatasetSpec(path="file"), folder, lenient=True)
    assert _judgments(dataset) == best


# --- the corpus --------------------------------------------------------------------------------

CORPORA = {
    "JSON Lines": ('{"_id": "a", "text": "x"}\n{"title": "y", "_id": "b"}\n', ["a", "b"]),
    "integers": ('{"doc_id": "a"}\n{"doc_id": "b"}\n{"doc_id": 3}\n', ["a", "b", "3"]),
    "one document": ('{"id": "a"}', ["a"]),
    "list of documents": ('[{"id": "a"}, {"id": 2}]', ["a", "2"]),
    "list of ids": ('["a", "b"]', ["a", "b"]),
    "object by id": ('{"a": "text", "b": {"text": "t"}}', ["a", "b"]),
    "lines": ("a\r\n\nb\n", ["a", "b"]),
}


@pytest.mark.parametrize(("content", "ids"), CORPORA.values(), ids=CORPORA)
def test_corpus(tmp_path, content, ids):
    (tmp_path / "corpus").write_text(content)
    assert _read(tmp_path, "q 0 a 1\n", corpus="corpus").corpus_ids.to_pylist() == ids


def test_document_without_an_id_is_an_error(tmp_path):
    (tmp_path / "corpus").write_text('{"_id": "a"}\n{"text": "b"}\n')
    with pytest.raises(InputError, match="corpus:2: a document without an id"):
        _read(tmp_path, "q 0 a 1\n", corpus="corpus")


def test_parquet_corpus(tmp_path):
    parquet.write_table(pa.table({"doc_id": [7, 8], "text": ["x", "y"]}), tmp_path / "corpus")
    dataset = _read(tmp_path, "q 0 7 1\n", corpus="corpus")
    assert dataset.corpus_ids.to_pylist() == ["7", "8"]


# --- BEIR --------------------------------------------------------------------------------------


def _beir(folder: Path, qrels: str = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq2\td2\t1\n") -> Path:
    (folder / "set" / "qrels").mkdir(parents=True)
    (folder / "set" / "qrels" / "test.tsv").write_text(qrels)
    (folder / "set" / "queries.jsonl").write_text(
        '{"_id": "q1", "text": "a", "metadata": {"kind": "x"}}\n{"_id": "q3", "text": "c"}\n'
    )
    with gzip.open(folder / "set" / "corpus.jsonl.gz", "wt") as corpus:
        corpus.write('{"_id": "d1", "text": "..."}\n{"_id": "d9", "title": "", "text": "..."}\n')
    return folder


def test_beir_folder(tmp_path):
    dataset = read_dataset(DatasetSpec(path="set/"), _beir(tmp_path))
    assert dataset.name == "set"
    assert _judgments(dataset) == {"q1": {"d1": 2}, "q2": {"d2": 1}}
    assert dataset.texts == {"q1": "a", "q3": "c"}
    assert dataset.attributes == {"kind": {"q1": "x"}}
    assert dataset.corpus_ids.to_pylist() == ["d1", "d9"]
    assert [source.path for source in dataset.sources] == [
        "set/qrels/test.tsv",
        "set/queries.jsonl",
        "set/corpus.jsonl.gz",
    ]
    assert _codes(dataset) == {
        "judged-queries-not-listed": 1,
        "queries-without-judgments": 1,
        "judged-documents-not-in-corpus": 1,
    }


def test_beir_header_is_one_only_if_it_says_so(tmp_path):
    folder = _beir(tmp_path, 'q1\t"d1\t2\nq2\td 2\t1\n')
    dataset = read_dataset(DatasetSpec(path="set"), folder)
    assert _judgments(dataset) == {"q1": {'"d1': 2}, "q2": {"d 2": 1}}


def test_beir_split(tmp_path):
    folder = _beir(tmp_path)
    (folder / "set" / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq5\td1\t1\n")
    assert read_dataset(DatasetSpec(path="set", split="dev"), folder).query_ids == ("q5",)
    assert read_dataset(DatasetSpec(path="set"), folder).query_ids == ("q1", "q2")
    with pytest.raises(InputError, match=r"no split 'tset'.*did you mean 'test'"):
        read_dataset(DatasetSpec(path="set", split="tset"), folder)
    (folder / "set" / "qrels" / "test.tsv").rename(folder / "set" / "qrels" / "train.tsv")
    with pytest.raises(InputError, match="several splits in qrels/: dev, train"):
        read_dataset(DatasetSpec(path="set"), folder)


# --- LlamaIndex --------------------------------------------------------------------------------


def test_llamaindex_folder(tmp_path):
    (tmp_path / "val_queries.json").write_text('{"q1": "a", "q2": "b"}')
    (tmp_path / "val_relevant_docs.json").write_text('{"q1": ["d1", "d2"]}')
    (tmp_path / "val_corpus.json").write_text('{"d1": "text", "d2": "text"}')
    dataset = read_dataset(DatasetSpec(path="."), tmp_path)
    assert _judgments(dataset) == {"q1": {"d1": 1, "d2": 1}}
    assert dataset.unjudged_queries == ("q2",)
    assert dataset.corpus_ids.to_pylist() == ["d1", "d2"]
    assert {source.format for source in dataset.sources} == {"llamaindex"}
    (tmp_path / "train_relevant_docs.json").write_text('{"q1": ["d1"]}')
    with pytest.raises(InputError, match="several datasets in the folder: train_relevant"):
        read_dataset(DatasetSpec(path="."), tmp_path)


# --- tables ------------------------------------------------------------------------------------


def test_csv_with_texts_attributes_and_unjudged_queries(tmp_path):
    content = (
        "Query ID;Doc-ID;Relevance;question;category;note\n"
        'q1;d1;2;"a ""b"";\nc";how-to;x\n'
        "q1;d2;0;;how-to;y\n"
        "q2;;;nobody judged;lookup;\n"
    )
    dataset = _read(tmp_path, content)
    assert _judgments(dataset) == {"q1": {"d1": 2, "d2": 0}}
    assert dataset.texts == {"q1": 'a "b";\nc', "q2": "nobody judged"}
    assert dataset.attributes == {"category": {"q1": "how-to", "q2": "lookup"}}
    assert dataset.unjudged_queries == ("q2",)


def test_csv_of_texts_and_relevant_documents(tmp_path):
    dataset = _read(tmp_path, "question,relevant_doc_id\nwhy?,d1\nwhy?,d2\n")
    assert _judgments(dataset) == {derived_id("why?"): {"d1": 1, "d2": 1}}


@pytest.mark.parametrize("cell", ['"[""d1"", ""d2""]"', "\"['d1', 'd2']\""])
def test_csv_with_a_list_in_a_cell(tmp_path, cell):
    dataset = _read(tmp_path, f"id,query,relevant_docs,kind\nq1,why?,{cell},x\nq2,how?,[],\n")
    assert _judgments(dataset) == {"q1": {"d1": 1, "d2": 1}, "q2": {}}
    assert dataset.attributes == {"kind": {"q1": "x"}}


def test_parquet_with_list_columns(tmp_path):
    buffer = io.BytesIO()
    table = pa.table(
        {
            "query": ["why?", "how?"],
            "relevant_docs": [["d1", "d2"], []],
            "grades": [[2, 0], []],
            "kind": ["x", None],
        }
    )
    parquet.write_table(table, buffer)
    dataset = _read(tmp_path, buffer.getvalue())
    assert _judgments(dataset) == {derived_id("why?"): {"d1": 2, "d2": 0}, derived_id("how?"): {}}
    assert dataset.attributes == {"kind": {derived_id("why?"): "x"}}


def test_digest_is_left_out_where_nobody_asks(tmp_path):
    (tmp_path / "file").write_text("q 0 d 1\n")
    spec = DatasetSpec(path="file")
    assert read_dataset(spec, tmp_path, digest=False).sources[0].sha256 == ""
    digest = hashlib.sha256(b"q 0 d 1\n").hexdigest()
    assert read_dataset(spec, tmp_path).sources[0].sha256 == digest
