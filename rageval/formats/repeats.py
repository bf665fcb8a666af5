"""Find documents that stand more than once in a ranking."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Int32s, Ints
from rageval.data.hashing import Hashes, mix_codes

_WINDOW_ROWS = 1 << 14
"""Rows looked at in one go: their table of slots stays in the processor's cache."""


def repeated_documents(code: Int32s, doc: pa.StringArray, hashes: Hashes) -> dict[int, int]:
    """Find the rows whose document stood in the same ranking before.

    `code` says which query a row is of; the rows of a query stand together, in order of rank.
    `hashes` are those of `doc`.
    Returns the row of each repeat -> the row of the document's best place. Rows are told apart by
    a hash, and those whose hashes agree by the ids themselves.
    """
    if len(code) < 2:
        return {}
    hashes = mix_codes(hashes, code)
    sharing = _sharing_a_slot(hashes, _window_ends(code))
    ordered = np.sort(hashes[sharing])
    equal = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(equal):
        return {}
    return _confirmed(code, doc, sharing[np.isin(hashes[sharing], equal, kind="sort")])


def _window_ends(code: Int32s) -> list[int]:
    """Cut rows into windows of whole queries that are small enough for the processor's cache."""
    ends = np.append(np.flatnonzero(code[1:] != code[:-1]) + 1, len(code))
    wanted = np.arange(_WINDOW_ROWS, len(code) + _WINDOW_ROWS, _WINDOW_ROWS)
    chosen = np.minimum(np.searchsorted(ends, wanted), len(ends) - 1)
    return list(dict.fromkeys(ends[chosen].tolist()))


def _sharing_a_slot(hashes: Hashes, window_ends: Sequence[int]) -> Ints:
    """Return the positions whose leading bits of the hash are those of another in the window.

    Equal hashes share a slot, and with eight slots a row few others do: sorting these few is
    some five times as fast as sorting all.
    """
    window_starts = [0, *window_ends[:-1]]
    longest = max(end - start for start, end in zip(window_starts, window_ends, strict=True))
    bits = (longest * 8).bit_length()
    owner = np.empty(1 << bits, np.int32)
    shares = np.zeros(len(hashes), bool)
    for start, end in zip(window_starts, window_ends, strict=True):
        slot = (hashes[start:end] >> np.uint64(64 - bits)).view(np.int64)
        position = np.arange(start, end, dtype=np.int32)
        owner[slot] = position
        kept = owner[slot]
        lost = np.flatnonzero(kept != position)
        shares[lost + start] = shares[kept[lost]] = True
    return np.flatnonzero(shares)


def _confirmed(code: Int32s, doc: pa.StringArray, suspects: Ints) -> dict[int, int]:
    codes = code[suspects].tolist()
    docs = doc.take(pa.array(suspects)).to_pylist()
    best: dict[tuple[int, str], int] = {}
    repeats = {}
    for position, pair in zip(suspects.tolist(), zip(codes, docs, strict=True), strict=True):
        first = best.setdefault(pair, position)
        if first != position:
            repeats[position] = first
    return repeats
