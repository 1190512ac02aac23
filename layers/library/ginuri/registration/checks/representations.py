"""Checks representations against the identifier that they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ginuri.identifiers import Identifier, Kind, parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.registration.checks.file_names import check_file_names
from ginuri.registration.judging_context import JudgingContext
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, refuse, warn
from ginuri.registry.model import Status
from ginuri.registry.record.record import REPRESENTATIONS, Path, Record, Value, paths_under

MOST_REPRESENTATIONS = 200
"""How many representations a record may have."""


def judge_representations(registration: Registration, context: JudgingContext) -> Iterator[Finding]:
    """Find problems of the representations that a registration states."""
    identifier, statements = registration.identifier, registration.statements
    keys = {path[1] for path in paths_under(statements, *REPRESENTATIONS)}
    if context.before is not None:
        keys |= {path[1] for path in paths_under(context.before.in_force(), *REPRESENTATIONS)}
    if len(keys) > MOST_REPRESENTATIONS:
        yield refuse(
            "representations",
            "size",
            len(keys),
            "The record would have {number} representations; at most {most} are allowed. Register some of "
            "them under identifiers of their own.",
            number=len(keys),
            most=MOST_REPRESENTATIONS,
        )
    for key in dict.fromkeys(path[1] for path in paths_under(statements, *REPRESENTATIONS)):
        if not _leads_somewhere(key, statements, context.before):
            yield warn(
                "location",
                "nowhere",
                key,
                "This representation has no web address and no file. State `location` or `file`.",
            )
        location = statements.get((*REPRESENTATIONS, key, "location"))
        part = statements.get((*REPRESENTATIONS, key, "part"))
        valid_from = _valid_from(key, statements, context.before)
        if identifier.scheme == "ark" and "#" in (location or "") and not (part or valid_from):
            yield warn(
                "location",
                "fragment",
                location,
                "ARKs below this one are not redirected to this web address: a suffix cannot follow the "
                "fragment, which begins with #. State a web address without a fragment, or register them.",
            )
        if part is not None:
            yield from _part(identifier, part, valid_from)
        elif statements.get((*REPRESENTATIONS, key, "file")) and _is_nameless(registration, key, context):
            yield refuse(
                "file",
                "part",
                identifier,
                "A thing itself cannot be downloaded, only a representation of it. Give the stored file a "
                "part, such as mapImageFile.pdf.",
            )


def _valid_from(key: str, statements: Mapping[Path, Value], before: Record | None) -> str | None:
    path = (*REPRESENTATIONS, key, "valid_from")
    day: str | None = statements.get(path, before.get(*path) if before else None)
    return day


def _leads_somewhere(key: str, statements: Mapping[Path, Value], before: Record | None) -> bool:
    names = ("location", "file", "identifier")
    stated = [statements.get((*REPRESENTATIONS, key, name)) for name in names]
    registered = [before.get(*REPRESENTATIONS, key, name) for name in names] if before else []
    return (
        any(stated) or any(registered) or statements.get((*REPRESENTATIONS, key, "status")) == Status.RETIRED
    )


def _is_nameless(registration: Registration, key: str, context: JudgingContext) -> bool:
    # A version is a document named by its date, not the thing itself.
    valid_from = registration.statements.get((*REPRESENTATIONS, key, "valid_from"))
    return valid_from is None and _kind(registration, context) is Kind.THING


def _kind(registration: Registration, context: JudgingContext) -> Kind:
    registered = context.before.get("kind") if context.before else None
    return Kind(registration.statements.get(("kind",), registered) or registration.identifier.kind)


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
