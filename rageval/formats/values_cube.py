"""From columns of values to cubes on one query axis: each value once, or counted as absent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Bools, Floats, Ints
from rageval.data.finding import MAX_EXAMPLES, Finding
from rageval.data.measurements import Measurements
from rageval.data.order import natural_order
from rageval.errors import InputError, did_you_mean
from rageval.formats.faults import Faults
from rageval.formats.tidy import numbers
from rageval.formats.values_table import Block, Column

PREFERRED = ("ndcg_cut_10", "map")
"""Which of a hundred measures is compared by default, as far as every strategy has it."""
SHOWN = 8
"""How many measures a message lists."""
ABSENT = ("", "na", "nan")
"""How files write that there is no value, beside null; in any case."""


@dataclass(frozen=True, eq=False)
class Axis:
    """Names of one kind, and which of them each row has."""

    names: tuple[str, ...]
    """In the order in which they first appear."""
    code: Ints
    """(rows,) position among the names."""


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of all blocks, one after the other; values are not parsed yet."""

    blocks: tuple[Block, ...]
    dataset: Axis
    measure: Axis
    strategy: Axis
    query: Axis

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> Rows:
        """Return the rows of blocks."""
        sizes = [len(block.query) for block in blocks]

        def axis(column: Callable[[Block], Column]) -> Axis:
            return _axis([column(block) for block in blocks], sizes)

        return cls(
            tuple(blocks),
            axis(lambda block: block.dataset),
            axis(lambda block: block.measure),
            axis(lambda block: block.strategy),
            axis(lambda block: block.query),
        )

    def where(self, row: int) -> str:
        """Return where a row stands in its file."""
        for block in self.blocks:
            if row < len(block.query):
                return block.where(row)
            row -= len(block.query)
        raise IndexError(row)


def _axis(columns: Sequence[Column], sizes: Sequence[int]) -> Axis:
    places: dict[str, int] = {}
    parts: list[Ints] = [np.empty(0, np.int64)]
    for column, size in zip(columns, sizes, strict=True):
        if isinstance(column, str):
            parts.append(np.full(size, places.setdefault(column, len(places))))
        else:
            encoded = column.combine_chunks().dictionary_encode()
            names = encoded.dictionary.to_pylist()
            local = np.array([places.setdefault(n, len(places)) for n in names], np.int64)
            parts.append(local[encoded.indices.to_numpy()])
    return Axis(tuple(places), np.concatenate(parts))


def choose_measures(rows: Rows, wanted: Sequence[str], every: bool) -> tuple[str, ...]:
    """Return the measures to compare: those wanted, else all (`every`) or one.

    Case does not matter, and `.` stands for `_` as on the command line of trec_eval. Raises
    `InputError` for a measure that no file has, or one that a strategy lacks.
    """
    known = rows.measure.names
    if wanted:
        chosen = tuple(dict.fromkeys(find_measure(name, known) for name in wanted))
        for measure in chosen:
            _require_everywhere(rows, measure)
        return chosen
    if every:
        return known
    shared = [name for name in known if not _lacking(rows, name)]
    if not shared:
        hint = f"they have {', '.join(known[:SHOWN])}{', ...' if len(known) > SHOWN else ''}"
        raise InputError("no measure is in every file", hint=hint)
    return (next((name for name in PREFERRED if name in shared), shared[0]),)


def find_measure(wanted: str, known: Sequence[str]) -> str:
    """Return the measure that is meant; `InputError` where there is none of that name."""
    if wanted in known:
        return wanted
    by_folded = {_folded(name): name for name in reversed(known)}
    if _folded(wanted) not in by_folded:
        raise InputError(f"no measure {wanted!r}", hint=did_you_mean(wanted, known))
    return by_folded[_folded(wanted)]


def _folded(name: str) -> str:
    return name.strip().casefold().replace(".", "_")


def _lacking(rows: Rows, measure: str) -> list[str]:
    """Return the strategies that have no row of a measure."""
    code = rows.measure.names.index(measure)
    present = set(rows.strategy.code[rows.measure.code == code].tolist())
    return [name for i, name in enumerate(rows.strategy.names) if i not in present]


def _require_everywhere(rows: Rows, measure: str) -> None:
    lacking = _lacking(rows, measure)
    if lacking:
        names = ", ".join(map(repr, lacking))
        hint = "choose a measure that all strategies have"
        raise InputError(f"there is no {measure} of {names}", hint=hint)


def cubes(rows: Rows, measures: Sequence[str]) -> Iterator[tuple[str, Measurements]]:
    """Yield the values of each dataset, on its own queries in natural order.

    Raises `InputError` for cells that are no finite number and for values that stand twice.
    """
    chosen = _members(rows.measure, measures)
    values = _values(rows, chosen)
    _refuse_repeats(rows, np.flatnonzero(chosen))
    for code, dataset in enumerate(rows.dataset.names):
        here = np.flatnonzero(chosen & (rows.dataset.code == code))
        yield dataset, _cube(rows, measures, here, values)


