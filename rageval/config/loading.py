"""Read a configuration and say all that is wrong with it at once."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rageval.config.brand import commented_colours, read_brand
from rageval.config.checks import check_parts
from rageval.config.environment import expand_environment
from rageval.config.faults import (
    Fault,
    Loc,
    independent,
    problems_in_file,
    problems_in_mapping,
)
from rageval.config.files import check_files
from rageval.config.models import EvaluationConfig
from rageval.config.shape import shape
from rageval.config.vocabulary import Vocabulary
from rageval.config.yaml_text import parse_yaml
from rageval.data import Brand
from rageval.errors import ConfigError, Problem

MAX_BYTES = 250_000
"""More than any configuration needs; the parser takes seconds for as much."""


@dataclass(frozen=True)
class LoadedConfig:
    """A checked configuration and where it stands."""

    config: EvaluationConfig
    base: Path
    """The folder that relative paths start from."""
    path: Path | None = None
    """The file, as the user named it; None for a mapping."""
    resolved: Mapping[str, Any] = field(default_factory=dict)
    """JSON-ready, with every default filled in and `${NAME}` as written."""
    written: Mapping[str, str] = field(default_factory=dict)
    """Expanded text -> the text with `${NAME}` that it came from."""
    brand: Brand | None = None
    """Whose report it is, with the logo as data."""

    def resolve(self, path: str) -> Path:
        """Return where a path of the configuration leads."""
        return self.base / path

    def as_written(self, path: str) -> str:
        """Return a path as the user wrote it, without the values of variables."""
        return self.written.get(path, path)


def load_config(
    path: Path, vocabulary: Vocabulary, environ: Mapping[str, str] | None = None
) -> LoadedConfig:
    """Read a YAML configuration and check it and the paths in it.

    Raises `ConfigError` with every problem, each with its line and what would be right.
    """
    file = str(path)
    tree = parse_yaml(_text(path), file)
    if not isinstance(tree.data, dict):
        what = "is empty" if tree.data is None else "is not a block of keys and values"
        raise ConfigError(f"the configuration {what}", where=file, hint="begin with `name: ...`")
    checking = _Checking(path.absolute().parent, vocabulary, _environ(environ))
    loaded = checking.check(tree.data, tree.faults, path)
    return _sound(loaded, problems_in_file(checking.faults, file, tree.lines))


def check_config(
    data: Mapping[str, Any],
    base: Path,
    vocabulary: Vocabulary,
    environ: Mapping[str, str] | None = None,
) -> LoadedConfig:
    """Check a configuration that was given as a mapping; paths start from `base`.

    Raises `ConfigError` with every problem, each with its place, e.g. `strategies[1].run`.
    """
    checking = _Checking(base, vocabulary, _environ(environ))
    loaded = checking.check(_plain(data), [], None)
    return _sound(loaded, problems_in_mapping(checking.faults))


def _environ(environ: Mapping[str, str] | None) -> Mapping[str, str]:
    return os.environ if environ is None else environ


@dataclass
class _Checking:
    """One pass over a configuration, collecting faults."""

    base: Path
    vocabulary: Vocabulary
    environ: Mapping[str, str]
    faults: list[Fault] = field(default_factory=list)

    def check(
        self, data: dict[str, Any], faults: Sequence[Fault], path: Path | None
    ) -> LoadedConfig | None:
        expanded, expansion = expand_environment(_given(data), self.environ)
        config, misshapen = shape(expanded, expansion.written)
        self.faults = [*faults, *expansion.faults, *misshapen]
        if path is not None:  # only in a file can a colour be taken for a comment
            self.faults += commented_colours(data)
        if config is None:
            return None
        written = {_at(expanded, loc): text for loc, text in expansion.written.items()}
        spec = config.report.brand
        brand, unfit = read_brand(spec, self.base) if spec else (None, [])
        loaded = LoadedConfig(
            config, self.base, path, _resolved(config, expansion.written), written, brand
        )
        later = [
            *check_parts(config, self.vocabulary),
            *check_files(config, self.base, loaded.as_written),
            *unfit,
        ]
        self.faults += independent(later, self.faults)
        return loaded


def _sound(loaded: LoadedConfig | None, problems: list[Problem]) -> LoadedConfig:
    if problems:
        raise ConfigError(problems)
    assert loaded is not None
    return loaded


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a usable path"
        raise ConfigError(f"cannot read the configuration: {reason}", where=str(path)) from None
    if len(data) > MAX_BYTES:
        what = f"more than {MAX_BYTES:,} bytes, which is no configuration"
        raise ConfigError(what, where=str(path))
    return _decoded(data, str(path))


def _decoded(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        utf_16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        what = "the file is UTF-16" if utf_16 else "the file is not UTF-8"
        raise ConfigError(what, where=f"{file}:{line}", hint="save it as UTF-8") from None


def _given(value: Any) -> Any:
    """Drop keys without a value: `title:` with nothing behind it takes the default."""
    if isinstance(value, dict):
        return {key: _given(item) for key, item in value.items() if item is not None}
    return [_given(item) for item in value] if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    """Turn mappings, sequences and paths of any kind into those that YAML gives."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _resolved(config: EvaluationConfig, written: Mapping[Loc, str]) -> dict[str, Any]:
    """Dump a configuration with every variable as it was written."""
    dump = config.model_dump(mode="json", exclude_none=True)
    for loc, text in written.items():
        parent, key = _at(dump, loc[:-1]), loc[-1]
        value = parent[key]
        if isinstance(value, dict):
            value["path"] = text
        else:
            parent[key] = [text] if isinstance(value, list) else text
    return dump


def _at(data: Any, loc: Loc) -> Any:
    for part in loc:
        data = data[part]
    return data
