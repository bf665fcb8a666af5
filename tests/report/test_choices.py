"""What else could have been: other choices, repeated runs, a second test, other adjustments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rageval.report.document import build_document
from rageval.report.model import subjects
from rageval.report.second_test import check_sentence
from rageval.report.sentences import p_sentence
from tests.report import synthetic


def view(case: str, section: str, target: str = "html"):
    document = build_document(synthetic.case(case), target)  # type: ignore[arg-type]
    return next(s.view for part in document.parts for s in part.sections if s.key == section)


def test_other_choices_stand_beside_what_was_reported():
    shown = view("other choices", "quality").sensitivity
    assert len(shown.tables) == 1
    names = [row.bold for row in shown.tables[0].forest.rows]
    assert names[:2] == ["As reported", "Judged documents only"]
    assert "best order for Hybrid + rerank, the worst for Hybrid" in names[2]
    assert view("usual", "quality").sensitivity is None


@pytest.mark.parametrize("same", [True, False])
def test_a_finding_that_hangs_on_a_choice_is_a_caution(same):
    result = synthetic.case("other choices")
    rows = tuple(replace(s, same_finding=same) for s in result.datasets[0].sensitivity)
    made = replace(result, datasets=(replace(result.datasets[0], sensitivity=rows),))
    document = build_document(made)
    texts = " ".join(c.text for c in document.verdict.view.cautions)  # type: ignore[attr-defined]
    assert ("hangs on a choice" in texts) is not same
    lede = next(
        s.view.sensitivity.lede
        for part in document.parts
        for s in part.sections
        if s.key == "quality"
    )
    assert lede == f"{0 if same else 2} of 2 other choices change the finding."


def test_repeated_runs_show_their_spread_under_the_scores():
    tables = view("other choices", "scores").repeats
    rows = {name: (runs, cells) for t in tables[:1] for name, runs, cells in t.rows}
    runs, cells = rows["Dense"]
    assert (runs, cells[0].span, cells[0].sd) == (3, "0.500 to 0.560", "sd 0.032")
    assert view("usual", "scores").repeats == ()


def test_runs_further_apart_than_the_strategies_are_a_caution():
    texts = [c.text for c in view("other choices", "verdict").cautions]
    assert any("lie further apart, 0.300 to 0.900" in text for text in texts)


def test_the_second_test_is_named_and_its_disagreements_counted():
    subject = subjects(synthetic.case("other choices"), "html")[0]
    told = check_sentence(subject)
    made = subject.dataset.comparisons
    other = sum((c.p_check < 0.05) != (c.p_value < 0.05) for c in made if c.p_check is not None)
    assert "by the sign-flip randomisation test" in told
    assert f"on {other} of {len(made)} comparisons" in told
    assert check_sentence(subjects(synthetic.case("usual"), "html")[0]) == ""
    assert "As a check" in " ".join(view("other choices", "methods").paragraphs)


def test_a_test_that_adjusts_itself_is_not_said_to_be_holm_adjusted():
    case = "adjusted by the test"
    words = "by the test over all pairs of strategies"
    subject = subjects(synthetic.case(case), "html")[0]
    assert subject.focus is not None
    assert p_sentence(subject.focus, 0.05).endswith(f", adjusted {words}")
    assert f"adjusted {words}" in view(case, "scores").caption_note
    assert view(case, "pairs").p_word == "Adjusted p-value"
    assert f"{words} and by Bonferroni over types" in view(case, "slices").tables[0].note
    assert "Holm" not in repr(build_document(synthetic.case(case)))


def test_without_a_correction_nothing_is_called_adjusted():
    shown = view("unadjusted", "pairs")
    assert shown.p_word == "p-value"
    assert not shown.forest.adjusted
    assert "not adjusted" in view("unadjusted", "scores").caption_note
    assert dict(view("unadjusted", "methods").words)["Better, worse"] == "p below 0.05."


def test_means_over_datasets_say_who_is_best_where():
    shown = view("several datasets", "overview")
    cells = [cell for table in shown.tables for _, row in table.rows for cell in row]
    assert len(cells) == 4 * len(synthetic.MEASURES)
    first = sum(int(row[0].below.removeprefix("best on ")) for _, row in shown.tables[0].rows)
    assert first >= 3


@pytest.mark.parametrize(("case", "says"), [
    ("usual", "40 of 200 queries, those that change most. "),
    ("small", "4 of 12 queries, those that change most. "),
    ("one query", "All queries. "),
])  # fmt: skip
def test_the_drill_down_says_which_queries_it_holds(case, says):
    assert view(case, "queries").drills_note.startswith(says)


def test_planned_strategies_are_shown_where_not_all_fit():
    result = synthetic.case("thirty strategies")
    shown = {row.name for row in view("thirty strategies", "scores", "pdf").rows}
    assert {name for pair in result.contrasts for name in pair} <= shown
