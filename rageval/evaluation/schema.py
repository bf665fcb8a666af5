"""Print the JSON Schema of configurations: `python -m rageval.evaluation.schema`."""

from __future__ import annotations

from rageval.config.models import EvaluationConfig
from rageval.config.schema import schema_text
from rageval.evaluation.plan import vocabulary
from rageval.measures import MEASURES


def current_schema() -> str:
    """Return the schema with the names that this installation knows."""
    examples = (f"{m.name}@10" if m.cutoff != "none" else m.name for m in MEASURES)
    defaults = EvaluationConfig.model_fields["measures"].default
    return schema_text(vocabulary(), [*defaults, *examples])


if __name__ == "__main__":
    print(current_schema(), end="")
