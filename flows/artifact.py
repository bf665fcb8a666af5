"""What Prefect's pages show of an evaluation."""

from __future__ import annotations

import re

from prefect import get_run_logger
from prefect.artifacts import create_markdown_artifact

from rageval.report.markdown import summary
from rageval.report.outputs import Outcome

MAX_ARTIFACT_BYTES = 1_000_000
"""Prefect refuses the event of a larger artifact."""


def artifact_key(name: str) -> str:
    """Return the artifact's key: lower-case letters, digits and dashes only."""
    return "report-" + (re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "evaluation")


def publish_summary(outcome: Outcome) -> None:
    """Show verdict, table and where the files are; a failure here loses nothing but the page."""
    try:
        create_markdown_artifact(
            summary_text(outcome)[:MAX_ARTIFACT_BYTES],
            key=artifact_key(outcome.result.name),
            description=outcome.result.title,
        )
    except Exception as error:
        get_run_logger().warning("The summary could not be shown in Prefect: %s", error)


def summary_text(outcome: Outcome) -> str:
    """Return the Markdown of an outcome, and why a format is missing."""
    paths = {path.name: str(path.resolve()) for path in outcome.paths}
    text = summary(outcome.result, files=paths)
    if not outcome.missing:
        return text
    # An indented block is shown as it is, whatever characters a file name or an id holds.
    lines = [f"    {line}" for problem in outcome.missing for line in problem.splitlines()]
    return "\n".join([text, "", "**Not rendered**", "", *lines, ""])
