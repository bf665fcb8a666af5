"""Query texts and corpus that stand beside the judgments, each in a file of its own."""

from __future__ import annotations

from rageval.formats.content import Content
from rageval.formats.corpus import with_corpus
from rageval.formats.format import FileRead
from rageval.formats.tables import DatasetTable
from rageval.formats.topics import with_topics


def with_companions(
    table: DatasetTable, queries: Content | None, corpus: Content | None, lenient: bool
) -> tuple[DatasetTable, list[FileRead]]:
    """Return the dataset with the texts and the corpus that there are, and the files read."""
    files = []
    if queries is not None:
        table, topics = with_topics(table, queries, lenient)
        files.append(FileRead(queries, len(topics.texts)))
    if corpus is not None:
        table, size = with_corpus(table, corpus, lenient)
        files.append(FileRead(corpus, size))
    return table, files
