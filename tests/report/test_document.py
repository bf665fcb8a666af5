"""The view of a whole report, state by state."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path

import pytest

from rageval.report.assets import templates_folder
from rageval.report.document import build_document
from rageval.report.sections import SECTIONS
from tests.report import synthetic

GOLDEN = Path(__file__).parent / "golden" / "document.json"


def sections(case: str, target: str = "html") -> dict[str, object]:
    document = build_document(synthetic.case(case), target)  # type: ignore[arg-type]
    return {s.anchor: s.view for part in document.parts for s in part.sections}


def test_the_small_report_is_as_it_was():
    """Compare the whole view; write it anew with RAGEVAL_GOLDEN=write after a meant change."""
    view = dataclasses.asdict(build_document(synthetic.case("small")))
    text = json.dumps(view, ensure_ascii=False, indent=1) + "\n"
    if os.environ.get("RAGEVAL_GOLDEN") == "write":
        GOLDEN.write_text(text, encoding="utf-8")
    assert json.loads(text) == json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("section", SECTIONS, ids=lambda s: s.key)
def test_every_section_has_a_template_and_a_docstring(section):
    assert (templates_folder() / section.template).is_file()
    assert section.view.__doc__
    assert section.title


def test_sections_have_distinct_keys():
    assert len({s.key for s in SECTIONS}) == len(SECTIONS)


@pytest.mark.parametrize("case", synthetic.CASES)
@pytest.mark.parametrize("target", ["html", "pdf"])
def test_every_view_is_frozen_all_the_way_down(case, target):
    def check(view: object) -> None:
        if isinstance(view, tuple):
            for item in view:
                check(item)
        elif dataclasses.is_dataclass(view):
            assert view.__dataclass_params__.frozen  # type: ignore[attr-defined]
            for field in dataclasses.fields(view):
                check(getattr(view, field.name))
        else:
            assert view is None or isinstance(view, str | int | float), type(view)

    check(build_document(synthetic.case(case), target))


def test_one_strategy_has_a_board_and_no_pairs():
    views = sections("one strategy")
    assert views["pairs"].lede == "One strategy: there is no pair to compare."
    assert views["pairs"].forest is None
    assert views["scores"].ladder is None
    assert views["queries"].chart is None
    assert views["queries"].table.total == 50
    assert "slices" not in views


def test_one_query_has_values_and_no_interval():
    views = sections("one query")
    cell = views["scores"].tables[0].rows[0][1][0]
    assert cell.below == "no interval, n = 1"
    assert views["queries"].chart is None
    assert views["queries"].lede.startswith("One query")
    assert views["verdict"].forest.rows[0].estimate.endswith("no interval")


def test_few_queries_are_drawn_as_dots():
    chart = sections("seven queries")["queries"].chart
    assert chart.columns == ()
    assert chart.dots


def test_identical_runs_claim_nothing():
    row = sections("identical")["verdict"].forest.rows[0]
    assert (row.word, row.estimate, row.p_adjusted) == ("identical", "0.000 no interval", "1.000")
    assert not row.glyph.filled


def test_equal_best_values_are_all_marked():
    views = sections("nothing relevant")
    assert [row.best for row in views["scores"].rows] == [True] * 4
    assert views["verdict"].urgent[0].text.startswith("Every value is 0: 4 of 4.")
    assert views["queries"].losses == ()


def test_thirty_strategies_fit_and_say_where_the_rest_is():
    views = sections("thirty strategies", "pdf")
    assert len(views["scores"].rows) == 20
    assert views["scores"].omitted == 10
    assert views["scores"].ladder is None
    assert len(views["scores"].tables) == 3
    assert {row.letters for row in views["scores"].rows} <= {"a", ""}
    pairs = views["pairs"]
    assert pairs.caption.startswith("15 of 435 paired comparisons on nDCG@10")
    assert all(len(m.labels) <= 9 for m in pairs.matrices)
    assert len(views["cutoff"].tables[0].chart.lines) == 6


def test_many_queries_are_packed_and_few_are_not():
    many = sections("ten thousand queries")["queries"].table
    assert (many.total, many.rows) == (10_000, ())
    assert many.packed
    few = sections("usual")["queries"].table
    assert len(few.rows) == 200
    assert few.packed == ""


def test_without_texts_and_attributes_their_places_are_gone():
    views = sections("no query text")
    assert "slices" not in views
    assert not views["queries"].table.with_text
    assert views["queries"].table.attributes == ()
    assert views["queries"].losses[0].text == ""


def test_without_details_no_ranks_are_drawn():
    views = sections("no details")["queries"]
    assert views.drills == ()
    assert not views.stripped
    assert views.losses[0].a is None


def test_a_failed_strategy_is_named_with_its_reason():
    view = sections("incomplete")["verdict"]
    assert len(view.failures) == 1
    assert "runs/rerank.trec:7: score 'abc' is not a number" in view.failures[0]
    assert view.headline.startswith("Not compared: ")
    assert build_document(synthetic.case("incomplete")).masthead.facts[2].value == "4, incomplete"


def test_values_that_do_not_exist_are_said_to_be_absent():
    views = sections("undefined values")
    rows = dict(views["scores"].tables[0].rows)
    assert rows["Hybrid"][1].mean == "n/a"
    assert rows["Dense"][0].below.endswith("n = 20")


def test_losses_come_before_gains_and_largest_first():
    views = sections("usual")["queries"]
    losses = [float(row.change.replace("−", "-")) for row in views.losses]
    gains = [float(row.change) for row in views.gains]
    assert losses == sorted(losses)
    assert gains == sorted(gains, reverse=True)
    assert max(losses) < 0 < min(gains)


def test_several_datasets_stand_apart_under_their_names():
    document = build_document(synthetic.case("several datasets"))
    assert [part.dataset for part in document.parts] == ["", "news", "science", "legal", ""]
    numbers = [s.number for part in document.parts for s in part.sections if s.number]
    assert numbers == [str(i + 1) for i in range(len(numbers))]
    views = sections("several datasets")
    assert len(views["verdict"].forest.rows) == 3
    assert len(views["overview"].rows) == 4
    assert all(len(cells) == 4 for _, cells in views["overview"].rows)
    assert "overview" not in sections("usual")


def test_the_macro_mean_counts_each_dataset_once():
    result = synthetic.case("several datasets")
    means = [d.measurements.mean(result.primary, "Dense") for d in result.datasets]
    row = dict(sections("several datasets")["overview"].rows)["Dense"]
    assert row[-1].mean == f"{sum(means) / 3:.3f}"


def test_a_planned_finding_that_the_letters_do_not_show_is_explained():
    view = sections("usual")["scores"]
    assert [row.letters for row in view.rows[:2]] == ["a", "a"]
    assert "are shown to differ by the planned comparison" in view.shared
    assert sections("inconclusive")["scores"].shared == ""


def test_a_measure_at_one_cutoff_makes_no_section():
    assert "cutoff" not in sections("one measure")
    assert sections("usual")["cutoff"].tables[0].cutoffs == (5, 10, 20)


def test_slices_are_ordered_by_their_gain_with_the_rest_last():
    rows = sections("usual")["slices"].tables[0].forest.rows
    assert len(rows) == 4
    gains = [float(row.estimate.split()[0].replace("−", "-")) for row in rows]
    assert gains == sorted(gains, reverse=True)


def test_the_equivalence_margin_is_shaded_and_named():
    view = sections("equivalent")["verdict"]
    assert view.forest.scale.zone == 0.02
    assert "the margin of ±0.02" in view.caption_note
    words = dict(sections("equivalent")["methods"].words)
    assert words["Equivalent"].startswith("Not shown to differ, and the 90% interval")
    assert "Equivalent" not in dict(sections("better")["methods"].words)
