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
class Brand:
    """Whose report it is."""

    name: str
    logo: str = ""
    """The image as a `data:` address; empty where there is none."""
    accent: str = ""
    """Colour `#rrggbb` on white paper; empty for the report's own."""
    accent_dark: str = ""
    """The same on dark paper."""


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
    """What one strategy's rankings look like, beside its values.

    Of repeated runs, the first is described; the bounds of ties are means over all of them.
    """

    strategy: str
    queries_in_run: int
    min_retrieved: int
    median_retrieved: float
    max_retrieved: int
    cutoff: int
    """The cutoff that the shares below speak of: the primary measure's, else 10."""
    relevant_share: float
    """Of the documents retrieved down to the cutoff, mean over the queries that retrieved any;
    NaN where none did."""
    not_relevant_share: float
    unjudged_share: float
    """1 - judged@cutoff."""
    tied_queries: int
    """Queries whose tie group straddles the cutoff."""
    tie_low: float
    """Mean of the primary measure in the worst order of ties."""
    tie_high: float
    """Mean of the primary measure in the best order of ties."""


@dataclass(frozen=True, slots=True)
class RepeatSpread:
    """How far the repeated runs of one strategy lie apart on one measure.

    The strategy's values are means over its runs, per query; n stays the number of queries.
    """

    strategy: str
    measure: str
    """The measure's key."""
    means: tuple[float, ...]
    """Mean over the queries of each run, in the order of the configuration."""
    sd: float
    """Standard deviation of these means (divided by their number less one); NaN where a mean
    does not exist."""
    low: float
    """The lowest of the means."""
    high: float


SensitivityCode = Literal["judged-only", "without-empty-queries", "ties-for-b", "ties-for-a"]


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """A comparison on the primary measure under another choice that was possible.

    Made for each planned contrast; without any, for the best strategy against the next. A choice
    that changes no value of the two strategies is left out.
    """

    code: SensitivityCode
    """`judged-only`: unjudged documents taken out of the rankings. `without-empty-queries`:
    without the queries that have no relevant document. `ties-for-b`: equal scores in the best
    order for b and the worst for a; `ties-for-a`: the reverse."""
    label: str
    """The choice in words."""
    comparison: Comparison
    """The same pair, adjusted in the family that the comparison beside it belongs to."""
    same_finding: bool
    """Whether the finding is that of the comparison beside it."""


@dataclass(frozen=True, slots=True)
class MacroMean:
    """One strategy's means of one measure over several datasets, each counting once."""

    strategy: str
    measure: str
    """The measure's key."""
    mean: float
    """Mean of the datasets' means; NaN where the strategy lacks one of them."""
    n_datasets: int
    """Datasets on which it has a mean."""
    best_on: tuple[str, ...]
    """Datasets on which its mean is the best, or equals the best."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A document in a ranking, with its grade where it was judged."""

    doc_id: str
    grade: int | None


@dataclass(frozen=True, slots=True)
class QueryDetail:
    """What each strategy returned for one query; of repeated runs, the first."""

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
    repeats: tuple[RepeatSpread, ...] = ()
    """The spread of strategies that were run more than once, by strategy, then measure."""
    sensitivity: tuple[Sensitivity, ...] = ()
    """By pair, then code."""
    documents: Mapping[str, str] = field(default_factory=dict)
    """Document id -> its title and how its text begins, in at most 240 characters, for the
    documents in `details`, as far as a corpus with texts was given and a page can carry them."""


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
    macro_means: tuple[MacroMean, ...] = ()
    """Over datasets, where there are several; by measure, then strategy."""
    brand: Brand | None = None
    """Name, logo and colours over the report, where the configuration gives them."""

    @property
    def complete(self) -> bool:
        """Return whether every strategy was evaluated on every dataset."""
        return not self.failures
