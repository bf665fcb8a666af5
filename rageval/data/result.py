"""The result of an evaluation: all that a report shows, and nothing that it has to compute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rageval.data.comparison import Comparison, SliceComparison
from rageval.data.finding import Finding
from rageval.data.measurements import Measurements
from rageval.data.source import Source

Role = Literal["", "baseline", "production", "candidate"]


@dataclass(frozen=True, slots=True)
class Strategy:
    """A retrieval configuration under comparison."""

    name: str
    description: str = ""
    role: Role = ""


@dataclass(frozen=True, slots=True)
class StrategyFailure:
    """A strategy that could not be evaluated on a dataset; the others were."""

    strategy: str
    dataset: str
    message: str


@dataclass(frozen=True, slots=True)
class MeasureInfo:
    """A measure as the report explains it."""

    key: str
    label: str
    name: str
    cutoff: int | None
    summary: str
    formula: str
    source: str
    higher_is_better: bool = True
    version: int = 1


@dataclass(frozen=True, slots=True)
class StrategySummary:
    """What one strategy's rankings look like, beside its values."""

    strategy: str
    queries_in_run: int
    min_retrieved: int
    median_retrieved: float
    max_retrieved: int
    cutoff: int
    """The cutoff that the shares below speak of: the primary measure's, else 10."""
    relevant_share: float
    """Of the documents retrieved down to the cutoff; NaN where nothing was retrieved."""
    not_relevant_share: float
    unjudged_share: float
    tied_queries: int
    """Queries whose tie group straddles the cutoff."""
    tie_low: float
    """Mean of the primary measure in the worst order of ties."""
    tie_high: float
    """Mean of the primary measure in the best order of ties."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A document in a ranking, with its grade where it was judged."""

    doc_id: str
    grade: int | None


@dataclass(frozen=True, slots=True)
class QueryDetail:
    """What each strategy returned for one query."""

    query_id: str
    judgments: tuple[Retrieved, ...]
    """All judged documents, best grade first."""
    rankings: Mapping[str, tuple[Retrieved, ...]]
    """Strategy -> its first documents."""


@dataclass(frozen=True, eq=False)
class DatasetResult:
    """An evaluation's result on one dataset."""

    name: str
    measurements: Measurements
    n_judgments: int
    n_relevant: int
    """Judgments of grade 1 or more."""
    comparisons: tuple[Comparison, ...]
    """All pairs x all measures, exploratory; ordered by measure, then a, then b."""
    planned: tuple[Comparison, ...]
    """Planned contrasts x all measures; only these decide the headline and the gates."""
    slices: tuple[SliceComparison, ...]
    """The planned contrasts on the primary measure, by attribute value; largest slice first."""
    strategies: tuple[StrategySummary, ...]
    details: tuple[QueryDetail, ...]
    """The most telling queries, bounded in number."""
    texts: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """From what, with what and when."""

    created: str
    """UTC, ISO 8601 to the second."""
    run_id: str
    versions: Mapping[str, str]
    seed: int


@dataclass(frozen=True, eq=False)
class EvaluationResult:
    """Everything that is known at the end of an evaluation."""

    name: str
    title: str
    config: Mapping[str, Any]
    """The resolved configuration, JSON-ready, with paths as the user wrote them."""
    strategies: tuple[Strategy, ...]
    """In the order of the config; includes those that failed."""
    measures: tuple[MeasureInfo, ...]
    primary: str
    """Key of the primary measure."""
    alpha: float
    correction: str
    test: str
    contrasts: tuple[tuple[str, str], ...]
    """Planned contrasts (a, b); the first is the headline's."""
    datasets: tuple[DatasetResult, ...]
    provenance: Provenance
    equivalence_margin: float | None = None
    failures: tuple[StrategyFailure, ...] = ()

    @property
    def complete(self) -> bool:
        """Return whether every strategy was evaluated on every dataset."""
        return not self.failures
