"""The quickstart's data: whole, consistent, and made by the script beside it."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

STRATEGIES = ("bm25-documents", "bm25-sentences", "hybrid", "lsa")


@pytest.fixture(scope="module")
def folder(project_root: Path) -> Path:
    return project_root / "configs" / "quickstart"


@pytest.fixture(scope="module")
def documents(folder: Path) -> dict[str, str]:
    return {path.stem: path.read_text("utf-8") for path in (folder / "documents").glob("*.md")}


@pytest.fixture(scope="module")
def queries(folder: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads((folder / "queries.json").read_text("utf-8"))
    return entries


def test_documents_are_short_pages_with_a_title(documents: dict[str, str]) -> None:
    assert len(documents) >= 40
    for name, text in documents.items():
        assert re.fullmatch(r"[a-z0-9-]+", name)
        assert text.startswith("# "), name
        assert 80 <= len(text.split()) <= 250, name


def test_queries_have_a_category_and_graded_judgments(queries: list[dict[str, Any]]) -> None:
    assert len(queries) >= 60
    assert len({entry["id"] for entry in queries}) == len(queries)
    assert len({entry["query"].casefold() for entry in queries}) == len(queries)
    assert min(Counter(entry["category"] for entry in queries).values()) >= 10
    grades = Counter(grade for entry in queries for grade in entry["grades"].values())
    assert set(grades) == {0, 1, 2, 3}
    assert sum(len(entry["relevant_docs"]) > 1 for entry in queries) > len(queries) / 2


def test_judgments_name_documents_that_exist(
    queries: list[dict[str, Any]], documents: dict[str, str]
) -> None:
    for entry in queries:
        assert set(entry["grades"]) <= set(documents), entry["id"]
        relevant = [doc for doc, grade in entry["grades"].items() if grade > 0]
        assert entry["relevant_docs"] == relevant, entry["id"]
        assert relevant, entry["id"]


@pytest.mark.parametrize("name", STRATEGIES)
def test_runs_name_queries_and_documents_that_exist(
    name: str, folder: Path, queries: list[dict[str, Any]], documents: dict[str, str]
) -> None:
    rows = [line.split() for line in (folder / "runs" / f"{name}.trec").read_text().splitlines()]
    assert {row[0] for row in rows} <= {entry["id"] for entry in queries}
    assert {row[2] for row in rows} <= set(documents)
    assert len({(row[0], row[2]) for row in rows}) == len(rows)
    assert max(Counter(row[0] for row in rows).values()) <= 20


def test_the_corpus_holds_every_document_with_its_title(
    folder: Path, documents: dict[str, str]
) -> None:
    lines = (folder / "corpus.jsonl").read_text("utf-8").splitlines()
    entries = {entry["_id"]: entry for entry in map(json.loads, lines)}
    assert len(lines) == len(entries)
    assert entries.keys() == documents.keys()
    for name, page in documents.items():
        whole = ["#", *f"{entries[name]['title']} {entries[name]['text']}".split()]
        assert whole == page.split(), name


def test_the_script_makes_the_same_files(
    folder: Path, tmp_path: Path, need: Callable[[str], None]
) -> None:
    for library in ("bm25s", "sklearn"):
        if importlib.util.find_spec(library) is None:
            need(f"{library} (dependency group quickstart)")
    subprocess.run([sys.executable, folder / "retrieve.py", tmp_path], check=True)
    made = [path.relative_to(tmp_path) for path in tmp_path.rglob("*.*")]
    runs = [Path("runs", f"{name}.trec") for name in STRATEGIES]
    assert sorted(made) == sorted([Path("corpus.jsonl"), *runs])
    for path in made:
        assert (tmp_path / path).read_bytes() == (folder / path).read_bytes(), path
