"""Per-query values as `rageval score --json` prints them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rageval.formats.opened import Opened
from rageval.formats.values_table import Block, ValuesTable, strings


def is_scores(opened: Opened) -> bool:
    """Return whether a file is `{"strategies": {name: {"per_query": {measure: ...}}}}`."""
    if opened.json is None or not opened.json.starts_with("{"):
        return False
    value = opened.json.value
    return isinstance(value, dict) and any(True for _ in _per_query(value))


def parse_scores(opened: Opened) -> ValuesTable:
    """Read the values; the means beside them are not needed."""
    assert opened.json is not None
    document = opened.json.value
    assert isinstance(document, dict)
    blocks = (
        _block(opened.path, name, measure, values)
        for name, measures in _per_query(document)
        for measure, values in measures.items()
        if isinstance(values, Mapping)
    )
    return ValuesTable(opened.path, tuple(blocks))


def _per_query(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    strategies = document.get("strategies")
    for name, strategy in strategies.items() if isinstance(strategies, dict) else ():
        if isinstance(strategy, dict) and isinstance(strategy.get("per_query"), dict):
            yield name, strategy["per_query"]


def _block(path: str, strategy: str, measure: str, values: Mapping[str, Any]) -> Block:
    # repr of a float gives all its digits, and lets text be refused as in any other file.
    cells = strings(["" if v is None else str(v) for v in values.values()])
    where = f"{path}: {strategy}, {measure}"
    return Block("", measure, strategy, strings(list(values)), cells, lambda row: where)
