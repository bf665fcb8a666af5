"""What a file format is: a record beside its parser, gathered in two tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from rageval.formats.content import Content
from rageval.formats.opened import Opened
from rageval.formats.tables import DatasetTable, RunTable

_Parsed = TypeVar("_Parsed")


@dataclass(frozen=True)
class Format(Generic[_Parsed]):
    """One file format of runs or of datasets."""

    name: str
    """Its key in `format:`."""
    summary: str
    """One sentence for the documentation."""
    example: str
    """What a file of it looks like."""
    detect: Callable[[Opened], bool]
    """Return whether a file looks like this, by its content."""
    parse: Callable[[Opened], _Parsed]
    """Read it; raise `InputError` with the places of what is wrong."""


@dataclass(frozen=True, eq=False)
class FileRead:
    """One file that a dataset was read from."""

    content: Content
    rows: int


@dataclass(frozen=True, eq=False)
class ParsedDataset:
    """The rows of a dataset and the files they came from."""

    table: DatasetTable
    files: tuple[FileRead, ...]


RunFormat = Format[RunTable]


@dataclass(frozen=True)
class DatasetFormat(Format[ParsedDataset]):
    """One file format of datasets."""

    corpus: Callable[[Opened], Content | Mapping[str, object] | None] = lambda opened: None
    """Return the documents that come with it: their file, or themselves by id."""
