"""The selection of a version: by its name, or by the requested time (RFC 7089)."""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus

from ginuri.frozen import replace
from ginuri.identifiers import Kind
from ginuri.identifiers.roots import kind_by_syntax
from ginuri.registry.http_dates import read_imf_fixdate
from ginuri.registry.model import Resource
from ginuri.registry.version_names import CURRENT, ORIGINAL, PROSPECTIVE
from ginuri.resolution.decision import Question, dereference, gives_content
from ginuri.resolution.match import Match, reachable
from ginuri.resolution.negotiation.negotiation import NO_PREFERENCES, Preferences
from ginuri.resolution.outcomes import (
    Decision,
    Give,
    NoSuchVersion,
    SeeRepresentation,
    SeeVersion,
    UnreadableMoment,
    Versioned,
)
from ginuri.resolution.versions.original_dates import original_date
from ginuri.resolution.versions.timeline import Timeline, representations_of, timeline_of_record


def decide_version(versioned: Versioned, question: Question) -> Decision:
    """Decide which version to answer with."""
    timeline, preferences = timeline_of(versioned), question.preferences
    matched, today = versioned.match, _day(question.moment)
    if timeline.day is not None:  # a form of a version, with its own name
        return _dereference(versioned, matched, timeline, preferences)
    requested = versioned.name
    if requested is None and matched.kind is Kind.THING:
        return _see_timegate(versioned, timeline, preferences, today)
    if requested is None or (requested == CURRENT and matched.kind is Kind.THING):
        return _negotiate(versioned, timeline, preferences, today)
    day = _named(requested, timeline, today, versioned.record)
    if day is None or not _has(day, matched):
        return NoSuchVersion(versioned.found, versioned.record, timeline)
    if day != requested:
        return _see(versioned, timeline, day)
    forms = representations_of(day, matched.offered)
    document = Match(versioned.found.identifier, matched.record, Kind.DOCUMENT, forms)
    return _dereference(versioned, document, replace(timeline, day=day), preferences)


def timeline_of(versioned: Versioned) -> Timeline:
    """Return the versions of the match; for a form of one, those of its record, with its day."""
    matched, record = versioned.match, versioned.record
    if matched.below:
        return timeline_of_record(record.identifier, Kind.DOCUMENT, reachable(record.representations))
    if versioned.name is None and matched.is_part:
        timeline = timeline_of_record(
            record.identifier,
            record.kind or kind_by_syntax(record.identifier),
            reachable(record.representations),
        )
        return replace(timeline, day=matched.offered[0].valid_from)
    return timeline_of_record(matched.identifier.normal_form, matched.kind, matched.offered)


def _see_timegate(versioned: Versioned, timeline: Timeline, preferences: Preferences, today: str) -> Decision:
    # A thing leads to the document of its versions, if the one in force has an acceptable form.
    matched = versioned.match
    offered = representations_of(timeline.in_force(today) or timeline.days[0], matched.offered)
    decision = dereference(replace(matched, offered=offered), versioned.record, versioned.found, preferences)
    if not isinstance(decision, SeeRepresentation | Give):
        return decision
    return SeeVersion(versioned.found, versioned.record, timeline, timeline.timegate, HTTPStatus.SEE_OTHER)


def _negotiate(versioned: Versioned, timeline: Timeline, preferences: Preferences, today: str) -> Decision:
    header = preferences.accept_datetime
    moment = None if header is None else read_imf_fixdate(header)
    if header is not None and moment is None:
        return UnreadableMoment(versioned.found, versioned.record, timeline)
    # RFC 7089 §4.5.3: a time before the first version leads to the first.
    day = timeline.in_force(_day(moment) if moment else today) or timeline.days[0]
    if not _has(day, versioned.match):
        return NoSuchVersion(versioned.found, versioned.record, timeline)
    given = _content(versioned, timeline, preferences, day)
    return given or replace(_see(versioned, timeline, day), by_moment=True)


def _has(day: str, matched: Match) -> bool:
    # A name below a document may be a form of some of its versions only.
    return not matched.below or any(form.valid_from == day for form in matched.offered)


def _content(versioned: Versioned, timeline: Timeline, preferences: Preferences, day: str) -> Give | None:
    # RFC 7089 §4.1.2: a document that returns content sends it at once, under the name of its version.
    matched, found, record = versioned.match, versioned.found, versioned.record
    if not gives_content(record, found):
        return None
    document = replace(matched, kind=Kind.DOCUMENT, offered=representations_of(day, matched.offered))
    effective = NO_PREFERENCES if matched.below else preferences  # a name with an extension is in that form
    given = dereference(document, record, found, effective)
    if not isinstance(given, Give):
        return None
    return replace(given, timeline=replace(timeline, day=day), by_moment=True)


def _named(requested: str, timeline: Timeline, today: str, record: Resource) -> str | None:
    if requested == CURRENT:
        return timeline.in_force(today)
    if requested == ORIGINAL:
        return timeline.days[0]
    if requested == PROSPECTIVE:
        return timeline.to_come(today)
    return timeline.in_force(requested) or (timeline.days[0] if _existed(record, requested) else None)


def _existed(record: Resource, day: str) -> bool:
    # No text is older than the first version, which represents the document's earlier days.
    stated = original_date(record.properties)
    return stated is not None and stated[1][: len(day)] <= day[: len(stated[1])]


def _see(versioned: Versioned, timeline: Timeline, day: str) -> SeeVersion:
    where = timeline.version(day) + versioned.match.below
    return SeeVersion(versioned.found, versioned.record, timeline, where, HTTPStatus.FOUND)


def _dereference(
    versioned: Versioned, matched: Match, timeline: Timeline, preferences: Preferences
) -> Decision:
    decision = dereference(matched, versioned.record, versioned.found, preferences)
    return (
        replace(decision, timeline=timeline) if isinstance(decision, SeeRepresentation | Give) else decision
    )


def _day(moment: datetime) -> str:
    return moment.date().isoformat()
