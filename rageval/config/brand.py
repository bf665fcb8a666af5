"""The brand of a report: its logo as data, and colours that can be read."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rageval.config.contrast import DARK, LIGHT, NEEDED, readable, worst
from rageval.config.faults import Fault, Loc
from rageval.config.logo import MAX_BYTES, logo_problem, media_type
from rageval.config.models import BrandSpec
from rageval.data import Brand

PLACE: Loc = ("report", "brand")
COLOURS = ("accent", "accent_dark")


def commented_colours(data: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield a fault for each colour that YAML took for a comment: `accent: #12436d`."""
    report = data.get("report")
    brand = report.get("brand") if isinstance(report, dict) else None
    given = brand if isinstance(brand, dict) else {}
    for key in COLOURS:
        if key in given and given[key] is None:
            hint = "without quotes, what begins with # is a comment"
            yield Fault((*PLACE, key), f"{key} has no value", f'write "#12436d"; {hint}')


def read_brand(spec: BrandSpec, base: Path) -> tuple[Brand, list[Fault]]:
    """Return the brand, its logo read, and what is wrong with it.

    A logo that cannot be opened is left to the check of all files.
    """
    accent, dark = _colours(spec)
    logo, problem = _logo(base / spec.logo) if spec.logo else ("", "")
    faults = [*_colour_faults("accent", accent, LIGHT), *_colour_faults("accent_dark", dark, DARK)]
    if problem:
        faults.append(Fault((*PLACE, "logo"), problem))
    return Brand(spec.name, logo, accent, dark), faults


def _colours(spec: BrandSpec) -> tuple[str, str]:
    """Return both colours: where only one is given, the other is the nearest that can be read."""
    accent, dark = (_hexadecimal(text) for text in (spec.accent, spec.accent_dark))
    if accent and not dark:
        dark = readable(accent, DARK)
    return accent or (readable(dark, LIGHT) if dark else ""), dark


def _hexadecimal(text: str | None) -> str:
    return f"#{text.removeprefix('#').lower()}" if text else ""


def _colour_faults(key: str, colour: str, papers: tuple[str, ...]) -> Iterator[Fault]:
    if not colour:
        return
    ratio, paper = worst(colour, papers)
    if ratio < NEEDED:
        what = f"{key} {colour} has a contrast of {ratio:.2f}:1 against the report's {paper}"
        hint = f"text needs {NEEDED}:1, which {readable(colour, papers)} has"
        yield Fault((*PLACE, key), what, hint)


def _logo(path: Path) -> tuple[str, str]:
    """Return the image as a `data:` address, or what is wrong with it."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError):
        return "", ""
    problem = logo_problem(data)
    if problem:
        return "", problem
    return f"data:{media_type(data)};base64,{base64.b64encode(data).decode('ascii')}", ""
