"""Registered records as typed values; `ginuri.registry.reading` makes them.

Field names are those of a registration (docs/reference/registrations.md).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ginuri.frozen import NOTHING, Frozen, replace
from ginuri.identifiers.identifier import Kind

if TYPE_CHECKING:
    from ginuri.registry.rules.patterns import Pattern
    from ginuri.registry.rules.stored import StoredRules

Texts = Mapping[str, str]
"""Texts by language tag; the tag is empty for a text without a language."""


class RecordType(StrEnum):
    """The type of a record: the field `record`."""

    SCHEME = "scheme"
    HOST = "host"
    AUTHORITY = "authority"
    NAMESPACE = "namespace"
    RESOURCE_TYPE = "resource-type"
    RESOURCE = "resource"
    ALIAS = "alias"
    RULE = "rule"
    DELEGATION = "delegation"
    GRANT = "grant"


class Status(StrEnum):
    """The status of an identifier, which is never deleted and never reused."""

    RESERVED = "reserved"
    EMBARGOED = "embargoed"
    VALID = "valid"
    SUPERSEDED = "superseded"
    RETIRED = "retired"
    WITHHELD = "withheld"


class Role(StrEnum):
    """The roles of representations: the normative one, and the one for clients without preferences."""

    CANONICAL = "canonical"
    DEFAULT = "default"


class Dereference(StrEnum):
    """The response of a document: a redirect to the representation, or the content."""

    REDIRECT = "redirect"
    CONTENT = "content"


class Captures(StrEnum):
    """How much text the pieces of a pattern take, each in turn, if a text can be divided in several ways."""

    LONGEST = "longest"
    SHORTEST = "shortest"


class LetterCase(StrEnum):
    """Whether names of a scheme or a namespace that differ only in case are equal, and their stored case."""

    SENSITIVE = "sensitive"
    LOWER = "lower"
    UPPER = "upper"


class StoredFile(Frozen):
    """A stored file as the record pins it: exactly this version of this key."""

    key: str
    version: str
    length: int
    """In bytes."""
    sha256: str
    """In lower-case hexadecimal digits."""
    stored: str
    """The time of its upload, RFC 3339 in UTC."""


class Representation(Frozen):
    """One retrievable form of a resource."""

    part: str | None = None
    identifier: str | None = None
    """Its identifier, if it is also a document of its own."""
    media_type: str | None = None
    """A representation without a media type satisfies any request."""
    language: str | None = None
    profile: str | None = None
    quality: float = 1.0
    """The source quality qs, 0 to 1."""
    roles: frozenset[str] = frozenset()
    location: str | None = None
    file: StoredFile | None = None
    status_code: int | None = None
    valid_from: str | None = None
    """The first day of its validity, RFC 3339, from midnight UTC; `prospective` while it is unknown."""
    titles: Texts = NOTHING

    @property
    def stem(self) -> str | None:
        """The part before its first dot, which names its abstract document."""
        return self.part.split(".", 1)[0] if self.part else None


class Registered(Frozen, kw_only=True):
    """The fields of every record."""

    identifier: str
    modified: str
    """The time of the last change of the record, RFC 3339 in UTC."""
    titles: Texts = NOTHING
    descriptions: Texts = NOTHING
    status: Status = Status.VALID
    successor: str | None = None
    reason: str | None = None
    requested_by: str | None = None
    """The requester of the withholding: a URI, an identifier, or a text."""
    until: str | None = None
    """The day on which its status ends, RFC 3339, from midnight UTC."""
    opened: Registered | None = None
    """The record from that day on."""
    properties: Mapping[str, str | Sequence[str]] = NOTHING
    contact: str | None = None
    """The contact, in place of the steward."""
    rules: tuple[Rule, ...] | StoredRules = ()
    """The rules for identifiers under this one, the most literal first.

    Those whose pattern has a literal beginning are in other records (`ginuri.registry.rules.beginnings`).
    """
    delegation: Delegation | None = None
    """The delegation of a prefix to another host, or to another authority."""
    is_tested: bool = False
    """Whether it, a rule or its delegation has tests, which are read only with the whole record."""
    size: int = 0
    """The estimated bytes in memory; 0 if it was not read from the registry."""

    def __eq__(self, other: object) -> bool:
        # Two records are equal if their registered values are, wherever they were read.
        return super().__eq__(replace(other, size=self.size) if isinstance(other, Registered) else other)

    __hash__ = Frozen.__hash__

    @property
    def has_pairs(self) -> bool:
        """Whether a rule connects things and documents under this prefix."""
        rules = self.rules
        return any(rule.is_pairing for rule in rules) if isinstance(rules, tuple) else rules.has_pairs

    @property
    def is_dated(self) -> bool:
        """Whether its status, or that of a rule, ends on a day."""
        rules = self.rules
        is_ruled = bool(rules) if isinstance(rules, tuple) else rules.has_days
        return self.opened is not None or (is_ruled and any(rule.answer.is_dated for rule in rules))

    @property
    def answering_host(self) -> str | None:
        """The host that answers for it and for all identifiers under it, if one is stated."""
        return self.delegation.answered_by if self.delegation is not None else None


class Stewarded(Registered, kw_only=True):
    """The common fields of a scheme, a host and a name authority."""

    trusted_hosts: Sequence[str] = ()
    homepage: str | None = None
    syntax: str | None = None
    """`strict` limits registrations to the source's ABNF."""
    answered_by: str | None = None
    """Another host that answers for all its identifiers."""

    @property
    def answering_host(self) -> str | None:
        """The other host; the delegation of its own folder comes before the host folder's `answered_by`."""
        delegated = self.delegation.answered_by if self.delegation is not None else None
        return delegated or self.answered_by


