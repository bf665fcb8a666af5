"""The documents' beginnings in a result: which, from where, and how many."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from rageval.evaluation import documents
from rageval.evaluation.documents import CAPACITY, SHORTEST, documents_of
from rageval.evaluation.pipeline import evaluate
from rageval.evaluation.plan import load
from rageval.evaluation.stages import load_dataset

JUDGED = {"q1": {"b": 1, "a": 2}, "q2": {"c": 1}}
RUNS = {"old": {"q1": ["x", "a"], "q2": ["y"]}, "new": {"q1": ["a", "z"], "q2": ["c", "x"]}}
CREATED = "2026-11-30T06:00:00Z"


def write_corpus(folder: Path, ids: str | list[str], text: str = "About {}.") -> None:
    lines = [json.dumps({"_id": i, "title": "", "text": text.format(i)}) + "\n" for i in ids]
    (folder / "corpus.jsonl").write_text("".join(lines), encoding="utf-8")


def dataset_of(**options: str) -> dict[str, str]:
    return {"name": "data", "path": "qrels.txt", "corpus": "corpus.jsonl", **options}


def test_documents_that_the_details_show_have_texts_judged_ones_first(project, tmp_path):
    write_corpus(tmp_path, "zyxwcba")
    (result,) = evaluate(project(JUDGED, RUNS, dataset=dataset_of()), created=CREATED).datasets
    assert list(result.documents) == ["a", "c", "x", "y", "b", "z"]
    assert result.documents["x"] == "About x."


@pytest.mark.parametrize("corpus", [None, "a\nb\nc\nx\ny\nz\n"])
def test_without_texts_there_are_none(corpus, project, tmp_path):
    (tmp_path / "corpus.jsonl").write_text(corpus or "")
    dataset = dataset_of() if corpus else "qrels.txt"
    (result,) = evaluate(project(JUDGED, RUNS, dataset=dataset), created=CREATED).datasets
    assert result.documents == {}


def test_chunks_have_the_text_of_their_document(project, tmp_path):
    write_corpus(tmp_path, "abcxyz")
    chunks = {
        name: {q: [f"{d}#{i}" for i, d in enumerate(docs)] for q, docs in run.items()}
        for name, run in RUNS.items()
    }
    path = project(JUDGED, chunks, dataset=dataset_of(), documents={"pattern": r"(.+)#\d+"})
    (result,) = evaluate(path, created=CREATED).datasets
    assert set(result.documents) == set("abcxyz")
    shown = {d.doc_id for detail in result.details for r in detail.rankings.values() for d in r}
    assert shown <= set(result.documents)


def test_each_dataset_reads_its_own_corpus(project, tmp_path):
    write_corpus(tmp_path, "abcxyz")
    (tmp_path / "second.jsonl").write_text('{"_id": "a", "text": "Another a."}\n')
    both = [dataset_of(name="one"), dataset_of(name="two", corpus="second.jsonl")]
    runs = {name: {d["name"]: f"{name}.run" for d in both} for name in RUNS}
    strategies = [{"name": name, "runs": run} for name, run in runs.items()]
    path = project(JUDGED, RUNS, datasets=both, strategies=strategies)
    config = json.loads(path.read_text())
    del config["dataset"]
    path.write_text(json.dumps(config))
    one, two = evaluate(path, created=CREATED).datasets
    assert one.documents["a"] == "About a."
    assert two.documents == {"a": "Another a."}


def many(project, tmp_path, count: int, text: str):
    """Return the documents of one query that judges one and retrieves many."""
    ids = [f"d{i:04d}" for i in range(count)]
    write_corpus(tmp_path, ids, text)
    run = {"q1": ids}
    path = project({"q1": {ids[-1]: 1}}, {"one": run}, dataset=dataset_of())
    evaluation = load(path)
    (result,) = evaluate(evaluation, created=CREATED).datasets
    ranking = tuple(replace(result.details[0].judgments[0], doc_id=i, grade=None) for i in ids)
    detail = replace(result.details[0], rankings={"one": ranking})
    return ids, documents_of(evaluation, load_dataset(evaluation, "data"), [detail])


def size(found: dict[str, str]) -> int:
    return sum(len(text.encode()) for text in found.values())


def test_many_documents_are_shorter(project, tmp_path):
    ids, found = many(project, tmp_path, 3000, "word " * 100)
    assert list(found) == [ids[-1], *ids[:-1]]
    assert 0.95 * CAPACITY < size(found) <= CAPACITY


def test_what_a_page_cannot_carry_is_left_out_from_the_lower_ranks(project, tmp_path):
    ids, found = many(project, tmp_path, 8000, "語" * 100)
    assert CAPACITY - 3 * SHORTEST <= size(found) <= CAPACITY
    assert list(found) == [ids[-1], *ids[: len(found) - 1]]


def test_the_same_inputs_give_the_same_documents(project, tmp_path, monkeypatch):
    write_corpus(tmp_path, "abcxyz")
    path = project(JUDGED, RUNS, dataset=dataset_of())
    monkeypatch.setattr(documents, "CAPACITY", 20)
    first, second = (evaluate(path, created=CREATED).datasets[0].documents for _ in range(2))
    assert list(first.items()) == list(second.items()) == [("a", "About a."), ("c", "About c.")]
