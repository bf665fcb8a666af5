"""Importing the package is cheap and changes nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

import rageval

HEAVY = ("scipy", "statsmodels", "pandas", "prefect", "weasyprint", "jinja2", "pydantic", "typer")


def run_python(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def loaded_by(statement: str) -> set[str]:
    listing = run_python(
        f"{statement}\nimport sys\nprint(*{{m.split('.')[0] for m in sys.modules}})"
    )
    return set(listing.split())


def test_importing_the_package_loads_nothing_but_itself():
    third_party = loaded_by("import rageval") - sys.stdlib_module_names
    assert not third_party & {*HEAVY, "numpy", "pyarrow"}


@pytest.mark.parametrize(
    "statement", ["from rageval import RetrievalEvaluator", "import rageval.measures"]
)
def test_measuring_lists_loads_no_heavy_library(statement):
    assert not loaded_by(statement) & set(HEAVY)


def test_import_takes_a_moment():
    # The best of three, since others may be using the machine; 0.02 s on a quiet one.
    code = "import time; t = time.perf_counter(); import rageval; print(time.perf_counter() - t)"
    assert min(float(run_python(code)) for _ in range(3)) < 0.3


def test_importing_changes_nothing():
    printed = run_python(
        "import logging, os, signal\n"
        "def state():\n"
        "    logs = logging.root.handlers[:], logging.root.level\n"
        "    return logs, signal.getsignal(signal.SIGINT), dict(os.environ)\n"
        "before = state()\n"
        "import rageval, rageval.measures, rageval.evaluator\n"
        "print(before == state())"
    )
    assert printed.strip() == "True"


def test_public_names():
    assert set(rageval.__all__) <= set(dir(rageval))
    assert rageval.__version__[0].isdigit()
    assert rageval.RetrievalEvaluator.__name__ == "RetrievalEvaluator"
    assert issubclass(rageval.RagevalError, Exception)
    assert callable(rageval.evaluate)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'evalaute'"):
        rageval.evalaute  # noqa: B018
