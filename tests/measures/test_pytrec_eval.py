"""Agreement with pytrec-eval-terrier, and with plain loops where it has no such measure."""

from __future__ import annotations

import math

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

THEIRS = {
    "P_1": "P@1",
    "P_3": "P@3",
    "P_10": "P@10",
    "recall_3": "recall@3",
    "recall_10": "recall@10",
    "ndcg_cut_1": "ndcg@1",
    "ndcg_cut_3": "ndcg@3",
    "ndcg_cut_10": "ndcg@10",
    "ndcg": "ndcg",
    "map": "map",
    "map_cut_3": "map@3",
    "recip_rank": "mrr",
    "success_1": "success@1",
    "success_3": "success@3",
    "Rprec": "rprec",
    "bpref": "bpref",
}
ASKED = {"P.1,3,10", "recall.3,10", "ndcg_cut.1,3,10", "ndcg", "map", "map_cut.3", "recip_rank",
         "success.1,3", "Rprec", "bpref"}  # fmt: skip

docs = st.sampled_from([*"abcdefghij", "A", "d10", "d9", "é", "漢", "\U0001f600", "ff", "ﬀ"])
queries = st.sampled_from(["1", "2", "10", "q", "é"])
judgments = st.dictionaries(
    queries, st.dictionaries(docs, st.integers(0, 4), min_size=1), min_size=1
)
# Whole and half scores: exact ties in plenty, none that float32 and float64 see differently.
scores = st.integers(-6, 6).map(lambda n: n / 2)
scored_runs = st.dictionaries(queries, st.dictionaries(docs, scores, min_size=1))


def ranked(run):
    """Rank by score, ties by id in UTF-8 byte order, both descending."""
    return {
        query: sorted(found, key=lambda doc: (found[doc], doc.encode()), reverse=True)
        for query, found in run.items()
    }


@settings(max_examples=200, deadline=None)
@given(judgments=judgments, run=scored_runs, level=st.sampled_from([1, 2]))
def test_equal_to_pytrec_eval(judgments, run, level, values_of):
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, ASKED, relevance_level=level)
    theirs = evaluator.evaluate(run)
    for name, label in THEIRS.items():
        level_label = (
            label.replace("@", f"(rel={level})@") if "@" in label else f"{label}(rel={level})"
        )
        ours = values_of(label if "ndcg" in label else level_label, judgments, ranked(run))
        for query in judgments:
            expected = theirs[query][name] if query in theirs else 0.0
            assert ours[query] == pytest.approx(expected, abs=1e-9), (label, query)


def plain_exponential_ndcg(grades, ranking, k):
    def dcg(ordered):
        return sum((2**g - 1) / math.log2(r + 1) for r, g in enumerate(ordered[:k], 1))

    best = dcg(sorted(grades.values(), reverse=True))
    return dcg([grades.get(doc, 0) for doc in ranking]) / best if best else 0.0


def plain_err(grades, ranking, k):
    reached, total = 1.0, 0.0
    for rank, doc in enumerate(ranking[:k], 1):
        satisfied = (2 ** grades.get(doc, 0) - 1) / 2**4
        total += reached * satisfied / rank
        reached *= 1 - satisfied
    return total


def plain_rbp(grades, ranking, k):
    return 0.3 * sum(0.7**i for i, doc in enumerate(ranking[:k]) if grades.get(doc, 0) >= 1)


def plain_judged(grades, ranking, k):
    return sum(doc in grades for doc in ranking[:k]) / min(k, len(ranking))


PLAIN = {
    "ndcg(gain=exponential)": plain_exponential_ndcg,
    "err(top=4)": plain_err,
    "rbp(p=0.7)": plain_rbp,
    "judged": plain_judged,
}


@settings(max_examples=100, deadline=None)
@given(judgments=judgments, run=scored_runs, k=st.sampled_from([1, 2, 5, 10, 1000]))
@pytest.mark.parametrize("label", PLAIN)
def test_equal_to_a_plain_loop(label, judgments, run, k, values_of):
    rankings = ranked(run)
    ours = values_of(f"{label}@{k}", judgments, rankings)
    for query in judgments.keys() & rankings.keys():
        expected = PLAIN[label](judgments[query], rankings[query], k)
        assert ours[query] == pytest.approx(expected, abs=1e-12)
