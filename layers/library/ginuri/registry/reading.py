"""A record's values → the registered record, as typed values."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ginuri.frozen import NOTHING
from ginuri.identifiers.identifier import Kind
from ginuri.registry.model import (
    Alias,
    Captures,
    Delegation,
    Dereference,
    Host,
    LetterCase,
    NameAuthority,
    Namespace,
    Prefix,
    RecordType,
    Registered,
    Representation,
    Resource,
    ResourceType,
    Rule,
    RuleCuts,
    Scheme,
    Status,
    StoredFile,
)
from ginuri.registry.statuses import STATUSES, UNTIL

if TYPE_CHECKING:
    from ginuri.registry.rules.patterns import Pattern
    from ginuri.registry.rules.stored import StoredRules

_CLASSES: dict[RecordType, type[Registered]] = {
    RecordType.SCHEME: Scheme,
    RecordType.HOST: Host,
    RecordType.AUTHORITY: NameAuthority,
    RecordType.NAMESPACE: Namespace,
    RecordType.RESOURCE_TYPE: ResourceType,
    RecordType.RESOURCE: Resource,
    RecordType.ALIAS: Alias,
    RecordType.RULE: Prefix,
    RecordType.DELEGATION: Prefix,
}
RECORD_TYPES = {kept: kind for kind, kept in reversed(_CLASSES.items())}
"""The record type of each class; a prefix is registered for its rules, unless it has none."""
_ENUMERATIONS = {"status": Status, "dereference": Dereference, "kind": Kind, "case": LetterCase}
_TEXTS = {"title": "titles", "description": "descriptions"}
_HIDDEN = frozenset(status for status, meaning in STATUSES.items() if meaning.is_hidden)
_OF_RULES = ("status_code", "pass_query", "document", "document_of")
"""The fields of the rule itself."""
_OF_PATTERNS = ("ignore_case", "captures")
"""The fields of its pattern; all others belong to its answer."""
_APART = frozenset({"record", "tests"})
"""The values that are no attributes: the class has the type, and answers do not depend on tests."""
_OF_PREFIX = frozenset({"rules", "delegation", "tests"})
"""The values that a prefix has without a record of its own."""
RULES_MARK = ' "rules":'
"""The beginning of the rules at the end of a body: no other field name has a space before it."""
TESTS_MARK, TESTS_END = ' "tests":', " }"
"""The beginning of the tests, after the rules, and the end of a body with tests, which no other has."""
_OF_RECORD, _OF_CHARACTER = 700, 8
"""Bytes of a record in memory: without its values, and for each character of its body (measured).

Long texts need one byte for each character, links, rules and properties eight to ten.
"""


def read_stored(identifier: str, body: str, modified: str) -> Registered:
    """Make the typed value from a body (`serialization.write_values`): rules on first use, tests never."""
    fields: dict[str, Any] = {}
    if body.endswith(TESTS_END):
        body, fields = f"{body[: body.rindex(TESTS_MARK)].removesuffix(',')}}}", {"is_tested": True}
    at = body.find(RULES_MARK)
    fields["size"] = _OF_RECORD + _OF_CHARACTER * len(body)
    if at < 0:
        return _read(identifier, _read_plain(body), modified, fields)
    from ginuri.registry.rules.stored import StoredRules

    values, written = _read_plain(f"{body[:at].removesuffix(',')}}}"), body[at + len(RULES_MARK) :]
    rules = StoredRules(
        lambda: read_rules(identifier, _read_plain(f'{{"rules":{written}')["rules"], modified),
        may_pair='"document' in written,
        has_days=f'"{UNTIL}"' in written,
    )
    return _read(identifier, values, modified, {**fields, "rules": rules})


def read_values(body: str) -> dict[str, Any]:
    """Read the values of a record, and its tests, from its stored text, with plain texts."""
    if not body.endswith(TESTS_END):
        return _read_plain(body)
    from ginuri.registry.record.answer_tests import join_tests
    from ginuri.registry.texts.plain_text import plain_values

    values: dict[str, Any] = json.loads(body)
    return plain_values(join_tests(values, values.pop("tests")))


def _read_plain(body: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(body)
    # ASCII text without escapes is always plain.
    if body.isascii() and "\\" not in body and "\x7f" not in body:
        return values
    from ginuri.registry.texts.plain_text import is_plain_json, plain_values

    return values if is_plain_json(body) else plain_values(values)


def read_registered(identifier: str, values: Mapping[str, Any], modified: str) -> Registered:
    """Make the typed value from a record's nested values (`Record.values`)."""
    delegation = [values["delegation"]] if "delegation" in values else []
    is_tested = any("tests" in each for each in (values, *values.get("rules", {}).values(), *delegation))
    return _read(identifier, values, modified, {"is_tested": True} if is_tested else {})


def _read(identifier: str, values: Mapping[str, Any], modified: str, fields: dict[str, Any]) -> Registered:
    if values.get("status") in _HIDDEN:
        fields = fields | _read_opened(identifier, values, modified, fields)
        values = shown_values(values)
    if values.keys() <= _OF_PREFIX:
        values = {"record": RecordType.RULE, **values}
    for name, value in values.items():
        if name in _TEXTS:
            fields[_TEXTS[name]] = value
        elif name in _ENUMERATIONS:
            fields[name] = _ENUMERATIONS[name](value)
        elif name == "rules":
            fields[name] = _as_stored(identifier, value, modified)
        elif name in _READERS:
            fields[name] = _READERS[name](value)
        elif name not in _APART:
            fields[name] = value
    record_type = RecordType(values.get("record", RecordType.RESOURCE))
    read_class = RuleCuts if "cuts" in values else _CLASSES[record_type]
    return read_class(identifier=identifier, modified=modified, **fields)


