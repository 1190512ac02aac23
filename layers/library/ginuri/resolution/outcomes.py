"""Every expected outcome of a request, as a value; `ginuri.resolution.decision` chooses one.

Code that handles outcomes matches all of them and ends in `assert_never`, so that none is forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ginuri.identifiers import Identifier
from ginuri.identifiers.errors import MalformedIdentifier, UnknownScheme
from ginuri.registry.model import Registered, Representation, Resource
from ginuri.registry.ports import Found

if TYPE_CHECKING:  # what few identifiers have is not loaded for all
    from ginuri.resolution.match import Match
    from ginuri.resolution.versions.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Malformed:
    """The text is not an identifier."""

    error: MalformedIdentifier


@dataclass(frozen=True, slots=True)
class NotNormal:
    """The identifier is not written in its normal form."""

    identifier: Identifier


@dataclass(frozen=True, slots=True)
class AnsweredElsewhere:
    """Another host resolves the identifier."""

    identifier: Identifier
    host: str


@dataclass(frozen=True, slots=True)
class Retired:
    """The identifier is no longer in use."""

    found: Found
    record: Registered


@dataclass(frozen=True, slots=True)
class Withheld:
    """The identifier is withheld for legal reasons."""

    found: Found
    record: Registered


@dataclass(frozen=True, slots=True)
class Reserved:
    """The identifier is reserved and not assigned yet."""

    found: Found
    record: Registered


@dataclass(frozen=True, slots=True)
class SeeDescription:
    """The identifier has no representation; a redirect leads to its description."""

    found: Found
    record: Registered
    negotiated: bool = False


@dataclass(frozen=True, slots=True)
class SeeRepresentation:
    """A representation is available at another address."""

    found: Found
    record: Resource
    representation: Representation
    address: str
    """An absolute URI, or a path from the root for one of our own."""
    status_code: int
    offered: tuple[Representation, ...] = ()
    timeline: Timeline | None = None
    """Where it is of a version."""


@dataclass(frozen=True, slots=True)
class SeeMetadata:
    """The client asks for metadata with an inflection; a redirect leads to the description as an ERC."""

    found: Found
    record: Registered


@dataclass(frozen=True, slots=True)
class PassedThrough:
    """The ARK is not registered; one above it is, and the rest is appended to where that one leads."""

    found: Found
    record: Resource
    """The nearest registered ARK above."""
    suffix: str
    """What follows the identifier of the record."""
    address: str
    """An absolute URI."""
    status_code: int
    is_negotiated: bool = False
    """Whether other preferences could lead elsewhere."""


@dataclass(frozen=True, slots=True)
class Give:
    """A stored file is the response."""

    found: Found
    record: Resource
    representation: Representation
    address: str
    """The path of the representation itself, from the root."""
    offered: tuple[Representation, ...] = ()
    timeline: Timeline | None = None
    """Where it is of a version."""
    by_moment: bool = False
    """Whether another `Accept-Datetime` could select another version."""


@dataclass(frozen=True, slots=True)
class Versioned:
    """The identifier has versions, or is one: `ginuri.resolution.versions` selects it."""

    found: Found
    record: Resource
    match: Match
    """The match that has the versions."""

    @property
    def name(self) -> str | None:
        """The name of the version that is asked for; None if it is not by name."""
        identifier = self.found.identifier
        if self.match.below:
            return self.match.version
        return None if identifier == self.match.identifier else identifier.segments[-1]


@dataclass(frozen=True, slots=True)
class SeeVersion:
    """The version, or the document that leads to it, has an identifier of its own."""

    found: Found
    record: Resource
    timeline: Timeline
    name: str
    """The identifier to redirect to, in normal form."""
    status_code: int
    by_moment: bool = False
    """Whether another `Accept-Datetime` could lead elsewhere."""


@dataclass(frozen=True, slots=True)
class NoSuchVersion:
    """The requested version does not exist."""

    found: Found
    record: Resource
    timeline: Timeline


@dataclass(frozen=True, slots=True)
class UnreadableMoment:
    """The requested time is not a valid date."""

    found: Found
    record: Resource
    timeline: Timeline


@dataclass(frozen=True, slots=True)
class NotAcceptable:
    """No representation is acceptable to the client."""

    found: Found
    record: Resource
    offered: tuple[Representation, ...]


@dataclass(frozen=True, slots=True)
class ContentLost:
    """The stored file is missing; the operator is notified."""

    key: str


@dataclass(frozen=True, slots=True)
class StandsFor:
    """The identifier is an alias."""

    found: Found
    target: str
    status_code: int


@dataclass(frozen=True, slots=True)
class WrittenOtherwise:
    """The identifier is registered in exactly one other spelling."""

    found: Found
    target: str


@dataclass(frozen=True, slots=True)
class Choices:
    """The identifier may mean any of several."""

    found: Found
    targets: tuple[str, ...]
    is_registered: bool = True
    """Whether an alias states the targets; otherwise they are other spellings."""


@dataclass(frozen=True, slots=True)
class NoSuchTitle:
    """No record under the authority or resource type has the requested title."""

    found: Found
    record: Registered
    title: str


@dataclass(frozen=True, slots=True)
class RuledOut:
    """A rule says that the identifier does not exist."""

    found: Found
    record: Resource


@dataclass(frozen=True, slots=True)
class NotRegistered:
    """The identifier is not registered."""

    found: Found
    near: tuple[str, ...] = ()
    """Registered identifiers with a similar spelling."""


@dataclass(frozen=True, slots=True)
class NoSuchScheme:
    """The scheme of the identifier is unknown."""

    error: UnknownScheme


@dataclass(frozen=True, slots=True)
class NoSuchHost:
    """The identifier is bound to a host that is not registered."""

    identifier: Identifier


@dataclass(frozen=True, slots=True)
class MethodNotAllowed:
    """The method is not one that reads."""

    method: str


@dataclass(frozen=True, slots=True)
class Options:
    """The client asks for the allowed methods."""


@dataclass(frozen=True, slots=True)
class Unavailable:
    """The registry is overloaded or not responding."""

    retry_after: int
    """In seconds."""


Decision = (
    Malformed
    | NotNormal
    | AnsweredElsewhere
    | Retired
    | Withheld
    | Reserved
    | SeeDescription
    | SeeRepresentation
    | SeeMetadata
    | PassedThrough
    | Give
    | SeeVersion
    | NoSuchVersion
    | UnreadableMoment
    | StandsFor
    | WrittenOtherwise
    | Choices
    | NotAcceptable
    | ContentLost
    | RuledOut
    | NotRegistered
    | NoSuchTitle
    | NoSuchScheme
    | NoSuchHost
    | MethodNotAllowed
    | Options
    | Unavailable
)
