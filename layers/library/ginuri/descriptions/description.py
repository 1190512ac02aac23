"""The description of an identifier: the one value that every format is written from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace

from ginuri.identifiers import Identifier, Kind
from ginuri.registry.lists.registers import NAMESPACES
from ginuri.registry.metadata.geometry import Geometry
from ginuri.registry.model import Registered, Representation, Status, Steward
from ginuri.registry.record.stamps import Stamp

CANONICAL_FORM = "canonical_form_of_members"
"""The name of a list's statement about its members."""
MOST_UPLOADS = 10
"""The number of uploads that a description lists beside the first and the last."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text and its language tag, which is empty if the language is unknown."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference: to another identifier, to a URI elsewhere, or plain text."""

    title: Text
    uri: str | None = None
    """The URI that it is cited by; None for plain text."""
    href: str | None = None
    """The target of the link on a page; None if no safe target is known."""
    identifier: str | None = None
    """Its normal form if it is registered here."""
    is_shortened: bool = False
    """Whether the title is only the beginning of the registered one."""


@dataclass(frozen=True, slots=True)
class FormatDescription:
    """A representation with its addresses."""

    representation: Representation
    name: str | None
    """Its own URI; None if it has none."""
    leads_to: str
    """The absolute URI of its content."""
    href: str
    """The target of the link on a page: a path from the root if it is on this host."""


@dataclass(frozen=True, slots=True)
class Link:
    """A further typed link."""

    relation: str
    target: Reference
    title: Text | None = None
    """The title of the link itself, not that of its target."""
    media_type: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Inherited:
    """A default for the identifiers of a resource type, or a rule about them."""

    values: tuple[str, ...]
    """Several for a list."""
    source: Reference | None
    """The broader type that states it; None for the type itself."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a list, with its record."""

    named: Reference
    record: Registered
    about: str
    """The URI of its description."""
    broader: Reference | None = None
    """Of a resource type: its broader type."""
    is_top: bool = True
    """Whether it has no broader type in the same register."""
    status: Status = Status.VALID
    modified: str = ""
    registrant: str | None = None
    """Of a namespace: the organization that manages it."""
    services: tuple[Link, ...] = ()
    """Of a name authority in its register: its services."""
    authoritative_host: str | None = None
    """Of a scheme: the host that its identifiers are cited on."""


@dataclass(frozen=True, slots=True)
class Group:
    """Members of a list under one resource type, or the types themselves, or the other members."""

    members: tuple[Member, ...]
    type: Reference | None = None
    is_of_types: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """A concept with its narrower ones."""

    named: Reference
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class Register:
    """A page of a list: of a register, of the parts of a collection, or of the identifiers under a prefix."""

    identifier: str
    uri: str
    """The URI of the record that has these members."""
    title: Text
    members: tuple[Member, ...]
    name: str | None
    """The register: `nameAuthority`, `uriScheme`, `resourceType` or `namespace`; None for other lists."""
    address: str
    """The URI of the whole list."""
    page: str
    """The URI of this page, without an extension."""
    first: str
    """The path of the first page."""
    next: str | None
    """The path of the next page, which may be empty; None on the last page."""
    is_first: bool = True
    total: int | None = None
    """The number of members in the last daily run."""
    order: str = "identifier"
    tree: tuple[Branch, ...] = ()
    """The members of a vocabulary by their broader concepts; none for other lists."""
    groups: tuple[Group, ...] = ()
    """The members by type, for the list of a name authority; none for other lists."""
    canonical_media_type: str | None = None
    """The canonical form of all members; None if they have several, or if it is not known."""
    language: str = "en"
    """The language of the page's own text."""

    @property
    def is_whole(self) -> bool:
        """Whether the page has all members."""
        return self.is_first and self.next is None

    @property
    def concept_scheme(self) -> str:
        """The URI of the register itself; of namespaces, that of the list: their scheme is a concept."""
        return self.address if self.name == NAMESPACES else self.uri


@dataclass(frozen=True, slots=True)
class Description:
    """Everything that the formats write about one identifier."""

    identifier: Identifier
    record: Registered
    fields: SimpleNamespace
    """The fields of all kinds of records; None for those that this record does not have."""
    uri: str
    """The cited URI of the described identifier."""
    address: str
    """The URI of the description itself, without an extension."""
    title: Text
    nature: str = "Thing"
    """Its first class in schema.org."""
    kind: Kind | None = None
    """The kind of a resource; None for all other records."""
    scheme: Reference | None = None
    authority: Reference | None = None
    """The authority of the identifier, or of the scheme."""
    steward: Steward | None = None
    types: tuple[Reference, ...] = ()
    """The resource types of a resource, or the broader ones of a resource type, the nearest first."""
    type_paths: frozenset[str] = frozenset()
    """The identifiers of all resource types among its ancestors."""
    defaults: Mapping[str, Inherited] = field(default_factory=dict)
    """What a resource type states about its identifiers, its own and inherited, by field."""
    successor: Reference | None = None
    requested_by: Reference | None = None
    """The person who demanded that the identifier be withheld."""
    part_of: Reference | None = None
    spatial: Geometry | None = None
    """The location of the described thing."""
    listed_in: Reference | None = None
    """The register that lists a scheme, an authority or a resource type."""
    forms: tuple[FormatDescription, ...] = ()
    properties: Mapping[str, tuple[Reference, ...]] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    services: tuple[Link, ...] = ()
    """The services of a name authority, a namespace or a resource type, or those for an identifier."""
    documentation: tuple[Link, ...] = ()
    """Of a namespace: its documentation."""
    specification: Reference | None = None
    """Of a scheme or a namespace: the normative document."""
    stands_for: tuple[Reference, ...] = ()
    """Of an alias: its targets."""
    featured: tuple[Reference, ...] = ()
    """Of a host or an authority: its examples."""
    handed_to: tuple[tuple[str, Reference], ...] = ()
    """Of a prefix: the authorities that may register under it, each with its first day."""
    schemes: tuple[Reference, ...] = ()
    """Of a host: the registered schemes."""
    hosts: tuple[Reference, ...] = ()
    """Of a host: the other registered hosts."""
    above: str = "/"
    """The path of the description one step up."""
    register: Register | None = None
    """The first page of its members; None if it has none and is not a register."""
    narrower: tuple[Reference, ...] = ()
    """Of a resource type or a concept: the narrower ones, of all authorities."""
    broader: tuple[Reference, ...] = ()
    """Of a concept: its broader ones."""
    more_narrower: bool = False
    """Whether there are more narrower types than listed."""
    registers: tuple[Reference, ...] = ()
    """Of a scheme or a name authority: the registers it keeps."""
    opens: Reference | None = None
    """The name authority that this registration creates."""
    distrusted: str | None = None
    """The requested host, if the name authority has trusted hosts and this is not one of them."""
    missing: tuple[str, ...] = ()
    """The fields that the source requires of such a record and that are not registered."""
    next_rules: str | None = None
    """The path of the description with the next rules; None if there are no more."""
    uploads: tuple[Stamp, ...] = ()
    """The uploads behind the record, the first one first; empty if they were not read."""
    language: str = "en"
    """The language of the page's own text."""

    @property
    def host(self) -> str:
        """The URI that the paths of the service are appended to."""
        return "/".join(self.address.split("/", 3)[:3])

    @property
    def is_registered(self) -> bool:
        """Whether it is registered; an unregistered host also has a description."""
        return bool(self.record.modified)
