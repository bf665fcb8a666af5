from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rageval.errors import InputError
from rageval.formats import trec_run_blocks
from rageval.formats.content import Content, open_content
from rageval.formats.tables import RunTable
from rageval.formats.trec_run import read_trec_run
from rageval.formats.trec_run_blocks import cut, line_of_block
from rageval.formats.trec_run_lines import plain_delimiter, tidy

steady = settings(max_examples=60, deadline=None)

Row = tuple[str, str, float]

BLANKS = st.text("\t ", min_size=1, max_size=3)
# Any id but one that holds a blank or a line end; NUL is binary and refused earlier.
ids = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0\t\n\r "),
    min_size=1,
    max_size=8,
) | st.sampled_from(["NA", "null", "nan", "inf", '"', "'a", "#1", "001", "a#2", "-", "\u2028"])


def content(text: str | bytes) -> Content:
    buffer = pa.py_buffer(text.encode() if isinstance(text, str) else text)
    return Content(buffer, "run.txt", buffer)


def read(text: str | bytes, *, lenient: bool = False) -> list[Row]:
    return rows_of(read_trec_run(content(text), lenient=lenient))


def rows_of(table: RunTable) -> list[Row]:
    assert table.score is not None
    return list(
        zip(table.query.to_pylist(), table.doc.to_pylist(), table.score.tolist(), strict=True)
    )


def lines(rows: list[tuple[str, str]]) -> list[str]:
    return [f"{q} Q0 {d} {i} {1 / (i + 1)!r} tag" for i, (q, d) in enumerate(rows)]


# --- shapes of lines -----------------------------------------------------------------------

THREE = [("q1", "d1", 3.0), ("q1", "d2", 2.0), ("q1", "d3", 1.0)]
PLAIN = "q1 Q0 d1 1 3.0 t\nq1 Q0 d2 2 2.0 t\nq1 Q0 d3 3 1.0 t\n"


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.rstrip("\n"),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r\n").rstrip(),
        PLAIN.replace(" ", "\t"),
        PLAIN.replace(" ", "  "),
        PLAIN.replace(" ", " \t "),
        "\n\n" + PLAIN.replace("\n", "\n\n"),
        PLAIN.replace("\n", " \n"),
        " " + PLAIN.replace("\n", "\n\t"),
        PLAIN + "   \n\t\n",
        "# ir_metadata.start\n#\n# tag: x\n" + PLAIN + "# ir_metadata.end",
        PLAIN.replace("3.0", "+3").replace("1.0", "10e-1"),
        PLAIN.replace("Q0 d1 1", "0 d1 first"),
    ],
)
def test_all_these_say_the_same(text: str) -> None:
    assert read(text) == THREE


@steady
@given(st.lists(st.tuples(ids, ids), min_size=1, max_size=12), st.data())
def test_any_id_and_any_blanks_come_back(rows: list[tuple[str, str]], data: st.DataObject) -> None:
    good = [(q, d) for q, d in rows]
    text = "".join(
        line.replace(" ", data.draw(BLANKS)) + data.draw(st.sampled_from(["\n", "\r\n", "\n\n"]))
        for line in lines(good)
    )
    assert [(q, d) for q, d, _ in read(text)] == good
    assert [(q, d) for q, d, _ in read("\n".join(lines(good)))] == good


def test_comments_are_counted() -> None:
    table = read_trec_run(content("# a\n#b c d e f g\n" + PLAIN + "#q Q0 d 1 2 t\n"))
    assert [(f.code, f.severity, f.count) for f in table.findings] == [("comment-lines", "low", 2)]
    assert rows_of(table)[-1] == ("#q", "d", 2.0)


