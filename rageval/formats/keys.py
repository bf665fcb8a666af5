"""Find what an entry of a JSON file holds, by the usual names or by mapped paths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from rageval.formats.names import find_name

ABSENT = object()
"""What stands where an entry has no such key; null is a value."""


def dig(value: object, path: str) -> object:
    """Follow a path such as `node.id` into nested objects; a key that holds a dot comes first."""
    if isinstance(value, dict) and path in value:
        return value[path]
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            return ABSENT
        value = value[key]
    return value


@dataclass(frozen=True)
class Keys:
    """Our names -> paths in the entries and in the items of their lists.

    A mapped path `hits[].node.id` names a list (`hits`) and what its items hold (`node.id`).
    """

    columns: Mapping[str, str]

    def of_entry(self, ours: str, entry: Mapping[str, object]) -> str | None:
        """Return the path of our name in an entry, mapped or as usually spelled."""
        mapped = self.columns.get(ours)
        if mapped is not None:
            return mapped.partition("[]")[0]
        return _usual(ours, tuple(entry))

    def value(self, ours: str, entry: Mapping[str, object]) -> object:
        """Return what an entry holds under our name, or `ABSENT`."""
        path = self.of_entry(ours, entry)
        return ABSENT if path is None else dig(entry, path)

    def in_item(self, ours: str, lists: str, item: Mapping[str, object]) -> object:
        """Return what an item of the list `lists` holds under our name, or `ABSENT`."""
        path = self._item_path(ours, lists)
        if path is None:
            path = _usual(ours, tuple(item))
        return ABSENT if path is None else dig(item, path)

    def _item_path(self, ours: str, lists: str) -> str | None:
        if ours in self.columns:
            return self.columns[ours].partition("[].")[2] or self.columns[ours]
        if ours == "doc_id" and lists in self.columns:
            return self.columns[lists].partition("[].")[2] or None
        return None


@lru_cache(maxsize=1024)
def _usual(ours: str, keys: tuple[str, ...]) -> str | None:
    return find_name(ours, keys)
