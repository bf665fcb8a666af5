"""Whether the files and folders that a configuration names are there."""

from __future__ import annotations

import difflib
import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rageval.config.checks import dataset_places, run_places
from rageval.config.faults import Fault, Loc, printable
from rageval.config.models import EvaluationConfig

_LISTED = 1_000
"""How many names of a folder are looked at for a suggestion."""


@dataclass(frozen=True, slots=True)
class _Named:
    """A path that a configuration names."""

    loc: Loc
    path: str
    kind: str
    """`file`, `folder` or `file or folder`."""


def check_files(
    config: EvaluationConfig, base: Path, as_written: Callable[[str], str]
) -> Iterator[Fault]:
    """Yield a fault for each path that is missing, unreadable or of the wrong kind."""
    for named in _named_paths(config):
        what, hint = _wrong(base / named.path, named.kind)
        if what:
            yield Fault(named.loc, f"{what}: {printable(as_written(named.path))}", hint)
    what = unusable_folder(base / config.report.folder)
    if what:
        shown = printable(as_written(config.report.folder))
        yield Fault(("report", "folder"), f"reports cannot go to {shown}: {what}")


def _named_paths(config: EvaluationConfig) -> Iterator[_Named]:
    for loc, dataset in dataset_places(config):
        yield _Named((*loc, "path"), dataset.path, "file or folder")
        yield from _optional((*loc, "topics"), dataset.topics)
        yield from _optional((*loc, "corpus"), dataset.corpus)
    for loc, run in run_places(config):
        yield _Named((*loc, "path"), run.path, "file")
    if config.documents:
        yield from _optional(("documents", "map"), config.documents.map)
    yield from _optional(("report", "templates"), config.report.templates, "folder")
    if config.report.brand:
        yield from _optional(("report", "brand", "logo"), config.report.brand.logo)


def _optional(loc: Loc, path: str | None, kind: str = "file") -> Iterator[_Named]:
    if path is not None:
        yield _Named(loc, path, kind)


def _wrong(path: Path, kind: str) -> tuple[str, str]:
    """Return what is wrong with a path and what would be right; empty texts if nothing is."""
    try:
        exists, is_folder, is_file = path.exists(), path.is_dir(), path.is_file()
    except (OSError, ValueError):
        return "not a usable path", ""
    if not exists:
        return f"no such {kind}", _similar(path)
    if is_folder and kind == "file":
        return "a folder where a file is expected", ""
    if not is_folder and kind == "folder":
        return "a file where a folder is expected", ""
    if not is_folder and not is_file:
        return "neither a file nor a folder", ""
    return ("", "") if os.access(path, os.R_OK) else ("not readable, permission denied", "")


def _similar(path: Path) -> str:
    try:
        with os.scandir(path.parent) as entries:
            names = sorted(entry.name for entry in itertools.islice(entries, _LISTED))
    except (OSError, ValueError):
        return "its folder does not exist either"
    compressed = [name for name in names if name.startswith(f"{path.name}.")]
    close = compressed or difflib.get_close_matches(path.name, names, n=1, cutoff=0.75)
    return f"did you mean {close[0]!r}?" if close else "paths are relative to this configuration"


def unusable_folder(folder: Path) -> str:
    """Return why nothing can be written into a folder, which need not exist; else nothing."""
    try:
        nearest = next(place for place in (folder, *folder.parents) if place.exists())
    except (OSError, ValueError):
        return "not a usable path"
    if not nearest.is_dir():
        return "there is a file in its place"
    return "" if os.access(nearest, os.W_OK | os.X_OK) else "permission denied"
