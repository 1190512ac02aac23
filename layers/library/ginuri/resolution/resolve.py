"""The complete decision about a request for an identifier; every function calls `resolve`.

`decide` chooses by the found records; this module continues with other spellings, versions and titles.
Modules that few requests need are imported on first use, to keep hits fast.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ginuri.frozen import replace
from ginuri.identifiers import Identifier, parse, parse_host
from ginuri.identifiers.errors import MalformedIdentifier, TooManySteps, UnknownScheme
from ginuri.registry.model import Host, NameAuthority, ResourceType
from ginuri.registry.ports import Finder, Found
from ginuri.resolution.decision import Question, decide, reconsider
from ginuri.resolution.outcomes import (
    Decision,
    Malformed,
    NoSuchScheme,
    NotNormal,
    NotRegistered,
    SeeDescription,
    Unavailable,
    Versioned,
    WrittenOtherwise,
)

if TYPE_CHECKING:  # imported on first use: few requests have query arguments
    from ginuri.resolution.query_arguments import StatedPreferences

TITLE = "title"
"""The parameter of a query that looks up a title."""


class Resolution(NamedTuple):
    """A decision with its inputs."""

    decision: Decision
    found: Found | None = None
    """The records that were found; None if the registry was not read."""
    versioned: Versioned | None = None
    """The versions that the decision chose from."""
    stated: StatedPreferences | None = None
    """The preferences that query arguments state, if there are any."""


class Titles(Protocol):
    """Looks up titles."""

    def find(self, decision: SeeDescription, question: Question) -> Decision:
        """Return the decision for a title under an authority or a type. Raises RegistryUnavailable."""


def resolve(
    question: Question, finder: Finder, make_titles: Callable[[], Titles] | None = None
) -> Resolution:
    """Decide about a request; `make_titles` is called only for `?title=`. Raises RegistryUnavailable."""
    sought = sought_identifier(question)
    if sought is None:
        return Resolution(judge_writing(question))
    if not question.query:
        return _resolve(finder.find(sought, question.moment), question, finder, make_titles)
    found = _find_with_host(sought, question, finder)
    if found.query_arguments:
        from ginuri.resolution.query_arguments import read_arguments

        stated = read_arguments(question, found.query_arguments)
        if stated is not None:
            resolution = _resolve(found, stated.question, finder, make_titles)
            return resolution._replace(decision=stated.complete(resolution.decision), stated=stated)
    return _resolve(found, question, finder, make_titles)


def _resolve(
    found: Found, question: Question, finder: Finder, make_titles: Callable[[], Titles] | None
) -> Resolution:
    resolution = decide_found(found, question)
    if isinstance(resolution.decision, NotRegistered):
        from ginuri.resolution.fallbacks import fall_back

        fallen = fall_back(resolution.decision, question, finder)
        again = fallen or reconsider(resolution.decision, finder.near(resolution.decision.found.identifier))
        if isinstance(again, NotRegistered) and question.preferences.names_html:
            from ginuri.resolution.neighbours import add_neighbours

            again = add_neighbours(again, finder)
        resolution = resolution._replace(decision=again)
    if question.title and make_titles is not None:
        decision = _look_up_title(resolution.decision, question, finder, make_titles)
        resolution = resolution._replace(decision=decision)
    return resolution


def sought_identifier(question: Question) -> Identifier | None:
    """Return the identifier to look up; None if its spelling alone decides."""
    identifier = question.identifier
    if not isinstance(identifier, Identifier):
        return None
    if identifier.scheme == "http" and identifier.is_of_service:
        from ginuri.resolution.reserved_paths import is_never_free

        return None if is_never_free(identifier, question.canonical_host) else identifier
    return identifier if identifier.is_normal or identifier.is_bound else None


def _find_with_host(sought: Identifier, question: Question, finder: Finder) -> Found:
    """Find an identifier together with the host whose query arguments may apply."""
    if not sought.is_bound:
        return finder.find(sought, question.moment, _requested_host(question))
    found = finder.find(sought, question.moment)
    host = found.records.get(sought.root)
    # A path that names a scheme, such as `/doi:10.1000/182`, was read as a name bound to the host as well.
    return replace(found, host=host) if isinstance(host, Host) and not found.identifier.is_bound else found


def _requested_host(question: Question) -> Identifier | None:
    try:
        return parse_host(question.hosts[0]) if question.hosts else None
    except MalformedIdentifier:
        return None


def judge_writing(question: Question) -> Decision:
    """Decide about an identifier whose spelling alone decides."""
    identifier = question.identifier
    if not isinstance(identifier, Identifier):
        return name_fault(identifier)
    if identifier.is_bound:
        from ginuri.resolution.reserved_paths import reserve

        return reserve(identifier)
    return NotNormal(identifier)


def name_fault(error: MalformedIdentifier) -> Malformed | NoSuchScheme:
    """Return the outcome for a text that is not an identifier."""
    return NoSuchScheme(error) if isinstance(error, UnknownScheme) else Malformed(error)


def decide_found(found: Found, question: Question) -> Resolution:
    """Decide by the found records, and choose the version."""
    try:
        decision = decide(found, question)
    except TooManySteps as error:
        return Resolution(Unavailable(error.retry_after, str(error), is_costly=True), found)
    if isinstance(decision, Versioned):
        from ginuri.resolution.versions.versions import decide_version

        return Resolution(decide_version(decision, question), found, decision)
    return Resolution(decision, found)


def _look_up_title(
    decision: Decision, question: Question, finder: Finder, make_titles: Callable[[], Titles]
) -> Decision:
    described: Decision | Versioned = decision
    if isinstance(decision, WrittenOtherwise):
        # `/id?title=…` means `/id/?title=…`: a redirect there would lose the title.
        described = decide(finder.find(parse(decision.target), question.moment), question)
    if not isinstance(described, SeeDescription):
        return decision
    if not isinstance(described.record, NameAuthority | ResourceType):
        return decision
    return make_titles().find(described, question)
