"""Which strategies are compared with which, and in which direction."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from rageval.data.result import Role, Strategy

_PLACE: dict[Role, int] = {"production": 0, "baseline": 0, "": 1, "candidate": 2}


def order_pairs(strategies: Sequence[Strategy]) -> list[tuple[str, str]]:
    """Return all pairs (a, b); difference = b - a.

    a is the strategy earlier in the configuration, but baseline and production come before all
    others and a candidate after them.
    """
    ordered = sorted(strategies, key=lambda strategy: _PLACE[strategy.role])
    return list(combinations([strategy.name for strategy in ordered], 2))


def default_contrasts(strategies: Sequence[Strategy]) -> tuple[tuple[str, str], ...]:
    """Return the planned contrasts (a, b) where the configuration names none.

    Each candidate against production, then baseline. Two strategies always make one contrast,
    with the first as a unless their roles say otherwise. Else none: all pairs are exploratory.
    """
    if len(strategies) == 2:
        return tuple(order_pairs(strategies))
    references = _named(strategies, "production") + _named(strategies, "baseline")
    candidates = _named(strategies, "candidate")
    return tuple((a, b) for b in candidates for a in references)


def _named(strategies: Sequence[Strategy], role: Role) -> list[str]:
    return [strategy.name for strategy in strategies if strategy.role == role]
