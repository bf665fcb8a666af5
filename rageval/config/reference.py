"""The table of keys in docs/config.md: `python -m rageval.config.reference` prints it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from rageval.config import models

_PARTS: tuple[tuple[str, type[BaseModel]], ...] = (
    ("An evaluation", models.EvaluationConfig),
    ("`dataset`, and each of `datasets`", models.DatasetSpec),
    ("Each of `strategies`", models.StrategySpec),
    ("`run`, and each of `runs`", models.RunSpec),
    ("`documents`", models.DocumentsSpec),
    ("`comparison`", models.ComparisonSpec),
    ("`report`", models.ReportSpec),
    ("`brand` in `report`", models.BrandSpec),
)


def reference() -> str:
    """Return a table of keys, defaults and meanings for each part of a configuration."""
    return "\n".join(_table(title, record) for title, record in _PARTS)


def _table(title: str, record: type[BaseModel]) -> str:
    rows = [
        f"| `{name}` | {_default(field)} | {(field.description or '').replace('|', '/')} |"
        for name, field in record.model_fields.items()
    ]
    head = f"### {title}\n\n{' '.join((record.__doc__ or '').split())}\n"
    return "\n".join([head, "| key | default | meaning |", "|---|---|---|", *rows, ""])


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if value is None or value in ("", (), {}) or isinstance(value, BaseModel):
        return ""
    return f"`{_written(value)}`"


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_entries(value))}]"
    return value if isinstance(value, str) else json.dumps(value)


def _entries(values: tuple[Any, ...]) -> Iterator[str]:
    return (_written(value) for value in values)


if __name__ == "__main__":
    print(reference())
