"""Converts OBO's PURLs to registrations that resolve like its directives for Apache httpd.

`exact` becomes a resource, `prefix` a rule and a resource for the prefix itself, `regex` a rule with a
pattern if a pattern can express it. An entry that would resolve differently is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from ginuri.files.tables.expressions import read_expression
from ginuri.identifiers import parse
from ginuri.identifiers.characters import normalise_escapes
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import Message, message
from ginuri.migration.entries import (
    ConvertedEntry,
    Files,
    Outcome,
    RefusedEntry,
    Registration,
    reject_location,
)
from ginuri.migration.obo_files import Directive, UnreadableEntry, read_obo
from ginuri.migration.order import Claim, claim, claim_some, find_conflict
from ginuri.registration.checks.rule_conflicts import MOST_RULES
from ginuri.registration.verdicts import Finding
from ginuri.registry.locations import is_location
from ginuri.registry.rules.faults import fault_of
from ginuri.registry.rules.grammar import ALL_THE_REST
from ginuri.registry.rules.patterns import Pattern

HOST = "purl.obolibrary.org"
_OF_ALIASES = {301, 302}
_PIECE = re.compile(r"\{[^{}]*\}")
# The literal text that an expression begins with.
_LITERAL = re.compile(r"(?:\(\?i\))?\^((?:[^\\\[\](){}*+?|^$.]|\\[./-])*)")

_Earlier = list[tuple[Claim, Message]]


def import_obo(files: Files, host: str = HOST) -> Iterator[Outcome]:
    """Convert the entries of these files. Raises UnreadableFile."""
    entries = [entry for file, content in files.items() for entry in read_obo(file, content)]
    for entry in entries:
        if isinstance(entry, UnreadableEntry):
            yield RefusedEntry(entry.place, entry.reason)
    earlier: _Earlier = []
    # Sorting is stable: it keeps the order of the entries of a file.
    directives = [entry for entry in entries if isinstance(entry, Directive)]
    for directive in sorted(directives, key=attrgetter("turn")):
        yield _import(directive, host, earlier)


def _import(directive: Directive, host: str, earlier: _Earlier) -> Outcome:
    name = directive.place.describe()
    lines = _registered(directive, host)
    if not isinstance(lines, Message):
        lines = _find_fault(lines, host) or lines
    if isinstance(lines, Message):
        if directive.kind == "regex":
            literal = _LITERAL.match(directive.matches)
            start = literal[1].replace("\\", "") if literal is not None else ""
            earlier.append((claim_some(start, directive.matches), name))
        return RefusedEntry(directive.place, lines)
    claims = [_claim(line, host) for line in lines]
    if fault := find_conflict(claims[0], earlier) or _too_many(claims[0], earlier):
        return RefusedEntry(directive.place, fault)
    # An earlier entry may match the prefix itself, and no name below it.
    kept = [at for at, own in enumerate(claims) if at == 0 or not find_conflict(own, earlier)]
    earlier += [(claims[at], name) for at in kept]
    return ConvertedEntry(directive.place, [lines[at] for at in kept])


def _too_many(main: Claim, earlier: _Earlier) -> Message | None:
    rules = [other for other, _ in earlier if other.pattern is not None and other.is_exact]
    if main.pattern is None or sum(rule.name == main.name for rule in rules) < MOST_RULES:
        return None
    return message(
        "{prefix} already has {most} rules, and a prefix can have no more.",
        prefix=main.name,
        most=str(MOST_RULES),
    )


def _registered(directive: Directive, host: str) -> list[Registration] | Message:
    match directive.kind:
        case "exact":
            return [_exact(directive, host)]
        case "prefix":
            folder, _, start = directive.matches.rpartition("/")
            rule = {
                "identifier": _name(host, f"{folder}/"),
                "location": f"{directive.location}{ALL_THE_REST}",
            }
            if start:
                rule["pattern"] = f"{start}{ALL_THE_REST}"
            return [_rule(directive, rule), _exact(directive, host)]
        case _:
            return _expression(directive, host)


def _expression(directive: Directive, host: str) -> list[Registration] | Message:
    written = directive.matches
    if written.startswith("(?i)"):
        return message("The regular expression ignores case, and a rule cannot.")
    if not (written.startswith("^") and written.endswith("$")):
        return message(
            "A regular expression that does not start with ^ and end with $ matches more than a rule can."
        )
    if not written.startswith(f"^{directive.heard_under}"):
        return message(
            "The regular expression is only tried for paths under {folder}, and matches none of them.",
            folder=directive.heard_under,
        )
    stated = {"identifier": _name(host, written[1:]), "location": directive.location}
    meant = read_expression(stated)
    if isinstance(meant, Finding):
        return meant.message
    if meant.get("record") != "rule":
        return message("The regular expression has no piece in brackets. Write the entry as `exact`.")
    return [_rule(directive, meant)]


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


def _rule(directive: Directive, rule: Mapping[str, str]) -> Registration:
    line = {**rule, "record": "rule", "title": directive.title, "status_code": directive.status_code}
    if Pattern(rule.get("pattern", "")).takes_the_rest:
        line["kind"] = "document"  # some identifiers below the rule end in a slash
    # RedirectMatch appends the query, unless its target has one.
    return line | ({} if "?" in directive.location else {"pass_query": True})


def _name(host: str, path: str) -> str:
    return f"http://{host}{normalise_escapes(path)}"


def _claim(line: Mapping[str, Any], host: str) -> Claim:
    path = line["identifier"].removeprefix(f"http://{host}")
    return claim(path, Pattern(line.get("pattern", "")) if line.get("record") == "rule" else None)


def _find_fault(lines: Sequence[Registration], host: str) -> Message | None:
    for line in lines:
        try:
            parse(line["identifier"])
        except MalformedIdentifier as error:
            return error.words
        if fault := fault_of(line.get("pattern", "")):
            return message("{pattern}: {reason}", pattern=line["pattern"], reason=fault)
        is_rule = line.get("record") == "rule"
        leads = line["stands_for"] if "stands_for" in line else line["location"]
        if not is_location(_PIECE.sub("x", leads) if is_rule else leads):
            return reject_location(leads)
        if is_rule and _own_name(leads, host) is not None:
            return message(
                "{location} leads to {host} itself. Give the address that it finally leads to.",
                location=leads,
                host=host,
            )
    return None
