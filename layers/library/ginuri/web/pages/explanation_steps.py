"""The steps of an explanation: request, parsing, records, rules and choice, each in sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from ginuri.frozen import Frozen
from ginuri.i18n.labels import format_day, status_name
from ginuri.identifiers import Identifier, Kind
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import Message, Words, counted, message
from ginuri.identifiers.roots import printable_name
from ginuri.identifiers.service_paths import DOCS
from ginuri.registry.model import Registered
from ginuri.registry.ports import Found
from ginuri.registry.texts.reasons import read_reason
from ginuri.resolution import outcomes
from ginuri.resolution.arks import answering_base
from ginuri.resolution.explanations.explanation import Explanation
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.resolution.negotiation.preferences import read_media_ranges, read_profiles, read_weighted
from ginuri.resolution.rules import find_rule
from ginuri.resolution.rules_above import rules_above
from ginuri.schemes.recognition import KnownName
from ginuri.web.answers.advice import titles_of
from ginuri.web.answers.elsewhere import (
    advise_operator,
    describe_known_name,
    find_known_name,
    name_known_name,
)
from ginuri.web.pages.explanation_choice import name_form, reason_for, wanted_profiles


class PathStep(Frozen):
    """One step of the path, in sentences, with its data."""

    title: Words
    sentences: Sequence[Words] = ()
    summary: Words = ""
    data: str = ""
    forms: Sequence[tuple[Words, bool]] = ()
    """A form to choose from, and whether it was chosen."""
    marked: tuple[str, str, str] | None = None
    """A text with its faulty piece."""


def steps_of(explanation: Explanation) -> list[PathStep]:
    """Describe an explanation step by step."""
    results = {step.step: step.result for step in explanation.steps}
    found = explanation.found
    steps = (
        _asked(explanation, results),
        _read(explanation, results),
        None if found is None else _found(explanation, found, results),
        None if found is None else _ruled(found),
        _chosen(explanation, results),
    )
    return [step for step in steps if step is not None]


def _asked(explanation: Explanation, results: Mapping[str, Any]) -> PathStep:
    question = explanation.question
    sentences = list(_preferred(explanation.preferences))
    query, stated = question.query, explanation.stated
    if stated is not None:
        sentences.append(
            message("The query arguments {arguments} replace headers.", arguments=stated.arguments)
        )
        query = stated.question.query
    if query:
        sentences.append(message("The query {query} comes with it.", query=query))
    data = results.get("preferences")
    return PathStep(
        message("You asked for it and said what you prefer")
        if sentences
        else message("You asked for it and prefer nothing"),
        sentences or [message("Any format and any language will do.")],
        message("The headers that were read"),
        "" if data is None else _json({"host": results.get("host"), **data}),
    )


def _preferred(preferences: Preferences) -> Iterator[Words]:
    ranges = sorted(read_media_ranges(preferences.accept or ""), key=lambda media_range: -media_range.q)
    named = [(f"{media_range.type}/{media_range.subtype}", media_range.q) for media_range in ranges]
    wanted, refused = [name for name, q in named if q > 0], [name for name, q in named if q == 0]
    spoken = [name for name, q in read_weighted(preferences.accept_language or "") if q > 0]
    profiles = wanted_profiles(preferences)
    unwanted = [profile for profile, q in read_profiles(preferences.accept_profile or "") if q == 0]
    moment = preferences.accept_datetime or ""
    sentences = (
        (wanted, message("Formats, the most wanted first: {formats}.", formats=", ".join(wanted))),
        (refused, message("Formats that are refused: {formats}.", formats=", ".join(refused))),
        (spoken, message("Languages, the most wanted first: {languages}.", languages=", ".join(spoken))),
        (profiles, message("Profiles, the most wanted first: {profiles}.", profiles=", ".join(profiles))),
        (unwanted, message("Profiles that are refused: {profiles}.", profiles=", ".join(unwanted))),
        (moment, message("The version of {moment} is wanted.", moment=moment)),
    )
    return (sentence for stated, sentence in sentences if stated)


def _read(explanation: Explanation, results: Mapping[str, Any]) -> PathStep:
    identifier, data = explanation.question.identifier, _json(results["parse"])
    if isinstance(identifier, MalformedIdentifier):
        end = identifier.position + max(len(identifier.value), 1)
        text = identifier.text
        marked = text[: identifier.position], text[identifier.position : end], text[end:]
        title = message("It cannot be read as an identifier")
        rule = message("The rule is {rule}.", rule=identifier.rule)
        link = Markup('<a href="{0}">{0}</a>').format(f"/{DOCS}/identifiers/")
        guide = message("What an identifier may look like is in a guide: {guide}", guide=link)
        return PathStep(
            title, (identifier.reason, rule, guide), message("Where it fails"), data, marked=marked
        )
    sentences: list[Words] = []
    if identifier.is_normal:
        title = message("It is an identifier in its normal form")
    else:
        title = message("It is another writing of an identifier")
        normal = printable_name(identifier.normal_form)
        sentences.append(message("The normal form is {identifier}.", identifier=normal))
    sentences.append(_kind(identifier))
    if identifier.is_bound:
        sentences.append(message("The host is part of it: no other host can resolve it."))
    return PathStep(title, sentences, message("How it was read"), data)


def _kind(identifier: Identifier) -> Words:
    match identifier.kind:
        case Kind.THING:
            return message("It names a thing, which cannot be sent: the answer can only lead on.")
        case Kind.DOCUMENT:
            return message("It names a document, whatever its format.")
        case Kind.REPRESENTATION:
            return message("It names a file: a document in one format.")


def _found(explanation: Explanation, found: Found, results: Mapping[str, Any]) -> PathStep:
    record, own = explanation.record, found.record
    if found.identifier.is_scheme and own is not None and not own.modified:
        title = message("It is not registered itself")
        sentences: list[Words] = [message("Identifiers under it are registered.")]
    elif own is not None:
        title = message("It is registered")
        sentences = [_registered(own), *_steward(found)]
    elif record is not None and record.identifier == found.identifier.normal_form:
        title = message("It is not registered itself")
        sentences = [
            message("What stands above it says what it is: {title}.", title=titles_of(record)),
            *_steward(found),
        ]
    elif record is not None:
        title = message("Something else answers for it")
        sentences = [
            message(
                "It is not registered itself. What answers is {title}, {identifier}.",
                title=titles_of(record),
                identifier=printable_name(record.identifier),
            ),
            *_steward(found),
        ]
    else:
        title = message("It is not registered")
        nearest = found.nearest_ancestor
        sentences = [
            message("Nothing above it is registered either.")
            if nearest is None
            else message("The nearest registered name above it is {title}.", title=titles_of(nearest))
        ]
    if isinstance(explanation.decision, outcomes.AnsweredElsewhere):
        sentences.append(message("{host} answers for it.", host=explanation.decision.host))
    if isinstance(explanation.decision, outcomes.FallenBack):
        sentences.append(
            message(
                "{identifier} states that {host} may have it.",
                identifier=printable_name(explanation.decision.stated_by),
                host=explanation.decision.host,
            )
        )
    data = results.get("find")
    return PathStep(title, sentences, message("What was looked up"), "" if data is None else _json(data))


def _registered(record: Registered) -> Message:
    values = {
        "title": titles_of(record),
        "status": status_name(record.status),
    }
    if not record.modified:
        return message("{title}. Status: {status}.", **values)
    day = format_day(record.modified)
    return message("{title}. Status: {status}. Last changed on {day}.", **values, day=day)


def _steward(found: Found) -> Iterator[Words]:
    if found.authority is not None and found.authority is not found.record:
        yield message("It is in the care of {title}.", title=titles_of(found.authority))


def _ruled(found: Found) -> PathStep | None:
    rules = [
        (prefix, rule)
        for prefix, above in rules_above(found.identifier.normal_form, found.records)
        for rule in above
        if not rule.is_pairing
    ]
    if not rules:
        return None
    applied = None if found.record is not None else find_rule(found)
    if found.record is not None:
        title = message("No rule is asked")
        sentence = message("What is registered comes before every rule.")
    elif answering_base(found) is not None:
        title = message("No rule is asked")
        sentence = message("The nearest registered ARK above it comes before every rule.")
    elif applied is None:
        title, sentence = message("No rule applies"), message("None of their patterns takes it.")
    else:
        title = message("A rule applies")
        sentence = message(
            "The longest prefix counts, then the most literal pattern: {pattern}.",
            pattern=applied[0].pattern.text or "*",
        )
    tried = [{"prefix": prefix, "pattern": rule.pattern.text} for prefix, rule in rules]
    return PathStep(title, (sentence,), message("The rules above it"), _json(tried))


def _chosen(  # noqa: PLR0911  one case an outcome
    explanation: Explanation, results: Mapping[str, Any]
) -> PathStep | None:
    decision, data = explanation.decision, _json(results["decide"])
    summary = message("What was decided")
    if (known := find_known_name(decision)) is not None:
        return PathStep(name_known_name(known), tuple(_elsewhere(known, explanation.written)), summary, data)
    match decision:
        case (
            outcomes.SeeRepresentation(representation=chosen, offered=offered)
            | outcomes.Give(representation=chosen, offered=offered)
        ):
            offered = offered or (chosen,)
            title = counted("{number} format is available", "{number} formats are available", len(offered))
            forms = [(name_form(form), form == chosen) for form in offered]
            reason = reason_for(chosen, offered, decision.found, explanation.preferences)
            return PathStep(title, (reason,), summary, data, forms)
        case outcomes.NotAcceptable(offered=offered):
            title = counted("{number} format is available", "{number} formats are available", len(offered))
            reason = message("None of them is one that you take.")
            return PathStep(title, (reason,), summary, data, [(name_form(form), False) for form in offered])
        case outcomes.SeeVersion(timeline=timeline) | outcomes.NoSuchVersion(timeline=timeline):
            title = counted(
                "{number} version is registered", "{number} versions are registered", len(timeline.days)
            )
            return PathStep(title, (explanation.meaning,), summary, data)
        case outcomes.StandsFor(target=target):
            reason = message("It stands for {identifier}.", identifier=printable_name(target))
            return PathStep(message("It is another name"), (reason,), summary, data)
        case outcomes.Choices(targets=targets):
            title = counted(
                "It can mean {number} identifier", "It can mean {number} identifiers", len(targets)
            )
            names = [(message("{name}", name=printable_name(target)), False) for target in targets]
            return PathStep(title, (), summary, data, names)
        case outcomes.Refused(record=record) if record.reason:
            reason = message("Reason: {reason}", reason=read_reason(record.reason))
            return PathStep(message("Its status decides"), (reason,), summary, data)
        case outcomes.SeeDescription() if explanation.is_page_preferred:
            reason = message("Its own formats are data, and you prefer a web page to them.")
            return PathStep(message("Its description is what you prefer"), (reason,), summary, data)
        case outcomes.SeeDescription(negotiated=True):
            reason = message("None of its own formats is one that you take, but its description has one.")
            return PathStep(message("Its description is what you prefer"), (reason,), summary, data)
        case _:
            return None


def _elsewhere(known: KnownName, written: str) -> Iterator[Words]:
    yield describe_known_name(known, written)
    if known.location is not None:
        link = Markup('<a href="{0}">{0}</a>').format(known.location)
        yield message("It resolves at {location}", location=link)
    yield advise_operator(known)


def _json(result: object) -> str:
    return json.dumps(result, indent=1, ensure_ascii=False)
