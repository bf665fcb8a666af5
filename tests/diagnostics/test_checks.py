"""Every finding: what raises it, its counts, and the line that says that it passed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rageval.data import Finding
from rageval.data.finding import MAX_EXAMPLES
from rageval.diagnostics import check_dataset

JUDGED = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2, "d": 0}}
GOOD = {"q1": ["a", "b"], "q2": ["c", "d"]}


def one(found: Sequence[Finding], code: str, strategy: str = "") -> Finding:
    """Return the only finding of a code (and strategy)."""
    (finding,) = (f for f in found if f.code == code and f.strategy == strategy)
    return finding


# --- the dataset


def test_a_dataset_in_order_has_two_lines_that_passed(make_dataset):
    found = check_dataset(make_dataset(JUDGED), excluded=False)
    assert [(f.code, f.severity, f.count, f.total) for f in found] == [
        ("queries-without-judgments", "passed", 0, 2),
        ("queries-without-relevant-documents", "passed", 0, 2),
    ]


def test_queries_without_relevant_documents_are_listed(make_dataset):
    judged = {**JUDGED, **{f"q{i}": {"x": 0} for i in range(3, 11)}, "q11": {"x": -1}, "q12": {}}
    found = check_dataset(make_dataset(judged), excluded=False)
    finding = one(found, "queries-without-relevant-documents")
    assert (finding.severity, finding.count, finding.total) == ("medium", 10, 12)
    assert finding.examples == ("q3", "q4", "q5", "q6", "q7")
    assert finding.effect.startswith("They count as 0 for every strategy")
    assert check_dataset(make_dataset(judged), excluded=True)[-1].code != finding.code


def test_findings_of_the_files_are_kept_and_not_repeated(make_dataset):
    known = Finding("queries-without-judgments", "medium", "Queries", 3, "Left out.", 5)
    found = check_dataset(make_dataset(JUDGED, findings=(known,)), excluded=False)
    assert one(found, "queries-without-judgments") == replace(known, dataset="data")


# --- one strategy


def test_strategies_in_order_have_only_lines_that_passed(findings):
    found = findings(JUDGED, {"one": GOOD, "two": GOOD}, "ndcg@2", "mrr")
    assert {f.code: f.severity for f in found} == {
        "queries-not-in-run": "passed",
        "equal-scores": "passed",
        "unjudged-documents": "passed",
        "judged-shares-differ": "passed",
        "depths-differ": "passed",
    }


def test_a_run_that_lacks_queries_is_said_once_for_each_strategy(findings):
    found = findings(JUDGED, {"one": {"q1": ["a"]}, "two": GOOD})
    finding = one(found, "queries-not-in-run", "one")
    assert (finding.severity, finding.count, finding.examples) == ("medium", 1, ("q2",))
    assert not [f for f in found if f.code == finding.code and f.severity == "passed"]


def test_a_strategy_that_finds_nothing_is_of_high_severity(findings):
    nothing = {"q1": ["b", "x"], "q2": ["y"]}
    found = findings(JUDGED, {"one": nothing, "two": GOOD}, "ndcg@3", "mrr", "judged@3")
    finding = one(found, "all-values-zero", "one")
    assert (finding.severity, finding.count, finding.total) == ("high", 2, 2)
    assert not [f for f in found if f.code == finding.code and f.strategy == "two"]


def test_the_share_of_judged_documents_alone_is_no_success_to_miss(findings):
    found = findings(JUDGED, {"one": {"q1": ["x"], "q2": ["y"]}}, "judged@3")
    assert "all-values-zero" not in {f.code for f in found}


def test_equal_scores_are_counted_where_a_value_depends_on_them(findings):
    tied = {"q1": ["b=1", "a=1"], "q2": ["c=1", "b=1"]}
    finding = one(findings(JUDGED, {"one": tied}, "P@1", "mrr"), "equal-scores", "one")
    assert (finding.severity, finding.count, finding.total) == ("medium", 2, 2)
    assert finding.examples == ("q1", "q2")
    assert "between 0.0000 in the worst and 1.0000 in the best order" in finding.effect


def test_equal_scores_inside_the_cutoff_count_as_well(findings):
    tied = {"q1": ["b=1", "a=1"], "q2": ["c"]}
    finding = one(findings(JUDGED, {"one": tied}, "ndcg@3"), "equal-scores", "one")
    assert finding.count == 1
    assert "reach across" not in finding.effect


def test_equal_scores_across_the_cutoff_are_counted(findings):
    tied = {"q1": ["x=3", "y=2", "z=1", "a=1"], "q2": ["c"]}
    finding = one(findings(JUDGED, {"one": tied}, "ndcg@3"), "equal-scores", "one")
    assert (finding.severity, finding.count) == ("medium", 1)
    assert "They reach across rank 3 in 1 query." in finding.effect


def test_equal_scores_that_change_no_value_pass(findings):
    tied = {"q1": ["a=3", "x=2", "y=1", "z=1"], "q2": ["c"]}
    finding = one(findings(JUDGED, {"one": tied}, "ndcg@3"), "equal-scores")
    assert (finding.severity, finding.count) == ("passed", 0)


def test_short_rankings_are_counted_among_the_queries_of_the_run(findings):
    found = findings(JUDGED, {"one": {"q1": ["a"]}, "two": {"q1": ["a"], "q2": list("cxyz")}})
    for strategy in ("one", "two"):
        finding = one(found, "short-rankings", strategy)
        assert (finding.severity, finding.count, finding.examples) == ("low", 1, ("q1",))


def test_repeated_runs_are_told(findings, make_dataset, make_run):
    dataset = make_dataset(JUDGED)
    runs = [make_run(dataset, GOOD, sha256=digest) for digest in ("aa", "bb", "aa", "")]
    found = findings(JUDGED, {"one": replace(runs[0], repeats=tuple(runs[1:]))})
    assert one(found, "repeated-runs", "one").count == 4
    copies = one(found, "same-runs", "one")
    assert (copies.severity, copies.count, copies.total) == ("medium", 1, 4)


def test_repeats_without_digests_are_not_taken_for_copies(findings, make_dataset, make_run):
    run = make_run(make_dataset(JUDGED), GOOD)
    found = findings(JUDGED, {"one": replace(run, repeats=(run, run))})
    assert "same-runs" not in {f.code for f in found}


# --- strategies against one another


def test_unjudged_documents_are_counted_in_documents(findings):
    runs = {"one": {"q1": list("axyzb"), "q2": ["c"]}, "two": GOOD}
    finding = one(findings(JUDGED, runs, "ndcg@3"), "unjudged-documents", "one")
    assert (finding.severity, finding.count, finding.total) == ("medium", 2, 4)


@pytest.mark.parametrize(("unjudged", "severity"), [(1, "low"), (2, "medium"), (0, "passed")])
def test_many_unjudged_documents_are_of_medium_severity(findings, unjudged, severity):
    judged = {"q1": {f"d{i}": 1 for i in range(9)}}
    ranking = [f"d{i}" for i in range(9 - unjudged)] + [f"x{i}" for i in range(unjudged)]
    found = findings(judged, {"one": {"q1": ranking}}, "ndcg@10")
    finding = one(found, "unjudged-documents", "one" if unjudged else "")
    assert (finding.severity, finding.count, finding.total) == (severity, unjudged, 9)
    assert finding.effect.startswith("They count as not" if unjudged else "Every document that")


def test_strategies_that_are_not_judged_alike_are_told(findings):
    judged = {"q1": {f"d{i}": 1 for i in range(10)}}
    docs = [f"d{i}" for i in range(10)]
    runs = {
        "all": {"q1": docs},
        "also": {"q1": docs[::-1]},
        "few": {"q1": [*docs[:5], *"vwxyz"]},
    }
    finding = one(findings(judged, runs, "ndcg@10"), "judged-shares-differ")
    assert (finding.severity, finding.count, finding.total) == ("medium", 2, 3)
    assert "Judged@10 is 0.500 for few and 1.000 for all." in finding.effect


def test_the_gap_is_that_of_the_mean_over_queries(findings):
    # Of all documents 3 of 4 and 3 of 5 are judged; over queries the shares are
    # (1 + 2/3) / 2 and (1/2 + 2/3) / 2.
    judged = {"q1": {"a": 1}, "q2": {"b": 1, "c": 1}}
    one_run = {"q1": ["a"], "q2": ["b", "c", "x"]}
    finding = one(
        findings(judged, {"one": one_run, "two": {**one_run, "q1": ["a", "y"]}}, "ndcg@3"),
        "judged-shares-differ",
    )
    assert finding.severity == "medium"
    assert "Judged@3 is 0.583 for two and 0.833 for one." in finding.effect


def test_depths_matter_to_measures_without_a_cutoff_only(findings):
    runs = {"one": GOOD, "two": {"q1": ["a"], "q2": ["c"]}, "three": {"q1": ["a"]}}
    finding = one(findings(JUDGED, runs, "mrr", "bpref"), "depths-differ")
    assert (finding.severity, finding.count, finding.total) == ("medium", 2, 3)
    assert "mrr, bpref depend on how deep lists were delivered" in finding.effect
    assert "rprec depends on" in one(findings(JUDGED, runs, "rprec"), "depths-differ").effect
    assert "depths-differ" not in {f.code for f in findings(JUDGED, runs, "ndcg@3")}


def test_nothing_retrieved_is_no_division_by_zero(findings):
    found = findings(JUDGED, {"one": {"q1": [], "q2": []}, "two": GOOD})
    assert one(found, "unjudged-documents").count == 0
    assert "judged-shares-differ" not in {f.code for f in found}


EXTREMES = [
    ({"one": GOOD}, ("ndcg@3",)),
    ({"one": {"q1": []}}, ("mrr", "judged@5")),
    ({"one": {"q9": ["a"], "q1": ["z"] * 0}, "two": GOOD}, ("ap", "P@1")),
    ({f"s{i}": GOOD for i in range(12)}, ("recall@2",)),
]


@pytest.mark.parametrize(("runs", "measures"), EXTREMES)
def test_what_every_finding_promises(findings, make_dataset, runs, measures):
    found = findings(JUDGED, runs, *measures) + check_dataset(make_dataset(JUDGED), excluded=False)
    assert found
    for f in found:
        assert f.dataset == "data"
        assert f.count >= 0
        assert f.total is None or f.count <= f.total
        assert len(f.examples) <= MAX_EXAMPLES
        assert f.effect.endswith(".")
        assert not f.what.endswith(".")
        assert "nan" not in f"{f.what} {f.effect}".split()
        if f.severity == "passed":
            assert f.count == 0
    assert len({(f.code, f.strategy, f.what) for f in found}) == len(found)
