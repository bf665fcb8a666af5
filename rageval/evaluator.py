"""Evaluate ranked lists in a few lines of Python, with the same measures as everything else."""

from __future__ import annotations

import numbers
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Floats
from rageval.data.judged_run import JudgedRun
from rageval.data.measurements import exact_mean
from rageval.data.qrels import Qrels
from rageval.data.source import Source
from rageval.errors import Problem, RagevalError
from rageval.measures import compute, parse_measure

Id: TypeAlias = str | int
Relevant: TypeAlias = Iterable[Id] | Mapping[Id, int]

_AT_K = {"recall@k": "recall", "precision@k": "precision", "f1@k": "f1", "ndcg@k": "ndcg"}
_KEYS = ("recall@k", "precision@k", "f1@k", "mrr", "ndcg@k")
_INT32 = np.iinfo(np.int32)


class ArgumentError(RagevalError, ValueError):
    """An argument that cannot be evaluated."""


class RetrievalEvaluator:
    """Evaluate what was retrieved against what is relevant.

    `retrieved` holds document ids, best first; an id that comes again keeps its place and counts
    once, at its best rank. `relevant` holds the ids of the relevant documents, or maps ids to
    integer grades: a grade of 1 or more is relevant, and nDCG takes the grade as gain. Ids are
    text; an integer is its decimal text, so `7` and `"7"` are the same document. With nothing
    relevant every value is 0.0, and so it is at a cutoff of 0. Raises ArgumentError (a
    RagevalError and a ValueError) for a cutoff that is negative or not whole, and for ids, grades
    or containers that mean nothing here.
    """

    def recall_at_k(self, retrieved: Iterable[Id], relevant: Relevant, k: int) -> float:
        """Return the share of all relevant documents that stand among the first k."""
        return _one("recall", retrieved, relevant, _cutoff(k))

    def precision_at_k(self, retrieved: Iterable[Id], relevant: Relevant, k: int) -> float:
        """Return the share of the first k that is relevant; divides by k even if fewer came."""
        return _one("precision", retrieved, relevant, _cutoff(k))

    def f1_at_k(self, retrieved: Iterable[Id], relevant: Relevant, k: int) -> float:
        """Return the harmonic mean of precision and recall at k; 0.0 where both are 0."""
        return _one("f1", retrieved, relevant, _cutoff(k))

    def mrr(self, retrieved: Iterable[Id], relevant: Relevant) -> float:
        """Return 1 / rank of the first relevant document; 0.0 where none was retrieved."""
        return _one("mrr", retrieved, relevant, None)

    def ndcg_at_k(self, retrieved: Iterable[Id], relevant: Relevant, k: int) -> float:
        """Return the discounted gain of the first k over that of the best possible ranking."""
        return _one("ndcg", retrieved, relevant, _cutoff(k))

    def evaluate_query(
        self, retrieved: Iterable[Id], relevant: Relevant, k: int = 10
    ) -> dict[str, float]:
        """Return `recall@k`, `precision@k`, `f1@k`, `mrr` and `ndcg@k` of one query.

        The keys hold the letter k, whatever its number. `mrr` reads the whole list.
        """
        vectors = _vectors(_judged([_query(retrieved, relevant)]), _cutoff(k))
        return {key: float(values[0]) for key, values in vectors.items()}

    def evaluate_dataset(
        self, results: Iterable[Mapping[str, Any]], k: int = 10
    ) -> dict[str, float]:
        """Return the means over queries under the keys of `evaluate_query`, and `num_queries`.

        `results` holds one `{"retrieved": [...], "relevant": ...}` per query; other keys are
        ignored. Raises ArgumentError with every faulty entry, and for no entries at all.
        """
        cutoff = _cutoff(k)
        vectors = _vectors(_judged(_queries(results)), cutoff)
        means: dict[str, float] = {key: exact_mean(values) for key, values in vectors.items()}
        return means | {"num_queries": len(vectors["mrr"])}

    def print_evaluation(self, metrics: Mapping[str, float]) -> None:
        """Print values as a framed table, as `evaluate_query` and `evaluate_dataset` give them."""
        if not isinstance(metrics, Mapping):
            raise ArgumentError(f"metrics must be a mapping of name to value, not {metrics!r}")
        print(_framed([(str(name), _shown(value)) for name, value in metrics.items()]))


@dataclass(frozen=True, slots=True)
class _Query:
    """One query's judgments, and where they stand in its ranking."""

    grades: dict[str, int]
    ranks: dict[str, int]
    retrieved: int


def _cutoff(k: object) -> int:
    if isinstance(k, bool) or not isinstance(k, numbers.Integral):
        raise ArgumentError(f"k must be a whole number, not {k!r}", hint="e.g. k=10")
    if not 0 <= int(k) <= _INT32.max:
        raise ArgumentError(f"k must not be negative or above 2^31 - 1, not {k}", hint="e.g. k=10")
    return int(k)


def _one(name: str, retrieved: Iterable[Id], relevant: Relevant, k: int | None) -> float:
    return float(_values(name, _judged([_query(retrieved, relevant)]), k)[0])


def _vectors(judged: JudgedRun, k: int) -> dict[str, Floats]:
    return {
        key: _values(_AT_K[key], judged, k) if key in _AT_K else _values(key, judged, None)
        for key in _KEYS
    }


def _values(name: str, judged: JudgedRun, k: int | None) -> Floats:
    if k == 0:
        return np.zeros(judged.n_queries)
    return compute(parse_measure(name if k is None else f"{name}@{k}"), judged)


