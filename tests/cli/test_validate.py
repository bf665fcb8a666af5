"""`rageval validate`."""

from __future__ import annotations

from pathlib import Path

import pytest

from rageval.cli.status import run_command

Captured = pytest.CaptureFixture[str]


def test_all_is_well(small_evaluation: Path, capsys: Captured) -> None:
    before = set(small_evaluation.parent.iterdir())
    assert run_command(["validate", str(small_evaluation)]) == 0
    captured = capsys.readouterr()
    assert "bm25.run" in captured.out
    assert "trec-run" in captured.out
    assert "dense against bm25" in captured.out
    assert "nothing is wrong with 'small'" in captured.out
    assert captured.err == ""
    assert set(small_evaluation.parent.iterdir()) == before


def test_all_problems_of_a_configuration_come_at_once(
    small_evaluation: Path, capsys: Captured
) -> None:
    text = small_evaluation.read_text()
    small_evaluation.write_text(text.replace("mrr", "mmr").replace("hybrid.run", "hybrd.run"))
    assert run_command(["validate", str(small_evaluation)]) == 2
    message = capsys.readouterr().err
    assert "small.yaml:8" in message
    assert "mmr" in message
    assert "small.yaml:7" in message
    assert "hybrd.run" in message


def test_all_problems_of_the_files_come_at_once(small_evaluation: Path, capsys: Captured) -> None:
    folder = small_evaluation.parent
    (folder / "bm25.run").write_text("q1 Q0 d1 1 2.0 t\nq1 Q0 e1 2 nonsense t\n")
    (folder / "dense.run").write_text("")
    assert run_command(["validate", str(small_evaluation)]) == 2
    captured = capsys.readouterr()
    assert "bm25.run:2" in captured.err
    assert "dense.run" in captured.err
    assert "hybrid.run" in captured.out


def test_a_bad_dataset_does_not_hide_a_bad_run(small_evaluation: Path, capsys: Captured) -> None:
    folder = small_evaluation.parent
    (folder / "questions.json").write_text('[{"query": 1}]')
    (folder / "bm25.run").write_text("q1 Q0 d1 1 2.0 t\nq1 Q0 e1 2 nonsense t\n")
    assert run_command(["validate", str(small_evaluation)]) == 2
    message = capsys.readouterr().err
    assert "questions.json" in message
    assert "bm25.run:2" in message


def test_judgments_that_a_measure_cannot_take_are_told_once(
    small_evaluation: Path, capsys: Captured
) -> None:
    text = small_evaluation.read_text()
    small_evaluation.write_text(text.replace("mrr", "err(top=1)"))
    (small_evaluation.parent / "questions.json").write_text(
        '[{"id": "q1", "query": "?", "relevant_docs": ["d1"], "grades": [3]}]'
    )
    assert run_command(["validate", str(small_evaluation)]) == 2
    assert capsys.readouterr().err.count("the judgments have a grade of 3") == 1


def test_a_configuration_that_is_not_there(tmp_path: Path, capsys: Captured) -> None:
    assert run_command(["validate", str(tmp_path / "none.yaml")]) == 2
    assert "none.yaml" in capsys.readouterr().err
