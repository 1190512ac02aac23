"""Every expected outcome of a request, as a value; `ginuri.resolution.decision` chooses one.

Whoever handles outcomes matches all of them and ends in `assert_never`, so that a new one is never forgotten.
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
    """It cannot be an identifier."""

    error: MalformedIdentifier


@dataclass(frozen=True, slots=True)
class NotNormal:
    """It is an identifier in another writing than its normal form."""

    identifier: Identifier


@dataclass(frozen=True, slots=True)
class AnsweredElsewhere:
    """Another host answers for it."""

    identifier: Identifier
    host: str


@dataclass(frozen=True, slots=True)
class Retired:
    """It was in use, and is no more."""

    found: Found
    record: Registered


@dataclass(frozen=True, slots=True)
class Withheld:
    """It is withheld for legal reasons."""

    found: Found
    record: Registered


@dataclass(frozen=True, slots=True)
class Reserved:
    """It is set aside; it names nothing yet."""

    found: Found
    record: Registered


@dataclass(frozen=True, slots=True)
class SeeDescription:
    """It has no form of its own to give; its description tells."""

    found: Found
    record: Registered
    negotiated: bool = False


@dataclass(frozen=True, slots=True)
class SeeRepresentation:
    """One of its forms stands at another address."""

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
class Give:
    """A stored file is given as the answer."""

    found: Found
    record: Resource
    representation: Representation
    address: str
    """The path of the representation itself, from the root."""
    offered: tuple[Representation, ...] = ()
    timeline: Timeline | None = None
    """Where it is of a version."""
    by_moment: bool = False
    """Whether another moment could have led to another version."""


@dataclass(frozen=True, slots=True)
class Versioned:
    """It has versions, or is one: `ginuri.resolution.versions` knows which is meant."""

    found: Found
    record: Resource
    match: Match
    """What has the versions."""

    @property
    def name(self) -> str | None:
        """The name of the version that is asked for; None where it is not by name."""
        identifier = self.found.identifier
        if self.match.below:
            return self.match.version
        return None if identifier == self.match.identifier else identifier.segments[-1]


@dataclass(frozen=True, slots=True)
class SeeVersion:
    """The version that is meant has a name of its own, or the document has that leads to it."""

    found: Found
    record: Resource
    timeline: Timeline
    name: str
    """That of the version, in normal form."""
    status_code: int
    by_moment: bool = False
    """Whether another moment could have led elsewhere."""


@dataclass(frozen=True, slots=True)
class NoSuchVersion:
    """None of its versions is the one that is asked for."""

    found: Found
    record: Resource
    timeline: Timeline


@dataclass(frozen=True, slots=True)
class UnreadableMoment:
    """The moment that the client asks for is no date."""

    found: Found
    record: Resource
    timeline: Timeline


@dataclass(frozen=True, slots=True)
class NotAcceptable:
    """None of its forms is one the client can take."""

    found: Found
    record: Resource
    offered: tuple[Representation, ...]


@dataclass(frozen=True, slots=True)
class ContentLost:
    """The stored file is not where the record says: an operator hears of it."""

    key: str


@dataclass(frozen=True, slots=True)
class StandsFor:
    """It is another name for something."""

    found: Found
    target: str
    status_code: int


@dataclass(frozen=True, slots=True)
class WrittenOtherwise:
    """It is registered in another writing, and in no more than one."""

    found: Found
    target: str


@dataclass(frozen=True, slots=True)
class Choices:
    """It may be any of several."""

    found: Found
    targets: tuple[str, ...]
    is_registered: bool = True
    """Whether somebody said so, or they are merely other writings of it."""


@dataclass(frozen=True, slots=True)
class NoSuchTitle:
    """Nothing under the authority, or the type, has the title that is asked for."""

    found: Found
    record: Registered
    title: str


@dataclass(frozen=True, slots=True)
class RuledOut:
    """A rule says that there is nothing by this name."""

    found: Found
    record: Resource


@dataclass(frozen=True, slots=True)
class NotRegistered:
    """Nobody registered it; what is known around it is the advice."""

    found: Found
    near: tuple[str, ...] = ()
    """What it may have been meant for."""


@dataclass(frozen=True, slots=True)
class NoSuchScheme:
    """It begins with no scheme that is known here."""

    error: UnknownScheme


@dataclass(frozen=True, slots=True)
class NoSuchHost:
    """It is bound to a host that is not registered here."""

    identifier: Identifier


@dataclass(frozen=True, slots=True)
class MethodNotAllowed:
    """Identifiers are read, never written, over HTTP."""

    method: str


@dataclass(frozen=True, slots=True)
class Options:
    """The client asks what may be asked."""


@dataclass(frozen=True, slots=True)
class Unavailable:
    """The registry is throttled or away."""

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
