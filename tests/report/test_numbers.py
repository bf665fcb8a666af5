"""Numbers as readers see them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval.report import numbers

NAN = math.nan


@pytest.mark.parametrize(
    ("write", "arguments", "shown"),
    [
        (numbers.value, (0.6254,), "0.625"),
        (numbers.value, (0.0,), "0.000"),
        (numbers.value, (0.0004,), "<0.001"),
        (numbers.value, (-0.0004,), ">−0.001"),
        (numbers.value, (0.0005,), "0.001"),
        (numbers.value, (1e-17,), "0.000"),
        (numbers.value, (1.0,), "1.000"),
        (numbers.value, (NAN,), "n/a"),
        (numbers.value, (math.inf,), "n/a"),
        (numbers.difference, (0.059,), "+0.059"),
        (numbers.difference, (-0.0901,), "−0.090"),
        (numbers.difference, (0.0,), "0.000"),
        (numbers.difference, (-0.0,), "0.000"),
        (numbers.difference, (0.0001,), "<+0.001"),
        (numbers.difference, (-0.0001,), ">−0.001"),
        (numbers.interval, (0.02, 0.097), "[+0.020, +0.097]"),
        (numbers.interval, (-0.25, math.inf), "[−0.250, unbounded]"),
        (numbers.interval, (NAN, 1.0), "no interval"),
        (numbers.mean_interval, (0.583, 0.667), "[0.583, 0.667]"),
        (numbers.mean_interval, (NAN, NAN), "no interval"),
        (numbers.estimate, (0.059, 0.02, 0.097), "+0.059 [+0.020, +0.097]"),
        (numbers.p_value, (0.0064,), "0.006"),
        (numbers.p_value, (0.00099,), "<0.001"),
        (numbers.p_value, (0.0,), "<0.001"),
        (numbers.p_value, (0.9995,), ">0.999"),
        (numbers.p_value, (1.0,), "1.000"),
        (numbers.p_value, (NAN,), "n/a"),
        (numbers.p_value, (0.0499, 0.05), "0.0499"),
        (numbers.p_value, (0.05001, 0.05), "0.05001"),
        (numbers.p_value, (0.05, 0.05), "0.050"),
        (numbers.p_phrase, (0.0001,), "p < 0.001"),
        (numbers.p_phrase, (0.9999,), "p > 0.999"),
        (numbers.p_phrase, (0.0064,), "p = 0.006"),
        (numbers.effect, (-1.2353796140,), "−1.24"),
        (numbers.effect, (0.004,), "<+0.01"),
        (numbers.statistic, (-3.4941812096, 7.0), "−3.49 (7)"),
        (numbers.statistic, (2.5, NAN), "+2.50"),
        (numbers.degrees, (199.0,), "199"),
        (numbers.degrees, (12.345,), "12.3"),
        (numbers.count, (1_234_567,), "1,234,567"),
        (numbers.queries, (1,), "1 query"),
        (numbers.queries, (1200,), "1,200 queries"),
        (numbers.share, (0.105,), "10.5%"),
        (numbers.share, (0.0001,), "<0.1%"),
        (numbers.share, (0.9999,), ">99.9%"),
        (numbers.share, (0.0,), "0.0%"),
        (numbers.share, (1.0,), "100.0%"),
        (numbers.share, (NAN,), "n/a"),
        (numbers.level, (0.05,), "0.05"),
        (numbers.confidence, (0.05,), "95%"),
        (numbers.confidence, (0.001,), "99.9%"),
    ],
)
def test_known_numbers(write, arguments, shown):
    assert write(*arguments) == shown


@pytest.mark.parametrize(
    ("number", "step", "signed", "shown"),
    [
        (0.1, 0.05, True, "+0.10"),
        (0.25, 0.25, False, "0.25"),
        (0.025, 0.025, False, "0.025"),
        (-0.4, 0.2, True, "−0.4"),
        (0.0, 0.2, True, "0"),
        (20.0, 10.0, False, "20"),
    ],
)
def test_axis_labels_have_the_decimals_of_their_step(number, step, signed, shown):
    assert numbers.tick(number, step, signed=signed) == shown


@given(st.floats(-1, 1))
def test_no_number_shows_as_zero_unless_it_is(number):
    for shown in (numbers.value(number), numbers.difference(number)):
        assert (shown in ("0.000", "−0.000")) == (abs(number) < numbers.NOISE)
        assert "-" not in shown


@given(st.floats(0, 1), st.sampled_from([0.01, 0.05, 0.1]))
def test_a_p_value_shows_on_the_side_of_alpha_where_it_is(p, alpha):
    shown = numbers.p_value(p, alpha)
    if shown[0] not in "<>" and abs(p - alpha) > 1e-6:
        assert (float(shown) < alpha) == (p < alpha)


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_nothing_shows_as_nan(number):
    writers = (numbers.value, numbers.difference, numbers.effect, numbers.p_value)
    for write in writers[:3]:
        assert "nan" not in write(number)
    assert "inf" not in numbers.interval(number, number)
