"""Work that releases the interpreter's lock, spread over the processors."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_LARGE_BYTES = 24 << 20
"""Below the 32 MiB at which glibc's threshold ends."""
MAX_THREADS = 8
"""Parsing and sorting are bound by memory: more threads than this gain nothing."""


def map_in_threads(function: Callable[[_Item], _Result], items: Sequence[_Item]) -> list[_Result]:
    """Apply a function to each item and return the results in order.

    One item, or one processor, takes no thread. The first error in order of the items is raised.
    """
    workers = min(len(items), _processors(), MAX_THREADS)
    if workers < 2:
        return [function(item) for item in items]
    from concurrent.futures import ThreadPoolExecutor

    _keep_freed_memory()
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(function, items))


def _keep_freed_memory() -> None:
    """Let the C library reuse the memory of large temporaries instead of giving it back.

    glibc maps large blocks anew each time, and the page faults take a fifth of the whole time,
    until it has seen a block of such a size freed once: then it keeps them (mallopt(3), "dynamic
    mmap threshold"). Other C libraries do as they please.
    """
    import numpy as np

    np.empty(_LARGE_BYTES, np.uint8)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
