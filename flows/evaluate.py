"""The evaluation flow: load, judge, measure, compare, render, publish."""

# No `from __future__ import annotations` here: a deployment loads this file by its path, where
# Prefect could not resolve the flow's parameters if their types were text.

from pathlib import Path
from typing import Any, Literal

from prefect import flow, get_run_logger
from prefect.client.schemas.objects import State
from prefect.futures import PrefectFuture
from prefect.runtime import flow_run
from prefect.states import Completed
from prefect.task_runners import ThreadPoolTaskRunner

from flows import tasks
from flows.artifact import publish_summary
from flows.dataset import evaluate_dataset
from flows.futures import refused, result_of
from flows.sealed import Sealed
from flows.stage import refusal
from rageval.data import EvaluationResult, StrategyFailure
from rageval.errors import RagevalError
from rageval.evaluation.plan import Evaluation, load
from rageval.report.outputs import (
    Outcome,
    Rendered,
    ReportFormat,
    Request,
)

WORKERS = 4
"""Threads; without a limit Prefect would start one for every task."""
INCOMPLETE = "Incomplete"
"""State of a flow run whose report lacks a strategy or a format that was asked for."""


def flow_run_name() -> str:
    """Return what a flow run is called: after its configuration's file."""
    return f"evaluate[{Path(str(flow_run.parameters['config'])).stem}]"


@flow(
    name="evaluate",
    flow_run_name=flow_run_name,
    task_runner=ThreadPoolTaskRunner(max_workers=WORKERS),  # type: ignore[arg-type]
)
def evaluate_flow(
    config: str,
    out: str | None = None,
    run_id: str | None = None,
    created: str | None = None,
    formats: list[Literal["html", "pdf"]] | None = None,
) -> State[Any]:
    """Evaluate and compare retrieval strategies, and publish the report.

    The run ends Completed; Incomplete where the report lacks a strategy or a format, with the
    reasons in the state's message; or Failed, named Rejected, where the configuration or a
    dataset cannot be used.

    Args:
        config: Path of the configuration (YAML), on the machine that runs the flow.
        out: Folder for reports; by default the one that the configuration names.
        run_id: Name of this run's folder; by default the time and a random suffix.
        created: UTC time that the report carries, in ISO 8601; by default now.
        formats: Reports to render; by default those that the configuration names.

    """
    try:
        evaluation = load(Path(config))
        asked = Request.of(evaluation, out, formats, run_id, created)
        outcome = run_stages(evaluation, asked)
    except RagevalError as error:
        return refusal(error)
    publish_summary(outcome)
    return final_state(outcome)


def run_stages(evaluation: Evaluation, asked: Request) -> Outcome:
    """Run every stage as tasks; raise `RagevalError` where nothing can be reported."""
    sealed = Sealed(evaluation)
    failures: list[StrategyFailure] = []
    parts = [evaluate_dataset(sealed, spec.name, failures) for spec in evaluation.datasets]
    concluded = tasks.conclude.submit(
        sealed, Sealed(parts), Sealed(failures), asked.run_id, asked.created
    )
    result = result_of(concluded)
    rendered = Sealed(render_reports(result, asked))
    outcome: Outcome = result_of(tasks.publish.submit(result, rendered, asked.reports)).value
    get_run_logger().info("Published %s in %s", ", ".join(outcome.files), outcome.folder)
    return outcome


def render_reports(result: Sealed[EvaluationResult], asked: Request) -> list[Rendered]:
    """Render all formats at once; one that fails does not lose the others."""
    futures = {form: tasks.render.submit(result, form, asked.templates) for form in asked.formats}
    return [rendered(form, future) for form, future in futures.items()]


def rendered(form: ReportFormat, future: PrefectFuture[Any]) -> Rendered:
    """Return a rendered report, or the problem that there is none."""
    message = refused(future)
    if message is not None:
        get_run_logger().warning("Rendered no %s: %s", form.upper(), message)
        return Rendered(form, problem=message)
    made: Rendered = result_of(future).value
    get_run_logger().info("Rendered %s, %d KB", made.file, len(made.content) // 1000)
    return made


def final_state(outcome: Outcome) -> State[Any]:
    """Return the state of a flow run whose report is published."""
    if outcome.problems:
        return Completed(name=INCOMPLETE, message="\n".join(outcome.problems), data=Sealed(outcome))
    return Completed(message=str(outcome.folder), data=Sealed(outcome))
