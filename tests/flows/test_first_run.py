"""The command on a machine where Prefect has never run and no server is configured."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

LOOPBACK = {"127.0.0.1", "localhost", "::1"}
LISTENER = """\
import json, os, sys

def listen(event, arguments):
    if event in ("socket.connect", "socket.bind"):
        said = arguments[1]
    elif event == "socket.getaddrinfo":
        said = arguments[0]
    else:
        return
    host = said[0] if isinstance(said, tuple) else said
    with open(os.path.join({folder!r}, str(os.getpid())), "a") as file:
        file.write(json.dumps(str(host)) + "\\n")

sys.addaudithook(listen)
"""
COMMAND = (sys.executable, "-c", "from rageval.cli import main; main()")


@dataclass(frozen=True)
class Machine:
    """A place where nothing has run yet."""

    folder: Path

    @property
    def environ(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("PREFECT_") and name not in ("DO_NOT_TRACK", "CI")
        }
        return {
            **kept,
            "PREFECT_HOME": str(self.folder / "prefect"),
            "PYTHONPATH": str(self.folder / "site"),
        }

    def command(self, config: Path) -> list[str]:
        out = str(self.folder / "reports")
        return [*COMMAND, "run", str(config), "--out", out, "--formats", "html"]

    def hosts(self) -> dict[str, set[str]]:
        """Return which hosts each process asked for or connected to."""
        return {
            file.name: {json.loads(line) for line in file.read_text().splitlines()}
            for file in (self.folder / "heard").iterdir()
        }

    def task_states(self) -> list[str]:
        with sqlite3.connect(self.folder / "prefect" / "prefect.db") as database:
            rows = database.execute("select state_name from task_run").fetchall()
        database.close()
        return [name for (name,) in rows]


@dataclass(frozen=True)
class FirstRun:
    """What the first run left."""

    machine: Machine
    config: Path
    ran: subprocess.CompletedProcess[str]
    seconds: float


@pytest.fixture(scope="module")
def first_run(
    tmp_path_factory: pytest.TempPathFactory, write_small_evaluation: Callable[[Path], Path]
) -> FirstRun:
    folder = tmp_path_factory.mktemp("machine")
    (folder / "site").mkdir()
    (folder / "heard").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(LISTENER.format(folder=str(folder / "heard")))
    config = write_small_evaluation(folder)
    machine = Machine(folder)
    start = time.perf_counter()
    ran = subprocess.run(
        machine.command(config),
        cwd=folder,
        env=machine.environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return FirstRun(machine, config, ran, time.perf_counter() - start)


def test_it_ends_well(first_run: FirstRun) -> None:
    assert first_run.ran.returncode == 0, first_run.ran.stderr
    assert str(first_run.machine.folder / "reports" / "small") in first_run.ran.stdout


def test_the_log_is_about_a_dozen_clean_lines(first_run: FirstRun) -> None:
    lines = first_run.ran.stderr.splitlines()
    assert 5 <= len(lines) <= 16
    for line in lines:
        assert re.match(r"\d\d:\d\d:\d\d  \S", line), line
    for word in ("Traceback", "Error", "anonymous", "telemetry", "locked"):
        assert word not in first_run.ran.stderr


def test_every_task_run_is_recorded(first_run: FirstRun) -> None:
    # load, 3 x judge, 3 x 3 x measure, 3 x compare, conclude, render, publish
    assert first_run.machine.task_states() == ["Completed"] * 19


def test_nothing_connects_beyond_loopback(first_run: FirstRun) -> None:
    hosts = first_run.machine.hosts()
    assert len(hosts) >= 2, "the command connects, and its server listens"
    assert set().union(*hosts.values()) <= LOOPBACK | {"None"}


def test_nothing_is_left_in_the_current_folder(first_run: FirstRun) -> None:
    ours = {"site", "heard", "prefect", "reports", "small.yaml", "questions.json"}
    ours |= {f"{name}.run" for name in ("bm25", "dense", "hybrid")}
    assert {path.name for path in first_run.machine.folder.iterdir()} == ours


def test_it_is_quick(first_run: FirstRun) -> None:
    assert first_run.seconds < 60


def test_on_a_terminal_nothing_is_said_of_telemetry(first_run: FirstRun) -> None:
    machine = first_run.machine
    shutil.rmtree(machine.folder / "prefect" / ".sdk_telemetry", ignore_errors=True)
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        machine.command(first_run.config),
        cwd=machine.folder,
        env=machine.environ,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        close_fds=True,
    )
    os.close(terminal)
    shown = read_all(controller)
    assert process.wait() == 0
    assert "report.html" in shown
    for word in ("anonymous", "Traceback", "Error"):
        assert word not in shown
    assert set().union(*machine.hosts().values()) <= LOOPBACK | {"None"}


def read_all(controller: int) -> str:
    """Read a terminal until its last writer has gone."""
    parts = []
    try:
        while data := os.read(controller, 65536):
            parts.append(data)
    except OSError:  # Linux says so when the other end is closed
        pass
    os.close(controller)
    return b"".join(parts).decode()


def test_a_server_that_does_not_answer_is_told(first_run: FirstRun) -> None:
    environ = {**first_run.machine.environ, "PREFECT_API_URL": "http://127.0.0.1:9/api"}
    ran = subprocess.run(
        first_run.machine.command(first_run.config),
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "--no-prefect" in ran.stderr
    assert "Traceback" not in ran.stderr
