"""Every pair of real retrieval runs against R 4.2 and a long permutation run of scipy.

The reference tables hold A - B with wins = A higher; here a is A and difference = b - a.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rageval.stats.corrections import CORRECTIONS, adjusted
from rageval.stats.paired_values import PairedValues, TestSettings
from rageval.stats.sign_flip import sign_flip
from rageval.stats.student import paired_t
from rageval.stats.tukey import two_way_tukey
from rageval.stats.wilcoxon import wilcoxon

FILES = {
    "adhoc8_ap_run125_run126": "adhoc8_ap_readme125_126",
    "robust03_ndcg10": "robust03_ndcg10",
}
Find = Callable[[str], Path]


class Reference:
    """Values of all strategies, and R's row for every pair."""

    def __init__(self, find: Find, name: str) -> None:
        rows = _read(find(f"stats/{name}.csv"))
        self.strategies = [column for column in rows[0] if column != "topic"]
        self.find, self.name = find, FILES[name]
        self.rows = self.table("pairs.R")
        values = np.array([[float(row[s]) for s in self.strategies] for row in rows]).T
        self.sample = PairedValues(values, self._places())

    def table(self, kind: str) -> list[dict[str, str]]:
        return _read(self.find(f"stats/expected/{self.name}.{kind}.csv"))

    def column(self, name: str) -> np.ndarray:
        return np.array([float(row[name]) for row in self.rows])

    def _places(self) -> np.ndarray:
        place = self.strategies.index
        return np.array([[place(row["sysA"]), place(row["sysB"])] for row in self.rows])


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module", params=FILES)
def reference(request: pytest.FixtureRequest, shared_data: Find) -> Reference:
    return Reference(shared_data, request.param)


def near(expected: np.ndarray) -> object:
    return pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_there_are_all_pairs(reference: Reference) -> None:
    k = len(reference.strategies)
    assert len(reference.rows) == k * (k - 1) // 2


def test_paired_t(reference: Reference) -> None:
    outcome = paired_t(reference.sample, TestSettings())
    assert reference.sample.moments.mean == near(-reference.column("meandiff"))
    assert reference.sample.moments.sd == near(reference.column("sd_diff"))
    assert outcome.statistic == near(-reference.column("t"))
    assert outcome.df == near(reference.column("df"))
    assert outcome.p_value == pytest.approx(reference.column("t_p"), rel=1e-9)
    assert outcome.low == near(-reference.column("ci_hi"))
    assert outcome.high == near(-reference.column("ci_lo"))


def test_wins_and_losses(reference: Reference) -> None:
    assert reference.sample.moments.wins.tolist() == reference.column("losses").tolist()
    assert reference.sample.moments.losses.tolist() == reference.column("wins").tolist()


def test_wilcoxon(reference: Reference) -> None:
    outcome = wilcoxon(reference.sample, TestSettings())
    nonzero = np.count_nonzero(reference.sample.differences, axis=1)
    assert outcome.statistic == near(nonzero * (nonzero + 1) / 2 - reference.column("W_V"))
    assert outcome.p_value == pytest.approx(reference.column("wilcox_p_default"), rel=1e-9)


@pytest.mark.parametrize(
    ("key", "column"), [("holm", "holm"), ("bonferroni", "bonferroni"), ("bh", "BH"), ("by", "BY")]
)
@pytest.mark.parametrize("test", ["t", "wilcox"])
def test_corrections(reference: Reference, test: str, key: str, column: str) -> None:
    function = {"t": paired_t, "wilcox": wilcoxon}[test]
    p_values = function(reference.sample, TestSettings()).p_value
    expected = reference.column(f"{test}_p_{column}")
    assert adjusted(p_values, CORRECTIONS[key]) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("seed", [0, 20261130, 99])
def test_sign_flip_within_five_monte_carlo_errors(reference: Reference, seed: int) -> None:
    rows = reference.table("perm_scipy")
    expected = np.array([float(row["perm_signflip_p"]) for row in rows])
    theirs = np.array([float(row["perm_mc_se"]) for row in rows])
    p_value = sign_flip(reference.sample, TestSettings(seed=seed, draws=200_000)).p_value
    ours = np.sqrt(p_value * (1 - p_value) / 200_000)
    assert (np.abs(p_value - expected) <= 5 * np.hypot(ours, theirs)).all()


def test_two_way_tukey(reference: Reference) -> None:
    result = two_way_tukey(reference.sample)
    computed = zip(*result, strict=True)
    pairs = reference.sample.pairs.tolist()
    ours = {
        (reference.strategies[a], reference.strategies[b]): row
        for (a, b), row in zip(pairs, computed, strict=True)
    }
    for row in reference.table("tukey_twoway_topicblock.R"):
        second, first = row["pair"].split("-")
        expected = tuple(float(row[column]) for column in ("diff", "lwr", "upr", "p adj"))
        assert _oriented(ours, first, second) == pytest.approx(expected, abs=1e-6)


def _oriented(found: dict[tuple[str, str], tuple[float, ...]], a: str, b: str) -> tuple[float, ...]:
    if (a, b) in found:
        return found[a, b]
    difference, low, high, p_value = found[b, a]
    return -difference, -high, -low, p_value


def test_published_values_of_run125_against_run126(shared_data: Find) -> None:
    # Urbano, Lima and Hanjalic (SIGIR 2019), README of the companion code.
    sample = Reference(shared_data, "adhoc8_ap_run125_run126").sample
    settings = TestSettings(seed=1, draws=200_000)
    assert paired_t(sample, settings).p_value[0] == pytest.approx(0.0013194, abs=5e-8)
    assert wilcoxon(sample, settings).p_value[0] == pytest.approx(0.0034452, abs=5e-8)
    assert sign_flip(sample, settings).p_value[0] == pytest.approx(0.001188, abs=5e-4)
