"""Tables on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rageval.report.text import visible

PIPE_WIDTH = 4000
"""A pipe or a file has no width; nothing is folded or cut there."""


class Terminal(Console):
    """A console that leaves it to its caller what a reader that went away means."""

    def on_broken_pipe(self) -> None:
        """Pass the error on; rich would end the process with the status of a failed gate."""
        raise BrokenPipeError


def console(piped_width: int = PIPE_WIDTH) -> Terminal:
    """Return stdout, as wide as it is; `piped_width` where it is no terminal."""
    width = None if sys.stdout.isatty() else piped_width
    return Terminal(file=sys.stdout, width=width, highlight=False)


def show_table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> None:
    """Print a table whose first `words` columns hold words and the others numbers."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for i, name in enumerate(columns):
        number = i >= words
        table.add_column(
            Text(visible(name)), justify="right" if number else "left", overflow="fold"
        )
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    console().print(table)
