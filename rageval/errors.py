"""The errors users see: what is wrong, where it stands, and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

SHOWN_PROBLEMS = 10
"""How many problems one message spells out; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with an input."""

    what: str
    where: str = ""
    """`file`, `file:line`, or a place in a configuration; empty where there is none."""
    hint: str = ""
    """What would be right."""

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        advice = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.what}{advice}"


class RagevalError(Exception):
    """An input that cannot be evaluated as it is; the command exits with 2.

    `problems` holds the first few problems, `total` counts them all.
    """

    shown: ClassVar[int] = SHOWN_PROBLEMS

    def __init__(
        self, what: str | Sequence[Problem], *, where: str = "", hint: str = "", total: int = 0
    ) -> None:
        problems = (Problem(what, where, hint),) if isinstance(what, str) else tuple(what)
        self.problems = problems[: self.shown]
        self.total = max(total, len(problems))
        super().__init__(str(self))

    def __str__(self) -> str:
        lines = [str(problem) for problem in self.problems]
        if self.total > len(lines):
            lines.append(f"... {self.total:,} problems in all, the first {len(lines)} shown")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.problems, self.total)


def _rebuild(kind: type[RagevalError], problems: Sequence[Problem], total: int) -> RagevalError:
    return kind(problems, total=total)


class ConfigError(RagevalError):
    """A configuration that cannot be used, with every problem in it."""

    shown = 100


class InputError(RagevalError):
    """A dataset or run file that cannot be read or does not fit."""


class RenderError(RagevalError):
    """A report that could not be rendered; the numbers stand."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `did you mean 'x'?` for the closest known name, else the list of known names."""
    names = list(known)
    folded = {candidate.casefold(): candidate for candidate in names}
    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    if close:
        return f"did you mean {folded[close[0]]!r}?"
    return "known: " + ", ".join(names)
