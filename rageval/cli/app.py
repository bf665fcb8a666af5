"""Commands and options. Each command returns what is to be done; nothing heavy is imported here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rageval.cli import compare as compare_command
from rageval.cli import export as export_command
from rageval.cli import plan as plan_command
from rageval.cli.status import Action

USAGE_ERROR: Any = typer.BadParameter.__bases__[0]
"""Whatever is wrong with options; of these errors typer offers only the one below this."""

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="Evaluate and compare retrieval strategies, with numbers that hold.",
    epilog="\b\nExample:\n  rageval run configs/quickstart.yaml",
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"rageval {version('rageval')}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Hold the options that stand before any command."""


Config = Annotated[Path, typer.Argument(metavar="CONFIG", help="The evaluation, a YAML file.")]


@app.command(
    epilog="\b\nExample:\n  rageval run configs/quickstart.yaml --out reports --formats html"
)
def run(
    config: Config,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where reports go; by default as the configuration says."),
    ] = None,
    run_id: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Name of the report's folder; by default time and suffix."),
    ] = None,
    formats: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Reports to write: html, pdf, or both with a comma."),
    ] = None,
    prefect: Annotated[
        bool, typer.Option("--prefect/--no-prefect", help="Run as a Prefect flow, or without.")
    ] = True,
) -> Action:
    """Evaluate, compare and write the report.

    Exit status: 0 done, 1 a gate failed, 2 bad input (or a strategy or format is missing from
    the report), 3 our fault.
    """
    from rageval.cli.formats import parse_formats

    wanted = parse_formats(formats)

    def action() -> int:
        from rageval.cli.run import run_evaluation

        return run_evaluation(config, out=out, run_id=run_id, formats=wanted, prefect=prefect)

    return action


@app.command(epilog="\b\nExample:\n  rageval validate configs/quickstart.yaml")
def validate(config: Config) -> Action:
    """Say all that is wrong with a configuration and its files.

    Reads every file and says its format; evaluates nothing.
    """

    def action() -> int:
        from rageval.cli.validate import validate_evaluation

        return validate_evaluation(config)

    return action


@app.command(epilog="\b\nExample:\n  rageval measures")
def measures() -> Action:
    """List the measures, with formula and source."""

    def action() -> int:
        from rageval.cli.measures import show_measures

        return show_measures()

    return action


@app.command(
    epilog="\b\nExample:\n"
    "  rageval score --qrels qrels.txt --run bm25.run --run new=dense.run -m ndcg@10 -m mrr"
)
def score(
    qrels: Annotated[Path, typer.Option(metavar="FILE", help="Judgments, in any format.")],
    run: Annotated[
        list[str],
        typer.Option(
            metavar="[NAME=]FILE",
            help="What a strategy retrieved; may be repeated. Named after the file unless given.",
        ),
    ],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            metavar="MEASURE",
            help="Such as ndcg@10; may be repeated. See `rageval measures`.",
        ),
    ] = None,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Count and skip faulty lines instead of refusing.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Means and values per query, at full precision.")
    ] = False,
) -> Action:
    """Score run files against judgments, without a configuration."""

    def action() -> int:
        from rageval.cli.score import show_scores

        return show_scores(qrels, run, measure or (), lenient=lenient, as_json=as_json)

    return action


app.command(epilog=compare_command.EXAMPLE)(compare_command.compare)
app.command(epilog=plan_command.EXAMPLE)(plan_command.plan)
app.command(epilog=export_command.EXAMPLE)(export_command.export)
