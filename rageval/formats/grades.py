"""Grades as written -> whole numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Bools, Int32s, Ints
from rageval.errors import InputError
from rageval.formats.faults import Faults
from rageval.formats.ids import shortened
from rageval.formats.number_text import number_of
from rageval.formats.tables import Where

_LARGEST = 2**31 - 1
_HINT = "grades are whole numbers; `grade_map` can map other codes"


def grades_of(
    column: pa.Array | pa.ChunkedArray, grade_map: Mapping[str, int], faults: Faults, where: Where
) -> tuple[Int32s, Bools]:
    """Return grades and which rows have one; the others go to `faults`.

    A grade is a whole number (`1.0` is 1), or what `grade_map` says for the code as written. With
    a map every code must stand in it, so that no unmapped code passes as a grade of its own.
    """
    _check_map(grade_map, where)
    values, codes = _distinct(column)
    known = [_mapped(value, grade_map) if grade_map else _whole(value) for value in values]
    good = np.array([grade is not None for grade in known], bool)[codes]
    for row in np.flatnonzero(~good):
        faults.add(_fault(values[codes[row]], grade_map), where(int(row)), _HINT)
    grades = np.array([grade or 0 for grade in known], np.int32)[codes]
    return grades, good


def _check_map(grade_map: Mapping[str, int], where: Where) -> None:
    for code, grade in grade_map.items():
        if abs(grade) > _LARGEST:
            what = f"`grade_map` maps {code!r} to {grade}, beyond {_LARGEST:,}"
            raise InputError(what, where=where(0).rpartition(":")[0], hint=_HINT)


def _distinct(column: pa.Array | pa.ChunkedArray) -> tuple[list[object], Ints]:
    """Return the distinct values, null among them, and (rows,) the position of each row's."""
    one = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_dictionary(one.type):
        one = one.dictionary_decode()
    if pa.types.is_nested(one.type):  # never a grade, and Arrow cannot tell equal ones
        return one.to_pylist(), np.arange(len(one))
    encoded = one.dictionary_encode(null_encoding="encode")
    return encoded.dictionary.to_pylist(), encoded.indices.to_numpy().astype(np.int64)


def _fault(value: object, grade_map: Mapping[str, int]) -> str:
    if grade_map:
        return f"the grade {shortened(value)} is not in `grade_map`"
    if value is None or value == "":
        return "no grade"
    return f"the grade {shortened(value)} {_kind(number_of(value))}"


def _kind(number: float | None) -> str:
    if number is None:
        return "is not a number"
    if math.isfinite(number) and abs(number) > _LARGEST:
        return f"is not within -{_LARGEST:,} and {_LARGEST:,}"
    return "is not a whole number"


def _mapped(value: object, grade_map: Mapping[str, int]) -> int | None:
    text = value.strip() if isinstance(value, str) else str(value)
    if text in grade_map:
        return grade_map[text]
    whole = _whole(value)
    return None if whole is None else grade_map.get(str(whole))


def _whole(value: object) -> int | None:
    number = number_of(value)
    if number is None or not math.isfinite(number) or number != int(number):
        return None
    return int(number) if abs(number) <= _LARGEST else None
