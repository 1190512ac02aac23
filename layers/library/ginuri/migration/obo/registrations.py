"""Writes an entry of OBO as registrations that resolve like its directive for Apache httpd.

`exact` becomes a resource, `prefix` a rule and a resource for the prefix itself, `regex` rules with patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ginuri.files.expressions.targets import TargetRule, TargetRules, write_rules
from ginuri.identifiers.characters import normalise_escapes
from ginuri.identifiers.messages import Message, message
from ginuri.migration.entries import Registration
from ginuri.migration.faults import refuse_faulty
from ginuri.migration.obo.files import SHARED, Directive
from ginuri.migration.order import Claim, claim
from ginuri.registry.rules.grammar import ALL_THE_REST
from ginuri.registry.rules.patterns import Pattern

_OF_ALIASES = {301, 302}
_ANCHORED = re.compile(r"(?:\(\?i\))?\^/")
# The last piece takes slashes, or an option ends in one.
_ENDS_IN_SLASHES = re.compile(r"(?:\{\+[^{}]*\}|/)\]?$|\{\w+:\[[^\]]*/[^\]*\][^{}]*\}\]?$")


def register(directive: Directive, host: str) -> Sequence[Registration] | Message:
    """Return the registrations of an entry, or the reason against it."""
    lines = _registered(directive, host)
    return refuse_faulty(lines)


def register_parts(directive: Directive, patterns: Sequence[str], host: str) -> Sequence[Registration]:
    """Return rules for those paths of a `regex` that these patterns match; none if that is not possible."""
    if directive.kind != "regex":
        return ()
    found = _write(directive, patterns)
    if isinstance(found, Message):
        return ()
    return [_part(directive, rule, host, ignore_case=found.ignore_case) for rule in found.rules]


def name_of(path: str, host: str) -> str:
    """Return the identifier of a path."""
    return f"http://{host}{normalise_escapes(path)}"


def claim_of(line: Mapping[str, Any], host: str) -> Claim:
    """Return the names that a registration answers for."""
    path = line["identifier"].removeprefix(f"http://{host}")
    if line.get("record") != "rule":
        return claim(path)
    return claim(path, Pattern(line.get("pattern", ""), line.get("ignore_case", False)))


def _registered(directive: Directive, host: str) -> list[Registration] | Message:
    match directive.kind:
        case "exact":
            return [_exact(directive, host)]
        case "prefix":
            # OBO's tool writes (?i) before each prefix, and the folder of a project has two names.
            rule = {
                "identifier": name_of(SHARED, host),
                "pattern": f"{normalise_escapes(directive.matches.removeprefix(SHARED))}{ALL_THE_REST}",
                "ignore_case": True,
                "location": f"{directive.location}{ALL_THE_REST}",
            }
            return [_rule(directive, rule), _exact(directive, host), *_merged(directive, host)]
        case _:
            return _expression(directive, host)


def _merged(directive: Directive, host: str) -> Iterator[Registration]:
    # Apache httpd reads // as one slash. A rule passes both on, so a tested name has its own location.
    for test in directive.tests:
        if "//" in test.path:
            yield _exact(replace(directive, matches=test.path, location=test.location), host)


def _expression(directive: Directive, host: str) -> list[Registration] | Message:
    if not _ANCHORED.match(directive.matches):
        return message("A regular expression that does not start with ^/ may match any part of a path.")
    found = _write(directive)
    if isinstance(found, Message):
        return found
    heard = directive.heard_under.removeprefix(SHARED)
    rules = [rule for rule in found.rules if rule.pattern.startswith(heard)]
    if not rules:
        return message(
            "The regular expression is only tried for paths under {folder}, and matches none of them.",
            folder=directive.heard_under,
        )
    return [_part(directive, rule, host, ignore_case=found.ignore_case) for rule in rules]


def _write(directive: Directive, only: Sequence[str] = ()) -> TargetRules | Message:
    expression = directive.matches.replace("^/", "^", 1)
    return write_rules(expression, directive.location, base=SHARED.removeprefix("/"), only=only)


def _part(directive: Directive, rule: TargetRule, host: str, *, ignore_case: bool) -> Registration:
    if rule.is_name and not ignore_case:
        path = f"/{rule.prefix}{rule.pattern}"
        return _exact(replace(directive, matches=path, location=rule.location), host)
    fields: dict[str, Any] = {"identifier": name_of(f"/{rule.prefix}", host), "location": rule.location}
    if rule.pattern != ALL_THE_REST:
        fields["pattern"] = rule.pattern
    return _rule(directive, fields | ({"ignore_case": True} if ignore_case else {}))


def _exact(directive: Directive, host: str) -> Registration:
    line: dict[str, Any] = {"identifier": name_of(directive.matches, host), "title": directive.title}
    own = _own_name(directive.location, host)
    if own is not None and directive.status_code in _OF_ALIASES:
        return line | {"record": "alias", "stands_for": own, "status_code": directive.status_code}
    line |= {"location": directive.location, "status_code": directive.status_code}
    # With a final slash it would be a thing, which always answers with 303.
    return line | ({"kind": "document"} if directive.matches.endswith("/") else {})


def _own_name(location: str, host: str) -> str | None:
    """Read a location on the host of these PURLs as an identifier; None for any other location."""
    protocol, mark, path = location.partition(f"://{host}/")
    return f"http://{host}/{path}" if mark and protocol in {"http", "https"} and "?" not in path else None


def _rule(directive: Directive, rule: Mapping[str, Any]) -> Registration:
    line = {**rule, "record": "rule", "title": directive.title, "status_code": directive.status_code}
    if _may_end_in_slash(rule.get("pattern", "")):
        line["kind"] = "document"  # a thing would always be answered with 303
    # RedirectMatch appends the query, unless its target has one.
    return line | ({} if "?" in directive.location else {"pass_query": True})


def _may_end_in_slash(pattern: str) -> bool:
    return not pattern or pattern.endswith("/") or _ENDS_IN_SLASHES.search(pattern) is not None
