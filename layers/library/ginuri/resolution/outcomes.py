"""Every expected outcome of a request, as a value; `ginuri.resolution.decision` chooses one.

Code that handles outcomes matches all of them and ends in `assert_never`, so that none is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, get_args

from ginuri.frozen import Frozen
from ginuri.identifiers import Identifier
from ginuri.identifiers.errors import MalformedIdentifier, UnknownScheme
from ginuri.registry.model import Registered, Representation, Resource, Status
from ginuri.registry.ports import Found

if TYPE_CHECKING:  # imported on first use: few identifiers need it
    from ginuri.resolution.match import Match
    from ginuri.resolution.versions.timeline import Timeline


class Malformed(Frozen):
    """The text is not an identifier."""

    error: MalformedIdentifier


class NotNormal(Frozen):
    """The identifier is not written in its normal form."""

    identifier: Identifier


class AnsweredElsewhere(Frozen):
    """Another host resolves the identifier."""

    identifier: Identifier
    host: str


class FallenBack(Frozen):
    """Nothing answers for the identifier here; the redirect leads to the server that may have it."""

    found: Found
    host: str
    stated_by: str
    """The host, scheme or namespace that states this `fallback`."""


class Refused(Frozen):
    """The status of the identifier, or of the record it belongs to, decides the answer."""

    found: Found
    record: Registered
    status = Status.RETIRED


class Retired(Refused):
    """The identifier is no longer in use."""


class Withheld(Refused):
    """The identifier is withheld for legal reasons."""

    status = Status.WITHHELD


class Reserved(Refused):
    """The identifier is reserved and not assigned yet."""

    status = Status.RESERVED


class Embargoed(Refused):
    """The identifier is embargoed until a day."""

    status = Status.EMBARGOED


Refusal = Retired | Withheld | Reserved | Embargoed
REFUSALS: Mapping[Status, type[Refusal]] = {refusal.status: refusal for refusal in get_args(Refusal)}
"""The outcome of each status that does not lead on (`ginuri.registry.statuses`)."""


class SeeDescription(Frozen):
    """The identifier has no representation, or the client prefers its description; a redirect leads there."""

    found: Found
    record: Registered
    negotiated: bool = False
    """Whether other preferences could lead to a representation."""
    extension: str = ""
    """The format to lead to; empty if the description negotiates it."""
    offered: tuple[Representation, ...] = ()


class SeeRepresentation(Frozen):
    """A representation is available at another address."""

    found: Found
    record: Resource
    representation: Representation
    address: str
    """An absolute URI, or a path from the root within the service."""
    status_code: int
    offered: tuple[Representation, ...] = ()
    timeline: Timeline | None = None
    """The day of its version, if it belongs to one."""


class SeeMetadata(Frozen):
    """The client asks for metadata with an inflection; a redirect leads to the description as an ERC."""

    found: Found
    record: Registered


class PassedThrough(Frozen):
    """The ARK is not registered; the redirect leads to the location of one above it and the suffix."""

    found: Found
    record: Resource
    """The nearest registered ARK above."""
    suffix: str
    """The rest of the identifier after the record's."""
    address: str
    """An absolute URI."""
    status_code: int
    is_negotiated: bool = False
    """Whether other preferences could lead elsewhere."""


class Give(Frozen):
    """A stored file is the response."""

    found: Found
    record: Resource
    representation: Representation
    address: str
    """The path of the representation itself, from the root."""
    offered: tuple[Representation, ...] = ()
    timeline: Timeline | None = None
    """The day of its version, if it belongs to one."""
    by_moment: bool = False
    """Whether another `Accept-Datetime` could select another version."""


class Versioned(Frozen):
    """The identifier has versions, or is one: `ginuri.resolution.versions` selects it."""

    found: Found
    record: Resource
    match: Match
    """The match that has the versions."""

    @property
    def name(self) -> str | None:
        """The requested name of the version; None if the request has another form."""
        identifier = self.found.identifier
        if self.match.below:
            return self.match.version
        return None if identifier == self.match.identifier else identifier.segments[-1]


class SeeVersion(Frozen):
    """The version, or the document that leads to it, has its own identifier."""

    found: Found
    record: Resource
    timeline: Timeline
    name: str
    """The identifier to redirect to, in normal form."""
    status_code: int
    by_moment: bool = False
    """Whether another `Accept-Datetime` could lead elsewhere."""
    query: str = ""
    """The query arguments to repeat there."""


class NoSuchVersion(Frozen):
    """The requested version does not exist."""

    found: Found
    record: Resource
    timeline: Timeline


class UnreadableMoment(Frozen):
    """The requested time is not a valid date."""

    found: Found
    record: Resource
    timeline: Timeline


class NotAcceptable(Frozen):
    """No representation is acceptable to the client."""

    found: Found
    record: Registered
    offered: tuple[Representation, ...]


class ContentLost(Frozen):
    """The stored file is missing; the operator is notified."""

    key: str


class StandsFor(Frozen):
    """The identifier is an alias."""

    found: Found
    target: str
    status_code: int
    query: str = ""
    """The query arguments to repeat there."""


class WrittenOtherwise(Frozen):
    """The identifier is registered in exactly one other spelling."""

    found: Found
    target: str


class Choices(Frozen):
    """The identifier may mean any of several."""

    found: Found
    targets: tuple[str, ...]
    is_registered: bool = True
    """Whether an alias states the targets; otherwise they are other spellings."""


class NoSuchTitle(Frozen):
    """No record under the authority or resource type has the requested title."""

    found: Found
    record: Registered
    title: str


class RuledOut(Frozen):
    """A rule states that the identifier does not exist."""

    found: Found
    record: Resource


class NotRegistered(Frozen):
    """The identifier is not registered."""

    found: Found
    near: tuple[str, ...] = ()
    """Registered identifiers with a similar spelling."""
    fallback: str | None = None
    """The host that a request for it is led on to, where only its description is missing."""
    in_sequence: tuple[str, ...] = ()
    """The registered identifiers before and after it in a numbered sequence, only read for people."""


class NoSuchScheme(Frozen):
    """The scheme of the identifier is unknown."""

    error: UnknownScheme


class NoSuchHost(Frozen):
    """The identifier is bound to a host that is not registered."""

    identifier: Identifier


class MethodNotAllowed(Frozen):
    """The method does not read."""

    method: str


class Options(Frozen):
    """The client asks for the allowed methods."""


class Unavailable(Frozen):
    """The registry is overloaded or not responding."""

    retry_after: int
    """The seconds to wait before the next try."""
    reason: str = ""
    """The reason why it cannot answer, for the log."""
    is_costly: bool = False
    """Whether the rules for the identifier take too long to match, which waiting does not change."""


Unanswered = (
    Malformed
    | Refusal
    | NotAcceptable
    | Choices
    | ContentLost
    | RuledOut
    | NotRegistered
    | NoSuchTitle
    | NoSuchVersion
    | UnreadableMoment
    | NoSuchScheme
    | NoSuchHost
    | MethodNotAllowed
    | Unavailable
)
"""The outcomes without content and without a redirect: the response explains them."""
Decision = (
    Unanswered
    | NotNormal
    | AnsweredElsewhere
    | FallenBack
    | SeeDescription
    | SeeRepresentation
    | SeeMetadata
    | PassedThrough
    | Give
    | SeeVersion
    | StandsFor
    | WrittenOtherwise
    | Options
)
