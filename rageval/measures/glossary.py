"""Measures as readers see them explained."""

from __future__ import annotations

from dataclasses import dataclass

from rageval.data.measure import BoundMeasure, Measure
from rageval.data.result import MeasureInfo
from rageval.measures.registry import MEASURES


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One row of the table of measures."""

    name: str
    """As it is written, with its parameters and cutoff: `nDCG[(gain=...)][@k]`."""
    spellings: tuple[str, ...]
    """Other names that mean the same; case does not matter."""
    formula: str
    summary: str
    source: str


def describe(measure: BoundMeasure) -> MeasureInfo:
    """Explain a bound measure; its summary speaks of the actual cutoff."""
    definition = measure.measure
    return MeasureInfo(
        key=measure.key,
        label=measure.label,
        name=definition.name,
        cutoff=measure.cutoff,
        summary=definition.summary.replace("the first k results", _first(measure.cutoff)),
        formula=definition.formula,
        source=definition.source,
        higher_is_better=definition.higher_is_better,
        version=definition.version,
    )


def _first(cutoff: int | None) -> str:
    if cutoff is None:
        return "the whole ranking"
    return "the first result" if cutoff == 1 else f"the first {cutoff} results"


def table() -> list[MeasureRow]:
    """Return a row per measure, in the order in which they are listed everywhere."""
    return [
        MeasureRow(_pattern(m), _spellings(m), m.formula, m.summary, m.source) for m in MEASURES
    ]


def _pattern(measure: Measure) -> str:
    cutoff = {"required": "@k", "optional": "[@k]", "none": ""}[measure.cutoff]
    parameters = ",".join(f"{name}=..." for name in measure.parameters)
    return f"{measure.name}[({parameters})]{cutoff}" if parameters else f"{measure.name}{cutoff}"


def _spellings(measure: Measure) -> tuple[str, ...]:
    name = measure.name.casefold()
    return tuple(alias for alias in measure.aliases if alias.casefold() != name)
