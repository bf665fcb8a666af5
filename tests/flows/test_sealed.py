"""Prefect does not look inside a sealed value."""

from __future__ import annotations

from typing import Any

from prefect.utilities.collections import visit_collection

from flows.sealed import Sealed


def test_prefect_visits_the_holder_and_not_what_it_holds() -> None:
    seen: list[Any] = []
    sealed = Sealed([{"a": 1}])
    visit_collection({"x": sealed}, visit_fn=seen.append, return_data=False)
    assert sealed in seen
    assert not any(isinstance(item, list) or item == 1 for item in seen)
