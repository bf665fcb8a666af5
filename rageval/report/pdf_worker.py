"""Turn one HTML document into a PDF, in a process of its own.

`rageval.report.pdf` runs this file by its path, so that it imports nothing but the standard
library and WeasyPrint and neither needs nor loads the rest of the package. Both ways a message
is one line of JSON, then bytes:

    stdin   {"created", "memory_mb", "seconds", "html", "attachments": [[name, size], ...]}
            followed by the HTML (`html` bytes of UTF-8) and the attachments, end to end
    stdout  {"pages", "replaced": [character, ...]} followed by the PDF, or
            {"fault": one of `FAULTS`, "detail": text}
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import sys
import traceback
import zlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, BinaryIO

SILENT = "without exception set"
"""What Python says of a library that got no memory and did not say so."""
FAULTS = ("missing", "library", "memory", "refused", "failed")

ATTACHED = {
    "results.json": "All values and comparisons, machine readable",
    "per_query.csv": "Values per query and strategy",
}

GLYPH_NOTE = "<!-- missing glyphs -->"
"""Where a template wants the note on characters without a glyph; else it ends the document."""

ALWAYS = "html { image-rendering: crisp-edges }"
"""Style for every document: PDF/A forbids smoothed images, and emoji can be images."""

UNKNOWN = "\N{REPLACEMENT CHARACTER}"

PDFUA_XMP = (
    b'<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">'
    b"<pdfuaid:part>1</pdfuaid:part></rdf:Description>"
    b'<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"'
    b' xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"'
    b' xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag>'
    b'<rdf:li rdf:parseType="Resource">'
    b"<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>"
    b"<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>"
    b"<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>"
    b'<rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name>'
    b"<pdfaProperty:valueType>Integer</pdfaProperty:valueType>"
    b"<pdfaProperty:category>internal</pdfaProperty:category>"
    b"<pdfaProperty:description>PDF/UA part number</pdfaProperty:description></rdf:li></rdf:Seq>"
    b"</pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>"
)
"""Claims PDF/UA-1 and explains the claim to PDF/A. It must stand inside the document's own
rdf:RDF: validators ignore the second one that WeasyPrint's `xmp_metadata` would add."""


class RefusedError(Exception):
    """Something in the document asked for a file or a network address."""


class Watch(logging.Handler):
    """What was noticed while rendering: a fetcher and WeasyPrint's log write into it."""

    def __init__(self) -> None:
        super().__init__()
        self.missing: set[str] = set()
        """Characters that no font has."""
        self.refused: list[str] = []
        """Addresses that were asked for."""
        self.broken = 0
        """Charts that could not be drawn; WeasyPrint leaves an empty place for each."""

    def emit(self, record: logging.LogRecord) -> None:
        """Sort a message of WeasyPrint; all but three kinds concern template authors only."""
        if str(record.msg).startswith(".notdef"):
            self.missing.add(chr(record.args[1]))  # type: ignore[index,arg-type]
        elif str(record.msg).startswith("Relative URI"):
            self.refused.append(record.getMessage())
        elif str(record.msg).startswith("Failed to render"):
            self.broken += 1


def render(
    html: str, attachments: Mapping[str, bytes], created: datetime, watch: Watch
) -> tuple[bytes, int]:
    """Return the PDF (PDF/A-3a and PDF/UA-1) and its number of pages."""
    import weasyprint

    options: dict[str, Any] = {
        "pdf_variant": "pdf/a-3a",
        "stylesheets": [weasyprint.CSS(string=ALWAYS)],
        "attachments": [_attachment(name, data, created) for name, data in attachments.items()],
    }
    fetcher = _data_only(watch)
    document = weasyprint.HTML(string=html, url_fetcher=fetcher).render(**options)
    stamp = created.strftime("%Y-%m-%dT%H:%M:%SZ")
    document.metadata.created = document.metadata.created or stamp
    document.metadata.modified = document.metadata.modified or stamp
    pdf = document.write_pdf(None, finisher=finish, **options)
    if watch.refused:
        raise RefusedError(watch.refused[0])
    if watch.broken:
        raise RuntimeError(f"{watch.broken} charts could not be drawn")
    return pdf, len(document.pages)


def _attachment(name: str, data: bytes, created: datetime) -> Any:
    import weasyprint

    return weasyprint.Attachment(
        string=data,
        name=name,
        description=ATTACHED.get(name, name),
        created=created,
        modified=created,
        relationship="Data",
    )


def _data_only(watch: Watch) -> Any:
    """Return a fetcher that decodes `data:` addresses and refuses any other."""
    from weasyprint.urls import FatalURLFetchingError, URLFetcher

    class DataOnly(URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: Any = None) -> Any:
            if not url.lower().startswith("data:"):
                watch.refused.append(url)  # inside an SVG nothing that is raised gets through
                raise FatalURLFetchingError(url)
            return super().fetch(url, headers)

    return DataOnly(allowed_protocols=("data",), allow_redirects=False)


