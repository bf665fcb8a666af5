"""Configuration: YAML to checked records, with every problem reported at once."""

from typing import TYPE_CHECKING

from rageval.exports import exported_from

if TYPE_CHECKING:
    from rageval.config.loading import LoadedConfig as LoadedConfig
    from rageval.config.loading import check_config as check_config
    from rageval.config.loading import load_config as load_config
    from rageval.config.models import EvaluationConfig as EvaluationConfig
    from rageval.config.vocabulary import Vocabulary as Vocabulary

__all__ = ["EvaluationConfig", "LoadedConfig", "Vocabulary", "check_config", "load_config"]

__getattr__ = exported_from(
    __name__,
    {
        "EvaluationConfig": "rageval.config.models",
        "LoadedConfig": "rageval.config.loading",
        "Vocabulary": "rageval.config.vocabulary",
        "check_config": "rageval.config.loading",
        "load_config": "rageval.config.loading",
    },
)
