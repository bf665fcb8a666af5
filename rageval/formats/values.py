"""Read per-query values that any tool made, in whichever of the known forms they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from rageval.config.models import FileSpec, file_stem
from rageval.data.finding import Finding
from rageval.data.measurements import Measurements
from rageval.errors import InputError
from rageval.formats.opened import Opened
from rageval.formats.values_columns import is_columns, parse_columns
from rageval.formats.values_cube import Rows, absent_values, choose_measures, cubes
from rageval.formats.values_json import is_scores, parse_scores
from rageval.formats.values_table import UNNAMED, Block, ValuesTable
from rageval.formats.values_trec_eval import is_trec_eval, parse_trec_eval

NAMELESS_MEASURE = "value"
"""What a measure is called that neither file nor user names."""
_LOOKED_FOR = (
    "looked for a table with a row per query and a column per strategy, tidy rows (query, "
    "strategy, value), and `trec_eval -q` output"
)
_LOOK_LIKE = {6: "a run", 4: "judgments"}


@dataclass(frozen=True, eq=False)
class ValuesFile:
    """A file of values; `strategy` names the one that it holds."""

    path: str
    strategy: str | None = None

    @cached_property
    def opened(self) -> Opened:
        """Return the file as it is read: once, since it may be a pipe."""
        return Opened(FileSpec(path=self.path), Path(), False)


@dataclass(frozen=True, eq=False)
class Values:
    """Values of strategies, by dataset."""

    datasets: tuple[tuple[str, Measurements], ...]
    """Names may be empty: most files name no dataset."""
    available: tuple[str, ...]
    """Every measure that the files hold."""
    findings: tuple[Finding, ...] = ()


def read_values(files: Sequence[ValuesFile], measures: Sequence[str] = ()) -> Values:
    """Read the values of strategies from one file, or from several that complete each other.

    Strategies stand in the order of the files, queries in natural order of their ids. A cell that
    is empty, `NA` or `NaN` is no value, and counted. `measures` chooses some of those that the
    files hold, or names the one of a file that does not. Raises `InputError` for text in the
    place of a number, infinite values, a query that stands twice, one strategy alone, and files
    of no known form.
    """
    tables = [_parse(file) for file in files]
    _refuse_shared_strategies(tables)
    called = measures[0] if measures else NAMELESS_MEASURE
    rows = Rows.of([_with_measure(block, called) for table in tables for block in table.blocks])
    names = rows.strategy.names
    if len(names) < 2:
        hint = "give a column or a file for each strategy"
        raise InputError(f"only one strategy, {names[0]!r}", where=tables[0].path, hint=hint)
    chosen = choose_measures(rows, measures, all(table.all_measures for table in tables))
    datasets = tuple(cubes(rows, chosen))
    findings = [finding for table in tables for finding in table.findings]
    findings += [finding for named in datasets for finding in absent_values(*named)]
    return Values(datasets, rows.measure.names, tuple(findings))


def _with_measure(block: Block, name: str) -> Block:
    return replace(block, measure=name) if block.measure == UNNAMED else block


def _parse(file: ValuesFile) -> ValuesTable:
    opened = file.opened
    if opened.is_folder:
        raise opened.error("is a folder, where a file is wanted")
    table = _recognised(opened, file.strategy or file_stem(opened.path))
    return table if file.strategy is None else _renamed(table, file.strategy)


def _recognised(opened: Opened, strategy: str) -> ValuesTable:
    if is_scores(opened):
        return parse_scores(opened)
    if is_trec_eval(opened):
        return parse_trec_eval(opened, strategy)
    if is_columns(opened):
        return parse_columns(opened)
    first = opened.first_lines[0] if opened.first_lines else ""
    looks = _LOOK_LIKE.get(len(first.split())) if opened.is_plain_text else None
    if looks:
        hint = "`rageval score` makes values from runs and judgments"
        raise opened.error(f"looks like {looks}, not like values per query", hint)
    raise opened.error(f"not recognised as values; it starts {first[:80]!r}", _LOOKED_FOR)


def _renamed(table: ValuesTable, strategy: str) -> ValuesTable:
    held = _strategies(table)
    if len(held) > 1:
        raise InputError(
            f"holds {len(held)} strategies, which {strategy!r} cannot all be called",
            where=table.path,
            hint="leave the name out",
        )
    return table.named(strategy)


def _strategies(table: ValuesTable) -> tuple[str, ...]:
    return Rows.of(table.blocks).strategy.names


def _refuse_shared_strategies(tables: Sequence[ValuesTable]) -> None:
    holder: dict[str, str] = {}
    for table in tables:
        for name in _strategies(table):
            if name in holder:
                raise InputError(
                    f"both {holder[name]} and {table.path} hold the values of {name!r}",
                    hint="name them: NAME=FILE",
                )
        holder |= dict.fromkeys(_strategies(table), table.path)
