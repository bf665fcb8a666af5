"""Where a record was read from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read, as it is named in the report's provenance."""

    path: str
    """As the user wrote it (relative to the configuration), never resolved to this machine."""
    format: str
    """The detected or forced format, e.g. `trec-run`."""
    rows: int
    bytes: int
    sha256: str = ""
    """Hex digest of the file's bytes as stored; empty where nobody asked for it."""
