"""The JSON Schema agrees with what the loader accepts, and the stored copy is current."""

from __future__ import annotations

import json

import jsonschema
import pytest
import yaml

from rageval.config.reference import reference
from rageval.config.schema import config_schema, schema_text


@pytest.fixture
def validator(vocabulary):
    schema = config_schema(vocabulary, ["mrr"])
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


GOOD = """\
name: x
dataset: {path: qrels.txt, attributes: kind, grade_map: {"1": 4}}
strategies:
  - {name: a, run: a.run, baseline: true}
  - {name: b, run: {path: b.run, format: json, order: ascending}}
  - {name: c, runs: [a.run, {path: c.run}]}
  - {name: d, runs: {qrels: [a.run, b.run]}}
  - {name: e, runs: {qrels: a.run}}
measures: mrr
primary: mrr
comparison: {test: wilcoxon, alpha: 0.01, contrasts: [[a, b]], check: paired-t}
report: {formats: html, depth: 5}
environment: HOME
"""


def test_a_good_configuration_fits(validator, load):
    assert load(GOOD, {"HOME": "x"}).config.measures == ("mrr",)
    assert list(validator.iter_errors(yaml.safe_load(GOOD))) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: x", "nmae: x"),
        ("qrels.txt,", "qrels.txt, format: nothing,"),
        ("wilcoxon", "wilcox"),
        ("0.01", "0.9"),
        ("[[a, b]]", "[[a]]"),
        ("measures: mrr", "measures: []"),
        ("formats: html", "formats: [htm]"),
        ("depth: 5", "depth: 0"),
        ("order: ascending", "order: up"),
        ("[a.run, {path: c.run}]", "[]"),
        ("[a.run, {path: c.run}]", "[[a.run]]"),
        ("[a.run, {path: c.run}]", "[{path: c.run, seed: 1}]"),
        ("{qrels: [a.run, b.run]}", "{qrels: []}"),
        ("environment: HOME", "environment: [A-B]"),
    ],
)
def test_what_the_loader_refuses_the_schema_refuses(validator, faults, old, new):
    text = GOOD.replace(old, new)
    assert list(validator.iter_errors(yaml.safe_load(text)))
    assert faults(text, {"HOME": "x"})


def test_every_key_is_described(vocabulary):
    schema = config_schema(vocabulary, ["mrr"])
    records = [schema, *(part.get("anyOf", [0, part])[1] for part in schema["$defs"].values())]
    undescribed = [
        key
        for record in records
        for key, part in record["properties"].items()
        if not part.get("description") and "$ref" not in part
    ]
    assert undescribed == []


def test_the_stored_schema_is_current(project_root):
    from rageval.evaluation.schema import current_schema

    stored = (project_root / "configs" / "schema.json").read_text(encoding="utf-8")
    assert stored == current_schema(), (
        "run: python -m rageval.evaluation.schema > configs/schema.json"
    )
    assert json.loads(stored)["title"] == "A rageval evaluation"


def test_the_text_is_json(vocabulary):
    assert json.loads(schema_text(vocabulary, ["mrr"])) == config_schema(vocabulary, ["mrr"])


def test_the_documentation_lists_every_key(project_root):
    text = (project_root / "docs" / "config.md").read_text(encoding="utf-8")
    assert reference().strip() in text, "run: python -m rageval.config.reference"
