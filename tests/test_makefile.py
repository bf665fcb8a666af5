"""The Makefile and the check for continuous integration."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

TARGETS = ("demo", "test", "lint", "soak", "bench")


@pytest.fixture
def make(
    tmp_path: Path, project_root: Path, need: Callable[[str], None]
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return how to run make in a folder that holds the Makefile and nothing that it made."""
    if shutil.which("make") is None:
        need("make")
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(project_root / name, tmp_path)
    environ = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["make", *arguments],
            cwd=tmp_path,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


Make = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize("target", TARGETS)
def test_a_fresh_machine_gets_an_environment_first(target: str, make: Make) -> None:
    ran = make("-n", target)
    assert ran.returncode == 0
    assert "-m venv .venv" in ran.stdout
    assert "install --quiet --editable ." in ran.stdout


@pytest.mark.parametrize(("target", "stamps"), [("demo", ["project"]), ("test", ["test"])])
def test_the_second_time_nothing_is_installed(
    target: str, stamps: list[str], make: Make, tmp_path: Path
) -> None:
    folder = tmp_path / ".venv" / "stamps"
    folder.mkdir(parents=True)
    for stamp in ["python", *stamps]:
        (folder / stamp).touch()
    ran = make("-n", target)
    assert ran.returncode == 0
    assert " pip " not in ran.stdout


def test_another_pyproject_installs_again(make: Make, tmp_path: Path) -> None:
    folder = tmp_path / ".venv" / "stamps"
    folder.mkdir(parents=True)
    for stamp in ("python", "project"):
        (folder / stamp).touch()
    later = (folder / "python").stat().st_mtime + 10
    os.utime(tmp_path / "pyproject.toml", (later, later))
    assert "install --quiet --editable ." in make("-n", "demo").stdout


def test_an_old_python_is_told_so(make: Make, tmp_path: Path) -> None:
    old = tmp_path / "python3.9"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    ran = make("demo", f"PYTHON={old}")
    assert ran.returncode != 0
    assert "older than Python 3.11" in ran.stderr
    assert not (tmp_path / ".venv").exists()


def test_make_alone_says_what_there_is(make: Make) -> None:
    shown = make().stdout
    assert all(f"make {target}" in shown for target in TARGETS)


def test_the_check_for_continuous_integration_is_sound_and_runs_the_tests(
    project_root: Path,
) -> None:
    script = project_root / ".ci" / "run"
    subprocess.run(["bash", "-n", str(script)], check=True)
    text = script.read_text()
    assert os.access(script, os.X_OK)
    assert text.rstrip().endswith("make test")
    assert "RAGEVAL_REQUIRE_ALL=1" in text
