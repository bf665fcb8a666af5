"""Make the schema and the table of keys: `python -m rageval.report.schema.generate`.

Both come from the fields of the records and the texts that stand under them, so that neither can
say something else than the code.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from rageval.data import EvaluationResult, Measurements
from rageval.report.results_json import SCHEMA_VERSION

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FILE = Path(__file__).with_name("results.schema.json")

_NUMBER = {
    "description": "A number at full precision; null where it does not exist.",
    "anyOf": [{"type": ["number", "null"]}, {"enum": ["Infinity", "-Infinity"]}],
}
_NUMBER_REF = {"$ref": "#/$defs/number"}
_PLAIN = {str: "string", int: "integer", bool: "boolean"}


def results_schema() -> dict[str, Any]:
    """Return the JSON Schema of `results.json`."""
    parts: dict[str, Any] = {"number": _NUMBER, "Measurements": _cube()}
    _schema(EvaluationResult, parts)
    record = parts.pop("EvaluationResult")
    version = {"description": "Version of this layout.", "const": SCHEMA_VERSION}
    record["properties"] = {"schema_version": version, **record["properties"]}
    record["required"].insert(0, "schema_version")
    return {"$schema": DIALECT, "title": "rageval results", **record, "$defs": parts}


def keys_in_markdown() -> str:
    """Return a table of keys for each record, in the order of the schema."""
    schema = results_schema()
    records = {"The file": schema, **schema["$defs"]}
    tables = (_table(name, record) for name, record in records.items() if "properties" in record)
    return "\n".join(tables)


def _schema(kind: Any, parts: dict[str, Any]) -> dict[str, Any]:
    if is_dataclass(kind):
        return _record_ref(typing.cast("type", kind), parts)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return _list(arguments, parts)
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema(arguments[1], parts)}
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [_schema(argument, parts) for argument in arguments]}
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    return _scalar(kind)


def _scalar(kind: Any) -> dict[str, Any]:
    if kind is type(None):
        return {"type": "null"}
    if kind is float:
        return dict(_NUMBER_REF)
    return {"type": _PLAIN[kind]} if kind in _PLAIN else {}


def _list(arguments: tuple[Any, ...], parts: dict[str, Any]) -> dict[str, Any]:
    if arguments[-1] is Ellipsis:
        return {"type": "array", "items": _schema(arguments[0], parts)}
    length = len(arguments)
    items = [_schema(argument, parts) for argument in arguments]
    return {"type": "array", "prefixItems": items, "minItems": length, "maxItems": length}


def _record_ref(kind: type, parts: dict[str, Any]) -> dict[str, Any]:
    if kind.__name__ not in parts:
        parts[kind.__name__] = {}  # holds the place while the record's own parts are made
        hints, told = typing.get_type_hints(kind), _texts(kind)
        properties = {
            field.name: {**told.get(field.name, {}), **_schema(hints[field.name], parts)}
            for field in fields(kind)
        }
        parts[kind.__name__] = _object(inspect.getdoc(kind) or "", properties)
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _object(description: str, properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "description": " ".join(description.split()),
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _texts(kind: type) -> dict[str, dict[str, str]]:
    """Return the text under each field of a record, as its description."""
    (record,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(record, ast.ClassDef)
    told = {}
    for field, text in zip(record.body, record.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
            words = str(ast.literal_eval(text.value))
            told[ast.unparse(field.target)] = {"description": " ".join(words.split())}
    return told


def _cube() -> dict[str, Any]:
    by_strategy = {"type": "object", "additionalProperties": {"type": "array"}}
    by_strategy["additionalProperties"]["items"] = _NUMBER_REF  # type: ignore[index]
    texts = {"type": "array", "items": {"type": "string"}}
    means = {"type": "object", "additionalProperties": _NUMBER_REF}
    return _object(
        inspect.getdoc(Measurements) or "",
        {
            "query_ids": {"description": "The query axis: every judged query.", **texts},
            "strategies": {"description": "The strategies that were evaluated.", **texts},
            "means": {
                "description": "measure -> strategy -> mean over the queries where it exists.",
                "type": "object",
                "additionalProperties": means,
            },
            "values": {
                "description": "measure -> strategy -> one value per query, along `query_ids`.",
                "type": "object",
                "additionalProperties": by_strategy,
            },
        },
    )


def _table(name: str, record: Mapping[str, Any]) -> str:
    rows = [
        f"| `{key}` | {_type(part)} | {part.get('description', '').replace('|', chr(92) + '|')} |"
        for key, part in record["properties"].items()
    ]
    intro = f"### {name}\n\n{record['description']}\n"
    return "\n".join([intro, "| key | type | meaning |", "|---|---|---|", *rows, ""])


def _type(part: Mapping[str, Any]) -> str:
    """Name a type in words."""
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if "anyOf" in part:
        return " or ".join(_type(choice) for choice in part["anyOf"])
    if "enum" in part or "const" in part:
        values = part.get("enum", [part.get("const")])
        return ", ".join(f"`{json.dumps(value)}`" for value in values)
    if part.get("type") == "array":
        return f"list of {_type(part['items'])}" if "items" in part else "pair"
    if "additionalProperties" in part:
        return f"object of {_type(part['additionalProperties'])}"
    return str(part.get("type", "any"))


if __name__ == "__main__":
    text = json.dumps(results_schema(), indent=1, ensure_ascii=False)
    FILE.write_text(f"{text}\n", encoding="utf-8")
    print(keys_in_markdown())
