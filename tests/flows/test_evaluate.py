"""The evaluation flow, with a Prefect server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from prefect import get_client
from prefect.client.schemas.filters import (
    ArtifactFilter,
    ArtifactFilterFlowRunId,
    FlowRunFilter,
    FlowRunFilterId,
)
from prefect.client.schemas.objects import State
from prefect.exceptions import ParameterTypeError
from prefect.flows import load_flow_from_entrypoint
from prefect.states import Failed

from flows.artifact import artifact_key
from flows.evaluate import evaluate_flow
from rageval.cli.prefect_run import outcome_of
from rageval.cli.progress import Display
from rageval.cli.run import run_plain
from rageval.cli.system import missing_packages
from rageval.errors import RagevalError
from rageval.evaluation.plan import load
from rageval.report.outputs import Request, created_at

pytestmark = pytest.mark.usefixtures("prefect_server")
TIME = "2026-11-30T06:00:00Z"


def run(config: Path, **more: Any) -> State[Any]:
    given = {"run_id": "run", "created": TIME, "formats": ["html"], **more}
    state: State[Any] = evaluate_flow(str(config), return_state=True, **given)
    return state


def task_names(state: State[Any]) -> set[str]:
    """Return the names of a published run's tasks; the server records them a little later."""

    async def read() -> set[str]:
        run_id = state.state_details.flow_run_id
        assert run_id is not None
        wanted = FlowRunFilter(id=FlowRunFilterId(any_=[run_id]))
        async with get_client() as client:
            for _ in range(600):
                runs = await client.read_task_runs(flow_run_filter=wanted)
                if any(
                    task.name == "publish" and task.state and task.state.is_completed()
                    for task in runs
                ):
                    return {task.name for task in runs}
                await asyncio.sleep(0.05)
        raise AssertionError("the task runs were not recorded")

    return asyncio.run(read())


def artifacts(state: State[Any]) -> list[Any]:
    async def read() -> list[Any]:
        wanted = ArtifactFilter(
            flow_run_id=ArtifactFilterFlowRunId(any_=[state.state_details.flow_run_id])
        )
        async with get_client() as client:
            return await client.read_artifacts(artifact_filter=wanted)

    return asyncio.run(read())


def test_the_flow_publishes_the_report(small_evaluation: Path, tmp_path: Path) -> None:
    state = run(small_evaluation)
    folder = tmp_path / "reports" / "small" / "run"
    assert state.is_completed()
    assert state.name == "Completed"
    assert outcome_of(state).folder == folder
    assert sorted(path.name for path in folder.iterdir()) == [
        "comparisons.csv",
        "per_query.csv",
        "report.html",
        "results.json",
    ]
    assert task_names(state) == {
        "load[questions]",
        *(f"judge[{s}]" for s in ("bm25", "dense", "hybrid")),
        *(
            f"measure[{s}|{m}]"
            for s in ("bm25", "dense", "hybrid")
            for m in ("Recall", "MRR", "nDCG")
        ),
        *(f"compare[{m}]" for m in ("recall@3", "mrr", "ndcg@3")),
        "conclude",
        "render[html]",
        "publish",
    }


def test_the_artifact_says_verdict_table_and_where(small_evaluation: Path) -> None:
    (artifact,) = artifacts(run(small_evaluation))
    assert artifact.key == "report-small"
    assert artifact.type == "markdown"
    for word in ("A small evaluation", "bm25", "nDCG@3", "report.html"):
        assert word in artifact.data


def test_without_prefect_the_bytes_are_the_same(
    small_evaluation: Path, tmp_path: Path, need: Callable[[str], None]
) -> None:
    if packages := missing_packages():
        need(f"{packages} for the PDF")
    flow = outcome_of(run(small_evaluation, out=str(tmp_path / "flow"), formats=["html", "pdf"]))
    evaluation = load(small_evaluation)
    asked = Request.of(evaluation, tmp_path / "plain", ("html", "pdf"), "run", TIME)
    plain = run_plain(evaluation, asked, Display(live=False))
    assert flow.files == plain.files
    assert flow.files[:2] == ("report.html", "report.pdf")
    for ours, theirs in zip(flow.paths, plain.paths, strict=True):
        assert ours.read_bytes() == theirs.read_bytes()


def test_a_bad_strategy_leaves_an_incomplete_report(small_evaluation: Path) -> None:
    (small_evaluation.parent / "hybrid.run").write_text("q1 Q0 d1 1 2.0 t\nq1 Q0 e1 2 nonsense t\n")
    state = run(small_evaluation)
    outcome = outcome_of(state)
    assert state.is_completed()
    assert state.name == "Incomplete"
    assert "hybrid.run:2" in (state.message or "")
    assert [failure.strategy for failure in outcome.result.failures] == ["hybrid"]
    assert "measure[hybrid|MRR]" not in task_names(state)
    assert (outcome.folder / "report.html").is_file()
    (artifact,) = artifacts(state)
    assert "hybrid" in artifact.data