class Scheme(Stewarded, kw_only=True):
    """A URI scheme such as `uri-gin`, or `doi:`."""

    specification: str | None = None
    authority: str | None = None
    fallback: str | None = None
    """The host that may have the identifiers that are not registered here."""
    grammar: str | None = None
    """The form of its identifiers, for people."""
    normalization: str | None = None
    """The rules for equal identifiers, for people."""
    case: LetterCase | None = None
    """Of a scheme that ends in a colon and has no grammar of its own."""

    @property
    def authoritative_host(self) -> str | None:
        """The host that its identifiers are cited on, unless their name authority trusts others."""
        return self.trusted_hosts[0] if self.trusted_hosts else None


class Host(Stewarded, kw_only=True):
    """A host that dereferences identifiers."""

    pages: bool | None = None
    """False if the service has no pages there: its paths are names of the host like all others."""
    fallback: str | None = None
    """The host that may have the names that are not registered here."""
    query_arguments: Mapping[str, str | Mapping[str, str]] = NOTHING
    """The arguments of a query that stand for preferences (`ginuri.registry.metadata.query_arguments`)."""
    featured: Sequence[str] = ()
    """The identifiers that its front page shows as examples."""
    theme_color: str | None = None
    """The color of its front page, `#rrggbb`."""


class NameAuthority(Stewarded, kw_only=True):
    """The steward of all identifiers under its own."""

    spatial: Mapping[str, Any] | None = None
    """Its area, as GeoJSON (`ginuri.registry.metadata.geometry`)."""
    services: Sequence[Mapping[str, str]] = ()
    """Services that offer more about it; those of a namespace may be templates and are not authoritative."""
    featured: Sequence[str] = ()
    """The identifiers that its page shows first."""


class Namespace(NameAuthority, kw_only=True):
    """A namespace of `info:` or `urn:` identifiers, with the fields that RFC 4452 §3.2 requires."""

    registrant: str | None = None
    """The name of the organization that manages it: the Namespace Authority of RFC 4452."""
    authority: str | None = None
    """The identifier of that authority, if it has one."""
    grammar: str | None = None
    """The form of its identifiers, for people."""
    normalization: str | None = None
    """The rules for equal identifiers, for people."""
    case: LetterCase | None = None
    specification: str | None = None
    fallback: str | None = None
    """The host that may have the identifiers that are not registered here."""
    documentation: Sequence[Mapping[str, str]] = ()


