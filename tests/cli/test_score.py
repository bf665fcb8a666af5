"""`rageval score`."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rageval.cli.score import as_document, named_run, named_runs
from rageval.cli.status import run_command
from rageval.config.models import file_stem
from rageval.data import Measurements
from rageval.errors import InputError

Captured = pytest.CaptureFixture[str]
SCORE = ("score", "--qrels", "qrels.txt")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq1 0 b 3\nq2 0 c 1\n")
    (tmp_path / "good.run").write_text("q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\nq2 Q0 c 1 1.0 t\n")
    (tmp_path / "short.run").write_text("q1 Q0 x 1 2.0 t\nq1 Q0 a 2 1.0 t\n")
    (tmp_path / "bad.run").write_text("q1 Q0 a 1 2.0 t\nq1 Q0 b 2 nonsense t\n")
    return tmp_path


def test_json_gives_full_precision_per_query(files: Path, capsys: Captured) -> None:
    status = run_command(
        [
            "score",
            "--qrels",
            "qrels.txt",
            "--run",
            "good.run",
            "-m",
            "ndcg@2",
            "-m",
            "mrr",
            "--json",
        ]
    )
    document = json.loads(capsys.readouterr().out)
    # nDCG@2 of q1 by hand: (1 + 3/log2 3) / (3 + 1/log2 3)
    expected = (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))
    assert status == 0
    assert document["measures"] == ["ndcg@2", "mrr"]
    assert document["queries"] == 2
    assert document["strategies"]["good"]["per_query"] == {
        "ndcg@2": {"q1": pytest.approx(expected, abs=1e-15), "q2": 1.0},
        "mrr": {"q1": 1.0, "q2": 1.0},
    }
    assert document["strategies"]["good"]["mean"]["ndcg@2"] == pytest.approx(
        (expected + 1) / 2, abs=1e-15
    )


def test_the_table_names_strategies_and_measures(files: Path, capsys: Captured) -> None:
    status = run_command(
        [
            "score",
            "--qrels",
            "qrels.txt",
            "--run",
            "good.run",
            "--run",
            "new=short.run",
            "-m",
            "mrr",
        ]
    )
    lines = capsys.readouterr().out.splitlines()
    assert status == 0
    assert lines[0].split() == ["strategy", "mrr"]
    assert lines[2].split() == ["good", "1.0000"]
    assert lines[3].split() == ["new", "0.2500"]
    assert lines[-1] == "means over 2 queries"


def test_queries_that_a_run_lacks_are_told(files: Path, capsys: Captured) -> None:
    run_command([*SCORE, "--run", "short.run", "-m", "mrr"])
    captured = capsys.readouterr()
    assert "short" in captured.err
    assert "q2" in captured.err


def test_one_bad_run_does_not_lose_the_others(files: Path, capsys: Captured) -> None:
    status = run_command([*SCORE, "--run", "bad.run", "--run", "good.run", "--json"])
    captured = capsys.readouterr()
    assert status == 2
    assert list(json.loads(captured.out)["strategies"]) == ["good"]
    assert "bad.run:2" in captured.err
    assert "Traceback" not in captured.err


def test_lenient_counts_what_strict_refuses(files: Path, capsys: Captured) -> None:
    status = run_command([*SCORE, "--run", "bad.run", "-m", "mrr", "--lenient"])
    captured = capsys.readouterr()
    assert status == 0
    assert "bad.run:2" in captured.err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--qrels", "none.txt", "--run", "good.run"], "none.txt"),
        (["--qrels", "qrels.txt", "--run", "good.run", "-m", "ndgc@10"], "ndcg"),
        (["--qrels", "qrels.txt", "--run", "good.run", "-m", "precision"], "@"),
        (["--qrels", "qrels.txt", "--run", "a=good.run", "--run", "a=short.run"], "NAME=FILE"),
        (["--qrels", "qrels.txt", "--run", "."], "folder"),
    ],
)
def test_bad_input_is_one_message(
    arguments: list[str], word: str, files: Path, capsys: Captured
) -> None:
    assert run_command(["score", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert word.casefold() in captured.err.casefold()
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(
    ("path", "stem"),
    [
        ("runs/bm25.run", "bm25"),
        ("bm25.v2.txt", "bm25.v2"),
        ("bm25.run.gz", "bm25"),
        ("bm25.gz", "bm25"),
        ("bm25", "bm25"),
        ("a/b.tsv.zst", "b"),
    ],
)
def test_a_strategy_is_named_after_its_file(path: str, stem: str) -> None:
    assert file_stem(path) == stem


def test_a_name_may_be_given(tmp_path: Path) -> None:
    assert named_run("new=runs/x.run") == ("new", Path("runs/x.run"))
    odd = tmp_path / "k=3.run"
    odd.write_text("")
    assert named_run(str(odd)) == ("k=3", odd)


def test_one_name_twice_is_refused() -> None:
    with pytest.raises(InputError, match="two runs are called 'x'"):
        named_runs(["a/x.run", "b/x.run"])


def test_what_does_not_exist_is_null() -> None:
    values = Measurements(("judged@5",), ("a",), ("q1", "q2"), np.array([[[math.nan, 0.5]]]))
    document = as_document(values)
    assert document["strategies"]["a"] == {
        "mean": {"judged@5": 0.5},
        "per_query": {"judged@5": {"q1": None, "q2": 0.5}},
    }


def test_means_are_those_of_the_reference_program(
    shared_data: Callable[[str], Path], capsys: Captured
) -> None:
    """Agree with trec_eval 10 to its printed decimals."""
    folder = shared_data("robust03")
    runs = sorted((folder / "runs").iterdir())
    options = [option for run in runs for option in ("--run", str(run))]
    run_command(["score", "--qrels", str(folder / "qrels.txt.gz"), *options, "-m", "map", "--json"])
    strategies = json.loads(capsys.readouterr().out)["strategies"]
    assert list(strategies) == [run.stem for run in runs]
    for run in runs:
        packed = (folder / "expected" / f"{run.stem}.trec_eval.txt.gz").read_bytes()
        rows = (line.split() for line in gzip.decompress(packed).decode().splitlines())
        (expected,) = (row[2] for row in rows if row[:2] == ["map", "all"])
        assert f"{strategies[run.stem]['mean']['map']:.4f}" == expected
