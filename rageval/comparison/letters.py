"""The compact letter display: strategies that share a letter are not shown to differ."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Sequence

_LETTERS = string.ascii_lowercase + string.ascii_uppercase


def compact_letters(
    strategies: Sequence[str], not_different: Callable[[int, int], bool]
) -> list[str]:
    """Return each strategy's letters; two share one exactly where they are not different.

    `not_different(i, j)` is asked for i < j, positions in the order given. One letter per
    maximal group of strategies none of which differ from each other; groups are lettered by
    their first member, so the first strategy always has `a`. Beyond 52 groups they are numbered,
    and the numbers separated by spaces. Source: Piepho (2004), JCGS 13(2).
    """
    groups = sorted(_maximal_groups(_neighbours(len(strategies), not_different)))
    names = _LETTERS if len(groups) <= len(_LETTERS) else [str(i + 1) for i in range(len(groups))]
    separator = "" if names is _LETTERS else " "
    return [
        separator.join(name for name, group in zip(names, groups, strict=False) if i in group)
        for i in range(len(strategies))
    ]


def _neighbours(count: int, not_different: Callable[[int, int], bool]) -> list[list[int]]:
    neighbours: list[list[int]] = [[] for _ in range(count)]
    for i in range(count):
        for j in range(i + 1, count):
            if not_different(i, j):
                neighbours[i].append(j)
                neighbours[j].append(i)
    return neighbours


def _maximal_groups(neighbours: list[list[int]]) -> Iterator[list[int]]:
    """Yield the maximal cliques, members ascending (Bron and Kerbosch 1973, with a pivot)."""

    def grow(group: list[int], candidates: list[int], done: list[int]) -> Iterator[list[int]]:
        if not candidates and not done:
            yield sorted(group)
            return
        pivot = max(candidates + done, key=lambda v: len(_both(candidates, neighbours[v])))
        for vertex in [v for v in candidates if v not in neighbours[pivot]]:
            near = neighbours[vertex]
            yield from grow([*group, vertex], _both(candidates, near), _both(done, near))
            candidates = [v for v in candidates if v != vertex]
            done = [*done, vertex]

    if neighbours:
        yield from grow([], list(range(len(neighbours))), [])


def _both(first: list[int], second: list[int]) -> list[int]:
    return [v for v in first if v in second]
