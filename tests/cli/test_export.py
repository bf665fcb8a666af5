"""`rageval export`: where results are found, where output goes, and that nothing is lost."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from rageval.cli.status import run_command
from rageval.report.export import OUTPUTS

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def report(
    tmp_path_factory: pytest.TempPathFactory, write_small_evaluation: Callable[[Path], Path]
) -> Path:
    """Return the folder of a report with HTML and PDF, `reports/small/first`."""
    folder = tmp_path_factory.mktemp("export")
    config = write_small_evaluation(folder)
    assert run_command(["run", str(config), "--no-prefect", "--run-id", "first"]) == 0
    return folder / "reports" / "small" / "first"


@pytest.fixture
def copied(report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of that folder, below the working folder, with `latest` beside it."""
    folder = tmp_path / "reports" / "small" / "first"
    shutil.copytree(report, folder)
    (folder.parent / "latest").symlink_to("first")
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.mark.parametrize(
    ("to", "file"), [("html", "report.html"), ("pdf", "report.pdf"), ("csv", "per_query.csv")]
)
def test_the_files_of_the_report_come_again_byte_by_byte(
    to: str, file: str, copied: Path, capsys: Captured
) -> None:
    assert run_command(["export", str(copied), "--to", to, "--out", "again"]) == 0
    assert Path("again").read_bytes() == (copied / file).read_bytes()
    assert capsys.readouterr().out == "again\n"


@pytest.mark.parametrize(
    "results",
    [
        "reports/small/first/results.json",
        "reports/small/first",
        "reports/small/latest",
        "reports/small",
        "latest",
    ],
)
def test_results_are_found(results: str, copied: Path) -> None:
    assert run_command(["export", results, "--to", "comparisons", "--out", "c.csv"]) == 0
    assert Path("c.csv").read_bytes() == (copied / "comparisons.csv").read_bytes()


def test_results_are_found_without_links_and_compressed(copied: Path) -> None:
    latest = copied.parent / "latest"
    latest.unlink()
    latest.with_suffix(".txt").write_text("first\n")
    assert run_command(["export", "reports/small", "--to", "csv", "--out", "a.csv"]) == 0
    subprocess.run(["gzip", "-k", str(copied / "results.json")], check=True)
    packed = str(copied / "results.json.gz")
    assert run_command(["export", packed, "--to", "csv", "--out", "b.csv"]) == 0
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()


def test_latest_is_the_newest_of_all_evaluations(copied: Path, capsys: Captured) -> None:
    later = copied.parent.parent / "other" / "zz-later"
    shutil.copytree(copied, later)
    (later.parent / "latest").symlink_to("zz-later")
    assert run_command(["export", "latest", "--to", "latex"]) == 0
    assert capsys.readouterr().out == "reports/other/zz-later/tables.tex\n"


def test_a_file_called_latest_is_that_file(copied: Path, capsys: Captured) -> None:
    Path("latest").write_text("{}")
    assert run_command(["export", "latest", "--to", "latex"]) == 2
    assert "latest: this is no results.json" in capsys.readouterr().err


@pytest.mark.parametrize("output", OUTPUTS, ids=lambda output: output.key)
def test_by_default_it_stands_beside_the_results(output, copied: Path, capsys: Captured) -> None:
    """Files of the report itself are there already, and stay."""
    target = copied / output.file
    before = target.read_bytes() if target.exists() else None
    status = run_command(["export", str(copied), "--to", output.key])
    captured = capsys.readouterr()
    if before is None:
        assert (status, captured.out) == (0, f"{target}\n")
        assert target.stat().st_size > 100
    else:
        assert (status, captured.out) == (2, "")
        assert "there is a file of this name already" in captured.err
        assert target.read_bytes() == before
    assert not list(copied.glob(".*"))


def test_force_replaces_and_nothing_else_does(copied: Path) -> None:
    target = copied.parent / "mine.md"
    command = ["export", str(copied), "--to", "markdown", "--out", str(target)]
    target.write_text("kept")
    assert run_command(command) == 2
    assert target.read_text() == "kept"
    assert run_command([*command, "--force"]) == 0
    assert target.read_text().startswith("# A small evaluation")


def test_a_link_stays_a_link(copied: Path) -> None:
    Path("real.md").write_text("old")
    Path("link.md").symlink_to("real.md")
    command = ["export", str(copied), "--to", "markdown", "--out", "link.md"]
    assert run_command(command) == 2
    assert run_command([*command, "--force"]) == 0
    assert Path("link.md").is_symlink()
    assert Path("real.md").read_text().startswith("# ")


