"""CSV tables: what a spreadsheet and pandas read in them."""

from __future__ import annotations

import csv
import io
import time
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval.data import Comparison
from rageval.report.tables import comparisons_csv, guarded, per_query_csv


def rows(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def records(data: bytes) -> list[dict[str, str]]:
    header, *body = rows(data)
    return [dict(zip(header, row, strict=True)) for row in body]


@pytest.mark.parametrize("table", [per_query_csv, comparisons_csv])
def test_the_file_is_what_spreadsheets_expect(odd_result, table):
    data = table(odd_result)
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.endswith(b"\r\n")
    assert len({len(row) for row in rows(data)}) == 1
    assert table(odd_result) == data


@pytest.mark.parametrize("table", [per_query_csv, comparisons_csv])
def test_no_cell_is_a_formula_and_none_says_nan(odd_result, table):
    for row in rows(table(odd_result)):
        for cell in row:
            assert cell not in ("nan", "None", "inf" if table is per_query_csv else "nan")
            assert not cell.startswith(("=", "@", "\t", "\r", "\n", "＝"))
            assert not cell.startswith(("+", "-")) or is_number(cell)


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_a_row_for_each_dataset_query_and_strategy(odd_result):
    told = records(per_query_csv(odd_result))
    assert len(told) == 2 * 3 * 2
    assert list(told[0])[:5] == ["dataset", "query_id", "query", "attribute.kind", "attribute.<b>"]
    assert list(told[0])[5:] == ["strategy", "ndcg@10", "judged@5"]
    assert told[1]["strategy"] == "'=dense"
    assert told[2]["query_id"] == "'-2"
    assert told[2]["attribute.kind"] == "'+1"
    assert told[0]["query"] == "'=cmd|'/c calc'!A1"
    assert told[4]["query"] == 'says "hi",\r\nthen نعم \\ud800'
    assert told[0]["judged@5"] == "0.5"
    assert told[1]["judged@5"] == ""


def test_values_have_full_precision(odd_result):
    told = records(per_query_csv(odd_result))
    values = odd_result.datasets[0].measurements.values[0]
    assert [float(row["ndcg@10"]) for row in told[:6]] == values.T.ravel().tolist()


def test_pandas_reads_it_back(odd_result):
    frame = pd.read_csv(io.BytesIO(per_query_csv(odd_result)))
    wide = frame[frame.dataset == "one"].pivot(index="query_id", columns="strategy")
    assert wide["ndcg@10"]["'=dense"].to_dict() == {"q1": 1.0, "'-2": 0.0, "ق3": 2 / 3}
    assert frame["judged@5"].isna().sum() == 2 * 4


def test_planned_contrasts_all_pairs_and_slices(odd_result):
    told = records(comparisons_csv(odd_result))
    assert list(told[0]) == ["dataset", "set", "attribute", "value"] + [
        field.name for field in fields(Comparison)
    ]
    assert [row["set"] for row in told] == ["planned", "planned", "all pairs", "slice"] * 2
    assert [row["value"] for row in told[:4]] == ["", "", "", "how-to"]
    assert float(told[0]["mean_a"]) == 0.1 + 0.2
    assert told[0]["ci_low"] == "-0.25"
    assert told[0]["d_z_low"] == told[0]["within_margin"] == told[0]["p_check"] == ""
    assert told[0]["wins"] == "2"
    assert told[0]["finding"] == "inconclusive"


def test_a_column_may_come_in_another_order_of_measures(odd_result):
    """Columns follow the evaluation's measures, whatever the order inside the cube."""
    dataset = odd_result.datasets[0]
    cube = dataset.measurements
    assert cube.measures == tuple(measure.key for measure in odd_result.measures)
    turned = replace(cube, measures=cube.measures[::-1], values=cube.values[::-1].copy())
    result = replace(odd_result, datasets=(replace(dataset, measurements=turned),))
    assert records(per_query_csv(result)) == records(per_query_csv(odd_result))[:6]


def test_ten_thousand_queries(large_result):
    start = time.perf_counter()
    data = per_query_csv(large_result)
    assert time.perf_counter() - start < 10
    frame = pd.read_csv(io.BytesIO(data), usecols=["strategy", "ndcg@5"])
    last = frame[frame.strategy == "s9"]["ndcg@5"].to_numpy()
    np.testing.assert_array_equal(last, large_result.datasets[0].measurements.values[4, 9])


@given(st.text(max_size=8))
def test_guarded_text_keeps_its_characters_and_never_starts_a_formula(text):
    cell = guarded(text)
    assert cell.removeprefix("'") == text.removeprefix("'") or cell == text
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
