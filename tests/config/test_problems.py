"""Every problem is reported, at once, with its line and what would be right."""

from __future__ import annotations

import re
import textwrap

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rageval.config.loading import check_config
from rageval.errors import ConfigError

GOOD = """\
name: x
dataset: qrels.txt
strategies:
  - name: a
    run: a.run
  - name: b
    run: b.run
"""
TWO = """\
name: x
datasets: [{name: one, path: qrels.txt}, {name: two, path: other.txt}]
strategies:
  - name: a
    runs: {one: a.run, two: b.run}
"""

# change to a good configuration -> the one problem
CASES = [
    ("titel: y", "8: unknown key 'titel' (did you mean 'title'?)"),
    ("zzz: y", "8: unknown key 'zzz' (known: name, title, dataset, datasets, strategies"),
    ("title: [a]", "8: title should be text, got a list of 1"),
    ("relevance_level: high", "8: relevance_level should be a whole number, got 'high'"),
    ("relevance_level: 1.5", "8: relevance_level should be a whole number, got '1.5'"),
    ("relevance_level: 0", "8: relevance_level should be at least 1, got '0'"),
    ("lenient: perhaps", "8: lenient should be true or false, got 'perhaps'"),
    ("no_relevant: zeros", "8: no_relevant should be 'zero' or 'exclude', got 'zeros' (did you"),
    ("comparison: holm", "8: comparison should be a block of keys and values, got 'holm'"),
    ("comparison:\n  alpha: 0.7", "9: alpha should be less than 0.5, got '0.7'"),
    ("comparison:\n  alpha: 0", "9: alpha should be greater than 0, got '0'"),
    ("comparison:\n  alpha: nan", "9: alpha should be a finite number, got 'nan'"),
    ("comparison:\n  alpha: big", "9: alpha should be a number, got 'big'"),
    ("comparison:\n  aplha: 0.1", "9: unknown key 'aplha' (did you mean 'alpha'?)"),
    ("comparison:\n  resamples: 10", "9: resamples should be at least 1000, got '10'"),
    ("comparison:\n  test: pared-t", "9: unknown test 'pared-t' (did you mean 'paired-t'?)"),
    ("comparison:\n  check: wilcox", "9: unknown check 'wilcox' (did you mean 'wilcoxon'?)"),
    ("comparison:\n  check: paired-t", "9: the check is the test itself (name another test)"),
    ("comparison:\n  correction: hom", "9: unknown correction 'hom' (did you mean 'holm'?)"),
    ("comparison:\n  contrasts: a", "9: contrasts should be a list, got 'a'"),
    ("comparison:\n  contrasts:\n  - [a, c]", "10: a contrast names an unknown strategy 'c' ("),
    ("comparison:\n  contrasts:\n  - [a, a]", "10: a contrast compares 'a' with itself"),
    ("comparison:\n  contrasts:\n  - [a]", "10: a contrast should be two names of strategies"),
    ("comparison:\n  contrasts:\n  - [a, b, a]", "10: a contrast should be two names of strategi"),
    ("comparison:\n  contrasts:\n  - [a, b]\n  - [b, a]", "11: the contrast of 'b' and 'a' is pla"),
    ("measures: []", "8: measures should have at least one entry, got an empty list"),
    ("measures:\n- mrr\n- foo@3", "10: unknown measure 'foo@3' (did you mean 'nDCG@10'?)"),
    ("measures: [mrr, foo@3, RR]", None),
    ("measures:\n- mrr\n- RR", "10: RR measures the same as mrr (keep one)"),
    ("measures:\n- mrr\n- mrr", "10: mrr measures the same as mrr (keep one)"),
    ("primary: foo", "8: unknown measure 'foo'"),
    ("primary: ndcg@20", "8: the primary measure ndcg@20 is not measured (add it to `measures`,"),
    ("report:\n  depth: 0", "9: depth should be at least 1, got '0'"),
    ("report:\n  formats: [htm]", "9: formats should be 'html' or 'pdf', got 'htm' (did you mean"),
    ("report:\n  formats: []", "9: formats should have at least one entry, got an empty list"),
    ("report:\n  folder: a.run/x", "9: reports cannot go to a.run/x: there is a file in its pla"),
    ("report:\n  templates: a.run", "9: a file where a folder is expected: a.run"),
    ("report:\n  templates: absent", "9: no such folder: absent"),
    ("documents: {}", "8: `documents` should have either `pattern` or `map`"),
    ("documents: {pattern: (a), map: map.csv}", "8: `documents` should have either `pattern` or"),
    ("documents:\n  pattern: a(", "9: pattern is not a valid regular expression: missing ), unter"),
    ("documents:\n  pattern: abc", "9: pattern has no group (put the document's part in brackets"),
    ("documents:\n  map: mpa.csv", "9: no such file: mpa.csv (did you mean 'map.csv'?)"),
    ("documents:\n  map: beir", "9: a folder where a file is expected: beir"),
    ("environment: [A-B]", "8: environment should be a name of letters, digits and underscores"),
    ("name: y", "8: 'name' appears twice (first in line 1) (keep one of the two)"),
    ("? [a, b]\n: c", "8: a key must be a single word or text"),
    ("note: !!python/object:os.system x", None),
    ("title: !!binary aGk=", "8: the YAML tag tag:yaml.org,2002:binary is not used here"),
    ("seed: -1", "8: seed should be at least 0, got '-1'"),
    ("datasets: [beir]", "8: both `dataset` and `datasets` are given (keep one of them)"),
]


