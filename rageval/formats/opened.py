"""A file or folder that the formats look at, opened and read at most once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rageval.config.models import FileSpec
from rageval.errors import InputError
from rageval.formats.compression import SUFFIXES
from rageval.formats.content import Content, head_of, open_content
from rageval.formats.delimited import Header, header_of
from rageval.formats.json_text import JsonText, json_text

_HEAD = 1 << 16
_TREC_LINE = re.compile(
    r"[ \t]*\S+[ \t]+(?:[Qq]?[0-9]+)[ \t]+\S+[ \t]+"
    r"(?:\S+[ \t]+[+-]?[0-9.]\S*[ \t]+\S+|[+-]?[0-9]+)[ \t]*"
)
"""A line of a TREC run or of TREC judgments, as no line of JSON is one."""


@dataclass(frozen=True, eq=False)
class Opened:
    """What a specification of a file points to."""

    spec: FileSpec
    base: Path
    lenient: bool

    @property
    def path(self) -> str:
        """Return the path as the user wrote it, for messages."""
        return self.spec.path

    @property
    def target(self) -> Path:
        """Return the path on this machine."""
        return self.base / self.spec.path

    @cached_property
    def is_folder(self) -> bool:
        """Return whether this is a folder of files."""
        try:
            return self.target.is_dir()
        except (OSError, ValueError):  # a name that is too long; opening it as a file says so
            return False

    @property
    def is_pipe(self) -> bool:
        """Return whether this is a pipe, which can be read only once."""
        try:
            return self.target.is_fifo()
        except (OSError, ValueError):
            return False

    @cached_property
    def content(self) -> Content:
        """Open the file."""
        return open_content(self.target, self.path)

    def inside(self, file: Path) -> Content:
        """Open a file of this folder, named as the user would name it."""
        relative = file.relative_to(self.target).as_posix()
        return open_content(file, f"{self.path.rstrip('/')}/{relative}")

    def part(self, name: str) -> Content | None:
        """Open a file of this folder, plain or compressed, where it is there."""
        known = (self.target / f"{name}{suffix}" for suffix in ("", *SUFFIXES))
        return next((self.inside(path) for path in known if path.exists()), None)

    @cached_property
    def json(self) -> JsonText | None:
        """Return the content as JSON where it starts like JSON."""
        if self.is_folder or self.content.is_parquet or self._starts_with_trec_line:
            return None
        return json_text(self.content)

    @property
    def _starts_with_trec_line(self) -> bool:
        # The id of a query may start with a bracket.
        return bool(self.first_lines) and _TREC_LINE.fullmatch(self.first_lines[0]) is not None

    @cached_property
    def is_plain_text(self) -> bool:
        """Return whether this is a file of text that does not start like JSON."""
        return not self.is_folder and not self.content.is_parquet and self.json is None

    @cached_property
    def first_lines(self) -> tuple[str, ...]:
        """Return the first lines that are not blank, without their ends."""
        text = self.content.buffer.slice(self.content.first_filled)
        lines = head_of(text, _HEAD).decode("utf-8", "replace").split("\n")
        whole = lines if text.size <= _HEAD or len(lines) < 2 else lines[:-1]
        return tuple(line.rstrip("\r") for line in whole if line.strip())

    @property
    def data_lines(self) -> tuple[str, ...]:
        """Return the first lines that are neither blank nor, as they start with `#`, comments."""
        return tuple(line for line in self.first_lines if not line.lstrip().startswith("#"))

    def header(self, delimiter: str) -> Header | None:
        """Return the header of the file read with that delimiter, where it can have one."""
        return header_of(self.content, delimiter) if self.is_plain_text else None

    def error(self, what: str, hint: str = "") -> InputError:
        """Return an error about the whole file."""
        return InputError(what, where=self.path, hint=hint)
