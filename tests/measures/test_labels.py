"""The grammar of measures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval.errors import ConfigError, RagevalError
from rageval.measures import MEASURES, describe, parse_measure, table

CANONICAL = [
    ("ndcg@10", "nDCG@10"),
    ("NDCG", "nDCG"),
    ("nDCG(gain=exponential)@10", "nDCG(gain=exponential)@10"),
    ("ndcg(GAIN = Exponential) @ 10", "nDCG(gain=exponential)@10"),
    ("ndcg(gain=linear)@10", "nDCG@10"),
    ("P@5", "Precision@5"),
    ("P(rel=2)@5", "Precision(rel=2)@5"),
    ("p(rel=1)@5", "Precision@5"),
    ("precision@5", "Precision@5"),
    ("R@5", "Recall@5"),
    ("recall@005", "Recall@5"),
    ("f1@3", "F1@3"),
    ("mrr", "MRR"),
    ("RR@10", "MRR@10"),
    ("recip_rank", "MRR"),
    ("map", "AP"),
    ("AP@100", "AP@100"),
    ("hit_rate@1", "Success@1"),
    ("hit-rate@1", "Success@1"),
    ("hit@1", "Success@1"),
    ("r_precision", "Rprec"),
    ("R-Precision", "Rprec"),
    ("judged@10", "Judged@10"),
    ("bpref", "bpref"),
    ("BPREF(rel=2)", "bpref(rel=2)"),
    ("rbp", "RBP(p=0.8)"),
    ("rbp(p=.95, rel=2)@100", "RBP(p=0.95,rel=2)@100"),
    ("rbp(rel=2,p=0.50)", "RBP(p=0.5,rel=2)"),
    ("err@20", "ERR@20"),
    ("err(top=4)@20", "ERR(top=4)@20"),
    ("mrr()", None),
]


@pytest.mark.parametrize(("text", "label"), [pair for pair in CANONICAL if pair[1]])
def test_canonical_label(text, label):
    measure = parse_measure(f"  {text}\t")
    assert measure.label == label
    assert measure.key == text


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_every_spelling_means_the_same(measure):
    cutoff = "@7" if measure.cutoff == "required" else ""
    for name in (measure.name, *measure.aliases, measure.name.upper(), measure.name.lower()):
        assert parse_measure(name + cutoff).measure is measure


def test_no_two_measures_share_a_spelling():
    spellings = [
        name for m in MEASURES for name in {m.name.casefold(), *map(str.casefold, m.aliases)}
    ]
    assert len(spellings) == len(set(spellings))


@pytest.mark.parametrize(
    ("text", "rel", "label"),
    [
        ("P@5", 2, "Precision(rel=2)@5"),
        ("P(rel=1)@5", 1, "Precision@5"),
        ("mrr", 2, "MRR(rel=2)"),
        ("ndcg@5", 1, "nDCG@5"),
        ("judged@5", 1, "Judged@5"),
    ],
)
def test_relevance_level_holds_where_the_label_gives_none(text, rel, label):
    measure = parse_measure(text, relevance_level=2)
    assert (measure.rel, measure.label, measure.key) == (rel, label, text)


FAULTS = [
    ("ndgc@10", "unknown measure 'ndgc'", "did you mean 'nDCG'"),
    ("precison@5", "unknown measure", "did you mean 'Precision'"),
    ("hitrate@5", "unknown measure", "did you mean 'hit_rate'"),
    ("ndcg10", "unknown measure", "did you mean 'ndcg@10'"),
    ("ndcg_cut_10", "unknown measure", "did you mean 'ndcg@10'"),
    ("P_5", "unknown measure", "did you mean 'P@5'"),
    ("zzz", "unknown measure 'zzz'", "known: Recall, Precision, F1"),
    ("recall", "'recall' lacks a cutoff", "recall@10"),
    ("P(rel=2)", "lacks a cutoff", "P(rel=2)@10"),
    ("rprec@10", "Rprec takes no cutoff", "write Rprec"),
    ("ndcg@0", "whole number of at least 1, not '0'", "e.g. 10"),
    ("ndcg@-1", "whole number of at least 1, not '-1'", ""),
    ("ndcg@1.5", "whole number of at least 1, not '1.5'", ""),
    ("ndcg@", "whole number of at least 1, not ''", ""),
    ("ndcg@k", "whole number of at least 1, not 'k'", ""),
    ("ndcg@10@5", "whole number of at least 1, not '10@5'", ""),
    ("ndcg@٣", "whole number of at least 1", ""),
    ("ndcg@2147483648", "whole number", ""),
    ("ndcg@" + "9" * 5000, "whole number", ""),
    ("ndcg(rel=2)@10", "nDCG has no parameter 'rel'", "known: gain"),
    ("P(rle=2)@10", "Precision has no parameter 'rle'", "did you mean 'rel'"),
    ("judged(rel=2)@10", "Judged takes no parameters", ""),
    ("ndcg(gain=exponentail)@10", "unknown gain 'exponentail'", "did you mean 'exponential'"),
    ("P(rel=0)@10", "rel must be a whole number of at least 1", "e.g. 2"),
    ("P(rel=x)@10", "rel must be a whole number", ""),
    ("P(rel=1,rel=2)@10", "gives rel twice", ""),
    ("P(rel)@10", "'rel' is not a parameter", "name[(param=value,...)][@cutoff]"),
    ("mrr()", "'' is not a parameter", "name[(param=value,...)][@cutoff]"),
    ("rbp(p=1)", "number between 0 and 1, not '1'", "p=0.8"),
    ("rbp(p=0.0)", "number between 0 and 1", ""),
    ("rbp(p=nan)", "number between 0 and 1", ""),
    ("", "'' is not a measure", "e.g. nDCG@10"),
    ("@10", "is not a measure", ""),
    ("ndcg(gain=linear", "is not a measure", ""),
    ("ndcg@10(gain=linear)", "is not a measure", ""),
]


@pytest.mark.parametrize(("text", "what", "hint"), FAULTS, ids=[f[0][:30] for f in FAULTS])
def test_fault_says_what_would_be_right(text, what, hint):
    with pytest.raises(ConfigError) as error:
        parse_measure(text)
    (problem,) = error.value.problems
    assert what in problem.what
    assert hint in problem.hint


@given(st.text(alphabet="ndcgNDCPpRr@()=,10.- _\n\x00é", max_size=30))
def test_any_text_is_a_measure_or_an_error_of_ours(text):
    try:
        measure = parse_measure(text)
    except RagevalError:
        return
    assert parse_measure(measure.label).label == measure.label


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("recall@5", "among the first 5 results"),
        ("ndcg@1", "the order of the first result is"),
        ("ndcg", "the order of the whole ranking is"),
        ("mrr", "stands in the whole ranking"),
    ],
)
def test_description_speaks_of_the_cutoff(text, part):
    info = describe(parse_measure(text))
    assert part in info.summary
    assert info.key == text


def test_table_has_a_row_per_measure_with_its_other_spellings():
    rows = {row.name: row for row in table()}
    assert len(rows) == len(MEASURES)
    assert rows["nDCG[(gain=...)][@k]"].spellings == ()
    assert rows["AP[(rel=...)][@k]"].spellings == ("map",)
    assert rows["Success[(rel=...)]@k"].spellings == ("hit_rate", "hit")
    assert rows["Judged@k"].formula.startswith("|judged in first k|")
