"""Configuration: YAML to checked records, with every problem reported at once."""

from rageval.config.loading import LoadedConfig, check_config, load_config
from rageval.config.models import EvaluationConfig
from rageval.config.vocabulary import Vocabulary

__all__ = ["EvaluationConfig", "LoadedConfig", "Vocabulary", "check_config", "load_config"]
