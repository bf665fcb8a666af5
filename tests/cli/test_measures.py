"""`rageval measures`."""

from __future__ import annotations

import pytest

from rageval.cli.status import run_command
from rageval.measures import table


def test_every_measure_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["measures"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for row in table():
        assert row.name in shown
        for spelling in row.spellings:
            assert f"also {spelling}" in shown
        assert row.source.split(",")[0] in shown
