"""`${NAME}` in a configuration: only what the file declares, and never shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rageval.config.faults import Fault, Loc

_USE = re.compile(r"\$\$\{|\$\{([^}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass
class Expansion:
    """A configuration with its variables replaced, and what stood there before."""

    declared: frozenset[str]
    environ: Mapping[str, str]
    written: dict[Loc, str] = field(default_factory=dict)
    """Texts as they were written, where a variable was replaced."""
    faults: list[Fault] = field(default_factory=list)

    def expand(self, value: Any, loc: Loc = ()) -> Any:
        """Return a value with every declared variable replaced."""
        if isinstance(value, dict):
            return {key: self.expand(item, (*loc, key)) for key, item in value.items()}
        if isinstance(value, list):
            return [self.expand(item, (*loc, i)) for i, item in enumerate(value)]
        return self._text(value, loc) if isinstance(value, str) else value

    def _text(self, text: str, loc: Loc) -> str:
        expanded = _USE.sub(lambda use: self._replacement(use, loc), text)
        if expanded != text:
            self.written[loc] = text
        return expanded

    def _replacement(self, use: re.Match[str], loc: Loc) -> str:
        name = use[1]
        if name is None:
            return "${"
        if name not in self.declared:
            self._undeclared(name, loc)
        return self.environ.get(name, "") if name in self.declared else use[0]

    def _undeclared(self, name: str, loc: Loc) -> None:
        hint = f"add {name} to `environment:`, or write $${{ for a literal ${{"
        if not _NAME.fullmatch(name):
            hint = "write $${ for a literal ${"
        self.faults.append(Fault(loc, f"${{{name}}} is used but not declared", hint))


def expand_environment(
    data: dict[str, Any], environ: Mapping[str, str]
) -> tuple[dict[str, Any], Expansion]:
    """Replace `${NAME}` in every text of a configuration except in `environment` itself.

    A variable that is declared but not set, and one that is used but not declared, are faults.
    """
    entries = data.get("environment")
    names = entries if isinstance(entries, list) else [entries]
    declared = [name for name in names if isinstance(name, str)]
    expansion = Expansion(frozenset(declared), environ)
    expansion.faults.extend(_unset(declared, environ))
    expanded = {
        key: value if key == "environment" else expansion.expand(value, (key,))
        for key, value in data.items()
    }
    return expanded, expansion


def _unset(declared: list[str], environ: Mapping[str, str]) -> list[Fault]:
    return [
        Fault(
            ("environment", i),
            f"the environment variable {name} is declared but not set",
            f"set it, for example with `export {name}=...`",
        )
        for i, name in enumerate(declared)
        if name not in environ and _NAME.fullmatch(name)
    ]
