"""Runs the rules of mod_rewrite on a request, as Apache httpd 2.4 does."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from ginuri.files.repairs.locations import encode_host
from ginuri.identifiers.messages import message
from ginuri.migration.apache.conditions import test_conditions
from ginuri.migration.apache.configuration import Configuration
from ginuri.migration.apache.requests import Answer, Applied, Request, UnsupportedConfiguration
from ginuri.migration.apache.rules import REDIRECTS, RewriteRule
from ginuri.migration.apache.variables import Scope, expand_variables

_ABSOLUTE = re.compile(r"(?:https?|ftp|gopher|ldaps?|ws|wss)://", re.IGNORECASE)
_AUTHORITY = re.compile(r"([a-z]+://[^/]*)(.*)", re.DOTALL | re.IGNORECASE)
_UNESCAPED = "/$-_.+!*'(),:;@&=~"
"""The characters that mod_rewrite does not escape in a location."""
_MOST_ROUNDS = 50
_FAILED = 500


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A request that goes on with another path of the host."""

    path: str
    query: str
    environment: dict[str, str]
    applied: tuple[Applied, ...]


@dataclass(slots=True)
class Rewriting:
    """The rules of a directory, running on a request."""

    configuration: Configuration
    request: Request
    host: str
    path_info: str
    """What follows the first part of the path that does not exist, in a directory."""
    environment: dict[str, str]
    is_file: Callable[[str, str], bool]
    matching: Callable[[Configuration, str], Sequence[int]]
    """Returns the numbers of the rules that may apply to a text, in order."""
    target: str = ""
    query: str = ""
    status: int | None = None
    is_escaped: bool = True
    applied: list[Applied] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.target = self.request.path
        self.query = self.request.query

    def run(self) -> Answer | Rewritten | None:
        """Try the rules; None if they change nothing. Raises UnsupportedConfiguration."""
        rules = self.configuration.rules
        at, rounds = 0, 0
        while (at := self._next(at)) < len(rules):
            rule = rules[at]
            if not self._apply(rule):
                at = _skip_chain(rules, at)
            elif rule.status is not None and rule.status not in REDIRECTS:
                return Answer(rule.status, applied=tuple(self.applied))
            elif {"L", "END"} & rule.flags.keys():
                break
            elif "N" in rule.flags:
                at, rounds = 0, rounds + 1
                if rounds > _MOST_ROUNDS:
                    return Answer(_FAILED, applied=tuple(self.applied))
            else:
                at += 1 + (int(rule.flags["S"]) if rule.flags.get("S", "").isdigit() else 0)
        return self._finish()

    def _next(self, at: int) -> int:
        """Return the number of the next rule that may apply, from this one on."""
        matching = self.matching(self.configuration, self._seen())
        place = bisect_left(matching, at)
        return matching[place] if place < len(matching) else len(self.configuration.rules)

    def _apply(self, rule: RewriteRule) -> bool:
        found = rule.expression.search(self._seen())
        if (found is None) != rule.is_negative:
            return False
        scope = Scope(self.request, self.host, self.request.path, self.environment, found)
        tested = test_conditions(rule.conditions, scope, self.is_file)
        if tested is None:
            return False
        self._set_variables(rule, tested)
        if "P" in rule.flags:
            raise UnsupportedConfiguration(message("A rule cannot fetch the answer of another server."))
        self.applied.append(rule)
        if rule.substitution != "-" and (rule.status is None or rule.status in REDIRECTS):
            self._substitute(rule, expand_variables(rule.substitution, tested))
        return True

    def _seen(self) -> str:
        """Return the text that patterns are matched with."""
        directory = self.configuration.directory
        if not directory:
            return self.target
        if self.target == self.request.path:
            return self.target[len(directory) :]
        return f"{self.target}{self.path_info}".removeprefix(directory)

    def _set_variables(self, rule: RewriteRule, scope: Scope) -> None:
        for setting in rule.flags.get("E", "").split("\n"):
            name, _, value = setting.partition(":")
            if name.startswith("!"):
                self.environment.pop(name[1:], None)
            elif name:
                self.environment[name] = expand_variables(value, scope)

    def _substitute(self, rule: RewriteRule, text: str) -> None:
        target, query = self._split_query(rule, text)
        if not _ABSOLUTE.match(target) and not target.startswith("/"):
            target = (
                f"{self.configuration.base or self.configuration.directory or '/'}".rstrip("/") + f"/{target}"
            )
        self.query = query
        if "R" in rule.flags and not _ABSOLUTE.match(target):
            target = f"https://{self.host}{target}"
        if _ABSOLUTE.match(target):
            self.status = rule.status or 302
        self.target = target
        self.is_escaped = "NE" not in rule.flags

    def _split_query(self, rule: RewriteRule, text: str) -> tuple[str, str]:
        target, mark, query = text.rpartition("?") if "QSL" in rule.flags else text.partition("?")
        if "QSL" in rule.flags and not mark:
            target, query = query, ""
        before = "" if "QSD" in rule.flags else self.query
        if not mark:
            return target, before
        if "QSA" in rule.flags and before:
            return target, f"{query}&{before}" if query else before
        return target, query.removesuffix("&")

    def _finish(self) -> Answer | Rewritten | None:
        applied = tuple(self.applied)
        if not _ABSOLUTE.match(self.target):
            if self.target == self.request.path:
                return None
            return Rewritten(self.target, self.query, self.environment, applied)
        found = _AUTHORITY.match(self.target)
        location = self.target
        if self.is_escaped and found is not None:
            location = encode_host(found[1] + escape(found[2]))
        if self.query:
            is_same = not self.is_escaped or self.query == self.request.query
            location += f"?{self.query if is_same else escape(self.query)}"
        return Answer(self.status or 302, location, applied)


def escape(text: str) -> str:
    """Escape a path as mod_rewrite does: `%` and `#` too."""
    return re.sub("%..", lambda found: found[0].lower(), quote(text, safe=_UNESCAPED))


def find_matching(rules: Sequence[RewriteRule], text: str) -> Sequence[int]:
    """Return the numbers of the rules that match a text, and of those that others are chained to."""
    return [
        number
        for number, rule in enumerate(rules)
        if "C" in rule.flags
        or (text.startswith(rule.start) and (rule.expression.search(text) is None) == rule.is_negative)
    ]


def _skip_chain(rules: Sequence[RewriteRule], at: int) -> int:
    """Return the next rule to try: rules that are chained to one that did not match are left out."""
    while "C" in rules[at].flags and at + 1 < len(rules):
        at += 1
    return at + 1
