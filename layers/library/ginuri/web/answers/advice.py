"""The title, detail and advice for every outcome that sends no content and no redirect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never
from urllib.parse import unquote, urlencode

from ginuri.frozen import replace
from ginuri.identifiers import KNOWN_ROOTS
from ginuri.identifiers.messages import Message, counted, message, translatable
from ginuri.identifiers.roots import path_of, printable_name
from ginuri.identifiers.service_paths import SEARCH, description_path, timemap_path
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.registry.model import Registered, Representation, Status, Steward, Texts
from ginuri.registry.ports import Found
from ginuri.registry.rules.namespaces import services_for
from ginuri.registry.statuses import STATUSES
from ginuri.registry.texts.reasons import read_reason
from ginuri.registry.texts.titles import shorten_texts
from ginuri.registry.version_names import is_day
from ginuri.resolution.links import Link, absolute, form_address
from ginuri.resolution.negotiation.languages import choose_text
from ginuri.resolution.outcomes import (
    Choices,
    ContentLost,
    Malformed,
    MethodNotAllowed,
    NoSuchHost,
    NoSuchScheme,
    NoSuchTitle,
    NoSuchVersion,
    NotAcceptable,
    NotRegistered,
    Refused,
    Retired,
    RuledOut,
    Unanswered,
    Unavailable,
    UnreadableMoment,
    Withheld,
)
from ginuri.resolution.versions.timeline import Timeline
from ginuri.web.answers.problems import Advice, Problem
from ginuri.web.linksets import LinkInContext

_FRONT_PAGE = Advice("index", "Browse this registry", "/")


def explain(decision: Unanswered) -> Problem:
    """Return the problem that explains a decision, with advice on what to do next."""
    problem = _explain(decision)
    match decision:
        case Malformed(error) | NoSuchScheme(error):
            return replace(problem, asked=error.text)
        case NoSuchHost(identifier):
            return replace(problem, asked=printable_name(identifier.normal_form))
        case ContentLost() | MethodNotAllowed() | Unavailable():
            return problem
        case _:
            return replace(problem, asked=printable_name(decision.found.identifier.normal_form))


def _explain(decision: Unanswered) -> Problem:  # noqa: C901, PLR0911, PLR0912  one case an outcome
    match decision:
        case Malformed(error):
            return Problem("This is not a valid identifier", error.words)
        case NoSuchScheme(error):
            if (problem := _explain_known_name(decision, error.text)) is not None:
                return problem
            return Problem("Unknown identifier scheme", error.words, (_FRONT_PAGE,))
        case NoSuchHost(identifier):
            written = printable_name(identifier.normal_form)
            if (problem := _explain_known_name(decision, written)) is not None:
                return problem
            detail = message(
                "{identifier} belongs to the host {host}, which is not registered here. "
                "Identifiers that belong to no host start with a scheme: {schemes}.",
                identifier=written,
                host=identifier.root.strip("/"),
                schemes=", ".join(KNOWN_ROOTS),
            )
            return Problem("Unknown host", detail, (_FRONT_PAGE,))
        case NotRegistered(found, near, fallback, in_sequence):
            advice = (
                *_advise_fallback(found, fallback),
                *_advise_names("alternate", translatable("Did you mean {identifier}?"), near),
                *_advise_names("related", translatable("Next to it: {identifier}"), in_sequence),
                *_advise_namespaces(found),
                *_advise_elsewhere(decision),
                *_advise_nearby(found.nearest_ancestor, found.authority),
                *_advise_services(found),
                *_advise_similar_words(found),
                *(() if found.nearest_ancestor else (_FRONT_PAGE,)),
            )
            return Problem("This identifier is not registered", _explain_absence(found), advice)
        case NoSuchTitle(_, record, title):
            detail = message(
                "No title under {identifier} contains all words of {title}. "
                "Recent registrations may take a day to be found.",
                identifier=printable_name(record.identifier),
                title=repr(title[:200]),
            )
            return Problem("No matching title", detail, tuple(_advise_search(record, title)))
        case NoSuchVersion(found, record, timeline):
            detail = message(
                "{identifier} is not a version of {title}.",
                title=titles_of(record),
                identifier=_write(found),
            )
            return Problem("This version does not exist", detail, tuple(_advise_versions(timeline)))
        case UnreadableMoment(_, record, timeline):
            detail = message(
                "The Accept-Datetime header is not a valid date. To choose a version of {title}, "
                "send a date such as Sun, 06 Nov 1994 08:49:37 GMT.",
                title=titles_of(record),
            )
            return Problem("Invalid Accept-Datetime", detail, tuple(_advise_versions(timeline)))
        case Retired(found, record):
            return Problem(
                "This identifier is retired",
                _add_reason(_explain_retirement(found, record), record),
                tuple(_advise_successor(record)),
            )
        case Withheld(found, record):
            return Problem(
                "This identifier is withheld",
                _add_reason(_explain_withholding(found, record), record),
                tuple(_advise_nearby(None, found.authority, record)),
            )
        case Refused(found, record):
            meaning = STATUSES[decision.status]
            detail = message(meaning.explanation, identifier=_write(found), until=record.until or "?")
            advice = (_describe(record), *_advise_nearby(None, found.authority, record))
            return Problem(message(meaning.title), _add_reason(detail, record), advice)
        case NotAcceptable(found, record, offered):
            detail = message(
                "{identifier} is not available in a format that the request accepts.",
                identifier=_write(found),
            )
            return Problem(
                "Not available in this format",
                detail,
                tuple(
                    Advice(
                        "alternate",
                        _name_format(form),
                        form_address(record, form),
                        form.media_type,
                        form.language,
                    )
                    for form in offered
                ),
            )
        case RuledOut(found, record):
            detail = message("{identifier} does not exist.", identifier=_write(found))
            advice = tuple(_advise_nearby(found.nearest_ancestor, found.authority, record))
            return Problem(message("{title}", title=titles_of(record)), _add_reason(detail, record), advice)
        case Choices(found, targets):
            detail = message("{identifier} can mean any of these.", identifier=_write(found))
            return Problem(
                "Several identifiers match",
                detail,
                tuple(_advise_names("alternate", "{identifier}", targets)),
            )
        case ContentLost(key):
            detail = message(
                "The stored file {key} is missing. The operator of this host has been notified.", key=key
            )
            return Problem("The content is missing", detail)
        case MethodNotAllowed(method):
            detail = message("Use GET or HEAD; {method} is not allowed.", method=repr(method[:20]))
            return Problem("Method not allowed", detail)
        case Unavailable(is_costly=True):
            detail = message(
                "The rules for this identifier take too long to match. Its steward can write simpler ones."
            )
            return Problem("Too many rules", detail)
        case Unavailable(retry_after):
            detail = counted(
                "The registry is not responding. Try again in {number} second.",
                "The registry is not responding. Try again in {number} seconds.",
                retry_after,
            )
            return Problem("The registry is busy", detail)
        case _:
            assert_never(decision)


def link_advice(found: Found, problem: Problem, canonical_host: str) -> Iterator[LinkInContext]:
    """Yield the advice about an identifier as links from that identifier."""
    anchor = found.cited(canonical_host)
    for advice in problem.advice:
        if advice.href is not None:
            target = absolute(advice.href, found, canonical_host)
            yield LinkInContext(anchor, Link(advice.relation, target, advice.media_type, advice.language))


def title_of(record: Registered) -> str:
    """Return a record's title in English, else its first title, else its identifier."""
    return choose_text(record.titles)[0] if record.titles else record.identifier


