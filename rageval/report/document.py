"""The whole document as a frozen view: masthead, contents and sections in their order."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from rageval.data import EvaluationResult
from rageval.report.branding import Branding, branding
from rageval.report.charts import scales_in
from rageval.report.model import Subject, Target, heading_id, subjects
from rageval.report.numbers import count
from rageval.report.section import Section
from rageval.report.sections import SECTIONS
from rageval.report.sections.quality import severity_summary
from rageval.report.sentences import headline
from rageval.report.text import isolated, shortened, visible

MAX_RUNNING_TITLE = 90


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and a value in the masthead."""

    name: str
    value: str


@dataclass(frozen=True)
class Masthead:
    """What the report is about, in a few facts."""

    eyebrow: str
    run: str
    title: str
    running_title: str
    facts: tuple[Fact, ...]
    note: str


@dataclass(frozen=True)
class Placed:
    """A section in its place: numbered, with its anchor, heading level and view."""

    key: str
    anchor: str
    title: str
    number: str
    level: int
    template: str = field(repr=False)
    view: object = None


@dataclass(frozen=True)
class Part:
    """Sections that stand together: those of the evaluation, or those of one dataset."""

    dataset: str
    """Name of the dataset where the part has a heading of its own, else empty."""
    facts: str
    anchor: str
    sections: tuple[Placed, ...]


@dataclass(frozen=True)
class Document:
    """Everything that the templates show."""

    title: str
    description: str
    created: str
    generator: str
    masthead: Masthead
    parts: tuple[Part, ...]
    scale_css: str
    run_id: str
    brand: Branding

    @property
    def verdict(self) -> Placed:
        """Return the section that opens the report."""
        return self.parts[0].sections[0]


def build_document(result: EvaluationResult, target: Target = "html") -> Document:
    """Compute everything that is shown, every word and every place of every drawing."""
    readings = subjects(result, target)
    parts = tuple(_parts(readings))
    version = result.provenance.versions.get("rageval", "")
    return Document(
        title=visible(result.title or result.name),
        description=headline(result),
        created=result.provenance.created,
        generator=f"rageval {version}".strip(),
        masthead=_masthead(readings),
        parts=parts,
        scale_css="".join(dict.fromkeys(scale.css for scale in scales_in(parts))),
        run_id=visible(result.provenance.run_id),
        brand=branding(result.brand),
    )


def _parts(readings: tuple[Subject, ...]) -> Iterator[Part]:
    first = [s for s in SECTIONS if not s.per_dataset]
    opening = [s for s in first if SECTIONS.index(s) < _first_of_dataset()]
    closing = [s for s in first if SECTIONS.index(s) > _first_of_dataset()]
    yield Part("", "", "", tuple(_placed(readings[0], opening, 0, 2)))
    number = sum(bool(p.number) for p in _placed(readings[0], opening, 0, 2))
    each = [s for s in SECTIONS if s.per_dataset]
    for i, reading in enumerate(readings):
        level = 3 if reading.several else 2
        placed = tuple(_placed(reading, each, number, level))
        name = reading.dataset.name if reading.several else ""
        yield Part(name, _dataset_facts(reading) if name else "", f"dataset-{i + 1}", placed)
        number += sum(bool(p.number) for p in placed)
    yield Part("", "", "", tuple(_placed(readings[0], closing, number, 2)))


def _first_of_dataset() -> int:
    return next(i for i, s in enumerate(SECTIONS) if s.per_dataset)


def _placed(reading: Subject, sections: list[Section], number: int, level: int) -> Iterator[Placed]:
    for section in sections:
        view = section.view(reading)
        if view is None:
            continue
        number += section.numbered
        anchor = heading_id(reading, section.key) if section.per_dataset else section.key
        yield Placed(
            section.key,
            anchor,
            section.title,
            str(number) if section.numbered else "",
            level,
            section.template,
            view,
        )


def _dataset_facts(reading: Subject) -> str:
    return (
        f"{count(reading.n_queries)} queries, {count(reading.dataset.n_judgments)} judgments, "
        f"{count(len(reading.names))} strategies; data checks: {severity_summary(reading.dataset)}"
    )


def _masthead(readings: tuple[Subject, ...]) -> Masthead:
    result = readings[0].result
    title = visible(result.title or result.name)
    note = result.config.get("report", {}).get("note", "")
    return Masthead(
        eyebrow=f"Retrieval evaluation report, {_date(result.provenance.created)}",
        run=visible(result.provenance.run_id),
        title=title,
        running_title=shortened(title, MAX_RUNNING_TITLE),
        facts=tuple(_facts(readings)),
        note=visible(str(note)),
    )


def _facts(readings: tuple[Subject, ...]) -> Iterator[Fact]:
    result = readings[0].result
    if len(readings) > 1:
        yield Fact("Datasets", count(len(readings)))
    else:
        yield Fact("Dataset", isolated(readings[0].dataset.name))
    yield Fact("Queries", count(sum(r.n_queries for r in readings)))
    yield Fact("Strategies", _strategies(result))
    yield Fact("Primary measure", readings[0].primary_label)
    yield Fact("Judgments", count(sum(r.dataset.n_judgments for r in readings)))
    if len(readings) == 1:
        yield Fact("Data checks", severity_summary(readings[0].dataset))


def _strategies(result: EvaluationResult) -> str:
    total = count(len(result.strategies))
    return total if result.complete else f"{total}, incomplete"


def _date(created: str) -> str:
    """Write the day in full: `30 November 2026`."""
    try:
        day = datetime.fromisoformat(created)
    except ValueError:
        return visible(created)
    return f"{day.day} {month_name[day.month]} {day.year}"
