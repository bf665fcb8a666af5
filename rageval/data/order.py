"""The one canonical order of query ids."""

from __future__ import annotations

import re
from collections.abc import Iterable

_DIGITS = re.compile(r"([0-9]+)")


def _natural_key(text: str) -> tuple[list[tuple[int, str, int]], str]:
    # Digits compare by length without leading zeros, then text: no integer is ever built, so an
    # id of ten thousand digits costs no more than any other.
    parts = []
    for i, part in enumerate(_DIGITS.split(text)):
        digits = part.lstrip("0") if i % 2 else part
        parts.append((len(digits) if i % 2 else 0, digits, len(part)))
    return parts, text


def natural_order(ids: Iterable[str]) -> tuple[str, ...]:
    """Sort ids so that numbers inside them count as numbers: `q2` before `q10`.

    The order depends on the ids alone, never on the order of lines in a file, so sums over
    queries give the same digits however a file is sorted.
    """
    return tuple(sorted(ids, key=_natural_key))
