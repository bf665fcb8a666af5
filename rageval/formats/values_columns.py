"""Per-query values in CSV, TSV or Parquet: a column per strategy, or tidy rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from rageval.data.finding import MAX_EXAMPLES, Finding
from rageval.errors import InputError
from rageval.formats.faults import Faults
from rageval.formats.names import SPELLINGS, find_name, folded
from rageval.formats.opened import Opened
from rageval.formats.parquet import is_parquet, open_parquet
from rageval.formats.tables import Where
from rageval.formats.tidy import Tidy, delimited_header, good_ids, id_columns, open_delimited
from rageval.formats.values_table import UNNAMED, Block, Column, ValuesTable
from rageval.formats.values_trec_eval import is_number

STRATEGY_NAMES = (
    *("strategy", "system", "run", "run_id", "runid", "run_name", "model", "method"),
    *("retriever", "pipeline"),
)
MEASURE_NAMES = ("measure", "metric", "measure_name", "metric_name")
VALUE_NAMES = ("value", "score")
DATASET_NAMES = ("dataset", "dataset_name")
INDEX_NAME = "__index_level_0__"
"""What pandas calls an index without a name in Parquet."""
ATTRIBUTE = "attribute."
"""Start of the columns of our `per_query.csv` that describe a query."""
MEANS = ("all", "amean")
"""What trec_eval and gdeval write in the place of a query in a row of means."""


@dataclass(frozen=True)
class _Layout:
    """Which column is what."""

    query: str
    strategy: str | None
    measure: str | None
    dataset: str | None
    values: tuple[str, ...]
    """The columns that hold values."""
    measure_a_column: bool = False
    """Whether each of them is a measure."""

    @property
    def ids(self) -> dict[str, str]:
        """Return what messages call a column of ids -> its name."""
        named = {
            "query": self.query,
            "strategy": self.strategy,
            "measure": self.measure,
            "dataset": self.dataset,
        }
        return {called: name for called, name in named.items() if name is not None}


def is_columns(opened: Opened) -> bool:
    """Return whether a file is a table with a header."""
    return is_parquet(opened) or _delimited_kind(opened) is not None


def parse_columns(opened: Opened) -> ValuesTable:
    """Read a table of values.

    Tidy where a column names the strategy: then either a column `value` holds the values, with
    the measure in another column or unnamed, or every other column is a measure. Else wide: the
    column of the query, by its name or the first, and a column per strategy. Raises `InputError`.
    """
    kind = _delimited_kind(opened)
    tidy = open_delimited(opened, kind) if kind else open_parquet(opened)
    _refuse_odd_names(tidy)
    faults = Faults(lenient=False)
    table, where = tidy.read(tidy.names, faults)
    faults.settle()
    layout = _layout(tidy, table)
    _refuse_nothing(tidy, table, layout)
    table = id_columns(table, list(layout.ids.values()), where)
    good_ids(table, layout.ids, faults, where)
    faults.settle()
    table, where, findings = _without_means(table, layout.query, where)
    blocks = tuple(_block(layout, table, name, where) for name in layout.values)
    return ValuesTable(tidy.path, blocks, findings=findings)


def _delimited_kind(opened: Opened) -> str | None:
    if opened.is_folder or not opened.is_plain_text:
        return None
    headers = {kind: delimited_header(opened, kind) for kind in ("csv", "tsv")}
    widths = {kind: len(header.names) for kind, header in headers.items() if header}
    return max(widths, key=lambda kind: widths[kind], default=None)


def _refuse_odd_names(tidy: Tidy) -> None:
    # Only the first column may do without a name: pandas writes an index so.
    for place, name in enumerate(tidy.names):
        if not name and place > 0:
            raise InputError(f"the column {place + 1} has no name", where=tidy.path)
        if name in tidy.names[:place]:
            raise InputError(f"two columns are called {name!r}", where=tidy.path)


def _refuse_nothing(tidy: Tidy, table: pa.Table, layout: _Layout) -> None:
    if not layout.values:
        hint = f"the columns are {', '.join(map(repr, tidy.names))}"
        raise InputError("no column holds values", where=tidy.path, hint=hint)
    if not table.num_rows:
        raise InputError("no row stands below the header", where=tidy.path)


def _layout(tidy: Tidy, table: pa.Table) -> _Layout:
    names = tidy.names
    query = find_name("query_id", names) or find_name("query", names)
    query = query or (INDEX_NAME if INDEX_NAME in names else names[0])
    strategy, value = _find(STRATEGY_NAMES, names), _find(VALUE_NAMES, names)
    if strategy == query or (strategy and not value and _holds_numbers(table[strategy])):
        strategy = None
    dataset = _find(DATASET_NAMES, names)
    measure = _find(MEASURE_NAMES, names) if strategy and value else None
    if strategy and value:
        return _Layout(query, strategy, measure, dataset, (value,))
    taken = {query, strategy, dataset}
    rest = tuple(name for name in names if name not in taken and not _describes(name))
    if strategy is None and query == names[0]:
        _refuse_numbers_as_names(tidy, query, rest)
    return _Layout(query, strategy, None, dataset, rest, measure_a_column=strategy is not None)


def _find(spellings: Iterable[str], names: Sequence[str]) -> str | None:
    known = {folded(name): name for name in reversed(names)}
    return next((known[spelling] for spelling in spellings if spelling in known), None)


def _describes(name: str) -> bool:
    """Return whether a column tells about the query: its text, or an attribute."""
    return folded(name) in SPELLINGS["query"] or name.startswith(ATTRIBUTE)


def _holds_numbers(column: pa.ChunkedArray) -> bool:
    first = next((cell for cell in column.to_pylist() if cell not in (None, "")), "")
    return isinstance(first, int | float) or is_number(str(first))


def _refuse_numbers_as_names(tidy: Tidy, query: str, strategies: Sequence[str]) -> None:
    known = folded(query) in (*SPELLINGS["query_id"], *SPELLINGS["query"], INDEX_NAME, "")
    if not known and strategies and all(map(is_number, strategies)):
        raise InputError(
            f"the first line holds numbers ({strategies[0]}) where names of strategies should be",
            where=f"{tidy.path}:1",
            hint="put a header above, e.g. `query_id,bm25,dense`",
        )


def _without_means(
    table: pa.Table, query: str, where: Where
) -> tuple[pa.Table, Where, tuple[Finding, ...]]:
    import pyarrow.compute as pc

    means = np.asarray(pc.is_in(table[query], pa.array(MEANS)).to_numpy())
    left = np.flatnonzero(means)
    if not len(left):
        return table, where, ()
    finding = Finding(
        "rows-of-means",
        "low",
        f"Rows of means over all queries ({' or '.join(MEANS)})",
        len(left),
        "They are no queries and were left out.",
        examples=tuple(where(int(row)) for row in left[:MAX_EXAMPLES]),
    )
    rows = np.flatnonzero(~means)
    return table.take(pa.array(rows)), lambda row: where(int(rows[row])), (finding,)


def _block(layout: _Layout, table: pa.Table, name: str, where: Where) -> Block:
    return Block(
        dataset="" if layout.dataset is None else table[layout.dataset],
        measure=_measure(layout, table, name),
        strategy=name if layout.strategy is None else table[layout.strategy],
        query=table[layout.query],
        cells=table[name],
        where=where,
    )


def _measure(layout: _Layout, table: pa.Table, name: str) -> Column:
    if layout.measure is not None:
        return table[layout.measure]
    return name if layout.measure_a_column else UNNAMED
