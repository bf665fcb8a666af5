from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval.data.hashing import hash_strings, mix_codes

steady = settings(max_examples=60, deadline=None)

texts = st.lists(st.text(max_size=30), max_size=40)


@steady
@given(texts)
def test_equal_strings_have_equal_hashes_wherever_they_stand(strings: list[str]) -> None:
    hashes = hash_strings(pa.array(strings, pa.string())).tolist()
    alone = [int(hash_strings(pa.array([text]))[0]) for text in strings]
    assert hashes == alone


@steady
@given(texts)
def test_different_short_strings_rarely_share_a_hash(strings: list[str]) -> None:
    distinct = list(dict.fromkeys(strings))
    hashes = hash_strings(pa.array(distinct, pa.string()))
    assert len(set(hashes.tolist())) == len(distinct)


@steady
@given(texts, st.integers(0, 40))
def test_a_slice_hashes_as_its_own_strings(strings: list[str], start: int) -> None:
    whole = pa.array(strings, pa.string())
    assert hash_strings(whole.slice(start)).tolist() == hash_strings(whole)[start:].tolist()


def test_many_rows_are_hashed_like_few() -> None:
    strings = [f"doc-{i * 7919}" for i in range(100_000)]
    hashes = hash_strings(pa.array(strings))
    assert len(np.unique(hashes)) == len(strings)
    assert hashes[70_000] == hash_strings(pa.array([strings[70_000]]))[0]


def test_the_code_of_the_query_changes_the_hash() -> None:
    hashes = hash_strings(pa.array(["d", "d"]))
    mixed = mix_codes(hashes, np.array([0, 1]))
    assert mixed[0] != mixed[1]
    assert (
        mix_codes(hashes, np.array([3, 3])).tolist()[0] == mix_codes(hashes[:1], np.array([3]))[0]
    )


def test_ids_of_any_length_are_told_apart_quickly() -> None:
    long = "x" * 20_000_000
    strings = pa.array(["a", long, long + "y", "b", long], pa.string())
    hashes = hash_strings(strings)
    assert len(set(hashes.tolist())) == 4
    assert hashes[1] == hashes[4]