def _read_opened(
    identifier: str, values: Mapping[str, Any], modified: str, fields: dict[str, Any]
) -> dict[str, Any]:
    if UNTIL not in values:
        return {}
    kept = {name: value for name, value in values.items() if name not in {"status", UNTIL}}
    opened = {"record": RecordType.RESOURCE, **kept}
    return {
        "opened": _read(identifier, opened, max(modified, f"{values[UNTIL]}T00:00:00.000Z"), dict(fields)),
        "size": 2 * fields.get("size", 0),  # both are in memory
    }


def shown_values(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Remove the values that are hidden because the record, or a rule, is withheld.

    Requests and publishing read only the rest; registering and exporting read everything.
    """
    from ginuri.registry.metadata.fields import FIELDS

    shown = dict(values)
    if values.get("status") in _HIDDEN:
        kept = {name for name, field in FIELDS.items() if not field.is_metadata} | {"rules", "delegation"}
        kept |= STATUSES[values["status"]].shown
        shown = {name: value for name, value in values.items() if name in kept}
        if "delegation" in shown:
            # The receiver of a prefix is public; the texts of the delegation may be hidden.
            handed = {name: value for name, value in shown["delegation"].items() if name in kept}
            shown["delegation"] = handed
    if "rules" in shown:
        shown["rules"] = {pattern: shown_values(rule) for pattern, rule in shown["rules"].items()}
    return shown


def _as_stored(identifier: str, rules: Mapping[str, Mapping[str, Any]], modified: str) -> StoredRules:
    from ginuri.registry.rules.stored import StoredRules

    may_pair = any(field.startswith("document") for rule in rules.values() for field in rule)
    read = partial(read_rules, identifier, rules, modified)
    return StoredRules(read, may_pair=may_pair, has_days=any(UNTIL in rule for rule in rules.values()))


def _read_cuts(members: Mapping[str, bool]) -> Mapping[str, str]:
    cuts: dict[str, str] = {}
    for member in members:
        prefix, _, sign = member.partition(" ")
        cuts[prefix] = cuts.get(prefix, "") + sign
    return cuts


def read_rules(identifier: str, rules: Mapping[str, Mapping[str, Any]], modified: str) -> tuple[Rule, ...]:
    """Read the rules of a record, the longest prefix and the most literal pattern first.

    Where their beginning is stored, each has its prefix before its pattern, with a space between them.
    """
    read = list[Rule]()
    for stored, values in rules.items():
        prefix, text = place_of_rule(identifier, stored)
        read.append(_read_rule(prefix, read_pattern(text, values), values, modified))
    return tuple(sorted(read, key=lambda rule: (len(rule.prefix), rule.pattern.rank), reverse=True))


def place_of_rule(identifier: str, stored: str) -> tuple[str, str]:
    """Return the prefix and the pattern of a rule from its key among the rules of a record."""
    prefix, apart, text = stored.partition(" ")
    return (prefix, text) if apart else (identifier, stored)


def read_pattern(text: str, values: Mapping[str, Any]) -> Pattern:
    """Make the pattern of a rule.

    A rule that was stored before pieces took the longest text does not state `captures`; its pieces still
    take the shortest.
    """
    from ginuri.registry.rules.patterns import Pattern, is_ambiguous

    captures = values.get("captures") or (Captures.SHORTEST if is_ambiguous(text) else Captures.LONGEST)
    return Pattern(text, bool(values.get("ignore_case")), captures == Captures.SHORTEST)


def _read_rule(prefix: str, pattern: Pattern, values: Mapping[str, Any], modified: str) -> Rule:
    own_values = {name: value for name, value in values.items() if name not in {*_OF_RULES, *_OF_PATTERNS}}
    answer = _read(prefix, {"record": RecordType.RESOURCE, **own_values}, modified, {})
    if not isinstance(answer, Resource):
        raise TypeError("a rule answers as a resource does")
    return Rule(pattern, answer, **{name: values[name] for name in _OF_RULES if name in values})


def _read_delegation(values: Mapping[str, Any]) -> Delegation | None:
    # A delegation that has ended may keep its title; its earlier receivers stay public.
    fields = {_TEXTS.get(name, name): value for name, value in values.items() if name not in _APART}
    return Delegation(**fields) if fields.keys() & {"answered_by", "to"} else None


def read_representation(values: Mapping[str, Any]) -> Representation:
    """Make a representation from its nested values."""
    fields = dict(values)
    roles, titles, file = fields.pop("role", ()), fields.pop("title", NOTHING), fields.pop("file", None)
    return Representation(
        **fields, roles=frozenset(roles), titles=titles, file=read_file(file) if file else None
    )


def read_file(values: Mapping[str, Any]) -> StoredFile:
    """Make a stored file from its nested values."""
    return StoredFile(**values)


_READERS: dict[str, Callable[[Any], Any]] = {
    "representations": lambda forms: tuple(map(read_representation, forms.values())),
    "delegation": _read_delegation,
    "retired_parts": frozenset,
    "cuts": _read_cuts,
}
"""Readers of fields with several values."""
