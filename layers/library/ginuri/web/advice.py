"""The words for every outcome that has nothing to give: definite advice, never a shrug."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never
from urllib.parse import urlencode

from ginuri.core.identifiers import KNOWN_ROOTS
from ginuri.core.identifiers.roots import path_of
from ginuri.core.model import Namespace, Registered, Representation, Steward
from ginuri.core.outcomes import (
    Choices,
    ContentLost,
    Malformed,
    MethodNotAllowed,
    NoSuchScheme,
    NoSuchTitle,
    NoSuchVersion,
    NotAcceptable,
    NotRegistered,
    Reserved,
    Retired,
    RuledOut,
    Unavailable,
    UnreadableMoment,
)
from ginuri.core.registry import Found
from ginuri.core.service_paths import SEARCH, description_path, timemap_path
from ginuri.core.templates import expand
from ginuri.core.timeline import Timeline
from ginuri.core.typed_links import TypedLink, absolute
from ginuri.core.version_names import is_day
from ginuri.web.links import address
from ginuri.web.linksets import Anchored
from ginuri.web.plain_words import tell_language, tell_media_type
from ginuri.web.problems import Advice, Problem

_GIN = KNOWN_ROOTS[0]
_SCHEME = Advice("index", f"Identifiers under {_GIN}", path_of(_GIN))
Unanswered = (
    Malformed
    | Retired
    | Reserved
    | NotAcceptable
    | Choices
    | ContentLost
    | RuledOut
    | NotRegistered
    | NoSuchTitle
    | NoSuchVersion
    | UnreadableMoment
    | NoSuchScheme
    | MethodNotAllowed
    | Unavailable
)


def explain(decision: Unanswered) -> Problem:  # noqa: C901, PLR0911, PLR0912  one case an outcome
    """Say what is the matter and what may be done about it."""
    match decision:
        case Malformed(error):
            return Problem("This cannot be an identifier", str(error))
        case NoSuchScheme(error):
            return Problem("Nothing is known here by this name", str(error), (_SCHEME,))
        case NotRegistered(found, near):
            detail = f"Nobody has registered {found.identifier}."
            advice = (
                *_choices(near, "Perhaps this was meant: "),
                *_namespaces(found),
                *_around(found.nearest_ancestor, found.authority),
                *_disclosed(found),
                *(() if found.nearest_ancestor else (_SCHEME,)),
            )
            return Problem("This identifier is not registered", detail, advice)
        case NoSuchTitle(_, record, title):
            detail = (
                f"Nothing under {record.identifier} has all words of {title[:200]!r} in a title. "
                "What was registered in the last day may not be found yet."
            )
            return Problem("There is nothing of this title", detail, tuple(_by_title(record, title)))
        case NoSuchVersion(found, record, timeline):
            detail = f"{title_of(record)} has no version that {found.identifier} would name."
            return Problem("There is no such version", detail, tuple(_versions(timeline)))
        case UnreadableMoment(_, record, timeline):
            detail = (
                f"Accept-Datetime says no date. The versions of {title_of(record)} are chosen by a date "
                "such as Sun, 06 Nov 1994 08:49:37 GMT."
            )
            return Problem("The moment cannot be read", detail, tuple(_versions(timeline)))
        case Reserved(found, record):
            detail = f"{found.identifier} is set aside; it does not name anything yet.{_because(record)}"
            advice = tuple(_around(record, found.authority, record))
            return Problem("This identifier is reserved", detail, advice)
        case Retired(found, record):
            identifier = found.identifier
            what = "" if record.identifier == identifier.normal_form else "a form of "
            detail = f"{identifier} named {what}{title_of(record)}. It is no longer in use.{_because(record)}"
            return Problem("This identifier is retired", detail, tuple(_after(record)))
        case NotAcceptable(found, record, offered):
            detail = f"{found.identifier} cannot be had in a form that the request accepts."
            return Problem("Not in this form", detail, _offers(record, offered))
        case RuledOut(found, record):
            detail = f"There is nothing by the name {found.identifier}.{_because(record)}"
            advice = tuple(_around(found.nearest_ancestor, found.authority, record))
            return Problem(title_of(record), detail, advice)
        case Choices(found, targets):
            detail = f"{found.identifier} may be any of these."
            return Problem("Several are meant", detail, tuple(_choices(targets)))
        case ContentLost(key):
            detail = f"The stored file {key} is missing. The operator of this host has been told."
            return Problem("The content is missing", detail)
        case MethodNotAllowed(method):
            detail = f"Identifiers are read here with GET or HEAD, not {method[:20]!r}."
            return Problem("Identifiers can only be read", detail)
        case Unavailable(retry_after):
            detail = f"The registry does not answer just now. Ask again in {retry_after} seconds."
            return Problem("The registry is busy", detail)
        case _:
            assert_never(decision)


def link_advice(found: Found, problem: Problem, canonical_host: str) -> Iterator[Anchored]:
    """Give what the advice about an identifier leads to as links from it."""
    anchor = found.cited(canonical_host)
    for each in problem.advice:
        if each.href is not None:
            target = absolute(each.href, found, canonical_host)
            yield Anchored(anchor, TypedLink(each.relation, target, each.media_type, each.language))


def title_of(record: Registered) -> str:
    """Give a record's title, in English or as it comes first; its identifier where it has none."""
    titles = record.titles
    return titles.get("en") or titles.get("") or next(iter(titles.values()), record.identifier)


