"""Loading whole configurations."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rageval.config.loading import check_config, load_config
from rageval.errors import ConfigError

SMALL = """\
name: small
dataset: qrels.txt
strategies:
  - {name: bm25, run: a.run, baseline: true}
  - {name: dense, run: b.run, candidate: true}
"""

WHOLE = """\
# yaml-language-server: $schema=schema.json
name: whole
title: "Everything: at once"
datasets:
  - {name: one, path: qrels.txt, format: trec-qrels, topics: queries.tsv, grade_map: {1: 4}}
  - {path: beir, attributes: kind, split: dev}
strategies:
  - name: bm25
    production: yes
    runs: {one: a.run, beir: {path: b.run, order: ascending}}
  - name: no
    candidate: true
    description: 010
    runs: {one: {path: b.run, columns: {doc_id: passage}}, beir: c.run}
documents: {pattern: '(?P<doc>.+)#[0-9]+', judgments: on}
measures: [ndcg@10, RR, "map"]
primary: mrr
relevance_level: 2
no_relevant: exclude
lenient: true
comparison:
  test: sign-flip
  check: wilcoxon
  alpha: 1e-2
  correction: bh
  family: all
  contrasts: [[bm25, no]]
  equivalence_margin: .02
  resamples: 20000
report: {formats: [html], templates: templates, depth: 20, note: 12:30, folder: out}
seed: 7
"""


def test_a_small_configuration_takes_every_default(load, folder):
    loaded = load(SMALL)
    config = loaded.config
    assert loaded.base == folder
    assert loaded.path == folder / "x.yaml"
    assert config.measures == ("recall@5", "precision@5", "f1@5", "mrr", "ndcg@10")
    assert config.dataset_specs[0].name == "qrels"
    assert config.strategies[0].roles == ("baseline",)
    assert config.strategies[1].runs_for("qrels")[0].path == "b.run"
    assert config.comparison.test == "paired-t"
    assert config.report.formats == ("html", "pdf")
    assert loaded.resolve("a.run") == folder / "a.run"


def test_a_list_of_runs_repeats_a_strategy(load):
    text = SMALL.replace("run: b.run", "runs: [b.run, {path: c.run, order: ascending}]")
    loaded = load(text)
    bm25, dense = loaded.config.strategies
    assert [run.path for run in bm25.runs_for("qrels")] == ["a.run"]
    assert [run.path for run in dense.runs_for("qrels")] == ["b.run", "c.run"]
    assert [run.order for run in dense.runs_for("qrels")] == ["descending", "ascending"]
    assert [run["path"] for run in loaded.resolved["strategies"][1]["runs"]] == ["b.run", "c.run"]


def test_a_dataset_of_several_may_have_repeated_runs(load):
    text = WHOLE.replace("beir: {path: b.run, order: ascending}", "beir: [b.run, c.run]")
    bm25 = load(text).config.strategies[0]
    assert [run.path for run in bm25.runs_for("one")] == ["a.run"]
    assert [run.path for run in bm25.runs_for("beir")] == ["b.run", "c.run"]
    assert bm25.runs_for("other") == ()


def test_variables_in_repeated_runs_stay_as_written(load):
    text = SMALL.replace("run: b.run", "runs: ['${X}.run', {path: '${X}.run.1'}, c.run]")
    text += "environment: X\n"
    with pytest.raises(ConfigError, match=r"no such file: \$\{X\}.run.1"):
        load(text, {"X": "b"})
    loaded = load(text.replace(", {path: '${X}.run.1'}", ""), {"X": "b"})
    assert loaded.config.strategies[1].runs_for("")[0].path == "b.run"
    assert [run["path"] for run in loaded.resolved["strategies"][1]["runs"]] == [
        "${X}.run",
        "c.run",
    ]


def test_a_whole_configuration_keeps_what_was_written(load):
    config = load(WHOLE).config
    assert [spec.name for spec in config.dataset_specs] == ["one", "beir"]
    assert config.datasets[0].grade_map == {"1": 4}
    assert config.datasets[1].attributes == ("kind",)
    assert [strategy.name for strategy in config.strategies] == ["bm25", "no"]
    assert config.strategies[1].description == "010"
    assert config.strategies[0].runs_for("beir")[0].order == "ascending"
    assert config.strategies[1].runs_for("one")[0].columns == {"doc_id": "passage"}
    assert config.documents.judgments is True
    assert config.measures == ("ndcg@10", "RR", "map")
    assert config.comparison.alpha == 0.01
    assert config.comparison.contrasts == (("bm25", "no"),)
    assert config.report.note == "12:30"


@pytest.mark.parametrize(
    "name",
    ["no", "on", "1e3", "010", "0x1F", "2026-11-30", "12:30", "1_000", ".inf", "=", "TRUE", "0o7"],
)
def test_yaml_changes_no_name(load, name):
    config = load(SMALL.replace("dense", name)).config
    assert config.strategies[1].name == name


def test_null_takes_the_default_and_quoted_null_is_a_name(load):
    config = load(SMALL.replace("dense", "'null'") + "title:\ncomparison:\nmeasures: ~\n").config
    assert config.strategies[1].name == "null"
    assert config.title == ""
    assert config.measures[-1] == "ndcg@10"


def test_a_mapping_is_checked_like_a_file(folder, vocabulary):
    data = {
        "name": "x",
        "dataset": {"path": folder / "qrels.txt", "name": "d"},
        "strategies": ({"name": 7, "run": "a.run"}, {"name": "b", "run": "b.run"}),
        "comparison": {"alpha": 0.1, "contrasts": [("7", "b")]},
        "lenient": True,
    }
    loaded = check_config(data, folder, vocabulary)
    assert loaded.path is None
    assert loaded.config.strategies[0].name == "7"
    assert loaded.config.comparison.contrasts == (("7", "b"),)
    assert data["strategies"][0] == {"name": 7, "run": "a.run"}


def test_problems_of_a_mapping_name_their_place(folder, vocabulary):
    data = {"name": "x", "dataset": "qrels.txt", "strategies": [{"name": "a", "run": "no.run"}]}
    data["comparison"] = {"alpha": "big"}
    with pytest.raises(ConfigError) as caught:
        check_config(data, folder, vocabulary)
    places = [problem.where for problem in caught.value.problems]
    assert places == ["comparison.alpha", "strategies[0].run.path"]


def test_the_resolved_configuration_is_json_with_every_default(load):
    resolved = load(SMALL).resolved
    assert json.loads(json.dumps(resolved)) == resolved
    assert resolved["comparison"]["correction"] == "holm"
    assert resolved["strategies"][0]["run"]["path"] == "a.run"


def test_the_resolved_configuration_loads_again_to_the_same(load, folder, vocabulary):
    first = load(WHOLE)
    again = check_config(first.resolved, folder, vocabulary)
    assert again.config == first.config
    assert again.resolved == first.resolved


def test_paths_are_relative_to_the_file_not_to_the_current_folder(
    folder, vocabulary, monkeypatch, tmp_path_factory
):
    (folder / "x.yaml").write_text(SMALL, encoding="utf-8")
    monkeypatch.chdir(folder.parent)
    loaded = load_config(Path(folder.name) / "x.yaml", vocabulary)
    assert loaded.base == folder
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert loaded.resolve("a.run").exists()


@pytest.mark.parametrize("encode", [lambda t: b"\xef\xbb\xbf" + t.encode(), lambda t: t.encode()])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_bom_and_crlf_change_nothing(folder, vocabulary, encode, newline):
    path = folder / "x.yaml"
    path.write_bytes(encode(SMALL.replace("\n", newline)))
    assert load_config(path, vocabulary).config.strategies[1].name == "dense"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the configuration is empty (begin with `name: ...`)"),
        (b"# nothing\n", "the configuration is empty (begin with `name: ...`)"),
        (b"- a\n", "the configuration is not a block of keys and values (begin with `name: ...`)"),
        (b"just text", "the configuration is not a block of keys and values (begin with"),
        (b"name: x\ntitle: \xff\n", "x.yaml:2: the file is not UTF-8 (save it as UTF-8)"),
        ("name: x".encode("utf-16"), "x.yaml:1: the file is UTF-16 (save it as UTF-8)"),
        (b"name: a\x00b\n", "x.yaml:1: the character U+0000 is not allowed in YAML"),
        (b"#" * 250_001, "more than 250,000 bytes, which is no configuration"),
    ],
)
def test_what_is_no_configuration_is_told_in_one_message(folder, vocabulary, content, message):
    path = folder / "x.yaml"
    path.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        load_config(path, vocabulary)
    assert message in str(caught.value)
    assert len(caught.value.problems) == 1


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("absent.yaml", "cannot read the configuration: No such file or directory"),
        ("beir", "cannot read the configuration: Is a directory"),
        ("a\0b", "cannot read the configuration: not a usable path"),
        ("x" * 300, "cannot read the configuration: File name too long"),
    ],
)
def test_a_file_that_cannot_be_read(folder, vocabulary, path, message):
    with pytest.raises(ConfigError, match=message):
        load_config(folder / path, vocabulary)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(folder, vocabulary):
    path = folder / "x.yaml"
    path.write_text(SMALL, encoding="utf-8")
    path.chmod(0)
    with pytest.raises(ConfigError, match="Permission denied"):
        load_config(path, vocabulary)
