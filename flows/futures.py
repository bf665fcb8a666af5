"""What came of a submitted task."""

from __future__ import annotations

from typing import Any

from prefect.futures import PrefectFuture

from flows.sealed import Sealed
from flows.stage import was_refused
from rageval.errors import RagevalError


def refused(future: PrefectFuture[Any]) -> str | None:
    """Wait for a task and return why its input was refused, or None where it was not."""
    future.wait()
    return future.state.message or "" if was_refused(future.state) else None


def result_of(future: PrefectFuture[Any]) -> Sealed[Any]:
    """Wait for a task and return what it made; raise `RagevalError` where it refused its input."""
    message = refused(future)
    if message is not None:
        raise RagevalError(message)
    made: Sealed[Any] = future.result()
    return made
