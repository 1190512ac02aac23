"""Candidates: the names and patterns that may be registered, and which of them wins for a path."""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from urllib.parse import unquote

from ginuri.files.expressions.examples import examples
from ginuri.files.expressions.intersection import intersect
from ginuri.files.expressions.splitting import is_name
from ginuri.migration.apache.requests import Applied
from ginuri.registry.rules.grammar import ALL, ALL_THE_REST, REST
from ginuri.registry.rules.patterns import Pattern

_TRIED, _MOST = 24, 12
"""The number of examples of a pattern, and how many of them are used."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A directive, and the directory that its expression leaves out of paths."""

    directive: Applied
    directory: str = ""

    def matches(self, path: str) -> bool:
        """Return whether its expression matches a path."""
        return self.directive.expression.search(unquote(path.removeprefix(self.directory))) is not None


@dataclass(frozen=True)
class Candidate:
    """A name, or a pattern, below a prefix."""

    prefix: str
    """A path that ends in a slash."""
    text: str
    """A literal name, `{+rest}` for all names below the prefix, or a pattern."""
    ignore_case: bool = False
    owners: tuple[Owner, ...] = field(default=(), compare=False)
    """The directives whose expression it comes from."""
    is_common: bool = field(default=False, compare=False)
    """Whether it has the common names of two others, or those of a condition or a directory."""
    is_required: bool = field(default=False, compare=False)
    """Whether it is registered in any case."""

    @property
    def is_name(self) -> bool:
        """Whether it is a single name."""
        return is_name(self.text) and not (self.ignore_case and self.text.lower() != self.text.upper())

    @cached_property
    def pattern(self) -> Pattern:
        """The pattern of its names."""
        return Pattern("" if self.text == ALL_THE_REST else self.text, self.ignore_case)

    @cached_property
    def begin(self) -> str:
        """The literal text that all its paths begin with."""
        literal = self.text.split("{")[0].split("[")[0]
        return f"{self.prefix}{literal.lower() if self.ignore_case else literal}"

    @property
    def path(self) -> str:
        """The path of a single name."""
        return f"{self.prefix}{self.text}"

    def owned_by(self, *owners: Owner) -> Candidate:
        """Return the candidate with further owners."""
        return replace(self, owners=tuple(dict.fromkeys((*self.owners, *owners))))

    def match(self, path: str) -> Mapping[str, str] | None:
        """Match a path: return the values of the pieces."""
        if not path.startswith(self.prefix):
            return None
        name = path[len(self.prefix) :]
        if self.is_name:
            return {} if name == self.text else None
        matched = self.pattern.match(name)
        if matched is None:
            return None
        # Named pieces come first in templates, and `rest` only if it is one of them.
        predefined = {ALL} if ALL_THE_REST in (self.pattern.text or ALL_THE_REST) else {ALL, REST}
        return {name: text for name, text in matched.items() if name not in predefined} | {ALL: matched[ALL]}

    @cached_property
    def rank(self) -> tuple[int, ...]:
        """The precedence of a pattern among those of its prefix: the greatest wins."""
        return self.pattern.precedence

    @cached_property
    def paths(self) -> list[str]:
        """Return examples of its paths, which its directives match as well."""
        if self.is_name:
            return [self.path]
        paths = [f"{self.prefix}{name}" for name in examples(self.pattern.text or ALL_THE_REST, _TRIED)]
        owned = [path for path in paths if any(owner.matches(path) for owner in self.owners)]
        return (owned or paths)[:_MOST]


class Candidates:
    """The candidates that are left, and the winner among them for each path."""

    def __init__(self) -> None:
        self._names: dict[str, Candidate] = {}
        self._rules: dict[str, list[Candidate]] = defaultdict(list)
        """By prefix, the winners first."""

    def __iter__(self) -> Iterator[Candidate]:
        yield from list(self._names.values())
        yield from [rule for rules in self._rules.values() for rule in rules]

    def __contains__(self, candidate: Candidate) -> bool:
        if candidate.is_name:
            return candidate.path in self._names
        return candidate in self._rules.get(candidate.prefix, ())

    def has_name(self, path: str) -> bool:
        """Return whether a path is a single name."""
        return path in self._names

    def add(self, candidate: Candidate) -> None:
        """Add a candidate."""
        if candidate.is_name:
            self._names[candidate.path] = candidate
        elif candidate not in self:
            insort(self._rules[candidate.prefix], candidate, key=lambda rule: [-part for part in rule.rank])

    def remove(self, candidate: Candidate) -> None:
        """Leave a candidate out."""
        if candidate.is_name:
            self._names.pop(candidate.path, None)
        elif candidate in self:
            self._rules[candidate.prefix].remove(candidate)

    def winner(self, path: str, without: Candidate | None = None) -> Candidate | None:
        """Return the candidate that answers for a path; None if none matches."""
        name = self._names.get(path)
        if name is not None and name != without:
            return name
        prefix = path.removesuffix("/")
        while prefix:
            prefix = prefix[: prefix.rfind("/") + 1]
            meeting = (rule for rule in self._meeting(prefix, path) if rule != without)
            if (best := next(meeting, None)) is not None:
                return best
            prefix = prefix[:-1]
        return None

    def _meeting(self, prefix: str, path: str) -> Iterator[Candidate]:
        for rule in self._rules.get(prefix, ()):
            text = path if not rule.ignore_case else f"{prefix}{path[len(prefix) :].lower()}"
            if text.startswith(rule.begin) and rule.match(path) is not None:
                yield rule

    def around(self, candidate: Candidate) -> Iterator[Candidate]:
        """Yield the other patterns that may match names of a pattern, by their first characters."""
        prefix = candidate.prefix
        while prefix:
            for rule in self._rules.get(prefix, ()):
                is_near = rule.begin.startswith(candidate.begin) or candidate.begin.startswith(rule.begin)
                if is_near and rule != candidate:
                    yield rule
            prefix = prefix[: prefix[:-1].rfind("/") + 1]


def find_common(one: Candidate, other: Candidate) -> list[Candidate]:
    """Return candidates for the names that both match."""
    shorter, longer = sorted((one, other), key=lambda candidate: len(candidate.prefix))
    if longer.is_name or shorter.is_name or one.ignore_case != other.ignore_case:
        return []
    beyond = longer.prefix[len(shorter.prefix) :]
    owners = tuple(dict.fromkeys((*one.owners, *other.owners)))
    return [
        Candidate(longer.prefix, text[len(beyond) :], one.ignore_case, owners, is_common=True)
        for text in intersect(f"{beyond}{longer.text}", shorter.text)
        if text.startswith(beyond)
    ]
