"""`rageval compare`: read, compare, and print a table or JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from rageval.cli.compare_table import Compared, show_compared
from rageval.cli.findings import say_finding
from rageval.cli.status import DONE, say
from rageval.cli.values import values_of
from rageval.config.models import ComparisonSpec
from rageval.data import Comparison, Measurements
from rageval.errors import InputError
from rageval.evaluation.values import compare_values
from rageval.formats.values import Values

FIELDS = (
    *("a", "b", "measure", "n", "mean_a", "mean_b", "mean_difference", "ci_low", "ci_high"),
    *("statistic", "df", "p_value", "p_adjusted", "d_z", "g_z", "wins", "ties", "losses"),
    *("finding", "test", "correction", "family_size", "p_check", "within_margin", "note"),
)
"""What a row of the JSON holds, beside the dataset."""
SHOWN_MEASURES = 8


def show_comparisons(
    files: Sequence[str],
    measures: Sequence[str],
    spec: ComparisonSpec,
    *,
    seed: int,
    baseline: str | None,
    as_json: bool,
) -> int:
    """Print what comparing the strategies found, and return the exit status."""
    values = values_of(files, measures)
    compared = [
        Compared(name, cube, compare_values(cube, spec, seed=seed, baseline=baseline))
        for name, cube in values.datasets
        if _several(name, cube)
    ]
    for finding in values.findings:
        say_finding(finding)
    if not measures:
        _say_measures(values)
    if as_json:
        print(json.dumps(rows_of(compared), ensure_ascii=False, allow_nan=False, indent=1))
    else:
        show_compared(compared, spec)
    return DONE


def _several(dataset: str, cube: Measurements) -> bool:
    if len(cube.strategies) > 1:
        return True
    of = f" of {dataset!r}" if dataset else ""
    raise InputError(f"the values{of} are of one strategy only", hint="a comparison needs two")


def _say_measures(values: Values) -> None:
    """Say which measures were chosen, where the files hold more."""
    chosen = values.datasets[0][1].measures
    others = [name for name in values.available if name not in chosen]
    if others:
        more = ", ..." if len(others) > SHOWN_MEASURES else ""
        held = f"{len(others)} more: {', '.join(others[:SHOWN_MEASURES])}{more}"
        say(f"note: compared on {', '.join(chosen)} only; --measure chooses others ({held})")


def rows_of(compared: Sequence[Compared]) -> list[dict[str, Any]]:
    """Return a row per comparison, ready for JSON; a number that does not exist is null."""
    return [_row(part.dataset, comparison) for part in compared for comparison in part.comparisons]


def _row(dataset: str, comparison: Comparison) -> dict[str, Any]:
    row = {name: _plain(getattr(comparison, name)) for name in FIELDS}
    return {**row, "dataset": dataset or None}


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
