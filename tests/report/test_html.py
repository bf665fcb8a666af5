"""Promises that the page keeps for every result, on screen and on paper."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from rageval.errors import RenderError
from rageval.report.assets import templates_folder
from rageval.report.html import name, prose, render_document, render_html
from rageval.report.text import isolated
from tests.report import synthetic

VOID = {"meta", "br", "hr", "img", "input", "link", "col", "wbr"}
BOTH = [(case, target) for case in synthetic.CASES for target in ("html", "pdf")]


@cache
def page(case: str, target: str) -> str:
    return render_document(synthetic.case(case), target=target)  # type: ignore[arg-type]


class Tree(HTMLParser):
    """Collects what the promises below ask for, and fails on crossed tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None], tuple[str, ...]]] = []
        self.text: dict[str, str] = {}
        self.drawn: list[str] = []
        self.faults: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs), tuple(self.stack)))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs), tuple(self.stack)))

    def handle_endtag(self, tag):
        if not self.stack or self.stack.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data):
        if self.stack:
            self.text[self.stack[-1]] = self.text.get(self.stack[-1], "") + data
        if self.stack and self.stack[-1] == "text":
            self.drawn.append(data)


@cache
def tree(case: str, target: str) -> Tree:
    return Tree(page(case, target))


@pytest.mark.parametrize(("case", "target"), BOTH)
def test_every_page_keeps_its_promises(case, target):
    found = tree(case, target)
    assert found.faults == []
    assert found.stack == []
    _ids_are_unique(found)
    _headings_skip_no_level(found)
    _drawings_have_titles(found)
    _tables_have_heads(found)
    _nothing_is_fetched(found, page(case, target))


