"""Tables for spreadsheets: CSV as UTF-8 with BOM and CRLF, numbers at full precision.

A text that a spreadsheet would run as a formula gets an apostrophe in front; numbers stay
numbers, and a number that does not exist is an empty cell.
"""

from __future__ import annotations

import codecs
import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any

from rageval.data import Comparison, DatasetResult, EvaluationResult

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_COMPARISON = tuple(field.name for field in fields(Comparison))
_numbers = attrgetter(*_COMPARISON)


def per_query_csv(result: EvaluationResult) -> bytes:
    """Write every value: a row per dataset, query and strategy, a column per measure.

    Columns: dataset, query_id, query (its text), `attribute.NAME` for each attribute, strategy,
    then the measures under their keys.
    """
    attributes = _attributes(result)
    measures = [measure.key for measure in result.measures]
    named = [f"attribute.{name}" for name in attributes]
    header = ["dataset", "query_id", "query", *named, "strategy", *measures]
    return _csv(header, _value_rows(result, attributes, measures))


def _attributes(result: EvaluationResult) -> list[str]:
    return list(dict.fromkeys(name for d in result.datasets for name in d.attributes))


def _value_rows(
    result: EvaluationResult, attributes: Sequence[str], measures: Sequence[str]
) -> Iterator[list[Any]]:
    for dataset in result.datasets:
        cube = dataset.measurements
        values = cube.values[[cube.measures.index(m) for m in measures]]
        for i, query_id in enumerate(cube.query_ids):
            about = _about(dataset, query_id, attributes)
            for strategy, row in zip(cube.strategies, values[:, :, i].T.tolist(), strict=True):
                yield [*about, strategy, *row]


def _about(dataset: DatasetResult, query_id: str, attributes: Sequence[str]) -> list[str]:
    told = (dataset.attributes.get(name, {}).get(query_id, "") for name in attributes)
    return [dataset.name, query_id, dataset.texts.get(query_id, ""), *told]


def comparisons_csv(result: EvaluationResult) -> bytes:
    """Write every comparison: planned contrasts, all pairs, and slices.

    Columns: dataset, set (`planned`, `all pairs` or `slice`), attribute and value (of a slice),
    then the fields of `rageval.data.Comparison`; difference = b - a.
    """
    header = ["dataset", "set", "attribute", "value", *_COMPARISON]
    return _csv(header, (row for d in result.datasets for row in _comparison_rows(d)))


def _comparison_rows(dataset: DatasetResult) -> Iterator[list[Any]]:
    for comparison in dataset.planned:
        yield [dataset.name, "planned", "", "", *_numbers(comparison)]
    for comparison in dataset.comparisons:
        yield [dataset.name, "all pairs", "", "", *_numbers(comparison)]
    for piece in dataset.slices:
        about = [dataset.name, "slice", piece.attribute, piece.value]
        yield [*about, *_numbers(piece.comparison)]


def _csv(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([guarded(cell) for cell in header])
    writer.writerows([_cell(cell) for cell in row] for row in rows)
    return codecs.BOM_UTF8 + text.getvalue().encode("utf-8", "backslashreplace")


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return guarded(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return value


def guarded(text: str) -> str:
    """Keep a spreadsheet from running a text as a formula."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
