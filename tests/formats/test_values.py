"""Per-query values of other tools: every form gives the same cube, and faults are told."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from rageval.data import Measurements
from rageval.errors import InputError
from rageval.formats.values import Values, ValuesFile, read_values

# Queries in natural order, a value that no float prints short, one value absent.
QUERIES = ("q1", "q2", "q10")
VALUES = {"bm25": [0.1, 0.30000000000000004, 0.0], "dense": [1 / 3, float("nan"), 1.0]}

Cells = list[tuple[str, str, float]]


def cells(order: Sequence[int] = (0, 1, 2)) -> Cells:
    return [(QUERIES[i], name, values[i]) for i in order for name, values in VALUES.items()]


def written(value: float) -> str:
    return "" if np.isnan(value) else repr(value)


def wide_text(delimiter: str, first: str = "query_id") -> str:
    rows = [
        delimiter.join([query, *(written(values[i]) for values in VALUES.values())])
        for i, query in enumerate(QUERIES)
    ]
    return "\n".join([delimiter.join([first, *VALUES]), *rows, ""])


def wide_csv(folder: Path) -> list[str]:
    (folder / "values.csv").write_text(wide_text(","))
    return ["values.csv"]


def wide_with_bom_and_crlf(folder: Path) -> list[str]:
    text = "\ufeff" + wide_text(",", "topic").replace("\n", "\r\n")
    (folder / "values.csv").write_bytes(text.encode())
    return ["values.csv"]


def wide_tsv(folder: Path) -> list[str]:
    (folder / "values.txt").write_text(wide_text("\t", "qid"))
    return ["values.txt"]


def wide_semicolons_and_gzip(folder: Path) -> list[str]:
    (folder / "values.csv.gz").write_bytes(gzip.compress(wide_text(";", "anything").encode()))
    return ["values.csv.gz"]


def wide_as_pandas_writes_an_index(folder: Path) -> list[str]:
    (folder / "values.csv").write_text(wide_text(",", ""))
    return ["values.csv"]


def wide_with_the_query_last(folder: Path) -> list[str]:
    rows = [
        [*(written(values[i]) for values in VALUES.values()), query]
        for i, query in enumerate(QUERIES)
    ]
    text = "\n".join(",".join(row) for row in [[*VALUES, "query"], *rows])
    (folder / "values.csv").write_text(text)
    return ["values.csv"]


def wide_parquet(folder: Path) -> list[str]:
    parquet.write_table(pa.table({"query_id": QUERIES, **VALUES}), folder / "values.parquet")
    return ["values.parquet"]


def wide_parquet_with_null_and_index(folder: Path) -> list[str]:
    columns = {name: pa.array(v, from_pandas=True) for name, v in VALUES.items()}
    table = pa.table({**columns, "__index_level_0__": QUERIES})
    parquet.write_table(table, folder / "values")
    return ["values"]


def tidy_csv(folder: Path) -> list[str]:
    rows = [f"{query},{name},{written(value)}" for query, name, value in cells((2, 0, 1))]
    (folder / "tidy.csv").write_text("\n".join(["query,strategy,value", *rows]))
    return ["tidy.csv"]


def tidy_parquet(folder: Path) -> list[str]:
    query, name, value = zip(*cells(), strict=True)
    table = pa.table(
        {
            "topic": query,
            "system": pa.array(name).dictionary_encode(),
            "metric": ["value"] * len(query),
            "score": value,
        }
    )
    parquet.write_table(table, folder / "tidy.parquet")
    return ["tidy.parquet"]


def tidy_with_a_column_per_measure(folder: Path) -> list[str]:
    rows = [f"{name},{query},{written(value)}" for query, name, value in cells()]
    (folder / "tidy.csv").write_text("\n".join(["runid,topic,value", *rows]))
    return ["tidy.csv"]


def trec_eval(folder: Path) -> list[str]:
    for name, values in VALUES.items():
        lines = [
            f"value                 \t{query}\t{value!r}\n"
            for query, value in zip(QUERIES, values, strict=True)
        ]
        noise = [f"relstring\tq1\t'0010'\nrunid\tall\t{name}\nvalue\tall\t0.5\n"]
        (folder / f"{name}.txt").write_text("".join([*lines, *noise]))
    return ["bm25.txt", "dense.txt"]


def scores_json(folder: Path) -> list[str]:
    document = {
        "strategies": {
            name: {
                "mean": {"value": 0.5},
                "per_query": {
                    "value": {
                        query: None if np.isnan(value) else value
                        for query, value in zip(QUERIES, values, strict=True)
                    }
                },
            }
            for name, values in VALUES.items()
        }
    }
    (folder / "scores.json").write_text(json.dumps(document))
    return ["scores.json"]


FORMS: tuple[Callable[[Path], list[str]], ...] = (
    wide_csv,
    wide_with_bom_and_crlf,
    wide_tsv,
    wide_semicolons_and_gzip,
    wide_as_pandas_writes_an_index,
    wide_with_the_query_last,
    wide_parquet,
    wide_parquet_with_null_and_index,
    tidy_csv,
    tidy_parquet,
    tidy_with_a_column_per_measure,
    trec_eval,
    scores_json,
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(*texts: str, measures: Sequence[str] = ()) -> Values:
    return read_values([ValuesFile(text) for text in texts], measures)


def only(values: Values) -> Measurements:
    ((_, cube),) = values.datasets
    return cube


@pytest.mark.parametrize("write", FORMS, ids=lambda write: write.__name__)
def test_every_form_gives_the_same_values(
    write: Callable[[Path], list[str]], tmp_path: Path
) -> None:
    values = read(*write(tmp_path))
    cube = only(values)
    assert cube.measures == ("value",)
    assert cube.strategies == tuple(VALUES)
    assert cube.query_ids == QUERIES
    np.testing.assert_array_equal(cube.values[0], np.array(list(VALUES.values())))
    (finding,) = values.findings
    assert (finding.strategy, finding.count, finding.total) == ("dense", 1, 3)
    assert finding.examples == ("q2",)


def test_one_file_of_trec_eval_is_one_strategy(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="only one strategy, 'bm25'"):
        read(*trec_eval(tmp_path)[:1])


def test_a_query_that_one_file_of_trec_eval_lacks_has_no_value(tmp_path: Path) -> None:
    (tmp_path / "a.eval").write_text("map\tq1\t0.5\nmap\tq2\t0.25\n")
    (tmp_path / "b.eval").write_text("map\tq2\t1\n")
    values = read("a.eval", "b.eval")
    np.testing.assert_array_equal(only(values).values[0], [[0.5, 0.25], [np.nan, 1]])
    assert [(f.strategy, f.examples) for f in values.findings] == [("b", ("q1",))]


WIDE = "query_id,bm25,dense\n"

FAULTS = [
    (WIDE + "q1,0.5,x\nq2,0.5,0.1\n", "v.csv:2: the 'dense' value 'x' is not a number"),
    (WIDE + "q1,0.5,1_0\n", "v.csv:2: the 'dense' value '1_0' is not a number"),
    (WIDE + "q1,0.5,0.1\n\nq1,0.2,0.1\n", "v.csv:4: the query 'q1' stands here once more"),
    (WIDE + "q1,0.5,inf\n", "v.csv:2: an infinite value"),
    (WIDE + "q1,0.5,-Infinity\n", "v.csv:2: an infinite value"),
    (WIDE + "q1,0.5,1e999\n", "v.csv:2: an infinite value"),
    (WIDE + "q1,0.5\n", "v.csv:2: 2 fields instead of 3"),
    (WIDE + "q1,.1,.2\n,.5,.4\n", "v.csv:3: query: an empty id"),
    (WIDE, "v.csv: no row stands below the header"),
    ("query_id,bm25\nq1,0.5\n", "v.csv: only one strategy, 'bm25'"),
    ("query_id,bm25,bm25\nq1,0.5,.5\n", "v.csv: two columns are called 'bm25'"),
    ("query_id,bm25,,\nq1,0.5,.5,.1\n", "v.csv: the column 3 has no name"),
    ("q1,0.5,0.1\nq2,0.5,0.1\n", "v.csv:1: the first line holds numbers (0.5)"),
    ("query,strategy,value\nq1,a,1\nq1,b,1\nq1,a,1\n", "v.csv:4: the query 'q1' stands here"),
    ("query,strategy,value\nq1,a,1\nq1,,1\n", "v.csv:3: strategy: an empty id"),
    ("query,strategy,map\nq1,a,1\nq1,b,one\n", "v.csv:3: the 'map' value 'one' is not a number"),
    ("query,strategy\nq1,a\nq1,b\n", "v.csv: no column holds values"),
    ("", "v.csv: the file is empty"),
    ("q1 Q0 d 1 0.5 t\n", "v.csv: looks like a run"),
    ("q1 0 d 1\n", "v.csv: looks like judgments"),
    ("words\nand words\n", "v.csv: not recognised as values"),
    ('{"q1": {"d1": 0.5}}', "v.csv: not recognised as values"),
    ("map\tall\t0.5\n", "v.csv: holds only means over all queries (run trec_eval with -q)"),
    ("map\tq1\t0.5\nmap\tq2\t0.5\t1\n", "v.csv:2: 4 fields instead of 3"),
]


@pytest.mark.parametrize(("text", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_faults_name_file_and_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(text)
    with pytest.raises(InputError) as caught:
        read("v.csv")
    assert str(caught.value).startswith(message)


def test_a_repeated_query_is_told_once_for_all_strategies(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("query_id,a,b,c\nq1,1,1,1\nq1,2,2,2\n")
    with pytest.raises(InputError) as caught:
        read("v.csv")
    assert caught.value.total == 1


def test_the_first_ten_faults_and_the_count(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(WIDE + "".join(f"q{i},x,y\n" for i in range(20)))
    with pytest.raises(InputError, match="40 problems in all, the first 10 shown"):
        read("v.csv")


@pytest.mark.parametrize("absent", ["", " ", "NA", "nan", "NaN"])
def test_what_counts_as_no_value(absent: str, tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(WIDE + f"q1,0.5,{absent}\nq2,0.25,1\n")
    values = read("v.csv")
    np.testing.assert_array_equal(only(values).values[0], [[0.5, 0.25], [np.nan, 1]])
    assert values.findings[0].count == 1


def test_rows_of_means_are_no_queries(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(WIDE + "q1,0.5,1\namean,0.5,1\nall,0.5,1\n")
    values = read("v.csv")
    assert only(values).query_ids == ("q1",)
    assert values.findings[0].count == 2
    assert values.findings[0].examples == ("v.csv:3", "v.csv:4")


def test_numbers_may_name_strategies_below_the_name_of_a_query(tmp_path: Path) -> None:
    (tmp_path / "v.tsv").write_text("topic\t128\t256\n301\t0.5\t0.25\n")
    assert only(read("v.tsv")).strategies == ("128", "256")


def test_a_strategy_called_run_is_a_column_of_values(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("topic,run,rerun\n301,0.5,0.25\n")
    assert only(read("v.csv")).strategies == ("run", "rerun")


def test_several_datasets_have_their_own_queries(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(
        "dataset,query_id,query,attribute.kind,strategy,ndcg@10,mrr\n"
        "en,q1,what?,faq,a,0.5,1\nen,q1,what?,faq,b,0.25,1\nde,q1,was?,,a,1,1\nde,q1,was?,,b,,0\n"
    )
    (first, english), (second, german) = read("v.csv").datasets
    assert (first, second) == ("en", "de")
    assert english.measures == german.measures == ("ndcg@10", "mrr")
    np.testing.assert_array_equal(english.values[:, :, 0], [[0.5, 0.25], [1, 1]])
    np.testing.assert_array_equal(german.values[:, :, 0], [[1, np.nan], [1, 0]])


def test_columns_that_were_not_chosen_need_hold_no_numbers(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("query,strategy,map,answer\nq1,a,.5,yes\nq1,b,1,no\n")
    assert only(read("v.csv", measures=["map"])).measures == ("map",)


def eval_file(folder: Path, name: str, measures: Sequence[str]) -> str:
    (folder / name).write_text("".join(f"{m}\tq{q}\t0.{q}\n" for m in measures for q in (1, 2)))
    return name


@pytest.mark.parametrize(
    ("held", "asked", "compared"),
    [
        (("num_ret", "map", "ndcg_cut_10"), (), ("ndcg_cut_10",)),
        (("num_ret", "map", "P_5"), (), ("map",)),
        (("recip_rank", "P_5"), (), ("recip_rank",)),
        (("map", "ndcg_cut_10"), ("map",), ("map",)),
        (("map", "ndcg_cut_10"), ("NDCG_cut.10", "map"), ("ndcg_cut_10", "map")),
    ],
)
def test_measures_of_trec_eval(
    held: Sequence[str], asked: Sequence[str], compared: Sequence[str], tmp_path: Path
) -> None:
    files = [eval_file(tmp_path, name, held) for name in ("a.eval", "b.eval")]
    values = read(*files, measures=asked)
    assert only(values).measures == compared
    assert only(values).strategies == ("a", "b")
    assert values.available == held


def test_the_default_measure_is_one_that_every_file_has(tmp_path: Path) -> None:
    files = [
        eval_file(tmp_path, "a.eval", ("map", "ndcg_cut_10")),
        eval_file(tmp_path, "b.eval", ("map",)),
    ]
    assert only(read(*files)).measures == ("map",)
    with pytest.raises(InputError, match="no ndcg_cut_10 of 'b'"):
        read(*files, measures=["ndcg_cut_10"])
    eval_file(tmp_path, "c.eval", ("P_5",))
    with pytest.raises(InputError, match="no measure is in every file"):
        read("a.eval", "c.eval")


def test_an_unknown_measure_is_told_with_the_right_one(tmp_path: Path) -> None:
    files = [eval_file(tmp_path, name, ["ndcg_cut_10"]) for name in ("a.eval", "b.eval")]
    with pytest.raises(InputError, match="did you mean 'ndcg_cut_10'"):
        read(*files, measures=["ndcg_cut_1"])


def test_names_of_files_and_two_files_of_one_name(tmp_path: Path) -> None:
    eval_file(tmp_path, "a.eval", ["map"])
    named = [ValuesFile("a.eval", "first"), ValuesFile("a.eval", "second")]
    assert only(read_values(named)).strategies == ("first", "second")
    with pytest.raises(InputError, match=r"both a\.eval and a\.eval hold the values of 'a'"):
        read("a.eval", "a.eval")


def test_a_file_of_two_strategies_cannot_take_one_name(tmp_path: Path) -> None:
    wide_csv(tmp_path)
    with pytest.raises(InputError, match="holds 2 strategies"):
        read_values([ValuesFile("values.csv", "mine")])


def test_tables_of_one_strategy_complete_each_other(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("query,ndcg\nq1,0.5\nq2,1\n")
    (tmp_path / "b.csv").write_text("query,ndcg\nq2,0.25\nq1,0\n")
    cube = only(read_values([ValuesFile("a.csv", "a"), ValuesFile("b.csv", "b")]))
    np.testing.assert_array_equal(cube.matrix("value"), [[0.5, 1], [0, 0.25]])


def test_a_nameless_measure_takes_the_name_that_is_asked_for(tmp_path: Path) -> None:
    assert only(read(*wide_csv(tmp_path), measures=["nDCG@10"])).measures == ("nDCG@10",)


@pytest.mark.parametrize("kind", [pa.float64(), pa.bool_()])
def test_parquet_ids_are_text_or_whole_numbers(kind: pa.DataType, tmp_path: Path) -> None:
    table = pa.table({"query_id": pa.array([1, 0]).cast(kind), "a": [1.0, 2], "b": [1.0, 2]})
    parquet.write_table(table, tmp_path / "v.parquet")
    with pytest.raises(InputError, match="no ids"):
        read("v.parquet")


@given(st.permutations(range(3)), st.permutations(range(2)))
def test_the_order_of_rows_never_matters(
    tmp_path_factory: pytest.TempPathFactory, rows: list[int], columns: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("order")
    names = [list(VALUES)[i] for i in columns]
    lines = [",".join([QUERIES[i], *(written(VALUES[n][i]) for n in names)]) for i in rows]
    (folder / "v.csv").write_text("\n".join([",".join(["query_id", *names]), *lines]))
    cube = only(read(str(folder / "v.csv")))
    assert cube.query_ids == QUERIES
    assert cube.strategies == tuple(names)
    for name in names:
        np.testing.assert_array_equal(cube.vector("value", name), VALUES[name])


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_no_digit_is_lost(tmp_path_factory: pytest.TempPathFactory, numbers: list[float]) -> None:
    path = tmp_path_factory.mktemp("digits") / "v.csv"
    rows = [f"q{i},{x!r},{-x!r}" for i, x in enumerate(numbers)]
    path.write_text("\n".join(["query_id,a,b", *rows]))
    cube = only(read(str(path)))
    np.testing.assert_array_equal(cube.vector("value", "a"), numbers)
    np.testing.assert_array_equal(cube.vector("value", "b"), -np.array(numbers))
