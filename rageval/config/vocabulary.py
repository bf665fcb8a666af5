"""The names that a configuration may use, supplied by the layers that define them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a configuration is checked against.

    Measures, tests and formats are defined in layers above this one, so whoever loads a
    configuration hands their names down.
    """

    check_measure: Callable[[str], str | None]
    """A measure as written -> what is wrong with it in words, or None."""
    measure_label: Callable[[str, int], str]
    """A valid measure as written, and the lowest grade that is relevant where it names none ->
    its canonical label, the measure's identity."""
    tests: tuple[str, ...]
    corrections: tuple[str, ...]
    dataset_formats: tuple[str, ...]
    run_formats: tuple[str, ...]
