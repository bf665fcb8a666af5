"""The PDF of whole reports at their extremes: valid, inside its pages, and small in memory."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from rageval.report.pdf import render_pdf

HERE = Path(__file__).parent
CASES: dict[str, Callable[[], Any]] = runpy.run_path(str(HERE / "synthetic.py"))["CASES"]
CHECKS = runpy.run_path(str(HERE / "pdf_checks.py"))

EXTREMES = ("usual", "thirty strategies", "hostile names", "one query")
"""The telling ones; all the others are made by the long tests."""

OTHERS = tuple(name for name in CASES if name not in EXTREMES)


@pytest.fixture(scope="module")
def extremes() -> dict[str, bytes]:
    return {name: render_pdf(CASES[name]()) for name in EXTREMES}


@pytest.mark.parametrize("name", EXTREMES)
def test_no_word_leaves_its_page(
    name: str, extremes: dict[str, bytes], need: Callable[[str], None]
) -> None:
    CHECKS["need_pdftotext"](need)
    assert CHECKS["words_off_the_page"](extremes[name]) == []


def test_they_are_valid_pdf_ua_1_and_pdf_a_3a(
    extremes: dict[str, bytes], tmp_path: Path, need: Callable[[str], None]
) -> None:
    names = [name for name in EXTREMES if name != "thirty strategies"]  # that takes 15 s
    done = CHECKS["validate"]([extremes[name] for name in names], tmp_path, need)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASS") == 2 * len(names)


@pytest.mark.soak
@pytest.mark.parametrize("name", ["thirty strategies", *OTHERS])
def test_every_case_is_valid_and_inside_its_pages(
    name: str, tmp_path: Path, need: Callable[[str], None]
) -> None:
    CHECKS["need_pdftotext"](need)
    pdf = render_pdf(CASES[name]())
    assert CHECKS["words_off_the_page"](pdf) == []
    done = CHECKS["validate"]([pdf], tmp_path, need)
    assert done.returncode == 0, done.stdout + done.stderr


def test_hostile_names_stand_as_they_are_written(
    extremes: dict[str, bytes], need: Callable[[str], None]
) -> None:
    CHECKS["need_pdftotext"](need)
    done = subprocess.run(
        ["pdftotext", "-", "-"], input=extremes["hostile names"], capture_output=True, check=True
    )
    text = "".join(done.stdout.decode().split())
    assert "<script>alert(1)</script>a<b&" in text


def test_the_same_result_gives_the_same_bytes(extremes: dict[str, bytes]) -> None:
    assert render_pdf(CASES["one query"]()) == extremes["one query"]


def test_results_and_values_are_attached(extremes: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / "report.pdf"
    path.write_bytes(extremes["usual"])
    with pikepdf.open(path) as pdf:
        names = sorted(pdf.attachments)
        values = pdf.attachments["per_query.csv"].get_file().read_bytes()
    assert names == ["per_query.csv", "results.json"]
    assert values.count(b"\r\n") > 200


MEMORY = """
import resource, runpy, sys
from rageval.report.pdf import render_pdf
render_pdf(runpy.run_path(sys.argv[1])["CASES"][sys.argv[2]]())
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.mark.soak
def test_the_renderer_needs_less_than_400_mb() -> None:
    command = [sys.executable, "-c", MEMORY, str(HERE / "synthetic.py"), "ten thousand queries"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 400 * 1024
