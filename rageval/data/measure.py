"""What a measure is, and a measure bound to its parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from rageval.data.arrays import Floats
from rageval.data.judged_run import JudgedRun

Gain = Literal["linear", "exponential"]
PERSISTENCE = 0.8
"""RBP's p where the label gives none: a patient reader, as ir_measures has it."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The definition of a measure; stands beside its kernel."""

    name: str
    """Canonical name as it is shown, e.g. `nDCG`."""
    kernel: Callable[[JudgedRun, BoundMeasure], Floats]
    """(judged run, parameters) -> one value per query; NaN where the value does not exist."""
    summary: str
    """One plain sentence for a stakeholder."""
    formula: str
    source: str
    """Paper and equation, or the reference program's file."""
    family: str
    """Measures of one family are computed in one task."""
    aliases: tuple[str, ...] = ()
    """Other spellings; names and aliases are case-insensitive."""
    cutoff: Literal["required", "optional", "none"] = "required"
    parameters: tuple[str, ...] = ()
    """Which of `rel`, `gain`, `p` and `top` it takes."""
    higher_is_better: bool = True
    version: int = 1
    """Raised when values change; part of cache keys and of the trend's comparability."""


@dataclass(frozen=True, slots=True)
class BoundMeasure:
    """A measure with its cutoff and parameters; `label` is its identity."""

    measure: Measure
    key: str
    """The user's own spelling, repeated as key in output; the label where there was none."""
    cutoff: int | None = None
    rel: int = 1
    """Lowest grade that counts as relevant, for binary measures."""
    gain: Gain = "linear"
    label: str = field(default="")
    """Canonical label, e.g. `nDCG(gain=exponential)@10`."""
    p: float = PERSISTENCE
    """Persistence of the reader, for RBP."""
    top: int | None = None
    """Highest grade of the judgments' scale, for ERR; None takes the dataset's highest."""