def _by_title(record: Registered, title: str) -> Iterator[Advice]:
    query = urlencode({"q": title, "authority": record.identifier}, errors="replace")
    yield Advice("search", "Search other names and identifiers as well", f"/{SEARCH}?{query}")
    yield Advice("up", title_of(record), description_path(record.identifier))


def _namespaces(found: Found) -> Iterator[Advice]:
    """Lead to the register of namespaces where the one of the identifier is not in it."""
    identifier = found.identifier
    if identifier.is_namespaced and found.authority is None and identifier.root in found.records:
        told = f"The namespace {identifier.name_authority} is not registered. The register of namespaces"
        yield Advice("index", told, description_path(identifier.root))


def _around(
    nearest: Registered | None, authority: Steward | None, about: Registered | None = None
) -> Iterator[Advice]:
    if nearest is not None:
        where = description_path(nearest.identifier)
        yield Advice("up", f"The nearest registered name: {title_of(nearest)}", where)
    if about is not None and about.contact:
        yield Advice("author", f"Ask {about.contact}", _contact(about.contact))
    elif authority is not None and authority.contact:
        yield Advice("author", f"Ask {title_of(authority)}: {authority.contact}", _contact(authority.contact))


def _disclosed(found: Found) -> Iterator[Advice]:
    namespace = found.authority
    if isinstance(namespace, Namespace):
        rest = found.identifier.normal_form.removeprefix(namespace.identifier)
        for each in namespace.services:
            text = f"Another service may know it: {each.get('title', each['href'])}"
            yield Advice("service", text, expand(each["href"], {"rest": rest}), each.get("type"))


def _version_title(day: str) -> str:
    return f"The version of {day}" if is_day(day) else f"The {day} version"


def _versions(timeline: Timeline) -> Iterator[Advice]:
    yield from (
        Advice("memento", _version_title(each), path_of(timeline.version(each))) for each in timeline.days
    )
    yield Advice("timemap", "All versions", timemap_path(timeline.name))


def _choices(names: Sequence[str], text: str = "") -> Iterator[Advice]:
    return (Advice("alternate", f"{text}{name}", path_of(name)) for name in names)


def _after(record: Registered) -> Iterator[Advice]:
    if record.successor:
        yield Advice("successor-version", f"Its successor: {record.successor}", path_of(record.successor))
    yield Advice("describedby", "What is known about it", description_path(record.identifier))


def _offers(record: Registered, offered: Sequence[Representation]) -> tuple[Advice, ...]:
    return tuple(
        Advice("alternate", _tell(each), address(record, each), each.media_type, each.language)
        for each in offered
    )


def _tell(form: Representation) -> str:
    what = form.media_type or "any format"
    words = form.media_type and tell_media_type(form.media_type)
    what = f"{words} ({what})" if words else what
    return f"{what}, in {tell_language(form.language)}" if form.language else what


def _because(record: Registered) -> str:
    return f" Reason: {record.reason}" if record.reason else ""


def _contact(contact: str) -> str:
    return contact if ":" in contact else f"mailto:{contact}"
