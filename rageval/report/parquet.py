"""Tidy tables as Parquet: one value a row, and one comparison a row, at full precision.

A number that does not exist is null. The same result gives the same bytes with the same pyarrow.
"""

from __future__ import annotations

import io
import json
import math
import typing
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pyarrow as pa

from rageval.data import Comparison, DatasetResult, EvaluationResult
from rageval.errors import RenderError

_TYPES = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
_NAMES = pa.dictionary(pa.int32(), pa.string())


def values_parquet(result: EvaluationResult) -> bytes:
    """Write every value: a row per dataset, query, strategy and measure.

    Columns: dataset, query_id, query (its text), `attribute.NAME` for each attribute, strategy,
    measure (its key), value.
    """
    attributes = list(dict.fromkeys(name for d in result.datasets for name in d.attributes))
    schema = pa.schema(
        [
            ("dataset", _NAMES),
            ("query_id", pa.string()),
            ("query", pa.string()),
            *((f"attribute.{_text(name)}", _NAMES) for name in attributes),
            ("strategy", _NAMES),
            ("measure", _NAMES),
            ("value", pa.float64()),
        ]
    )
    tables = [_values(result, d, attributes, schema) for d in result.datasets]
    return _written(pa.concat_tables([schema.empty_table(), *tables]), result)


def _values(
    result: EvaluationResult, dataset: DatasetResult, attributes: Sequence[str], schema: pa.Schema
) -> pa.Table:
    cube = dataset.measurements
    measures = [measure.key for measure in result.measures]
    n, s, m = len(cube.query_ids), len(cube.strategies), len(measures)
    values = cube.values[[cube.measures.index(key) for key in measures]].transpose(2, 1, 0)
    query = np.arange(n).repeat(s * m)
    given = [[dataset.attributes.get(a, {}).get(q) for q in cube.query_ids] for a in attributes]
    columns = [
        _named([dataset.name], np.zeros(n * s * m, np.int32)),
        _texts(cube.query_ids).take(pa.array(query)),
        _texts([dataset.texts.get(q) for q in cube.query_ids]).take(pa.array(query)),
        *(_texts(told).dictionary_encode().take(pa.array(query)) for told in given),
        _named(cube.strategies, np.tile(np.arange(s).repeat(m), n)),
        _named(measures, np.tile(np.arange(m), n * s)),
        pa.array(values.ravel(), from_pandas=True),
    ]
    return pa.table(columns, schema=schema)


def comparisons_parquet(result: EvaluationResult) -> bytes:
    """Write every comparison: planned contrasts, all pairs, and slices.

    Columns: dataset, set (`planned`, `all pairs` or `slice`), attribute and value (of a slice),
    then the fields of `rageval.data.Comparison`; difference = b - a.
    """
    rows = [row for dataset in result.datasets for row in _comparisons(dataset)]
    types = dict.fromkeys(_ABOUT, pa.string()) | _comparison_types()
    columns = {name: _column([row[name] for row in rows], kind) for name, kind in types.items()}
    return _written(pa.table(columns), result)


def _column(cells: Sequence[Any], kind: pa.DataType) -> pa.Array:
    try:
        return pa.array([_cell(cell) for cell in cells], kind)
    except OverflowError:  # no count of ours is; a results.json may come from anywhere
        raise RenderError("a whole number in the comparisons is larger than 64 bits") from None


_ABOUT = ("dataset", "set", "attribute", "value")


def _comparisons(dataset: DatasetResult) -> list[dict[str, Any]]:
    made: list[tuple[tuple[str | None, ...], Comparison]] = [
        *((("planned", None, None), c) for c in dataset.planned),
        *((("all pairs", None, None), c) for c in dataset.comparisons),
        *((("slice", p.attribute, p.value), p.comparison) for p in dataset.slices),
    ]
    return [
        dict(zip(_ABOUT, (dataset.name, *about), strict=True))
        | {field.name: getattr(comparison, field.name) for field in fields(comparison)}
        for about, comparison in made
    ]


def _comparison_types() -> dict[str, pa.DataType]:
    """Return field -> type; text for the words that a field may hold, and what may be absent."""
    hints = typing.get_type_hints(Comparison)
    return {field.name: _type(hints[field.name]) for field in fields(Comparison)}


def _type(hint: Any) -> pa.DataType:
    kinds = [kind for kind in (hint, *typing.get_args(hint)) if kind in _TYPES]
    return _TYPES[kinds[0]] if kinds else pa.string()


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    absent = value is None or (isinstance(value, float) and math.isnan(value))
    return None if absent else value


def _text(text: str) -> str:
    """Write a lone surrogate, which is no UTF-8, as an escape."""
    return text.encode("utf-8", "backslashreplace").decode()


def _texts(texts: Sequence[str | None]) -> pa.Array:
    return pa.array([None if t is None else _text(t) for t in texts], pa.string())


def _named(names: Sequence[str], codes: Any) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), _texts(names))


def _written(table: pa.Table, result: EvaluationResult) -> bytes:
    import pyarrow.parquet as pq

    made = result.provenance
    about = {
        "evaluation": result.name,
        "run_id": made.run_id,
        "created": made.created,
        "primary": result.primary,
    }
    metadata = {b"rageval": json.dumps(about).encode()}
    file = io.BytesIO()
    unified = table.unify_dictionaries().replace_schema_metadata(metadata)
    pq.write_table(unified, file, compression="zstd")
    return file.getvalue()
