"""The resolution services of RFC 2169: the answer of each, from that of the identifier.

N stands for the name in the query, L for a location, R for the resource, C for its description (URC); an `s`
for all of them. Every answer is derived from the decision of `ginuri.resolution.resolve`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from ginuri.identifiers import Identifier, parse, read_identifier
from ginuri.identifiers.messages import translatable
from ginuri.identifiers.roots import path_of
from ginuri.identifiers.service_paths import description_path
from ginuri.registry.model import Registered, Representation
from ginuri.registry.ports import Found
from ginuri.resolution.links import absolute, form_address
from ginuri.resolution.negotiation.negotiation import (
    Preferences,
    choose,
    drop_refused_profiles,
    find_acceptable,
)
from ginuri.resolution.outcomes import (
    AnsweredElsewhere,
    Choices,
    Decision,
    FallenBack,
    Give,
    NotAcceptable,
    NotNormal,
    NotRegistered,
    Options,
    PassedThrough,
    Refused,
    SeeDescription,
    SeeMetadata,
    SeeRepresentation,
    SeeVersion,
    StandsFor,
    Unanswered,
    WrittenOtherwise,
)

MOST_FOLLOWED = 4
"""The most aliases to follow."""


class Service(StrEnum):
    """The services (RFC 2169 §3)."""

    LOCATION = "N2L"
    LOCATIONS = "N2Ls"
    RESOURCE = "N2R"
    RESOURCES = "N2Rs"
    DESCRIPTION = "N2C"
    NAMES = "N2Ns"


WORDS = {
    Service.LOCATION: translatable("A location"),
    Service.LOCATIONS: translatable("All locations"),
    Service.RESOURCE: translatable("The resource"),
    Service.RESOURCES: translatable("All formats of the resource"),
    Service.DESCRIPTION: translatable("Description"),
    Service.NAMES: translatable("Its other names"),
}
"""The display names of the services."""
URI_LIST, MULTIPART = "text/uri-list", "multipart/alternative"
"""The media types of lists: of URIs, and of forms."""


@dataclass(frozen=True, slots=True)
class SeeLocation:
    """A redirect to `address`, an absolute URI or a reference from the root."""

    address: str


@dataclass(frozen=True, slots=True)
class SeeIdentifier:
    """A redirect to the identifier itself."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class UriList:
    """A list of absolute URIs, the best first."""

    identifier: Identifier
    uris: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Variants:
    """Its acceptable forms, each with its absolute URI, the best last (RFC 2046 §5.1.4)."""

    identifier: Identifier
    forms: tuple[tuple[Representation, str], ...]


Resolved = SeeLocation | SeeIdentifier | UriList | Variants | Decision
Look = Callable[[Identifier], Decision]
"""The answer for an identifier in normal form."""


def answer_service(
    service: Service, identifier: Identifier, look: Look, preferences: Preferences, host: str
) -> Resolved:
    """Decide the answer of a service about an identifier in normal form; `host` is the canonical one.

    `look` applies `Accept` for one resource or location, but not for a list, which has its own format.
    """
    decision = look(identifier)
    identifier = _as_read(identifier, decision)
    if service is Service.LOCATION:
        return SeeLocation(decision.address) if isinstance(decision, Give) else SeeIdentifier(decision)
    if service is Service.RESOURCE:
        return SeeLocation(identifier.path) if _leads_on(decision) else decision
    trail = (decision, *_follow(decision, look))
    match service:
        case Service.LOCATIONS:
            uris = tuple(dict.fromkeys(_locations(trail, host)))
            return UriList(identifier, uris) if uris else trail[-1]
        case Service.NAMES:
            return _other_names(identifier, trail, host)
        case Service.DESCRIPTION:
            return _description(trail[-1])
        case Service.RESOURCES:
            return _variants(identifier, trail[-1], preferences, host)


def _as_read(identifier: Identifier, decision: Decision) -> Identifier:
    """Return the name that was looked up: one of a registered scheme may be written with any host."""
    found: Found | None = getattr(decision, "found", None)
    return found.identifier if identifier.is_bound and found is not None else identifier


_Known = SeeDescription | SeeRepresentation | Give | SeeVersion
_Followed = StandsFor | WrittenOtherwise


