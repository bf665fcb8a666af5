"""Join runs with judgments: reduce a run to where the judged documents stand in it."""

from rageval.judging.assembling import join_parts
from rageval.judging.documents import DocumentMap
from rageval.judging.joining import JudgmentIndex
from rageval.judging.judge import judge
from rageval.judging.locating import locate
from rageval.judging.variants import condense, reorder_ties

__all__ = [
    "DocumentMap",
    "JudgmentIndex",
    "condense",
    "join_parts",
    "judge",
    "locate",
    "reorder_ties",
]
