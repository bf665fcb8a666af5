"""The Markdown summary: what it says, and that nobody's text becomes markup."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rageval.report.markdown import escaped, summary
from rageval.report.sentences import headline
from rageval.report.text import visible

ALLOWED = {
    "heading_open", "heading_close", "inline", "paragraph_open", "paragraph_close", "table_open",
    "table_close", "thead_open", "thead_close", "tbody_open", "tbody_close", "tr_open", "tr_close",
    "th_open", "th_close", "td_open", "td_close", "bullet_list_open", "bullet_list_close",
    "list_item_open", "list_item_close", "text", "strong_open", "strong_close", "text_special",
}  # fmt: skip


def tokens(text: str) -> list[Token]:
    blocks = MarkdownIt("commonmark").enable("table").parse(text)
    return [token for block in blocks for token in (block, *(block.children or []))]


def cells(text: str) -> list[str]:
    """Return the text of every inline, as a reader sees it."""
    blocks = MarkdownIt("commonmark").enable("table").parse(text)
    return [
        "".join(child.content for child in block.children or [])
        for block in blocks
        if block.type == "inline"
    ]


def test_nothing_of_the_data_becomes_markup(odd_result):
    assert {token.type for token in tokens(summary(odd_result))} <= ALLOWED


def test_hostile_names_are_shown_literally(odd_result):
    shown = cells(summary(odd_result, files={"report.html": "/tmp/a_b*c|d.html"}))
    name = odd_result.strategies[0].name
    assert shown[0] == f"Odd {name}"
    assert name in shown
    assert f"=dense against {name}" in shown
    assert "two|<i>" in shown
    assert "File report.html: /tmp/a_b*c|d.html" in shown
    assert "Strategy broken on one: bad.run:3: <b>not</b> a number; f:4: nor |" in shown


def test_the_verdict_is_the_report_s(odd_result):
    result = replace(odd_result, datasets=odd_result.datasets[:1])
    assert headline(result) == cells(summary(result))[1]


def test_means_best_first_and_in_bold(odd_result):
    lines = summary(odd_result).splitlines()
    table = lines[lines.index(next(line for line in lines if line.startswith("| Strategy"))) :]
    assert table[0] == "| Strategy | nDCG@10 | Judged@5 |"
    assert table[2] == "| =dense | **0.556** | n/a (n = 0) |"
    assert table[3].endswith("| 0.144 | **0.750** (n = 2) |")
    assert "Means over 3 queries; the best of each measure in bold." in lines


def test_planned_contrasts_with_interval_p_and_finding(odd_result):
    text = summary(odd_result)
    assert "| nDCG@10 | +0.367 [−0.250, unbounded] | 0.080 | inconclusive |" in text
    assert "p adjusted by Holm over 2 tests." in text


@pytest.mark.parametrize("word", ["nan", "None", "inf]", "significant"])
def test_words_that_no_reader_should_meet(odd_result, word):
    assert word not in summary(odd_result)


def test_one_dataset_has_no_heading_of_its_own(odd_result):
    assert "## " in summary(odd_result)
    assert "## " not in summary(replace(odd_result, datasets=odd_result.datasets[:1]))


def test_without_failures_and_files_there_is_no_word_of_them(odd_result):
    text = summary(replace(odd_result, failures=()))
    assert "incomplete" not in text
    assert "Where to read on" not in text


def test_a_picture_is_part_of_the_text(odd_result):
    text = summary(odd_result, picture=b"\x89PNG")
    assert "](data:image/png;base64,iVBORw==)" in text


def test_many_strategies_are_counted_rather_than_shown(large_result, monkeypatch):
    monkeypatch.setattr("rageval.report.markdown.MAX_ROWS", 4)
    text = summary(large_result)
    assert text.count("\n| s") == 4
    assert "4 of 10 strategies are shown; results.json has all." in text


@given(st.text(max_size=30))
def test_any_text_is_shown_literally(text):
    shown = cells(f"| head |\n|---|\n| x{escaped(text)}x |\n")
    assert shown == ["head", f"x{visible(text).strip()}x"]


def test_findings_that_put_the_numbers_in_doubt_stand_before_them(odd_result):
    grave = replace(odd_result.datasets[0].findings[0], severity="high", what="Ids of another kind")
    dataset = replace(odd_result.datasets[0], findings=(grave,))
    text = summary(replace(odd_result, datasets=(dataset,)))
    assert text.index("Check the data first") < text.index("Ids of another kind") < text.index("|")
    fine = replace(dataset, findings=(replace(grave, severity="low"),))
    assert "Check the data first" not in summary(replace(odd_result, datasets=(fine,)))
