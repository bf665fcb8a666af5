"""What was noticed about the data, counted rather than dropped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["high", "medium", "low", "passed"]
SEVERITIES: tuple[Severity, ...] = ("high", "medium", "low", "passed")
MAX_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """One check of the data and what came of it."""

    code: str
    """A stable key in kebab-case, e.g. `queries-not-in-run`."""
    severity: Severity
    what: str
    """What was checked or seen, as a noun phrase: `Judged queries that the run lacks`."""
    count: int
    effect: str
    """What was done about it, what it can change, and what to do, in whole sentences."""
    total: int | None = None
    """Out of how many, where that has a meaning."""
    strategy: str = ""
    dataset: str = ""
    examples: tuple[str, ...] = ()
    """The first few ids or `file:line` places, at most `MAX_EXAMPLES`."""