Steward = NameAuthority | Host
"""The steward of the identifiers below its own; a host is the steward of the names bound to it."""


class ResourceType(Registered, kw_only=True):
    """A kind of resource that an authority registered, with defaults for its identifiers."""

    dereference: Dereference | None = None
    canonical_media_type: str | None = None
    default_media_type: str | None = None
    valid_media_types: Sequence[str] = ()
    """The media types that its identifiers may have; empty for any."""
    pattern: str | None = None
    """The pattern of the resource-specific strings of its identifiers (`ginuri.registry.rules.patterns`)."""
    syntax: str | None = None
    """`strict` refuses new identifiers and forms that do not fit the two fields above."""
    broader: str | None = None
    definition: str | None = None
    services: Sequence[Mapping[str, str]] = ()


class Resource(Registered, kw_only=True):
    """Any other registered resource."""

    kind: Kind | None = None
    """None if the syntax determines it."""
    representations: Sequence[Representation] = ()
    """In the order of their registration."""
    retired_parts: Collection[str] = ()
    """Parts that once named a representation."""
    dereference: Dereference | None = None
    part_of: str | None = None
    spatial: Mapping[str, Any] | None = None
    """Its place, as GeoJSON (`ginuri.registry.metadata.geometry`)."""
    links: Mapping[str, Sequence[Mapping[str, str]]] = NOTHING
    """Further typed links, by relation."""
    triples: str | None = None
    """Statements about it from a file of RDF, as N-Triples (`ginuri.registry.texts.ntriples`)."""


class Alias(Registered, kw_only=True):
    """Another name for one or several identifiers."""

    stands_for: Sequence[str] = ()
    status_code: int = 301
    """301, or 302 for an alias whose target may change."""


class Prefix(Registered, kw_only=True):
    """An unregistered prefix with rules for the names under it, or with a delegation."""

    @property
    def is_in_use(self) -> bool:
        """Whether a rule, or the delegation, is still in force."""
        return bool(self.rules) or (self.delegation is not None and self.delegation.is_in_use)


class RuleCuts(Registered, kw_only=True):
    """The cuts that occur in the literal beginnings of rules under a scheme or a host.

    Its name is no identifier (`ginuri.registry.rules.beginnings.cover_of`).
    """

    cuts: Mapping[str, str] = NOTHING
    """By the prefix of the rules; those under an empty prefix may occur under any."""


class Rule(Frozen):
    """An answer for every matching identifier under a prefix."""

    pattern: Pattern
    answer: Resource
    """The answer, with URI templates as the locations of its representations."""
    status_code: int | None = None
    """404 or 410 for a rule without a target."""
    pass_query: bool = False
    """Whether the query is appended to the location."""
    document: str | None = None
    """The document about each thing that is registered under the prefix: a template."""
    document_of: str | None = None
    """The thing of each document under the prefix: a template."""

    @property
    def prefix(self) -> str:
        """The prefix that its pattern follows."""
        return self.answer.identifier

    @property
    def is_pairing(self) -> bool:
        """Whether it only connects things with documents, and answers no request by itself."""
        return self.document is not None or self.document_of is not None


class Delegation(Frozen):
    """A prefix that is handed to another host or another authority, with its texts for people."""

    answered_by: str | None = None
    """The host that answers for it."""
    titles: Texts = NOTHING
    descriptions: Texts = NOTHING
    properties: Mapping[str, str | Sequence[str]] = NOTHING
    to: Mapping[str, str] = NOTHING
    """The only authority that may register under it, by its first day.

    An empty day means since its statement; an empty authority means that only the delegator may register.
    """

    @property
    def is_in_use(self) -> bool:
        """Whether the prefix is handed over, now or on a future day."""
        return bool(self.answered_by) or any(self.to.values())
