"""The pure pipeline from a configuration to a result."""

from rageval.evaluation.conclude import DatasetParts, conclude
from rageval.evaluation.pipeline import evaluate, require_any, utc_now
from rageval.evaluation.plan import Evaluation, load
from rageval.evaluation.score import Scores, score
from rageval.evaluation.stages import (
    compare_measure,
    gather,
    judge_strategy,
    load_dataset,
    measure_families,
    measure_strategy,
)

__all__ = [
    "DatasetParts",
    "Evaluation",
    "Scores",
    "compare_measure",
    "conclude",
    "evaluate",
    "gather",
    "judge_strategy",
    "load",
    "load_dataset",
    "measure_families",
    "measure_strategy",
    "require_any",
    "score",
    "utc_now",
]
