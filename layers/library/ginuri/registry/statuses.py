"""The table of statuses: their meaning for requests and in every format.

A new status is a member of `Status`, a row here and its words in the catalogues.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from ginuri.frozen import Frozen
from ginuri.identifiers.messages import translatable
from ginuri.registry.model import Status

UNTIL = "until"
"""The field with the day on which a status ends."""


class StatusMeaning(Frozen):
    """The meaning of a status."""

    name: str
    """The English name."""
    term: str
    """Its registered term, as a prefixed name of RDF (`ginuri.descriptions.rdf.vocabulary`)."""
    following: frozenset[Status]
    """The statuses that may follow without a warning."""
    notice: str = ""
    """The explanation of the status in English; empty for a valid identifier."""
    meaning: str = ""
    """The outcome of a request; only for statuses that do not give the registered answer."""
    title: str = ""
    """The title of the response in that case."""
    explanation: str = ""
    """The text of the response about `{identifier}`, if the status alone decides it."""
    answer: HTTPStatus | None = None
    """The status code of the response; None if the registered answer applies."""
    fields: frozenset[str] = frozenset()
    """The fields that only identifiers with this status have."""
    expected: frozenset[str] = frozenset()
    """The fields whose absence causes a warning."""
    is_deprecated: bool = False
    """Whether it is deprecated in RDF."""
    is_hidden: bool = False
    """Whether title, description and content are hidden; only the status and the reason are shown."""
    shown: frozenset[str] = frozenset()
    """The fields that are shown nevertheless."""

    @property
    def leads_on(self) -> bool:
        """Whether a request gets the registered answer."""
        return self.answer is None

    @property
    def ends(self) -> bool:
        """Whether it ends on a day; then the identifier is valid."""
        return UNTIL in self.fields


_USED = frozenset(Status) - {Status.RESERVED}
_EVERY = frozenset(Status)

STATUSES: Mapping[Status, StatusMeaning] = {
    Status.RESERVED: StatusMeaning(
        name=translatable("Reserved"),
        term="reg:statusReserved",
        following=_EVERY,
        notice=translatable("This identifier is reserved. It has not been assigned yet."),
        meaning=translatable("The identifier is reserved. It has not been assigned yet."),
        title=translatable("This identifier is reserved"),
        explanation=translatable("{identifier} is reserved. It has not been assigned yet."),
        answer=HTTPStatus.NOT_FOUND,
    ),
    Status.EMBARGOED: StatusMeaning(
        name=translatable("Embargoed"),
        term="reg:statusAccepted",
        following=_USED,
        notice=translatable("This identifier is embargoed until {until} (midnight UTC)."),
        meaning=translatable("The identifier is embargoed until a day."),
        title=translatable("This identifier is embargoed"),
        explanation=translatable("{identifier} is embargoed until {until} (midnight UTC)."),
        answer=HTTPStatus.FORBIDDEN,
        fields=frozenset({UNTIL}),
        is_hidden=True,
        shown=frozenset({"title"}),
    ),
    Status.VALID: StatusMeaning(name=translatable("Valid"), term="reg:statusValid", following=_EVERY),
    Status.SUPERSEDED: StatusMeaning(
        name=translatable("Superseded"),
        term="reg:statusSuperseded",
        following=_EVERY,
        notice=translatable("This identifier still resolves, but it has been replaced."),
        fields=frozenset({"successor"}),
        expected=frozenset({"successor"}),
        is_deprecated=True,
    ),
    Status.RETIRED: StatusMeaning(
        name=translatable("Retired"),
        term="reg:statusRetired",
        following=_EVERY,
        notice=translatable("This identifier is no longer in use. It will never be reassigned."),
        meaning=translatable("The identifier is no longer in use."),
        answer=HTTPStatus.GONE,
        fields=frozenset({"successor"}),
        is_deprecated=True,
    ),
    Status.WITHHELD: StatusMeaning(
        name=translatable("Withheld"),
        term="admss:Withdrawn",
        # The identifier was in use, so it cannot become reserved.
        following=_USED,
        notice=translatable("This identifier is withheld for legal reasons. Nothing else is shown about it."),
        meaning=translatable("The identifier is withheld for legal reasons."),
        answer=HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS,
        fields=frozenset({"requested_by"}),
        expected=frozenset({"reason"}),
        is_hidden=True,
    ),
}
LIFECYCLE_FIELDS = frozenset().union(*(meaning.fields for meaning in STATUSES.values()))
"""The fields that not every status has."""


def statuses_with(field: str) -> tuple[Status, ...]:
    """Return the statuses that have a field.

    >>> [str(each) for each in statuses_with("successor")]
    ['superseded', 'retired']
    """
    return tuple(status for status, meaning in STATUSES.items() if field in meaning.fields)
