"""Make the PDF of a report: PDF/A-3a and PDF/UA-1, in a process with limits.

WeasyPrint keeps the memory that it used, and a library below it may crash rather than raise;
neither may touch the caller. See `rageval.report.pdf_worker` for what happens inside.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from rageval.data.result import EvaluationResult
from rageval.errors import RenderError

LOGGER = logging.getLogger(__name__)

WORKER = Path(__file__).with_name("pdf_worker.py")

PACKAGES = (
    "apt-get install --no-install-recommends "
    "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core"
)
"""What WeasyPrint needs beside its wheel, on Debian and Ubuntu."""

OUT_OF_MEMORY = (
    "MemoryError",
    "failed to allocate",
    "out of memory",
    "annot allocate memory",
    "Error creating thread",
)
"""What Python, GLib, fontconfig and the C library say on stderr before they give up."""

_FAULTS = {
    "missing": ("the PDF needs WeasyPrint: {detail}", "pip install 'weasyprint>=70,<71'"),
    "library": ("WeasyPrint lacks a system library: {detail}", PACKAGES),
    "refused": (
        "the document asks for something outside itself: {detail}",
        "templates may use data: addresses only",
    ),
    "failed": ("WeasyPrint could not render the document: {detail}", ""),
}


def render_pdf(
    result: EvaluationResult,
    *,
    templates: Path | None = None,
    memory_mb: int = 2048,
    seconds: int = 120,
) -> bytes:
    """Render the report of a result as a PDF with `results.json` and `per_query.csv` attached.

    `templates` is a folder whose templates take the place of those of the same name. The same
    result gives the same bytes with the same fonts and libraries. Raises `RenderError`.
    """
    from rageval.report.html import render_document
    from rageval.report.results_json import to_json
    from rageval.report.tables import per_query_csv

    return html_to_pdf(
        render_document(result, target="pdf", templates=templates),
        {"results.json": to_json(result), "per_query.csv": per_query_csv(result)},
        created=datetime.fromisoformat(result.provenance.created),
        memory_mb=memory_mb,
        seconds=seconds,
    )


def html_to_pdf(
    html: str,
    attachments: Mapping[str, bytes],
    *,
    created: datetime,
    memory_mb: int = 2048,
    seconds: int = 120,
) -> bytes:
    """Turn a self-contained HTML document into a PDF/A-3a and PDF/UA-1 file with attachments.

    `created` (taken as UTC where it names no zone) is the only date in the file. `memory_mb`
    bounds the address space of the process that renders, `seconds` its wall time. Characters
    that no installed font has are replaced by U+FFFD, counted in a note in the document and
    logged. Raises `RenderError`, one sentence, where no PDF can be made.
    """
    request = _request(html, attachments, _utc(created), memory_mb, seconds)
    output = _run(request, _utc(created), memory_mb, seconds)
    line, _, pdf = output.partition(b"\n")
    header = json.loads(line)
    if "fault" in header:
        raise _fault(header["fault"], header["detail"], memory_mb)
    _log_replaced(header["replaced"])
    return pdf


def _utc(created: datetime) -> datetime:
    return created.astimezone(UTC) if created.tzinfo else created.replace(tzinfo=UTC)


def _request(
    html: str, attachments: Mapping[str, bytes], created: datetime, memory_mb: int, seconds: int
) -> bytes:
    body = html.encode("utf-8", "replace")  # a lone surrogate has no glyph either
    header = {
        "created": created.isoformat(),
        "memory_mb": memory_mb,
        "seconds": seconds,
        "html": len(body),
        "attachments": [[name, len(data)] for name, data in attachments.items()],
    }
    return b"".join((json.dumps(header).encode(), b"\n", body, *attachments.values()))


def _run(request: bytes, created: datetime, memory_mb: int, seconds: int) -> bytes:
    """Run the worker and return its reply, or say why there is none."""
    environment = os.environ | {
        # Fonts that are subset with fontTools are stamped with this in place of the clock.
        "SOURCE_DATE_EPOCH": str(int(created.timestamp())),
        "PYTHONHASHSEED": "0",
    }
    process = subprocess.Popen(
        # -P: the worker's folder has an html.py, which must not hide the standard library's.
        [sys.executable, "-P", str(WORKER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(request, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise RenderError(f"the PDF took longer than {seconds} seconds and was stopped") from None
    finally:
        _end(process)
    if process.returncode != 0 or b"\n" not in output:
        raise _death(process.returncode, errors.decode(errors="replace"), memory_mb)
    LOGGER.debug("PDF worker: %s", errors.decode(errors="replace"))
    return output


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the worker's process group, and collect it."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _fault(fault: str, detail: str, memory_mb: int) -> RenderError:
    if fault == "memory":
        return _memory(memory_mb)
    what, hint = _FAULTS[fault]
    return RenderError(what.format(detail=detail), hint=hint)


def _memory(memory_mb: int) -> RenderError:
    return RenderError(
        f"the PDF needs more than the {memory_mb:,} MB of memory that it may use",
        hint="the HTML report holds everything",
    )


def _death(code: int, errors: str, memory_mb: int) -> RenderError:
    """Explain a worker that ended without a reply."""
    if any(word in errors for word in OUT_OF_MEMORY):
        return _memory(memory_mb)
    if code in (-signal.SIGSEGV, 128 + signal.SIGSEGV):
        return RenderError(
            "the PDF renderer crashed, which it does where no font is installed", hint=PACKAGES
        )
    last = (errors.strip().splitlines() or ["it said nothing"])[-1]
    how = f"was killed by signal {-code}" if code < 0 else f"ended with status {code}"
    return RenderError(f"the PDF renderer {how}: {last}")


def _log_replaced(replaced: Sequence[str]) -> None:
    if replaced:
        LOGGER.warning(
            "%d characters in the PDF have no glyph in the installed fonts: %s",
            len(replaced),
            " ".join(f"U+{ord(character):04X}" for character in replaced[:20]),
        )