@pytest.mark.parametrize(("change", "problem"), [c for c in CASES if c[1]])
def test_one_problem(faults, change, problem):
    found = faults(f"{GOOD}{change}\n")
    assert [line[: len(problem)] for line in found] == [problem]


# a piece of the good configuration -> what stands in its place -> the one problem
REPLACED = [
    ("name: x", "name: a/b", "1: name should be up to 100 letters, digits, dots, dashes and under"),
    ("name: x", "name: .x", "1: name should be up to 100 letters"),
    ("name: x\n", "", "1: 'name' is missing (Names the report's folder"),
    ("dataset: qrels.txt\n", "", "1: no dataset is given (give `dataset: path` or a list"),
    ("qrels.txt", "qrel.txt", "2: no such file or folder: qrel.txt (did you mean 'qrels.txt'?)"),
    ("qrels.txt", "[qrels.txt]", "2: dataset should be a block of keys and values, got a list of"),
    ("qrels.txt", "{name: q}", "2: 'path' is missing (File or folder, relative to this config"),
    ("qrels.txt", "{path: qrels.txt, format: trek-qrels}", "2: unknown format 'trek-qrels' (did"),
    ("qrels.txt", "{path: qrels.txt, topics: t}", "2: no such file: t (paths are relative to"),
    ("qrels.txt", "{path: qrels.txt, corpus: no/t}", "2: no such file: no/t (its folder does no"),
    ("qrels.txt", "{path: ''}", "2: path should not be empty, got ''"),
    ("qrels.txt", '"a\\0b"', "2: no such file or folder: a\\x00b"),
    ("qrels.txt", "x" * 300, "2: not a usable path: x"),
    ("qrels.txt", "/dev/null", "2: neither a file nor a folder: /dev/null"),
    ("qrels.txt", "{path: qrels.txt, grade_map: {1: x}}", "2: 1 should be a whole number, got 'x"),
    ("name: b", "name: a", "6: two of the strategy names are 'a' (give each its own name)"),
    ("name: b", "name: ' '", "6: name should not be empty, got ' '"),
    ("name: b", "nmae: b", None),
    ("run: b.run", "description: d", "6: strategy 'b' has no run (give `run: path`)"),
    ("run: b.run", "run: beir", "7: a folder where a file is expected: beir"),
    ("run: b.run", "run: bb.run", "7: no such file: bb.run (did you mean 'b.run'?)"),
    ("run: b.run", "run: {path: b.run, order: down}", "7: order should be 'descending' or 'asce"),
    ("run: b.run", "run: {path: b.run, format: beir}", "7: unknown format 'beir' (known: trec-ru"),
    ("run: b.run", "runs: {q: b.run}", None),
    ("run: b.run", "runs: {qrels: b.run}\n    run: b.run", "7: strategy 'b' has both `run` and"),
    ("run: b.run", "run: b.run\n    candidate: true\n    baseline: true", "8: strategy 'b' is bas"),
]


