r"""Text of the data's owners as LaTeX that prints it literally, in every engine and font encoding.

What is written is ASCII wherever plain LaTeX has a command for a character. Other characters
stand in `\ragevalunicode{text}{code points}`: XeLaTeX and LuaLaTeX print the text, if the font
has it, and pdfLaTeX, which would stop there, the code points.
"""

from __future__ import annotations

import re
import unicodedata

from rageval.report.text import visible

PREAMBLE = r"\providecommand{\ragevalunicode}[2]{\ifdefined\Umathcode#1\else#2\fi}"
"""Defines the one command that is not LaTeX's own; XeLaTeX and LuaLaTeX know `Umathcode`."""

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "#": r"\#",
    "$": r"\$",
    "%": r"\%",
    "&": r"\&",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\`{}",
    '"': r"\char34{}",  # what babel makes active must not stand there as it is
}
_SYMBOLS = {
    "\u00a0": "~",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "≈": r"$\approx$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "α": r"$\alpha$",
    "Δ": r"$\Delta$",
    "µ": r"$\mu$",
    "·": r"$\cdot$",
    "°": r"$^\circ$",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "…": r"\ldots{}",
    "‘": r"\textquoteleft{}",
    "’": r"\textquoteright{}",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "œ": r"\oe{}",
    "Œ": r"\OE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "ı": r"\i{}",
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}
_OTHER = re.compile(r"[^\x20-\x7e]+")
_ASCII_SPECIAL = re.compile(r"""[\\{}#$%&_^~<>|`"]""")
_LIGATURE = re.compile(r"([-',])(?=\1)")
_OPTION = re.compile(r"^[\[*]")
"""What would belong to the end of the row before."""


def tex(text: str) -> str:
    """Write a text so that LaTeX prints it literally, in a table cell and a caption too."""
    escaped = _ASCII_SPECIAL.sub(lambda match: _SPECIAL[match[0]], visible(text).strip())
    literal = _OPTION.sub(r"{\g<0>}", _LIGATURE.sub(r"\1{}", escaped))
    return _OTHER.sub(_not_ascii, literal)


def _not_ascii(match: re.Match[str]) -> str:
    written, unknown = "", ""
    for character in match[0]:
        known = _command(character)
        if known:
            written, unknown = written + _unicode(unknown) + known, ""
        else:
            unknown += character
    return written + _unicode(unknown)


def _command(character: str) -> str:
    """Return plain LaTeX for a character; an empty text where there is none."""
    if character in _SYMBOLS:
        return _SYMBOLS[character]
    parts = unicodedata.normalize("NFD", character)
    if len(parts) == 2 and parts[0].isascii() and parts[0].isalpha() and parts[1] in _ACCENTS:
        return f"\\{_ACCENTS[parts[1]]}{{{parts[0]}}}"
    return ""


def _unicode(text: str) -> str:
    points = " ".join(f"U+{ord(character):04X}" for character in text)
    return f"\\ragevalunicode{{{text}}}{{{points}}}" if text else ""
