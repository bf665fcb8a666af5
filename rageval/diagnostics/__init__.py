"""What is worth knowing about the data before acting on the numbers."""

from rageval.diagnostics.checks import check_dataset, check_strategies
from rageval.diagnostics.details import telling_queries
from rageval.diagnostics.summary import summarise

__all__ = ["check_dataset", "check_strategies", "summarise", "telling_queries"]
