"""The README: its tables are those of the code, and what it shows works."""

from __future__ import annotations

import gzip
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from rageval.formats import DATASET_FORMATS, RUN_FORMATS
from rageval.measures import table

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    escaped = ([cell.replace("|", "\\|") for cell in row] for row in rows)
    lines = [header, ["---"] * len(header), *escaped]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def measures_table() -> str:
    return markdown(
        ("measure", "also written", "formula", "what it says"),
        (
            (f"`{m.name}`", ", ".join(f"`{s}`" for s in m.spellings), m.formula, m.summary)
            for m in table()
        ),
    )


def formats_table() -> str:
    kinds = (("dataset", DATASET_FORMATS), ("run", RUN_FORMATS))
    return markdown(
        ("", "format", "what it is"),
        ((kind, f"`{f.name}`", f.summary) for kind, formats in kinds for f in formats),
    )


@pytest.mark.parametrize(
    ("name", "expected"), [("measures", measures_table()), ("formats", formats_table())]
)
def test_tables_are_those_of_the_code(name: str, expected: str) -> None:
    match = re.search(f"<!-- {name} -->\n(.*?)<!-- /{name} -->", README, re.DOTALL)
    assert match is not None
    assert match[1].strip() == expected


def block(language: str, containing: str) -> str:
    blocks = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return next(text for text in blocks if containing in text)


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """Write the files that the README speaks of."""
    queries = [
        {"query": f"question {i}", "relevant_docs": [f"page-{i}", f"page-{i + 1}"]}
        for i in range(8)
    ]
    (tmp_path / "queries.json").write_text(json.dumps(queries), encoding="utf-8")
    (tmp_path / "handbook.yaml").write_text(block("yaml", "name: handbook"), encoding="utf-8")
    runs = tmp_path / "runs"
    runs.mkdir()
    ranked = {q["query"]: [f"page-{(i * 3) % 7}", f"page-{i}"] for i, q in enumerate(queries)}
    lines = [
        f"{q}\t{d}\t{3 - n}"
        for q, docs in ranked.items()
        for n, d in enumerate(dict.fromkeys(docs))
    ]
    (runs / "hybrid.csv").write_text(
        "query,doc_id,score\n" + "\n".join(lines).replace("\t", ",") + "\n", encoding="utf-8"
    )
    (runs / "dense.jsonl").write_text(
        "\n".join(
            json.dumps({"query": q, "retrieved": list(dict.fromkeys(d))}) for q, d in ranked.items()
        ),
        encoding="utf-8",
    )
    from rageval.config.models import DatasetSpec
    from rageval.formats import read_dataset

    dataset = read_dataset(DatasetSpec(path="queries.json"), tmp_path)
    trec = [f"{q} Q0 page-{n} {n} {9 - n} bm25" for q in dataset.query_ids for n in range(1, 9)]
    for path in (runs / "bm25.trec", tmp_path / "bm25.trec"):
        path.write_text("\n".join(trec) + "\n", encoding="utf-8")
    (tmp_path / "dense.trec").write_text("\n".join(trec[::2]) + "\n", encoding="utf-8")
    qrels = [f"{q} 0 page-{n} 1" for n, q in enumerate(dataset.query_ids)]
    (tmp_path / "qrels.txt").write_text("\n".join(qrels) + "\n", encoding="utf-8")
    (tmp_path / "per_query.csv").write_text(
        "query,a,b\n" + "".join(f"q{i},0.{i},0.{(i * 7) % 9}\n" for i in range(9)), encoding="utf-8"
    )
    return tmp_path


def commands(text: str) -> list[list[str]]:
    return [shlex.split(line, comments=True) for line in text.splitlines() if line]


def run(arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rageval", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100)


def test_the_configuration_is_valid_and_runs(workplace: Path) -> None:
    for command in commands(block("sh", "rageval run handbook.yaml")):
        # What goes through Prefect is tested beside the flow.
        without = ["--no-prefect"] if command[1] == "run" else []
        done = run([*command[1:], *without], workplace)
        assert done.returncode == 0, done.stderr
    latest = workplace / "reports" / "handbook" / "latest"
    assert {file.name for file in latest.iterdir()} >= {
        "report.html",
        "results.json",
        "per_query.csv",
        "comparisons.csv",
    }


def test_the_commands_run(workplace: Path) -> None:
    packed = gzip.compress((workplace / "dense.trec").read_bytes())
    (workplace / "dense.trec.gz").write_bytes(packed)
    made = run(["run", "handbook.yaml", "--no-prefect", "--formats", "html"], workplace)
    assert made.returncode == 0, made.stderr
    for command in commands(block("sh", "rageval score")):
        done = run(command[1:], workplace)
        assert done.returncode == 0, (command, done.stderr)
    assert (workplace / "reports" / "handbook" / "latest" / "tables.tex").is_file()


def test_the_class_works_as_shown(workplace: Path) -> None:
    code = block("python", "RetrievalEvaluator")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "0.4" in done.stdout


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in commands(block("sh", "make demo")):
        assert re.search(rf"^{command[1]}:", makefile, re.MULTILINE)


def test_what_it_links_to_exists() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
