"""LaTeX tables: nothing of the data is markup, every row fits its table, and TeX takes them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval.report.latex import MEASURES_PER_TABLE, ROWS_PER_TABLE, latex_tables
from rageval.report.latex_text import tex
from rageval.report.text import visible
from tests.report import synthetic

ENGINES = ("pdflatex", "xelatex", "lualatex", "tectonic")

# A part of TeX that is strict: what is not one of these is a fault.
TOKEN = re.compile(
    r"""\\(?P<command>[A-Za-z]+) | \\(?P<symbol>[^A-Za-z]) | (?P<open>\{) | (?P<close>\})
      | (?P<math>\$) | (?P<align>&) | (?P<comment>%[^\n]*) | (?P<script>[\^_])
      | (?P<active>[~\#]) | (?P<text>[^\\{}$&%~\#^_])""",
    re.VERBOSE,
)
COMMANDS = {
    *("begin", "end", "centering", "caption", "label", "toprule", "midrule", "bottomrule"),
    *("textbf", "rlap", "providecommand", "ragevalunicode", "ifdefined", "Umathcode", "else"),
    *("fi", "uparrow", "downarrow", "approx", "alpha", "Delta", "mu", "pm", "times", "le", "ge"),
    *("cdot", "circ", "textbackslash", "textasciicircum", "textasciitilde", "textless"),
    *("textgreater", "textbar", "char", "textendash", "textemdash", "ldots", "textquoteleft"),
    *("textquoteright", "textquotedblleft", "textquotedblright", "ss", "ae", "AE", "oe", "OE"),
    *("o", "O", "l", "L", "i", "u", "r", "H", "v", "c", "multicolumn", "quad"),
}
IN_MATH = {"uparrow", "downarrow", "approx", "alpha", "Delta", "mu", "pm", "times", "le", "ge"}
IN_MATH |= {"cdot", "circ"}


def tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        assert match is not None, text[at : at + 40]
        assert match.lastgroup is not None
        yield match.lastgroup, match[match.lastgroup]
        at = match.end()


def check(text: str) -> None:
    """Fail where braces or dollars do not balance, or a command is not known or out of place."""
    depth, math = 0, False
    for kind, value in tokens(text):
        depth += (kind == "open") - (kind == "close")
        assert depth >= 0
        math ^= kind == "math"
        assert kind != "script" or math, "^ and _ are for formulas"
        assert kind != "active" or value == "~"
        if kind == "command":
            assert value in COMMANDS
            assert (value in IN_MATH) <= math, value
        if kind == "text":
            assert value == "\n" or value.isprintable() or not value.isascii()
    assert depth == 0
    assert not math


def body(result: synthetic.EvaluationResult) -> str:
    """Return the tables without the lines before them, which define a command."""
    return latex_tables(result).partition("\n\n")[2]


def rows(text: str) -> list[list[str]]:
    """Return the cells of every row, as they are written."""
    lines = [line.strip() for line in text.splitlines() if line.endswith(" \\\\")]
    return [re.split(r"(?<!\\) & ", line.removesuffix(" \\\\")) for line in lines]


@pytest.mark.parametrize("case", synthetic.CASES)
def test_every_result_is_sound_latex(case):
    text = body(synthetic.case(case))
    check(text)
    assert not re.search(r"\bnan\b|\bNone\b|\binf\b", text)
    for table in text.split("\\end{table}")[:-1]:
        columns = re.search(r"\\begin\{tabular\}\{([lr]+)\}", table)
        assert columns is not None
        wide = [row for row in rows(table) if len(row) == 1]
        assert all(row[0].startswith(rf"\multicolumn{{{len(columns[1])}}}{{l}}{{") for row in wide)
        assert {len(row) for row in rows(table) if row not in wide} == {len(columns[1])}
        assert len(columns[1]) <= MEASURES_PER_TABLE + 1
        assert len(rows(table)) <= ROWS_PER_TABLE + 1


def test_hostile_names_are_sound_too(odd_result):
    text = body(odd_result)
    check(text)
    assert "<script" not in text
    assert r"\textless{}script\textgreater{}alert(1)" in text
    assert r"two\textbar{}\textless{}i\textgreater{}" in text
    assert r"\$m\$ @all \textbackslash{} \#1" in text


def test_labels_are_distinct():
    for case in ("thirty strategies", "several datasets"):
        labels = re.findall(r"\\label\{(.*?)\}", body(synthetic.case(case)))
        assert len(labels) == len(set(labels)) > 2


def test_the_best_is_bold_and_the_findings_are_marked():
    result = synthetic.case("usual")
    told = {row[0]: row[1:] for row in rows(body(result))[1:5]}
    assert told["Hybrid + rerank"][0] == r"\textbf{0.551}\rlap{$^{\uparrow}$}"
    assert told["Hybrid"][0] == "0.512"
    assert told["BM25"][0] == r"0.420\rlap{$^{\downarrow}$}"


def test_a_mark_is_that_of_the_planned_contrast():
    """The same pair may be inconclusive among all pairs; what decides is planned."""
    result = synthetic.case("usual")
    (dataset,) = result.datasets
    blurred = tuple(replace(c, finding="inconclusive") for c in dataset.comparisons)
    text = body(replace(result, datasets=(replace(dataset, comparisons=blurred),)))
    told = {row[0]: row[1] for row in rows(text)[1:5]}
    assert told["Hybrid + rerank"] == r"\textbf{0.551}\rlap{$^{\uparrow}$}"
    assert told["BM25"] == "0.420"


def test_the_caption_says_what_the_numbers_rest_on():
    caption = body(synthetic.case("usual")).partition("\\label")[0]
    for words in ("$n = 200$", "paired t-test", r"$\alpha = 0.05$", "Holm over 2 tests", "Hybrid"):
        assert words in caption


def test_planned_contrasts_stand_with_interval_and_p():
    text = body(synthetic.case("usual"))
    header, contrast, first = rows(text.rpartition("\\begin{table}")[2])[:3]
    assert header[:3] == ["Measure", "Difference", "$p$"]
    assert contrast == [r"\multicolumn{6}{l}{Hybrid + rerank against Hybrid}"]
    assert first[:3] == [r"\quad nDCG@10", "+0.039 [+0.004, +0.074]", "0.029"]
    assert first[-1] == r"$\uparrow$ better"
    assert r"with its 95\% interval" in text


def test_without_contrasts_or_with_one_strategy_there_is_less_to_say():
    exploratory = body(synthetic.case("exploratory"))
    assert "Planned" not in exploratory
    alone = body(synthetic.case("one strategy"))
    assert "bold" not in alone
    assert r"\textbf" not in alone
    assert "uparrow" not in alone


def test_a_failed_strategy_is_named():
    result = synthetic.case("incomplete")
    failed = result.failures[0].strategy
    assert f"Not evaluated: {tex(failed)}" in body(result)


def test_equivalence_has_a_mark_where_there_is_a_margin():
    assert r"$\approx$: equivalent within $\pm" in body(synthetic.case("equivalent"))
    assert "approx" not in body(synthetic.case("usual"))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a_b%c", r"a\_b\%c"),
        ("{}#$&", r"\{\}\#\$\&"),
        ("a\\b", r"a\textbackslash{}b"),
        ("~^", r"\textasciitilde{}\textasciicircum{}"),
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("it''s ,,so", "it'{}'s ,{},so"),
        ("[x] [y]", "{[}x] [y]"),
        ("*", "{*}"),
        ('"q"', r"\char34{}q\char34{}"),
        ("line\nend", r"line\textbackslash{}nend"),
        ("a\u202eb\x00", r"a\textbackslash{}u202eb\textbackslash{}x00"),
        ("Größe naïve Čapek", r"Gr\"{o}\ss{}e na\"{i}ve \v{C}apek"),
        ("−0.1 ± 2", r"$-$0.1 $\pm$ 2"),
        ("返品 a🎉", r"\ragevalunicode{返品}{U+8FD4 U+54C1} a\ragevalunicode{🎉}{U+1F389}"),
        ("\ud800", r"\textbackslash{}ud800"),
    ],
)
def test_known_texts(text, written):
    assert tex(text) == written


