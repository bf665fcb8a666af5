"""A Prefect server for one run, where none is configured.

Prefect would start the same one by itself, but only after it has imported the server's code into
the flow's own process, which takes longer than everything else a flow does. Here it starts at
once, in a process of its own, while this one imports what the flow needs. Nothing here imports
Prefect before the server has started.
"""

from __future__ import annotations

import atexit
import http.client
import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from flows.serve import HOST

POLL_SECONDS = 0.05
STOP_SECONDS = 5
FLAGS = {
    "PREFECT_UI_ENABLED": "0",
    "PREFECT__SERVER_EPHEMERAL": "1",
    "PREFECT__SERVER_FINAL": "1",
}
"""What Prefect tells the server that it starts by itself."""


def is_wanted() -> bool:
    """Return whether Prefect has no server configured and may start a temporary one."""
    from prefect.settings import get_current_settings

    settings = get_current_settings()
    return not settings.api.url and settings.server.ephemeral.enabled


@dataclass
class TemporaryServer:
    """A server process and where it listens."""

    process: subprocess.Popen[bytes]
    port: int
    log: IO[bytes]

    @classmethod
    def start(cls) -> TemporaryServer:
        """Start a server that ends with this process; it is not ready yet."""
        port, log = free_port(), tempfile.TemporaryFile()  # noqa: SIM115  (closed by `stop`)
        # In a group of its own, an interrupt at the keyboard reaches only the flow, which then
        # still has a server to tell about it.
        process = subprocess.Popen(
            command(port),
            env={**os.environ, **FLAGS},
            stdout=log,
            stderr=log,
            stdin=subprocess.PIPE,
            start_new_session=True,
        )
        server = cls(process, port, log)
        # Prefect sends its last events when threads are joined, which comes before this.
        atexit.register(server.stop)
        return server

    @property
    def url(self) -> str:
        """Return the address of the server's API."""
        return f"http://{HOST}:{self.port}/api"

    def wait_until_ready(self) -> None:
        """Wait until the server answers; raise `RuntimeError` with its log if it never does."""
        from prefect.settings import get_current_settings

        seconds = get_current_settings().server.ephemeral.startup_timeout_seconds
        deadline = time.monotonic() + seconds
        while not is_healthy(self.port):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"Prefect's temporary server did not start\n{self.said()}")
            time.sleep(POLL_SECONDS)

    def said(self) -> str:
        """Return what the server wrote."""
        self.log.seek(0)
        return self.log.read().decode(errors="backslashreplace")

    def stop(self) -> None:
        """End the server; safe to call twice."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        with suppress(OSError):
            self.log.close()


def command(port: int) -> list[str]:
    """Return the command that runs the server; -P keeps the current folder off its path."""
    return [sys.executable, "-P", "-m", "flows.serve", str(port)]


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def is_healthy(port: int) -> bool:
    """Return whether a server answers that it is well."""
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/api/health")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def settings_for(server: TemporaryServer) -> dict[Any, Any]:
    """Return the settings of a flow that uses the server.

    Heartbeats are for a server that outlives the flow, and a flow waits up to a second for its
    own to end.
    """
    from prefect.settings import PREFECT_API_URL, PREFECT_FLOWS_HEARTBEAT_FREQUENCY

    return {PREFECT_API_URL: server.url, PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}
