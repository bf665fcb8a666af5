"""Values that commands start from: those of our own results, or of any tool."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rageval.cli.without_pandas import settle_arrow
from rageval.data import EvaluationResult, Measurements
from rageval.errors import InputError
from rageval.formats.values import Values, ValuesFile, read_values
from rageval.formats.values_cube import absent_values, find_measure
from rageval.report.results_json import from_json

RESULTS = "results.json"


def values_of(texts: Sequence[str], measures: Sequence[str]) -> Values:
    """Return the values of `[NAME=]FILE` arguments; raise `RagevalError` where they do not do."""
    settle_arrow()
    files = [values_file(text) for text in texts]
    for file in files:
        result = read_result(file)
        if result is not None and len(files) > 1:
            raise InputError("the results of an evaluation stand alone", where=file.path)
        if result is not None:
            return values_of_result(result, measures)
    return read_values(files, measures)


def values_file(text: str) -> ValuesFile:
    """Split `NAME=FILE`; a file that exists under the whole text is that file."""
    if not text.strip():
        raise InputError("the name of a file is empty")
    name, equals, path = text.partition("=")
    if not _exists(text) and equals and name.strip() and path.strip():
        return ValuesFile(path, name.strip())
    return ValuesFile(text)


def _exists(text: str) -> bool:
    try:
        return Path(text).exists()
    except OSError as error:  # a name that is too long, say
        raise InputError(f"cannot be read: {error.strerror}", where=text[:60]) from None


def read_result(file: ValuesFile) -> EvaluationResult | None:
    """Return the result that a file or report folder holds; None for a file of another kind."""
    if file.opened.is_folder:
        file = _in_folder(file.opened.target, file.path)
    json = file.opened.json
    if json is None or not json.starts_with("{"):
        return None
    if not isinstance(json.value, dict) or "schema_version" not in json.value:
        return None
    try:
        return from_json(file.opened.content.buffer.to_pybytes())
    except InputError as error:
        raise InputError(str(error), where=file.path) from None


def _in_folder(folder: Path, path: str) -> ValuesFile:
    for inside in (RESULTS, f"latest/{RESULTS}"):
        if (folder / inside).is_file():
            return ValuesFile(str(Path(path) / inside))
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
