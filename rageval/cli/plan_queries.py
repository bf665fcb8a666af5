"""`rageval plan`: how many queries a difference needs."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rageval.cli import spread
from rageval.cli.spread import Spread
from rageval.cli.status import DONE
from rageval.errors import ConfigError, Problem
from rageval.stats.power import detectable_difference, queries_needed

FACTORS = (0.5, 0.75, 1.0, 1.5, 2.0)
"""The effects that stand around the one asked for."""
POWERS = (0.8, 0.9)
STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
"""Numbers of queries on the curve, as far as it is worth drawing."""
LEAST_CURVE = 1000


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be found, and how surely."""

    effect: float
    power: float
    alpha: float
    tests: int

    def __post_init__(self) -> None:
        problems = list(self._problems())
        if problems:
            raise ConfigError(problems)

    def _problems(self) -> list[Problem]:
        checks = (
            ("--effect", self.effect, math.isfinite(self.effect) and self.effect > 0, "above 0"),
            ("--power", self.power, 0.5 <= self.power < 1, "at least 0.5 and below 1"),
            ("--alpha", self.alpha, 0 < self.alpha < 0.5, "above 0 and below 0.5"),
            ("--tests", self.tests, 1 <= self.tests <= 10**6, "from 1 to 1,000,000"),
        )
        return [
            Problem(f"{number:g} does not do", option, f"a number {right}")
            for option, number, fits, right in checks
            if not fits
        ]

    @property
    def level(self) -> float:
        """Return the level of each test: alpha shared among all."""
        return self.alpha / self.tests

    @property
    def powers(self) -> tuple[float, ...]:
        """Return the powers of the table, ascending."""
        return tuple(sorted({*POWERS, self.power}))

    @property
    def effects(self) -> tuple[float, ...]:
        """Return the effects of the table, ascending."""
        return tuple(float(f"{factor * self.effect:.6g}") for factor in FACTORS)


@dataclass(frozen=True, slots=True)
class Need:
    """How many queries one effect needs; None where no number would do."""

    effect: float
    sd: float
    power: float
    queries_needed: int | None


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the curve."""

    queries: int
    detectable_difference: float


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is shown."""

    request: Request
    spreads: tuple[Spread, ...]
    """The first one decides; the others say what if."""
    needs: tuple[Need, ...]
    """For the first spread: effects x powers."""
    if_otherwise: tuple[Need, ...]
    """For the effect asked: spreads x powers."""
    curve: tuple[Point, ...]

    @property
    def answer(self) -> int | None:
        """Return the queries needed for what was asked."""
        return need(self.request, self.spreads[0].sd).queries_needed


def show_plan(
    request: Request, *, sd: float | None, source: str | None, measure: str | None, as_json: bool
) -> int:
    """Print how many queries are needed, and return the exit status."""
    plan = make_plan(request, spreads_of(sd, source, measure))
    if as_json:
        print(json.dumps(as_document(plan), ensure_ascii=False, allow_nan=False, indent=1))
    else:
        from rageval.cli.plan_table import show

        show(plan)
    return DONE


def spreads_of(sd: float | None, source: str | None, measure: str | None) -> tuple[Spread, ...]:
    """Return the spreads to plan with; ConfigError where the options do not fit together."""
    if sd is not None and source is not None:
        raise ConfigError("both --sd and --from are given", hint="keep one of them")
    if measure is not None and source is None:
        raise ConfigError("--measure is given without --from", hint="it chooses among RESULTS")
    if source is not None:
        return spread.seen(source, measure)
    if sd is None:
        return spread.assumed()
    if not (math.isfinite(sd) and sd > 0):
        raise ConfigError(f"--sd: {sd:g} does not do", hint="a number above 0")
    return spread.given(sd)


def make_plan(request: Request, spreads: tuple[Spread, ...]) -> Plan:
    """Work out the tables and the curve."""
    first = spreads[0].sd
    needs = [need(request, first, e, p) for e in request.effects for p in request.powers]
    others = [need(request, s.sd, None, p) for s in spreads for p in request.powers]
    return Plan(request, spreads, tuple(needs), tuple(others), tuple(_curve(request, first)))


def need(
    request: Request, sd: float, effect: float | None = None, power: float | None = None
) -> Need:
    """Return how many queries are needed; by default for the effect and power asked."""
    effect = request.effect if effect is None else effect
    power = request.power if power is None else power
    return Need(effect, sd, power, queries_needed(effect, sd, request.level, power))


def _curve(request: Request, sd: float) -> Sequence[Point]:
    answer = need(request, sd).queries_needed
    last = max(LEAST_CURVE, min(2 * (answer or 0), STEPS[-1]))
    return [
        Point(n, detectable_difference(sd, n, request.level, request.power))
        for n in sorted({*(step for step in STEPS if step <= last), answer or STEPS[0]})
        if n <= STEPS[-1]
    ]


def as_document(plan: Plan) -> dict[str, Any]:
    """Return the plan, ready for JSON."""
    request, first = plan.request, plan.spreads[0]
    return {
        "effect": request.effect,
        "sd": first.sd,
        "sd_source": first.what,
        "alpha": request.alpha,
        "tests": request.tests,
        "level": request.level,
        "power": request.power,
        "queries_needed": plan.answer,
        "table": [asdict(row) for row in plan.needs],
        "other_spreads": [asdict(row) for row in plan.if_otherwise if row.sd != first.sd],
        "curve": [asdict(point) for point in plan.curve],
    }
