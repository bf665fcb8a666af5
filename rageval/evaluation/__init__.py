"""The pure pipeline from a configuration to a result."""

from typing import TYPE_CHECKING

from rageval.exports import exported_from

if TYPE_CHECKING:
    from rageval.evaluation.conclusion import DatasetParts as DatasetParts
    from rageval.evaluation.conclusion import conclude as conclude
    from rageval.evaluation.pipeline import evaluate as evaluate
    from rageval.evaluation.pipeline import require_any as require_any
    from rageval.evaluation.pipeline import utc_now as utc_now
    from rageval.evaluation.plan import Evaluation as Evaluation
    from rageval.evaluation.plan import load as load
    from rageval.evaluation.scoring import Scores as Scores
    from rageval.evaluation.scoring import score as score
    from rageval.evaluation.stages import compare_measure as compare_measure
    from rageval.evaluation.stages import gather as gather
    from rageval.evaluation.stages import judge_strategy as judge_strategy
    from rageval.evaluation.stages import load_dataset as load_dataset
    from rageval.evaluation.stages import measure_families as measure_families
    from rageval.evaluation.stages import measure_strategy as measure_strategy

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

__getattr__ = exported_from(
    __name__,
    {
        "DatasetParts": "rageval.evaluation.conclusion",
        "conclude": "rageval.evaluation.conclusion",
        "evaluate": "rageval.evaluation.pipeline",
        "require_any": "rageval.evaluation.pipeline",
        "utc_now": "rageval.evaluation.pipeline",
        "Evaluation": "rageval.evaluation.plan",
        "load": "rageval.evaluation.plan",
        "Scores": "rageval.evaluation.scoring",
        "score": "rageval.evaluation.scoring",
        "compare_measure": "rageval.evaluation.stages",
        "gather": "rageval.evaluation.stages",
        "judge_strategy": "rageval.evaluation.stages",
        "load_dataset": "rageval.evaluation.stages",
        "measure_families": "rageval.evaluation.stages",
        "measure_strategy": "rageval.evaluation.stages",
    },
)
