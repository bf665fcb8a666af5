"""Per-query output of trec_eval: `measure query value` lines, one file a strategy."""

from __future__ import annotations

from rageval.errors import InputError
from rageval.formats.faults import Faults
from rageval.formats.names import SPELLINGS, folded
from rageval.formats.opened import Opened
from rageval.formats.values_table import Block, ValuesTable, strings

TEXT_MEASURES = frozenset({"runid", "relstring"})
"""Measures of trec_eval whose values are no numbers."""
ALL = "all"
"""Where a query's id stands in lines of means over all queries."""
FIELDS = 3
_HINT = "measure, query and value, as `trec_eval -q` writes them"


def is_trec_eval(opened: Opened) -> bool:
    """Return whether a file starts like output of trec_eval."""
    if not opened.is_plain_text or not opened.first_lines:
        return False
    first, *following = (line.split() for line in opened.first_lines[:2])
    # Below the header of a table of numbers, a line starts with a query's number.
    return _starts_output(first) and not any(is_number(fields[0]) for fields in following)


def _starts_output(fields: list[str]) -> bool:
    if is_number(fields[0]) or folded(fields[0]) in SPELLINGS["query_id"]:
        return False
    return fields[0] in TEXT_MEASURES or (len(fields) == FIELDS and is_number(fields[2]))


def is_number(text: str) -> bool:
    """Return whether a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def parse_trec_eval(opened: Opened, strategy: str) -> ValuesTable:
    """Read the values of one strategy; means over all queries and texts are left out.

    Raises `InputError` for lines of another shape, and where there are only means.
    """
    faults = Faults(lenient=False)
    rows: list[tuple[str, str, str]] = []
    numbers: list[int] = []
    for number, line in enumerate(opened.content.text.split("\n"), 1):
        fields = line.split()
        if not fields or fields[0] in TEXT_MEASURES:
            continue
        if len(fields) != FIELDS:
            faults.add(f"{len(fields)} fields instead of 3", f"{opened.path}:{number}", _HINT)
        elif fields[1] != ALL:
            rows.append((fields[0], fields[1], fields[2]))
            numbers.append(number)
    faults.settle()
    if not rows:
        raise _only_means(opened)
    measures, queries, cells = (strings(list(column)) for column in zip(*rows, strict=True))
    path = opened.path
    block = Block("", measures, strategy, queries, cells, lambda row: f"{path}:{numbers[row]}")
    return ValuesTable(path, (block,), all_measures=False)


def _only_means(opened: Opened) -> InputError:
    return opened.error("holds only means over all queries", "run trec_eval with -q")
