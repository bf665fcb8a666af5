"""What is being done, on stderr."""

from __future__ import annotations

import re

import pytest

from rageval.cli.progress import Display


def test_a_log_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Display(live=False) as display:
        display.say("load a\x1b[31m")
        display.task_done()
        display.warn("something")
    captured = capsys.readouterr()
    lines = captured.err.splitlines()
    assert captured.out == ""
    assert [line.split("  ", 1)[1] for line in lines] == ["load a\\x1b[31m", "something"]
    assert all(re.match(r"\d\d:\d\d:\d\d  ", line) for line in lines)


def test_a_warning_stays_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Display(live=True) as display:
        display.say("load [bold]a[/bold]")
        display.task_done()
        display.warn("[red]as it is[/red]")
    assert "[red]as it is[/red]" in capsys.readouterr().err
    assert display.tasks_done == 1
