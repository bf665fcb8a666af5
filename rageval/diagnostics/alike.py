"""Whether strategies can be compared: judged alike, and equally deep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from rageval.data import BoundMeasure, Finding, JudgedRun, StrategySummary

JUDGED_SHARE_GAP = 0.05
"""Strategies whose judged@k differ by more than this are not judged alike."""
MUCH_UNJUDGED = 0.2


def check_alike(
    judged: Mapping[str, JudgedRun],
    summaries: Sequence[StrategySummary],
    measures: Sequence[BoundMeasure],
) -> Iterator[Finding]:
    """Yield what there is to say about the strategies against one another."""
    known = [s for s in summaries if not np.isnan(s.unjudged_share)]
    if known:
        yield _unjudged(judged, max(known, key=lambda s: s.unjudged_share))
    if len(known) > 1:
        yield _judged_shares(known)
    deep = [m.key for m in measures if m.cutoff is None]
    if deep and len(summaries) > 1:
        yield _depths(summaries, deep)


def _unjudged(judged: Mapping[str, JudgedRun], most: StrategySummary) -> Finding:
    run = judged[most.strategy]
    retrieved = int(np.minimum(run.retrieved, most.cutoff).sum())
    unjudged = retrieved - int((run.rank <= most.cutoff).sum())
    return Finding(
        code="unjudged-documents",
        severity="medium"
        if most.unjudged_share > MUCH_UNJUDGED
        else "low"
        if unjudged
        else "passed",
        what=f"Unjudged documents in the first {most.cutoff}"
        + (" of the strategy with the largest share" if unjudged else ""),
        count=unjudged,
        total=retrieved,
        effect="They count as not relevant, so that its values may be too low. Judge them, or "
        "see the comparison on judged documents only."
        if unjudged
        else "Every document that counts was judged.",
        strategy=most.strategy if unjudged else "",
    )


def _judged_shares(summaries: Sequence[StrategySummary]) -> Finding:
    shares = {s.strategy: 1 - s.unjudged_share for s in summaries}
    pairs = list(combinations(shares.values(), 2))
    apart = sum(abs(a - b) > JUDGED_SHARE_GAP for a, b in pairs)
    low, high = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
    cutoff = summaries[0].cutoff
    return Finding(
        code="judged-shares-differ",
        severity="medium" if apart else "passed",
        what=f"Pairs of strategies whose judged@{cutoff} differ by more than {JUDGED_SHARE_GAP}",
        count=apart,
        total=len(pairs),
        effect=f"Judged@{cutoff} is {shares[low]:.3f} for {low} and {shares[high]:.3f} for "
        f"{high}. "
        + (
            f"They are not judged alike: the values of {low} are probably too low beside those "
            f"of {high}. See the comparison on judged documents only."
            if apart
            else "The strategies are judged alike."
        ),
    )


def _depths(summaries: Sequence[StrategySummary], deep: Sequence[str]) -> Finding:
    depths = {s.strategy: s.max_retrieved for s in summaries}
    low, high = min(depths, key=depths.__getitem__), max(depths, key=depths.__getitem__)
    shallower = sum(depth < depths[high] for depth in depths.values())
    depend = f"{', '.join(deep)} depend{'s' if len(deep) == 1 else ''} on how deep lists were "
    return Finding(
        code="depths-differ",
        severity="medium" if shallower else "passed",
        what="Strategies that deliver fewer documents for a query than the deepest does",
        count=shallower,
        total=len(depths),
        effect=f"{depend}delivered: {low} at most {depths[low]:,} documents, {high} "
        f"{depths[high]:,}. A measure with a cutoff compares them alike."
        if shallower
        else f"{depend}delivered, which is {depths[high]:,} documents at most for every strategy.",
    )
