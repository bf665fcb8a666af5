"""`${NAME}`: only what is declared, never shown."""

from __future__ import annotations

import json

import pytest

GOOD = """\
name: x
environment: [DATA, LEVEL]
dataset: ${DATA}/qrels.txt
strategies:
  - {name: a, run: "${DATA}/a.run"}
  - {name: b, run: {path: "${DATA}/b.run"}}
relevance_level: ${LEVEL}
title: costs $${DATA} or $5
"""


@pytest.fixture
def environ(folder):
    return {"DATA": str(folder), "LEVEL": "2", "SECRET": "hunter2"}


def test_declared_variables_are_replaced(load, environ, folder):
    loaded = load(GOOD, environ)
    assert loaded.config.dataset.path == f"{folder}/qrels.txt"
    assert loaded.config.strategies[0].run.path == f"{folder}/a.run"
    assert loaded.config.relevance_level == 2
    assert loaded.config.title == "costs ${DATA} or $5"


def test_the_resolved_configuration_holds_no_value(load, environ, folder):
    loaded = load(GOOD, environ)
    assert str(folder) not in json.dumps(loaded.resolved)
    assert loaded.resolved["dataset"]["path"] == "${DATA}/qrels.txt"
    assert loaded.resolved["strategies"][0]["run"]["path"] == "${DATA}/a.run"
    assert loaded.resolved["relevance_level"] == "${LEVEL}"
    assert loaded.as_written(f"{folder}/b.run") == "${DATA}/b.run"


def test_one_name_may_stand_alone(load, environ):
    text = GOOD.replace("[DATA, LEVEL]", "DATA").replace("${LEVEL}", "1")
    assert load(text, environ).config.environment == ("DATA",)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[DATA, LEVEL]", "[DATA]", "7: ${LEVEL} is used but not declared (add LEVEL to `environ"),
        ("LEVEL", "NOWHERE", "2: the environment variable NOWHERE is declared but not set (set"),
        ("costs $$", "costs ${SECRET} $$", "8: ${SECRET} is used but not declared (add SECRET to"),
        ("or $5", "or ${}", "8: ${} is used but not declared (write $${ for a literal ${)"),
        ("a.run", "aa.run", "5: no such file: ${DATA}/aa.run (did you mean 'a.run'?)"),
    ],
)
def test_problems(faults, environ, old, new, problem):
    found = faults(GOOD.replace(old, new), environ)
    assert problem in [line[: len(problem)] for line in found]


def test_values_are_never_echoed(faults, environ):
    secret = {**environ, "DATA": "/hunter2", "LEVEL": "hunter2"}
    found = faults(GOOD, secret)
    assert len(found) == 4
    assert "hunter2" not in "\n".join(found)
    assert "7: relevance_level should be a whole number, got '${LEVEL}'" in found


def test_the_process_environment_is_the_default(folder, vocabulary, monkeypatch):
    from rageval.config.loading import load_config

    monkeypatch.setenv("DATA", str(folder))
    monkeypatch.setenv("LEVEL", "3")
    (folder / "x.yaml").write_text(GOOD, encoding="utf-8")
    assert load_config(folder / "x.yaml", vocabulary).config.relevance_level == 3
