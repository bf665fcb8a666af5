"""The PDF of a small document against a validator, and the checks against themselves."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from rageval.report.pdf import html_to_pdf

CHECKS = runpy.run_path(str(Path(__file__).with_name("pdf_checks.py")))

CREATED = datetime(2026, 11, 30, 6, tzinfo=UTC)

HTML = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Report</title>
<style>@page { size: A4; margin: 20mm }</style></head><body><h1>Report</h1>
<h2 id="means">Means</h2><p>See <a href="#means">the means</a>, &#x8fd4; and \N{GRINNING FACE}.</p>
<table><caption>Means</caption><thead><tr><th scope="col">Strategy</th><th scope="col">Mean</th>
</tr></thead><tbody><tr><th scope="row">bm25</th><td>0.512
<svg width="90" height="9"><title>0.512 of 1</title><rect width="46" height="9"/></svg></td></tr>
</tbody></table></body></html>"""


def make(html: str = HTML) -> bytes:
    return html_to_pdf(html, {"results.json": b"{}", "per_query.csv": b"a\r\n"}, created=CREATED)


def test_is_valid_and_the_validator_sees_what_is_not(
    tmp_path: Path, need: Callable[[str], None]
) -> None:
    untitled = make(HTML.replace("<title>0.512 of 1</title>", ""))
    done = CHECKS["validate"]([make(), untitled], tmp_path, need)
    verdicts = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert [line.split(" /")[0] for line in verdicts] == [
        "PASS ua1",
        "PASS 3a",
        "FAIL ua1",
        "PASS 3a",
    ], done.stdout + done.stderr
    assert done.returncode == 1


def test_words_off_the_page_are_seen(need: Callable[[str], None]) -> None:
    CHECKS["need_pdftotext"](need)
    off = CHECKS["words_off_the_page"]
    assert off(make()) == []
    long = HTML.replace("<h2 ", f"<p>{'x' * 300}</p><h2 ")
    assert off(make(long)) == ["x" * 300]
    away = HTML.replace("<h2 ", "<p>here <span>away</span></p><h2 ")
    away = away.replace("</style>", "span { position: absolute; left: 300mm }</style>")
    assert off(make(away)) == ["away"]
