"""Checks representations against the identifier that they belong to."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus

from ginuri.identifiers import Identifier, Kind, parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.registration.checks.file_names import check_file_names
from ginuri.registration.checks.judging_context import JudgingContext
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, refuse, warn
from ginuri.registry.model import Status
from ginuri.registry.record.statements import Statements

MOST_REPRESENTATIONS = 200


def judge_representations(registration: Registration, context: JudgingContext) -> Iterator[Finding]:
    """Find problems of the representations that a registration states."""
    identifier, stated = registration.identifier, registration.statements.forms()
    registered = context.in_force.forms()
    number = len(stated.keys() | registered.keys())
    if number > MOST_REPRESENTATIONS:
        yield refuse(
            "representations",
            "size",
            number,
            "The record would have {number} representations; at most {most} are allowed. Register some of "
            "them under identifiers of their own.",
            number=number,
            most=MOST_REPRESENTATIONS,
        )
    for key, form in stated.items():
        before = registered.get(key, Statements())
        if not _leads_somewhere(form, before):
            yield warn(
                "location",
                "nowhere",
                key,
                "This representation has no web address and no file. State `location` or `file`.",
            )
        location, part = form.text("location"), form.text("part")
        valid_from = (form if form.states("valid_from") else before).text("valid_from")
        if identifier.scheme == "ark" and "#" in (location or "") and not (part or valid_from):
            yield warn(
                "location",
                "fragment",
                location,
                "ARKs below this one are not redirected to this web address: a suffix cannot follow the "
                "fragment, which begins with #. State a web address without a fragment, or register them.",
            )
        if not (part or valid_from) and _is_thing(registration, context):
            yield from _status_code(identifier, form)
        if part is not None:
            yield from _part(identifier, part, valid_from)
        # A version is a document named by its date, not the thing itself.
        elif form.value("file") and form.value("valid_from") is None and _is_thing(registration, context):
            yield refuse(
                "file",
                "part",
                identifier,
                "A thing itself cannot be downloaded, only a representation of it. Give the stored file a "
                "part, such as mapImageFile.pdf.",
            )


def judge_codes_of_rule(
    identifier: Identifier, rule: Statements, context: JudgingContext
) -> Iterator[Finding]:
    """Find problems of the status codes of a rule's representations."""
    registered = context.in_force.rules().get(rule.place.pattern or "", Statements())
    kind = (rule if rule.states("kind") else registered).text("kind")
    if Kind(kind or Kind.THING) is Kind.THING:
        for form in rule.forms().values():
            yield from _status_code(identifier, form)


def _status_code(identifier: Identifier, form: Statements) -> Iterator[Finding]:
    """Warn of a status code of an ARK that becomes 303, as its syntax does not show that it names a thing."""
    stated = form.value("status_code")
    if identifier.scheme == "ark" and stated not in {None, HTTPStatus.SEE_OTHER}:
        yield warn(
            "status_code",
            "thing",
            stated,
            "An ARK names a thing, so that requests get 303 instead of {code}. State no status code, or the "
            "`kind` document if a document is meant.",
            code=stated,
        )


def _leads_somewhere(form: Statements, before: Statements) -> bool:
    names = ("location", "file", "identifier")
    return (
        any(map(form.value, names)) or any(map(before.value, names)) or form.value("status") == Status.RETIRED
    )


def _is_thing(registration: Registration, context: JudgingContext) -> bool:
    statements = registration.statements
    stated = (statements if statements.states("kind") else context.in_force).text("kind")
    return Kind(stated or registration.identifier.kind) is Kind.THING


def _part(identifier: Identifier, part: str, valid_from: str | None) -> Iterator[Finding]:
    name = f"{identifier}{part}"
    try:
        named = parse(name)
    except MalformedIdentifier as error:
        yield refuse(
            "part",
            error.rule,
            part,
            "With this part, {identifier} is not a valid identifier: {reason}",
            identifier=name,
            reason=error.reason,
        )
        return
    yield from check_file_names(identifier, part)
    if part.startswith("/") and identifier.is_bound and not identifier.is_terminated:
        yield from _part_below_document(named, part, valid_from)
    elif not named.is_normal or "/" in part:
        yield refuse(
            "part",
            "normal form",
            part,
            "Write the part in normal form and without slashes, so that the identifier becomes {identifier}.",
            identifier=named,
        )
    elif identifier.is_terminated == part.startswith("."):
        yield refuse(
            "part",
            "place",
            part,
            "The part is appended to the identifier. As this identifier ends in a slash, write a name such "
            "as mapImageFile.pdf."
            if identifier.is_terminated
            else "The part is appended to the identifier. As this identifier does not end in a slash, write "
            "an extension such as .pdf.",
        )
    elif not identifier.is_terminated and identifier.normal_form not in named.stems:
        yield refuse("part", "dots", part, "A part may have at most 8 dots.")


def _part_below_document(named: Identifier, part: str, valid_from: str | None) -> Iterator[Finding]:
    last = part[part.rindex("/") :]
    expected = f"/{valid_from}{last}" if valid_from else last
    if part != expected:
        yield refuse(
            "part",
            "place",
            part,
            "A part below a document is one name, after the date of the version where it has one. Write "
            "{part}.",
            part=expected,
        )
    elif not named.is_normal or named.kind is not Kind.REPRESENTATION:
        yield refuse(
            "part",
            "normal form",
            part,
            "Write the part in normal form and with an extension, such as /data.xml.",
        )
