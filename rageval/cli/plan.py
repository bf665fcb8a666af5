"""The options of `rageval plan`; nothing heavy is imported here."""

from __future__ import annotations

from typing import Annotated

import typer

from rageval.cli.status import Action

EXAMPLE = (
    "\b\nExample:\n"
    "  rageval plan --effect 0.02\n"
    "  rageval plan --effect 0.02 --from reports/quickstart/latest --tests 3 --power 0.9"
)


def plan(
    effect: Annotated[
        float,
        typer.Option(
            metavar="X", help="The smallest difference of means that matters, e.g. 0.02 in nDCG."
        ),
    ],
    sd: Annotated[
        float | None,
        typer.Option(
            metavar="X", help="Standard deviation of the differences over queries, where known."
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="RESULTS",
            help="Take it from a results.json, the folder of a report, or a table of values.",
        ),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            "-m",
            "--measure",
            metavar="MEASURE",
            help="Which measure of RESULTS; by default the primary one.",
        ),
    ] = None,
    power: Annotated[
        float, typer.Option(metavar="SHARE", help="How often such a difference should be found.")
    ] = 0.8,
    alpha: Annotated[float, typer.Option(metavar="LEVEL", help="Of the two-sided test.")] = 0.05,
    tests: Annotated[
        int,
        typer.Option(
            metavar="N", help="How many tests the result will be adjusted for; alpha is shared."
        ),
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="The same numbers as JSON.")] = False,
) -> Action:
    """Say how many queries a difference needs, before anyone judges them.

    For the two-sided paired t-test. Without --sd and --from, 0.25 is assumed, and 0.15 and 0.35
    stand beside it. Exit status: 0 done, 2 bad input, 3 our fault.
    """

    def action() -> int:
        from rageval.cli.plan_queries import Request, show_plan

        request = Request(effect, power, alpha, tests)
        return show_plan(request, sd=sd, source=source, measure=measure, as_json=as_json)

    return action