@pytest.mark.parametrize("output", [o for o in OUTPUTS if o.text], ids=lambda output: output.key)
def test_text_goes_to_stdout_as_it_goes_to_a_file(output, copied: Path) -> None:
    command = ["export", str(copied), "--to", output.key, "--out"]
    done = subprocess.run(
        [sys.executable, "-m", "rageval", *command, "-"], capture_output=True, check=True
    )
    assert run_command([*command, "file"]) == 0
    assert done.stdout == Path("file").read_bytes()
    assert not Path("-").exists()


def test_what_is_no_text_needs_a_file(copied: Path, capsys: Captured) -> None:
    for output in OUTPUTS:
        if not output.text:
            assert run_command(["export", str(copied), "--to", output.key, "--out", "-"]) == 2
            assert f"{output.key} is not for stdout" in capsys.readouterr().err
    assert run_command(["export", str(copied), "--to", "parquet", "--out", "v.parquet"]) == 0
    assert pq.read_table(io.BytesIO(Path("v.parquet").read_bytes())).num_rows == 8 * 3 * 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.json", "--to", "csv"], "nothing.json: there is no such file"),
        (["", "--to", "csv"], "the name of the results is empty"),
        ([".", "--to", "csv"], ".: this folder holds no results.json"),
        (["latest", "--to", "csv"], "latest: there is no report below reports/"),
        (["x" * 5000, "--to", "csv"], "cannot be read"),
        (["text.json", "--to", "csv"], "text.json: this is no results.json"),
        (["list.json", "--to", "csv"], "list.json: this is no results.json"),
        (["old.json", "--to", "csv"], "old.json: results.json has schema version 99"),
        (["bad.json", "--to", "csv"], "bad.json: results.json is damaged: 'name' is missing"),
        (["old.json", "--to", "word"], "--to: there is no output 'word' (known: latex"),
    ],
)
def test_what_cannot_be_read(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.json").write_text("no JSON")
    Path("list.json").write_text("[1, 2]")
    Path("old.json").write_text('{"schema_version": 99}')
    Path("bad.json").write_text('{"schema_version": 1}')
    assert run_command(["export", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (".", ".: a folder where a file is expected"),
        ("", "the name of the file is empty"),
        ("no/such/place.csv", "no/such/place.csv"),
        ("x" * 300, "not a usable path"),
        (os.devnull, "no ordinary file where a file is expected"),
    ],
)
def test_where_nothing_can_be_written(
    out: str, message: str, copied: Path, capsys: Captured
) -> None:
    assert run_command(["export", str(copied), "--to", "csv", "--out", out, "--force"]) == 2
    assert message in capsys.readouterr().err
    assert sorted(path.name for path in Path().iterdir()) == ["reports"]


def test_a_broken_template_is_named_and_nothing_is_written(copied: Path, capsys: Captured) -> None:
    Path("ours").mkdir()
    Path("ours/masthead.html.j2").write_text("<h1>Ours</h1>\n{{ no_such_thing }}\n")
    command = ["export", str(copied), "--to", "html", "--templates", "ours", "--out", "o.html"]
    assert run_command(command) == 2
    assert "masthead.html.j2:2: the template cannot be used" in capsys.readouterr().err
    assert not Path("o.html").exists()
    Path("ours/masthead.html.j2").write_text("<h1>Ours</h1>\n")
    assert run_command(command) == 0
    assert "<h1>Ours</h1>" in Path("o.html").read_text()


def test_templates_of_the_configuration_are_remembered(
    small_evaluation: Path, tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "ours").mkdir()
    with small_evaluation.open("a") as file:
        file.write("report: {templates: ours, formats: html}\n")
    assert run_command(["run", str(small_evaluation), "--no-prefect"]) == 0
    place = str(tmp_path / "reports" / "small" / "latest")
    capsys.readouterr()
    assert run_command(["export", place, "--to", "html", "--out", str(tmp_path / "o.html")]) == 0
    assert "made with the templates in ours" in capsys.readouterr().err


def test_the_help_names_every_output() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rageval", "export", "--help"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"COLUMNS": "100"},
    )
    words = re.sub(r"(?<=-)\n +", "", done.stdout).replace(",", " ").split()
    assert {output.key for output in OUTPUTS} <= set(words)
    assert "rageval export reports/quickstart/latest --to latex" in done.stdout
