"""Ids are text: what may become one, and what may not."""

from __future__ import annotations

import hashlib
import unicodedata

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Bools


def normal_text(text: str) -> str:
    """Return a query text as it is compared: NFC-normalised and stripped."""
    return unicodedata.normalize("NFC", text).strip()


def derived_id(text: str) -> str:
    """Return the stable id of a query that came without one.

    `q-` and the first 12 hex digits of the SHA-256 of the normalised text.
    """
    return "q-" + hashlib.sha256(normal_text(text).encode()).hexdigest()[:12]


def id_text(value: object) -> str | None:
    """Return an id as text: a non-empty string as it is, an integer as decimal text, else None."""
    if isinstance(value, str):
        return value or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return None


def not_an_id(value: object) -> str:
    """Say why a value is no id."""
    if value is None:
        return "null is not an id"
    if value == "":
        return "an empty id"
    kinds = {bool: "a boolean", float: "a fractional number", list: "a list", dict: "an object"}
    kind = kinds.get(type(value), type(value).__name__)
    return f"{shortened(value)} is {kind}, not an id"


ID_HINT = "ids are text or whole numbers"


def shortened(value: object) -> str:
    """Return a value as a message shows it: quoted, and cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def id_column(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Return a column of ids as strings, or None where its type cannot hold ids."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    if pa.types.is_string(kind):
        return column
    if pa.types.is_integer(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return column.cast(pa.string())
    return None


def bad_ids(column: pa.ChunkedArray) -> Bools:
    """Return which ids of a string column are null or empty; (rows,)."""
    import pyarrow.compute as pc

    if not column.null_count:
        lengths = pc.binary_length(column)
        return np.asarray(pc.equal(lengths, 0).to_numpy())
    return np.asarray(pc.fill_null(pc.equal(pc.binary_length(column), 0), True).to_numpy())