def _leads_on(decision: Decision) -> bool:
    if isinstance(decision, _Known | _Followed | AnsweredElsewhere | FallenBack | PassedThrough):
        return True
    if isinstance(decision, Unanswered | NotNormal | SeeMetadata | Options):
        return False
    assert_never(decision)


def _follow(decision: Decision, look: Look) -> Iterator[Decision]:
    for _ in range(MOST_FOLLOWED):
        if not isinstance(decision, _Followed):
            return
        decision = look(parse(decision.target))
        yield decision


def _locations(trail: Sequence[Decision], host: str) -> Iterator[str]:
    for number, step in enumerate(trail):
        match step:
            case StandsFor(found=found, target=target) | WrittenOtherwise(found=found, target=target):
                # The records around the target determine the host that it is cited on.
                around = getattr(trail[number + 1], "found", found) if number + 1 < len(trail) else found
                yield absolute(path_of(target), around, host)
            case Choices(found=found, targets=targets):
                yield from (absolute(path_of(target), found, host) for target in targets)
            case AnsweredElsewhere(identifier, elsewhere) | FallenBack(Found(identifier), elsewhere):
                yield identifier.uri(elsewhere)
            case PassedThrough(address=address):
                yield address
            case SeeVersion(found=found, name=name):
                yield absolute(path_of(name), found, host)
            case SeeDescription(found=found, record=record) if number == 0:
                yield absolute(description_path(record.identifier), found, host)
            case SeeRepresentation(found=found, address=address) | Give(found=found, address=address):
                yield absolute(address, found, host)
                yield from (uri for _, uri in _forms(step, host))
            case _:
                pass


def _forms(decision: SeeRepresentation | Give, host: str) -> Iterator[tuple[Representation, str]]:
    for form in decision.offered:
        yield form, absolute(form_address(decision.record, form), decision.found, host)


def _other_names(identifier: Identifier, trail: Sequence[Decision], host: str) -> Resolved:
    decision = trail[0]
    if isinstance(decision, PassedThrough):
        return NotRegistered(decision.found)
    # Another spelling is the name of something else, or of nothing.
    if isinstance(decision, WrittenOtherwise):
        return NotRegistered(decision.found, (decision.target,))
    is_known = isinstance(decision, _Known | StandsFor)
    return UriList(identifier, _names(identifier, trail, host)) if is_known else decision


def _names(identifier: Identifier, trail: Sequence[Decision], host: str) -> tuple[str, ...]:
    named = [parse(step.target) for step in trail if isinstance(step, StandsFor)]
    last = trail[-1]
    found: Found = getattr(last, "found", Found(identifier))
    record: Registered | None = getattr(last, "record", None)
    # A form does not have the names of its resource.
    if record is not None and record.identifier == found.identifier.normal_form:
        stated = record.properties.get("identifier") or ()
        named += filter(None, map(read_identifier, [stated] if isinstance(stated, str) else stated))
    others = {str(name): name for name in named if name != identifier}
    return tuple(_write(name, found, host) for name in others.values())


def _write(name: Identifier, found: Found, host: str) -> str:
    if name.root.endswith(":"):  # a URI already
        return str(name)
    return Found(parse(str(name)), found.records).cited(host)


def _description(decision: Decision) -> Resolved:
    if isinstance(decision, PassedThrough):
        return NotRegistered(decision.found)
    if isinstance(decision, _Known | Refused):
        return SeeLocation(description_path(str(decision.found.identifier)))
    return decision


def _variants(identifier: Identifier, decision: Decision, preferences: Preferences, host: str) -> Resolved:
    if not isinstance(decision, SeeRepresentation | Give) or not decision.offered:
        return SeeLocation(identifier.path) if _leads_on(decision) else decision
    offered = drop_refused_profiles(preferences.accept_profile, decision.offered)
    acceptable = {id(form) for form, _ in find_acceptable(preferences.accept, offered)}
    forms = [form for form in _forms(decision, host) if id(form[0]) in acceptable]
    if not forms:
        return NotAcceptable(decision.found, decision.record, decision.offered)
    if len(forms) == 1:
        return SeeLocation(forms[0][1])
    best = choose(preferences, tuple(form for form, _ in forms))
    return Variants(identifier, tuple(sorted(forms, key=lambda form: form[0] is best)))
