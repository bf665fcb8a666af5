"""Chunk ids of a run that was read from a file are mapped before it is judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from rageval.config.models import RunSpec
from rageval.data import Dataset, Qrels
from rageval.formats import read_run
from rageval.judging import DocumentMap, judge


@pytest.mark.parametrize(
    ("run", "ranks"),
    [
        ("q1 Q0 x#1 1 3 t\nq1 Q0 d#1 2 2 t\n", [2]),
        ("q1 Q0 x#1 1 4 t\nq1 Q0 x#2 2 3 t\nq1 Q0 d#2 3 2 t\nq1 Q0 d#1 4 1 t\n", [2]),
    ],
    ids=["one chunk each", "several chunks of a document"],
)
def test_the_documents_of_a_file_are_found(run: str, ranks: list[int], tmp_path: Path) -> None:
    (tmp_path / "run").write_text(run)
    read = read_run(RunSpec(path="run"), tmp_path)
    mapped = DocumentMap.from_pattern(r"(.+)#\d+").map_run(read)
    judged = judge(mapped, Dataset("dataset", Qrels.from_dict({"q1": {"d": 1}})))
    assert judged.rank.tolist() == ranks
