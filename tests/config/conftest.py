"""A vocabulary and a folder of small files for the tests of configurations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rageval.config.loading import LoadedConfig, load_config
from rageval.config.vocabulary import Vocabulary
from rageval.errors import ConfigError

KNOWN = {"ndcg": "nDCG", "mrr": "MRR", "rr": "MRR", "recall": "Recall", "precision": "Precision"}
KNOWN |= {"f1": "F1", "map": "AP", "ap": "AP"}


def _label(text: str, relevance_level: int) -> str:
    name, _, cutoff = text.strip().partition("@")
    return f"{KNOWN[name.lower()]}(rel={relevance_level})" + (f"@{cutoff}" if cutoff else "")


def _problem(text: str) -> str | None:
    known = text.strip().partition("@")[0].lower() in KNOWN
    return None if known else f"unknown measure {text!r} (did you mean 'nDCG@10'?)"


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    return Vocabulary(
        check_measure=_problem,
        measure_label=_label,
        tests=("paired-t", "wilcoxon", "sign-flip"),
        corrections=("holm", "bonferroni", "bh"),
        dataset_formats=("trec-qrels", "beir"),
        run_formats=("trec-run", "json"),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the files that the configurations name."""
    for name in ("qrels.txt", "other.txt", "a.run", "b.run", "c.run", "queries.tsv", "map.csv"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    (tmp_path / "beir").mkdir()
    (tmp_path / "templates").mkdir()
    return tmp_path


@pytest.fixture
def load(folder: Path, vocabulary: Vocabulary) -> Callable[..., LoadedConfig]:
    """Return a function that loads a YAML text from that folder."""

    def load_text(text: str, environ: dict[str, str] | None = None) -> LoadedConfig:
        path = folder / "x.yaml"
        path.write_text(text, encoding="utf-8")
        return load_config(path, vocabulary, environ or {})

    return load_text


@pytest.fixture
def faults(load: Callable[..., LoadedConfig], folder: Path) -> Callable[..., list[str]]:
    """Return a function from a YAML text to its problems, as `LINE: text`."""

    def problems(text: str, environ: dict[str, str] | None = None) -> list[str]:
        with pytest.raises(ConfigError) as caught:
            load(text, environ)
        prefix = f"{folder / 'x.yaml'}:"
        return [line.removeprefix(prefix) for line in str(caught.value).splitlines()]

    return problems
