"""The conditions of an upload, judged against the record of the write itself.

A write finds the revision of the record that was judged, or everything is judged again. A delivery that wrote
the record before recognises its own stamp (`judgement`), so that a fulfilled condition is judged once.

A name that becomes a part of another resource, or that a rule comes to match, at the same moment is none of
its conditions: its own record answers for it then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from ginuri.identifiers.comparison.folding import fold
from ginuri.identifiers.roots import printable_name
from ginuri.registration.checks.near_duplicates import registered_spellings
from ginuri.registration.rows import Origin, Registration
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.ports import Registry
from ginuri.registry.record.entity_tags import entity_tag
from ginuri.registry.record.record import Record
from ginuri.resolution.finder import RememberingFinder
from ginuri.resolution.match import Match, find_match
from ginuri.resolution.other_spellings import find_other_spellings

IF_MATCH, IF_NONE_MATCH, ONLY_NEW = "if-match", "if-none-match", "only new"
"""The rules of refusals."""
ANY = "*"
# RFC 9110 §8.8.3: opaque-tag = DQUOTE *etagc DQUOTE; a weak one never matches (§13.1.1).
_TAG = re.compile(r'(?P<weak>W/)?(?P<tag>"[\x21\x23-\x7e]*")')
# §13.1.1: If-Match = "*" / #entity-tag; §5.6.1.2: a recipient ignores empty elements
_TAGS = re.compile(
    rf"(?:[ \t]*,)*[ \t]*{_TAG.pattern}(?:(?:[ \t]*,)+[ \t]*(?:W/)?\"[\x21\x23-\x7e]*\")*(?:[ \t]*,)*"
)


def are_tags(text: str) -> bool:
    """Return whether a text is `*` or a list of entity tags.

    >>> [are_tags(text) for text in ('*', '"a"', 'W/"a", "b"', ',"a" ,,"b",', 'a', '"a" "b"', ',')]
    [True, True, True, True, False, False, False]
    """
    return text == ANY or _TAGS.fullmatch(text) is not None


def matches(condition: str, tag: str, *, is_weak: bool = False) -> bool:
    """Return whether a record has one of these entity tags; an absent record has an empty tag.

    If-None-Match compares weakly (RFC 9110 §13.1.2).

    >>> [matches('"a", W/"b"', tag) for tag in ('"a"', '"b"', '')], matches("*", '"a"'), matches("*", "")
    ([True, False, False], True, False)
    """
    if condition == ANY:
        return bool(tag)
    return tag in {found["tag"] for found in _TAG.finditer(condition) if is_weak or not found["weak"]}


class ConditionJudge:
    """Judges the registrations of one upload by its conditions."""

    def __init__(self, registry: Registry, origin: Origin) -> None:
        self._registry = registry
        self._origin = origin
        self._earlier_spellings: Mapping[str, str] = {}

    def compare(self, registrations: Sequence[Registration]) -> None:
        """Compare the names of one file with each other."""
        if self._origin.conditions.is_only_new:
            self._earlier_spellings = registered_spellings(registrations)

    def judge(self, registration: Registration, records: Mapping[str, Record]) -> list[Finding]:
        """Find the failed conditions. Raises RegistryUnavailable."""
        conditions = self._origin.conditions
        if not conditions.are_any or self._origin.is_offline:
            return []
        if registration.is_apart:
            return [_apart(registration)]
        return [
            *self._judge_tags(registration, records),
            *(self._judge_new(registration, records) if conditions.is_only_new else ()),
        ]

    def _judge_tags(self, registration: Registration, records: Mapping[str, Record]) -> Iterator[Finding]:
        name, conditions = registration.identifier.normal_form, self._origin.conditions
        before = records.get(name)
        tag = entity_tag(before)
        if conditions.if_match and not matches(conditions.if_match, tag):
            yield (
                refuse(
                    "",
                    IF_MATCH,
                    conditions.if_match,
                    "{identifier} has changed since it was read: its entity tag is {tag}. Read it again, and "
                    "make your change to that.",
                    identifier=printable_name(name),
                    tag=tag,
                )
                if tag
                else refuse(
                    "",
                    IF_MATCH,
                    conditions.if_match,
                    "{identifier} is not registered, so there is nothing to change.",
                    identifier=printable_name(name),
                )
            )
        if before is not None and matches(conditions.if_none_match, tag, is_weak=True):
            yield (
                _registered(IF_NONE_MATCH, before)
                if conditions.if_none_match == ANY
                else refuse(
                    "",
                    IF_NONE_MATCH,
                    conditions.if_none_match,
                    "The entity tag of {identifier} is {tag}.",
                    identifier=printable_name(name),
                    tag=tag,
                )
            )

    def _judge_new(self, registration: Registration, records: Mapping[str, Record]) -> Iterator[Finding]:
        """Refuse a name that anything answers for, or that readers may confuse with another one."""
        identifier = registration.identifier
        name, before = identifier.normal_form, records.get(identifier.normal_form)
        if before is not None and entity_tag(before):
            yield _registered(ONLY_NEW, before)
            return
        finder = RememberingFinder(self._registry, lambda: 0.0)
        found = finder.find(identifier, datetime.fromisoformat(self._origin.put))
        if (matched := find_match(found)) is not None:
            yield _answered(name, matched)
            return
        near = find_other_spellings(found, self._registry.near(fold(name)))
        in_file = [self._earlier_spellings[name]] if name in self._earlier_spellings else []
        for other in [*near, *in_file][:1]:
            yield refuse(
                "identifier",
                ONLY_NEW,
                name,
                "{other} differs from {identifier} in spelling only, and only new identifiers are registered "
                "by this upload. Choose another one.",
                other=printable_name(other),
                identifier=printable_name(name),
            )


def _registered(rule: str, before: Record) -> Finding:
    return refuse(
        "identifier",
        rule,
        before.identifier,
        "{identifier} is registered already, by {source}, and only new identifiers are registered by this "
        "upload. Choose another one.",
        identifier=printable_name(before.identifier),
        source=before.created.source,
    )


def _answered(name: str, matched: Match) -> Finding:
    return refuse(
        "identifier",
        ONLY_NEW,
        name,
        "{other} answers for {identifier} already, as a part or by a rule, and only new identifiers are "
        "registered by this upload. Choose another one.",
        other=printable_name(matched.record.identifier),
        identifier=printable_name(name),
    )


def _apart(registration: Registration) -> Finding:
    return refuse(
        "",
        IF_MATCH,
        registration.identifier.normal_form,
        "A condition is about the record of an identifier. Grants, and rules with a literal beginning, are "
        "in other records: upload those of {identifier} without a condition.",
        identifier=printable_name(registration.identifier.normal_form),
    )
