"""`rageval measures`."""

from __future__ import annotations

from rich import box
from rich.table import Table
from rich.text import Text

from rageval.cli.status import DONE
from rageval.cli.tables import console
from rageval.measures import MeasureRow, table

PIPED_WIDTH = 120
NOTE = "Case does not matter. @k is a cutoff; what stands in [brackets] may be left out."


def show_measures() -> int:
    """Print the table of measures."""
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, show_lines=True)
    shown.add_column("measure", ratio=2, overflow="fold")
    shown.add_column("what it says, and its formula", ratio=4)
    shown.add_column("source", ratio=3)
    for row in table():
        shown.add_row(Text(_names(row)), Text(f"{row.summary}\n{row.formula}"), Text(row.source))
    console(PIPED_WIDTH).print(shown)
    print(f"\n{NOTE}")
    return DONE


def _names(row: MeasureRow) -> str:
    return "\n".join([row.name, *(f"also {name}" for name in row.spellings)])
