"""Small projects on disk: judgments, runs and a configuration."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

Judgments = Mapping[str, Mapping[str, int]]
Rankings = Mapping[str, Sequence[str]]

CREATED = "2026-11-30T06:00:00Z"


def qrels_text(judgments: Judgments) -> str:
    return "".join(f"{q} 0 {d} {g}\n" for q, docs in judgments.items() for d, g in docs.items())


def run_text(rankings: Rankings) -> str:
    """Return a TREC run; a document written `d=7` has the score 7, else scores fall by rank."""
    lines = []
    for query, docs in rankings.items():
        for rank, doc in enumerate(docs, 1):
            name, _, score = doc.partition("=")
            lines.append(f"{query} Q0 {name} {rank} {score or 1000 - rank} x\n")
    return "".join(lines)


@pytest.fixture
def project(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a project and returns its configuration's path.

    `runs` maps a strategy to its rankings; a text is written as it is. Other arguments are
    keys of the configuration.
    """

    def write(judgments: Judgments, runs: Mapping[str, Rankings | str], **config: Any) -> Path:
        (tmp_path / "qrels.txt").write_text(qrels_text(judgments), encoding="utf-8")
        for name, run in runs.items():
            text = run if isinstance(run, str) else run_text(run)
            (tmp_path / f"{name}.run").write_text(text, encoding="utf-8")
        strategies = [{"name": name, "run": f"{name}.run"} for name in runs]
        whole = {"name": "small", "dataset": "qrels.txt", "strategies": strategies, **config}
        path = tmp_path / "small.yaml"
        path.write_text(json.dumps(whole), encoding="utf-8")
        return path

    return write
