"""Join runs with judgments: reduce a run to where the judged documents stand in it."""

from rageval.judging.documents import DocumentMap
from rageval.judging.judge import judge
from rageval.judging.variants import condense, reorder_ties

__all__ = ["DocumentMap", "condense", "judge", "reorder_ties"]