def titles_of(record: Registered) -> Texts | str:
    """Return a record's titles in all languages, shortened, or its identifier if it has none."""
    return shorten_texts(record.titles) or printable_name(record.identifier)


def _write(found: Found) -> str:
    return printable_name(found.identifier.normal_form)


def _explain_absence(found: Found) -> Message:
    identifier = found.identifier
    if identifier.root in found.records or found.nearest_ancestor:
        return message("{identifier} is not registered.", identifier=_write(found))
    # The reader may be the operator who has just set up this registry.
    return message(
        "{identifier} is not registered: the scheme {scheme} is not registered here yet. "
        "The operator can register it with a file in the folder {folder}.",
        identifier=_write(found),
        scheme=identifier.scheme,
        folder=HOST_FOLDER,
    )


def _explain_retirement(found: Found, record: Registered) -> Message:
    identifier, titles = found.identifier.normal_form, titles_of(record)
    if record.identifier == identifier:
        template = "{identifier} named {title}. It is no longer in use."
    elif found.identifier.scheme == "ark" and record.status is Status.RETIRED:
        template = "{identifier} belongs to {title}, which is no longer in use."
    else:
        template = "{identifier} named a representation of {title}. It is no longer in use."
    return message(template, identifier=_write(found), title=titles)


def _explain_withholding(found: Found, record: Registered) -> Message:
    identifier = _write(found)
    if not record.requested_by:
        return message("{identifier} is withheld for legal reasons.", identifier=identifier)
    return message(
        "{identifier} is withheld for legal reasons. Requested by: {who}.",
        identifier=identifier,
        who=record.requested_by,
    )


def _advise_search(record: Registered, title: str) -> Iterator[Advice]:
    query = urlencode({"q": title, "authority": record.identifier}, errors="replace")
    yield Advice("search", "Search other names and identifiers too", f"/{SEARCH}?{query}")
    yield Advice("up", message("{title}", title=titles_of(record)), description_path(record.identifier))


