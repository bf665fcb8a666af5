"""The environment that Prefect is imported into."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from flows.environment import DEFAULTS, prepare, require_home
from rageval.errors import RagevalError


def settings(table: dict[str, Any], path: str = "PREFECT") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        name = f"{path}_{key.upper()}"
        if isinstance(value, dict):
            yield from settings(value, name)
        else:
            yield name, str(value).lower() if isinstance(value, bool) else str(value)


def test_the_environment_says_what_pyproject_says(project_root: Path) -> None:
    tool = tomllib.loads((project_root / "pyproject.toml").read_text())["tool"]
    assert dict(settings(tool["prefect"])) == {
        name: value for name, value in DEFAULTS.items() if name != "DO_NOT_TRACK"
    }


def test_prefect_understands_every_setting() -> None:
    code = (
        "from flows.environment import DEFAULTS, prepare\nprepare()\n"
        "from prefect.settings import get_current_settings\n"
        "known = get_current_settings().to_environment_variables(exclude_unset=True)\n"
        "print(*sorted(set(DEFAULTS) - set(known)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd="/", capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == ["DO_NOT_TRACK"]


def test_what_the_user_set_stands() -> None:
    environ = {"PREFECT_SERVER_ANALYTICS_ENABLED": "true"}
    prepare(environ)
    assert environ["PREFECT_SERVER_ANALYTICS_ENABLED"] == "true"
    assert set(environ) == set(DEFAULTS)


def test_loopback_needs_no_proxy() -> None:
    environ = {"HTTP_PROXY": "http://proxy.example:3128", "NO_PROXY": "intranet,localhost"}
    prepare(environ)
    assert environ["NO_PROXY"] == "intranet,localhost,127.0.0.1"
    assert environ["no_proxy"] == "127.0.0.1,localhost"


def test_without_a_proxy_nothing_is_said_about_one() -> None:
    environ: dict[str, str] = {}
    prepare(environ)
    assert "NO_PROXY" not in environ


def test_a_home_that_cannot_be_is_told_before_prefect_starts(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RagevalError, match="PREFECT_HOME"):
        require_home({"PREFECT_HOME": str(tmp_path / "file" / "home")})


def test_a_home_is_made(tmp_path: Path) -> None:
    require_home({"PREFECT_HOME": str(tmp_path / "home")})
    assert (tmp_path / "home").is_dir()
