"""Expressions with a target for each media type, as rules and resources with a form for each.

Both resolvers of USGIN answer with 303. An expression matches from the start of a name, as `re.match` does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from ginuri.files.expressions.targets import TargetRule, write_rules
from ginuri.identifiers.messages import Message, message
from ginuri.registry.rules.grammar import ALL_THE_REST

SEE_OTHER = 303
_URL = "/#%[]=:;$&()+,!?*@'~"
"""The characters that Django's `iri_to_uri` keeps in a location."""


@dataclass(frozen=True, slots=True)
class MediaTarget:
    """The target for a media type; without one, for every request."""

    media_type: str
    location: str


def negotiated(
    expression: str, targets: Sequence[MediaTarget], base: str
) -> Sequence[dict[str, Any]] | Message:
    """Return the rules and resources of an expression for the names after `base`, or a reason against it."""
    if not targets:
        return _without_forms(expression, base)
    written: list[Sequence[TargetRule]] = []
    for target in targets:
        found = write_rules(f"^{expression.removeprefix('^')}", quote(target.location, safe=_URL))
        if isinstance(found, Message):
            return found
        written.append(found.rules)
    if len({tuple((rule.prefix, rule.pattern) for rule in rules) for rules in written}) > 1:
        return message("The media types need different patterns for their locations.")
    return [
        {
            **subject(rules[0], base),
            "representations": [
                _form(target.media_type, rule.location) for target, rule in zip(targets, rules, strict=True)
            ],
        }
        for rules in zip(*written, strict=True)
    ]


def subject(rule: TargetRule, base: str) -> dict[str, Any]:
    """Return the identifier of a rule, or of a single name, with the pattern of a rule."""
    if rule.is_name:
        return {"identifier": f"{base}{rule.prefix}{rule.pattern}"}
    line = {"record": "rule", "identifier": f"{base}{rule.prefix}"}
    return line if rule.pattern == ALL_THE_REST else {**line, "pattern": rule.pattern}


def with_ending(line: Mapping[str, Any], ending: str) -> dict[str, Any]:
    """Return a rule or resource for the names with a file extension."""
    field = "pattern" if line.get("record") == "rule" else "identifier"
    return {**line, field: f"{line.get(field, ALL_THE_REST)}{ending}"}


def _without_forms(expression: str, base: str) -> Sequence[dict[str, Any]] | Message:
    found = write_rules(f"^{expression.removeprefix('^')}", "")
    if isinstance(found, Message):
        return found
    return [{**subject(rule, base), "status": "reserved"} for rule in found.rules]


def _form(media_type: str, location: str) -> dict[str, Any]:
    form = {"location": location, "status_code": SEE_OTHER}
    return {"media_type": media_type, **form} if media_type else form
