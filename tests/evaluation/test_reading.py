"""A run that is read in parts is judged as if it had been read whole."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval.config.models import RunSpec
from rageval.data import Dataset, JudgedRun, Qrels
from rageval.errors import InputError
from rageval.evaluation.reading import read_and_judge
from rageval.formats import read_run
from rageval.formats.run_parts import map_run_parts
from rageval.formats.trec_run_blocks import cut
from rageval.judging import judge

steady = settings(max_examples=60, deadline=None)

ARRAYS = (
    "query",
    "rank",
    "grade",
    "tie_first",
    "tie_last",
    "retrieved",
    "in_run",
    "top_offsets",
)
Line = tuple[str, str, float]

lines_of_a_run = st.dictionaries(
    st.tuples(st.sampled_from(["q1", "q2", "q3", "q10", "é"]), st.sampled_from([*"abcdefgh"])),
    st.sampled_from([0.0, 1.0, 2.0, 2.5]),
    min_size=1,
    max_size=40,
).map(lambda pairs: [(query, doc, score) for (query, doc), score in pairs.items()])
judgments = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "q10", "é", "q99"]),
    st.dictionaries(st.sampled_from([*"abcdefgh"]), st.integers(-1, 3), max_size=8),
    min_size=1,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("parts")


def write(folder: Path, lines: list[Line]) -> RunSpec:
    text = "".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in lines)
    (folder / "run.txt").write_text(text, encoding="utf-8")
    return RunSpec(path="run.txt")


def assert_same(parts: JudgedRun, whole: JudgedRun) -> None:
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(parts, name), getattr(whole, name), name)
    assert parts.top_doc_ids.to_pylist() == whole.top_doc_ids.to_pylist()
    assert parts.straddled.keys() == whole.straddled.keys()
    for cutoff, straddled in whole.straddled.items():
        np.testing.assert_array_equal(parts.straddled[cutoff], straddled)
    assert parts.source == whole.source
    assert parts.findings == whole.findings


def both(spec: RunSpec, folder: Path, dataset: Dataset) -> None:
    options: dict[str, Any] = {"cutoffs": (1, 3), "depth": 2}
    whole = outcome(lambda: judge(read_run(spec, folder), dataset, **options))
    parts = outcome(lambda: read_and_judge(spec, folder, dataset, **options))
    if isinstance(whole, str) or isinstance(parts, str):
        assert parts == whole
    else:
        assert_same(parts, whole)


def outcome(action: Callable[[], JudgedRun]) -> JudgedRun | str:
    try:
        return action()
    except InputError as error:
        return str(error)


@steady
@given(lines_of_a_run, judgments, st.integers(1, 400), st.randoms(use_true_random=False))
def test_parts_of_any_size_and_order_give_what_the_whole_gives(
    folder: Path,
    lines: list[Line],
    grades: dict[str, dict[str, int]],
    size: int,
    shuffler: random.Random,
) -> None:
    dataset = Dataset("tiny", Qrels.from_dict(grades))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cut, "__defaults__", (size,))
        for order in (sorted(lines), shuffler.sample(lines, len(lines))):
            both(write(folder, order), folder, dataset)


@pytest.mark.parametrize(
    "line", ["q1 Q0 d0 1 5 t", "q1 Q0 x 1 nan t", "# a comment", "q1 bad", ""], ids=repr
)
def test_what_there_is_to_say_of_a_line_is_said(
    folder: Path, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = write(folder, [(f"q{i // 10}", f"d{i % 10}", -float(i)) for i in range(100)])
    with (folder / "run.txt").open("a") as file:
        file.write(line + "\n")
    monkeypatch.setattr(cut, "__defaults__", (300,))
    both(spec, folder, Dataset("tiny", Qrels.from_dict({"q1": {"d1": 1}, "q7": {"d2": 2}})))


def test_a_grouped_file_is_indeed_read_in_parts(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = write(folder, [(f"q{i // 10}", f"d{i % 10}", -float(i)) for i in range(100)])
    monkeypatch.setattr(cut, "__defaults__", (300,))
    found = map_run_parts(spec, folder, lambda run: run.query_ids)
    assert found is not None
    source, parts = found
    assert len(parts) > 3
    assert [q for part in parts for q in part] == [f"q{i}" for i in range(10)]
    assert source.rows == 100


def test_documents_beyond_the_corpus_are_counted_in_a_large_run_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = write(folder, [(f"q{i // 10}", f"d{i % 10}", -float(i)) for i in range(100)])
    monkeypatch.setattr(cut, "__defaults__", (300,))
    corpus = pa.array([f"d{i}" for i in range(9)])
    dataset = Dataset("tiny", Qrels.from_dict({"q1": {"d1": 1}}), corpus_ids=corpus)
    both(spec, folder, dataset)
    judged = read_and_judge(spec, folder, dataset)
    assert {f.code: f.count for f in judged.findings}["documents-not-in-corpus"] == 10


def test_a_small_file_and_other_formats_are_read_whole(folder: Path) -> None:
    spec = write(folder, [("q", "d", 1.0)])
    assert map_run_parts(spec, folder, len) is None  # type: ignore[arg-type]
    (folder / "run.json").write_text('{"q": {"d": 1.0}}')
    assert map_run_parts(RunSpec(path="run.json"), folder, len) is None  # type: ignore[arg-type]
