"""`results.json`: everything that a report shows, to be read by other programs and by us again.

The keys are the fields of the records in `rageval.data.result`; docs/results.md lists them. A
number that does not exist is null, numbers have full precision, and the values stand in lists
on the query axis (`query_ids`).
"""

from __future__ import annotations

import json
import math
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any

import numpy as np

from rageval.data import EvaluationResult, Measurements
from rageval.errors import InputError

SCHEMA_VERSION = 1
"""Raised when a reader of an earlier version would misread the file."""

_ONE_LINE = 120
_INFINITE = {"Infinity": math.inf, "-Infinity": -math.inf}


def to_json(result: EvaluationResult) -> bytes:
    """Write a result as strict JSON in UTF-8; the same result gives the same bytes."""
    document = {"schema_version": SCHEMA_VERSION, **_plain(result)}
    # A lone surrogate, which a JSON input may hold, is no UTF-8; its escape is JSON again.
    return f"{_pretty(document)}\n".encode("utf-8", "backslashreplace")


def from_json(data: bytes) -> EvaluationResult:
    """Read a result back, so that it renders the same report.

    Raises `InputError` for what is no `results.json`, or one of a later version.
    """
    try:
        document = json.loads(data)
        version = document["schema_version"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"not a results.json: {_reason(error)}") from None
    if version != SCHEMA_VERSION:
        hint = f"this rageval reads version {SCHEMA_VERSION}"
        raise InputError(f"results.json has schema version {version!r}", hint=hint)
    try:
        result = _built(EvaluationResult, document, "results")
    except (ValueError, KeyError, TypeError, AttributeError, AssertionError) as error:
        raise InputError(f"results.json is damaged: {_reason(error)}") from None
    assert isinstance(result, EvaluationResult)
    return result


def _reason(error: Exception) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)


# --- records to plain values


def _plain(value: Any) -> Any:
    if isinstance(value, Measurements):
        return _cube(value)
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return _number(value) if isinstance(value, float) else value


def _cube(cube: Measurements) -> dict[str, Any]:
    return {
        "query_ids": list(cube.query_ids),
        "strategies": list(cube.strategies),
        "means": {
            measure: {s: _number(cube.mean(measure, s)) for s in cube.strategies}
            for measure in cube.measures
        },
        "values": {
            measure: {
                strategy: [_number(v) for v in cube.vector(measure, strategy).tolist()]
                for strategy in cube.strategies
            }
            for measure in cube.measures
        },
    }


def _number(value: float) -> float | str | None:
    if math.isfinite(value):
        return value
    return None if math.isnan(value) else f"{'-' if value < 0 else ''}Infinity"


# --- plain values to text


def _pretty(value: Any, indent: str = "") -> str:
    """Write JSON with a line per key, lists of scalars and small objects in one line."""
    if not isinstance(value, dict | list) or _is_flat(value):
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        if not isinstance(value, dict) or len(text) <= _ONE_LINE:
            return text
    inner = indent + " "
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    parts = f",\n{inner}".join(_parts(value, inner))
    return f"{opening}\n{inner}{parts}\n{indent}{closing}"


def _parts(value: dict[str, Any] | list[Any], indent: str) -> Iterator[str]:
    if isinstance(value, list):
        yield from (_pretty(item, indent) for item in value)
        return
    for key, item in value.items():
        yield f"{json.dumps(key, ensure_ascii=False)}: {_pretty(item, indent)}"


def _is_flat(value: dict[str, Any] | list[Any]) -> bool:
    items = value.values() if isinstance(value, dict) else value
    return not any(isinstance(item, dict | list) for item in items)


# --- plain values to records


def _built(kind: Any, value: Any, place: str) -> Any:
    """Make a value of the annotated kind from its plain form."""
    if kind is Measurements:
        return _cube_back(value)
    if is_dataclass(kind):
        return _record(kind, value, place)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return _tuple(arguments, value, place)
    if origin is Mapping or origin is dict:
        _require(isinstance(value, dict), place, "an object")
        return {k: _built(arguments[1], v, f"{place}.{k}") for k, v in value.items()}
    if origin in (types.UnionType, typing.Union):
        if value is None:
            return None
        return _built(next(a for a in arguments if a is not type(None)), value, place)
    return _scalar(kind, arguments, value, place)


def _record(kind: Any, value: Any, place: str) -> Any:
    _require(isinstance(value, dict), place, "an object")
    hints = _hints(kind)
    return kind(
        **{
            f.name: _built(hints[f.name], value[f.name], f"{place}.{f.name}")
            for f in fields(kind)
            if f.name in value or (f.default is MISSING and f.default_factory is MISSING)
        }
    )


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _tuple(arguments: tuple[Any, ...], value: Any, place: str) -> tuple[Any, ...]:
    _require(isinstance(value, list), place, "a list")
    kinds = [arguments[0]] * len(value) if arguments[-1] is Ellipsis else list(arguments)
    _require(len(kinds) == len(value), place, f"a list of {len(kinds)}")
    pairs = enumerate(zip(kinds, value, strict=True))
    return tuple(_built(kind, item, f"{place}[{i}]") for i, (kind, item) in pairs)


def _scalar(kind: Any, choices: tuple[Any, ...], value: Any, place: str) -> Any:
    if choices:  # a Literal
        _require(value in choices, place, f"one of {choices}")
    elif kind is float:
        return _float_back(value, place)
    elif kind in (str, int, bool):
        _require(type(value) is kind, place, kind.__name__)
    return value


def _float_back(value: Any, place: str) -> float:
    if value is None:
        return math.nan
    if isinstance(value, str) and value in _INFINITE:
        return _INFINITE[value]
    _require(isinstance(value, int | float) and not isinstance(value, bool), place, "a number")
    return float(value)


def _cube_back(value: Any) -> Measurements:
    values = value["values"]
    strategies = tuple(value["strategies"])
    query_ids = tuple(value["query_ids"])
    rows = [[values[measure][s] for s in strategies] for measure in values]
    array = np.array(rows, dtype=np.float64)
    shape = (len(values), len(strategies), len(query_ids))
    return Measurements(tuple(values), strategies, query_ids, array.reshape(shape))


def _require(condition: bool, place: str, what: str) -> None:
    if not condition:
        raise ValueError(f"{place} should be {what}")
