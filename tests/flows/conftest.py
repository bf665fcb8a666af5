"""One temporary Prefect server for all tests of flows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from flows import environment

environment.prepare()


@pytest.fixture(autouse=True, scope="session")
def prefect_server() -> Iterator[None]:
    from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings
    from prefect.testing.utilities import prefect_test_harness

    # A flow waits up to a second for its heartbeat to end.
    with (
        prefect_test_harness(server_startup_timeout=120),
        temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}),
    ):
        yield
