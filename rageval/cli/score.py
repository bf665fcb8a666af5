"""`rageval score`."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rageval.cli.findings import say_finding
from rageval.cli.status import BAD_INPUT, DONE, bad_input
from rageval.cli.without_pandas import settle_arrow
from rageval.config.models import file_stem
from rageval.data import Measurements
from rageval.errors import InputError
from rageval.evaluation.scoring import DEFAULT_MEASURES, Scores, score


def show_scores(
    qrels: Path, runs: Sequence[str], measures: Sequence[str], *, lenient: bool, as_json: bool
) -> int:
    """Print what the runs score, as a table or as JSON, and return the exit status."""
    settle_arrow()
    scores = score(qrels, named_runs(runs), measures or DEFAULT_MEASURES, lenient=lenient)
    for finding in scores.findings:
        say_finding(finding)
    if scores.measurements.strategies:
        (print_json if as_json else print_table)(scores.measurements)
    return _status(scores)


def _status(scores: Scores) -> int:
    if not scores.failures:
        return DONE
    bad_input("\n".join(failure.message for failure in scores.failures))
    return BAD_INPUT


def named_runs(texts: Sequence[str]) -> dict[str, Path]:
    """Return strategies and files of `[NAME=]FILE` options, in their order."""
    runs: dict[str, Path] = {}
    for text in texts:
        name, path = named_run(text)
        if name in runs:
            raise InputError(
                f"two runs are called {name!r}: {runs[name]} and {path}",
                hint="name them: --run NAME=FILE",
            )
        runs[name] = path
    return runs


def named_run(text: str) -> tuple[str, Path]:
    """Split `NAME=FILE`; a file that exists under the whole text is that file."""
    name, equals, path = text.partition("=")
    if equals and name and path and not _exists(text):
        return name, Path(path)
    return file_stem(text), Path(text)


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # a name that is too long; reading it says so
        return False


def print_table(values: Measurements) -> None:
    """Print the means, one strategy a row."""
    from rageval.cli.tables import show_table
    from rageval.report.numbers import queries, value

    rows = [
        [name, *(value(values.mean(key, name), 4) for key in values.measures)]
        for name in values.strategies
    ]
    show_table(["strategy", *values.measures], rows)
    print(f"\nmeans over {queries(len(values.query_ids))}")


def print_json(values: Measurements) -> None:
    """Print means and values per query; a value that does not exist is null."""
    print(json.dumps(as_document(values), ensure_ascii=False, allow_nan=False))


def as_document(values: Measurements) -> dict[str, Any]:
    """Return `{measures, queries, strategies: {name: {mean, per_query}}}`, ready for JSON."""
    return {
        "measures": list(values.measures),
        "queries": len(values.query_ids),
        "strategies": {name: _strategy(values, name) for name in values.strategies},
    }


def _strategy(values: Measurements, name: str) -> dict[str, Any]:
    return {
        "mean": {key: _number(values.mean(key, name)) for key in values.measures},
        "per_query": {
            key: dict(
                zip(values.query_ids, map(_number, values.vector(key, name).tolist()), strict=True)
            )
            for key in values.measures
        },
    }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
