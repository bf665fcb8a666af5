"""Results made of numbers alone, with every extreme as a named case."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from scipy import stats

from rageval.comparison.macro import macro_means
from rageval.data import (
    Comparison,
    DatasetResult,
    EvaluationResult,
    Finding,
    FindingWord,
    MeasureInfo,
    Measurements,
    Provenance,
    QueryDetail,
    RepeatSpread,
    Retrieved,
    Sensitivity,
    SliceComparison,
    Source,
    Strategy,
    StrategyFailure,
    StrategySummary,
)
from rageval.data.arrays import Floats

HOSTILE = '<script>alert(1)</script> a<b & "c"'
MEASURES = ("ndcg@10", "recall@5", "recall@10", "recall@20", "precision@5", "f1@5", "mrr")
LABELS = {"ndcg": "nDCG", "recall": "Recall", "precision": "Precision", "f1": "F1", "mrr": "MRR"}
TYPES = ("lookup", "how-to", "comparison", "troubleshooting")
ROLES = {"BM25": "baseline", "Hybrid": "production", "Hybrid + rerank": "candidate"}
FOUR = ("BM25", "Dense", "Hybrid", "Hybrid + rerank")
TEXTS = (
    "How many days of leave does a part-time employee get?",
    "ERR-40317",
    "כמה ימי חופשה מגיעים לעובד במשרה חלקית?",
    "返品の期限は何日ですか",
    "ما هي مدة فترة الإشعار أثناء فترة التجربة؟",
    'Grösse & <b>Preis</b> for SKU "8840" 🎉 naïve café',
    "x" * 90,
    "Whether the discount that was agreed for the whole group still applies to renewals " * 4,
    HOSTILE,
    "line one\nline two\x07\u202e reversed",
)


def measure(key: str) -> MeasureInfo:
    base, _, cutoff = key.partition("@")
    label = LABELS.get(base, base) + (f"@{cutoff}" if cutoff else "")
    return MeasureInfo(
        key=key,
        label=label,
        name=LABELS.get(base, base),
        cutoff=int(cutoff) if cutoff else None,
        summary=f"What share of something {base} measures.",
        formula=f"sum of {base} over ranks / ideal",
        source="Someone (2002), equation 1",
    )


def values(n: int, strategies: int, measures: int, seed: int = 7, step: float = 0.05) -> Floats:
    """Return (measures, strategies, queries) in [0, 1], later strategies better on average."""
    rng = np.random.default_rng(seed)
    ease = rng.beta(2, 2, n)
    out = np.empty((measures, strategies, n))
    for m, s in itertools.product(range(measures), range(strategies)):
        noise = rng.normal(0, 0.18, n)
        raw = ease + noise + step * (s - strategies / 2)
        out[m, s] = np.round(np.clip(raw, 0, 1) * 12) / 12
    return out


def compare(
    key: str,
    a: str,
    b: str,
    va: Floats,
    vb: Floats,
    *,
    family: str = "all pairs",
    size: int = 1,
    alpha: float = 0.05,
    margin: float | None = None,
) -> Comparison:
    """Compare two vectors by the paired t-test, not yet adjusted."""
    keep = ~(np.isnan(va) | np.isnan(vb))
    va, vb = va[keep], vb[keep]
    d = vb - va
    n = len(d)
    nan = math.nan
    c = Comparison(
        measure=key,
        a=a,
        b=b,
        n=n,
        mean_a=float(va.mean()) if n else nan,
        mean_b=float(vb.mean()) if n else nan,
        mean_difference=float(d.mean()) if n else nan,
        sd_difference=nan,
        ci_low=nan,
        ci_high=nan,
        simultaneous_low=nan,
        simultaneous_high=nan,
        test="paired-t",
        statistic=nan,
        df=nan,
        p_value=nan,
        p_adjusted=nan,
        correction="holm",
        family=family,
        family_size=size,
        d_z=nan,
        d_z_low=nan,
        d_z_high=nan,
        g_z=nan,
        wins=int((d > 1e-9).sum()),
        ties=int((np.abs(d) <= 1e-9).sum()),
        losses=int((d < -1e-9).sum()),
        detectable_difference=nan,
        relative_change=nan,
        finding="not testable",
        note="needs at least two queries",
    )
    if n < 2:
        return c
    sd = float(d.std(ddof=1))
    if sd < 1e-12:
        if abs(c.mean_difference) < 1e-12:
            return replace(c, p_value=1.0, p_adjusted=1.0, finding="identical", note="identical")
        return replace(c, note="differences do not vary")
    se = sd / math.sqrt(n)
    t = c.mean_difference / se
    half = float(stats.t.ppf(1 - alpha / 2, n - 1)) * se
    wide = float(stats.t.ppf(1 - alpha / 2 / size, n - 1)) * se
    inner = float(stats.t.ppf(1 - alpha, n - 1)) * se
    inside = None if margin is None else abs(c.mean_difference) + inner < margin
    return replace(
        c,
        sd_difference=sd,
        ci_low=c.mean_difference - half,
        ci_high=c.mean_difference + half,
        simultaneous_low=c.mean_difference - wide,
        simultaneous_high=c.mean_difference + wide,
        statistic=t,
        df=float(n - 1),
        p_value=float(2 * stats.t.sf(abs(t), n - 1)),
        d_z=t / math.sqrt(n),
        detectable_difference=2.8 * se,
        within_margin=inside,
        note="",
        relative_change=c.mean_difference / c.mean_a if c.mean_a else nan,
    )


def adjusted(rows: Sequence[Comparison], alpha: float = 0.05) -> list[Comparison]:
    """Adjust by Holm within the rows and say what each found."""
    tested = [i for i, c in enumerate(rows) if not math.isnan(c.p_value) and c.note == ""]
    out, running = list(rows), 0.0
    for k, i in enumerate(sorted(tested, key=lambda i: rows[i].p_value)):
        running = max(running, min(1.0, (len(tested) - k) * rows[i].p_value))
        c = replace(rows[i], p_adjusted=running, family_size=len(tested))
        out[i] = replace(c, finding=found(c, alpha))
        if out[i].finding == "inconclusive" and c.family == "planned" and c.mean_difference:
            needed = (2.8 * c.sd_difference / c.mean_difference) ** 2
            out[i] = replace(out[i], queries_needed=math.ceil(needed))
    return out


def found(c: Comparison, alpha: float) -> FindingWord:
    if c.p_adjusted < alpha:
        return "better" if c.mean_difference > 0 else "worse"
    return "equivalent" if c.within_margin else "inconclusive"


def details(ids: Sequence[str], names: Sequence[str], depth: int = 10) -> tuple[QueryDetail, ...]:
    rng = np.random.default_rng(11)
    rows = []
    for query_id in ids:
        judged = tuple(Retrieved(f"doc-{i}", int(g)) for i, g in enumerate((3, 2, 1, 0, 0)))
        rankings = {}
        for name in names:
            picked = rng.permutation(14)[:depth]
            rankings[name] = tuple(
                Retrieved(f"doc-{i}", judged[i].grade if i < 5 else 0 if i < 11 else None)
                for i in picked.tolist()
            )
        rows.append(QueryDetail(query_id, judged, rankings))
    return tuple(rows)


DOCUMENTS = {
    f"doc-{i}": f"{title} – {text}"
    for i, (title, text) in enumerate(itertools.product(("Leave", "חופשה", HOSTILE), TEXTS[2:6]))
} | {"doc-12": "\u202eline\x07 reversed", "other": "in no ranking"}
"""All but doc-13, which the corpus lacks."""


def dataset(
    name: str,
    cube: Measurements,
    contrasts: Sequence[tuple[str, str]],
    *,
    texts: bool = True,
    attribute: str = "category",
    margin: float | None = None,
    findings: tuple[Finding, ...] | None = None,
    n_details: int = 20,
    documents: bool = False,
) -> DatasetResult:
    """Put a dataset's result together from its cube."""
    n = len(cube.query_ids)
    every: list[Comparison] = []
    planned: list[Comparison] = []
    pairs = list(itertools.combinations(cube.strategies, 2))
    for key in cube.measures:
        for wanted, family, into in ((pairs, "all pairs", every), (contrasts, "planned", planned)):
            rows = [
                compare(
                    key,
                    a,
                    b,
                    cube.vector(key, a),
                    cube.vector(key, b),
                    family=family,
                    size=max(1, len(wanted)),
                    margin=margin,
                )
                for a, b in wanted
                if {a, b} <= set(cube.strategies)
            ]
            into += adjusted(rows)
    kinds = {q: TYPES[(i * i + i // 3) % len(TYPES)] for i, q in enumerate(cube.query_ids)}
    attributes = {attribute: kinds} if attribute else {}
    wanted = [(a, b) for a, b in contrasts if {a, b} <= set(cube.strategies)][:1]
    slices = []
    for a, b in wanted if attribute else ():
        rows = []
        for kind in TYPES:
            ix = [i for i, q in enumerate(cube.query_ids) if kinds[q] == kind]
            key = cube.measures[0]
            rows.append(
                compare(
                    key,
                    a,
                    b,
                    cube.vector(key, a)[ix],
                    cube.vector(key, b)[ix],
                    family="slices",
                    size=len(TYPES),
                )
            )
        made = adjusted(rows)
        slices = [SliceComparison(attribute, k, c) for k, c in zip(TYPES, made, strict=True)]
    ids = cube.query_ids
    telling: tuple[QueryDetail, ...] = ()
    if n_details and len(cube.strategies) > 1:
        a, b = wanted[0] if wanted else cube.strategies[-2:]
        change = cube.vector(cube.measures[0], b) - cube.vector(cube.measures[0], a)
        order = np.argsort(change, kind="stable")
        chosen = dict.fromkeys([*order[:n_details].tolist(), *order[::-1][:n_details].tolist()])
        telling = details([ids[i] for i in chosen], cube.strategies)
    return DatasetResult(
        name=name,
        measurements=cube,
        n_judgments=5 * n,
        n_relevant=3 * n,
        comparisons=tuple(every),
        planned=tuple(planned),
        slices=tuple(slices),
        strategies=tuple(
            StrategySummary(
                s,
                n,
                10,
                10.0,
                10,
                10,
                0.3,
                0.6 - 0.02 * i,
                0.1 + 0.02 * i,
                i,
                cube.mean(cube.measures[0], s) - 0.002 * i,
                cube.mean(cube.measures[0], s) + 0.001 * i,
            )
            for i, s in enumerate(cube.strategies)
        ),
        details=telling,
        texts={q: TEXTS[i % len(TEXTS)] for i, q in enumerate(ids)} if texts else {},
        attributes=attributes,
        findings=FINDINGS if findings is None else findings,
        sources=(
            Source("data/qrels.txt", "trec-qrels", 5 * n, 91_234, "0f" * 32),
            Source("runs/bm25.trec", "trec-run", 10 * n, 123_456, "a1" * 32),
        ),
        documents=DOCUMENTS if documents else {},
    )


FINDINGS = (
    Finding(
        "queries-not-in-run",
        "medium",
        "Judged queries that the run lacks",
        2,
        "They count with value 0.",
        total=200,
        strategy="BM25",
        examples=("q7", HOSTILE),
    ),
    Finding("unique", "passed", "Repeated documents in one ranking", 0, "Nothing changed."),
)


def result(
    cubes: dict[str, Measurements],
    *,
    strategies: Sequence[Strategy] | None = None,
    contrasts: Sequence[tuple[str, str]] | None = None,
    title: str = "Workplace policy assistant: retrieval strategies",
    margin: float | None = None,
    failures: tuple[StrategyFailure, ...] = (),
    **options: object,
) -> EvaluationResult:
    """Put a whole result together."""
    first = next(iter(cubes.values()))
    known = strategies or [Strategy(s, "", ROLES.get(s, "")) for s in first.strategies]  # type: ignore[arg-type]
    if contrasts is None:
        by_role = {s.role: s.name for s in known if s.role}
        others = [by_role[r] for r in ("production", "baseline") if r in by_role]
        contrasts = [(o, by_role["candidate"]) for o in others if "candidate" in by_role]
    return EvaluationResult(
        name="synthetic",
        title=title,
        config={"name": "synthetic", "relevance_level": 1, "no_relevant": "zero"},
        strategies=tuple(known),
        measures=tuple(measure(key) for key in first.measures),
        primary=first.measures[0],
        alpha=0.05,
        correction="holm",
        test="paired-t",
        contrasts=tuple(contrasts),
        datasets=tuple(
            dataset(name, cube, contrasts, margin=margin, **options)  # type: ignore[arg-type]
            for name, cube in cubes.items()
        ),
        provenance=Provenance(
            "2026-11-30T06:00:00Z", "20261130T060000Z-ab12cd", {"rageval": "0.1.0"}, 20261130
        ),
        equivalence_margin=margin,
        failures=failures,
        macro_means=macro_means(
            cubes if len(cubes) > 1 else {},
            [s.name for s in known],
            dict.fromkeys(first.measures if len(cubes) > 1 else (), True),
        ),
    )


def cube(
    n: int = 200,
    names: Sequence[str] = FOUR,
    measures: Sequence[str] = MEASURES,
    **options: float,
) -> Measurements:
    made = values(n, len(names), len(measures), **options)  # type: ignore[arg-type]
    return from_values(made, names, measures)


def from_values(made: Floats, names: Sequence[str], measures: Sequence[str]) -> Measurements:
    ids = tuple(f"q{i + 1}" for i in range(made.shape[2]))
    return Measurements(tuple(measures), tuple(names), ids, made)


def two(a: Floats, b: Floats, **options: object) -> EvaluationResult:
    """Return a result of two strategies on one measure."""
    made = from_values(np.stack([a, b])[None], ("old", "new"), ("ndcg@10",))
    known = (Strategy("old", "", "production"), Strategy("new", "", "candidate"))
    return result({"toy": made}, strategies=known, **options)  # type: ignore[arg-type]


def _two(change: float, spread: float, n: int = 200, seed: int = 5) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    a = rng.uniform(0.3, 0.7, n)
    noise = rng.normal(0, 1, n)
    noise = (noise - noise.mean()) / noise.std()
    return a, a + change + spread * noise


def _identical() -> EvaluationResult:
    a, _ = _two(0, 0)
    return two(a, a.copy())


def _constant() -> EvaluationResult:
    a = np.full(20, 0.25)
    return two(a, a + 0.5)


def _long_names() -> EvaluationResult:
    names = ("n" * 300, HOSTILE, "كلمة طويلة جدا للاختبار", "検索戦略その四", "🎉 party\u202e\x00")
    roles = ("baseline", "production", "candidate", "", "")
    known = [Strategy(n, HOSTILE, r) for n, r in zip(names, roles, strict=True)]  # type: ignore[arg-type]
    return result({HOSTILE: cube(60, names)}, strategies=known, title=HOSTILE + "t" * 200)


def _wide() -> EvaluationResult:
    names = tuple(
        f"Variant {i:02d} (chunk {128 * (1 + i % 4)}, depth {10 * (1 + i % 5)})" for i in range(30)
    )
    measures = tuple(
        f"{m}@{k}" for m in ("ndcg", "recall", "precision", "f1", "mrr") for k in (10, 5, 1, 20, 50)
    )
    roles = {0: "baseline", 1: "production", 29: "candidate"}
    known = [Strategy(n, "", roles.get(i, "")) for i, n in enumerate(names)]  # type: ignore[arg-type]
    return result({"wide": cube(200, names, measures, step=0.01)}, strategies=known)


def _incomplete() -> EvaluationResult:
    made = cube(80, FOUR[:3])
    known = [Strategy(s, "", ROLES.get(s, "")) for s in FOUR]  # type: ignore[arg-type]
    message = "runs/rerank.trec:7: score 'abc' is not a number\nruns/rerank.trec:9: five fields"
    failure = StrategyFailure("Hybrid + rerank", "main", message)
    return result({"main": made}, strategies=known, failures=(failure,))


def _nothing_relevant() -> EvaluationResult:
    high = Finding(
        "all-zero",
        "high",
        "Every value is 0",
        4,
        "Nothing retrieved is judged relevant: check that ids are written alike.",
        total=4,
    )
    made = from_values(np.zeros((7, 4, 50)), FOUR, MEASURES)
    return result({"main": made}, findings=(high,))


def _undefined() -> EvaluationResult:
    made = values(50, 4, 7)
    made[1, 2, :] = math.nan
    made[0, 1, :30] = math.nan
    return result({"main": from_values(made, FOUR, MEASURES)})


def _exploratory() -> EvaluationResult:
    known = [Strategy(s) for s in FOUR]
    return result({"main": cube()}, strategies=known)


def _choices() -> EvaluationResult:
    """Other choices, repeated runs and a second test, each of which disagrees somewhere."""
    made = result({"main": cube(100, step=0.02)})
    first = made.datasets[0]
    a, b = made.contrasts[0]
    main = next(c for c in first.planned if (c.a, c.b, c.measure) == (a, b, made.primary))
    other = replace(main, finding="inconclusive", p_adjusted=0.2, note="")
    names = f"Equal scores in the best order for {b}, the worst for {a}"
    choices = (
        Sensitivity("judged-only", "Judged documents only", other, main.finding == other.finding),
        Sensitivity("ties-for-b", names, main, same_finding=True),
    )
    spreads = tuple(
        RepeatSpread("Dense", key, (0.5, 0.51, 0.56), 0.0321, 0.5, 0.56) for key in MEASURES[:3]
    )
    best = RepeatSpread(b, made.primary, (0.3, 0.9), 0.42, 0.3, 0.9)
    checked = tuple(
        replace(c, p_check=0.9 if i % 5 == 0 else c.p_value)
        for i, c in enumerate(first.comparisons)
    )
    dataset_ = replace(
        first, sensitivity=choices, repeats=(*spreads, best), comparisons=checked,
        planned=tuple(replace(c, p_check=0.9) for c in first.planned),
    )  # fmt: skip
    config = {**made.config, "comparison": {"check": "sign-flip", "family": "measure"}}
    return replace(made, datasets=(dataset_,), config=config)


def _tukey() -> EvaluationResult:
    made = result({"main": cube(60)})
    first = made.datasets[0]

    def inside(c: Comparison) -> Comparison:
        correction = "bonferroni" if c.family == "slices" else "none"
        return replace(c, test="tukey-randomised", correction=correction, p_adjusted=c.p_value)

    dataset_ = replace(
        first,
        comparisons=tuple(map(inside, first.comparisons)),
        planned=tuple(map(inside, first.planned)),
        slices=tuple(replace(s, comparison=inside(s.comparison)) for s in first.slices),
    )
    return replace(made, test="tukey-randomised", datasets=(dataset_,))


def _unadjusted() -> EvaluationResult:
    made = result({"main": cube(60)})
    first = made.datasets[0]

    def plain(c: Comparison) -> Comparison:
        return replace(c, correction="none", p_adjusted=c.p_value)

    dataset_ = replace(
        first,
        comparisons=tuple(map(plain, first.comparisons)),
        planned=tuple(map(plain, first.planned)),
        slices=tuple(replace(s, comparison=plain(s.comparison)) for s in first.slices),
    )
    return replace(made, correction="none", datasets=(dataset_,))


def _datasets() -> EvaluationResult:
    names = ("news", "science", "legal")
    return result({n: cube(60, seed=i + 1) for i, n in enumerate(names)})


CASES: dict[str, Callable[[], EvaluationResult]] = {
    "usual": lambda: result({"main": cube()}),
    "better": lambda: two(*_two(0.06, 0.1)),
    "worse": lambda: two(*_two(-0.05, 0.1)),
    "equivalent": lambda: two(*_two(0.002, 0.03), margin=0.02),
    "better within margin": lambda: two(*_two(0.006, 0.01), margin=0.02),
    "inconclusive": lambda: two(*_two(0.01, 0.25)),
    "identical": _identical,
    "constant difference": _constant,
    "one query": lambda: result({"main": cube(1)}),
    "two queries": lambda: result({"main": cube(2)}),
    "seven queries": lambda: result({"main": cube(7)}),
    "one strategy": lambda: result({"main": cube(50, ("only",))}),
    "thirty strategies": _wide,
    "ten thousand queries": lambda: result(
        {"main": cube(10_000, tuple(f"s{i}" for i in range(10)))}, contrasts=[("s0", "s9")]
    ),
    "no query text": lambda: result({"main": cube(40)}, texts=False, attribute=""),
    "no details": lambda: result({"main": cube(40)}, n_details=0),
    "incomplete": _incomplete,
    "nothing relevant": _nothing_relevant,
    "hostile names": _long_names,
    "undefined values": _undefined,
    "exploratory": _exploratory,
    "several datasets": _datasets,
    "other choices": _choices,
    "adjusted by the test": _tukey,
    "unadjusted": _unadjusted,
    "small": lambda: result(
        {"main": cube(12, FOUR[2:], MEASURES[:3])}, n_details=2, documents=True
    ),
    "one measure": lambda: result({"main": cube(40, FOUR, ("mrr",))}),
}


@cache
def case(name: str) -> EvaluationResult:
    """Return a case's result, made once."""
    return CASES[name]()
