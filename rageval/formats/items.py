"""The documents that a JSON entry lists: ids, objects with an id and a number, or a mapping."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rageval.formats.ids import ID_HINT, id_text, not_an_id
from rageval.formats.keys import ABSENT, Keys
from rageval.formats.names import looked_for


class UnfitError(ValueError):
    """Why an entry or an item cannot be read; `hint` says what would be right."""

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(what)
        self.hint = hint


def listed(value: object, keys: Keys, lists: str, number: str) -> Iterator[tuple[object, object]]:
    """Yield (id, number) of each document in a list, a mapping, or a lone id.

    `number` is our name of what stands beside an id: `score` or `grade`. It is `ABSENT` where the
    file gives none. Neither is checked here.
    """
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, list):
        for item in value:
            yield _pair(item, keys, lists, number) if isinstance(item, Mapping) else (item, ABSENT)
    else:
        yield value, ABSENT


def _pair(item: Mapping[str, object], keys: Keys, lists: str, number: str) -> tuple[object, object]:
    doc = keys.in_item("doc_id", lists, item)
    if doc is ABSENT:
        names = ", ".join(map(repr, item)) or "none"
        raise UnfitError(
            f"no document id in an item of {lists}; its keys: {names}",
            f"looked for {looked_for('doc_id')}; `columns` can name another",
        )
    return doc, keys.in_item(number, lists, item)


def checked_id(value: object) -> str:
    """Return an id as text, or raise `UnfitError`."""
    if type(value) is str and value:  # the common case: a million ids pass here
        return value
    text = id_text(value)
    if text is None:
        raise UnfitError(not_an_id(value), ID_HINT)
    return text


def beside(value: object, pairs: list[tuple[object, object]], what: str) -> list[object]:
    """Return a list of numbers that stands beside a list of documents, one for each."""
    if not isinstance(value, list) or len(value) != len(pairs):
        size = len(value) if isinstance(value, list) else "no list"
        raise UnfitError(f"{what}: {size} for {len(pairs)} documents", "one for each document")
    return value
