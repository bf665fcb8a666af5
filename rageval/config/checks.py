"""What must fit together in a configuration whose parts are each well formed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from rageval.config.faults import Fault, Loc
from rageval.config.models import (
    DatasetSpec,
    EvaluationConfig,
    FileSpec,
    RunOrRepeats,
    Runs,
    RunSpec,
    StrategySpec,
)
from rageval.config.vocabulary import Vocabulary
from rageval.errors import did_you_mean

DATASETS: tuple[Loc, ...] = (("dataset",), ("datasets",))
MEASURES: tuple[Loc, ...] = (("measures",),)


def check_parts(config: EvaluationConfig, vocabulary: Vocabulary) -> Iterator[Fault]:
    """Yield every fault between the parts of a configuration."""
    for check in _CHECKS:
        yield from check(config, vocabulary)


def dataset_places(config: EvaluationConfig) -> Iterator[tuple[Loc, DatasetSpec]]:
    """Yield each dataset with its place."""
    if config.dataset:
        yield ("dataset",), config.dataset
    for i, dataset in enumerate(config.datasets):
        yield ("datasets", i), dataset


def run_places(config: EvaluationConfig) -> Iterator[tuple[Loc, FileSpec]]:
    """Yield each run with its place."""
    for i, strategy in enumerate(config.strategies):
        if strategy.run:
            yield ("strategies", i, "run"), strategy.run
        yield from _places_of(strategy.runs, ("strategies", i, "runs"))


def _places_of(runs: Runs | RunOrRepeats, loc: Loc) -> Iterator[tuple[Loc, RunSpec]]:
    if isinstance(runs, RunSpec):
        yield loc, runs
        return
    parts = runs.items() if isinstance(runs, dict) else enumerate(runs)
    for key, part in parts:
        yield from _places_of(part, (*loc, key))


def _datasets(config: EvaluationConfig, _: Vocabulary) -> Iterator[Fault]:
    if config.dataset and config.datasets:
        yield Fault(("datasets",), "both `dataset` and `datasets` are given", "keep one of them")
    if not config.dataset and not config.datasets:
        hint = "give `dataset: path` or a list `datasets`"
        yield Fault(("dataset",), "no dataset is given", hint, depends=DATASETS)
    names = [((*loc, "name"), spec.name) for loc, spec in dataset_places(config)]
    yield from _repeated(names, "dataset", "give each its own `name`")


def _strategy_names(config: EvaluationConfig, _: Vocabulary) -> Iterator[Fault]:
    names = [
        (("strategies", i, "name"), strategy.name) for i, strategy in enumerate(config.strategies)
    ]
    yield from _repeated(names, "strategy", "give each its own name")


def _repeated(names: Iterable[tuple[Loc, str]], kind: str, hint: str) -> Iterator[Fault]:
    seen: set[str] = set()
    for loc, name in names:
        if name in seen:
            yield Fault(loc, f"two of the {kind} names are {name!r}", hint)
        seen.add(name)


def _runs(config: EvaluationConfig, _: Vocabulary) -> Iterator[Fault]:
    if config.dataset and config.datasets:
        return  # which of them is meant has to be settled first
    datasets = [spec.name for _, spec in dataset_places(config)]
    for i, strategy in enumerate(config.strategies):
        yield from _runs_of(strategy, ("strategies", i), datasets)


def _runs_of(strategy: StrategySpec, loc: Loc, datasets: list[str]) -> Iterator[Fault]:
    name = f"strategy {strategy.name!r}"
    several = len(datasets) > 1
    right = "give `runs` with one entry per dataset" if several else "give `run: path`"
    if strategy.run and strategy.runs:
        yield Fault((*loc, "runs"), f"{name} has both `run` and `runs`", right)
    elif strategy.run and several:
        what = f"{name} has one run for {len(datasets)} datasets"
        yield Fault((*loc, "run"), what, right, depends=DATASETS)
    elif not strategy.run and not strategy.runs:
        places = ((*loc, "runs"), *DATASETS) if several else ((*loc, "runs"),)
        yield Fault((*loc, "run"), f"{name} has no run", right, depends=places)
    elif several and not isinstance(strategy.runs, dict):
        what = f"{name} has one list of runs for {len(datasets)} datasets"
        yield Fault((*loc, "runs"), what, right, depends=DATASETS)
    if isinstance(strategy.runs, dict):
        yield from _runs_by_dataset(name, strategy.runs, (*loc, "runs"), datasets)
    yield from _same_repeats(name, strategy.runs, (*loc, "runs"))


def _runs_by_dataset(
    name: str, runs: Mapping[str, RunOrRepeats], loc: Loc, datasets: list[str]
) -> Iterator[Fault]:
    for dataset in runs:
        if dataset not in datasets:
            what = f"{name} has a run for an unknown dataset {dataset!r}"
            hint = did_you_mean(dataset, datasets)
            yield Fault((*loc, dataset), what, hint, depends=DATASETS)
    for dataset in datasets:
        if runs and dataset not in runs:
            what = f"{name} has no run for the dataset {dataset!r}"
            yield Fault(loc, what, f"add `{dataset}: path`", depends=DATASETS)


def _same_repeats(name: str, runs: Runs | RunOrRepeats, loc: Loc) -> Iterator[Fault]:
    """Yield a fault where a run is its own repeat: that would make its spread look small."""
    if isinstance(runs, dict):
        for dataset, part in runs.items():
            yield from _same_repeats(name, part, (*loc, dataset))
        return
    paths = [run.path for _, run in _places_of(runs, loc)]
    for k, path in enumerate(paths):
        if path in paths[:k]:
            what = f"{name} names the same file twice among its repeated runs"
            yield Fault((*loc, k), what, "each repeat has a file of its own")


def _roles(config: EvaluationConfig, _: Vocabulary) -> Iterator[Fault]:
    holders: dict[str, str] = {}
    for i, strategy in enumerate(config.strategies):
        roles = strategy.roles
        if len(roles) > 1:
            what = f"strategy {strategy.name!r} is {' and '.join(roles)} at once"
            yield Fault(("strategies", i, roles[1]), what, "keep one of them")
        for role in roles:
            holder = holders.setdefault(role, strategy.name)
            if holder != strategy.name and role != "candidate":
                what = f"both {holder!r} and {strategy.name!r} are the {role}"
                yield Fault(("strategies", i, role), what, f"there is one {role} at most")


def _measures(config: EvaluationConfig, vocabulary: Vocabulary) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for i, measure in enumerate(config.measures):
        problem = vocabulary.check_measure(measure)
        if problem:
            yield Fault(("measures", i), problem)
            continue
        label = vocabulary.measure_label(measure, config.relevance_level)
        if label in seen:
            what = f"{measure} measures the same as {seen[label]}"
            yield Fault(("measures", i), what, "keep one")
        seen.setdefault(label, measure)


def _primary(config: EvaluationConfig, vocabulary: Vocabulary) -> Iterator[Fault]:
    if config.primary is None:
        return
    problem = vocabulary.check_measure(config.primary)
    if problem:
        yield Fault(("primary",), problem)
        return
    label = vocabulary.measure_label(config.primary, config.relevance_level)
    if label not in _labels(config, vocabulary):
        what = f"the primary measure {config.primary} is not measured"
        hint = f"add it to `measures`, or choose from: {', '.join(config.measures)}"
        yield Fault(("primary",), what, hint, depends=MEASURES)


def _labels(config: EvaluationConfig, vocabulary: Vocabulary) -> set[str]:
    valid = (name for name in config.measures if not vocabulary.check_measure(name))
    return {vocabulary.measure_label(name, config.relevance_level) for name in valid}


def _comparison(config: EvaluationConfig, vocabulary: Vocabulary) -> Iterator[Fault]:
    spec = config.comparison
    for key, name, known in (
        ("test", spec.test, vocabulary.tests),
        ("check", spec.check, vocabulary.tests),
        ("correction", spec.correction, vocabulary.corrections),
    ):
        yield from _unknown(("comparison", key), key, name, known)
    if spec.check == spec.test:
        yield Fault(("comparison", "check"), "the check is the test itself", "name another test")


def _formats(config: EvaluationConfig, vocabulary: Vocabulary) -> Iterator[Fault]:
    for loc, dataset in dataset_places(config):
        yield from _unknown((*loc, "format"), "format", dataset.format, vocabulary.dataset_formats)
    for loc, run in run_places(config):
        yield from _unknown((*loc, "format"), "format", run.format, vocabulary.run_formats)


def _unknown(loc: Loc, kind: str, name: str | None, known: tuple[str, ...]) -> Iterator[Fault]:
    if name is not None and name not in known:
        yield Fault(loc, f"unknown {kind} {name!r}", did_you_mean(name, known))


def _contrasts(config: EvaluationConfig, _: Vocabulary) -> Iterator[Fault]:
    names = [strategy.name for strategy in config.strategies]
    places: tuple[Loc, ...] = tuple(("strategies", i, "name") for i in range(len(names)))
    seen: set[frozenset[str]] = set()
    for i, pair in enumerate(config.comparison.contrasts):
        loc = ("comparison", "contrasts", i)
        for k, name in enumerate(pair):
            if name not in names:
                what = f"a contrast names an unknown strategy {name!r}"
                yield Fault((*loc, k), what, did_you_mean(name, names), depends=places)
        if pair[0] == pair[1]:
            yield Fault(loc, f"a contrast compares {pair[0]!r} with itself", "name two strategies")
        if frozenset(pair) in seen:
            yield Fault(loc, f"the contrast of {pair[0]!r} and {pair[1]!r} is planned twice")
        seen.add(frozenset(pair))


def _documents(config: EvaluationConfig, _: Vocabulary) -> Iterator[Fault]:
    spec = config.documents
    if spec is None:
        return
    if (spec.pattern is None) == (spec.map is None):
        what = "`documents` should have either `pattern` or `map`"
        yield Fault(("documents",), what, "a regular expression, or a file of chunk and document")
    if spec.pattern is not None:
        yield from _pattern(spec.pattern)


def _pattern(pattern: str) -> Iterator[Fault]:
    loc = ("documents", "pattern")
    try:
        groups = re.compile(pattern).groups
    except (re.error, RecursionError, OverflowError) as error:
        yield Fault(loc, f"pattern is not a valid regular expression: {error}")
        return
    if not groups:
        hint = r"put the document's part in brackets, e.g. (?P<doc>.+)#\d+"
        yield Fault(loc, "pattern has no group", hint)


_CHECKS: tuple[Callable[[EvaluationConfig, Vocabulary], Iterator[Fault]], ...] = (
    _datasets,
    _strategy_names,
    _runs,
    _roles,
    _measures,
    _primary,
    _comparison,
    _formats,
    _contrasts,
    _documents,
)
