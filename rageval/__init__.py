"""Evaluate and compare retrieval strategies for RAG.

`RetrievalEvaluator` evaluates lists in memory; `evaluate` runs a whole configuration. What is
named here loads on first use, so that `import rageval` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rageval.exports import exported_from

if TYPE_CHECKING:
    from rageval.errors import RagevalError as RagevalError
    from rageval.evaluation import evaluate as evaluate
    from rageval.evaluator import RetrievalEvaluator as RetrievalEvaluator

    __version__: str

__all__ = ["RagevalError", "RetrievalEvaluator", "__version__", "evaluate"]

_HOMES = {
    "RagevalError": "rageval.errors",
    "RetrievalEvaluator": "rageval.evaluator",
    "evaluate": "rageval.evaluation",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib import metadata

        return metadata.version("rageval")
    return exported_from(__name__, _HOMES)(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
