"""Every output of an evaluation, made again from its result without computing anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rageval.data import EvaluationResult
from rageval.errors import InputError, did_you_mean

Make = Callable[[EvaluationResult, Path | None], bytes]


@dataclass(frozen=True, slots=True)
class Output:
    """One kind of file that a result can become."""

    key: str
    """As in `rageval export --to`."""
    file: str
    """What the file is called unless somebody names it: as in the folder of a report."""
    what: str
    make: Make
    """From a result, and the folder of templates that take the place of ours, to bytes."""
    text: bool = True
    """Whether it can be shown on a terminal."""
    templates: bool = False
    """Whether it is made with templates."""


def _latex(result: EvaluationResult, _: Path | None) -> bytes:
    from rageval.report.latex import latex_tables

    return latex_tables(result).encode()


def _markdown(result: EvaluationResult, _: Path | None) -> bytes:
    from rageval.report.markdown import summary

    return summary(result).encode("utf-8", "backslashreplace")


def _csv(result: EvaluationResult, _: Path | None) -> bytes:
    from rageval.report.tables import per_query_csv

    return per_query_csv(result)


def _comparisons(result: EvaluationResult, _: Path | None) -> bytes:
    from rageval.report.tables import comparisons_csv

    return comparisons_csv(result)


def _parquet(result: EvaluationResult, _: Path | None) -> bytes:
    from rageval.report.parquet import values_parquet

    return values_parquet(result)


def _comparisons_parquet(result: EvaluationResult, _: Path | None) -> bytes:
    from rageval.report.parquet import comparisons_parquet

    return comparisons_parquet(result)


def _html(result: EvaluationResult, templates: Path | None) -> bytes:
    from rageval.report.outputs import report_bytes

    return report_bytes(result, "html", templates)


def _pdf(result: EvaluationResult, templates: Path | None) -> bytes:
    from rageval.report.outputs import report_bytes

    return report_bytes(result, "pdf", templates)


OUTPUTS = (
    Output("latex", "tables.tex", "tables for a paper (booktabs)", _latex),
    Output("markdown", "summary.md", "a summary for a pull request", _markdown),
    Output("csv", "per_query.csv", "every value of every query", _csv),
    Output("parquet", "per_query.parquet", "the same, one value a row", _parquet, text=False),
    Output("comparisons", "comparisons.csv", "every comparison", _comparisons),
    Output(
        "comparisons-parquet",
        "comparisons.parquet",
        "the same as Parquet",
        _comparisons_parquet,
        text=False,
    ),
    Output("html", "report.html", "the report", _html, templates=True),
    Output("pdf", "report.pdf", "the report", _pdf, text=False, templates=True),
)


def find_output(key: str) -> Output:
    """Return the output of that name; raise `InputError` where there is none."""
    found = next((o for o in OUTPUTS if o.key == key.strip().lower()), None)
    if found is None:
        hint = did_you_mean(key, [output.key for output in OUTPUTS])
        raise InputError(f"there is no output {key!r}", where="--to", hint=hint)
    return found
