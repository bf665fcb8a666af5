"""The JSON Schema of configurations, for editors that complete and check YAML."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rageval.config.models import EvaluationConfig
from rageval.config.vocabulary import Vocabulary

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_ABOUT = ("description", "default", "examples")
_FILES = ("RunSpec", "DatasetSpec")


def schema_text(vocabulary: Vocabulary, measures: Sequence[str]) -> str:
    """Return the schema as JSON; `measures` are examples, since cutoffs are free to choose."""
    return json.dumps(config_schema(vocabulary, measures), indent=2, ensure_ascii=False) + "\n"


def config_schema(vocabulary: Vocabulary, measures: Sequence[str]) -> dict[str, Any]:
    """Return the schema of a configuration with the names that may be used in it."""
    schema = EvaluationConfig.model_json_schema()
    parts = schema["$defs"]
    _name_choices(parts, vocabulary)
    for name in ("measures", "primary"):
        schema["properties"][name]["examples"] = list(measures)
    for record in (schema, *parts.values()):
        _drop_titles(record)
        record["properties"] = {k: _one_or_more(part) for k, part in record["properties"].items()}
    for name in _FILES:
        parts[name] = _path_or_record(parts[name])
    return {"$schema": DIALECT, "title": "A rageval evaluation", **schema}


def _name_choices(parts: dict[str, Any], vocabulary: Vocabulary) -> None:
    for record, key, names in (
        ("ComparisonSpec", "test", vocabulary.tests),
        ("ComparisonSpec", "check", vocabulary.tests),
        ("ComparisonSpec", "correction", vocabulary.corrections),
        ("DatasetSpec", "format", vocabulary.dataset_formats),
        ("RunSpec", "format", vocabulary.run_formats),
    ):
        _text_part(parts[record]["properties"][key])["enum"] = list(names)


def _text_part(part: dict[str, Any]) -> dict[str, Any]:
    choices: list[dict[str, Any]] = part.get("anyOf", [part])
    return next(choice for choice in choices if choice["type"] == "string")


def _one_or_more(part: dict[str, Any]) -> dict[str, Any]:
    """Let a list of texts be one text, as the records do."""
    forms = part.get("anyOf", [part])
    texts = [form["items"] for form in forms if _lists_texts(form)]
    if not texts:
        return part
    about = {key: value for key, value in part.items() if key in _ABOUT}
    bare = [{key: form[key] for key in form if key not in about} for form in forms]
    return {**about, "anyOf": [*texts, *bare]}


def _lists_texts(form: dict[str, Any]) -> bool:
    return form.get("type") == "array" and form["items"].get("type") == "string"


def _drop_titles(record: dict[str, Any]) -> None:
    record.pop("title", None)
    for part in record["properties"].values():
        part.pop("title", None)


def _path_or_record(record: dict[str, Any]) -> dict[str, Any]:
    path = {"type": "string", "minLength": 1, "description": "The path alone."}
    return {"description": record.pop("description", ""), "anyOf": [path, record]}
