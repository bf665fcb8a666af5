"""Where templates, styles and fonts are found: beside the installed package, or in the source."""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path

import rageval

FACES = (
    ("Plex Sans", 400, "ibm-plex-sans-latin-400-normal"),
    ("Plex Sans", 600, "ibm-plex-sans-latin-600-normal"),
    ("Plex Serif", 500, "ibm-plex-serif-latin-500-normal"),
    ("Plex Serif", 600, "ibm-plex-serif-latin-600-normal"),
    ("Plex Mono", 400, "ibm-plex-mono-latin-400-normal"),
    # A family of its own: two faces of one family that differ in their range alone get the wrong
    # glyph widths in the PDF, which its standard forbids.
    ("Plex Greek", 400, "ibm-plex-sans-greek-400-normal"),
    ("Plex Greek", 600, "ibm-plex-sans-greek-600-normal"),
)


@cache
def templates_folder() -> Path:
    """Return the folder of the built-in templates."""
    package = Path(rageval.__file__).parent
    installed = package / "_assets" / "templates"
    return installed if installed.is_dir() else package.parent / "templates"


@cache
def font_faces() -> str:
    """Return the fonts as `@font-face` rules with the data inside."""
    return "".join(_face(*face) for face in FACES)


def _face(family: str, weight: int, file: str) -> str:
    data = (templates_folder() / "fonts" / f"{file}.woff2").read_bytes()
    encoded = base64.b64encode(data).decode("ascii")
    return (
        f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:normal;'
        f'src:url(data:font/woff2;base64,{encoded}) format("woff2")}}\n'
    )
