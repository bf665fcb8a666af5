"""Generate the runs and judgments that all tools read: the shape of MS MARCO's dev queries."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent / "data"
N_DOCUMENTS = 8_841_823
"""Passages of MS MARCO: document ids are numbers below it."""
MEASURES = ("recall@10", "precision@10", "f1@10", "mrr", "ndcg@10")


@dataclass(frozen=True, slots=True)
class Case:
    """What one comparison reads."""

    name: str
    queries: int
    depth: int
    files: int

    @property
    def qrels(self) -> Path:
        """Return the file of judgments."""
        return FOLDER / self.name / "qrels.txt"

    @property
    def runs(self) -> list[Path]:
        """Return the run files."""
        return [FOLDER / self.name / f"run{i}.txt" for i in range(1, self.files + 1)]

    @property
    def bytes(self) -> int:
        """Return the size of all runs."""
        return sum(path.stat().st_size for path in self.runs)


LARGE = Case("large", queries=6980, depth=1000, files=1)
EIGHT = Case("eight", queries=6980, depth=100, files=8)
QUICK = Case("quick", queries=300, depth=100, files=2)


def generate(case: Case, seed: int = 20261130) -> None:
    """Write the files of a case, the same bytes every time; do nothing where they are there."""
    if case.qrels.exists():
        return
    case.qrels.parent.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([seed, case.queries, case.depth])
    judged = [
        rng.choice(N_DOCUMENTS, rng.choice([1, 2], p=[0.94, 0.06])) for _ in range(case.queries)
    ]
    query_ids = np.sort(rng.choice(1_100_000, case.queries, replace=False)).tolist()
    for path in case.runs:
        _write_run(path, query_ids, judged, case.depth, rng)
    lines = [f"{q} 0 {doc} 1\n" for q, docs in zip(query_ids, judged, strict=True) for doc in docs]
    case.qrels.write_text("".join(lines))


def _write_run(
    path: Path,
    query_ids: list[int],
    judged: list[np.ndarray[tuple[int], np.dtype[np.int64]]],
    depth: int,
    rng: np.random.Generator,
) -> None:
    with path.open("w") as file:
        for query_id, docs in zip(query_ids, judged, strict=True):
            ranking = _ranking(docs, depth, rng)
            scores = np.sort(rng.gamma(9.0, 2.0, depth))[::-1].tolist()
            file.writelines(
                f"{query_id} Q0 {doc} {rank} {score:.6f} run\n"
                for rank, (doc, score) in enumerate(zip(ranking, scores, strict=True), 1)
            )


def _ranking(
    judged: np.ndarray[tuple[int], np.dtype[np.int64]], depth: int, rng: np.random.Generator
) -> list[int]:
    """Draw distinct documents; three in four judged ones are found, mostly near the top."""
    drawn = rng.choice(N_DOCUMENTS, depth + len(judged), replace=False)
    ranking = drawn[~np.isin(drawn, judged)][:depth]
    for doc in judged[rng.random(len(judged)) < 0.75]:
        ranking[min(int(rng.geometric(0.1)) - 1, depth - 1)] = doc
    distinct: list[int] = list(dict.fromkeys(ranking.tolist()))
    return distinct
