"""What there is to say about an identifier: the one value that every format is written from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ginuri.identifiers import Identifier, Kind
from ginuri.registry.geometry import Geometry
from ginuri.registry.lists.registers import NAMESPACES
from ginuri.registry.model import Registered, Representation, Steward
from ginuri.registry.record.stamps import Stamp


@dataclass(frozen=True, slots=True)
class Text:
    """A text and its language tag; the tag is empty where nobody stated the language."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """Something that is referred to: another identifier, a page elsewhere, or mere words."""

    title: Text
    uri: str | None = None
    """What it is cited by; None for mere words."""
    href: str | None = None
    """Where a reader is led; None where nothing safe to follow is known."""
    identifier: str | None = None
    """Its normal form where it is registered here."""


@dataclass(frozen=True, slots=True)
class FormatDescription:
    """A representation, with where it is to be had."""

    representation: Representation
    name: str | None
    """Its own URI; None where it has no name of its own."""
    leads_to: str
    """The absolute URI where it is to be had in the end."""
    href: str
    """What a reader of this host follows: a path from the root where it is one of our own."""


@dataclass(frozen=True, slots=True)
class Link:
    """A further typed link."""

    relation: str
    target: Reference
    title: Text | None = None
    """What the link is called, whatever its target is."""
    media_type: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Inherited:
    """What identifiers of a type do by default."""

    value: str
    source: Reference | None
    """The broader type that says so; None for the type itself."""


@dataclass(frozen=True, slots=True)
class Member:
    """Something that is listed, and what is registered about it."""

    named: Reference
    record: Registered
    about: str
    """The URI of its description."""
    broader: Reference | None = None
    """Of a resource type: the broader one it states."""
    is_top: bool = True
    """Whether nothing in the same register is broader."""


@dataclass(frozen=True, slots=True)
class Register:
    """A page of a list: of a register, of the parts of something, or of what begins with it."""

    identifier: str
    uri: str
    """Of what has these members, on its canonical host."""
    title: Text
    members: tuple[Member, ...]
    name: str | None
    """Which register it is: `nameAuthority`, `uriScheme`, `resourceType`, `namespace`; or None."""
    address: str
    """The URI of the whole list."""
    page: str
    """The URI of this page, in whatever format."""
    first: str
    """The path of the first page."""
    next: str | None
    """The path of the next page, which may turn out to be empty; None where nothing follows."""
    is_first: bool = True
    language: str = "en"
    """Of the page's own words."""

    @property
    def concept_scheme(self) -> str:
        """The URI of the register itself: a URI scheme is a concept already, and its list the register."""
        return self.address if self.name == NAMESPACES else self.uri


@dataclass(frozen=True, slots=True)
class Description:
    """Everything that is told about one identifier."""

    identifier: Identifier
    record: Registered
    uri: str
    """Of what is described, on its canonical host."""
    address: str
    """The URI of the description itself, whatever its format."""
    formats: Mapping[str, str]
    """The URIs of the description in each format, by extension."""
    title: Text
    nature: str = "Thing"
    """Its class in schema.org, the first that holds."""
    kind: Kind | None = None
    """Of a resource; None for all that is registered for its own sake."""
    scheme: Reference | None = None
    authority: Reference | None = None
    """The steward of the identifier, or of the scheme."""
    steward: Steward | None = None
    types: tuple[Reference, ...] = ()
    """The resource type, or the broader one, and those it inherits from, the nearest first."""
    type_paths: frozenset[str] = frozenset()
    """The identifiers of all resource types that are registered around it."""
    defaults: Mapping[str, Inherited] = field(default_factory=dict)
    """What a resource type says, itself or through a broader one, by field."""
    successor: Reference | None = None
    requested_by: Reference | None = None
    """Who had it withheld."""
    part_of: Reference | None = None
    spatial: Geometry | None = None
    """Where it is."""
    listed_in: Reference | None = None
    """The register that lists it: of a scheme, an authority or a resource type."""
    forms: tuple[FormatDescription, ...] = ()
    properties: Mapping[str, tuple[Reference, ...]] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    services: tuple[Link, ...] = ()
    """What can be had for the identifiers of a resource type or a namespace; of one of these, for itself."""
    documentation: tuple[Link, ...] = ()
    """Of a namespace: what else is written about it."""
    specification: Reference | None = None
    """Of a scheme or a namespace: what is normative."""
    stands_for: tuple[Reference, ...] = ()
    """Of an alias: what it is another name for."""
    handed_to: tuple[tuple[str, Reference], ...] = ()
    """Of a prefix: the authorities that may register under it, by the day from which that holds."""
    schemes: tuple[Reference, ...] = ()
    """Those known here; of a host only."""
    hosts: tuple[Reference, ...] = ()
    """The other hosts that are registered here; of a host only."""
    above: str = "/"
    """The path of the description one step up."""
    register: Register | None = None
    """The members that are shown first; None where there are none, and it is no register."""
    narrower: tuple[Reference, ...] = ()
    """Of a resource type: the types that state it as broader, whoever's they are."""
    more_narrower: bool = False
    """Whether there are more of these than are told."""
    registers: tuple[Reference, ...] = ()
    """Of a scheme or a name authority: the registers it keeps."""
    opens: Reference | None = None
    """The name authority that this registration makes one."""
    distrusted: str | None = None
    """The host that was asked, where the name authority knows hosts and this is none of them."""
    missing: tuple[str, ...] = ()
    """The fields that the source wants of such a record and nobody registered."""
    uploads: tuple[Stamp, ...] = ()
    """Those that what stands comes from, the first registration first; none where that was not looked up."""
    language: str = "en"
    """Of the page's own words."""

    @property
    def is_registered(self) -> bool:
        """Whether somebody registered it; a host describes itself all the same."""
        return bool(self.record.modified)
