"""YAML as text, with lines, bounds and one message for a syntax error."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval.config.yaml_text import parse_yaml
from rageval.errors import ConfigError


def test_values_and_their_lines():
    tree = parse_yaml("a: 1\nb:\n  - x\n  - {c: ~}\n", "f")
    assert tree.data == {"a": "1", "b": ["x", {"c": None}]}
    assert tree.lines[("a",)] == 1
    assert tree.lines[("b", 1, "c")] == 4
    assert tree.faults == []


def test_anchors_and_merges():
    tree = parse_yaml("a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}\nc: {<<: [*x, {r: 4}]}\n", "f")
    assert tree.data["b"] == {"q": "3", "p": "1"}
    assert tree.data["c"] == {"p": "1", "q": "2", "r": "4"}


def test_a_merge_of_something_else_is_a_fault():
    tree = parse_yaml("a: {<<: text}\n", "f")
    assert [fault.what for fault in tree.faults] == ["`<<` merges mappings only"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: b: c", "f:1:5: not valid YAML: mapping values are not allowed here (check the"),
        ("a:\n\tb: c", "f:2:1: not valid YAML: while scanning for the next token, found charac"),
        ("a: [1", "f:1:6: not valid YAML: while parsing a flow sequence, expected ',' or ']'"),
        ("a: @x", "f:1:4: not valid YAML: while scanning for the next token, found character '@'"),
        ("a: *x", "f:1:4: not valid YAML: found undefined alias 'x'"),
        ("a: 1\n---\nb: 2", "f:2:1: not valid YAML: expected a single document in the stream"),
        ("a: 'x", "f:1:6: not valid YAML: while scanning a quoted scalar, found unexpected end"),
        ("[" * 100, "f:1:31: not valid YAML: nested more than 30 levels deep"),
        ("a: &x [*x]", "nested more than 30 levels deep"),
    ],
)
def test_a_syntax_error_is_one_message_with_line_and_column(text, message):
    with pytest.raises(ConfigError) as caught:
        parse_yaml(text, "f")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_bomb_of_aliases_is_refused_at_once():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 10)]
    start = time.perf_counter()
    with pytest.raises(ConfigError, match="aliases expand to more than 100,000 values"):
        parse_yaml("\n".join(lines), "f")
    assert time.perf_counter() - start < 5


def test_a_bomb_of_merges_is_refused_at_once():
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 10)}]}}" for i in range(1, 10)]
    with pytest.raises(ConfigError, match="aliases expand to more than 100,000 values"):
        parse_yaml("\n".join(lines), "f")


@given(st.text(max_size=60))
def test_any_text_is_a_tree_or_a_clear_error(text):
    try:
        data = parse_yaml(text, "f").data
    except ConfigError as error:
        data = str(error)
    assert data is None or isinstance(data, str | list | dict)
