"""What every task has in common."""

from __future__ import annotations

import errno

import pytest
from prefect import flow
from prefect.client.schemas.objects import State

from flows.sealed import Sealed
from flows.stage import READ_RETRIES, REJECTED, TRANSIENT, UNREADABLE, is_transient, stage
from rageval.errors import InputError

pytestmark = pytest.mark.usefixtures("prefect_server")


class Attempts:
    """Count calls; a plain object, which Prefect passes by reference."""

    def __init__(self) -> None:
        self.made = 0


@stage("fail", "fail", reads=True)
def fail(attempts: Attempts, error: Sealed[Exception]) -> None:
    attempts.made += 1
    raise error.value


@flow
def failing(attempts: Attempts, error: Sealed[Exception]) -> Sealed[State]:
    future = fail.submit(attempts, error)
    future.wait()
    return Sealed(future.state)


def final(error: Exception) -> tuple[State, int]:
    attempts = Attempts()
    return failing(attempts, Sealed(error)).value, attempts.made


def unreadable(code: int) -> InputError:
    """Return the error of a reader that met one of the operating system."""
    try:
        try:
            raise OSError(code, "no")
        except OSError:
            raise InputError("cannot be read", where="run.txt") from None
    except InputError as error:
        return error


def test_a_refused_input_is_a_state_in_the_words_of_the_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    state, attempts = final(InputError("no such format", where="run.txt:3"))
    assert not any(record.exc_info for record in caplog.records)
    assert state.is_failed()
    assert state.name == REJECTED
    assert state.message == "run.txt:3: no such format"
    assert attempts == 1


def test_a_passing_fault_of_the_system_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    state, attempts = final(unreadable(errno.EIO))
    assert not any(record.exc_info for record in caplog.records)
    assert state.name == UNREADABLE
    assert attempts == 1 + READ_RETRIES


@pytest.mark.parametrize("error", [ValueError("ours"), OSError(errno.ENOENT, "gone")])
def test_nothing_else_is_tried_twice(error: Exception) -> None:
    state, attempts = final(error)
    assert state.is_failed()
    assert state.name == "Failed"
    assert attempts == 1


@pytest.mark.parametrize("code", sorted(TRANSIENT))
def test_transient_errors_show_through_our_own(code: int) -> None:
    assert is_transient(unreadable(code))


@pytest.mark.parametrize("code", [errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOSPC])
def test_lasting_errors_are_not_transient(code: int) -> None:
    assert not is_transient(unreadable(code))


def test_an_error_of_nowhere_is_not_transient() -> None:
    assert not is_transient(InputError("malformed"))
    assert not is_transient(None)