@pytest.mark.parametrize(("old", "new", "problem"), [c for c in REPLACED if c[2]])
def test_one_problem_in_place_of_something_good(faults, old, new, problem):
    found = faults(GOOD.replace(old, new, 1))
    assert [line[: len(problem)] for line in found] == [problem]


def test_one_baseline_and_one_production_at_most(faults):
    text = GOOD.replace("run: ", "baseline: true\n    run: ")
    assert faults(text) == ["8: both 'a' and 'b' are the baseline (there is one baseline at most)"]


def test_several_candidates_are_fine(load):
    text = GOOD.replace("run: ", "candidate: true\n    run: ")
    assert all(strategy.candidate for strategy in load(text).config.strategies)


@pytest.mark.parametrize(
    ("runs", "problem"),
    [
        ("run: a.run", "strategy 'a' has one run for 2 datasets (give `runs` with one entry per"),
        ("runs: {one: a.run}", "strategy 'a' has no run for the dataset 'two' (add `two: path`)"),
        ("runs: {}", "strategy 'a' has no run (give `runs` with one entry per dataset)"),
        (
            "runs: {one: a.run, two: a.run, tow: a.run}",
            "strategy 'a' has a run for an unknown dataset 'tow' (did you mean 'two'?)",
        ),
    ],
)
def test_each_dataset_of_several_has_its_run(faults, runs, problem):
    found = faults(TWO.replace("runs: {one: a.run, two: b.run}", runs))
    assert [line.partition(": ")[2][: len(problem)] for line in found] == [problem]


# what stands in place of a run -> the one problem; `a.run` alone would be right
REPEATED = [
    ("runs: []", "7: runs should have at least one entry, got an empty list"),
    ("runs: c.run", "7: runs should be a block of keys and values, got 'c.run' (a file for"),
    ("runs: [c.run, c.rum]", "7: no such file: c.rum (did you mean 'c.run'?)"),
    ("runs:\n    - c.run\n    - {path: beir}", "9: a folder where a file is expected: beir"),
    ("runs:\n    - c.run\n    - {path: b.run, oder: ascending}", "9: unknown key 'oder' (did yo"),
    ("runs:\n    - c.run\n    - {format: json}", "9: 'path' is missing (File or folder, relativ"),
    ("runs:\n    - c.run\n    - {path: b.run, format: jsn}", "9: unknown format 'jsn' (did you "),
    ("runs:\n    - c.run\n    - [b.run]", "9: runs should be a block of keys and values, got a"),
    ("runs:\n    - c.run\n    - c.run", "9: strategy 'b' names the same file twice among its"),
    ("runs: {qrels: []}", "7: qrels should have at least one entry, got an empty list"),
    ("runs: {qrels: [c.run, c.rum]}", "7: no such file: c.rum (did you mean 'c.run'?)"),
    ("runs:\n      qrels:\n      - c.run\n      - {order: ascending}", "10: 'path' is missing ("),
    ("runs:\n      qrels:\n      - c.run\n      - c.run", "10: strategy 'b' names the same file t"),
    ("runs: [c.run]\n    run: b.run", "7: strategy 'b' has both `run` and `runs` (give `run: path"),
]


