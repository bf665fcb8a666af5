"""The options of `rageval export`; nothing heavy is imported here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rageval.cli.status import Action

EXAMPLE = (
    "\b\nExample:\n"
    "  rageval export reports/quickstart/latest --to latex --out means.tex\n"
    "  rageval export results.json --to markdown --out - | gh pr comment 12 --body-file -"
)


def export(
    results: Annotated[
        str,
        typer.Argument(
            metavar="RESULTS",
            help="A results.json, the folder of a report or of an evaluation's reports; `latest` "
            "for the newest below `reports`.",
        ),
    ],
    to: Annotated[
        str,
        typer.Option(
            metavar="OUTPUT",
            help="latex, markdown, csv, parquet (values per query), comparisons, "
            "comparisons-parquet, html or pdf.",
        ),
    ],
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Where it goes, `-` for stdout; by default beside the results, named as in a "
            "report's folder: tables.tex, summary.md, per_query.csv, ...",
        ),
    ] = None,
    templates: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="For html and pdf, as `templates` in a configuration."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> Action:
    """Make any output again from the results of an evaluation, without computing anything.

    The HTML and PDF are the bytes of the report that the results came with, where rageval, fonts
    and templates are the same. Exit status: 0 done, 2 bad input, 3 our fault.
    """

    def action() -> int:
        from rageval.cli.export_file import export_file

        return export_file(results, to, out, templates=templates, force=force)

    return action