@pytest.mark.parametrize(
    ("line", "what", "hint"),
    [
        ("q1 Q0 d1 1 3.0", "5 fields: 'q1 Q0 d1 1 3.0'", "the tag is missing"),
        ("d1 1 3.0", "3 fields", "six fields: query Q0 document rank score tag"),
        ("q1 Q0 d 1 1 3.0 t", "7 fields", "document id hold a blank"),
        ("q1 Q0 d1 1 3.0 my tag", "7 fields", "tag hold a blank"),
        ("qid Q0 docno rank score tag", "the score 'score' is not a number", "a header"),
        ("q1 Q0 d1 1 high t", "the score 'high' is not a number", "six fields"),
        ("q1 Q0 d1 1 0x10 t", "the score '0x10' is not a number", "six fields"),
        ("q1 Q0 d1 1 nan(1) t", "the score 'nan(1)' is not a number", "six fields"),
        ("q1 Q0 d\r1 1 3.0 t", "carriage return", "lines end with"),
        ("q1  d1 1 3.0 t", "5 fields", "six fields"),
    ],
)
def test_a_line_of_another_shape_is_an_error_or_skipped(line: str, what: str, hint: str) -> None:
    text = f"{PLAIN}\n{line}\n"
    with pytest.raises(InputError) as caught:
        read(text)
    (problem,) = caught.value.problems
    assert problem.where == "run.txt:5"
    assert what in problem.what
    assert hint in problem.hint
    table = read_trec_run(content(text), lenient=True)
    assert rows_of(table) == THREE
    assert [(f.code, f.count, f.examples) for f in table.findings] == [
        ("malformed-lines", 1, ("run.txt:5",))
    ]


def test_ten_faults_are_shown_and_all_are_counted() -> None:
    text = "".join(f"q Q0 d{i} 1 x t\n" if i % 2 else f"q d{i}\n" for i in range(40))
    with pytest.raises(InputError) as caught:
        read(text)
    places = [problem.where for problem in caught.value.problems]
    assert places == [f"run.txt:{i}" for i in range(1, 11)]
    assert caught.value.total == 40


def test_no_data_line_is_an_error() -> None:
    with pytest.raises(InputError, match="no line has the shape of a TREC run"):
        read("# nothing\n\n")
    with pytest.raises(InputError, match="no line has the shape of a TREC run"):
        read("d1 1 3.0\n", lenient=True)


@pytest.mark.parametrize("bad", [b"q1 Q0 d\xff1 1 3.0 t\n", b"q1 Q0  d1 1 3.0 t\xe4\n"])
def test_what_is_not_utf8_is_an_error_that_names_the_line(bad: bytes) -> None:
    with pytest.raises(InputError, match=r"run.txt:4: not UTF-8"):
        read(PLAIN.encode() + bad)


def test_a_skipped_header_leaves_no_query_behind() -> None:
    table = read_trec_run(content("qid Q0 docno rank score tag\n" + PLAIN), lenient=True)
    assert set(table.query.to_pylist()) == {"q1"}
    assert table.query.chunk(0).dictionary.to_pylist() == ["q1"]


def test_nan_is_read_as_nan() -> None:
    (row,) = read("q Q0 d 1 NaN t\n")
    assert math.isnan(row[2])


# --- scores --------------------------------------------------------------------------------

number_like = st.text("0123456789+-.eE_ nainfty", min_size=1, max_size=12).map(
    lambda text: text.replace(" ", "")
)


@steady
@given(
    st.floats(allow_nan=False).map(repr)
    | st.floats(allow_nan=False).map(lambda x: f"{x:.17e}")
    | st.decimals(allow_nan=False).map(str)
    | number_like.filter(bool)
)
@example("+3")
@example(".5")
@example("5.")
@example("1_0")
@example("1__0")
@example("infinity")
@example("-Inf")
@example("0x10")
@example("1e999")
@example("-1e999")
@example("1e-400")
@example("4.9406564584124654e-324")
@example("2.2250738585072011e-308")
@example("9007199254740993")
@example("0.1e")
@example("١٢")
@example("１.5")
def test_scores_are_what_float_reads_of_plain_digits(text: str) -> None:
    try:
        expected = float(text)
    except ValueError:
        expected = None
    if expected is None or not text.isascii() or "_" in text:
        with pytest.raises(InputError, match="is not a number"):
            read(f"q Q0 d 1 {text} t\n")
        return
    ((_, _, score),) = read(f"q Q0 d 1 {text} t\n")
    assert np.float64(score).tobytes() == np.float64(expected).tobytes() or math.isnan(expected)


# --- blocks --------------------------------------------------------------------------------


@steady
@given(
    st.lists(st.tuples(st.sampled_from(["q", "q1", "r"]), ids), min_size=1, max_size=30),
    st.integers(1, 200),
    st.sampled_from([" ", "\t", "  "]),
)
def test_blocks_hold_all_bytes_and_whole_lines(
    rows: list[tuple[str, str]], size: int, blank: str
) -> None:
    text = "".join(line.replace(" ", blank) + "\n" for line in lines(rows)).encode()
    buffer = pa.py_buffer(text)
    blocks = cut(buffer, size)
    assert b"".join(block.data.to_pybytes() for block in blocks) == text
    assert all(block.data.to_pybytes().endswith(b"\n") for block in blocks)
    assert [line_of_block(buffer, block) for block in blocks] == [
        text[: block.start].count(b"\n") + 1 for block in blocks
    ]


