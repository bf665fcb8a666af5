"""`rageval validate`."""

from __future__ import annotations

from pathlib import Path

from rageval.cli.findings import warn_of
from rageval.cli.status import BAD_INPUT, DONE, bad_input
from rageval.cli.tables import show_table
from rageval.cli.without_pandas import settle_arrow
from rageval.data import Dataset, Source
from rageval.errors import RagevalError
from rageval.evaluation.plan import Evaluation, load
from rageval.evaluation.stages import (
    judge_strategy,
    load_dataset,
    measure_strategy,
    read_strategy,
)

Row = tuple[str, str, str, str]


def validate_evaluation(config: Path) -> int:
    """Read every file that a configuration names and say all that is wrong; evaluate nothing."""
    settle_arrow()
    evaluation = load(config)
    rows: list[Row] = []
    problems: list[str] = []
    for spec in evaluation.datasets:
        dataset = _check_dataset(evaluation, spec.name, rows, problems)
        for strategy in evaluation.strategies:
            _check_run(evaluation, spec.name, dataset, strategy.name, rows, problems)
    show_table(["", "file", "format", "rows"], rows, words=3)
    print()
    return _verdict(evaluation, problems)


def _verdict(evaluation: Evaluation, problems: list[str]) -> int:
    if problems:
        bad_input("\n".join(problems))
        return BAD_INPUT
    contrasts = ", ".join(f"{b} against {a}" for a, b in evaluation.contrasts) or "none"
    print(f"measures: {', '.join(m.key for m in evaluation.measures)}")
    print(f"primary: {evaluation.primary.key}; planned contrasts: {contrasts}")
    print(f"nothing is wrong with {evaluation.config.name!r}")
    return DONE


def _check_dataset(
    evaluation: Evaluation, name: str, rows: list[Row], problems: list[str]
) -> Dataset | None:
    try:
        dataset = load_dataset(evaluation, name)
    except RagevalError as error:
        problems.append(str(error))
        return None
    rows.extend(_row(f"dataset {name}", source) for source in dataset.sources)
    return dataset


def _check_run(
    evaluation: Evaluation,
    name: str,
    dataset: Dataset | None,
    strategy: str,
    rows: list[Row],
    problems: list[str],
) -> None:
    try:
        sources = _run_sources(evaluation, name, dataset, strategy)
    except RagevalError as error:
        if str(error) not in problems:  # what is wrong with the judgments concerns every strategy
            problems.append(str(error))
        return
    rows.extend(_row(f"strategy {strategy}", source) for source in sources)


def _run_sources(
    evaluation: Evaluation, name: str, dataset: Dataset | None, strategy: str
) -> list[Source]:
    # Without a usable dataset the runs are still read, so that their own faults are told as well.
    if dataset is None:
        specs = evaluation.runs(strategy, name)
        return [read_strategy(evaluation, spec).source for spec in specs]
    judged = judge_strategy(evaluation, dataset, strategy)
    measure_strategy(judged, evaluation.measures)  # refuses grades that a measure cannot take
    warn_of(judged.findings)
    return [run.source for run in judged.runs]


def _row(what: str, source: Source) -> Row:
    return what, source.path, source.format, f"{source.rows:,}"
