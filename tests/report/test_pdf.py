"""The PDF: its kind, its bytes, its attachments, its limits, and what it never reads."""

from __future__ import annotations

import base64
import hashlib
import io
import logging
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pikepdf
import pytest

from rageval.errors import RenderError
from rageval.report.pdf import html_to_pdf
from rageval.report.pdf_worker import GLYPH_NOTE, fault_of

CREATED = datetime(2026, 11, 30, 6, tzinfo=UTC)
FILES = {"results.json": b'{"a": 1}', "per_query.csv": "\ufeffquery,a\r\nq1,0.5\r\n".encode()}


def page(body: str, head: str = "") -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Report</title>{head}'
        f"</head><body><h1>Report</h1>{body}</body></html>"
    )


TABLE = """<table><caption>Means</caption>
<thead><tr><th scope="col">Strategy</th><th scope="col">nDCG@10</th></tr></thead>
<tbody><tr><th scope="row">bm25</th><td>0.512</td></tr></tbody></table>"""


def to_pdf(body: str, head: str = "", **options: int) -> bytes:
    return html_to_pdf(page(body, head), FILES, created=CREATED, **options)


def opened(pdf: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(pdf))


@pytest.fixture(scope="module")
def plain() -> bytes:
    return to_pdf(TABLE)


def test_claims_pdf_a_3a_and_pdf_ua_1(plain: bytes) -> None:
    with opened(plain) as pdf:
        metadata = pdf.Root.Metadata.read_bytes()
    assert b'pdfaid:part="3"' in metadata
    assert b'pdfaid:conformance="A"' in metadata
    assert b"<pdfuaid:part>1</pdfuaid:part>" in metadata
    assert metadata.count(b"</rdf:RDF>") == 1


def test_every_header_cell_has_its_scope(plain: bytes) -> None:
    with opened(plain) as pdf:
        cells = [
            o for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and o.get("/S") == "/TH"
        ]
        scopes = sorted(str(cell.A.Scope) for cell in cells)
    assert scopes == ["/Column", "/Column", "/Row"]


def test_attachments_are_the_files_given(plain: bytes) -> None:
    with opened(plain) as pdf:
        attached = {name: spec.get_file().read_bytes() for name, spec in pdf.attachments.items()}
        relations = {str(spec.obj.AFRelationship) for spec in pdf.attachments.values()}
    assert attached == FILES
    assert relations == {"/Data"}


def test_no_date_in_the_file_but_the_one_given(plain: bytes) -> None:
    with opened(plain) as pdf:
        dates = {str(pdf.docinfo.CreationDate), str(pdf.docinfo.ModDate)}
        for spec in pdf.attachments.values():
            parameters = spec.obj.EF.F.Params
            dates |= {str(parameters.CreationDate), str(parameters.ModDate)}
    assert {date[2:16] for date in dates} == {"20261130060000"}


def test_a_date_counts_as_the_same_moment_in_every_zone(plain: bytes) -> None:
    tokyo = CREATED.astimezone(timezone(timedelta(hours=9)))
    for created in (tokyo, CREATED.replace(tzinfo=None)):
        assert html_to_pdf(page(TABLE), FILES, created=created) == plain


SCRIPT = """
import hashlib, sys
from datetime import UTC, datetime
from rageval.report.pdf import html_to_pdf
html = sys.stdin.read()
pdf = html_to_pdf(html, {"results.json": b"{}"}, created=datetime(2026, 11, 30, 6, tzinfo=UTC))
print(hashlib.sha256(pdf).hexdigest())
"""


def test_same_bytes_in_every_process(tmp_path: Path) -> None:
    html = page(
        TABLE
        + "<p>\N{GRINNING FACE} \u8fd4 \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627</p>"
    )
    hashes = {
        hashlib.sha256(html_to_pdf(html, {"results.json": b"{}"}, created=CREATED)).hexdigest()
    }
    for seed, zone in (("1", "Asia/Tokyo"), ("77", "America/Lima")):
        environment = os.environ | {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": "C"}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            input=html.encode(), env=environment, cwd=tmp_path, capture_output=True, check=True,
        )  # fmt: skip
        hashes.add(done.stdout.decode().strip())
    assert len(hashes) == 1


