"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
REQUIRE_ALL = os.environ.get("RAGEVAL_REQUIRE_ALL") == "1"


def skip_or_fail(reason: str) -> None:
    """Skip a test whose tool is absent, or fail it where everything is required."""
    if REQUIRE_ALL:
        pytest.fail(f"required here: {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def project_root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Return a function from a path below the reference collections to the file, or skip."""

    def find(relative: str = "") -> Path:
        path = ROOT.parent / "shared" / "data" / relative
        if not path.exists():
            pytest.skip(f"reference collection {relative or 'folder'} is not here")
        return path

    return find


@pytest.fixture(scope="session")
def need() -> Callable[[str], None]:
    """Return `skip_or_fail`, for tests that need an optional tool."""
    return skip_or_fail
