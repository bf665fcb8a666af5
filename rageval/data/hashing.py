"""64-bit hashes of strings, vectorised: a filter that is always confirmed by the strings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

BLOCK_ROWS = 1 << 15
"""Rows hashed at a time: the temporaries stay in the processor's cache."""
_LONG_BYTES = 4096
"""Longer strings are hashed one by one: eight bytes a step over all rows would take for ever."""
_ODD = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_WORD = 8
_HALF = np.uint64(32)


def hash_strings(strings: pa.StringArray) -> Hashes:
    """Hash the UTF-8 bytes of each string; (rows,) uint64.

    Equal strings have equal hashes. Different strings may share one, so a caller compares the
    strings wherever two hashes agree.
    """
    offsets, data = string_buffers(strings)
    # Words are read eight bytes at a time; the last rows are hashed apart from a padded copy, so
    # that no read passes the end of the buffer.
    safe = int(np.searchsorted(offsets[1:], len(data) - _WORD, side="right"))
    tail = offsets[safe:] - offsets[safe]
    padded = np.concatenate((data[offsets[safe] : offsets[-1]], np.zeros(_WORD, np.uint8)))
    hashes = np.concatenate((_hash_rows(offsets[: safe + 1], data), _hash_rows(tail, padded)))
    for row in np.flatnonzero(np.diff(offsets) > _LONG_BYTES).tolist():
        hashes[row] = _hash_long(data[offsets[row] : offsets[row + 1]])
    return hashes


def _hash_long(data: NDArray[np.uint8]) -> int:
    from hashlib import blake2b

    return int.from_bytes(blake2b(data.tobytes(), digest_size=_WORD).digest(), "little")


def mix_codes(hashes: Hashes, codes: NDArray[Any]) -> Hashes:
    """Combine each hash with the code of its group, e.g. its query; (rows,) uint64."""
    mixed = (codes.astype(np.uint64) + np.uint64(1)) * _ODD
    mixed ^= hashes
    mixed *= _MIX
    mixed ^= mixed >> _HALF
    return mixed


def string_buffers(strings: pa.StringArray) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return the offsets (rows + 1,) and the bytes of a string array, without copying."""
    _, offsets, data = strings.buffers()
    if not len(strings) or offsets is None:
        return np.zeros(1, np.int32), np.zeros(0, np.uint8)
    start = strings.offset
    return (
        np.frombuffer(offsets, np.int32)[start : start + len(strings) + 1],
        np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8),
    )


def _hash_rows(offsets: NDArray[np.int32], data: NDArray[np.uint8]) -> Hashes:
    rows = len(offsets) - 1
    hashes = np.empty(rows, np.uint64)
    words = _unaligned_words(data)
    for first in range(0, rows, BLOCK_ROWS):
        last = min(first + BLOCK_ROWS, rows)
        hashes[first:last] = _hash_block(offsets[first : last + 1], words)
    return hashes


def _unaligned_words(data: NDArray[np.uint8]) -> Hashes:
    """View the eight bytes that start at each place as one number; (bytes - 7,) uint64."""
    count = max(len(data) - _WORD + 1, 0)
    return np.ndarray((count,), "<u8", data, strides=(1,)) if count else np.zeros(0, np.uint64)


def _hash_block(offsets: NDArray[np.int32], words: Hashes) -> Hashes:
    starts, lengths = offsets[:-1], np.diff(offsets)
    hashes = lengths.astype(np.uint64)
    if not len(lengths):
        return hashes
    shortest, longest = int(lengths.min()), min(int(lengths.max()), _LONG_BYTES)
    for done in range(0, longest, _WORD):
        if done < shortest:
            _absorb(hashes, words[starts + done], lengths - done)
            continue
        rows = np.flatnonzero(lengths > done)
        part = hashes[rows]
        _absorb(part, words[starts[rows] + done], lengths[rows] - done)
        hashes[rows] = part
    return hashes


def _absorb(hashes: Hashes, words: Hashes, remaining: NDArray[np.int32]) -> None:
    """Mix the next word of each string into its hash, without the bytes beyond its end."""
    surplus = _WORD - np.minimum(remaining, _WORD)
    words <<= surplus.astype(np.uint64) << np.uint64(3)
    hashes ^= words
    hashes *= _ODD
    hashes ^= hashes >> _HALF
    hashes *= _MIX
