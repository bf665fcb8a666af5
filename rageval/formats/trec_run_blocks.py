"""Cut a run file into blocks of whole lines, and where it can be done into whole queries."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

BLOCK_BYTES = 3 << 20
"""Large enough that the work on a block outweighs its start, small enough to spread evenly."""
_WINDOW = 1 << 16
_MAX_REACH = 1 << 22
"""How far beyond a cut the end of the query is looked for."""


@dataclass(frozen=True, eq=False)
class Block:
    """Whole lines of a file."""

    start: int
    """Position of the first byte."""
    data: pa.Buffer


def cut(buffer: pa.Buffer, block_bytes: int = BLOCK_BYTES) -> list[Block]:
    """Cut text into blocks of about `block_bytes` that end where a line ends.

    A cut is moved down to where the first field changes, so that in a file whose queries stand
    together each block holds whole queries; in any other file it stays at the end of a line.
    """
    blocks, start = [], 0
    while start < buffer.size:
        end = _query_end(buffer, start + block_bytes)
        blocks.append(Block(start, buffer.slice(start, end - start)))
        start = end
    return blocks


def _query_end(buffer: pa.Buffer, position: int) -> int:
    line_end, reach = _line_end(buffer, position), _WINDOW
    while reach <= _MAX_REACH:
        text = buffer.slice(line_end, min(reach, buffer.size - line_end)).to_pybytes()
        length = _length_of_query(text)
        if length is not None:
            return line_end + length
        if line_end + len(text) == buffer.size:
            return int(buffer.size)
        reach *= 4
    return line_end


def _length_of_query(text: bytes) -> int | None:
    """Return the length of the leading lines with the same first field; None where all have it.

    The end is found by halving, as if the lines of a query stood together. Where they do not, it
    is still the end of a line.
    """
    text = text[: text.rfind(b"\n") + 1]
    first = text.split(maxsplit=1)[:1]
    starts = (first[0] + b" ", first[0] + b"\t") if first else ()
    if not text.startswith(starts):
        return 0
    low, high = 0, len(text)
    while (middle := _line_between(text, low, high)) is not None:
        if text.startswith(starts, middle):
            low = middle
        else:
            high = middle
    end = text.index(b"\n", low) + 1
    return end if end < len(text) else None


def _line_between(text: bytes, low: int, high: int) -> int | None:
    """Return where a line starts, near the middle of `low` and `high` and between them."""
    middle = (low + high) // 2
    after = text.find(b"\n", middle, high - 1) + 1
    return after or text.rfind(b"\n", low, middle) + 1 or None


def _line_end(buffer: pa.Buffer, position: int) -> int:
    """Return the position after the next newline, or the end of the text."""
    while position < buffer.size:
        window = buffer.slice(position, min(_WINDOW, buffer.size - position)).to_pybytes()
        found = window.find(b"\n")
        if found >= 0:
            return position + int(found) + 1
        position += len(window)
    return int(buffer.size)


def line_of_block(buffer: pa.Buffer, block: Block) -> int:
    """Return the 1-based number of a block's first line."""
    return int(buffer.slice(0, block.start).to_pybytes().count(b"\n")) + 1


def line_text(block: Block, line: int) -> str:
    """Return a line of a block, counted from 0, without its newline."""
    text: bytes = block.data.to_pybytes().split(b"\n", line + 1)[line]
    return text.decode("utf-8", "replace")