def _query(retrieved: object, relevant: object) -> _Query:
    grades = _grades(relevant)
    ranking = _ids("retrieved", retrieved)
    first: dict[str, int] = {}
    for rank, doc_id in enumerate(ranking, 1):
        if doc_id in grades:
            first.setdefault(doc_id, rank)
    return _Query(grades, first, len(ranking))


def _grades(relevant: object) -> dict[str, int]:
    if not isinstance(relevant, Mapping):
        return dict.fromkeys(_ids("relevant", relevant), 1)
    grades: dict[str, int] = {}
    for doc_id, value in relevant.items():
        grade = _grade(doc_id, value)
        if grades.setdefault(_id("relevant", doc_id), grade) != grade:
            raise ArgumentError(f"relevant: {doc_id!r} stands there twice, with different grades")
    return grades


def _grade(doc_id: object, grade: object) -> int:
    if (
        isinstance(grade, int | float | np.integer | np.floating)
        and _INT32.min <= grade <= _INT32.max  # NaN and infinity are outside
        and grade == int(grade)
    ):
        return int(grade)
    raise ArgumentError(
        f"relevant: the grade of {doc_id!r} is {grade!r}", hint="grades are whole numbers"
    )


def _ids(name: str, ids: object) -> list[str]:
    if isinstance(ids, str | bytes):
        raise ArgumentError(
            f"{name} is one text, not a list of ids: {ids!r}", hint=f"write [{ids!r}]"
        )
    if not isinstance(ids, Iterable):
        raise ArgumentError(f"{name} must be a list of ids, not {ids!r}")
    if name == "retrieved" and isinstance(ids, Set | Mapping):
        raise ArgumentError(
            f"retrieved is a {type(ids).__name__}, which has no order",
            hint="give a list of ids, best first",
        )
    return [_id(name, doc_id) for doc_id in ids]


def _id(name: str, doc_id: object) -> str:
    if isinstance(doc_id, str) and _is_unicode(doc_id):
        return str(doc_id)
    if isinstance(doc_id, numbers.Integral) and not isinstance(doc_id, bool):
        return str(int(doc_id))
    raise ArgumentError(f"{name} holds {doc_id!r}, which is no id", hint="ids are text or integers")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, from a file decoded with errors ignored
        return False
    return True


def _queries(results: object) -> list[_Query]:
    if isinstance(results, str | bytes | Mapping) or not isinstance(results, Iterable):
        raise ArgumentError(
            f"results must be a list, not {type(results).__name__}",
            hint='e.g. [{"retrieved": ["a", "b"], "relevant": ["b"]}]',
        )
    queries: list[_Query] = []
    problems: list[Problem] = []
    for i, entry in enumerate(results):
        try:
            queries.append(_entry(entry))
        except ArgumentError as error:
            problems += [Problem(p.what, f"results[{i}]", p.hint) for p in error.problems]
    if not (queries or problems):
        raise ArgumentError("results is empty: there is nothing to evaluate")
    if problems:
        raise ArgumentError(problems)
    return queries


def _entry(entry: object) -> _Query:
    hint = 'write {"retrieved": [...], "relevant": [...]}'
    if not isinstance(entry, Mapping):
        raise ArgumentError(f"not a mapping but {type(entry).__name__}", hint=hint)
    for key in ("retrieved", "relevant"):
        if key not in entry:
            raise ArgumentError(f"{key!r} is missing", hint=hint)
    return _query(entry["retrieved"], entry["relevant"])


def _judged(queries: Sequence[_Query]) -> JudgedRun:
    """Lay all queries into one record, so that each measure runs once, whatever their number."""
    hits = [
        (i, rank, query.grades[doc_id])
        for i, query in enumerate(queries)
        for doc_id, rank in query.ranks.items()
    ]
    query, rank, grade = np.array(hits, np.int32).reshape(-1, 3).T.copy()
    retrieved = np.array([query.retrieved for query in queries], np.int32)
    return JudgedRun(
        qrels=_qrels([query.grades for query in queries]),
        query=query,
        rank=rank,
        grade=grade,
        tie_first=rank,
        tie_last=rank,
        retrieved=retrieved,
        in_run=np.ones(len(queries), np.bool_),
        straddled={},
        top_offsets=np.zeros(len(queries) + 1, np.int64),
        top_doc_ids=pa.array([], pa.string()),
        source=Source("", "python", int(retrieved.sum()), 0),
    )


def _qrels(judgments: Sequence[Mapping[str, int]]) -> Qrels:
    rows = [
        (i, doc_id, grade)
        for i, grades in enumerate(judgments)
        for grade, doc_id in sorted(((g, d) for d, g in grades.items()), reverse=True)
    ]
    return Qrels(
        query_ids=tuple(str(i) for i in range(len(judgments))),
        query=np.fromiter((i for i, _, _ in rows), np.int32, len(rows)),
        doc_ids=pa.array([doc_id for _, doc_id, _ in rows], pa.string()),
        grade=np.fromiter((grade for _, _, grade in rows), np.int32, len(rows)),
    )


def _shown(value: object) -> str:
    if isinstance(value, numbers.Integral):
        return f"{int(value):,}"
    if isinstance(value, float | np.floating):
        return "n/a" if np.isnan(value) else f"{value:.4f}"
    return str(value)


def _framed(rows: Collection[tuple[str, str]]) -> str:
    names = max((len(name) for name, _ in rows), default=0)
    values = max((len(value) for _, value in rows), default=0)
    title = "Retrieval evaluation"
    width = max(names + values + 2, len(title))
    edge = f"+{'-' * (width + 2)}+"
    lines = [f"| {name}{value:>{width - len(name)}} |" for name, value in rows]
    return "\n".join([edge, f"| {title:<{width}} |", edge, *lines, edge])