@pytest.mark.parametrize(("runs", "problem"), REPEATED)
def test_one_problem_in_repeated_runs(faults, runs, problem):
    found = faults(GOOD.replace("run: b.run", runs, 1))
    assert [line[: len(problem)] for line in found] == [problem]


def test_one_list_of_runs_serves_one_dataset_only(faults):
    found = faults(TWO.replace("{one: a.run, two: b.run}", "[a.run, b.run]"))
    assert found == [
        "5: strategy 'a' has one list of runs for 2 datasets "
        "(give `runs` with one entry per dataset)"
    ]


def test_datasets_need_names_of_their_own(faults):
    text = TWO.replace("name: two", "name: one").replace(", two: b.run", "")
    assert faults(text) == ["2: two of the dataset names are 'one' (give each its own `name`)"]


def test_a_compressed_file_beside_the_name_is_suggested(faults, folder):
    (folder / "big.run.gz").write_text("x", encoding="utf-8")
    assert faults(GOOD.replace("a.run", "big.run")) == [
        "5: no such file: big.run (did you mean 'big.run.gz'?)"
    ]


def test_all_problems_at_once_in_the_order_of_the_file(faults):
    found = faults(
        textwrap.dedent("""\
        name: not good
        dataset: absent.txt
        strategies:
          - name: a
            run: a.rum
            basline: true
          - nmae: b
            run: b.run
          - text
        measures: [foo]
        comparison:
          test: t-test
          alpha: x
          contrasts: [[a, a]]
        report: {depth: 1000, folder: a.run}
        title: one
        title: two
        """)
    )
    lines = [int(line.partition(":")[0]) for line in found]
    assert lines == [1, 2, 5, 6, 7, 7, 9, 10, 12, 13, 14, 15, 15, 17]


def test_a_consequence_of_a_problem_is_no_problem_of_its_own(faults):
    # The misspelt name of a strategy is not reported again by the contrast that names it.
    text = GOOD.replace("name: b", "name: ''") + "comparison: {contrasts: [[a, b]]}\n"
    assert faults(text) == ["6: name should not be empty, got ''"]


def test_an_independent_problem_beside_it_is_told(faults):
    text = GOOD.replace("run: b.run", "rnu: b.run") + "comparison: {contrasts: [[a, c]]}\n"
    assert [line.partition(" (")[0] for line in faults(text)] == [
        "6: strategy 'b' has no run",
        "7: unknown key 'rnu'",
        "8: a contrast names an unknown strategy 'c'",
    ]


def test_more_problems_than_anybody_reads_are_counted(faults):
    text = GOOD + "".join(f"key{i}: 1\n" for i in range(150))
    found = faults(text)
    assert len(found) == 101
    assert found[-1] == "... 150 problems in all, the first 100 shown"


def test_no_word_of_the_machinery_reaches_the_user(faults):
    for change, _ in CASES:
        text = " ".join(faults(f"{GOOD}{change}\n"))
        assert not re.search(r"pydantic|Input should|type=|Traceback|NoneType|tuple", text)


_KEYS = [
    "name",
    "dataset",
    "datasets",
    "strategies",
    "run",
    "runs",
    "path",
    "measures",
    "comparison",
    "contrasts",
    "alpha",
    "report",
    "formats",
    "environment",
    "documents",
    "pattern",
    "primary",
]
_texts = st.text("ab1:/${}\0\n", max_size=5)
_leaves = st.none() | st.booleans() | st.integers() | st.floats() | _texts
_values = st.recursive(
    _leaves,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=5)
    ),
    max_leaves=20,
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.dictionaries(st.sampled_from(_KEYS), _values, max_size=8))
def test_whatever_is_given_is_a_configuration_or_a_clear_error(folder, vocabulary, data):
    try:
        told = check_config(data, folder, vocabulary, {}).config.strategies
    except ConfigError as error:
        told = error.problems
    assert told
