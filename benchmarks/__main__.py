"""Compare speed and memory: `python -m benchmarks [--quick] [--rounds N]`.

Tools take turns, each in a process of its own; a ratio is the median over rounds of the ratio
within a round, so that what slows the machine down for a while slows all of them.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.inputs import EIGHT, LARGE, MEASURES, QUICK, Case, generate

OURS = "rageval"
PEERS = {"pytrec-eval-terrier": "pytrec_eval", "ranx": "ranx"}
TOLERANCE = 2e-3
"""Tools break ties by rules of their own, which moves a mean by less than this."""


@dataclass(frozen=True, slots=True)
class Lap:
    """What one process took."""

    inside: float
    """Seconds from files to values, without start and imports."""
    whole: float
    """Seconds of the process of which a user would wait for the end."""
    peak: float
    """Mebibytes."""
    means: list[list[float]]


def main() -> None:
    arguments = _arguments()
    tools = [OURS, *(tool for tool in _installed_peers() if tool not in arguments.without)]
    for case in [QUICK] if arguments.quick else [EIGHT, LARGE]:
        generate(case)
        _warm_up(case, tools)
        rounds = [{tool: _lap(case, tool) for tool in tools} for _ in range(arguments.rounds)]
        _print_table(case, tools, rounds)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small files, to see that it works")
    parser.add_argument("--without", nargs="*", default=[], help="peers to leave out")
    parser.add_argument("--rounds", type=int, default=5, help="paired runs (default 5)")
    return parser.parse_args()


def _installed_peers() -> list[str]:
    for tool, module in PEERS.items():
        if importlib.util.find_spec(module) is None:
            print(f"{tool} is not installed and left out: pip install --group bench")
    return [tool for tool, module in PEERS.items() if importlib.util.find_spec(module)]


def _warm_up(case: Case, tools: Sequence[str]) -> None:
    """Read the files into the page cache and let compilers fill their caches."""
    for path in [case.qrels, *case.runs]:
        path.read_bytes()
    generate(QUICK)
    for tool in tools:
        _run(_script(QUICK, tool))


def _lap(case: Case, tool: str) -> Lap:
    """Run a peer's script once, which gives both times; run ours as a script and as the command."""
    script, found = _timed(_script(case, tool))
    whole = _timed(_our_command(case))[0] if tool == OURS else script
    values = json.loads(found)
    return Lap(values["seconds"], whole, values["peak"], values["means"])


def _timed(command: list[str]) -> tuple[float, str]:
    start = time.perf_counter()
    printed = _run(command)
    return time.perf_counter() - start, printed


def _script(case: Case, tool: str) -> list[str]:
    files = [str(path) for path in (case.qrels, *case.runs)]
    return [sys.executable, "-m", "benchmarks.contenders", tool, *files]


def _our_command(case: Case) -> list[str]:
    command = [str(Path(sys.executable).with_name("rageval")), "score"]
    command += ["--qrels", str(case.qrels)]
    command += [word for path in case.runs for word in ("--run", str(path))]
    return command + [word for measure in MEASURES for word in ("-m", measure)]


def _run(command: list[str]) -> str:
    root = Path(__file__).resolve().parent.parent
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, env=os.environ)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def _print_table(case: Case, tools: Sequence[str], rounds: list[dict[str, Lap]]) -> None:
    print(
        f"\n{case.name}: {case.files} x {case.queries:,} queries x {case.depth:,} documents, "
        f"{case.bytes / 1e6:,.0f} MB; medians of {len(rounds)} paired runs"
    )
    print(
        f"{'':22}{'inside s':>10}{'ratio':>8}{'whole s':>10}{'ratio':>8}{'peak MB':>10}{'ratio':>8}"
    )
    for tool in tools:
        cells = [
            _cells([lap[tool] for lap in rounds], [lap[OURS] for lap in rounds], of)
            for of in ("inside", "whole", "peak")
        ]
        print(f"{tool:22}" + "".join(f"{value:10.2f}{ratio:8.1f}" for value, ratio in cells))
    _compare_means(tools, rounds[0])


def _cells(laps: list[Lap], ours: list[Lap], of: str) -> tuple[float, float]:
    values = [float(getattr(lap, of)) for lap in laps]
    own = [float(getattr(lap, of)) for lap in ours]
    return median(values), median(v / o for v, o in zip(values, own, strict=True))


def _compare_means(tools: Sequence[str], laps: dict[str, Lap]) -> None:
    """Say whether all tools computed the same: a speed-up of another number is none."""
    for tool in tools[1:]:
        pairs = zip(laps[OURS].means, laps[tool].means, strict=True)
        apart = max(abs(a - b) for ours, theirs in pairs for a, b in zip(ours, theirs, strict=True))
        verdict = "agree" if apart <= TOLERANCE else "DIFFER"
        print(f"means of {OURS} and {tool} {verdict}: at most {apart:.1e} apart")


if __name__ == "__main__":
    main()
