"""The judgments that one entry of a JSON dataset holds."""

from __future__ import annotations

from collections.abc import Mapping

from rageval.formats.items import UnfitError, beside, checked_id, listed
from rageval.formats.keys import ABSENT, Keys
from rageval.formats.names import looked_for

Judgment = tuple[str, str]
"""A document id and its grade as written."""

_RELEVANT = "1"
"""The grade of a document that is only listed as relevant."""


def judgments_of(entry: Mapping[str, object], keys: Keys) -> list[Judgment] | None:
    """Return the judgments of an entry, or None where it holds none (an empty list is some).

    `relevant_docs` is a list of ids or objects, a mapping of id to grade, or a lone id; `grades`
    is a list beside it or a mapping of id to grade, which may judge further documents.
    """
    relevant, grades = _given("relevant_docs", entry, keys), _given("grades", entry, keys)
    if relevant is ABSENT and grades is ABSENT:
        return None
    if relevant is ABSENT and not isinstance(grades, Mapping):
        raise UnfitError("`grades` without `relevant_docs` is not a mapping of id to grade")
    pairs = [] if relevant is ABSENT else list(listed(relevant, keys, "relevant_docs", "grade"))
    if grades is not ABSENT and not isinstance(grades, Mapping):
        values = beside(grades, pairs, "grades")
        pairs = [(doc, grade) for (doc, _), grade in zip(pairs, values, strict=True)]
    judgments = [(checked_id(doc), _grade_text(grade)) for doc, grade in pairs]
    return _regraded(judgments, grades) if isinstance(grades, Mapping) else judgments


def tidy_judgment(entry: Mapping[str, object], keys: Keys) -> list[Judgment] | None:
    """Return the one judgment of an entry such as `{query_id, doc_id, grade}`, or None."""
    path = keys.of_entry("doc_id", entry)
    if path is None or ("doc_id" not in keys.columns and path in ("id", "_id")):
        return None
    grade = keys.value("grade", entry)
    if grade is ABSENT:
        raise UnfitError("a document without a grade", f"looked for {looked_for('grade')}")
    return [(checked_id(keys.value("doc_id", entry)), _grade_text(grade))]


def _given(ours: str, entry: Mapping[str, object], keys: Keys) -> object:
    value = keys.value(ours, entry)
    return ABSENT if value is None else value


def _regraded(judgments: list[Judgment], grades: Mapping[str, object]) -> list[Judgment]:
    given = {doc: _grade_text(grade) for doc, grade in grades.items()}
    listed_docs = {doc for doc, _ in judgments}
    regraded = [(doc, given.get(doc, grade)) for doc, grade in judgments]
    return regraded + [(checked_id(d), g) for d, g in given.items() if d not in listed_docs]


def _grade_text(grade: object) -> str:
    if grade is ABSENT:
        return _RELEVANT
    if isinstance(grade, str | int | float) and not isinstance(grade, bool):
        return str(grade)
    raise UnfitError(f"the grade {grade!r} is not a number", "grades are whole numbers")
