"""OBO's PURLs → registrations that answer as Apache httpd does with the directives made of them.

`exact` is a resource, `prefix` a rule and a resource for the prefix itself, `regex` a rule with a pattern
where it says no more than a pattern can. An entry that would be answered otherwise is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ginuri.files.tables.expressions import read_expression
from ginuri.identifiers import parse
from ginuri.identifiers.characters import normalise_escapes
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.migration.entries import ConvertedEntry, Outcome, RefusedEntry, Registration
from ginuri.migration.obo_files import Directive, UnreadableEntry, read_obo
from ginuri.migration.order import Claim, claim, claim_some, conflicting_claim
from ginuri.registration.checks.rule_conflicts import MOST_RULES
from ginuri.registration.verdicts import Finding
from ginuri.registry.locations import is_location
from ginuri.registry.rules.patterns import ALL_THE_REST, Pattern, fault_of

HOST = "purl.obolibrary.org"
_OF_ALIASES = {301, 302}
_PIECE = re.compile(r"\{[^{}]*\}")
_LITERAL = re.compile(r"(?:\(\?i\))?\^((?:[^\\\[\](){}*+?|^$.]|\\[./-])*)")
"""What an expression begins with that is no more than text."""

_Earlier = list[tuple[Claim, str]]


def import_obo(files: Mapping[str, bytes], host: str = HOST) -> Sequence[Outcome]:
    """Give what becomes of each entry of these files, in their order. Raises UnreadableFile."""
    read = [each for file, content in files.items() for each in read_obo(file, content)]
    outcomes: list[Outcome] = [
        RefusedEntry(each.place, each.reason) for each in read if isinstance(each, UnreadableEntry)
    ]
    earlier: _Earlier = []
    directives = (each for each in read if isinstance(each, Directive))
    # Sorting keeps the order of the entries of a file.
    outcomes += [_import(each, host, earlier) for each in sorted(directives, key=lambda it: it.turn)]
    order = {file: number for number, file in enumerate(files)}
    return sorted(outcomes, key=lambda it: (order[it.place.file], it.place.line))


def _import(directive: Directive, host: str, earlier: _Earlier) -> Outcome:
    called = f"{directive.place.name} in line {directive.place.line} of {directive.place.file}"
    read = _registered(directive, host)
    wrong = read if isinstance(read, str) else _wrong(read, host)
    if isinstance(read, str) or wrong:
        if directive.kind == "regex":
            begun = _LITERAL.match(directive.matches)
            unknown = begun[1].replace("\\", "") if begun is not None else ""
            earlier.append((claim_some(unknown, directive.matches), called))
        return RefusedEntry(directive.place, str(wrong))
    claims = {id(line): _claim(line, host) for line in read}
    main = claims[id(read[0])]
    wrong = conflicting_claim(main, earlier) or _too_many(main, earlier)
    if wrong:
        return RefusedEntry(directive.place, wrong)
    # The prefix itself may be answered by what comes first, while what stands under it is not.
    kept = [line for line in read if line is read[0] or not conflicting_claim(claims[id(line)], earlier)]
    earlier += [(claims[id(line)], called) for line in kept]
    return ConvertedEntry(directive.place, kept)


def _too_many(main: Claim, earlier: _Earlier) -> str | None:
    beside = [each for each, _ in earlier if each.pattern is not None and each.is_known]
    if main.pattern is None or sum(each.name == main.name for each in beside) < MOST_RULES:
        return None
    return f"{main.name} has {MOST_RULES} rules already, and a prefix has no more"


def _registered(directive: Directive, host: str) -> list[Registration] | str:
    """Give the registrations that mean a directive; or say why there are none."""
    match directive.kind:
        case "exact":
            return [_exact(directive, host)]
        case "prefix":
            folder, _, begun = directive.matches.rpartition("/")
            rule = {
                "identifier": _name(host, f"{folder}/"),
                "location": f"{directive.location}{ALL_THE_REST}",
            }
            if begun:
                rule["pattern"] = f"{begun}{ALL_THE_REST}"
            return [_rule(directive, rule), _exact(directive, host)]
        case _:
            return _expression(directive, host)


def _expression(directive: Directive, host: str) -> list[Registration] | str:
    written = directive.matches
    if written.startswith("(?i)"):
        return "a regular expression that heeds no capitals, and a rule heeds them"
    if not (written.startswith("^") and written.endswith("$")):
        return "a regular expression that does not begin with ^ and end in $ takes more than a rule can say"
    if not written.startswith(f"^{directive.heard_under}"):
        return f"it is tried for what stands under {directive.heard_under} only, and takes none of that"
    stated = {"identifier": _name(host, written[1:]), "location": directive.location}
    meant = read_expression(stated)
    if isinstance(meant, Finding):
        return str(meant.message)
    if meant.get("record") != "rule":
        return "a regular expression without a piece; state it as exact"
    return [_rule(directive, meant)]


def _exact(directive: Directive, host: str) -> Registration:
    line: dict[str, Any] = {"identifier": _name(host, directive.matches), "title": directive.title}
    own = _own_name(directive.location, host)
    if own is not None and directive.status_code in _OF_ALIASES:
        return line | {"record": "alias", "stands_for": own, "status_code": directive.status_code}
    line |= {"location": directive.location, "status_code": directive.status_code}
    # By its final slash it would be a thing, which answers with 303 whatever is said.
    return line | ({"kind": "document"} if directive.matches.endswith("/") else {})


def _own_name(location: str, host: str) -> str | None:
    """Give the identifier that a location is, on the host that answers for these; None for any other."""
    protocol, mark, path = location.partition(f"://{host}/")
    return f"http://{host}/{path}" if mark and protocol in {"http", "https"} and "?" not in path else None


def _rule(directive: Directive, rule: Mapping[str, str]) -> Registration:
    line = {**rule, "record": "rule", "title": directive.title, "status_code": directive.status_code}
    if Pattern(rule.get("pattern", "")).takes_the_rest:
        line["kind"] = "document"  # of which some end in a slash, likewise
    # RedirectMatch appends the query, unless what it leads to has one.
    return line | ({} if "?" in directive.location else {"pass_query": True})


def _name(host: str, path: str) -> str:
    return f"http://{host}{normalise_escapes(path)}"


def _claim(line: Mapping[str, Any], host: str) -> Claim:
    path = line["identifier"].removeprefix(f"http://{host}")
    return claim(path, Pattern(line.get("pattern", "")) if line.get("record") == "rule" else None)


def _wrong(lines: Sequence[Registration], host: str) -> str | None:
    """Say why registrations could not be loaded; None where they can."""
    for line in lines:
        try:
            parse(line["identifier"])
        except MalformedIdentifier as error:
            return str(error)
        fault = fault_of(line.get("pattern", ""))
        if fault is not None:
            return f"{line['pattern']}: {fault}"
        is_rule = line.get("record") == "rule"
        leads = line["stands_for"] if "stands_for" in line else line["location"]
        if not is_location(_PIECE.sub("x", leads) if is_rule else leads):
            return f"{leads} is no absolute http or https URI, with escapes where needed"
        if is_rule and _own_name(leads, host) is not None:
            return f"{leads} leads to {host} itself; name the place that it leads to in the end"
    return None
