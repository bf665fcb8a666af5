"""From a result to a report folder: what every way of running an evaluation does last."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from rageval.data import EvaluationResult
from rageval.errors import RagevalError
from rageval.evaluation.pipeline import utc_now
from rageval.evaluation.plan import Evaluation

ReportFormat = Literal["html", "pdf"]
FORMATS: tuple[ReportFormat, ...] = ("html", "pdf")


@dataclass(frozen=True)
class Request:
    """What is to be written, and where."""

    reports: Path
    formats: tuple[ReportFormat, ...]
    templates: Path | None

    @classmethod
    def of(
        cls,
        evaluation: Evaluation,
        out: str | Path | None = None,
        formats: Sequence[ReportFormat] | None = None,
    ) -> Request:
        """Return what the configuration asks for, unless the caller asks otherwise."""
        spec, base = evaluation.config.report, evaluation.base
        return cls(
            Path(out) if out else base / spec.folder,
            tuple(formats or spec.formats),
            base / spec.templates if spec.templates else None,
        )


@dataclass(frozen=True, eq=False)
class Rendered:
    """A report in one format, or why there is none."""

    format: ReportFormat
    content: bytes = b""
    problem: str = ""

    @property
    def file(self) -> str:
        """Return the file's name in the report's folder."""
        return f"report.{self.format}"


@dataclass(frozen=True, eq=False)
class Outcome:
    """What running an evaluation came to."""

    result: EvaluationResult
    folder: Path
    files: tuple[str, ...]
    """Names of the files in the folder, the reports first."""
    missing: tuple[str, ...] = ()
    """Why a format that was asked for is not among them."""

    @property
    def paths(self) -> tuple[Path, ...]:
        """Return the paths of the files."""
        return tuple(self.folder / name for name in self.files)

    @property
    def problems(self) -> tuple[str, ...]:
        """Return why a strategy or a format that was asked for is missing, each in one text."""
        failures = (
            f"strategy {f.strategy!r} was not evaluated on {f.dataset!r}: {f.message}"
            for f in self.result.failures
        )
        return (*failures, *self.missing)


def render(result: EvaluationResult, form: ReportFormat, templates: Path | None = None) -> Rendered:
    """Render a report; a `RagevalError` on the way is its problem, and the numbers stand."""
    try:
        return Rendered(form, report_bytes(result, form, templates))
    except RagevalError as error:
        return Rendered(form, problem=str(error))


def report_bytes(
    result: EvaluationResult, form: ReportFormat, templates: Path | None = None
) -> bytes:
    """Return a report in one format; raise `RagevalError` where it cannot be rendered."""
    if form == "pdf":
        from rageval.report.pdf import render_pdf

        return render_pdf(result, templates=templates)
    from rageval.report.html import render_html

    return render_html(result, templates=templates).encode()


def data_files(result: EvaluationResult) -> dict[str, bytes]:
    """Return the files that hold the numbers; name -> content."""
    from rageval.report.results_json import to_json
    from rageval.report.tables import comparisons_csv, per_query_csv

    return {
        "results.json": to_json(result),
        "per_query.csv": per_query_csv(result),
        "comparisons.csv": comparisons_csv(result),
    }


def write_report(result: EvaluationResult, rendered: Iterable[Rendered], reports: Path) -> Outcome:
    """Publish the reports that were rendered, and the numbers, in one folder that is whole."""
    from rageval.report.publish import publish

    made = tuple(rendered)
    files = {r.file: r.content for r in made if not r.problem} | data_files(result)
    folder = publish(reports, result.name, result.provenance.run_id, files)
    missing = tuple(f"no {r.format.upper()}: {r.problem}" for r in made if r.problem)
    return Outcome(result, folder, tuple(files), missing)


def created_at(given: str | None = None) -> str:
    """Return the time that a report carries: the one given, else now (or SOURCE_DATE_EPOCH).

    Raises `RagevalError` where that is no time.
    """
    try:
        text = given or utc_now()
        datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError):
        raise RagevalError(
            f"{given or os.environ.get('SOURCE_DATE_EPOCH')!r} is no time",
            where="" if given else "SOURCE_DATE_EPOCH",
            hint="2026-11-30T06:00:00Z" if given else "seconds since 1970, a whole number",
        ) from None
    return text


def fresh_run_id(created: str) -> str:
    """Return a new run id for a run that began at `created` (UTC, ISO 8601)."""
    import secrets

    from rageval.report.publish import new_run_id

    return new_run_id(datetime.fromisoformat(created), secrets.token_hex(3))
