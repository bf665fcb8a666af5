"""Make the quickstart's corpus and runs: four ways of searching a handbook of 49 pages.

    python configs/quickstart/retrieve.py [FOLDER]

Writes the pages as `corpus.jsonl` and one TREC run file a strategy as `runs/NAME.trec` into
FOLDER (by default beside this file). Needs `bm25s` and `scikit-learn`. Nothing is random: the
same documents and queries give the same files, and nobody touched the rankings afterwards.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import bm25s
import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

HERE = Path(__file__).parent
DEPTH = 20
"""Documents kept for each query."""

Scores = NDArray[np.float64]
"""(queries, documents), higher is better."""


def read_documents() -> dict[str, str]:
    """Return the text of each document by its id, the file's stem."""
    files = sorted((HERE / "documents").glob("*.md"))
    return {file.stem: file.read_text(encoding="utf-8") for file in files}


def read_queries() -> dict[str, str]:
    """Return the text of each query by its id."""
    entries = json.loads((HERE / "queries.json").read_text(encoding="utf-8"))
    return {entry["id"]: entry["query"] for entry in entries}


def words(text: str) -> list[str]:
    """Split a text into lower-case words; `BT-18` stays one word."""
    return re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", text.lower())


def letters(text: str) -> str:
    """Keep the letters of a text, in lower case."""
    return re.sub(r"[^a-z]+", " ", text.lower())


def sentences(text: str) -> list[str]:
    """Cut a document into its title and its sentences."""
    return [part for part in re.split(r"\n+|(?<=[.;:]) ", text) if words(part)]


def bm25(texts: Sequence[str], queries: Sequence[str]) -> Scores:
    """Score each text by BM25 as Lucene computes it (k1 = 1.2, b = 0.75)."""
    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75, backend="numpy")
    index.index([words(text) for text in texts], show_progress=False)
    return np.array([index.get_scores(words(query)) for query in queries], dtype=np.float64)


def bm25_documents(documents: Sequence[str], queries: Sequence[str]) -> Scores:
    """Score whole documents by BM25."""
    return bm25(documents, queries)


def bm25_sentences(documents: Sequence[str], queries: Sequence[str]) -> Scores:
    """Score single sentences by BM25; the best one stands for its document."""
    parts = [sentences(document) for document in documents]
    scores = bm25([part for group in parts for part in group], queries)
    starts = np.cumsum([0, *(len(group) for group in parts)])[:-1]
    return np.maximum.reduceat(scores, starts, axis=1)


def latent_semantics(documents: Sequence[str], queries: Sequence[str]) -> Scores:
    """Score documents by their cosine to the query in a space of 40 latent dimensions.

    The dimensions are learnt from the parts of words, three and four letters long, so
    `calibrate` and `calibration` are close. Like most embeddings it is deaf to numbers: `E14`
    and `E34` are the same to it.
    """
    weigh = TfidfVectorizer(
        preprocessor=letters, analyzer="char_wb", ngram_range=(3, 4), sublinear_tf=True
    )
    reduce = TruncatedSVD(40, algorithm="arpack", random_state=0)
    known = reduce.fit_transform(weigh.fit_transform(documents))
    asked = reduce.transform(weigh.transform(queries))
    return unit(asked) @ unit(known).T


def unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale each row to length 1; a row of zeros stays as it is."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1)


def hybrid(documents: Sequence[str], queries: Sequence[str]) -> Scores:
    """Fuse BM25 over documents and latent semantics by reciprocal ranks (k = 5)."""
    both = (bm25_documents(documents, queries), latent_semantics(documents, queries))
    return np.sum([1 / (5 + ranks(scores)) for scores in both], axis=0)


def ranks(scores: Scores) -> NDArray[np.int64]:
    """Return the rank of every document for every query; (queries, documents), 1-based."""
    return np.argsort(order(scores), axis=1, kind="stable") + 1


def order(scores: Scores) -> NDArray[np.int64]:
    """Return the documents of each query from best to worst; equal scores keep their order."""
    return np.argsort(-scores.round(6), axis=1, kind="stable")


STRATEGIES: dict[str, Callable[[Sequence[str], Sequence[str]], Scores]] = {
    "bm25-documents": bm25_documents,
    "bm25-sentences": bm25_sentences,
    "lsa": latent_semantics,
    "hybrid": hybrid,
}


def run_lines(name: str, scores: Scores, queries: Sequence[str], documents: Sequence[str]) -> str:
    """Return a TREC run: the best documents of each query; one that scored 0 is not a hit."""
    lines = []
    for query, row, best in zip(queries, scores, order(scores), strict=True):
        hits = [i for i in best[:DEPTH] if row[i].round(6) > 0]
        lines += [
            f"{query} Q0 {documents[i]} {rank} {row[i]:.6f} {name}\n"
            for rank, i in enumerate(hits, 1)
        ]
    return "".join(lines)


def corpus_lines(documents: dict[str, str]) -> str:
    """Return the documents as JSON Lines: id, title, and the text on one line."""
    lines = []
    for doc_id, page in documents.items():
        title, _, text = page.partition("\n")
        entry = {"_id": doc_id, "title": title.lstrip("# "), "text": " ".join(text.split())}
        lines.append(json.dumps(entry, ensure_ascii=False) + "\n")
    return "".join(lines)


def main(folder: Path) -> None:
    """Write the corpus, and one run file a strategy."""
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    documents, queries = read_documents(), read_queries()
    (folder / "corpus.jsonl").write_text(corpus_lines(documents), encoding="utf-8")
    for name, retrieve in STRATEGIES.items():
        scores = retrieve(list(documents.values()), list(queries.values()))
        text = run_lines(name, scores, list(queries), list(documents))
        (folder / "runs" / f"{name}.trec").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
