"""`rageval plan`: known numbers of queries, where the spread comes from, and what a reader sees."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median, stdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from rageval.cli.plan_queries import Request, make_plan
from rageval.cli.plan_table import curve_lines
from rageval.cli.spread import ASSUMED, Spread
from rageval.cli.status import run_command
from rageval.errors import ConfigError
from rageval.stats.power import power_of

Captured = pytest.CaptureFixture[str]
Plans = Callable[..., dict[str, Any]]


@pytest.fixture
def plan(capsys: Captured) -> Plans:
    """Return how to run the command with `--json`."""

    def run(*arguments: object) -> dict[str, Any]:
        capsys.readouterr()
        assert run_command(["plan", *map(str, arguments), "--json"]) == 0
        document: dict[str, Any] = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
        return document

    return run


def three(folder: Path) -> dict[str, list[float]]:
    values = {"x": [0.9, 0.5, 0.7, 0.3], "y": [0.8, 0.5, 0.72, 0.2], "z": [0.1, 0.4, 0.9, 0.6]}
    rows = [f"q{i}," + ",".join(str(v[i]) for v in values.values()) for i in range(4)]
    (folder / "v.csv").write_text("\n".join(["query_id," + ",".join(values), *rows]))
    return values


# Detectable effects at sd .25, alpha .05, power .8.
@pytest.mark.parametrize(("queries", "difference"), [(10, 0.2490), (50, 0.1010), (1000, 0.0222)])
def test_the_curve_has_the_worked_values(queries: int, difference: float, plan: Plans) -> None:
    curve = {p["queries"]: p["detectable_difference"] for p in plan("--effect", 0.02)["curve"]}
    assert curve[queries] == pytest.approx(difference, abs=5e-5)


@pytest.mark.parametrize(
    ("effect", "sd", "power", "alpha"),
    [
        (0.02, 0.25, 0.8, 0.05),
        (0.05, 0.1, 0.9, 0.01),
        (0.1, 0.25, 0.8, 0.05),
        (0.3, 0.2, 0.95, 0.1),
    ],
)
def test_queries_needed_as_statsmodels_says(
    effect: float, sd: float, power: float, alpha: float, plan: Plans
) -> None:
    document = plan("--effect", effect, "--sd", sd, "--power", power, "--alpha", alpha)
    exact = TTestPower().solve_power(effect / sd, alpha=alpha, power=power)
    assert document["queries_needed"] == int(-(-exact // 1))
    assert (document["sd"], document["sd_source"]) == (sd, "as given")
    assert document["other_spreads"] == []


def test_several_tests_share_alpha(plan: Plans) -> None:
    shared = plan("--effect", 0.05, "--sd", 0.25, "--tests", 10)
    strict = plan("--effect", 0.05, "--sd", 0.25, "--alpha", 0.005)
    assert shared["level"] == pytest.approx(0.005)
    assert shared["queries_needed"] == strict["queries_needed"]


def test_the_table_holds_the_answer(plan: Plans) -> None:
    document = plan("--effect", 0.02, "--power", 0.85)
    rows = {(r["effect"], r["power"]): r["queries_needed"] for r in document["table"]}
    assert rows[0.02, 0.85] == document["queries_needed"]
    assert {power for _, power in rows} == {0.8, 0.85, 0.9}
    assert sorted({effect for effect, _ in rows}) == [0.01, 0.015, 0.02, 0.03, 0.04]


def test_without_a_spread_three_are_assumed(plan: Plans, capsys: Captured) -> None:
    document = plan("--effect", 0.02)
    assert document["sd"] == ASSUMED[0] == 0.25
    assert {row["sd"] for row in document["other_spreads"]} == {0.15, 0.35}
    assert run_command(["plan", "--effect", "0.02"]) == 0
    assert "0.2500 (assumed; usual for nDCG@10)" in capsys.readouterr().out


def test_the_spread_of_two_strategies(tmp_path: Path, plan: Plans) -> None:
    (tmp_path / "v.csv").write_text("query_id,a,b\nq1,0,.5\nq2,.5,.25\nq3,1,\nq4,.25,1\n")
    document = plan("--effect", 0.1, "--from", tmp_path / "v.csv")
    assert document["sd"] == pytest.approx(stdev([0.5, -0.25, 0.75]))
    assert document["sd_source"] == "value, b against a"
    assert document["other_spreads"] == []


def test_the_spreads_of_three_strategies(tmp_path: Path, plan: Plans, capsys: Captured) -> None:
    values = three(tmp_path)
    spreads = [
        stdev(q - p for p, q in zip(values[a], values[b], strict=True))
        for a, b in ("xy", "xz", "yz")
    ]
    document = plan("--effect", 0.1, "--from", tmp_path / "v.csv")
    assert document["sd"] == pytest.approx(median(spreads))
    (other,) = {row["sd"] for row in document["other_spreads"]}
    assert other == pytest.approx(max(spreads))
    run_command(["plan", "--effect", "0.1", "--from", str(tmp_path / "v.csv")])
    out = capsys.readouterr().out
    assert "median of 3 pairs" in out
    assert "largest: z against x" in out


def test_the_headline_of_a_report(small_evaluation: Path, tmp_path: Path, plan: Plans) -> None:
    reports = tmp_path / "reports"
    run_command(
        ["run", str(small_evaluation), "--no-prefect", "--formats", "html", "--out", str(reports)]
    )
    latest = reports / "small" / "latest"
    (dataset,) = json.loads((latest / "results.json").read_text())["datasets"]
    planned = {c["measure"]: c for c in dataset["planned"]}
    document = plan("--effect", 0.1, "--from", latest)
    assert document == plan("--effect", 0.1, "--from", latest / "results.json")
    # The primary measure is nDCG@10 or else the first.
    assert document["sd_source"] == "recall@3, dense against bm25"
    assert document["sd"] == pytest.approx(planned["recall@3"]["sd_difference"])
    other = plan("--effect", 0.1, "--from", latest, "--measure", "MRR")
    assert other["sd"] == pytest.approx(planned["mrr"]["sd_difference"])


def test_a_table_of_several_measures_is_planned_by_ndcg(tmp_path: Path, plan: Plans) -> None:
    (tmp_path / "v.csv").write_text(
        "query,strategy,mrr,nDCG@10\nq1,a,1,.5\nq1,b,1,.25\nq2,a,.5,.5\nq2,b,0,.75\n"
    )
    document = plan("--effect", 0.1, "--from", tmp_path / "v.csv")
    assert document["sd_source"] == "nDCG@10, b against a"
    assert document["sd"] == pytest.approx(stdev([-0.25, 0.25]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--effect", "0"], "--effect: 0 does not do (a number above 0)"),
        (["--effect", "-0.1"], "--effect"),
        (["--effect", "nan"], "--effect"),
        (["--effect", "0.1", "--power", "1"], "--power"),
        (["--effect", "0.1", "--power", "80"], "--power"),
        (["--effect", "0.1", "--alpha", "0"], "--alpha"),
        (["--effect", "0.1", "--tests", "0"], "--tests"),
        (["--effect", "0.1", "--sd", "0"], "--sd"),
        (["--effect", "0.1", "--sd", "inf"], "--sd"),
        (["--effect", "0.1", "--sd", "0.1", "--from", "v.csv"], "both --sd and --from"),
        (["--effect", "0.1", "--measure", "map"], "--measure is given without --from"),
        (["--effect", "0.1", "--from", "absent"], "absent: there is no such file"),
        (["--effect", "0.1", "--from", "same.csv"], "same.csv: the differences in value"),
        (["--effect", "0.1", "--from", "."], "no results.json"),
    ],
)
def test_bad_input_is_one_message(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "same.csv").write_text("query_id,a,b\nq1,1,1\nq2,0,0\n")
    assert run_command(["plan", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        Request(effect=0, power=2, alpha=1, tests=0)
    assert caught.value.total == 4


def test_the_answer_comes_first_and_is_marked(capsys: Captured) -> None:
    assert run_command(["plan", "--effect", "0.02", "--sd", "0.25"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "A true difference of 0.02 needs 1,229 queries to be found 80% of the time."
    marked = [line.split() for line in lines if line.startswith(">")]
    assert marked[0] == [">", "0.0200", "1,229", "1,644"]
    assert marked[1][:3] == [">", "1,229", "0.0200"]


def test_the_curve_falls_and_its_bars_with_it() -> None:
    made = make_plan(Request(0.02, 0.8, 0.05, 1), (Spread(0.25, "given"),))
    heights = [point.detectable_difference for point in made.curve]
    bars = [line.rpartition("  ")[2] for line in curve_lines(made, 40)]
    assert heights == sorted(heights, reverse=True)
    assert len(bars[0]) == 40
    assert all(len(a) >= len(b) for a, b in pairwise(bars))


@pytest.mark.parametrize("effect", ["1e-9", "0.0001", "0.9", "50"])
def test_extreme_effects(effect: str, plan: Plans, capsys: Captured) -> None:
    document = plan("--effect", effect)
    assert (document["queries_needed"] is None) == (effect == "1e-9")
    assert run_command(["plan", "--effect", effect]) == 0
    assert "nan" not in capsys.readouterr().out


@given(
    st.floats(0.005, 1),
    st.floats(0.01, 1),
    st.sampled_from([0.5, 0.8, 0.9, 0.99]),
    st.integers(1, 50),
)
def test_the_number_is_the_smallest_that_does(
    effect: float, sd: float, power: float, tests: int
) -> None:
    needed = make_plan(Request(effect, power, 0.05, tests), (Spread(sd, ""),)).answer
    assert needed is not None
    level = 0.05 / tests
    assert power_of(effect / sd, needed, level) >= power
    assert needed == 2 or power_of(effect / sd, needed - 1, level) < power
