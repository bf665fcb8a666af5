"""Find the judged rows of a run by a hash join, confirmed by the ids themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Bools, Int32s, Ints
from rageval.data.hashing import Hashes, hash_strings, mix_codes
from rageval.data.qrels import Qrels
from rageval.data.run import Run
from rageval.data.threads import map_in_threads

_SLICE_ROWS = 1 << 17
_SLOTS_PER_JUDGMENT = 64
_MAX_SLOT_BITS = 24


@dataclass(frozen=True, eq=False)
class JudgmentIndex:
    """Judgments prepared for the join, once for all runs and parts of runs."""

    qrels: Qrels
    order: Ints
    """(judgments,) in ascending order of their hashes."""
    hashes: Hashes
    """(judgments,) ascending."""
    slots: Bools
    """Which leading bits of a hash occur; the length is a power of two."""

    @classmethod
    def of(cls, qrels: Qrels) -> JudgmentIndex:
        """Prepare judgments."""
        hashes = mix_codes(hash_strings(qrels.doc_ids), qrels.query)
        order = np.argsort(hashes)
        return cls(qrels, order, hashes[order], _slots(hashes))

    @property
    def has_twins(self) -> bool:
        """Return whether two judgments share a hash."""
        return bool((self.hashes[1:] == self.hashes[:-1]).any())


def _slots(hashes: Hashes) -> Bools:
    bits = min(max(len(hashes) * _SLOTS_PER_JUDGMENT, 2).bit_length(), _MAX_SLOT_BITS)
    slots = np.zeros(1 << bits, bool)
    slots[_slot(hashes, slots)] = True
    return slots


def _slot(hashes: Hashes, slots: Bools) -> Ints:
    return (hashes >> np.uint64(65 - len(slots).bit_length())).view(np.int64)


def find_judged(run: Run, index: JudgmentIndex, position: Ints) -> tuple[Ints, Ints]:
    """Find the rows of a run that are judged, and the judgment of each.

    `position` is the place of each of the run's queries on the axis, -1 for one that nobody
    judged. Returns (hits,) rows of the run, ascending, and (hits,) rows of the judgments.
    """
    axis = np.repeat(position.astype(np.int32), run.depths)
    rows, row_hashes = _candidates(run, axis, index.slots)
    if index.has_twins:
        return _looked_up(run, index.qrels, axis, rows)
    rows, judgments = _matched(rows, row_hashes, index)
    return _confirmed(run, index.qrels, axis, rows, judgments)


def _candidates(run: Run, axis: Int32s, slots: Bools) -> tuple[Ints, Hashes]:
    """Return the rows that may be judged, with their hashes: all that are, and a few others."""
    doc_ids, known = run.doc_ids, run.doc_hashes

    def of_slice(first: int) -> tuple[Ints, Hashes]:
        last = first + _SLICE_ROWS
        part = (
            hash_strings(doc_ids.slice(first, _SLICE_ROWS)) if known is None else known[first:last]
        )
        hashes = mix_codes(part, axis[first:last])
        rows = np.flatnonzero(slots[_slot(hashes, slots)])
        return rows + first, hashes[rows]

    found = map_in_threads(of_slice, range(0, max(len(doc_ids), 1), _SLICE_ROWS))
    return np.concatenate([rows for rows, _ in found]), np.concatenate([h for _, h in found])


def _matched(rows: Ints, row_hashes: Hashes, index: JudgmentIndex) -> tuple[Ints, Ints]:
    """Return the rows whose hash is that of a judgment, and the judgment."""
    if not len(index.hashes):
        return rows[:0], rows[:0]
    place = np.minimum(np.searchsorted(index.hashes, row_hashes), len(index.hashes) - 1)
    same = index.hashes[place] == row_hashes
    return rows[same], index.order[place[same]]


def _confirmed(
    run: Run, qrels: Qrels, axis: Int32s, rows: Ints, judgments: Ints
) -> tuple[Ints, Ints]:
    """Keep the pairs whose query and document id are indeed the same."""
    import pyarrow.compute as pc

    same_doc = pc.equal(run.doc_ids.take(pa.array(rows)), qrels.doc_ids.take(pa.array(judgments)))
    same = same_doc.to_numpy(zero_copy_only=False) & (axis[rows] == qrels.query[judgments])
    return rows[same], judgments[same]


def _looked_up(run: Run, qrels: Qrels, axis: Int32s, rows: Ints) -> tuple[Ints, Ints]:
    """Find the judgments by the ids alone, where two judgments share a hash."""
    pairs = zip(qrels.query.tolist(), qrels.doc_ids.to_pylist(), strict=True)
    judgment = {pair: i for i, pair in enumerate(pairs)}
    docs = run.doc_ids.take(pa.array(rows)).to_pylist()
    found = [judgment.get(pair, -1) for pair in zip(axis[rows].tolist(), docs, strict=True)]
    judgments = np.array(found, np.int64)
    return rows[judgments >= 0], judgments[judgments >= 0]
