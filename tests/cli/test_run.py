"""`rageval run --no-prefect`; with Prefect it is tested beside the flow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rageval.cli.status import run_command

Captured = pytest.CaptureFixture[str]
DATA = ["comparisons.csv", "per_query.csv", "results.json"]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def run(config: Path, out: Path, *more: str) -> int:
    return run_command(
        ["run", str(config), "--no-prefect", "--out", str(out), "--formats", "html", *more]
    )


def test_the_report_appears_and_is_named(
    small_evaluation: Path, out: Path, capsys: Captured
) -> None:
    assert run(small_evaluation, out, "--run-id", "first") == 0
    folder = out / "small" / "first"
    captured = capsys.readouterr()
    assert sorted(path.name for path in folder.iterdir()) == sorted([*DATA, "report.html"])
    assert (out / "small" / "latest").resolve() == folder.resolve()
    for path in folder.iterdir():
        assert str(path) in captured.out
    assert "Traceback" not in captured.err


def test_the_table_shows_means_and_roles(
    small_evaluation: Path, out: Path, capsys: Captured
) -> None:
    run(small_evaluation, out)
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    # bm25 answers the 4 even questions of 8 perfectly but for one place, the others not at all.
    assert ["bm25", "production", "0.500", "0.500", "0.460"] in rows
    assert ["hybrid", "1.000", "1.000", "0.920"] in rows


def test_measures_that_do_not_fit_are_named(
    small_evaluation: Path, out: Path, capsys: Captured
) -> None:
    cutoffs = ", ".join(f"recall@{k}" for k in range(1, 10))
    text = small_evaluation.read_text().replace("[recall@3, mrr, ndcg@3]", f"[{cutoffs}, mrr]")
    small_evaluation.write_text(text + "primary: mrr\n")
    run(small_evaluation, out)
    lines = capsys.readouterr().out.splitlines()
    header = next(line for line in lines if line.startswith("questions, 8 queries"))
    assert header.split()[3:] == ["mrr", *(f"recall@{k}" for k in range(1, 8))]
    assert "not shown: recall@8, recall@9" in lines


def test_where_nothing_else_is_said_the_configuration_says_where(
    small_evaluation: Path, tmp_path: Path
) -> None:
    assert run_command(["run", str(small_evaluation), "--no-prefect", "--formats", "html"]) == 0
    assert (tmp_path / "reports" / "small" / "latest" / "results.json").is_file()


def test_same_time_and_run_id_give_same_bytes(
    small_evaluation: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for out in ("a", "b"):
        assert run(small_evaluation, tmp_path / out, "--run-id", "same") == 0
    first, second = (tmp_path / out / "small" / "same" for out in ("a", "b"))
    for path in first.iterdir():
        assert path.read_bytes() == (second / path.name).read_bytes()
    provenance = json.loads((first / "results.json").read_text())["provenance"]
    assert provenance["created"] == "2023-11-14T22:13:20Z"


def test_an_earlier_report_is_never_overwritten(
    small_evaluation: Path, out: Path, capsys: Captured
) -> None:
    run(small_evaluation, out, "--run-id", "same")
    (small_evaluation.parent / "hybrid.run").write_text("not read: the id is looked at before")
    before = (out / "small" / "same" / "results.json").read_bytes()
    capsys.readouterr()
    assert run(small_evaluation, out, "--run-id", "same") == 2
    message = capsys.readouterr().err
    assert message == (
        f"rageval: {out / 'small' / 'same'}: a report with this run id exists already, and is "
        "never overwritten (choose another run id)\n"
    )
    assert (out / "small" / "same" / "results.json").read_bytes() == before


def test_a_bad_strategy_leaves_an_incomplete_report(
    small_evaluation: Path, out: Path, capsys: Captured
) -> None:
    (small_evaluation.parent / "hybrid.run").write_text("q1 Q0 d1 1 2.0 t\nq1 Q0 e1 2 nonsense t\n")
    assert run(small_evaluation, out) == 2
    captured = capsys.readouterr()
    assert "the report is incomplete" in captured.err
    assert "'hybrid'" in captured.err
    assert "hybrid.run:2" in captured.err
    document = json.loads((out / "small" / "latest" / "results.json").read_text())
    assert "hybrid.run:2" in json.dumps(document["failures"])


def test_a_bad_dataset_leaves_no_report(
    small_evaluation: Path, out: Path, capsys: Captured
) -> None:
    (small_evaluation.parent / "questions.json").write_text("[]")
    assert run(small_evaluation, out) == 2
    assert "questions.json" in capsys.readouterr().err
    assert not out.exists()


def test_a_folder_that_cannot_be_written_is_told_before_any_work(
    small_evaluation: Path, tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "file").write_text("")
    assert run(small_evaluation, tmp_path / "file" / "out") == 2
    assert capsys.readouterr().err == (
        f"rageval: {tmp_path / 'file' / 'out'}: reports cannot go there: "
        "there is a file in its place\n"
    )


def test_a_bad_configuration_leaves_no_report(
    small_evaluation: Path, out: Path, capsys: Captured
) -> None:
    small_evaluation.write_text("name: small\nstrategies: []\n")
    assert run(small_evaluation, out) == 2
    assert "small.yaml" in capsys.readouterr().err
    assert not out.exists()


def test_a_template_that_fails_leaves_the_numbers(
    small_evaluation: Path, out: Path, capsys: Captured
) -> None:
    templates = small_evaluation.parent / "templates"
    templates.mkdir()
    (templates / "report.html.j2").write_text("{{ no_such_thing }}\n")
    text = small_evaluation.read_text()
    small_evaluation.write_text(text + "report: {templates: templates}\n")
    assert run(small_evaluation, out) == 2
    assert "report.html.j2:1" in capsys.readouterr().err
    files = (out / "small" / "latest").iterdir()
    assert sorted(path.name for path in files) == DATA


def test_a_time_that_is_none_is_told(
    small_evaluation: Path, out: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    assert run(small_evaluation, out) == 2
    assert "SOURCE_DATE_EPOCH" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "validate"])
def test_ids_of_another_kind_are_told_beside_the_verdict(
    command: str, small_evaluation: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_file = small_evaluation.parent / "hybrid.run"
    run_file.write_text(run_file.read_text().replace(" d", " other").replace(" e", " thing"))
    more = ("--no-prefect", "--formats", "html", "--out", str(out)) if command == "run" else ()
    assert run_command([command, str(small_evaluation), *more]) == 0
    said = capsys.readouterr().err
    assert "check the data first: hybrid: " in said
    assert "its document ids are not those of the judgments" in said
