"""The table of measures: add a module here and its measures appear everywhere."""

from __future__ import annotations

from rageval.data.measure import Measure
from rageval.measures import (
    average_precision,
    binary_preference,
    expected_reciprocal_rank,
    ndcg,
    precision_recall,
    rank_biased_precision,
    reciprocal_rank,
)

_MODULES = (
    precision_recall,
    reciprocal_rank,
    ndcg,
    average_precision,
    binary_preference,
    rank_biased_precision,
    expected_reciprocal_rank,
)

MEASURES: tuple[Measure, ...] = tuple(measure for module in _MODULES for measure in module.MEASURES)


def fold(name: str) -> str:
    """Reduce a name to what distinguishes it: case does not, nor a dash for an underscore."""
    return name.casefold().replace("-", "_")


BY_NAME: dict[str, Measure] = {
    fold(name): measure for measure in MEASURES for name in (*measure.aliases, measure.name)
}
"""Every folded name and alias to its measure."""
