"""One tool reads one case and computes the values of every query; run as a process of its own.

`python -m benchmarks.contenders TOOL QRELS RUN...` prints seconds (imports left out), the peak
of memory and the means, as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

from benchmarks.inputs import MEASURES

Values = dict[str, dict[str, list[float]]]
"""Run -> measure -> one value per query."""
Evaluate = Callable[[Path, list[Path]], Values]


def _rageval() -> Evaluate:
    import pyarrow.compute
    import pyarrow.csv  # noqa: F401  the parser that is otherwise imported where it is used

    from rageval.cli.without_pandas import settle_arrow
    from rageval.evaluation.scoring import score

    settle_arrow()

    def evaluate(qrels: Path, runs: list[Path]) -> Values:
        scores = score(qrels, {path.stem: path for path in runs}, MEASURES)
        assert not scores.failures, scores.failures
        cube = scores.measurements
        return {
            name: {key: cube.vector(key, name).tolist() for key in cube.measures}
            for name in cube.strategies
        }

    return evaluate


def _pytrec_eval() -> Evaluate:
    import pytrec_eval

    names = {"recall.10": "recall_10", "P.10": "P_10", "recip_rank": "recip_rank"}
    names["ndcg_cut.10"] = "ndcg_cut_10"

    def evaluate(qrels: Path, runs: list[Path]) -> Values:
        with qrels.open() as file:
            evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), set(names))
        return {path.stem: of_run(evaluator, path) for path in runs}

    def of_run(evaluator: pytrec_eval.RelevanceEvaluator, path: Path) -> dict[str, list[float]]:
        with path.open() as file:
            found = evaluator.evaluate(pytrec_eval.parse_run(file)).values()
        columns = [[values[name] for values in found] for name in names.values()]
        recall, precision, mrr, ndcg = columns
        f1 = [2 * p * r / (p + r) if p + r else 0.0 for r, p in zip(recall, precision, strict=True)]
        return dict(zip(MEASURES, (recall, precision, f1, mrr, ndcg), strict=True))

    return evaluate


def _ranx() -> Evaluate:
    import ranx

    names = ("recall@10", "precision@10", "f1@10", "mrr", "ndcg@10")

    def evaluate(qrels: Path, runs: list[Path]) -> Values:
        judgments = ranx.Qrels.from_file(str(qrels), kind="trec")
        return {path.stem: of_run(judgments, path) for path in runs}

    def of_run(judgments: ranx.Qrels, path: Path) -> dict[str, list[float]]:
        run = ranx.Run.from_file(str(path), kind="trec")
        values = ranx.evaluate(judgments, run, list(names), return_mean=False)
        return {key: list(values[name]) for key, name in zip(MEASURES, names, strict=True)}

    return evaluate


TOOLS: dict[str, Callable[[], Evaluate]] = {
    "rageval": _rageval,
    "pytrec-eval-terrier": _pytrec_eval,
    "ranx": _ranx,
}


def peak_mebibytes() -> float:
    """Return the most memory that this process has held (Linux: VmHWM), else NaN."""
    status = Path("/proc/self/status")
    if not status.exists():
        return float("nan")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def main() -> None:
    tool, qrels, *runs = sys.argv[1:]
    evaluate = TOOLS[tool]()
    start = time.perf_counter()
    values = evaluate(Path(qrels), [Path(run) for run in runs])
    seconds = time.perf_counter() - start
    means = [[fmean(by_measure[key]) for key in MEASURES] for by_measure in values.values()]
    print(json.dumps({"seconds": seconds, "peak": peak_mebibytes(), "means": means}))


if __name__ == "__main__":
    main()
