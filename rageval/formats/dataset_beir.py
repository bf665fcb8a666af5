"""BEIR: a folder of queries.jsonl, qrels/<split>.tsv and, maybe, corpus.jsonl."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rageval.config.models import DatasetSpec
from rageval.errors import did_you_mean
from rageval.formats.companions import with_companions
from rageval.formats.compression import compressed_suffix
from rageval.formats.content import Content
from rageval.formats.dataset_trec import is_grade
from rageval.formats.delimited import Delimited, header_of
from rageval.formats.faults import Faults
from rageval.formats.format import DatasetFormat, FileRead, ParsedDataset
from rageval.formats.names import folded, refuse_columns
from rageval.formats.opened import Opened
from rageval.formats.tables import DatasetTable
from rageval.formats.tidy import good_ids, kept

_HEADER = ("query_id", "corpus_id", "score")
_COLUMNS = "a line is: query-id, corpus-id, score, separated by tabs"
_DEFAULT_SPLIT = "test"


def _detect(opened: Opened) -> bool:
    if opened.is_folder:
        return (opened.target / "qrels").is_dir()
    lines = opened.first_lines[:20] if opened.is_plain_text else ()
    return (
        bool(lines)
        and all(map(_is_judgment, lines[1:]))
        and (_is_header(lines[0].split("\t")) or _is_judgment(lines[0]))
    )


def _is_header(names: Sequence[str]) -> bool:
    return tuple(map(folded, names)) == _HEADER


def _is_judgment(line: str) -> bool:
    fields = line.split("\t")
    return len(fields) == 3 and is_grade(fields[2].strip())


def _judgments(content: Content, faults: Faults) -> DatasetTable:
    header = header_of(content, "\t")
    headed = header is not None and _is_header(header.names)
    start, line = (header.end, header.lines + 1) if header and headed else (0, 1)
    source = Delimited(content, content.buffer.slice(start), "\t", 3, line, hint=_COLUMNS)
    table, where = source.read((0, 1, 2), faults)
    good = good_ids(table, {"query-id": "0", "corpus-id": "1"}, faults, where)
    table, where = kept(table, good, where)
    return DatasetTable(table["0"], table["1"], table["2"], where, findings=faults.settle())


def _parse(opened: Opened) -> ParsedDataset:
    refuse_columns(opened.spec.columns, opened.path)
    if opened.is_folder:
        return _parse_folder(opened)
    table = _judgments(opened.content, Faults(opened.lenient))
    return ParsedDataset(table, (FileRead(opened.content, len(table.query)),))


def _parse_folder(opened: Opened) -> ParsedDataset:
    qrels = opened.inside(_qrels_file(opened))
    table = _judgments(qrels, Faults(opened.lenient))
    read = FileRead(qrels, len(table.query))
    queries = opened.part("queries.jsonl")
    table, files = with_companions(table, queries, _corpus(opened), opened.lenient)
    return ParsedDataset(table, (read, *files))


def _corpus(opened: Opened) -> Content | None:
    return opened.part("corpus.jsonl") if opened.is_folder else None


def _qrels_file(opened: Opened) -> Path:
    files = {_split_of(path): path for path in sorted((opened.target / "qrels").iterdir())}
    files = {split: path for split, path in files.items() if split}
    if not files:
        raise opened.error("no qrels/*.tsv in the folder")
    asked = opened.spec.split if isinstance(opened.spec, DatasetSpec) else None
    split = asked or (_DEFAULT_SPLIT if _DEFAULT_SPLIT in files else next(iter(files)))
    if split not in files:
        raise opened.error(f"no split {split!r} in qrels/", did_you_mean(split, files))
    if not asked and split != _DEFAULT_SPLIT and len(files) > 1:
        names = ", ".join(files)
        raise opened.error(f"several splits in qrels/: {names}", "choose one with `split`")
    return files[split]


def _split_of(path: Path) -> str:
    name = path.name.removesuffix(compressed_suffix(path.name))
    hidden = name.startswith(".")
    return name.removesuffix(".tsv") if name.endswith(".tsv") and not hidden else ""


BEIR = DatasetFormat(
    name="beir",
    summary="A BEIR folder (queries.jsonl, qrels/<split>.tsv, corpus.jsonl if there), or one "
    "qrels file of it.",
    example="query-id\tcorpus-id\tscore\nq1\td7\t2\n",
    detect=_detect,
    parse=_parse,
    corpus=_corpus,
)
FORMATS = (BEIR,)
