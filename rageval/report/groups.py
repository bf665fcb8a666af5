"""Which strategies are not shown to differ, as letters beside their means."""

from __future__ import annotations

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
    return dict(zip(order, _compact(order, together), strict=True))


def letters_note(subject: Subject) -> str:
    """Say how the letters are read."""
    if len(subject.names) > MAX_LETTERED:
        return "Letter a: not shown to differ from the best."
    return "Strategies that share a letter are not shown to differ."


def cliques(subject: Subject, key: str) -> tuple[tuple[str, ...], ...]:
    """Return the sets of two or more strategies that share a letter, in order of the means."""
    shared = letters(subject, key)
    found = sorted({letter for text in shared.values() for letter in text})
    groups = (tuple(n for n in subject.order(key) if letter in shared[n]) for letter in found)
    return tuple(group for group in groups if len(group) > 1)


def _compact(order, together):  # TODO replaced by rageval.comparison.compact_letters
    n = len(order)
    found = []

    def grow(chosen, candidates, excluded):
        if not candidates and not excluded:
            found.append(sorted(chosen))
        for v in list(candidates):
            near = [u for u in range(n) if u != v and together(u, v)]
            grow([*chosen, v], [u for u in candidates if u in near], [u for u in excluded if u in near])
            candidates = [u for u in candidates if u != v]
            excluded = [*excluded, v]

    grow([], list(range(n)), [])
    found.sort()
    return ["".join(chr(97 + k) for k, c in enumerate(found) if i in c) for i in range(n)]
