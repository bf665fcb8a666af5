"""The configuration of an evaluation, as records.

Every scalar of the YAML arrives as text (see `rageval.config.yaml_text`), so `no`, `1e3`, `010`
and dates cannot turn into something else on their way into a name; pydantic converts where a
field wants a number.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    model_validator,
)

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Variable = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Role = Literal["baseline", "production", "candidate"]

_SUFFIXES = re.compile(r"(\.[A-Za-z0-9]+)?(\.(gz|bz2|xz|zst))?$", re.IGNORECASE)


def _one_or_more(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _path_alone(value: object) -> object:
    return {"path": value} if isinstance(value, str) else value


class Record(BaseModel):
    """Base of all parts: unknown keys are errors, values do not change after reading."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, coerce_numbers_to_str=True, allow_inf_nan=False
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

    @model_validator(mode="before")
    @classmethod
    def _plain_string(cls, value: Any) -> Any:
        return _path_alone(value)


class RunSpec(FileSpec):
    """A run file: what one strategy retrieved."""

    order: Literal["descending", "ascending"] = Field(
        "descending", description="`ascending` where a smaller score is better (distances)."
    )


class DatasetSpec(FileSpec):
    """Queries and judgments."""

    name: Name = Field(
        "", description="By default the file's name without its ending.", validate_default=False
    )
    topics: Text | None = Field(
        None, description="Query texts for TREC qrels: a TSV of query id and text."
    )
    corpus: Text | None = Field(
        None,
        description="Documents (JSONL), whose beginnings the report shows, or a list of ids, "
        "one a line.",
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

    @model_validator(mode="before")
    @classmethod
    def _named_by_file(cls, value: Any) -> Any:
        spec = _path_alone(value)
        if isinstance(spec, dict) and "name" not in spec and isinstance(spec.get("path"), str):
            return {**spec, "name": file_stem(spec["path"])}
        return spec


ONE, REPEATS, BY_DATASET = "<one run>", "<repeated runs>", "<runs by dataset>"
"""Tags of the forms that `runs` takes; pydantic puts them into the places of errors."""


def _run_form(value: object) -> str:
    return REPEATS if isinstance(value, list | tuple) else ONE


def _runs_form(value: object) -> str:
    return REPEATS if isinstance(value, list | tuple) else BY_DATASET


_Repeats = Annotated[tuple[RunSpec, ...], Field(min_length=1), Tag(REPEATS)]
RunOrRepeats = Annotated[Annotated[RunSpec, Tag(ONE)] | _Repeats, Discriminator(_run_form)]
Runs = Annotated[
    Annotated[dict[str, RunOrRepeats], Tag(BY_DATASET)] | _Repeats, Discriminator(_runs_form)
]


class StrategySpec(Record):
    """A retrieval strategy and what it retrieved."""

    name: Name = Field(description="What the strategy is called throughout the report.")
    run: RunSpec | None = Field(None, description="What it retrieved for the one dataset.")
    runs: Runs = Field(
        default_factory=dict,
        description="Dataset name to run, where there are several datasets. A list of runs, here "
        "or for a dataset, repeats the strategy (other seeds): values are averaged per query.",
    )
    description: str = Field("", description="A sentence for the report.")
    baseline: bool = Field(False, description="The strategy to beat; one at most.")
    production: bool = Field(False, description="The strategy in use today; one at most.")
    candidate: bool = Field(
        False, description="Proposed: compared with production and baseline as planned contrasts."
    )

    @property
    def roles(self) -> tuple[Role, ...]:
        """Return the roles that were given; a valid configuration has one at most."""
        given: dict[Role, bool] = {
            "baseline": self.baseline,
            "production": self.production,
            "candidate": self.candidate,
        }
        return tuple(role for role, is_given in given.items() if is_given)

    def runs_for(self, dataset: str) -> tuple[RunSpec, ...]:
        """Return the run for a dataset, or all of its repeats; empty where there is none."""
        runs = self.runs.get(dataset) if isinstance(self.runs, dict) else self.runs
        if isinstance(runs, tuple) and runs:
            return runs
        only = runs or self.run
        return (only,) if isinstance(only, RunSpec) else ()


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

    test: str = Field("paired-t", description="The significance test of each pair.")
    check: str | None = Field(None, description="A second test; the report shows disagreements.")
    alpha: float = Field(
        0.05, gt=0, lt=0.5, description="Level of the tests; intervals are at 1 - alpha."
    )
    correction: str = Field(
        "holm", description="How p-values are adjusted for the number of tests in a family."
    )
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
    resamples: int = Field(
        10_000, ge=1_000, le=1_000_000, description="Draws of randomisation tests and bootstraps."
    )


Colour = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^#?[0-9A-Fa-f]{6}$")]


class BrandSpec(Record):
    """Whose report it is."""

    name: Name = Field(description="Stands over the title, or for the logo where it is not seen.")
    logo: Text | None = Field(
        None, description="PNG, JPEG or SVG file of up to 100 kB; it becomes part of the report."
    )
    accent: Colour | None = Field(
        None,
        description='Colour of links and of the rule over the title, `"#12436d"` in quotes; '
        "its contrast must do for text (4.5:1).",
    )
    accent_dark: Colour | None = Field(
        None, description="The same in dark mode; by default the nearest that can be read there."
    )


class ReportSpec(Record):
    """What is written."""

    formats: Annotated[
        tuple[Literal["html", "pdf"], ...], Field(min_length=1), BeforeValidator(_one_or_more)
    ] = Field(("html", "pdf"), description="Which reports are rendered.")
    templates: Text | None = Field(
        None, description="Folder whose templates take the place of those of the same name."
    )
    depth: int = Field(10, ge=1, le=100, description="Ranks that the drill-down shows.")
    note: str = Field("", description="A remark that the report shows, such as its occasion.")
    brand: BrandSpec | None = Field(None, description="Whose report it is: name, logo, colour.")
    folder: Text = Field("reports", description="Where reports go, relative to this configuration.")


class EvaluationConfig(Record):
    """One evaluation."""

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")] = Field(
        description="Names the report's folder: letters, digits, dot, dash and underscore."
    )
    title: str = Field("", description="Heading of the report; by default the name.")
    dataset: DatasetSpec | None = Field(
        None, description="The one dataset; `datasets` where there are several."
    )
    datasets: tuple[DatasetSpec, ...] = Field(
        (), description="Several datasets, each judged, compared and reported on its own."
    )
    strategies: tuple[StrategySpec, ...] = Field(
        min_length=1, description="The strategies to compare, the one to start from first."
    )
    documents: DocumentsSpec | None = Field(
        None, description="Where runs name chunks and judgments name documents."
    )
    measures: Annotated[tuple[str, ...], Field(min_length=1), BeforeValidator(_one_or_more)] = (
        Field(
            ("recall@5", "precision@5", "f1@5", "mrr", "ndcg@10"),
            description="What is measured, e.g. `ndcg@10`, `P(rel=2)@5`, `mrr`.",
        )
    )
    primary: str | None = Field(
        None, description="Decides the headline; by default ndcg@10 if measured, else the first."
    )
    relevance_level: int = Field(
        1, ge=1, description="Lowest grade that is relevant, for binary measures."
    )
    no_relevant: Literal["zero", "exclude"] = Field(
        "zero", description="Queries without a relevant document: value 0, or left out."
    )
    lenient: bool = Field(False, description="Turn faults of single lines into counted findings.")
    comparison: ComparisonSpec = Field(ComparisonSpec(), description="How strategies are compared.")
    report: ReportSpec = Field(ReportSpec(), description="What is written.")
    seed: int = Field(20261130, ge=0, description="Of everything that draws random numbers.")
    environment: Annotated[tuple[Variable, ...], BeforeValidator(_one_or_more)] = Field(
        (), description="Names of environment variables that `${NAME}` may use in this file."
    )

    @property
    def dataset_specs(self) -> tuple[DatasetSpec, ...]:
        """Return the datasets, however they were given."""
        return (self.dataset,) if self.dataset else self.datasets


def file_stem(path: str) -> str:
    """Return what a file is called by default: its name without the endings of its format."""
    name = re.split(r"[/\\]", path.strip().rstrip("/\\"))[-1].strip()
    return _SUFFIXES.sub("", name, count=1) or name or "dataset"
