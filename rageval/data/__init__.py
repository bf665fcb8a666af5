"""The frozen records that every part of rageval passes on, and their invariants."""

from rageval.data.comparison import Comparison, FindingWord, SliceComparison
from rageval.data.dataset import Dataset
from rageval.data.finding import Finding, Severity
from rageval.data.judged_run import JudgedRun
from rageval.data.measure import BoundMeasure, Measure
from rageval.data.measurements import Measurements
from rageval.data.qrels import Qrels
from rageval.data.result import (
    Brand,
    DatasetResult,
    EvaluationResult,
    MacroMean,
    MeasureInfo,
    Provenance,
    QueryDetail,
    RepeatSpread,
    Retrieved,
    Sensitivity,
    Strategy,
    StrategyFailure,
    StrategySummary,
)
from rageval.data.run import Run
from rageval.data.source import Source

__all__ = [
    "BoundMeasure",
    "Brand",
    "Comparison",
    "Dataset",
    "DatasetResult",
    "EvaluationResult",
    "Finding",
    "FindingWord",
    "JudgedRun",
    "MacroMean",
    "Measure",
    "MeasureInfo",
    "Measurements",
    "Provenance",
    "Qrels",
    "QueryDetail",
    "RepeatSpread",
    "Retrieved",
    "Run",
    "Sensitivity",
    "Severity",
    "SliceComparison",
    "Source",
    "Strategy",
    "StrategyFailure",
    "StrategySummary",
]
