"""Equality with C trec_eval 10 on real collections, to its printed four decimals."""

from __future__ import annotations

import gzip
import re
from collections import defaultdict

import pytest

from rageval.config.models import DatasetSpec, RunSpec
from rageval.formats import read_dataset, read_run
from rageval.judging import judge
from rageval.measures import compute, parse_measure

BM25 = ["bm25_doc_stem", "bm25_doc_nostem", "bm25_title_only", "bm25_chunk64_maxp",
        "bm25_chunk128_maxp", "bm25_chunk64ov32_maxp"]  # fmt: skip
COLLECTIONS = [
    *[("robust03", "qrels.txt.gz", f"runs/{n}.gz", n, 100)
      for n in ("aplrob03a", "fub03IeOLKe3", "NLPR03vb10", "uic0301")],
    *[("scifact", "qrels/test.tsv", f"runs/{n}.trec.gz", n, 300) for n in BM25],
    *[("cranfield", "qrels/test.tsv", f"runs/{n}.trec.gz", n, 225) for n in BM25],
]  # fmt: skip

NAMES = {"ndcg": "ndcg", "map": "map", "recip_rank": "mrr", "Rprec": "rprec", "bpref": "bpref"}
CUT = re.compile(r"(?P<name>ndcg_cut|map_cut|P|recall|success)_(?P<k>[0-9]+)")


def label_of(theirs: str) -> str | None:
    cut = CUT.fullmatch(theirs)
    return f"{cut['name'].removesuffix('_cut')}@{cut['k']}" if cut else NAMES.get(theirs)


def expected_values(path):
    values = defaultdict(dict)
    with gzip.open(path, "rt") as lines:
        for line in lines:
            measure, query, value = (part.strip() for part in line.split(None, 2))
            if query != "all":
                values[measure][query] = value
    return values


@pytest.fixture(scope="module")
def dataset_of(shared_data):
    known = {}

    def dataset(collection, qrels):
        if collection not in known:
            base = shared_data(collection)
            known[collection] = read_dataset(DatasetSpec(path=qrels), base)
        return known[collection]

    return dataset


@pytest.mark.parametrize(
    ("collection", "qrels", "path", "name", "queries"), COLLECTIONS, ids=lambda value: str(value)
)
def test_equal_to_trec_eval(collection, qrels, path, name, queries, shared_data, dataset_of):
    base = shared_data(collection)
    expected = expected_values(shared_data(f"{collection}/expected/{name}.trec_eval.txt.gz"))
    judged = judge(read_run(RunSpec(path=path), base), dataset_of(collection, qrels))
    compared = [theirs for theirs in expected if label_of(theirs)]
    assert len(compared) == 44
    for theirs in compared:
        values = compute(parse_measure(label_of(theirs)), judged)
        ours = {q: f"{v:.4f}" for q, v in zip(judged.qrels.query_ids, values, strict=True)}
        assert ours == expected[theirs], theirs
        assert len(ours) == queries


@pytest.mark.parametrize("name", BM25)
def test_rbp_equals_trec_eval_where_relevance_is_binary(name, shared_data, dataset_of):
    # trec_eval fixes p = 0.9 and weighs by grade, which is RBP for grades of 0 and 1 only.
    expected = expected_values(shared_data(f"scifact/expected/{name}.trec_eval.txt.gz"))
    run = read_run(RunSpec(path=f"runs/{name}.trec.gz"), shared_data("scifact"))
    judged = judge(run, dataset_of("scifact", "qrels/test.tsv"))
    values = compute(parse_measure("rbp(p=0.9)"), judged)
    ours = {q: f"{v:.4f}" for q, v in zip(judged.qrels.query_ids, values, strict=True)}
    assert ours == expected["rbp"]
