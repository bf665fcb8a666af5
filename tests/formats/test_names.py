"""Spellings of names, and the reading of paths."""

from __future__ import annotations

import pytest

from rageval.formats.keys import ABSENT, Keys, dig
from rageval.formats.names import DATASET_NAMES, RUN_NAMES, SPELLINGS, find_name, folded


def test_every_name_has_spellings_and_they_are_folded():
    assert {*RUN_NAMES, *DATASET_NAMES} == SPELLINGS.keys()
    for spellings in SPELLINGS.values():
        assert len(set(spellings)) == len(spellings)
        assert [folded(spelling) for spelling in spellings] == list(spellings)


FOUND = [
    ("query_id", ["id", "query_id"], "query_id"),
    ("query_id", ["text", "_id"], "_id"),
    ("doc_id", ["Query-ID", "Corpus-ID"], "Corpus-ID"),
    ("doc_id", ["DocNo "], "DocNo "),
    ("retrieved", ["Retrieved Docs"], "Retrieved Docs"),
    ("relevant_docs", ["expected_ids"], "expected_ids"),
    ("relevant_docs", ["ground_truth"], None),
    ("score", ["distance"], None),
]


@pytest.mark.parametrize(("ours", "present", "theirs"), FOUND)
def test_names_are_found_by_their_likeliest_spelling(ours, present, theirs):
    assert find_name(ours, present) == theirs


def test_name_that_is_taken_is_not_found_again():
    assert find_name("doc_id", ["id"], taken=["id"]) is None


DUG = [
    ("a", {"a": 1}, 1),
    ("a.b", {"a": {"b": 2}}, 2),
    ("a.b", {"a.b": 3, "a": {"b": 2}}, 3),
    ("a.b", {"a": [1]}, ABSENT),
    ("a", {"a": None}, None),
    ("b", {"a": 1}, ABSENT),
]


@pytest.mark.parametrize(("path", "value", "found"), DUG)
def test_paths_lead_into_objects(path, value, found):
    assert dig(value, path) is found or dig(value, path) == found


def test_mapped_path_names_the_list_and_what_its_items_hold():
    keys = Keys({"retrieved": "out.hits[].node.id", "score": "out.hits[].sim"})
    assert keys.value("retrieved", {"out": {"hits": [1]}}) == [1]
    item = {"node": {"id": "d"}, "sim": 0.5}
    assert keys.in_item("doc_id", "retrieved", item) == "d"
    assert keys.in_item("score", "retrieved", item) == 0.5
