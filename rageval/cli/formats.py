"""The option `--formats`."""

from __future__ import annotations

import typer

from rageval.errors import did_you_mean
from rageval.report.outputs import FORMATS, ReportFormat


def parse_formats(text: str | None) -> tuple[ReportFormat, ...] | None:
    """Return the formats of a list such as `html,pdf`, or None where none was given."""
    if text is None:
        return None
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in FORMATS:
            raise usage_error(f"{name!r}: {did_you_mean(name, FORMATS)}")
    if not names:
        raise usage_error("names no format")
    return tuple(form for form in FORMATS if form in names)


def usage_error(what: str) -> typer.BadParameter:
    """Return the error for a list that is not right."""
    return typer.BadParameter(what, param_hint="--formats")
