"""From options to how strategies are compared."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from rageval.config.models import ComparisonSpec
from rageval.errors import ConfigError, Problem
from rageval.stats.corrections import find_correction
from rageval.stats.paired_tests import find_test

SHORT = {
    "t": "paired-t",
    "bootstrap": "bootstrap-bca",
    "bca": "bootstrap-bca",
    "tukey": "tukey-randomised",
    "tukey-randomized": "tukey-randomised",
    "permutation": "sign-flip",
    "randomisation": "sign-flip",
    "randomization": "sign-flip",
}
"""What people type -> the test's key."""
_OPTIONS = {"equivalence_margin": "--margin"}


def comparison_spec(
    *, test: str, check: str | None, correction: str, **numbers: Any
) -> ComparisonSpec:
    """Return the record of checked options; ConfigError names the option that is wrong."""
    test = key_of_test(test)
    check = None if check is None else key_of_test(check)
    if test == check:
        raise ConfigError("--check: is the test itself", hint="name another test")
    correction = find_correction(correction.lower()).key
    try:
        return ComparisonSpec(test=test, check=check, correction=correction, **numbers)
    except ValidationError as error:
        problems = [Problem(_what(fault["msg"]), _option(fault["loc"])) for fault in error.errors()]
        raise ConfigError(problems) from None


def key_of_test(text: str) -> str:
    """Return the key of a test as people type it; ConfigError where there is none."""
    name = text.strip().lower().replace("_", "-")
    return find_test(SHORT.get(name, name)).key


def _what(message: str) -> str:
    return message[:1].lower() + message[1:]


def _option(place: tuple[int | str, ...]) -> str:
    name = str(place[0])
    return _OPTIONS.get(name, f"--{name}")
