"""Equal scores in a ranking: where they stand, and their canonical order."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from rageval.data.arrays import Bools, Floats, Int32s, Ints


def equals_next(code: Int32s, score: Floats) -> Bools:
    """Return whether a row and the next one are of one query and have equal scores; (rows - 1,)."""
    same: Bools = (score[1:] == score[:-1]) & (code[1:] == code[:-1])
    return same


def order_within_ties(same_as_next: Bools, doc_ids: pa.StringArray) -> Ints | None:
    """Return the order of rows in which equal scores stand by document id, descending.

    The order is that of the ids' UTF-8 bytes, as in trec_eval. Rows that are not tied stay;
    None means that all of them do.
    """
    tied = _tied_rows(same_as_next)
    if not len(tied):
        return None
    continues = np.concatenate(([False], same_as_next))[tied]
    ordered = tied[_descending(np.cumsum(~continues), doc_ids.take(pa.array(tied)))]
    if np.array_equal(ordered, tied):
        return None
    order = np.arange(len(doc_ids))
    order[tied] = ordered
    return order


def _tied_rows(same_as_next: Bools) -> Ints:
    """Return the rows that are equal to a neighbour."""
    either = np.concatenate((same_as_next, [False]))
    either[1:] |= same_as_next
    return np.flatnonzero(either)


def _descending(group: Ints, doc_ids: pa.StringArray) -> Ints:
    import pyarrow.compute as pc

    table = pa.table({"group": group, "doc": doc_ids})
    keys = [("group", "ascending"), ("doc", "descending")]
    order: Ints = pc.sort_indices(table, keys).to_numpy().astype(np.int64)
    return order
