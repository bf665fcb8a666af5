"""Promises that every test in the table keeps."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from rageval.errors import ConfigError
from rageval.stats.paired_tests import TESTS, find_test
from rageval.stats.paired_values import Outcome, PairedValues, TestSettings

PAIRS = np.array([[0, 1], [0, 2], [1, 2]])
SETTINGS = TestSettings(seed=7, draws=1_000)
every_test = pytest.mark.parametrize("key", TESTS)
grades = st.integers(0, 20).map(lambda i: i / 20)
anything = st.floats(0, 1, allow_nan=False)


def cubes(
    elements: st.SearchStrategy[float], most: int = 30
) -> st.SearchStrategy[np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    shapes = st.tuples(st.just(3), st.integers(2, most))
    return st_numpy.arrays(np.float64, shapes, elements=elements)


def run(key: str, sample: PairedValues, chosen: TestSettings = SETTINGS) -> Outcome:
    return TESTS[key].function(sample.select(sample.testable), chosen)


def random_values(queries: int, strategies: int = 3, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).beta(1, 2, (strategies, queries)).round(3)


@every_test
def test_record_is_complete_and_stands_under_its_key(key: str) -> None:
    test = TESTS[key]
    assert test.key == key
    assert all((test.label, test.summary.endswith("."), test.interval, test.source))


@every_test
@settings(max_examples=25, deadline=None)
@given(values=st.one_of(cubes(grades), cubes(anything)))
def test_swapping_the_sides_mirrors_the_result(
    key: str, values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> None:
    there = run(key, PairedValues(values, PAIRS))
    back = run(key, PairedValues(values, PAIRS[:, ::-1]))
    assert back.p_value.tolist() == there.p_value.tolist()
    assert back.direction.tolist() == (-there.direction).tolist()
    assert back.low == pytest.approx(-there.high, abs=1e-14)
    assert back.high == pytest.approx(-there.low, abs=1e-14)
    if key != "wilcoxon":  # V and its mirror add up to n (n + 1) / 2
        assert back.statistic.tolist() == (-there.statistic).tolist()


@every_test
@settings(max_examples=25, deadline=None)
@given(values=st.one_of(cubes(grades), cubes(anything)))
def test_p_is_a_probability_and_the_interval_holds_the_mean(
    key: str, values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> None:
    sample = PairedValues(values, PAIRS)
    outcome = run(key, sample)
    assert ((outcome.p_value > 0) & (outcome.p_value <= 1)).all()
    assert (outcome.low <= outcome.high).all()
    if TESTS[key].interval == "Student's t":
        mean = sample.moments.mean[sample.testable]
        assert ((outcome.low <= mean) & (mean <= outcome.high)).all()


@every_test
def test_nothing_to_test_gives_empty_arrays(key: str) -> None:
    outcome = run(key, PairedValues(np.ones((3, 5)), PAIRS))
    assert (len(outcome.p_value), len(outcome.low), outcome.notes) == (0, 0, ())


@every_test
@pytest.mark.parametrize("queries", [12, 60, 200])
def test_same_seed_same_numbers(key: str, queries: int) -> None:
    sample = PairedValues(random_values(queries), PAIRS)
    first, second = run(key, sample), run(key, sample)
    assert first.p_value.tolist() == second.p_value.tolist()
    assert (first.low.tolist(), first.high.tolist()) == (second.low.tolist(), second.high.tolist())


@every_test
def test_another_seed_matters_only_where_the_record_says_so(key: str) -> None:
    sample = PairedValues(random_values(60), PAIRS)
    p_values = {tuple(run(key, sample, TestSettings(seed=s)).p_value.tolist()) for s in range(3)}
    assert (len(p_values) > 1) == TESTS[key].random


@every_test
def test_any_integer_is_a_seed(key: str) -> None:
    sample = PairedValues(random_values(60), PAIRS)
    for seed in (-1, 0, 2**80):
        assert np.isfinite(run(key, sample, TestSettings(seed=seed, draws=1_000)).p_value).all()


@every_test
def test_a_pair_alone_gets_what_it_gets_among_others(key: str) -> None:
    values = random_values(130, strategies=4)
    pairs = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])
    together, alone = (run(key, PairedValues(values, some)) for some in (pairs, pairs[2:3]))
    assert alone.p_value[0] == pytest.approx(together.p_value[2], abs=1e-12)
    assert alone.low[0] == pytest.approx(together.low[2], abs=1e-12)


@every_test
@pytest.mark.parametrize("queries", [15, 60])
def test_order_of_queries_hardly_matters(key: str, queries: int) -> None:
    values, chosen = random_values(queries), TestSettings(seed=7)
    there = run(key, PairedValues(values, PAIRS), chosen)
    back = run(key, PairedValues(values[:, ::-1].copy(), PAIRS), chosen)
    drawn = TESTS[key].random and not there.notes[0].startswith("exact")
    assert back.p_value == pytest.approx(there.p_value, abs=0.05 if drawn else 1e-12)


@every_test
def test_a_large_shift_is_found_and_none_is_not(key: str) -> None:
    values = random_values(60)
    values[1] += 0.8
    p_values = run(key, PairedValues(values, PAIRS)).p_value
    assert p_values[0] < 0.01
    assert p_values[1] > 0.05


@every_test
@pytest.mark.parametrize("scale", [2.0**-1000, 2.0**-30, 2.0**30])
def test_scale_of_the_values_does_not_matter(key: str, scale: float) -> None:
    values = random_values(40)
    sample, scaled = PairedValues(values, PAIRS), PairedValues(values * scale, PAIRS)
    if scaled.testable.all():
        assert run(key, scaled).p_value == pytest.approx(run(key, sample).p_value, rel=1e-6)
    else:
        assert scale == 2.0**-1000  # squares of such values are no longer numbers


@every_test
def test_two_queries_are_enough(key: str) -> None:
    outcome = run(key, PairedValues(np.array([[0.1, 0.2], [0.4, 0.3], [0.9, 0.5]]), PAIRS))
    assert np.isfinite(outcome.p_value).all()


def test_unknown_test_is_named_with_the_closest() -> None:
    with pytest.raises(ConfigError, match=r"unknown test 'paired_t' \(did you mean 'paired-t'\?\)"):
        find_test("paired_t")


def test_importing_the_table_loads_no_heavy_library() -> None:
    code = (
        "import sys; import rageval.stats.paired_tests, rageval.comparison.slices; "
        "sys.exit(any(name in sys.modules for name in ('scipy', 'statsmodels', 'pandas')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
