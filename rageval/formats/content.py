"""Open a file: decompress it, strip the byte order mark, and refuse what is not text."""

from __future__ import annotations

import codecs
import hashlib
import re
import stat
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from rageval.errors import InputError
from rageval.formats.compression import compression_of, compression_promised, decompress

PARQUET_MAGIC = b"PAR1"
SNIFFED_BYTES = 1 << 16
"""How far into a file binary content is looked for."""

# Bytes from which a file is mapped, not read: a copy of a large file costs memory. A mapped file
# that another program cuts short meanwhile ends the process, which no code can turn into an error.
_MAPPED_FROM = 16 << 20

_DECODED_BYTES = 1 << 20
_FILLED = re.compile(rb"\S")
_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_SIGNATURES = (
    (b"PK\x03\x04", "a zip archive (or a spreadsheet)", "unpack it, or save it as CSV"),
    (b"SQLite format 3\x00", "an SQLite database", "export the table as CSV or Parquet"),
    (b"ARROW1", "an Arrow or Feather file", "write it as Parquet"),
    (b"\x93NUMPY", "a NumPy array", "write it as CSV or Parquet"),
    (b"\x80\x04", "a Python pickle", "write it as JSON; pickles are never opened"),
    (b"\x80\x05", "a Python pickle", "write it as JSON; pickles are never opened"),
    (b"%PDF", "a PDF", "give the data it was made from"),
    (b"version https://git-lfs", "a Git LFS pointer", "fetch the file with `git lfs pull`"),
)


@dataclass(frozen=True, eq=False)
class Content:
    """The content of one file, as UTF-8 text (not yet validated) or Parquet."""

    buffer: pa.Buffer
    """Decompressed, without a byte order mark; a memory map where the file was plain."""
    path: str
    """As the user wrote it, for messages."""
    stored: pa.Buffer
    """The bytes of the file as stored."""

    @property
    def bytes(self) -> int:
        """Return the size of the file as stored."""
        return int(self.stored.size)

    def sha256(self) -> str:
        """Return the hex digest of the file's bytes as stored."""
        return hashlib.sha256(self.stored).hexdigest()

    @property
    def is_parquet(self) -> bool:
        """Return whether this is a Parquet file."""
        return head_of(self.buffer, 4) == PARQUET_MAGIC

    @cached_property
    def text(self) -> str:
        """Decode the whole content; raise `InputError` naming the line that is not UTF-8."""
        try:
            return str(memoryview(self.buffer), "utf-8")
        except UnicodeDecodeError as error:
            raise self.not_utf8(error.start) from None

    @cached_property
    def first_filled(self) -> int:
        """Return the position of the first byte that is not blank."""
        found = _FILLED.search(memoryview(self.buffer))
        return found.start() if found else int(self.buffer.size)

    def require_utf8(self) -> None:
        """Raise `InputError` naming the first line that is not UTF-8; holds no copy of the file."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        view, start = memoryview(self.buffer), 0
        try:
            for start in range(0, len(view), _DECODED_BYTES):
                decoder.decode(view[start : start + _DECODED_BYTES])
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            raise self.not_utf8() from None

    def line_at(self, position: int) -> int:
        """Return the 1-based number of the line that holds byte `position`."""
        return head_of(self.buffer, position).count(b"\n") + 1

    def not_utf8(self, position: int | None = None) -> InputError:
        """Return the error for text that is not UTF-8, with the line of its first fault."""
        start = _first_fault(self.buffer) if position is None else position
        byte = self.buffer.slice(start, 1).to_pybytes().hex()
        return InputError(
            f"not UTF-8 text: the byte 0x{byte} does not belong here",
            where=f"{self.path}:{self.line_at(start)}",
            hint="save the file as UTF-8",
        )


def head_of(buffer: pa.Buffer, size: int) -> bytes:
    """Return the first `size` bytes of a buffer, or all where it is shorter."""
    head: bytes = buffer.slice(0, min(size, buffer.size)).to_pybytes()
    return head


def _first_fault(buffer: pa.Buffer) -> int:
    try:
        str(memoryview(buffer), "utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return 0


def open_content(path: Path, name: str | None = None) -> Content:
    """Open a file of any supported compression.

    Compression is recognised by its magic number, whatever the file's name; a name that promises
    an archive which the file is not is an error. Raises `InputError` for what is missing,
    unreadable, empty, a truncated archive, UTF-16 or binary. `name` is how messages call the file.
    """
    display = str(path) if name is None else name
    stored = _stored(path, display)
    if stored.size == 0:
        raise InputError("the file is empty", where=display)
    buffer = _without_bom(_plain(stored, display))
    _refuse_binary(buffer, display)
    return Content(buffer, display, stored)


def _stored(path: Path, display: str) -> pa.Buffer:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise InputError("is a folder, where a file is wanted", where=display)
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):  # /dev/zero never ends; pipes are read
            raise InputError("is a device, where a file is wanted", where=display)
        if stat.S_ISREG(mode) and path.stat().st_size > _MAPPED_FROM:
            return pa.memory_map(str(path)).read_buffer()
        return pa.py_buffer(path.read_bytes())
    except FileNotFoundError:
        raise InputError("there is no such file", where=display) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", where=display) from None


def _plain(stored: pa.Buffer, display: str) -> pa.Buffer:
    head = head_of(stored, 8)
    kind, promised = compression_of(head), compression_promised(display)
    if kind is None and promised is None:
        return stored
    if kind is None:
        raise InputError(
            f"the name promises {promised}, but the content is not compressed so",
            where=display,
            hint="rename the file, or compress it",
        )
    plain = decompress(stored, kind, display)
    if plain.size == 0:
        raise InputError(f"the {kind} archive is empty", where=display)
    _refuse_nested(plain, display)
    return plain


def _refuse_nested(plain: pa.Buffer, display: str) -> None:
    head = head_of(plain, 512)
    if compression_of(head[:8]):
        raise InputError("is compressed twice", where=display, hint="decompress it once")
    if head[257:262] == b"ustar":
        raise InputError("is a tar archive", where=display, hint="unpack it and name a file of it")


def _without_bom(buffer: pa.Buffer) -> pa.Buffer:
    if head_of(buffer, 3) == _BOM:
        return buffer.slice(3)
    return buffer


def _refuse_binary(buffer: pa.Buffer, display: str) -> None:
    head = head_of(buffer, SNIFFED_BYTES)
    if head.startswith(PARQUET_MAGIC):
        return
    for signature, what, hint in _SIGNATURES:
        if head.startswith(signature):
            raise InputError(f"is {what}, not the data itself", where=display, hint=hint)
    if head.startswith(_WIDE_BOMS) or _looks_wide(head):
        raise InputError("is UTF-16 or UTF-32 text", where=display, hint="save it as UTF-8")
    if b"\x00" in head:
        raise InputError("is binary, not text", where=display)
    if not head.strip() and not _FILLED.search(memoryview(buffer)):
        raise InputError("holds nothing but blanks", where=display)


def _looks_wide(head: bytes) -> bool:
    # Latin text in UTF-16 has a NUL in every second byte and none in the others.
    nuls = sorted((head[0::2].count(b"\x00"), head[1::2].count(b"\x00")))
    return nuls[0] == 0 and nuls[1] * 4 >= len(head) > 1
