"""The catalogue of well-known schemes: the lines of `well-known.jsonl`, which are ordinary registrations.

A scheme is a record of type `scheme` or `namespace`, and the rules on the same identifier.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ginuri.registry.model import LetterCase
from ginuri.registry.rules.namespaces import write_in_case
from ginuri.registry.rules.patterns import Pattern
from ginuri.registry.rules.templates import expand

_FILE = files("ginuri.schemes") / "well-known.jsonl"


@dataclass(frozen=True, slots=True)
class KnownRule:
    """A rule of a scheme: which names it is for, and where they resolve."""

    title: str
    pattern: Pattern
    location: str
    """A URI template."""

    def locate(self, rest: str) -> str | None:
        """Return the address of a name, given without its scheme; None if the rule is not for it."""
        pieces = self.pattern.match(rest)
        return None if pieces is None else expand(self.location, pieces)


@dataclass(frozen=True, slots=True)
class KnownScheme:
    """A well-known scheme, or a namespace of one."""

    identifier: str
    """`doi:`, `info:doi/`, `urn:nbn:`."""
    title: str
    homepage: str
    case: LetterCase | None
    rules: Sequence[KnownRule]
    """The one that wins first."""
    registrations: str
    """Its lines of the file."""

    @property
    def name(self) -> str:
        """The name that commands call it by: `doi`, `info:doi`, `urn:nbn`."""
        return self.identifier[:-1]

    def fold(self, name: str) -> str:
        """Write a name of the scheme in the case of its normal form."""
        begin = len(self.identifier)
        return name[:begin] + write_in_case(self.case, name[begin:])

    def locate(self, name: str) -> str | None:
        """Return the address of a name of the scheme; None if none of its rules is for it."""
        rest = name[len(self.identifier) :]
        return next((where for rule in self.rules if (where := rule.locate(rest)) is not None), None)


@cache
def known_schemes() -> Mapping[str, KnownScheme]:
    """Return the well-known schemes by identifier, in the order of the file."""
    lines: dict[str, list[str]] = {}
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        lines.setdefault(json.loads(line)["identifier"], []).append(line)
    return {identifier: _read(identifier, own) for identifier, own in lines.items()}


def _read(identifier: str, lines: Sequence[str]) -> KnownScheme:
    record, *rules = map(json.loads, lines)
    return KnownScheme(
        identifier,
        record["title"],
        record["homepage"],
        LetterCase(record["case"]) if "case" in record else None,
        sorted(map(_read_rule, rules), key=lambda rule: rule.pattern.rank, reverse=True),
        "".join(f"{line}\n" for line in lines),
    )


def _read_rule(rule: Mapping[str, Any]) -> KnownRule:
    pattern = Pattern(rule.get("pattern", ""), ignore_case=rule.get("ignore_case", False))
    return KnownRule(rule["title"], pattern, rule["location"])
