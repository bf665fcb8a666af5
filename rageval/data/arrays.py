"""Array types of the records, and the one way to freeze an array."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Int32s = NDArray[np.int32]
Bools = NDArray[np.bool_]

_Array = TypeVar("_Array", bound=np.ndarray[Any, Any])


def frozen(array: _Array) -> _Array:
    """Mark an array read-only and return it."""
    array.setflags(write=False)
    return array