def finish(document: Any, pdf: Any) -> None:
    """Claim PDF/UA-1 beside PDF/A-3a, scope the header cells and pack the attachments."""

    def resolve(reference: bytes) -> Any:
        return pdf.objects[int(reference.split()[0])]

    metadata = resolve(pdf.catalog["Metadata"])
    metadata.stream = [
        part.replace(b"</rdf:RDF>", PDFUA_XMP + b"</rdf:RDF>") for part in metadata.stream
    ]
    for item in pdf.objects:
        if isinstance(item, dict) and item.get("S") == "/TH" and "A" in item:
            group = resolve(resolve(item["P"])["P"])["S"]  # TH -> TR -> THead, TBody or Table
            item["A"]["Scope"] = _scope(group)
        elif getattr(item, "extra", {}).get("Type") == "/EmbeddedFile":
            _pack(item)


def _scope(group: str) -> str:
    # UA-1 asks for it; WeasyPrint 70 writes Headers and IDs only (its issue 2508).
    return "/Column" if group == "/THead" else "/Row"


def _pack(stream: Any) -> None:
    # Left to pydyf, a file is compressed twice and at level 9: 6 of the 9 seconds of a large
    # report. Level 6 takes a seventh of the time and a tenth more space.
    stream.stream = [zlib.compress(b"".join(stream.stream), 6)]
    stream.extra["Filter"] = "/FlateDecode"
    stream.compress = False


def render_covered(
    html: str, attachments: Mapping[str, bytes], created: datetime, watch: Watch
) -> tuple[bytes, int, list[str]]:
    """Render; where fonts lack characters, replace those and render again.

    A glyph that no font has would print as an empty box and void PDF/A and PDF/UA. Which
    characters that are is known only after drawing. Returns PDF, pages, and the characters
    that were replaced.
    """
    replaced: set[str] = set()
    for substitute in (UNKNOWN, "?", "?"):
        watch.missing.clear()
        pdf, pages = render(_with_note(html, sorted(replaced)), attachments, created, watch)
        missing = {c for c in watch.missing if not c.isascii()}
        if not missing:
            break
        replaced |= missing - {UNKNOWN}
        html = html.translate({ord(c): substitute for c in missing})
    return pdf, pages, sorted(replaced)


def _with_note(html: str, replaced: Sequence[str]) -> str:
    if not replaced:
        return html
    points = ", ".join(f"U+{ord(c):04X}" for c in replaced[:20])
    points += ", ..." if len(replaced) > 20 else ""
    subject = "1 character" if len(replaced) == 1 else f"{len(replaced):,} characters"
    note = (
        f"<p>{subject} ({points}) {'has' if len(replaced) == 1 else 'have'} no glyph in the fonts "
        "of the machine that made this document. A replacement character stands in the place; "
        "the HTML report and the attached files have the original.</p>"
    )
    place = GLYPH_NOTE if GLYPH_NOTE in html else "</body>"
    return html.replace(place, note + place, 1)


def limit(memory_mb: int, seconds: int) -> None:
    """Bound this process, also for the case that its parent dies and cannot end it."""
    signal.alarm(seconds + 5)
    with contextlib.suppress(ImportError, ValueError, OSError):  # not every system has it
        import resource

        size = memory_mb * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def answer(stream: BinaryIO) -> tuple[dict[str, Any], bytes]:
    """Read a request, render it, and return the reply's header and body."""
    request = json.loads(stream.readline())
    limit(request["memory_mb"], request["seconds"])
    html = stream.read(request["html"]).decode()
    attachments = {name: stream.read(size) for name, size in request["attachments"]}
    watch = Watch()
    logging.getLogger("weasyprint").addHandler(watch)
    created = datetime.fromisoformat(request["created"])
    pdf, pages, replaced = render_covered(html, attachments, created, watch)
    return {"pages": pages, "replaced": replaced}, pdf


def fault_of(error: BaseException) -> tuple[str, str]:
    """Return which of `FAULTS` an error is, and its detail."""
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, MemoryError) or (isinstance(error, SystemError) and SILENT in str(error)):
        return "memory", ""
    if isinstance(error, RefusedError) or type(error).__name__ == "FatalURLFetchingError":
        return "refused", str(error)  # the latter is a BaseException, so that little swallows it
    if isinstance(error, ModuleNotFoundError):
        return "missing", str(error)
    if isinstance(error, OSError) and "cannot load library" in str(error):
        return "library", str(error).splitlines()[0]
    return "failed", text


def main() -> None:
    """Answer one request on stdin; whatever else is printed goes to stderr."""
    reply = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    body = b""
    try:
        header, body = answer(sys.stdin.buffer)
    except BaseException as error:
        fault, detail = fault_of(error)
        header = {"fault": fault, "detail": detail}
        if fault == "failed":
            traceback.print_exc()
    with reply:
        reply.write(json.dumps(header).encode() + b"\n" + body)


if __name__ == "__main__":
    main()
