"""Pairs, findings and letters."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval.comparison.findings import finding_of, finding_without_test
from rageval.comparison.letters import compact_letters
from rageval.comparison.pairs import default_contrasts, order_pairs
from rageval.data.result import Role, Strategy


def strategies(*roles: Role) -> list[Strategy]:
    return [Strategy(name, role=role) for name, role in zip("abcdef", roles, strict=False)]


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        (("", "", ""), ["ab", "ac", "bc"]),
        (("", "", "baseline"), ["ca", "cb", "ab"]),
        (("candidate", "", "production"), ["cb", "ca", "ba"]),
        (("candidate", "baseline", "", "production"), ["bd", "bc", "ba", "dc", "da", "ca"]),
        (("",), []),
    ],
)
def test_pairs_put_references_first_and_candidates_last(
    roles: tuple[Role, ...], expected: list[str]
) -> None:
    assert order_pairs(strategies(*roles)) == [tuple(pair) for pair in expected]


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        (("", ""), ["ab"]),
        (("candidate", ""), ["ba"]),
        (("", "baseline"), ["ba"]),
        (("", "", ""), []),
        (("production", "", ""), []),
        (("baseline", "production", "candidate"), ["bc", "ac"]),
        (("candidate", "production", "candidate"), ["ba", "bc"]),
        (("",), []),
    ],
)
def test_default_contrasts(roles: tuple[Role, ...], expected: list[str]) -> None:
    assert default_contrasts(strategies(*roles)) == tuple(tuple(pair) for pair in expected)


@pytest.mark.parametrize(
    ("p_adjusted", "difference", "within", "contradicted", "expected"),
    [
        (0.049, 0.1, None, False, "better"),
        (0.049, -0.1, None, False, "worse"),
        (0.05, 0.1, None, False, "inconclusive"),
        (0.001, 0.1, True, False, "better"),
        (0.2, 0.1, True, False, "equivalent"),
        (0.2, 0.1, False, False, "inconclusive"),
        (0.001, 0.1, None, True, "inconclusive"),
        (0.001, 0.0, None, False, "inconclusive"),
    ],
)
def test_finding_of(
    p_adjusted: float, difference: float, within: bool | None, contradicted: bool, expected: str
) -> None:
    found = finding_of(
        p_adjusted, difference, alpha=0.05, within_margin=within, contradicted=contradicted
    )
    assert found == expected


@pytest.mark.parametrize(
    ("n", "identical", "expected"),
    [
        (0, False, ("not testable", "needs at least two queries")),
        (1, True, ("not testable", "needs at least two queries")),
        (2, True, ("identical", "identical")),
        (2, False, ("not testable", "differences do not vary")),
    ],
)
def test_finding_without_test(n: int, identical: bool, expected: tuple[str, str]) -> None:
    assert finding_without_test(n, identical) == expected


@pytest.mark.parametrize(
    ("count", "alike", "expected"),
    [
        (0, [], []),
        (1, [], ["a"]),
        (3, [], ["a", "b", "c"]),
        (3, ["01", "02", "12"], ["a", "a", "a"]),
        (3, ["01", "12"], ["a", "ab", "b"]),
        (4, ["01", "12", "23"], ["a", "ab", "bc", "c"]),
        (4, ["02", "13"], ["a", "b", "a", "b"]),
    ],
)
def test_letters(count: int, alike: list[str], expected: list[str]) -> None:
    same = {(int(pair[0]), int(pair[1])) for pair in alike}
    assert compact_letters(["s"] * count, lambda i, j: (i, j) in same) == expected


@given(st.integers(0, 9).flatmap(lambda k: st.tuples(st.just(k), st.sets(_edges(k)))))
def test_two_strategies_share_a_letter_exactly_where_not_different(
    graph: tuple[int, set[tuple[int, int]]],
) -> None:
    count, same = graph
    letters = compact_letters(["s"] * count, lambda i, j: (i, j) in same)
    assert all(letters)
    for i, j in combinations(range(count), 2):
        assert bool(set(letters[i]) & set(letters[j])) == ((i, j) in same)


def _edges(count: int) -> st.SearchStrategy[tuple[int, int]]:
    pairs = list(combinations(range(count), 2))
    return st.sampled_from(pairs) if pairs else st.nothing()


def test_more_groups_than_letters_are_numbered() -> None:
    letters = compact_letters(["s"] * 60, lambda _i, _j: False)
    assert (letters[0], letters[59]) == ("1", "60")


def test_thirty_strategies_in_overlapping_groups() -> None:
    letters = compact_letters(["s"] * 30, lambda i, j: j - i < 5)
    assert len(set("".join(letters))) == 26
    assert (letters[0], letters[4], letters[29]) == ("a", "abcde", "z")
