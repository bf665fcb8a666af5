"""What a section is: a function from a subject to a view, and the template that shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rageval.report.model import Subject


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the report; stands beside its function."""

    key: str
    """Its anchor, and the name of its template below `sections/`."""
    title: str
    view: Callable[[Subject], object | None]
    """Return the frozen view that the template shows, or None where there is nothing to show."""
    per_dataset: bool = True
    """Whether it is shown once per dataset, or once with the first one."""
    numbered: bool = True

    @property
    def template(self) -> str:
        """Return the name of its template."""
        return f"sections/{self.key}.html.j2"
