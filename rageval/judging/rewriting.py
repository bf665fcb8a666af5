"""Simple rewritings under which ids of two sides would match: to be named, never applied."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_MIN_SHARE = 0.01
"""Share of the smaller side that has to match: fewer may match by chance."""
_MAX_CUTS = 8
"""How many starts or ends of ids are tried, the shortest and the longest: each costs a pass."""
_CHUNK = re.compile(
    r"(.+?)[-_.#:/ ]+(?:(?:chunk|part|passage|split|p|c)[-_.#: ]?)?[0-9]+", re.IGNORECASE
)
_LEADING_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")
_BLANKS = re.compile(r"\s+")
_CLASS_CHANGE = re.compile(r"(?<=[^0-9])(?=[0-9])|(?<=[0-9])(?=[^0-9])|(?<=[^\w])|(?=[^\w])|(?<=_)")


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A rule under which retrieved ids would be known ids."""

    rule: str
    """A clause: `without the prefix 'doc_'`."""
    matches: int
    tried: int
    example: str
    rewritten: str
    """A known id that the example would match."""


Rule = tuple[str, Callable[[str], str], Callable[[str], str]]
"""What it is called, how it rewrites a retrieved id, and how a known one."""


def find_rewriting(ids: Sequence[str], known: Sequence[str]) -> Rewriting | None:
    """Return the rewriting that makes most ids match known ones, or None where none does."""
    needed = max(1, _MIN_SHARE * min(len(ids), len(known)))
    found = [rewriting for rule in _rules(ids, known) if (rewriting := _tried(rule, ids, known))]
    best = max(found, key=lambda rewriting: rewriting.matches, default=None)
    return best if best and best.matches >= needed else None


def _tried(rule: Rule, ids: Sequence[str], known: Sequence[str]) -> Rewriting | None:
    name, of_id, of_known = rule
    targets = {of_known(k): k for k in known}
    matching = [(i, targets[rewritten]) for i in ids if (rewritten := of_id(i)) in targets]
    return Rewriting(name, len(matching), len(ids), *matching[0]) if matching else None


def _rules(ids: Sequence[str], known: Sequence[str]) -> Iterator[Rule]:
    yield from _SPELLINGS
    yield "without the chunk number in the run", _without_chunk, _same
    yield "without the chunk number in the judgments", _same, _without_chunk
    for prefix in _prefixes(ids):
        yield f"without the prefix {prefix!r} in the run", _cut_start(prefix), _same
    for suffix in _suffixes(ids):
        yield f"without the suffix {suffix!r} in the run", _cut_end(suffix), _same
    yield from _both_ends(_prefixes(ids), _suffixes(ids))
    for prefix in _prefixes(known):
        yield f"without the prefix {prefix!r} in the judgments", _same, _cut_start(prefix)
    for suffix in _suffixes(known):
        yield f"without the suffix {suffix!r} in the judgments", _same, _cut_end(suffix)


def _both_ends(prefixes: Sequence[str], suffixes: Sequence[str]) -> Iterator[Rule]:
    for prefix in prefixes:
        for suffix in suffixes:
            name = f"without the prefix {prefix!r} and the suffix {suffix!r} in the run"
            yield name, _cut_both(prefix, suffix), _same


def _cut_both(prefix: str, suffix: str) -> Callable[[str], str]:
    return lambda text: text.removeprefix(prefix).removesuffix(suffix)


def _same(text: str) -> str:
    return text


def _alike(name: str, rewrite: Callable[[str], str]) -> Rule:
    return name, rewrite, rewrite


_SPELLINGS: tuple[Rule, ...] = (
    _alike("in one Unicode form (NFC)", lambda text: unicodedata.normalize("NFC", text)),
    _alike("in one Unicode form (NFKC)", lambda text: unicodedata.normalize("NFKC", text)),
    _alike("without blanks", lambda text: _BLANKS.sub("", text)),
    _alike("without quotes", lambda text: text.strip("\"'")),
    _alike("without leading zeros", lambda text: _LEADING_ZEROS.sub("", text)),
    _alike("in lower case", str.casefold),
)


def _without_chunk(text: str) -> str:
    match = _CHUNK.fullmatch(text)
    return match[1] if match else text


def _cut_start(prefix: str) -> Callable[[str], str]:
    return lambda text: text.removeprefix(prefix)


def _cut_end(suffix: str) -> Callable[[str], str]:
    return lambda text: text.removesuffix(suffix)


def _prefixes(ids: Sequence[str]) -> list[str]:
    """Return the starts that all ids share, longest first.

    A start ends where letters, digits or marks change: `doc_1` is none of `doc_10` and `doc_11`.
    """
    first, last = min(ids, default=""), max(ids, default="")
    shared = next(
        (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first)
    )
    cuts = [m.start() for m in _CLASS_CHANGE.finditer(first) if 0 < m.start() <= shared]
    if len(cuts) > _MAX_CUTS:
        cuts = cuts[: _MAX_CUTS // 2] + cuts[-_MAX_CUTS // 2 :]
    return [first[:cut] for cut in reversed(cuts)]


def _suffixes(ids: Sequence[str]) -> list[str]:
    """Return the ends that all ids share, longest first."""
    reversed_ids = [i[::-1] for i in ids]
    return [prefix[::-1] for prefix in _prefixes(reversed_ids)]
