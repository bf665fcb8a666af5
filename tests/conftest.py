"""What all tests share."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says more about the machine than about the code.
settings.register_profile("steady", deadline=None)
settings.load_profile("steady")

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


SMALL_CONFIG = """\
name: small
title: A small evaluation
dataset: questions.json
strategies:
  - {name: bm25, run: bm25.run, production: true}
  - {name: dense, run: dense.run, candidate: true}
  - {name: hybrid, run: hybrid.run}
measures: [recall@3, mrr, ndcg@3]
"""


@pytest.fixture
def small_evaluation(tmp_path: Path) -> Path:
    """Return the configuration of a whole evaluation: three strategies on eight queries."""
    return write_small(tmp_path)


@pytest.fixture(scope="session")
def write_small_evaluation() -> Callable[[Path], Path]:
    """Return how to write that evaluation into a folder."""
    return write_small


def write_small(folder: Path) -> Path:
    queries = range(1, 9)
    (folder / "questions.json").write_text(
        json.dumps(
            [
                {"id": f"q{q}", "query": f"question {q}", "relevant_docs": [f"d{q}", f"e{q}"]}
                for q in queries
            ]
        )
    )
    for name, step in (("bm25", 2), ("dense", 3), ("hybrid", 1)):
        (folder / f"{name}.run").write_text(
            "".join(
                f"q{q} Q0 {doc} 1 {9 - rank} {name}\n"
                for q in queries
                for rank, doc in enumerate(["x", "y", "z"] if q % step else [f"d{q}", "x", f"e{q}"])
            )
        )
    path = folder / "small.yaml"
    path.write_text(SMALL_CONFIG)
    return path
