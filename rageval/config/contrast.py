"""Whether a colour can be read on the report's paper, and a near one that can.

Source: WCAG 2.2, "contrast ratio" and "relative luminance", success criterion 1.4.3.
"""

from __future__ import annotations

from collections.abc import Sequence

LIGHT = ("#ffffff", "#fdf4e3")
"""What text stands on by day: the paper, and the box of cautions."""
DARK = ("#10171e", "#2a2313")
"""The same in dark mode."""
NEEDED = 4.5
"""The ratio that WCAG asks of text (level AA)."""
_STEPS = 255


def contrast(text: str, paper: str) -> float:
    """Return the contrast ratio of two colours `#rrggbb`, from 1 (the same) to 21.

    (lighter + 0.05) / (darker + 0.05), of their relative luminances.
    """
    darker, lighter = sorted((_luminance(text), _luminance(paper)))
    return (lighter + 0.05) / (darker + 0.05)


def worst(text: str, papers: Sequence[str]) -> tuple[float, str]:
    """Return the lowest contrast of a colour with any of the papers, and that paper."""
    return min((contrast(text, paper), paper) for paper in papers)


def readable(colour: str, papers: Sequence[str]) -> str:
    """Return the colour itself where it can be read on the papers, else the next that can.

    It is mixed with black on light papers and with white on dark ones, so that its hue stays.
    """
    end = 0 if _luminance(papers[0]) > 0.5 else 255
    mixed = (_mix(colour, end, step / _STEPS) for step in range(_STEPS + 1))
    return next(mix for mix in mixed if worst(mix, papers)[0] >= NEEDED)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(channel / 255) for channel in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _mix(colour: str, end: int, share: float) -> str:
    return "#" + "".join(f"{round(c + (end - c) * share):02x}" for c in _channels(colour))
