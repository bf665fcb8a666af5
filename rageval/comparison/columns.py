"""The numbers of many pairs at once: one array or list per field of a comparison."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rageval.comparison.findings import CONTRADICTION, finding_without_test
from rageval.data.arrays import Bools, Floats
from rageval.data.measurements import exact_mean
from rageval.stats.effect_size import d_z, d_z_interval, hedges_correction
from rageval.stats.paired_values import Outcome, PairedTest, PairedValues, TestSettings
from rageval.stats.power import detectable_effect
from rageval.stats.student import within_margin

Columns = Mapping[str, Sequence[Any]]
"""Field of `Comparison` -> one value per pair."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """How pairs are tested."""

    test: PairedTest
    check: PairedTest | None
    settings: TestSettings
    margin: float | None
    detailed: bool
    """Whether to compute intervals of d_z, which are slow."""


def columns_of(sample: PairedValues, procedure: Procedure) -> Columns:
    """Return the fields of every pair that need no other pair: all but family and finding."""
    return {
        **_descriptive(sample),
        **_effect_sizes(sample, procedure),
        **_tested(sample, procedure),
        **_margin(sample, procedure),
    }


def _descriptive(sample: PairedValues) -> Columns:
    moments = sample.moments
    used = {int(i): exact_mean(sample.values[i]) for i in np.unique(sample.pairs)}
    mean_a, mean_b = ([used[i] for i in side.tolist()] for side in sample.pairs.T)
    difference = np.where(sample.identical, 0.0, moments.mean).tolist()
    return {
        "n": [sample.n] * len(mean_a),
        "mean_a": mean_a,
        "mean_b": mean_b,
        "mean_difference": difference,
        "sd_difference": moments.sd.tolist(),
        "wins": moments.wins.tolist(),
        "ties": (sample.n - moments.wins - moments.losses).tolist(),
        "losses": moments.losses.tolist(),
        "relative_change": [_ratio(d, m) for d, m in zip(difference, mean_a, strict=True)],
    }


def _ratio(difference: float, mean_a: float) -> float:
    return difference / mean_a if mean_a else math.nan


def _effect_sizes(sample: PairedValues, procedure: Procedure) -> Columns:
    chosen, moments = sample.testable, sample.moments
    effect = d_z(moments.mean[chosen], moments.sd[chosen])
    low = high = np.full(len(effect), np.nan)
    if procedure.detailed and len(effect):
        low, high = d_z_interval(effect, sample.n, procedure.settings.alpha)
    standard = detectable_effect(sample.n, procedure.settings.alpha)
    return {
        "d_z": _spread(effect, chosen),
        "d_z_low": _spread(low, chosen),
        "d_z_high": _spread(high, chosen),
        "g_z": _spread(effect * hedges_correction(sample.n), chosen),
        "detectable_difference": _spread(standard * moments.sd[chosen], chosen),
    }


def _tested(sample: PairedValues, procedure: Procedure) -> Columns:
    chosen = sample.testable
    testable = sample.select(chosen)
    outcome = _run(procedure.test, testable, procedure.settings)
    check = _run(procedure.check, testable, procedure.settings)
    p_value = np.where(sample.identical, 1.0, _spread(outcome.p_value, chosen))
    findings, notes = _findings(sample, outcome)
    return {
        "statistic": _spread(outcome.statistic, chosen),
        "df": _spread(outcome.df, chosen),
        "ci_low": _spread(outcome.low, chosen),
        "ci_high": _spread(outcome.high, chosen),
        "p_value": p_value.tolist(),
        "p_adjusted": p_value.tolist(),
        "p_check": [None if math.isnan(p) else p for p in _spread(check.p_value, chosen)],
        "finding": findings,
        "note": notes,
    }


def _run(test: PairedTest | None, sample: PairedValues, settings: TestSettings) -> Outcome:
    if test is None or not len(sample.pairs):
        nothing = np.full(len(sample.pairs), np.nan)
        return Outcome(*(nothing,) * 6, notes=("",) * len(sample.pairs))
    return test.function(sample, settings)


def _findings(sample: PairedValues, outcome: Outcome) -> tuple[list[str], list[str]]:
    """Return the words of pairs that cannot be tested; the others wait for their family."""
    tested = iter(zip(outcome.notes, outcome.direction.tolist(), strict=True))
    findings, notes = [], []
    for i, testable in enumerate(sample.testable.tolist()):
        if testable:
            note, direction = next(tested)
            finding = "inconclusive"
            if direction * sample.moments.mean[i] < 0:
                note = "; ".join(filter(None, (note, CONTRADICTION)))
        else:
            finding, note = finding_without_test(sample.n, bool(sample.identical[i]))
        findings.append(finding)
        notes.append(note)
    return findings, notes


def _margin(sample: PairedValues, procedure: Procedure) -> Columns:
    inside: list[bool | None] = [None] * len(sample.pairs)
    if procedure.margin is None:
        return {"within_margin": inside}
    chosen = sample.testable
    mean, sd = sample.moments.mean[chosen], sample.moments.sd[chosen]
    margin, alpha = procedure.margin, procedure.settings.alpha
    placed = within_margin(mean, sd, sample.n, margin=margin, alpha=alpha)
    for i, within in zip(np.flatnonzero(chosen).tolist(), placed.tolist(), strict=True):
        inside[i] = within
    return {"within_margin": inside}


def _spread(values: Floats, chosen: Bools) -> list[float]:
    """Put the values of the chosen pairs in their places, NaN in the others."""
    result = np.full(len(chosen), np.nan)
    result[chosen] = values
    return result.tolist()
