"""Scales and drawings: places and words."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval.report import charts
from rageval.report.histogram import change_chart
from rageval.report.ladder import ladder
from rageval.report.lines import line_chart
from tests.report import synthetic

UNIT = st.floats(-1, 1, allow_nan=False)


@pytest.mark.parametrize(
    ("span", "step"),
    [(0.03, 0.05), (1, 1), (1.1, 2), (0.2, 0.2), (0.24, 0.25), (0.3, 0.5), (7, 10), (1e-5, 1e-5)],
)
def test_steps_are_round(span, step):
    assert charts.nice(span) == pytest.approx(step)


@given(st.lists(UNIT, min_size=1))
def test_a_scale_holds_all_its_numbers_in_order(numbers):
    scale = charts.scale_over(numbers, signed=True)
    places = [scale.place(n) for n in sorted(numbers)]
    assert places == sorted(places)
    assert all(charts.EDGE - 1e-6 <= p <= 100 - charts.EDGE + 1e-6 for p in places)
    assert any(abs(t) < 1e-9 for t in scale.numbers())
    assert 2 <= len(scale.ticks()) <= 5


@given(st.lists(st.floats(0, 1), min_size=1))
def test_a_scale_of_means_has_two_to_five_labels(numbers):
    scale = charts.scale_over(numbers, signed=False)
    assert scale.low <= min(numbers) + 1e-9
    assert scale.high >= max(numbers) - 1e-9
    assert 2 <= len(scale.ticks()) <= 5


@pytest.mark.parametrize("numbers", [[], [0.0], [math.nan], [math.inf, 0.2], [1.0, 1.0], [5.0]])
def test_a_scale_survives_numbers_that_do_not_exist(numbers):
    for signed in (True, False):
        scale = charts.scale_over(numbers, signed=signed)
        assert scale.high > scale.low
        assert len(scale.ticks()) >= 2
    assert "nan" not in scale.css


def test_a_bar_beyond_the_scale_reaches_the_edge():
    scale = charts.scale_over([0.1, 40.0], signed=True)
    assert charts.bar(scale, -50.0, 0.1) == charts.Bar("0", scale.percent(0.1))
    assert charts.bar(scale, math.nan, math.nan) is None


def test_the_background_is_one_gradient_that_covers_the_cell():
    css = charts.scale_over([-0.1, 0.3], signed=True, zone=0.02).css
    assert css.startswith(".sc-")
    assert css.count("linear-gradient") == 1
    assert "var(--zone)" in css
    assert "var(--paper) 0%" in css
    assert css.rstrip().endswith("100%)}")


@given(st.lists(UNIT, min_size=1, max_size=4), st.sampled_from([0.0, 0.02]))
def test_every_line_of_the_background_is_wider_than_a_pixel(numbers, zone):
    """A band of half a percent falls between the pixels of a narrow cell and is not drawn."""
    for scale in (
        charts.scale_over(numbers, signed=True, zone=zone),
        charts.scale_over([abs(n) for n in numbers], signed=False),
    ):
        at = scale.percent(0.0 if scale.signed else scale.numbers()[0])
        line = "--rule2" if scale.signed else "--rule"
        half = charts.HALF_LINE
        assert half > 0.5
        stops = f"var({line}) calc({at}% - {half}px),var({line}) calc({at}% + {half}px)"
        assert stops in scale.css


def test_equal_scales_share_one_class():
    assert (
        charts.scale_over([0.1, 0.2], signed=True).css_class
        == charts.scale_over([0.2, 0.1], signed=True).css_class
    )


@given(st.lists(st.floats(0, 200), min_size=1, max_size=8))
def test_spread_labels_keep_their_order_and_distance(places):
    moved = charts.spread(places, 17, 0, 200)
    order = sorted(range(len(places)), key=lambda i: (places[i], i))
    gaps = [moved[b] - moved[a] for a, b in pairwise(order)]
    assert all(gap >= 17 - 1e-9 for gap in gaps)
    assert max(moved) <= 200


def test_shares_lie_side_by_side():
    glyph = charts.stacked("t", [(0.3, charts.BETTER), (0.0, charts.FLAT), (0.7, charts.WORSE)])
    assert [(p.start, p.width) for p in glyph.parts] == [("0", "30"), ("30", "70")]
    assert charts.stacked("t", [(math.nan, charts.FLAT)]).parts == ()


def test_a_strip_draws_one_path_per_kind():
    glyph = charts.strip("t", charts.FLAT, ["relevant", "unjudged", "not relevant", "relevant"])
    assert glyph.relevant.count("M") == 2
    assert glyph.not_relevant.count("M") == 1
    assert glyph.unjudged == "M21.5 8h0"


def _change(differences):
    d = np.array(differences, float)
    c = synthetic.compare("m", "a", "b", np.zeros(len(d)), d)
    return change_chart(d, c, "nDCG")


def test_columns_count_every_query_once_and_ties_apart():
    chart = _change([-0.5, 0.0, 0.0, 0.5, 0.25, 0.25, 1.0, -1.0, 1e-12, 0.1])
    assert chart is not None
    grey = [c for c in chart.columns if c.ink is charts.FLAT]
    assert len(grey) == 1
    words = [label.text for label in chart.labels]
    assert words[:2] == ["2 queries lower", "5 queries higher"]
    assert "3 the same" in words


def test_few_queries_are_dots_and_one_is_nothing():
    chart = _change([0.1, 0.1, -0.2, 0.0])
    assert chart is not None
    assert chart.columns == ()
    assert sum(path.count("M") for path, _ in chart.dots) == 4
    assert _change([0.1]) is None


def _boxes(drawn):
    for rung in drawn.rungs:
        width = 7.4 * len(rung.label.text)
        x, y = float(rung.label.x), float(rung.label.y)
        yield (x - width if rung.label.anchor == "end" else x, y, width)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=8))
def test_ladder_labels_never_meet_and_stay_inside(means):
    named = [(f"Strategy number {i}", m) for i, m in enumerate(sorted(means))]
    series = {name: 0 for name, _ in named}
    boxes = list(_boxes(ladder(named, (), series, "nDCG")))
    assert all(x >= -1 and x + width <= 761 for x, _, width in boxes)
    for i, (x, y, width) in enumerate(boxes):
        for other_x, other_y, other_width in boxes[:i]:
            apart = x >= other_x + other_width or other_x >= x + width
            assert abs(y - other_y) >= 14 or apart


def test_no_line_of_the_ladder_runs_through_a_label():
    means = [
        ("bm25_title", 0.459),
        ("bm25_doc_nostem", 0.657),
        ("bm25_chunk64ov32", 0.658),
        ("bm25_chunk64", 0.6581),
        ("bm25_chunk128", 0.6755),
        ("bm25_doc_stem", 0.676),
    ]
    drawn = ladder(means, (), dict.fromkeys(dict(means), 0), "nDCG")
    lines = [(float(r.x), float(r.label.y)) for r in drawn.rungs]
    for x, y, width in _boxes(drawn):
        assert not [1 for at, depth in lines if x < at < x + width and depth > y]


def test_names_outside_our_fonts_become_numbers_with_a_key():
    drawn = ladder([("ق", 0.2), ("Dense", 0.4)], (("ق", "Dense"),), {"ق": 0, "Dense": 1}, "nDCG")
    assert [rung.label.text for rung in drawn.rungs] == ["1 0.200", "2 0.400"]
    assert [key.name for key in drawn.keys] == ["ق", "Dense"]


def test_lines_label_each_strategy_at_its_end():
    chart = line_chart([1, 5, 10], [("a", [0.1, 0.2, 0.5]), ("b", [0, 0.2, 0.51])],
                       {"a": 0, "b": 3}, "Recall")  # fmt: skip
    a, b = chart.lines
    assert [a.label.text, b.label.text] == ["a", "b"]
    assert float(a.label.y) - float(b.label.y) >= 17
    assert a.path.count("L") == 2
    assert chart.keys == ()


def test_all_scales_of_a_view_are_found():
    one, two = charts.scale_over([0.1], signed=True), charts.scale_over([0.2], signed=False)
    assert list(charts.scales_in((one, (two, "x", None)))) == [one, two]
