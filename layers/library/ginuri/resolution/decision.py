"""The decision about an identifier: `decide` chooses one of the outcomes, without side effects.

docs/reference/answers.md has the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from http import HTTPStatus

from ginuri.frozen import Frozen, replace
from ginuri.identifiers import Identifier, Kind, unknown_scheme
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.hosts import same_host
from ginuri.identifiers.roots import path_of
from ginuri.identifiers.service_paths import PAGE
from ginuri.registry.locations import append_query
from ginuri.registry.model import (
    Alias,
    Dereference,
    Prefix,
    Registered,
    Representation,
    Resource,
)
from ginuri.registry.ports import Found
from ginuri.registry.statuses import STATUSES
from ginuri.registry.version_names import version_path
from ginuri.resolution.match import Match, find_match
from ginuri.resolution.negotiation.negotiation import (
    NO_PREFERENCES,
    Preferences,
    Roles,
    choose,
)
from ginuri.resolution.outcomes import (
    REFUSALS,
    AnsweredElsewhere,
    Choices,
    Decision,
    Give,
    NoSuchHost,
    NoSuchScheme,
    NotAcceptable,
    NotNormal,
    NotRegistered,
    PassedThrough,
    Refusal,
    Retired,
    RuledOut,
    SeeDescription,
    SeeMetadata,
    SeeRepresentation,
    StandsFor,
    Versioned,
    WrittenOtherwise,
)

Reconsidered = WrittenOtherwise | Choices | NotRegistered
"""The outcomes of an identifier without a record, from its similar spellings."""
_NO_DATA = frozenset({None, "text/html"})  # most forms of things


class Question(Frozen):
    """Everything in a request that the decision depends on."""

    identifier: Identifier | MalformedIdentifier
    """The identifier, or the error of reading it."""
    moment: datetime
    """The moment of the request, in UTC: a version, a handover or a status may begin or end on a day."""
    hosts: Sequence[str] = ()
    """The requested host, and the canonical one because an edge may change it: no redirect leads to them."""
    preferences: Preferences = NO_PREFERENCES
    query: str = ""
    title: str = ""
    """The title to look up under an authority or a type; empty for none."""

    @property
    def canonical_host(self) -> str:
        """The canonical host, if it is known."""
        return self.hosts[1] if len(self.hosts) > 1 else ""


def decide(found: Found, question: Question) -> Decision | Versioned:  # noqa: C901, PLR0911, PLR0912  one line a row
    """Decide what to answer, by the rows of docs/reference/answers.md: the first that applies.

    `found` has the records of the moment of the question. `ginuri.resolution.resolve` completes the decision
    about versions and other spellings.
    """
    identifier, query = found.identifier, question.query
    if not found.has_registered_root:
        return unknown_root(identifier)
    if identifier.scheme == "http" and identifier.is_of_service:
        from ginuri.resolution.reserved_paths import is_reserved, reserve

        if is_reserved(found, question.canonical_host):
            return reserve(identifier)
    if identifier.is_namespaced:
        from ginuri.registry.rules.namespaces import normal_form_in

        meant = normal_form_in(found)
        if meant is not None:
            return NotNormal(meant)
    if not identifier.is_normal:
        return NotNormal(identifier)
    elsewhere = _answered_by(found)
    if elsewhere is not None and not any(same_host(elsewhere, host) for host in question.hosts):
        return AnsweredElsewhere(identifier, elsewhere)
    matched = find_match(found)
    if matched is None:
        return _unmatched(found, question)
    record = matched.record
    if matched.is_ruled_out and isinstance(record, Resource):
        return RuledOut(found, record)
    if query and not _passes_query(matched) and _asks_for_metadata(identifier, query):
        return SeeMetadata(found, record)
    if matched.is_retired or not STATUSES[record.status].leads_on:
        return _refuse(found, record)
    if isinstance(record, Alias):
        return _follow(found, record)
    if not isinstance(record, Resource) or not matched.offered:
        return SeeDescription(found, record)
    if matched.has_versions:
        return Versioned(found, record, matched)
    decision = dereference(matched, record, found, question.preferences)
    if query and _passes_query(matched) and isinstance(decision, SeeRepresentation):
        return replace(decision, address=append_query(decision.address, query))
    return decision


def unknown_root(identifier: Identifier) -> NoSuchHost | NoSuchScheme:
    """Return the outcome for an identifier whose host or scheme is not registered."""
    return NoSuchHost(identifier) if identifier.is_bound else NoSuchScheme(unknown_scheme(str(identifier)))


def _passes_query(matched: Match) -> bool:
    return matched.passes_query and bool(matched.offered)


def _refuse(found: Found, record: Registered) -> Refusal:
    # A part may be retired although its record still redirects.
    return REFUSALS.get(record.status, Retired)(found, record)


def _unmatched(found: Found, question: Question) -> Decision:
    if isinstance(found.record, Prefix) and found.record.is_in_use:
        return SeeDescription(found, found.record)
    below = _below_ark(found, question.preferences, question.query)
    if below is not None:
        return below
    from ginuri.registry.lists.registers import name_meant, unregistered_register
    from ginuri.registry.rules.namespaces import is_given_out

    if found.identifier.is_scheme and found.identifier.root in found.records:
        return WrittenOtherwise(found, found.identifier.root)
    described = unregistered_register(found) or is_given_out(found)
    if described is not None:
        return SeeDescription(found, described)
    meant = name_meant(found)
    return NotRegistered(found) if meant is None else StandsFor(found, meant, HTTPStatus.FOUND)


def reconsider(decision: NotRegistered, near: Sequence[str]) -> Reconsidered:
    """Decide again about an unregistered identifier, with its similar spellings."""
    from ginuri.resolution.other_spellings import find_other_spellings

    same = find_other_spellings(decision.found, near)
    if len(same) == 1:
        return WrittenOtherwise(decision.found, same[0])
    if same:
        return Choices(decision.found, same, is_registered=False)
    others = tuple(other for other in near if other != decision.found.identifier.normal_form)
    return NotRegistered(decision.found, others)


def _below_ark(
    found: Found, preferences: Preferences, query: str
) -> Refusal | PassedThrough | SeeMetadata | None:
    if found.identifier.scheme != "ark":
        return None
    from ginuri.resolution.arks import answering_base, pass_through

    base = answering_base(found)
    if base is None:
        return None
    answer: Refusal | PassedThrough | None = None
    if not STATUSES[base.status].leads_on:
        answer = _refuse(found, base)
    elif isinstance(base, Resource):
        answer = pass_through(found, base, preferences)
    if answer is not None and _asks_for_metadata(found.identifier, query):
        return SeeMetadata(found, base)
    return answer


def _asks_for_metadata(identifier: Identifier, query: str) -> bool:
    if identifier.scheme != "ark":
        return False
    from ginuri.resolution.arks import INFLECTIONS

    return query in INFLECTIONS


def _follow(found: Found, alias: Alias) -> Decision:
    if len(alias.stands_for) == 1:
        return StandsFor(found, alias.stands_for[0], alias.status_code)
    return Choices(found, tuple(alias.stands_for))


def _answered_by(found: Found) -> str | None:
    # The nearest delegation wins, so that a part of a delegated prefix may be handed back.
    for name in (found.identifier.normal_form, *reversed(found.identifier.ancestors)):
        record = found.records.get(name)
        if record is not None and record.answering_host:
            return record.answering_host
    return None


def dereference(matched: Match, record: Resource, found: Found, preferences: Preferences) -> Decision:
    """Choose one of the offered representations, and how to respond with it."""
    identifier, offered = matched.identifier, matched.offered
    single = matched.kind is Kind.REPRESENTATION and len(offered) == 1
    chosen = offered[0] if single else _negotiate(matched, record, found, preferences)
    if not isinstance(chosen, Representation):
        return chosen
    others = () if single else offered
    own = own_address(record, chosen)
    is_here = own is None or own == identifier.path
    if chosen.file and (is_here or (matched.kind is Kind.DOCUMENT and gives_content(record, found))):
        return Give(found, record, chosen, own or identifier.path, others)
    status_code = 303 if matched.kind is Kind.THING else 302
    if own is not None and not is_here:
        return SeeRepresentation(found, record, chosen, own, status_code, others)
    if matched.kind is not Kind.THING:
        status_code = chosen.status_code or status_code
    return SeeRepresentation(found, record, chosen, _from_here(leads_to(chosen), found), status_code, others)


def _negotiate(
    matched: Match, record: Resource, found: Found, preferences: Preferences
) -> Representation | SeeDescription | NotAcceptable:
    offered = matched.offered
    chosen = choose(preferences, offered, roles_of(found))
    if chosen is not None:
        may_prefer_page = matched.kind is Kind.THING and chosen.media_type not in _NO_DATA
        if may_prefer_page and preferences.names_html:
            from ginuri.resolution.negotiation.pages import prefers_page

            if prefers_page(preferences, chosen, offered):
                return SeeDescription(found, record, negotiated=True, extension=PAGE, offered=offered)
        return chosen
    # Most clients accept one of the forms: imported on first use.
    from ginuri.resolution.descriptions.formats import leads_to_description

    if not preferences.requires_profile and leads_to_description(preferences.accept, matched.kind):
        return SeeDescription(found, record, negotiated=True, offered=offered)
    return NotAcceptable(found, record, offered)


def own_address(record: Registered, representation: Representation) -> str | None:
    """Return the address of a representation with an identifier of its own; None for all others."""
    if representation.part:
        return path_of(f"{record.identifier}{representation.part}")
    if representation.file and representation.valid_from:
        return path_of(version_path(record.identifier, representation.valid_from))
    return None


def _from_here(address: str, found: Found) -> str:
    # Use the request's scheme for locations on the same host (RFC 3986 §4.2).
    identifier = found.identifier
    is_own = identifier.is_bound and address.startswith(f"http:{identifier.root}")
    return address[5:] if is_own else address


def leads_to(representation: Representation) -> str:
    """Return the address of a representation that is not stored: its location, else its identifier."""
    return representation.location or path_of(representation.identifier or "")


def gives_content(record: Resource, found: Found) -> bool:
    """Return whether a document responds with its content, by its own or its type's statement."""
    policies = (record.dereference, *(resource_type.dereference for resource_type in found.resource_types))
    return next((policy for policy in policies if policy), Dereference.REDIRECT) is Dereference.CONTENT


def roles_of(found: Found) -> Roles:
    """Return the media types of the two roles in the resource types of an identifier."""
    default, canonical = None, None
    for typed in found.resource_types:  # the nearest first
        default = default or typed.default_media_type
        canonical = canonical or typed.canonical_media_type
    return Roles(default, canonical)