@pytest.fixture
def listener() -> Iterator[tuple[int, list[bytes]]]:
    """A server on a free port, and what it was sent."""
    seen: list[bytes] = []
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(0.05)
    done = threading.Event()

    def serve() -> None:
        while not done.is_set():
            try:
                connection, _ = server.accept()
            except TimeoutError:
                continue
            with connection:
                seen.append(connection.recv(1000))
                connection.sendall(b"HTTP/1.0 404 Not Found\r\n\r\n")

    thread = threading.Thread(target=serve)
    thread.start()
    yield server.getsockname()[1], seen
    done.set()
    thread.join()
    server.close()


OUTSIDE: dict[str, tuple[str, str]] = {
    "image": ("", '<p><img alt="x" src="{url}"></p>'),
    "svg image": (
        "",
        '<svg width="9" height="9"><title>x</title>'
        '<image href="{url}" width="9" height="9"/></svg>',
    ),
    "object": ("", '<object data="{url}">x</object>'),
    "embed": ("", '<embed src="{url}">'),
    "style sheet": ('<link rel="stylesheet" href="{url}">', ""),
    "import": ('<style>@import url("{url}");</style>', ""),
    "background": ('<style>body {{ background: url("{url}") }}</style>', ""),
    "content": ('<style>p::before {{ content: url("{url}") }}</style>', "<p>x</p>"),
    "font": (
        '<style>@font-face {{ font-family: F; src: url("{url}") }} p {{ font-family: F }}</style>',
        "<p>x</p>",
    ),
    "attached link": ('<link rel="attachment" href="{url}">', ""),
    "attached anchor": ("", '<p><a rel="attachment" href="{url}">x</a></p>'),
}
"""Ways of asking for something outside the document: head and body."""


@pytest.mark.parametrize("way", OUTSIDE)
def test_asking_for_an_address_is_an_error(way: str, listener: tuple[int, list[bytes]]) -> None:
    port, seen = listener
    head, body = OUTSIDE[way]
    url = f"http://127.0.0.1:{port}/x.png"
    with pytest.raises(RenderError, match="asks for something outside itself") as caught:
        to_pdf(body.format(url=url), head.format(url=url))
    assert url in str(caught.value)
    assert "data: addresses only" in str(caught.value)
    assert seen == []


@pytest.mark.parametrize("way", ["image", "import", "attached link", "attached anchor"])
def test_asking_for_a_file_is_an_error(way: str, tmp_path: Path) -> None:
    head, body = OUTSIDE[way]
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    with pytest.raises(RenderError, match="asks for something outside itself"):
        to_pdf(body.format(url=secret.as_uri()), head.format(url=secret.as_uri()))


IGNORED = """<svg width="9" height="9"><title>x</title><use href="{url}#a"/></svg>
<iframe src="{url}"></iframe><script src="{url}"></script><p ping="{url}">x</p>
<video src="{url}" poster="{url}"></video><p><a href="{url}">a link is only a link</a></p>"""


def test_what_a_page_does_not_print_is_not_asked_for(listener: tuple[int, list[bytes]]) -> None:
    port, seen = listener
    assert "only a link" in text_of(to_pdf(IGNORED.format(url=f"http://127.0.0.1:{port}/x")))
    assert seen == []


def test_a_relative_image_is_an_error() -> None:
    with pytest.raises(RenderError, match=r"logo\.png"):
        to_pdf('<p><img alt="logo" src="logo.png"></p>')


DOT = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNiAAAABgAD"
    "NjN8qAAAAABJRU5ErkJggg=="
)


def test_an_image_inside_the_document_is_drawn() -> None:
    with opened(to_pdf(f'<p><img alt="dot" src="{DOT}"></p>')) as pdf:
        assert len(list(pdf.pages[0].get_images())) == 1


@pytest.mark.parametrize("memory_mb", [20, 60, 150])
def test_the_memory_limit_ends_it_with_one_sentence(memory_mb: int) -> None:
    with pytest.raises(RenderError) as caught:
        to_pdf(TABLE * 400, memory_mb=memory_mb)
    assert str(caught.value).startswith(f"the PDF needs more than the {memory_mb} MB of memory")


def test_the_time_limit_ends_it_with_one_sentence() -> None:
    with pytest.raises(RenderError, match=r"took longer than 1 seconds and was stopped"):
        to_pdf(TABLE * 2000, seconds=1)


