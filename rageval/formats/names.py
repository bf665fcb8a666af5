"""The names that columns and keys go by in files, and how ours are found among them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from rageval.errors import InputError, did_you_mean

SPELLINGS: Mapping[str, tuple[str, ...]] = {
    "query_id": ("query_id", "queryid", "qid", "question_id", "topic_id", "topic", "_id", "id"),
    "query": ("query", "question", "query_text", "question_text", "user_input", "text"),
    "doc_id": (
        *("doc_id", "docid", "docno", "document_id", "corpus_id", "passage_id", "chunk_id"),
        *("node_id", "pid", "_id", "id"),
    ),
    "score": ("score", "scores", "similarity", "similarity_score", "retrieval_score"),
    "rank": ("rank", "position"),
    "grade": ("grade", "relevance", "rel", "label", "relevance_grade", "judgment", "score"),
    "grades": ("grades",),
    "retrieved": (
        *("retrieved", "results", "retrieved_docs", "retrieved_doc_ids", "retrieved_ids"),
        *("retrieved_documents", "retrieved_chunks", "retrieved_chunk_ids", "retrieved_passages"),
        *("retrieved_context_ids", "ranking", "ranked_list", "hits", "docs", "documents"),
        *("doc_ids", "document_ids", "chunk_ids"),
    ),
    "relevant_docs": (
        *("relevant_docs", "relevant", "relevant_doc_ids", "relevant_doc_id", "relevant_ids"),
        *("relevant_documents", "relevant_chunks", "relevant_chunk_ids", "relevant_passages"),
        *("ground_truth_ids", "ground_truth_doc_ids", "ground_truth_docs", "gold_ids"),
        *("ground_truth_chunk_ids", "gold_doc_ids", "gold_chunk_ids", "gold_docs"),
        *("positive_ids", "positive_doc_ids", "expected_ids", "expected_doc_ids"),
        *("expected_docs", "reference_context_ids"),
    ),
}
"""Our name -> what files call it, the likeliest first; case and `-`, `_` and blanks are alike."""

RUN_NAMES = ("query_id", "query", "doc_id", "score", "rank", "retrieved")
DATASET_NAMES = ("query_id", "query", "doc_id", "grade", "grades", "relevant_docs")


def folded(name: str) -> str:
    """Return a name as it is compared: `Query-ID ` is `query_id`."""
    return name.strip().casefold().replace("-", "_").replace(" ", "_")


def find_name(ours: str, present: Iterable[str], taken: Collection[str] = ()) -> str | None:
    """Return what `present` calls our name, the likeliest spelling first, or None."""
    known = {folded(name): name for name in reversed(list(present)) if name not in taken}
    return next((known[spelling] for spelling in SPELLINGS[ours] if spelling in known), None)


def looked_for(ours: str) -> str:
    """Return the spellings of our name, for messages."""
    return ", ".join(SPELLINGS[ours])


def check_columns(columns: Mapping[str, str], known: Collection[str], where: str) -> None:
    """Raise `InputError` where `columns` names something that is not ours."""
    for ours in columns:
        if ours not in known:
            hint = did_you_mean(ours, known)
            raise InputError(f"`columns` has the unknown name {ours!r}", where=where, hint=hint)


def refuse_columns(columns: Mapping[str, str], where: str) -> None:
    """Raise `InputError` where `columns` is given for a format whose fields have fixed places."""
    if columns:
        what = "`columns` is given, but the fields of this format have fixed places"
        raise InputError(what, where=where, hint="leave `columns` out")


def name_columns(
    wanted: Iterable[str], present: Collection[str], columns: Mapping[str, str], where: str
) -> dict[str, str]:
    """Return our name -> the file's name, for those of `wanted` that the file has.

    `columns` decides where it speaks; a name that it promises and the file lacks is an error.
    """
    found = {ours: columns[ours] for ours in wanted if ours in columns}
    for ours, theirs in found.items():
        if theirs not in present:
            hint = did_you_mean(theirs, present)
            what = f"no column {theirs!r}, which `columns` names as {ours}"
            raise InputError(what, where=where, hint=hint)
    for ours in wanted:
        spelled = None if ours in found else find_name(ours, present, found.values())
        if spelled is not None:
            found[ours] = spelled
    return found
