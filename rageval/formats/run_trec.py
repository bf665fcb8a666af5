"""The record of TREC run files; their parser is `trec_run`."""

from __future__ import annotations

from rageval.formats.format import RunFormat
from rageval.formats.names import refuse_columns
from rageval.formats.opened import Opened
from rageval.formats.tables import RunTable

_LOOKED_AT = 50
"""Lines that detection looks at: a stray header may come first."""


def _detect(opened: Opened) -> bool:
    if not opened.is_plain_text:
        return False
    # A query id may start with #, so that what looks like comments is looked at as well.
    lines = (*opened.data_lines[:_LOOKED_AT], *opened.first_lines[:_LOOKED_AT])
    return any(_is_run_line(line) for line in lines)


def _is_run_line(line: str) -> bool:
    fields = [field for field in line.replace("\t", " ").split(" ") if field]
    # Five fields (no tag) or more (blanks in an id or a tag) are nearly right: the parser says
    # what is wrong with them.
    return len(fields) >= 5 and "," not in fields[0] and _is_number(fields[4])


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _parse(opened: Opened) -> RunTable:
    from rageval.formats.trec_run import read_trec_run

    refuse_columns(opened.spec.columns, opened.path)
    if opened.is_folder:
        raise opened.error("is a folder, where a file is wanted")
    return read_trec_run(opened.content, lenient=opened.lenient)


TREC_RUN = RunFormat(
    name="trec-run",
    summary="The six columns of TREC: query, `Q0`, document, rank, score, tag; ranked by score.",
    example="q1 Q0 d7 1 0.91 bm25\nq1 Q0 d3 2 0.44 bm25\n",
    detect=_detect,
    parse=_parse,
)
FORMATS = (TREC_RUN,)
