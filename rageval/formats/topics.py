"""Query texts that stand beside the judgments: TSV, JSON Lines, or one JSON object."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rageval.errors import InputError
from rageval.formats.attributes import attributes_of
from rageval.formats.content import Content
from rageval.formats.faults import Faults
from rageval.formats.ids import ID_HINT, id_text, not_an_id
from rageval.formats.json_text import Entries, JsonText, json_text
from rageval.formats.keys import ABSENT, Keys
from rageval.formats.names import SPELLINGS, folded, looked_for
from rageval.formats.tables import DatasetTable

_HINT = "a line is: query id, tab, text; or JSON Lines with _id and text"


@dataclass
class Topics:
    """Queries by id, with what else the file says about them."""

    texts: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, query: str, text: str, where: str, faults: Faults) -> bool:
        """Add one query, unless its id was seen before; return whether it is new."""
        if query in self.texts:
            faults.add(f"a second text for query {query!r}", where, "one text for each query")
            return False
        self.texts[query] = text
        return True


def read_topics(content: Content, faults: Faults) -> Topics:
    """Read query texts, in whichever of the formats they are."""
    if content.is_parquet:
        what = "is Parquet, where query texts are wanted"
        raise InputError(what, where=content.path, hint=_HINT)
    json = json_text(content)
    if json is None:
        return _of_tsv(content, faults)
    if json.is_lines:
        return _of_entries(json.lines(faults), faults)
    if isinstance(json.value, dict):
        return _of_object(json.value, json, faults)
    values = json.value if isinstance(json.value, list) else []
    return _of_entries(Entries(values, json.place), faults)


def with_topics(
    table: DatasetTable, content: Content, lenient: bool
) -> tuple[DatasetTable, Topics]:
    """Return the dataset with the texts of a file beside it, which win over its own."""
    faults = Faults(lenient)
    topics = read_topics(content, faults)
    joined = replace(
        table,
        texts={**{query: text for query, text in table.texts.items() if text}, **topics.texts},
        attributes={**table.attributes, **topics.attributes},
        findings=(*table.findings, *faults.settle()),
    )
    return joined, topics


def _of_tsv(content: Content, faults: Faults) -> Topics:
    topics = Topics()
    lines = content.text.split("\n")
    if "<top>" in lines[0] or "<topic" in content.text[:2000]:
        raise InputError("TREC topics in XML", where=content.path, hint=f"convert it; {_HINT}")
    for number, line in enumerate(lines, 1):
        query, tab, text = line.rstrip("\r").partition("\t")
        if number == 1 and _is_header(query, text):
            continue
        if tab and query.strip():
            topics.add(query.strip(), text, f"{content.path}:{number}", faults)
        elif line.strip():
            faults.add("no tab between a query id and a text", f"{content.path}:{number}", _HINT)
    return topics


def _is_header(first: str, second: str) -> bool:
    return folded(first) in SPELLINGS["query_id"] and folded(second) in SPELLINGS["query"]


def _of_object(value: dict[str, object], json: JsonText, faults: Faults) -> Topics:
    topics = Topics()
    for i, (query, text) in enumerate(value.items()):
        if isinstance(text, str):
            topics.add(query, text, json.place(i), faults)
        else:
            faults.add(f"the text of query {query!r} is not a text", json.place(i))
    return topics


def _of_entries(entries: Entries, faults: Faults) -> Topics:
    topics, keys = Topics(), Keys({})
    for i, entry in enumerate(entries.values):
        if isinstance(entry, dict):
            _take(entry, keys, topics, entries.place(i), faults)
        else:
            faults.add("is not an object", entries.place(i), _HINT)
    return topics


def _take(entry: dict[str, object], keys: Keys, topics: Topics, where: str, faults: Faults) -> None:
    query_id, text = keys.value("query_id", entry), keys.value("query", entry)
    query = id_text(query_id)
    if query_id is ABSENT:
        faults.add("a query without an id", where, f"looked for {looked_for('query_id')}")
    elif query is None:
        faults.add(not_an_id(query_id), where, ID_HINT)
    elif text is not ABSENT and text is not None and not isinstance(text, str):
        faults.add(f"the text of query {query!r} is not a text", where, _HINT)
    elif topics.add(query, text if isinstance(text, str) else "", where, faults):
        used = {keys.of_entry(ours, entry) or "" for ours in ("query_id", "query")}
        for name, value in attributes_of(entry, used).items():
            topics.attributes.setdefault(name, {})[query] = value
