"""Provenance: from what, with what and when."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rageval.data import Source
from rageval.report.model import Subject
from rageval.report.numbers import count
from rageval.report.section import Section
from rageval.report.text import visible, visible_lines

SHOWN_DIGEST = 16


@dataclass(frozen=True, slots=True)
class Input:
    """A file that was read."""

    path: str
    format: str
    rows: str
    bytes: str
    digest: str


@dataclass(frozen=True)
class Provenance:
    """The view of the provenance."""

    facts: tuple[tuple[str, str, bool], ...]
    """Name, value, and whether it is set in the fixed-width face."""
    inputs: tuple[Input, ...]
    settings: str
    """The resolved configuration as JSON."""


def provenance(subject: Subject) -> Provenance:
    """Name the run, the versions, the seed, the files and the resolved configuration."""
    result = subject.result
    made = result.provenance
    versions = ", ".join(f"{name} {found}" for name, found in made.versions.items() if found)
    return Provenance(
        facts=(
            ("Evaluation", visible(result.name), False),
            ("Run", visible(made.run_id), True),
            ("Created", made.created, False),
            ("Versions", visible(versions), False),
            ("Random seed", str(made.seed), False),
        ),
        inputs=tuple(_input(source) for d in result.datasets for source in d.sources),
        settings=_json(result.config) if subject.target == "html" else "",
    )


def _input(source: Source) -> Input:
    return Input(
        visible(source.path),
        source.format,
        count(source.rows),
        count(source.bytes),
        source.sha256[:SHOWN_DIGEST] or "not taken",
    )


def _json(config: Mapping[str, Any]) -> str:
    return visible_lines(json.dumps(config, ensure_ascii=False, indent=2, default=str))


SECTION = Section("provenance", "Provenance", provenance, per_dataset=False)
