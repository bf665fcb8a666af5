"""Which strategies are not shown to differ, as letters beside their means."""

from __future__ import annotations

from rageval.comparison.letters import compact_letters
from rageval.report.forest import SHOWN
from rageval.report.model import Subject

MAX_LETTERED = 10
"""Beyond this many strategies one letter marks those not shown to differ from the best."""


def letters(subject: Subject, key: str) -> dict[str, str]:
    """Return strategy -> letters; strategies that share a letter are not shown to differ."""
    order = subject.order(key)
    if len(order) < 2 or not subject.pairs(key):
        return dict.fromkeys(order, "")
    differ = {frozenset((c.a, c.b)): c.finding in SHOWN for c in subject.pairs(key)}

    def together(i: int, j: int) -> bool:
        return not differ.get(frozenset((order[i], order[j])), False)

    if len(order) > MAX_LETTERED:
        return {name: "a" if i == 0 or together(0, i) else "" for i, name in enumerate(order)}
    return dict(zip(order, compact_letters(order, together), strict=True))


def letters_note(subject: Subject) -> str:
    """Say how the letters are read."""
    if len(subject.names) > MAX_LETTERED:
        return "Letter a: not shown to differ from the best."
    return "Strategies that share a letter are not shown to differ."


def cliques(subject: Subject, key: str) -> tuple[tuple[str, ...], ...]:
    """Return the sets of two or more strategies that share a letter, in order of the means."""
    shared = letters(subject, key)
    found = dict.fromkeys(letter for name in subject.order(key) for letter in shared[name])
    groups = (tuple(n for n in subject.order(key) if letter in shared[n]) for letter in found)
    return tuple(group for group in groups if len(group) > 1)
