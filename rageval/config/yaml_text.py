"""YAML in which every scalar stays the text that was written.

YAML 1.1 turns `no` into a boolean, `010` into 8, `12:30` into 750 and `2026-11-30` into a date.
Names and ids must survive as they stand, so only null is resolved here; the records convert text
where they want a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from rageval.config.faults import Fault, Loc
from rageval.errors import ConfigError

MAX_DEPTH = 30
MAX_VALUES = 100_000
"""How many values a file may hold after its aliases are expanded (a bomb has billions)."""

_CORE = "tag:yaml.org,2002:"
_NULL = _CORE + "null"
_PLAIN_TAGS = {_CORE + name for name in ("str", "int", "float", "bool", "null", "map", "seq")}


@dataclass(frozen=True)
class Tree:
    """What a YAML file says: mappings, lists, text and None, and where each stands."""

    data: Any
    lines: dict[Loc, int]
    faults: list[Fault]


def parse_yaml(text: str, file: str) -> Tree:
    """Parse one YAML document; syntax errors are one `ConfigError` with line and column."""
    try:
        node = yaml.compose(text, Loader=_TextLoader)
        builder = _Builder()
        data = None if node is None else builder.value(node, (), 0)
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(error, file) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise ConfigError(
            f"the character U+{ord(text[error.position]):04X} is not allowed in YAML",
            where=f"{file}:{line}",
        ) from None
    return Tree(data, builder.lines, builder.faults)


class _TextLoader(yaml.SafeLoader):
    """Composes nodes with null as the only implicit type, and bounded depth."""

    yaml_implicit_resolvers = {  # noqa: RUF012  # PyYAML's own way to declare them
        first: [(tag, pattern) for tag, pattern in pairs if tag == _NULL]
        for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            event = self.peek_event()  # type: ignore[no-untyped-call]
            raise _too_deep(event.start_mark)
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


@dataclass
class _Builder:
    """Turns nodes into plain values and notes the line of each."""

    lines: dict[Loc, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    values: int = 0

    def value(self, node: yaml.Node, loc: Loc, depth: int) -> Any:
        self._bound(node, depth)
        self.lines.setdefault(loc, _line(node))
        if node.tag not in _PLAIN_TAGS:
            self._fault(loc, node, f"the YAML tag {node.tag} is not used here")
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, loc, depth)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*loc, i), depth + 1) for i, item in enumerate(node.value)]
        return None if node.tag == _NULL else node.value

    def _mapping(self, node: yaml.MappingNode, loc: Loc, depth: int) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        for key, value in self._pairs(node, loc, depth):
            first = self.lines.setdefault((*loc, key.value), _line(key))
            if key.value in mapping:
                what = f"{key.value!r} appears twice (first in line {first})"
                self._fault((*loc, key.value), key, what, "keep one of the two")
            else:
                mapping[key.value] = self.value(value, (*loc, key.value), depth + 1)
        self._merge(node, mapping, loc, depth)
        return mapping

    def _pairs(
        self, node: yaml.MappingNode, loc: Loc, depth: int
    ) -> Iterator[tuple[yaml.Node, yaml.Node]]:
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self._fault(loc, key, "a key must be a single word or text")
            elif not _is_merge(key):
                yield key, value

    def _merge(self, node: yaml.MappingNode, into: dict[str, Any], loc: Loc, depth: int) -> None:
        # `<<: *defaults` fills in what the mapping itself does not say.
        for key, value in node.value:
            if not _is_merge(key):
                continue
            sources = value.value if isinstance(value, yaml.SequenceNode) else [value]
            for source in sources:
                if not isinstance(source, yaml.MappingNode):
                    self._fault(loc, key, "`<<` merges mappings only")
                    continue
                for name, merged in self._mapping(source, loc, depth + 1).items():
                    into.setdefault(name, merged)

    def _bound(self, node: yaml.Node, depth: int) -> None:
        self.values += 1
        if depth > MAX_DEPTH:  # an alias inside its own anchor
            raise _too_deep(node.start_mark)
        if self.values > MAX_VALUES:
            problem = f"aliases expand to more than {MAX_VALUES:,} values"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)

    def _fault(self, loc: Loc, node: yaml.Node, what: str, hint: str = "") -> None:
        self.faults.append(Fault(loc, what, hint, line=_line(node)))


def _is_merge(key: yaml.Node) -> bool:
    return isinstance(key, yaml.ScalarNode) and key.value == "<<" and key.style is None


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _too_deep(mark: yaml.Mark) -> yaml.MarkedYAMLError:
    problem = f"nested more than {MAX_DEPTH} levels deep"
    return yaml.MarkedYAMLError(problem=problem, problem_mark=mark)


def _syntax_error(error: yaml.MarkedYAMLError, file: str) -> ConfigError:
    mark = error.problem_mark or error.context_mark
    where = f"{file}:{mark.line + 1}:{mark.column + 1}" if mark else file
    reasons = (str(reason) for reason in (error.context, error.problem) if reason)
    return ConfigError(f"not valid YAML: {', '.join(reasons)}", where=where, hint=_advice(error))


def _advice(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or ""
    if "'\\t'" in problem:
        return "indent with spaces, not tabs"
    if "mapping values are not allowed" in problem:
        return "check the indentation, or quote a text that holds ': '"
    if "'@'" in problem or "'`'" in problem or "'%'" in problem:
        return "quote a text that begins with @, ` or %"
    return ""
