"""Advice about names of well-known schemes that are not registered here: `/doi:10.1000/182`, `/10.1000/182`.

Only answers without a target use it; a redirect imports none of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import path_of
from ginuri.identifiers.service_paths import DOCS
from ginuri.registry.model import NameAuthority
from ginuri.registry.ports import Found
from ginuri.resolution.outcomes import Decision, NoSuchHost, NoSuchScheme, NotRegistered
from ginuri.schemes.recognition import KnownName, recognize, recognize_identifier
from ginuri.web.answers.problems import Advice, Problem

_GUIDE = f"/{DOCS}/answer-dois/"


def find_known_name(decision: Decision) -> KnownName | None:
    """Recognize the name of a well-known scheme that nothing is registered for; None for any other."""
    match decision:
        case NoSuchScheme(error):
            return recognize(error.text)
        case NoSuchHost(identifier):
            return recognize_identifier(identifier)
        case NotRegistered(found):
            known = recognize_identifier(found.identifier)
            return None if known is None or _is_in_use(known, found) else known
        case _:
            return None


def _is_in_use(known: KnownName, found: Found) -> bool:
    """Return whether the scheme has rules here, or the name has an authority: either answers by itself."""
    record = found.records.get(known.scheme.identifier)
    return isinstance(found.authority, NameAuthority) or (record is not None and bool(record.rules))


def explain_known_name(known: KnownName, written: str) -> Problem:
    """Return the problem that explains an unregistered scheme."""
    detail = describe_known_name(known, written)
    return Problem(name_known_name(known), detail, tuple(advise_known_name(known)))


def name_known_name(known: KnownName) -> Message:
    """Return the title of an answer about a name."""
    if known.is_bare:
        return message("This looks like {identifier}", identifier=known.identifier)
    return message("{scheme} is not registered here", scheme=known.scheme.identifier)


def describe_known_name(known: KnownName, written: str) -> Message:
    """Describe what a name is."""
    template = (
        "{written} looks like {identifier}, a name of the scheme {scheme} ({title}), without its scheme."
        if known.is_bare
        else "{identifier} is a name of the scheme {scheme} ({title}), which is not registered here."
    )
    return message(
        template,
        written=written,
        identifier=known.identifier,
        scheme=known.scheme.identifier,
        title=known.scheme.title,
    )


def advise_known_name(known: KnownName) -> Iterator[Advice]:
    """Yield where a name resolves, and how an operator registers its scheme."""
    if known.is_bare:
        text = message("Did you mean {identifier}?", identifier=known.identifier)
        yield Advice("alternate", text, path_of(known.identifier))
    if known.location is not None:
        text = message("It resolves at {location}", location=known.location)
        yield Advice("related", text, known.location)
    else:
        text = message("About {title}", title=known.scheme.title)
        yield Advice("related", text, known.scheme.homepage)
    yield Advice("help", advise_operator(known), _GUIDE)


def advise_operator(known: KnownName) -> Message:
    """Describe how an operator registers a scheme."""
    return message(
        "If you operate this registry, run {command} to answer all names of {scheme}",
        command=known.command,
        scheme=known.scheme.identifier,
    )


def summarize_known_name(known: KnownName) -> Mapping[str, Any]:
    """Return a name of a well-known scheme as JSON values."""
    return {
        "identifier": known.identifier,
        "scheme": known.scheme.identifier,
        "title": known.scheme.title,
        "location": known.location,
        "command": known.command,
    }