def test_repeated_runs_are_one_strategy(small_evaluation: Path) -> None:
    text = small_evaluation.read_text()
    small_evaluation.write_text(text.replace("run: hybrid.run", "runs: [hybrid.run, dense.run]"))
    state = run(small_evaluation)
    assert state.name == "Completed"
    assert {name for name in task_names(state) if name.startswith("judge")} == {
        *(f"judge[{s}]" for s in ("bm25", "dense", "hybrid"))
    }
    (dataset,) = outcome_of(state).result.datasets
    # Of the eight questions dense answers the two that 3 divides, and hybrid.run all.
    assert dataset.measurements.mean("recall@3", "hybrid") == (2 / 8 + 1) / 2
    assert {spread.strategy for spread in dataset.repeats} == {"hybrid"}


def test_a_repeat_that_is_bad_leaves_its_strategy_out(small_evaluation: Path) -> None:
    (small_evaluation.parent / "again.run").write_text("q1 Q0 d1 1 2.0 t\nq1 Q0 e1 2 nonsense t\n")
    text = small_evaluation.read_text()
    small_evaluation.write_text(text.replace("run: hybrid.run", "runs: [hybrid.run, again.run]"))
    state = run(small_evaluation)
    assert state.name == "Incomplete"
    assert "again.run:2" in (state.message or "")


def test_a_report_that_cannot_be_rendered_leaves_the_rest(
    small_evaluation: Path, tmp_path: Path
) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "report.html.j2").write_text("{{ no_such_thing }}\n")
    small_evaluation.write_text(small_evaluation.read_text() + "report: {templates: templates}\n")
    state = run(small_evaluation)
    assert state.name == "Incomplete"
    assert (state.message or "").startswith("no HTML: ")
    assert outcome_of(state).files == ("results.json", "per_query.csv", "comparisons.csv")
    (artifact,) = artifacts(state)
    assert "report.html.j2:1" in artifact.data


@pytest.mark.parametrize(
    ("file", "text"), [("questions.json", "[]"), ("small.yaml", "name: small\n")]
)
def test_bad_input_fails_the_flow_in_words_and_leaves_no_report(
    small_evaluation: Path, file: str, text: str
) -> None:
    (small_evaluation.parent / file).write_text(text)
    state = run(small_evaluation)
    assert state.is_failed()
    assert state.name == "Rejected"
    assert file in (state.message or "")
    assert not (small_evaluation.parent / "reports").exists()
    with pytest.raises(RagevalError, match=file):
        outcome_of(state)


@pytest.mark.parametrize("run_id", ["run", "a b", "latest", ""])
def test_a_run_id_that_cannot_be_used_is_told_before_any_work(
    small_evaluation: Path, run_id: str
) -> None:
    (small_evaluation.parent / "reports" / "small" / "run").mkdir(parents=True)
    (small_evaluation.parent / "questions.json").write_text("not read")
    state = run(small_evaluation, run_id=run_id)
    assert state.name == "Rejected"
    assert "questions.json" not in (state.message or "")


def test_when_every_strategy_is_bad_all_are_told(small_evaluation: Path) -> None:
    names = ("bm25", "dense", "hybrid")
    for name in names:
        (small_evaluation.parent / f"{name}.run").write_text(
            "q1 Q0 d1 1 2.0 t\nq1 Q0 e1 2 nonsense t\n"
        )
    state = run(small_evaluation)
    assert state.is_failed()
    assert all(f"{name}.run:2" in (state.message or "") for name in names)


def test_a_deployment_can_load_the_flow_by_its_path(project_root: Path) -> None:
    loaded = load_flow_from_entrypoint(f"{project_root / 'flows' / 'evaluate.py'}:evaluate_flow")
    given = {"config": "a.yaml", "formats": ["html"]}
    assert loaded.validate_parameters({**given, "out": None, "run_id": None, "created": None})
    with pytest.raises(ParameterTypeError):
        loaded.validate_parameters({**given, "formats": ["docx"]})


def test_the_form_explains_every_parameter() -> None:
    properties = evaluate_flow.parameters.properties
    assert list(properties) == ["config", "out", "run_id", "created", "formats"]
    assert all(field["description"].endswith(".") for field in properties.values())


def test_a_time_that_is_none_is_told(small_evaluation: Path) -> None:
    state = run(small_evaluation, created="yesterday")
    assert state.name == "Rejected"
    assert state.message == "'yesterday' is no time (2026-11-30T06:00:00Z)"


@pytest.mark.parametrize("text", [TIME, "2026-11-30T06:00:00", "2026-11-30T07:00:00+01:00"])
def test_times_are_utc(text: str) -> None:
    assert created_at(text) == TIME


def test_a_fault_of_ours_is_raised_as_what_it_is() -> None:
    with pytest.raises(KeyError):
        outcome_of(Failed(data=KeyError("ours")))


@pytest.mark.parametrize(
    ("name", "key"),
    [("Small_v1.2", "report-small-v1-2"), ("--", "report-evaluation"), ("a", "report-a")],
)
def test_artifact_keys_are_what_prefect_accepts(name: str, key: str) -> None:
    assert artifact_key(name) == key
