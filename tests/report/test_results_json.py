"""results.json: strict, exact, deterministic, and read back to the same result."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace

import jsonschema
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rageval.data import EvaluationResult, Measurements
from rageval.errors import InputError
from rageval.report.html import render_html
from rageval.report.results_json import from_json, to_json
from rageval.report.tables import comparisons_csv, per_query_csv


def _same(a: object, b: object) -> bool:
    """Compare records field by field, with NaN equal to NaN."""
    if is_dataclass(a) and not isinstance(a, type):
        names = [field.name for field in fields(a)]
        return type(a) is type(b) and all(_same(getattr(a, n), getattr(b, n)) for n in names)
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and np.array_equal(a, b, equal_nan=True)
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(_same(a[k], b[k]) for k in a)
    if isinstance(a, float) and math.isnan(a):
        return isinstance(b, float) and math.isnan(b)
    return a == b


def _refuse(word: str) -> None:
    raise AssertionError(f"{word} is not JSON")


def test_it_is_strict_json(odd_result):
    document = json.loads(to_json(odd_result), parse_constant=_refuse)
    assert document["schema_version"] == 1
    assert to_json(odd_result).endswith(b"}\n")


def test_it_reads_back_to_the_same_result(odd_result):
    again = from_json(to_json(odd_result))
    assert _same(odd_result, again)
    assert to_json(again) == to_json(odd_result)


def test_the_result_that_is_read_back_renders_the_same_report(odd_result):
    again = from_json(to_json(odd_result))
    assert render_html(again) == render_html(odd_result)
    assert per_query_csv(again) == per_query_csv(odd_result)
    assert comparisons_csv(again) == comparisons_csv(odd_result)


def test_the_same_result_has_the_same_bytes(odd_result):
    assert to_json(odd_result) == to_json(replace(odd_result))


def test_values_stand_on_the_query_axis_at_full_precision(odd_result):
    cube = json.loads(to_json(odd_result))["datasets"][0]["measurements"]
    assert cube["query_ids"] == ["q1", "-2", "ق3"]
    assert cube["values"]["ndcg@10"]["=dense"] == [1.0, 0.0, 2 / 3]
    assert cube["values"]["judged@5"]["=dense"] == [None, None, None]
    assert cube["means"]["judged@5"] == {cube["strategies"][0]: 0.75, "=dense": None}


def test_keys_of_a_comparison_are_those_of_the_record(odd_result):
    planned = json.loads(to_json(odd_result))["datasets"][0]["planned"][0]
    assert list(planned) == [f.name for f in fields(odd_result.datasets[0].planned[0])]
    assert planned["mean_a"] == 0.1 + 0.2
    assert planned["ci_high"] == "Infinity"
    assert planned["simultaneous_low"] == "-Infinity"
    assert planned["relative_change"] is None


def test_lists_of_numbers_stand_in_one_line(odd_result):
    lines = to_json(odd_result).decode().splitlines()
    assert any(line.strip() == '"=dense": [1.0, 0.0, 0.6666666666666666]' for line in lines)


def test_an_evaluation_of_which_nothing_is_left(odd_result):
    cube = Measurements(("ndcg@10", "judged@5"), (), ("q1", "q2"), np.empty((2, 0, 2)))
    empty = replace(odd_result.datasets[0], measurements=cube, comparisons=(), planned=())
    result = replace(odd_result, datasets=(empty,))
    assert _same(from_json(to_json(result)), result)
    assert _same(from_json(to_json(replace(odd_result, datasets=()))).datasets, ())


def test_ten_thousand_queries(large_result):
    start = time.perf_counter()
    data = to_json(large_result)
    written = time.perf_counter()
    again = from_json(data)
    read = time.perf_counter()
    assert np.array_equal(
        again.datasets[0].measurements.values, large_result.datasets[0].measurements.values
    )
    assert len(data) < 12_000_000
    assert written - start < 10
    assert read - written < 10


@pytest.fixture
def schema(project_root):
    path = project_root / "rageval" / "report" / "schema" / "results.schema.json"
    return json.loads(path.read_text(encoding="utf-8"))


def test_it_fits_its_schema(odd_result, schema):
    jsonschema.Draft202012Validator.check_schema(schema)
    document = json.loads(to_json(odd_result))
    jsonschema.Draft202012Validator(schema).validate(document)


def test_the_schema_refuses_what_is_not_a_result(odd_result, schema):
    document = json.loads(to_json(odd_result))
    validator = jsonschema.Draft202012Validator(schema)
    for change in ({"alpha": "x"}, {"datasets": {}}, {"schema_version": 2}, {"surplus": 1}):
        assert list(validator.iter_errors({**document, **change}))


def test_the_stored_schema_and_the_table_of_keys_are_current(project_root, schema):
    from rageval.report.schema.generate import keys_in_markdown, results_schema

    assert schema == results_schema()
    assert keys_in_markdown() in (project_root / "docs" / "results.md").read_text(encoding="utf-8")


def test_the_texts_of_the_records_describe_the_keys(schema):
    described = schema["$defs"]["Comparison"]["properties"]["detectable_difference"]["description"]
    assert described == "Smallest true difference found with 80 % power at the unadjusted alpha."


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a results.json"),
        (b"\xff\xfe", "not a results.json"),
        (b"[1]", "not a results.json"),
        (b"{}", "not a results.json: 'schema_version' is missing"),
        (b'{"schema_version": 2}', "results.json has schema version 2 (this rageval reads"),
        (b'{"schema_version": 1}', "results.json is damaged: 'name' is missing"),
        (b"[" * 100_000, "not a results.json"),
    ],
)
def test_what_is_no_result_is_one_clear_error(data, message):
    with pytest.raises(InputError) as caught:
        from_json(data)
    assert str(caught.value).startswith(message)


_plain = st.none() | st.booleans() | st.integers(-5, 5) | st.text("ab", max_size=3)
_junk = _plain | st.lists(_plain, max_size=2) | st.dictionaries(st.text("ab", max_size=2), _plain)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_file_is_an_error_or_a_result(odd_result, data):
    document = json.loads(to_json(odd_result))
    place = data.draw(st.sampled_from(list(_places(document))))
    parent = document
    for key in place[:-1]:
        parent = parent[key]
    parent[place[-1]] = data.draw(_junk)
    try:
        told: object = from_json(json.dumps(document).encode())
    except InputError as error:
        told = str(error)
    assert isinstance(told, str | EvaluationResult)


def _places(value: object, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)  # type: ignore[arg-type]
    for key, item in items:
        yield (*place, key)
        if isinstance(item, dict | list):
            yield from _places(item, (*place, key))
