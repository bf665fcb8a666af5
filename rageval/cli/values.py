"""Values that `rageval compare` and `rageval plan` start from: our results, or any tool's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rageval.config.models import FileSpec
from rageval.data import EvaluationResult
from rageval.errors import InputError
from rageval.formats.opened import Opened
from rageval.formats.values import ValuesFile, read_values
from rageval.formats.values_table import Values, chosen_of_results
