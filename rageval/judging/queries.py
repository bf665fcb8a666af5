"""Match the queries of a run with the query axis of a dataset."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

import numpy as np

from rageval.data.arrays import Ints
from rageval.data.dataset import Dataset
from rageval.data.run import Run
from rageval.errors import SHOWN_PROBLEMS, InputError, Problem


def axis_positions(run: Run, dataset: Dataset) -> Ints:
    """Return the place of each of the run's queries on the dataset's axis, -1 where it has none.

    A run that names its queries by their text is matched by the NFC-normalised, stripped text.
    Raises `InputError` where a text belongs to two queries, or the dataset has no texts.
    """
    keys: Iterable[str] = run.query_ids
    known = dataset.qrels.position
    if run.keyed_by == "text":
        known = _positions_by_text(dataset, run.source.path)
        keys = _normalised_texts(run)
    return np.fromiter((known.get(key, -1) for key in keys), np.int64, len(run.query_ids))


def _positions_by_text(dataset: Dataset, path: str) -> Mapping[str, int]:
    if not dataset.texts:
        raise InputError(
            f"names its queries by their text, and dataset {dataset.name!r} has no query texts",
            where=path,
            hint="give the run query ids, or the dataset texts",
        )
    texts = [
        (normalise(dataset.texts[query_id]), i)
        for i, query_id in enumerate(dataset.query_ids)
        if query_id in dataset.texts
    ]
    _refuse_equal([(text, dataset.query_ids[i]) for text, i in texts], f"dataset {dataset.name!r}")
    return dict(texts)


def _normalised_texts(run: Run) -> list[str]:
    texts = [normalise(text) for text in run.query_ids]
    _refuse_equal(list(zip(texts, run.query_ids, strict=True)), run.source.path)
    return texts


def normalise(text: str) -> str:
    """Return the text in NFC, without blanks around it."""
    return unicodedata.normalize("NFC", text).strip()


def _refuse_equal(texts: list[tuple[str, str]], where: str) -> None:
    """Raise `InputError` where two queries have equal texts: a run keyed by text names neither."""
    if len({text for text, _ in texts}) == len(texts):
        return
    first: dict[str, str] = {}
    problems = [
        Problem(f"queries {first[text]!r} and {name!r} have the same text {text!r}", where, _HINT)
        for text, name in texts
        if first.setdefault(text, name) != name
    ]
    raise InputError(problems[:SHOWN_PROBLEMS], total=len(problems))


_HINT = "name the queries of the run by id"
