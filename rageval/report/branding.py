"""Whose report it is: a logo or a name over the title, and an accent colour, as ready text."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, replace

from rageval.config.logo import logo_problem, media_type
from rageval.data import Brand
from rageval.errors import RenderError
from rageval.report.text import visible

_COLOUR = re.compile(r"#[0-9a-f]{6}")
_LOGO = re.compile(r"data:(image/(?:png|jpeg|svg\+xml));base64,([A-Za-z0-9+/]+={0,2})")

_PLACE = (
    "\n.brand{color:var(--ink2);font-weight:600;margin:0 0 .3rem}"
    ".logo{display:block;height:2.6rem;width:auto;max-width:100%;margin:0 0 .6rem;"
    "object-fit:contain;object-position:0 50%}\n"
)
# Most logos are drawn for white paper, which they take with them into the dark.
_PLATE = "\n.logo{background:#fff;box-shadow:0 0 0 .35rem #fff}\n"


@dataclass(frozen=True, slots=True)
class Branding:
    """The view of a brand; all of it is empty where there is none."""

    name: str = ""
    logo: str = ""
    base_css: str = ""
    """Added to the style of screen and paper."""
    screen_css: str = ""
    print_css: str = ""


def branding(brand: Brand | None) -> Branding:
    """Return what the templates show of a brand.

    The parts go into a page as they are, so they are checked here too: a results.json may come
    from anywhere. Raises `RenderError`.
    """
    if brand is None:
        return Branding()
    _check(brand)
    view = Branding(visible(brand.name), brand.logo, _PLACE, _PLATE)
    return _coloured(view, brand.accent, brand.accent_dark) if brand.accent else view


def _coloured(view: Branding, light: str, dark: str) -> Branding:
    both = f":root{{--accent:light-dark({light},{dark})}}"
    return replace(
        view,
        base_css=f"{view.base_css}:root{{--accent:{light}}}.mast{{border-color:var(--accent)}}\n",
        screen_css=f"{view.screen_css}@supports (color:light-dark(#000,#fff)){{{both}}}\n",
        print_css=f"\na{{color:{light}}}\n",
    )


def _check(brand: Brand) -> None:
    colours = [brand.accent, brand.accent_dark]
    if any(colours) and not all(_COLOUR.fullmatch(colour) for colour in colours):
        raise RenderError("the brand's colours are not two of the form #12436d")
    problem = _logo_problem(brand.logo) if brand.logo else ""
    if problem:
        raise RenderError(problem, hint="results.json holds the logo as it was when it was made")


def _logo_problem(address: str) -> str:
    match = _LOGO.fullmatch(address)
    if match is None:
        return "the logo is not a data: address of a PNG, JPEG or SVG"
    try:
        data = base64.b64decode(match[2], validate=True)
    except binascii.Error:
        return "the logo is damaged: not base64"
    if media_type(data) != match[1]:
        return f"the logo is not {match[1]}, as it says"
    return logo_problem(data)
