"""A whole file as JSON: a list of entries, an object by id, or an entry a line."""

from __future__ import annotations

from typing import Any

from rageval.formats.json_text import Entries, JsonText
from rageval.formats.opened import Opened


def is_list(opened: Opened) -> bool:
    """Return whether a file is one JSON list."""
    return opened.json is not None and opened.json.starts_with("[")


def is_object(opened: Opened) -> bool:
    """Return whether a file is one JSON object."""
    return opened.json is not None and not opened.json.is_lines and opened.json.starts_with("{")


def is_lines(opened: Opened) -> bool:
    """Return whether a file is JSON Lines."""
    return opened.json is not None and opened.json.is_lines


def json_file(opened: Opened) -> JsonText:
    """Return a file read as JSON, whatever it looks like."""
    if opened.is_folder:
        raise opened.error("is a folder, where a file is wanted")
    return opened.json or JsonText(opened.content)


def list_entries(opened: Opened) -> Entries:
    """Return the entries of a file that is a list; raise `InputError` where it is none."""
    json = json_file(opened)
    if not isinstance(json.value, list):
        raise opened.error("is not a JSON list", "[{...}, {...}]")
    return Entries(json.value, json.place)


def object_of(opened: Opened, example: str) -> tuple[dict[str, Any], JsonText]:
    """Return a file that is an object, and its text; raise `InputError` where it is none."""
    json = json_file(opened)
    if not isinstance(json.value, dict):
        raise opened.error("is not a JSON object", example)
    return json.value, json
