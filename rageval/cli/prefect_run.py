"""`rageval run` through Prefect: prepare its environment, run the flow, quieten its log."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows import environment
from rageval.cli.progress import Display
from rageval.errors import RagevalError
from rageval.report.outputs import Outcome, ReportFormat

if TYPE_CHECKING:
    from prefect.client.schemas.objects import State

FINISHED = "Finished in state"
RECORDING_SECONDS = 10
RECORDING_PAUSE = 0.05


def run_flow(
    config: Path,
    out: Path | None,
    run_id: str | None,
    formats: Sequence[ReportFormat] | None,
    display: Display,
) -> Outcome:
    """Run the flow and return its outcome.

    Raises `RagevalError` where the flow refused its input, and whatever else went wrong in it.
    """
    environment.prepare()
    environment.require_home()
    display.say("starting Prefect")
    from flows.evaluate import evaluate_flow

    listen(display)
    with without_heartbeat():
        state = evaluate_flow(
            str(config),
            str(out) if out else None,
            run_id,
            None,
            list(formats) if formats else None,
            return_state=True,
        )
        wait_until_recorded(state, display.tasks_done)
    return outcome_of(state)


def outcome_of(state: State[Any]) -> Outcome:
    """Return what a flow run's final state holds, or raise what went wrong."""
    from flows.stage import was_refused

    if was_refused(state):
        raise RagevalError(state.message or "the input was refused")
    held = state.result(raise_on_failure=True)
    outcome: Outcome = held.value
    return outcome


def without_heartbeat() -> AbstractContextManager[Any]:
    """Switch heartbeats off where the server is a temporary one.

    They are for a server that outlives the flow; a flow waits up to a second for them to end.
    """
    from prefect.settings import (
        PREFECT_API_URL,
        PREFECT_FLOWS_HEARTBEAT_FREQUENCY,
        temporary_settings,
    )

    if PREFECT_API_URL.value():
        return nullcontext()
    return temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None})


class FlowLog(logging.Handler):
    """Hand Prefect's log on: steps of the flow are shown, ends of tasks are counted."""

    def __init__(self, display: Display) -> None:
        super().__init__()
        self.display = display

    def emit(self, record: logging.LogRecord) -> None:
        """Show or count one record; tracebacks go to the log of a fault, not here."""
        message = record.getMessage()
        if record.name == "prefect.task_runs" and message.startswith(FINISHED):
            self.display.task_done()
        elif record.levelno >= logging.WARNING:
            self.display.warn(message)
        else:
            self.display.say(message.splitlines()[0])


def listen(display: Display) -> None:
    """Put our handler in the place of Prefect's console."""
    from prefect.logging.handlers import PrefectConsoleHandler

    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler, PrefectConsoleHandler):
            root.removeHandler(handler)
            root.addHandler(FlowLog(display))


def wait_until_recorded(state: State[Any], tasks_done: int) -> None:
    """Wait, for a few seconds at most, until a temporary server has written every task run.

    It ends with this process, and what it has not written by then is lost.
    """
    from prefect.settings import PREFECT_API_URL

    if PREFECT_API_URL.value() or state.state_details.flow_run_id is None:
        return
    deadline = time.monotonic() + RECORDING_SECONDS
    while tasks_recorded(str(state.state_details.flow_run_id)) < tasks_done:
        if time.monotonic() > deadline:
            logging.getLogger("flows").warning("Prefect has not recorded every task run")
            return
        time.sleep(RECORDING_PAUSE)


def tasks_recorded(flow_run_id: str) -> int:
    """Return how many task runs of a flow run the server knows to have ended."""
    from prefect import get_client

    asked = {
        "flow_runs": {"id": {"any_": [flow_run_id]}},
        "task_runs": {"state": {"type": {"any_": ["COMPLETED", "FAILED", "CRASHED"]}}},
    }
    with get_client(sync_client=True) as client:
        response = client._client.post("/task_runs/count", json=asked)
    return int(response.raise_for_status().json())
