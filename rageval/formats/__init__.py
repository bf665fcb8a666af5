"""Read runs and datasets, in whichever of the known formats they are."""

from rageval.formats.id_map import read_id_map
from rageval.formats.reading import (
    DATASET_FORMATS,
    DOCUMENT_LENGTH,
    RUN_FORMATS,
    read_dataset,
    read_documents,
    read_run,
)

__all__ = [
    "DATASET_FORMATS",
    "DOCUMENT_LENGTH",
    "RUN_FORMATS",
    "read_dataset",
    "read_documents",
    "read_id_map",
    "read_run",
]
