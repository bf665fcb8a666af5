"""Read runs and datasets: open, recognise or obey, parse, and bring into canonical form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from rageval.config.models import DatasetSpec, FileSpec, RunSpec
from rageval.data.dataset import Dataset
from rageval.data.run import Run
from rageval.data.source import Source
from rageval.errors import InputError, Problem, did_you_mean
from rageval.formats import (
    dataset_beir,
    dataset_json,
    dataset_llamaindex,
    dataset_tidy,
    dataset_trec,
    run_json,
    run_parquet,
    run_tidy,
    run_trec,
)
from rageval.formats.build_dataset import build_dataset
from rageval.formats.companions import with_companions
from rageval.formats.content import Content, open_content
from rageval.formats.documents import Corpus, texts_of
from rageval.formats.format import DatasetFormat, Format, RunFormat
from rageval.formats.opened import Opened
from rageval.formats.ranking import build_run

_Parsed = TypeVar("_Parsed")

RUN_FORMATS: tuple[RunFormat, ...] = tuple(
    record for module in (run_parquet, run_json, run_tidy, run_trec) for record in module.FORMATS
)
"""Every format of runs, in the order of detection."""

DATASET_FORMATS: tuple[DatasetFormat, ...] = tuple(
    record
    for module in (dataset_llamaindex, dataset_json, dataset_beir, dataset_tidy, dataset_trec)
    for record in module.FORMATS
)
"""Every format of datasets, in the order of detection."""

DOCUMENT_LENGTH = 240
"""Characters of a document that are read for people, title included."""


def read_run(spec: RunSpec, base: Path, *, lenient: bool = False, digest: bool = True) -> Run:
    """Read what one strategy retrieved.

    `base` is the folder that `spec.path` is relative to. The format is recognised by content, or
    `spec.format`. `digest=False` leaves the file's SHA-256 out. Raises `InputError`.
    """
    opened = Opened(spec, base, lenient)
    chosen, table = _parse(opened, RUN_FORMATS, "run")
    source = _source(opened.content, chosen, len(table.query), digest)
    return build_run(table, source=source, order=spec.order, lenient=lenient)


def read_dataset(
    spec: DatasetSpec, base: Path, *, lenient: bool = False, digest: bool = True
) -> Dataset:
    """Read queries and judgments, with the topics and the corpus that `spec` names beside them.

    `base` is the folder that the paths are relative to. The format is recognised by content, or
    `spec.format`. `digest=False` leaves the files' SHA-256 out. Raises `InputError`.
    """
    opened = Opened(spec, base, lenient)
    chosen, parsed = _parse(opened, DATASET_FORMATS, "dataset")
    if spec.split is not None and not (opened.is_folder and chosen == "beir"):
        raise opened.error("`split` is given, but this is no BEIR folder", "leave `split` out")
    topics = open_content(base / spec.topics, spec.topics) if spec.topics else None
    corpus = open_content(base / spec.corpus, spec.corpus) if spec.corpus else None
    table, beside = with_companions(parsed.table, topics, corpus, lenient)
    named = [(chosen, file) for file in parsed.files]
    named += [("topics" if file.content is topics else "corpus", file) for file in beside]
    sources = tuple(_source(file.content, name, file.rows, digest) for name, file in named)
    return build_dataset(table, spec, sources=sources, lenient=lenient)


def read_documents(
    spec: DatasetSpec, base: Path, ids: Iterable[str], length: int = DOCUMENT_LENGTH
) -> dict[str, str]:
    """Read how documents begin: id -> title and text, cut at `length` characters.

    The documents are those of the corpus that `read_dataset` reads; an id that it lacks or holds
    without a text is left out. What is wrong with the corpus was said when the dataset was read
    and is passed over here; a pipe cannot be read a second time.
    """
    try:
        corpus = _corpus(spec, base)
        return {} if corpus is None else texts_of(corpus, frozenset(ids), length)
    except (InputError, OSError, pa.ArrowException):
        return {}


def _corpus(spec: DatasetSpec, base: Path) -> Corpus | None:
    named = FileSpec(path=spec.corpus) if spec.corpus else spec
    opened = Opened(named, base, lenient=True)
    if opened.is_pipe:
        return None
    if spec.corpus:
        return opened.content
    known = {candidate.name: candidate for candidate in DATASET_FORMATS}
    chosen = known.get(spec.format) if spec.format else _detected(opened, DATASET_FORMATS)
    return chosen.corpus(opened) if isinstance(chosen, DatasetFormat) else None


def _source(content: Content, format_name: str, rows: int, digest: bool) -> Source:
    sha256 = content.sha256() if digest else ""
    return Source(content.path, format_name, rows, content.bytes, sha256)


def _parse(opened: Opened, formats: Sequence[Format[_Parsed]], kind: str) -> tuple[str, _Parsed]:
    if opened.spec.format is None:
        chosen = _detected(opened, formats)
        if chosen is None:
            raise _unrecognised(opened, formats, kind)
        return chosen.name, chosen.parse(opened)
    forced = _named(opened, formats, kind)
    try:
        return forced.name, forced.parse(opened)
    except InputError as error:
        raise _misnamed(opened, formats, forced, error) from None


def _detected(opened: Opened, formats: Sequence[Format[_Parsed]]) -> Format[_Parsed] | None:
    return next((candidate for candidate in formats if candidate.detect(opened)), None)


def _named(opened: Opened, formats: Sequence[Format[_Parsed]], kind: str) -> Format[_Parsed]:
    by_name = {candidate.name: candidate for candidate in formats}
    asked = opened.spec.format or ""
    if asked not in by_name:
        hint = did_you_mean(asked, by_name)
        raise opened.error(f"no {kind} format is called {asked!r}", hint)
    return by_name[asked]


def _misnamed(
    opened: Opened, formats: Sequence[Format[_Parsed]], forced: Format[_Parsed], error: InputError
) -> InputError:
    """Say that a file is not what `format` says, where its content looks like something else."""
    likely = _detected(opened, formats)
    if likely is None or likely is forced or forced.detect(opened):
        return error
    what = f"`format` says {forced.name}, but the content looks like {likely.name}"
    first = Problem(what, opened.path, "leave `format` out")
    return InputError([first, *error.problems], total=error.total + 1)


def _unrecognised(opened: Opened, formats: Sequence[Format[_Parsed]], kind: str) -> InputError:
    names = ", ".join(candidate.name for candidate in formats)
    if opened.is_folder:
        inside = ", ".join(sorted(path.name for path in opened.target.iterdir())[:8]) or "nothing"
        return opened.error(f"this folder is no {kind}; it holds: {inside}", f"looked for {names}")
    first = opened.first_lines[0] if opened.first_lines else ""
    return opened.error(
        f"not recognised as a {kind}{_rather(opened, kind)}; it starts {_shortened(first)!r}",
        f"looked for {names}; `format` forces one",
    )


def _rather(opened: Opened, kind: str) -> str:
    """Say what a file looks like instead, where it was given in the place of the other kind."""
    likely = _detected(opened, DATASET_FORMATS) if kind == "run" else _detected(opened, RUN_FORMATS)
    other = "dataset" if kind == "run" else "run"
    return f": it looks like a {other} ({likely.name})" if likely else ""


def _shortened(line: str) -> str:
    return line if len(line) <= 80 else line[:77] + "..."
