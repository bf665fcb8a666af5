"""Query attributes: what else a file says about a query, for slices."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rageval.formats.names import folded

NEVER_ATTRIBUTES = frozenset(
    {"id", "query_id", "_id", "query", "relevant_docs", "grades", "spans", "metadata"}
)


def attributes_of(entry: Mapping[str, object], used: Collection[str] = ()) -> dict[str, str]:
    """Return the scalars of an entry that are neither used nor reserved, as text.

    Scalars inside an object called `metadata` count too; lists, objects and null do not.
    """
    metadata = entry.get("metadata")
    inner = metadata if isinstance(metadata, Mapping) else {}
    texts = {
        name: _scalar_text(value)
        for name, value in {**inner, **entry}.items()
        if name not in used and folded(name) not in NEVER_ATTRIBUTES
    }
    return {name: text for name, text in texts.items() if text is not None}


def _scalar_text(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) else None
