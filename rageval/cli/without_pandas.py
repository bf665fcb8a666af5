"""Keep pandas out of commands, which have no use for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec


class _NoPandas:
    """A finder that says pandas is not installed."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is left out of commands", name=name)
        return None


def settle_arrow() -> None:
    """Let pyarrow find pandas missing, so that it does not import it for its first conversion.

    pyarrow asks once a process whether pandas is there, and importing it takes a third of the
    time that scoring a small file does. Later imports of pandas by others are not hindered.
    """
    import pyarrow as pa

    if "pandas" not in sys.modules:
        with _left_out():
            pa.array([])


@contextmanager
def _left_out() -> Iterator[None]:
    sys.meta_path.insert(0, _NoPandas)
    try:
        yield
    finally:
        sys.meta_path.remove(_NoPandas)
