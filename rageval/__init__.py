"""Evaluate and compare retrieval strategies for RAG.

`RetrievalEvaluator` evaluates lists in memory; `evaluate` runs a whole configuration. What is
named here loads on first use, so that `import rageval` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rageval.errors import RagevalError as RagevalError
    from rageval.evaluation.pipeline import evaluate as evaluate
    from rageval.evaluator import RetrievalEvaluator as RetrievalEvaluator

    __version__: str

__all__ = ["RagevalError", "RetrievalEvaluator", "__version__", "evaluate"]

_HOMES = {
    "RagevalError": "rageval.errors",
    "RetrievalEvaluator": "rageval.evaluator",
    "evaluate": "rageval.evaluation.pipeline",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module, metadata

    if name == "__version__":
        return metadata.version("rageval")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
