"""Real files, as they are found in the wild, read as what they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rageval.config.models import DatasetSpec, RunSpec
from rageval.errors import InputError
from rageval.formats import read_dataset, read_run

Find = Callable[[str], Path]

# path, format, judged queries, judgments, texts, documents of the corpus
DATASETS = [
    ("robust03/qrels.txt.gz", "trec-qrels", 100, 128_796, 0, None),
    ("scifact", "beir", 300, 339, 300, 5_183),
    ("cranfield", "beir", 225, 1_837, 225, 1_400),
    ("cranfield/qrels/test.tsv", "beir", 225, 1_837, 0, None),
    ("cranfield/cranqrel.crlf.txt", "trec-qrels", 225, 1_837, 0, None),
    ("rag/llamaindex", "llamaindex", 100, 100, 100, None),
    ("rag/llamaindex/val_relevant_docs.json", "json-dict", 100, 100, 0, None),
    ("odd/derived_qrels_bom_crlf/qrels", "trec-qrels", 1, 2, 0, None),
    ("odd/hash_in_docid/qrels", "trec-qrels", 1, 2, 0, None),
    ("odd/tabs_and_mixed_ws_pisa_522/qrels", "trec-qrels", 1, 3, 0, None),
]


@pytest.mark.parametrize("row", DATASETS, ids=[row[0] for row in DATASETS])
def test_dataset(shared_data: Find, row):
    path, name, queries, judgments, texts, documents = row
    shared_data(path)
    dataset = read_dataset(DatasetSpec(path=path), shared_data(""))
    assert dataset.sources[0].format == name
    assert (len(dataset.query_ids), len(dataset.qrels.grade)) == (queries, judgments)
    assert len(dataset.texts) == texts
    assert (dataset.corpus_ids and len(dataset.corpus_ids)) == documents
    assert dataset.findings == ()


def test_original_cranfield_judgments_are_those_of_the_beir_folder(shared_data: Find):
    codes = {"1": 4, "2": 3, "3": 2, "4": 1, "-1": 0}
    original = read_dataset(
        DatasetSpec(path="cranfield/cranqrel.crlf.txt", grade_map=codes), shared_data("")
    )
    mapped = read_dataset(DatasetSpec(path="cranfield"), shared_data("")).qrels
    assert original.qrels.query_ids == mapped.query_ids
    assert sorted(zip(original.qrels.query, original.qrels.doc_ids.to_pylist(), strict=True)) == (
        sorted(zip(mapped.query, mapped.doc_ids.to_pylist(), strict=True))
    )
    assert sorted(original.qrels.grade) == sorted(mapped.grade)


REFUSED = [
    ("rag/wild/Avi3784_RAG_EVAL_COMPARISON_golden_dataset.json", "no entry names relevant docume"),
    ("rag/wild/nirobsmh_replayable-rag_retrieval_results.json", "no entry names relevant documen"),
    ("rag/aragog/llamaindex_rag_dataset.json.gz", "reference texts, no ids of relevant documents"),
    ("rag/open-rag-eval/results_with_bom.csv", "no column for grade"),
    ("rag/llamaindex/val_queries.json", "holds texts by id, no judgments"),
    ("rag", "this folder is no dataset"),
    ("chunking/questions.jsonl", "spans of text are no judgments of documents"),
    ("odd/float_qrels_pytrec_eval_16/qrels", "qrels:1: the grade '0.2' is not a whole number"),
    ("robust03/runs/NLPR03vb10.gz", "it looks like a run (trec-run)"),
]


@pytest.mark.parametrize(("path", "message"), REFUSED, ids=[path for path, _ in REFUSED])
def test_what_is_no_dataset_says_what_is_missing(shared_data: Find, path, message):
    shared_data(path)
    with pytest.raises(InputError) as caught:
        read_dataset(DatasetSpec(path=path), shared_data(""))
    assert message in str(caught.value)


def test_retrieved_chunks_are_read_without_a_mapping(shared_data: Find):
    path = "rag/wild/nirobsmh_replayable-rag_retrieval_results.json"
    shared_data(path)
    mapping = {"retrieved": "retrieved_chunks[].chunk_id", "score": "retrieval_score"}
    for columns in ({}, mapping):
        run = read_run(RunSpec(path=path, columns=columns), shared_data(""))
        assert run.query_ids == ("q1", "q2")
        assert run.doc_ids[3].as_py() == "chunk_136f470ab2fed43c"
        assert run.scores[3] == 22.5174


def test_results_table_with_a_byte_order_mark_is_a_run(shared_data: Find):
    path = "rag/open-rag-eval/results_with_bom.csv"
    shared_data(path)
    with pytest.raises(InputError, match="query 'query_6'"):  # it holds two runs of one query
        read_run(RunSpec(path=path), shared_data(""))
    run = read_run(RunSpec(path=path), shared_data(""), lenient=True)
    assert run.query_ids[0] == "query_1"
    assert run.doc_ids.to_pylist()[:3] == ["[1]", "[2]", "[3]"]
    assert run.scores is None
