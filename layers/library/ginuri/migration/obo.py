"""Converts OBO's PURLs to registrations that resolve like its directives for Apache httpd.

`exact` becomes a resource, `prefix` a rule and a resource for the prefix itself, `regex` a rule with a
pattern if a pattern can express it. An entry that would resolve differently is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from ginuri.files.expressions.targets import TargetRule, write_rules
from ginuri.identifiers import parse
from ginuri.identifiers.characters import normalise_escapes
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import Message, message
from ginuri.migration.entries import (
    ConvertedEntry,
    EntryPlace,
    Files,
    Outcome,
    RefusedEntry,
    Registration,
    reject_location,
)
from ginuri.migration.obo_files import SHARED, Directive, DirectiveTest, UnreadableEntry, read_obo
from ginuri.migration.order import Claim, claim, claim_some, find_conflict
from ginuri.registry.locations import is_location
from ginuri.registry.rules.faults import fault_of
from ginuri.registry.rules.grammar import ALL_THE_REST
from ginuri.registry.rules.patterns import Pattern

HOST = "purl.obolibrary.org"
_OF_ALIASES = {301, 302}
_PIECE = re.compile(r"\{[^{}]*\}")
# The literal text that an expression begins with.
_LITERAL = re.compile(r"(?:\(\?i\))?\^((?:[^\\\[\](){}*+?|^$.]|\\[./-])*)")

_ANCHORED = re.compile(r"(?:\(\?i\))?\^/")
# The last piece takes slashes, or an option ends in one.
_ENDS_IN_SLASHES = re.compile(r"(?:\{\+[^{}]*\}|/)\]?$|\{\w+:\[[^\]]*/[^\]]*\][^{}]*\}\]?$")

_Earlier = list[tuple[Claim, EntryPlace]]


def import_obo(files: Files, host: str = HOST) -> Iterator[Outcome]:
    """Convert the entries of these files. Raises UnreadableFile."""
    entries = [entry for file, content in files.items() for entry in read_obo(file, content)]
    for entry in entries:
        if isinstance(entry, UnreadableEntry):
            yield RefusedEntry(entry.place, entry.reason)
    earlier: _Earlier = []
    directives = _with_tests(
        [entry for entry in entries if isinstance(entry, Directive)],
        [entry for entry in entries if isinstance(entry, DirectiveTest)],
    )
    # Sorting is stable: it keeps the order of the entries of a file.
    for directive in sorted(directives, key=attrgetter("turn")):
        yield _import(directive, host, earlier)


def _with_tests(directives: list[Directive], tests: Sequence[DirectiveTest]) -> Sequence[Directive]:
    """Add the tests of whole files to the `prefix` entries that answer them."""
    for test in tests:
        path = test.path.lower()
        prefixes = {
            len(directive.matches): at
            for at, directive in enumerate(directives)
            if directive.kind == "prefix" and path.startswith(directive.matches.lower())
        }
        if prefixes:
            at = prefixes[max(prefixes)]
            directives[at] = replace(directives[at], tests=(*directives[at].tests, test))
    return directives


def _import(directive: Directive, host: str, earlier: _Earlier) -> Outcome:
    lines = _registered(directive, host)
    if not isinstance(lines, Message):
        lines = _find_fault(lines) or lines
    if isinstance(lines, Message):
        if directive.kind == "regex":
            literal = _LITERAL.match(directive.matches)
            start = literal[1].replace("\\", "") if literal is not None else ""
            earlier.append((claim_some(start, directive.matches), directive.place))
        return RefusedEntry(directive.place, lines)
    claims = [_claim(line, host) for line in lines]
    conflicts = [find_conflict(own, earlier) for own in claims]
    # An earlier entry may match the prefix itself, and no name below it.
    needed = conflicts if directive.kind == "regex" else conflicts[:1]
    if conflict := next(filter(None, needed), None):
        return RefusedEntry(directive.place, conflict.reason, conflict.obstacle)
    kept = [at for at, conflict in enumerate(conflicts) if conflict is None]
    earlier += [(claims[at], directive.place) for at in kept]
    first, *others = (lines[at] for at in kept)
    return ConvertedEntry(directive.place, [_tested(first, directive, host), *others])


def _tested(line: Registration, directive: Directive, host: str) -> Registration:
    """Add the tests of an entry to its first registration: those that are below its identifier."""
    tests = [
        {
            "path": name.removeprefix(line["identifier"]),
            "status": test.status_code,
            "target": test.location,
        }
        for test in directive.tests
        if (name := _name(host, test.path)).startswith(line["identifier"])
    ]
    return {**line, "tests": tests} if tests else line


def _registered(directive: Directive, host: str) -> list[Registration] | Message:
    match directive.kind:
        case "exact":
            return [_exact(directive, host)]
        case "prefix":
            # OBO's tool writes (?i) before each prefix, and the folder of a project has two names.
            rule = {
                "identifier": _name(host, SHARED),
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
    written = directive.matches
    if not _ANCHORED.match(written):
        return message("A regular expression that does not start with ^/ may match any part of a path.")
    found = write_rules(written.replace("^/", "^", 1), directive.location, base=SHARED[1:])
    if isinstance(found, Message):
        return found
    heard = directive.heard_under.removeprefix(SHARED)
    rules = [rule for rule in found.rules if rule.pattern.startswith(heard)]
    if not rules:
        return message(
            "The regular expression is only tried for paths under {folder}, and matches none of them.",
            folder=directive.heard_under,
        )
    return [
        _exact(replace(directive, matches=f"/{rule.prefix}{rule.pattern}", location=rule.location), host)
        if rule.is_name and not found.ignore_case
        else _rule(directive, _fields(rule, host, ignore_case=found.ignore_case))
        for rule in rules
    ]


def _fields(rule: TargetRule, host: str, *, ignore_case: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {"identifier": _name(host, f"/{rule.prefix}"), "location": rule.location}
    if rule.pattern != ALL_THE_REST:
        fields["pattern"] = rule.pattern
    return fields | ({"ignore_case": True} if ignore_case else {})


def _exact(directive: Directive, host: str) -> Registration:
    line: dict[str, Any] = {"identifier": _name(host, directive.matches), "title": directive.title}
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


def _name(host: str, path: str) -> str:
    return f"http://{host}{normalise_escapes(path)}"


def _claim(line: Mapping[str, Any], host: str) -> Claim:
    path = line["identifier"].removeprefix(f"http://{host}")
    if line.get("record") != "rule":
        return claim(path)
    return claim(path, Pattern(line.get("pattern", ""), line.get("ignore_case", False)))


def _find_fault(lines: Sequence[Registration]) -> Message | None:
    for line in lines:
        try:
            parse(line["identifier"])
        except MalformedIdentifier as error:
            return error.words
        if fault := fault_of(line.get("pattern", "")):
            return message("{pattern}: {reason}", pattern=line["pattern"], reason=fault)
        leads = line["stands_for"] if "stands_for" in line else line["location"]
        is_rule = line.get("record") == "rule"
        if not is_location(_PIECE.sub("x", leads) if is_rule else leads):
            return reject_location(leads)
    return None