def test_no_process_is_left_behind(plain: bytes) -> None:
    with pytest.raises(RenderError):
        to_pdf(TABLE * 2000, seconds=1)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_a_chart_that_cannot_be_drawn_is_an_error() -> None:
    with pytest.raises(RenderError, match="could not render the document"):
        to_pdf('<svg width="9" height="9"><title>x</title><text x="q">t</text></svg>')


FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>{folders}<cachedir>{cache}</cachedir></fontconfig>"""


@pytest.fixture
def only_fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let the renderer see the fonts of certain folders only."""

    def restrict(*folders: str) -> None:
        path = tmp_path / "fonts.conf"
        listed = "".join(f"<dir>{folder}</dir>" for folder in folders)
        path.write_text(FONTS.format(folders=listed, cache=tmp_path / "cache"))
        monkeypatch.setenv("FONTCONFIG_FILE", str(path))

    return restrict


DEJAVU = "/usr/share/fonts/truetype/dejavu"


@pytest.fixture
def only_dejavu(only_fonts: Callable[[str], None], need: Callable[[str], None]) -> None:
    if not Path(DEJAVU, "DejaVuSans.ttf").exists():
        need("the DejaVu fonts (fonts-dejavu-core)")
    only_fonts(DEJAVU)


def test_without_any_font_the_crash_is_explained(only_fonts: Callable[..., None]) -> None:
    only_fonts()
    with pytest.raises(RenderError) as caught:
        to_pdf(TABLE)
    assert "no font is installed" in str(caught.value)
    assert "apt-get install" in str(caught.value)


@pytest.mark.usefixtures("only_dejavu")
def test_characters_without_a_glyph_are_replaced_and_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING, "rageval"):
        pdf = to_pdf(f"<p>\u8fd4\u54c1 and \u8fd4</p>{GLYPH_NOTE}<p>End</p>")
    assert caplog.messages == [
        "2 characters in the PDF have no glyph in the installed fonts: U+54C1 U+8FD4"
    ]
    text = text_of(pdf)
    assert "\ufffd\ufffd and \ufffd" in text
    assert "2 characters (U+54C1, U+8FD4) have no glyph" in " ".join(text.split())
    assert text.index("no glyph") < text.index("End")


@pytest.mark.usefixtures("only_dejavu")
def test_the_note_ends_a_document_that_has_no_place_for_it() -> None:
    text = " ".join(text_of(to_pdf("<p>\u8fd4</p><p>End</p>")).split())
    assert text.index("End") < text.index("1 character (U+8FD4) has no glyph")


def text_of(pdf: bytes) -> str:
    done = subprocess.run(
        ["pdftotext", "-layout", "-", "-"], input=pdf, capture_output=True, check=True
    )
    return done.stdout.decode()


@pytest.mark.parametrize(
    ("error", "fault", "detail"),
    [
        (MemoryError(), "memory", ""),
        (ModuleNotFoundError("No module named 'x'"), "missing", "No module named 'x'"),
        (
            OSError("cannot load library 'libgobject-2.0-0': libgobject-2.0-0: cannot open\nmore"),
            "library",
            "cannot load library 'libgobject-2.0-0': libgobject-2.0-0: cannot open",
        ),
        (ValueError("odd"), "failed", "ValueError: odd"),
    ],
)  # fmt: skip
def test_faults_have_names(error: Exception, fault: str, detail: str) -> None:
    assert fault_of(error) == (fault, detail)


def test_hostile_text_stays_text() -> None:
    pdf = to_pdf('<p>&lt;script&gt;alert(1)&lt;/script&gt; a&lt;b &amp; "c"</p>')
    assert '<script>alert(1)</script> a<b & "c"' in text_of(pdf)


def test_a_lone_surrogate_does_not_end_it() -> None:
    assert "x?y" in text_of(to_pdf("<p>x\ud800y</p>"))


def test_bytes_of_any_size_pass(plain: bytes) -> None:
    large = base64.b64encode(os.urandom(3_000_000))
    pdf = html_to_pdf(page(TABLE), {"results.json": large}, created=CREATED)
    with opened(pdf) as document:
        assert document.attachments["results.json"].get_file().read_bytes() == large
