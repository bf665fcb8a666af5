"""The grammar of measures: `name[(param=value,...)][@cutoff]`, e.g. `nDCG(gain=exponential)@10`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rageval.data.measure import PERSISTENCE, BoundMeasure, Measure
from rageval.errors import ConfigError, did_you_mean
from rageval.measures.registry import BY_NAME, MEASURES, fold

GRAMMAR = "name[(param=value,...)][@cutoff]"
MAX_WHOLE = 2**31 - 1
"""Ranks and grades are 32-bit."""

_LABEL = re.compile(
    r"(?P<name>[^()@]*[^()@\s])\s*(?:\((?P<parameters>[^()]*)\))?\s*(?:@(?P<cutoff>[^()]*))?"
)
_WHOLE = re.compile(r"[0-9]{1,12}")
_WITH_NUMBER = re.compile(r"(?P<stem>.*?)(?:_cut)?[_.: -]*(?P<number>[0-9]+)")


def parse_measure(text: str, *, relevance_level: int = 1) -> BoundMeasure:
    """Bind the measure that a label names, e.g. `ndcg@10`, `P(rel=2)@5`, `MRR`.

    Names, aliases and parameters are case-insensitive. `relevance_level` holds for binary
    measures whose label gives no `rel`. The result's `key` is the text as given, stripped; its
    `label` is canonical and names `rel` only if it is not 1. Raises ConfigError for a text that
    is no label, an unknown name or parameter, and a cutoff that is missing, out of place or not
    a whole number of at least 1.
    """
    match = _LABEL.fullmatch(text.strip())
    if match is None:
        raise ConfigError(f"{text!r} is not a measure", hint=f"write {GRAMMAR}, e.g. nDCG@10")
    measure = _named(match["name"])
    cutoff = _cutoff(text.strip(), measure, match["cutoff"])
    values = _parameters(text.strip(), measure, match["parameters"])
    for name, value in (("rel", relevance_level), ("p", PERSISTENCE)):
        if name in measure.parameters:
            values.setdefault(name, value)
    label = _label(measure, cutoff, values)
    return BoundMeasure(measure, text.strip(), cutoff, label=label, **values)


def _named(name: str) -> Measure:
    if fold(name) not in BY_NAME:
        raise ConfigError(f"unknown measure {name!r}", hint=_advice(name))
    return BY_NAME[fold(name)]


def _advice(name: str) -> str:
    numbered = _WITH_NUMBER.fullmatch(name)
    if numbered and fold(numbered["stem"]) in BY_NAME:
        return f"did you mean '{numbered['stem']}@{numbered['number']}'?"
    names = [measure.name for measure in MEASURES]
    aliases = [alias for measure in MEASURES for alias in measure.aliases]
    close = did_you_mean(name, [*aliases, *names])
    return did_you_mean(name, names) if close.startswith("known") else close


def _cutoff(label: str, measure: Measure, text: str | None) -> int | None:
    if text is None and measure.cutoff == "required":
        raise ConfigError(f"{label!r} lacks a cutoff", hint=f"e.g. {label}@10")
    if text is None:
        return None
    if measure.cutoff == "none":
        raise ConfigError(
            f"{label!r}: {measure.name} takes no cutoff", hint=f"write {measure.name}"
        )
    return _whole(label, "the cutoff", text)


def _whole(label: str, what: str, text: str) -> int:
    if not (_WHOLE.fullmatch(text.strip()) and 1 <= int(text) <= MAX_WHOLE):
        raise ConfigError(
            f"{label!r}: {what} must be a whole number of at least 1, not {text.strip()!r}",
            hint="e.g. 10" if what == "the cutoff" else "e.g. 2",
        )
    return int(text)


def _parameters(label: str, measure: Measure, text: str | None) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for part in [] if text is None else text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (equals and name and value):
            raise ConfigError(
                f"{label!r}: {part.strip()!r} is not a parameter", hint=f"write {GRAMMAR}"
            )
        name = _parameter_name(label, measure, name)
        if name in values:
            raise ConfigError(f"{label!r} gives {name} twice", hint="give it once")
        values[name] = _READERS[name](label, name, value)
    return values


def _parameter_name(label: str, measure: Measure, name: str) -> str:
    if name.casefold() in measure.parameters:
        return name.casefold()
    if not measure.parameters:
        raise ConfigError(f"{label!r}: {measure.name} takes no parameters")
    raise ConfigError(
        f"{label!r}: {measure.name} has no parameter {name!r}",
        hint=did_you_mean(name, measure.parameters),
    )


def _gain(label: str, name: str, text: str) -> str:
    if text.casefold() not in ("linear", "exponential"):
        raise ConfigError(
            f"{label!r}: unknown gain {text!r}", hint=did_you_mean(text, ("linear", "exponential"))
        )
    return text.casefold()


def _persistence(label: str, name: str, text: str) -> float:
    if not (re.fullmatch(r"0?\.[0-9]+", text) and 0 < float(text) < 1):
        raise ConfigError(
            f"{label!r}: {name} must be a number between 0 and 1, not {text!r}", hint="e.g. p=0.8"
        )
    return float(text)


_READERS: dict[str, Callable[[str, str, str], object]] = {
    "rel": _whole,
    "top": _whole,
    "gain": _gain,
    "p": _persistence,
}


def _label(measure: Measure, cutoff: int | None, values: dict[str, Any]) -> str:
    """Write the canonical label: what is customary goes without saying, except RBP's p."""
    shown = {"rel": 1, "gain": "linear"}
    parts = [
        f"{name}={values[name]}"
        for name in measure.parameters
        if name in values and values[name] != shown.get(name)
    ]
    parameters = f"({','.join(parts)})" if parts else ""
    return f"{measure.name}{parameters}" + (f"@{cutoff}" if cutoff is not None else "")
