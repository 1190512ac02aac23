"""Explanations: the steps of a decision as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from ginuri.identifiers import Identifier
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.grammars.bound import RESERVED
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.service_paths import PAGE
from ginuri.registry.model import Registered, Representation
from ginuri.registry.ports import Found
from ginuri.registry.statuses import STATUSES
from ginuri.resolution import outcomes
from ginuri.resolution.arks import bases_of
from ginuri.resolution.decision import Question
from ginuri.resolution.explanations.alternatives import Alternative
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.resolution.negotiation.preferences import (
    MediaRange,
    read_media_ranges,
    read_profiles,
    read_weighted,
)
from ginuri.resolution.outcomes import Decision, Versioned
from ginuri.resolution.query_arguments import StatedPreferences
from ginuri.resolution.resolve import Resolution

MEANINGS: Mapping[type[Decision], Message] = {
    outcomes.Malformed: message("The identifier is not valid."),
    outcomes.NotNormal: message("The identifier is not in its normal form."),
    outcomes.AnsweredElsewhere: message("Another host resolves the identifier."),
    outcomes.FallenBack: message(
        "The identifier is not registered here. The request is led on to the server that may have it."
    ),
    **{refusal: Message(STATUSES[status].meaning) for status, refusal in outcomes.REFUSALS.items()},
    outcomes.SeeDescription: message("The identifier has no representation, so its description is given."),
    outcomes.SeeRepresentation: message("A representation is available at another address."),
    outcomes.SeeMetadata: message("The client asks for metadata, so the description is given as an ERC."),
    outcomes.PassedThrough: message(
        "The identifier is not registered. A registered ARK above it leads on, with the rest appended."
    ),
    outcomes.Give: message("A stored file is sent."),
    outcomes.SeeVersion: message(
        "The requested version has its own address, or the document that leads to it does."
    ),
    outcomes.NoSuchVersion: message("The requested version does not exist."),
    outcomes.UnreadableMoment: message("The requested time is not a valid date."),
    outcomes.StandsFor: message("The identifier is an alias."),
    outcomes.WrittenOtherwise: message("The identifier is registered in one other spelling."),
    outcomes.Choices: message("The identifier can mean any of several."),
    outcomes.NotAcceptable: message("No representation is in a format that the client accepts."),
    outcomes.ContentLost: message("The stored file is missing. The operator is notified."),
    outcomes.RuledOut: message("A rule says that the identifier does not exist."),
    outcomes.NotRegistered: message("The identifier is not registered."),
    outcomes.NoSuchTitle: message("No title under the authority or resource type matches."),
    outcomes.NoSuchScheme: message("The scheme of the identifier is unknown here."),
    outcomes.NoSuchHost: message("The identifier belongs to a host that is not registered here."),
    outcomes.MethodNotAllowed: message("Identifiers can only be read over HTTP."),
    outcomes.Options: message("The client asks which methods are allowed."),
    outcomes.Unavailable: message("The registry is overloaded or not responding."),
}
PREFERRED = message("The client prefers the description to every representation, so it is given.")
"""The meaning of a description that is given although there are representations."""
OF_SERVICE = message("The path is one of the service itself.")
"""The meaning of a path of the service on a host with pages."""


@dataclass(frozen=True, slots=True)
class ExplanationStep:
    """One step of the decision, with its result as JSON values."""

    step: str
    result: Any


@dataclass(frozen=True, slots=True)
class Explanation:
    """A decision, and the steps that led to it."""

    written: str
    found: Found | None
    """None if that is no identifier."""
    decision: Decision
    steps: tuple[ExplanationStep, ...]
    question: Question
    versioned: Versioned | None = None
    alternatives: tuple[Alternative, ...] = ()
    """Requests with one difference; some may get the same answer."""
    stated: StatedPreferences | None = None
    """The preferences that query arguments state in place of headers."""

    @property
    def preferences(self) -> Preferences:
        """The preferences that the decision considers."""
        return self.question.preferences if self.stated is None else self.stated.question.preferences

    @property
    def is_page_preferred(self) -> bool:
        """Whether the page is given before forms that are acceptable."""
        is_stated = self.stated is not None and self.stated.has_media_type
        is_page = isinstance(self.decision, outcomes.SeeDescription) and self.decision.extension == PAGE
        return is_page and not is_stated

    @property
    def outcome(self) -> str:
        """The name of the outcome."""
        return type(self.decision).__name__

    @property
    def meaning(self) -> Message:
        """The outcome in words."""
        return _meaning(self.decision)

    @property
    def record(self) -> Registered | None:
        """The record of the answer, if there is one."""
        return record_of(self.decision)


def explain_decision(
    question: Question, resolution: Resolution, alternatives: Iterable[Alternative] = ()
) -> Explanation:
    """List the steps from a question to its decision; for a malformed identifier only the first."""
    identifier = question.identifier
    decided = ExplanationStep("decide", _decided(resolution.decision))
    if isinstance(identifier, MalformedIdentifier):
        return Explanation(
            identifier.text,
            None,
            resolution.decision,
            (ExplanationStep("parse", _fault(identifier)), decided),
            question,
        )
    found = resolution.found or Found(identifier)
    steps = (
        ExplanationStep("parse", _parsed(identifier)),
        ExplanationStep("find", _found(found)),
        ExplanationStep("host", question.hosts[0]),
        ExplanationStep("preferences", _preferred(question, resolution.stated)),
        decided,
    )
    return Explanation(
        identifier.written,
        found,
        resolution.decision,
        steps,
        question,
        resolution.versioned,
        tuple(alternatives),
        resolution.stated,
    )


def record_of(decision: Decision) -> Registered | None:
    """Return the record that a decision rests on, if there is one."""
    record = getattr(decision, "record", None)
    return record if isinstance(record, Registered) else None


def _fault(error: MalformedIdentifier) -> Mapping[str, Any]:
    return {
        "written": error.text,
        "failed": str(error.reason),
        "rule": error.rule,
        "value": error.value,
        "segment": error.segment,
        "position": error.position,
    }


def _parsed(identifier: Identifier) -> Mapping[str, Any]:
    return {
        "written": identifier.written,
        "normal_form": identifier.normal_form,
        "is_normal": identifier.is_normal,
        "kind_by_syntax": str(identifier.kind),
    }


def _found(found: Found) -> Mapping[str, Any]:
    return {
        "identifier": _looked_up((found.identifier.normal_form,), found)[0],
        "stems": _looked_up(_stems(found.identifier), found),
        "ancestors": _looked_up(found.identifier.ancestors, found),
    }


def _stems(identifier: Identifier) -> Sequence[str]:
    return bases_of(identifier) if identifier.scheme == "ark" else identifier.stems


def _looked_up(names: Sequence[str], found: Found) -> list[Mapping[str, Any]]:
    return [_registered(name, found.records.get(name)) for name in names]


def _registered(name: str, record: Registered | None) -> Mapping[str, Any]:
    if record is None or not record.modified:  # a scheme that is in use without a record
        return {"identifier": name, "registered": False}
    members = {
        "identifier": name,
        "registered": True,
        "record": type(record).__name__,
        "status": str(record.status),
        "modified": record.modified,
    }
    return members | ({"answered_by": record.answering_host} if record.answering_host else {})


def _preferred(question: Question, stated: StatedPreferences | None) -> Mapping[str, Any]:
    if stated is None:
        return _read(question.preferences)
    return {"query_arguments": stated.arguments, **_read(stated.question.preferences)}


def _read(preferences: Preferences) -> Mapping[str, Any]:
    return {
        "media_types": [_range(media_range) for media_range in read_media_ranges(preferences.accept or "")],
        "languages": [
            {"range": name, "q": q} for name, q in read_weighted(preferences.accept_language or "")
        ],
        "profiles": [
            {"profile": profile, "q": q} for profile, q in read_profiles(preferences.accept_profile or "")
        ],
    }


def _range(media_range: MediaRange) -> Mapping[str, Any]:
    parameters = "".join(f";{name}={value}" for name, value in sorted(media_range.parameters.items()))
    return {"range": f"{media_range.type}/{media_range.subtype}{parameters}", "q": media_range.q}


def _meaning(decision: Decision) -> Message:
    if isinstance(decision, outcomes.NoSuchScheme) and decision.error.rule == RESERVED:
        return OF_SERVICE
    return PREFERRED if _is_preferred(decision) else MEANINGS[type(decision)]


def _is_preferred(decision: Decision) -> TypeGuard[outcomes.SeeDescription]:
    return isinstance(decision, outcomes.SeeDescription) and decision.negotiated


def _decided(decision: Decision) -> Mapping[str, Any]:
    record = record_of(decision)
    members: dict[str, Any] = {
        "outcome": type(decision).__name__,
        "because": str(_meaning(decision)),
    }
    if record is not None:
        members["record"] = record.identifier
    if isinstance(decision, outcomes.AnsweredElsewhere):
        members["answered_by"] = decision.host
    if isinstance(decision, outcomes.FallenBack):
        members |= {"fallback": decision.host, "stated_by": decision.stated_by}
    if isinstance(decision, outcomes.PassedThrough):
        members["suffix"] = decision.suffix
    if isinstance(decision, outcomes.SeeRepresentation | outcomes.Give):
        members["representation"] = _describe_form(decision.representation)
    if isinstance(decision, outcomes.SeeRepresentation | outcomes.Give) or _is_preferred(decision):
        members["offered"] = [_describe_form(form) for form in decision.offered]
    return members


def _describe_form(form: Representation) -> Mapping[str, Any]:
    members = {
        "part": form.part,
        "identifier": form.identifier,
        "media_type": form.media_type,
        "language": form.language,
        "profile": form.profile,
        "quality": form.quality,
        "role": sorted(form.roles),
        "location": form.location,
        "stored": form.file is not None,
    }
    return {name: value for name, value in members.items() if value not in (None, [], False)}
