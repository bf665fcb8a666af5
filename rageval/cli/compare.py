"""The options of `rageval compare`; nothing heavy is imported here."""

from __future__ import annotations

from typing import Annotated

import typer

from rageval.cli.status import Action

EXAMPLE = (
    "\b\nExample:\n"
    "  rageval compare ndcg.csv\n"
    "  rageval compare bm25=bm25.eval dense=dense.eval.gz -m map --test sign-flip --json"
)
DEFAULT_SEED = 20261130


def compare(
    values: Annotated[
        list[str],
        typer.Argument(
            metavar="[NAME=]FILE...",
            help="A CSV, TSV or Parquet file, a results.json or the folder of a report, or one "
            "`trec_eval -q` output for each strategy.",
        ),
    ],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            metavar="MEASURE",
            help="A measure that the file holds; may be repeated. By default all of them; of "
            "trec_eval output, ndcg_cut_10 or else map. Where the file names none, its name.",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Compare the others with this strategy only."),
    ] = None,
    test: Annotated[
        str,
        typer.Option(
            metavar="TEST",
            help="t, sign-flip, wilcoxon, bootstrap-bca or tukey-randomised.",
        ),
    ] = "t",
    check: Annotated[
        str | None,
        typer.Option(metavar="TEST", help="A second test, whose p stands beside the first."),
    ] = None,
    correction: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="For several tests, within one measure: holm, bonferroni, bh, by or none.",
        ),
    ] = "holm",
    alpha: Annotated[
        float, typer.Option(metavar="LEVEL", help="Of the tests; intervals are at 1 - alpha.")
    ] = 0.05,
    margin: Annotated[
        float | None,
        typer.Option(metavar="X", help="Equivalence margin: adds two one-sided tests."),
    ] = None,
    resamples: Annotated[
        int, typer.Option(metavar="N", help="Draws of tests that draw at random.")
    ] = 10_000,
    seed: Annotated[int, typer.Option(metavar="N", help="Of tests that draw.")] = DEFAULT_SEED,
    as_json: Annotated[
        bool, typer.Option("--json", help="A list of rows, at full precision.")
    ] = False,
) -> Action:
    """Compare strategies by per-query values that any tool made.

    A table has a row per query and a column per strategy, or the columns query, strategy, value
    and perhaps measure. The difference is b - a, a being the strategy that comes first. An empty
    cell is no value: the query is left out of the pairs concerned. Exit status: 0 done, 2 bad
    input, 3 our fault.
    """

    def action() -> int:
        from rageval.cli.compare_values import show_comparisons
        from rageval.cli.comparison_options import comparison_spec

        spec = comparison_spec(
            test=test,
            check=check,
            correction=correction,
            alpha=alpha,
            equivalence_margin=margin,
            resamples=resamples,
        )
        return show_comparisons(
            values, measure or (), spec, seed=seed, baseline=baseline, as_json=as_json
        )

    return action
