"""From a result to a report folder: what every way of running an evaluation does last."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from rageval.config.files import unusable_folder
from rageval.data import EvaluationResult
from rageval.errors import RagevalError
from rageval.evaluation.pipeline import utc_now
from rageval.evaluation.plan import Evaluation
from rageval.report.publish import new_run_id, publish, require_free

ReportFormat = Literal["html", "pdf"]
FORMATS: tuple[ReportFormat, ...] = ("html", "pdf")


@dataclass(frozen=True)
class Request:
    """What is to be written, where, and under which name and time."""

    reports: Path
    formats: tuple[ReportFormat, ...]
    templates: Path | None
    run_id: str
    created: str

    @classmethod
    def of(
        cls,
        evaluation: Evaluation,
        out: str | Path | None = None,
        formats: Sequence[ReportFormat] | None = None,
        run_id: str | None = None,
        created: str | None = None,
    ) -> Request:
        """Return what the configuration asks for, unless the caller asks otherwise.

        Raises `RagevalError` where it is clear by now that the report could not be written.
        """
        spec, base = evaluation.config.report, evaluation.base
        reports, created = Path(out) if out else base / spec.folder, created_at(created)
        run_id = new_run_id(created, secrets.token_hex(3)) if run_id is None else run_id
        require_free(reports, evaluation.config.name, run_id)
        if what := unusable_folder(reports):
            raise RagevalError(f"reports cannot go there: {what}", where=str(reports))
        templates = base / spec.templates if spec.templates else None
        return cls(reports, tuple(formats or spec.formats), templates, run_id, created)


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
    made = tuple(rendered)
    files = {r.file: r.content for r in made if not r.problem} | data_files(result)
    folder = publish(reports, result.name, result.provenance.run_id, files)
    missing = tuple(f"no {r.format.upper()}: {r.problem}" for r in made if r.problem)
    return Outcome(result, folder, tuple(files), missing)


def created_at(given: str | None) -> str:
    """Return the time that a report carries, in UTC: the one given, else that of `utc_now`.

    Raises `RagevalError` where that is no time.
    """
    if given is None:
        return utc_now()
    try:
        moment = datetime.fromisoformat(given)
        # A time without a zone is UTC, wherever this runs.
        moment = moment.astimezone(UTC) if moment.tzinfo else moment
    except (ValueError, OverflowError):
        raise RagevalError(f"{given!r} is no time", hint="2026-11-30T06:00:00Z") from None
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
