"""`rageval run`."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rageval.cli.findings import warn_of
from rageval.cli.progress import Display
from rageval.cli.status import BAD_INPUT, DONE, bad_input
from rageval.cli.tables import show_table
from rageval.cli.without_pandas import settle_arrow
from rageval.data import DatasetResult, EvaluationResult
from rageval.evaluation.pipeline import evaluate
from rageval.evaluation.plan import Evaluation, load
from rageval.report.numbers import queries, value
from rageval.report.outputs import (
    Outcome,
    ReportFormat,
    Request,
    render,
    write_report,
)
from rageval.report.sentences import headline
from rageval.report.text import visible

MAX_SHOWN_MEASURES = 8


def run_evaluation(
    config: Path,
    *,
    out: Path | None,
    run_id: str | None,
    formats: Sequence[ReportFormat] | None,
    prefect: bool,
) -> int:
    """Run an evaluation, print what came of it, and return the exit status."""
    settle_arrow()
    evaluation = load(config)
    asked = Request.of(evaluation, out, formats, run_id)
    with Display() as display:
        if prefect:
            from rageval.cli.prefect_run import run_flow

            outcome = run_flow(config, asked, display)
        else:
            outcome = run_plain(evaluation, asked, display)
    show_outcome(outcome)
    return status_of(outcome)


def run_plain(evaluation: Evaluation, asked: Request, display: Display) -> Outcome:
    """Run the same stages as the flow, one after the other in this process."""
    result = evaluate(evaluation, run_id=asked.run_id, created=asked.created, progress=display.say)
    display.say(f"render {', '.join(asked.formats)}")
    # The PDF is made in a process of its own, so that the HTML costs no time beside it.
    with ThreadPoolExecutor() as pool:
        rendered = pool.map(lambda form: render(result, form, asked.templates), asked.formats)
    display.say("publish")
    return write_report(result, rendered, asked.reports)


def status_of(outcome: Outcome) -> int:
    """Say what is missing from a report, and return the exit status."""
    if not outcome.problems:
        return DONE
    bad_input("\n".join(("the report is incomplete", *outcome.problems)))
    return BAD_INPUT


def show_outcome(outcome: Outcome) -> None:
    """Print the verdict, the means and where the files are, and warn of unusable data."""
    print(visible(headline(outcome.result)))
    for dataset in outcome.result.datasets:
        warn_of(dataset.findings)
        print()
        show_means(outcome.result, dataset)
    print()
    for path in outcome.paths:
        print(path)


def show_means(result: EvaluationResult, dataset: DatasetResult) -> None:
    """Print one dataset's means, the primary measure first where not all fit."""
    cube = dataset.measurements
    keys = list(cube.measures)
    if len(keys) > MAX_SHOWN_MEASURES:
        keys.remove(result.primary)
        keys = [result.primary, *keys][:MAX_SHOWN_MEASURES]
    roles = {strategy.name: strategy.role for strategy in result.strategies}
    rows = [
        [name, roles[name], *(value(cube.mean(key, name)) for key in keys)]
        for name in cube.strategies
    ]
    title = f"{dataset.name}, {queries(len(cube.query_ids))}"
    show_table([title, "", *keys], rows, words=2)
    if len(keys) < len(cube.measures):
        print(f"not shown: {', '.join(key for key in cube.measures if key not in keys)}")
