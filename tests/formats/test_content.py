"""Opening files: compression, byte order marks, and what is refused."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import os
import threading
from pathlib import Path

import pyarrow as pa
import pytest

from rageval.errors import InputError
from rageval.formats.content import open_content

RAW = b"q1 Q0 d1 1 3.0 t\n" * 4000


def _zstd(raw: bytes) -> bytes:
    return pa.Codec("zstd").compress(raw, asbytes=True)


COMPRESSORS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zstd": _zstd}


def _open(folder: Path, raw: bytes, name: str = "file"):
    (folder / name).write_bytes(raw)
    return open_content(folder / name, name)


@pytest.mark.parametrize("name", ["file", "run.txt", "run.GZ", "run.zst"])
@pytest.mark.parametrize("compress", COMPRESSORS.values(), ids=COMPRESSORS)
def test_archive_is_known_by_its_magic_number_whatever_its_name(tmp_path, compress, name):
    content = _open(tmp_path, compress(RAW), name)
    assert content.buffer.to_pybytes() == RAW
    assert content.bytes == len(compress(RAW))
    assert content.sha256() == hashlib.sha256(compress(RAW)).hexdigest()


@pytest.mark.parametrize("compress", COMPRESSORS.values(), ids=COMPRESSORS)
def test_all_members_of_an_archive_are_read(tmp_path, compress):
    assert _open(tmp_path, compress(RAW) * 3).buffer.to_pybytes() == RAW * 3


@pytest.mark.parametrize("cut", [3, 20])
@pytest.mark.parametrize("compress", COMPRESSORS.values(), ids=COMPRESSORS)
def test_truncated_archive_is_an_error(tmp_path, compress, cut):
    with pytest.raises(InputError, match=r"file: the \w+ archive (ends|is damaged)"):
        _open(tmp_path, compress(RAW)[:-cut])


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz"])
def test_damage_inside_an_archive_is_an_error(tmp_path, kind):
    raw = bytearray(COMPRESSORS[kind](os.urandom(5000)))
    middle = len(raw) // 2
    raw[middle : middle + 8] = bytes(byte ^ 0xFF for byte in raw[middle : middle + 8])
    with pytest.raises(InputError, match=f"file: the {kind} archive"):
        _open(tmp_path, bytes(raw))


def test_plain_file_is_mapped_without_a_copy(tmp_path):
    before = pa.total_allocated_bytes()
    content = _open(tmp_path, RAW * 100)
    assert content.buffer.size == len(RAW) * 100
    assert pa.total_allocated_bytes() == before


def test_byte_order_mark_is_no_content(tmp_path):
    content = _open(tmp_path, b"\xef\xbb\xbfq1\n")
    assert content.text == "q1\n"
    assert content.bytes == 6


REFUSED = {
    "empty": (b"", "file: the file is empty"),
    "blank": (b" \n\n\t\n", "file: holds nothing but blanks"),
    "UTF-16 with its mark": ("q1 Q0".encode("utf-16"), "is UTF-16 or UTF-32 text"),
    "UTF-16 without it": ("q1 Q0".encode("utf-16-be"), "is UTF-16 or UTF-32 text"),
    "UTF-32": ("q1 Q0".encode("utf-32"), "is UTF-16 or UTF-32 text"),
    "binary": (b"q1\x00Q0 d1 1 3.0 t\n", "file: is binary, not text"),
    "zip": (b"PK\x03\x04....", "is a zip archive"),
    "pickle": (b"\x80\x04\x95....", "is a Python pickle"),
    "SQLite": (b"SQLite format 3\x00....", "is an SQLite database"),
    "Feather": (b"ARROW1\x00\x00", "is an Arrow or Feather file"),
    "empty archive": (gzip.compress(b""), "file: the gzip archive is empty"),
    "compressed twice": (gzip.compress(bz2.compress(RAW)), "file: is compressed twice"),
    "tar": (gzip.compress(b"x" * 257 + b"ustar" + b"x" * 600), "file: is a tar archive"),
}


@pytest.mark.parametrize(("raw", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_text_is_refused(tmp_path, raw, message):
    with pytest.raises(InputError) as caught:
        _open(tmp_path, raw)
    assert message in str(caught.value)


def test_mislabelled_archive_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"run\.gz: the name promises gzip"):
        _open(tmp_path, RAW, "run.gz")


def test_missing_file_and_folder_are_errors(tmp_path):
    with pytest.raises(InputError, match="runs/a: there is no such file"):
        open_content(tmp_path / "a", "runs/a")
    with pytest.raises(InputError, match="is a folder"):
        open_content(tmp_path)


def test_path_that_no_file_can_have_is_an_error(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        open_content(tmp_path / "a\0b", "name")
    with pytest.raises(InputError, match="cannot be read: File name too long"):
        open_content(tmp_path / ("x" * 5000), "name")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_unreadable_file_is_an_error(tmp_path):
    (tmp_path / "file").write_bytes(RAW)
    (tmp_path / "file").chmod(0)
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        open_content(tmp_path / "file", "file")


def test_pipe_is_read_like_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(RAW,))
    writer.start()
    assert open_content(tmp_path / "pipe").buffer.to_pybytes() == RAW
    writer.join()


@pytest.mark.parametrize("length", [1, 1 << 20, (1 << 20) + 1])
def test_what_is_not_utf8_is_named_with_its_line(tmp_path, length):
    content = _open(tmp_path, b"a" * length + b"\n" + b"caf\xe9\n")
    for look in (content.require_utf8, lambda: content.text):
        with pytest.raises(InputError, match="file:2: not UTF-8 text: the byte 0xe9"):
            look()


def test_character_across_a_border_of_decoding_is_text(tmp_path):
    raw = b"a" * ((1 << 20) - 1) + "é€😀".encode()
    _open(tmp_path, raw).require_utf8()
    with pytest.raises(InputError, match="not UTF-8"):
        _open(tmp_path, raw[:-1]).require_utf8()
