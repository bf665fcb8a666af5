"""Parquet tables: tidy, exact, deterministic, and read by other tools."""

from __future__ import annotations

import io
import json
import time
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rageval.cli.values import values_file
from rageval.data import Comparison
from rageval.errors import RenderError
from rageval.formats.values import read_values
from rageval.report.parquet import comparisons_parquet, values_parquet
from rageval.report.tables import comparisons_csv, per_query_csv
from tests.report import synthetic


def table(data: bytes) -> pa.Table:
    return pq.read_table(io.BytesIO(data))


def test_a_row_for_each_dataset_query_strategy_and_measure(odd_result):
    told = table(values_parquet(odd_result)).to_pylist()
    assert len(told) == 2 * 3 * 2 * 2
    hostile = odd_result.strategies[0].name
    assert told[0] == {
        "dataset": "one",
        "query_id": "q1",
        "query": "=cmd|'/c calc'!A1",
        "attribute.kind": "how-to",
        "attribute.<b>": "@x",
        "strategy": hostile,
        "measure": "ndcg@10",
        "value": 1 / 3,
    }
    assert [row["measure"] for row in told[:3]] == ["ndcg@10", "judged@5", "ndcg@10"]
    assert told[3]["value"] is None
    assert told[4]["query_id"] == "-2"
    assert told[4]["query"] is None
    assert told[4]["attribute.<b>"] is None
    assert told[8]["query"] == 'says "hi",\r\nthen نعم \\ud800'
    assert told[12]["dataset"] == "two|<i>"


def test_the_schema_is_the_one_described(odd_result):
    schema = table(values_parquet(odd_result)).schema
    names = pa.dictionary(pa.int32(), pa.string())
    assert schema.field("strategy").type == schema.field("measure").type == names
    assert schema.field("query_id").type == pa.string()
    assert schema.field("value").type == pa.float64()
    about = json.loads(schema.metadata[b"rageval"])
    assert about == {
        "evaluation": "odd",
        "run_id": "r1",
        "created": "2026-11-30T06:00:00Z",
        "primary": "ndcg@10",
    }


def test_values_are_those_of_the_csv(odd_result):
    frame = pd.read_parquet(io.BytesIO(values_parquet(odd_result)))
    keys = ["dataset", "query_id", "strategy"]
    wide = frame.pivot(index=keys, columns="measure", values="value")
    told = pd.read_csv(io.BytesIO(per_query_csv(odd_result)))
    for name in ("query_id", "strategy"):
        told[name] = told[name].str.removeprefix("'")
    told = told.set_index(keys).reindex(wide.index)
    for key in ("ndcg@10", "judged@5"):
        np.testing.assert_array_equal(wide[key].to_numpy(), told[key].to_numpy())


@pytest.mark.parametrize("make", [values_parquet, comparisons_parquet])
@pytest.mark.parametrize("case", ["usual", "hostile names", "one strategy", "undefined values"])
def test_the_same_result_gives_the_same_bytes(make, case):
    assert make(synthetic.case(case)) == make(synthetic.CASES[case]())


def test_our_own_commands_read_it(tmp_path):
    """`rageval compare` takes the file as it takes the values of any tool."""
    result = synthetic.case("usual")
    path = tmp_path / "values.parquet"
    path.write_bytes(values_parquet(result))
    values = read_values([values_file(str(path))], ("ndcg@10",))
    ((_, cube),) = values.datasets
    kept = result.datasets[0].measurements
    for name in kept.strategies:
        order = [cube.query_ids.index(q) for q in kept.query_ids]
        found = cube.vector("ndcg@10", name)[order]
        np.testing.assert_array_equal(found, kept.vector("ndcg@10", name))


def test_comparisons_hold_what_the_csv_holds(odd_result):
    told = table(comparisons_parquet(odd_result))
    csv = pd.read_csv(io.BytesIO(comparisons_csv(odd_result)), keep_default_na=False)
    assert told.column_names == list(csv.columns)
    assert told.column_names[4:] == [field.name for field in fields(Comparison)]
    first = told.to_pylist()[0]
    assert first["set"] == "planned"
    assert first["attribute"] is None
    assert first["mean_a"] == 0.1 + 0.2
    assert first["ci_high"] == float("inf")
    assert first["d_z_low"] is first["within_margin"] is first["p_check"] is None
    assert [row["value"] for row in told.to_pylist()[:4]] == [None, None, None, "how-to"]
    types = {"n": pa.int64(), "p_value": pa.float64(), "finding": pa.string()}
    types |= {"within_margin": pa.bool_(), "queries_needed": pa.int64(), "p_check": pa.float64()}
    assert {name: told.schema.field(name).type for name in types} == types


def test_columns_keep_their_types_where_nothing_is_compared():
    """A reader of many evaluations can put their tables together."""
    alone, usual = (
        table(comparisons_parquet(synthetic.case(case))) for case in ("one strategy", "usual")
    )
    assert alone.num_rows == 0
    assert alone.schema.remove_metadata() == usual.schema.remove_metadata()


def test_a_count_that_no_column_holds_is_refused(odd_result):
    (dataset, _) = odd_result.datasets
    planned = (replace(dataset.planned[0], queries_needed=2**70),)
    result = replace(odd_result, datasets=(replace(dataset, planned=planned),))
    with pytest.raises(RenderError, match="64 bits"):
        comparisons_parquet(result)


def test_ten_thousand_queries(large_result):
    start = time.perf_counter()
    data = values_parquet(large_result)
    assert time.perf_counter() - start < 5
    told = table(data)
    assert told.num_rows == 10_000 * 10 * 5
    values = large_result.datasets[0].measurements.values
    found = told["value"].to_numpy().reshape(10_000, 10, 5)
    np.testing.assert_array_equal(found, values.transpose(2, 1, 0))