def _advise_namespaces(found: Found) -> Iterator[Advice]:
    """Yield a link to the register of namespaces if the identifier's namespace is not in it."""
    identifier = found.identifier
    is_below = identifier.name_authority is not None and identifier.root in found.records
    if identifier.is_namespaced and found.authority is None and is_below:
        text = message(
            "The namespace {namespace} is not registered. See the register of namespaces",
            namespace=str(identifier.name_authority),
        )
        yield Advice("index", text, description_path(identifier.root))


def _add_front_page(problem: Problem) -> Problem:
    return replace(problem, advice=(*problem.advice, _FRONT_PAGE))


def _explain_known_name(decision: NoSuchScheme | NoSuchHost, written: str) -> Problem | None:
    from ginuri.web.answers.elsewhere import explain_known_name, find_known_name

    known = find_known_name(decision)
    return None if known is None else _add_front_page(explain_known_name(known, written))


def _advise_elsewhere(decision: NotRegistered) -> Iterator[Advice]:
    if decision.found.identifier.scheme.startswith("uri-"):  # fast path: no well-known scheme begins so
        return iter(())
    from ginuri.web.answers.elsewhere import advise_known_name, find_known_name

    known = find_known_name(decision)
    return iter(()) if known is None else advise_known_name(known)


def _advise_nearby(
    nearest: Registered | None, authority: Steward | None, about: Registered | None = None
) -> Iterator[Advice]:
    if nearest is not None:
        where = description_path(nearest.identifier)
        yield Advice("up", message("Nearest registered identifier: {title}", title=titles_of(nearest)), where)
    if about is not None and about.contact:
        yield Advice(
            "author",
            message("Contact: {contact}", contact=_show_contact(about.contact)),
            _contact_uri(about.contact),
        )
    elif authority is not None and authority.contact:
        ask = message(
            "Contact {title}: {contact}", title=titles_of(authority), contact=_show_contact(authority.contact)
        )
        yield Advice("author", ask, _contact_uri(authority.contact))


def _advise_services(found: Found) -> Iterator[Advice]:
    for service in services_for(found):
        text = message("Try another service: {title}", title=service.get("title", service["href"]))
        yield Advice("service", text, service["href"], service.get("type"))


def _advise_versions(timeline: Timeline) -> Iterator[Advice]:
    yield from (
        Advice(
            "memento",
            message("Version of {day}", day=day) if is_day(day) else message("Prospective version"),
            path_of(timeline.version(day)),
        )
        for day in timeline.days
    )
    yield Advice("timemap", "All versions", timemap_path(timeline.name))


def _advise_fallback(found: Found, host: str | None) -> Iterator[Advice]:
    if host is not None:
        text = message("Requests for it are led on to {host}, which may have it", host=host)
        yield Advice("related", text, found.identifier.uri(host))


def _advise_names(relation: str, template: str, names: Sequence[str]) -> Iterator[Advice]:
    return (
        Advice(relation, message(template, identifier=printable_name(name)), path_of(name)) for name in names
    )


def _advise_similar_words(found: Found) -> Iterator[Advice]:
    """Yield a search for the words of the last segment, under the name authority if that is registered."""
    authority, name = found.authority, found.identifier.normal_form
    if authority is None:
        return
    from ginuri.registry.texts.plain_text import plain

    last = unquote(name.removeprefix(authority.identifier).rstrip("/").rpartition("/")[2])
    words = plain(last, has_lines=False).strip("\N{REPLACEMENT CHARACTER}")
    if words:
        query = urlencode({"q": words, "authority": authority.identifier}, errors="replace")
        yield Advice("search", message("Search for {words}", words=words), f"/{SEARCH}?{query}")


def _advise_successor(record: Registered) -> Iterator[Advice]:
    if record.successor:
        text = message("Successor: {identifier}", identifier=printable_name(record.successor))
        yield Advice("successor-version", text, path_of(record.successor))
    yield _describe(record)


def _describe(record: Registered) -> Advice:
    return Advice("describedby", "Description", description_path(record.identifier))


def _name_format(form: Representation) -> Message:
    from ginuri.i18n.labels import language_name, media_type_name

    name = message("any format")
    if form.media_type:
        words = media_type_name(form.media_type)
        name = message("{media_type}", media_type=form.media_type)
        if words:
            name = message("{words} ({media_type})", words=words, media_type=form.media_type)
    return (
        message("{name}, in {language}", name=name, language=language_name(form.language))
        if form.language
        else name
    )


def _add_reason(detail: Message, record: Registered) -> Message:
    if not record.reason:
        return detail
    return message("{detail} Reason: {reason}", detail=detail, reason=read_reason(record.reason))


def _show_contact(contact: str) -> str:
    return contact.removeprefix("mailto:")


def _contact_uri(contact: str) -> str:
    return contact if ":" in contact else f"mailto:{contact}"
