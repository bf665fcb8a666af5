"""The command starts at once: nothing heavy is imported before it is needed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

HEAVY = ("prefect", "flows", "pandas", "scipy", "statsmodels", "weasyprint", "pyarrow", "numpy")


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom rageval.cli.status import run_command\n"
        f"run_command({arguments!r})\n"
        f"print(*[m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stderr.split() == []


def test_scoring_imports_neither_prefect_nor_what_only_a_report_needs() -> None:
    code = (
        "import sys, rageval.cli.score\n"
        "print(*[m for m in ('prefect', 'flows', 'pandas', 'weasyprint', 'jinja2') "
        "if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "small.yaml", "--no-prefect", "--out", "out", "--formats", "html"],
        ["validate", "small.yaml"],
        ["compare", "values.csv"],
        ["score", "--qrels", "questions.json", "--run", "bm25.run"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_no_command_pays_for_pandas(arguments: list[str], small_evaluation: Path) -> None:
    folder = small_evaluation.parent
    (folder / "values.csv").write_text("query_id,a,b\nq1,0.1,0.2\nq2,0.3,0.5\n")
    code = (
        "import sys\nfrom rageval.cli.status import run_command\n"
        f"status = run_command({arguments!r})\n"
        "sys.exit(status or 'pandas' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_help_is_quick() -> None:
    command = [sys.executable, "-c", "from rageval.cli import main; main()"]
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([*command, "--help"], capture_output=True, check=False)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.5
