"""What each strategy returned for a query, with how the documents begin."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest

from rageval.data import EvaluationResult
from rageval.report.drill_down import LEAST, MOST, Drill, drill_down
from rageval.report.html import render_document, render_html
from rageval.report.model import Subject
from tests.report import synthetic

LONG = "word " * 60


def with_documents(documents: dict[str, str], case: str = "usual") -> EvaluationResult:
    result = synthetic.case(case)
    (dataset,) = result.datasets
    return replace(result, datasets=(replace(dataset, documents=documents),))


def told() -> EvaluationResult:
    return synthetic.result({"main": synthetic.cube(40)}, documents=True)


def drills(result: EvaluationResult) -> tuple[Drill, ...]:
    return drill_down(Subject(result, result.datasets[0]))


def test_judged_documents_have_all_that_is_kept_of_their_text():
    for drill in drills(with_documents({"doc-0": LONG, "doc-1": ""})):
        assert {d.doc_id: d.text for d in drill.judged if d.text} == {"doc-0": LONG}
        assert drill.told


TEXTS = ["word " * 60, "語" * 100, "ب" * 200, "w" * 300, "🎉" * 90, "é" * 119 + " x"]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[0])
def test_in_rankings_a_text_takes_a_line_or_two(text):
    documents = {f"doc-{i}": text for i in range(14)}
    for drill in drills(with_documents(documents)):
        for document in (d for ranking in drill.rankings for d in ranking.documents):
            size = len(document.text.encode())
            assert size <= MOST
            assert size > MOST - 10
            assert document.text.endswith("…")
            assert text.startswith(document.text[:-1])


def test_a_text_that_fits_is_whole():
    text = "x" * MOST
    for drill in drills(with_documents({f"doc-{i}": text for i in range(14)})):
        assert {d.text for ranking in drill.rankings for d in ranking.documents} == {text}


def test_texts_read_in_their_own_direction():
    shown = {d.doc_id: d.direction for d in drills(told())[0].judged}
    assert shown == {f"doc-{i}": "rtl" if i == 4 else "ltr" for i in range(5)}


def test_the_page_shows_texts_literally_and_isolated():
    page = render_html(told())
    returned = page[page.index("What each strategy returned") :]
    spans = re.findall(r"</i> <span([^>]*)>([^<]*)</span>", returned)
    texts = {unescape(text) for _, text in spans}
    expected = {t for t in synthetic.DOCUMENTS.values() if t != "in no ranking"}
    assert texts == {t.replace("\u202e", "\\u202e").replace("\x07", "\\x07") for t in expected}
    for side, text in spans:
        assert (side == ' dir="rtl"') == text.startswith("חופשה")


def test_without_a_corpus_the_judged_documents_stand_in_one_paragraph():
    page = render_html(synthetic.case("usual"))
    assert '<p class="docs"><b>Judged:</b> <span class="doc rel">' in page
    assert not re.search(r'class="[^"]*\b(told|returned)\b', page)


def test_a_query_whose_documents_are_not_in_the_corpus_has_no_texts():
    page = render_html(with_documents({"elsewhere": "A text."}))
    assert not re.search(r'class="[^"]*\b(told|returned)\b', page)
    assert "A text." not in page


def test_on_paper_the_documents_are_left_out():
    result = told()
    (dataset,) = result.datasets
    without = replace(result, datasets=(replace(dataset, documents={}),))
    assert render_document(result, target="pdf") == render_document(without, target="pdf")


def test_a_large_page_stays_light():
    """Ten thousand queries, ten strategies, and as many documents as the details may hold."""
    names = tuple(f"s{i}" for i in range(10))
    result = synthetic.result(
        {"main": synthetic.cube(10_000, names)}, contrasts=[("s0", "s9")], n_details=50
    )
    (dataset,) = result.datasets
    assert sum(len(r) for d in dataset.details for r in d.rankings.values()) == 10_000
    rng = np.random.default_rng(5)
    letters = rng.choice(list("etaoin shrdlu "), (14, 240))
    documents = {f"doc-{i}": "".join(row) for i, row in enumerate(letters)}
    full = replace(result, datasets=(replace(dataset, documents=documents),))
    size = len(render_html(full).encode())
    assert size < 3_000_000
    texts = [d.text for drill in drills(full) for r in drill.rankings for d in r.documents]
    assert min(len(text.encode()) for text in texts) > LEAST - 20
