from __future__ import annotations

import math
import random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval.data import Run, Source
from rageval.errors import InputError
from rageval.formats.ranking import build_run
from rageval.formats.tables import RunTable

steady = settings(max_examples=60, deadline=None)

Row = tuple[str, str, float]
SOURCE = Source("run.txt", "trec-run", 0, 0)

ids = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=6)
scores = st.sampled_from([0.0, -0.0, 1.0, 1.5, -2.0, math.inf, -math.inf, 1e-320])
rows_of_a_run = st.dictionaries(st.tuples(st.sampled_from("pqr"), ids), scores, max_size=30).map(
    lambda pairs: [(query, doc, score) for (query, doc), score in pairs.items()]
)


def a_table(rows: list[Row], chunk: int = 0, **fields: object) -> RunTable:
    query, doc = [r[0] for r in rows], [r[1] for r in rows]
    size = chunk or max(len(rows), 1)
    starts = range(0, max(len(rows), 1), size)
    return RunTable(
        query=pa.chunked_array([query[i : i + size] for i in starts], pa.string()),
        doc=pa.chunked_array([doc[i : i + size] for i in starts], pa.string()),
        score=np.array([r[2] for r in rows], np.float64),
        where=lambda row: f"run.txt:{row + 1}",
        **fields,  # type: ignore[arg-type]
    )


def rankings(run: Run) -> dict[str, list[str]]:
    docs = run.doc_ids.to_pylist()
    bounds = zip(run.offsets[:-1], run.offsets[1:], strict=True)
    return {q: docs[i:j] for q, (i, j) in zip(run.query_ids, bounds, strict=True)}


def ranked_slowly(rows: list[Row], *, ascending: bool = False) -> dict[str, list[str]]:
    """Rank as the definition says: by score, equal scores by the id's bytes, descending."""
    ranked: dict[str, list[str]] = {}
    by_id = sorted(rows, key=lambda row: row[1].encode(), reverse=True)
    for query, doc, _ in sorted(by_id, key=lambda row: row[2] if ascending else -row[2]):
        ranked.setdefault(query, []).append(doc)
    return ranked


@steady
@given(rows_of_a_run, st.integers(0, 5), st.randoms(use_true_random=False))
def test_any_order_of_lines_and_any_chunks_give_the_ranking_of_the_definition(
    rows: list[Row], chunk: int, shuffler: random.Random
) -> None:
    shuffler.shuffle(rows)
    run = build_run(a_table(rows, chunk, empty_queries=("z",)), source=SOURCE)
    assert rankings(run) == {**ranked_slowly(rows), "z": []}


@steady
@given(rows_of_a_run, st.integers(0, 5))
def test_sorted_lines_give_what_shuffled_lines_give(rows: list[Row], chunk: int) -> None:
    slow = ranked_slowly(rows)
    score = {(q, d): s for q, d, s in rows}
    in_order = [(q, d, score[q, d]) for q, docs in slow.items() for d in docs]
    run = build_run(a_table(in_order, chunk, empty_queries=("z",)), source=SOURCE)
    assert rankings(run) == {**slow, "z": []}
    assert run.scores is not None
    assert run.scores.tolist() == [s for _, _, s in in_order]


@steady
@given(rows_of_a_run.filter(bool))
def test_ascending_order_is_for_distances(rows: list[Row]) -> None:
    run = build_run(a_table(rows), source=SOURCE, order="ascending")
    assert rankings(run) == ranked_slowly(rows, ascending=True)


@steady
@given(rows_of_a_run.filter(bool), st.integers(0, 5), st.data())
def test_lenient_reading_keeps_the_best_place_of_a_repeated_document(
    rows: list[Row], chunk: int, data: st.DataObject
) -> None:
    repeated = data.draw(st.sampled_from(rows))
    worse = (repeated[0], repeated[1], -math.inf)
    shuffled = data.draw(st.permutations([*rows, worse]))
    run = build_run(a_table(shuffled, chunk), source=SOURCE, lenient=True)
    assert rankings(run) == ranked_slowly(rows)
    assert [(f.code, f.count) for f in run.findings] == [("repeated-documents", 1)]


def test_lists_without_scores_keep_their_order() -> None:
    table = RunTable(
        query=pa.array(["q", "p", "q", "p"]),
        doc=pa.array(["a", "b", "c", "a"]),
        score=None,
        where=str,
    )
    run = build_run(table, source=SOURCE)
    assert rankings(run) == {"q": ["a", "c"], "p": ["b", "a"]}
    assert run.scores is None


def test_a_repeat_in_a_list_without_scores_keeps_its_first_place() -> None:
    table = RunTable(pa.array(["q"] * 4), pa.array(["a", "b", "a", "c"]), None, str)
    with pytest.raises(InputError, match="'a' more than once"):
        build_run(table, source=SOURCE)
    assert rankings(build_run(table, source=SOURCE, lenient=True)) == {"q": ["a", "b", "c"]}


def test_repeats_are_an_error_that_names_ten_places_and_the_count() -> None:
    rows = [("q", f"d{i // 2}", float(-i)) for i in range(30)]
    with pytest.raises(InputError) as caught:
        build_run(a_table(rows), source=SOURCE)
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("run.txt:2: query 'q' has document 'd0' more than once")
    assert "run.txt:1" in lines[0]
    assert len(lines) == 11
    assert "15 problems in all" in lines[-1]


def test_nan_is_an_error_that_names_the_place() -> None:
    rows = [("q", "a", 1.0), ("q", "b", math.nan), ("p", "c", math.nan)]
    with pytest.raises(InputError) as caught:
        build_run(a_table(rows, chunk=2), source=SOURCE)
    assert "run.txt:2: the score of document 'b' for query 'q' is NaN" in str(caught.value)
    assert caught.value.total == 2


def test_lenient_reading_skips_nan_and_counts_it() -> None:
    rows = [("q", "a", 1.0), ("q", "b", math.nan), ("p", "c", math.nan)]
    run = build_run(a_table(rows), source=SOURCE, lenient=True)
    assert rankings(run) == {"q": ["a"]}
    (finding,) = run.findings
    assert (finding.code, finding.count, finding.examples) == (
        "scores-not-a-number",
        2,
        ("run.txt:2", "run.txt:3"),
    )


def test_infinities_rank_and_do_not_pass_for_nan() -> None:
    rows = [("q", "a", -math.inf), ("q", "b", math.inf), ("q", "c", 0.0)]
    assert rankings(build_run(a_table(rows), source=SOURCE)) == {"q": ["b", "c", "a"]}


def test_negative_zero_ties_with_zero() -> None:
    rows = [("q", "a", 0.0), ("q", "b", -0.0), ("q", "c", 0.0)]
    assert rankings(build_run(a_table(rows), source=SOURCE)) == {"q": ["c", "b", "a"]}


def test_ties_follow_utf8_bytes_not_utf16() -> None:
    # U+FF5E comes before U+1F600 in UTF-8 and after it in UTF-16.
    rows = [("q", "\uff5e", 1.0), ("q", "\U0001f600", 1.0)]
    assert rankings(build_run(a_table(rows), source=SOURCE)) == {"q": ["\U0001f600", "\uff5e"]}


def test_nothing_left_is_an_error() -> None:
    with pytest.raises(InputError, match="holds no ranking"):
        build_run(a_table([("q", "a", math.nan)]), source=SOURCE, lenient=True)


def test_a_query_listed_as_empty_and_with_rows_is_one_query() -> None:
    run = build_run(a_table([("q", "a", 1.0)], empty_queries=("q", "z", "z")), source=SOURCE)
    assert rankings(run) == {"q": ["a"], "z": []}