UNDO = {
    r"\textbackslash{}": "\\", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~",
    r"\textless{}": "<", r"\textgreater{}": ">", r"\textbar{}": "|", r"\`{}": "`",
    r"\char34{}": '"', r"\{": "{", r"\}": "}", r"\#": "#", r"\$": "$", r"\%": "%", r"\&": "&",
    r"\_": "_", "{[}": "[", "{*}": "*", "{}": "",
}  # fmt: skip


@given(st.text(st.characters(max_codepoint=0x7E), max_size=30))
def test_any_ascii_text_is_printed_literally(text):
    pattern = re.compile("|".join(map(re.escape, sorted(UNDO, key=len, reverse=True))))
    assert pattern.sub(lambda match: UNDO[match[0]], tex(text)) == visible(text).strip()


@given(st.text(max_size=30))
def test_any_text_is_sound(text):
    written = tex(text)
    check(written)
    assert "\n" not in written
    assert not written.startswith(("[", "*"))


@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_compiles_it(engine, odd_result, tmp_path: Path) -> None:
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    cases = {
        "usual": latex_tables(synthetic.case("usual")),
        "odd": latex_tables(odd_result),
        "names": latex_tables(synthetic.case("hostile names")),
        "long": latex_tables(synthetic.case("thirty strategies")),
    }
    for name, text in cases.items():
        (tmp_path / f"{name}.tex").write_text(text, encoding="utf-8")
    inputs = "\n\\clearpage\n".join(rf"\input{{{name}}}" for name in cases)
    document = rf"""\documentclass{{article}}\usepackage{{booktabs}}
\begin{{document}}\listoftables
{inputs}
\end{{document}}"""
    (tmp_path / "paper.tex").write_text(document, encoding="utf-8")
    options = [] if engine == "tectonic" else ["-interaction=nonstopmode", "-halt-on-error"]
    for _ in range(2):  # captions travel through a file to the list of tables
        done = subprocess.run(
            [engine, *options, "paper.tex"], cwd=tmp_path, capture_output=True, timeout=100
        )
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
