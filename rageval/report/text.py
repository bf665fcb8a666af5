"""Text of the data's owners, made safe to read: direction, invisible characters, isolation."""

from __future__ import annotations

import unicodedata

ISOLATE, RELEASE = "\u2068", "\u2069"
"""First strong isolate and its end; `visible` lets neither through from data, so in a sentence
they can only be ours, and templates turn them into `<bdi>`."""

_BIDI_CONTROLS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_SHOWN_AS_ESCAPES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_RIGHT_TO_LEFT = frozenset({"R", "AL"})


def visible(text: str) -> str:
    """Show control characters, bidirectional overrides and lone surrogates as escapes."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(c) if _hidden(c) else c for c in text)


def visible_lines(text: str) -> str:
    """Make a text of several lines visible, keeping its line ends."""
    return "\n".join(visible(line) for line in text.split("\n"))


def isolated(name: str) -> str:
    """Return a name for use in a sentence, isolated from the direction of its surroundings."""
    return f"{ISOLATE}{visible(name)}{RELEASE}"


def plain(sentence: str) -> str:
    """Remove the isolates from a sentence, for places that take text alone."""
    return sentence.replace(ISOLATE, "").replace(RELEASE, "")


def direction(text: str) -> str:
    """Return `rtl` or `ltr`, from the first strong character."""
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind in _RIGHT_TO_LEFT:
            return "rtl"
        if kind == "L":
            return "ltr"
    return "ltr"


def shortened(text: str, length: int) -> str:
    """Cut a text that is longer than `length`, with an ellipsis in place of what is missing."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "\u2026"


def listed(names: list[str], last: str = "and") -> str:
    """Join names as a sentence does: `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def drawable(name: str) -> bool:
    """Return whether a name may be drawn inside an SVG: short, and in the fonts that we bring."""
    return len(name) <= 24 and all(" " <= c <= "~" or "\u00c0" <= c <= "\u00ff" for c in name)


def _hidden(character: str) -> bool:
    noncharacter = ord(character) & 0xFFFE == 0xFFFE
    return (
        character in _BIDI_CONTROLS
        or noncharacter
        or unicodedata.category(character) in _SHOWN_AS_ESCAPES
    )


def _escape(character: str) -> str:
    known = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
    code = ord(character)
    return known.get(character) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")
