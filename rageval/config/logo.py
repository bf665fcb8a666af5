"""Images that a report may carry: small, of a kind that every reader draws, and inert."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from xml.etree import ElementTree

MAX_BYTES = 100_000
"""The logo stands in every report and in results.json, as text a third larger."""
MAX_SIDE = 4_000
KINDS = "a logo is a PNG, JPEG or SVG file"

_SVG = "image/svg+xml"
_SIGNATURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
_COLOURS = {"CMYK", "YCCK", "LAB", "HSV"}
"""Colour models that PDF/A wants a profile for, or that browsers do not draw alike."""

_NAMESPACE = "{http://www.w3.org/2000/svg}"
_ACTIVE = {"script", "foreignObject", "iframe", "embed", "object", "audio", "video", "handler"}
_ENCODING = re.compile(rb"""<\?xml[^>]*encoding\s*=\s*["']([^"']+)""")
_ADDRESS = re.compile(r"url\(\s*+[\"']?+\s*+(?!#)", re.IGNORECASE)
_INSIDE = re.compile(r"#|data:image/(png|jpeg);base64,", re.IGNORECASE)


def media_type(data: bytes) -> str:
    """Return the kind of an image, from its first bytes; `image/svg+xml` for any text."""
    found = (kind for start, kind in _SIGNATURES.items() if data.startswith(start))
    return next(found, _SVG)


def logo_problem(data: bytes) -> str:
    """Return why a file cannot be a report's logo, in words; an empty text where it can.

    Everything that could run or ask for something outside the file is refused, though browsers
    and the PDF's renderer would not follow it either.
    """
    if len(data) > MAX_BYTES:
        return f"the logo has more than {MAX_BYTES:,} bytes"
    return _svg_problem(data) if media_type(data) == _SVG else _picture_problem(data)


def _picture_problem(data: bytes) -> str:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as image:
            if max(image.size) > MAX_SIDE:
                return f"the logo has a side of {max(image.size):,} pixels; {MAX_SIDE:,} will do"
            if image.mode in _COLOURS:
                return f"the logo's colours are {image.mode}; save it as RGB"
            image.verify()
        with Image.open(io.BytesIO(data)) as image:  # which cannot be used any more once verified
            image.load()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        return f"the logo is damaged: {error}"
    return ""


def _svg_problem(data: bytes) -> str:
    declared = _ENCODING.match(data.removeprefix(b"\xef\xbb\xbf"))
    if declared and declared[1].lower() not in (b"utf-8", b"us-ascii", b"ascii"):
        return "the SVG is not UTF-8"
    if b"<!ENTITY" in data or b"<?xml-stylesheet" in data:
        return "the SVG has entities or style sheets of its own; save it as plain SVG"
    try:
        data.decode("utf-8")
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError):
        return f"neither PNG nor JPEG nor well-formed SVG ({KINDS})"
    if root.tag != f"{_NAMESPACE}svg":
        return f"its outermost element is not an svg of {_NAMESPACE[1:-1]} ({KINDS})"
    return next((p for element in root.iter() for p in _element_problems(element)), "")


def _element_problems(element: ElementTree.Element) -> Iterator[str]:
    space, _, name = str(element.tag).rpartition("}")
    if name in _ACTIVE or space.endswith("/xhtml"):
        yield f"the SVG has a <{name}>, which a picture does not need"
    if name == "style":
        yield from _style_problems("".join(element.itertext()))
    for key, value in element.attrib.items():
        yield from _attribute_problems(key, value)


def _attribute_problems(key: str, value: str) -> Iterator[str]:
    space, _, name = key.rpartition("}")
    if name.lower().startswith("on"):
        yield f"the SVG has a script in {name}"
    if name in ("href", "src", "base") and not _INSIDE.match(value.strip()):
        yield f"the SVG refers to something outside itself: {value.strip()[:60]!r}"
    if not space:  # those of other programs are no style
        yield from _style_problems(value)


def _style_problems(css: str) -> Iterator[str]:
    # A backslash could spell any of these words in another way.
    if _ADDRESS.search(css) or "@import" in css.lower() or "\\" in css:
        yield f"the SVG's style refers to something outside itself: {css.strip()[:60]!r}"
