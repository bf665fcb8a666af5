"""`rageval compare`: the numbers of R, every kind of input, and what a reader sees."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from rageval.cli.compare_table import Compared, show_compared
from rageval.cli.comparison_options import SHORT, comparison_spec, key_of_test
from rageval.cli.status import run_command
from rageval.cli.tables import Terminal
from rageval.cli.values import values_of as values_in
from rageval.errors import ConfigError
from rageval.evaluation.values import compare_values
from rageval.stats.corrections import CORRECTIONS
from rageval.stats.paired_tests import TESTS

Captured = pytest.CaptureFixture[str]
Find = Callable[[str], Path]

# The eight pairs of the worked example: a, b, and what R and scipy give for b - a.
A = (0.90, 0.55, 0.70, 0.30, 0.85, 0.60, 0.45, 0.75)
B = (0.80, 0.50, 0.72, 0.20, 0.70, 0.58, 0.40, 0.60)
WORKED = {
    "a": "old",
    "b": "new",
    "measure": "value",
    "n": 8,
    "mean_difference": -0.075,
    "ci_low": -0.1257549003,
    "ci_high": -0.0242450997,
    "statistic": -3.4941812096,
    "df": 7,
    "p_value": 0.0100717133,
    "p_adjusted": 0.0100717133,
    "d_z": -1.2353796140,
    "g_z": -1.0972677652,
    "wins": 1,
    "ties": 0,
    "losses": 7,
    "finding": "worse",
}
REQUIRED = (
    *("a", "b", "measure", "n", "mean_a", "mean_b", "mean_difference", "ci_low", "ci_high"),
    *("statistic", "df", "p_value", "p_adjusted", "d_z", "g_z", "wins", "ties", "losses"),
    "finding",
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"q{i},{a},{b}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    (tmp_path / "worked.csv").write_text("\n".join(["query_id,old,new", *rows]))
    (tmp_path / "three.csv").write_text(
        "query_id,x,y,z\n1,.9,.8,.5\n2,.5,.5,.4\n3,.7,.72,.6\n"
        "4,.3,.2,.1\n5,.85,.7,.5\n6,.6,.58,.55\n"
    )


@pytest.fixture
def rows(capsys: Captured) -> Callable[..., list[dict[str, Any]]]:
    """Return how to run the command with `--json`."""

    def run(*arguments: object) -> list[dict[str, Any]]:
        capsys.readouterr()
        assert run_command(["compare", *map(str, arguments), "--json"]) == 0
        document = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
        assert isinstance(document, list)
        return document

    return run


Rows = Callable[..., list[dict[str, Any]]]


def test_the_worked_example(rows: Rows) -> None:
    (row,) = rows("worked.csv")
    assert tuple(row)[: len(REQUIRED)] == REQUIRED
    expected = {
        key: pytest.approx(value, abs=1e-9) if isinstance(value, float) else value
        for key, value in WORKED.items()
    }
    assert {key: row[key] for key in WORKED} == expected


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        ("holm", (0.088384, 0.043667, 0.043667)),
        ("bh", (0.088384, 0.029491, 0.029491)),
        ("none", (0.0883844, 0.0196610, 0.0145558)),
    ],
)
def test_three_strategies_on_six_queries(
    correction: str, expected: tuple[float, ...], rows: Rows
) -> None:
    found = rows("three.csv", "--test", "t", "--correction", correction)
    assert [(row["a"], row["b"]) for row in found] == [("x", "y"), ("x", "z"), ("y", "z")]
    assert [row["p_adjusted"] for row in found] == pytest.approx(list(expected), abs=1e-6)


def test_exact_randomised_tests(rows: Rows) -> None:
    (row,) = rows("worked.csv", "--test", "sign-flip")
    assert row["p_value"] == pytest.approx(0.0234375, abs=1e-12)
    found = rows("three.csv", "--test", "tukey")
    expected = [0.745628, 0.000772, 0.106739]
    assert [row["p_value"] for row in found] == pytest.approx(expected, abs=1e-6)


REFERENCES = {
    "robust03_ndcg10": "robust03_ndcg10",
    "adhoc8_ap_run125_run126": "adhoc8_ap_readme125_126",
}


def reference(find: Find, name: str) -> tuple[Path, dict[tuple[str, str], dict[str, str]]]:
    path = find(f"stats/expected/{REFERENCES[name]}.pairs.R.csv")
    with path.open(newline="", encoding="utf-8") as file:
        table = {(row["sysA"], row["sysB"]): row for row in csv.DictReader(file)}
    return find(f"stats/{name}.csv"), table


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize(
    ("correction", "column"),
    [("holm", "holm"), ("bonferroni", "bonferroni"), ("bh", "BH"), ("by", "BY")],
)
def test_every_pair_as_in_r(
    name: str, correction: str, column: str, rows: Rows, shared_data: Find
) -> None:
    path, expected = reference(shared_data, name)
    found = rows(path, "--correction", correction)
    assert [(row["a"], row["b"]) for row in found] == list(expected)
    for row in found:
        r = expected[row["a"], row["b"]]
        # R's rows are A - B with wins where A is higher.
        assert row["n"] == int(r["n"])
        assert (row["wins"], row["ties"], row["losses"]) == (
            int(r["losses"]),
            int(r["ties"]),
            int(r["wins"]),
        )
        pairs = {
            "mean_a": float(r["meanA"]),
            "mean_b": float(r["meanB"]),
            "mean_difference": -float(r["meandiff"]),
            "ci_low": -float(r["ci_hi"]),
            "ci_high": -float(r["ci_lo"]),
            "statistic": -float(r["t"]),
            "df": float(r["df"]),
            "p_value": float(r["t_p"]),
            "p_adjusted": float(r[f"t_p_{column}"]),
            "d_z": -float(r["cohen_dz"]),
        }
        assert {key: row[key] for key in pairs} == pytest.approx(pairs, abs=1e-9)


def test_wilcoxon_as_in_r(rows: Rows, shared_data: Find) -> None:
    path, expected = reference(shared_data, "robust03_ndcg10")
    for row in rows(path, "--test", "wilcoxon"):
        r = expected[row["a"], row["b"]]
        assert row["p_value"] == pytest.approx(float(r["wilcox_p_default"]), abs=1e-9)


def test_files_of_trec_eval_against_scipy(rows: Rows, shared_data: Find, capsys: Captured) -> None:
    names = ("NLPR03vb10", "aplrob03a", "fub03IeOLKe3", "uic0301")
    paths = {n: shared_data(f"robust03/expected/{n}.trec_eval.txt.gz") for n in names}
    values = {name: values_of(path, "map") for name, path in paths.items()}
    found = rows(*(f"{name}={path}" for name, path in paths.items()), "-m", "map")
    assert len(found) == 6
    for row in found:
        a, b = values[row["a"]], values[row["b"]]
        t, p = stats.ttest_rel([b[q] for q in a], list(a.values()))
        assert (row["measure"], row["n"]) == ("map", 100)
        assert (row["statistic"], row["p_value"]) == pytest.approx((t, p), rel=1e-9)


def values_of(path: Path, measure: str) -> dict[str, float]:
    with gzip.open(path, "rt") as file:
        lines = [line.split() for line in file]
    return {q: float(value) for name, q, value in lines if name == measure and q != "all"}


def test_trec_eval_compares_one_measure_and_says_so(shared_data: Find, capsys: Captured) -> None:
    paths = [
        str(shared_data(f"robust03/expected/{name}.trec_eval.txt.gz"))
        for name in ("aplrob03a", "uic0301")
    ]
    assert run_command(["compare", *paths]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("ndcg_cut_10, 100 queries\n")
    assert "compared on ndcg_cut_10 only; --measure chooses others" in captured.err


def test_the_order_of_queries_never_changes_a_digit(tmp_path: Path, rows: Rows) -> None:
    generator = random.Random(3)
    lines = [f"q{i},{generator.random()},{generator.random()}" for i in range(400)]
    (tmp_path / "a.csv").write_text("\n".join(["query_id,x,y", *lines]))
    generator.shuffle(lines)
    (tmp_path / "b.csv").write_text("\n".join(["query_id,x,y", *lines]))
    for test in TESTS:
        if test != "bootstrap-bca":
            arguments = ("--test", test, "--resamples", 1000)
            assert rows("a.csv", *arguments) == rows("b.csv", *arguments)


@pytest.mark.parametrize(
    ("text", "finding", "absent"),
    [
        ("q1,.5,.6\nq2,.5,.6\nq3,.5,.6\n", "not testable", ("p_value", "ci_low", "d_z")),
        ("q1,.5,.5\nq2,.6,.6\nq3,.1,.1\n", "identical", ("statistic", "ci_low", "d_z")),
        ("q1,.5,.6\n", "not testable", ("p_value", "statistic", "ci_high", "g_z")),
        ("q1,.5,\nq2,,.5\n", "not testable", ("mean_a", "mean_difference", "p_adjusted")),
    ],
)
def test_what_does_not_exist_is_null(
    text: str, finding: str, absent: tuple[str, ...], tmp_path: Path, rows: Rows, capsys: Captured
) -> None:
    (tmp_path / "v.csv").write_text("query_id,a,b\n" + text)
    (row,) = rows("v.csv")
    assert row["finding"] == finding
    assert [row[key] for key in absent] == [None] * len(absent)
    assert run_command(["compare", "v.csv"]) == 0
    assert "nan" not in capsys.readouterr().out


def test_empty_cells_are_counted_and_left_out_of_their_pairs(
    tmp_path: Path, rows: Rows, capsys: Captured
) -> None:
    (tmp_path / "v.csv").write_text("query_id,a,b,c\nq1,1,,.1\nq2,.5,.1,.2\nq3,.25,.3,.9\n")
    assert [row["n"] for row in rows("v.csv")] == [2, 3, 2]
    run_command(["compare", "v.csv"])
    captured = capsys.readouterr()
    assert "b: Queries without a value: 1 of 3 (q1)" in captured.err
    assert "b against a: 1 query left out" in captured.out


def test_a_baseline_is_compared_with_each_other_strategy(rows: Rows) -> None:
    found = rows("three.csv", "--baseline", "y")
    assert [(row["a"], row["b"], row["family_size"]) for row in found] == [
        ("y", "x", 2),
        ("y", "z", 2),
    ]


def test_a_check_and_a_margin(rows: Rows) -> None:
    (row,) = rows("worked.csv", "--check", "sign-flip", "--margin", "0.2")
    assert row["p_check"] == pytest.approx(0.0234375, abs=1e-12)
    assert (row["finding"], row["within_margin"]) == ("worse", True)


def test_our_results_and_our_values_per_query(
    small_evaluation: Path, tmp_path: Path, rows: Rows, capsys: Captured
) -> None:
    reports = tmp_path / "reports"
    assert (
        run_command(
            [
                "run",
                str(small_evaluation),
                "--no-prefect",
                "--formats",
                "html",
                "--out",
                str(reports),
            ]
        )
        == 0
    )
    latest = reports / "small" / "latest"
    from_json = rows(latest / "results.json")
    assert from_json == rows(latest) == rows(reports / "small")
    assert from_json == rows(latest / "per_query.csv")
    assert [row["measure"] for row in from_json] == [
        *["recall@3"] * 3,
        *["mrr"] * 3,
        *["ndcg@3"] * 3,
    ]
    document = json.loads((latest / "results.json").read_text())
    (dataset,) = document["datasets"]
    # The same numbers as in the evaluation itself, whose roles may turn a pair round.
    theirs = {(c["measure"], frozenset((c["a"], c["b"]))): c for c in dataset["comparisons"]}
    for ours in from_json:
        there = theirs[ours["measure"], frozenset((ours["a"], ours["b"]))]
        for key in ("n", "ties", "family_size", "finding" if ours["a"] == there["a"] else "n"):
            assert ours[key] == there[key]
        for key in ("p_value", "p_adjusted"):
            assert ours[key] == pytest.approx(there[key], rel=1e-12)


def test_what_score_prints_can_be_compared(tmp_path: Path, rows: Rows, capsys: Captured) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 1\nq2 0 b 1\n")
    (tmp_path / "x.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 c 2 1 t\nq2 Q0 c 1 2 t\nq2 Q0 b 2 1 t\n")
    (tmp_path / "y.run").write_text("q1 Q0 c 1 2 t\nq1 Q0 a 2 1 t\n")
    run_command(
        ["score", "--qrels", "qrels", "--run", "x.run", "--run", "y.run", "-m", "mrr", "--json"]
    )
    (tmp_path / "scores.json").write_text(capsys.readouterr().out)
    (row,) = rows("scores.json")
    assert (row["a"], row["b"], row["measure"]) == ("x", "y", "mrr")
    assert (row["mean_a"], row["mean_b"], row["losses"]) == (0.75, 0.25, 2)


def test_several_datasets(tmp_path: Path, rows: Rows, capsys: Captured) -> None:
    (tmp_path / "v.csv").write_text(
        "dataset,query_id,strategy,map\n"
        "en,q1,a,1\nen,q1,b,0\nen,q2,a,.5\nen,q2,b,1\nde,q1,a,.1\nde,q1,b,.3\n"
    )
    assert [(row["dataset"], row["n"]) for row in rows("v.csv")] == [("en", 2), ("de", 1)]
    run_command(["compare", "v.csv"])
    out = capsys.readouterr().out
    assert "en, map, 2 queries" in out
    assert "de, map, 1 query" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["worked.csv", "--test", "anova"], "unknown test 'anova'"),
        (["worked.csv", "--test", "wilcoxn"], "did you mean 'wilcoxon'?"),
        (["worked.csv", "--check", "t"], "--check: is the test itself"),
        (["worked.csv", "--correction", "hulm"], "did you mean 'holm'?"),
        (["worked.csv", "--alpha", "0.7"], "--alpha: input should be less than 0.5"),
        (["worked.csv", "--margin", "-1"], "--margin: input should be greater than 0"),
        (["worked.csv", "--resamples", "5"], "--resamples: input should be greater than"),
        (["worked.csv", "--baseline", "odl"], "no strategy is called 'odl' (did you mean 'old'?)"),
        (["absent.csv"], "absent.csv: there is no such file"),
        (["."], ".: this folder holds no results.json"),
        ([""], "the name of a file is empty"),
        (["x" * 5000], "cannot be read: File name too long"),
        (["later.json"], "later.json: results.json has schema version None"),
    ],
)
def test_bad_input_is_one_message(
    arguments: list[str], message: str, tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "later.json").write_text('{"schema_version": null}')
    assert run_command(["compare", *arguments, "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_a_wide_table_names_everything(capsys: Captured) -> None:
    assert run_command(["compare", "worked.csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "value, 8 queries"
    for name in ("b − a", "95% interval", "t (df)", "adjusted p", "d_z", "wins/ties/losses"):
        assert name in lines[2]
    for cell in ("new", "old", "−0.075", "[−0.126, −0.024]", "−3.49 (7)", "0.010", "1/0/7"):
        assert cell in lines[4]
    assert lines[4].rstrip().endswith("↓ worse")
    assert "new retrieves worse than old." in lines


def test_a_narrow_terminal_gets_lines() -> None:
    shown = io.StringIO()
    cube = values_in(["three.csv"], ()).datasets[0][1]
    spec = comparison_spec(test="t", check=None, correction="holm")
    compared = Compared("", cube, compare_values(cube, spec, seed=0))
    show_compared([compared], spec, Terminal(file=shown, width=60))
    lines = shown.getvalue().splitlines()
    assert "y against x: inconclusive" in lines
    assert "  95% interval      [−0.129, +0.013]" in lines
    assert max(map(len, lines)) <= 60


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    code = "from rageval.cli import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", code, "compare", "/dev/stdin", "--json"],
        input=(tmp_path / "worked.csv").read_bytes(),
        capture_output=True,
        check=True,
    )
    assert json.loads(ran.stdout)[0]["n"] == 8


def test_names_cannot_reach_the_terminal_as_they_are(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "v.csv").write_text("query_id,a\x1b[31m,b\nq1,1,0\nq2,.5,.5\n")
    assert run_command(["compare", "v.csv"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "a\\x1b[31m" in out


@pytest.mark.parametrize("key", TESTS)
def test_every_test_runs_and_the_help_names_it(key: str, rows: Rows, capsys: Captured) -> None:
    assert len(rows("three.csv", "--test", key, "--resamples", 1000)) == 3
    run_command(["compare", "--help"])
    shown = capsys.readouterr().out.replace("tukey-\n", "tukey-").replace(" ", "")
    assert key in shown or key == SHORT["t"]


@pytest.mark.parametrize("key", CORRECTIONS)
def test_every_correction_is_in_the_help(key: str, capsys: Captured) -> None:
    run_command(["compare", "--help"])
    assert key in capsys.readouterr().out


def test_short_names_of_tests() -> None:
    assert {key_of_test(short) for short in SHORT} <= set(TESTS)
    assert key_of_test(" Paired_T ") == "paired-t"
    with pytest.raises(ConfigError):
        key_of_test("")