def _members(axis: Axis, names: Sequence[str]) -> Bools:
    codes = [axis.names.index(name) for name in names]
    return np.isin(axis.code, codes)


def _values(rows: Rows, chosen: Bools) -> Floats:
    """Return the values of chosen rows, NaN where there is none and in all other rows."""
    faults = Faults(lenient=False)
    values = np.full(len(chosen), np.nan)
    start = 0
    for block in rows.blocks:
        here = chosen[start : start + len(block.query)]
        if here.any():
            values[start : start + len(here)][here] = _numbers(block, np.flatnonzero(here), faults)
        start += len(here)
    faults.settle()
    return values


def _numbers(block: Block, rows: Ints, faults: Faults) -> Floats:
    cells = block.cells.take(pa.array(rows))
    filled = rows[~_absent(cells)]

    def where(row: int) -> str:
        return block.where(int(filled[row]))

    values = np.full(len(rows), np.nan)
    read, _ = numbers(cells.filter(pa.array(~_absent(cells))), _called(block), faults, where)
    for row in np.flatnonzero(np.isinf(read)):
        faults.add("an infinite value", where(int(row)), "values are finite numbers")
    values[np.isin(rows, filled)] = read
    return values


def _called(block: Block) -> str:
    """Return what messages call a value: by its column, where a column is named after it."""
    of = block.strategy if isinstance(block.strategy, str) else block.measure
    return f"{of!r} value" if isinstance(of, str) else "value"


def _absent(cells: pa.ChunkedArray) -> Bools:
    import pyarrow.compute as pc

    if pa.types.is_floating(cells.type):
        return np.asarray(pc.is_null(cells, nan_is_null=True).to_numpy())
    if not pa.types.is_string(cells.type):
        return np.asarray(cells.is_null().to_numpy())
    plain = pc.ascii_lower(pc.utf8_trim_whitespace(cells))
    return np.asarray(pc.fill_null(pc.is_in(plain, pa.array(ABSENT)), True).to_numpy())


def _refuse_repeats(rows: Rows, chosen: Ints) -> None:
    axes = (rows.dataset, rows.measure, rows.strategy, rows.query)
    shape = tuple(len(axis.names) for axis in axes)
    cell = np.ravel_multi_index(tuple(axis.code[chosen] for axis in axes), shape)
    first = np.unique(cell, return_index=True)[1]
    if len(first) == len(cell):
        return
    faults = Faults(lenient=False)
    said: set[str] = set()
    for row in np.delete(chosen, first).tolist():
        where = rows.where(row)
        if where not in said:
            said.add(where)
            faults.add(_repeat(rows, row), where, "a query stands once for each strategy")
    faults.settle()


def _repeat(rows: Rows, row: int) -> str:
    query = rows.query.names[rows.query.code[row]]
    strategy = rows.strategy.names[rows.strategy.code[row]]
    return f"the query {query!r} stands here once more for {strategy!r}"


def _cube(rows: Rows, measures: Sequence[str], here: Ints, values: Floats) -> Measurements:
    strategies, strategy = _local(rows.strategy, here)
    queries, query = _local(rows.query, here)
    ordered = natural_order(queries)
    place = {name: i for i, name in enumerate(ordered)}
    position = np.array([place[name] for name in queries], np.int64)
    measure_place = np.zeros(len(rows.measure.names), np.int64)
    measure_place[[rows.measure.names.index(name) for name in measures]] = range(len(measures))
    cube = np.full((len(measures), len(strategies), len(ordered)), np.nan)
    cube[measure_place[rows.measure.code[here]], strategy, position[query]] = values[here]
    return Measurements(tuple(measures), strategies, ordered, cube)


def _local(axis: Axis, here: Ints) -> tuple[tuple[str, ...], Ints]:
    """Return the names that stand in some rows, in the axis' order, and the rows' places there."""
    codes, local = np.unique(axis.code[here], return_inverse=True)
    return tuple(axis.names[code] for code in codes.tolist()), local


def absent_values(dataset: str, cube: Measurements) -> Iterator[Finding]:
    """Yield, for each strategy, how many queries lack a value of some measure."""
    absent = np.asarray(np.isnan(cube.values).any(axis=0))
    for strategy, row in zip(cube.strategies, absent, strict=True):
        places = np.flatnonzero(row)
        if len(places):
            yield Finding(
                "values-absent",
                "medium",
                "Queries without a value",
                len(places),
                "They are left out of every comparison with this strategy.",
                total=len(cube.query_ids),
                strategy=strategy,
                dataset=dataset,
                examples=tuple(cube.query_ids[i] for i in places[:MAX_EXAMPLES]),
            )