def _ids_are_unique(found: Tree) -> None:
    ids = [attrs["id"] for _, attrs, _ in found.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    anchors = {attrs["href"] for tag, attrs, _ in found.tags if tag == "a"}
    assert {a for a in anchors if a and a[1:] not in ids} == set()


def _headings_skip_no_level(found: Tree) -> None:
    levels = [int(tag[1]) for tag, _, _ in found.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


def _drawings_have_titles(found: Tree) -> None:
    for i, (tag, _, _) in enumerate(found.tags):
        if tag == "svg":
            assert found.tags[i + 1][0] == "title"
    for words in found.drawn:
        assert all(c <= "\u00ff" or c in "−≤≥α" for c in words), words


def _tables_have_heads(found: Tree) -> None:
    heads = [attrs for tag, attrs, _ in found.tags if tag == "th"]
    assert all(attrs.get("scope") in ("col", "row") for attrs in heads)
    tables = sum(tag == "table" for tag, _, _ in found.tags)
    assert tables == sum(tag == "caption" for tag, _, _ in found.tags)


def _nothing_is_fetched(found: Tree, html: str) -> None:
    names = {"src", "href", "data", "action", "poster", "srcset", "style", "background"}
    for tag, attrs, _ in found.tags:
        assert not any(key.startswith("on") for key in attrs), tag
        for key in names & attrs.keys():
            assert str(attrs[key]).startswith("#"), (tag, key)
    assert not re.search(r"url\((?!data:)", html)
    assert "@import" not in html


@pytest.mark.parametrize(("case", "target"), BOTH)
def test_nothing_reads_as_nan_or_as_a_python_value(case, target):
    body = re.sub(r"<(script|style|pre)\b.*?</\1>", "", page(case, target), flags=re.DOTALL)
    words = re.sub(r"<[^>]+>", " ", body)
    assert not re.search(r"\bnan\b|\binf\b|\bNone\b(?! of the others)|\bTrue\b|object at 0x", words)
    assert "\u2068" not in body
    assert "\u2069" not in body


@pytest.mark.parametrize("case", synthetic.CASES)
def test_the_paper_stays_within_its_budget(case):
    found = tree(case, "pdf")
    assert sum(tag == "tr" for tag, _, _ in found.tags) < 500
    assert not any(tag in ("script", "details", "button", "input") for tag, _, _ in found.tags)
    inside_links = [stack for _, _, stack in found.tags if "a" in stack]
    assert inside_links == []


@pytest.mark.parametrize("target", ["html", "pdf"])
def test_the_same_result_gives_the_same_text(target):
    result = synthetic.CASES["hostile names"]()
    assert render_document(result, target=target) == page("hostile names", target)


@pytest.mark.parametrize("case", ["usual", "thirty strategies", "ten thousand queries"])
def test_the_policy_allows_exactly_what_the_page_brings(case):
    html = page(case, "html")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy is not None
    allowed = policy.group(1).replace("&#39;", "'")
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    styles = re.findall(r"<style[^>]*>(.*?)</style>", html, re.DOTALL)
    hashes = [
        "'sha256-" + base64.b64encode(hashlib.sha256(t.encode()).digest()).decode() + "'"
        for t in (*scripts, *styles)
    ]
    assert (len(scripts), len(styles)) == (1, 3)
    assert all(h in allowed for h in hashes)
    assert allowed.startswith("default-src 'none'; ")
    assert "unsafe" not in allowed


def test_hostile_text_shows_literally():
    html = page("hostile names", "html")
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt; a&lt;b &amp; &#34;c&#34;" in html
    assert "\\u202e\\x00" in html
    assert "\u202e" not in html


def test_the_hostile_result_of_the_other_outputs_renders_too(odd_result):
    for target in ("html", "pdf"):
        found = Tree(render_document(odd_result, target=target))
        assert found.faults == []


def test_names_are_isolated_and_turned():
    assert str(name("كلمة")) == '<bdi dir="rtl">كلمة</bdi>'
    assert str(name("a<b")) == "<bdi>a&lt;b</bdi>"
    assert str(prose(f"{isolated('a<b')} & c")) == "<bdi>a&lt;b</bdi> &amp; c"


@pytest.mark.parametrize("case", synthetic.CASES)
def test_the_page_can_be_read_without_javascript(case):
    found = tree(case, "html")
    sections = [attrs["id"] for tag, attrs, _ in found.tags if tag == "section"]
    assert sections[0] == "verdict"
    assert {"methods", "provenance"} <= set(sections)
    packed = [a for tag, a, _ in found.tags if tag == "script" and a.get("class") == "packed"]
    assert bool(packed) == (case == "ten thousand queries")


@pytest.mark.parametrize(("case", "target"), BOTH)
def test_every_class_that_draws_or_measures_has_its_rule(case, target):
    """Without its rule a forest loses its zero line, and a column its width, in silence."""
    html, found = page(case, target), tree(case, target)
    used = {c for _, attrs, _ in found.tags for c in (attrs.get("class") or "").split()}
    drawn = {c for c in used if re.fullmatch(r"sc-[0-9a-f]{8}|w\d+", c)}
    assert {c for c in drawn if f".{c}{{" not in html} == set()
    cells = [attrs for tag, attrs, _ in found.tags if tag == "td" and "sc-" in str(attrs)]
    assert bool(cells) == any(c.startswith("sc-") for c in drawn)


def test_many_queries_stay_small():
    assert len(page("ten thousand queries", "html").encode()) < 3_000_000


OVERRIDE = "sections/provenance.html.j2"


def _override(folder: Path, source: str) -> Path:
    file = folder / OVERRIDE
    file.parent.mkdir()
    file.write_text(source, encoding="utf-8")
    return folder


def test_a_users_template_takes_the_place_of_ours(tmp_path):
    folder = _override(tmp_path, "<p>Ours: {{ v.facts[1][1] }}</p>")
    html = render_html(synthetic.case("small"), templates=folder)
    assert "<p>Ours: 20261130T060000Z-ab12cd</p>" in html
    assert 'id="methods"' in html


@pytest.mark.parametrize(
    ("source", "line", "says"),
    [
        ("<p>\n{% if %}", 2, "Expected an expression"),
        ("<p>\n\n{{ v.nothing }}", 3, "nothing"),
        ("{{ 1 / 0 }}", 1, "division by zero"),
        ("\n{% include 'absent.html' %}", 2, "absent.html"),
    ],
)
def test_a_broken_template_is_named_with_its_line(tmp_path, source, line, says):
    folder = _override(tmp_path, source)
    with pytest.raises(RenderError) as caught:
        render_html(synthetic.case("small"), templates=folder)
    assert f"{folder / OVERRIDE}:{line}: " in str(caught.value)
    assert says in str(caught.value)


def test_a_broken_template_of_our_own_is_named_too(tmp_path, monkeypatch):
    ours = tmp_path / "ours"
    shutil.copytree(templates_folder(), ours)
    (ours / OVERRIDE).write_text("<p>\n{{ v.nothing }}", encoding="utf-8")
    monkeypatch.setattr("rageval.report.html.templates_folder", lambda: ours)
    for users in (None, tmp_path):
        with pytest.raises(RenderError) as caught:
            render_html(synthetic.case("small"), templates=users)
        assert f"{ours / OVERRIDE}:2: " in str(caught.value)


def test_a_template_that_is_no_text_is_named(tmp_path):
    folder = _override(tmp_path, "")
    (folder / OVERRIDE).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RenderError, match="UTF-8"):
        render_html(synthetic.case("small"), templates=folder)


def test_a_missing_template_folder_is_an_error(tmp_path):
    with pytest.raises(RenderError, match="does not exist"):
        render_html(synthetic.case("small"), templates=tmp_path / "absent")


def test_a_users_style_is_read_and_allowed(tmp_path):
    style = tmp_path / "static" / "print.css"
    style.parent.mkdir()
    style.write_text("body{color:#123}\n", encoding="utf-8")
    html = render_html(synthetic.case("small"), templates=tmp_path)
    digest = base64.b64encode(hashlib.sha256(b"body{color:#123}\n").digest()).decode()
    assert f"sha256-{digest}" in html
