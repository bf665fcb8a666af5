"""Decompress gzip, bzip2, xz and Zstandard, told apart by their magic numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import pyarrow as pa

from rageval.errors import InputError

if TYPE_CHECKING:
    from bz2 import BZ2Decompressor
    from lzma import LZMADecompressor

_MAGIC = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
SUFFIXES: Mapping[str, str] = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd"}
"""End of a name -> the compression that it promises."""


def compression_of(head: bytes) -> str | None:
    """Return the compression whose magic number starts `head`, or None."""
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), None)


def compression_promised(name: str) -> str | None:
    """Return the compression that a file's name promises, or None."""
    return next((kind for end, kind in SUFFIXES.items() if name.lower().endswith(end)), None)


def compressed_suffix(name: str) -> str:
    """Return the end of a name that says how it is compressed, or nothing."""
    return next((name[-len(end) :] for end in SUFFIXES if name.lower().endswith(end)), "")


def decompress(stored: pa.Buffer, kind: str, path: str) -> pa.Buffer:
    """Decompress a whole archive, all its members; raise `InputError` where it is damaged."""
    try:
        if kind == "zstd":
            return _zstd(stored)
        return pa.py_buffer(_standard(stored, kind))
    except EOFError:
        problem = "ends before its end: the file is truncated"
    except Exception as error:  # each library has its own errors for damage
        problem = f"is damaged: {error}"
    raise InputError(f"the {kind} archive {problem}", where=path, hint="fetch the file again")


def _standard(stored: pa.Buffer, kind: str) -> bytes:
    if kind == "gzip":
        import gzip

        return gzip.decompress(stored)
    if kind == "bzip2":
        from bz2 import BZ2Decompressor

        return b"".join(_members(stored.to_pybytes(), BZ2Decompressor))
    from lzma import LZMADecompressor

    return b"".join(_members(stored.to_pybytes(), LZMADecompressor))


def _members(
    rest: bytes, decompressor: Callable[[], BZ2Decompressor | LZMADecompressor]
) -> Iterator[bytes]:
    # bz2.decompress and lzma.decompress take whatever follows the first member for padding, so
    # that a damaged second member would be lost without a word. Only NULs are padding.
    while rest:
        member = decompressor()
        yield member.decompress(rest)
        if not member.eof:
            raise EOFError
        rest = member.unused_data.lstrip(b"\0")


def _zstd(stored: pa.Buffer) -> pa.Buffer:
    with pa.CompressedInputStream(pa.BufferReader(stored), "zstd") as stream:
        return stream.read_buffer()
