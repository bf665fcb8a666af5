"""Text of the data's owners, made safe to read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval.report import text


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("plain", "plain"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x00\x1b[31m", "\\x00\\x1b[31m"),
        ("\x85", "\\x85"),
        ("a\u202eb", "a\\u202eb"),
        ("\u2068x\u2069", "\\u2068x\\u2069"),
        ("\ud800", "\\ud800"),
        ("\u2028", "\\u2028"),
        ("\ufffe", "\\ufffe"),
        ("返品 ق 🎉 é", "返品 ق 🎉 é"),
        ("👩\u200d💻", "👩\u200d💻"),
    ],
)
def test_what_cannot_be_seen_shows_as_an_escape(given_text, shown):
    assert text.visible(given_text) == shown


@given(st.text())
def test_visible_text_can_be_encoded_and_holds_no_isolate(any_text):
    shown = text.visible(any_text)
    shown.encode()
    assert not set(shown) & {text.ISOLATE, text.RELEASE, "\n", "\x00", "\u202e"}


@given(st.text())
def test_plain_takes_away_the_isolation_alone(name):
    assert text.plain(text.isolated(name)) == text.visible(name)


@pytest.mark.parametrize(
    ("words", "side"),
    [("abc", "ltr"), ("כמה ימים", "rtl"), ("12 ما هي", "rtl"), ("a ما", "ltr"), ("123", "ltr")],
)
def test_direction_follows_the_first_strong_character(words, side):
    assert text.direction(words) == side


def test_lists_read_as_sentences_do():
    assert text.listed(["a"]) == "a"
    assert text.listed(["a", "b", "c"]) == "a, b and c"


@pytest.mark.parametrize(
    ("name", "may"), [("Hybrid + rerank", True), ("é", True), ("ق", False), ("x" * 25, False)]
)
def test_only_short_names_in_our_fonts_are_drawn(name, may):
    assert text.drawable(name) is may
