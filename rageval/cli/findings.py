"""What was noticed about the data, on the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rageval.cli.status import say
from rageval.data import Finding
from rageval.report.text import visible


def say_finding(finding: Finding) -> None:
    """Write a finding to stderr, unless nothing was found."""
    if finding.severity != "passed" and finding.count:
        say(f"note: {in_a_line(finding)}")


def warn_of(findings: Iterable[Finding]) -> None:
    """Write the findings of high severity, with what they mean for the numbers, to stderr."""
    for finding in findings:
        if finding.severity == "high":
            say(f"check the data first: {in_a_line(finding)}. {visible(finding.effect)}")


def in_a_line(finding: Finding) -> str:
    """Return whose finding it is, what was found, how often and where."""
    whose = f"{visible(finding.strategy)}: " if finding.strategy else ""
    total = f" of {finding.total:,}" if finding.total is not None else ""
    examples = f" ({', '.join(map(visible, finding.examples))})" if finding.examples else ""
    return f"{whose}{finding.what}: {finding.count:,}{total}{examples}"
