"""A holder that Prefect passes on without looking inside."""

from __future__ import annotations

from typing import Generic, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Sealed(Generic[T_co]):
    """Hold a value between tasks.

    Prefect walks every list, mapping, dataclass and pydantic model among a task's arguments,
    item by item; a plain object like this one it passes by reference.
    """

    __slots__ = ("value",)

    def __init__(self, value: T_co) -> None:
        self.value = value
