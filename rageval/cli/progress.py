"""What is being done, on stderr: a live line on a terminal, a plain log elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from rageval.report.text import visible


class Display:
    """Show steps as they come. Use as a context manager."""

    def __init__(self, *, live: bool | None = None) -> None:
        self.tasks_done = 0
        self._step = "starting"
        self._live = sys.stderr.isatty() if live is None else live
        if self._live:
            from rich.console import Console

            self._status = Console(file=sys.stderr).status(self._step)

    def __enter__(self) -> Display:
        if self._live:
            self._status.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live:
            self._status.stop()

    def say(self, step: str) -> None:
        """Show that something began or was done."""
        self._step = step
        if self._live:
            self._refresh()
        else:
            _write(step)

    def warn(self, text: str) -> None:
        """Show a text that stays."""
        if self._live:
            self._status.console.print(visible(text), markup=False, highlight=False)
        else:
            _write(text)

    def task_done(self) -> None:
        """Count a task that ended."""
        self.tasks_done += 1
        if self._live:
            self._refresh()

    def _refresh(self) -> None:
        from rich.text import Text

        done = f" ({self.tasks_done} tasks done)" if self.tasks_done else ""
        self._status.update(Text(visible(self._step) + done))


def _write(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')}  {visible(text)}", file=sys.stderr, flush=True)
