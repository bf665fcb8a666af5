"""What every task of a flow has in common."""

from __future__ import annotations

import errno
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from prefect import Task, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.states import Failed
from prefect.tasks import exponential_backoff

from rageval.errors import RagevalError

REJECTED = "Rejected"
"""State of a task whose input cannot be used: nobody's fault but the input's."""
UNREADABLE = "Unreadable"
"""State of a task whose input could not be read just now, and perhaps can in a moment."""
TRANSIENT = frozenset(
    {errno.EIO, errno.EAGAIN, errno.EBUSY, errno.EINTR, errno.ESTALE, errno.ETIMEDOUT}
    | {errno.EHOSTDOWN, errno.EHOSTUNREACH, errno.ENETDOWN, errno.ENETUNREACH, errno.ENOLCK}
)
READ_RETRIES = 3

P = ParamSpec("P")
R = TypeVar("R")


def stage(
    name: str, run_name: str, *, reads: bool = False
) -> Callable[[Callable[P, R]], Task[P, R | State[R]]]:
    """Turn a function into a task: no cache, and a `RagevalError` becomes a state in words.

    A task that `reads` files tries again, with growing pauses, while the operating system says
    that reading failed for a passing reason; nothing else is ever tried twice.
    """
    tries = 1 + READ_RETRIES if reads else 1

    def may_retry(_task: Task[..., Any], run: TaskRun, state: State[Any]) -> bool:
        return run.run_count < tries and may_pass(state)

    def decorate(function: Callable[P, R]) -> Task[P, R | State[R]]:
        @wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> R | State[R]:
            try:
                return function(*args, **kwargs)
            except RagevalError as error:
                return refusal(error)

        made: Task[P, R | State[R]] = task(
            name=name,
            task_run_name=run_name,
            cache_policy=NO_CACHE,
            # Once a task has used all its retries up, Prefect logs the traceback of an exception
            # that there is none of. It never comes to that where the condition says no before.
            retries=tries,
            retry_delay_seconds=exponential_backoff(0.2),
            retry_condition_fn=may_retry,
        )(run)
        return made

    return decorate


def refusal(error: RagevalError) -> State[Any]:
    """Return the failed state for an input that cannot be used, in the error's own words."""
    return Failed(name=UNREADABLE if is_transient(error) else REJECTED, message=str(error))


def is_transient(error: BaseException | None) -> bool:
    """Return whether an error, or the one it came from, may pass by itself."""
    if isinstance(error, OSError):
        return error.errno in TRANSIENT
    return error is not None and is_transient(error.__cause__ or error.__context__)


def may_pass(state: State[Any]) -> bool:
    """Return whether what a task failed of may pass by itself."""
    if state.name == UNREADABLE:
        return True
    return isinstance(state.data, BaseException) and is_transient(state.data)


def was_refused(state: State[Any]) -> bool:
    """Return whether a task ended because its input cannot be used."""
    return state.name in (REJECTED, UNREADABLE)
