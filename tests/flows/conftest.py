"""A temporary Prefect server for the tests of a file that need one, and for no others."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from flows import environment

environment.prepare()
# Prefect listens to the loggers of rageval from now on, in tests that know nothing of it too.
os.environ["PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW"] = "ignore"


@pytest.fixture(scope="module")
def prefect_server() -> Iterator[None]:
    from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings
    from prefect.testing.utilities import prefect_test_harness

    # A flow waits up to a second for its heartbeat to end.
    with (
        prefect_test_harness(server_startup_timeout=120),
        temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}),
    ):
        yield
