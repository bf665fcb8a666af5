"""A summary in Markdown: for a pull request, a chat, or the page of a flow run."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterable, Mapping, Sequence

from rageval.data import Comparison, EvaluationResult
from rageval.report.model import Subject, subjects
from rageval.report.numbers import SAME, count, estimate, p_value, value
from rageval.report.sentences import FINDING_WORDS, adjusted_by, headline
from rageval.report.text import visible

MAX_ROWS = 30
"""How many strategies or contrasts a table shows; the other files have all."""

_TEXT_COLUMNS = ("Strategy", "Planned contrast", "Measure", "Finding")
_SPECIAL = re.compile(r"[\\`*_{}\[\]()#+!~&<>|$]|(?<!\w)@|:(?=//)")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;", "$": "&#36;", "@": "&#64;"}


def summary(
    result: EvaluationResult,
    *,
    files: Mapping[str, str] | None = None,
    picture: bytes | None = None,
) -> str:
    """Return verdict, means, planned contrasts, failures and where the files are.

    `files` maps a file's name to where it is; `picture` is a PNG, shown under the verdict.
    """
    blocks = [f"# {escaped(result.title or result.name)}", f"**{headline(result, escaped)}**"]
    if picture is not None:
        encoded = base64.b64encode(picture).decode("ascii")
        blocks.append(f"![The means of every strategy](data:image/png;base64,{encoded})")
    for subject in subjects(result, "html"):
        blocks += _dataset(subject)
    blocks += [*_failures(result), *_files(files or {})]
    return "\n\n".join(blocks) + "\n"


def escaped(text: str) -> str:
    """Write a text so that Markdown and HTML show it literally, in a table cell too."""
    return _SPECIAL.sub(_literal, visible(text).strip())


def _literal(match: re.Match[str]) -> str:
    character = match[0]
    return "&#58;" if character == ":" else _ENTITIES.get(character, f"\\{character}")


def _dataset(subject: Subject) -> list[str]:
    heading = [f"## {escaped(subject.dataset.name)}"] if subject.several else []
    if not subject.names:
        return [*heading, "No strategy could be evaluated."]
    return [*heading, *_warnings(subject), *_means(subject), *_planned(subject)]


def _warnings(subject: Subject) -> list[str]:
    """Return the findings that put the numbers in doubt."""
    grave = [finding for finding in subject.dataset.findings if finding.severity == "high"]
    if not grave:
        return []
    lines = [
        f"- {escaped(f'{f.strategy}: ' if f.strategy else '')}{escaped(f.what)}: {count(f.count)}. "
        f"{escaped(f.effect)}"
        for f in grave
    ]
    return ["**Check the data first**", "\n".join(lines)]


def _means(subject: Subject) -> list[str]:
    """Return the table of means, best first; every best value is bold."""
    keys = [measure.key for measure in subject.result.measures]
    best = {key: _best(subject, key) for key in keys}
    header = ["Strategy", *(escaped(subject.measure(key).label) for key in keys)]
    names = subject.order()
    rows = [
        [escaped(name), *(_mean(subject, key, name, best[key]) for key in keys)]
        for name in names[:MAX_ROWS]
    ]
    caption = f"Means over {count(subject.n_queries)} queries; the best of each measure in bold."
    return [_table(header, rows), caption + _rest(len(names), "strategies")]


def _best(subject: Subject, key: str) -> float:
    # With one strategy there is nothing to be best of.
    return subject.mean(key, subject.order(key)[0]).value if len(subject.names) > 1 else math.nan


def _mean(subject: Subject, key: str, name: str, best: float) -> str:
    mean = subject.mean(key, name)
    text = value(mean.value)
    if abs(mean.value - best) <= SAME:
        text = f"**{text}**"
    return text if mean.n == subject.n_queries else f"{text} (n = {count(mean.n)})"


def _planned(subject: Subject) -> list[str]:
    """Return the table of planned contrasts, on the primary measure first."""
    planned = sorted(subject.dataset.planned, key=lambda c: c.measure != subject.primary)
    if not planned:
        return []
    header = ["Planned contrast", "Measure", "Difference", "p", "Finding"]
    rows = [_contrast(subject, comparison) for comparison in planned[:MAX_ROWS]]
    caption = (
        f"{escaped(subject.primary_label)} decides. Difference of means, the first minus the "
        f"second, with its interval; p {_adjusted(planned[0])}."
    )
    return [_table(header, rows), caption + _rest(len(planned), "contrasts")]


def _adjusted(comparison: Comparison) -> str:
    by = adjusted_by(comparison)
    return f"adjusted {by}" if by else "as tested"


def _contrast(subject: Subject, comparison: Comparison) -> list[str]:
    c = comparison
    return [
        f"{escaped(c.b)} against {escaped(c.a)}",
        escaped(subject.measure(c.measure).label),
        estimate(c.mean_difference, c.ci_low, c.ci_high),
        p_value(c.p_adjusted, subject.result.alpha),
        FINDING_WORDS[c.finding],
    ]


def _rest(total: int, what: str) -> str:
    if total <= MAX_ROWS:
        return ""
    return f" {MAX_ROWS} of {count(total)} {what} are shown; results.json has all."


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rule = [":--" if name in _TEXT_COLUMNS else "--:" for name in header]
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, rule, *rows))


def _failures(result: EvaluationResult) -> list[str]:
    if not result.failures:
        return []
    lines = (
        f"- Strategy {escaped(f.strategy)} on {escaped(f.dataset)}: {_one_line(f.message)}"
        for f in result.failures
    )
    return ["Not evaluated, so this report is incomplete:", "\n".join(lines)]


def _one_line(message: str) -> str:
    return escaped("; ".join(message.splitlines()))


def _files(files: Mapping[str, str]) -> list[str]:
    if not files:
        return []
    lines = (f"- File {escaped(name)}: {escaped(place)}" for name, place in files.items())
    return ["Where to read on:", "\n".join(lines)]
