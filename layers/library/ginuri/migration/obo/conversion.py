"""Converts OBO's PURLs to registrations that resolve like its directives for Apache httpd.

The directives are tried in order; here the more literal one wins. An entry that would resolve differently is
refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from ginuri.identifiers.messages import Message
from ginuri.migration.entries import ConvertedEntry, Files, Outcome, RefusedEntry, Registration
from ginuri.migration.obo.files import Directive, DirectiveTest, UnreadableEntry, read_obo
from ginuri.migration.obo.registrations import claim_of, name_of, register, register_parts
from ginuri.migration.order import Claim, OrderConflict, claim_some, find_conflict

HOST = "purl.obolibrary.org"
# The literal text that an expression begins with.
_LITERAL = re.compile(r"(?:\(\?i\))?\^((?:[^\\\[\](){}*+?|^$.]|\\[./-])*)")


@dataclass(frozen=True, slots=True)
class _Earlier:
    """A directive that is tried before others, with one of its claims."""

    claim: Claim
    directive: Directive


def import_obo(files: Files, host: str = HOST) -> Iterator[Outcome]:
    """Convert the entries of these files. Raises UnreadableFile."""
    entries = [entry for file, content in files.items() for entry in read_obo(file, content)]
    for entry in entries:
        if isinstance(entry, UnreadableEntry):
            yield RefusedEntry(entry.place, entry.reason)
    earlier: list[_Earlier] = []
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


def _import(directive: Directive, host: str, earlier: list[_Earlier]) -> Outcome:
    lines = register(directive, host)
    if isinstance(lines, Message):
        if directive.kind == "regex":
            earlier.append(_Earlier(_claim_unknown(directive.matches), directive))
        return RefusedEntry(directive.place, lines)
    settled = [_settle(claim_of(line, host), earlier, host) for line in lines]
    # An earlier entry may match the prefix itself, and no name below it.
    needed = settled if directive.kind == "regex" else settled[:1]
    if conflict := next((each for each in needed if isinstance(each, OrderConflict)), None):
        return RefusedEntry(directive.place, conflict.reason, conflict.obstacle)
    kept: list[Registration] = []
    first: list[Registration] = []
    for line, each in zip(lines, settled, strict=True):
        if not isinstance(each, OrderConflict):
            kept.append(line)
            first += each
    earlier += [_Earlier(claim_of(line, host), directive) for line in kept]
    return ConvertedEntry(directive.place, [_tested(kept[0], directive, host), *kept[1:], *first])


def _claim_unknown(expression: str) -> Claim:
    literal = _LITERAL.match(expression)
    return claim_some(literal[1].replace("\\", "") if literal is not None else "", expression)


def _settle(own: Claim, earlier: Sequence[_Earlier], host: str) -> Sequence[Registration] | OrderConflict:
    """Return rules for the names for which earlier entries come first, or the conflict that is left."""
    rules: list[Registration] = []
    for at, before in enumerate(earlier):
        conflict = find_conflict(own, [(before.claim, before.directive.place)])
        if conflict is None:
            continue
        parts = register_parts(before.directive, conflict.common, host) if conflict.common else ()
        if not parts or any(not _comes_first(claim_of(part, host), own, earlier[:at]) for part in parts):
            return conflict
        rules += parts
    return rules


def _comes_first(part: Claim, own: Claim, earlier: Sequence[_Earlier]) -> bool:
    others = [(each.claim, each.directive.place) for each in earlier]
    return part.beats(own) and find_conflict(part, others) is None


def _tested(line: Registration, directive: Directive, host: str) -> Registration:
    """Add the tests of an entry to its first registration: those that are below its identifier."""
    tests = [
        {
            "path": name.removeprefix(line["identifier"]),
            "status": test.status_code,
            "target": test.location,
        }
        for test in directive.tests
        if (name := name_of(test.path, host)).startswith(line["identifier"])
    ]
    return {**line, "tests": tests} if tests else line
