"""The check for what the PDF needs from the system."""

from __future__ import annotations

from pathlib import Path

import pytest

from rageval.cli import system
from rageval.report.pdf import PACKAGES


def test_the_packages_are_those_that_the_pdf_names() -> None:
    assert PACKAGES.split()[-4:] == [*system.LIBRARIES.values(), system.FONT_PACKAGE]


def test_a_library_that_is_not_there_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(system.LIBRARIES, "surely-not-there-7", "libsurely7")
    assert "libsurely7" in system.missing_packages()


def test_a_font_is_looked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(system, "FONT_FOLDERS", (str(tmp_path), str(tmp_path / "absent")))
    assert system.FONT_PACKAGE in system.missing_packages()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "A.TTF").write_bytes(b"")
    assert system.FONT_PACKAGE not in system.missing_packages()


def test_the_advice_is_one_command() -> None:
    assert "    sudo apt-get install -y --no-install-recommends libpango-1.0-0\n" in system.advice(
        ["libpango-1.0-0"]
    )


def test_nobody_installs_without_being_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert not system.may_install()
