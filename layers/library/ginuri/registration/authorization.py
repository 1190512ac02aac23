"""Decides what people may do: from grants, and from the scope of an upload.

A grant on a prefix holds for every identifier that starts with it, except below prefixes that are handed
over. A scope has the rights of an upload by prefix: the longest prefix that a name starts with decides.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Right(StrEnum):
    """What a person may do with the identifiers under a prefix."""

    READ = "read"
    REGISTER = "register"
    RETIRE = "retire"
    GRANT = "grant"


Rights = frozenset[Right]
NO_RIGHTS: Rights = frozenset()
_LETTERS: Mapping[Right, str] = {Right.READ: "r", Right.REGISTER: "w", Right.RETIRE: "x", Right.GRANT: "g"}
_NOTHING = "-"
# A written scope:  "-" / entry *( "|" entry ), and "|" is in no identifier
# Each entry of it:  ["r"] ["w"] ["x"] ["g"] "=" *VCHAR ( "/" / ":" )
_ENTRY = re.compile(r"(r?w?x?g?)=([!-{}~]*[/:])")
MOST_ADDRESS = 254
"""The most characters of a mail address (RFC 5321 §4.5.3.1.3, without the brackets)."""
# RFC 6068 §2  mailtoURI = "mailto:" addr-spec, of one address without escapes
# RFC 5322 §3.4.1  addr-spec = dot-atom "@" dot-atom
_ADDRESS = re.compile(r"(?:mailto:)?([A-Za-z0-9!$&'*+.=_~-]+)@((?:[A-Za-z0-9-]+\.)*[A-Za-z0-9-]+)")
_GROUP = re.compile(r"group:[A-Za-z0-9._~-]+")


@dataclass(frozen=True, slots=True)
class Grant:
    """The rights that one person or group has under a prefix."""

    prefix: str
    """A normal form that ends in a slash or a colon."""
    to: str
    """A URI: `mailto:jane@example.org`, `group:azgs-editors`."""
    may: Rights
    valid_until: str = ""
    """The last day, in UTC; empty for a grant without an end."""

    def is_in_force(self, day: str) -> bool:
        """Return whether it is in force on a day, `YYYY-MM-DD` in UTC."""
        return not self.valid_until or day <= self.valid_until


@dataclass(frozen=True, slots=True)
class Scope:
    """What an upload may do: rights by prefix; those of a longer prefix replace those of a shorter one."""

    rights: Mapping[str, Rights]

    def __post_init__(self) -> None:
        object.__setattr__(self, "rights", MappingProxyType(dict(self.rights)))

    def at(self, name: str, prefix: str) -> Rights:
        """Return the rights for a name, in an upload to the folder of a prefix.

        A folder may also register some names outside its prefix: those of its sub-authorities, and of
        prefixes that were handed to it. They have the rights of the folder.

        >>> scope = Scope({"uri-gin/azgs/": frozenset({Right.READ})})
        >>> sorted(scope.at("uri-gin/azgs.mapping/map/1", "uri-gin/azgs/"))
        [<Right.READ: 'read'>]
        >>> sorted(scope.at("uri-gin/azgs2/map/1", "uri-gin/azgs2/"))
        []
        """
        return self._of(name if is_under(name, prefix) else prefix)

    def _of(self, name: str) -> Rights:
        prefixes = [prefix for prefix in self.rights if is_under(name, prefix)]
        return self.rights[max(prefixes, key=len)] if prefixes else NO_RIGHTS


def read_grantee(text: str) -> str | None:
    """Return the URI of a person or a group in its normal form; None for any other text.

    The host of an address has no case; the name before it is up to that host.

    >>> [read_grantee(text) for text in ("Jane@Example.ORG", "group:azgs-editors", "Jane")]
    ['mailto:Jane@example.org', 'group:azgs-editors', None]
    """
    if len(text) > len("mailto:") + MOST_ADDRESS:
        return None
    if found := _ADDRESS.fullmatch(text):
        return f"mailto:{found[1]}@{found[2].lower()}"
    return text if _GROUP.fullmatch(text) else None


def is_under(name: str, prefix: str) -> bool:
    """Return whether a name starts with a prefix, which ends in a slash or a colon.

    >>> is_under("uri-gin/azgs/", "uri-gin/azgs/"), is_under("uri-gin/azgs2/", "uri-gin/azgs")
    (True, False)
    """
    return prefix.endswith(("/", ":")) and name.startswith(prefix)


def outermost(beginnings: Iterable[str]) -> list[str]:
    """Return folders or prefixes in order, without those within another one.

    >>> outermost(["uri-gin/azgs/wells/", "uri-gin/usgin/", "uri-gin/azgs/"])
    ['uri-gin/azgs/', 'uri-gin/usgin/']
    """
    kept: list[str] = []
    for each in sorted(beginnings):  # one comes before those within it
        if not (kept and each.startswith(kept[-1])):
            kept.append(each)
    return kept


def rights_of(
    people: Collection[str], name: str, grants: Iterable[Grant], handed_over: Collection[str], day: str
) -> Rights:
    """Return the rights of a person for a name: the sum of the grants above it that are in force on a day.

    `people` are the person and the groups that the person is in; `handed_over` are prefixes that another
    authority registers, from its own folder.
    """
    if any(is_under(name, prefix) for prefix in handed_over):
        return NO_RIGHTS
    return NO_RIGHTS.union(
        *(
            grant.may
            for grant in grants
            if grant.to in people and is_under(name, grant.prefix) and grant.is_in_force(day)
        )
    )


def scope_of(
    people: Collection[str], prefix: str, grants: Collection[Grant], handed_over: Collection[str], day: str
) -> Scope:
    """Return what a person may do with a prefix and the names under it."""
    prefixes = {prefix, *(grant.prefix for grant in grants), *handed_over}
    rights = {
        each: rights_of(people, each, grants, handed_over, day) for each in prefixes if is_under(each, prefix)
    }
    return Scope(_without_repetitions(rights))


def intersect(scope: Scope, other: Scope) -> Scope:
    """Return what both scopes allow."""
    prefixes = {*scope.rights, *other.rights}
    return Scope(
        _without_repetitions({each: scope.at(each, each) & other.at(each, each) for each in prefixes})
    )


def write_scope(scope: Scope) -> str:
    """Write a scope in ASCII, for the metadata of an upload.

    >>> write_scope(Scope({"uri-gin/azgs/": frozenset({Right.READ, Right.REGISTER})}))
    'rw=uri-gin/azgs/'
    """
    entries = (
        f"{''.join(letter for right, letter in _LETTERS.items() if right in rights)}={prefix}"
        for prefix, rights in sorted(scope.rights.items())
    )
    return "|".join(entries) or _NOTHING


def read_scope(text: str) -> Scope | None:
    """Read a scope from the text that `write_scope` returns; None for any other text."""
    if text == _NOTHING:
        return Scope({})
    entries = [_ENTRY.fullmatch(entry) for entry in text.split("|")]
    scope = Scope(
        {
            entry[2]: frozenset(right for right, letter in _LETTERS.items() if letter in entry[1])
            for entry in entries
            if entry is not None
        }
    )
    # Repeated and unsorted prefixes are refused, so that a scope has one text only.
    return scope if all(entries) and write_scope(scope) == text else None


def _without_repetitions(rights: Mapping[str, Rights]) -> dict[str, Rights]:
    """Leave out the prefixes that have the rights of the next shorter one."""
    kept: dict[str, Rights] = {}
    for prefix in sorted(rights):  # a prefix comes before those under it
        if Scope(kept).at(prefix, prefix) != rights[prefix]:
            kept[prefix] = rights[prefix]
    return kept
