"""The table of paired tests. A new one is a record beside its function, and its name here."""

from __future__ import annotations

from rageval.errors import ConfigError, did_you_mean
from rageval.stats.bootstrap import BOOTSTRAP_BCA
from rageval.stats.paired_values import PairedTest
from rageval.stats.sign_flip import SIGN_FLIP
from rageval.stats.student import PAIRED_T
from rageval.stats.tukey import TUKEY_RANDOMISED
from rageval.stats.wilcoxon import WILCOXON

_ALL: tuple[PairedTest, ...] = (PAIRED_T, SIGN_FLIP, WILCOXON, BOOTSTRAP_BCA, TUKEY_RANDOMISED)
TESTS = {test.key: test for test in _ALL}


def find_test(key: str) -> PairedTest:
    """Return the test of a key; ConfigError with the closest key where there is none."""
    if key not in TESTS:
        raise ConfigError(f"unknown test {key!r}", hint=did_you_mean(key, TESTS))
    return TESTS[key]
