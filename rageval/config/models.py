"""The configuration of an evaluation, as records.

Every scalar of the YAML arrives as text (see `rageval.config.yaml_text`), so `no`, `1e3`, `010`
and dates cannot turn into something else on their way into a name; pydantic converts where a
field wants a number.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
Text = Annotated[str, StringConstraints(strip_whitespace=True)]


def _one_or_more(value: object) -> object:
    return [value] if isinstance(value, str) else value


class Record(BaseModel):
    """Base of all parts: unknown keys are errors, values do not change after reading."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, coerce_numbers_to_str=True, str_strip_whitespace=False
    )


class FileSpec(Record):
    """A file to read. A plain string in the YAML is `path` alone."""

    path: Text = Field(description="File or folder, relative to this configuration.")
    format: str | None = Field(
        None, description="Force a format; by default it is detected from the content."
    )
    columns: dict[str, str] = Field(
        default_factory=dict,
        description="Names in the file for our names: `doc_id: passage_id`, "
        "`retrieved: hits[].chunk_id`.",
    )


class RunSpec(FileSpec):
    """A run file."""

    order: Literal["descending", "ascending"] = Field(
        "descending", description="`ascending` where a smaller score is better (distances)."
    )


class DatasetSpec(FileSpec):
    """Queries and judgments."""

    name: Name = Field("", description="By default the file's stem.", validate_default=False)
    topics: Text | None = Field(
        None, description="Query texts for TREC qrels: a TSV of query id and text."
    )
    corpus: Text | None = Field(
        None, description="Documents (JSONL) or a plain list of document ids, one a line."
    )
    attributes: Annotated[tuple[str, ...] | None, BeforeValidator(_one_or_more)] = Field(
        None, description="Which query attributes to keep for slices; by default all."
    )
    grade_map: dict[str, int] = Field(
        default_factory=dict,
        description="A collection's codes to grades, e.g. `1: 4` where 1 is the best code.",
    )
    split: str | None = Field(
        None, description="Which file of a BEIR folder's `qrels/`; by default `test`, else the one."
    )


class StrategySpec(Record):
    """A retrieval strategy and what it retrieved."""

    name: Name
    run: RunSpec | None = Field(None, description="What it retrieved for the one dataset.")
    runs: dict[str, RunSpec] = Field(
        default_factory=dict, description="Dataset name to run, where there are several datasets."
    )
    description: str = ""
    baseline: bool = False
    production: bool = False
    candidate: bool = False


class DocumentsSpec(Record):
    """How the ids in the runs become document ids (the best chunk stands for its document)."""

    pattern: str | None = Field(
        None,
        description="Regular expression over the whole id; its group `doc` (else its first "
        r"group) is the document, e.g. `(?P<doc>.+)#\d+`.",
    )
    map: Text | None = Field(
        None, description="CSV/TSV file of chunk id and document id, with a header."
    )
    judgments: bool = Field(
        False, description="Apply the same mapping to the judgments (highest grade stands)."
    )


class ComparisonSpec(Record):
    """How strategies are compared."""

    test: str = "paired-t"
    check: str | None = Field(None, description="A second test; the report shows disagreements.")
    alpha: float = Field(0.05, gt=0, lt=0.5)
    correction: str = "holm"
    family: Literal["measure", "all"] = Field(
        "measure", description="`all`: one family over all measures."
    )
    contrasts: tuple[tuple[str, str], ...] = Field(
        (),
        description="Planned contrasts `[a, b]` (difference = b - a); by default candidate "
        "against production and baseline.",
    )
    equivalence_margin: float | None = Field(
        None, gt=0, lt=1, description="Adds two one-sided tests within +- this margin."
    )
    resamples: int = Field(10_000, ge=1_000, le=1_000_000)


class ReportSpec(Record):
    """What is written."""

    formats: tuple[Literal["html", "pdf"], ...] = ("html", "pdf")
    templates: Text | None = Field(
        None, description="Folder whose templates take the place of those of the same name."
    )
    depth: int = Field(10, ge=1, le=100, description="Ranks that the drill-down shows.")
    note: str = ""
    folder: Text = Field("reports", description="Where reports go, relative to this configuration.")


class EvaluationConfig(Record):
    """One evaluation."""

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")] = Field(
        description="Names the report's folder: letters, digits, dot, dash and underscore."
    )
    title: str = ""
    dataset: DatasetSpec | None = None
    datasets: tuple[DatasetSpec, ...] = ()
    strategies: tuple[StrategySpec, ...] = Field(min_length=1)
    documents: DocumentsSpec | None = None
    measures: Annotated[tuple[str, ...], BeforeValidator(_one_or_more)] = (
        "recall@5",
        "precision@5",
        "f1@5",
        "mrr",
        "ndcg@10",
    )
    primary: str | None = Field(None, description="By default ndcg@10 if measured, else the first.")
    relevance_level: int = Field(
        1, ge=1, description="Lowest grade that is relevant, for binary measures."
    )
    no_relevant: Literal["zero", "exclude"] = Field(
        "zero", description="Queries without a relevant document: value 0, or left out."
    )
    lenient: bool = Field(
        False, description="Turn faults of single lines into counted findings."
    )
    comparison: ComparisonSpec = ComparisonSpec()
    report: ReportSpec = ReportSpec()
    seed: int = 20261130
    environment: tuple[str, ...] = Field(
        (), description="Names of environment variables that `${NAME}` may use in this file."
    )
