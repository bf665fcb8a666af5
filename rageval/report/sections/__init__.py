"""The sections of the report, in the order in which a reader asks for them.

What is the result, how sure is it, what could be wrong, where, why, how, from what. A section is
a function with its `SECTION` record beside it, and a template of the same key; to add one, write
both and name the module here.
"""

from rageval.report.section import Section
from rageval.report.sections import (
    cutoff,
    methods,
    overview,
    pairs,
    provenance,
    quality,
    queries,
    scores,
    slices,
    verdict,
)

SECTIONS: tuple[Section, ...] = (
    verdict.SECTION,
    overview.SECTION,
    scores.SECTION,
    pairs.SECTION,
    queries.SECTION,
    slices.SECTION,
    cutoff.SECTION,
    # The trend over scheduled runs belongs here.
    quality.SECTION,
    methods.SECTION,
    provenance.SECTION,
)

__all__ = ["SECTIONS"]
