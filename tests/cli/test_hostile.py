"""`rageval score` on input that is wrong, odd or unlucky: 0 or 2, one message, right numbers."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import pytest

from rageval.cli.status import run_command

Captured = pytest.CaptureFixture[str]
QRELS = "q1 0 doc1 1\nq1 0 doc2 2\nq2 0 doc3 1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    return tmp_path


def _score(capsys: Captured, *options: str) -> tuple[int, str, str]:
    status = run_command(["score", "--qrels", "qrels", "-m", "ndcg@10", "-m", "p@1", *options])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return status, captured.out, captured.err


HINTS: dict[str, tuple[str, str]] = {
    "chunk numbers": ("q1 Q0 doc1#0 1 2 t\nq1 Q0 doc2_chunk_3 2 1 t\n", "without the chunk number"),
    "a prefix": ("q1 Q0 x/doc1 1 2 t\nq1 Q0 x/y 2 1 t\n", "without the prefix 'x/'"),
    "both ends": (
        "q1 Q0 x/doc1.txt 1 2 t\nq1 Q0 x/y.txt 2 1 t\n",
        "without the prefix 'x/' and the suffix '.txt' in the run, 1 of 2",
    ),
    "case": ("q1 Q0 DOC1 1 2 t\n", "in lower case, 1 of 1"),
    "leading zeros": ("q1 Q0 doc001 1 2 t\n", "without leading zeros"),
    "quotes": ('q1 Q0 "doc1" 1 2 t\nq1 Q0 "docx" 2 1 t\n', "without quotes, 1 of 2"),
    "an invisible mark": ("q1 Q0 \ufeffdoc1 1 2 t\n", "without the prefix '\\ufeff'"),
    "query ids": ("topic-q1 Q0 doc1 1 2 t\n", "without the prefix 'topic-' in the run, 1 of 1"),
}


@pytest.mark.parametrize(("run", "hint"), HINTS.values(), ids=HINTS)
def test_ids_written_otherwise_are_named(
    run: str, hint: str, folder: Path, capsys: Captured
) -> None:
    (folder / "run").write_text(run)
    status, out, err = _score(capsys, "--run", "run")
    assert (status, out) == (2, "")
    assert hint in err


TEXTS = [{"query": "How do I reset it?", "relevant_docs": ["d1"]}]
TEXT_HINTS: dict[str, tuple[object, str]] = {
    "another case": ([{"query": "how do i reset it?", "retrieved": ["d1"]}], "in lower case, 1 of"),
    "other blanks": ([{"query": "How do I  reset it?", "retrieved": []}], "without blanks, 1 of 1"),
    "another text": (
        [{"query": "What?", "retrieved": ["d1"]}],
        "the judgments have 'How do I reset it?' (the same query texts on both sides)",
    ),
    "texts as keys": ({"How do I reset it?": ["d1"]}, "1 of 1 are texts of queries: name them so"),
    "ids on one side": ([{"query_id": "q1", "retrieved": ["d1"]}], "give the queries of the datas"),
}


@pytest.mark.parametrize(("run", "hint"), TEXT_HINTS.values(), ids=TEXT_HINTS)
def test_texts_written_otherwise_are_named(
    run: object, hint: str, folder: Path, capsys: Captured
) -> None:
    (folder / "qrels").write_text(json.dumps(TEXTS))
    (folder / "run").write_text(json.dumps(run))
    status, out, err = _score(capsys, "--run", "run")
    assert (status, out) == (2, "")
    assert hint in err


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("x" * 300, "File name too long"),
        ("/dev/zero", "is a device"),
        ("loop", "cannot be read"),
        ("dangling", "there is no such file"),
        ("a\0b", "embedded null byte"),
        ("qrels", "it looks like a dataset"),
    ],
)
def test_what_is_no_run_file_is_said(
    name: str, message: str, folder: Path, capsys: Captured
) -> None:
    (folder / "loop").symlink_to("loop")
    (folder / "dangling").symlink_to("nowhere")
    status, out, err = _score(capsys, "--run", name)
    assert (status, out) == (2, "")
    assert message in err


def test_a_message_shows_no_control_characters(folder: Path, capsys: Captured) -> None:
    (folder / "run").write_text("q1 Q0 doc1 1 \x1b[31mred t\n")
    assert _score(capsys, "--run", "run")[2].isprintable() is False  # the newline alone
    (folder / "run").write_text("q1 Q0 doc1 1 2 t\nq\x1b[2J Q0 doc1 1 2 t\n")
    status, _, err = _score(capsys, "--run", "run")
    assert status == 0
    assert "\x1b" not in err
    assert "q\\x1b[2J" in err


def test_lenient_reading_changes_nothing_where_nothing_is_wrong(
    folder: Path, capsys: Captured
) -> None:
    (folder / "run").write_text(
        "q2 Q0 doc3 1 -inf t\nq1 Q0 doc2 1 1e309 t\nq1 Q0 doc1 2 -0.0 t\nq1 Q0 x 2 0.0 t\n"
    )
    strict, lenient = (
        _score(capsys, "--run", "run", "--json", *more) for more in ([], ["--lenient"])
    )
    assert strict == lenient
    values = json.loads(strict[1])["strategies"]["run"]["per_query"]
    # doc2 (grade 2) first; 0.0 and -0.0 are equal, so that x stands before doc1 (grade 1).
    expected = (2 + 1 / math.log2(4)) / (2 + 1 / math.log2(3))
    assert values["ndcg@10"]["q1"] == pytest.approx(expected, abs=1e-15)
    assert values["p@1"] == {"q1": 1.0, "q2": 1.0}


def test_many_strategies_and_one_bad_one(folder: Path, capsys: Captured) -> None:
    options = []
    for i in range(30):
        (folder / f"s{i}").write_text(f"q1 Q0 doc{i} 1 1 t\n" if i != 7 else "\n")
        options += ["--run", f"s{i}"]
    status, out, err = _score(capsys, *options, "--json")
    strategies = json.loads(out)["strategies"]
    assert status == 2
    assert len(strategies) == 29
    assert [name for name, found in strategies.items() if found["mean"]["p@1"]] == ["s1", "s2"]
    assert "s7: holds nothing but blanks" in err


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there is no /dev/fd")
def test_a_run_may_come_through_a_pipe(folder: Path, capsys: Captured) -> None:
    ends = [os.pipe() for _ in range(2)]
    for (_, write), text in zip(ends, (QRELS, "q1 Q0 doc2 1 1 t\n"), strict=True):
        os.write(write, text.encode())
        os.close(write)
    (qrels, _), (run, _) = ends
    status = run_command(
        ["score", "--qrels", f"/dev/fd/{qrels}", "--run", f"a=/dev/fd/{run}", "-m", "p@1", "--json"]
    )
    for read, _ in ends:
        os.close(read)
    values = json.loads(capsys.readouterr().out)["strategies"]["a"]["per_query"]
    assert status == 0
    assert values == {"p@1": {"q1": 1.0, "q2": 0.0}}
