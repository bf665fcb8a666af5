"""An evaluation made ready: the configuration with everything in it that has a name resolved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rageval.comparison.pairs import default_contrasts
from rageval.config.loading import LoadedConfig, check_config, load_config
from rageval.config.models import DatasetSpec, EvaluationConfig, RunSpec, StrategySpec
from rageval.config.vocabulary import Vocabulary
from rageval.data import BoundMeasure, Strategy
from rageval.data.result import Role
from rageval.errors import ConfigError, RagevalError
from rageval.formats import DATASET_FORMATS, RUN_FORMATS
from rageval.formats.id_map import read_id_map
from rageval.judging import DocumentMap
from rageval.measures import parse_measure
from rageval.stats.corrections import CORRECTIONS
from rageval.stats.paired_tests import TESTS

DEFAULT_PRIMARY = "nDCG@10"
DEFAULT_CUTOFF = 10
MAX_STRIP_DEPTH = 20
"""The drill-down reaches the primary measure's cutoff as far as a page can show it."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What is to be evaluated, checked and with names resolved; nothing is read yet."""

    loaded: LoadedConfig

    @property
    def config(self) -> EvaluationConfig:
        """Return the checked configuration."""
        return self.loaded.config

    @property
    def base(self) -> Path:
        """Return the folder that the configuration's paths are relative to."""
        return self.loaded.base

    def as_written(self, text: str) -> str:
        """Return a text that may hold paths with `${NAME}` where its value stood."""
        for expanded, written in self.loaded.written.items():
            text = text.replace(expanded, written)
        return text

    def place_as_written(self, text: str) -> str:
        """Return a path, or `path:line`, with `${NAME}`; other texts, such as ids, as they are."""
        for expanded, written in self.loaded.written.items():
            if text == expanded or text.startswith((f"{expanded}:", f"{expanded}/")):
                return written + text[len(expanded) :]
        return text

    @cached_property
    def measures(self) -> tuple[BoundMeasure, ...]:
        """Return the measures in the order of the configuration."""
        return tuple(
            parse_measure(text, relevance_level=self.config.relevance_level)
            for text in self.config.measures
        )

    @cached_property
    def primary(self) -> BoundMeasure:
        """Return the primary measure: the one named, else nDCG@10 if measured, else the first."""
        wanted = DEFAULT_PRIMARY
        if self.config.primary is not None:
            level = self.config.relevance_level
            wanted = parse_measure(self.config.primary, relevance_level=level).label
        return next((m for m in self.measures if m.label == wanted), self.measures[0])

    @property
    def cutoff(self) -> int:
        """Return the cutoff that summaries speak of: the primary measure's, else 10."""
        return self.primary.cutoff or DEFAULT_CUTOFF

    @property
    def depth(self) -> int:
        """Return how many ranks the drill-down keeps."""
        return max(self.config.report.depth, min(self.cutoff, MAX_STRIP_DEPTH))

    @property
    def cutoffs(self) -> tuple[int, ...]:
        """Return every cutoff at which ties are looked at, ascending."""
        return tuple(sorted({self.cutoff, *(m.cutoff for m in self.measures if m.cutoff)}))

    @cached_property
    def strategies(self) -> tuple[Strategy, ...]:
        """Return the strategies in the order of the configuration."""
        return tuple(
            Strategy(spec.name, spec.description, _role(spec)) for spec in self.config.strategies
        )

    @cached_property
    def contrasts(self) -> tuple[tuple[str, str], ...]:
        """Return the planned contrasts (a, b): those named, else candidate against the others."""
        return self.config.comparison.contrasts or default_contrasts(self.strategies)

    @cached_property
    def document_map(self) -> DocumentMap | None:
        """Return how chunk ids become document ids, or None where they stay as they are."""
        spec = self.config.documents
        if spec is None:
            return None
        if spec.map is not None:
            return DocumentMap.from_table(*read_id_map(self.base / spec.map))
        assert spec.pattern is not None
        return DocumentMap.from_pattern(spec.pattern)

    @property
    def datasets(self) -> tuple[DatasetSpec, ...]:
        """Return the datasets."""
        return self.config.dataset_specs

    def dataset(self, name: str) -> DatasetSpec:
        """Return the dataset of that name."""
        return next(spec for spec in self.datasets if spec.name == name)

    def runs(self, strategy: str, dataset: str) -> tuple[RunSpec, ...]:
        """Return what a strategy retrieved for a dataset: one run, or its repeats."""
        spec = next(spec for spec in self.config.strategies if spec.name == strategy)
        runs = spec.runs_for(dataset)
        if not runs:
            raise RagevalError(f"strategy {strategy!r} has no run for dataset {dataset!r}")
        return runs


def _role(spec: StrategySpec) -> Role:
    return spec.roles[0] if spec.roles else ""


def vocabulary() -> Vocabulary:
    """Return the names that a configuration may use."""
    return Vocabulary(
        check_measure=_measure_problem,
        measure_label=lambda text, level: parse_measure(text, relevance_level=level).label,
        tests=tuple(TESTS),
        corrections=tuple(CORRECTIONS),
        dataset_formats=tuple(f.name for f in DATASET_FORMATS),
        run_formats=tuple(f.name for f in RUN_FORMATS),
    )


def _measure_problem(text: str) -> str | None:
    try:
        parse_measure(text)
    except RagevalError as error:
        return str(error)
    return None


def load(config: Path | str | Mapping[str, object] | EvaluationConfig | Evaluation) -> Evaluation:
    """Read and check a configuration: a YAML file, a mapping, or the record itself.

    Paths of a mapping or record are relative to the current folder. Raises `ConfigError` with
    every problem found.
    """
    if isinstance(config, Evaluation):
        return config
    if isinstance(config, EvaluationConfig):
        config = config.model_dump(exclude_unset=True)
    loaded = _loaded(config)
    return Evaluation(loaded)


def _loaded(config: Path | str | Mapping[str, object]) -> LoadedConfig:
    if isinstance(config, Mapping):
        return check_config(config, Path.cwd(), vocabulary())
    if isinstance(config, str | Path):
        return load_config(Path(config), vocabulary())
    raise ConfigError(f"a configuration is a path or a mapping, not a {type(config).__name__}")
