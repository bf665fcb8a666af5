"""Something wrong at a place in a configuration, before the place has become a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rageval.errors import Problem

Loc = tuple[str | int, ...]
"""The way from the top of a configuration to a value: keys and 0-based positions."""
Lines = Mapping[Loc, int]
"""1-based line of each key and list entry."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a configuration."""

    loc: Loc
    what: str
    hint: str = ""
    line: int | None = None
    """Where the place is not that of `loc`, such as a key's second appearance."""
    depends: tuple[Loc, ...] = ()
    """Other places that this fault is a consequence of, if something is wrong there."""


def overlap(one: Loc, other: Loc) -> bool:
    """Return whether one place is the other or contains it."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def independent(faults: Iterable[Fault], earlier: Iterable[Fault]) -> list[Fault]:
    """Keep the faults that are no consequence of an earlier one."""
    wrong = [fault.loc for fault in earlier]
    return [
        fault
        for fault in faults
        if not any(overlap(place, loc) for place in (fault.loc, *fault.depends) for loc in wrong)
    ]


def dotted(loc: Loc) -> str:
    """Write a place as people do: `strategies[1].run.path`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc)
    return text.removeprefix(".")


def printable(text: str) -> str:
    """Show what would break a line or command a terminal as escapes."""
    return text if text.isprintable() else repr(text)[1:-1]


def line_of(fault: Fault, lines: Lines) -> int:
    """Return the line of a fault, or of the nearest enclosing place that stands in the file."""
    if fault.line is not None:
        return fault.line
    ancestors = (fault.loc[:length] for length in range(len(fault.loc), 0, -1))
    return next((lines[loc] for loc in ancestors if loc in lines), 1)


def problems_in_file(faults: Iterable[Fault], file: str, lines: Lines) -> list[Problem]:
    """Turn faults into problems that name `file:line`, in the order of the file."""
    by_line = sorted(faults, key=lambda fault: line_of(fault, lines))
    return _problems(by_line, lambda fault: f"{file}:{line_of(fault, lines)}")


def problems_in_mapping(faults: Iterable[Fault]) -> list[Problem]:
    """Turn faults into problems that name their place by keys."""
    return _problems(faults, lambda fault: dotted(fault.loc))


def _problems(faults: Iterable[Fault], where: Callable[[Fault], str]) -> list[Problem]:
    problems = (Problem(fault.what, where(fault), fault.hint) for fault in faults)
    return list(dict.fromkeys(problems))
