"""Numbers as files write them."""

from __future__ import annotations


def number_of(value: object) -> float | None:
    """Return a number, or a text that is one, as float64; None where it is none.

    `nan` and `inf` count as numbers: whether they may stand somewhere is for the reader to say.
    """
    # float() reads 1_0 as 10, and the digits of every script, which no other program does.
    if isinstance(value, bool) or (isinstance(value, str) and not _is_plain(value)):
        return None
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None


def _is_plain(text: str) -> bool:
    return text.isascii() and "_" not in text
