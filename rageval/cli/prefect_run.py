"""`rageval run` through Prefect: prepare its environment, run the flow, quieten its log."""

from __future__ import annotations

import importlib
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows import environment
from rageval.cli.progress import Display
from rageval.errors import RagevalError
from rageval.report.outputs import Outcome, Request

if TYPE_CHECKING:
    from prefect.client.schemas.objects import State

FINISHED = "Finished in state"
TASK_LOG = "prefect.task_runs"
UNREACHABLE = ("Failed to reach API", "No Prefect API URL provided")
"""What Prefect says where there is no server for it."""
RECORDING_SECONDS = 10
RECORDING_PAUSE = 0.05
WARM = ("flows.evaluate", "rageval.report.html", "scipy.optimize")
"""What an evaluation imports sooner or later; there is time while the server starts."""


def run_flow(config: Path, asked: Request, display: Display) -> Outcome:
    """Run the flow and return its outcome.

    Raises `RagevalError` where the flow refused its input, and whatever else went wrong in it.
    """
    environment.prepare()
    environment.require_home()
    display.say("Starting Prefect")
    parameters = {
        "config": str(config),
        "out": str(asked.reports),
        "run_id": asked.run_id,
        "created": asked.created,
        "formats": list(asked.formats),
    }
    with prefect_server(display) as settle, reachable():
        from flows.evaluate import evaluate_flow

        state: State[Any] = evaluate_flow(**parameters, return_state=True)
        settle(state)
    return outcome_of(state)


@contextmanager
def reachable() -> Iterator[None]:
    """Say in words that the user's settings lead to no server."""
    try:
        yield
    except (RuntimeError, ValueError) as error:
        if not str(error).startswith(UNREACHABLE):
            raise
        raise RagevalError(
            f"Prefect says: {error}", hint="start that server, or run with --no-prefect"
        ) from error


Settle = Callable[["State[Any]"], None]


@contextmanager
def prefect_server(display: Display) -> Iterator[Settle]:
    """Provide a server: the one that is configured, else one of our own for this run."""
    from flows.server import TemporaryServer, is_wanted, settings_for

    # Only Prefect can say whether a server is configured, and it takes a second to import, in
    # which this one may as well start.
    server = TemporaryServer.start()
    if not is_wanted():
        server.stop()
        warm_up()
        listen(display)
        yield lambda state: None
        return
    from prefect.settings import temporary_settings

    display.say(f"Starting a temporary Prefect server at {server.url}")
    warm_up()
    server.wait_until_ready()
    listen(display, temporary=True)
    with temporary_settings(settings_for(server)):
        yield lambda state: wait_until_recorded(state, display)


def warm_up() -> None:
    """Import what the flow needs; Prefect sets up its console on the way."""
    for module in WARM:
        importlib.import_module(module)


def outcome_of(state: State[Any]) -> Outcome:
    """Return what a flow run's final state holds, or raise what went wrong."""
    from flows.stage import was_refused

    if was_refused(state):
        raise RagevalError(state.message or "the input was refused")
    held = state.result(raise_on_failure=True)
    outcome: Outcome = held.value
    return outcome


class FlowLog(logging.Handler):
    """Hand Prefect's log on: steps of the flow are shown, ends of tasks are counted."""

    def __init__(self, display: Display, *, temporary: bool = False) -> None:
        super().__init__()
        self.display = display
        # A page on a server that is about to end is of no use to anybody.
        self.skipped = ("View at ",) if temporary else ()

    def emit(self, record: logging.LogRecord) -> None:
        """Show a record's first line, or count it where it is the end of a task."""
        line = record.getMessage().partition("\n")[0]
        if line.startswith(FINISHED):
            if record.name == TASK_LOG:  # how the flow ended, the command says itself
                self.display.task_done()
        elif record.levelno >= logging.WARNING:
            self.display.warn(line)
        elif not line.startswith(self.skipped):
            self.display.say(line)


def listen(display: Display, *, temporary: bool = False) -> None:
    """Put our handler in the place of Prefect's console."""
    from prefect.logging.handlers import PrefectConsoleHandler

    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler, PrefectConsoleHandler):
            root.removeHandler(handler)
            root.addHandler(FlowLog(display, temporary=temporary))


def wait_until_recorded(state: State[Any], display: Display) -> None:
    """Wait, for a few seconds at most, until the temporary server has written every task run.

    What it has not written when this process ends is lost.
    """
    deadline = time.monotonic() + RECORDING_SECONDS
    while tasks_recorded(str(state.state_details.flow_run_id)) < display.tasks_done:
        if time.monotonic() > deadline:
            display.warn("Prefect has not recorded every task run")
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
        response = client.request("POST", "/task_runs/count", json=asked)
    return int(response.raise_for_status().json())