def test_blocks_of_a_grouped_file_hold_whole_queries() -> None:
    rows = [(f"q{i // 50}", f"d{i}") for i in range(1000)]
    text = "\n".join(lines(rows)).encode()
    blocks = cut(pa.py_buffer(text), 1000)
    seen = [{line.split()[0] for line in block.data.to_pybytes().splitlines()} for block in blocks]
    assert len(blocks) > 5
    assert sum(len(queries) for queries in seen) == 20


@pytest.mark.parametrize("size", [1, 7, 100, 1000, 10_000])
def test_block_size_changes_nothing(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(f"q{i % 7}", f"d{i}") for i in range(200)]
    shuffler = random.Random(size)
    shuffler.shuffle(rows)
    text = "\n".join([*lines(rows), "bad line", "", *lines(rows)])
    whole = read_trec_run(content(text), lenient=True)
    monkeypatch.setattr(trec_run_blocks.cut, "__defaults__", (size,))
    parts = read_trec_run(content(text), lenient=True)
    assert rows_of(parts) == rows_of(whole)
    assert parts.findings == whole.findings
    assert [parts.where(i) for i in range(400)] == [whole.where(i) for i in range(400)]


def test_places_are_the_lines_of_the_file() -> None:
    table = read_trec_run(content("\n# c\n" + PLAIN.replace("\n", "\n\n")))
    assert [table.where(i) for i in range(3)] == ["run.txt:3", "run.txt:5", "run.txt:7"]
    plain = read_trec_run(content(PLAIN))
    assert [plain.where(i) for i in range(3)] == ["run.txt:1", "run.txt:2", "run.txt:3"]


@steady
@given(st.text("ab \t\n\r#", max_size=60))
def test_a_plain_block_is_one_that_tidying_leaves_as_it_is(text: str) -> None:
    data = text.encode()
    if plain_delimiter(pa.py_buffer(data)) is None:
        return
    rows = text.split("\n")[: -1 if text.endswith("\n") else None]
    fields = [row.split() for row in rows]
    assert fields == [row.replace("\t", " ").split(" ") for row in rows]
    kept = tidy(pa.py_buffer(data)).data.to_pybytes().decode().splitlines()
    assert [line.split(" ") for line in kept] == [f for f in fields if len(f) == 6]


# --- files from the wild -------------------------------------------------------------------

ODD_RUNS = {
    "derived_layout/run_blank_lines": THREE,
    "derived_layout/run_bom": THREE,
    "derived_layout/run_comment": THREE,
    "derived_layout/run_crlf": THREE,
    "derived_layout/run_no_final_newline": THREE,
    "tabs_and_mixed_ws_pisa_522/run": [
        ("1", "doc1_1", 1.0),
        ("1", "doc1_2", 0.81),
        ("1", "doc1_3", 0.8),
    ],
    "hash_in_docid/run": [
        ("2024-105741", "msmarco_v2.1_doc_00_125364462#6_229054655", 2.5),
        ("2024-105741", "msmarco_v2.1_doc_00_1534870566#5_2687183111", 1.5),
    ],
}


@pytest.mark.parametrize("name", ODD_RUNS)
@pytest.mark.parametrize("lenient", [False, True])
def test_odd_but_good_files(name: str, lenient: bool, shared_data: Callable[[str], Path]) -> None:
    table = read_trec_run(open_content(shared_data(f"odd/{name}")), lenient=lenient)
    assert rows_of(table) == ODD_RUNS[name]


@pytest.mark.parametrize(
    ("name", "hint", "left"),
    [
        ("run_5col", "the tag is missing", []),
        ("run_3col", "six fields", []),
        ("run_docid_space", "document id hold a blank", THREE[1:]),
        ("run_tag_space", "tag hold a blank", []),
        ("run_header", "a header", THREE),
    ],
)
def test_odd_and_bad_files(
    name: str, hint: str, left: list[Row], shared_data: Callable[[str], Path]
) -> None:
    opened = open_content(shared_data(f"odd/derived_layout/{name}"), name)
    with pytest.raises(InputError, match=rf"{name}:1: .*{hint}"):
        read_trec_run(opened)
    if left:
        assert rows_of(read_trec_run(opened, lenient=True)) == left
        return
    with pytest.raises(InputError, match="no line has the shape"):
        read_trec_run(opened, lenient=True)
