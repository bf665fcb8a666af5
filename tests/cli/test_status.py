"""Exit statuses and the one message that goes with them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from rageval.cli import status
from rageval.cli.app import app
from rageval.errors import InputError, Problem

COMMANDS = ("run", "validate", "measures", "score", "compare", "plan", "export")


def raising(error: BaseException) -> Callable[[], int]:
    def action() -> NoReturn:
        raise error

    return action


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[BaseException], int]:
    """Add a command that raises what it is given, and return how to run it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    registered = list(app.registered_commands)

    def run(error: BaseException) -> int:
        app.command("raise")(lambda: raising(error))
        try:
            return status.run_command(["raise"])
        finally:
            app.registered_commands[:] = registered

    return run


Command = Callable[[BaseException], int]
Captured = pytest.CaptureFixture[str]


def test_bad_input_is_one_message(command: Command, capsys: Captured) -> None:
    assert command(InputError("no such format", where="run.txt:3")) == 2
    assert capsys.readouterr().err == "rageval: run.txt:3: no such format\n"


def test_several_problems_stand_one_a_line(command: Command, capsys: Captured) -> None:
    problems = [Problem("one", "a:1"), Problem("two", "a:2", "try three")]
    assert command(InputError(problems)) == 2
    assert capsys.readouterr().err == (
        "rageval: problems with the input:\n  a:1: one\n  a:2: two (try three)\n"
    )


def test_control_characters_cannot_reach_the_terminal(command: Command, capsys: Captured) -> None:
    command(InputError("id \x1b[31mred"))
    assert capsys.readouterr().err == "rageval: id \\x1b[31mred\n"


def test_our_fault_is_one_line_and_a_log(
    command: Command, capsys: Captured, tmp_path: Path
) -> None:
    assert command(KeyError("gone")) == 3
    message = capsys.readouterr().err
    (log,) = (tmp_path / "state" / "rageval").iterdir()
    assert message.count("\n") == 1
    assert str(log) in message
    assert "Traceback" in log.read_text()
    assert "KeyError" in log.read_text()


def test_an_interrupt_has_the_shells_status(command: Command, capsys: Captured) -> None:
    assert command(KeyboardInterrupt()) == 130
    assert "interrupted" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["score"],
        ["run"],
        ["--nonsense"],
        ["score", "--qrels"],
        ["run", "a.yaml", "--formats", "docx"],
        ["run", "a.yaml", "--formats", ","],
    ],
)
def test_usage_errors_exit_with_2(arguments: list[str], capsys: Captured) -> None:
    assert status.run_command(arguments) == 2
    assert "Error: " in capsys.readouterr().err


def test_a_wrong_format_is_told_with_the_right_ones(capsys: Captured) -> None:
    status.run_command(["run", "a.yaml", "--formats", "pfd"])
    assert "did you mean 'pdf'?" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_shows_an_example(name: str, capsys: Captured) -> None:
    assert status.run_command([name, "--help"]) == 0
    assert f"Example:\n    rageval {name}" in capsys.readouterr().out


def test_every_command_is_in_this_list() -> None:
    assert {command.name or command.callback.__name__ for command in app.registered_commands} == (
        set(COMMANDS)
    )


def test_version(capsys: Captured) -> None:
    assert status.run_command(["--version"]) == 0
    assert capsys.readouterr().out.startswith("rageval 0.")


def test_a_reader_that_goes_away_is_no_fault() -> None:
    code = "import sys; from rageval.cli import main; sys.argv[1:] = ['measures']; main()"
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(
        [sys.executable, "-c", code], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert ran.returncode == 141
    assert ran.stderr == b""


def test_a_terminal_without_the_character_gets_an_escape() -> None:
    code = "import sys; from rageval.cli import main; sys.argv[1:] = ['measures']; main()"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert rb"J\xe4rvelin" in ran.stdout
