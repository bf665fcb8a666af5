"""Values that commands start from: those of our own results, or of any tool."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rageval.config.models import FileSpec
from rageval.data import EvaluationResult, Measurements
from rageval.errors import InputError
from rageval.formats.opened import Opened
from rageval.formats.values import Values, ValuesFile, read_values
from rageval.formats.values_cube import absent_values, find_measure
from rageval.report.results_json import from_json

RESULTS = "results.json"


def values_of(texts: Sequence[str], measures: Sequence[str]) -> Values:
    """Return the values of `[NAME=]FILE` arguments; raise `RagevalError` where they do not do."""
    files = [values_file(text) for text in texts]
    results = {file.path: read_result(file.path) for file in files}
    held = next((result for result in results.values() if result is not None), None)
    if held is None:
        return read_values(files, measures)
    if len(files) > 1:
        path = next(path for path, result in results.items() if result is not None)
        raise InputError("the results of an evaluation stand alone", where=path)
    return values_of_result(held, measures)


def values_file(text: str) -> ValuesFile:
    """Split `NAME=FILE`; a file that exists under the whole text is that file."""
    name, equals, path = text.partition("=")
    if equals and name.strip() and path and not Path(text).exists():
        return ValuesFile(path, name.strip())
    return ValuesFile(text)


def read_result(path: str) -> EvaluationResult | None:
    """Return the result that a file or report folder holds; None for a file of another kind."""
    target = Path(path).expanduser()
    file = _in_folder(target, path) if target.is_dir() else path
    opened = Opened(FileSpec(path=file), Path(), False)
    if opened.json is None or not opened.json.starts_with("{"):
        return None
    value = opened.json.value
    if not isinstance(value, dict) or "schema_version" not in value:
        return None
    try:
        return from_json(opened.content.buffer.to_pybytes())
    except InputError as error:
        raise InputError(str(error), where=file) from None


def _in_folder(folder: Path, path: str) -> str:
    for inside in (RESULTS, f"latest/{RESULTS}"):
        if (folder / inside).is_file():
            return str(Path(path) / inside)
    raise InputError(f"this folder holds no {RESULTS}", where=path)


def values_of_result(result: EvaluationResult, measures: Sequence[str]) -> Values:
    """Return the values of an evaluation's datasets, of all measures or some."""
    known = tuple(measure.key for measure in result.measures)
    chosen = tuple(dict.fromkeys(find_measure(name, known) for name in measures)) or known
    datasets = tuple((d.name, _only(d.measurements, chosen)) for d in result.datasets)
    findings = [finding for named in datasets for finding in absent_values(*named)]
    return Values(datasets, known, tuple(findings))


def _only(cube: Measurements, measures: tuple[str, ...]) -> Measurements:
    places = [cube.measures.index(measure) for measure in measures]
    values = np.array(cube.values[places])
    return Measurements(measures, cube.strategies, cube.query_ids, values)
