"""Every output from a result: one table, and the same promises for each of its entries."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from rageval.errors import InputError
from rageval.report.export import OUTPUTS, find_output
from rageval.report.outputs import data_files, report_bytes
from rageval.report.results_json import from_json, to_json
from tests.report import synthetic

FAST = [output for output in OUTPUTS if output.key != "pdf"]


def ids(output):
    return output.key


@pytest.mark.parametrize("output", FAST, ids=ids)
def test_results_json_is_enough(output, odd_result):
    again = from_json(to_json(odd_result))
    assert output.make(again, None) == output.make(odd_result, None)


@pytest.mark.parametrize("output", FAST, ids=ids)
@pytest.mark.parametrize("case", ["one query", "one strategy", "incomplete", "hostile names"])
def test_every_result_has_every_output(output, case):
    made = output.make(synthetic.case(case), None)
    assert made
    if output.text:
        assert "\ufffd" not in made.decode("utf-8")
    else:
        assert pq.read_table(io.BytesIO(made)).num_columns > 5


def test_the_pdf_too_is_that_of_the_report():
    """The bytes of the PDF, and of the files in it, come from the result alone."""
    result = synthetic.case("small")
    made = find_output("pdf").make(from_json(to_json(result)), None)
    assert made == report_bytes(result, "pdf")


def test_files_are_called_as_in_a_report_s_folder(odd_result):
    named = {output.file: output for output in OUTPUTS}
    assert len(named) == len(OUTPUTS)
    for name, content in data_files(odd_result).items():
        if name != "results.json":
            assert named[name].make(odd_result, None) == content
    assert {"report.html", "report.pdf"} <= set(named)


def test_names_are_forgiving_and_a_wrong_one_is_not():
    assert find_output(" PDF ").key == "pdf"
    with pytest.raises(InputError, match="did you mean 'latex'"):
        find_output("latx")
    with pytest.raises(InputError, match="known: latex, markdown, csv"):
        find_output("word")


def test_only_html_and_pdf_are_made_with_templates(odd_result, tmp_path: Path):
    assert {output.key for output in OUTPUTS if output.templates} == {"html", "pdf"}
    (tmp_path / "masthead.html.j2").write_text("<header><h1>Ours</h1></header>")
    made = find_output("html").make(odd_result, tmp_path).decode()
    assert "<h1>Ours</h1>" in made


def test_the_configuration_in_a_result_is_not_needed(odd_result):
    document = json.loads(to_json(odd_result))
    document["config"] = {}
    result = from_json(json.dumps(document).encode())
    for output in FAST:
        assert output.make(result, None)
