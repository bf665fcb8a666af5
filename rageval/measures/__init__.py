"""Measures: what a value means, and how it comes from where judged documents stand."""

from rageval.measures.glossary import MeasureRow, describe, table
from rageval.measures.labels import parse_measure
from rageval.measures.registry import MEASURES
from rageval.measures.values import compute, compute_all

__all__ = ["MEASURES", "MeasureRow", "compute", "compute_all", "describe", "parse_measure", "table"]
