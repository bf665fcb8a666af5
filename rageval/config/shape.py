"""From plain data to the records, with pydantic's complaints in plain words."""

from __future__ import annotations

import copy
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from rageval.config.faults import Fault, Loc
from rageval.config.models import BY_DATASET, ONE, REPEATS, EvaluationConfig
from rageval.errors import did_you_mean

_SHOWN = 60
_ROUNDS = 5
"""Repairs may uncover further faults, such as inside a part that had the wrong type."""


def shape(
    data: dict[str, Any], written: Mapping[Loc, str]
) -> tuple[EvaluationConfig | None, list[Fault]]:
    """Validate plain data against the records.

    Returns the record and every fault. Where there are faults the record is made from what is
    left without them, so that the rest can still be checked; `independent` tells which later
    faults are only their consequence. `written` holds the texts to show in place of expanded
    ones.
    """
    faults: list[Fault] = []
    rest = copy.deepcopy(data)
    for _ in range(_ROUNDS):
        try:
            return EvaluationConfig.model_validate(rest), faults
        except ValidationError as error:
            details = [_untagged(d) for d in _worth_telling(error.errors(include_url=False))]
        faults.extend(_translated(detail, data, written) for detail in details)
        for detail in reversed(details):
            _repair(rest, detail["loc"])
    return None, faults


def _untagged(detail: ErrorDetails) -> ErrorDetails:
    loc = tuple(part for part in detail["loc"] if part not in (ONE, REPEATS, BY_DATASET))
    return {**detail, "loc": loc}


def _worth_telling(details: list[ErrorDetails]) -> list[ErrorDetails]:
    # A list whose entries are wrong counts as too short as well, which is no news.
    return [d for d in details if d["type"] != "too_short" or not d["input"]]


def _translated(detail: ErrorDetails, data: Any, written: Mapping[Loc, str]) -> Fault:
    loc = detail["loc"]
    if len(loc) > 2 and loc[:2] == _CONTRASTS and detail["type"] in _NOT_A_PAIR:
        return Fault(loc[:3], "a contrast should be two names of strategies", "write [a, b]")
    if detail["type"] == "missing":
        meaning = record_at(loc[:-1]).model_fields[str(loc[-1])].description or ""
        return Fault(loc, f"{str(loc[-1])!r} is missing", meaning.rstrip("."))
    if detail["type"] == "extra_forbidden":
        hint = did_you_mean(str(loc[-1]), record_at(loc[:-1]).model_fields)
        return Fault(loc, f"unknown key {str(loc[-1])!r}", hint)
    got = _shown(written.get(loc, _at(data, loc)))
    key = next((part for part in reversed(loc) if isinstance(part, str)), "the configuration")
    hint = _RUNS_HINT if key == "runs" else _literal_hint(detail, data)
    return Fault(loc, f"{key} {_requirement(detail)}, got {got}", hint)


_CONTRASTS = ("comparison", "contrasts")
_RUNS_HINT = "a file for each dataset, or a list of repeated runs; one file alone is `run: path`"
_NOT_A_PAIR = {"missing", "too_long", "too_short", "tuple_type"}

_REQUIREMENTS: dict[str, str] = {
    "int_parsing": "should be a whole number",
    "int_type": "should be a whole number",
    "int_from_float": "should be a whole number",
    "int_parsing_size": "should be a smaller whole number",
    "float_parsing": "should be a number",
    "float_type": "should be a number",
    "finite_number": "should be a finite number",
    "bool_parsing": "should be true or false",
    "bool_type": "should be true or false",
    "string_type": "should be text",
    "string_too_short": "should not be empty",
    "string_too_long": "should have at most {max_length} characters",
    "tuple_type": "should be a list",
    "list_type": "should be a list",
    "dict_type": "should be a block of keys and values",
    "model_type": "should be a block of keys and values",
    "literal_error": "should be {expected}",
    "greater_than": "should be greater than {gt:g}",
    "greater_than_equal": "should be at least {ge:g}",
    "less_than": "should be less than {lt:g}",
    "less_than_equal": "should be at most {le:g}",
    "too_short": "should have at least {min_length} entries",
    "too_long": "should have at most {max_length} entries",
}
_ENTRY_COUNTS = {"should have at least 1 entries": "should have at least one entry"}


def _requirement(detail: ErrorDetails) -> str:
    if detail["type"] == "string_pattern_mismatch":
        return _pattern_in_words(detail["loc"])
    template = _REQUIREMENTS.get(detail["type"])
    if template is None:
        return f"is not right: {detail['msg']}"
    text = template.format_map(detail.get("ctx", {}))
    return _ENTRY_COUNTS.get(text, text)


def _pattern_in_words(loc: Loc) -> str:
    if loc == ("name",):
        return (
            "should be up to 100 letters, digits, dots, dashes and underscores, "
            "and begin with a letter or digit"
        )
    if loc[-1] in ("accent", "accent_dark"):
        return 'should be a colour such as "#12436d"'
    return "should be a name of letters, digits and underscores"


def _literal_hint(detail: ErrorDetails, data: Any) -> str:
    value = _at(data, detail["loc"])
    if detail["type"] != "literal_error" or not isinstance(value, str):
        return ""
    hint = did_you_mean(value, detail["ctx"]["expected"].replace("'", "").split(" or "))
    return hint if hint.startswith("did you mean") else ""


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "a block of keys and values"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}" if value else "an empty list"
    if value is None:
        return "nothing"
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def record_at(loc: Loc) -> type[BaseModel]:
    """Return the record that a place in a configuration belongs to."""
    record: type[BaseModel] = EvaluationConfig
    for part in loc:
        if isinstance(part, str) and part in record.model_fields:
            record = _record_in(record.model_fields[part].annotation) or record
    return record


def _record_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        return annotation if issubclass(annotation, BaseModel) else None
    parts = (_record_in(part) for part in typing.get_args(annotation))
    return next((record for record in parts if record), None)


def _at(data: Any, loc: Sequence[str | int]) -> Any:
    for part in loc:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return data
    return data


# What stands in for a required value that is missing or wrong. Nothing that is said about it
# reaches the user: the fault that it repairs is already reported for the same place.
_STAND_INS: dict[str, Callable[[Loc], Any]] = {
    "path": lambda loc: f"missing-{loc}",
    "name": lambda loc: "-".join(("missing", *map(str, loc))),
    "strategies": lambda loc: [_STAND_INS["entry of strategies"]((*loc, 0))],
    "entry of strategies": lambda loc: {"name": f"missing-{loc}"},
    "entry of datasets": lambda loc: {"path": f"missing-{loc}"},
}


def _repair(data: Any, loc: Loc) -> None:
    """Take a faulty value out, or put a stand-in where the records require one."""
    parent, key = _parent(data, loc)
    if isinstance(parent, list):
        stand_in = _STAND_INS.get(f"entry of {loc[-2]}")
        if stand_in:
            parent[key] = stand_in(loc)
        else:
            _repair(data, loc[:-1])
    elif isinstance(parent, dict):
        parent.pop(key, None)
        if key in _STAND_INS:
            parent[key] = _STAND_INS[key](loc)


def _parent(data: Any, loc: Loc) -> tuple[Any, Any]:
    """Return the innermost list or mapping that holds the place, and its key there."""
    for part in loc[:-1]:
        inside = data.get(part) if isinstance(data, dict) else data[part]
        if not isinstance(inside, list | dict):
            return data, part
        data = inside
    return data, loc[-1]
