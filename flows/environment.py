"""The environment that Prefect is imported into; nothing here imports Prefect.

Prefect reads settings files from the current folder only, and people run `rageval` from
anywhere, so what `[tool.prefect]` in pyproject.toml says is set here once more.
"""

from __future__ import annotations

import os
from collections.abc import MutableMapping
from pathlib import Path

from rageval.errors import RagevalError

DEFAULTS = {
    # No telemetry: neither from the temporary server nor the notice about it.
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    # A slow machine needs more than the 20 seconds that Prefect grants a temporary server.
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
    # One row at a time, task runs are lost when the temporary server ends with the flow.
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "200",
    # Whole seconds: Prefect cuts a fraction off, and would then flush without a pause.
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
    "PREFECT_SERVER_SERVICES_TRIGGERS_READ_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_READ_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_BATCH_SIZE": "200",
    "PREFECT_RESULTS_LOCAL_STORAGE_PATH": ".rageval/results",
    "PREFECT_LOGGING_EXTRA_LOGGERS": "rageval",
    "PREFECT_WORKER_QUERY_SECONDS": "2",
    "PREFECT_RUNNER_POLL_FREQUENCY": "2",
}
LOOPBACK = ("127.0.0.1", "localhost")
PROXIES = ("http_proxy", "https_proxy", "all_proxy")


def prepare(environ: MutableMapping[str, str] = os.environ) -> None:
    """Set Prefect's defaults where the user has not, and keep loopback away from proxies."""
    for name, value in DEFAULTS.items():
        environ.setdefault(name, value)
    if any(name.lower() in PROXIES for name in environ):
        _exempt_loopback(environ)


def _exempt_loopback(environ: MutableMapping[str, str]) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        hosts = [host for host in environ.get(name, "").split(",") if host]
        environ[name] = ",".join([*hosts, *(h for h in LOOPBACK if h not in hosts)])


def require_home(environ: MutableMapping[str, str] = os.environ) -> None:
    """Raise where Prefect could not keep its records; its own message would mislead."""
    home = Path(environ.get("PREFECT_HOME") or Path.home() / ".prefect").expanduser()
    try:
        home.mkdir(parents=True, exist_ok=True)
        writable = os.access(home, os.W_OK | os.X_OK)
    except OSError:
        writable = False
    if not writable:
        raise RagevalError(
            "Prefect cannot keep its records here: the folder cannot be written",
            where=str(home),
            hint="set PREFECT_HOME to another folder, or run with --no-prefect",
        )
