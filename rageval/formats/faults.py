"""Collect what is wrong with single lines: the first ten and the count, or a counted finding."""

from __future__ import annotations

from dataclasses import dataclass, field

from rageval.data.finding import MAX_EXAMPLES, Finding
from rageval.errors import SHOWN_PROBLEMS, InputError, Problem


@dataclass
class Faults:
    """Faults of single lines or entries of one file."""

    lenient: bool
    code: str = "malformed-lines"
    what: str = "Lines or entries that could not be read"
    effect: str = "They were skipped, because `lenient` is set. Mend the file."
    problems: list[Problem] = field(default_factory=list)
    count: int = 0
    comments: int = 0
    """Comment lines, which are no faults."""

    def add(self, what: str, where: str, hint: str = "") -> None:
        """Note one fault; only the first few are kept, and a hint is given once."""
        self.count += 1
        if len(self.problems) < SHOWN_PROBLEMS:
            said = any(problem.hint == hint for problem in self.problems)
            self.problems.append(Problem(what, where, "" if said else hint))

    def settle(self) -> tuple[Finding, ...]:
        """Raise `InputError` if there are faults, or return them as a finding where lenient."""
        if self.count and not self.lenient:
            raise InputError(self.problems, total=self.count)
        return (*self._skipped(), *self._comments())

    def _skipped(self) -> tuple[Finding, ...]:
        examples = tuple(problem.where for problem in self.problems[:MAX_EXAMPLES])
        found = Finding(self.code, "medium", self.what, self.count, self.effect, examples=examples)
        return (found,) if self.count else ()

    def _comments(self) -> tuple[Finding, ...]:
        what, effect = "Lines that start with # and are no data", "They were read as comments."
        found = Finding("comment-lines", "low", what, self.comments, effect)
        return (found,) if self.comments else ()
